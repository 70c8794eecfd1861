"""Answers to queries about a position: they cite rules, match the legality of plots, and use no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import plots
from tests.plugins.kampfpanzer.plotting.test_deployment import opened
from tests.plugins.kampfpanzer.positions import FRENCH, GERMANS, installed

from kampfpanzer.fog.views import view
from kampfpanzer.model.state import ON_MAP, KampfState
from sandtable.errors import PlayError
from sandtable.journal.file.reading import read_log
from sandtable.journal.positions import game_at, of_log
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.manifest import Answer

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase
    from transcripts import Transcript

LOG = Path(__file__).parents[5] / "replays/kampfpanzer/british-majority-abbeville.jsonl"


def answered(state: KampfState, text: str, side: str = "umpire") -> Answer:
    """Return the answer to a query of a side."""
    found = installed().answer(view(state, side), state.board, text)
    assert found is not None
    return found


def standing(state: KampfState, side: str) -> list[str]:
    return [each for each, unit in state.units.items() if unit.side == side and unit.standing == ON_MAP]


# --- complete answers ---

OPEN = {"french": "6 0708", "germans": "94 0703"}
WOODS = {"woods": "0404 0405 0702", "woods_sides": "0404/0405"}
PAIR = {"french": "6 0708", "germans": "94 0705; 95 0805"}
STUCK = {"french": "6 0708 D1; 38 1010 A", "germans": "94 0203"}


@pytest.mark.rule(
    "KP-10.0c KP-12.2b KP-5.0b KP-6.0c KP-8.0a KP-8.0b KP-8.2a KP-8.3a KP-9.0e KP-9.11c KP-9.14a KP-9.16d KP-9.16f"
    " KP-9.18a KP-9.37a KP-9.71c KP-9.7a KP-9.7b R-KP-17 R-KP-32"
)
@pytest.mark.parametrize(
    ("position", "texts"),
    [
        pytest.param(position, texts, marks=pytest.mark.rule(*rules.split()), id=name)
        for rules, name, position, texts in (
            ("KP-9.14a KP-9.16d KP-9.16f KP-9.37a", "sight", OPEN | WOODS, ["sees 6 94", "sees 0407 0402",
            "sees 6 0702"]),
            ("R-KP-32", "adjacent", {"french": "6 0708", "germans": "94 0707", "woods": "0708 0707"}, ["sees 6 94"]),
            ("KP-9.0e KP-9.7a KP-9.18a KP-9.11c", "fire", PAIR, ["fires 94 6", "fires 94+95 0708"]),
            ("KP-9.7b", "weak_fire", {"french": "38 0708 A entrenched", "germans": "94 0703"}, ["fires 94 38"]),
            # around the woods, which cost 3
            ("KP-6.0c KP-10.0c", "path", {"french": "6 0708", "germans": "94 0203", "woods": "0205"},
             ["path 94 0206", "path 6 0724"]),
            ("KP-8.0b", "zone", OPEN, ["path 94 0707", "reach 94"]),
            ("KP-8.0a KP-8.2a KP-8.3a", "zones", {"french": "38 0808; 6 0708", "germans": "94 0703"},
             ["zone 38", "zone 6"]),
            ("KP-9.71c KP-12.2b R-KP-17", "no_move", STUCK, ["reach 6", "reach 38"]),
            ("KP-5.0b", "list", OPEN, ["?", "letters", "problems"]),
        )
    ],
)  # fmt: skip
def test_query_answers_cite_rules_and_paths(
    new_case: NewCase, position: dict[str, str], texts: list[str], transcript: Transcript
) -> None:
    state = new_case(**position).state
    found = [(text, answered(state, text)) for text in texts]
    written = [f"> {text}\n{answer.yes} {' '.join(answer.rules)}".rstrip() for text, answer in found]
    transcript("\n".join("\n".join([head, *answer.lines]) for head, (_, answer) in zip(written, found, strict=True)))


@pytest.mark.rule("KP-14.0a")
def test_problems_query_lists_units_that_are_not_set_up() -> None:
    state = opened("abbeville")
    answer = answered(state, "problems", "british")
    assert (answer.lines[0], answer.rules) == ("A10 42: is not set up yet", ("KP-14.0a",))


@pytest.mark.rule("KP-9.14a", "KP-9.15a", "KP-9.16d", "KP-9.16f")
def test_sight_query_lists_the_hexes_that_the_unit_sees(new_case: NewCase) -> None:
    state = new_case(**(OPEN | WOODS)).state
    listed = {each for line in answered(state, "sight 6").lines[1:] for each in line.split(": ")[1].split()}
    near = [each for each in state.board.hexmap.within("0708", 6) if each != "0708"]
    seen = {each for each in near if answered(state, f"sees 6 {each}").yes}
    assert listed & set(near) == seen
    assert 0 < len(seen) < len(near)


# --- answers and legal plots ---


def game_of_the_log() -> tuple[Game, KampfState]:
    """Return the game of the log at its next plots after record 60, and the state."""
    rulesets, log = Rulesets(), read_log(str(LOG))
    at = of_log(log, 60, rulesets).later
    game = game_at(log, at, rulesets)
    assert isinstance(game.state, KampfState)
    return game, game.state


@pytest.mark.full
@pytest.mark.rule("KP-9.13a", "KP-9.13b", "KP-9.4c", "KP-9.71c")
def test_fire_answers_match_legal_plots() -> None:
    """For each unit and enemy of a recorded game, "no" means a refused plot with its rule, or fire that is too weak."""
    game, state = game_of_the_log()
    compared = 0
    for decision in game.waiting():
        for firer in standing(state, decision.side):
            for enemy in standing(state, state.board.enemy_of(decision.side)):
                answer = answered(state, f"fires {firer} {enemy}", decision.side)
                refusal = decision.options.why_not(plots(f"{firer} N {state.units[enemy].hex}/{enemy}"))
                if refusal is not None:
                    assert (answer.yes, answer.rules) == (False, (refusal.rule,))
                    assert refusal.reason.endswith(answer.lines[0])
                else:
                    assert answer.yes or answer.rules[0] == "KP-9.7b"
                compared += 1
    assert compared > 100


@pytest.mark.full
def test_path_answers_are_legal_plots() -> None:
    game, state = game_of_the_log()
    for decision in game.waiting():
        for unit in standing(state, decision.side)[:4]:
            answer = answered(state, f"path {unit} 0911", decision.side)
            if answer.yes and ":" in answer.lines[0]:
                plot = answer.lines[0].split(": ")[1].split(",")[0]
                assert decision.options.why_not(plots(f"{unit} {plot}")) is None


# --- views ---


@pytest.mark.rule("R-KP-23")
def test_hidden_plots_change_no_answer(new_case: NewCase) -> None:
    case = new_case(french="6 0708", germans="94 0703; 95 0803", reveal_plots="lazy")
    for_all = ("sees 6 94", "fires 6 94", "fires 94+95 6", "reach 6", "path 6 0710", "sight 94", "zone 94")
    state = case.state
    state.phase = "panic"
    answers = []
    for hidden in ({"94": "D3"}, {"94": "N 0708/6", "95": "D1"}):
        state.plots = dict(hidden)
        answers.append([answered(state, text, FRENCH) for text in for_all])
    assert answers[0] == answers[1]


@pytest.mark.rule("KP-9.71a", "KP-9.72b", "KP-11.11c")
def test_problems_list_idle_units_and_their_recovery(new_case: NewCase) -> None:
    case = new_case(french="6 0708; 7 0808", germans="94 0703; 95 0803")
    units = case.state.units
    units["94"].disruption, units["95"].pinned, units["6"].disruption, units["7"].panicked = 2, True, 3, True
    mine = answered(case.state, "problems", GERMANS)
    assert [line.split(":")[0] for line in mine.lines] == [
        f"{units[each].kind} {each} in {units[each].hex}" for each in ("94", "95")
    ]
    assert "level 2: no plot until it recovers, on a roll of 1 to 2" in mine.lines[0]
    assert mine.rules == ("KP-9.72b", "KP-9.71a")
    french = answered(case.state, "problems", FRENCH)
    assert "on a roll of 1" in french.lines[0]
    assert "panicked" in french.lines[1]
    assert len(answered(case.state, "problems").lines) == 4


def test_malformed_questions_are_refused(new_case: NewCase) -> None:
    case = new_case(french="6 0708", germans="94 0703")
    assert installed().answer(view(case.state, GERMANS), case.state.board, "94 D5") is None
    for text, why in (
        ("sees 6 9999", "a hex of this map"),
        ("reach 999", "999 is not a unit"),
        ("sees 6", "for example: sees 6"),
        ("fires 94+6 0708", "belong to one side"),
    ):
        with pytest.raises(PlayError, match=why):
            answered(case.state, text)
