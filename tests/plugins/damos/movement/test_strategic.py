"""Strategic movement: length, paths and railways (DM-6)."""

from heapq import heappop, heappush
from typing import Any

import networkx as nx
import pytest
from tests.plugins.damos.cases import ids, names
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.scattered import scattered

from damos.map.boundaries import why_no_move
from damos.map.supply import has_supply_line
from damos.map.terrain import step_halves
from damos.model import events
from damos.model.forces import enemy_of, stacks
from damos.model.orders import Activate, EndPhase, MoveStrategically
from damos.model.state import DamosState
from damos.movement.strategic import Movers, path_halves, strategic_options
from sandtable.kernel.dice import Stream


def strategic(units: str, path: str) -> MoveStrategically:
    return MoveStrategically(ids(units), path.split())


def long_way(number: int, start: int = 22, row: int = 26) -> str:
    """Return a path of ``number`` hexes westwards or, if it is negative, eastwards."""
    sign = 1 if number > 0 else -1
    return " ".join(f"{row}{start + sign * each:02}" for each in range(abs(number) + 1))


def moved(lay: Lay, position: str, units: str, path: str, **more: Any) -> events.ForceMovedStrategically:
    """Move a force in the strategic phase and return the event."""
    case = lay(position, phase="strategic", dice="rail *", **more).until(lambda case: case.accepts(MoveStrategically))
    return case.submit(strategic(units, path)).one(events.ForceMovedStrategically)


MANY = "2820 I1:6; 2824 I2:6~; 3016 I3:6; 3118 i1:6; 2810 i9:6"
PAUSED: dict[str, Any] = {"turn": 6, "tweak": lambda state: setattr(state, "pause_turn", 4)}


@pytest.mark.rule("DM-2.10d", "DM-6.0a", "DM-6.0b", "DM-6.0c", "DM-6.0d", "AGC-4.7a", "R-DM-33", "R-DM-67")
@pytest.mark.parametrize(("position", "more", "units", "path", "rule"), [
    ("2820 I1:6", {}, "I1", "2820 2821", ""), ("2820 I1:6~; 2824 I2:6", {}, "I1", "2820 2821", "DM-6.0a"),
    ("3320 I1:6", {}, "I1", "3320 3321", "DM-6.0a"),  # without supply
    (MANY, {}, "I2", "2824 2823", "DM-6.0a"), (MANY, {}, "I1 I3", "2820 2821", "DM-2.1d"),
    (MANY, {}, "i9", "2810 2811", "DM-6.0a"), (MANY, {}, "I1", "2820", "DM-6.0b"),
    (MANY, {}, "I1", "2821 2822", "DM-6.0b"), (MANY, {}, "I1", "2820 2822", "DM-6.0b"),
    (MANY, {}, "I1", "2820 2821 2820", "DM-6.0b"),
    (MANY, {}, "I1", "2820 2720 2620 2520 2420 2320 2220 2120 2020", ""),  # eight points
    (MANY, {}, "I1", "2820 2720 2620 2520 2420 2320 2220 2120 2020 2021", "DM-6.0b"),  # nine points
    (MANY, {}, "I1", "2820 2819 2818 2817 2816 2815", "DM-6.0c"), (MANY, {}, "I3", "3016 2916 2816", ""),
    (MANY, {}, "I3", "3016 3017", "DM-6.0d"),
    ("2618 I1:6", {"control": {"soviet": "2619"}}, "I1", "2618 2619 2620", "DM-6.0c"),
    ("2618 I1:6", {"control": {"soviet": "2619"}}, "I1", "2618 2718 2719", ""),
    *[(f"2620 I1:6; 2614 {enemy}", {"control": {"german": "2615"}}, "I1", path, rule)
      for enemy in ("i1:6", "i1:6!", "a1:6")
      for path, rule in (("2620 2619 2618 2617 2616", ""), ("2620 2619 2618 2617 2616 2615", "DM-6.0d"))],
    ("2816 I1:6; 2815 i1:6", {"sm_start_adjacent": "allowed"}, "I1", "2816 2817 2818", ""),
    ("2816 I1:6; 2815 i1:6", {"sm_start_adjacent": "forbidden"}, "I1", "2816 2817 2818", "R-DM-33"),
    ("2820 A1:6 I1:6", PAUSED, "A1", "2820 2821", ""), ("2820 A1:6 I1:6", PAUSED, "A1", "2820 2821 2822", "AGC-4.7a"),
    ("2820 A1:6 I1:6", PAUSED, "I1", "2820 2821 2822", ""),
])  # fmt: skip
def test_a_strategic_move_is_legal_or_refused_by_its_rule(
    lay: Lay, position: str, more: dict[str, Any], units: str, path: str, rule: str
) -> None:
    case = lay(position, phase="strategic", dice="rail *", **more).until(lambda case: case.accepts(MoveStrategically))
    assert case.why_not(strategic(units, path)) == rule


@pytest.mark.rule("DM-6.0a", "DM-6.0b", "DM-6.0h", "DM-2.2d")
@pytest.mark.parametrize(("unit", "hexes"), [("I1", 8), ("A1", 12), ("C1", 10)])
def test_strategic_movement_doubles_the_allowance(lay: Lay, unit: str, hexes: int) -> None:
    case = lay(f"2616 {unit}:6", phase="strategic")
    assert not case.allows(strategic(unit, long_way(hexes + 1, 16)))
    case.submit(strategic(unit, long_way(hexes, 16)))
    assert case.one(events.ForceMovedStrategically).halves == 2 * hexes
    assert case.spent(unit) == [True]
    assert case.at(unit) == f"26{16 + hexes}"


@pytest.mark.rule("DM-6.0h", "DM-7.0a")
def test_a_force_that_moved_strategically_does_not_activate(lay: Lay) -> None:
    case = lay("2618 I1:6", phase="strategic").submit(strategic("I1", "2618 2619"))
    assert not case.allows(strategic("I1", "2619 2620"))
    case.to_phase("german.operations")
    assert not case.allows(Activate(["I1"]))


UNCONVERTED: dict[str, Any] = {
    "control": {"german": "2815 2814 2813 2812 2811"}, "tweak": lambda state: state.converted.remove("2816"),
}  # fmt: skip
"""2815 to 2811 are German but not converted."""


@pytest.mark.rule("DM-6.0e", "R-DM-34", "DM-3.0a", "AGC-4.3.1c")
@pytest.mark.parametrize(("position", "more", "path", "halves"), [
    ("2816 I1:6", {"sm_rail": "own_gauge_only"}, long_way(4, 16, 28), 4),
    ("2816 I1:6", {"sm_rail": "any_rail"}, long_way(4, 16, 28), 4),
    ("2815 i1:6", {"sm_rail": "own_gauge_only", "side": "soviet"}, long_way(-4, 15, 28), 4),
    ("2815 I1:6", UNCONVERTED | {"sm_rail": "own_gauge_only"}, "2815 2814 2813 2812 2811", 8),
    ("2815 I1:6", UNCONVERTED | {"sm_rail": "any_rail"}, "2815 2814 2813 2812 2811", 4),
    ("2716 I1:6", {}, "2716 2816 2817", 3),  # across the line, then along it
])  # fmt: skip
def test_movement_along_rail_of_the_own_gauge_costs_half_a_point(
    lay: Lay, position: str, more: dict[str, Any], path: str, halves: int
) -> None:
    assert moved(lay, position, names(position), path, **more).halves == halves


@pytest.mark.rule("DM-6.0e")
def test_rail_is_not_cheaper_in_operations(lay: Lay) -> None:
    case = lay("2816 I1:6").march("I1", "2817")
    assert case.one(events.ForceMoved).halves == 2


@pytest.mark.rule("DM-6.0f")
def test_strategic_movement_triggers_no_reaction(lay: Lay) -> None:
    case = lay("2616 I1:6; 2613 a1:13", phase="strategic", dice="rail *")
    case.until(lambda case: case.accepts(MoveStrategically))
    case.submit(strategic("I1", "2616 2617"))
    assert case.pending.seat == "german"
    assert case.at("I1") == "2617"


@pytest.mark.rule("DM-6.0g")
def test_armor_may_move_strategically_before_infantry(lay: Lay) -> None:
    case = lay("2616 A1:6; 2618 I1:6", phase="strategic", dice="rail *")
    case.until(lambda case: case.accepts(MoveStrategically))
    case.submit(strategic("A1", "2616 2617"))
    assert case.allows(strategic("I1", "2618 2619"))
    case.to_phase("german.operations")
    assert case.state.zone_phase is False


@pytest.mark.rule("DM-6.0i")
def test_strategic_movement_causes_no_attrition(lay: Lay) -> None:
    """The path is long and leads out of supply."""
    case = lay("3116 I1:6", phase="strategic", dice="rail *")
    case.until(lambda case: case.accepts(MoveStrategically))
    case.submit(strategic("I1", "3116 3216 3317 3417 3518 3618 3719"))
    case.to_phase("german.operations")
    assert case.never(events.AttritionRolled)
    assert case.at("I1") == "3719"


def allowed_ground(state: DamosState, side: str, units: list[str]) -> nx.DiGraph:
    """Return the graph of all steps that strategic movement allows, with their costs in halves."""
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
    """Return the hexes that units of one hex can reach step by step, each with a cheapest path."""
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
def test_destinations_match_a_plain_search(number: int) -> None:
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
def test_only_fresh_supplied_units_with_a_legal_step_can_move(number: int) -> None:
    state = scattered(number)
    for side in ("german", "soviet"):
        movers = Movers.of(state, side)
        for hex_, units in stacks(state, side).items():
            fresh = [each for each in units if not state.units[each].spent]
            can = any(destinations(movers, [each]) for each in fresh)
            assert (hex_ in movers.by_hex) == (has_supply_line(state, side, hex_) and can)


@pytest.mark.rule("DM-6.0b")
@pytest.mark.parametrize("number", range(4))
def test_each_random_strategic_move_is_legal(number: int) -> None:
    state = scattered(number)
    for side in ("german", "soviet"):
        options = strategic_options(state, side)
        stream = Stream(b"drawn%d" % number)
        for _ in range(60 if options is not None else 0):
            assert options is not None
            order = options.sample(stream)
            assert options.why_not(order) is None
            assert isinstance(order, EndPhase | MoveStrategically)


@pytest.mark.rule("DM-2.8b")
def test_a_unit_that_moves_to_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I2:6!", phase="strategic")
    case.submit(MoveStrategically(["I1"], ["2820", "2821", "2822", "2823", "2824"]))
    assert case.one(events.ForceMovedStrategically).halves == 4
    assert case.demoralized("I1 I2") == [True, True]
