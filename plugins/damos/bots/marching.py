"""Activations and marches: the next force, its destination, and attacks on its path."""

from damos.bots.company import could_go_back, drop_off, groups_of, pick_up, stays_rallied
from damos.bots.paths import Route, cached, reach
from damos.bots.position import FAR, StaffPosition, field_of
from damos.map.terrain import ground_of
from damos.model.orders import Activate, DeclareAttack, EndActivation, EndPhase, Rally, Step
from damos.model.tables import ATTACK_PLANS, PENETRATION, RALLY_HALVES, STANDARD
from damos.movement.march import March
from damos.movement.planning import FreshForces
from damos.movement.steps import NextHex
from sandtable import Decision, Order

GOOD_CHANCE = 60
"""Minimum probability in percent of winning an attack."""
SURE_CHANCE = 85
"""The same near the end for a force at the gates, which would have to retreat after a lost attack."""
LAST_CHANCE = 20
"""The same on the last turn for a side that would lose the game in the current position."""
LAST = 2
"""Number of turns that count as the end."""

# Values of a position, in half movement points saved.
GATE = 12
"""Value of occupying another hex next to the objective (AGC-5.0c)."""
TRACK = 3
"""Value of taking a hex of the railway ahead, which supply will need (AGC-4.3.1a)."""
FIGHT = 4
"""Value of beating an enemy."""
CLEAR = 8
"""Value of beating an enemy that blocks the railway."""
STORM = 60
"""Value of entering the objective (AGC-5.0a)."""
BREACH = 16
"""Value of beating an enemy next to the objective."""
HUNGER = 40
"""Cost of being out of supply before the dash."""
IN_THE_WAY = 12
"""Cost of infantry in a hex that units of the dash will need."""
HUNGER_OF_DASH = 2
"""Cost of being out of supply during the last dash, and for the side that holds."""
SHAKEN = 8
"""Cost of ending stacked with a demoralized unit (DM-2.8b)."""
POINT = 1
"""Cost of a strength point lost by attrition."""
TRAPPED = 500
"""Cost of surrender."""
COMPANY = 1
"""Value of stacking with a friend, which makes the hex harder to take."""
CROWDED = 1 << 20
"""Value of leaving an over-stacked hex, which comes before everything else (DM-2.3e)."""
EXPOSED = 6
"""Cost of a position in the open that the enemy can reach next turn."""
REACH = 12
"""Half movement points that an enemy moves in a turn."""
STARVED = 8
"""Value of beating an enemy that is out of supply, or in a hex of its railway."""
MAX_WON = FIGHT + STORM + STARVED
"""Maximum value of beating an enemy for a force that goes to its post."""
LEFT = 16
"""Cost of leaving a gate, or the objective, to the enemy."""
WORTHLESS = 1 << 30
"""A number larger than the absolute value of every position."""


def activate(position: StaffPosition, decision: Decision, tried: dict[str, int], *, front_only: bool = False) -> Order:
    """Return a concerted attack, the next force, or the end of operations.

    ``tried`` stores the turn in which an attack on a target was last announced. With ``front_only``, forces in the rear
    stay.
    """
    forces = field_of(decision, Activate, "units")
    if isinstance(forces, FreshForces):
        target = _target(position, decision, forces, tried)
        if target:
            tried[target] = position.view.turn
            return DeclareAttack(target)
        ranked = sorted(candidates(position, forces, front_only=front_only), reverse=True)
        best = next((units for _, _, units in ranked if forces.why_not(list(units)) is None), None)
        if best is not None:
            return Activate(list(best))
    return EndPhase()


def candidates(
    position: StaffPosition, forces: FreshForces, *, front_only: bool = False
) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the forces worth activating, each with its value and hex: infantry apart from mobile units.

    With ``front_only``, only forces that an enemy can reach in a turn.
    """
    found = []
    for hex_, fresh in forces.by_hex.items():
        if front_only and position.threat.get(hex_, FAR) > REACH:
            continue
        spread = _spreads(position, hex_)
        crowded = not position.fits(position.friends_in(hex_))
        for group in groups_of(position, fresh):
            units = group[:1] if spread else group
            if crowded:
                units = (min(group, key=lambda each: (position.strength([each]), each)),)
            value = _leaving_value(position, units[0]) if crowded else _priority(position, hex_, list(units))
            if value > 0:
                found.append((value, hex_, units))
    return found


def _leaving_value(position: StaffPosition, unit_id: str) -> int:
    """Return the value of leaving an over-stacked hex: infantry first, mobile units after all infantry."""
    return CROWDED if not position.is_mobile(unit_id) else FAR + 1


def _spreads(position: StaffPosition, hex_: str) -> bool:
    """Return whether one unit of a stack at the gates should move to a free gate nearby, near the end (AGC-5.0c)."""
    if not _at_the_gates(position, hex_) or len(position.friends_in(hex_)) < 2:
        return False
    near = [each for each in position.board.around[hex_] if each in position.gates]
    return any(not position.enemies_in(each) and not position.friends_in(each) for each in near)


def _priority(position: StaffPosition, hex_: str, units: list[str]) -> int:
    """Return the priority of a force, 0 for never: infantry first, and in each class the nearest to its destination.

    Demoralized units have no zone (DM-2.8c), so they rally before a mobile force is activated, which would exclude them
    (DM-7.0d).
    """
    if any(position.units[each].demoralized for each in units):
        return FAR + 1
    first = 2 * FAR if not position.is_mobile(units[0]) else FAR
    if not position.on_duty(units):
        return first - min(position.far(hex_), FAR - 2)
    left = position.distance_left(units, hex_)
    if left:
        return first - min(left, FAR - 2)
    near = position.board.around[hex_]
    attacks = any(
        position.enemies_in(each)
        and position.chance(units, hex_, each) >= GOOD_CHANCE
        and position.room_for(units, each)
        for each in near
    )
    return first if attacks else 0


def _at_the_gates(position: StaffPosition, hex_: str) -> bool:
    """Return whether a force is next to the objective and should stay there to the end (AGC-5.0c)."""
    return position.advances() and position.turns_left <= LAST and hex_ in position.gates


def required_chance(position: StaffPosition, here: str) -> int:
    """Return the minimum probability in percent of an attack from a hex."""
    if position.turns_left == 1 and position.is_losing():
        return LAST_CHANCE
    return SURE_CHANCE if _at_the_gates(position, here) else GOOD_CHANCE


# --- concerted attacks ---


def _target(position: StaffPosition, decision: Decision, forces: FreshForces, tried: dict[str, int]) -> str:
    """Return the target of a concerted attack that one mobile stack next to it can beat, or ""."""
    targets = field_of(decision, DeclareAttack, "target")
    if targets is None or position.is_paused() or (not forces.zones_only and _has_foot(position, forces)):
        return ""
    best: tuple[int, str] = (0, "")
    for hex_, fresh in forces.by_hex.items():
        mobile = [each for each in fresh if not position.units[each].demoralized]
        for near in position.board.around[hex_]:
            if not position.enemies_in(near) or tried.get(near) == position.view.turn or not mobile:
                continue
            if position.advances() and not _matters(position, near):
                continue
            chance = position.chance(mobile, hex_, near, ATTACK_PLANS[PENETRATION].modifier)
            if chance >= required_chance(position, hex_) and chance > best[0] and targets.why_not(near) is None:
                best = (chance, near)
    return best[1]


def _matters(position: StaffPosition, hex_: str) -> bool:
    """Return whether enemies in a hex must be beaten: in the objective, next to it, or on the railway ahead."""
    return hex_ == position.objective or hex_ in position.gates or position.blocks(hex_)


def _has_foot(position: StaffPosition, forces: FreshForces) -> bool:
    return any(not position.is_mobile(each) for fresh in forces.by_hex.values() for each in fresh)


# --- the march ---


def march(position: StaffPosition, decision: Decision) -> tuple[Order, tuple[str, ...]]:
    """Return the next step of the active force, and its whole path: to the best hex, or into an enemy."""
    options = decision.options
    hexes = field_of(decision, Step, "hex")
    units = list(position.view.active)
    here = position.units[units[0]].hex
    if options.why_not(Rally()) is None and position.room_for(units, here) and stays_rallied(position, units, here):
        return Rally(), ()
    if not isinstance(hexes, NextHex):
        return EndActivation(), ()
    force = hexes.march
    company = _regroup(position, decision, hexes)
    if company is not None:
        return company, ()
    path: tuple[str, ...]
    if force.goal:
        path = _path_to(position, force.goal, hexes)
    elif any(position.units[each].demoralized for each in force.units):
        path = _rally_path(position, force, hexes)
    else:
        path = _best_path(position, force, hexes)
    return (Step(path[0]), path) if path else (EndActivation(), ())


def _regroup(position: StaffPosition, decision: Decision, hexes: NextHex) -> Order | None:
    """Return the order to leave units at the gates, or to pick units up for an attack, or None."""
    here = hexes.march.hex
    if _at_the_gates(position, here):
        return drop_off(position, decision, hexes)
    return pick_up(position, decision, hexes, required_chance(position, here))


def _path_to(position: StaffPosition, goal: str, hexes: NextHex) -> tuple[str, ...]:
    """Return a path of one hex for a grand assault: the hex nearest to the target that it may enter. () if none."""
    return min(
        ((hex_,) for hex_ in hexes.halves),
        key=lambda path: position.board.hexmap.range_hexes(path[0], goal),
        default=(),
    )


def _reachable(position: StaffPosition, force: March, hexes: NextHex) -> dict[str, Route]:
    """Return the paths to the hexes that the force can reach, including its own."""
    first = {hex_: halves for hex_, halves in hexes.halves.items() if not position.enemies_in(hex_)}
    routes = {force.hex: Route(0, ())}
    if position.is_paused() and any(map(position.is_mobile, force.units)):
        return routes | {hex_: Route(halves, (hex_,)) for hex_, halves in first.items()}
    return routes | reach(position.steps, first, force.left, _closed(position, force), position.missing_track)


def _closed(position: StaffPosition, force: March) -> set[str]:
    """Return the hexes that a march avoids: its start, enemies, and friends if a reaction would cost too many units."""
    if not position.fits(position.friends_in(force.hex)):  # an over-stacked start hex loses a unit if the force stays
        return {force.hex, *position.enemies}
    full = (hex_ for hex_ in position.own if hex_ in position.watched and _is_risky(position, force, hex_))
    return {force.hex, *position.enemies, *full}


def _is_risky(position: StaffPosition, force: March, hex_: str) -> bool:
    """Return whether a reaction into a hex with friends would cost too many units, there or in retreat."""
    if not position.room_for(force.units, hex_):
        return True
    return not position.advances() and not could_go_back(position, [*force.units, *position.friends_in(hex_)], hex_)


def _rally_path(position: StaffPosition, force: March, hexes: NextHex) -> tuple[str, ...]:
    """Return the path to the nearest hex where a demoralized force can rally (DM-2.8g)."""
    routes = _reachable(position, force, hexes)
    worth = [
        (route.halves + RALLY_HALVES > force.left, position.supply[hex_], route.halves, route.path)
        for hex_, route in routes.items()
        if hex_ in position.supply
        and hex_ not in position.enemy_zone
        and position.room_for(force.units, hex_)
        and stays_rallied(position, force.units, hex_)
    ]
    return min(worth)[3] if worth else ()


def _best_path(position: StaffPosition, force: March, hexes: NextHex) -> tuple[str, ...]:
    """Return the path to the best hex, or into the best enemy, or () to stay. If several are equal, the first is taken.

    The upper bound of a hex's value is fast to compute, so only hexes that may be better than the best so far are
    rated.
    """
    best, first, path = -WORTHLESS, 1, tuple[str, ...]()
    for most, place, hex_, target, route in sorted(_ends(position, force, hexes), reverse=True):
        if most < best:
            break
        value = _assault(position, force, hex_, target, route) if target else _stay(position, force, hex_, route)
        if (value, place) > (best, first):
            best, first, path = value, place, (*route.path, target) if target else route.path
    return path


def _ends(position: StaffPosition, force: March, hexes: NextHex) -> list[tuple[int, int, str, str, Route]]:
    """Return possible ends of a march: upper bound of the value, a falling number, hex, target of an attack, path."""
    found: list[tuple[int, int, str, str, Route]] = []
    around, enemies = position.board.around, position.enemies
    if position.on_duty(force.units):
        return _ends_of_duty(position, force, hexes)
    most = _most(position)
    is_clear, avoids_track = enemies.keys().isdisjoint, position.missing_track.isdisjoint
    for hex_, route in _reachable(position, force, hexes).items():
        taken = 0 if avoids_track(route.path) else TRACK * _taken(position, route)
        found.append((most[hex_][0] + taken, -len(found), hex_, "", route))
        if not is_clear(around[hex_]):
            for near in around[hex_]:
                if near in enemies and (route.path or near in hexes.halves):
                    found.append((most[near][1] + taken, -len(found), hex_, near, route))
    return found


def _ends_of_duty(position: StaffPosition, force: March, hexes: NextHex) -> list[tuple[int, int, str, str, Route]]:
    found: list[tuple[int, int, str, str, Route]] = []
    for hex_, route in _reachable(position, force, hexes).items():
        found.append((-position.distance_left(force.units, hex_), -len(found), hex_, "", route))
        for near in position.board.around[hex_]:
            if near in position.enemies and (route.path or near in hexes.halves):
                found.append((MAX_WON - position.distance_left(force.units, near), -len(found), hex_, near, route))
    return found


def _most(position: StaffPosition) -> dict[str, tuple[int, int]]:
    """Return the upper bounds of ending in each hex, and of beating an enemy there, apart from the path."""

    def most() -> dict[str, tuple[int, int]]:
        return {
            hex_: (
                COMPANY + _prize(position, hex_, GATE) - position.far(hex_),
                FIGHT + CLEAR + _prize(position, hex_, BREACH) - position.far(hex_),
            )
            for hex_ in position.board.around
        }

    return cached(position.board, "most", (), most)


def _prize(position: StaffPosition, hex_: str, gate: int) -> int:
    """Return the value of a hex that is the objective, or next to it."""
    return STORM if hex_ == position.objective else gate if hex_ in position.gates else 0


def _stay(position: StaffPosition, force: March, hex_: str, route: Route) -> int:
    """Return the value of ending in a hex."""
    if not position.room_for(force.units, hex_):
        return -FAR
    if position.on_duty(force.units):
        left = position.distance_left(force.units, hex_)
        bare = left > 0 and position.threat.get(hex_, FAR) <= REACH and ground_of(position.board, hex_).defense < 2
        worth = -left - EXPOSED * bare - TRAPPED * position.is_trapped(hex_)
        return worth - _hardship(position, force, hex_, route.halves)
    company = any(each not in force.units for each in position.friends_in(hex_))
    worth = COMPANY * company - position.far(hex_) + TRACK * _taken(position, route)
    if not company:
        worth += _prize(position, hex_, GATE)
    return worth - _hardship(position, force, hex_, route.halves) - TRAPPED * position.is_trapped(hex_)


def _taken(position: StaffPosition, route: Route) -> int:
    """Return how many hexes of the track a path takes."""
    missing = position.missing_track
    return 0 if missing.isdisjoint(route.path) else sum(each in missing for each in route.path)


def _hardship(position: StaffPosition, force: March, hex_: str, halves: int) -> int:
    """Return the cost of joining demoralized units, of being out of supply, and of a long march there (DM-9.0a)."""
    shaken = SHAKEN * (not stays_rallied(position, force.units, hex_))
    if position.would_be_supplied(hex_):
        return shaken + IN_THE_WAY * position.is_in_the_way(force.units, hex_)
    hunger = HUNGER if position.advances() and not position.dashes(force.units) else HUNGER_OF_DASH
    tired = position.view.turn > 1 and not force.exploiting and 2 * (force.spent + halves) > force.first_rate
    return shaken + hunger + tired * POINT * (1 + position.strength(force.units) // 8)


def _assault(position: StaffPosition, force: March, hex_: str, target: str, route: Route) -> int:
    """Return the value of attacking enemies from a hex; very low if the attack should not be made."""
    entry = next((halves for near, halves in position.steps.get(hex_, ()) if near == target), None)
    plan = ATTACK_PLANS[STANDARD]
    if entry is None or route.halves + entry + (plan.halves or 0) > force.left:
        return -FAR
    if position.is_paused() and any(map(position.is_mobile, force.units)):
        return -FAR
    if not position.room_for(force.units, hex_):  # a beaten force returns there
        return -FAR
    is_last = position.turns_left == 1 and position.is_losing()
    if not is_last and not could_go_back(position, force.units, target):
        return -FAR
    if not position.room_for(force.units, target) or position.chance(force.units, hex_, target) < required_chance(
        position, force.hex
    ):
        return -FAR
    if position.on_duty(force.units):
        return _riposte(position, force, target) - _hardship(position, force, target, route.halves + entry)
    worth = FIGHT - position.far(target) + CLEAR * position.blocks(target) + _prize(position, target, BREACH)
    worth += TRACK * _taken(position, route)
    worth -= TRAPPED * (position.is_trapped(target) and position.is_trapped(hex_))  # this enemy may be the trap
    return worth - _hardship(position, force, target, route.halves + entry + (plan.halves or 0))


def _riposte(position: StaffPosition, force: March, target: str) -> int:
    """Return the value of beating enemies, for a force that holds or goes to its post."""
    worth = FIGHT + _prize(position, target, BREACH) - position.distance_left(force.units, target)
    worth += STARVED * position.is_starved(target)
    vital = force.hex == position.objective or force.hex in position.gates
    alone = all(each in force.units for each in position.friends_in(force.hex))
    worth -= LEFT * (vital and alone and position.turns_left > 1)
    return worth
