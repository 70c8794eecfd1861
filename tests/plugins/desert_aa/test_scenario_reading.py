"""What a scenario file may hold, to the last number; and the board that is made of a sound one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from tests.plugins.desert_aa.conftest import installed, ready
from tests.plugins.desert_aa.test_data import joined, read_scenario, spaces_away

from desert_aa.model.board import FAR
from sandtable.errors import DataError
from sandtable.plugin.scenarios import scenario_of

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


def put(data: Data, path: str, value: Any) -> Data:
    *outer, last = path.split(".")
    for key in outer:
        data = data[key]
    data[last] = value
    return data


def area(**more: Any) -> Data:
    return {"name": "There", "terrain": "desert", "lon_milli": 1, "lat_milli": 1, "owner": "italy", **more}


# --- numbers ---


@pytest.mark.parametrize(
    ("path", "least", "most"),
    [
        ("scenario.round_limit", 0, 1_000),
        ("powers.italy.income", 0, 100_000),
        ("treasury.axis", 0, 100_000),
        ("treasury.allies", 0, 100_000),
        ("treasury.bonus", 0, 1_000),
        ("areas.TEL.value", 0, 1_000),
        ("forces.italy.MGH.infantry", 0, 200),
        ("forces.england.OAS.aa_gun", 0, 200),
    ],
)
def test_numbers_are_within_bounds(path: str, least: int, most: int) -> None:
    for number in (least, most):
        data = shipped()
        put(data, path, number)
        assert "; use" not in problems(data).get(path, "")
    for number in (least - 1, most + 1):
        data = shipped()
        put(data, path, number)
        assert problems(data)[path] == f"is {number}; use {least} to {most}"


@pytest.mark.parametrize(("name", "most"), [("lon_milli", 180_000), ("lat_milli", 90_000)])
def test_places_are_on_the_globe_and_must_be_there(name: str, most: int) -> None:
    for number, right in ((most, True), (-most, True), (most + 1, False), (-most - 1, False)):
        data = shipped()
        data["areas"]["TEL"][name] = number
        assert (f"areas.TEL.{name}" not in problems(data)) is right
    data = shipped()
    del data["areas"]["TEL"][name]
    assert problems(data)[f"areas.TEL.{name}"].startswith("is missing; add a whole number, thousandths of a degree")


def test_a_map_has_four_hundred_areas_at_most() -> None:
    for number, told in ((400, None), (401, "has 401 areas; use at most 400")):
        data = shipped()
        data["areas"] |= {f"N{place:03}": area() for place in range(number - len(data["areas"]))}
        assert problems(data).get("areas") == told


@pytest.mark.parametrize("amount", [0, 1, 9])
def test_what_a_file_leaves_out(amount: int) -> None:
    """No limit of rounds, no value, no road, no city, no zone, no capital, no forces."""
    data = shipped()
    del data["scenario"]["round_limit"]
    data["areas"]["FAR"] = area()
    data["connectors"].append({"between": ["FAR", "WAZ"], "kind": "desert"})
    data["forces"] = {"italy": {"FAR": {"infantry": amount}}}
    board = ready(scenario_of(data, "changed.toml", own=True)).board
    assert board.round_limit == 0
    assert (board.value["FAR"], "FAR" in board.mineable, "FAR" in board.zones, "FAR" in board.cities) == (
        0,
        True,
        False,
        False,
    )
    assert "FAR" not in board.road_next
    assert board.forces == {"italy": {"FAR": {"infantry": amount}}}


# --- what is told together ---


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


# --- the board ---


def turned_round() -> Data:
    """Return the frontier with the Axis in the east, in Ras Tayr, and the Allies in the west; nobody stands there."""
    data = shipped()
    for facts in data["areas"].values():
        facts["owner"] = {"italy": "england", "germany": "england", "england": "italy", "": ""}[facts["owner"]]
        facts["capital"] = ""
    data["areas"]["RAS"]["capital"], data["areas"]["MGH"]["capital"] = "axis", "allies"
    data["powers"] = {"italy": {"side": "axis", "income": 8}, "england": {"side": "allies", "income": 8}}
    data["powers"]["germany"] = {"side": "axis", "income": 0}
    return data | {"forces": {}}


def boards() -> Iterator[tuple[str, Data, str]]:
    """Yield scenarios and their road from the end that is nearer to the Axis."""
    coast = "TRI HOM BUE SIR NOF AGH BRE AGE BEN BAR DER TMI TOB BDI BUQ SIB MAT FUK ALA ALX CAI SUE"
    yield "western_desert", read_scenario("western_desert"), coast
    yield "frontier", read_scenario("frontier"), "MGH TEL BTR RAS MSH"
    yield "turned round", turned_round(), "MSH RAS BTR TEL MGH"


@pytest.mark.rule("DAA-6.01", "DAA-6.03", "DAA-R21", "DAA-R22", "DAA-8.07", "DAA-11.03", "DAA-11.04", "DAA-R62")
@pytest.mark.parametrize(("data", "road"), [each[1:] for each in boards()], ids=[each[0] for each in boards()])
def test_the_board_is_what_the_file_says(data: Data, road: str) -> None:
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
def test_what_lies_behind_on_the_coast_road() -> None:
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
def test_what_is_in_the_purses(options: dict[str, str], cash: dict[str, int], grant: dict[str, int]) -> None:
    board = ready("western_desert", **options).board
    assert (board.cash, board.grant) == (cash, grant)
    apart = "axis_treasury" in options
    assert board.purse_of == {
        "italy": "italy" if apart else "axis",
        "germany": "germany" if apart else "axis",
        "england": "allies",
    }


@pytest.mark.parametrize("scenario", ["western_desert", "frontier"])
def test_the_opening_forces_stand_where_the_file_has_them(scenario: str) -> None:
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
