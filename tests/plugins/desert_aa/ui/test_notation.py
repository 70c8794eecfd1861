"""Typed orders: accepted words, errors with their positions, and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import move, shipped_one
from tests.plugins.desert_aa.ui.typed import read, typed

from desert_aa.model import orders
from desert_aa.ui.doubts import read_order
from desert_aa.ui.notation import NOTATION
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import seat_players

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.plugins.desert_aa.conftest import Lay, Opening
    from transcripts import Transcript

    from sandtable.kernel.decisions import Decision


def test_purchases_are_read_or_refused(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-inf-1", "england", state={"cash": {"axis": 50, "allies": 50}}).to(orders.BuyUnits)
    right = "buy 2 infantry 1 armor", "buy nothing"
    wrong = "buy 2 infantri 1 armor 3 gunz", "buy", "move 1 infantry HAB GSA"
    transcript(typed(case, *right, *wrong))
    assert read(case, "buy 1 armour") == read(case, "buy 1 armor") == orders.BuyUnits({"armor": 1})


def test_combat_moves_are_read_or_refused(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-inf-1..2 uk-arm-1", "england").to(orders.MoveUnits)
    right = "move 2 inf HAB GSA", "move uk-arm-1 all infantry hab gsa", "end", "hello", "?"
    wrong = (
        "move 9 infantry 2 armor HAB GSA",
        "move 2 infantri 1 armor HAB moon GSA sun",
        "move 9 infantry HAB moon",
        "move 1 infantry",
        "move HAB GSA",
        "move 1 infantry HAB",
    )
    transcript(typed(case, *right, *wrong))


@pytest.mark.rule("DAA-15.05", "DAA-16.10", "DAA-12.04", "DAA-4.02")
def test_combat_moves_beyond_reach_are_refused(lay: Lay, transcript: Transcript) -> None:
    units = "CAI uk-bom-1 uk-inf-1; ALX uk-ftr-1; TOB de-inf-1; GSA de-inf-2; BUQ uk-inf-2"
    case = lay(units, "england").to_phase("combat_move")
    planes = "move 1 bomber CAI TRI", "move 1 bomber CAI BDI", "move 1 fighter ALX TOB"
    transcript(typed(case, *planes, "move 1 infantry CAI TOB"))


@pytest.mark.rule("DAA-6.02", "DAA-4.03")
def test_short_form_prefers_a_path_without_penalty(lay: Lay) -> None:
    """The path by Minqar Qaim lays infantry down, because its last step is desert; by Sidi Barrani it is road."""
    case = lay("HAB uk-inf-1 uk-arm-1", "england").to_phase("noncombat_move")
    for text in ("move 1 infantry HAB MAT", "move 1 armor 1 infantry HAB MAT"):  # a group moves like its slowest unit
        assert read(case, text).path == ["HAB", "SIB", "MAT"]
    case.submit(read(case, "move 1 infantry HAB MAT"))
    assert case.condition("uk-inf-1") == "advanced"


def test_titles_may_be_shortened_and_joined_by_connecting_words(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-inf-1 uk-arm-1; TOB de-inf-1", "england").to_phase("noncombat_move")
    titles = (
        "move 1 infantry bir habata, sidi barrani, Mersa Matruh",
        "move 1 infantry Bir Habata Barrani",
        "move 1 infantry bir HAB",
        "move 1 infantry from habata to barrani",
        "move infantry HAB, sidi",
        "move 1 infantry in HAB into SIB",
        "move 1 infantry HAB mersa",
    )
    transcript(typed(case, *titles, "move uk-bmb-1 HAB SIB", "move 1 infantry TOB HAB"))


def test_all_moves_every_kind_and_the_start_may_be_omitted(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-inf-1..2 uk-arm-1; BUQ uk-aa-1", "england").to_phase("noncombat_move")
    transcript(typed(case, "move all HAB SIB", "move 1 armor SIB", "move all TOB SIB", "move 1 fighter SIB"))


@pytest.mark.rule("DAA-18.03")
def test_plane_that_must_land_may_be_omitted(lay: Lay) -> None:
    case = lay("BUQ uk-ftr-1; HAB uk-arm-1; GSA de-inf-1", "england", dice="1 1, 6").to_phase("combat_move")
    case.submit(move("uk-ftr-1", "BUQ GSA")).submit(move("uk-arm-1", "HAB GSA")).submit(orders.EndMoves())
    case.to_phase("noncombat_move").submit(orders.EndMoves())
    lines = NOTATION.examples(case.asked, case.prepared.board)
    assert "land BUQ" in lines
    assert len(lines) > 2
    assert read(case, "land buq buq") == orders.MoveUnits(["uk-ftr-1"], ["GSA", "BUQ"])


@pytest.mark.rule("DAA-2.01", "DAA-8.03")
@pytest.mark.parametrize(
    ("side", "texts"),
    [
        (
            "axis",
            (
                "place german 1 armor moon 2 infantri TOB italian 2 infantry GUB extra",
                "place german moon",
                "place german 2 moon TOB TOB",
                "place it it moon TOB german",
                "place moon TOB",
            ),
        ),
        ("allies", ("place england 1 minefield HAB", "place england minefield", "place", "save")),
    ],
    ids=["axis", "allies"],
)
def test_grants_are_read_or_refused(
    opening: Opening, side: str, texts: tuple[str, ...], transcript: Transcript
) -> None:
    case = opening()
    transcript(typed(case, *texts, asked=next(each for each in case.game.waiting() if each.side == side)))


@pytest.mark.rule("DAA-17.06")
@pytest.mark.parametrize(
    ("units", "dice", "texts"),
    [
        (
            "HAB uk-inf-1 uk-arm-1..2; GSA de-inf-1 de-arm-1..2",
            "6 1 1, 1 6 6",
            ("lose 1 infantry de-arm-2", "lose 9 armor some 1 infantry moon", "lose 1"),
        ),
        (
            "HAB uk-arm-1..3; GSA de-inf-1..2 it-inf-1..2",
            "1 1 6, 6 6 6 6",
            (
                *("lose 2 Italy's infantry", "lose 2 italian infantry", "lose Italy 2 infantry"),
                *("lose 1 German infantry, 1 Italian infantry", "lose 2", "lose 3 Italian infantry"),
            ),
        ),
    ],
    ids=["kinds", "powers"],
)
def test_losses_are_read_or_refused(
    lay: Lay, units: str, dice: str, texts: tuple[str, ...], transcript: Transcript
) -> None:
    case = lay(units, "england", dice=dice).attack(units.partition(";")[0][4:], "HAB GSA")
    transcript(typed(case.submit(orders.EndMoves()).to(orders.TakeLosses), *texts))


@pytest.mark.rule("DAA-17.09")
def test_retreats_are_read_or_refused(lay: Lay, transcript: Transcript) -> None:
    """The word alone is enough if only one retreat is legal."""
    case = lay("HAB uk-inf-1..2; GSA de-inf-1..2; BUQ uk-inf-3", "england", dice="6 6, 6 6, 6 6 6, 6 6")
    case.attack("uk-inf-1..2", "HAB GSA").submit(orders.EndMoves()).to(orders.PressOn)
    one = typed(case, "retreat", "retreat BUQ")
    case.submit(read(case, "retreat")).to_turn("england")
    assert case.where("uk-inf-1") == "HAB"
    case.attack("uk-inf-1..2", "HAB GSA").attack("uk-inf-3", "BUQ GSA").submit(orders.EndMoves()).to(orders.PressOn)
    transcript(f"{one}\n{typed(case, 'retreat', 'retreat Buq Buq')}")
    case.submit(orders.Retreat("HAB"))


@pytest.mark.parametrize("scenario", [pytest.param("western_desert", marks=pytest.mark.full), "frontier"])
def test_examples_are_legal_orders(scenario: str) -> None:
    """Every decision of two rounds is tried, beginning with England's grant."""
    kinds: dict[type, None] = {}
    for options in ((), (("mine_secrecy", "all_secret"), ("mine_auto", "manual"))):
        ready = shipped_one(scenario, options)
        for asked in _asked(ready, "examples", 3):
            lines = NOTATION.examples(asked, ready.board)
            assert lines, asked.prompt
            for line in lines:
                order = read_order(asked, line, ready.board)
                kinds[type(order)] = None
                refusal = asked.options.why_not(order)
                assert refusal is None, (asked.prompt, line, refusal)
    assert len(kinds) > 8


def _asked(ready: Any, seed: str, rounds: int) -> Iterator[Decision]:
    """Yield every decision of the first rounds of a random game."""
    key = key_from_seed(seed)
    game = ready.new_game(KeyedDice(key))
    game.start()
    seats = game.seats_of(seat_players(ready, dict.fromkeys(ready.ruleset.viewers, "random"), key))
    while game.pending and game.state.turn <= rounds:
        decision = game.waiting()[0]
        yield decision
        choose, seen = seats[decision.seat]
        game.submit(choose(decision, seen), decision.seat)


def test_grant_examples_use_the_purse_and_prices_of_the_side(opening: Opening, transcript: Transcript) -> None:
    case = opening()
    board = case.prepared.board
    found = [
        "\n".join([*NOTATION.examples(each, board), NOTATION.hint(each, board) or ""]) for each in case.game.waiting()
    ]
    transcript("\n\n".join(found))
    assert {verb.kind for verb in NOTATION.verbs} == set(orders.ORDERS)


def test_move_example_skips_flak(lay: Lay) -> None:
    """Flak has no combat move, so the example uses another unit even if flak is first in its space."""
    case = lay("HAB uk-aa-1 uk-inf-1; GSA de-inf-1", "england").to_phase("combat_move")
    assert NOTATION.examples(case.asked, case.prepared.board)[0] == "move 1 infantry HAB GSA"
