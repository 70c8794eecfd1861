"""Groups of units: forces of a hex, units picked up and left behind, and whether they can retreat."""

from collections.abc import Sequence

from damos.bots.paths import cached
from damos.bots.position import StaffPosition, field_of
from damos.map.supplied import land
from damos.model.orders import DropOff, PickUp
from damos.model.tables import ATTACK_PLANS, PICK_UP_HALVES, STANDARD
from damos.movement.steps import NextHex
from sandtable import Decision


def groups_of(position: StaffPosition, fresh: list[str]) -> list[tuple[str, ...]]:
    """Return the forces of a hex: the demoralized units, to rally together (DM-2.8b), others by mobility and post."""
    groups: dict[tuple[bool, bool, str], list[str]] = {}
    for each in fresh:
        is_down = position.units[each].demoralized
        key = (False, True, "") if is_down else (position.is_mobile(each), False, position.duties.get(each, ""))
        groups.setdefault(key, []).append(each)
    return [tuple(units) for _, units in sorted(groups.items())]


def stays_rallied(position: StaffPosition, units: Sequence[str], hex_: str) -> bool:
    """Return whether no other demoralized unit in a hex would demoralize units that have rallied there (DM-2.8b)."""
    return not any(position.units[each].demoralized for each in position.friends_in(hex_) if each not in units)


# --- picking up and dropping units ---


def pick_up(position: StaffPosition, decision: Decision, hexes: NextHex, required: int) -> PickUp | None:
    """Return the order to pick up units that make an attack good enough, or None (DM-7.0n)."""
    company, force = field_of(decision, PickUp, "units"), hexes.march
    if company is None or force.goal or position.is_paused():
        return None
    mobile = position.is_mobile(force.units[0])
    friends = [each for each in company.of if position.is_mobile(each) == mobile and company.why_not([each]) is None]
    together = [*force.units, *friends]
    if not friends or not position.fits(together):
        return None
    price = (0 if force.paid else PICK_UP_HALVES) + (ATTACK_PLANS[STANDARD].halves or 0)
    left = min(map(force.rate, together)) - force.spent - price
    for target, halves in hexes.halves.items():
        if position.enemies_in(target) and halves <= left and could_go_back(position, together, target):
            alone, both = (position.chance(units, force.hex, target) for units in (force.units, together))
            if alone < required <= both:
                return PickUp(friends)
    return None


def drop_off(position: StaffPosition, decision: Decision, hexes: NextHex) -> DropOff | None:
    """Return the order to leave one unit at a gate while the others enter a free one, or None (DM-7.0p, AGC-5.0c)."""
    company, force = field_of(decision, DropOff, "units"), hexes.march
    if company is None or len(position.friends_in(force.hex)) > len(force.units):
        return None
    if any(each in position.gates and not position.own.get(each) for each in hexes.halves.keys() - position.enemies):
        return DropOff([min(force.units, key=lambda each: (position.strength([each]), each))])
    return None


# --- after a combat ---


def could_go_back(position: StaffPosition, units: Sequence[str], target: str) -> bool:
    """Return whether units that lose a combat in a hex have a retreat hex with space for them (DM-8.11b, R-DM-16)."""
    others = position.enemies.keys() - {target}
    found = [hex_ for hex_ in land(position.board).get(target, ()) if hex_ not in others]
    found = [hex_ for hex_ in found if others.isdisjoint(position.board.around[hex_])]
    left = _from_source(position, target)
    onward = [hex_ for hex_ in found if _from_source(position, hex_) <= left] or found
    return any(position.room_for(units, hex_) for hex_ in onward)


def _from_source(position: StaffPosition, hex_: str) -> int:
    """Return the distance in hexes to the nearest source of supply."""
    sources = position.sources
    known: dict[str, int] = cached(position.board, "from source", sources, dict)
    if hex_ not in known:
        range_hexes = position.board.hexmap.range_hexes
        known[hex_] = min((range_hexes(hex_, each) for each in sources), default=0)
    return known[hex_]
