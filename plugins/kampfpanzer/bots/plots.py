"""The plots of a turn: entry and exit, overruns, fire, march."""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from kampfpanzer.bots.blocking import cheapest_path
from kampfpanzer.bots.distances import DistanceField, DistanceFields
from kampfpanzer.bots.fire import bombardment, overwatch, volleys
from kampfpanzer.bots.marches import alight, close_in, enter, leave, march, pick_up
from kampfpanzer.bots.overruns import overruns
from kampfpanzer.bots.position import Goal, Position, leavers
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import WAITING
from kampfpanzer.model.tables import ARMOR

SURE = 400
"""Minimum value that a firer must add for its fire to be plotted before the marches, if it would stay anyway."""
CLOSES, HUNTS = 900, 1500
"""The same for tanks that could move closer instead: with an objective, or with destruction as the only goal."""
CHANCE = 100
"""The same for units without a better plot."""
KILL = 150
"""Value per turn of a destroyed enemy for a side that neither holds ground nor defends, in sixtieths of a plot."""
SOFT = 7
"""Number of additional hexes that tanks travel to an enemy that they can overrun."""
ZONE, ENEMY = 16, 60
"""Extra cost in half points of a hex in an enemy zone, and of a hex with an enemy."""
LATER, QUEUE = 4, 12
"""Number of last turns in which hunters spread out, and the extra cost in half points of a hex with an own unit."""
PACK = 3
"""Number of units that hunt one enemy together before others prefer a different one."""
LATE = 2
"""Number of last turns in which tanks need no better shot than other units to fire before the marches."""
WALK = 3
"""Maximum distance in hexes that foot units walk to their ground; vehicles carry units that are farther away."""
EARLY = 3
"""Turns to spare with which trucks with foot units leave for ground that the enemy holds.

With this number of turns left or fewer, vehicles no longer fetch foot units.
"""


def plots_of(
    view: Any, board: Board, side: str, goal: Goal, fields: DistanceFields, *, is_passive: bool = False
) -> dict[str, str]:
    """Return a plot for every unit of ``side`` that has something to do; ``is_passive`` is that of the enemy."""
    position = Position(view, board, side)
    return Turn(position, goal, fields, is_passive=is_passive).plots_of()


class Turn:
    """A turn plotted by the captain: entry and exit, overruns, sure fire, marches, then the remaining fire."""

    def __init__(self, position: Position, goal: Goal, fields: DistanceFields, *, is_passive: bool = False) -> None:
        self.position, self.goal, self.fields = position, goal, fields
        self.spreads = goal == Goal() and (is_passive or position.left <= LATER)
        """Whether hunters go around each other; against an enemy that approaches, they stay in a column."""
        self.leaving = leavers(goal, position)
        if not goal.ground and not goal.hold and not goal.deny:
            position.kills = KILL
        hunts = not (goal.ground or goal.exits or goal.deny or goal.hold)
        self.least = HUNTS if hunts else CLOSES
        self.plots: dict[str, str] = {}
        self.hunters: dict[str, int] = {}
        self.escapes: dict[str, list[str]] = {}
        """By enemy, its path to the exits that it must not reach."""
        self.exit_fields: dict[str, DistanceField] = {}
        units = position.units
        self.free = [each for each in position.mine if not units[each].disruption]
        for each in position.mine:
            position.settle(each, units[each].hex)

    def plots_of(self) -> dict[str, str]:
        """Return the plots, made in order of urgency; a unit with a plot is no longer free."""
        self._enter()
        if self.position.turn != self.position.board.no_move.get(self.position.side):
            self._leave()
            self._alight()
            self._note(overruns(self.position, [each for each in self._shooters() if not self._guards(each)]))
            self._dash()
        self._note(self._sure_fire())
        if self.position.turn != self.position.board.no_move.get(self.position.side):
            self._fetch()
            self._march()
        self._note(volleys(self.position, self.free, CHANCE))
        self._wait()
        return self.plots

    def _sure_fire(self) -> dict[str, str]:
        """Return the fire that has priority over marches; tanks that could move closer need a higher value."""
        shooters = self._shooters()
        if self.position.left == 1 and self.goal == Goal():
            return volleys(self.position, shooters, 1)  # a march can no longer kill
        if self.position.left <= LATE:
            return volleys(self.position, shooters, SURE)
        movers = [each for each in shooters if self.position.kind(each).hard and not self._stays(each)]
        done = volleys(self.position, movers, self.least)
        return done | volleys(self.position, [each for each in shooters if each not in movers], SURE)

    def _note(self, plots: dict[str, str]) -> None:
        self.plots |= {unit_id: plot for unit_id, plot in plots.items() if plot}
        self.free = [each for each in self.free if each not in self.plots]

    def _shooters(self) -> list[str]:
        return [each for each in self.free if each not in self.leaving]

    def _guards(self, unit_id: str) -> bool:
        """Return whether a unit is on the ground to be held in one of the last two turns."""
        near = self.position.board.last_turn - self.position.turn <= 1
        return near and self.position.units[unit_id].hex in self.goal.ground

    def _field(self, unit_id: str, goals: tuple[str, ...]) -> DistanceField:
        if goals == self.goal.exits:
            return self._exit_field(self.position.kind(unit_id).mobility)
        return self.fields.of(self.position.ground, self.position.kind(unit_id).mobility, goals)

    def _exit_field(self, mobility: str) -> DistanceField:
        """Return the distances to the exits around the enemy and its zones."""
        if mobility not in self.exit_fields:
            position = self.position
            dear = dict.fromkeys(position.zones, ZONE) | dict.fromkeys(position.enemy_hexes, ENEMY)
            self.exit_fields[mobility] = DistanceField(position.ground, mobility, self.goal.exits, dear)
        return self.exit_fields[mobility]

    def _enter(self) -> None:
        for unit_id, unit in self.position.units.items():
            waits = unit.standing == WAITING and unit.side == self.position.side and not unit.carrier
            group = next((each for each in self.position.board.groups if unit_id in each.units), None)
            if waits and group and 0 < group.enters <= self.position.turn:
                field = self._field(unit_id, self._aim(unit_id))
                self.plots[unit_id] = enter(self.position, unit_id, group.entries, field)

    def _leave(self) -> None:
        for unit_id in list(self.free):
            if unit_id in self.leaving:
                field = self._field(unit_id, self.goal.exits)
                self._note({unit_id: leave(self.position, unit_id, self.goal.exits, field)})

    def _alight(self) -> None:
        """Let foot units debark in cover on the ground to be held, if they are harder to hit there than aboard.

        They also debark if other units need the vehicle and there is time to fetch them.
        """
        position, goal = self.position, self.goal
        is_needed = bool(goal.ground) and position.left > EARLY and any(self._walks(each) for each in self.free)
        for unit_id in list(self.free):
            here = position.units[unit_id].hex
            is_there = here in goal.ground and unit_id in position.passengers and not position.ground.is_clear(here)
            if is_there and position.left > 1 and position.kind(unit_id).is_vehicle:
                rider = position.passengers[unit_id]
                if is_needed or self._danger(rider) < self._danger(unit_id):
                    self._note(alight(position, unit_id, goal.ground))

    def _danger(self, unit_id: str) -> int:
        """Return the margin of the strongest enemy at short range over a unit's own defense."""
        kind = self.position.kind(unit_id)
        enemies = [self.position.kind(each) for each in self.position.enemies]
        power = [it.attack * (2 if it.weapon == "M" and not kind.hard else 1) for it in enemies if it.weapon != "R"]
        return max(power, default=0) - kind.defense

    def _fetch(self) -> None:
        """Send empty vehicles for foot units that are far from the ground, if there is time to bring them."""
        position, goal = self.position, self.goal
        empty = [each for each in self.free if position.kind(each).is_vehicle and not position.is_combat(each)]
        if not goal.ground or not empty or position.left <= EARLY:
            return
        range_hexes = position.ground.range_hexes
        walkers = [each for each in self.free if self._walks(each)]
        for unit_id in empty:
            if walkers:
                here = position.units[unit_id].hex
                near = min(walkers, key=lambda each: (range_hexes(here, position.units[each].hex), each))
                walkers.remove(near)
                self._note(pick_up(position, unit_id, near, self.fields))

    def _walks(self, unit_id: str) -> bool:
        """Return whether a foot unit far from the ground is alone in a hex without entrenchment or enemy zone."""
        position, here = self.position, self.position.units[unit_id].hex
        alone = here not in position.view.entrenchments and position.taken.get(here) == [unit_id]
        if not position.kind(unit_id).is_foot or not alone or here in position.zones:
            return False
        return min(position.ground.range_hexes(here, each) for each in self.goal.ground) > WALK

    def _dash(self) -> None:
        """Plot the march of units that would reach the ground too late if they fired first."""
        if not self.goal.ground:
            return
        position = self.position
        for unit_id in list(self.free):
            kind = position.kind(unit_id)
            here = position.units[unit_id].hex
            if not kind.movement or here in self.goal.ground or not position.is_combat(unit_id):
                continue
            field = self._field(unit_id, self.goal.ground)
            far = field.halves(here)
            turns = -(-far // (2 * kind.movement))
            if turns == position.left:
                aim = self._aim(unit_id)
                self._note({unit_id: march(position, unit_id, self._field(unit_id, aim), shy=False)})

    def _aim(self, unit_id: str) -> tuple[str, ...]:
        """Return a unit's destination: exits, free ground to take, a hex that cuts off an enemy, or hexes around it."""
        position, goal = self.position, self.goal
        if unit_id in self.leaving or (goal.exits and not position.units[unit_id].hex):
            return goal.exits
        if goal.ground:
            held = position.enemy_hexes
            free = tuple(each for each in goal.ground if not position.taken.get(each) and each not in held)
            return free or goal.ground
        enemy = self._prey(unit_id)
        if goal.deny and enemy:
            return self._cut(unit_id, enemy)
        around = tuple(each for each in position.ground.around(position.units[enemy].hex) if each) if enemy else ()
        free = tuple(each for each in around if not self._is_full(each, unit_id)) if self.spreads else ()
        return free or around

    def _is_full(self, hex_: str, unit_id: str) -> bool:
        """Return whether an enemy holds a hex, or another own unit will end there."""
        position = self.position
        return hex_ in position.enemy_hexes or any(each != unit_id for each in position.taken.get(hex_, ()))

    def _prey(self, unit_id: str) -> str:
        """Return the enemy to hunt, or "" without enemies: near, open to an overrun, and not already hunted by many."""
        here = self.position.units[unit_id].hex or self._gate(unit_id)
        hard, hunters = self.position.kind(unit_id).hard, self.hunters
        range_hexes = self.position.ground.range_hexes
        best: tuple[int, str] | None = None
        for enemy, there, soft in self.quarry:
            far = range_hexes(here, there) - SOFT * (hard and soft)
            many = hunters.get(enemy, 0) + (len(self.position.aimed.get(enemy, ())) if self.spreads else 0)
            far += 4 * max(0, many - PACK + 1)
            if best is None or (far, enemy) < best:
                best = (far, enemy)
        return best[1] if best else ""

    def _cut(self, unit_id: str, enemy: str) -> tuple[str, ...]:
        """Return the first hex on an enemy's path to its exits that a unit reaches in time, or the last hex.

        If the enemy has no path, all its exits are returned.
        """
        position = self.position
        if enemy not in self.escapes:
            here = position.units[enemy].hex
            self.escapes[enemy] = cheapest_path(position.ground, [here], self.goal.deny, {})
        path, ground = self.escapes[enemy], position.ground
        here = position.units[unit_id].hex or self._gate(unit_id)
        own, theirs = position.kind(unit_id).movement or 1, position.kind(enemy).movement or 1
        halves = 0
        for before, there in pairwise(path):
            halves += ground.step_halves(ARMOR, before, there)
            if 2 * ground.range_hexes(here, there) * theirs <= halves * own:
                return (there,)
        return tuple(path[-1:]) or self.goal.deny

    @cached_property
    def quarry(self) -> list[tuple[str, str, bool]]:
        """The enemies to hunt, each with its hex and whether tanks can overrun it there."""
        position = self.position
        prey = [each for each in position.enemies if position.is_combat(each)] or position.enemies
        hexes = {each: position.units[each].hex for each in prey}
        clear = position.ground.is_clear
        return [(each, hex_, not position.kind(each).hard and clear(hex_)) for each, hex_ in hexes.items()]

    def _gate(self, unit_id: str) -> str:
        return next(each.entries[0] for each in self.position.board.groups if unit_id in each.units)

    def _march(self) -> None:
        """March the units that are not where they should be, the nearest first, so that others follow behind."""
        movers = [each for each in self.free if self.position.kind(each).movement and not self._stays(each)]
        aims = {each: aim for each in movers if (aim := self._aim(each))}
        far = {each: self._field(each, aim).halves(self.position.units[each].hex) for each, aim in aims.items()}
        for unit_id in sorted(far, key=lambda each: (far[each], int(each))):
            field = self._field(unit_id, self._aim(unit_id) or aims[unit_id])
            shy = not self.position.kind(unit_id).hard or unit_id in self.leaving
            plot = march(self.position, unit_id, field, shy=shy)
            if self.spreads and self._queues(unit_id):
                plot = self._detour(unit_id, shy=shy) or plot
            if not plot and not shy and not self._can_hit(unit_id):
                plot = close_in(self.position, unit_id)
            self._note({unit_id: plot})
            if not self.goal.ground and (prey := self._prey(unit_id)):
                self.hunters[prey] = self.hunters.get(prey, 0) + 1

    def _queues(self, unit_id: str) -> bool:
        """Return whether a marching unit advances at most one hex although no enemy zone stops it."""
        position = self.position
        here = position.units[unit_id].hex
        end = next(hex_ for hex_, row in position.taken.items() if unit_id in row)
        return position.ground.range_hexes(here, end) <= 1 and end not in position.zones and here not in position.zones

    def _detour(self, unit_id: str, *, shy: bool) -> str:
        """Return a march around own units that are in the way, or "" if none leads nearer."""
        position = self.position
        full = {hex_: QUEUE for hex_, row in position.taken.items() if row and row != [unit_id]}
        field = DistanceField(position.ground, position.kind(unit_id).mobility, self._aim(unit_id), full)
        before = next(hex_ for hex_, row in position.taken.items() if unit_id in row)
        plot = march(position, unit_id, field, shy=shy)
        if not plot:
            position.settle(unit_id, before)
        return plot

    def _can_hit(self, unit_id: str) -> bool:
        """Return whether fire from the current hex is worthwhile."""
        return bool(volleys(self.position, [unit_id], CHANCE, note=False))

    def _stays(self, unit_id: str) -> bool:
        """Return whether a unit does not march.

        Empty vehicles, units on the ground to be held, and loaded trucks that are held back stay. So do entrenched
        units if there is ground to hold or an exit to block. If the side must not lose units, foot units and units
        outside clear hexes stay.
        """
        position = self.position
        if not position.is_combat(unit_id):
            return True
        here, goal = position.units[unit_id].hex, self.goal
        if here in goal.ground or self._waits(unit_id):
            return True
        if (goal.deny or goal.ground) and here in position.view.entrenchments:
            return True
        return goal.hold and (position.kind(unit_id).is_foot or not position.ground.is_clear(here))

    def _waits(self, unit_id: str) -> bool:
        """Return whether a loaded truck is held back: tanks clear the ground first, while there is time."""
        position, kind = self.position, self.position.kind(unit_id)
        is_held = any(each in position.enemy_hexes for each in self.goal.ground)
        if kind.hard or not kind.is_vehicle or not is_held:
            return False
        far = self._field(unit_id, self.goal.ground).halves(position.units[unit_id].hex)
        return position.left > far // (2 * kind.movement) + EARLY

    def _wait(self) -> None:
        for unit_id in list(self.free):
            kind = self.position.kind(unit_id)
            plot = bombardment(self.position, unit_id) if kind.weapon == "H" else ""
            self._note({unit_id: plot or overwatch(self.position, unit_id)})


# --- variants for search bots ---


class Marching(Turn):
    """March every unit that has a destination; fire with the others."""

    def _sure_fire(self) -> dict[str, str]:
        return {}


class Firing(Turn):
    """Fire with every unit that has a target; march with the others."""

    def _sure_fire(self) -> dict[str, str]:
        return volleys(self.position, self._shooters(), CHANCE)


class Standing(Firing):
    """Fire without any march."""

    def _march(self) -> None:
        pass


class Careful(Turn):
    """Fire, march, and wait; overrun only if a unit has a plot to enter, leave or debark this turn."""

    def _shooters(self) -> list[str]:
        return [] if not self.plots else super()._shooters()

    def _sure_fire(self) -> dict[str, str]:
        return volleys(self.position, [each for each in self.free if each not in self.leaving], self.least)


VARIANTS: tuple[type[Turn], ...] = (Marching, Firing, Standing, Careful)


def other_plots(view: Any, board: Board, side: str, goal: Goal, fields: DistanceFields) -> Iterator[dict[str, str]]:
    """Yield alternative plots of the turn, likely ones first, each made by a variant of the captain."""
    for variant in VARIANTS:
        yield variant(Position(view, board, side), goal, fields).plots_of()
    if goal != Goal():
        for hunter in (Turn, Marching):
            yield hunter(Position(view, board, side), Goal(), fields).plots_of()
    if not goal.hold:
        yield Turn(Position(view, board, side), goal._replace(hold=True), fields).plots_of()
