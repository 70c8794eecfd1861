"""What of a record stands in the chain and what in openings, and when sealed orders are opened (section 8)."""

from typing import Any

import msgspec
import pytest

from sandtable.errors import LogClosed
from sandtable.journal.format.header import person_plays
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.openings import commitment_of, key_of, opening_line
from sandtable.journal.format.salts import KeyedSalts, StoredSalts
from sandtable.journal.format.secrecy import opened_in, opened_with, parts_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Event
from sandtable.kernel.options import OneOf
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import (
    CloseRecord,
    EventRecord,
    OrderRecord,
    RollRecord,
    SealRecord,
    UndoRecord,
)
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, Whispered, scratch_rules


def nothing(_: Any) -> Procedure:
    """Ask nobody anything."""
    yield Said("loud")


RULES = scratch_rules(nothing, powers={"red cavalry": "red"})
OPEN_RULES = scratch_rules(nothing, hidden=False)
SOURCE = bytes(range(32))


def whispered(n: int = 1, side: str = "red", word: str = "hush") -> EventRecord[Any]:
    return EventRecord(n, Whispered(side, word))


def order(n: int, by: str = "red", missing: int = 0, *, secret: bool = False) -> OrderRecord[Any]:
    return OrderRecord(n, by, Say("go"), missing, secret)


@pytest.mark.parametrize(
    "record",
    [
        EventRecord(1, Said("loud")),
        order(1),
        RollRecord(1, "a", 6, (1,)),
        SealRecord(1, "00"),
        CloseRecord(1, "red", "end", "00"),
        UndoRecord(1, "red", 1),
    ],
)
def test_what_all_may_see_has_no_parts(record: Any) -> None:
    assert parts_of(record, RULES) is None


def test_of_an_order_the_seat_is_public_and_the_rest_its_sides() -> None:
    for record in (order(1, "red cavalry", 2), order(1, "red", secret=True)):
        parts = parts_of(record, RULES)
        assert parts is not None
        shown = {"missing": 2} if record.missing else {"secret": True}
        assert parts.public == {"kind": "order", "n": 1, "by": record.by, **shown}
        assert parts.private == {"red": {"order": {"type": "Say", "word": "go"}}}


def test_a_roll_of_a_side_is_its_own_and_the_key_of_a_close_is_the_umpires() -> None:
    roll = parts_of(RollRecord(3, "1/a/b/1", 6, (4,), side="blue"), RULES)
    assert roll is not None
    assert roll.public == {"kind": "roll", "n": 3}
    assert roll.private == {"blue": {"label": "1/a/b/1", "sides": 6, "dice": (4,), "side": "blue"}}
    close = CloseRecord(9, "red", "end", "00", "ab" * 32)
    parts = parts_of(close, RULES)
    assert parts is not None
    assert parts.public == {"kind": "close", "n": 9, "outcome": "red", "ending": "end", "digest": "00"}
    assert parts.private == {"umpire": {"key": "ab" * 32}}
    assert parts_of(close, OPEN_RULES) is None


Sight = dict[str, Event | None]
SECRET, RUMOUR, TALE = Whispered("red", "tank"), Whispered("red", "a unit"), Whispered("red", "dust")


@pytest.mark.parametrize(
    ("seen", "public", "private"),
    [
        ({"a": SECRET, "b": SECRET, "c": SECRET}, "", None),
        ({"a": SECRET, "b": None, "c": None}, None, {"a": SECRET}),
        ({"a": SECRET, "b": SECRET, "c": None}, None, {"a": SECRET, "b": SECRET}),
        ({"a": None, "b": None, "c": None}, None, {"umpire": SECRET}),
        ({"a": SECRET, "b": RUMOUR, "c": RUMOUR}, RUMOUR, {"a": SECRET}),
        ({"a": RUMOUR, "b": RUMOUR, "c": RUMOUR}, RUMOUR, {"umpire": SECRET}),
        ({"a": SECRET, "b": RUMOUR, "c": None}, None, {"a": SECRET, "b": RUMOUR, "umpire": SECRET}),
        ({"a": RUMOUR, "b": TALE, "c": None}, None, {"a": RUMOUR, "b": TALE, "umpire": SECRET}),
    ],
)
def test_an_event_is_parted_by_what_each_side_sees(seen: Sight, public: Any, private: Any) -> None:
    rules = scratch_rules(nothing, sides=("a", "b", "c", "umpire"), visible=lambda event, side: seen[side])
    parts = parts_of(EventRecord(7, SECRET), rules)
    if private is None:
        assert parts is None
        return
    assert parts is not None
    assert parts.public == {"kind": "event", "n": 7, **({"event": public} if public else {})}
    assert parts.private == {side: {"event": event} for side, event in private.items()}


def test_the_last_of_a_group_opens_all_of_it_but_what_stays_secret() -> None:
    group = [order(2, "red", 3), order(3, "blue", 2), order(4, "green", 1)]
    assert opened_with(group, 2) == [4, 3, 2]
    assert opened_with(group, 1) == opened_with(group, 0) == []
    assert opened_in(group) == {2, 3, 4}
    assert opened_in([order(1), order(2, secret=True)]) == frozenset()
    secret = [group[0], order(3, "blue", 2, secret=True), group[2]]
    assert opened_with(secret, 2) == [4, 2]
    assert opened_with([*group[:2], order(4, "green", 1, secret=True)], 2) == [3, 2]


def test_what_was_taken_back_in_a_group_opens_nothing_of_another() -> None:
    first = [order(1, "red", 2), order(2, "blue", 1)]
    again = [order(4, "red", 2), UndoRecord(5, "red", 4), order(6, "red", 2), order(7, "blue", 1)]
    records = [*first, EventRecord(3, Said("x")), *again]
    assert opened_with(records, 6) == [7, 6]
    assert opened_in(records) == {1, 2, 6, 7}
    assert opened_with([order(1, "red", 2), order(2), order(3, "blue", 1)], 2) == [3]
    three = [order(1, "red", 3), order(2, "blue", 2), UndoRecord(3, "blue", 2), order(4, "blue", 2)]
    assert opened_with([*three, order(5, "green", 1)], 4) == [5, 4, 1]


# --- lines ---


def plain(record: Any) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return told


def sealed_form() -> LineForm:
    return LineForm(RULES, KeyedSalts(SOURCE))


def test_lines_commit_to_their_openings_and_are_whole_with_them() -> None:
    form = sealed_form()
    records = [
        EventRecord(1, Said("loud")),
        whispered(2),
        order(3, "red", 2),
        order(4),
        RollRecord(5, "1/a/b/1", 6, (4,), side="blue"),
        RollRecord(6, "1/a/b/2", 6, (4,)),
        SealRecord(7, "00"),
        CloseRecord(8, "red", "end", "11", "ab" * 32),
    ]
    written = form.encode(records)
    assert {place: list(own) for place, own in written.openings.items()} == {
        1: ["red"], 2: ["red"], 4: ["blue"], 7: ["umpire"],
    }  # fmt: skip
    salts = KeyedSalts(SOURCE)
    known = {}
    for place, own in written.openings.items():
        sealed = msgspec.json.decode(written.bodies[place] + b"}")["sealed"]
        for to, line in own.items():
            assert key_of(line) == (place + 1, to)
            assert sealed == {to: commitment_of(line)}
            assert msgspec.json.decode(line)["salt"] == salts.opening(place + 1, to)
            known[place + 1, to] = line
    for record, body in zip(records, written.bodies, strict=True):
        line = body + b',"hash":"x"}'
        told = msgspec.json.decode(form.whole(record.n, line, known))
        masked = {"digest": salts.masked(record.n, record.digest)} if hasattr(record, "digest") else {}
        assert told == {**plain(record), **masked, "hash": "x"}
        if record.n in {2, 3, 5}:
            for read in (form.whole, lambda n, line, known: form.shown(n, line, known, "blue")):
                with pytest.raises(LogClosed, match=f"record {record.n} is closed here"):
                    read(record.n, line, {})
    close = written.bodies[7] + b"}"
    assert b'"key"' not in form.whole(8, close, {})  # a close lacks its key alone


def test_a_side_is_shown_its_own_part_or_the_public_one() -> None:
    line = b'{"kind":"event","n":2,"event":"public","sealed":{"red":"00","umpire":"11"},"hash":"x"}'
    mine, whole = (opening_line(2, to, "0" * 32, {"event": to}) for to in ("red", "umpire"))
    form = sealed_form()

    def event(known: dict[tuple[int, str], bytes], side: str) -> Any:
        return msgspec.json.decode(form.shown(2, line, known, side))["event"]

    assert event({}, "blue") == "public"
    assert event({(2, "red"): mine}, "blue") == "public"
    assert event({(2, "red"): mine}, "red") == "red"
    assert event({(2, "red"): mine, (2, "umpire"): whole}, "red") == "red"
    assert event({(2, "umpire"): whole}, "red") == "umpire"
    with pytest.raises(LogClosed):
        form.whole(2, line, {(2, "red"): mine})  # part of it is not the whole


def test_what_only_looks_sealed_is_a_line_like_any_other() -> None:
    line = b'{"kind":"event","n":1,"event":{"sealed":{"x":1}}}'
    assert sealed_form().whole(1, line, {}) == line


def test_a_question_is_blinded_where_there_are_secrets_and_nowhere_else() -> None:
    asked = AnsweredQuestion(1, "talk/red", 1, Decision("red", "say", OneOf([Say("go")], "X-1"), "X-1"))
    bare = text_of(asked)
    for rules, hidden in ((RULES, True), (OPEN_RULES, False)):
        record: Any = OrderRecord(4, "red", Say("go"), asked=asked)  # type: ignore[arg-type]  # a question before it is text
        written = LineForm(rules, KeyedSalts(SOURCE)).encode([record])
        told = msgspec.json.decode(written.bodies[0] + b"}")["asked"]
        assert told == KeyedSalts(SOURCE).asked(4, asked, hidden=hidden)
        assert (told == bare) != hidden
        assert told.startswith("1/talk/red/1#")
        digest = LineForm(rules, KeyedSalts(SOURCE)).shown_digest(4, "ab")
        assert (digest == "ab") != hidden


def test_where_salts_are_not_known_a_stored_question_counts_by_its_label_alone() -> None:
    asked = AnsweredQuestion(1, "talk/red", 1, Decision("red", "say", OneOf([Say("go")], "X-1"), "X-1"))
    bare = text_of(asked)
    stored = StoredSalts({}, {1: "1/talk/red/1#blinded", 2: "1/talk/red/2#blinded", 3: bare}, {})
    assert stored.asked(1, asked, hidden=True) == "1/talk/red/1#blinded"
    assert stored.asked(1, asked, hidden=False) == bare  # nothing blinds it there
    assert stored.asked(2, asked, hidden=True) == bare
    assert stored.asked(3, asked, hidden=False) == bare
    assert stored.asked(4, asked, hidden=True) == bare


def test_a_person_plays_where_he_has_a_side() -> None:
    for players, plays in (
        ({"red": "human"}, True),
        ({"red cavalry": "human", "blue": "random"}, True),
        ({"umpire": "human", "red": "random"}, False),
        ({"red": "random", "blue": "humane"}, False),
        ({}, False),
    ):
        assert person_plays(RULES, players) is plays
