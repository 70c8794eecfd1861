"""Random plots, in which each operation of a unit and each of its variants may occur.

A draw builds a legal plot instead of testing random ones, because it runs for every unit in every turn. Each function
that draws returns the text of a plot, or "" if it finds none. The end of a move is stored in the situation.
"""

from collections.abc import Callable

from kampfpanzer.model.forces import AFV, ARTILLERY, INFANTRY
from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES
from kampfpanzer.plotting.fire_and_boarding import HIGH_EXPLOSIVE, SMALL_ARMS
from kampfpanzer.plotting.situation import Situation
from sandtable import Stream
from sandtable.hexes import STEPS

Draw = Callable[[Situation, str, Stream], str]

LONGEST_LEG = 4
"""Maximum number of hexes before a new direction is drawn, which may be the same."""


class _Trail:
    """A move under construction: its legs, current hex and cost."""

    def __init__(self, start: str, entry: str, halves: int) -> None:
        self.here = entry or start
        self.halves = halves
        self.parts = [entry] if entry else []
        self.letter, self.count = "", 0
        self.has_moved = bool(entry)

    def go(self, letter: str, count: int) -> None:
        """Add hexes in a direction, or points of a halt."""
        if letter == self.letter:
            self.count += count
        else:
            self.close()
            self.letter, self.count = letter, count

    def close(self) -> None:
        """Write the current leg."""
        if self.letter:
            self.parts.append(f"{self.letter}{self.count}")
            self.letter = ""

    def text(self, overrun: str = "") -> str:
        """Return the plot, with an overrun in the given direction, if any."""
        self.close()
        return " ".join([*self.parts, f"V{overrun}"] if overrun else self.parts)


# --- movement ---


def draw_move(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw a move: random legs, an occasional halt, and an overrun or a step off the map if it is legal."""
    kind = situation.kind(unit_id)
    if not kind.movement:
        return ""
    trail = _begin(situation, unit_id, stream)
    if trail is None:
        return ""
    left = 2 * kind.movement - trail.halves
    budget = trail.halves + (stream.below(left) + 1 if left else 0)
    place, misses = stream.below(6), 0
    while misses < 2 and trail.halves < budget:
        place = (place + (5, 0, 0, 1)[stream.below(4)]) % 6 if stream.below(4) else stream.below(6)
        if stream.below(16) == 0:
            rest = (budget - trail.halves) // 2
            if rest:
                halt = 1 + stream.below(min(rest, 4))
                trail.halves += 2 * halt
                trail.go("S", halt)
        elif _leg(situation, unit_id, trail, place, budget, stream):
            return _end(situation, unit_id, trail, "")
        elif trail.letter != LETTERS[place]:
            misses += 1
    if kind.hard and stream.below(4) == 0 and (text := _add_overrun(situation, unit_id, trail, stream)):
        return text
    if not trail.has_moved or (not kind.is_foot and situation.is_entrenched(trail.here)):
        return ""
    return _end(situation, unit_id, trail, trail.here)


def _begin(situation: Situation, unit_id: str, stream: Stream) -> _Trail | None:
    unit = situation.units[unit_id]
    if unit.hex:
        return _Trail(unit.hex, "", 0)
    entry = stream.pick(situation.group(unit_id).entries)
    halves = situation.ground.entry_halves(situation.kind(unit_id).mobility, entry)
    return _Trail("", entry, halves) if halves <= 2 * situation.kind(unit_id).movement else None


def _leg(situation: Situation, unit_id: str, trail: _Trail, place: int, budget: int, stream: Stream) -> bool:
    """Move a few hexes in a direction within ``budget``; return whether the unit has left the map."""
    ground, mobility = situation.ground, situation.kind(unit_id).mobility
    six_steps, letter = ground.six_steps, LETTERS[place]
    here, halves, count, has_left = trail.here, trail.halves, 0, False
    for _ in range(1 + stream.below(LONGEST_LEG)):
        there, cost = six_steps(mobility, here)[place]
        if not there:
            if here in situation.exits and situation.may_leave(unit_id):
                total = halves + ground.exit_halves(mobility)
                has_left = total <= 2 * situation.kind(unit_id).movement and stream.below(4) > 0
            break
        if halves + cost > budget:
            break
        here, halves, count = there, halves + cost, count + 1
    if count or has_left:
        trail.go(letter, count + has_left)
        trail.here, trail.halves, trail.has_moved = here, halves, trail.has_moved or count > 0
    return has_left


def _end(situation: Situation, unit_id: str, trail: _Trail, end: str) -> str:
    text = trail.text()
    situation.ends[unit_id, text] = end
    return text


# --- overruns ---


def draw_overrun(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw an overrun of a hex with soft enemies, by a direct approach."""
    kind, unit = situation.kind(unit_id), situation.units[unit_id]
    if not situation.may_overrun(unit_id):
        return ""
    ground = situation.ground
    near = [each for each in situation.overrun_hexes if ground.range_hexes(unit.hex, each) <= kind.movement]
    if not near:
        return ""
    target = stream.pick(near)
    place = stream.below(6)
    before = ground.around(target)[(place + 3) % 6]
    if not before:
        return ""
    trail = _approach(situation, unit_id, before, target, stream)
    return _overrun(situation, unit_id, trail, place) if trail is not None else ""


def _approach(situation: Situation, unit_id: str, before: str, target: str, stream: Stream) -> _Trail | None:
    """Return a random path to the hex in front of a target, each step nearer, or None if it fails or costs too much."""
    ground, kind = situation.ground, situation.kind(unit_id)
    trail = _Trail(situation.units[unit_id].hex, "", 0)
    while trail.here != before:
        distance = ground.range_hexes(trail.here, before)
        steps = [
            (letter, there, halves)
            for letter, there, halves in ground.steps(kind.mobility, trail.here)
            if there != target and ground.range_hexes(there, before) < distance
        ]
        if not steps or trail.halves > 2 * kind.movement:
            return None
        letter, trail.here, halves = stream.pick(steps)
        trail.halves += halves
        trail.go(letter, 1)
    return trail


def _add_overrun(situation: Situation, unit_id: str, trail: _Trail, stream: Stream) -> str:
    """Return a drawn move with an overrun at its end, or "" if no legal overrun is found."""
    if not situation.may_overrun(unit_id):
        return ""
    around, any_hex = situation.ground.around(trail.here), situation.options["overrun_target"] == "any_hex"
    first = stream.below(6)
    for turn in range(6):
        place = (first + turn) % 6
        there = around[place]
        if there in situation.overrun_hexes or (any_hex and there and situation.ground.is_clear(there)):
            return _overrun(situation, unit_id, trail, place)
    return ""


def _overrun(situation: Situation, unit_id: str, trail: _Trail, place: int) -> str:
    """Return the plot of an overrun from the end of the trail, or "" if it is illegal."""
    ground, kind = situation.ground, situation.kind(unit_id)
    target = ground.around(trail.here)[place]
    behind = ground.around(target)[place]
    if not behind or behind in situation.enemies_at or situation.is_entrenched(behind):
        return ""
    halves = trail.halves + OVERRUN_HALVES + ground.step_halves(kind.mobility, trail.here, target)
    if halves + ground.step_halves(kind.mobility, target, behind) > 2 * kind.movement:
        return ""
    text = trail.text(LETTERS[place])
    situation.ends[unit_id, text] = behind
    return text


# --- fire and facing ---


def draw_direct(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw direct fire at an enemy in range, visible and vulnerable, or at an empty hex if that is allowed."""
    kind = situation.kind(unit_id)
    near = situation.shots_within(situation.units[unit_id].hex, kind.range_hexes)
    for _ in range(min(2, len(near))):
        hex_, target = stream.pick(near)
        if not _is_aimable(situation, unit_id, hex_):
            continue
        there = situation.targets_at(hex_)
        alone = len(there) == 1
        named = stream.below(8) == 0 if alone else stream.below(4) != 0
        aims = [target] if named else there
        if kind.weapon == SMALL_ARMS and any(situation.kind(each).hard for each in aims):
            continue
        return f"N {hex_}/{target}" if named else f"N {hex_}"
    return _wasted(situation, unit_id, stream)


def _wasted(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw fire at an empty hex if that is allowed (R-KP-26)."""
    if situation.options["fire_at_empty_hex"] != "wasted" or stream.below(4):
        return ""
    hex_ = _any_hex(situation, unit_id, stream)
    empty = hex_ and hex_ not in situation.enemies_at and _is_aimable(situation, unit_id, hex_)
    return f"N {hex_}" if empty else ""


def draw_opportunity(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw opportunity fire at a hex in range, without an enemy there or on the line."""
    here = situation.units[unit_id].hex
    for _ in range(3):
        hex_ = _any_hex(situation, unit_id, stream)
        if not hex_ or hex_ in situation.enemies_at or not _is_aimable(situation, unit_id, hex_):
            continue
        if not any(each in situation.enemies_at for each in situation.ground.fire_path(here, hex_).hexes):
            return f"P {hex_}"
    return ""


def draw_shells(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw high explosive fire: mostly on an enemy or next to it, sometimes anywhere."""
    for _ in range(3):
        if situation.shots and stream.below(4):
            hex_ = stream.pick(situation.shots)[0]
            if stream.below(3) == 0:
                hex_ = stream.pick(situation.ground.around(hex_))
        else:
            hex_ = stream.pick(situation.ground.hexmap.numbers)
        unit = situation.units[unit_id]
        if not hex_ or hex_ == unit.hex:
            continue
        near = situation.ground.range_hexes(unit.hex, hex_) <= situation.kind(unit_id).range_hexes
        if near and _is_aimable(situation, unit_id, hex_):
            return f"{'TL'[stream.below(2)]} {hex_}"
    return ""


def _any_hex(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Return a random hex within range, and for a gun within its arc, or "" if the draw falls off the map."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    first = LETTERS.index(unit.facing) + 5 if kind.is_gun else 0
    place = (first + stream.below(2 if kind.is_gun else 6)) % 6
    distance = 1 + stream.below(kind.range_hexes)
    aside = stream.below(distance + 1)
    (q1, r1), (q2, r2) = STEPS[place], STEPS[(place + 1) % 6]
    straight = distance - aside
    return situation.ground.offset(unit.hex, q1 * straight + q2 * aside, r1 * straight + r2 * aside)


def _is_aimable(situation: Situation, unit_id: str, hex_: str) -> bool:
    """Return whether a hex in range is in the arc and in sight."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if kind.is_gun and not situation.ground.in_arc(unit.hex, unit.facing, hex_):
        return False
    return situation.ground.sees(unit.hex, hex_, high_explosive=kind.weapon == HIGH_EXPLOSIVE)


def draw_facing(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw one of the five other facings."""
    return LETTERS[(LETTERS.index(situation.units[unit_id].facing) + 1 + stream.below(5)) % 6]


# --- the choice of an operation ---

_TANK: tuple[Draw, ...] = (*[draw_move] * 5, *[draw_overrun] * 2, *[draw_direct] * 3, *[draw_opportunity] * 2)
_INFANTRY: tuple[Draw, ...] = (*[draw_move] * 4, *[draw_direct] * 4, *[draw_opportunity] * 3)
_GUN: tuple[Draw, ...] = (*[draw_direct] * 4, *[draw_opportunity] * 3, *[draw_facing] * 2)
_HOWITZER: tuple[Draw, ...] = (*[draw_shells] * 5, draw_facing)
_VEHICLE: tuple[Draw, ...] = (*[draw_move] * 5, draw_overrun)
_ENTERING: tuple[Draw, ...] = (draw_move,)
_MOVES = (draw_move, draw_overrun)


def menu(situation: Situation, unit_id: str) -> tuple[Draw, ...]:
    """Return the operations that a unit can do alone, each as often as its weight."""
    if not situation.units[unit_id].hex:
        return _ENTERING
    kind = situation.kind(unit_id)
    if kind.weapon == HIGH_EXPLOSIVE and kind.is_gun:
        found = _HOWITZER
    else:
        found = {AFV: _TANK, INFANTRY: _INFANTRY, ARTILLERY: _GUN}.get(kind.category, _VEHICLE)
    if situation.may_do_nothing:
        return ()
    return tuple(each for each in found if each not in _MOVES) if situation.may_not_move else found


def draw_plot(situation: Situation, unit_id: str, stream: Stream) -> str:
    """Draw a plot that a unit can carry out alone, or "" if none is found; M and Q need two units."""
    if situation.units[unit_id].carrier:
        return ""
    draws = menu(situation, unit_id)
    for _ in range(2 if draws else 0):
        text = draws[stream.below(len(draws))](situation, unit_id, stream)
        if text:
            return text
    for draw in dict.fromkeys(draws):
        text = draw(situation, unit_id, stream)
        if text:
            return text
    return ""
