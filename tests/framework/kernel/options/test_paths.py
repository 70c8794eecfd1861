"""Paths: lists, limits, and dead ends."""

from typing import Any

import pytest
from specimens import path_space

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Path, Refusal


def test_path_stops_at_its_maximum_length() -> None:
    assert list(path_space(longest=2).values()) == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "d", "c"]]
    assert [path_space(longest=steps).leads_on(["a", "d"]) for steps in (1, 2)] == [False, True]
    assert path_space().leads_on(["a", "b"])
    assert [path_space(longest=steps).why_not(["a", "d", "c"]) is None for steps in (1, 2)] == [False, True]


def test_path_sample_returns_from_a_dead_end() -> None:
    """There are two steps from a. The one to d may not end and cannot continue."""
    space = Path("a", lambda path: ["d", "b"] if path == ["a"] else [], lambda _: None, _not_in_d, 3)
    assert {tuple(space.sample(Stream(b"%d" % key))) for key in range(30)} == {("a", "b")}


def _not_in_d(path: Any) -> Refusal | None:
    return None if path[-1] == "b" else Refusal("P-3", "go on")


def test_paths_begin_with_the_start() -> None:
    assert next(iter(path_space("d").values())) == ["d", "c"]


def test_path_without_a_legal_end_is_empty() -> None:
    space = Path("d", lambda path: [], lambda path: None, lambda path: Refusal("P-3", "not here"), 2)
    assert space.is_empty()
    with pytest.raises(ValueError, match="no path"):
        space.sample(Stream(b"x"))
