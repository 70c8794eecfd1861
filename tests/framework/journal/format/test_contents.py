"""The data of a log's records that openings show, and openings that do not fit their lines (section 8)."""

from typing import Any

import msgspec
import pytest
from cutting import opening_of

from sandtable.journal.format.contents import contents_of
from sandtable.journal.format.openings import key_of

STEP = b'{"kind":"closed","n":2,"last":3,"root":"00"}'
LINES = [b"header", b'{"kind":"order","n":1,"by":"red","root":"00"}', STEP, STEP]
EVENTS = [{"kind": "event", "n": 2, "event": "a"}, {"kind": "roll", "n": 3, "dice": [6]}]


def contents(*openings: bytes) -> Any:
    return contents_of(LINES, {key_of(line) or (0, ""): line for line in openings})


def plain(found: dict[Any, bytes]) -> dict[Any, Any]:
    return {key: msgspec.json.decode(line) for key, line in found.items()}


def test_umpire_is_shown_every_record_of_a_step() -> None:
    found = contents(opening_of(2, "umpire", {"records": EVENTS}), opening_of(0, "umpire", {"part": {"key": "x"}}))
    assert plain(found.whole) == {2: EVENTS[0], 3: EVENTS[1]}
    assert found.seen == {}


def test_side_is_shown_some_records_complete_and_some_in_part() -> None:
    found = contents(opening_of(2, "red", {"records": [{"kind": "seen", "n": 2, "event": "dust"}, EVENTS[1]]}))
    assert plain(found.whole) == {3: EVENTS[1]}
    assert plain(found.seen) == {(2, "red"): {"kind": "event", "n": 2, "event": "dust"}, (3, "red"): EVENTS[1]}
    both = contents(opening_of(2, "umpire", {"records": EVENTS}), opening_of(2, "red", {"records": [EVENTS[1]]}))
    assert plain(both.whole) == {2: EVENTS[0], 3: EVENTS[1]}
    assert contents(opening_of(2, "red", {})) == ({}, {})


def test_part_completes_the_public_fields_of_its_line() -> None:
    found = contents(opening_of(1, "umpire", {"part": {"order": "go"}}))
    assert plain(found.whole) == {1: {"kind": "order", "n": 1, "by": "red", "order": "go"}}


@pytest.mark.parametrize(
    ("number", "to", "shown"),
    [
        (2, "umpire", {"records": EVENTS[:1]}),
        (2, "umpire", {"records": EVENTS[::-1]}),
        (2, "umpire", {"records": [*EVENTS, {"kind": "event", "n": 4}]}),
        (2, "umpire", {}),
        (2, "red", {"records": EVENTS[::-1]}),
        (2, "red", {"records": [EVENTS[0], EVENTS[0]]}),
        (2, "red", {"records": [{"kind": "event", "n": 1}]}),
        (2, "red", {"records": [{"kind": "event"}]}),
        (2, "umpire", {"part": {"event": "a"}}),
        (1, "umpire", {"records": EVENTS}),
        (1, "umpire", {"part": {"by": "blue", "order": "go"}}),
        (1, "umpire", {"part": {"n": 2}}),
        (1, "umpire", {"more": 1}),
    ],
)
def test_opening_that_does_not_fit_its_line_is_refused(number: int, to: str, shown: dict[str, Any]) -> None:
    with pytest.raises((ValueError, msgspec.MsgspecError)):
        contents(opening_of(number, to, shown))
