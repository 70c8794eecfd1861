"""Answers to questions about a campaign."""

import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay
from transcripts import Transcript

from axis_attack.fog.views import view
from axis_attack.forces.force import force_space
from axis_attack.model import orders
from axis_attack.model.cards import SIDES
from axis_attack.model.events import MissionSelected
from axis_attack.model.state import AxisState, Battle, Fielded
from axis_attack.model.strength import teams_available
from axis_attack.ui.asking.answers import answer
from axis_attack.ui.draw import draw
from axis_attack.ui.parsing import read_order
from axis_attack.ui.terms import mission_words
from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision
from sandtable.plugin.manifest import Answer

WON = "german won hold_the_line as attacker 5-2"
TWO = "pg1 pg full; pg2 pg full"


def answered(state: AxisState, text: str, side: str = "german") -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def answers_to(state: AxisState, questions: str, side: str = "german") -> str:
    """Return questions, separated by "|", with their answers (yes or no, rules, lines) or refusals."""
    text = []
    for question in questions.split("|"):
        try:
            found = answered(state, question, side)
        except PlayError as refused:
            text.append(f"> {question}\n! {refused}\n")
            continue
        sign = {True: "yes ", False: "no ", None: ""}[found.yes]
        text.append("\n".join([f"> {question}", f"{sign}[{', '.join(found.rules)}]", *found.lines, ""]))
    return "\n".join(text)


def unbuilt(state: AxisState) -> None:
    state.rosters = {side: {} for side in SIDES}


def bound(state: AxisState) -> None:
    state.bound = "german"


def shown(state: AxisState) -> None:
    state.shown = {side: list(roster) for side, roster in state.rosters.items()}


def fought(state: AxisState) -> None:
    shown(state)
    state.track.append(
        Battle(state.turn, state.sector, "encounter", "", "", "german", {"german": 5, "soviet": 2}, "advance")
    )


def row(name: str, rules: str, questions: str, at: str = "forces", **position: Any) -> Any:
    marks = pytest.mark.rule(*rules.split()) if rules else ()
    return pytest.param(questions, {"at": at, **position}, id=name, marks=marks)


TIRED = "pg1 pg gutted; pg2 pg full; panzer panzer depleted"
WORN = {"german": "pg1 pg full; pg2 pg gutted; hmg hmg depleted"}
FORCES = {"german": f"{TWO}; panzer panzer full; hmg hmg gutted"}
ROOM: dict[str, Any] = {"german": f"{TWO}; panzer panzer full", "balance": (3, 0)}


@pytest.mark.rule(
    "AOA-1.10 AOA-10.09 AOA-11.06 AOA-11.09 AOA-11.12 AOA-12.01 AOA-12.03 AOA-12.04 AOA-3.02 AOA-3.03 AOA-3.05"
    " AOA-3.07 AOA-3.17 AOA-5.17 AOA-7.05 AOA-7.07 AOA-7.09 AOA-8.01 AOA-R14"
)
@pytest.mark.parametrize(
    ("questions", "position"),
    [
        row("what_can_be_asked", "", "?|outcomes picnic"),
        row("worn", "AOA-3.05 AOA-10.09 AOA-3.07", "level pg1|level pg2|problems|level s1", **WORN),
        row("worn_and_bound", "AOA-7.05 AOA-3.05", "problems", tweak=bound, **WORN),
        row("whole", "AOA-11.06", "problems|dice", german=TWO),
        row("breakthrough", "AOA-7.07 AOA-7.09", "outcomes", mission="breakthrough"),
        row("at_home", "AOA-12.01", "outcomes", mission="encounter", sector=7),
        row("all_missions", "AOA-7.07", "outcomes hold|outcomes hold_the_line|outcomes all"),
        row("stalemate", "AOA-12.04", "front", sector=4),
        row("minor_victory", "AOA-12.03", "front", sector=6),
        row("mission_chosen", "AOA-8.01", "missions", mission="encounter"),
        row("force", "AOA-3.02 AOA-3.07 AOA-3.17", "force|force pg1; pg2 5|force pg1|force pg1; tiger 3", **FORCES),
        row("force_unread", "AOA-3.03", "force pg1; extra", **FORCES),
        row("force_too_dear", "AOA-3.02", "force pg1; pg2; panzer; hmg", changes={"limit": 500}),
        row("force_with_room", "AOA-3.02", "force|force pg1; pg2", **ROOM),
        row("force_with_help", "", "force pg1; pg2", german=TWO, balance=(3, 0), changes={"limit": 400}),
        row("company", "AOA-1.10 AOA-3.02", "force|force start; drop cars; new howitzers 3", tweak=unbuilt),
        row("odds_of_the_unseen", "AOA-R14", "odds"),
        row("odds", "AOA-5.17 AOA-R14", "odds", at="battle", points=(1500, 1300), tweak=shown),
        row("odds_of_a_game_that_is_over", "AOA-3.17", "odds", at="battle", points=(1500, 1300), tweak=fought),
        row("dice", "AOA-11.06 AOA-11.09 AOA-11.12", "dice", german=TIRED),
        row("dice_of_one", "AOA-11.06", "dice", german="pg1 pg gutted; pg2 pg full"),
    ],
)  # fmt: skip
def test_answers_match_their_transcript(
    lay: Lay, transcript: Transcript, questions: str, position: dict[str, Any]
) -> None:
    transcript(answers_to(lay(**position).state, questions))


def test_umpire_must_name_a_side(lay: Lay) -> None:
    assert "ask as one of the sides" in answered(lay("forces").state, "force", "umpire").lines[0]


@pytest.mark.rule("AOA-3.05", "AOA-3.17", "AOA-10.09")
def test_answers_agree_with_the_rules(lay: Lay) -> None:
    state = lay("forces", **WORN).state
    for name in ("pg1", "hmg"):
        assert f"up to {teams_available(state, 'german', name)} teams" in answers_to(state, f"level {name}|problems")
    state = lay("forces", **FORCES).state
    space = force_space(state, "german")
    points = space.points(orders.ChooseForce([Fielded("pg1", 7), Fielded("pg2", 5)]))
    assert answered(state, "force pg1; pg2 5").lines[0].startswith(f"{points} of {space.pool.limit} points, ")


@pytest.mark.rule("AOA-8.01", "AOA-8.07")
def test_mission_probabilities_equal_their_frequency_over_all_rolls(lay: Lay, transcript: Transcript) -> None:
    before: list[Answer] = []
    found: dict[str, int] = {}
    for german, soviet in product(range(1, 7), repeat=2):
        dice = {"selection:german": str(german), "selection:soviet": str(soviet)}
        asks = (lambda _: None) if before else (lambda state: before.append(answered(state, "missions")))
        case = lay("selection", last=WON, dice=dice, tweak=asks).play(until=orders.PlaceTable)
        mission = case.one(MissionSelected).mission
        found[mission] = found.get(mission, 0) + 1
        board = case.state.board
    for mission, number in found.items():
        line = f"{mission_words(mission, board)} {Fraction(number, 36)} ("
        assert any(each.startswith(line) for each in before[0].lines), line
    transcript("\n".join(before[0].lines))


def test_hidden_platoon_of_the_enemy_changes_no_answer(lay: Lay) -> None:
    questions = "outcomes|front|missions|level pg1|?|level s1"
    soviets = [f"t1 tankovy full; s1 strelkovy {level}" for level in ("full", "gutted")]
    first, second = (answers_to(lay("forces", soviet=soviet).state, questions) for soviet in soviets)
    assert first == second
    assert "not a platoon that you know" in first


@pytest.mark.rule("AOA-3.01", "AOA-3.12")
@pytest.mark.parametrize(("side", "other"), [SIDES, SIDES[::-1]])
def test_example_of_a_force_names_platoons_of_the_side(lay: Lay, side: str, other: str) -> None:
    state = lay("forces", mission="breakthrough", attacker=side).state
    hint = str(read_order(Decision(side, "?", force_space(state, side), "AOA-3.01"), "?", state.board))
    named = set(re.findall(r"[a-z0-9_]+", hint))
    assert named & set(state.rosters[side])
    assert not named & set(state.rosters[other])


def test_drawing_shows_one_platoon_or_one_type(lay: Lay, transcript: Transcript) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg gutted").state
    seen = view(state, "german")
    transcript("\n".join(f"> {name}\n{draw(seen, state.board, 'text', name)}" for name in ("pg2", "howitzers")))
    with pytest.raises(PlayError, match="is neither a platoon that you know"):
        draw(seen, state.board, "text", "elephants")
