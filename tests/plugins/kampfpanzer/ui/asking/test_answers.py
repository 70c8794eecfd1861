"""What the rules say to a question about a position: with witness, as plots are judged, and nothing that is hidden."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import Case, plots
from tests.plugins.kampfpanzer.positions import FRENCH, GERMANS, installed

from kampfpanzer.fog.views import view
from kampfpanzer.model.state import ON_MAP, KampfState
from sandtable.errors import PlayError
from sandtable.journal.file.log import read_log
from sandtable.journal.positions import game_at, next_question
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.manifest import Answer

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

LOG = Path(__file__).parents[5] / "replays/kampfpanzer/british-majority-abbeville.jsonl"


def told(state: KampfState, text: str, side: str = "umpire") -> Answer:
    """Return the answer to a question of a side."""
    found = installed().answer(view(state, side), state.board, text)
    assert found is not None
    return found


def said(case: Case, text: str) -> tuple[bool | None, str]:
    answer = told(case.state, text)
    return answer.yes, "\n".join(answer.lines)


def standing(state: KampfState, side: str) -> list[str]:
    return [each for each, unit in state.units.items() if unit.side == side and unit.standing == ON_MAP]


# --- sight ---


@pytest.mark.rule("KP-9.14a", "KP-9.16d", "KP-9.16f", "KP-9.37a")
def test_sight_is_told_with_what_is_in_the_way(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0703", woods="0404 0405 0702", woods_sides="0404/0405")
    open_line = "0703 is 5 hexes from 0708, and in sight: the line passes 0707 0706 0705 0704"
    assert said(case, "sees 6 94") == (True, open_line)
    yes, why = said(case, "sees 0407 0402")
    assert not yes
    assert "the woods hexside 0404/0405 is in the way" in why
    assert told(case.state, "sees 6 0702").rules == ("KP-9.16f",)
    assert "high explosive may be aimed there" in said(case, "sees 6 0702")[1]


@pytest.mark.rule("R-KP-32")
def test_adjacent_hexes_see_each_other(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0707", woods="0708 0707")
    assert "R-KP-32" in told(case.state, "sees 6 94").rules


# --- fire ---


@pytest.mark.rule("KP-9.0e", "KP-9.7a", "KP-9.18a")
def test_fire_is_told_as_a_sum_and_exact_chances(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0705")
    yes, lines = said(case, "fires 94 6")
    assert yes
    attack = case.state.board.kind_of("94").attack, case.state.board.kind_of("6").defence
    assert f"superiority {attack[0]} - {attack[1]} = {attack[0] - attack[1]}, column" in lines
    assert lines.startswith("N 0708/6: ")


@pytest.mark.rule("KP-9.7b")
def test_fire_that_is_too_weak_is_none(lay: Lay) -> None:
    case = lay(french="38 0708 A entrenched", germans="94 0703")
    answer = told(case.state, "fires 94 38")
    assert answer.yes is False
    assert answer.rules[0] == "KP-9.7b"


@pytest.mark.rule("KP-9.11c")
def test_fire_together_adds_up(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0705; 95 0805")
    both = said(case, "fires 94+95 0708")[1]
    points = case.state.board.kind_of("94").attack
    assert f"superiority {points} + {points} - " in both
    with pytest.raises(PlayError, match="of one side"):
        said(case, "fires 94+6 0708")


def game_of_the_log() -> tuple[Game, KampfState]:
    """Return the game of the log at its next plots after record 60, and the state."""
    rulesets, log = Rulesets(), read_log(str(LOG))
    at = next_question(log, 60, rulesets)
    game = game_at(log, at, rulesets)
    assert isinstance(game.state, KampfState)
    return game, game.state


@pytest.mark.full
@pytest.mark.rule("KP-9.13a", "KP-9.13b", "KP-9.4c", "KP-9.71c")
def test_what_is_said_of_fire_is_what_the_sheet_takes() -> None:
    """In a recorded game, each unit at each enemy: no is said of what is refused, by its rule, and of weak fire."""
    game, state = game_of_the_log()
    compared = 0
    for decision in game.waiting():
        for firer in standing(state, decision.side):
            for enemy in standing(state, state.board.enemy_of(decision.side)):
                answer = told(state, f"fires {firer} {enemy}", decision.side)
                refusal = decision.options.why_not(plots(f"{firer} N {state.units[enemy].hex}/{enemy}"))
                if refusal is not None:
                    assert (answer.yes, answer.rules) == (False, (refusal.rule,))
                    assert refusal.reason.endswith(answer.lines[0])
                else:
                    assert answer.yes or answer.rules[0] == "KP-9.7b"
                compared += 1
    assert compared > 100


# --- ways ---


@pytest.mark.rule("KP-6.0c", "KP-10.0c")
def test_a_way_is_told_as_a_plot_with_its_price(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0203", woods="0205")
    yes, lines = said(case, "path 94 0206")
    assert yes
    assert lines.startswith("PzII 94: E1 D2 C1, 4 of 15 points\n0104 1 (clear), ")  # round the woods, which cost 3
    far = told(case.state, "path 6 0724")
    assert far.yes is False
    assert far.rules == ("KP-6.0c",)


@pytest.mark.rule("KP-8.0b")
def test_who_enters_a_zone_stops_there(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0703")
    lines = said(case, "path 94 0707")[1]
    assert "0707 is in the zone of R35 6: it stops there" in lines
    reach = said(case, "reach 94")[1]
    assert "0707*" in reach
    assert "0708" not in reach.split("where he stands")[1]


@pytest.mark.full
def test_every_way_that_is_told_may_be_plotted() -> None:
    game, state = game_of_the_log()
    for decision in game.waiting():
        for unit in standing(state, decision.side)[:4]:
            answer = told(state, f"path {unit} 0911", decision.side)
            if answer.yes and ":" in answer.lines[0]:
                plot = answer.lines[0].split(": ")[1].split(",")[0]
                assert decision.options.why_not(plots(f"{unit} {plot}")) is None


@pytest.mark.rule("KP-9.71c", "KP-12.2b", "R-KP-17")
def test_who_cannot_move_is_told_why(lay: Lay) -> None:
    case = lay(french="6 0708 D1; 38 1010 A", germans="94 0203")
    assert told(case.state, "reach 6").rules == ("KP-9.71c",)
    assert told(case.state, "reach 38").rules == ("R-KP-17",)


# --- who asks ---


@pytest.mark.rule("R-KP-23")
def test_hidden_plots_change_no_answer(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0703; 95 0803", reveal_plots="lazy")
    for_all = ("sees 6 94", "fires 6 94", "fires 94+95 6", "reach 6", "path 6 0710")
    state = case.state
    state.phase = "panic"
    answers = []
    for hidden in ({"94": "D3"}, {"94": "N 0708/6", "95": "D1"}):
        state.plots = dict(hidden)
        answers.append([told(state, text, FRENCH) for text in for_all])
    assert answers[0] == answers[1]


@pytest.mark.rule("KP-9.71a", "KP-9.72b", "KP-11.11c")
def test_problems_are_who_can_do_nothing_and_who_recovers_how(lay: Lay) -> None:
    case = lay(french="6 0708; 7 0808", germans="94 0703; 95 0803")
    assert said(case, "problems") == (None, "nothing is amiss")
    units = case.state.units
    units["94"].disruption, units["95"].pinned, units["6"].disruption, units["7"].panicked = 2, True, 3, True
    mine = told(case.state, "problems", GERMANS)
    assert [line.split(":")[0] for line in mine.lines] == [
        f"{units[each].kind} {each} in {units[each].hex}" for each in ("94", "95")
    ]
    assert "level 2: no plot; it recovers on 1 to 2" in mine.lines[0]
    assert mine.rules == ("KP-9.72b", "KP-9.71a")
    french = told(case.state, "problems", FRENCH)
    assert "recovers on a 1" in french.lines[0]
    assert "panicked" in french.lines[1]
    assert len(told(case.state, "problems").lines) == 4


def test_what_can_be_asked_is_listed_and_what_is_not_there_is_refused(lay: Lay) -> None:
    case = lay(french="6 0708", germans="94 0703")
    names = [line.split(" ")[0] for line in told(case.state, "?").lines]
    assert names == ["letters", "sees", "fires", "reach", "path", "problems"]
    assert installed().answer(view(case.state, GERMANS), case.state.board, "94 D5") is None
    for text, why in (
        ("sees 6 9999", "no hex of this map"),
        ("reach 999", "999 is no unit"),
        ("sees 6", "ask so: sees 6"),
    ):
        with pytest.raises(PlayError, match=why):
            said(case, text)
