"""Where a unit can get to and how, with everybody else where he stands: the ground's own costs, zones as they are now.

Moves are plotted in secret and made at once: an enemy who moves may close a way that is told here, or open another.
"""

from itertools import pairwise

from kampfpanzer.model.state import WAITING
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.movement.positions import Positions
from kampfpanzer.plotting.legality import why_impossible
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.situation import points
from kampfpanzer.ui.asking.scene import Scene, refused
from sandtable.board.graph.paths import MapPath, cheapest_path
from sandtable.board.graph.paths import reach as reach_of
from sandtable.kernel.options import Refusal
from sandtable.plugin.manifest import Answer
from sandtable.rules.questions import NO, YES

HALVES = 2
"""Half points in a point."""
FAR = 4
"""A way is looked for over so many times the allowance, to tell what is missing."""
STOPS, NO_END = "*", "!"
MARKS = {STOPS: "* in an enemy's zone: it stops there", NO_END: "! it may pass, but not end there"}
"""How hexes are marked, and what it means."""


class _Marches:
    """The steps that a unit can make: by the terrain chart, and by the enemy's hexes and zones as they are now."""

    def __init__(self, scene: Scene, unit_id: str) -> None:
        self.situation = situation = scene.situation(unit_id)
        self.unit_id, self.unit = unit_id, situation.units[unit_id]
        self.positions = Positions(scene.state)
        self.positions.expect(unit_id)
        self.mobility, self.allowance = situation.kind(unit_id).mobility, 2 * situation.kind(unit_id).movement
        self.numbers, self.index = situation.ground.hexmap.numbers, situation.ground.hexmap.index
        self.table = situation.ground.hexmap.cost_table(self._cost)

    def refusal(self) -> Refusal | None:
        """Refuse a unit that moves nowhere of its own, as its sheet would."""
        situation, unit_id = self.situation, self.unit_id
        if self.unit.carrier:
            return why_impossible(situation, unit_id, parse_plot("A1"))
        refusal = situation.why_no_line(unit_id)
        if refusal is None and self.unit.standing == WAITING and not situation.group(unit_id).entries:
            return Refusal("KP-14.0a", f"{situation.name(unit_id)} is still to be set up")
        if refusal is None and (not self.allowance or situation.may_not_move):
            return why_impossible(situation, unit_id, parse_plot("A1"))
        return refusal

    def controller(self, hex_: str) -> str:
        """Return an enemy in whose zone a hex is, "" for none (KP-8.0a)."""
        return self.positions.controller(self.unit.side, hex_)

    def _cost(self, here: str, there: str) -> int | None:
        """Return what a step costs; none leads to where an enemy stands, or from zone to zone (KP-8.0e)."""
        if there in self.situation.enemies_at or (self.controller(here) and self.controller(there)):
            return None
        return self.situation.ground.step_halves(self.mobility, here, there)

    def must_stop(self, space: int) -> bool:
        """Tell whether who enters a hex stops there (KP-8.0b)."""
        return self.controller(self.numbers[space]) != ""

    def starts(self) -> dict[str, int]:
        """Return the hexes in which the move begins, with what is spent by then: entry hexes for who is to come."""
        if self.unit.standing != WAITING:
            return {self.unit.hex: 0}
        entries = self.situation.group(self.unit_id).entries
        return {each: self.situation.ground.entry_halves(self.mobility, each) for each in entries}

    def to(self, goal: str, allowance: int) -> tuple[str, MapPath, int] | None:
        """Return the cheapest way to a hex as a plot, as hexes, and what it costs in all; None for none."""
        found: list[tuple[int, str, MapPath]] = []
        for start, spent in self.starts().items():
            way = cheapest_path(
                self.table, self.index[start], self.index[goal], allowance=allowance - spent, stops=self.must_stop
            )
            if way is not None:
                found.append((way.cost + spent, start, way))
        if not found:
            return None
        cost, start, way = min(found, key=lambda each: each[:2])
        entry = start if self.unit.standing == WAITING else ""
        return self._plot(entry, way), way, cost

    def _plot(self, entry: str, way: MapPath) -> str:
        legs: list[tuple[str, int]] = []
        for here, there in pairwise(self.numbers[each] for each in way.spaces):
            letter = LETTERS[list(self.situation.ground.around(here)).index(there)]
            count = legs.pop()[1] if legs and legs[-1][0] == letter else 0
            legs.append((letter, count + 1))
        return " ".join([entry, *(f"{letter}{count}" for letter, count in legs)]).strip()


def reach(scene: Scene, words: list[str]) -> Answer:
    """Tell the hexes that a unit can get to this turn, by the points that they cost."""
    unit_id = scene.unit(words[0])
    marches = _Marches(scene, unit_id)
    refusal = marches.refusal()
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
    rows: dict[int, list[str]] = {}
    for hex_, cost in sorted(costs.items()):
        rows.setdefault(cost, []).append(_marked(marches, hex_))
    allowance = f"{points(marches.allowance)} {'point' if marches.allowance <= HALVES else 'points'}"
    told = f"{scene.name(unit_id)} with {allowance} can get to {_hexes(len(costs))}"
    where = f"from {marches.unit.hex}" if marches.unit.hex else f"by {' or '.join(marches.starts())}"
    lines = [f"{told} {where}, with everybody where he stands"]
    lines += [f"{points(cost)}: {' '.join(row)}" for cost, row in sorted(rows.items())]
    lines += [why for mark, why in MARKS.items() if any(mark in each for row in rows.values() for each in row)]
    return Answer(None, tuple(lines), ("KP-6.0c", "KP-8.0b"))


def _marked(marches: _Marches, hex_: str) -> str:
    ends = marches.positions.may_end_in(marches.unit_id, hex_)
    return f"{hex_}{STOPS if marches.controller(hex_) else ''}{'' if ends else NO_END}"


def _hexes(count: int) -> str:
    return f"{count} hex{'' if count == 1 else 'es'}"


def path(scene: Scene, words: list[str]) -> Answer:
    """Tell the cheapest way of a unit to a hex, as the plot that would be written, step by step."""
    unit_id, goal = scene.unit(words[0]), scene.place(words[1])
    marches, name = _Marches(scene, unit_id), scene.name(unit_id)
    refusal = marches.refusal()
    if refusal is not None:
        return refused(refusal)
    if goal == marches.unit.hex:
        return Answer(YES, (f"{name} stands in {goal}",))
    if goal in marches.situation.enemies_at:
        holder = scene.name(marches.situation.enemies_at[goal][0])
        return Answer(NO, (f"{holder} stands in {goal}",), ("KP-6.4a",))
    found = marches.to(goal, marches.allowance)
    if found is None:
        return _too_far(marches, name, goal)
    text, way, cost = found
    refusal = why_impossible(marches.situation, unit_id, parse_plot(text))
    if refusal is not None:
        return refused(refusal)
    lines = [f"{name}: {text}, {points(cost)} of {points(marches.allowance)} points", _steps(marches, way)]
    enemy = marches.controller(goal)
    if enemy:
        lines.append(f"{goal} is in the zone of {scene.name(enemy)}: it stops there")
    if not marches.positions.may_end_in(unit_id, goal):
        lines.append(f"it may not end there while {' and '.join(map(scene.name, marches.positions.at[goal]))} stays")
    return Answer(YES, tuple(lines), ("KP-6.0c", *(("KP-8.0b",) if enemy else ())))


def _too_far(marches: _Marches, name: str, goal: str) -> Answer:
    """Tell what a way that is too long would cost, or that there is none through the enemy."""
    found = marches.to(goal, FAR * marches.allowance)
    if found is not None:
        text, _, cost = found
        has = points(marches.allowance)
        return Answer(NO, (f"{goal} is {points(cost)} points away ({text}) and {name} has {has}",), ("KP-6.0c",))
    far = f"or it is more than {points(FAR * marches.allowance)} points away"
    return Answer(NO, (f"{name} finds no way to {goal}: enemies and their zones bar it, {far}",), ("KP-8.0e",))


def _steps(marches: _Marches, way: MapPath) -> str:
    """Return what each step costs and by what: "0704 1 (road), 0705 3 (woods)"."""
    ground, told = marches.situation.ground, []
    for here, there in pairwise(marches.numbers[each] for each in way.spaces):
        what, cost, _ = ground.toll(marches.mobility, here, there)
        told.append(f"{there} {points(cost)} ({what})")
    return ", ".join(told)
