"""Supply lines, compared with networkx on the graph without the blocked spaces."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from statistics import median
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import lines_run

from sandtable.board.graph.masks import joined_flags, mask_of
from sandtable.board.graph.supply import SupplyLeg, SupplyLines, SupplyNet, SupplyTrace, supplied, trace_supply
from sandtable.board.graph.zones import Zones
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.errors import RulesetError

Neighbours = list[list[int]]
Leg = tuple[Neighbours, int | None, list[bool]]

LINE = [[1], [0, 2], [1, 3], [2, 4], [3]]
"""Five spaces in a row; the source is 0."""

GRID = [[1, 3], [0, 2, 4], [1, 5], [0, 4, 6], [1, 3, 5, 7], [2, 4, 8], [3, 7], [4, 6, 8], [5, 7]]
"""Three by three, 0 at the top left and 8 at the bottom right."""


def neighbourhoods(size: int) -> st.SearchStrategy[Neighbours]:
    def build(joined: list[tuple[int, int]]) -> Neighbours:
        return [sorted([b for a, b in joined if a == n] + [a for a, b in joined if b == n]) for n in range(size)]

    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    return st.lists(st.sampled_from(pairs), unique=True, max_size=2 * size).map(build)


def legs(size: int) -> st.SearchStrategy[Leg]:
    blocked = st.lists(st.integers(0, 2).map(lambda number: number == 0), min_size=size, max_size=size)
    return st.tuples(neighbourhoods(size), st.one_of(st.none(), st.integers(0, 4)), blocked)


@st.composite
def situations(draw: st.DrawFn, most_legs: int) -> tuple[list[Leg], list[int]]:
    """Draw legs over one set of spaces, and the sources."""
    size = draw(st.integers(2, 9))
    drawn = draw(st.lists(legs(size), min_size=1, max_size=most_legs))
    return drawn, draw(st.lists(st.integers(0, size - 1), max_size=3))


def oracle_spaces(drawn: Sequence[Leg], space: int) -> list[int]:
    """Return where the lines of a unit can end: leg by leg outward, each a networkx search of limited depth."""
    region = [space]
    for neighbors, limit, blocked in drawn:
        graph = nx.Graph([(a, b) for a, row in enumerate(neighbors) for b in row])
        graph.add_nodes_from(range(len(neighbors)))
        graph.remove_nodes_from([n for n in list(graph) if blocked[n] and n != space])
        found: dict[int, int] = {}
        for handover in region:
            if handover in graph:
                found |= nx.single_source_shortest_path_length(graph, handover, cutoff=limit)
        region = list(found)
    return region


def net_of(drawn: Sequence[Leg], sources: Sequence[int]) -> SupplyNet:
    neighbors, limit, blocked = drawn[0]
    then = [SupplyLeg(*further) for further in drawn[1:]]
    return supplied(neighbors, sources, blocked, limit, then=then)


@pytest.mark.full
@given(situations(most_legs=3))
def test_every_supply_line_can_be_walked(situation: tuple[list[Leg], list[int]]) -> None:
    drawn, sources = situation
    net = net_of(drawn, sources)
    for space in net.spaces():
        trace = net.trace(space)
        assert len(trace.parts) == len(drawn)
        assert trace.path[0] == space
        assert trace.path[-1] in sources
        assert trace.frontier == ()
        for part, (neighbors, limit, blocked) in zip(trace.parts, drawn, strict=True):
            assert limit is None or len(part) - 1 <= limit
            assert all(b in neighbors[a] for a, b in pairwise(part))
            assert not any(blocked[passed] for passed in part if passed != space)
        assert all(before[-1] == after[0] for before, after in pairwise(trace.parts))
        assert list(trace.path) == [space, *(step for part in trace.parts for step in part[1:])]


@pytest.mark.full
@given(situations(most_legs=3))
def test_first_leg_of_a_supply_line_is_as_short_as_possible(situation: tuple[list[Leg], list[int]]) -> None:
    drawn, sources = situation
    net = net_of(drawn, sources)
    for space in net.spaces():
        first = len(net.trace(space).parts[0]) - 1
        for shorter in range(first):
            cut_down = [(drawn[0][0], shorter, drawn[0][2]), *drawn[1:]]
            assert not set(oracle_spaces(cut_down, space)) & set(sources)


@pytest.mark.full
@given(situations(most_legs=3))
def test_frontier_separates_a_space_from_every_source(situation: tuple[list[Leg], list[int]]) -> None:
    drawn, sources = situation
    net = net_of(drawn, sources)
    for space in range(len(drawn[0][0])):
        trace = net.trace(space)
        if trace.is_supplied:
            continue
        assert trace.frontier == tuple(sorted(set(trace.frontier) - {space}))
        blocked_anywhere = [any(blocked[end] for _, _, blocked in drawn) for end in range(len(drawn[0][0]))]
        assert all(blocked_anywhere[end] for end in trace.frontier)
        only_frontier = [[end in trace.frontier for end in range(len(drawn[0][0]))] for _ in drawn]
        opened = [(a, limit, shut) for (a, limit, _), shut in zip(drawn, only_frontier, strict=True)]
        assert not set(oracle_spaces(opened, space)) & set(sources)


@pytest.mark.full
@given(situations(most_legs=1))
def test_frontier_has_only_blocked_spaces_next_to_the_search(situation: tuple[list[Leg], list[int]]) -> None:
    drawn, sources = situation
    neighbors, limit, blocked = drawn[0]
    net = net_of(drawn, sources)
    for space in range(len(neighbors)):
        for end in net.trace(space).frontier:
            assert blocked[end]
            reopened = [shut and other != end for other, shut in enumerate(blocked)]
            assert end in oracle_spaces([(neighbors, limit, reopened)], space)


@pytest.mark.full
@given(situations(most_legs=2))
def test_single_trace_matches_the_map_sweep(situation: tuple[list[Leg], list[int]]) -> None:
    drawn, sources = situation
    net = net_of(drawn, sources)
    neighbors, limit, blocked = drawn[0]
    then = [SupplyLeg(*further) for further in drawn[1:]]
    for space in range(len(neighbors)):
        one = trace_supply(space, neighbors, sources[::-1], lambda other: blocked[other], limit, then=then)
        assert one == net.trace(space)


RAIL: Neighbours = [[1], [0, 2], [1], [], [], [], [], [], []]
"""A railway along the top row of the grid, from its source at 0."""

RIVER: Neighbours = [[] for _ in range(9)]
"""No step by river at all."""

LINES: dict[str, tuple[int, Neighbours, list[int], set[int], int | None, Any, Any]] = {
    "open spaces": (4, LINE, [0], set(), None, [], ((4, 3, 2, 1, 0),)),
    "maximum length": (3, LINE, [0], set(), 3, [], ((3, 2, 1, 0),)),
    "too long": (4, LINE, [0], set(), 3, [], ()),
    "unit on its source": (0, LINE, [0], set(), 0, [], ((0,),)),
    "enemy on the only path": (4, LINE, [0], {2}, None, [], (2,)),
    "the unit's own space is never tested": (4, LINE, [0], {4}, None, [], ((4, 3, 2, 1, 0),)),
    "ring of enemies": (4, GRID, [0], {7, 1, 5, 3}, None, [], (1, 3, 5, 7)),
    "equal lines, the lower number": (8, GRID, [0], set(), None, [], ((8, 5, 2, 1, 0),)),
    "equal sources, the lower number": (4, GRID, [2, 6], set(), None, [], ((4, 1, 2),)),
    "cross-country, then by rail": (8, GRID, [0], set(), 2, [(RAIL, None)], ((8, 5, 2), (2, 1, 0))),
    "cross-country leg too long": (8, GRID, [0], set(), 1, [(RAIL, None)], ()),
    "cross-country leg of its maximum": (5, GRID, [0], set(), 1, [(RAIL, None)], ((5, 2), (2, 1, 0))),
    "unit on the railway": (2, GRID, [0], set(), 0, [(RAIL, None)], ((2,), (2, 1, 0))),
    "railway blocked separately": (8, GRID, [0], set(), 2, [(RAIL, {1})], (1,)),
    "source reached without the blocked railway": (4, GRID, [0], set(), 2, [(RAIL, {1})], ((4, 1, 0), (0,))),
    "railway without a test uses that of the line": (5, GRID, [0], {1}, 1, [(RAIL, None)], (1,)),
    "no working rail, one station in reach": (8, GRID, [0], set(), 2, [(RAIL, set(range(9)))], (2,)),
    "no working rail, three stations in reach": (4, GRID, [0], set(), 2, [(RAIL, set(range(9)))], (0, 1, 2)),
    "source blocked by rail": (8, GRID, [6], set(), 2, [(RAIL, {6})], (6,)),
    "source off the railway": (8, GRID, [6], set(), 2, [(RAIL, None)], ((8, 7, 6), (6,))),
    "leg of length zero, blocked": (5, GRID, [0], set(), 1, [(RIVER, {2}), (RAIL, None)], (2,)),
    "leg of length zero": (5, GRID, [0], set(), 1, [(RIVER, None), (RAIL, None)], ((5, 2), (2,), (2, 1, 0))),
    "equal paths to the railway, the lower number": (
        *(4, GRID, [8], set(), 1),
        *([([[], [7], [], [], [], [], [], [1, 8], [7]], None)], ((4, 1), (1, 7, 8))),
    ),
}
"""By name: unit, neighbors, sources, blocked spaces, maximum length, further legs; then the parts or the frontier."""


@pytest.mark.parametrize("name", LINES)
def test_supply_line_has_its_parts_or_its_frontier(name: str) -> None:
    space, neighbors, sources, blocked, most, legs, found = LINES[name]
    then = [SupplyLeg(further, blocked=shut) for further, shut in legs]
    is_supplied = bool(found) and isinstance(found[0], tuple)
    expected = SupplyTrace(space, parts=found) if is_supplied else SupplyTrace(space, frontier=found)
    assert trace_supply(space, neighbors, sources, blocked, most, then=then) == expected


def test_a_blocked_source_serves_only_the_unit_in_it() -> None:
    net = supplied(LINE, [0], [True, False, False, False, False])
    assert net.spaces() == (0,)
    assert net.trace(1).frontier == (0,)


def test_legs_over_maps_of_different_size_are_refused() -> None:
    with pytest.raises(RulesetError, match="legs of a supply line number different spaces; build them all from one"):
        supplied(LINE, [0], then=[SupplyLeg(GRID)])


# ---------------------------------------------------------------------- successive positions


@st.composite
def campaigns(draw: st.DrawFn) -> list[tuple[list[Leg], list[int]]]:
    """Draw several positions of one map: the same legs, different blocked spaces and sources."""
    drawn, sources = draw(situations(most_legs=3))
    size = len(drawn[0][0])
    flags = st.lists(st.integers(0, 2).map(lambda number: number == 0), min_size=size, max_size=size)
    later = st.tuples(st.tuples(*[flags] * len(drawn)), st.lists(st.integers(0, size - 1), max_size=3))
    found = [(drawn, sources)]
    for blocked, others in draw(st.lists(later, min_size=1, max_size=5)):
        legs = [(near, limit, shut) for (near, limit, _), shut in zip(drawn, blocked, strict=True)]
        found.append((legs, others))
    return found


@pytest.mark.full
@given(campaigns())
def test_repaired_net_equals_a_new_sweep_and_networkx(campaign: list[tuple[list[Leg], list[int]]]) -> None:
    net = net_of(*campaign[0])
    lines = SupplyLines(*(SupplyLeg(near, limit) for near, limit, _ in campaign[0][0]), kept=3)
    for drawn, sources in campaign:
        blocked = [shut for _, _, shut in drawn]
        net = net.changed(sources, *blocked)
        assert net == net_of(drawn, sources) == lines.net(sources, *blocked)
        expected = [space for space in range(len(blocked[0])) if set(oracle_spaces(drawn, space)) & set(sources)]
        assert list(net.spaces()) == expected
        for space in range(len(blocked[0])):
            assert net.is_supplied(space) == net.trace(space).is_supplied == (space in expected)


CENTER = HexMap("center", HexGrid(30, 20, first_row=20, layout="rows", columns_grow="west"))
"""A map of the size of Army Group Center."""

TRACK = [
    *(("24", column, column + 1) for column in range(1, 30)),
    *(("30", column, column + 1) for column in range(4, 22)),
    *(("36", column, column + 1) for column in range(1, 16)),
]


def railway() -> list[list[int]]:
    """Return the hexes that are joined by rail: three lines along rows, and two from north to south."""
    near: list[set[int]] = [set() for _ in CENTER.numbers]
    steps = [(f"{row}{a:02}", f"{row}{b:02}") for row, a, b in TRACK]
    for down in ("2410", "2418"):
        line = [down]
        for _ in range(11):
            line.append(CENTER.around[line[-1]][2 + int(line[-1][:2]) % 2])
        steps += pairwise(line)
    for a, b in steps:
        near[CENTER.index[a]].add(CENTER.index[b])
        near[CENTER.index[b]].add(CENTER.index[a])
    return [sorted(row) for row in near]


class Front:
    """Two sides of forty units that wander over the map; each move changes the spaces closed to the western side."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - positions for a test
        self.zones = Zones(CENTER.adjacency)
        west = [place for number, place in CENTER.index.items() if int(number[2:]) > 14]
        east = [place for number, place in CENTER.index.items() if int(number[2:]) < 18]
        self.enemies = self.random.sample(east, 40)
        self.friends = self.random.sample([place for place in west if place not in self.enemies], 40)
        self.unconverted = mask_of([int(number[2:]) < 12 for number in CENTER.numbers], len(CENTER.numbers))

    def move(self) -> None:
        """Move one unit one hex."""
        side = self.random.choice((self.enemies, self.friends))
        unit = self.random.randrange(len(side))
        free = [near for near in CENTER.adjacency[side[unit]] if near not in self.enemies and near not in self.friends]
        side[unit] = self.random.choice(free or [side[unit]])

    def closed(self) -> tuple[bytes, bytes]:
        """Return the flags of closed spaces cross-country and by rail."""
        country = self.zones.closed(self.enemies, self.enemies[:30], self.friends)
        return country, joined_flags(country, self.unconverted)


def reached_from(sources: list[int], country: bytes, by_rail: bytes, rail: list[list[int]]) -> set[int]:
    """Let networkx go by rail from the sources, then three hexes cross-country."""
    railways = nx.Graph([(a, b) for a, row in enumerate(rail) for b in row])
    railways.add_nodes_from(sources)
    railways.remove_nodes_from([place for place, shut in enumerate(by_rail) if shut])
    stations = {end for each in sources if each in railways for end in nx.node_connected_component(railways, each)}
    open_country = nx.Graph([(a, b) for a, row in enumerate(CENTER.adjacency) for b in row])
    open_country.remove_nodes_from([place for place, shut in enumerate(country) if shut])
    starts = [each for each in stations if each in open_country]
    return {end for each in starts for end in nx.single_source_shortest_path_length(open_country, each, cutoff=3)}


@pytest.mark.rule("DM-2.10a", "DM-2.10b", "AGC-4.3.1a", "AGC-4.3.2a")
@pytest.mark.parametrize("seed", range(3))
def test_supply_lines_of_a_campaign_match_networkx(seed: int) -> None:
    front, rail, sources = Front(seed), railway(), [CENTER.index["2430"]]
    lines = SupplyLines(SupplyLeg(CENTER.adjacency, 3), SupplyLeg(rail))
    for step in range(60):
        front.move()
        country, by_rail = front.closed()
        net = lines.net(sources, country, by_rail)
        if step % 20:
            continue
        in_reach = reached_from(sources, country, by_rail, rail)
        for place, shut in enumerate(country):
            assert shut or net.is_supplied(place) is (place in in_reach)
        for place in front.friends:
            for part, most, barred in zip(net.trace(place).parts, (3, 999), (country, by_rail), strict=False):
                assert len(part) - 1 <= most
                assert not any(barred[passed] for passed in part if passed != place)


def test_repair_after_a_move_takes_little_work() -> None:
    front, rail, sources = Front(7), railway(), [CENTER.index["2430"]]
    lines = SupplyLines(SupplyLeg(CENTER.adjacency, 3), SupplyLeg(rail))
    lines.net(sources, *front.closed())
    work = []
    for _ in range(300):
        front.move()
        work.append(lines_run(lambda: lines.net(sources, *front.closed())))
    assert median(work) < 1_500  # counted 351 (0.03 ms)


def test_frontiers_show_which_test_blocks_a_line() -> None:
    enemy, unconverted = [space == 5 for space in range(9)], [space == 1 for space in range(9)]
    net = supplied(GRID, [0], enemy, 2, then=[SupplyLeg(RAIL, blocked=unconverted)])
    assert net.frontiers(8) == ((5,), ())
    net = net.changed([0], enemy, [space in (0, 1) for space in range(9)])
    assert net.frontiers(4) == ((5,), (0, 1))
    assert net.trace(4) == SupplyTrace(4, frontier=(0, 1, 5))


def test_wrong_number_of_blocking_tests_is_refused() -> None:
    net = supplied(GRID, [0], None, 2, then=[SupplyLeg(RAIL)])
    assert net.changed([0], {1}) == supplied(GRID, [0], {1}, 2, then=[SupplyLeg(RAIL)])
    for tests in ((), ({1}, {1}, {1})):
        with pytest.raises(RulesetError, match="tests for a line of 2 legs; give one, or one for each"):
            net.changed([0], *tests)
    with pytest.raises(RulesetError, match="space 9 is not on the map"):
        net.changed([9], {1})


def test_supply_lines_cache_only_the_latest_nets() -> None:
    lines = SupplyLines(SupplyLeg(LINE), kept=2)
    first = lines.net([0], {2})
    assert lines.net([0], {3}) is not first
    assert lines.net([0], [False, False, True, False, False]) is first
    lines.net([0], {1})
    assert lines.net([0], {2}) is first
    assert lines.net([0], {3}).spaces() == (0, 1, 2, 3)
    assert lines.net([0], {4}) == supplied(LINE, [0], {4})
    assert lines.net([0], {2}) is not first


def test_leg_with_a_separate_blocking_test_is_refused() -> None:
    with pytest.raises(RulesetError, match="give the test to net"):
        SupplyLines(SupplyLeg(LINE, blocked={1}))
    with pytest.raises(RulesetError, match="legs of a supply line number different spaces"):
        SupplyLines(SupplyLeg(LINE), SupplyLeg(GRID))
