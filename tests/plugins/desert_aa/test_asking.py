"""What a person at the terminal can ask and is told: short ways, true reasons, menus in words, a closer look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from refused import reasons
from tests.plugins.desert_aa.conftest import move, shipped_one
from tests.plugins.desert_aa.test_bot_ways import questions

from desert_aa.fog.views import view
from desert_aa.model import orders
from desert_aa.model.events import MovePlanned
from desert_aa.model.state import Minefield
from desert_aa.ui.digest import digest
from desert_aa.ui.focus import shown
from desert_aa.ui.menus import words
from desert_aa.ui.notation import NOTATION, read_order
from sandtable.errors import IllegalOrder, PlayError
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import seat_players
from sandtable.terminal.form_filling import entries

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay, Opening


def read(case: Case, text: str) -> Any:
    return read_order(case.asked, text, case.prepared.board)


def why_not(case: Case, text: str) -> str:
    """Return what is said to a typed order that is refused."""
    refusal = case.asked.options.why_not(read(case, text))
    assert refusal is not None, text
    return f"{refusal.rule} {refusal.reason}"


def menu(case: Case) -> list[str]:
    """Return the lines of the menu, as who is asked reads them."""
    seen = view(case.state, case.asked.side)
    return [
        label for label, _ in entries(case.asked.options, lambda each: words(each, seen, case.prepared.board) or "")
    ]


# --- short ways ---


@pytest.mark.rule("DAA-6.02", "DAA-4.03")
def test_of_ways_of_equal_length_the_short_form_takes_the_one_without_penalty(lay: Lay) -> None:
    """By Minqar Qaim the last step is desert and lays infantry down; by Sidi Barrani it is the road, for nothing."""
    case = lay("HAB uk-inf-1 uk-arm-1", "england").to_phase("noncombat_move")
    assert read(case, "move 1 infantry HAB MAT").path == ["HAB", "SIB", "MAT"]
    case.submit(read(case, "move 1 infantry HAB MAT"))
    assert case.condition("uk-inf-1") == "advanced"


@pytest.mark.rule("DAA-6.02", "DAA-4.03")
@pytest.mark.parametrize("scenario", ["western_desert", "frontier"])
def test_no_destination_is_reached_with_a_penalty_that_a_way_as_long_spares(scenario: str) -> None:
    spared = 0
    for game, decision in questions(scenario, "random"):
        space: Any = decision.options
        if game.state.turn > 2:
            break
        for leaders in space.leaders.values():
            unit_id = leaders[0]
            for end, path in space.destinations(unit_id).items():
                if space.lies_after(unit_id, path):
                    ways = [way for way, _ in space.ways(unit_id) if way[-1] == end and len(way) == len(path)]
                    assert all(space.lies_after(unit_id, way) for way in ways)
                    spared += 1
    assert spared


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


# --- true reasons ---


@pytest.mark.rule("DAA-15.05", "DAA-16.10", "DAA-12.04")
def test_a_plane_that_cannot_attack_is_told_the_true_reason(lay: Lay) -> None:
    case = lay("CAI uk-bom-1; ALX uk-ftr-1; TOB de-inf-1; GSA de-inf-2", "england").to_phase("combat_move")
    assert why_not(case, "move 1 bomber CAI TRI").startswith("DAA-15.05 the flight is")
    assert why_not(case, "move 1 bomber CAI BDI").startswith("DAA-16.10 planes have nothing to attack in BDI")
    assert "this fighter can fly 4" in why_not(case, "move 1 fighter ALX TOB")


@pytest.mark.rule("DAA-4.02")
def test_a_march_too_far_is_refused_for_its_length(lay: Lay) -> None:
    case = lay("CAI uk-inf-1; TOB de-inf-1; BUQ uk-inf-2", "england").to_phase("combat_move")
    assert why_not(case, "move 1 infantry CAI TOB").startswith("DAA-4.02 infantry moves 2 spaces at most")


# --- choices in words ---


def repulsed(lay: Lay, units: str = "uk-inf-1..2", second: str = "") -> Case:
    """England attacks Gabr Saleh, both sides miss, and it is asked to press on."""
    place = "HAB uk-inf-1..2; GSA de-inf-1..2; BUQ uk-inf-3"
    dice = "6 6, 6 6" if not second else "6 6 6, 6 6"
    case = lay(place, "england", dice=dice).attack(units, "HAB GSA")
    if second:
        case.attack(second, "BUQ GSA")
    return case.submit(orders.EndMoves()).to(orders.PressOn)


@pytest.mark.rule("DAA-17.09")
def test_a_bare_retreat_is_the_one_way_that_is_open(lay: Lay) -> None:
    case = repulsed(lay)
    assert read(case, "retreat") == orders.Retreat("HAB")
    assert menu(case) == ["fight on: 2 infantry against 2 infantry: it wins 21%", "retreat to Bir Habata (HAB)"]
    refusal = why_not(case, "retreat BUQ")
    assert refusal == "DAA-17.09 no retreat leads where no attacker came from: fight on, or retreat HAB"
    case.submit(read(case, "retreat"))
    assert case.where("uk-inf-1") == "HAB"


@pytest.mark.rule("DAA-17.09")
def test_where_two_ways_are_open_a_bare_retreat_asks_which(lay: Lay) -> None:
    case = repulsed(lay, second="uk-inf-3")
    assert reasons(lambda: read(case, "retreat")) == ["at the end: say where to: BUQ or HAB"]
    assert read(case, "retreat Buq Buq") == orders.Retreat("BUQ")
    case.submit(orders.Retreat("HAB"))


@pytest.mark.rule("DAA-17.06")
def test_losses_tell_the_condition_and_put_like_units_together(lay: Lay) -> None:
    """Three like tanks that lie down, and one that is fresh: two of four are lost in three ways, not in six."""
    lies = {"de-arm-1": "extended", "de-arm-2": "extended", "de-arm-3": "extended"}

    def lay_down(state: Any) -> None:
        for unit_id, condition in lies.items():
            state.units[unit_id].condition = condition
            state.units[unit_id].stands_up = 3

    case = lay("HAB uk-arm-1..4; GSA de-arm-1..4", "england", dice="1 1 6 6, 6 6 6 6", tweak=lay_down)
    case.attack("uk-arm-1..4", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    assert menu(case) == [
        "lose 2 armour (laid down, out of fuel)",
        "lose 1 armour, 1 armour (laid down, out of fuel)",
    ]
    case.submit(orders.TakeLosses(["de-arm-1", "de-arm-4"]))


# --- examples ---


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


# --- a closer look ---


@pytest.mark.rule("DAA-8.03")
def test_view_of_a_space_tells_neighbours_road_cost_who_is_there_and_what_it_pays(lay: Lay) -> None:
    case = lay("SIB uk-inf-1..2; BUQ de-arm-1; TOB de-inf-1; MAT uk-ftr-1", "england", mines={"HAB": "england"})
    told = shown(view(case.state, "allies"), case.prepared.board, "sidi barrani")
    assert told.startswith("Sidi Barrani (SIB), held by England: city, on the road, pays 1 IPC\n  here: England 2 inf")
    assert "BUQ  Buq Buq                  road    Germany: Germany 1 armour" in told
    assert "HAB  Bir Habata               desert  England, mined: nobody" in told
    assert "free along the road" in told
    assert "the Axis, Germany 1 armour" in told
    assert "the Allies, England 1 fighter" in told
    assert "mined" not in shown(view(case.state, "axis"), case.prepared.board, "SIB")


def test_view_of_a_unit_tells_its_figures_and_its_space(lay: Lay) -> None:
    case = lay("SIB uk-inf-1", "england", state={"minefields": {"GUB": Minefield("england", known=True)}})
    seen, board = view(case.state, "axis"), case.prepared.board
    told = shown(seen, board, "uk-inf-1")
    assert told.startswith("uk-inf-1: infantry of England in Sidi Barrani, ready; attacks at 1, defends at 2, moves 1")
    assert "minefield of England, known to all" in shown(seen, board, "GUB")
    assert shown(seen, board, "gss").endswith("closed ground; nothing may cross it")
    with pytest.raises(PlayError, match="neither a space nor a unit"):
        shown(seen, board, "moon")


# --- menus of moves and money ---


@pytest.mark.rule("DAA-4.03", "DAA-16.01", "DAA-17.01")
def test_a_move_is_told_with_its_cost_its_foes_and_the_chance(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    attack = move("uk-arm-1..2", "HAB GSA")
    assert words(attack, seen, board) == (
        "move 2 armour from Bir Habata (HAB) to Gabr Saleh-Maddalena (GSA); against 1 infantry: it wins 95%"
    )
    case.submit(attack)
    seen = view(case.state, "allies")
    told = words(orders.EndMoves(), seen, board)
    fights = "end moves, and fight: Gabr Saleh-Maddalena (GSA): 2 armour against 1 infantry: it wins 95%"
    assert told == f"{fights}; may still move: XE1 1 infantry"


@pytest.mark.rule("DAA-4.03", "DAA-16.01")
def test_a_way_round_on_which_a_unit_runs_dry_for_nothing_is_no_line_of_the_menu(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    assert words(move("uk-arm-1", "HAB GSA"), seen, board)
    assert words(move("uk-arm-1", "HAB MIN SIW GSA"), seen, board) == ""
    case.submit(move("uk-arm-1", "HAB MIN SIW GSA"))  # and can be ordered all the same


@pytest.mark.rule("DAA-14.02")
def test_what_is_bought_is_told_with_its_price(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england")
    seen, board = view(case.state, "allies"), case.prepared.board
    assert words(orders.BuyUnits({"infantry": 2, "armour": 1}), seen, board) == "buy 2 infantry, 1 armour, 11 IPC"
    assert words(orders.BuyUnits({}), seen, board) == "buy nothing"
    assert words(orders.PlaceUnits({"ALX": {"aa_gun": 1}}), seen, board) == "place 1 flak in Alexandria (ALX)"


def test_prices_stand_behind_the_examples(opening: Opening) -> None:
    case = opening()
    for decision in case.game.waiting():
        whose = {"axis": "Italy: infantry 2, ", "allies": "England: infantry 3, "}[decision.side]
        assert f"  (IPC: {whose}" in NOTATION.hint(decision, case.prepared.board)


@pytest.mark.rule("DAA-17.06")
def test_many_losses_that_differ_in_nothing_but_their_power_are_few_lines(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..6; GSA de-inf-1..5 it-inf-1..5", "england", dice="1 1 1 1 1 6, 6 6 6 6 6 6 6 6 6 6")
    case.attack("uk-arm-1..6", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    lines = menu(case)
    assert len(lines) == 6
    assert "lose 3 Germany's infantry, 2 Italy's infantry" in lines
    assert "lose 5 Germany's infantry" in lines
    case.submit(orders.TakeLosses([f"de-inf-{n}" for n in range(1, 6)]))


@pytest.mark.rule("DAA-16.01", "DAA-R38")
def test_a_combat_move_is_told_once(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england", dice="1 1, 6").to_phase("combat_move")
    case.submit(move("uk-arm-1..2", "HAB GSA"))
    assert digest(case.game.records) == {}, "it is an order until it is made"
    case.submit(orders.EndMoves())
    planned = [each.n for each in case.game.records if isinstance(getattr(each, "event", None), MovePlanned)]
    assert digest(case.game.records) == dict.fromkeys(planned, "")


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
