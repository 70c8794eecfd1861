"""Floods and their repair, compared with networkx; flags in all their forms."""

from collections.abc import Callable

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sandtable.board.graph.incremental_reach import FAR, IncrementalReach, flood
from sandtable.board.graph.masks import differing, flags_at, joined_flags, mask_of, places_of
from sandtable.board.graph.paths import Adjacency
from sandtable.board.hexes.grid import HexGrid
from sandtable.errors import RulesetError

SIZE = 20
ROWS = HexGrid(5, 4, layout="rows").adjacency()

flags = st.lists(st.booleans(), min_size=SIZE, max_size=SIZE).map(bytes)
few = st.sets(st.integers(0, SIZE - 1), max_size=4).map(lambda spaces: flags_at(spaces, SIZE))
limits = st.none() | st.integers(0, 4)


def oracle(neighbors: Adjacency, seeds: bytes, closed: bytes, limit: int | None) -> list[int]:
    """Let networkx measure from an additional node that is joined to all seeds."""
    graph = nx.Graph([(a, b) for a, row in enumerate(neighbors) for b in row])
    graph.add_nodes_from(range(len(neighbors)))
    graph.remove_nodes_from(places_of(closed))
    graph.add_node("seeds")
    graph.add_edges_from(("seeds", space) for space in places_of(seeds) if not closed[space])
    found = nx.single_source_shortest_path_length(graph, "seeds", cutoff=None if limit is None else limit + 1)
    return [found.get(space, FAR + 1) - 1 for space in range(len(neighbors))]


@pytest.mark.full
@given(few, flags, limits)
def test_flood_distances_match_networkx(seeds: bytes, closed: bytes, limit: int | None) -> None:
    made = flood(ROWS, seeds, closed, limit)
    assert list(made.distances) == oracle(ROWS, seeds, closed, limit)
    assert list(made.reached) == [distance < FAR for distance in made.distances]


@pytest.mark.full
@given(st.lists(st.tuples(few, flags), min_size=2, max_size=6), limits)
def test_repeatedly_repaired_flood_equals_a_new_flood(positions: list[tuple[bytes, bytes]], limit: int | None) -> None:
    (seeds, closed), *later = positions
    made = flood(ROWS, seeds, closed, limit)
    for seeds, closed in later:
        made = made.changed(closed, seeds)
        assert made == flood(ROWS, seeds, closed, limit)


@given(few, few, few, limits)
def test_repair_does_not_change_the_original_flood(
    seeds: bytes, before: bytes, after: bytes, limit: int | None
) -> None:
    made = flood(ROWS, seeds, before, limit)
    made.changed(after, before)
    assert made == flood(ROWS, seeds, before, limit)
    assert made.changed(before, seeds) is made


@pytest.mark.full
@given(few, flags, limits)
def test_homeward_path_prefers_the_lowest_number(seeds: bytes, closed: bytes, limit: int | None) -> None:
    made = flood(ROWS, seeds, closed, limit)
    for space in range(SIZE):
        if made.reached[space]:
            distance = made.distances[space]
            downs = [near for near in ROWS[space] if made.distances[near] == distance - 1]
            assert made.homeward(space) == (space if distance == 0 else min(downs))


@pytest.mark.full
@given(few, flags, limits)
def test_flood_reports_the_closed_spaces_that_stop_it(seeds: bytes, closed: bytes, limit: int | None) -> None:
    made = flood(ROWS, seeds, closed, limit)
    for space in range(SIZE):
        opened = bytearray(closed)
        opened[space] = 0
        would = flood(ROWS, seeds, bytes(opened), limit).reached[space]
        assert made.touches(space) is bool(closed[space] and would)
    assert made.shores() == {space for space in range(SIZE) if made.touches(space)}


@pytest.mark.parametrize(
    ("form", "marked"),
    [
        ([False, True, False, True], [1, 3]),
        ((0, 1, 0, 1), [1, 3]),
        ({3, 1}, [1, 3]),
        (frozenset((1, 3)), [1, 3]),
        (bytes((0, 1, 0, 1)), [1, 3]),
        (lambda space: space % 2 == 1, [1, 3]),
        (None, []),
    ],
)
def test_flags_may_be_given_in_any_form(form: Callable[[int], bool] | None, marked: list[int]) -> None:
    assert list(mask_of(form, 4)) == [space in marked for space in range(4)]
    assert places_of(mask_of(form, 4)) == marked


@pytest.mark.full
@given(st.lists(flags, min_size=1, max_size=3))
@example([bytes(3)])
@example([bytes((0, 1, 1))])
def test_flags_can_be_joined_and_compared(joined: list[bytes]) -> None:
    assert places_of(joined_flags(*joined)) == sorted({place for each in joined for place in places_of(each)})
    a, b = joined[0], joined[-1]
    assert differing(a, b) == sorted({*places_of(a)} ^ {*places_of(b)})


def test_flags_of_another_map_are_refused() -> None:
    with pytest.raises(RulesetError, match="3 flags for a map of 4 spaces; give one for each"):
        mask_of(bytes(3), 4)


def test_space_without_neighbors_is_reached_only_as_a_seed() -> None:
    made: IncrementalReach = flood([[], []], bytes((1, 0)), bytes(2))
    assert made.distances == [0, FAR]
    assert made.changed(bytes((1, 0)), bytes((1, 0))).distances == [FAR, FAR]
    assert made.changed(bytes(2), bytes((0, 1))).distances == [FAR, 0]
