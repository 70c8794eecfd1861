"""Typed orders: words that are read, errors with their positions, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from refused import assert_all_named, reasons
from tests.plugins.desert_aa.conftest import Case, Lay, Opening, move, shipped_one

from desert_aa.model import orders
from desert_aa.ui.notation import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import seat_players

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sandtable.kernel.decisions import Decision


def read(case: Case, text: str) -> Any:
    return read_order(case.asked, text, case.prepared.board)


@pytest.mark.rule("DAA-6.02", "DAA-4.03")
def test_of_ways_of_equal_length_the_short_form_takes_the_one_without_penalty(lay: Lay) -> None:
    """By Minqar Qaim the last step is desert and lays infantry down; by Sidi Barrani it is the road, for nothing."""
    case = lay("HAB uk-inf-1 uk-arm-1", "england").to_phase("noncombat_move")
    assert read(case, "move 1 infantry HAB MAT").path == ["HAB", "SIB", "MAT"]
    case.submit(read(case, "move 1 infantry HAB MAT"))
    assert case.condition("uk-inf-1") == "advanced"


@pytest.mark.rule("DAA-6.02")
def test_a_mixed_group_takes_the_way_that_suits_its_slowest(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-arm-1", "england").to_phase("noncombat_move")
    assert read(case, "move 1 armour 1 infantry HAB MAT").path == ["HAB", "SIB", "MAT"]


def test_titles_of_spaces_are_read_as_well_as_ids(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england").to_phase("noncombat_move")
    order = read(case, "move 1 infantry bir habata, sidi barrani, Mersa Matruh")
    assert order.path == ["HAB", "SIB", "MAT"]
    assert read(case, "move 1 infantry Bir Habata Barrani").path == ["HAB", "SIB"]
    assert "'bir': a kind of unit" in reasons(lambda: read(case, "move 1 infantry bir HAB"))[0]


def repulsed(lay: Lay, units: str = "uk-inf-1..2", second: str = "") -> Case:
    """England attacks Gabr Saleh, both sides miss, and it is asked to press on."""
    place = "HAB uk-inf-1..2; GSA de-inf-1..2; BUQ uk-inf-3"
    dice = "6 6, 6 6" if not second else "6 6 6, 6 6"
    case = lay(place, "england", dice=dice).attack(units, "HAB GSA")
    if second:
        case.attack(second, "BUQ GSA")
    return case.submit(orders.EndMoves()).to(orders.PressOn)


@pytest.mark.rule("DAA-17.09")
def test_where_two_ways_are_open_a_bare_retreat_asks_which(lay: Lay) -> None:
    case = repulsed(lay, second="uk-inf-3")
    assert reasons(lambda: read(case, "retreat")) == ["at the end: say where to: BUQ or HAB"]
    assert read(case, "retreat Buq Buq") == orders.Retreat("BUQ")
    case.submit(orders.Retreat("HAB"))


@pytest.mark.parametrize("scenario", ["western_desert", "frontier"])
def test_examples_are_orders_that_are_allowed_now(scenario: str) -> None:
    """At each question of two rounds, with England's own grant at the outset."""
    told: dict[type, None] = {}
    for options in ((), (("mine_secrecy", "all_secret"), ("mine_auto", "manual"))):
        ready = shipped_one(scenario, options)
        for asked in _asked(ready, "examples", 3):
            lines = NOTATION.examples(asked, ready.board)
            assert lines, asked.prompt
            for line in lines:
                order = read_order(asked, line, ready.board)
                told[type(order)] = None
                refusal = asked.options.why_not(order)
                assert refusal is None, (asked.prompt, line, refusal)
    assert len(told) > 8


def _asked(ready: Any, seed: str, rounds: int) -> Iterator[Decision]:
    """Yield every question of the first rounds of a random game."""
    key = key_from_seed(seed)
    game = ready.new_game(KeyedDice(key))
    game.start()
    seats = game.seats_of(seat_players(ready, dict.fromkeys(ready.ruleset.viewers, "random"), key))
    while game.pending and game.state.turn <= rounds:
        decision = game.waiting()[0]
        yield decision
        _, choose, seen = seats[decision.seat]
        game.submit(choose(decision, seen), decision.seat)


def test_england_is_shown_its_own_grant(opening: Opening) -> None:
    case = opening()
    board = case.prepared.board
    lines = {decision.side: NOTATION.examples(decision, board)[0] for decision in case.game.waiting()}
    assert lines["allies"].startswith("place england 1 armour")
    assert lines["axis"].startswith("place italy 1 armour")
    assert {verb.kind for verb in NOTATION.verbs} == set(orders.ORDERS)


def test_prices_stand_behind_the_examples(opening: Opening) -> None:
    case = opening()
    for decision in case.game.waiting():
        whose = {"axis": "Italy: infantry 2, ", "allies": "England: infantry 3, "}[decision.side]
        assert f"  (IPC: {whose}" in NOTATION.hint(decision, case.prepared.board)


def test_who_cannot_be_moved_is_told_whose_turn_it_is(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-inf-1", "england").to_phase("noncombat_move")
    told = reasons(lambda: read(case, "move 1 infantry GSA HAB"))
    assert "no infantry of England that can be moved stands in GSA" in told[0]


def test_a_bare_word_does_not_give_the_whole_grant_away(opening: Opening) -> None:
    case = opening()
    asked = next(decision for decision in case.game.waiting() if decision.side == "allies")
    with pytest.raises(IllegalOrder, match="to keep the whole grant, type save"):
        read_order(asked, "place", case.prepared.board)
    assert read_order(asked, "save", case.prepared.board) == orders.PlaceBonus()


def test_half_a_title_and_words_between_are_understood(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-arm-1", "england").to_phase("noncombat_move")
    for text in (
        "move 1 infantry from habata to barrani",
        "move infantry HAB, sidi",
        "move 1 infantry in HAB into SIB",
    ):
        assert read(case, text) == orders.MoveUnits(["uk-inf-1"], ["HAB", "SIB"]), text
    assert (
        reasons(lambda: read(case, "move 1 infantry HAB mersa"))[0] == "word 5, 'mersa': a space of the map is wanted"
    )


def test_all_moves_every_kind_and_a_start_that_is_plain_need_not_be_named(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2 uk-arm-1; BUQ uk-aa-1", "england").to_phase("noncombat_move")
    both = orders.MoveUnits(["uk-inf-1", "uk-inf-2", "uk-arm-1"], ["HAB", "SIB"])
    assert read(case, "move all HAB SIB") == both
    assert read(case, "move 1 armour SIB") == orders.MoveUnits(["uk-arm-1"], ["HAB", "SIB"])
    told = reasons(lambda: read(case, "move all TOB SIB"))
    assert told == ["word 2, 'all': nobody of England who may move now stands in TOB"]
    assert "as in: move 1 " in reasons(lambda: read(case, "move 1 fighter SIB"))[0]


@pytest.mark.rule("DAA-18.03")
def test_a_plane_that_must_land_is_told_where_and_needs_no_name(lay: Lay) -> None:
    case = lay("BUQ uk-ftr-1; HAB uk-arm-1; GSA de-inf-1", "england", dice="1 1, 6").to_phase("combat_move")
    case.submit(move("uk-ftr-1", "BUQ GSA")).submit(move("uk-arm-1", "HAB GSA")).submit(orders.EndMoves())
    case.to_phase("noncombat_move").submit(orders.EndMoves())
    lines = NOTATION.examples(case.asked, case.prepared.board)
    assert "land BUQ" in lines
    assert len(lines) > 2
    assert read(case, "land buq buq") == orders.MoveUnits(["uk-ftr-1"], ["GSA", "BUQ"])


@pytest.mark.rule("DAA-17.06")
def test_losses_are_named_by_their_power_as_the_menu_names_them(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..3; GSA de-inf-1..2 it-inf-1..2", "england", dice="1 1 6, 6 6 6 6")
    case.attack("uk-arm-1..3", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    for text in ("lose 2 Italy's infantry", "lose 2 italian infantry", "lose Italy 2 infantry"):
        assert read(case, text) == orders.TakeLosses(["it-inf-1", "it-inf-2"]), text
    assert read(case, "lose 1 German infantry, 1 Italian infantry") == orders.TakeLosses(["de-inf-1", "it-inf-1"])
    assert reasons(lambda: read(case, "lose 2")) == ["at the end: a kind of unit is wanted, of 4 infantry"]
    assert reasons(lambda: read(case, "lose 3 Italian infantry"))[0].endswith("only 2 infantry of Italy can be chosen")


@pytest.mark.rule("DAA-2.01", "DAA-8.03")
def test_a_minefield_of_the_grant_is_bought_without_a_space(opening: Opening) -> None:
    case = opening()
    board = case.prepared.board
    asked = next(decision for decision in case.game.waiting() if decision.side == "allies")
    told = reasons(lambda: read_order(asked, "place england 1 minefield HAB", board))
    assert "is bought without a space: where it lies is asked next" in told[0]
    assert read_order(asked, "place england minefield", board) == orders.PlaceBonus({}, {"england": 1})


def test_an_id_that_nobody_has_is_told_as_that(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england").to_phase("noncombat_move")
    assert "there is no such unit" in reasons(lambda: read(case, "move uk-bmb-1 HAB SIB"))[0]


def test_flak_alone_leaves_the_example_of_a_move_to_others(lay: Lay) -> None:
    """Flak has no combat move, but stood first in its space: there was no example of a move then."""
    case = lay("HAB uk-aa-1 uk-inf-1; GSA de-inf-1", "england").to_phase("combat_move")
    assert NOTATION.examples(case.asked, case.prepared.board)[0] == "move 1 infantry HAB GSA"


STACK = "HAB uk-inf-1..2 uk-arm-1"


@pytest.fixture
def moving(lay: Lay) -> Case:
    return lay(STACK, "england").to(orders.MoveUnits)


@pytest.fixture
def buying(lay: Lay) -> Case:
    return lay(STACK, "england", state={"cash": {"axis": 50, "allies": 50}}).to(orders.BuyUnits)


def test_words_mean_orders(moving: Case, buying: Case) -> None:
    assert read(buying, "buy 2 infantry 1 armour") == orders.BuyUnits({"infantry": 2, "armour": 1})
    assert read(buying, "buy nothing") == orders.BuyUnits()
    assert read(moving, "move 2 inf HAB GSA") == orders.MoveUnits(["uk-inf-1", "uk-inf-2"], ["HAB", "GSA"])
    assert read(moving, "move uk-arm-1 all infantry hab gsa") == orders.MoveUnits(
        ["uk-arm-1", "uk-inf-1", "uk-inf-2"], ["HAB", "GSA"]
    )
    assert read(moving, "end") == orders.EndMoves()
    assert read(moving, "hello") is None
    assert read(moving, "?") == "move 1 armour HAB GSA, or: end"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("buy 2 infantri 1 armour 3 gunz", ["word 3, 'infantri': a kind of unit", "word 7, 'gunz': a kind of unit"]),
        ("buy", ["say what"]),
        ("move 1 infantry HAB GSA", ["that is not asked now"]),
    ],
)
def test_all_that_is_wrong_with_a_purchase_is_told(buying: Case, text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read(buying, text)), wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("move 9 infantry 2 armour HAB GSA", ["'9': only 2 infantry to be moved", "'2': only 1 armour to be moved"]),
        ("move 2 infantri 1 armour HAB moon GSA sun", ["'infantri': a kind", "'moon': a space", "'sun': a space"]),
        ("move 9 infantry HAB moon", ["'moon': a space of the map", "only 2 infantry to be moved stand in HAB"]),
        ("move 1 infantry", ["at the end: a space of the map is wanted"]),
        ("move HAB GSA", ["name the units that move"]),
        ("move 1 infantry HAB", ["name the path"]),
    ],
)
def test_all_that_is_wrong_with_a_move_is_told(moving: Case, text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read(moving, text)), wrong)


def test_all_that_is_wrong_with_what_is_placed_is_told(opening: Any) -> None:
    case = opening()
    text = "place german 1 armor moon 2 infantri TOB italian 2 infantry GUB extra"
    found = reasons(lambda: read_order(case.asked, text, case.prepared.board))
    assert_all_named(found, ["'moon': a kind of unit", "'infantri': a kind of unit", "'extra': a kind of unit"])
    for text in ("place german moon", "place german 2 moon TOB TOB", "place it it moon TOB german", "place moon TOB"):
        assert reasons(lambda text=text: read_order(case.asked, text, case.prepared.board))  # type: ignore[misc]


def test_all_that_is_wrong_with_losses_is_told(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-arm-1..2; GSA de-inf-1 de-arm-1..2", dice="6 1 1, 1 6 6")
    case.attack("uk-inf-1 uk-arm-1..2", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    assert read(case, "lose 1 infantry de-arm-2") == orders.TakeLosses(["de-inf-1", "de-arm-2"])
    wrong = ["'9': only 2 armour can be chosen", "'some': a kind of unit is wanted", "'moon': a kind of unit"]
    assert_all_named(reasons(lambda: read(case, "lose 9 armour some 1 infantry moon")), wrong)
    assert_all_named(reasons(lambda: read(case, "lose 1")), ["at the end: a kind of unit is wanted"])
