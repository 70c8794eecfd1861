"""The annex of a slice: its content, refusals of wrong annexes, and its lack of effect on verdicts."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import json

from sandtable.errors import LogDamaged
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.limits import MAX_LINE
from sandtable.journal.luck.logs import read_ledger, read_ledgers
from sandtable.journal.record import Recorded
from sandtable.journal.side_view.hints import Hints, Noted, hints_in, side_file
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.plugin.manager import Prepared, Rulesets

Play = Callable[..., Recorded]


def with_annex(log: Log, toy: Prepared, side: str, *facts: dict[str, Any]) -> Log:
    """Return the slice for ``side`` with these annexes instead of the original one."""
    lines = slice_log(log, toy, side).splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"slice"' in line)
    lines[place : place + 1] = [annex_line(each) for each in facts]
    return parse_log(b"".join(lines), "slice")


def test_slice_states_activation_starts_and_questions(toy_game: Recorded, toy_log: Log, toy: Prepared) -> None:
    records, trail = toy_game.game.records, toy_game.game.trail
    for side in toy.ruleset.viewers:
        found = hints_in(parse_log(side_file(toy_log, toy, side), "slice"))
        own = [each.n for each in records if isinstance(each, OrderRecord) and each.by == side]
        assert found.slice == side
        assert sorted(map(int, found.questions)) == own
        began = {trail[each - 1].n for each in toy_game.game.boundaries}
        assert set(found.starts) <= began
        assert all(any(start < each for start in found.starts) for each in own)
    public = hints_in(parse_log(side_file(toy_log, toy, PUBLIC), "slice"))
    assert (public.slice, public.starts, public.questions) == (PUBLIC, (), {})


def test_slice_of_a_ruleset_without_secrets_is_plain(log: Log, prepared: Prepared) -> None:
    assert side_file(log, prepared, "x") == slice_log(log, prepared, "x")
    assert hints_in(log) == Hints("")


@pytest.mark.parametrize(
    "facts",
    [
        {"starts": "all"},
        {"starts": [1, -1.5]},
        {"starts": [[1]]},
        {"questions": {"1": 2}},
        {"favors": {"north": "all"}},
        {"favors": [1]},
        {"more": 1},
    ],
)
def test_annex_in_a_different_form_is_refused(facts: dict[str, Any], toy_log: Log, toy: Prepared) -> None:
    with pytest.raises(LogDamaged, match=r"^slice: the annex that names its side is not in the form of this format: "):
        hints_in(with_annex(toy_log, toy, "north", {"slice": "north", **facts}))


def test_first_of_many_annexes_counts(toy_log: Log, toy: Prepared) -> None:
    many = [{"slice": "north", "starts": [number]} for number in range(1, 2_000)]
    assert hints_in(with_annex(toy_log, toy, "north", *many)).starts == (1,)


def test_hints_that_exceed_a_line_are_left_out(monkeypatch: pytest.MonkeyPatch, toy_log: Log, toy: Prepared) -> None:
    found = Noted()
    shown = [RollRecord(1, "1/battle/x/1", 6, (1,))]
    assert found.hints("north", shown) == Hints("north")
    monkeypatch.setattr("sandtable.journal.side_view.hints.MAX_LINE", 200)
    assert hints_in(parse_log(side_file(toy_log, toy, "north"), "slice")) == Hints("north", hash=_hash(toy_log, toy))
    assert len(Hints("north").line()) < 200 < MAX_LINE


def _hash(log: Log, toy: Prepared) -> str:
    line = next(line for line in slice_log(log, toy, "north").split(b"\n") if b'"slice"' in line)
    found: str = json.decode(line)["hash"]
    return found


def test_annex_raises_no_verdict(toy_log: Log, toy: Prepared) -> None:
    lie = {"slice": "north", "starts": [1, 2, 3], "questions": {"2": "0" * 16}, "favors": {"south": [1]}}
    for facts in ({"slice": "north"}, lie):
        part = with_annex(toy_log, toy, "north", facts)
        assert verify(part, toy).verdict == "not proven"
        assert verify(part, toy, side="north").verdict == "verified so far"


def test_luck_of_a_slice_is_that_of_the_side(record: Play, rulesets: Rulesets, tmp_path: Any) -> None:
    data = record(ruleset="toy").data
    toy = rulesets.load("toy").prepare()
    (tmp_path / "whole.jsonl").write_bytes(data)
    for side in (*toy.ruleset.viewers, PUBLIC):
        part = tmp_path / f"{side}.jsonl"
        part.write_bytes(side_file(parse_log(data, "log"), toy, side))
        (whole,) = read_ledgers([tmp_path / "whole.jsonl"], rulesets, side)
        assert read_ledger(part, rulesets).entries == whole.entries


def test_stated_sides_that_do_not_exist_are_ignored(
    toy_log: Log, toy: Prepared, rulesets: Rulesets, tmp_path: Any
) -> None:
    rolls = [each.n for each in read_records(toy_log, toy.ruleset) if isinstance(each, RollRecord)]
    for facts in ({}, {"favors": {"nobody": rolls, "umpire": rolls}}, {"favors": {"north": [0, 10**18]}}):
        (tmp_path / "part.jsonl").write_bytes(with_annex(toy_log, toy, "north", {"slice": "north", **facts}).data)
        entries = read_ledger(tmp_path / "part.jsonl", rulesets).entries
        assert {each.side for each in entries} == {"north", "south"}
