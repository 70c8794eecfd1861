"""Control of spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.control import (
    contested_spaces,
    control_changes,
    controller,
    count_spaces,
    find_control_problems,
    spaces_of,
    take_over,
    value_of,
)
from sandtable.errors import RulesetError

SPACES = ["TRI", "BEN", "TOB", "ALX"]
POWERS = ["Italy", "Germany", "United Kingdom"]

control_states = st.dictionaries(st.sampled_from(SPACES), st.sampled_from(POWERS))


def opening() -> dict[str, str]:
    return {"TRI": "Italy", "TOB": "Germany", "BEN": "Germany", "ALX": "United Kingdom"}


@pytest.mark.parametrize("power", ["United Kingdom", "Germany"])
def test_take_over_returns_the_previous_controller(power: str) -> None:
    control = opening()
    assert take_over(control, "TOB", power) == "Germany"
    assert control == {**opening(), "TOB": power}
    assert controller(control, "TOB") == power


def test_space_without_a_controller_is_refused() -> None:
    control = opening()
    problem = "space 'TOBRUK' has no controller; give it one when the game is set up"
    with pytest.raises(RulesetError, match=problem):
        take_over(control, "TOBRUK", "Italy")
    with pytest.raises(RulesetError, match=problem):
        controller(control, "TOBRUK")
    assert control == opening()


def test_spaces_of_a_side_are_listed_power_by_power() -> None:
    assert spaces_of(opening(), "Germany") == ("BEN", "TOB")
    assert spaces_of(opening(), "Italy", "Germany") == ("BEN", "TOB", "TRI")
    assert spaces_of(opening(), "France") == spaces_of(opening()) == ()


def test_the_income_of_a_power_is_the_value_of_its_spaces() -> None:
    values = {"TRI": 5, "BEN": 4, "TOB": 3}
    assert value_of(opening(), values, "Germany") == 7
    assert value_of(opening(), values, "Italy", "Germany") == 12
    assert value_of(opening(), values, "United Kingdom") == 0


@given(control_states, st.dictionaries(st.sampled_from(SPACES), st.integers(0, 9)))
def test_spaces_of_all_powers_sum_to_the_whole_map(control: dict[str, str], values: dict[str, int]) -> None:
    assert sum(value_of(control, values, power) for power in POWERS) == sum(values.get(space, 0) for space in control)
    assert sorted(space for power in POWERS for space in spaces_of(control, power)) == sorted(control)
    assert sum(count_spaces(control).values()) == len(control)


def test_spaces_are_counted_by_controller() -> None:
    counts = count_spaces(opening())
    assert list(counts.items()) == [("Germany", 2), ("Italy", 1), ("United Kingdom", 1)]


def test_space_with_units_of_two_sides_is_contested() -> None:
    present = {
        "TOB": ["Axis", "Allies"],
        "BEN": ["Axis"],
        "ALX": [],
        "BDI": ["Allies", "Axis"],
        "TRI": ["Axis", "Axis"],
    }
    assert contested_spaces(present) == ("BDI", "TOB")


@given(control_states, control_states)
def test_the_changes_lead_from_one_state_to_the_other(before: dict[str, str], after: dict[str, str]) -> None:
    changes = control_changes(before, after)
    rebuilt = dict(before)
    for space, old, new in changes:
        assert rebuilt.pop(space, "") == old != new
        if new:
            rebuilt[space] = new
    assert rebuilt == after
    assert [space for space, _, _ in changes] == sorted(space for space, _, _ in changes)


def test_a_set_up_gives_each_space_one_known_controller() -> None:
    assert find_control_problems(opening(), SPACES, POWERS) == []
    wrong = {"TRI": "Italy", "TOB": "Prussia", "BEN": "Germany", "TOBRUK": "Italy"}
    assert find_control_problems(wrong, SPACES, POWERS) == [
        "ALX: no controller; give it to one of Germany, Italy, United Kingdom",
        "TOB: controlled by 'Prussia'; known are Germany, Italy, United Kingdom",
        "TOBRUK: is not a space of the map; correct or remove the id",
    ]
