"""Probabilities of an engagement before it is fought, by the figures of the resolver: a win, and a win by double.

A company counts by its archetype, its losses of vehicles and teams, and whether it attacks. Several actions add up
their victory points. Other umpires have different results, but not enough to change a plan.
"""

from functools import cache
from typing import NamedTuple

from khamsin.model.tables import AFV_LESS_FROM, AFV_LESS_TWO_FROM, FLAGS, MISSIONS, STAND_LESS_FROM, USUAL_MOST
from sandtable.tabletop import MILLION, SR1, ln_ratio, roster, table_key, won_by

BASE = 1500
STEP = 50_000
"""Step to which log-odds are rounded, so that few values are ever computed."""
CLASSES = {"infantry": "infantry", "mechanized": "mechanized", "armor": "armor"}
"""Archetypes by the class that an enemy sees."""


class Troops(NamedTuple):
    """A formation's troops for the tabletop: archetypes, missing vehicles or a missing stand, and supply."""

    archetypes: tuple[str, ...]
    afv_less: int = 0
    stand_less: bool = False
    supplied: bool = True


def troops(archetypes: tuple[str, ...], armor: int, general: int, *, supplied: bool) -> Troops:
    """Return the troops of a formation with this attrition (KH-22.05 to KH-22.12)."""
    if armor + general >= STAND_LESS_FROM:
        return Troops(archetypes, 0, stand_less=True, supplied=supplied)
    return Troops(archetypes, (armor >= AFV_LESS_FROM) + (armor >= AFV_LESS_TWO_FROM), supplied=supplied)


@cache
def worth(archetype: str, state: tuple[int, bool, bool], mission: str, attacks: bool) -> int:  # noqa: FBT001 - a key
    """Return the worth of a company in a mission, in thousandths of points.

    ``attacks`` is true for the attacker, and for both sides if both attack.
    """
    afv_less, stand_less, supplied = state
    factors = SR1.factors[table_key(mission) in SR1.assaults, attacks]
    total = 0
    for each in roster(archetype, BASE, afv_less, stand_less=stand_less):
        value = each.points * each.fielded * factors[each.kind] // max(1, each.teams)
        total += value if supplied else value * SR1.unsupplied[each.kind] // 1000
    return max(1, total)


def best_worth(mine: Troops, mission: str, *, attacks: bool) -> int:
    """Return the worth of a formation's best company in a mission."""
    state = (mine.afv_less, mine.stand_less, mine.supplied)
    return max((worth(each, state, mission, attacks) for each in mine.archetypes), default=1)


def _action(mine: Troops, theirs: Troops, mission: str, role: int, support: int) -> int:
    """Return the log-odds of one action, in millionths.

    ``role`` is 1 for the attacker, -1 for the defender, 0 if both sides attack.
    """
    own = best_worth(mine, mission, attacks=role >= 0)
    enemy = best_worth(theirs, mission, attacks=role <= 0)
    bias = 1000 * SR1.bias.get(table_key(mission), 0) * role
    return SR1.exponent * ln_ratio(own, enemy) + bias + 1000 * support


@cache
def _scores(odds: int, fair: bool) -> tuple[tuple[int, int], ...]:  # noqa: FBT001 - a key
    """Return pairs of point difference and probability in millionths, for one action with these log-odds."""
    own, enemy = won_by(odds, fair_fight=fair), won_by(-odds, fair_fight=fair)
    found = [*zip((5, 3, 1), own, strict=True), *zip((-5, -3, -1), enemy, strict=True)]
    return (*found, (0, MILLION - sum(chance for _, chance in found)))


@cache
def _sum_of(odds: int, number: int, fair: bool) -> tuple[int, int, int]:  # noqa: FBT001 - a key
    """Return probabilities in thousandths for ``number`` actions: a win, a win by double, a loss by double."""
    spread = {0: MILLION}
    for _ in range(number):
        later: dict[int, int] = {}
        for before, chance in spread.items():
            for difference, more in _scores(odds, fair):
                later[before + difference] = later.get(before + difference, 0) + chance * more // MILLION
        spread = later
    double = -(-7 * number // 3)  # two thirds of all points, against one
    won = sum(chance for difference, chance in spread.items() if difference > 0)
    by_double = sum(chance for difference, chance in spread.items() if difference >= double)
    lost_double = sum(chance for difference, chance in spread.items() if -difference >= double)
    return won // 1000, by_double // 1000, lost_double // 1000


def support_of(net: int, air: int = 0) -> int:
    """Return the log-odds, in thousandths, of a net advantage (points of companies and re-rolls) and of air support."""
    ahead = abs(net)
    points = 130 if ahead >= 2 else 0
    rerolls = 0 if ahead < 3 else 1 if ahead == 3 else ahead - 2
    total = (130 if ahead else 0) + points + SR1.reroll * rerolls
    return (total if net > 0 else -total) + air


@cache
def engagement(mine: Troops, theirs: Troops, column: str, role: int, number: int, support: int) -> tuple[int, int, int]:
    """Return probabilities in thousandths over the missions of a column: a win, a win by double, a loss by double.

    ``role`` is 1 for the side that moves in on a stationary enemy, -1 for the stationary side, 0 if both move.
    ``column`` may also be a mission.
    """
    missions = MISSIONS.get(column, (column,))
    totals = [0, 0, 0]
    for mission in missions:
        has_roles = table_key(mission) not in SR1.without_roles
        roles = (role,) if role or not has_roles else (1, -1)
        for each in roles:
            odds = _action(mine, theirs, mission, each if has_roles else 0, support)
            odds = STEP * ((odds + STEP // 2) // STEP)
            fair = "fair_fight" in FLAGS.get(mission, ())
            for index, chance in enumerate(_sum_of(odds, min(number, USUAL_MOST), fair)):
                totals[index] += chance // len(roles)
    won, double, lost = (total // len(missions) for total in totals)
    return won, double, lost
