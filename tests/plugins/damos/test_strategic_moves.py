"""Strategic movement, 6.0: how far, by which ways, and along which railways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from damos.model import events
from damos.model.orders import Activate, MoveStrategically

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay

from tests.plugins.damos.cases import ids

# --- strategic movement ---


def strategic(units: str, path: str) -> MoveStrategically:
    return MoveStrategically(ids(units), path.split())


def long_way(number: int, start: int = 22, row: int = 26) -> str:
    """Return a path of so many hexes westwards or, if less than 0, eastwards."""
    sign = 1 if number > 0 else -1
    return " ".join(f"{row}{start + sign * each:02}" for each in range(abs(number) + 1))


@pytest.mark.rule("DM-6.0a", "DM-6.0b", "DM-6.0h", "DM-2.2d")
@pytest.mark.parametrize(("unit", "hexes"), [("I1", 8), ("A1", 12), ("C1", 10)])
def test_strategic_movement_doubles_the_allowance(lay: Lay, unit: str, hexes: int) -> None:
    case = lay(german=f"2616 {unit}:6", phase="strategic")
    assert case.allows(strategic(unit, long_way(hexes, 16)))
    assert not case.allows(strategic(unit, long_way(hexes + 1, 16)))
    case.submit(strategic(unit, long_way(hexes, 16)))
    moved = case.one(events.ForceMovedStrategically)
    assert moved.halves == 2 * hexes
    assert case.spent(unit) == [True]
    assert case.at(unit) == f"26{16 + hexes}"


@pytest.mark.rule("DM-6.0h", "DM-7.0a")
def test_who_moved_strategically_does_not_activate(lay: Lay) -> None:
    case = lay(german="2618 I1:6", phase="strategic").submit(strategic("I1", "2618 2619"))
    assert not case.allows(strategic("I1", "2619 2620"))
    case.to_phase("german.operations")
    assert not case.allows(Activate(["I1"]))


@pytest.mark.rule("DM-6.0a")
@pytest.mark.parametrize(("unit", "row", "may"), [("I1:6", 28, True), ("I1:6~", 28, False), ("I1:6", 33, False)])
def test_only_a_fresh_force_in_supply(lay: Lay, unit: str, row: int, may: bool) -> None:
    case = lay(german=f"{row}20 {unit}", phase="strategic", dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    assert case.allows(strategic("I1", f"{row}20 {row}21")) == may


@pytest.mark.rule("DM-6.0c")
def test_only_through_friendly_hexes(lay: Lay) -> None:
    case = lay(german="2618 I1:6", phase="strategic", control={"soviet": "2619"}, dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    assert not case.allows(strategic("I1", "2618 2619 2620"))
    assert case.allows(strategic("I1", "2618 2718 2719"))
    assert case.why_not(strategic("I1", "2618 2619 2620")) == "DM-6.0c"


@pytest.mark.rule("DM-6.0d")
@pytest.mark.parametrize("unit", ["i1:6", "i1:6!", "a1:6"])
def test_not_into_a_hex_beside_an_enemy(lay: Lay, unit: str) -> None:
    case = lay(
        german="2620 I1:6", soviet=f"2614 {unit}", phase="strategic", control={"german": "2615"}, dice={"rail": "*"}
    )
    case.until(lambda case: case.asks(MoveStrategically))
    assert case.allows(strategic("I1", "2620 2619 2618 2617 2616"))
    assert not case.allows(strategic("I1", "2620 2619 2618 2617 2616 2615"))


@pytest.mark.rule("R-DM-33", "DM-6.0d")
@pytest.mark.parametrize(("option", "may"), [("allowed", True), ("forbidden", False)])
def test_beginning_beside_an_enemy(lay: Lay, option: str, may: bool) -> None:
    case = lay(german="2816 I1:6", soviet="2815 i1:6", phase="strategic", sm_start_adjacent=option, dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    assert case.allows(strategic("I1", "2816 2817 2818")) == may


@pytest.mark.rule("DM-6.0e", "R-DM-34", "DM-3.0a")
@pytest.mark.parametrize(
    ("option", "side", "start", "sign", "halves"),
    [
        ("own_gauge_only", "german", 16, 1, 1),
        ("own_gauge_only", "soviet", 15, -1, 1),
        ("any_rail", "german", 16, 1, 1),
    ],
)
def test_railways_are_cheap(lay: Lay, option: str, side: str, start: int, sign: int, halves: int) -> None:
    case = lay(german="2816 I1:6", soviet="2711 i9:1; 2815 i1:6" if side == "soviet" else "", side=side)
    case = lay(
        german="2816 I1:6" if side == "german" else "",
        soviet="2815 i1:6" if side == "soviet" else "",
        side=side,
        phase="strategic",
        sm_rail=option,
        dice={"rail": "*"},
    )
    case.until(lambda case: case.asks(MoveStrategically))
    unit = "I1" if side == "german" else "i1"
    case.submit(strategic(unit, long_way(4 * sign, start, 28)))
    assert case.one(events.ForceMovedStrategically).halves == 4 * halves


@pytest.mark.rule("R-DM-34", "AGC-4.3.1c", "DM-6.0e")
@pytest.mark.parametrize(("option", "halves"), [("own_gauge_only", 8), ("any_rail", 4)])
def test_rail_of_the_other_gauge(lay: Lay, option: str, halves: int) -> None:
    """2815 to 2811 were taken, but not converted: they are as open country, unless any rail will do."""
    case = lay(
        german="2815 I1:6",
        phase="strategic",
        control={"german": "2815 2814 2813 2812 2811"},
        sm_rail=option,
        tweak=lambda state: state.converted.remove("2816"),
        dice={"rail": "*"},
    )
    case.until(lambda case: case.asks(MoveStrategically))
    case.submit(strategic("I1", "2815 2814 2813 2812 2811"))
    assert case.one(events.ForceMovedStrategically).halves == halves


@pytest.mark.rule("DM-6.0e")
def test_rail_is_cheap_along_the_line_only_and_in_no_other_phase(lay: Lay) -> None:
    case = lay(german="2816 I1:6").march("I1", "2817")
    assert case.one(events.ForceMoved).halves == 2
    case.rest()
    case = lay(german="2716 I1:6", phase="strategic", dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    case.submit(strategic("I1", "2716 2816 2817"))
    assert case.one(events.ForceMovedStrategically).halves == 3


@pytest.mark.rule("DM-6.0f")
def test_nobody_reacts_to_strategic_movement(lay: Lay) -> None:
    case = lay(german="2616 I1:6", soviet="2613 a1:13", phase="strategic", dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    case.submit(strategic("I1", "2616 2617"))
    assert case.asked.seat == "german"
    assert case.at("I1") == "2617"


@pytest.mark.rule("DM-6.0g")
def test_armour_may_go_first(lay: Lay) -> None:
    case = lay(german="2616 A1:6; 2618 I1:6", phase="strategic", dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    case.submit(strategic("A1", "2616 2617"))
    assert case.allows(strategic("I1", "2618 2619"))
    case.to_phase("german.operations")
    assert case.state.zone_phase is False


@pytest.mark.rule("DM-6.0i")
def test_no_attrition_after_it(lay: Lay) -> None:
    """The way is long, and leads out of supply."""
    case = lay(german="3116 I1:6", phase="strategic", dice={"rail": "*"})
    case.until(lambda case: case.asks(MoveStrategically))
    case.submit(strategic("I1", "3116 3216 3317 3417 3518 3618 3719"))
    case.to_phase("german.operations")
    assert case.never(events.AttritionRolled)
    assert case.at("I1") == "3719"
