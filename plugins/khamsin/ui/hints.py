"""Examples of what can be typed, with names of this campaign: of who has a line, and where he can go."""

from collections.abc import Iterator
from typing import Any

from khamsin.model.state import FIGHTING
from sandtable.kernel.options import Path
from sandtable.rules.notation.line import Asked
from sandtable.rules.notation.table import legal_orders

FEW = 2
"""So many lines of a long sheet are shown."""


def turn(asked: Asked) -> Iterator[str]:
    """Yield orders of a turn: of a formation, a leader, the aircraft; and to hold."""
    ways = [*_ways(asked.field("moves").lines, 2), *_ways(asked.field("leaders").lines, 1)]
    told = [f"{key}: {' '.join(path[1:])}" for key, path in ways]
    air = asked.field("interdict")
    told += [f"air: {(ways[0][1][-1:] or air.of)[0]}"] if air.most and ways else []
    told += ["plan: hold the ring"] if asked.field("plan").longest else []
    one = ways[0][0] if ways else "NAME"
    yield f"{'; '.join(told)}  (who is not named holds; leave {one}: 1 leaves a company in a fortress)"
    yield "hold"


def _ways(lines: Any, longest: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the first piece that can go somewhere, with a path of up to so many steps."""
    for key, space in lines.items():
        path = [space.start] if isinstance(space, Path) and space.start else []
        while path and len(path) <= longest and (on := space.ways_on(path)):
            path = next((each for each in on if each[-1] not in path), on[0])
        while len(path) > 1 and space.why_not(path) is not None:
            path = path[:-1]
        if len(path) > 1:
            yield key, path
            return


def deployment(asked: Asked) -> Iterator[str]:
    """Yield a few lines of a deployment, and the one of history."""
    for order in legal_orders(asked):
        told = [f"{key}: {area}" for key, area in (order.areas | order.leaders).items()]
        yield f"{'; '.join(told[:FEW])}  (who is not named stands where he did)"
    yield "historical"


def areas(asked: Asked) -> Iterator[str]:
    """Yield where formations go: each for itself, and all together."""
    for order in legal_orders(asked):
        yield "; ".join(f"{key}: {area}" for key, area in order.areas.items())
        yield from (f"all: {area}" for area in dict.fromkeys(order.areas.values()))
    yield "stay"


def allocation(asked: Asked) -> Iterator[str]:
    """Yield replacements for a few formations, and none."""
    for order in legal_orders(asked):
        told = [f"{key}: {each.armor}/{each.general}{' moving' * each.moving}" for key, each in order.shares.items()]
        yield f"{'; '.join(told[:FEW])}  (armor/general)"
    yield "none"


def withdrawal(asked: Asked) -> Iterator[str]:
    """Yield the ways to meet an engagement, and who may leave by himself."""
    yield from ("stand", FIGHTING)
    lines = asked.field("leaving").lines
    yield from (f"{way} {key}" for key, space in list(lines.items())[:1] for way in space.values())
