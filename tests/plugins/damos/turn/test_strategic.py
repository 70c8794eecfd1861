"""Surrender and reset, 10.0 and 11.0."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import EndPhase, Replace

RING = "2414 I1:6; 2513 I2:6; 2516 I3:6; 2612 I4:6; 2616 I5:6; 2713 I6:6; 2716 I7:6; 2814 I8:6"
"""All around 2614, two hexes away: next to nobody who stands there."""
BESIDE = "2613 I1:6; 2615 I2:6"
"""East and west of 2614: their zones cover all six hexes around it."""


def after(lay: Lay, german: str, soviet: str, side: str = "soviet", **more: Any) -> Case:
    """Play the surrender phase of a side."""
    case = lay(german=german, soviet=soviet, side=side, phase="surrender", dice={"rail": "*"}, **more)
    return case.until(lambda case: case.phase not in {f"{side}.surrender", ""} and not case.phase.endswith("reset"))


def gave_up(case: Case) -> list[str]:
    return [unit for event in case.events(events.UnitsSurrendered) for unit in event.units]


@pytest.mark.rule("DM-10.0a", "DM-10.0b", "DM-10.0d")
def test_a_surrounded_force_beside_a_supplied_enemy_gives_up(lay: Lay) -> None:
    case = after(lay, BESIDE, "2614 i1:6 i2:3", **SUPPLY)
    assert gave_up(case) == ["i1", "i2"]
    assert [case.standing("i1"), case.standing("i2")] == ["surrendered", "surrendered"]
    assert case.at("i1 i2") == "- -"


SUPPLY: dict[str, Any] = {
    "control": {"german": "2815 2814 2813 2812 2811"},
    "tweak": lambda state: state.converted.extend(["2815", "2814", "2813", "2812", "2811"]),
}


@pytest.mark.rule("DM-10.0a")
def test_only_of_the_side_whose_turn_it_is(lay: Lay) -> None:
    case = after(lay, BESIDE, "2614 i1:6", side="german", **SUPPLY)
    assert case.at("i1") == "2614"


@pytest.mark.rule("DM-10.0a")
@pytest.mark.parametrize(("german", "more", "gives_up"), [
    (BESIDE, SUPPLY, True), (BESIDE.replace(":6", ":6!"), SUPPLY, False),
    (BESIDE, {"tweak": lambda state: state.converted.clear()}, False), (RING, SUPPLY, False),
])  # fmt: skip
def test_the_neighbour_must_be_undemoralized_and_supplied(
    lay: Lay, german: str, more: dict[str, Any], gives_up: bool
) -> None:
    """Without a railway nobody is supplied; the ring surrounds from afar."""
    case = after(lay, german, "2614 i1:6", **more)
    assert bool(gave_up(case)) == gives_up


@pytest.mark.rule("DM-10.0b", "R-DM-23")
def test_a_gap_of_any_length_saves(lay: Lay) -> None:
    """One neighbour leaves three hexes open: by them a way leads to the east edge, far beyond five hexes of rail."""
    case = after(lay, "2615 I2:6", "2614 i1:6", **SUPPLY)
    assert gave_up(case) == []


@pytest.mark.rule("R-DM-23")
@pytest.mark.parametrize(("option", "gives_up"), [("exclusive_sources_any_length", False), ("rail_needed", True)])
def test_a_railway_is_needed_or_not(lay: Lay, option: str, gives_up: bool) -> None:
    """No hex of the railway is Soviet any more; the east edge is open."""
    row = " ".join(f"28{column:02}" for column in range(1, 16))
    more: dict[str, Any] = {"control": {"german": row}, "tweak": SUPPLY["tweak"]}
    case = after(lay, "2615 I2:6", "2614 i1:6", surrender_sources=option, **more)
    assert bool(gave_up(case)) == gives_up


@pytest.mark.rule("DM-10.0c", "DM-2.10b")
def test_a_friend_on_the_way_cancels_zones(lay: Lay) -> None:
    """i2 in 2514 opens a hex that both neighbours cover, and from there a way goes on."""
    case = after(lay, BESIDE, "2614 i1:6; 2514 i2:6", **SUPPLY)
    assert "i1" not in gave_up(case)


@pytest.mark.rule("DM-10.0b", "AGC-4.3.2b")
@pytest.mark.parametrize(("holder", "gives_up"), [("soviet", False), ("german", True)])
def test_in_a_city_of_its_own_a_force_stands_on_its_source(lay: Lay, holder: str, gives_up: bool) -> None:
    control = {"german": SUPPLY["control"]["german"] + (" 2614" if holder == "german" else "")}
    case = after(lay, BESIDE, "2614 i1:6", city="2614", control=control, tweak=SUPPLY["tweak"])
    assert bool(gave_up(case)) == gives_up


@pytest.mark.rule("DM-10.0b", "R-DM-23")
@pytest.mark.parametrize(("soviet", "gives_up"), [("2619 i1:6; 2621 i2:6", True), ("2619 i1:6", False)])
def test_germans_trace_to_the_west_edge(lay: Lay, soviet: str, gives_up: bool) -> None:
    case = after(lay, "2620 I1:6", soviet, side="german")
    assert (gave_up(case) == ["I1"]) == gives_up


@pytest.mark.rule("DM-10.0d", "DM-5.0f")
def test_who_surrendered_is_never_rebuilt(lay: Lay) -> None:
    case = lay(
        "surrendered i1:6; eliminated i2:6; 2810 i3:3/6",
        side="soviet",
        phase="reinforcement",
        replacements={"soviet": 5},
    )
    case.until(lambda case: case.asks(Replace))
    assert not case.allows(Replace({"i1": 3}))
    assert case.allows(Replace({"i2": 3}))


# --- reset ---


@pytest.mark.rule("DM-11.0a", "DM-2.1e")
def test_the_phasing_sides_units_are_fresh_again(lay: Lay) -> None:
    case = lay("2820 I1:6~; 2810 i1:6~").submit(EndPhase())
    case.until(lambda case: case.phase.startswith("soviet"))
    assert case.spent("I1 i1") == [False, True]
    case.until(lambda case: case.state.turn == 4)
    assert case.spent("I1 i1") == [False, False]


@pytest.mark.rule("DM-11.0b", "R-DM-05")
def test_reactors_wait_for_the_end_of_their_own_turn(lay: Lay) -> None:
    case = lay("2810 a1:6~").submit(EndPhase())
    case.to_phase("soviet.operations")
    assert case.spent("a1") == [True]
    case.until(lambda case: case.state.turn == 4)
    assert case.spent("a1") == [False]
