"""A scenario that makes no sense is refused, by the key where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.plugins.desert_aa.conftest import changed_scenario, ready

from sandtable.errors import DataError

FAULTS: list[tuple[Mapping[str, Any], str, str]] = [
    # one area
    ({"areas": {"TEL": {"owner": ""}}}, "areas.TEL.owner", "is empty: open ground is held by a power from the start"),
    (
        {"areas": {"TEL": {"terrain": "impassable_land"}}},
        "areas.TEL.road",
        "is given, but closed ground has none: take it out",
    ),
    (
        {"areas": {"MSH": {"owner": "italy"}}},
        "areas.MSH.capital",
        "is of the Allies, but Italy holds the area",
    ),
    ({"areas": {"TEL": {"capital": "axis"}}}, "areas.TEL.capital", "is a second capital of the Axis, after MGH"),
    (
        {"areas": {"MGH": {"capital": ""}}},
        "areas",
        'no area is the capital of the Axis: give one capital = "axis"',
    ),
    ({"areas": {"MGH": {"road": False}}}, "areas.MGH.road", "must be true: a side's rear is the way along the road"),
    ({"areas": {"TEL": {"value": 1_001}}}, "areas.TEL.value", "is 1001; use 0 to 1000"),
    ({"areas": {"TEL": {"colour": "red"}}}, "areas.TEL.colour", "is no key of this table"),
    # the road and the ground as a whole
    (
        {"areas": {"OAS": {"road": True}}, "connectors": [{"between": ["BTR", "OAS"], "kind": "road"}]},
        "areas.BTR.road",
        "the road branches here, to OAS, RAS, TEL",
    ),
    ({"areas": {"OAS": {"road": True}}}, "areas.OAS.road", "is not joined to the rest of the road"),
    (
        {"connectors": [{"between": ["MGH", "MSH"], "kind": "road"}]},
        "connectors",
        "the road is a ring: it must have two ends",
    ),
    (
        {"connectors": [{"between": ["MGH", "OAS"], "kind": "road"}]},
        "connectors",
        'MGH to OAS is of kind "road", but OAS has not road = true',
    ),
    (
        {"areas": {"FAR": {"name": "Far", "terrain": "desert", "lon_milli": 1, "lat_milli": 1, "owner": "italy"}}},
        "areas.FAR",
        "no way leads here",
    ),
    ({"connectors": [{"between": ["MGH"], "kind": "road"}]}, "connectors[16].between", "must be the ids of two areas"),
    ({"connectors": [{"between": ["MGH", "XXX"], "kind": "road"}]}, "connectors[16].between", "XXX"),
    # money
    ({"powers": {"italy": {"income": 6}}}, "powers.italy.income", "is 6, but the spaces of italy pay 5"),
    ({"treasury": {"bonus": 1_001}}, "treasury.bonus", "is 1001; use 0 to 1000"),
    ({"powers": {"italy": {"side": "allies"}}}, "powers.italy.side", "is 'allies'; choose axis"),
    # forces
    ({"forces": {"italy": {"XXX": {"infantry": 1}}}}, "forces.italy.XXX", "there is no such area"),
    ({"forces": {"italy": {"SHO": {"infantry": 1}}}}, "forces.italy.SHO", "is closed ground: no unit can stand there"),
    (
        {"forces": {"italy": {"RAS": {"infantry": 1}}}},
        "forces.italy.RAS",
        "is held by England: units begin on ground of their own side",
    ),
    ({"forces": {"italy": {"MGH": {"cavalry": 1}}}}, "forces.italy.MGH.cavalry", "is no key of this table"),
]


@pytest.mark.rule("DAA-6.01", "DAA-14.08", "DAA-R21", "DAA-R62")
@pytest.mark.parametrize(("changes", "key", "problem"), FAULTS, ids=[f"{key} {told}" for _, key, told in FAULTS])
def test_what_makes_no_sense_is_told_by_its_key(changes: Mapping[str, Any], key: str, problem: str) -> None:
    with pytest.raises(DataError) as caught:
        ready(changed_scenario(changes, "frontier"))
    told = [(each.key, each.problem) for each in (caught.value, *caught.value.also)]
    assert any(where == key and problem in what for where, what in told), told


def test_the_scenario_without_a_change_has_no_fault() -> None:
    ready(changed_scenario({}, "frontier"))
