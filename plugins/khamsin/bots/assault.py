"""Expected value of assaults over one or several connectors, and the risk of areas that are left weak."""

from collections.abc import Collection
from itertools import product
from typing import NamedTuple

from khamsin.bots.odds import engagement, support_of
from khamsin.bots.position import Position
from khamsin.engagement.mission import strength_steps

MOST = 4
"""Maximum number of formations that are considered for one assault."""
BEATEN = 30
"""Cost of a lost fight, in hundredths per company: ground, rest, attrition beyond the enemy's."""
DOUBLE = 60
"""Additional value of a win by double: no rest, an advance, an advantage next turn."""
ENGAGED = 8
"""Cost per company of a fight that is not won by double: the rest after it."""
FUTURE = 4
"""Number of turns that must remain for the full cost of a fight."""
BREAKING = 90
"""Attrition from which a formation that the enemy must break to win is spared."""
SPARE = 150
"""Additional cost of sending such a formation."""


class Assault(NamedTuple):
    """An assault that is worth making: ``gain`` is in hundredths of a company, all costs included."""

    gain: int
    area: str
    force: tuple[str, ...]


def best_assault(position: Position, able: list[str], gone: Collection[str], least: int = 0) -> Assault | None:
    """Return the assault with the highest gain on areas worth at least ``least``, or None if no assault gains.

    ``able`` are the formations that can take part. ``gone`` are the side's formations with orders to leave.
    """
    areas = [area for area in sorted(position.known) if position.known[area] and position.worth[area] >= least]
    found = [_on(position, area, able, gone) for area in areas]
    best = max((each for each in found if each is not None), default=None)
    return best if best is not None and best.gain > 0 else None


def _on(position: Position, area: str, able: list[str], gone: Collection[str]) -> Assault | None:
    """Return the best assault on an area by up to ``MOST`` of the freshest formations next to it, or None."""
    near = [each for each in able if position.mine[each].area in position.board.neighbors[area]]
    near = sorted(near, key=lambda each: (position.attrition(each), -position.mine[each].strength, each))[:MOST]
    tried = [Assault(_gain(position, area, force, gone), area, force) for force in _forces(near)]
    return max(tried, default=None)


def _forces(near: list[str]) -> list[tuple[str, ...]]:
    """Return the forces to compare: each formation alone, all pairs, and the first three or more."""
    found: list[tuple[str, ...]] = [(each,) for each in near]
    found += [(one, other) for index, one in enumerate(near) for other in near[index + 1 :]]
    found += [tuple(near[:number]) for number in range(3, len(near) + 1)]
    return found


def _gain(position: Position, area: str, force: tuple[str, ...], gone: Collection[str]) -> int:
    """Return the expected gain of an assault, over all outcomes of activation."""
    total = 0
    for activated in product((True, False), repeat=len(force)):
        chance, going = 1_000_000, []
        for each, goes in zip(force, activated, strict=True):
            sixths = position.chance_in_six(each)
            chance = chance * (sixths if goes else 6 - sixths) // 6
            going += [each] if goes else []
        if chance and going:
            total += chance * (_expected(position, area, going) - left_open(position, going, gone)) // 1_000_000
    return total


def _expected(position: Position, area: str, going: list[str]) -> int:
    """Return the expected gain of an assault by the activated formations."""
    own, enemy = position.strength(going), max(1, (position.known[area] + 50) // 100)
    origins = {position.mine[each].area for each in going}
    net = net_of(own, enemy) + (len(origins) > 1) + any(position.mine[each].overwhelmed for each in going)
    column = "fortified" if position.board.fortified.get(area) == position.enemy else "stationary"
    foe, number = position.foe(area), min(own, enemy)
    won, double, _ = max(engagement(position.troops(each), foe, column, 1, number, support_of(net)) for each in going)
    gain = won * position.prize(area, own) + double * DOUBLE
    future = min(FUTURE, position.board.turns - position.view.turn)  # the last turn has no future
    price = (
        ((1000 - won) * BEATEN * own + (1000 - double) * ENGAGED * own)
        * future
        * position.risk_weight
        // (FUTURE * 1000)
    )
    price += sum(1000 * SPARE for each in going if each in position.spared and position.attrition(each) >= BREAKING)
    return int(gain - price) // 1000


def net_of(own: int, enemy: int) -> int:
    """Return the net advantage for strength (KH-16.03 to KH-16.06)."""
    more = strength_steps(own, enemy, cumulative=False) or strength_steps(enemy, own, cumulative=False)
    points = sum(value for _, value, _ in more)
    return points if own > enemy else -points


# --- risks ---


def left_open(position: Position, going: Collection[str], gone: Collection[str]) -> int:
    """Return the weighted risk that ``going`` adds in the areas it leaves, if ``gone`` have already left."""
    risked = 0
    for area in sorted({position.mine[each].area for each in going}):
        stays = [each for each in position.stacks[area] if each not in gone]
        risked += risk(position, area, [each for each in stays if each not in going]) - risk(position, area, stays)
    return risked * position.risk_weight // 1000


def risk(position: Position, area: str, stack: list[str]) -> int:
    """Return the expected loss in an area held by ``stack``: its worth times the probability that it is lost."""
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
"""Probabilities, in thousandths: loss of an empty area next to enemies, its loss without known enemies, and the
maximum for the arrival of an enemy."""
