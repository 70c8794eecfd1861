"""The next orders of a force on its march (DM-7.0b), and the cheapest path to a target."""

from collections.abc import Callable, Iterator
from copy import copy
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from damos.map.boundaries import must_leave, why_no_move
from damos.map.stacking import is_legal
from damos.map.supply import has_supply_line
from damos.map.terrain import step_halves
from damos.map.zones import in_enemy_zone, is_zone_capable
from damos.model.forces import enemy_of, is_demoralized, stacks
from damos.model.orders import DropOff, EndActivation, PickUp, Rally, Step
from damos.model.state import DamosState
from damos.model.tables import PICK_UP_HALVES, RALLY_HALVES
from damos.movement.march import END_ACTIVATION, March, Menu, SomeUnits, movement_points, points, why_no_force
from damos.movement.pause import hexes_allowed, may_attack
from sandtable import Decision, Form, OneOf, Refusal, Space, Stream, shown

if TYPE_CHECKING:
    from damos.model.board import Board


def least_step(board: "Board") -> int:
    """Return the minimum cost of a step on the map, in halves, at least 1."""
    if "least_step" not in board.caches:
        rows = [row for row in board.aid.terrain.values() if row.halves is not None]
        board.caches["least_step"] = max(1, min(min(row.halves or 0, row.foot_halves or 0) for row in rows))
    least: int = board.caches["least_step"]
    return least


def least_halves(state: DamosState, units: list[str], start: str, target: str, limit: int) -> int | None:
    """Return the halves that units of one side need from ``start`` into ``target``, or None if more than ``limit``.

    Enemies block the path, except in the target, and boundaries bind (AGC-1.3a). Returns 0 if the units are there
    already.
    """
    if start == target:
        return 0 if limit >= 0 else None
    least, range_hexes = least_step(state.board), state.board.hexmap.range_hexes
    if least * range_hexes(start, target) > limit:
        return None
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heappop(queue)
        if here == target:
            return cost
        for near, halves in _steps(state, units, here, target) if cost == best[here] else ():
            total = cost + halves
            if total + least * range_hexes(near, target) <= limit and total < best.get(near, total + 1):
                best[near] = total
                heappush(queue, (total, near))
    return None


def cheapest_path(state: DamosState, units: list[str], start: str, target: str) -> list[tuple[str, int]]:
    """Return a cheapest path for units of one side: the hexes after the start, each with the halves to it.

    Returns [] if there is no path, or if the units are in the target already. Enemies block it, except in the target.
    Of equally cheap steps into a hex, the one from the lowest number is taken.
    """
    least, range_hexes = least_step(state.board), state.board.hexmap.range_hexes
    best: dict[str, tuple[int, str]] = {start: (0, "")}
    queue = [(least * range_hexes(start, target), 0, start)]
    while queue:
        _, cost, here = heappop(queue)
        if here == target:
            break
        for near, halves in _steps(state, units, here, target) if cost == best[here][0] else ():
            total = cost + halves
            if near not in best or (total, here) < best[near]:
                best[near] = (total, here)
                heappush(queue, (total + least * range_hexes(near, target), total, near))
    route: list[tuple[str, int]] = []
    here = target if target in best else start
    while here != start:
        route.append((here, best[here][0]))
        here = best[here][1]
    return route[::-1]


def _steps(state: DamosState, units: list[str], here: str, target: str) -> Iterator[tuple[str, int]]:
    """Yield the hexes that units can enter next, each with its cost in half movement points.

    Hexes with enemies are excluded, except ``target``.
    """
    side = state.units[units[0]].side
    enemies = stacks(state, enemy_of(side))
    for near in state.board.around[here]:
        if near == target or near not in enemies:
            halves = step_halves(state, units, here, near)
            if halves is not None and why_no_move(state, side, here, near) is None:
                yield near, halves


RALLY = Rally()
LIMITED = "AGC-4.7a"


class NextHex(Space):
    """The hexes that the force may enter now; ``halves`` has the cost of each."""

    state: DamosState
    march: March
    halves: dict[str, int]

    @classmethod
    def of(cls, state: DamosState, march: March) -> "NextHex":
        """Return the space of the hexes that the force can enter now."""
        found: dict[str, int] = {}
        left = march.left if _why_limited(state, march) is None else -1
        for near in sorted(state.board.around[march.hex]):
            halves = cost_of(state, march, near)
            if halves is None or halves > left or why_no_move(state, march.side, march.hex, near) is not None:
                continue
            if _why_no_contact(state, march, near) is None and _why_astray(state, march, near, halves) is None:
                found[near] = halves
        return cls(state, march, found)

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a hex that is not adjacent, out of reach or forbidden."""
        if isinstance(value, str) and value in self.halves:
            return None
        near = self.state.board.hexmap.around[self.march.hex]
        if not isinstance(value, str) or not value or value not in near:
            return Refusal("DM-7.0j", f"{shown(value)} is not adjacent to {self.march.hex}")
        return why_no_step(self.state, self.march, value) or Refusal("DM-7.0j", f"{value} cannot be entered now")

    def values(self) -> Iterator[str]:
        """Yield the hexes, sorted."""
        return iter(self.halves)

    def sample(self, stream: Stream) -> str:
        """Return a random hex."""
        if not self.halves:
            raise ValueError("no choice is possible")
        return stream.pick(list(self.halves))


def cost_of(state: DamosState, march: March, hex_: str) -> int | None:
    """Return the cost in halves for the force to enter the next hex, or None if it may not."""
    halves: int | None = step_halves(state, march.units, march.hex, hex_)
    return halves


def why_no_step(state: DamosState, march: March, hex_: str) -> Refusal | None:
    """Return why the force may not enter the adjacent hex, or None. Reasons include terrain, boundaries and points."""
    refusal: Refusal | None = why_no_move(state, march.side, march.hex, hex_)
    if refusal is not None:
        return refusal
    halves, left = cost_of(state, march, hex_), march.left
    if halves is None:
        return Refusal("DM-3.0a", f"the terrain between {march.hex} and {hex_} is closed to this force")
    if halves > left:
        return Refusal("DM-7.0j", f"{hex_} costs {movement_points(halves)}, but the force has {points(left)} left")
    refusal = _why_limited(state, march) or _why_no_contact(state, march, hex_)
    return refusal or _why_astray(state, march, hex_, halves)


def _why_limited(state: DamosState, march: March) -> Refusal | None:
    """Return the refusal if a unit has moved as far as it may this turn, or None."""
    for each in march.units:
        limit = hexes_allowed(state, each)
        if limit is not None and march.entered.get(each, 0) >= limit:
            return limit_refusal(each, limit)
    return None


def limit_refusal(unit_id: str, limit: int) -> Refusal:
    """Return the refusal for a unit that has moved as far as it may this turn."""
    return Refusal(LIMITED, f"{unit_id} may enter {f'{limit} hex' if limit else 'no hex'} this turn")


def _why_no_contact(state: DamosState, march: March, hex_: str) -> Refusal | None:
    """Refuse steps of demoralized forces next to the enemy, and attacks that are forbidden (DM-2.8d, AGC-4.7a)."""
    defended = hex_ in stacks(state, enemy_of(march.side))
    if is_demoralized(state, march.units):
        if defended:
            return Refusal("DM-2.8d", f"the force is demoralized: it cannot attack {hex_}")
        if in_enemy_zone(state, march.side, hex_):
            return Refusal("DM-2.8d", f"the force is demoralized: it cannot enter the enemy zone of control in {hex_}")
    if not defended:
        return None
    still = [each for each in march.units if not may_attack(state, each)]
    return Refusal(LIMITED, f"{', '.join(still)} may not attack this turn") if still else None


def _why_astray(state: DamosState, march: March, hex_: str, halves: int) -> Refusal | None:
    """Refuse a step of a grand assault after which the target is out of reach (DM-8.1h, R-DM-27)."""
    if not march.goal:
        return None
    left = march.left - halves - march.goal_halves
    if hex_ == march.goal:
        short = left < 0
    elif hex_ in stacks(state, enemy_of(march.side)):
        return Refusal("DM-8.3d", f"the force may attack only {march.goal}")
    else:
        short = least_halves(state, march.units, hex_, march.goal, left) is None
    return Refusal("DM-8.1h", f"from {hex_} the force can no longer attack {march.goal}") if short else None


# --- picking up and dropping units ---


def joinable_units(state: DamosState, march: March) -> list[str]:
    """Return the fresh, non-demoralized units in the hex that are fast enough to be picked up (DM-7.0n, R-DM-31)."""
    price = pick_up_halves(march)
    if march.left < price:
        return []
    zone = is_zone_capable(state, march.units)
    found = []
    for each in stacks(state, march.side).get(march.hex, ()):
        unit = state.units[each]
        if unit.spent or unit.demoralized or each in state.active:
            continue
        if march.rate(each) < march.spent + price or hexes_allowed(state, each) == 0:
            continue
        if state.options["pickup_limits"] == "same_class" and is_zone_capable(state, [each]) != zone:
            continue
        found.append(each)
    return found


def pick_up_halves(march: March) -> int:
    """Return the cost in halves of picking up here: one point for each hex where it is done (DM-7.0n)."""
    return 0 if march.paid else PICK_UP_HALVES


def _why_no_pick_up(state: DamosState, march: March, units: list[str]) -> Refusal | None:
    """Return why units that ``joinable_units`` leaves out cannot be picked up now, or None (DM-7.0n, R-DM-31)."""
    price = pick_up_halves(march)
    if march.left < price:
        return Refusal(
            "DM-7.0n", f"picking up costs {points(price)} point, but the force has {points(march.left)} left"
        )
    refusal = why_no_force(state, march.side, units, "DM-7.0n")
    if refusal is not None:
        return refusal
    for each in units:
        unit = state.units[each]
        if unit.hex != march.hex:
            return Refusal(
                "DM-7.0n", f"{each} is in {unit.hex}: the force picks up units only in its own hex, {march.hex}"
            )
        if each in state.active:
            return Refusal("DM-7.0n", f"{each} is already in the force")
        if unit.demoralized:
            return Refusal("DM-7.0n", f"{each} is demoralized: it must rally first")
        if march.rate(each) < march.spent + price:
            return Refusal(
                "DM-7.0o", f"{each} is too slow: it would also count as having spent {points(march.spent)} points"
            )
    return None


def _why_no_drop_off(march: March) -> Refusal | None:
    """Return why no unit can be left behind, or None (DM-7.0p, DM-8.3d)."""
    if march.goal:
        return Refusal("DM-8.3d", "a grand assault may not drop units")
    if len(march.units) == 1:
        return Refusal("DM-7.0p", f"{march.units[0]} is the whole force: end its activation instead")
    return None


def _why_not_joined(state: DamosState, march: March, units: list[str]) -> Refusal | None:
    """Refuse units that would make a grand assault too large or too slow (DM-8.1h)."""
    if not march.goal:
        return None
    force = [*march.units, *units]
    if not is_legal(state, force):
        return Refusal("DM-8.1h", f"{len(force)} units are too many for one hex")
    rate = min(march.left + march.spent, *(march.rate(each) for each in units))
    left = rate - march.spent - pick_up_halves(march) - march.goal_halves
    if least_halves(state, force, march.hex, march.goal, left) is None:
        return Refusal("DM-8.1h", f"together they can no longer attack {march.goal}")
    return None


# --- rallying ---


def why_no_rally(state: DamosState, march: March) -> Refusal | None:
    """Return why the force cannot rally, or None (DM-2.8g, DM-7.0l)."""
    if not is_demoralized(state, march.units):
        return Refusal("DM-2.8g", "the force is not demoralized")
    if march.left < RALLY_HALVES:
        return Refusal(
            "DM-2.8g", f"rallying costs {points(RALLY_HALVES)} points, but the force has {points(march.left)} left"
        )
    if in_enemy_zone(state, march.side, march.hex):
        return Refusal("DM-2.8g", f"{march.hex} is in an enemy zone of control")
    if not has_supply_line(state, march.side, march.hex):
        return Refusal("DM-2.8g", f"{march.hex} has no supply line")
    return None


# --- the decision ---


def next_decision(state: DamosState, march: March) -> Decision | None:
    """Return the decision about the force's next order, or None if it can only stop.

    A grand assault that can reach its target must continue, and leaves no unit behind (DM-8.3d, R-DM-27). A force out
    of bounds must also continue if it can (R-DM-88).
    """
    hexes = NextHex.of(state, march)
    spaces = _spaces(state, march, hexes)
    if not spaces:
        return None
    stuck = not march.exploiting and can_leave(state, march, hexes)
    if not march.goal and not stuck:
        spaces.append(OneOf([END_ACTIVATION], "DM-7.0b"))
    rally_refused = (
        Refusal("DM-8.3d", "a grand assault may only move and attack") if march.goal else why_no_rally(state, march)
    )
    closed: dict[type[Any], Callable[[Any], Refusal | None]] = {
        Step: lambda order: hexes.why_not(order.hex),
        Rally: lambda _: rally_refused,
        PickUp: lambda order: _why_no_pick_up(state, march, order.units),
        DropOff: lambda _: _why_no_drop_off(march),
    }
    if march.goal:
        bound = Refusal(
            "DM-8.3d", f"the attack on {march.goal} was announced: the force must continue as long as it can"
        )
        closed[EndActivation] = lambda _: bound
    elif stuck:
        on = Refusal(
            "AGC-1.3c",
            f"{march.hex} is out of bounds: the force must continue as long as it can move closer to the exit",
        )
        closed[EndActivation] = lambda _: on
    verb = f"attack {march.goal}" if march.goal else "exploit" if march.exploiting else "move"
    force = ", ".join(state.board.counters[each].title for each in march.units)
    prompt = f"{verb} with {force} in {march.hex}: {movement_points(march.left)} left"
    rule = "DM-8.1h" if march.goal else "DM-8.12b" if march.exploiting else "DM-7.0b"
    purpose = f"{'assault' if march.goal else verb}.{march.units[0]}.{march.hex}"
    done = None if march.goal or stuck else END_ACTIVATION
    return Decision(march.side, prompt, Menu(spaces, closed=closed), rule, done=done, purpose=purpose)


def can_leave(state: DamosState, march: March, hexes: NextHex | None = None) -> bool:
    """Return whether a force is in a hex that it must leave, and could take a step that meets no enemy (R-DM-88)."""
    if march.hex not in must_leave(state, march.side):
        return False
    enemies = stacks(state, enemy_of(march.side))
    return any(near not in enemies for near in (hexes or NextHex.of(state, march)).halves)


def _spaces(state: DamosState, march: March, hexes: NextHex) -> list[Space]:
    """Return the force's orders besides stopping. Units may be left behind only if it or one of them can still act."""
    spaces: list[Space] = [Form(Step, {"hex": hexes})] if hexes.halves else []
    joining = joinable_units(state, march)
    if joining:
        company = SomeUnits(joining, "DM-7.0n", lambda units: _why_not_joined(state, march, units))
        if not march.goal or not company.is_empty():
            spaces.append(Form(PickUp, {"units": company}))
    if march.goal:
        return spaces
    if why_no_rally(state, march) is None:
        spaces.append(OneOf([RALLY], "DM-2.8g"))
    if len(march.units) > 1 and not can_leave(state, march, hexes) and (spaces or _some_can_go(state, march)):
        spaces.append(Form(DropOff, {"units": SomeUnits(march.units, "DM-7.0p", most=len(march.units) - 1)}))
    return spaces


def _some_can_go(state: DamosState, march: March) -> bool:
    """Return whether a unit could move on without the others: slow units can be left behind (DM-7.0p, R-DM-31)."""
    if march.exploiting and march.ceiling is None:
        return False  # they are left behind in any case (R-DM-28)
    alone = copy(march)
    for each in march.units:
        alone.units = [each]
        if NextHex.of(state, alone).halves:
            return True
    return False
