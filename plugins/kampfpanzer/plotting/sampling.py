"""Plots drawn at random: every operation that a unit may do comes up, and every way to do it may.

A draw builds what is allowed rather than try and judge, for it is done for every unit in every turn. Each function
returns the text of a plot, or "" when it found none; they leave where a move ends with the survey.
"""

from collections.abc import Callable

from kampfpanzer.model.forces import AFV, ARTILLERY, INFANTRY
from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES
from kampfpanzer.plotting.fire_and_boarding import HIGH_EXPLOSIVE, SMALL_ARMS
from kampfpanzer.plotting.situation import Survey
from sandtable.board.hexes.grid import STEPS
from sandtable.kernel.dice import Stream

Draw = Callable[[Survey, str, Stream], str]

LONGEST_LEG = 4
"""So many hexes are gone before a new direction is thought of; it may be the same again."""


class _Trail:
    """A move as it is being drawn: legs, where it has come to, what it has cost."""

    def __init__(self, start: str, entry: str, halves: int) -> None:
        self.here = entry or start
        self.halves = halves
        self.parts = [entry] if entry else []
        self.letter, self.count = "", 0
        self.has_moved = bool(entry)

    def go(self, letter: str, count: int) -> None:
        """Add to the legs."""
        if letter == self.letter:
            self.count += count
        else:
            self.close()
            self.letter, self.count = letter, count

    def close(self) -> None:
        """Write down the leg in hand."""
        if self.letter:
            self.parts.append(f"{self.letter}{self.count}")
            self.letter = ""

    def text(self, overrun: str = "") -> str:
        """Return the plot, with the overrun in this direction if one is given."""
        self.close()
        return " ".join([*self.parts, f"V{overrun}"] if overrun else self.parts)


# --- movement ---


def draw_move(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw a move: legs here and there, a halt now and then, off the map where that is allowed."""
    kind = survey.kind(unit_id)
    if not kind.movement:
        return ""
    trail = _begin(survey, unit_id, stream)
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
        elif _leg(survey, unit_id, trail, place, budget, stream):
            return _end(survey, unit_id, trail, "")
        elif trail.letter != LETTERS[place]:
            misses += 1
    if kind.hard and stream.below(4) == 0 and (text := _tack_on(survey, unit_id, trail, stream)):
        return text
    if not trail.has_moved or (not kind.is_foot and survey.is_entrenched(trail.here)):
        return ""
    return _end(survey, unit_id, trail, trail.here)


def _begin(survey: Survey, unit_id: str, stream: Stream) -> _Trail | None:
    unit = survey.units[unit_id]
    if unit.hex:
        return _Trail(unit.hex, "", 0)
    entry = stream.pick(survey.group(unit_id).entries)
    halves = survey.ground.entry_halves(survey.kind(unit_id).mobility, entry)
    return _Trail("", entry, halves) if halves <= 2 * survey.kind(unit_id).movement else None


def _leg(survey: Survey, unit_id: str, trail: _Trail, place: int, budget: int, stream: Stream) -> bool:
    """Go a few hexes in a direction, as far as ``budget`` lasts; tell whether the unit has left the map."""
    ground, mobility = survey.ground, survey.kind(unit_id).mobility
    ways, letter = ground.ways, LETTERS[place]
    here, halves, count, has_left = trail.here, trail.halves, 0, False
    for _ in range(1 + stream.below(LONGEST_LEG)):
        there, cost = ways(mobility, here)[place]
        if not there:
            if here in survey.exits and survey.may_leave(unit_id):
                whole = halves + ground.exit_halves(mobility)
                has_left = whole <= 2 * survey.kind(unit_id).movement and stream.below(4) > 0
            break
        if halves + cost > budget:
            break
        here, halves, count = there, halves + cost, count + 1
    if count or has_left:
        trail.go(letter, count + has_left)
        trail.here, trail.halves, trail.has_moved = here, halves, trail.has_moved or count > 0
    return has_left


def _end(survey: Survey, unit_id: str, trail: _Trail, end: str) -> str:
    text = trail.text()
    survey.ends[unit_id, text] = end
    return text


# --- overruns ---


def draw_overrun(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw an overrun of a hex that is worth it, by a way that leads there straight."""
    kind, unit = survey.kind(unit_id), survey.units[unit_id]
    if not survey.overrun_hexes or not unit.hex or not survey.may_overrun(unit_id):
        return ""
    ground = survey.ground
    near = [each for each in survey.overrun_hexes if ground.range_hexes(unit.hex, each) <= kind.movement]
    if not near:
        return ""
    target = stream.pick(near)
    place = stream.below(6)
    before = ground.around(target)[(place + 3) % 6]
    if not before:
        return ""
    trail = _approach(survey, unit_id, before, target, stream)
    return _overrun(survey, unit_id, trail, place) if trail is not None else ""


def _approach(survey: Survey, unit_id: str, before: str, target: str, stream: Stream) -> _Trail | None:
    """Go straight to the hex in front of a target, by any of the shortest ways round it; None if it is too far."""
    ground, kind = survey.ground, survey.kind(unit_id)
    trail = _Trail(survey.units[unit_id].hex, "", 0)
    while trail.here != before:
        distance = ground.range_hexes(trail.here, before)
        ways = [
            (letter, there, halves)
            for letter, there, halves in ground.steps(kind.mobility, trail.here)
            if there != target and ground.range_hexes(there, before) < distance
        ]
        if not ways or trail.halves > 2 * kind.movement:
            return None
        letter, trail.here, halves = stream.pick(ways)
        trail.halves += halves
        trail.go(letter, 1)
    return trail


def _tack_on(survey: Survey, unit_id: str, trail: _Trail, stream: Stream) -> str:
    """End a move that was drawn with an overrun, if it stands beside a hex to overrun."""
    if not survey.may_overrun(unit_id):
        return ""
    around, any_hex = survey.ground.around(trail.here), survey.options["overrun_target"] == "any_hex"
    first = stream.below(6)
    for turn in range(6):
        place = (first + turn) % 6
        there = around[place]
        if there in survey.overrun_hexes or (any_hex and there and survey.ground.is_clear(there)):
            return _overrun(survey, unit_id, trail, place)
    return ""


def _overrun(survey: Survey, unit_id: str, trail: _Trail, place: int) -> str:
    """Return the plot of an overrun from where the trail has come to, "" if it may not be."""
    ground, kind = survey.ground, survey.kind(unit_id)
    target = ground.around(trail.here)[place]
    behind = ground.around(target)[place]
    if not behind or behind in survey.enemies_at or survey.is_entrenched(behind):
        return ""
    halves = trail.halves + OVERRUN_HALVES + ground.step_halves(kind.mobility, trail.here, target)
    if halves + ground.step_halves(kind.mobility, target, behind) > 2 * kind.movement:
        return ""
    text = trail.text(LETTERS[place])
    survey.ends[unit_id, text] = behind
    return text


# --- fire and facing ---


def draw_direct(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw direct fire at an enemy in range that can be seen and hurt."""
    kind = survey.kind(unit_id)
    near = survey.shots_within(survey.units[unit_id].hex, kind.range_hexes)
    for _ in range(min(2, len(near))):
        hex_, target = stream.pick(near)
        if not _is_aimable(survey, unit_id, hex_):
            continue
        there = survey.targets_at(hex_)
        alone = len(there) == 1
        named = stream.below(8) == 0 if alone else stream.below(4) != 0
        aims = [target] if named else there
        if kind.weapon == SMALL_ARMS and any(survey.kind(each).hard for each in aims):
            continue
        return f"N {hex_}/{target}" if named else f"N {hex_}"
    return _wasted(survey, unit_id, stream)


def _wasted(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw fire at an empty hex, where that is allowed (R-KP-26)."""
    if survey.options["fire_at_empty_hex"] != "wasted" or stream.below(4):
        return ""
    hex_ = _any_hex(survey, unit_id, stream)
    empty = hex_ and hex_ not in survey.enemies_at and _is_aimable(survey, unit_id, hex_)
    return f"N {hex_}" if empty else ""


def draw_opportunity(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw opportunity fire at a hex in reach, with no enemy there or on the way."""
    here = survey.units[unit_id].hex
    for _ in range(3):
        hex_ = _any_hex(survey, unit_id, stream)
        if not hex_ or hex_ in survey.enemies_at or not _is_aimable(survey, unit_id, hex_):
            continue
        if not any(each in survey.enemies_at for each in survey.ground.fire_path(here, hex_).hexes):
            return f"P {hex_}"
    return ""


def draw_shells(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw high explosive fire: mostly on an enemy or beside him, now and then anywhere."""
    for _ in range(3):
        if survey.shots and stream.below(4):
            hex_ = stream.pick(survey.shots)[0]
            if stream.below(3) == 0:
                hex_ = stream.pick(survey.ground.around(hex_))
        else:
            hex_ = stream.pick(survey.ground.hexmap.numbers)
        unit = survey.units[unit_id]
        if not hex_ or hex_ == unit.hex:
            continue
        near = survey.ground.range_hexes(unit.hex, hex_) <= survey.kind(unit_id).range_hexes
        if near and _is_aimable(survey, unit_id, hex_):
            return f"{'TL'[stream.below(2)]} {hex_}"
    return ""


def _any_hex(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Return any hex within range, and for a gun within its arc; "" when it hit upon one off the map."""
    unit, kind = survey.units[unit_id], survey.kind(unit_id)
    first = LETTERS.index(unit.facing) + 5 if kind.is_gun else 0
    place = (first + stream.below(2 if kind.is_gun else 6)) % 6
    distance = 1 + stream.below(kind.range_hexes)
    aside = stream.below(distance + 1)
    (q1, r1), (q2, r2) = STEPS[place], STEPS[(place + 1) % 6]
    straight = distance - aside
    return survey.ground.offset(unit.hex, q1 * straight + q2 * aside, r1 * straight + r2 * aside)


def _is_aimable(survey: Survey, unit_id: str, hex_: str) -> bool:
    """Tell whether a hex in range is in the arc and in sight."""
    unit, kind = survey.units[unit_id], survey.kind(unit_id)
    if kind.is_gun and not survey.ground.in_arc(unit.hex, unit.facing, hex_):
        return False
    return survey.ground.sees(unit.hex, hex_, high_explosive=kind.weapon == HIGH_EXPLOSIVE)


def draw_facing(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw one of the five other facings."""
    return LETTERS[(LETTERS.index(survey.units[unit_id].facing) + 1 + stream.below(5)) % 6]


# --- which operation ---

_TANK: tuple[Draw, ...] = (*[draw_move] * 5, *[draw_overrun] * 2, *[draw_direct] * 3, *[draw_opportunity] * 2)
_INFANTRY: tuple[Draw, ...] = (*[draw_move] * 4, *[draw_direct] * 4, *[draw_opportunity] * 3)
_GUN: tuple[Draw, ...] = (*[draw_direct] * 4, *[draw_opportunity] * 3, *[draw_facing] * 2)
_HOWITZER: tuple[Draw, ...] = (*[draw_shells] * 5, draw_facing)
_VEHICLE: tuple[Draw, ...] = (*[draw_move] * 5, draw_overrun)
_ENTERING: tuple[Draw, ...] = (draw_move,)
_MOVES = (draw_move, draw_overrun)


def menu(survey: Survey, unit_id: str) -> tuple[Draw, ...]:
    """Return what a unit on foot or wheels can do alone, each as often as it is to come up."""
    if not survey.units[unit_id].hex:
        return _ENTERING
    kind = survey.kind(unit_id)
    if kind.weapon == HIGH_EXPLOSIVE and kind.is_gun:
        found = _HOWITZER
    else:
        found = {AFV: _TANK, INFANTRY: _INFANTRY, ARTILLERY: _GUN}.get(kind.category, _VEHICLE)
    if survey.may_do_nothing:
        return ()
    return tuple(each for each in found if each not in _MOVES) if survey.may_not_move else found


def draw_plot(survey: Survey, unit_id: str, stream: Stream) -> str:
    """Draw a plot that a unit can carry out by itself, "" if none was found: M and Q take two."""
    if survey.units[unit_id].carrier:
        return ""
    draws = menu(survey, unit_id)
    for _ in range(2 if draws else 0):
        text = draws[stream.below(len(draws))](survey, unit_id, stream)
        if text:
            return text
    for draw in dict.fromkeys(draws):
        text = draw(survey, unit_id, stream)
        if text:
            return text
    return ""
