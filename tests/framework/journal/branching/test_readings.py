"""Games played again with other interpretations of a ruling."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from originals import original_of

from sandtable.errors import PlayError
from sandtable.journal.branching.branch import Original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.readings import Reading, other_readings, try_readings
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Option


@pytest.mark.full
def test_interpretations_show_whether_a_ruling_mattered(frontier: Original) -> None:
    """DAA-R16, the retreating side, matters at the first retreat; DAA-R08 moves the bonus before the first turn."""
    found = {(each.option, each.value): each for each in try_readings(frontier, "DAA-R16")}
    assert {each.ruling for each in found.values()} == {"DAA-R16"}
    mattered = found["retreat_rule", "own_origin"]
    assert mattered.record is not None
    assert getattr(frontier.records[mattered.record - 1], "rule", True)
    every = list(try_readings(frontier))
    assert any(each.record is None and not each.problem for each in every)
    assert not [each for each in every if each.problem]


def test_other_interpretations_are_all_values_of_a_rulings_options() -> None:
    options = (Option("a", ("1", "2"), "?", "X-R1"), Option("b", ("3", "4", "5"), "?", "X-R2"))
    pairs = [(option.name, value) for option, value in other_readings(options)]
    assert pairs == [("a", "1"), ("a", "2"), ("b", "3"), ("b", "4"), ("b", "5")]
    assert [(option.name, value) for option, value in other_readings(options, "X-R2")] == pairs[2:]
    assert other_readings(options, "X-R9") == []


def test_every_other_interpretation_has_a_result(record: Callable[..., Recorded], toy: Prepared) -> None:
    """TOY-3a: if a tie pushes the front back, the game differs from the first tie away from the middle."""
    for seed in "abc":
        of = original_of(parse_log(record(seed, ruleset="toy").data, "log"), toy)
        (found,) = try_readings(of)
        assert (found.option, found.ruling, found.value, found.problem) == ("tie", "TOY-3a", "fall_back", "")
        moved = [each for each in of.records if getattr(getattr(each, "event", None), "rule", "") == "TOY-3a"]
        away = next((each.n for each in moved if each.event.front != 3), None)
        assert found.record == away
        whole = away is None or not found.question
        assert (found.outcome != "") == whole
        assert found.question == "" or found.question.endswith(": commit troops")
    assert list(try_readings(of, "TOY-9")) == []


def test_failed_interpretation_is_reported_and_the_next_is_run(
    toy_log: Log, toy: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = original_of(toy_log, toy)
    options = (Option("tie", ("stay", "fall_back", "never"), "?", "TOY-3a"),)
    of.prepared = SimpleNamespace(  # type: ignore[assignment]  # only its options are read
        installed=SimpleNamespace(manifest=SimpleNamespace(options=options))
    )

    def fails(of: Original, changes: Changes) -> Any:
        raise PlayError(f"cannot be read as {changes.readings['tie']}")

    monkeypatch.setattr("sandtable.journal.branching.readings.branch", fails)
    assert list(try_readings(of)) == [
        Reading("tie", "TOY-3a", value, None, problem=f"cannot be read as {value}") for value in ("fall_back", "never")
    ]
