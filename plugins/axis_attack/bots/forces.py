"""The commander's force: its strength in the game, minus its expected cost in later games.

A force is composed of platoons in all sizes, within the points of the game. The value of a platoon is its points,
weighted by the resolver's figures for mission and role, minus a part of its expected losses. So platoons that are hard
to rebuild rest if others can do their work, and platoons that can lose teams without losing a level are fielded first.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from axis_attack.forces.pool import Line, Pool
from axis_attack.forces.purchases import NOTHING, can_use, price_of
from axis_attack.model.cards import Board, PlatoonType
from axis_attack.model.orders import ChooseForce
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.model.strength import level_of, levels_of, size_of_level
from axis_attack.model.tables import OFFERS, STEP_POINTS
from axis_attack.recovery.reinforcement import needs_calculation
from sandtable.tabletop import SR1

PERMILLE, MILLION = 1000, 1_000_000

PICKS, EXPOSED = 1900, 230
"""Platoons that a side loses completely in an even game, in thousandths, and the exposure of its company (SR-1)."""

HIT = 235
"""Probability, in thousandths, that a team is lost in an even game if its platoon is not lost completely."""

LOG_ODDS = 375
"""Points of troops, in thousandths, that are worth a thousandth of the resolver's log-odds."""


class PlatoonValues:
    """The values of platoons of a list by level, and their expected losses in a game, in thousandths of points."""

    def __init__(self, board: Board, side: str) -> None:
        self._hit = HIT * SR1.skill.get(board.lists[side].skill, 100) // 100
        self._values: dict[str, dict[int, int]] = {}
        self._losses: dict[tuple[str, int, int, int, bool], int] = {}

    def value(self, kind: PlatoonType, level: int) -> int:
        """Return the value of a platoon at a level: its points, and a part of what reinforcement may add."""
        if kind.id not in self._values:
            levels = levels_of(kind)
            found = {levels[-1]: PERMILLE * kind.sizes[-1].points}
            part = (7 - min(6, needs_calculation(kind).total)) * PERMILLE // 12
            for above, below in zip(reversed(levels[1:]), reversed(levels[:-1]), strict=True):
                size = size_of_level(kind, below)
                points = PERMILLE * size.points if size else 0
                found[below] = points + (found[above] - points) * part // PERMILLE
            self._values[kind.id] = found
        return self._values[kind.id][level]

    def loss(self, line: Line, teams: int, level: int, *, off: bool) -> int:
        """Return the expected loss from fielding ``teams`` of a platoon, in thousandths of points."""
        key = (line.kind.id, teams, level, line.sizes[-1].teams, off)
        if key not in self._losses:
            self._losses[key] = self._expected_loss(line, teams, level, off=off)
        return self._losses[key]

    def _expected_loss(self, line: Line, teams: int, level: int, *, off: bool) -> int:
        kind, unused, before = line.kind, line.sizes[-1].teams - teams, self.value(line.kind, level)
        gone = [before - self.value(kind, min(level, level_of(kind, left + unused))) for left in range(teams + 1)]
        picked = min(PERMILLE, SR1.exposure["off_table" if off else kind.kind] * PICKS // EXPOSED)
        left_over = sum(chance * each for chance, each in zip(_left(teams, self._hit), gone, strict=True)) // MILLION
        return (picked * gone[0] + (PERMILLE - picked) * left_over) // PERMILLE


@lru_cache(maxsize=1024)
def _left(teams: int, chance: int) -> tuple[int, ...]:
    """Return the probabilities, in millionths, that 0, 1, ... of ``teams`` remain if each is lost with ``chance``."""
    odds = [MILLION]
    for _ in range(teams):
        lost = [each * chance // PERMILLE for each in odds]
        kept = [each - gone for each, gone in zip(odds, lost, strict=True)]
        odds = [one + two for one, two in zip([*lost, 0], [0, *kept], strict=True)]
    return tuple(odds)


class Preferences(NamedTuple):
    """A commander's preferences for a force.

    ``factors`` are the weights of kinds of platoon in this mission and role. ``care`` is the weight of a point of
    expected loss against a point on the table, in thousandths. ``price`` is the value of a victory point, in
    thousandths of points. If ``mobile`` is set, all platoons must be mobile.
    """

    factors: Mapping[str, int]
    care: int
    price: int
    mobile: bool = False


class Choice(NamedTuple):
    """An alternative for one part of a force: its points, its value, the part, and whether it is a combat platoon."""

    points: int
    worth: int
    what: Any
    combat: bool = False


NOT_FIELDED = Choice(0, 0, None)


def best_force(
    pool: Pool, roster: Mapping[str, Any], values: PlatoonValues, preferences: Preferences
) -> ChooseForce | None:
    """Return the best force of a pool that is found for these preferences, or None if none is legal."""
    lines = [line for line in pool.lines.values() if line.mobile or not (pool.bound or preferences.mobile)]
    rows = [_alternatives(line, roster[line.id], values, preferences) for line in lines]
    rows.append(_flights(pool))
    rows.append([Choice(-STEP_POINTS * each, -each * preferences.price, each) for each in range(pool.steps + 1)])
    taken = _improved(rows, _opening(rows, pool), pool)
    if taken is None:
        return None
    *platoons, air, extra = (row[place].what for row, place in zip(rows, taken, strict=True))
    fielded = [each for each in platoons if each is not None]
    return ChooseForce(fielded, extra, _bought(pool, fielded, pool.balance - extra, air, preferences), air)


def _alternatives(line: Line, platoon: Any, values: PlatoonValues, preferences: Preferences) -> list[Choice]:
    """Return the alternatives of a platoon: not fielded, then each size with as many upgrades as possible."""
    kind, found = line.kind, [NOT_FIELDED]
    for size in line.sizes:
        upgrades = {name: min(bought, size.teams) for name, bought in line.upgrades.items() if bought}
        points = size.points + sum(line.prices[name] * number for name, number in upgrades.items())
        loss = values.loss(line, size.teams, platoon.level, off=kind.bombards)
        worth = points * preferences.factors[kind.kind] - preferences.care * loss // PERMILLE
        found.append(Choice(points, worth, Fielded(line.id, size.teams, upgrades, kind.bombards), line.is_combat))
    return found


def _flights(pool: Pool) -> list[Choice]:
    """Return the alternatives of air support: none, and close support, valued at two thirds because of the weather."""
    allotment = pool.air_allotment
    flown = [
        AirSupport(aircraft, level, "close_support", allotment.loads(aircraft)[0])
        for aircraft, levels in allotment.levels.items()
        for level in levels
    ]
    return [
        Choice(0, 0, AirSupport()),
        *(Choice(allotment.price(each), SR1.air[each.level] * LOG_ODDS * 2 // 3, each) for each in flown),
    ]


def _opening(rows: list[list[Choice]], pool: Pool) -> list[int]:
    """Return the index of a choice in each row: the minimum number of combat platoons, the cheapest ones."""
    combat = [place for place, row in enumerate(rows) if len(row) > 1 and row[1].combat]
    cheapest = sorted(combat, key=lambda place: rows[place][1].points)[: pool.least]
    return [int(place in cheapest) for place in range(len(rows))]


def _improved(rows: list[list[Choice]], taken: list[int], pool: Pool) -> list[int] | None:
    """Improve two choices at a time as long as possible. Returns one index per row, or None if ``taken`` is illegal."""
    here = [row[place] for row, place in zip(rows, taken, strict=True)]
    points_left = pool.limit - pool.base - sum(each.points for each in here)
    combats = sum(each.combat for each in here)
    if points_left < 0 or combats < pool.least:
        return None
    is_better = True
    while is_better:
        is_better = False
        for first in range(len(rows)):
            for second in range(first + 1, len(rows)):
                now, then = rows[first][taken[first]], rows[second][taken[second]]
                others = combats - now.combat - then.combat
                bounds = (points_left + now.points + then.points, pool.least - others, pool.most - others)
                pair = _better_pair(rows[first], rows[second], now.worth + then.worth, bounds)
                if pair is not None:
                    taken[first], taken[second] = pair
                    one, two = rows[first][pair[0]], rows[second][pair[1]]
                    points_left, combats = bounds[0] - one.points - two.points, others + one.combat + two.combat
                    is_better = True
    return taken


def _better_pair(
    row: list[Choice], other: list[Choice], worth: int, bounds: tuple[int, int, int]
) -> tuple[int, int] | None:
    """Return the indexes of the best pair of choices with a value above ``worth``, or None if no pair is better.

    ``bounds`` are the maximum points, and the minimum and maximum number of combat platoons.
    """
    points_left, least, most = bounds
    best = None
    for first, one in enumerate(row):
        for second, two in enumerate(other):
            is_better = one.worth + two.worth > worth and one.points + two.points <= points_left
            if is_better and least <= one.combat + two.combat <= most:
                best, worth = (first, second), one.worth + two.worth
    return best


def _bought(pool: Pool, fielded: list[Fielded], balance: int, air: AirSupport, preferences: Preferences) -> Purchase:
    """Return the special rule with the greatest value beyond its cost, or no purchase."""
    best, worth = NOTHING, 0
    for kind, offer in OFFERS.items():
        if pool.offers[kind] is not None or (air.aircraft and kind == "aerial_bombardment"):
            continue
        each, most = SR1.purchases[kind]
        able = tuple(name.platoon for name in fielded if can_use(kind, pool.lines[name.platoon].kind))
        number = min(most, balance // offer.price, len(able) if offer.each == "platoon" else most)
        if number < 1:
            continue
        order = Purchase(kind, number, able[:number] if offer.each == "platoon" else ())
        gain = each * number * LOG_ODDS - price_of(order) * preferences.price
        if gain > worth:
            best, worth = order, gain
    return best
