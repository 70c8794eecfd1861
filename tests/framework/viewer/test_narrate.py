"""A log in sentences: headings, dice, rulings, and what is left out."""

from typing import Any

import pytest

from sandtable.kernel.events import Event, GameEnded, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import (
    CloseRecord,
    EndRecord,
    EventRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
    SealRecord,
    UndoRecord,
)
from sandtable.testing.tictactoe import Mark
from sandtable.viewer.narrate import counted, is_reported_by_event, listed, narrate, roll_sentence, sentence, story


class UnitMoved(Event, frozen=True):
    """A unit moved."""

    unit: int
    path: list[str]
    tired: bool = False
    notes: str = ""
    rule: str = "T-1"


def moved(number: int) -> EventRecord[Any]:
    return EventRecord(number, UnitMoved(number, ["TOB", "GUB"]))


def phase(number: int, name: str, **who: str) -> EventRecord[Any]:
    return EventRecord(number, PhaseBegan(name, **who))


def ended(number: int, name: str) -> EventRecord[Any]:
    return EventRecord(number, PhaseEnded(name, 1))


GAME = [
    phase(1, "bonus"),
    moved(2),
    ended(3, "bonus"),
    SealRecord(4, "digest"),
    EventRecord(5, TurnBegan(1)),
    phase(6, "italy.purchase", side="axis", power="italy"),
    ended(7, "italy.purchase"),
    phase(8, "italy.combat_move", side="axis", power="italy"),
    OrderRecord(9, "italy", Mark(4)),
    moved(10),
    ended(11, "italy.combat_move"),
    EventRecord(12, TurnBegan(2)),
    phase(13, "movement", side="allies"),
    EventRecord(14, GameEnded("allies", "last_stand")),
    CloseRecord(15, "allies", "last_stand", "digest"),
]


def test_story_has_headings_of_turn_power_and_phase_and_blank_lines() -> None:
    headings = [(line.text, line.number) for line in story(GAME) if line.kind == "heading"]
    assert headings == [("Set-up — bonus", 1), ("Turn 1 — Italy: combat move", 8), ("Turn 2 — Allies: movement", 13)]
    assert list(narrate(GAME)) == [
        "Set-up — bonus",
        "  UnitMoved: unit=2, path=[TOB, GUB] [T-1]",
        "",
        "Turn 1 — Italy: combat move",
        "  UnitMoved: unit=10, path=[TOB, GUB] [T-1]",
        "",
        "Turn 2 — Allies: movement",
        "  The game is over: victory for allies (last stand).",
    ]
    assert next(narrate(GAME[7:11], turn=7)) == "Turn 7 — Italy: combat move"


def test_hook_sentence_takes_precedence_and_empty_text_is_skipped() -> None:
    def sentence(record: Any) -> str | None:
        if isinstance(record, EventRecord) and isinstance(record.event, GameEnded):
            return "All is lost."
        return "" if record.n == 2 else "A unit moves." if record.n == 10 else None

    told = [line.text for line in story(GAME, sentence) if line.kind == "sentence"]
    assert told == ["A unit moves.", "All is lost."]


def test_hook_without_a_sentence_skips_events_but_not_dice() -> None:
    records = [moved(1), RollRecord(2, "1/fire/fire/1", 6, (3,))]
    assert list(narrate(records, lambda record: None)) == ["  Rolls 1d6 for fire: 3."]
    assert list(narrate(records, lambda record: "")) == []
    assert list(narrate(records, lambda record: None, numbers=True)) == ["    2  Rolls 1d6 for fire: 3."]


@pytest.mark.parametrize(
    ("roll", "sentence"),
    [
        (
            RollRecord(1, "3/germany.combat/attack:TOB/1", 6, (2, 5, 6), needs=(1, 1, 3)),
            "Rolls 3d6 for attack at TOB: 2 5 6, needing 1 1 3: no hits.",
        ),
        (
            RollRecord(1, "3/germany.combat/attack.TOB/1", 6, (1, 5, 3), needs=(1, 1, 3)),
            "Rolls 3d6 for attack at TOB: 1 5 3, needing 1 1 3: two hits.",
        ),
        (
            RollRecord(1, "1/x/sea_search/2", 10, (2, 9), needs=(3, 3)),
            "Rolls 2d10 for sea search: 2 9, needing 3 or less: one hit.",
        ),
        (RollRecord(1, "1/x/weather/1", 6, (4,), by="umpire"), "Umpire rolls 1d6 for weather: 4."),
        (RollRecord(1, "odd", 6, (4,)), "Rolls 1d6 for odd: 4."),
    ],
)
def test_dice_are_narrated_with_purpose_faces_needs_and_hits(roll: RollRecord, sentence: str) -> None:
    assert list(narrate([roll])) == [f"  {sentence}"]


def test_parts_of_a_purpose_can_be_given_names() -> None:
    roll = RollRecord(1, "1/x/guns.TOB/1", 6, (4,))
    assert roll_sentence(roll, {"TOB": "Tobruk", "guns": "big guns"}) == "Rolls 1d6 for big guns at Tobruk: 4."
    none = RollRecord(4, "1/p/battle:south/1", 6, ())
    assert roll_sentence(none) == ""
    assert list(narrate([none, moved(2)])) == list(narrate([moved(2)]))


@pytest.mark.parametrize(
    ("label", "by", "told"),
    [
        ("1/x/attack:TOB/1", "", True),
        ("1/x/attack.2/1", "", True),
        ("1/x/attack/1", "", True),
        ("1/x/attackers:TOB/1", "", False),
        ("1/x/guns.attack/1", "", False),
        ("1/x/attack:TOB/1", "umpire", False),
        ("attack", "", False),
    ],
)
def test_roll_shown_by_an_event_needs_no_sentence(label: str, by: str, told: bool) -> None:
    assert is_reported_by_event(RollRecord(1, label, 6, (4,), by=by), {"attack", "morale"}) is told


def test_ruling_is_narrated_with_author_reason_and_event() -> None:
    ruling = RulingRecord(5, "umpire", "a slip", UnitMoved(7, ["TOB"]))
    assert list(narrate([ruling])) == ["  Umpire rules (a slip): UnitMoved: unit=7, path=[TOB] [T-1]"]
    (told,) = narrate([ruling], lambda record: "7 goes back." if isinstance(record, EventRecord) else None)
    assert told == "  Umpire rules (a slip): 7 goes back."
    first, *rest = narrate([ruling, moved(6)], digest={5: "hidden", 6: "brief"})
    assert first.startswith("  Umpire rules (a slip): "), "whatever the digest says"
    assert rest == ["  brief"]


def test_undone_order_is_narrated() -> None:
    (told,) = narrate([UndoRecord(9, "italy", 4)])
    assert told.startswith("  Italy takes back its order")
    assert "record 4" in told


def test_end_is_narrated_once_by_event_or_close() -> None:
    close = CloseRecord(2, "draw", "time_limit", "digest")
    assert list(narrate([close])) == ["  The game is over: a draw (time limit)."]
    assert list(narrate([EventRecord(1, GameEnded("draw", "time_limit")), close])) == [
        "  The game is over: a draw (time limit)."
    ]


def test_only_shares_above_zero_are_narrated() -> None:
    shares = {"red": 500, "green": 0, "blue": 500}
    told = "  The game is over: a draw (winter); shares: red 50 %, blue 50 %."
    assert list(narrate([EventRecord(1, GameEnded("draw", "winter", shares=shares))])) == [told]
    assert list(narrate([CloseRecord(2, "draw", "winter", "digest", "", shares)])) == [told]


def test_foreign_records_and_seals_are_not_narrated() -> None:
    assert list(narrate([{"kind": "annex"}, SealRecord(1, "digest")])) == []


def test_counts_and_lists_are_written_in_words() -> None:
    assert [counted(number, "hit") for number in (0, 1, 2, 13)] == ["no hits", "one hit", "two hits", "13 hits"]
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed("abc")] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (EndRecord(1, "red", "resignation", "blue", "", ("red",)), "Red resigns: victory for blue."),
        (EndRecord(1, "umpire", "agreed_draw", "draw", "", ("red", "blue")), "Red and blue agree on a draw."),
        (
            EndRecord(1, "umpire", "adjudication", "red", "the night falls"),
            "Umpire adjudicates the game as victory for red (the night falls).",
        ),
        (
            EndRecord(1, "umpire", "abandonment", "draw", "", ("red",), {"blue": 500, "green": 500}),
            "Red abandoned the game: a draw; shares: blue 50 %, green 50 %.",
        ),
    ],
)
def test_ending_by_people_is_narrated_by_the_framework(record: EndRecord, told: str) -> None:
    assert sentence(record, lambda _: "the ruleset's own sentence") == told
