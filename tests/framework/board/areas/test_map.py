"""Areas and connectors: the content of a map, its refusals, and independence of input order."""

import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.areas.map import Area, AreaMap, Connector
from sandtable.board.graph.paths import MapPath, cheapest_path, reach
from sandtable.board.graph.supply import supplied
from sandtable.errors import DataError, RulesetError


def desert(*ids: str, **facts: str | int | bool) -> tuple[Area, ...]:
    return tuple(Area(area_id, area_id.title(), "desert", facts) for area_id in ids)


def gazala() -> AreaMap:
    """Four areas around Tobruk; the road runs along the coast, Bir Hacheim is inland."""
    return AreaMap(
        "gazala",
        (
            *desert("TOB", "GAZ", "BDI"),
            Area("HAC", "Bir Hacheim", "rough", {"value": 2, "owner": "Axis", "city": False}),
        ),
        (
            Connector("TOB", "GAZ", "road"),
            Connector("TOB", "BDI", "road"),
            Connector("HAC", "TOB", "desert"),
            Connector("HAC", "GAZ", "desert"),
        ),
    )


@st.composite
def area_maps(draw: st.DrawFn) -> AreaMap:
    ids = draw(st.lists(st.from_regex(r"[A-Z0-9_.-]{1,3}", fullmatch=True), min_size=1, max_size=8, unique=True))
    pairs = [(a, b) for a in ids for b in ids if a < b]
    joined = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    kinds = st.sampled_from(["road", "desert"])
    areas = tuple(Area(area_id, area_id, draw(st.sampled_from(["rough", "clear"]))) for area_id in ids)
    return AreaMap("random", areas, tuple(Connector(b, a, draw(kinds)) for a, b in joined))


def test_areas_are_numbered_in_the_order_of_their_ids() -> None:
    area_map = gazala()
    assert area_map.ids == ("BDI", "GAZ", "HAC", "TOB")
    assert dict(area_map.index) == {"BDI": 0, "GAZ": 1, "HAC": 2, "TOB": 3}
    assert area_map.neighbors == ((3,), (2, 3), (1, 3), (0, 1, 2))
    assert area_map.kinds == (("road",), ("desert", "road"), ("desert", "desert"), ("road", "road", "desert"))
    assert area_map.ids_of((3, 0)) == ("TOB", "BDI")


def test_a_connector_is_the_same_from_both_ends() -> None:
    area_map = gazala()
    assert Connector("TOB", "BDI", "road") == Connector("BDI", "TOB", "road")
    assert area_map.connector("TOB", "BDI") == area_map.connector("BDI", "TOB") == Connector("BDI", "TOB", "road")
    assert area_map.connector("BDI", "HAC") is None
    assert area_map.connector("BDI", "BDI") is None
    assert area_map.adjacent("TOB") == ("BDI", "GAZ", "HAC")


def test_distance_counts_steps_over_passable_areas() -> None:
    area_map = gazala()
    assert area_map.distance_spaces("BDI", "HAC") == 2
    assert area_map.distance_spaces("BDI", "BDI") == 0
    assert area_map.distance_spaces("BDI", "HAC", passable=lambda area: area.terrain == "desert") is None
    assert area_map.distance_spaces("HAC", "BDI", passable=lambda area: area.terrain == "desert") == 2


def test_cost_table_uses_both_terrains_and_the_connector() -> None:
    area_map = gazala()

    def lorries(start: Area, end: Area, kind: str) -> int | None:
        if end.terrain == "rough":
            return None
        return 1 if kind == "road" else 4 if start.terrain == "rough" else 3

    table = area_map.cost_table(lorries)
    numbers = area_map.index
    assert cheapest_path(table, numbers["GAZ"], numbers["BDI"]) == MapPath(
        (numbers["GAZ"], numbers["TOB"], numbers["BDI"]), 2
    )
    assert table.cost(numbers["HAC"], numbers["TOB"]) == 4
    assert numbers["HAC"] not in reach(table, numbers["GAZ"], 99).costs


def test_fact_is_read_as_its_declared_type() -> None:
    area = gazala().area("HAC")
    assert (area.number("value"), area.text("owner"), area.flag("city")) == (2, "Axis", False)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda area: area.number("owner"), "fact 'owner' of area HAC is 'Axis', the rules expect int; declare it"),
        (lambda area: area.number("city"), "fact 'city' of area HAC is False, the rules expect int"),
        (lambda area: area.flag("value"), "fact 'value' of area HAC is 2, the rules expect bool"),
        (lambda area: area.text("rz"), "fact 'rz' of area HAC is missing, the rules expect str"),
    ],
)
def test_a_fact_of_another_type_is_refused(ask: Any, problem: str) -> None:
    with pytest.raises(RulesetError, match=problem):
        ask(gazala().area("HAC"))


def test_a_map_cannot_be_changed() -> None:
    facts: dict[str, str | int | bool] = {"value": 2}
    area_map = AreaMap("one", (Area("TOB", "Tobruk", "desert", facts),), ())
    facts["value"] = 99
    assert area_map.area("TOB").number("value") == 2
    with pytest.raises(TypeError):
        cast("dict[str, int]", area_map.area("TOB").facts)["value"] = 99
    with pytest.raises(TypeError):
        cast("dict[str, int]", area_map.index)["TOB"] = 1
    with pytest.raises(AttributeError):
        area_map.ids = ()  # type: ignore[misc]  # a frozen field on purpose
    with pytest.raises(AttributeError):
        area_map.areas[0].name = "Tobruch"  # type: ignore[misc]  # a frozen field on purpose


@pytest.mark.full
@given(area_maps(), st.randoms(use_true_random=False))
def test_map_does_not_depend_on_input_order(area_map: AreaMap, random: Any) -> None:
    areas, connectors = list(area_map.areas), list(area_map.connectors)
    random.shuffle(areas)
    random.shuffle(connectors)
    again = AreaMap("random", tuple(areas), tuple(connectors))
    assert again == area_map
    assert (again.ids, again.neighbors, again.kinds) == (area_map.ids, area_map.neighbors, area_map.kinds)


@pytest.mark.full
@given(area_maps())
def test_neighbor_numbers_match_the_connectors(area_map: AreaMap) -> None:
    seen = []
    for number, row in enumerate(area_map.neighbors):
        assert list(row) == sorted(row)
        for neighbor, kind in zip(row, area_map.kinds[number], strict=True):
            assert number in area_map.neighbors[neighbor]
            seen.append(Connector(area_map.ids[number], area_map.ids[neighbor], kind))
    assert sorted(map(repr, seen)) == sorted(map(repr, area_map.connectors * 2))


@pytest.mark.full
@given(area_maps())
def test_networkx_graph_matches_the_map(area_map: AreaMap) -> None:
    graph = area_map.as_networkx()
    assert list(graph) == list(area_map.ids)
    assert dict(graph.nodes(data="terrain")) == {area.id: area.terrain for area in area_map.areas}
    assert {frozenset(pair) for pair in graph.edges} == {frozenset((link.a, link.b)) for link in area_map.connectors}
    assert all(graph.edges[link.a, link.b]["kind"] == link.kind for link in area_map.connectors)
    for a in area_map.ids:
        lengths = nx.single_source_shortest_path_length(graph, a)
        assert {b: area_map.distance_spaces(a, b) for b in area_map.ids} == {b: lengths.get(b) for b in area_map.ids}


@pytest.mark.full
@given(area_maps())
def test_map_can_be_sent_to_another_process(area_map: AreaMap) -> None:
    again = pickle.loads(pickle.dumps(area_map))  # noqa: S301 - our own bytes
    assert again == area_map
    assert again.neighbors == area_map.neighbors


def test_repr_of_a_map_shows_its_size() -> None:
    assert repr(gazala()) == "AreaMap('gazala', 4 areas, 4 connectors)"


@pytest.mark.parametrize(
    ("areas", "connectors", "message"),
    [
        (desert("A", "A"), (), "map m: areas.A: two areas have this id; rename one"),
        (desert("é"), (), "map m: areas.'é': the id is not allowed; use 1 to 32 of the characters A-Z a-z 0-9 _ . -"),
        (desert("A B"), (), "map m: areas.'A B': the id is not allowed"),
        (desert("A" * 33), (), f"map m: areas.{'A' * 33}: the id is not allowed"),
        (desert(""), (), "map m: areas.'': the id is not allowed"),
        (desert("A\n"), (), r"map m: areas.'A\n': the id is not allowed"),
        (
            desert("A"),
            [Connector("A", "B", "road")],
            "map m: connectors[0]: there is no area 'B'; correct the id or add",
        ),
        (desert("A"), [Connector("A", "A", "road")], "map m: connectors[0]: joins 'A' to itself; name two areas"),
        (
            desert("A", "B"),
            [Connector("A", "B", "road"), Connector("B", "A", "desert")],
            "map m: connectors[1]: 'A' and 'B' are already joined by connectors[0]; keep one of the two",
        ),
    ],
)
def test_inconsistent_map_is_refused(areas: Sequence[Area], connectors: Sequence[Connector], message: str) -> None:
    with pytest.raises(DataError) as refusal:
        AreaMap("m", tuple(areas), tuple(connectors))
    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize(
    "ask",
    [
        lambda area_map: area_map.area("tob"),
        lambda area_map: area_map.adjacent("tob"),
        lambda area_map: area_map.connector("TOB", "tob"),
        lambda area_map: area_map.distance_spaces("tob", "TOB"),
    ],
)
def test_off_map_area_is_refused_by_name(ask: Any) -> None:
    with pytest.raises(DataError, match=r"^map gazala: tob: no area has this id; ids are case-sensitive$"):
        ask(gazala())


SCRIPT = """
from sandtable.areas import *
from sandtable.graphs import *
names = {f"{letter}{number}" for letter in "ABCDEF" for number in range(6)}
print(*names)
mixed = {(a, b): ord(a[0]) * 7 + ord(b[0]) * 3 + int(a[1]) * int(b[1]) for a in names for b in names if a < b}
pairs = {pair for pair, number in mixed.items() if number % 9 == 0}
areas = tuple(Area(name, name, "ab"[int(name[1]) % 2]) for name in names)
area_map = AreaMap("m", areas, tuple(Connector(b, a, ["road", "rail"][int(a[1]) % 2]) for a, b in pairs))
table = area_map.cost_table(lambda start, end, kind: None if end.id == "C3" else 1 + (start.terrain != end.terrain))
found = reach(table, 0, 9, stops=[area.terrain == "b" for area in area_map.areas])
print(area_map.neighbors, found.costs, [found.find_path(space) for space in range(36)])
net = supplied(area_map.neighbors, {3, 17}, {5, 8, 13, 21, 34}.__contains__, 3)
print(net.spaces(), [net.trace(space) for space in range(36)])
rules = MapRules(terrains=("a",), connected_terrains=(("a",), ("b",)), chains=("road", "rail"))
print(find_map_problems(area_map, rules), list(area_map.as_networkx().edges(data=True)))
control = {name: "AxisAllies"[len(name) :] for name in names}
print(spaces_of(control, "Axis"), count_spaces(control), contested_spaces({name: {"x", name[0]} for name in names}))
"""


def run_with_hash_seed(seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.full
def test_no_result_depends_on_the_hash_seed() -> None:
    first, second = run_with_hash_seed("0"), run_with_hash_seed("1")
    assert first[0] != second[0], "the sets of the script must come in another order, or this test shows nothing"
    assert first[1:] == second[1:]
    assert len(first) == 5


def test_networkx_is_not_loaded_until_a_map_is_checked() -> None:
    script = "import sys, sandtable.board; print('networkx' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_search_over_areas_uses_numbers_and_returns_ids() -> None:
    area_map = gazala()
    enemy: Mapping[str, bool] = {"TOB": True}
    net = supplied(area_map.neighbors, [area_map.index["GAZ"]], lambda n: enemy.get(area_map.ids[n], False))
    assert area_map.ids_of(net.spaces()) == ("GAZ", "HAC", "TOB")
    assert area_map.ids_of(net.trace(area_map.index["BDI"]).frontier) == ("TOB",)
