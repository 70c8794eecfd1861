"""Strategic movement as a space: who may go, which paths, and how they are drawn (D-DM-07)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

import networkx as nx  # type: ignore[import-untyped]
import pytest
from tests.plugins.damos.scattered import scattered

from damos.map.boundaries import why_no_move
from damos.map.supply import has_supply_line
from damos.map.terrain import step_halves
from damos.model import events
from damos.model.forces import enemy_of, stacks
from damos.model.orders import EndPhase, MoveStrategically
from damos.model.state import DamosState
from damos.movement.strategic import Movers, path_halves, strategic_options
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay


def allowed_ground(state: DamosState, side: str, units: list[str]) -> nx.DiGraph:
    """Return the graph of all steps that strategic movement allows, with their halves."""
    board = state.board
    enemies = stacks(state, enemy_of(side))
    graph = nx.DiGraph()
    for start in board.hexmap.numbers:
        graph.add_node(start)
        for end in board.around[start]:
            near = end in enemies or any(each in enemies for each in board.around[end])
            halves = step_halves(state, units, start, end, strategic=True)
            is_open = why_no_move(state, side, start, end) is None
            if halves is not None and not near and state.control[end] == side and is_open:
                graph.add_edge(start, end, halves=halves)
    return graph


def destinations(movers: Movers, units: list[str]) -> dict[str, list[str]]:
    """Return where units of one hex can go step by step, each with a cheapest path."""
    state = movers.state
    start = state.units[units[0]].hex
    found: dict[str, list[str]] = {}
    queue: list[tuple[int, list[str]]] = [(0, [start])]
    while queue:
        spent, path = heappop(queue)
        if path[-1] in found:
            continue
        found[path[-1]] = path
        for near in state.board.around[path[-1]]:
            if near not in found and movers.why_no_step(units, [*path, near]) is None:
                step = path_halves(state, units, [path[-1], near]) or 0
                heappush(queue, (spent + step, [*path, near]))
    del found[start]
    return found


@pytest.mark.full
@pytest.mark.rule("DM-6.0a", "DM-6.0b", "DM-6.0c", "DM-6.0d", "DM-6.0e")
@pytest.mark.parametrize("number", range(6))
def test_destinations_are_those_of_another_search(number: int) -> None:
    state = scattered(number)
    for side in ("german", "soviet"):
        movers = Movers.of(state, side)
        for hex_, fresh in list(movers.by_hex.items())[:4]:
            for units in ([fresh[0]], fresh):
                lengths = nx.single_source_dijkstra_path_length(
                    allowed_ground(state, side, units), hex_, cutoff=movers.allowance(units), weight="halves"
                )
                found = destinations(movers, units)
                assert set(found) == set(lengths) - {hex_}
                paths = movers.paths(units)
                for end, path in found.items():
                    assert path_halves(state, units, path) == lengths[end]
                    assert paths.why_not(path) is None


@pytest.mark.rule("DM-6.0a", "R-DM-33")
@pytest.mark.parametrize("number", range(6))
def test_who_may_go_is_fresh_and_supplied_and_can_go_somewhere(number: int) -> None:
    state = scattered(number)
    for side in ("german", "soviet"):
        movers = Movers.of(state, side)
        for hex_, units in stacks(state, side).items():
            fresh = [each for each in units if not state.units[each].spent]
            can = any(destinations(movers, [each]) for each in fresh)
            assert (hex_ in movers.by_hex) == (has_supply_line(state, side, hex_) and can)


@pytest.mark.rule("DM-6.0b")
@pytest.mark.parametrize("number", range(4))
def test_every_move_that_is_drawn_is_legal(number: int) -> None:
    state = scattered(number)
    for side in ("german", "soviet"):
        options = strategic_options(state, side)
        stream = Stream(b"drawn%d" % number)
        for _ in range(60 if options is not None else 0):
            assert options is not None
            order = options.sample(stream)
            assert options.why_not(order) is None
            assert isinstance(order, EndPhase | MoveStrategically)


@pytest.mark.rule("DM-6.0a", "DM-6.0b", "DM-6.0c", "DM-6.0d")
@pytest.mark.parametrize(
    ("units", "path", "rule"),
    [
        ("I2", "2824 2823", "DM-6.0a"),  # spent
        ("I1 I3", "2820 2821", "DM-2.1d"),  # of two hexes
        ("i9", "2810 2811", "DM-6.0a"),  # the enemy's
        ("I1", "2820", "DM-6.0b"),  # nowhere
        ("I1", "2821 2822", "DM-6.0b"),  # from elsewhere
        ("I1", "2820 2822", "DM-6.0b"),  # not adjacent
        ("I1", "2820 2821 2820", "DM-6.0b"),  # in a circle
        ("I1", "2820 2720 2620 2520 2420 2320 2220 2120 2020", ""),  # eight points
        ("I1", "2820 2720 2620 2520 2420 2320 2220 2120 2020 2021", "DM-6.0b"),  # nine
        ("I1", "2820 2819 2818 2817 2816 2815", "DM-6.0c"),
        ("I3", "3016 2916 2816", ""),
        ("I3", "3016 3017", "DM-6.0d"),
    ],
)
def test_why_a_move_is_refused(lay: Lay, units: str, path: str, rule: str) -> None:
    case = lay(german="2820 I1:6; 2824 I2:6~; 3016 I3:6", soviet="3118 i1:6; 2810 i9:6", phase="strategic")
    assert case.why_not(MoveStrategically(units.split(), path.split())) == rule
    case.end()


@pytest.mark.rule("DM-2.8b")
def test_who_moves_to_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay(german="2820 I1:6; 2824 I2:6!", phase="strategic")
    case.submit(MoveStrategically(["I1"], ["2820", "2821", "2822", "2823", "2824"]))
    assert case.one(events.ForceMovedStrategically).halves == 4
    assert case.demoralized("I1 I2") == [True, True]


@pytest.mark.rule("AGC-4.7a", "R-DM-67")
@pytest.mark.parametrize(("unit", "path", "may"), [("A1", "2820 2821", True), ("A1", "2820 2821 2822", False)])
def test_in_the_pause_mobile_germans_go_one_hex(lay: Lay, unit: str, path: str, may: bool) -> None:
    case = lay(german="2820 A1:6 I1:6", phase="strategic", turn=6, tweak=lambda state: setattr(state, "pause_turn", 4))
    assert case.allows(MoveStrategically([unit], path.split())) == may
    assert case.allows(MoveStrategically(["I1"], path.split()))
    case.end()
