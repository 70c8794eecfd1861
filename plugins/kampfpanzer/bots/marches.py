"""Marching: down the field of distances, round what stands in the way, to a hex where the unit may end."""

from collections.abc import Sequence
from itertools import pairwise

from kampfpanzer.bots.distances import FAR, DistanceField
from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import LETTERS


def march(position: Position, unit_id: str, field: DistanceField, *, shy: bool) -> str:
    """Return the movement plot of a unit towards the goals of ``field``, "" to stay; settles where it ends.

    Shy units keep out of enemy zones while they can; others go into them, where they must stop.
    """
    unit = position.units[unit_id]
    letters, path = _way(position, unit_id, field, shy=shy)
    while len(path) > 1 and not position.may_end(unit_id, path[-1]):
        letters.pop()
        path.pop()
    if len(path) == 1 or field.halves(path[-1]) >= field.halves(unit.hex):
        position.settle(unit_id, unit.hex)
        return ""
    position.settle(unit_id, path[-1])
    return legs(letters)


def _way(
    position: Position, unit_id: str, field: DistanceField, *, shy: bool, start: str = "", left: int = -1
) -> tuple[list[str], list[str]]:
    """Go from hex to hex, each the nearest to the goal that can be entered, as far as the points last."""
    kind, start = position.kind(unit_id), start or position.units[unit_id].hex
    left = kind.movement * 2 if left < 0 else left
    letters: list[str] = []
    path = [start]
    zones, held, mobility = position.zones, position.enemy_hexes, kind.mobility
    while 0 < (to_go := field.halves(path[-1])) < FAR:
        here = path[-1]
        best: tuple[int, int, str, str] | None = None
        for letter, there, halves in position.ground.steps(mobility, here):
            if halves > left or there in path or there in held:
                continue
            if there in zones and (shy or here in zones):
                continue
            whole = field.halves(there) + halves
            if best is None or (whole, halves) < best[:2]:
                best = (whole, halves, letter, there)
        if best is None or best[0] > to_go + 8:
            break
        left -= best[1]
        letters.append(best[2])
        path.append(best[3])
        if best[3] in zones:
            break
    return letters, path


def legs(letters: Sequence[str]) -> str:
    """Return letters one by one as a plot: D, D, E is "D2 E1"."""
    parts: list[tuple[str, int]] = []
    for letter in letters:
        if parts and parts[-1][0] == letter:
            parts[-1] = (letter, parts[-1][1] + 1)
        else:
            parts.append((letter, 1))
    return " ".join(f"{letter}{count}" for letter, count in parts)


def leave(position: Position, unit_id: str, exits: tuple[str, ...], field: DistanceField) -> str:
    """Return a plot that takes a unit off the map by one of ``exits`` this turn, "" if it cannot."""
    kind, ground = position.kind(unit_id), position.ground
    letters, path = _way(position, unit_id, field, shy=False)
    spent = sum(ground.step_halves(kind.mobility, a, b) for a, b in pairwise(path))
    here = path[-1]
    entered_zone = len(path) > 1 and here in position.zones
    if here not in exits or entered_zone or spent + ground.exit_halves(kind.mobility) > kind.movement * 2:
        return ""
    off = next((letter for letter in LETTERS if not ground.neighbour(here, letter)), "")
    return legs([*letters, off]) if off else ""


def enter(position: Position, unit_id: str, entries: tuple[str, ...], field: DistanceField) -> str:
    """Return the plot by which a unit comes onto the map: the entry nearest to the goal, and on from there."""
    kind, ground = position.kind(unit_id), position.ground
    free = [each for each in entries if each not in position.enemy_hexes] or list(entries)
    entry = min(free, key=lambda each: (len(position.taken.get(each, ())), field.halves(each), each))
    left = kind.movement * 2 - ground.entry_halves(kind.mobility, entry)
    letters, path = _way(position, unit_id, field, shy=True, start=entry, left=left)
    while len(path) > 1 and not position.may_end(unit_id, path[-1]):
        letters.pop()
        path.pop()
    position.settle(unit_id, path[-1])
    return f"{entry} {legs(letters)}".strip()
