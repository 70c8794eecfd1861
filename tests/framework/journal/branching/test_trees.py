"""The tree of several logs of one game."""

from collections.abc import Callable

from cutting import cut_after
from rechained import rechained, tables_of

from sandtable.journal.branching.trees import tree_of
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded
from sandtable.plugin.manager import Prepared


def log_of(recorded: Recorded, name: str) -> Log:
    return parse_log(recorded.data, name)


def test_tree_forks_where_logs_diverge(game: Recorded, prepared: Prepared) -> None:
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


def test_shown_line_omits_number_and_sealed_parts(record: Callable[..., Recorded]) -> None:
    log = log_of(record(ruleset="toy"), "log")
    first = tree_of([log]).first
    for word in ('"n":', '"hash"', '"sealed"', '"kind"'):
        assert word not in first
