"""The answers to `reach`, `path` and `zone`, with all other units in their current hexes."""

from itertools import pairwise

from kampfpanzer.model.state import ON_MAP, WAITING
from kampfpanzer.movement.positions import Positions
from kampfpanzer.plotting.legality import why_impossible
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.situation import points
from kampfpanzer.plotting.typed.paths import FAR, Marches
from kampfpanzer.terrain.zones import would_exert_zone
from kampfpanzer.ui.asking.scene import Scene, refused
from sandtable import Answer, Refusal
from sandtable.graphs import MapPath
from sandtable.graphs import reach as reach_of
from sandtable.questions import NO, YES

HALVES = 2
"""Half points per movement point."""
STOPS, NO_END = "*", "!"
MARKS = {STOPS: "* in the zone of an enemy: the unit stops there", NO_END: "! the unit may pass but not end there"}
"""Marks of hexes and their meaning."""


def _refusal_of(marches: Marches) -> Refusal | None:
    """Return the refusal, as in the sheet, of a unit that cannot move by itself, or None."""
    situation, unit_id = marches.situation, marches.unit_id
    if marches.unit.carrier:
        return why_impossible(situation, unit_id, parse_plot("A1"))
    refusal = situation.why_no_line(unit_id)
    if refusal is None and marches.unit.standing == WAITING and not situation.group(unit_id).entries:
        return Refusal("KP-14.0a", f"{situation.name(unit_id)} is not set up yet")
    if refusal is None and (not marches.allowance or situation.may_not_move):
        return why_impossible(situation, unit_id, parse_plot("A1"))
    return refusal


def reach(scene: Scene, words: list[str]) -> Answer:
    """Return the hexes that a unit can reach this turn, grouped by cost in points."""
    unit_id = scene.unit(words[0])
    marches = Marches(scene.situation(unit_id), unit_id)
    refusal = _refusal_of(marches)
    if refusal is not None:
        return refused(refusal)
    costs: dict[str, int] = {}
    for start, spent in marches.starts().items():
        if spent > marches.allowance:
            continue
        found = reach_of(marches.table, marches.index[start], marches.allowance - spent, stops=marches.must_stop)
        for space, cost in found.costs.items():
            hex_ = marches.numbers[space]
            costs[hex_] = min(cost + spent, costs.get(hex_, cost + spent))
    costs.pop(marches.unit.hex, None)
    positions = _positions(scene, unit_id)
    rows: dict[int, list[str]] = {}
    for hex_, cost in sorted(costs.items()):
        rows.setdefault(cost, []).append(_marked(marches, positions, hex_))
    allowance = f"{points(marches.allowance)} {'point' if marches.allowance <= HALVES else 'points'}"
    summary = f"{scene.name(unit_id)} with {allowance} can reach {_hexes(len(costs))}"
    where = f"from {marches.unit.hex}" if marches.unit.hex else f"by {' or '.join(marches.starts())}"
    lines = [f"{summary} {where}, if all other units stay in place"]
    lines += [f"{points(cost)}: {' '.join(row)}" for cost, row in sorted(rows.items())]
    lines += [why for mark, why in MARKS.items() if any(mark in each for row in rows.values() for each in row)]
    return Answer(None, tuple(lines), ("KP-6.0c", "KP-8.0b"))


def _positions(scene: Scene, unit_id: str) -> Positions:
    """Return the positions of all units, including a unit that is not on the map yet."""
    positions = Positions(scene.state)
    positions.expect(unit_id)
    return positions


def _marked(marches: Marches, positions: Positions, hex_: str) -> str:
    ends = positions.may_end_in(marches.unit_id, hex_)
    return f"{hex_}{STOPS if hex_ in marches.zone else ''}{'' if ends else NO_END}"


def _hexes(count: int) -> str:
    return f"{count} hex{'' if count == 1 else 'es'}"


def path(scene: Scene, words: list[str]) -> Answer:
    """Return the cheapest path of a unit to a hex, as a plot and step by step."""
    unit_id, goal = scene.unit(words[0]), scene.place(words[1])
    marches, name = Marches(scene.situation(unit_id), unit_id), scene.name(unit_id)
    refusal = _refusal_of(marches)
    if refusal is not None:
        return refused(refusal)
    if goal == marches.unit.hex:
        return Answer(YES, (f"{name} is already in {goal}",))
    if goal in marches.situation.enemies_at:
        holder = scene.name(marches.situation.enemies_at[goal][0])
        return Answer(NO, (f"{holder} holds {goal}",), ("KP-6.4a",))
    found = marches.to(goal, marches.allowance)
    if found is None:
        return _too_far(marches, name, goal)
    text, path_found, cost = found
    refusal = why_impossible(marches.situation, unit_id, parse_plot(text))
    if refusal is not None:
        return refused(refusal)
    lines = [f"{name}: {text}, {points(cost)} of {points(marches.allowance)} points", _steps(marches, path_found)]
    positions = _positions(scene, unit_id)
    enemy = positions.controller(marches.unit.side, goal)
    if enemy:
        lines.append(f"{goal} is in the zone of {scene.name(enemy)}: {name} stops there")
    if not positions.may_end_in(unit_id, goal):
        lines.append(f"{name} may not end there while {' and '.join(map(scene.name, positions.at[goal]))} stays")
    return Answer(YES, tuple(lines), ("KP-6.0c", *(("KP-8.0b",) if enemy else ())))


def _too_far(marches: Marches, name: str, goal: str) -> Answer:
    """Return the answer "no" with a path that costs too much, or without one if none exists."""
    found = marches.to(goal, FAR * marches.allowance)
    if found is not None:
        text, _, cost = found
        has = points(marches.allowance)
        return Answer(NO, (f"{goal} is {points(cost)} points away ({text}), but {name} has {has}",), ("KP-6.0c",))
    far = f"or it is more than {points(FAR * marches.allowance)} points away"
    return Answer(NO, (f"{name} has no path to {goal}: enemies and their zones block it, {far}",), ("KP-8.0e",))


def zone(scene: Scene, words: list[str]) -> Answer:
    """Return the hexes in the zone of control of a unit, or why it does not have a zone (KP-8.0a)."""
    unit_id = scene.unit(words[0])
    unit, name = scene.state.units[unit_id], scene.name(unit_id)
    if unit.standing != ON_MAP:
        return Answer(NO, (f"{name} is not on the map",))
    if not would_exert_zone(scene.state, unit_id):
        why = "disrupted" if unit.disruption else "aboard a vehicle" if unit.carrier else "a vehicle without infantry"
        return Answer(NO, (f"{name} has no zone: it is {why}",), ("KP-8.2a", "R-KP-76", "KP-8.3a"))
    around = [each for each in scene.board.hexmap.around[unit.hex] if each]
    return Answer(YES, (f"{name} in {unit.hex} controls {_hexes(len(around))}", " ".join(around)), ("KP-8.0a",))


def _steps(marches: Marches, path_found: MapPath) -> str:
    """Return the cost of each step with its terrain, such as "0704 1 (road), 0705 3 (woods)"."""
    ground, summary = marches.situation.ground, []
    for here, there in pairwise(marches.numbers[each] for each in path_found.spaces):
        what, cost, _ = ground.toll(marches.mobility, here, there)
        summary.append(f"{there} {points(cost)} ({what})")
    return ", ".join(summary)
