"""Lines of a log: commitments, openings, and the part that one side sees (section 8)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import LogClosed
from sandtable.journal.format import lines
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.openings import Key, commitment_of, key_of, opening_line
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import OneOf
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, Whispered, scratch_rules

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.text('"\\[]{}9a:,', max_size=25),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.full
@given(st.dictionaries(st.sampled_from(["event", "order", "dice", "digest", "by"]), JSON, min_size=1), st.booleans())
def test_spliced_opening_equals_decoded_opening(part: dict[str, Any], both: bool) -> None:
    opening = opening_line(7, "umpire", "ab" * 16, part)
    shown = {"kind": "event", "n": 7, **({"event": "public", "by": "a side"} if both else {})}
    body = json.dumps({**shown, "sealed": {"umpire": "0" * 64}}, separators=(",", ":")).encode()[:-1]
    line = body + b',"hash":"%b"}' % (b"0" * 64)
    known: dict[Key, bytes] = {(7, "umpire"): opening}
    spliced = lines._spliced(7, line, known, "")
    assert spliced is not None
    assert json.loads(spliced) == {**shown, **part}


@pytest.mark.parametrize("repeated", ['"n":9', '"kind":"order"', '"n" : 9', '"\\u006e":9'])
def test_opening_does_not_replace_number_and_kind_of_its_record(repeated: str) -> None:
    opening = opening_line(7, "umpire", "ab" * 16, {"event": {"type": "Said"}})[:-1] + f",{repeated}}}".encode()
    line = b'{"kind":"event","n":7,"sealed":{"umpire":"%b"},"hash":"%b"}' % (b"0" * 64, b"0" * 64)
    whole = json.loads(lines._opened(7, line, {(7, "umpire"): opening}, "", lines._WITHOUT_KEY))
    assert (whole["kind"], whole["n"], whole["event"]) == ("event", 7, {"type": "Said"})


def nothing(_: Any) -> Procedure:
    """Ask no question."""
    yield Said("loud")


RULES = scratch_rules(nothing, powers={"red cavalry": "red"})
OPEN_RULES = scratch_rules(nothing, hidden=False)
SOURCE = bytes(range(32))


def whispered(n: int = 1, side: str = "red", word: str = "hush") -> EventRecord[Any]:
    return EventRecord(n, Whispered(side, word))


def order(n: int, by: str = "red", missing: int = 0, *, secret: bool = False) -> OrderRecord[Any]:
    return OrderRecord(n, by, Say("go"), missing, secret)


def plain(record: Any) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return fields


def sealed_form() -> LineForm:
    return LineForm(RULES, KeyedSalts(SOURCE))


def test_lines_commit_to_openings_and_are_complete_with_them() -> None:
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
    assert {index: list(own) for index, own in written.openings.items()} == {
        1: ["red"], 2: ["red"], 4: ["blue"], 7: ["umpire"],
    }  # fmt: skip
    salts = KeyedSalts(SOURCE)
    known = {}
    for index, own in written.openings.items():
        sealed = msgspec.json.decode(written.bodies[index] + b"}")["sealed"]
        for to, line in own.items():
            assert key_of(line) == (index + 1, to)
            assert sealed == {to: commitment_of(line)}
            assert msgspec.json.decode(line)["salt"] == salts.opening(index + 1, to)
            known[index + 1, to] = line
    for record, body in zip(records, written.bodies, strict=True):
        line = body + b',"hash":"x"}'
        fields = msgspec.json.decode(form.whole(record.n, line, known))
        masked = {"digest": salts.masked(record.n, record.digest)} if hasattr(record, "digest") else {}
        assert fields == {**plain(record), **masked, "hash": "x"}
        if record.n in {2, 3, 5}:
            for read in (form.whole, lambda n, line, known: form.shown(n, line, known, "blue")):
                with pytest.raises(LogClosed, match=f"record {record.n} is closed here"):
                    read(record.n, line, {})
    close = written.bodies[7] + b"}"
    assert b'"key"' not in form.whole(8, close, {})  # a close lacks only its key


def test_side_is_shown_its_own_part_or_the_public_part() -> None:
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
        form.whole(2, line, {(2, "red"): mine})  # a part is not the complete record


def test_line_with_a_nested_sealed_field_is_unchanged() -> None:
    line = b'{"kind":"event","n":1,"event":{"sealed":{"x":1}}}'
    assert sealed_form().whole(1, line, {}) == line


def test_question_is_blinded_only_in_games_with_secrets() -> None:
    asked = AnsweredQuestion(1, "talk/red", 1, Decision("red", "say", OneOf([Say("go")], "X-1"), "X-1"))
    bare = text_of(asked)
    for rules, hidden in ((RULES, True), (OPEN_RULES, False)):
        record: Any = OrderRecord(4, "red", Say("go"), asked=asked)  # type: ignore[arg-type]  # a question before it is text
        written = LineForm(rules, KeyedSalts(SOURCE)).encode([record])
        fields = msgspec.json.decode(written.bodies[0] + b"}")["asked"]
        assert fields == KeyedSalts(SOURCE).asked(4, asked, hidden=hidden)
        assert (fields == bare) != hidden
        assert fields.startswith("1/talk/red/1#")
        digest = LineForm(rules, KeyedSalts(SOURCE)).shown_digest(4, "ab")
        assert (digest == "ab") != hidden
