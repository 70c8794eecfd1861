"""What is expected of an assault, all or none, over one connector or several; and what is risked where few stay."""

from collections.abc import Collection
from itertools import product
from typing import NamedTuple

from khamsin.bots.odds import engagement, support_of
from khamsin.bots.position import Position
from khamsin.engagement.mission import strength_steps

MOST = 4
"""So many formations are weighed together for one assault; more may join it."""
BEATEN = 30
"""What a lost fight costs for each company, in hundredths: ground, rest, what is worn beyond the enemy's loss."""
DOUBLE = 60
"""What a victory by the double brings besides: no rest, an advance, an advantage next turn."""
ENGAGED = 8
"""What any fight costs for each company: the rest that comes after it."""
FUTURE = 4
"""So many turns before the end what a fight costs is felt in full."""
BREAKING = 90
"""Attrition from which a formation that the enemy must break to win is spared."""
SPARE = 150
"""What it costs besides to send such a one."""


class Assault(NamedTuple):
    """An assault that is worth its while: ``gain`` in hundredths of a company, all told."""

    gain: int
    area: str
    force: tuple[str, ...]


def best_assault(position: Position, able: list[str], gone: Collection[str], dear: int = 0) -> Assault | None:
    """Return the assault of most gain that the able formations can make on areas so dear, None where none gains.

    ``gone`` are those of the side who have orders to leave.
    """
    areas = [area for area in sorted(position.known) if position.known[area] and position.worth[area] >= dear]
    found = [_on(position, area, able, gone) for area in areas]
    best = max((each for each in found if each is not None), default=None)
    return best if best is not None and best.gain > 0 else None


def _on(position: Position, area: str, able: list[str], gone: Collection[str]) -> Assault | None:
    """Return the best assault on an area: the freshest that stand next to it, one after the other while it gains."""
    near = [each for each in able if position.mine[each].area in position.board.neighbours[area]]
    near = sorted(near, key=lambda each: (position.attrition(each), -position.mine[each].strength, each))[:MOST]
    tried = [Assault(_gain(position, area, force, gone), area, force) for force in _forces(near)]
    return max(tried, default=None)


def _forces(near: list[str]) -> list[tuple[str, ...]]:
    """Return the forces that are weighed: each alone, any two, and the first so many."""
    found: list[tuple[str, ...]] = [(each,) for each in near]
    found += [(one, other) for place, one in enumerate(near) for other in near[place + 1 :]]
    found += [tuple(near[:number]) for number in range(3, len(near) + 1)]
    return found


def _gain(position: Position, area: str, force: tuple[str, ...], gone: Collection[str]) -> int:
    """Return what is expected of an assault: over who is activated and who is not."""
    total = 0
    for sets_out in product((True, False), repeat=len(force)):
        chance, going = 1_000_000, []
        for each, goes in zip(force, sets_out, strict=True):
            sixths = position.chance_in_six(each)
            chance = chance * (sixths if goes else 6 - sixths) // 6
            going += [each] if goes else []
        if chance and going:
            total += chance * (_expected(position, area, going) - left_open(position, going, gone)) // 1_000_000
    return total


def _expected(position: Position, area: str, going: list[str]) -> int:
    """Return what is expected once these have set out."""
    own, enemy = position.strength(going), max(1, (position.known[area] + 50) // 100)
    ways = {position.mine[each].area for each in going}
    net = net_of(own, enemy) + (len(ways) > 1) + any(position.mine[each].overwhelmed for each in going)
    column = "fortified" if position.board.fortified.get(area) == position.enemy else "stationary"
    foe, number = position.foe(area), min(own, enemy)
    won, double, _ = max(engagement(position.troops(each), foe, column, 1, number, support_of(net)) for each in going)
    gain = won * position.prize(area, own) + double * DOUBLE
    future = min(FUTURE, position.board.turns - position.view.turn)  # the last turn has no morrow
    price = ((1000 - won) * BEATEN * own + (1000 - double) * ENGAGED * own) * future * position.nerve // (FUTURE * 1000)
    price += sum(1000 * SPARE for each in going if each in position.spared and position.attrition(each) >= BREAKING)
    return int(gain - price) // 1000


def net_of(own: int, enemy: int) -> int:
    """Return the net advantage for strength (KH-16.03 to KH-16.06)."""
    more = strength_steps(own, enemy, cumulative=False) or strength_steps(enemy, own, cumulative=False)
    points = sum(value for _, value, _ in more)
    return points if own > enemy else -points


# --- what is risked ---


def left_open(position: Position, going: Collection[str], gone: Collection[str]) -> int:
    """Return how much more is risked in the areas that these leave, after those who have left already."""
    risked = 0
    for area in sorted({position.mine[each].area for each in going}):
        stays = [each for each in position.stacks[area] if each not in gone]
        risked += risk(position, area, [each for each in stays if each not in going]) - risk(position, area, stays)
    return risked * position.nerve // 1000


def risk(position: Position, area: str, stack: list[str]) -> int:
    """Return what is expected to be lost where these stand: the area's worth by the chance that the enemy takes it."""
    known = position.memory.setdefault("risk", {})
    key = (area, *sorted(stack))
    if key not in known:
        known[key] = _risk(position, area, stack)
    found: int = known[key]
    return found


def _risk(position: Position, area: str, stack: list[str]) -> int:
    threat = position.threat(area)
    fighters = [each for each in stack if position.mine[each].strength]
    if not threat:
        return position.worth[area] * UNSEEN // 1000 if not fighters and area in position.vital else 0
    if not fighters:
        return position.worth[area] * EMPTY // 1000
    own, enemy = position.strength(fighters), max(1, threat // 150)
    column = "fortified" if position.board.fortified.get(area) == position.side else "stationary"
    freshest = min(fighters, key=lambda each: (position.attrition(each), each))
    foe = position.belief_near(area)
    won, _, _ = engagement(foe, position.troops(freshest), column, 1, min(own, enemy), support_of(net_of(enemy, own)))
    return position.worth[area] * won * min(COMES_MOST, position.belief.bold) // 1_000_000


EMPTY, UNSEEN, COMES_MOST = 700, 150, 800
"""In so many cases of a thousand an empty area is lost, with enemies next to it or out of sight; and does one come."""
