"""Units that may react, and their paths: the spaces of ``reaction.py`` (DM-2.6.1a, R-DM-10, R-DM-48)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from damos.map.boundaries import why_no_move
from damos.map.retreat import combat_retreats
from damos.map.stacking import may_join
from damos.map.terrain import is_passable, step_halves
from damos.map.zones import can_influence, influence_range, projects_zone
from damos.model.forces import enemy_of, is_demoralized, stacks, units_in
from damos.model.state import DamosState
from damos.model.tables import DEFENDER_RETREAT
from damos.movement.march import some_of, why_no_units
from sandtable import Refusal, Space, Stream

TRIES = 20


@dataclass(frozen=True, slots=True)
class Trigger:
    """The cause of reactions: the phasing force ``phasing`` in ``hex``, by ``cause``. ``side`` is the reacting side.

    ``printed`` is true for the enemy's view, which has only the printed strengths (DM-2.4c). ``known`` caches results
    for units of a kind: nothing moves before all attempts are announced.
    """

    state: DamosState
    hex: str
    phasing: tuple[str, ...]
    cause: str
    side: str
    printed: bool = False
    known: dict[tuple[Any, ...], Any] = field(default_factory=dict, compare=False, repr=False)


Fits = Callable[[Trigger, str, Sequence[str]], Refusal | None]
"""A function of trigger, hex and units that returns why units of a hex cannot go, or None."""


# --- units ---


def eligible(state: DamosState, side: str, hex_: str) -> list[str]:
    """Return the fresh, non-demoralized units in a hex that have not tried yet (DM-2.6.1a, DM-2.6.1b, R-DM-25)."""
    return [each for each in stacks(state, side).get(hex_, ()) if _why_unfit(state, each) is None]


def _why_unfit(state: DamosState, unit_id: str) -> Refusal | None:
    unit = state.units[unit_id]
    if unit.demoralized:
        return Refusal("DM-2.6.1b", f"{unit_id} is demoralized: it cannot react")
    if unit.spent:
        return Refusal("DM-2.6.1b", f"{unit_id} is spent: it cannot react")
    if unit_id in state.reacted and state.options["reaction_attempts"] == "one_per_activation":
        return Refusal("R-DM-25", f"{unit_id} has already tried in this activation")
    return None


def groups(trigger: Trigger, starts: Collection[str], fits: Fits) -> dict[str, list[str]]:
    """Return the hexes of ``starts`` from which any unit can go, each with its eligible units.

    A unit that can go in a group can go alone, so units with a zone are tried one by one (DM-2.6.1a).
    """
    found = {}
    for start in starts:
        units = eligible(trigger.state, trigger.side, start)
        if any(projects_zone(trigger.state, each) and fits(trigger, start, [each]) is None for each in units):
            found[start] = units
    return found


def near_enough(trigger: Trigger) -> list[str]:
    """Return the hexes of the forces whose zone of influence covers the hex of the trigger (DM-2.6.1c)."""
    return can_influence(trigger.state, trigger.side, trigger.hex, printed=trigger.printed)


class Responders(Space):
    """Lists of units of one hex that may try together. ``groups`` are the hexes, each with its eligible units."""

    trigger: Trigger
    groups: Mapping[str, Sequence[str]]
    fits: Fits

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units of the other side, units in different hexes, unfit units, and units that cannot go together."""
        state = self.trigger.state
        own = [each for each, unit in state.units.items() if unit.side == self.trigger.side and unit.hex]
        refusal = why_no_units(value, own, "DM-2.6.1a")
        if refusal is not None:
            return refusal
        hexes = sorted({state.units[each].hex for each in value})
        if len(hexes) > 1:
            return Refusal("DM-2.6.1f", f"the units are in {' and '.join(hexes)}: only units of one hex react together")
        unfit = next(filter(None, (_why_unfit(state, each) for each in value)), None)
        if unfit is not None:
            return unfit
        if hexes[0] not in self.groups:
            return self._why_no_group(hexes[0], value)
        return self._why_not_together(hexes[0], sorted(value))

    def values(self) -> Iterator[list[str]]:
        """Yield every list, hex by hex, few units first."""
        for start, units in self.groups.items():
            masks = range(1, 1 << len(units))
            for mask in sorted(masks, key=lambda mask: (mask.bit_count(), mask)):
                some = [each for place, each in enumerate(units) if mask >> place & 1]
                if self._why_not_together(start, some) is None:
                    yield some

    def sample(self, stream: Stream) -> list[str]:
        """Return a random list. Raises ValueError if there is none."""
        for _ in range(TRIES if self.groups else 0):
            start = stream.pick(list(self.groups))
            units = some_of(self.groups[start], stream)
            if self._why_not_together(start, units) is None:
                return units
        found = next(self.values(), None)
        if found is None:
            raise ValueError("no choice is possible")
        return found

    def _why_no_group(self, start: str, units: Sequence[str]) -> Refusal:
        if start not in near_enough(self.trigger) and start != self.trigger.hex:
            return Refusal("DM-2.6.1c", f"no zone of influence reaches from {start} to {self.trigger.hex}")
        why = self.fits(self.trigger, start, sorted(units))
        return why or Refusal("DM-2.6.1f", f"no unit in {start} can react now")

    def _why_not_together(self, start: str, units: Sequence[str]) -> Refusal | None:
        state = self.trigger.state
        if not any(projects_zone(state, each) for each in units):
            return Refusal("DM-2.6.1a", "none of them has a zone of influence")
        if state.options["reaction_stack_subset"] == "all_or_none" and len(units) < len(self.groups[start]):
            return Refusal(
                "R-DM-48", f"all units in {start} that can react must react together: {', '.join(self.groups[start])}"
            )
        return self.fits(self.trigger, start, units)


# --- into the hex ---


def why_not_in(trigger: Trigger, start: str, units: Sequence[str]) -> Refusal | None:
    """Return why units cannot come into the hex (demoralized friends, stacking, path), or None (DM-2.6.1r, R-DM-81)."""
    state = trigger.state
    friends = units_in(state, trigger.hex, trigger.side)
    if state.options["react_into_demoralized"] == "not_allowed" and is_demoralized(state, friends):
        return Refusal("R-DM-81", f"friendly units in {trigger.hex} are demoralized")
    if not may_join(state, units, trigger.hex):
        return Refusal("DM-2.6.1r", f"too many units would be in {trigger.hex}")
    if not reaction_paths(trigger, start, units):
        return Refusal("R-DM-10", f"no path leads from {start} to {trigger.hex}")
    return None


def reaction_paths(trigger: Trigger, start: str, units: Sequence[str]) -> list[list[str]]:
    """Return the paths of a reaction, at most as long as the zone reaches, with enemies only at the end (R-DM-10).

    With ``reaction_path`` "shortest_legal", only the paths with the fewest hexes are returned.
    """
    counters = trigger.state.board.counters
    longest = influence_range(trigger.state, start, trigger.side, printed=trigger.printed)
    kinds = {(counters[each].type, counters[each].foot) for each in units}
    key = ("in", start, longest, *sorted(kinds))
    if key not in trigger.known:
        trigger.known[key] = _reaction_paths(trigger, start, units, longest)
    found: list[list[str]] = trigger.known[key]
    return found


def _reaction_paths(trigger: Trigger, start: str, units: Sequence[str], longest: int) -> list[list[str]]:
    state, goal = trigger.state, trigger.hex
    enemies = stacks(state, enemy_of(trigger.side))
    hexmap = state.board.hexmap
    found: list[list[str]] = []
    paths = [[start]]
    while paths:
        longer: list[list[str]] = []
        for path in paths:
            for near in hexmap.around[path[-1]]:
                if not near or near in path or (near in enemies and near != goal):
                    continue
                is_near = len(path) + hexmap.range_hexes(near, goal) <= longest
                if is_near and _may_step(trigger, units, path[-1], near):
                    (found if near == goal else longer).append([*path, near])
        if found and state.options["reaction_path"] == "shortest_legal":
            break
        paths = longer
    return found


def _may_step(trigger: Trigger, units: Sequence[str], start: str, hex_: str) -> bool:
    """Return whether units may enter the next hex. Boundaries bind as in movement, or not at all (R-DM-71)."""
    state = trigger.state
    if not is_passable(state.board, start, hex_) or step_halves(state, units, start, hex_) is None:
        return False
    if state.options["boundaries_retreat"] == "ignore":
        return True
    return why_no_move(state, trigger.side, start, hex_) is None


# --- retreat before combat ---


def why_not_away(trigger: Trigger, start: str, units: Sequence[str]) -> Refusal | None:
    """Return why units cannot retreat before combat (a concerted attack, no path), or None (DM-2.6.1h, R-DM-24)."""
    if start == trigger.state.attack_target:
        return Refusal("DM-2.6.1h", f"{start} is the target of a concerted attack")
    if avoiding_retreats(trigger, start, units).is_empty():
        return Refusal("DM-8.11d", f"every path out of {start} leads into the enemy")
    return None


def avoiding_retreats(trigger: Trigger, start: str, units: Sequence[str]) -> Space:
    """Return the retreats before combat: the same as after a lost meeting engagement (DM-2.6.1i)."""
    key = ("out", start)
    if key not in trigger.known:
        trigger.known[key] = combat_retreats(trigger.state, units, start, *DEFENDER_RETREAT)
    found: Space = trigger.known[key]
    return found
