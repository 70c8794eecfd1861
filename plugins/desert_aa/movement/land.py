"""Legal paths of land units, in combat movement and in non-combat movement."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from desert_aa.model.tables import (
    ARMOR,
    CLOSED_ALL,
    EXTRA_SPACES,
    FLAK,
    FOOT,
    GROUND,
    KIND_NAMES,
    POWER_NAMES,
    STANDARD,
)
from desert_aa.movement.ground import Ground
from sandtable import Refusal, Stream

Judge = Callable[[Ground, str, Sequence[str]], Refusal | None]
"""A function that returns why a kind of unit may not take a path, or None if it may."""

_EXTRA_RULE = {ARMOR: "DAA-5.01", FLAK: "DAA-10.01"}
OUT_OF_REACH = 99


LONGEST = max(STANDARD[kind].move for kind in GROUND) + EXTRA_SPACES
"""Maximum number of spaces that any land unit moves."""


def longest(kind: str) -> int:
    """Return the maximum number of spaces of a move, including the extra space (DAA-4.02, DAA-5.01, DAA-10.01)."""
    return STANDARD[kind].move + EXTRA_SPACES


def why_no_walk(ground: Ground, kind: str, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that is too long, follows no connector or crosses closed terrain (DAA-16.02, DAA-11.03)."""
    board, most = ground.board, longest(kind)
    if len(path) - 1 > most:
        rule = _EXTRA_RULE.get(kind, "DAA-4.02")
        return Refusal(rule, f"{KIND_NAMES[kind]} moves up to {most} spaces, including the extra space")
    for here, there in pairwise(path):
        if there in board.land[here]:
            continue
        terrain = board.closed.get(there)
        if terrain is not None:
            rule = "DAA-11.04" if terrain == CLOSED_ALL else "DAA-11.03"
            return Refusal(rule, f"{board.names[there]} is closed to {KIND_NAMES[kind]} and all other land units")
        near = ", ".join(board.names[each] for each in board.land[here])
        end = board.names.get(there, str(there)[:40])
        reason = f"{end} is not next to {board.names[here]}, whose neighbors over land are {near}"
        return Refusal("DAA-16.02", reason)
    return None


# --- combat moves ---


def must_halt(ground: Ground, kind: str, space: str) -> Refusal | None:
    """Return why a land unit that enters ``space`` in combat movement must stop there, or None if it may continue."""
    stops = f"{KIND_NAMES[kind]} must stop in {ground.board.names[space]}"
    if space in ground.foes:
        return Refusal("DAA-16.03", f"{stops}: enemy units are there")
    if ground.is_mined(space):
        return Refusal("DAA-8.12", f"{stops}: a declared minefield is there")
    if space in ground.hostile and kind in FOOT and ground.state.options["mech_blitz"] == "tanks_only":
        holder = POWER_NAMES[ground.state.control[space]]
        return Refusal("DAA-16.05", f"{stops}: {holder} holds it, and only armor blitzes")
    return None


def why_no_attack(ground: Ground, kind: str, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that no land unit of this kind may take in combat movement (DAA-16.03, DAA-16.04, DAA-16.05)."""
    refusal = why_no_walk(ground, kind, path)
    if refusal is not None:
        return refusal
    for space in path[1:-1]:
        refusal = must_halt(ground, kind, space)
        if refusal is not None:
            return refusal
    if not any(space in ground.hostile for space in path[1:]):
        return Refusal("DAA-16.01", "a combat move must enter enemy ground; make other moves in the non-combat phase")
    return None


def steps_to_enemy(ground: Ground) -> dict[str, int]:
    """Return, for each space in range of armor, the number of steps by land to the nearest hostile space."""
    board, hostile = ground.board, ground.hostile
    steps = dict.fromkeys(hostile, 0)
    edge = list(hostile)
    for away in range(1, longest(ARMOR) + 1):
        further = []
        for here in edge:
            for there in board.land[here]:
                if there not in steps:
                    steps[there] = away
                    further.append(there)
        edge = further
    return steps


def draw_attack(ground: Ground, steps: dict[str, int], kind: str, start: str, stream: Stream) -> list[str]:
    """Draw a path by which ``kind`` may attack from ``start``. At least one must exist; every path can be drawn."""
    near = ground.board.land
    most = longest(kind)
    path = [start]
    attacks = False
    while True:
        here = path[-1]
        left = most - len(path)
        following: list[str] = []
        if left >= 0 and not (here in ground.hostile and len(path) > 1 and must_halt(ground, kind, here)):
            following = [there for there in near[here] if attacks or steps.get(there, OUT_OF_REACH) <= left]
        draw = stream.below(len(following) + attacks)
        if draw == len(following):
            return path
        path.append(following[draw])
        attacks = attacks or following[draw] in ground.hostile


# --- non-combat moves ---


def why_no_march(ground: Ground, kind: str, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that no land unit of this kind may take in non-combat movement (DAA-18.02, DAA-R42)."""
    refusal = why_no_walk(ground, kind, path)
    if refusal is not None:
        return refusal
    for space in path[1:]:
        if space in ground.hostile:
            holder = POWER_NAMES[ground.state.control[space]]
            reason = f"{KIND_NAMES[kind]} may not enter {ground.board.names[space]} now: {holder} holds it"
            return Refusal("DAA-18.02", reason)
    return None


def is_full_of_flak(ground: Ground, space: str) -> bool:
    """Return whether ``space`` can hold no more flak (DAA-R50)."""
    return ground.state.options["aa_limit"] == "one_per_space" and ground.friends_flak.get(space, 0) > 0


def may_march(ground: Ground, kind: str, start: str) -> bool:
    """Return whether a land unit of ``kind`` has a legal non-combat move from ``start``."""
    if kind == FLAK and ground.state.options["aa_limit"] == "one_per_space":
        return any(not is_full_of_flak(ground, path[-1]) for path in land_paths(ground, kind, start, why_no_march))
    return any(there not in ground.hostile for there in ground.board.land[start])


def draw_march(ground: Ground, kind: str, start: str, stream: Stream) -> list[str]:
    """Draw a path for a non-combat move. At least one must exist; every path can be drawn."""
    if kind == FLAK and ground.state.options["aa_limit"] == "one_per_space":
        paths = land_paths(ground, kind, start, why_no_march)
        return stream.pick([path for path in paths if not is_full_of_flak(ground, path[-1])])
    near, hostile = ground.board.land, ground.hostile
    path = [start]
    for _ in range(longest(kind)):
        following = [there for there in near[path[-1]] if there not in hostile]
        draw = stream.below(len(following) + (len(path) > 1))
        if draw == len(following):
            break
        path.append(following[draw])
    return path


def land_paths(ground: Ground, kind: str, start: str, judge: Judge) -> Iterator[list[str]]:
    """Yield every path from ``start`` that ``judge`` allows for ``kind``, shortest first."""
    edge = [[start]]
    for _ in range(longest(kind)):
        edge = [[*path, there] for path in edge for there in ground.board.land[path[-1]]]
        for path in edge:
            if judge(ground, kind, path) is None:
                yield path
