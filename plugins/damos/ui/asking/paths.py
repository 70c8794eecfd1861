"""The hexes that a force can reach by the rules of the march, from its hex and with its full allowance.

Reactions and retreats of the enemy are not predicted.
"""

from itertools import pairwise

from damos.map.calculations import step_steps
from damos.map.stacking import may_join
from damos.map.zones import in_enemy_zone
from damos.model.forces import enemy_of, units_in
from damos.movement.march import March, printed_rate, why_no_force
from damos.movement.steps import why_no_step
from damos.ui.asking.scene import Scene
from damos.ui.courses import Paths, find_paths, nearest
from damos.ui.terms import agreed, names, place, points
from sandtable import Answer, Refusal
from sandtable.pictures import counted
from sandtable.questions import NO, YES

ATTACK, ZONE, CROWDED = "x", "*", "!"
MARKS = {
    ATTACK: "x an enemy is there, so entering is an attack",
    ZONE: "* in an enemy zone of control",
    CROWDED: "! over-stacked if the units there now stay",
}
"""Marks of hexes and their meaning."""


def fresh_of(scene: Scene, text: str) -> list[str]:
    """Return the force that a text names. For a hex, these are its fresh units, or all units if none is fresh."""
    units = scene.units(text)
    fresh = [each for each in units if not scene.view.units[each].spent] if scene.find_hex(text) else []
    return fresh or units


def why_not_now(scene: Scene, units: list[str]) -> Refusal | None:
    """Return why a force could not be activated in its own operations, or None (DM-2.1f)."""
    return why_no_force(scene.state, scene.view.units[units[0]].side, units, "DM-7.0a")


def _paths_of(scene: Scene, units: list[str]) -> Paths:
    return find_paths(scene.state, March(scene.state, units, printed_rate(scene.state)))


def reach(scene: Scene, words: list[str]) -> Answer:
    """Return the hexes that a force can reach, grouped by cost in points (DM-7.0j)."""
    units = fresh_of(scene, " ".join(words))
    paths, refusal = _paths_of(scene, units), why_not_now(scene, units)
    paths.halves.pop(paths.start)
    if refusal is not None:
        return Answer(NO, (refusal.reason,), (refusal.rule,))
    side, rows = scene.view.units[units[0]].side, dict[int, list[str]]()
    for hex_, cost in sorted(paths.halves.items()):
        rows.setdefault(cost, []).append(_marked(scene, units, side, hex_))
    who, where = names(units, scene.board), place(paths.start, scene.board)
    far = counted(len(paths.halves), "hex", "hexes")
    lines = [f"{who} with {points(paths.allowance)} points can reach {far} from {where}, if no enemy reacts"]
    lines += [f"{points(cost)}: {' '.join(row)}" for cost, row in sorted(rows.items())]
    lines += [why for mark, why in MARKS.items() if any(mark in each for row in rows.values() for each in row)]
    return Answer(None, tuple(lines), ("DM-7.0j",))


def _marked(scene: Scene, units: list[str], side: str, hex_: str) -> str:
    state = scene.state
    if units_in(state, hex_, enemy_of(side)):
        return f"{hex_}{ATTACK}"
    zone = ZONE if in_enemy_zone(state, side, hex_) else ""
    return f"{hex_}{zone}{'' if may_join(state, units, hex_) else CROWDED}"


def path(scene: Scene, words: list[str]) -> Answer:
    """Return the cheapest march of a force to a hex step by step, or the reason why none exists."""
    force, goal_text = scene.two(words)
    units, goal = fresh_of(scene, force), scene.find_hex(goal_text)
    who, where = names(units, scene.board), place(goal, scene.board)
    refusal = why_not_now(scene, units)
    if refusal is not None:
        return Answer(NO, (refusal.reason,), (refusal.rule,))
    paths = _paths_of(scene, units)
    if goal == paths.start:
        return Answer(YES, (f"{who} {agreed('are', units)} in {where}",))
    if goal not in paths.halves:
        return _no_path(scene, paths, who, goal)
    route = paths.to(goal)
    costs = []
    for here, there in pairwise(route):
        steps = step_steps(scene.state, units, here, there)
        costs.append(f"{place(there, scene.board)} for {points(sum(halves for _, halves, _ in steps))}")
    lines = [f"{who}: {points(paths.halves[goal])} of {points(paths.allowance)} points: {', '.join(costs)}"]
    side = scene.view.units[units[0]].side
    mark = _marked(scene, units, side, goal).removeprefix(goal)
    lines += [why[2:] for sign, why in MARKS.items() if sign in mark]
    return Answer(YES, tuple(lines), ("DM-7.0j", "DM-3.0a"))


def _no_path(scene: Scene, paths: Paths, who: str, goal: str) -> Answer:
    """Return the nearest hex that the force can reach, and the reason why it cannot move farther."""
    far = scene.board.hexmap.range_hexes
    near = nearest(paths, goal, scene.board)
    march = March(scene.state, paths.units, printed_rate(scene.state))
    march.hex, march.spent = near, paths.halves[near]
    get = "gets" if len(paths.units) == 1 else "get"
    has = f"{who} with {points(paths.allowance)} points {get} no closer to {place(goal, scene.board)} than {near}"
    steps = [each for each in scene.board.around[near] if far(each, goal) < far(near, goal)]
    march.entered = dict.fromkeys(paths.units, len(paths.to(near)) - 1)
    reasons = {each.reason: each.rule for hex_ in steps if (each := why_no_step(scene.state, march, hex_)) is not None}
    rules = tuple(dict.fromkeys(reasons.values())) or ("DM-7.0j",)
    return Answer(NO, (f"{has} ({points(paths.halves[near])} points)", *reasons), rules)
