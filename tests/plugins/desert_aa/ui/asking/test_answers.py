"""Answers to questions about a position, by the rules for moves and without hidden minefields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.conftest import Lay, installed, ready, set_up

from desert_aa.fog.views import view
from desert_aa.model.orders import MoveUnits
from desert_aa.model.state import DesertState, Minefield, Plan
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from sandtable.errors import PlayError

if TYPE_CHECKING:
    from transcripts import Transcript

    from desert_aa.movement.routes import MoveSpace
    from sandtable.plugin.manifest import Answer


def position(units: str, power: str = "germany", **more: str) -> DesertState:
    """Return western_desert with only these units, at the beginning of a turn of ``power``."""
    prepared = ready("western_desert", **more)
    state = set_up(prepared, units, power)
    state.place_board(prepared.board)
    state.phasing_power, state.phasing_side = power, "allies" if power == "england" else "axis"
    return state


def answered(state: DesertState, text: str, side: str = "axis") -> Answer:
    found = installed().answer(view(state, side), state.board, text)
    assert found is not None
    return found


def said(state: DesertState, text: str, side: str = "axis") -> str:
    return "\n".join(answered(state, text, side).lines)


def front() -> tuple[str, str, str]:
    """Return three adjacent spaces of the coast road, from the west."""
    road = ready("western_desert").board.road
    middle = len(road) // 2
    return road[middle - 1], road[middle], road[middle + 1]


def session(state: DesertState, *texts: str, side: str = "axis") -> str:
    """Return questions with their answers (yes or no, lines, rules) or errors."""
    lines = list[str]()
    for text in texts:
        lines.append(f"> {text}")
        try:
            answer = answered(state, text, side)
        except PlayError as error:
            lines.append(f"  error: {error}")
        else:
            lines += [f"  {line}" for line in answer.lines]
            lines.append(f"  = {answer.yes} {' '.join(answer.rules)}".rstrip())
    return "\n".join(lines)


def lying(state: DesertState) -> DesertState:
    state.units["de-inf-1"].condition, state.units["de-inf-1"].stands_up = "extended", 2
    if "uk-inf-1" in state.units:
        state.units["uk-inf-1"].condition = "cut"
    state.waiting["germany"] = {"armor": 1}
    return state


def ordered(state: DesertState, path: list[str]) -> DesertState:
    state.plans = [Plan(["de-arm-1", "de-arm-2"], path, raid=False)]
    return state


@pytest.mark.rule("DAA-16.02", "DAA-6.02", "DAA-4.03", "DAA-4.09", "DAA-12.04", "DAA-6.03", "DAA-R21", "DAA-17.01")
def test_answers_match_their_transcript(transcript: Transcript) -> None:
    """The questions: paths, reach, cut supply, odds of an ordered attack, problems, and texts without an answer."""
    west, here, east = front()
    ready_to_go = position(f"{here} de-inf-1; {east} uk-inf-1")
    behind = position(f"{east} de-inf-1; {here} uk-inf-1")
    several, tanks = position(f"{here} de-inf-1 de-arm-1; {west} it-inf-1"), f"{here} de-arm-1..2; {east} uk-inf-1"
    mixed = position(f"{here} de-inf-1 uk-inf-1")
    assert installed().answer(view(ready_to_go, "axis"), ready_to_go.board, "move 1 infantry") is None
    paths = f"path de-inf-1 {east}", f"path german infantry {here} {west}", "reach de-inf-1"
    sessions = [
        session(ready_to_go, "?", *paths, "supply nowhere", "supply QAT", "supply GSS", "reach horses TOB"),
        session(lying(position(f"{here} de-inf-1")), f"path de-inf-1 {west}"),
        session(position(f"{east} de-inf-1"), "supply de-inf-1"),
        session(behind, f"supply {east}", f"supply {west}"),
        session(position(tanks), f"odds {east}", "odds de:armor=1 against uk"),
        session(ordered(position(tanks), [here, east]), f"odds {east}"),
        session(several, f"reach {here}", "reach nobody"),
        session(mixed, "problems"),
        session(lying(mixed), "problems"),
    ]
    transcript("\n\n".join(sessions))


@pytest.mark.rule("DAA-8.03")
def test_odds_warn_of_hidden_mines_only_in_spaces_that_may_be_mined(lay: Lay, transcript: Transcript) -> None:
    cases = (lay("HAB uk-arm-1..2; GSA de-inf-1", "england", mines=mines) for mines in ({"GSA": "germany"}, {}))
    states = [case.to_phase("combat_move").state for case in cases]
    transcript("\n\n".join(session(state, "odds uk:arm=2 v GSA", side="allies") for state in states))


@pytest.mark.rule("DAA-16.03", "DAA-18.02", "DAA-4.02")
def test_every_reported_path_is_a_legal_order() -> None:
    """For three kinds of units and every space, an answer is yes exactly if a legal order exists."""
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
            answer = answered(state, f"path {unit} {goal}")
            assert answer.yes is any(goal in found for found in ends.values()), (unit, goal, answer)
            for line in answer.lines[1:] if answer.yes else ():
                name, _, rest = line.partition(": ")
                order = MoveUnits([unit], rest.split(", ")[0].split(" "))
                assert spaces[name].why_not(order) is None


@pytest.mark.rule("DAA-14.04")
def test_worth_equals_the_income_of_the_ground() -> None:
    state = position("TOB de-inf-1")
    board = state.board
    assert f"Germany {board.worth(state.control, 'germany')}" in said(state, "worth")
    assert said(state, "worth england").startswith(f"England {board.worth(state.control, 'england')}: ")


@pytest.mark.rule("DAA-17.01")
def test_odds_match_the_battle_rules() -> None:
    _, here, east = front()
    state = position(f"{here} de-arm-1; {east} uk-inf-1")
    forces = said(state, "odds de:armor=1 v uk:infantry=1")
    there = said(state, f"odds de:armor=1 v {east}")
    assert said(state, "odds de:armour=1 v uk:infantry=1") == forces.replace("de:armor", "de:armour")
    assert "; exact; " in forces
    assert forces.partition(": attacker")[2].splitlines()[0] == there.partition(": attacker")[2].splitlines()[0]
    with pytest.raises(PlayError, match="type, for example, odds"):
        answered(state, "odds de:armor=1 against uk")


@pytest.mark.rule("DAA-8.03", "DAA-R37")
def test_hidden_minefields_change_no_answer() -> None:
    """Two positions that differ only in hidden minefields of the enemy give the same answers."""
    _, here, east = front()
    asked = (f"path de-inf-1 {east}", "reach de-arm-1", f"supply {here}", "worth", f"odds de:armor=1 v {east}")
    answers = []
    for spaces in ((east,), (ready("western_desert").board.mineable[-1],)):
        state = position(f"{here} de-arm-1 de-inf-1; {east} uk-inf-1")
        state.minefields = {space: Minefield("england") for space in spaces}
        answers.append([answered(state, text) for text in asked])
    assert answers[0] == answers[1]
