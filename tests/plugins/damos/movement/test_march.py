"""Random orders: each listed value is drawn, no other value is, and a whole force as often as its parts."""

from collections import Counter
from typing import Any

import pytest
from tests.plugins.damos.cases import Case, activate, parts
from tests.plugins.damos.conftest import Lay

from damos.model import orders
from damos.movement.march import SomeUnits
from damos.turn.reinforcement import Shares
from damos.turn.setup import HexSheet
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, Refusal


def key(value: Any) -> Any:
    return (
        tuple(sorted(value.items())) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value
    )


def drawn(space: Any, times: int = 300) -> Counter[Any]:
    """Return the values that are drawn, by number, from fixed streams."""
    return Counter(key(space.sample(Stream(number.to_bytes(2, "big")))) for number in range(times))


def all_drawn(space: Any, times: int = 300) -> Counter[Any]:
    """Draw, and assert that exactly the listed values come up."""
    found = drawn(space, times)
    assert set(found) == {key(each) for each in space.values()}
    return found


def form(case: Case, order: type[Any]) -> Form:
    """Return the form of an order of the pending decision."""
    return next(each for each in parts(case.pending.options) if isinstance(each, Form) and each.order is order)


def assert_empty(space: Any) -> None:
    assert list(space.values()) == []
    with pytest.raises(ValueError, match=r"no choice|no set-up"):
        space.sample(Stream(b"x"))


# --- forces ---


@pytest.mark.rule("DM-7.0a", "DM-7.0d", "DM-2.6c")
def test_sampling_returns_every_force_that_can_activate(lay: Lay) -> None:
    both = all_drawn(form(lay("2816 A1:7 I1:6"), orders.Activate).fields["units"])
    assert 0.55 < both["A1", "I1"] / (300 - both["A99",]) < 0.8  # half of the time, plus one third of the rest
    case = lay("2816 A1:7 I1:6 I2:5!; 2918 I3:6 I4:6~")
    space = form(case, orders.Activate).fields["units"]
    found = all_drawn(space)
    assert ("A1", "I1") in found
    assert not any({"I4"} & {*force} or {"A1", "I2"} <= {*force} for force in found)
    assert found["I3",] + found["A99",] > 150  # each stack has the same probability


def test_all_or_some_units_of_a_stack_are_drawn() -> None:
    space = SomeUnits(["a", "b", "c"], "DM-7.0n")
    found = all_drawn(space)
    assert 0.5 < found["a", "b", "c"] / 300 < 0.65  # half of the time, plus one seventh of the rest
    pairs = SomeUnits(["a", "b", "c"], "DM-7.0n", lambda units: Refusal("X", "no") if len(units) != 2 else None)
    assert set(all_drawn(pairs, 60)) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert set(all_drawn(SomeUnits(["a", "b", "c"], "DM-7.0p", most=1), 60)) == {("a",), ("b",), ("c",)}
    assert_empty(SomeUnits([], "DM-7.0n"))
    assert_empty(SomeUnits(["a"], "DM-7.0n", lambda _: Refusal("X", "no")))


@pytest.mark.rule("DM-7.0j", "DM-7.0p")
def test_each_hex_that_can_be_entered_is_drawn(lay: Lay) -> None:
    case = lay("2816 A1:7 I1:6; 2814 i1:5").go(activate("A1 I1"))
    assert len(all_drawn(form(case, orders.Step).fields["hex"])) == 6
    left = all_drawn(form(case, orders.DropOff).fields["units"], 60)
    assert set(left) == {("A1",), ("I1",)}


@pytest.mark.rule("DM-6.0a", "DM-6.0b", "DM-6.0d", "DM-2.6a")
def test_each_force_that_can_move_strategically_is_drawn(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:5 I3:4~; 2817 I4:3; 2816 i1:5", phase="strategic")
    space = form(case, orders.MoveStrategically).fields["units"]
    found = all_drawn(space)
    assert set(found) == {("I1",), ("I2",), ("I1", "I2"), ("I4",), ("A99",)}
    assert found["I1", "I2"] > 50  # all units as often as some


# --- points ---


@pytest.mark.rule("DM-5.0b", "DM-5.0c", "R-DM-08")
@pytest.mark.parametrize("option", ["any_sp_up_to_printed", "full_only"])
def test_each_share_of_replacement_points_is_drawn(lay: Lay, option: str) -> None:
    units = "2820 I1:4/6; eliminated I5:0/3"
    case = lay(german=units, phase="reinforcement", replacements={"german": 3}, rebuild_eliminated=option)
    space = Shares.of(case.state, "german")
    assert not space.is_empty()
    assert space.stock == 5  # two more have arrived
    found = all_drawn(space, 600)
    assert 0.54 < found[("I1", 2), ("I5", 3)] / 600 < 0.66  # half of the time, plus one fifth of the rest
    case.end()
    case = lay("2820 I1:6/6", phase="reinforcement", replacements={"german": 3})
    space = Shares.of(case.state, "german")
    assert space.is_empty()
    assert_empty(space)


# --- sheets ---


@pytest.mark.rule("AGC-6.0b", "DM-2.3a", "AGC-4.9a")
def test_each_assignment_of_units_to_hexes_is_drawn(lay: Lay) -> None:
    state = lay("2820 I1:6 I2:5; pool I3:5 I4:4 I5:3", side="german").state
    free = HexSheet.of(state, ["I3", "I4"], ["2820", "2821"], "AGC-4.9a")
    assert len(all_drawn(free, 400)) == 9
    must = HexSheet.of(state, ["I3", "I4", "I5"], ["2820", "2821", "2822"], "AGC-6.0a", ("2821", "2822"))
    found = all_drawn(must, 400)
    assert all(len(table) == 3 and {"2821", "2822"} <= {hex_ for _, hex_ in table} for table in found)
    crowded = HexSheet.of(state, ["I3", "I4", "I5"], ["2820"], "AGC-6.0a", ())
    assert_empty(crowded)
