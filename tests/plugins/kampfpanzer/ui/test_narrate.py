"""The game in sentences: every event has one, and those that people read most read well."""

import re
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import kampfpanzer
from kampfpanzer.model import events, orders
from kampfpanzer.model.board import Board
from kampfpanzer.model.events import STOPS
from kampfpanzer.plotting.situation import points
from kampfpanzer.ui.narrate import sentence
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import Event, GameEnded, PhaseEnded
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, RulingRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Installed
from sandtable.viewer.narrate import narrate

UNITS = ["94", "105"]
SAMPLES: dict[str, Any] = {
    "side": "germans",
    "unit": "94",
    "by": "6",
    "target": "6",
    "firer": "115",
    "vehicle": "146",
    "targets": ["6", "7"],
    "defenders": ["6", "7"],
    "losers": ["6"],
    "passengers": ["112"],
    "hex": "0706",
    "start": "0705",
    "hexes": ["0706", "0806"],
    "entrenchments": ["0706"],
    "digits": ["3", "9"],
    "strengths": [2, 1],
    "facing": "D",
    "direction": "C",
    "pattern": "L",
    "plot": "D5",
    "result": "D1",
    "cover": "woods",
    "column": "moving",
    "why": "zone",
    "operation": "embark",
}
MAPS: dict[str, dict[str, Any]] = {
    "hexes": {"94": "0706", "105": "0706", "112": "0806"},
    "facings": {"115": "D"},
    "aboard": {"112": "146"},
    "plots": {"94": "D5", "105": "N 0706/6"},
    "disruption": {"94": 2, "105": 1},
    "edges": {"94": "0101"},
    "sides": {"0706": "germans"},
}
SILENT = {events.TurnCleared, events.ImpactsLifted}


@pytest.fixture(scope="module")
def board() -> Board:
    found: Board = Installed("kampfpanzer", kampfpanzer, "test").prepare("flavion").board
    return found


def sample(event_type: type[Event]) -> Event:
    """Build an event from its annotations: every field filled."""
    fields: dict[str, Any] = {}
    for name, kind in get_type_hints(event_type).items():
        if name.startswith("_") or name == "calculations":
            continue
        if name == "rule":
            fields[name] = "KP-0.0"
        elif get_origin(kind) is dict:
            fields[name] = MAPS[name]
        elif name in SAMPLES:
            fields[name] = SAMPLES[name]
        elif get_origin(kind) is list:
            assert get_args(kind) == (str,)
            fields[name] = UNITS
        else:
            fields[name] = {int: 2, bool: True}[kind]
    return event_type(**fields)


def told(event: Event, board: Board) -> str | None:
    return sentence(EventRecord(1, event), board)


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_every_event_has_a_sentence_in_words(event_type: type[Event], board: Board) -> None:
    text = told(sample(event_type), board)
    if event_type in SILENT:
        assert text == ""
        return
    assert text
    assert not text[0].islower()
    assert text.endswith(".")
    assert "\n" not in text
    assert not re.search(r"_|\bgermans\b|\{|None", text), text
    assert not re.search(r"(?<!PzII )\b94\b", text), text


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_an_event_with_nothing_in_it_breaks_nothing(event_type: type[Event], board: Board) -> None:
    empty = {str: "", int: 0, bool: False}
    kinds = {
        name: kind
        for name, kind in get_type_hints(event_type).items()
        if not name.startswith("_") and name != "calculations"
    }
    fields = {name: empty[kind] if kind in empty else get_origin(kind)() for name, kind in kinds.items()}
    assert told(event_type(**fields), board) is not None


def test_fire_tells_strengths_defence_column_die_and_result(board: Board) -> None:
    fire = events.FireResolved(["10", "8"], ["94"], "0706", [2, 1], 3, 0, "", 0, 2, "D1")
    assert told(fire, board) == "R35 10 and R35 8 fire at PzII 94 in 0706: 2+1 against 3, superiority 0, die 2: D1."
    fire = events.FireResolved(["10"], ["112", "115"], "0706", [2], 14, 2, "woods", -3, 6, "P", opportunity=True)
    assert told(fire, board) == (
        "Opportunity fire: R35 10 fires at infantry 112 and 37mm 115 in 0706: "
        "2 against 14 (2 of it for the woods), superiority -3, die 6: P."
    )


def test_overruns_tell_when_the_entrenched_count_double(board: Board) -> None:
    overrun = events.OverrunResolved("0706", ["6", "7"], ["112"], 2, 3, 4, "")
    assert told(overrun, board) == (
        "R35 6 and R35 7 overrun infantry 112 (counted as two) in 0706: superiority +3, die 4: no effect."
    )
    overrun = events.OverrunResolved("0706", ["6"], ["112"], 1, 3, 4, "D2")
    assert told(overrun, board) == "R35 6 overruns infantry 112 in 0706: superiority +3, die 4: D2."


def test_units_that_move_together_are_told_together(board: Board) -> None:
    moved = events.UnitsMoved(5, {"94": "0703", "10": "0805", "8": "0805"})
    assert told(moved, board) == "After 2½ points: PzII 94 to 0703 and R35 10 and R35 8 to 0805."
    assert [points(halves) for halves in (0, 1, 2, 3, 7, 16)] == ["0", "½", "1", "1½", "3½", "8"]


def test_plots_are_told_unless_they_are_hidden(board: Board) -> None:
    plots = events.PlotsWritten("germans", {"94": "D5 VD", "112": "M"})
    assert told(plots, board) == "The Germans plot: PzII 94 D5 VD; infantry 112 M."
    assert told(events.PlotsWritten("germans", {}), board) == "The Germans hand in their plots."


def test_who_leaves_the_map_does_so_by_hexes(board: Board) -> None:
    left = events.UnitsExited(6, {"146": "0104", "147": "0105", "148": "0105"})
    text = "After 3 points: APC 146 leaves the map from 0104 and APC 147 and APC 148 leave the map from 0105."
    assert told(left, board) == text


def test_results_and_recovery(board: Board) -> None:
    results = events.ResultsApplied({"94": 2, "6": 1, "7": 1}, ["10"])
    assert told(results, board) == (
        "R35 6 and R35 7 are disrupted, level 1; PzII 94 is disrupted, level 2; R35 10 is pinned."
    )
    assert told(events.RecoveryRolled("94", 2, 2, 0), board) == "PzII 94 at level 2 rolls 2 and recovers."
    carrier = events.RecoveryRolled("146", 1, 2, 0, ["112"])
    assert told(carrier, board) == "APC 146 at level 1 rolls 2 and recovers, and so does infantry 112."
    assert told(events.RecoveryRolled("94", 2, 5, 2), board) == "PzII 94 at level 2 rolls 5 and stays disrupted."
    assert told(events.RecoveryRolled("94", 3, 1, 2), board) == "PzII 94 at level 3 rolls 1: level 2 is left."


@pytest.mark.parametrize("why", STOPS)
def test_each_reason_to_stop_has_its_words(board: Board, why: str) -> None:
    text = told(events.UnitStopped(4, "94", "0706", why, "6"), board)
    assert text is not None
    assert text.startswith("PzII 94 ")
    assert why == "entry" or "0706" in text


def test_dice_that_an_event_tells_are_not_told_twice(board: Board) -> None:
    for purpose in ("panic:germans", "fire:0706:94", "shell:94:115", "recovery:94", "scatter:94", "counter:94"):
        assert sentence(RollRecord(1, f"3/combat/{purpose}/1", 6, (2,)), board) == ""
    race = RollRecord(1, "3/movement/contest:0706:germans/1", 6, (2,))
    assert sentence(race, board) == "Rolls 1d6 for the race at 0706 the Germans: 2."
    by_hand = RollRecord(1, "3/combat/fire:0706:94/1", 6, (2,), by="umpire")
    assert sentence(by_hand, board) == "Umpire rolls 1d6 for fire at 0706 PzII 94: 2."


def test_orders_are_told_where_nothing_else_would(board: Board) -> None:
    assert sentence(OrderRecord(1, "french", orders.DeclineCounterattack()), board) == "The counterattack is declined."
    assert sentence(OrderRecord(1, "french", orders.Counterattack("6")), board) is None
    assert sentence(EventRecord(1, PhaseEnded("plot", 3)), board) is None
    assert sentence(RulingRecord(1, "umpire", "a slip", PhaseEnded("plot", 3)), board) is None


def test_the_end_names_the_winner_and_why(board: Board) -> None:
    ended = told(GameEnded("french", "held", "KP-14.7.5"), board)
    assert ended == "The game is over: victory for the French (the attack has failed)."
    assert told(GameEnded("draw", "majority", "R-KP-60"), board) == (
        "The game is over: a draw (by who holds the ground)."
    )


def test_units_and_sides_that_do_not_exist_are_told_by_number(board: Board) -> None:
    assert told(events.UnitDestroyed("999", "0706", [], wreck=False), board) == "Unit 999 is destroyed in 0706."
    assert told(events.PlotsWritten("martians", {}), board) == "The martians hand in their plots."


@pytest.mark.parametrize("scenario", ["summa", "spain", "hannut"])
def test_a_whole_game_is_told(scenario: str) -> None:
    prepared = Installed("kampfpanzer", kampfpanzer, "test").prepare(scenario)
    key = key_from_seed("a story")
    game = prepared.new_game(KeyedDice(key))
    game.play(seat_players(prepared, name_seats(prepared, {}), key))
    lines = list(narrate(game.records, lambda record: sentence(record, prepared.board)))
    assert lines[0].startswith("Set-up — deploy")
    assert any(line.startswith("Turn 1 — movement") for line in lines)
    assert lines[-1].startswith("  The game is over: ")
    assert not [line for line in lines if re.search(r"\bunit \d|_", line)]
