"""The board and the first state of a scenario file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import ready
from tests.plugins.desert_aa.oracle.scenarios import joined, read_scenario, spaces_away
from tests.plugins.desert_aa.setup.files import Data, shipped

from desert_aa.model.board import FAR
from sandtable.plugin.scenarios import scenario_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def turned_round() -> Data:
    """Return Frontier with the Axis in the east (Ras Tayr) and the Allies in the west, without units."""
    data = shipped()
    for facts in data["areas"].values():
        facts["owner"] = {"italy": "england", "germany": "england", "england": "italy", "": ""}[facts["owner"]]
        facts["capital"] = ""
    data["areas"]["RAS"]["capital"], data["areas"]["MGH"]["capital"] = "axis", "allies"
    data["powers"] = {"italy": {"side": "axis", "income": 8}, "england": {"side": "allies", "income": 8}}
    data["powers"]["germany"] = {"side": "axis", "income": 0}
    return data | {"forces": {}}


def boards() -> Iterator[tuple[str, Data, str]]:
    """Yield scenarios and their road, beginning with the end nearer to the Axis."""
    coast = "TRI HOM BUE SIR NOF AGH BRE AGE BEN BAR DER TMI TOB BDI BUQ SIB MAT FUK ALA ALX CAI SUE"
    yield "western_desert", read_scenario("western_desert"), coast
    yield "frontier", read_scenario("frontier"), "MGH TEL BTR RAS MSH"
    yield "turned round", turned_round(), "MSH RAS BTR TEL MGH"


@pytest.mark.rule("DAA-6.01", "DAA-6.03", "DAA-R21", "DAA-R22", "DAA-8.07", "DAA-11.03", "DAA-11.04", "DAA-R62")
@pytest.mark.parametrize(("data", "road"), [each[1:] for each in boards()], ids=[each[0] for each in boards()])
def test_board_matches_the_file(data: Data, road: str) -> None:
    name = "changed" if data["scenario"]["id"] == "changed" else data["scenario"]["id"]
    board = ready(scenario_of(data, "changed.toml", own=True) if name == "changed" else name).board
    areas = data["areas"]
    ground = {key for key, facts in areas.items() if facts["terrain"] == "desert"}
    sky = {key for key, facts in areas.items() if facts["terrain"] != "impassable_all"}
    assert (set(board.spaces), set(board.closed)) == (ground, areas.keys() - ground)
    assert all(areas[key]["terrain"] == terrain for key, terrain in board.closed.items())
    assert board.value == {key: areas[key].get("value", 0) for key in ground}
    assert board.owner == {key: areas[key]["owner"] for key in ground}
    for found, fact in ((board.cities, "city"), (board.zones, "zone"), (board.road, "road")):
        assert set(found) == {key for key in ground if areas[key].get(fact)}
    assert set(board.mineable) == {key for key in ground if not areas[key].get("city") and not areas[key].get("road")}
    capitals = {facts["capital"]: key for key, facts in areas.items() if facts.get("capital")}
    assert board.capitals == capitals
    assert board.capital_of == {key: side for side, key in capitals.items()}
    near, along = joined(data), joined(data, "road")
    for found_ways, distances, open_to in (
        (board.land, board.land_distance, ground),
        (board.air, board.air_distance, sky),
    ):
        assert {key: set(ways) for key, ways in found_ways.items()} == {key: near[key] & open_to for key in open_to}
        for key in open_to:
            away = spaces_away(near, key, open_to)
            assert distances[key] == {other: away.get(other, FAR) for other in open_to}
    assert board.road == tuple(road.split())
    assert board.road_next == {key: tuple(sorted(along[key])) for key in board.road}
    places = {key: place for place, key in enumerate(board.road)}
    for side, capital in capitals.items():
        for key, place in places.items():
            step = 1 if places[capital] > place else -1
            behind = [board.road[at] for at in range(place + step, places[capital] + step, step)]
            assert board.rear[side][key] == tuple(behind if key != capital else [])[:2], (side, key)


@pytest.mark.rule("DAA-R21", "DAA-R22")
def test_rear_spaces_follow_the_coast_road() -> None:
    rear = ready("western_desert").board.rear
    assert [rear["axis"][each] for each in ("TRI", "HOM", "BUE", "SUE")] == [
        (),
        ("TRI",),
        ("HOM", "TRI"),
        ("CAI", "ALX"),
    ]
    english = [rear["allies"][each] for each in ("SUE", "CAI", "ALX", "ALA", "TRI")]
    assert english == [("CAI",), (), ("CAI",), ("ALX", "CAI"), ("HOM", "BUE")]


@pytest.mark.rule("DAA-2.01", "DAA-R01", "DAA-R02", "DAA-R68", "DAA-R69")
@pytest.mark.parametrize(
    ("options", "cash", "grant"),
    [
        ({}, {"axis": 22, "allies": 24}, {"axis": 12, "allies": 12}),
        ({"axis_bid": "5"}, {"axis": 22, "allies": 24}, {"axis": 17, "allies": 12}),
        (
            {"axis_treasury": "per_nation", "axis_bid": "5", "allies_bid": "1"},
            {"italy": 12, "germany": 10, "allies": 24},
            {"italy": 9, "germany": 8, "allies": 13},
        ),
    ],
)
def test_opening_purses_depend_on_the_options(
    options: dict[str, str], cash: dict[str, int], grant: dict[str, int]
) -> None:
    board = ready("western_desert", **options).board
    assert (board.cash, board.grant) == (cash, grant)
    apart = "axis_treasury" in options
    assert board.purse_of == {
        "italy": "italy" if apart else "axis",
        "germany": "germany" if apart else "axis",
        "england": "allies",
    }


@pytest.mark.parametrize("scenario", ["western_desert", "frontier"])
def test_opening_forces_are_in_the_spaces_of_the_file(scenario: str) -> None:
    prepared, data = ready(scenario), read_scenario(scenario)
    state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    wanted = Counter(
        {
            (power, kind, space): number
            for power, stacks in data["forces"].items()
            for space, stack in stacks.items()
            for kind, number in stack.items()
        }
    )
    assert Counter((unit.power, unit.kind, unit.space) for unit in state.units.values()) == wanted
    ids = Counter(unit_id.rpartition("-")[0] for unit_id in state.units)
    assert state.made == ids
    assert set(state.units) == {f"{name}-{number + 1}" for name, made in ids.items() for number in range(made)}
    assert state.control == prepared.board.owner
    assert (state.waiting, state.mines_waiting) == (
        {power: {} for power in data["powers"]},
        dict.fromkeys(data["powers"], 0),
    )
