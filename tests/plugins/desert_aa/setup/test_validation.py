"""Scenarios that make no sense are refused, by the key of the fault."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import Changed, Opening, changed_scenario, installed, ready

from sandtable.errors import DataError
from sandtable.plugin.scenarios import scenario_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@pytest.mark.rule("DAA-R50")
def test_by_option_a_scenario_with_massed_flak_is_refused(opening: Opening, changed: Changed) -> None:
    massed = changed({"forces": {"england": {"MAT": {"aa_gun": 2}}}})
    assert len([unit for unit in opening(massed).units().values() if (unit.space, unit.kind) == ("MAT", "aa_gun")]) == 2
    with pytest.raises(DataError):
        opening(massed, aa_limit="one_per_space")


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


Data = dict[str, Any]


def shipped(scenario: str = "frontier") -> Data:
    data = deepcopy(dict(installed().scenario(scenario).data))
    data["scenario"]["id"] = "changed"
    return data


def problems(data: Data, **options: str) -> dict[str, str]:
    """Return what is wrong with a scenario, by key."""
    try:
        ready(scenario_of(data, "changed.toml", own=True), **options)
    except DataError as error:
        return {each.key: each.problem for each in (error, *error.also)}
    return {}


def spoil_forces(data: Data) -> None:
    data["forces"]["weather"] = {}
    data["forces"]["italy"] = {name: {"infantry": 1} for name in ("AAA", "OAS", "SHO", "ZZZ")}


def spoil_connectors(data: Data) -> None:
    data["connectors"] += [
        "MGH",
        {"between": ["MGH", 3], "kind": "road"},
        {"between": "MGH", "kind": "road"},
        {"between": ["BTR", "MGH", "OAS"], "kind": "road"},
        {"between": ["BTR", "MGH"], "kind": "river"},
        {"between": ["KHA", "MGH"], "kind": "desert", "width": 3},
    ]


def spoil_closed_ground(data: Data) -> None:
    data["areas"]["SHO"] |= {"owner": "italy", "value": 1, "road": True, "city": True, "zone": True, "capital": "axis"}


def spoil_capitals(data: Data) -> None:
    for name in ("BTR", "TEL", "WAZ"):
        data["areas"][name]["capital"] = "axis"


def spoil_road(data: Data) -> None:
    data["connectors"] += [
        {"between": ["KHA", "MGH"], "kind": "road"},
        {"between": ["MGH", "OAS"], "kind": "road"},
    ]


def spoil_links(data: Data) -> None:
    data["connectors"] = [each for each in data["connectors"] if "TEL" not in each["between"]]


def spoil_incomes(data: Data) -> None:
    data["powers"]["italy"]["income"] = 0
    data["powers"]["germany"]["income"] = 9


def spoil_values(data: Data) -> None:
    for facts in data["areas"].values():
        facts.pop("value", None)
    for power in data["powers"].values():
        power["income"] = 0


def spoil_owners(data: Data) -> None:
    data["areas"]["BTR"]["owner"] = data["areas"]["OAS"]["owner"] = ""


def spoil_keys(data: Data) -> None:
    for table in (data, *(data[name] for name in ("scenario", "powers", "treasury", "map")), data["powers"]["italy"]):
        table["weather"] = 1


TOGETHER: list[tuple[Callable[[Data], None], dict[str, str]]] = [
    (
        spoil_forces,
        {
            "forces.weather": "is no key of this table",
            "forces.italy.AAA": "there is no such area",
            "forces.italy.OAS": "is held by England: units begin on ground of their own side",
            "forces.italy.SHO": "is closed ground: no unit can stand there",
            "forces.italy.ZZZ": "there is no such area",
        },
    ),
    (
        spoil_connectors,
        {
            "connectors[16]": "is 'MGH'; write ",
            "connectors[17].between": "must be the ids of two areas",
            "connectors[18].between": "is 'MGH'; write ",
            "connectors[19].between": "must be the ids of two areas",
            "connectors[20].kind": "is 'river'; choose road, desert",
            "connectors[21].width": "is no key of this table",
        },
    ),
    (
        spoil_closed_ground,
        {
            f"areas.SHO.{name}": "is given, but closed ground has none: take it out"
            for name in ("owner", "value", "road", "city", "zone")
        },
    ),
    (
        spoil_capitals,
        {f"areas.{name}.capital": "is a second capital of the Axis, after MGH" for name in ("TEL", "WAZ")},
    ),
    (
        spoil_incomes,
        {
            "powers.italy.income": "is 0, but the spaces of italy pay 5",
            "powers.germany.income": "is 9, but the spaces of germany pay 3",
        },
    ),
    (
        spoil_links,
        {
            "areas.TEL": "no way leads here over open ground: add a connector",
            "areas.BTR.road": "is not joined to the rest of the road: add a connector of kind road",
        },
    ),
    (spoil_values, {"areas": "no area has a value: nobody could ever buy anything"}),
    (
        spoil_owners,
        {
            "areas.BTR.owner": "is empty: open ground is held by a power from the start",
            "areas.OAS.owner": "is empty: open ground is held by a power from the start",
        },
    ),
    (
        spoil_keys,
        {
            f"{table}weather": "is no key of this table"
            for table in ("", "scenario.", "powers.", "powers.italy.", "treasury.", "map.")
        },
    ),
]


@pytest.mark.rule("DAA-6.01", "DAA-14.08", "DAA-R62")
@pytest.mark.parametrize(("spoil", "wanted"), TOGETHER, ids=[spoil.__name__ for spoil, _ in TOGETHER])
def test_all_that_is_wrong_is_told_at_once(spoil: Callable[[Data], None], wanted: dict[str, str]) -> None:
    data = shipped()
    spoil(data)
    found = problems(data)
    assert wanted.keys() <= found.keys()
    for key, problem in wanted.items():
        assert found[key].startswith(problem), (key, found[key])


def test_every_loose_piece_of_road_is_told() -> None:
    data = shipped()
    spoil_road(data)
    with pytest.raises(DataError) as caught:
        ready(scenario_of(data, "changed.toml", own=True))
    told = [each.problem for each in (caught.value, *caught.value.also) if each.key == "connectors"]
    assert told == [
        f'{one} to {two} is of kind "road", but {off} has not road = true'
        for one, two, off in (("KHA", "MGH", "KHA"), ("MGH", "OAS", "OAS"))
    ]


@pytest.mark.rule("DAA-R50")
def test_by_option_the_guns_of_partners_count_together() -> None:
    data = shipped()
    data["forces"]["germany"]["MGH"] = {"aa_gun": 1}
    problem = "makes 2 guns in MGH; with aa_limit = one_per_space there is one at most"
    assert problems(data, aa_limit="one_per_space") == {"forces.germany.MGH.aa_gun": problem}
    assert problems(data) == {}
    assert problems(shipped(), aa_limit="one_per_space") == {}
