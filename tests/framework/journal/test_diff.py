"""The first difference between two logs: in words, by phase and by outcome."""

from collections.abc import Callable

from cutting import chain_in, cut_after
from msgspec import json, structs
from rechained import tables_of

from sandtable.journal import diff
from sandtable.journal.diff import FieldDifference, diff_logs
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import parted
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import count_closed, slice_log
from sandtable.kernel.events import PhaseBegan, TurnBegan
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets

Play = Callable[..., Recorded]


def log_of(recorded: Recorded, name: str) -> Log:
    return parse_log(recorded.data, name)


def test_two_games_are_compared_by_record_phase_and_outcome(record: Play, rulesets: Rulesets) -> None:
    one, other = record("a", ruleset="toy"), record("b", ruleset="toy")
    found = diff_logs(log_of(one, "a"), log_of(other, "b"), rulesets)
    pairs = zip(chain_in(one.data)[1:], chain_in(other.data)[1:], strict=False)
    first = next(n for n, (a, b) in enumerate(pairs, 1) if parted(a[:-1])[0] != parted(b[:-1])[0])
    assert (found.record, found.a, found.b, found.note) == (first, "a", "b", "")
    assert found.outcomes == tuple(each.game.state.outcome for each in (one, other))
    assert [each.is_same for each in found.sections] == [False] * len(found.sections) != []
    left, right = (each.game.records[first - 1] for each in (one, other))
    assert type(left) is type(right) is OrderRecord
    assert found.told[0].startswith(f'{left.by}: {{"type":"LayAmbush","space":{left.order.space}')
    assert FieldDifference("order.space", str(left.order.space), str(right.order.space)) in found.in_record
    assert (found.turn, found.phase) == (0, "ambush")
    assert "commitment" in {field.field for field in found.header}
    again = diff_logs(log_of(one, "a"), log_of(one, "again"), rulesets)
    assert (again.record, again.header) == (None, ())


def test_record_is_narrated_or_shown_by_content_or_type(record: Play, toy: Prepared) -> None:
    records = record(ruleset="toy").game.records
    front = next(each for each in records if type(getattr(each, "event", None)).__name__ == "FrontMoved")
    assert diff._sentence(toy, records, front.n) == f"The front moves to space {front.event.front}."
    assert diff._sentence(toy, records, len(records)) == "CloseRecord"
    assert diff._sentence(toy, records, len(records) + 1) == "nothing: the game ends before"
    long = EventRecord(1, PhaseBegan("x" * 300))
    text = json.encode(long.event).decode()
    assert diff._in_words(toy, long) == f"{text[:200]}… ({len(text)} characters)"
    assert diff._in_words(toy, EventRecord(1, TurnBegan(4))) == '{"type":"TurnBegan","turn":4,"rule":""}'
    assert [diff._outcome(each) for each in (records, records[:-1], [])] == [records[-1].outcome, "", ""]


def test_game_and_its_truncated_log_differ_where_the_log_ends(record: Play, game: Recorded, rulesets: Rulesets) -> None:
    whole, part = log_of(game, "whole"), parse_log(cut_after(game.data, 7), "part")
    for a, b, place in ((whole, part, 0), (part, whole, 1)):
        found = diff_logs(a, b, rulesets)
        assert (found.record, found.note, found.in_record) == (8, "part ends after record 7", ())
        assert found.told[1 - place] == "nothing: the game ends before"
        assert found.told[place] != "nothing: the game ends before"
        assert found.outcomes == ((game.game.state.outcome, "") if place == 0 else ("", game.game.state.outcome))


def test_at_most_200_differing_fields_are_listed() -> None:
    one, other = ({str(each): value for each in range(250)} for value in (1, 2))
    assert len(diff._fields(one, other)) == 200
    assert diff._fields({"a": 1}, {"a": 2}) == (FieldDifference("a", "1", "2"),)
    assert diff._fields(one, one) == ()


def test_log_of_another_version_is_compared_with_a_note(record: Play, rulesets: Rulesets) -> None:
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


def test_failed_comparison_is_noted(record: Play, rulesets: Rulesets) -> None:
    one, other = log_of(record("a"), "a"), log_of(record("b"), "b")
    other.lines[-1] = other.lines[-1].replace(b'"kind":"close"', b'"kind":"party"')
    found = diff_logs(one, other, rulesets)
    assert found.record is not None
    assert found.note.startswith(
        f"the states cannot be compared: b: line {len(other.lines)}: is not a record of tictactoe"
    )
    one.header = structs.replace(one.header, ruleset="nowhere")
    assert diff_logs(one, other, rulesets).note.startswith("their records cannot be compared: ")


def test_slices_are_compared_by_shown_records(record: Play, toy: Prepared, rulesets: Rulesets) -> None:
    whole, other = log_of(record("a", ruleset="toy"), "whole"), log_of(record("b", ruleset="toy"), "other")
    north, south = (parse_log(slice_log(whole, toy, side), side) for side in ("north", "south"))
    same = diff_logs(north, south, rulesets)
    counts = [whole.records - count_closed(each, toy.ruleset) for each in (north, south)]
    shows, its = (f"shows {count} of {whole.records} records fully" for count in counts)
    assert (same.record, same.note) == (None, f"north, the slice of north, {shows}; south, the slice of south, {its}")
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
