"""Movement over numbered spaces, compared with networkx and with an enumeration of every path."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.graph.paths import CostTable, MapPath, Reach, cheapest_path, distance_spaces, path_cost, reach
from sandtable.board.hexes.grid import HexGrid
from sandtable.errors import RulesetError

Costs = dict[tuple[int, int], int | None]
Board = tuple[list[list[int]], Costs]

LINE = [[1], [0, 2], [1, 3], [2, 4], [3]]
"""Five spaces in a row, 0 to 4."""

DIAMOND = [[1, 2], [0, 3], [0, 3], [1, 2]]
"""From 0 to 3 by way of 1 or of 2."""


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Draw a random map with a cost for each direction of each step, some impassable."""
    size = draw(st.integers(1, 9))
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    joined = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    neighbors: list[list[int]] = [[] for _ in range(size)]
    costs: Costs = {}
    for a, b in joined:
        neighbors[a].append(b)
        neighbors[b].append(a)
        costs[a, b] = draw(st.one_of(st.none(), st.integers(1, 5)))
        costs[b, a] = draw(st.one_of(st.none(), st.integers(1, 5)))
    return [sorted(row) for row in neighbors], costs


def compiled(board: Board) -> CostTable:
    neighbors, costs = board
    return CostTable.compile(neighbors, lambda a, b: costs[a, b])


def as_digraph(board: Board, start: int, stops: list[bool], blocked: list[bool]) -> "nx.DiGraph":
    """Build the same movement as a graph: no edge into blocked spaces, no edge out of spaces to stop in."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(board[0])))
    for (a, b), cost in board[1].items():
        if cost is not None and not blocked[b] and (a == start or not stops[a]):
            graph.add_edge(a, b, weight=cost)
    return graph


def marks(board: Board) -> st.SearchStrategy[list[bool]]:
    return st.lists(st.booleans(), min_size=len(board[0]), max_size=len(board[0]))


@pytest.mark.full
@given(st.data())
def test_reach_costs_match_networkx(data: st.DataObject) -> None:
    board = data.draw(boards())
    stops, blocked = data.draw(marks(board)), data.draw(marks(board))
    start, allowance = data.draw(st.integers(0, len(board[0]) - 1)), data.draw(st.integers(0, 20))
    found = reach(compiled(board), start, allowance, stops=stops, blocked=blocked)
    graph = as_digraph(board, start, stops, blocked)
    assert found.costs == nx.single_source_dijkstra_path_length(graph, start, cutoff=allowance)
    assert list(found.costs.items()) == sorted(found.costs.items(), key=lambda item: (item[1], item[0]))


@pytest.mark.full
@given(st.data())
def test_witness_path_is_legal_at_its_stated_cost(data: st.DataObject) -> None:
    board = data.draw(boards())
    table, stops, blocked = compiled(board), data.draw(marks(board)), data.draw(marks(board))
    start = data.draw(st.integers(0, len(board[0]) - 1))
    found = reach(table, start, 99, stops=stops, blocked=blocked)
    for space in range(len(board[0])):
        path = found.find_path(space)
        if path is None:
            assert space not in found.costs
            continue
        assert (path.spaces[0], path.spaces[-1], path.cost) == (start, space, found.costs[space])
        assert sum(board[1][step] or 1000 for step in pairwise(path.spaces)) == path.cost
        assert not any(blocked[entered] for entered in path.spaces[1:])
        assert not any(stops[passed] for passed in path.spaces[1:-1])
        assert path_cost(table, path.spaces) == path.cost


@pytest.mark.full
@given(st.data())
def test_cheapest_path_matches_an_enumeration_of_all_paths(data: st.DataObject) -> None:
    board = data.draw(boards())
    size = len(board[0])
    start, goal = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    stops, blocked = data.draw(marks(board)), data.draw(marks(board))
    allowance = data.draw(st.one_of(st.none(), st.integers(0, 12)))

    def walk(here: int, walked: tuple[int, ...], spent: int) -> list[int]:
        """Return the cost of each path to the goal that visits no space twice."""
        found = [spent] if here == goal else []
        if len(walked) > 1 and stops[here]:
            return found
        for (a, b), step in board[1].items():
            if a == here and b not in walked and step is not None and not blocked[b]:
                found += walk(b, (*walked, b), spent + step)
        return found

    affordable = [cost for cost in walk(start, (start,), 0) if allowance is None or cost <= allowance]
    path = cheapest_path(compiled(board), start, goal, allowance=allowance, stops=stops, blocked=blocked)
    assert (path.cost if path else None) == min(affordable, default=None)
    whole = reach(compiled(board), start, 99 if allowance is None else allowance, stops=stops, blocked=blocked)
    assert path == whole.find_path(goal)


def ways(found: Reach) -> dict[int, MapPath | None]:
    """Return the path to every reached space, in the order in which they were reached."""
    return {space: found.find_path(space) for space in found.costs}


@pytest.mark.full
@given(st.data())
def test_predicates_tuples_sets_and_lists_are_equivalent(data: st.DataObject) -> None:
    board = data.draw(boards())
    table, stops, blocked = compiled(board), data.draw(marks(board)), data.draw(marks(board))
    stop_set, blocked_set = ({space for space, mark in enumerate(row) if mark} for row in (stops, blocked))
    by_list = ways(reach(table, 0, 9, stops=stops, blocked=blocked))
    assert ways(reach(table, 0, 9, stops=tuple(stops), blocked=tuple(blocked))) == by_list
    assert ways(reach(table, 0, 9, stops=lambda space: stops[space], blocked=lambda space: blocked[space])) == by_list
    assert ways(reach(table, 0, 9, stops=stop_set, blocked=frozenset(blocked_set))) == by_list
    goal = len(board[0]) - 1
    assert distance_spaces(board[0], 0, goal, blocked=blocked_set) == distance_spaces(
        board[0], 0, goal, blocked=blocked
    )


@pytest.mark.full
@given(st.data())
def test_changed_table_equals_a_newly_compiled_one(data: st.DataObject) -> None:
    neighbors, costs = board = data.draw(boards())
    before = compiled(board)
    steps = st.sampled_from(sorted(costs)) if costs else st.nothing()
    changes = data.draw(st.dictionaries(steps, st.one_of(st.none(), st.integers(1, 9))))
    assert before.changed(changes) == compiled((neighbors, costs | changes))
    assert before == compiled(board)
    assert before.changed(changes).changed({step: costs[step] for step in changes}) == before


@pytest.mark.full
@given(st.data())
def test_search_settles_spaces_by_cost_and_number(data: st.DataObject) -> None:
    """The same search with only a list of waiting spaces, whose minimum is searched each time."""
    board = data.draw(boards())
    table, stops, blocked = compiled(board), data.draw(marks(board)), data.draw(marks(board))
    start, allowance = data.draw(st.integers(0, len(board[0]) - 1)), data.draw(st.integers(0, 20))
    costs, previous, waiting = {}, {start: start}, {start: 0}
    while waiting:
        cost, space = min((cost, space) for space, cost in waiting.items())
        costs[space] = waiting.pop(space)
        if space != start and stops[space]:
            continue
        for end, step in table.steps[space]:
            nearer = end not in costs and cost + step < waiting.get(end, allowance + 1)
            if nearer and not blocked[end]:
                waiting[end], previous[end] = cost + step, space
    found = reach(table, start, allowance, stops=stops, blocked=blocked)
    assert list(found.costs.items()) == list(costs.items())
    for space, before in previous.items():
        path = found.find_path(space)
        assert path is not None
        assert space == start or path.spaces[-2] == before


@pytest.mark.full
@given(st.data())
def test_distance_matches_networkx(data: st.DataObject) -> None:
    neighbors, _ = board = data.draw(boards())
    blocked = data.draw(marks(board))
    start, goal = data.draw(st.integers(0, len(neighbors) - 1)), data.draw(st.integers(0, len(neighbors) - 1))
    graph = nx.Graph([(a, b) for a, row in enumerate(neighbors) for b in row])
    graph.add_nodes_from(range(len(neighbors)))
    graph.remove_nodes_from([space for space, shut in enumerate(blocked) if shut and space != start])
    expected = (
        nx.shortest_path_length(graph, start, goal) if goal in graph and nx.has_path(graph, start, goal) else None
    )
    assert distance_spaces(neighbors, start, goal, blocked=blocked) == expected


TRIANGLE = [[1, 2], [0, 2], [0, 1]]
STEPS: dict[str, tuple[list[list[int]], Callable[[int, int], int | None]]] = {
    "road": (LINE, lambda _a, _b: 1),
    "tracks": (LINE, lambda _a, _b: 2),
    "ground": (LINE, lambda _a, _b: 4),
    "worst ground": (LINE, lambda _a, _b: 1000),
    "slope": (LINE, lambda start, end: 6 if end > start else 2),
    "cliff after 1": (LINE, lambda a, b: None if (a, b) == (1, 2) else 2),
    "diamond": (DIAMOND, lambda _a, _b: 2),
    "dear step from 0 to 1": (TRIANGLE, lambda a, b: 9 if (a, b) == (0, 1) else 2),
}
"""By name: the neighbors of each space, and the cost of a step."""
ZONES = [True, False, True, False, False]


@pytest.mark.parametrize(
    ("steps", "start", "allowance", "limits", "costs"),
    [
        ("road", 0, 4, {}, {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}),
        ("ground", 0, 4, {}, {0: 0, 1: 4}),
        ("tracks", 0, 99, {"stops": ZONES}, {0: 0, 1: 2, 2: 4}),
        ("tracks", 1, 99, {"blocked": [False, True, False, True, False]}, {1: 0, 0: 2, 2: 2}),
        ("dear step from 0 to 1", 0, 99, {}, {0: 0, 2: 2, 1: 4}),
        ("road", 2, 0, {}, {2: 0}),
        ("road", 2, -1, {}, {2: 0}),
        ("road", 2, -5, {}, {2: 0}),
    ],
)
def test_reach_returns_the_expected_costs(
    steps: str, start: int, allowance: int, limits: Any, costs: dict[int, int]
) -> None:
    found = reach(CostTable.compile(*STEPS[steps]), start, allowance, **limits)
    assert list(found.costs.items()) == list(costs.items())
    assert found.find_path(start) == MapPath((start,), 0)


@pytest.mark.parametrize(
    ("steps", "limits", "ends", "path"),
    [
        ("tracks", {"stops": ZONES}, (0, 2), MapPath((0, 1, 2), 4)),
        ("tracks", {"stops": ZONES}, (0, 3), None),
        ("tracks", {}, (2, 2), MapPath((2,), 0)),
        ("cliff after 1", {}, (0, 4), None),
        ("cliff after 1", {}, (4, 0), MapPath((4, 3, 2, 1, 0), 8)),
        ("worst ground", {}, (0, 4), MapPath((0, 1, 2, 3, 4), 4000)),
        ("diamond", {}, (0, 3), MapPath((0, 1, 3), 4)),
        ("dear step from 0 to 1", {}, (0, 1), MapPath((0, 2, 1), 4)),
    ],
)
def test_cheapest_path_prefers_few_steps_and_low_numbers(
    steps: str, limits: Any, ends: Any, path: MapPath | None
) -> None:
    assert cheapest_path(CostTable.compile(*STEPS[steps]), *ends, **limits) == path


@pytest.mark.parametrize(
    ("steps", "path", "cost"),
    [
        ("slope", (0, 1, 2), 12),
        ("slope", (2, 1, 0), 4),
        ("cliff after 1", (0, 1, 2), None),
        ("cliff after 1", (2, 1, 0), 4),
        ("tracks", (0, 2), None),
        ("tracks", (0, 0), None),
        ("tracks", (3,), 0),
    ],
)
def test_path_cost_is_the_sum_of_its_steps(steps: str, path: tuple[int, ...], cost: int | None) -> None:
    assert path_cost(CostTable.compile(*STEPS[steps]), path) == cost


def test_step_that_does_not_exist_has_no_cost() -> None:
    table = CostTable.compile(*STEPS["slope"])
    assert (table.cost(0, 1), table.cost(1, 0), table.cost(0, 4)) == (6, 2, None)


def test_wreck_raises_costs_and_destroyed_bridge_blocks() -> None:
    table = CostTable.compile(LINE, lambda _a, _b: 2)
    wrecked = table.changed({(0, 1): 6, (2, 1): 6})
    assert (path_cost(wrecked, (0, 1, 2)), path_cost(wrecked, (2, 1, 0))) == (8, 8)
    blown = wrecked.changed({(2, 3): None, (3, 2): None})
    assert list(reach(blown, 0, 99).costs) == [0, 1, 2]
    assert cheapest_path(blown.changed({(2, 3): 3}), 0, 4) == MapPath((0, 1, 2, 3, 4), 13)
    assert path_cost(table, (0, 1, 2)) == 4


def test_stops_and_blocked_are_not_tested_for_the_start() -> None:
    asked: list[int] = []

    def ask(space: int) -> bool:
        asked.append(space)
        return False

    reach(CostTable.compile(LINE, lambda _a, _b: 2), 2, 99, stops=ask, blocked=ask)
    assert set(asked) == {0, 1, 3, 4}


def test_reach_on_the_large_map_matches_networkx() -> None:
    grid = HexGrid(39, 54, lower_rows=53)
    neighbors = grid.adjacency()
    table = CostTable.compile(neighbors, lambda a, b: (2, 4, 6, 2, None, 3, 1)[(b * 7919 + a * 13) % 7])
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(neighbors)))
    graph.add_weighted_edges_from((a, b, cost) for a, row in enumerate(table.steps) for b, cost in row)
    for start in (0, 1000, 1043, len(neighbors) - 1):
        found = reach(table, start, 30)
        assert found.costs == nx.single_source_dijkstra_path_length(graph, start, cutoff=30)
        assert len(found.costs) > 100


@pytest.mark.parametrize("cost", [0, -1, 1001, True, 1.0, 0.5, "2"])
def test_step_cost_is_an_integer_from_1_to_1000(cost: int) -> None:
    table = CostTable.compile(*STEPS["tracks"])
    gives: list[Callable[[], object]] = [
        lambda: CostTable.compile(LINE, lambda _a, _b: cost),
        lambda: table.changed({(0, 1): cost}),
    ]
    for give in gives:
        with pytest.raises(RulesetError, match=r"step from space 0 to space 1 costs .*; give 1 to 1000 half movement"):
            give()
