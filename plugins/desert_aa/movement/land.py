"""How land units may go: into combat, and behind the lines."""

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
"""Says why a kind of unit may not take a path; None if it may."""

_EXTRA_RULE = {ARMOR: "DAA-5.01", FLAK: "DAA-10.01"}
OUT_OF_REACH = 99


LONGEST = max(STANDARD[kind].move for kind in GROUND) + EXTRA_SPACES
"""No land unit moves farther."""


def longest(kind: str) -> int:
    """Return the most spaces that a land unit moves, its extra space included (DAA-4.02, DAA-5.01, DAA-10.01)."""
    return STANDARD[kind].move + EXTRA_SPACES


def why_no_walk(ground: Ground, kind: str, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that is too long, or that leaves open ground or its connectors (DAA-16.02, DAA-11.03)."""
    board, most = ground.board, longest(kind)
    if len(path) - 1 > most:
        rule = _EXTRA_RULE.get(kind, "DAA-4.02")
        return Refusal(rule, f"{KIND_NAMES[kind]} moves {most} spaces at most, its extra space included")
    for here, there in pairwise(path):
        if there in board.land[here]:
            continue
        terrain = board.closed.get(there)
        if terrain is not None:
            rule = "DAA-11.04" if terrain == CLOSED_ALL else "DAA-11.03"
            return Refusal(
                rule, f"{KIND_NAMES[kind]} may not enter {there}: {board.names[there]} is closed to land units"
            )
        near = ", ".join(board.land[here])
        return Refusal("DAA-16.02", f"{str(there)[:40]} is not next to {here}: over land that touches {near}")
    return None


# --- combat moves ---


def must_halt(ground: Ground, kind: str, space: str) -> Refusal | None:
    """Return why a land unit that enters ``space`` in combat movement ends its move there, None if it may go on."""
    if space in ground.foes:
        return Refusal("DAA-16.03", f"{KIND_NAMES[kind]} must stop in {space}: enemy units are there")
    if ground.is_mined(space):
        return Refusal("DAA-8.12", f"{KIND_NAMES[kind]} must stop in {space}: it enters a declared minefield")
    if space in ground.hostile and kind in FOOT and ground.state.options["mech_blitz"] == "tanks_only":
        holder = POWER_NAMES[ground.state.control[space]]
        return Refusal(
            "DAA-16.05", f"{KIND_NAMES[kind]} must stop in {space}: {holder} holds it, and only armour blitzes"
        )
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
        return Refusal("DAA-16.01", "a combat move enters enemy ground: other moves wait for the non-combat phase")
    return None


def steps_to_enemy(ground: Ground) -> dict[str, int]:
    """Return how many steps over friendly ground lead from each space near the enemy onto hostile ground."""
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
    """Return a path by which ``kind`` may attack from ``start``; there must be one. Any may come up."""
    near = ground.board.land
    most = longest(kind)
    path = [start]
    attacks = False
    while True:
        here = path[-1]
        left = most - len(path)
        ways: list[str] = []
        if left >= 0 and not (here in ground.hostile and len(path) > 1 and must_halt(ground, kind, here)):
            ways = [there for there in near[here] if attacks or steps.get(there, OUT_OF_REACH) <= left]
        draw = stream.below(len(ways) + attacks)
        if draw == len(ways):
            return path
        path.append(ways[draw])
        attacks = attacks or ways[draw] in ground.hostile


# --- non-combat moves ---


def why_no_march(ground: Ground, kind: str, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that no land unit of this kind may take in non-combat movement (DAA-18.02, DAA-R42)."""
    refusal = why_no_walk(ground, kind, path)
    if refusal is not None:
        return refusal
    for space in path[1:]:
        if space in ground.hostile:
            holder = POWER_NAMES[ground.state.control[space]]
            reason = f"{KIND_NAMES[kind]} may not enter {space} in the non-combat phase: {holder} holds it"
            return Refusal("DAA-18.02", reason)
    return None


def is_full_of_flak(ground: Ground, space: str) -> bool:
    """Tell whether no further flak may end in ``space`` (DAA-R50)."""
    return ground.state.options["aa_limit"] == "one_per_space" and ground.friends_flak.get(space, 0) > 0


def may_march(ground: Ground, kind: str, start: str) -> bool:
    """Tell whether a land unit has anywhere to go in non-combat movement."""
    if kind == FLAK and ground.state.options["aa_limit"] == "one_per_space":
        return any(not is_full_of_flak(ground, path[-1]) for path in land_paths(ground, kind, start, why_no_march))
    return any(there not in ground.hostile for there in ground.board.land[start])


def draw_march(ground: Ground, kind: str, start: str, stream: Stream) -> list[str]:
    """Return a path for a non-combat move; there must be one. Any may come up."""
    if kind == FLAK and ground.state.options["aa_limit"] == "one_per_space":
        paths = land_paths(ground, kind, start, why_no_march)
        return stream.pick([path for path in paths if not is_full_of_flak(ground, path[-1])])
    near, hostile = ground.board.land, ground.hostile
    path = [start]
    for _ in range(longest(kind)):
        ways = [there for there in near[path[-1]] if there not in hostile]
        draw = stream.below(len(ways) + (len(path) > 1))
        if draw == len(ways):
            break
        path.append(ways[draw])
    return path


def land_paths(ground: Ground, kind: str, start: str, judge: Judge) -> Iterator[list[str]]:
    """Yield every path that ``judge`` lets ``kind`` take from ``start``, short ones first."""
    edge = [[start]]
    for _ in range(longest(kind)):
        edge = [[*path, there] for path in edge for there in ground.board.land[path[-1]]]
        for path in edge:
            if judge(ground, kind, path) is None:
                yield path
