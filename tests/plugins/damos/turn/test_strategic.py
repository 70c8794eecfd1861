"""Surrender and reset (DM-10, DM-11)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import EndPhase, Replace

RING = "2414 I1:6; 2513 I2:6; 2516 I3:6; 2612 I4:6; 2616 I5:6; 2713 I6:6; 2716 I7:6; 2814 I8:6"
"""Germans around 2614 at two hexes, not next to it."""
BESIDE = "2613 I1:6; 2615 I2:6"
"""Germans east and west of 2614, whose zones cover all six hexes around it."""


def after_surrender(lay: Lay, german: str, soviet: str, side: str = "soviet", **more: Any) -> Case:
    """Play the surrender phase of a side."""
    case = lay(german=german, soviet=soviet, side=side, phase="surrender", dice={"rail": "*"}, **more)
    return case.until(lambda case: case.phase not in {f"{side}.surrender", ""} and not case.phase.endswith("reset"))


def surrendered(case: Case) -> list[str]:
    return [unit for event in case.events(events.UnitsSurrendered) for unit in event.units]


@pytest.mark.rule("DM-10.0a", "DM-10.0b", "DM-10.0d")
def test_a_surrounded_force_beside_a_supplied_enemy_surrenders(lay: Lay) -> None:
    case = after_surrender(lay, BESIDE, "2614 i1:6 i2:3", **SUPPLY)
    assert surrendered(case) == ["i1", "i2"]
    assert [case.standing("i1"), case.standing("i2")] == ["surrendered", "surrendered"]
    assert case.at("i1 i2") == "- -"


SUPPLY: dict[str, Any] = {
    "control": {"german": "2815 2814 2813 2812 2811"},
    "tweak": lambda state: state.converted.extend(["2815", "2814", "2813", "2812", "2811"]),
}


@pytest.mark.rule("DM-10.0a")
def test_only_forces_of_the_phasing_side_surrender(lay: Lay) -> None:
    case = after_surrender(lay, BESIDE, "2614 i1:6", side="german", **SUPPLY)
    assert case.at("i1") == "2614"


@pytest.mark.rule("DM-10.0a")
@pytest.mark.parametrize(("german", "more", "surrenders"), [
    (BESIDE, SUPPLY, True), (BESIDE.replace(":6", ":6!"), SUPPLY, False),
    (BESIDE, {"tweak": lambda state: state.converted.clear()}, False), (RING, SUPPLY, False),
])  # fmt: skip
def test_the_enemy_beside_it_must_be_supplied_and_not_demoralized(
    lay: Lay, german: str, more: dict[str, Any], surrenders: bool
) -> None:
    """Without a railway no unit is supplied. The ring surrounds from two hexes."""
    case = after_surrender(lay, german, "2614 i1:6", **more)
    assert bool(surrendered(case)) == surrenders


@pytest.mark.rule("DM-10.0b", "R-DM-23")
def test_a_path_of_any_length_prevents_surrender(lay: Lay) -> None:
    """One enemy leaves three hexes open. The path to the east edge is longer than a supply line."""
    case = after_surrender(lay, "2615 I2:6", "2614 i1:6", **SUPPLY)
    assert surrendered(case) == []


@pytest.mark.rule("R-DM-23")
@pytest.mark.parametrize(("option", "surrenders"), [("exclusive_sources_any_length", False), ("rail_needed", True)])
def test_a_path_to_a_source_requires_rail_by_option(lay: Lay, option: str, surrenders: bool) -> None:
    """No hex of the railway is Soviet, but the east edge is open."""
    row = " ".join(f"28{column:02}" for column in range(1, 16))
    more: dict[str, Any] = {"control": {"german": row}, "tweak": SUPPLY["tweak"]}
    case = after_surrender(lay, "2615 I2:6", "2614 i1:6", surrender_sources=option, **more)
    assert bool(surrendered(case)) == surrenders


@pytest.mark.rule("DM-10.0c", "DM-2.10b")
def test_a_friend_on_the_path_cancels_zones(lay: Lay) -> None:
    """i2 in 2514 opens a hex that both enemies cover. From there a path continues."""
    case = after_surrender(lay, BESIDE, "2614 i1:6; 2514 i2:6", **SUPPLY)
    assert "i1" not in surrendered(case)


@pytest.mark.rule("DM-10.0b", "AGC-4.3.2b")
@pytest.mark.parametrize(("holder", "surrenders"), [("soviet", False), ("german", True)])
def test_a_force_in_a_friendly_city_does_not_surrender(lay: Lay, holder: str, surrenders: bool) -> None:
    control = {"german": SUPPLY["control"]["german"] + (" 2614" if holder == "german" else "")}
    case = after_surrender(lay, BESIDE, "2614 i1:6", city="2614", control=control, tweak=SUPPLY["tweak"])
    assert bool(surrendered(case)) == surrenders


@pytest.mark.rule("DM-10.0b", "R-DM-23")
@pytest.mark.parametrize(("soviet", "surrenders"), [("2619 i1:6; 2621 i2:6", True), ("2619 i1:6", False)])
def test_germans_trace_to_the_west_edge(lay: Lay, soviet: str, surrenders: bool) -> None:
    case = after_surrender(lay, "2620 I1:6", soviet, side="german")
    assert (surrendered(case) == ["I1"]) == surrenders


@pytest.mark.rule("DM-10.0d", "DM-5.0f")
def test_a_surrendered_unit_is_never_rebuilt(lay: Lay) -> None:
    case = lay(
        "surrendered i1:6; eliminated i2:6; 2810 i3:3/6",
        side="soviet",
        phase="reinforcement",
        replacements={"soviet": 5},
    )
    case.until(lambda case: case.accepts(Replace))
    assert not case.allows(Replace({"i1": 3}))
    assert case.allows(Replace({"i2": 3}))


# --- reset ---


@pytest.mark.rule("DM-11.0a", "DM-2.1e")
def test_the_units_of_the_phasing_side_become_fresh(lay: Lay) -> None:
    case = lay("2820 I1:6~; 2810 i1:6~").submit(EndPhase())
    case.until(lambda case: case.phase.startswith("soviet"))
    assert case.spent("I1 i1") == [False, True]
    case.until(lambda case: case.state.turn == 4)
    assert case.spent("I1 i1") == [False, False]


@pytest.mark.rule("DM-11.0b", "R-DM-05")
def test_units_that_reacted_stay_spent_until_their_own_turn_ends(lay: Lay) -> None:
    case = lay("2810 a1:6~").submit(EndPhase())
    case.to_phase("soviet.operations")
    assert case.spent("a1") == [True]
    case.until(lambda case: case.state.turn == 4)
    assert case.spent("a1") == [False]
