"""Deals of hidden minefields for search bots."""

from __future__ import annotations

import msgspec
import pytest
from tests.plugins.desert_aa.conftest import ready

from desert_aa.bots.evaluation import evaluate
from desert_aa.fog.determinization import deal
from desert_aa.fog.views import view
from desert_aa.model.state import DesertState, Minefield, Unit
from desert_aa.model.tables import SIDE_OF
from sandtable.kernel.dice import Stream


def begin(scenario: str = "western_desert", **options: str) -> DesertState:
    prepared = ready(scenario, **options)
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    assert isinstance(state, DesertState)
    state.turn = 1
    return state


def axis(state: DesertState) -> int:
    shares = evaluate(state, state.board)
    assert sum(shares.values()) == 1000
    return shares["axis"]


@pytest.mark.parametrize("secrecy", ["spaces_secret", "all_secret"])
@pytest.mark.parametrize("side", ["axis", "allies"])
@pytest.mark.rule("DAA-8.03", "DAA-R37")
def test_dealt_minefields_are_in_any_space_that_may_be_mined(side: str, secrecy: str) -> None:
    state = begin(mine_secrecy=secrecy)
    enemy = "england" if side == "axis" else "germany"
    own = "germany" if side == "axis" else "england"
    board = state.board
    theirs = [space for space in board.mineable if SIDE_OF[state.control[space]] == SIDE_OF[enemy]]
    mine = next(space for space in board.mineable if SIDE_OF[state.control[space]] == side)
    state.minefields = {theirs[0]: Minefield(enemy), theirs[1]: Minefield(enemy, known=True), mine: Minefield(own)}
    seen = view(state, side)
    found = set()
    for number in range(40):
        dealt = deal(seen, board, Stream(bytes([number])))
        dealt.options, dealt.turn = dict(state.options), state.turn
        assert view(dealt, side) == msgspec.structs.replace(seen, phase="", phasing_side="", phasing_power="")
        assert set(dealt.minefields) <= set(board.mineable)
        found |= {space for space, field in dealt.minefields.items() if field.power == enemy and not field.known}
    assert len(found) > 3


def test_dealt_minefield_may_be_where_only_planes_were() -> None:
    """Planes do not trigger mines, so a space that only planes attacked may be mined."""
    state = begin()
    space = next(each for each in state.board.mineable if state.control[each] == "england")
    state.units["de-ftr-9"] = Unit("germany", "fighter", space)
    state.combats = {space: ["de-ftr-9"]}
    state.minefields = {each: Minefield("england") for each in state.board.mineable if state.control[each] == "england"}
    seen = view(state, "axis")
    dealt = deal(seen, state.board, Stream(b"air"))
    assert set(dealt.minefields) == set(state.minefields)


@pytest.mark.rule("DAA-8.03", "DAA-R37")
def test_known_number_of_minefields_is_dealt_even_without_likely_spaces() -> None:
    state = begin()
    theirs = [each for each in state.board.mineable if state.control[each] == "england"]
    state.units["de-inf-9"] = Unit("germany", "infantry", theirs[0])
    state.minefields = {each: Minefield("england") for each in theirs}
    seen = view(state, "axis")
    dealt = deal(seen, state.board, Stream(b"all"))
    dealt.options = dict(state.options)
    assert view(dealt, "axis").mines_laid == seen.mines_laid
