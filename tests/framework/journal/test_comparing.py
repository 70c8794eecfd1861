"""How games compare: by phase, by roll, by state; where files part, and the tree of several of them."""

from collections.abc import Callable
from typing import Any

import pytest
from cutting import chain_in, cut_after
from msgspec import json, structs
from rechained import rechained, tables_of

from sandtable.journal import diff
from sandtable.journal.branching import compare
from sandtable.journal.branching.compare import Rolls, Section, parting, rolls, sections, states, told
from sandtable.journal.branching.trees import tree_of
from sandtable.journal.diff import FieldDifference, diff_logs
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import count_closed, slice_log
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord, UndoRecord
from sandtable.kernel.state import State
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Board, Mark, Marked

Play = Callable[..., Recorded]


def numbered(*happened: Any) -> list[Any]:
    """Return records of events and orders; what is a record already gets its number."""
    return [
        structs.replace(each, n=n)
        if hasattr(each, "n")
        else OrderRecord(n, "x", each)
        if isinstance(each, Order)
        else EventRecord(n, each)
        for n, each in enumerate(happened, start=1)
    ]


SEAL = SealRecord(0, "00")
USUAL = (TurnBegan(1), PhaseBegan("move"), Mark(1), Marked("x", 1), PhaseEnded("move", 1), SEAL)


def test_records_count_by_what_they_say() -> None:
    one, other = OrderRecord(1, "x", Mark(1), asked="a", hash="b"), OrderRecord(2, "x", Mark(1), asked="c", hash="d")
    assert told(one) == told(other)
    assert told(one) != told(OrderRecord(1, "o", Mark(1)))
    assert told(SealRecord(1, "00")) == told(SealRecord(2, "11")) != told(CloseRecord(2, "x", "y", "11"))
    assert told(EventRecord(1, Marked("x", 1))) == told(EventRecord(2, Marked("x", 1), "ff"))
    assert told(EventRecord(1, Marked("x", 1))) != told(EventRecord(1, Marked("x", 2)))


@pytest.mark.parametrize(("other", "place"), [("abc", 3), ("abd", 2), ("ab", 2), ("abcd", 3), ("", 0), ("xbc", 0)])
def test_two_lists_part_where_they_first_differ_or_the_shorter_ends(other: str, place: int) -> None:
    cells = {"a": 0, "b": 1, "c": 2, "d": 3, "x": 4}
    assert parting(*(numbered(*(Mark(cells[each]) for each in word)) for word in ("abc", other))) == place


def test_games_are_compared_phase_by_phase() -> None:
    ours = numbered(*USUAL, TurnBegan(2), PhaseBegan("move"), Mark(3), Marked("x", 3))
    theirs = numbered(*USUAL, PhaseBegan("fire"), Marked("x", 7), TurnBegan(2), PhaseBegan("move"), Mark(4))
    found = sections(ours, theirs)
    assert [(each.turn, each.phase, each.a, each.b, each.is_same) for each in found] == [
        (1, "", 1, 1, True),
        (1, "move", 5, 5, True),  # its seal is of the phase that ended
        (1, "fire", 0, 2, False),
        (2, "", 1, 1, True),
        (2, "move", 3, 2, False),
    ]
    assert (found[2].first_a, found[2].first_b) == (None, theirs[6])
    assert (found[4].first_a, found[4].first_b) == (ours[8], theirs[10])
    longer = sections(ours, ours[:-1])[-1]
    assert (longer.first_a, longer.first_b, longer.is_same) == (ours[-1], None, False)
    assert Section(1, "", 1, 1, None, ours[0]).is_same is False
    undone = [*ours, UndoRecord(11, "x", 9)]
    assert sections(undone, ours[:8]) == sections(ours[:8], ours[:8])


def test_what_is_between_two_phases_is_of_none() -> None:
    records = numbered(TurnBegan(1), SEAL, *USUAL[1:], Marked("o", 5))
    found = [(each.phase, each.a) for each in sections(records, records)]
    assert found == [("", 3), ("move", 5)]  # the first seal follows no phase, the last mark is in none


def test_rolls_are_compared_by_label() -> None:
    ours = numbered(*(RollRecord(0, label, 6, dice) for label, dice in (("a", (1,)), ("b", (2,)), ("c", (3,)))))
    theirs = numbered(
        *(RollRecord(0, label, 6, dice) for label, dice in (("a", (1,)), ("b", (5,)), ("d", (3,)), ("e", ())))
    )
    assert rolls(ours, theirs) == Rolls(same=1, changed=("b",), gone=1, new=2)
    assert rolls(theirs, ours) == Rolls(same=1, changed=("b",), gone=2, new=1)
    assert rolls([*ours, UndoRecord(4, "x", 2)], theirs) == Rolls(same=1, changed=(), gone=0, new=3)


def test_of_two_states_forty_fields_are_told_at_most() -> None:
    assert states(Board(cells=[""]), Board(cells=[""])) == []
    assert states(Board(cells=["", "x"]), Board(cells=["o", "x"], to_move="o")) == [
        ("cells[0]", '""', '"o"'),
        ("to_move", '"x"', '"o"'),
    ]
    many: State = Board(cells=["x"] * 60)
    assert [where for where, _, _ in states(Board(cells=["o"] * 60), many)] == [f"cells[{each}]" for each in range(40)]
    assert compare.MOST_FIELDS == 40


# --- diff ---


def log_of(recorded: Recorded, name: str) -> Log:
    return parse_log(recorded.data, name)


def test_two_games_are_told_apart_in_words_by_phase_and_by_outcome(record: Play, rulesets: Rulesets) -> None:
    one, other = record("a", ruleset="toy"), record("b", ruleset="toy")
    found = diff_logs(log_of(one, "a"), log_of(other, "b"), rulesets)
    pairs = zip(chain_in(one.data)[1:], chain_in(other.data)[1:], strict=False)
    first = next(n for n, (a, b) in enumerate(pairs, 1) if a.partition(b',"hash"')[0] != b.partition(b',"hash"')[0])
    assert (found.record, found.a, found.b, found.note) == (first, "a", "b", "")
    assert found.outcomes == tuple(each.game.state.outcome for each in (one, other))
    assert [each.is_same for each in found.sections] == [False] * len(found.sections) != []
    left, right = (each.game.records[first - 1] for each in (one, other))
    assert type(left) is type(right) is OrderRecord
    assert found.told[0].startswith(f'{left.by}: {{"type":"LayAmbush","space":{left.order.space}')
    assert FieldDifference("order.space", str(left.order.space), str(right.order.space)) in found.in_record
    assert (found.turn, found.phase) == (0, "ambush")


def test_a_record_is_told_as_the_ruleset_tells_it_or_by_event_or_kind(record: Play, rulesets: Rulesets) -> None:
    prepared = rulesets.load("toy").prepare()
    records = record(ruleset="toy").game.records
    front = next(each for each in records if type(getattr(each, "event", None)).__name__ == "FrontMoved")
    assert diff._sentence(prepared, records, front.n) == f"The front moves to space {front.event.front}."
    assert diff._sentence(prepared, records, len(records)) == "CloseRecord"
    assert diff._sentence(prepared, records, len(records) + 1) == "nothing: it ends before"
    long = EventRecord(1, PhaseBegan("x" * 300))
    text = json.encode(long.event).decode()
    assert diff._told(prepared, long) == f"{text[:200]}… ({len(text)} letters)"
    assert diff._told(prepared, EventRecord(1, TurnBegan(4))) == '{"type":"TurnBegan","turn":4,"rule":""}'
    assert [diff._outcome(each) for each in (records, records[:-1], [])] == [records[-1].outcome, "", ""]


def test_a_game_and_its_beginning_part_where_that_ends(record: Play, game: Recorded, rulesets: Rulesets) -> None:
    whole, part = log_of(game, "whole"), parse_log(cut_after(game.data, 7), "part")
    for a, b, place in ((whole, part, 0), (part, whole, 1)):
        found = diff_logs(a, b, rulesets)
        assert (found.record, found.note, found.in_record) == (8, "part ends after record 7", ())
        assert found.told[1 - place] == "nothing: it ends before"
        assert found.told[place] != "nothing: it ends before"
        assert found.outcomes == ((game.game.state.outcome, "") if place == 0 else ("", game.game.state.outcome))


def test_fields_that_differ_are_two_hundred_at_most() -> None:
    one, other = ({str(each): value for each in range(250)} for value in (1, 2))
    assert len(diff._fields(one, other)) == 200
    assert diff._fields({"a": 1}, {"a": 2}) == (FieldDifference("a", "1", "2"),)
    assert diff._fields(one, one) == ()


def test_a_log_of_another_version_is_read_and_that_is_said(record: Play, rulesets: Rulesets) -> None:
    one, other = log_of(record("a"), "a"), log_of(record("b"), "b")
    one.header = structs.replace(one.header, ruleset_version="7")
    found = diff_logs(one, other, rulesets)
    assert found.note == "a: was played with tictactoe 7; version 1 reads it here"
    assert found.in_record
    part = parse_log(cut_after(record("a").data, 6), "part")
    part.header = one.header
    assert diff_logs(part, log_of(record("a"), "a"), rulesets).note.startswith(
        "part ends after record 6; part: was played"
    )


def test_what_cannot_be_compared_is_noted(record: Play, rulesets: Rulesets) -> None:
    one, other = log_of(record("a"), "a"), log_of(record("b"), "b")
    other.lines[-1] = other.lines[-1].replace(b'"kind":"close"', b'"kind":"party"')
    found = diff_logs(one, other, rulesets)
    assert found.record is not None
    assert found.note.startswith(
        f"the states cannot be compared: b: line {len(other.lines)}: is no record of tictactoe"
    )
    one.header = structs.replace(one.header, ruleset="nowhere")
    assert diff_logs(one, other, rulesets).note.startswith("what they show cannot be compared: ")


def test_slices_are_compared_by_what_they_show(record: Play, rulesets: Rulesets) -> None:
    prepared = rulesets.load("toy").prepare()
    whole, other = log_of(record("a", ruleset="toy"), "whole"), log_of(record("b", ruleset="toy"), "other")
    north, south = (parse_log(slice_log(whole, prepared, side), side) for side in ("north", "south"))
    same = diff_logs(north, south, rulesets)
    shows = f"shows {whole.records - count_closed(north, prepared.ruleset)} of {whole.records} records whole"
    assert (same.record, same.note) == (
        None,
        f"north, the slice of north, {shows}; south, the slice of south, {shows}",
    )
    found = diff_logs(north, other, rulesets)
    assert found.record is not None
    assert found.note == f"north, the slice of north, {shows}"
    assert found.told[0] == "closed in this file, or missing" or found.told[0] != found.told[1]
    assert found.state == ()
    assert found.outcomes == (whole_outcome(whole), whole_outcome(other))
    assert found.sections
    first = record("a", ruleset="toy").game.records[found.record - 1]
    assert (found.told[0] == "closed in this file, or missing") == (getattr(first, "by", "north") != "north")
    back = diff_logs(other, south, rulesets)
    assert back.record == found.record
    assert (back.turn, back.phase) == (found.turn, found.phase) == (0, "ambush")
    part = parse_log(cut_after(whole.data, 9), "part")
    ends = diff_logs(north, part, rulesets)
    assert (ends.record, ends.told[1]) == (10, "closed in this file, or missing")


def whole_outcome(log: Log) -> str:
    outcome: str = tables_of(log.data)[-1]["outcome"]
    return outcome


# --- trees ---


def test_logs_are_a_tree_that_parts_where_they_do(game: Recorded, prepared: Prepared) -> None:
    data = game.data
    lines = tables_of(data)
    elsewhere = [*lines[:6], {**lines[6], "event": {**lines[6]["event"], "cell": 8}}, *lines[7:]]
    names = {
        "whole": data,
        "again": data,
        "part": cut_after(data, 3),
        "way": rechained(elsewhere),
        "short": rechained(elsewhere[:8]),
    }
    logs = {name: parse_log(each, name) for name, each in names.items()}
    alone = tree_of([logs["whole"]])
    assert (alone.logs, alone.since, alone.record, alone.ways) == (("whole",), 1, logs["whole"].records + 1, ())
    assert alone.first.startswith('event {"event":{"type":"TurnBegan"')
    twice = tree_of([logs["whole"], logs["again"]])
    assert (twice.logs, twice.record, twice.ways) == (("whole", "again"), logs["whole"].records + 1, ())
    tree = tree_of(list(logs.values()))
    assert (tree.logs, tree.since, tree.record) == (tuple(names), 1, 4)
    rest, ended = tree.ways
    assert (ended.logs, ended.since, ended.record, ended.first) == (("part",), 4, 4, "")
    assert (rest.logs, rest.since, rest.record) == (("whole", "again", "way", "short"), 4, 6)
    same, other = rest.ways
    assert (same.logs, same.since, same.record, same.ways) == (("whole", "again"), 6, logs["whole"].records + 1, ())
    assert '"cell":8' in other.first
    assert "asked" not in same.first
    assert (other.logs, other.since, other.record) == (("way", "short"), 6, 8)
    assert [(way.logs, way.since) for way in other.ways] == [(("way",), 8), (("short",), 8)]


def test_what_is_told_of_a_line_is_without_its_number_and_what_is_sealed(record: Play) -> None:
    log = log_of(record(ruleset="toy"), "log")
    first = tree_of([log]).first
    for word in ('"n":', '"hash"', '"sealed"', '"kind"'):
        assert word not in first
