"""The options of operations, compared with other searches: activation, targets, plans and steps."""

from itertools import combinations

import networkx as nx
import pytest
from tests.plugins.damos.cases import GERMAN, SIDES, activate
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.scattered import scattered

from damos.map.boundaries import why_no_move
from damos.map.terrain import step_halves
from damos.map.zones import in_enemy_zone, influence_range, is_zone_capable
from damos.model import events
from damos.model.forces import enemy_of, is_demoralized, stacks
from damos.model.orders import (
    Activate,
    ChoosePlan,
    DeclareAttack,
    DropOff,
    EndActivation,
    Exploit,
    PickUp,
    PlanAttack,
    Rally,
    Step,
)
from damos.model.state import DamosState
from damos.movement.march import March, points, printed_rate
from damos.movement.planning import FreshForces, Plans, Targets
from damos.movement.steps import NextHex, cheapest_path, least_halves
from sandtable.kernel.dice import Stream

POSITIONS = range(5)


def position(number: int, side: str = GERMAN) -> DamosState:
    state = scattered(number)
    state.phasing_side = side
    return state


def ground(state: DamosState, side: str, units: list[str], target: str = "") -> nx.DiGraph:
    """Return the graph of all steps that units can make without entering an enemy hex other than ``target``."""
    board, enemies, graph = state.board, stacks(state, enemy_of(side)), nx.DiGraph()
    for start in board.hexmap.numbers:
        graph.add_node(start)
        for end in board.around[start]:
            halves = step_halves(state, units, start, end)
            is_open = why_no_move(state, side, start, end) is None
            if halves is not None and is_open and (end == target or end not in enemies):
                graph.add_edge(start, end, halves=halves)
    return graph


# --- the path to a target ---


@pytest.mark.full
@pytest.mark.rule("DM-8.1h", "DM-7.0j", "DM-3.0a")
@pytest.mark.parametrize("number", POSITIONS)
def test_cheapest_cost_matches_a_plain_search(number: int) -> None:
    state = position(number)
    targets = sorted(stacks(state, "soviet"))[:6]
    for start, units in sorted(stacks(state, GERMAN).items())[:8]:
        for target in targets:
            graph = ground(state, GERMAN, units, target)
            lengths = nx.single_source_dijkstra_path_length(graph, start, weight="halves")
            for limit in (2, 5, 8, 12):
                expected = lengths.get(target)
                found = least_halves(state, units, start, target, limit)
                assert found == (expected if expected is not None and expected <= limit else None)


@pytest.mark.full
@pytest.mark.rule("DM-7.0j", "DM-3.0a", "AGC-1.3a")
def test_the_cheapest_path_uses_the_lowest_hex_numbers() -> None:
    state = position(1)
    hexes = [each for each in sorted(state.board.area) if each not in stacks(state, "soviet")]
    goals = [min(stacks(state, "soviet")), *hexes[:: len(hexes) // 12]]
    for start, units in sorted(stacks(state, GERMAN).items())[::8][:2]:
        graphs = {goal: ground(state, GERMAN, units, goal) for goal in goals[:2]}
        for goal in goals:
            graph = graphs.get(goal, graphs[goals[1]])
            lengths = nx.single_source_dijkstra_path_length(graph, start, weight="halves")
            expected, here = list[tuple[str, int]](), goal if goal in lengths else start
            while here != start:
                expected.append((here, lengths[here]))
                steps = ((near, graph[near][here]["halves"]) for near in graph.predecessors(here) if near in lengths)
                here = min(near for near, halves in steps if lengths[near] + halves == lengths[here])
            assert cheapest_path(state, units, start, goal) == expected[::-1]


@pytest.mark.full
@pytest.mark.rule("DM-8.1a", "DM-8.1c", "DM-8.1g", "DM-8.1h")
@pytest.mark.parametrize("number", POSITIONS)
@pytest.mark.parametrize("side", SIDES)
def test_offered_targets_and_plans_match_the_rules(number: int, side: str) -> None:
    state = position(number, side)
    targets = Targets(state, side)
    expected: dict[str, set[tuple[str, tuple[str, ...]]]] = {}
    for target in stacks(state, enemy_of(side)):
        if reached_by_zones(state, side, target):
            plans = plans_by_brute_force(state, side, target)
            if plans:
                expected[target] = plans
    assert list(targets.values()) == sorted(expected)
    for target, plans in expected.items():
        space = Plans(state, side, target)
        listed = [(order.plan, tuple(order.units)) for order in space.values()]
        assert len(listed) == len(set(listed))
        assert set(listed) == plans
        stream = Stream(target.encode())
        for _ in range(6):
            order = space.sample(stream)
            assert (order.plan, tuple(order.units)) in plans


def reached_by_zones(state: DamosState, side: str, target: str) -> bool:
    return any(
        0 < state.board.hexmap.range_hexes(hex_, target) <= influence_range(state, hex_, side)
        and any(not state.units[each].spent and is_zone_capable(state, [each]) for each in units)
        for hex_, units in stacks(state, side).items()
    )


def plans_by_brute_force(state: DamosState, side: str, target: str) -> set[tuple[str, tuple[str, ...]]]:
    found = set()
    counters = state.board.counters
    for hex_, units in stacks(state, side).items():
        if state.board.hexmap.range_hexes(hex_, target) > 5:
            continue
        fresh = [each for each in units if not state.units[each].spent]
        for size in range(1, len(fresh) + 1):
            for force in map(list, combinations(fresh, size)):
                if is_demoralized(state, force) or not is_zone_capable(state, force):
                    continue
                allowance = min(2 * counters[each].ma for each in force)
                graph = ground(state, side, force, target)
                if target in graph[hex_] and graph[hex_][target]["halves"] <= allowance:
                    found.add(("penetration", tuple(force)))
                lengths = nx.single_source_dijkstra_path_length(graph, hex_, cutoff=allowance - 4, weight="halves")
                if target in lengths:
                    found.add(("grand", tuple(force)))
    return found


# --- forces and hexes ---


@pytest.mark.rule("DM-7.0a", "DM-7.0d", "DM-2.6c", "DM-2.1d")
@pytest.mark.parametrize("number", POSITIONS)
@pytest.mark.parametrize("late", [False, True])
def test_forces_are_all_fresh_units_of_one_hex_by_class(number: int, late: bool) -> None:
    state = position(number)
    state.zone_phase = late
    expected = []
    for units in stacks(state, GERMAN).values():
        fresh = [each for each in units if not state.units[each].spent]
        for size in range(1, len(fresh) + 1):
            for force in map(list, combinations(fresh, size)):
                zone = is_zone_capable(state, force)
                if (zone or not late) and not (zone and is_demoralized(state, force)):
                    expected.append(force)
    space = FreshForces.of(state, GERMAN)
    listed = list(space.values())
    assert sorted(listed) == sorted(expected)
    assert all(space.why_not(force) is None for force in listed)
    stream = Stream(b"forces")
    assert all(space.sample(stream) in listed for _ in range(40 if listed else 0))


@pytest.mark.rule("DM-7.0j", "DM-2.8d", "AGC-1.3a", "DM-2.5f")
@pytest.mark.parametrize("number", POSITIONS)
def test_a_step_is_affordable_and_open_and_avoids_enemies_if_demoralized(number: int) -> None:
    state = position(number)
    enemies = stacks(state, "soviet")
    for hex_, units in stacks(state, GERMAN).items():
        march = March(state, units, printed_rate(state))
        march.spent = march.left - 3
        space = NextHex.of(state, march)
        expected = {}
        for near in state.board.around[hex_]:
            halves = step_halves(state, units, hex_, near)
            down = is_demoralized(state, units) and (near in enemies or in_enemy_zone(state, GERMAN, near))
            is_open = why_no_move(state, GERMAN, hex_, near) is None
            if halves is not None and halves <= 3 and not down and is_open:
                expected[near] = halves
        assert space.halves == expected
        assert all((space.why_not(near) is None) == (near in expected) for near in state.board.hexmap.numbers)


# --- steps of an activation ---


@pytest.mark.rule("DM-7.0p", "R-DM-31")
def test_slow_units_can_be_dropped_when_their_points_are_spent(lay: Lay) -> None:
    """Infantry has four points. When they are spent, the tanks can drop it and continue."""
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821 2822 2823 2824")
    assert case.offered(Step) == []
    assert case.allows(EndActivation())
    case.go(DropOff(["I1"]), Step("2825"), Step("2826")).rest()
    assert case.at("A1 I1") == "2826 2824"


@pytest.mark.rule("DM-7.0p")
def test_an_activation_ends_if_no_order_is_possible(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6").march("I1 I2", "2821 2822 2823 2824")
    assert case.spent("I1 I2") == [True, True]


@pytest.mark.rule("DM-7.0n", "DM-7.0o")
def test_a_hex_is_paid_for_once_regardless_of_pick_ups(lay: Lay) -> None:
    case = lay("2820 A1:6; 2821 A2:6 A3:6")
    case.march("A1", "2821", PickUp(["A2"]), PickUp(["A3"]))
    assert [event.left for event in case.events(events.UnitsPickedUp)] == [8, 8]


@pytest.mark.rule("R-DM-28", "DM-7.0n")
def test_a_unit_picked_up_in_an_exploitation_has_its_own_allowance(lay: Lay) -> None:
    """After a standard attack infantry has one point, which the tanks have spent. Other tanks have three."""
    case = lay("2816 A1:6; 2814 I1:6 A2:6; 2815 i1:1", dice="attack 6; defense 1")
    case.march("A1", "2815", ChoosePlan("standard"), Exploit(["A1"]), Step("2814"))
    assert not case.allows(PickUp(["I1"]))
    case.go(PickUp(["A2"]), Step("2813")).rest()
    assert case.at("A1 A2 I1") == "2813 2813 2814"


@pytest.mark.rule("DM-7.0b", "DM-2.8g")
@pytest.mark.parametrize(("order", "rule"), [
    (Step("2822"), "DM-7.0j"), (Step("2721"), ""), (Rally(), "DM-2.8g"), (DropOff(["I1", "I2"]), "DM-7.0p"),
    (DropOff(["I9"]), "DM-7.0p"), (DropOff([]), "DM-7.0p"), (DropOff(["I2", "I1"][:1]), ""),
])  # fmt: skip
def test_a_refused_order_cites_its_rule(lay: Lay, order: Step | Rally | DropOff, rule: str) -> None:
    case = lay("2820 I1:6 I2:6; 2824 I9:6").go(activate("I1 I2"))
    assert case.why_not(order) == rule


@pytest.mark.rule("AGC-4.7a", "AGC-4.3.1h")
def test_mobile_germans_in_the_pause_move_one_hex_without_an_attack(lay: Lay) -> None:
    case = lay("2816 A1:7 I1:6; 2815 i1:6", turn=5, tweak=lambda state: setattr(state, "pause_turn", 4))
    assert case.why_not(DeclareAttack("2815")) == "AGC-4.7a"
    case.go(activate("I1"))
    assert case.allows(Step("2815"))
    case.rest()
    case.go(activate("A1"))
    assert case.why_not(Step("2815")) == "AGC-4.7a"
    case.go(Step("2817"))
    assert case.spent("A1") == [True]


@pytest.mark.rule("DM-8.1h", "R-DM-27")
def test_an_assault_takes_no_step_that_cannot_reach_the_target(lay: Lay) -> None:
    case = lay("2818 A1:7 A2:7; 2815 i1:6", dice="attack 111; defense 1")
    case.go(DeclareAttack("2815"), PlanAttack("grand", ["A1", "A2"]))
    assert {order.hex for order in case.offered(Step)} == {"2718", "2817", "2918"}
    assert case.why_not(Step("2819")) == "DM-8.1h"
    assert case.why_not(DropOff(["A2"])) != ""
    case.go(Step("2817"), Step("2816"), Step("2815")).rest()
    assert case.one(events.PlansRevealed).plan == "grand"


@pytest.mark.rule("DM-8.1b", "DM-2.1f", "DM-8.1a")
@pytest.mark.parametrize(("plan", "units", "rule"), [
    ("grand", "A1", ""), ("penetration", "A1 I1", ""), ("standard", "A1", "DM-8.1a"), ("grand", "I1", "DM-8.1a"),
    ("grand", "A9", "DM-2.1f"), ("grand", "A1 A2", "DM-2.1d"), ("penetration", "A2", "DM-8.1g"),
])  # fmt: skip
def test_a_refused_plan_cites_its_rule(lay: Lay, plan: str, units: str, rule: str) -> None:
    case = lay("2816 A1:6 I1:6 A9:6~; 2718 A2:6; 2815 i1:6", dice="attack *; defense *").submit(DeclareAttack("2815"))
    assert case.why_not(PlanAttack(plan, units.split())) == rule


@pytest.mark.rule("DM-7.0j")
@pytest.mark.parametrize(("halves", "text"), [(0, "0"), (1, "1/2"), (2, "1"), (5, "2 1/2")])
def test_points_are_shown_in_halves(halves: int, text: str) -> None:
    assert points(halves) == text


@pytest.mark.rule("DM-7.0a")
def test_the_order_of_units_in_an_activation_does_not_matter(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6").go(Activate(["I2", "I1"]))
    assert case.one(events.ForceActivated).units == ["I1", "I2"]
