"""What a player who sat down at the terminal fell over, each as it is told to him now."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from rich.console import Console as Screen
from tests.plugins.axis_attack.seen import begun

from axis_attack.fog.views import view
from axis_attack.forces.company import company_space, starting_force
from axis_attack.forces.force import force_space
from axis_attack.model.orders import AdjustTotal, BuildCompany, ChooseForce, PlaceTable
from axis_attack.model.state import AxisState, Battle
from axis_attack.recovery.exchange import exchange_space
from axis_attack.recovery.reinforcement import dice_space
from axis_attack.ui.asking.answers import answer
from axis_attack.ui.asking.doubts import read_order
from axis_attack.ui.asking.menus import words
from axis_attack.ui.draw import draw
from sandtable.errors import IllegalOrder, PlayError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Space
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import CLEAR, LeftTheTable

Lay = Callable[..., Any]


def read(state: AxisState, space: Space, text: str, done: Order | None = None) -> Any:
    return read_order(Decision("german", "?", space, "AOA-3.01", done=done), text, state.board)


def told(state: AxisState, text: str, side: str = "german") -> str:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return "\n".join(found.lines)


def forces(lay: Lay, **position: Any) -> tuple[AxisState, Any]:
    state = lay("forces", **position).state
    return state, force_space(state, "german")


# --- what cannot be taken back is asked back ---


@pytest.mark.rule("AOA-3.02")
def test_a_force_with_room_for_another_platoon_is_asked_back_once(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full; panzer panzer full")
    doubt = read(state, space, "pg1; pg2")
    assert "points are left, enough for panzer" in doubt
    assert doubt.endswith("or the same with ; as said at its end")
    order = read(state, space, "pg1; pg2; As Said")
    assert isinstance(order, ChooseForce)
    assert space.is_legal(order)


@pytest.mark.rule("AOA-3.02")
def test_who_has_nothing_to_add_is_not_asked_back(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full")
    assert isinstance(read(state, space, "pg1; pg2"), ChooseForce)


@pytest.mark.rule("AOA-3.03", "AOA-3.04")
def test_a_victory_point_that_raises_a_limit_nobody_reaches_is_asked_back(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full", balance=(3, 0))
    assert "without any extra" in read(state, space, "pg1; pg2; extra 1")
    assert read(state, space, "pg1; pg2; extra 1; as said").extra == 1


@pytest.mark.rule("AOA-1.01")
def test_a_company_with_points_to_spare_is_asked_back(lay: Lay) -> None:
    state = lay("forces").state
    space = company_space(state, "german")
    start = starting_force(space.company)
    doubt = read(state, space, "start; drop cars", start)
    assert "nothing is bought for them later" in doubt
    assert isinstance(read(state, space, "start; drop cars; as said", start), BuildCompany)


# --- what was refused without a way out ---


def test_a_platoon_that_nobody_has_is_told_with_those_there_are(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full")
    with pytest.raises(IllegalOrder, match="tiger is no platoon of yours: choose pg1 or pg2"):
        read(state, space, "tiger")


def test_what_can_be_bought_is_told_with_its_price(lay: Lay) -> None:
    state, space = forces(lay, balance=(3, 0))
    with pytest.raises(IllegalOrder, match=r"buy counterbattery \(three victory points\).*you have three victory"):
        read(state, space, "pg1; pg2; buy")
    assert "buy counterbattery: 3" in told(state, "force")


@pytest.mark.rule("AOA-9.22")
def test_what_is_bought_for_platoons_wants_their_names(lay: Lay) -> None:
    state, space = forces(lay, mission="hold_the_line", attacker="soviet", balance=(9, 9))
    with pytest.raises(IllegalOrder, match="name the platoons: buy preregistered "):
        read(state, space, "pg1; pg2; buy preregistered")


def test_to_drop_before_start_tells_how_to_begin(lay: Lay) -> None:
    state = lay("forces").state
    with pytest.raises(IllegalOrder, match="write start; drop howitzers"):
        read(state, company_space(state, "german"), "drop howitzers", None)


@pytest.mark.rule("AOA-11.05", "AOA-11.08", "AOA-11.18")
def test_dice_that_cannot_be_given_so_are_told_why(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg depleted; pg2 pg gutted; hmg hmg full", balance=(2, 0)).state
    space = dice_space(state, "german", ["pg2"])
    assert space is not None
    with pytest.raises(IllegalOrder, match="pg2 is raised automatically this turn"):
        read(state, space, "pg2 2; pg1 1")
    with pytest.raises(IllegalOrder, match="hmg is at the level bought"):
        read(state, space, "hmg 3")
    (refused,) = space.all_wrong(read(state, space, "pg1 5"))
    assert refused.reason.endswith("it must be exactly 3; more are bought, a victory point each: buy NUMBER")


@pytest.mark.rule("AOA-11.24")
def test_an_exchange_without_a_number_takes_as_many_teams_as_the_old_platoon_is_worth(lay: Lay) -> None:
    state = lay("forces", balance=(5, 0), german="pg1 pg full; pg2 pg full; panzer panzer full").state
    space = exchange_space(state, "german")
    assert space is not None
    sizes = [teams for name, teams, _ in space.offers("panzer") if name == "pak40"]
    assert len(sizes) > 1
    assert read(state, space, "panzer for pak40").wanted.teams == max(sizes)
    assert read(state, space, f"panzer for pak40 {min(sizes)}").wanted.teams == min(sizes)


# --- what was told wrong, or not at all ---


def _fought(state: AxisState) -> None:
    state.shown = {side: list(roster) for side, roster in state.rosters.items()}
    fought = Battle(state.turn, state.sector, "encounter", "", "", "german", {"german": 5, "soviet": 2}, "advance")
    state.track.append(fought)


@pytest.mark.rule("AOA-3.17")
def test_the_odds_of_a_game_that_is_over_are_told_to_nobody(lay: Lay) -> None:
    state = lay("battle", points=(1500, 1300), tweak=_fought).state
    assert told(state, "odds").startswith("the game is over")


@pytest.mark.rule("AOA-8.07")
def test_the_rows_of_missions_are_told_with_their_chances(lay: Lay) -> None:
    found: list[str] = []

    def ask(state: AxisState) -> None:
        found.append(told(state, "missions"))

    lay("selection", last="german won hold_the_line as attacker 5-2", tweak=ask).play(until=PlaceTable)
    assert "10 or more Breakthrough, 8 or 9 Encounter, 7 " in found[0]


def test_a_mission_may_be_cut_short_and_all_are_told_at_once(lay: Lay) -> None:
    state = lay("forces").state
    assert told(state, "outcomes hold") == told(state, "outcomes hold_the_line")
    assert told(state, "outcomes all").count(" in sector ") >= 6


@pytest.mark.rule("AOA-11.06")
def test_dice_are_told_for_as_many_as_a_turn_has(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg gutted; pg2 pg full").state
    assert "3 or more, by dice: 1 67 %, 2 89 %, 3 96 %, 4 99 %" in told(state, "dice")


@pytest.mark.rule("AOA-1.10", "AOA-3.02")
def test_a_company_is_added_up_before_it_is_built(lay: Lay) -> None:
    state = lay("forces").state
    state.rosters = {"german": {}, "soviet": {}}
    lines = told(state, "force start; drop cars; new howitzers 3")
    assert " are left" in lines
    assert "new, bought with 3, is never above" in lines


def test_what_points_are_left_for_is_told_and_what_would_help(lay: Lay) -> None:
    state, _ = forces(lay, german="pg1 pg full; pg2 pg full; panzer panzer full", balance=(3, 0))
    assert "are left, enough for panzer" in told(state, "force pg1; pg2")
    tight, _ = forces(lay, german="pg1 pg full; pg2 pg full", changes={"limit": 400}, balance=(3, 0))
    assert "would do" in told(tight, "force pg1; pg2")


def test_more_is_told_of_one_platoon_and_of_a_type_of_ones_list(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg gutted").state
    seen = view(state, "german")
    assert "pg2" in str(draw(seen, state.board, "text", "pg2"))
    assert "pg1 (" not in str(draw(seen, state.board, "text", "pg2"))
    assert "teams (points)" in str(draw(seen, state.board, "text", "howitzers"))
    with pytest.raises(PlayError, match="is no platoon that you know"):
        draw(seen, state.board, "text", "elephants")


@pytest.mark.rule("AOA-8.10")
def test_who_may_change_a_total_reads_in_the_menu_what_totals_mean(lay: Lay) -> None:
    state = lay("forces").state
    state.phase = "selection"
    assert "7 " in str(words(AdjustTotal(), view(state, "german"), state.board))


def _next(lines: list[str | None], _prompt: str) -> str | None:
    return lines.pop(0)


def test_a_curtain_falls_before_the_first_question_of_two_who_come_back() -> None:
    prepared, game, _ = begun("eastern_front")
    shown = []
    for lines in (["start", "quit"], ["quit"]):
        out, typed = io.StringIO(), [*lines, None]
        console = Console(prepared, partial(_next, typed), Screen(file=out, force_terminal=True))
        people = {side: ConsolePlayer(console, side) for side in ("german", "soviet")}
        console.hotseat.sit_again(game)
        with contextlib.suppress(LeftTheTable):
            play_with_people(game, people, console)
        shown.append(out.getvalue())
    assert "set-up" in shown[0].partition(CLEAR)[0]
    assert shown[1].startswith(CLEAR)
    assert "set-up" not in shown[1]
