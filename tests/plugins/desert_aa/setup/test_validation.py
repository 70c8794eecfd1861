"""Contradictory scenarios are refused, with the key of each error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import Changed, Opening, changed_scenario, ready
from tests.plugins.desert_aa.setup.files import Data, problems, shipped

from sandtable.errors import DataError
from sandtable.plugin.scenarios import Scenario, scenario_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transcripts import Transcript


@pytest.mark.rule("DAA-R50")
def test_scenario_with_massed_flak_is_refused_by_option(opening: Opening, changed: Changed) -> None:
    massed = changed({"forces": {"england": {"MAT": {"aa_gun": 2}}}})
    assert len([unit for unit in opening(massed).units().values() if (unit.space, unit.kind) == ("MAT", "aa_gun")]) == 2
    with pytest.raises(DataError):
        opening(massed, aa_limit="one_per_space")


FAULTS: list[Mapping[str, Any]] = [
    {"areas": {"TEL": {"owner": ""}}},
    {"areas": {"TEL": {"terrain": "impassable_land"}}},
    {"areas": {"MSH": {"owner": "italy"}}},
    {"areas": {"TEL": {"capital": "axis"}}},
    {"areas": {"MGH": {"capital": ""}}},
    {"areas": {"MGH": {"road": False}}},
    {"areas": {"TEL": {"value": 1_001}}},
    {"areas": {"TEL": {"color": "red"}}},
    {"areas": {"OAS": {"road": True}}, "connectors": [{"between": ["BTR", "OAS"], "kind": "road"}]},
    {"areas": {"OAS": {"road": True}}},
    {"connectors": [{"between": ["MGH", "MSH"], "kind": "road"}]},
    {"connectors": [{"between": ["MGH", "OAS"], "kind": "road"}]},
    {"areas": {"FAR": {"name": "Far", "terrain": "desert", "lon_milli": 1, "lat_milli": 1, "owner": "italy"}}},
    {"connectors": [{"between": ["MGH"], "kind": "road"}]},
    {"connectors": [{"between": ["MGH", "XXX"], "kind": "road"}]},
    {"powers": {"italy": {"income": 6}}},
    {"treasury": {"bonus": 1_001}},
    {"powers": {"italy": {"side": "allies"}}},
    {"forces": {"italy": {"XXX": {"infantry": 1}}}},
    {"forces": {"italy": {"SHO": {"infantry": 1}}}},
    {"forces": {"italy": {"RAS": {"infantry": 1}}}},
    {"forces": {"italy": {"MGH": {"cavalry": 1}}}},
]


@pytest.mark.rule("DAA-6.01", "DAA-14.08", "DAA-R21", "DAA-R62")
def test_contradiction_is_reported_with_its_key(transcript: Transcript) -> None:
    reports = [f"{json.dumps(changes)}\n{faults(changed_scenario(changes, 'frontier'))}" for changes in FAULTS]
    transcript("\n\n".join(reports))


def faults(scenario: Scenario, **options: str) -> str:
    """Return the errors of a scenario, one per line."""
    with pytest.raises(DataError) as caught:
        ready(scenario, **options)
    return "\n".join(f"{each.key}: {each.problem}" for each in (caught.value, *caught.value.also))


def test_unchanged_scenario_has_no_error() -> None:
    ready(changed_scenario({}, "frontier"))


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


SPOILS = (
    spoil_forces, spoil_connectors, spoil_closed_ground, spoil_capitals, spoil_road, spoil_links, spoil_incomes,
    spoil_values, spoil_owners, spoil_keys,
)  # fmt: skip


@pytest.mark.rule("DAA-6.01", "DAA-14.08", "DAA-R62")
@pytest.mark.parametrize("spoil", SPOILS)
def test_all_errors_are_reported_at_once(spoil: Callable[[Data], None], transcript: Transcript) -> None:
    data = shipped()
    spoil(data)
    transcript(faults(scenario_of(data, "changed.toml", own=True)))


@pytest.mark.rule("DAA-R50")
def test_flak_of_partners_counts_together_by_option() -> None:
    data = shipped()
    data["forces"]["germany"]["MGH"] = {"aa_gun": 1}
    problem = "makes 2 guns in MGH; aa_limit = one_per_space allows only one"
    assert problems(data, aa_limit="one_per_space") == {"forces.germany.MGH.aa_gun": problem}
    assert problems(data) == {}
    assert problems(shipped(), aa_limit="one_per_space") == {}
