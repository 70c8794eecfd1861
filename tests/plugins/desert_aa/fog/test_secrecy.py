"""Non-interference: if only secrets differ, nothing that the other side sees differs (DAA-8.03, DAA-R37, DAA-R08)."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.framework.viewer.page.side_pages import assert_alike, side_page, without_log
from tests.plugins.desert_aa.oracle.twins import OBSERVER, Twins, sliced

from desert_aa.model.events import MinefieldsPlaced
from desert_aa.model.orders import BuyMinefields, BuyUnits, PlaceBonus, PlaceMinefields
from desert_aa.model.tables import SIDE_OF
from sandtable.errors import NothingToUndo
from sandtable.kernel.dice import Stream
from sandtable.kernel.records import EventRecord
from sandtable.testing.fuzz import random_order

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Lay, Prepare

    from sandtable.kernel.decisions import Order


def compare_twins(twins: Twins, most: int) -> bool:
    """Play the twins, compare the observer's logs, and return whether a minefield was revealed at the end."""
    shown = twins.play(most)
    length = twins.seen
    logs = [sliced(game, twins.prepared, twins.observer, length) for game in twins.games]
    assert logs[0] == logs[1]
    placed = [[record for record in game.records if is_laying(record)] for game in twins.games]
    assert placed[0] != placed[1], "the two games must differ in what is secret"
    text = json.dumps(logs[0])
    assert '"type":"MinefieldsPlaced"' in text.replace(" ", "")
    return shown


def is_laying(record: Any) -> bool:
    return isinstance(record, EventRecord) and isinstance(record.event, MinefieldsPlaced)


FAR_APART = {"england": "FAY NAT", "italy": "HUN GIA", "germany": "ANT MEK"}
"""Two spaces for a minefield of each power, far behind its lines so that units enter them late."""


@pytest.mark.full
@pytest.mark.rule("DAA-8.03", "DAA-R37")
@pytest.mark.parametrize("hider", ["england", "italy", "germany"])
def test_minefields_stay_hidden_until_revealed(prepare: Prepare, hider: str) -> None:
    pairs = [Twins(prepare("western_desert"), f"wide {seed}", hider, FAR_APART[hider]) for seed in range(4)]
    for twins in pairs:
        compare_twins(twins, 300)
    assert sum(twins.orders for twins in pairs) > 100


@pytest.mark.full
@pytest.mark.rule("DAA-8.03", "DAA-R37")
def test_enemy_page_has_no_trace_of_hidden_mines(prepare: Prepare) -> None:
    hider = "england"
    twins = Twins(prepare("western_desert"), "wide 0", hider, FAR_APART[hider])
    compare_twins(twins, 40)
    pages = [side_page(game, twins.prepared, twins.observer, twins.seen) for game in twins.games]
    assert_alike(*pages)
    own = [side_page(game, twins.prepared, SIDE_OF[hider], twins.seen) for game in twins.games]
    assert without_log(own[0]) != without_log(own[1])


@pytest.mark.full
@pytest.mark.rule("DAA-8.03", "DAA-R38", "DAA-R39")
@pytest.mark.parametrize(
    "options",
    [
        {"mine_auto": "manual"},
        {"mine_reveal": "immediate"},
        {"mine_reveal": "immediate", "mine_auto": "manual"},
        {"mine_alloc": "owner_chooses", "penalty_by": "declared", "mech_blitz": "allowed"},
        {"bonus_order": "axis_first", "axis_treasury": "shared", "mine_allied_space": "refused"},
    ],
)
def test_minefields_stay_hidden_under_every_option(prepare: Prepare, options: dict[str, str]) -> None:
    for hider in ("england", "germany"):
        compare_twins(Twins(prepare("western_desert", **options), "two fields", hider, FAR_APART[hider]), 150)


@pytest.mark.rule("DAA-8.03")
@pytest.mark.parametrize(
    "options", [{}, {"mine_auto": "manual"}, {"mine_reveal": "immediate"}, {"mine_place": "rz_only"}]
)
def test_minefield_is_revealed_by_an_entry_and_not_before(
    prepare: Prepare, changed: Changed, options: dict[str, str]
) -> None:
    # On the small map units soon enter one of the two spaces that England can mine.
    wide = changed({"treasury": {"bonus": 16}, "areas": {"OAS": {"zone": True}}}, "frontier")
    assert any(compare_twins(Twins(prepare(wide, **options), f"small {seed}", "england"), 300) for seed in range(3))


@pytest.mark.full
@pytest.mark.rule("DAA-R37")
def test_number_of_minefields_is_hidden_by_option(prepare: Prepare) -> None:
    """England buys a minefield in only one of the games. Its money differs, and the Axis does not see it."""
    twins = Twins(prepare("western_desert", mine_secrecy="all_secret"), "all", "england")
    numbers = iter([(1, 0)])
    for _ in range(250):
        twins.compare()
        first, second = (game.waiting()[0] for game in twins.games)
        order: Order = random_order(first, twins.streams[first.seat])
        pair: list[Order] = [order, order]
        if first.side == "allies" and isinstance(order, BuyUnits | PlaceBonus):
            pair = [type(order)(), type(order)()]
        elif isinstance(order, BuyMinefields) and first.side == "allies":
            pair = [BuyMinefields(number) for number in next(numbers, (0, 0))]
        elif isinstance(order, PlaceMinefields) and first.side == "allies":
            pair = [order, random_order(second, Stream(b"second"))]
        twins.give(pair, first.seat)
        if twins.revealed() or twins.games[0].is_over:
            break
    logs = [sliced(game, twins.prepared, "axis", twins.seen) for game in twins.games]
    assert logs[0] == logs[1]
    assert twins.orders > 20
    assert [sum(mine.power == "england" for mine in mines.values()) for mines in twins.mines()] == [1, 0]
    assert "allies" not in twins.games[0].view("axis").cash
    assert "england" not in twins.games[0].view("axis").mines_laid


@pytest.mark.rule("DAA-R08", "DAA-2.04")
@pytest.mark.parametrize(("first", "second"), [("italy", "england"), ("england", "italy")])
def test_grant_purchases_are_hidden_until_both_sides_decide(prepare: Prepare, first: str, second: str) -> None:
    twins = Twins(prepare("western_desert"), "grant", first)
    space = {"italy": "HUN", "england": "SIW"}[first]
    twins.compare()
    twins.give([PlaceBonus(), PlaceBonus({first: {space: {"infantry": 1}}}, {first: 1})], first)
    twins.compare()
    logs = [sliced(game, twins.prepared, OBSERVER[first], twins.seen) for game in twins.games]
    assert logs[0] == logs[1]
    twins.give([PlaceBonus(), PlaceBonus()], second)
    views = [game.view(OBSERVER[first]) for game in twins.games]
    assert len(views[1].units) == len(views[0].units) + 1


@pytest.mark.rule("DAA-8.03")
@pytest.mark.parametrize("options", [{}, {"mine_reveal": "immediate"}, {"mine_auto": "manual"}])
def test_undo_does_not_reveal_mines(lay: Lay, options: dict[str, str]) -> None:
    # An entry without mines is information, too: the hidden field is elsewhere. So the entry cannot be undone.
    case = lay("HAB uk-inf-1", mines={"GIR": "italy"}, **options).attack("uk-inf-1", "HAB GSA").fight()
    assert case.holder("GSA") == "england"
    with contextlib.suppress(NothingToUndo):
        for _ in range(4):
            case.game.undo("england")
    assert case.holder("GSA") == "england" or case.state.plans
