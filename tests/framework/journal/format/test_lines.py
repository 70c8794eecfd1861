"""Lines of a log: commitments, openings, and the part that one side sees (section 8)."""

from typing import Any

import msgspec
import pytest

from sandtable.journal.format.lines import LineForm, Written
from sandtable.journal.format.openings import key_of, root_of, salt_of
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import PUBLIC, Decision
from sandtable.kernel.options import OneOf
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, Whispered, scratch_rules


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


RECORDS = [
    EventRecord(1, Said("loud")),
    whispered(2),
    whispered(3, "blue"),
    RollRecord(4, "1/a/b/1", 6, (4,), side="blue"),
    order(5, "red", 2),
    order(6),
    RollRecord(7, "1/a/b/2", 6, (4,)),
    whispered(8),
    SealRecord(9, "00"),
    CloseRecord(10, "red", "end", "11", "ab" * 32),
]


def written(to: str = "umpire") -> Written:
    return LineForm(RULES, KeyedSalts(SOURCE)).encode(RECORDS, to)


def table(body: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(body + b"}")
    return fields


def test_consecutive_closed_records_are_one_line_without_kind_and_audience() -> None:
    lines = [table(body) for body in written().bodies]
    shown = [(line["kind"], line["n"], line.get("last", 0), "root" in line) for line in lines]
    assert shown == [
        ("event", 1, 0, False), ("closed", 2, 4, True), ("order", 5, 0, True), ("order", 6, 0, False),
        ("roll", 7, 0, False), ("closed", 8, 0, True), ("seal", 9, 0, False), ("close", 10, 0, True),
    ]  # fmt: skip
    assert lines[1].keys() == {"kind", "n", "last", "root"}
    assert lines[2].keys() == {"kind", "n", "by", "missing", "root"}
    assert "key" not in lines[7]


@pytest.mark.parametrize("to", ["umpire", "red", "blue"])
def test_every_viewer_has_an_opening_that_fits_each_root(to: str) -> None:
    lines = written(to)
    roots = {index: table(body)["root"] for index, body in enumerate(lines.bodies) if b'"root"' in body}
    assert {index: root_of(line) for index, line in lines.openings.items()} == roots
    for index, line in lines.openings.items():
        number = table(lines.bodies[index])["n"]
        assert key_of(line) == (number, to)
        assert salt_of(line) == KeyedSalts(SOURCE).of_step(number)(to)


@pytest.mark.parametrize(
    ("to", "shown", "parts"),
    [
        ("umpire", {2: [2, 3, 4], 8: [8]}, {5: ["order"], 10: ["key"]}),
        ("red", {2: [2], 8: [8]}, {5: ["order"]}),
        ("blue", {2: [3, 4]}, {}),
    ],
)
def test_openings_show_what_their_viewer_may_see(to: str, shown: Any, parts: Any) -> None:
    openings = [msgspec.json.decode(line) for line in written(to).openings.values()]
    assert {each["n"]: [record["n"] for record in each["records"]] for each in openings if "records" in each} == shown
    assert {each["n"]: [*each["part"]] for each in openings if "part" in each} == parts


def test_long_run_of_closed_records_is_in_steps_of_256() -> None:
    records = [whispered(number) for number in range(1, 600)]
    lines = [table(body) for body in LineForm(RULES, KeyedSalts(SOURCE)).encode(records).bodies]
    assert [(line["n"], line["last"]) for line in lines] == [(1, 256), (257, 512), (513, 599)]
    exactly = LineForm(RULES, KeyedSalts(SOURCE)).encode(records[:256]).bodies
    assert [(table(body)["n"], table(body)["last"]) for body in exactly] == [(1, 256)]


def test_spectator_has_no_openings() -> None:
    assert written(PUBLIC) == Written(written().bodies, {})


def test_audience_and_content_change_only_the_root() -> None:
    """Another audience of closed records, or others in their place, leave lines of the same form."""
    other = [*RECORDS]
    other[1], other[2], other[3] = whispered(2, "blue", "a much longer word"), whispered(3), whispered(4)
    mine, its = ([table(body) for body in LineForm(RULES, KeyedSalts(SOURCE)).encode(each).bodies]
                 for each in (RECORDS, other))  # fmt: skip
    assert [{**line, "root": ""} for line in mine] == [{**line, "root": ""} for line in its]
    assert mine[1]["root"] != its[1]["root"]
    assert [line for index, line in enumerate(mine) if index != 1] == [
        line for index, line in enumerate(its) if index != 1
    ]


def test_question_is_blinded_only_in_games_with_secrets() -> None:
    asked = AnsweredQuestion(1, "talk/red", 1, Decision("red", "say", OneOf([Say("go")], "X-1"), "X-1"))
    bare = text_of(asked)
    for rules, hidden in ((RULES, True), (OPEN_RULES, False)):
        record: Any = OrderRecord(4, "red", Say("go"), asked=asked)  # type: ignore[arg-type]  # a question before it is text
        lines = LineForm(rules, KeyedSalts(SOURCE)).encode([record])
        fields = table(lines.bodies[0])["asked"]
        assert fields == KeyedSalts(SOURCE).asked(4, asked, hidden=hidden)
        assert (fields == bare) != hidden
        assert fields.startswith("1/talk/red/1#")
        digest = LineForm(rules, KeyedSalts(SOURCE)).shown_digest(4, "ab")
        assert (digest == "ab") != hidden
