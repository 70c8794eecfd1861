"""Activating and marching: who goes next, where to, whether to attack on the way."""

from damos.bots.paths import Way, reach
from damos.bots.position import FAR, Outlook, field_of, groups_of, kept
from damos.model.orders import Activate, DeclareAttack, EndActivation, EndPhase, Rally, Step
from damos.model.tables import ATTACK_PLANS, PENETRATION, RALLY_HALVES, STANDARD
from damos.movement.march import March
from damos.movement.planning import FreshForces
from damos.movement.steps import NextHex
from sandtable.kernel.decisions import Decision, Order

GOOD_CHANCE = 60
"""In so many of a hundred cases an attack must succeed to be made."""
SURE_CHANCE = 85
"""The same for who stands at the gates as the end is near: a lost attack would throw him back."""
LAST = 2
"""So many turns are the end."""

# What it is worth to be somewhere, in halves of movement points saved.
GATE = 12
"""To stand in another hex beside the objective (AGC-5.0c)."""
TRACK = 3
"""To take a hex of the railway ahead, which supply will need (AGC-4.3.1a)."""
FIGHT = 4
"""To beat an enemy."""
CLEAR = 8
"""To beat one who keeps the railway from going on."""
STORM = 60
"""To be in the objective (AGC-5.0a)."""
BREACH = 16
"""To beat those beside it."""
HUNGER = 2
"""Not to be out of supply."""
POINT = 1
"""Not to lose a strength point by attrition."""
TRAPPED = 500
"""Not to surrender."""
COMPANY = 1
"""To stand with a friend: together they win."""
WON = 50
"""To beat an enemy, for the side that keeps the objective."""
WORTHLESS = 1 << 30
"""Nothing is worth less than this below nothing."""


def activate(outlook: Outlook, decision: Decision, tried: dict[str, int]) -> Order:
    """Return a concerted attack, the next force, or the end of operations.

    ``tried`` notes targets of attacks that were announced this turn already.
    """
    forces = field_of(decision, Activate, "units")
    if isinstance(forces, FreshForces):
        target = _target(outlook, decision, forces, tried)
        if target:
            tried[target] = outlook.view.turn
            return DeclareAttack(target)
        candidates = sorted(_candidates(outlook, forces), reverse=True)
        best = next((units for _, _, units in candidates if forces.why_not(list(units)) is None), None)
        if best is not None:
            return Activate(list(best))
    return EndPhase()


def _candidates(outlook: Outlook, forces: FreshForces) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the forces worth activating, if that may be, with what it is worth: foot units apart from mobile ones."""
    found = []
    for hex_, fresh in forces.by_hex.items():
        spread = _spreads(outlook, hex_)
        for group in groups_of(outlook, fresh):
            units = group[:1] if spread else group
            value = _turn_of(outlook, hex_, list(units))
            if value > 0:
                found.append((value, hex_, units))
    return found


def _spreads(outlook: Outlook, hex_: str) -> bool:
    """Tell whether one of a stack at the gates should go on to the next, as the end is near (AGC-5.0c)."""
    if not _at_the_gates(outlook, hex_) or len(outlook.friends_in(hex_)) < 2:
        return False
    near = [each for each in outlook.board.around[hex_] if each in outlook.gates]
    return any(not outlook.enemies_in(each) and not outlook.friends_in(each) for each in near)


def _turn_of(outlook: Outlook, hex_: str, units: list[str]) -> int:
    """Foot units go first; of each kind those nearest to the objective, so that others come up behind; 0 for no."""
    first = 2 * FAR if not outlook.is_mobile(units[0]) else FAR
    if any(outlook.units[each].demoralized for each in units):
        return first - FAR + 1
    if outlook.advances():
        return first - min(outlook.far(hex_), FAR - 2)
    near = outlook.board.around[hex_]
    attacks = any(
        outlook.enemies_in(each) and outlook.chance(units, hex_, each) >= GOOD_CHANCE and outlook.room_for(units, each)
        for each in near
    )
    return first if attacks and hex_ != outlook.objective else 0


def _at_the_gates(outlook: Outlook, hex_: str) -> bool:
    """Tell whether a force stands beside the objective and should stay there to the end (AGC-5.0c)."""
    return outlook.advances() and outlook.turns_left <= LAST and hex_ in outlook.gates


def _wanted(outlook: Outlook, here: str) -> int:
    """Return the chance at which a force attacks from where it stands."""
    return SURE_CHANCE if _at_the_gates(outlook, here) else GOOD_CHANCE


# --- concerted attacks ---


def _target(outlook: Outlook, decision: Decision, forces: FreshForces, tried: dict[str, int]) -> str:
    """Return the target of a concerted attack, "" for none: beaten by one mobile stack next to it."""
    targets = field_of(decision, DeclareAttack, "target")
    if targets is None or outlook.is_paused() or (not forces.zones_only and _has_foot(outlook, forces)):
        return ""
    best: tuple[int, str] = (0, "")
    for hex_, fresh in forces.by_hex.items():
        mobile = [each for each in fresh if not outlook.units[each].demoralized]
        for near in outlook.board.around[hex_]:
            if not outlook.enemies_in(near) or tried.get(near) == outlook.view.turn or not mobile:
                continue
            if outlook.advances() and not _matters(outlook, near):
                continue
            chance = outlook.chance(mobile, hex_, near, ATTACK_PLANS[PENETRATION].modifier)
            if chance >= _wanted(outlook, hex_) and chance > best[0] and targets.why_not(near) is None:
                best = (chance, near)
    return best[1]


def _matters(outlook: Outlook, hex_: str) -> bool:
    """Tell whether enemies are in the way: at the objective, or on the railway."""
    return hex_ == outlook.objective or hex_ in outlook.gates or outlook.blocks(hex_)


def _has_foot(outlook: Outlook, forces: FreshForces) -> bool:
    return any(not outlook.is_mobile(each) for fresh in forces.by_hex.values() for each in fresh)


# --- the march ---


def march(outlook: Outlook, decision: Decision) -> Order:
    """Return the next step of the active force: to where it is best for it to be, or into an enemy that it can beat."""
    options = decision.options
    hexes = field_of(decision, Step, "hex")
    units = list(outlook.view.active)
    if options.why_not(Rally()) is None and outlook.room_for(units, outlook.units[units[0]].hex):
        return Rally()
    if not isinstance(hexes, NextHex):
        return EndActivation()
    force = hexes.march
    path: tuple[str, ...]
    if force.goal:
        path = _way_to(outlook, force.goal, hexes)
    elif any(outlook.units[each].demoralized for each in force.units):
        path = _way_back(outlook, force, hexes)
    else:
        path = _best_way(outlook, force, hexes)
    return Step(path[0]) if path else EndActivation()


def _way_to(outlook: Outlook, goal: str, hexes: NextHex) -> tuple[str, ...]:
    """Return the next hex of a grand assault: whichever can be entered leads there, the nearest is best."""
    return min(
        ((hex_,) for hex_ in hexes.halves), key=lambda path: outlook.board.hexmap.range_hexes(path[0], goal), default=()
    )


def _ways(outlook: Outlook, force: March, hexes: NextHex) -> dict[str, Way]:
    """Return where the force can get, with where it is."""
    first = {hex_: halves for hex_, halves in hexes.halves.items() if not outlook.enemies_in(hex_)}
    ways = {force.hex: Way(0, ())}
    if not outlook.advances():
        return ways
    if outlook.is_paused() and any(map(outlook.is_mobile, force.units)):
        return ways | {hex_: Way(halves, (hex_,)) for hex_, halves in first.items()}
    return ways | reach(outlook.steps, first, force.left, {force.hex, *outlook.enemies}, outlook.wanted)


def _way_back(outlook: Outlook, force: March, hexes: NextHex) -> tuple[str, ...]:
    """Return the way to where a demoralised force can rally, the nearest such hex (DM-2.8g)."""
    ways = _ways(outlook, force, hexes)
    worth = [
        (way.halves + RALLY_HALVES > force.left, outlook.supply[hex_], way.halves, way.path)
        for hex_, way in ways.items()
        if hex_ in outlook.supply and hex_ not in outlook.enemy_zone and outlook.room_for(force.units, hex_)
    ]
    return min(worth)[3] if worth else ()


def _best_way(outlook: Outlook, force: March, hexes: NextHex) -> tuple[str, ...]:
    """Return the way to the best hex, or into the best enemy; empty to stay. Of equals the first is taken.

    What a hex may be worth at most is quickly said: so only those are weighed that may be better than the best so far.
    """
    best, first, path = -WORTHLESS, 1, tuple[str, ...]()
    for most, place, hex_, target, way in sorted(_ends(outlook, force, hexes), reverse=True):
        if most < best:
            break
        value = _assault(outlook, force, hex_, target, way) if target else _stay(outlook, force, hex_, way)
        if (value, place) > (best, first):
            best, first, path = value, place, (*way.path, target) if target else way.path
    return path


def _ends(outlook: Outlook, force: March, hexes: NextHex) -> list[tuple[int, int, str, str, Way]]:
    """Return where a march may end: the most that it is worth, a number that falls, hex, target of an attack, way."""
    found: list[tuple[int, int, str, str, Way]] = []
    around, enemies = outlook.board.around, outlook.enemies
    most, advances = _most(outlook), outlook.advances()
    is_clear, is_unwanted = enemies.keys().isdisjoint, outlook.wanted.isdisjoint
    for hex_, way in _ways(outlook, force, hexes).items():
        taken = 0 if is_unwanted(way.path) else TRACK * _taken(outlook, way)
        found.append((most[hex_][0] + taken if advances else 0, -len(found), hex_, "", way))
        if not is_clear(around[hex_]):
            for near in around[hex_]:
                if near in enemies and (way.path or near in hexes.halves):
                    found.append((most[near][1] + taken if advances else WON, -len(found), hex_, near, way))
    return found


def _most(outlook: Outlook) -> dict[str, tuple[int, int]]:
    """Return by hex the most that it may be worth to end there, and to beat an enemy there, the way aside."""

    def most() -> dict[str, tuple[int, int]]:
        return {
            hex_: (
                COMPANY + _prize(outlook, hex_, GATE) - outlook.far(hex_),
                FIGHT + CLEAR + _prize(outlook, hex_, BREACH) - outlook.far(hex_),
            )
            for hex_ in outlook.board.around
        }

    return kept(outlook.board, "most", (), most)


def _prize(outlook: Outlook, hex_: str, gate: int) -> int:
    """Return what it is worth that a hex is the objective, or beside it."""
    return STORM if hex_ == outlook.objective else gate if hex_ in outlook.gates else 0


def _stay(outlook: Outlook, force: March, hex_: str, way: Way) -> int:
    """Return what it is worth to end in a hex."""
    if not outlook.advances():
        return 0
    if not outlook.room_for(force.units, hex_):
        return -FAR
    company = any(each not in force.units for each in outlook.friends_in(hex_))
    worth = COMPANY * company - outlook.far(hex_) + TRACK * _taken(outlook, way)
    if not company:
        worth += _prize(outlook, hex_, GATE)
    return worth - _hardship(outlook, force, hex_, way.halves) - TRAPPED * outlook.is_trapped(hex_)


def _taken(outlook: Outlook, way: Way) -> int:
    """Return how many hexes of the track a way takes."""
    return 0 if outlook.wanted.isdisjoint(way.path) else sum(each in outlook.wanted for each in way.path)


def _hardship(outlook: Outlook, force: March, hex_: str, halves: int) -> int:
    """Return what it costs to be out of supply, and to have gone far there (DM-9.0a)."""
    if hex_ in outlook.supply:
        return 0
    tired = outlook.view.turn > 1 and not force.exploiting and 2 * (force.spent + halves) > force.first_rate
    return HUNGER + tired * POINT * (1 + outlook.strength(force.units) // 8)


def _assault(outlook: Outlook, force: March, hex_: str, target: str, way: Way) -> int:
    """Return what it is worth to attack enemies from a hex, far below nothing where it should not be done."""
    entry = next((halves for near, halves in outlook.steps.get(hex_, ()) if near == target), None)
    plan = ATTACK_PLANS[STANDARD]
    if entry is None or way.halves + entry + (plan.halves or 0) > force.left:
        return -FAR
    if outlook.is_paused() and any(map(outlook.is_mobile, force.units)):
        return -FAR
    if not outlook.room_for(force.units, target) or outlook.chance(force.units, hex_, target) < _wanted(
        outlook, force.hex
    ):
        return -FAR
    if not outlook.advances():
        return WON
    worth = FIGHT - outlook.far(target) + CLEAR * outlook.blocks(target) + _prize(outlook, target, BREACH)
    worth += TRACK * _taken(outlook, way)
    worth -= TRAPPED * (outlook.is_trapped(target) and outlook.is_trapped(hex_))  # he may be who traps it here
    return worth - _hardship(outlook, force, target, way.halves + entry + (plan.halves or 0))
