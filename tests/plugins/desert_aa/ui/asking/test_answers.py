"""Answers to questions about a position: judged as move orders are, without hidden minefields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.conftest import Lay, installed, ready, set_up

from desert_aa.fog.views import view
from desert_aa.model.orders import MoveUnits
from desert_aa.model.state import DesertState, Minefield, Plan
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from desert_aa.ui.asking.answers import answer
from sandtable.errors import PlayError

if TYPE_CHECKING:
    from desert_aa.movement.routes import MoveSpace
    from sandtable.plugin.manifest import Answer


def position(units: str, power: str = "germany", **more: str) -> DesertState:
    """Return western_desert with these units alone, as the turn of ``power`` begins."""
    prepared = ready("western_desert", **more)
    state = set_up(prepared, units, power)
    state.place_board(prepared.board)
    state.phasing_power, state.phasing_side = power, "allies" if power == "england" else "axis"
    return state


def told(state: DesertState, text: str, side: str = "axis") -> Answer:
    found = installed().answer(view(state, side), state.board, text)
    assert found is not None
    return found


def said(state: DesertState, text: str, side: str = "axis") -> str:
    return "\n".join(told(state, text, side).lines)


def front() -> tuple[str, str, str]:
    """Return three spaces of the coast road in a row, from the west."""
    road = ready("western_desert").board.road
    middle = len(road) // 2
    return road[middle - 1], road[middle], road[middle + 1]


@pytest.mark.rule("DAA-16.02", "DAA-6.02", "DAA-4.03")
def test_a_way_is_told_with_what_it_costs() -> None:
    west, here, east = front()
    state = position(f"{here} de-inf-1; {east} uk-inf-1")
    assert f"combat move: {here} {east}, 1 space; no penalty" in said(state, f"path de-inf-1 {east}")
    assert f"non-combat move: {here} {west}, 1 space" in said(state, f"path german infantry {here} {west}")
    reach = said(state, "reach de-inf-1")
    assert "the last space free on the road" in reach
    assert "out of fuel after it" in reach


@pytest.mark.rule("DAA-16.03", "DAA-18.02", "DAA-4.02")
def test_every_way_that_is_told_is_a_legal_order() -> None:
    """For three kinds of unit and every space: yes goes with an order that is taken, no with none that is."""
    _, here, east = front()
    state = position(f"{here} de-arm-1 de-inf-1 de-ftr-1; {east} uk-inf-1")
    spaces: dict[str, MoveSpace] = {
        "combat move": CombatMoves.on(Ground(state)),
        "non-combat move": NonCombatMoves.on(Ground(state)),
    }
    for unit in ("de-arm-1", "de-inf-1", "de-ftr-1"):
        ends = {name: {*space.destinations(unit)} - {here} for name, space in spaces.items()}
        for goal in state.board.spaces:
            if goal == here:
                continue
            answer = told(state, f"path {unit} {goal}")
            assert answer.yes is any(goal in found for found in ends.values()), (unit, goal, answer)
            for line in answer.lines[1:] if answer.yes else ():
                name, _, rest = line.partition(": ")
                order = MoveUnits([unit], rest.split(", ")[0].split(" "))
                assert spaces[name].why_not(order) is None


@pytest.mark.rule("DAA-4.09", "DAA-12.04")
def test_who_lies_does_not_go() -> None:
    west, here, _ = front()
    state = position(f"{here} de-inf-1")
    state.units["de-inf-1"].condition = "extended"
    answer = told(state, f"path de-inf-1 {west}")
    assert (answer.yes, answer.rules) == (False, ("DAA-4.09",))


@pytest.mark.rule("DAA-6.03", "DAA-R21")
def test_an_enemy_on_the_road_behind_cuts_supply() -> None:
    west, here, east = front()
    assert told(position(f"{east} de-inf-1"), "supply de-inf-1").yes
    state = position(f"{east} de-inf-1; {here} uk-inf-1")
    answer = told(state, f"supply {east}")
    assert answer.yes is False
    assert f"the Allies on the road behind it, in {here}" in answer.lines[0]
    assert told(state, f"supply {west}").yes


@pytest.mark.rule("DAA-14.04")
def test_worth_is_what_the_ground_pays() -> None:
    state = position("TOB de-inf-1")
    board = state.board
    assert f"Germany {board.worth(state.control, 'germany')}" in said(state, "worth")
    assert said(state, "worth england").startswith(f"England {board.worth(state.control, 'england')}: ")


@pytest.mark.rule("DAA-17.01")
def test_odds_are_those_of_the_battle_machinery() -> None:
    _, here, east = front()
    state = position(f"{here} de-arm-1; {east} uk-inf-1")
    forces = said(state, "odds de:armour=1 v uk:infantry=1")
    there = said(state, f"odds de:armour=1 v {east}")
    assert "; exact; " in forces
    assert forces.partition(": attacker")[2].splitlines()[0] == there.partition(": attacker")[2].splitlines()[0]
    with pytest.raises(PlayError, match="ask so: odds"):
        told(state, "odds de:armour=1 against uk")


@pytest.mark.rule("DAA-8.03", "DAA-R37")
def test_hidden_minefields_change_no_answer() -> None:
    """Two worlds that differ in where the enemy's minefields lie are one to who cannot see them."""
    _, here, east = front()
    asked = (f"path de-inf-1 {east}", "reach de-arm-1", f"supply {here}", "worth", f"odds de:armour=1 v {east}")
    answers = []
    for spaces in ((east,), (ready("western_desert").board.mineable[-1],)):
        state = position(f"{here} de-arm-1 de-inf-1; {east} uk-inf-1")
        state.minefields = {space: Minefield("england") for space in spaces}
        answers.append([told(state, text) for text in asked])
    assert answers[0] == answers[1]


def test_what_can_be_asked_and_what_is_not_there() -> None:
    _, here, east = front()
    state = position(f"{here} de-inf-1; {east} uk-inf-1")
    lines = told(state, "?").lines
    assert [line.split(" ")[0] for line in lines] == ["path", "reach", "supply", "odds", "problems", "worth"]
    assert f"path germany infantry {here} " in lines[0]
    assert installed().answer(view(state, "axis"), state.board, "move 1 infantry") is None
    with pytest.raises(PlayError, match="no space"):
        told(state, "supply nowhere")
    with pytest.raises(PlayError, match="begins with no unit and no kind"):
        told(state, "reach horses TOB")


@pytest.mark.rule("DAA-17.01")
def test_the_odds_of_an_attack_that_is_ordered_are_asked_by_its_space() -> None:
    _, here, east = front()
    state = position(f"{here} de-arm-1..2; {east} uk-inf-1")
    with pytest.raises(PlayError, match="nobody is ordered to attack there"):
        told(state, f"odds {east}")
    state.plans = [Plan(["de-arm-1", "de-arm-2"], [here, east], raid=False)]
    assert said(state, f"odds {east}").startswith("de:arm=2 against uk:inf=1: attacker ")


@pytest.mark.rule("DAA-16.02")
def test_reach_of_a_space_is_that_of_all_who_stand_there() -> None:
    west, here, _ = front()
    state = position(f"{here} de-inf-1 de-arm-1; {west} it-inf-1")
    lines = told(state, f"reach {here}").lines
    assert [line.split(" ")[0] for line in lines if " moves " in line] == ["infantry", "armour"]
    with pytest.raises(PlayError, match=f"type for example germany armour {here}, or de-arm-1"):
        told(state, "reach nobody")


@pytest.mark.rule("DAA-4.09", "DAA-6.03")
def test_problems_are_who_lies_and_what_waits() -> None:
    _, here, _ = front()
    state = position(f"{here} de-inf-1 uk-inf-1")
    assert said(state, "problems") == "nothing is amiss"
    state.units["de-inf-1"].condition, state.units["de-inf-1"].stands_up = "extended", 2
    state.units["uk-inf-1"].condition = "cut"
    state.waiting["germany"] = {"armour": 1}
    assert told(state, "problems").lines == (
        "de-inf-1: out of fuel, lies until round 2",
        "Germany: 1 armour to be placed",
    )


@pytest.mark.rule("DAA-8.03")
def test_odds_warn_of_hidden_mines_only_where_some_may_lie(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england", mines={"GSA": "germany"}).to_phase("combat_move")
    board = case.prepared.board
    warned = answer(view(case.state, "allies"), board, "odds uk:arm=2 v GSA")
    assert warned is not None
    assert "a minefield, of which you may not know, is left out" in warned.lines
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    plain = answer(view(case.state, "allies"), board, "odds uk:arm=2 v GSA")
    assert plain is not None
    assert not any("minefield" in line for line in plain.lines)
