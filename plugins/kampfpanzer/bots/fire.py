"""Fire: the choice of targets and firers, and the plots of guns and tanks that wait."""

from functools import cache

from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import LETTERS, MAX_SUPERIORITY, MIN_SUPERIORITY, attenuated, combat_result

STAYS = (60, 30, 40, 50, 60)
"""Probability, in sixtieths, of no recovery in a turn, by level of disruption; level 4 is destroyed (KP-9.71b)."""
USUAL_KILLS = 60
"""Value per turn of a destroyed enemy if kills do not win, in sixtieths of a plot that it misses."""
HORIZON = 6
"""Maximum number of turns for which the cost of a disruption is counted."""


@cache
def burden(level: int, left: int, kills: int) -> int:
    """Return the cost of a level of disruption: the plots that the unit will miss in the turns left, in sixtieths.

    If kills win the game, a kill on the last turn is worth as much as an earlier one.
    """
    if level >= LOST:
        return kills * (HORIZON if kills > USUAL_KILLS else max(1, min(left, HORIZON)))
    if not level:
        return 0
    missed, share = 0, 3600
    for _ in range(max(1, min(left, HORIZON))):
        share = share * STAYS[level] // 60
        missed += share
    return missed // 60


LOST = 4
PIN = 10
"""Value of a pin, which spoils only one move, in sixtieths of a plot."""


@cache
def worth(superiority: int, level: int, left: int, kills: int) -> int:
    """Return the value of an attack on a unit of disruption ``level``, summed over the six faces of the die.

    ``left`` is the number of turns left, and ``kills`` the value per turn of a destroyed enemy. The value is 0 below
    ``MIN_SUPERIORITY``.
    """
    if superiority < MIN_SUPERIORITY:
        return 0
    total = 0
    for die in range(1, 7):
        result = combat_result(min(superiority, MAX_SUPERIORITY), die)
        if result == "P":
            total += 0 if level else PIN
        else:
            total += burden(min(LOST, level + int(result[1:])), left, kills) - burden(level, left, kills)
    return total


def power(position: Position, firer: str, target: str) -> int | None:
    """Return the attack strength of one unit against another, or None if it may not fire at it."""
    kind, prey, ground = position.kind(firer), position.kind(target), position.ground
    here, there = position.units[firer].hex, position.units[target].hex
    if not kind.attack or kind.weapon not in ("A", "M", "R") or (kind.weapon == "R" and prey.hard):
        return None
    if position.passengers.get(firer) and kind.is_vehicle:
        return None
    range_hexes = ground.range_hexes(here, there)
    if range_hexes > kind.range_hexes:
        return None
    facing = position.units[firer].facing
    if kind.is_gun and not ground.in_arc(here, facing, there):
        return None
    if not ground.sees(here, there, high_explosive=False):
        return None
    strength = attenuated(kind.attack, range_hexes)
    return strength * 2 if kind.weapon == "M" and not prey.hard else strength


def defense(position: Position, target: str, firers: list[str]) -> int:
    """Return the defense of a unit against firers, including its cover."""
    unit = position.units[target]
    entrenched = unit.hex in position.view.entrenchments
    hexes = [position.units[each].hex for each in firers]
    return int(position.kind(target).defense + position.ground.cover(unit.hex, hexes, entrenched=entrenched)[0])


def volleys(position: Position, free: list[str], least: int, *, note: bool = True) -> dict[str, str]:
    """Return plots of direct fire for units in ``free``, at the enemies against which each of them adds most.

    ``least`` is the minimum value that a unit must add in order to fire. Fire already planned for this turn counts. If
    ``note`` is false, only the fire at the best target is returned, and it is not recorded as planned.
    """
    powers = _firers_at(position, free)
    plots: dict[str, str] = {}
    massed = {target: _mass(position, target, row) for target, row in powers.items()}
    while massed:
        target = max(massed, key=lambda each: massed[each][0])
        value, firers = massed[target]
        if value < least:
            break
        hex_ = position.units[target].hex
        several = len(position.enemy_hexes[hex_]) > 1 or target in position.passengers
        plots |= dict.fromkeys(firers, f"N {hex_}/{target}" if several else f"N {hex_}")
        if not note:
            return plots
        position.aimed.setdefault(target, []).extend(firers)
        for other in list(massed):
            left = [each for each in powers[other] if each[1] not in plots]
            if not left:
                del massed[other]
            elif other == target or len(left) < len(powers[other]):
                massed[other] = _mass(position, other, left)
            powers[other] = left
    return plots


def _firers_at(position: Position, free: list[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the units in ``free`` that may fire at each enemy, with their strengths, the strongest first."""
    powers: dict[str, list[tuple[int, str]]] = {}
    for firer in free:
        for target, strength in _powers_of(position, firer).items():
            powers.setdefault(target, []).append((strength, firer))
    for row in powers.values():
        row.sort(key=lambda each: (-each[0], each[1]))
    return powers


def _powers_of(position: Position, firer: str) -> dict[str, int]:
    """Return the attack strength of one unit against each enemy that it may fire at; cached per position."""
    if firer not in position.powers:
        found = ((target, power(position, firer, target)) for target in position.enemies)
        position.powers[firer] = {target: strength for target, strength in found if strength is not None}
    return position.powers[firer]


def _mass(position: Position, target: str, free: list[tuple[int, str]]) -> tuple[int, list[str]]:
    """Return the value that each firer adds when the best number of them join the fire at a target, and these firers.

    ``free`` are the possible firers, as returned by ``_firers_at``. Superiority beyond the table has no value.
    """
    level, left, kills = position.units[target].disruption, position.left, position.kills
    aimed = position.aimed.get(target, [])
    cover = defense(position, target, [*aimed, *(firer for _, firer in free)])
    total = sum(position.powers[each][target] for each in aimed)
    before = worth(min(total - cover, MAX_SUPERIORITY), level, left, kills) if aimed else 0
    prize = position.prize(target)
    best, most = -1, 0
    for number, (strength, _) in enumerate(free, start=1):
        total += strength
        value = prize * (worth(min(total - cover, MAX_SUPERIORITY), level, left, kills) - before) // number
        if value > best:
            best, most = value, number
        if total - cover >= MAX_SUPERIORITY:
            break
    return best, [firer for _, firer in free[:most]]


def overwatch(position: Position, unit_id: str) -> str:
    """Return an opportunity fire plot toward the nearest enemy, a gun's turn to face it, or ""."""
    kind, ground = position.kind(unit_id), position.ground
    here, facing = position.units[unit_id].hex, position.units[unit_id].facing
    soft = [each for each in position.enemies if not position.kind(each).hard]
    enemy = position.nearest(here, soft if kind.weapon == "R" else position.enemies)
    if not enemy or (kind.is_vehicle or kind.weapon not in ("A", "M", "R", "H")):
        return ""
    there = position.units[enemy].hex
    if kind.is_gun and not ground.in_arc(here, facing, there):
        return next((letter for letter in LETTERS if ground.in_arc(here, letter, there)), "")
    if kind.weapon == "H" or not kind.attack:
        return ""
    hex_, reach = here, min(kind.range_hexes, 4, ground.range_hexes(here, there) - 1)
    for _ in range(reach):
        around = [each for each in ground.around(hex_) if each and each not in position.enemy_hexes]
        hex_ = min(around, key=lambda each: (ground.range_hexes(each, there), each), default=hex_)
    if hex_ == here or (kind.is_gun and not ground.in_arc(here, facing, hex_)):
        return ""
    return f"P {hex_}" if ground.sees(here, hex_, high_explosive=False) else ""


def bombardment(position: Position, unit_id: str) -> str:
    """Return the plot of an H gun for the most valuable fire in its range, arc and sight, or "" without a target.

    Tight fire counts the enemies in the hex. Loose fire counts the soft enemies in and around the hex, less one and a
    half for each own unit there.
    """
    kind, ground = position.kind(unit_id), position.ground
    here, facing = position.units[unit_id].hex, position.units[unit_id].facing
    best: tuple[int, str] | None = None
    for hex_, row in sorted(position.enemy_hexes.items()):
        if ground.range_hexes(here, hex_) > kind.range_hexes or not ground.in_arc(here, facing, hex_):
            continue
        if not ground.sees(here, hex_, high_explosive=True):
            continue
        tight = 2 * len(row)
        around = [each for near in (hex_, *ground.around(hex_)) for each in position.enemy_hexes.get(near, ())]
        friends = [each for each in position.mine if position.units[each].hex in (hex_, *ground.around(hex_))]
        loose = 2 * sum(not position.kind(each).hard for each in around) - 3 * len(friends)
        value, letter = max((tight, "T"), (loose, "L"))
        if best is None or value > best[0]:
            best = (value, f"{letter} {hex_}")
    return best[1] if best else ""
