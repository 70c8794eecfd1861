"""Requirements of a game for a map as a whole."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.areas.checks import MapRules, check_map, find_map_problems
from sandtable.board.areas.map import Area, AreaMap, Connector
from sandtable.errors import DataError


def a_map(areas: str, roads: str = "", tracks: str = "") -> AreaMap:
    """Areas as ``A B c`` (small letters are sea), connectors as ``AB BC``."""
    return AreaMap(
        "m",
        tuple(Area(name, name, "sea" if name.islower() else "land") for name in areas.split()),
        tuple(
            Connector(pair[0], pair[1], kind)
            for kind, pairs in (("road", roads), ("track", tracks))
            for pair in pairs.split()
        ),
    )


ROW = "AB BC CD DE EF FG GH HI IJ JK KL LM MN NO OP PQ QR RS ST TU"
"""Roads from A to U."""


@pytest.mark.parametrize(
    ("area_map", "rules", "problems"),
    [
        (
            a_map("A B C D E", roads="AB BC DE"),
            MapRules(),
            ["map m: areas: the map has 2 separate parts; add connectors from the largest to: D, E"],
        ),
        (a_map("A B C D E", roads="AB BC DE"), MapRules(connected=False), []),
        (
            a_map("A B C", roads="AB BC"),
            MapRules(terrains=("land", "sea"), kinds=("road",), connected_terrains=(("land",),), chains=("road",)),
            [],
        ),
        (
            a_map(" ".join("ABCDEFGHIJKLMNOPQRSTU"), roads=" ".join(ROW.split("KL"))),
            MapRules(),
            [
                "map m: areas: the map has 2 separate parts; add connectors from the largest to: "
                + ", ".join("LMNOPQRS")
                + ", and 2 more"
            ],
        ),
        (
            a_map("A B C D E", roads="BC DE CD"),
            MapRules(),
            ["map m: areas: the map has 2 separate parts; add connectors from the largest to: A"],
        ),
        (
            a_map("A x B", roads="Ax xB"),
            MapRules(connected_terrains=(("land",), ("land", "sea"), ("hill",))),
            [
                "map m: areas: terrain land has 2 separate parts; add connectors from the largest to: B",
                "map m: areas: no area has terrain hill, which must be connected",
            ],
        ),
        (
            a_map("A b", roads="Ab"),
            MapRules(terrains=("land", "hill"), kinds=("track", "river")),
            [
                "map m: areas.b.terrain: 'sea' is not one of land, hill",
                "map m: connectors: A to b is of kind 'road', not one of track, river",
            ],
        ),
        (
            a_map("A B", tracks="AB"),
            MapRules(chains=("road",)),
            ["map m: connectors: no connector is of kind 'road', which must form a chain"],
        ),
        (
            a_map("A B C D", roads="AB CD", tracks="BC"),
            MapRules(chains=("road",)),
            ["map m: connectors: the chain of kind 'road' is broken into 2 pieces, close the gaps: A, B; C, D"],
        ),
        (
            a_map("A B C D", roads="AB BC BD"),
            MapRules(chains=("road",)),
            ["map m: areas.B: 'road' branches here, to A, C, D; an area of a chain has at most two connectors"],
        ),
        (
            a_map("A B C", roads="AB BC AC"),
            MapRules(chains=("road",)),
            ["map m: connectors: the chain of kind 'road' is a ring: A, B, C; remove one connector"],
        ),
        (
            a_map(" ".join("ABCDEFGHIJKLMNOPQRSTU")),
            MapRules(connected_terrains=()),
            [
                "map m: areas: the map has 21 separate parts; add connectors from the largest to: "
                + "; ".join("BCDEFGHI")
                + "; and 12 more"
            ],
        ),
    ],
)
def test_each_problem_is_reported_with_key_and_fix(area_map: AreaMap, rules: MapRules, problems: list[str]) -> None:
    assert find_map_problems(area_map, rules) == problems
    assert find_map_problems(area_map, rules, "desert.toml") == [
        each.replace("map m", "desert.toml", 1) for each in problems
    ]
    for name in ((), ("desert.toml",)):
        if not problems:
            check_map(area_map, rules, *name)
            continue
        with pytest.raises(DataError) as refusal:
            check_map(area_map, rules, *name)
        assert str(refusal.value) == find_map_problems(area_map, rules, *name)[0]


@pytest.mark.full
@given(st.lists(st.sampled_from([(a, b) for a in "ABCDEF" for b in "ABCDEF" if a < b]), unique=True, min_size=1))
def test_a_chain_is_a_path_graph(pairs: list[tuple[str, str]]) -> None:
    area_map = a_map("A B C D E F", roads=" ".join(a + b for a, b in pairs))
    graph = nx.Graph(pairs)
    is_path = any(nx.is_isomorphic(graph, nx.path_graph(length)) for length in range(2, 7))
    problems = find_map_problems(area_map, MapRules(connected=False, chains=("road",)))
    assert (problems == []) == is_path
