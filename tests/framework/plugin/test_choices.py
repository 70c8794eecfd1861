"""Values of a scenario that depend on an option."""

from typing import Any

import pytest

from sandtable.files.document import Problems
from sandtable.plugin.manifest import Option
from sandtable.plugin.scenarios import chosen

OPTIONS = {"calendar": "long", "edge": "west"}


def taken(value: Any) -> tuple[Any, list[str]]:
    """Return what is taken of a value, and what is noted."""
    problems = Problems("mine.toml")
    return chosen(value, "scenario", OPTIONS, problems), [str(each) for each in problems.found]


@pytest.mark.parametrize("plain", [3, "x", True, None, [1, [2]], {"a": {"b": [1]}}, {}, []])
def test_what_depends_on_nothing_is_taken_as_it_is(plain: Any) -> None:
    assert taken(plain) == (plain, [])


def test_the_value_of_the_chosen_token_is_taken_wherever_it_stands() -> None:
    turns = {"by_option": "calendar", "short": 12, "long": 13}
    assert taken({"turns": turns, "rows": [{"at": turns}, 1]}) == ({"turns": 13, "rows": [{"at": 13}, 1]}, [])


def test_a_choice_may_stand_within_a_choice() -> None:
    inner = {"by_option": "edge", "west": [1], "east": [2]}
    assert taken({"by_option": "calendar", "short": 0, "long": {"exits": inner}}) == ({"exits": [1]}, [])


def test_a_token_that_an_option_does_not_have_is_noted_where_options_are_known() -> None:
    known = [Option("calendar", ("short", "long"), ""), Option("most", ("1",), "", number=True)]
    problems = Problems("mine.toml")
    value = [{"by_option": "calendar", "short": 1, "long": 2, "longer": 3}, {"by_option": "most", "1": 1, "20": 4}]
    assert chosen(value, "turns", OPTIONS | {"most": "20"}, problems, known) == [2, 4]
    told = "mine.toml: turns[0].longer: is no choice of calendar; it has short, long"
    assert [str(each) for each in problems.found] == [told]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"by_option": "weather", "rain": 1}, "by_option: is 'weather', which is no option of the game"),
        ({"by_option": "calendar", "short": 1}, "by_option: nothing is given for calendar = long; add long = .."),
        ({"by_option": 3}, "by_option: is 3; write text"),
    ],
)
def test_what_cannot_be_chosen_is_noted_by_key(table: Any, told: str) -> None:
    value, noted = taken({"turns": [table]})
    assert value == {"turns": [None]}
    assert noted[0].startswith("mine.toml: scenario.turns[0].")
    assert told in noted[0]
