"""Paths: lists, limits, and routes that lead nowhere."""

from typing import Any

import pytest
from specimens import path_space

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Path, Refusal


def test_a_path_goes_no_further_than_the_longest_and_leads_on_where_it_may_end_there() -> None:
    assert list(path_space(longest=2).values()) == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "d", "c"]]
    assert [path_space(longest=steps).leads_on(["a", "d"]) for steps in (1, 2)] == [False, True]
    assert path_space().leads_on(["a", "b"])
    assert [path_space(longest=steps).why_not(["a", "d", "c"]) is None for steps in (1, 2)] == [False, True]


def test_from_a_blind_alley_chance_comes_back() -> None:
    """Of the two ways on from a, the one to d may not end and leads nowhere."""
    space = Path("a", lambda path: ["d", "b"] if path == ["a"] else [], lambda _: None, _not_in_d, 3)
    assert {tuple(space.sample(Stream(b"%d" % key))) for key in range(30)} == {("a", "b")}


def _not_in_d(path: Any) -> Refusal | None:
    return None if path[-1] == "b" else Refusal("P-3", "go on")


def test_paths_start_in_the_named_space() -> None:
    assert next(iter(path_space("d").values())) == ["d", "c"]


def test_a_path_that_leads_nowhere_is_an_empty_space() -> None:
    space = Path("d", lambda path: [], lambda path: None, lambda path: Refusal("P-3", "not here"), 2)
    assert space.is_empty()
    with pytest.raises(ValueError, match="no path"):
        space.sample(Stream(b"x"))
