"""Narration: every event has a sentence without empty fields or ids."""

import re
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from tests.plugins.kampfpanzer.positions import shipped
from transcripts import Transcript

from kampfpanzer.model import events, orders
from kampfpanzer.model.board import Board
from kampfpanzer.model.events import STOPS
from kampfpanzer.plotting.situation import points
from kampfpanzer.ui.narrate import narrate_event, sentence
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import Calculation, Event, GameEnded, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, RulingRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.viewer.narrate import narrate

UNITS = ["94", "105"]
SAMPLES: dict[str, Any] = {
    "side": "germans", "unit": "94", "by": "6", "target": "6", "firer": "115", "vehicle": "146",
    "targets": ["6", "7"], "defenders": ["6", "7"], "losers": ["6"], "passengers": ["112"], "hex": "0706",
    "start": "0705", "hexes": ["0706", "0806"], "entrenchments": ["0706"], "digits": ["3", "9"], "strengths": [2, 1],
    "facing": "D", "direction": "C", "pattern": "L", "plot": "D5", "result": "D1", "cover": "woods",
    "column": "moving", "why": "zone", "operation": "embark",
}  # fmt: skip
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
    found: Board = shipped("flavion").board
    return found


def sample(event_type: type[Event]) -> Event:
    """Return an event with every field filled, built from its annotations."""
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


def narrated(event: Event, board: Board) -> str | None:
    return sentence(EventRecord(1, event), board)


def variants() -> list[Event]:
    """Return an event of each type, and variants with different sentences."""
    fire = events.FireResolved
    return [
        *(sample(each) for each in events.EVENTS),
        fire(["10", "8"], ["94"], "0706", [2, 1], 3, 0, "", 0, 2, "D1"),
        fire(["10"], ["112", "115"], "0706", [2], 14, 2, "woods", -3, 6, "P", opportunity=True),
        fire(["42", "43"], ["115"], "0809", [8, 8], 4, 0, "", 8, 2, "D4"),
        events.OverrunResolved("0706", ["6", "7"], ["112"], 2, 3, 4, ""),
        events.OverrunResolved("0706", ["6"], ["112"], 1, 3, 4, "D2"),
        events.UnitsMoved(5, {"94": "0703", "10": "0805", "8": "0805"}),
        events.PlotsWritten("germans", {"94": "D5 VD", "112": "M"}),
        events.PlotsWritten("germans", {}),
        events.UnitsExited(6, {"146": "0104", "147": "0105", "148": "0105"}),
        events.ResultsApplied({"94": 2, "6": 1, "7": 1}, ["10"]),
        events.RecoveryRolled("94", 2, 2, 0),
        events.RecoveryRolled("146", 1, 2, 0, ["112"]),
        events.RecoveryRolled("94", 2, 5, 2),
        events.RecoveryRolled("94", 3, 1, 2),
        events.PanicPlotted("98", "D", 1, ""),
        events.UnitBackedUp("7", "0907", "", "stack"),  # it entered the map and must leave it again
        *(events.UnitStopped(4, "94", "0706", why, "6") for why in STOPS),
        GameEnded("french", "held", "KP-14.7.5"),
        GameEnded("draw", "majority", "R-KP-60"),
        TurnBegan(10),
    ]


def test_every_event_has_a_sentence(board: Board, transcript: Transcript) -> None:
    lines = []
    for event in variants():
        text = narrated(event, board)
        assert text is not None, event
        assert (text == "") == (type(event) in SILENT)
        lines.append(f"{type(event).__name__}: {text}".strip())
        if text:
            assert not text[0].islower() or type(event) is TurnBegan
            assert text.endswith(".")
            assert not re.search(r"\n| [:;,. ]|[\[(][\])]", text), "a field is empty"
            assert not re.search(r"_|\bgermans\b|\{|None", text), text
            assert not re.search(r"(?<!PzII )\b94\b", text), text
    transcript("\n".join(lines))


def test_points_are_written_in_halves() -> None:
    assert [points(halves) for halves in (0, 1, 2, 3, 7, 16)] == ["0", "½", "1", "1½", "3½", "8"]


def test_unknown_units_and_sides_are_named_by_number(board: Board) -> None:
    assert narrated(events.UnitDestroyed("999", "0706", [], wreck=False), board) == "Unit 999 is destroyed in 0706."
    assert narrated(events.PlotsWritten("martians", {}), board) == "The martians hand in their plots."


def test_event_without_content_has_a_sentence(board: Board) -> None:
    empty = {str: "", int: 0, bool: False}
    for event_type in events.EVENTS:
        kinds = {
            name: kind
            for name, kind in get_type_hints(event_type).items()
            if not name.startswith("_") and name != "calculations"
        }
        fields = {name: empty[kind] if kind in empty else get_origin(kind)() for name, kind in kinds.items()}
        assert narrated(event_type(**fields), board) is not None


def test_records_without_narration_have_no_sentence(board: Board) -> None:
    assert sentence(OrderRecord(1, "french", orders.DeclineCounterattack()), board) == "The counterattack is declined."
    assert sentence(OrderRecord(1, "french", orders.Counterattack("6")), board) is None
    assert sentence(EventRecord(1, PhaseEnded("plot", 3)), board) is None
    assert sentence(RulingRecord(1, "umpire", "a slip", PhaseEnded("plot", 3)), board) is None
    assert narrated(TurnBegan(9), board) is None
    for purpose in ("panic:germans", "fire:0706:94", "shell:94:115", "recovery:94", "scatter:94", "counter:94"):
        assert sentence(RollRecord(1, f"3/combat/{purpose}/1", 6, (2,)), board) == ""
    race = RollRecord(1, "3/movement/contest:0706:germans/1", 6, (2,))
    assert sentence(race, board) == "Rolls 1d6 for the race at 0706 the Germans: 2."
    by_hand = RollRecord(1, "3/combat/fire:0706:94/1", 6, (2,), by="umpire")
    assert sentence(by_hand, board) == "Umpire rolls 1d6 for fire at 0706 PzII 94: 2."


@pytest.mark.rule("KP-14.9.4")
def test_end_is_narrated_with_the_final_count() -> None:
    board: Board = shipped("abbeville").board
    steps = tuple((each, 1, "KP-14.9.4") for each in ("95", "96", "112"))
    needed = Calculation("needed.germans", (("required by the scenario", 3, "KP-14.9.4"),))
    event = events.TurnCleared(calculations=(Calculation("undisrupted.germans", steps), needed))
    assert narrate_event(event, board) == "final count: Germans undisrupted on Hill 3: 3, Germans need: 3."


@pytest.mark.full
@pytest.mark.parametrize("scenario", ["summa", "spain", "hannut"])
def test_complete_game_is_narrated(scenario: str) -> None:
    prepared = shipped(scenario)
    key = key_from_seed("a story")
    game = prepared.new_game(KeyedDice(key))
    game.play(seat_players(prepared, name_seats(prepared, {}), key))
    lines = list(narrate(game.records, lambda record: sentence(record, prepared.board)))
    assert lines[0].startswith("Set-up — deploy")
    assert any(line.startswith("Turn 1 — movement") for line in lines)
    assert lines[-1].startswith("  The game is over: ")
    assert not [line for line in lines if re.search(r"\bunit \d|_", line)]


@pytest.mark.rule("KP-9.51b", "KP-9.7b")
def test_withheld_fire_is_narrated_with_its_reason(board: Board) -> None:
    withheld = events.FireWithheld(["105"], ["6"], "0706", -3, False, "KP-9.51b")  # strong enough
    weak = msgspec.structs.replace(withheld, superiority=-4, rule="KP-9.7b")
    assert "small arms" in (narrate_event(withheld, board) or "")
    assert "small arms" not in (narrate_event(weak, board) or "small arms")
