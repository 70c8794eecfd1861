"""Surrender and reset (DM-10, DM-11)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import row

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


TAKEN = "2815 2814 2813 2812 2811"
SUPPLY: dict[str, Any] = {"control": {"german": TAKEN}, "tweak": lambda state: state.converted.extend(TAKEN.split())}
NO_RAIL: dict[str, Any] = {"tweak": lambda state: state.converted.clear()}
ALL_RAIL: dict[str, Any] = {"control": {"german": " ".join(row(28, 15))}, "tweak": SUPPLY["tweak"]}
CITY: dict[str, Any] = {"city": "2614", "tweak": SUPPLY["tweak"]}
GERMANS: dict[str, Any] = {"side": "german"}
SURRENDERS: dict[str, list[tuple[str, str, dict[str, Any], str]]] = {
    "only forces of the phasing side (DM-10.0a)": [
        (BESIDE, "2614 i1:6", SUPPLY, "i1"), (BESIDE, "2614 i1:6", SUPPLY | GERMANS, ""),
    ],
    "an enemy beside it must be supplied and not demoralized (DM-10.0a)": [
        (BESIDE.replace(":6", ":6!"), "2614 i1:6", SUPPLY, ""), (BESIDE, "2614 i1:6", NO_RAIL, ""),
        (RING, "2614 i1:6", SUPPLY, ""),
    ],
    # One enemy leaves three hexes open. The path to the east edge is longer than a supply line.
    "a path of any length saves a force, by option only along rail (DM-10.0b, R-DM-23)": [
        ("2615 I2:6", "2614 i1:6", SUPPLY, ""),
        ("2615 I2:6", "2614 i1:6", ALL_RAIL | {"surrender_sources": "exclusive_sources_any_length"}, ""),
        ("2615 I2:6", "2614 i1:6", ALL_RAIL | {"surrender_sources": "rail_needed"}, "i1"),
    ],
    # i2 opens a hex that both enemies cover. From there a path continues.
    "a friend on the path cancels zones (DM-10.0c)": [(BESIDE, "2614 i1:6; 2514 i2:6", SUPPLY, "")],
    "a force in a friendly city is on a source (AGC-4.3.2b)": [
        (BESIDE, "2614 i1:6", CITY | {"control": {"german": TAKEN}}, ""),
        (BESIDE, "2614 i1:6", CITY | {"control": {"german": f"{TAKEN} 2614"}}, "i1"),
    ],
    "Germans trace to the west edge (R-DM-23)": [
        ("2620 I1:6", "2619 i1:6; 2621 i2:6", GERMANS, "I1"), ("2620 I1:6", "2619 i1:6", GERMANS, ""),
    ],
}  # fmt: skip
"""Positions by rule, with the units that surrender."""


@pytest.mark.rule("DM-10.0a", "DM-10.0b", "DM-10.0c", "DM-2.10b", "AGC-4.3.2b", "R-DM-23")
@pytest.mark.parametrize(("german", "soviet", "more", "units"), [
    pytest.param(*each, id=f"{rule} {number}")
    for rule, rows in SURRENDERS.items() for number, each in enumerate(rows, 1)
])  # fmt: skip
def test_an_isolated_force_surrenders_by_its_rule(
    lay: Lay, german: str, soviet: str, more: dict[str, Any], units: str
) -> None:
    case = after_surrender(lay, german, soviet, **more)
    assert surrendered(case) == units.split()
    assert not units or case.at(units) == "-"


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
