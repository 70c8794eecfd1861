"""The odds of a battle before any dice are rolled: strengths of the sides, and the log-odds of the resolver SR-1."""

from collections.abc import Mapping

from sandtable.tabletop.brief import Brief, Company, Party
from sandtable.tabletop.resolver.constants import INTERDICTION, SR1, SUPERIORITY, SUPERIORITY_LEFT, table_key
from sandtable.tabletop.resolver.logit import ln_ratio

VEHICLES = frozenset({"afv", "light_afv"})


def has_roles(brief: Brief) -> bool:
    """Return whether one side attacks and the other defends in this mission."""
    return bool(brief.attacker) or table_key(brief.mission) not in SR1.without_roles


def is_assault(brief: Brief) -> bool:
    """Return whether the mission is an assault on a position; an unknown mission is one if it is defensive."""
    key = table_key(brief.mission)
    return key in SR1.assaults if key in SR1.bias else "defensive_battle" in brief.flags


def strength(brief: Brief, side: str, attacker: str) -> int:
    """Return the effective strength of a side: deployed points times factors, in thousandths of points.

    ``attacker`` is the attacking side, or "" if both attack. Points already include the quality of troops. A company
    with unknown platoons counts by its points.
    """
    attacks = attacker in {side, ""}
    factors = SR1.factors[is_assault(brief), attacks]
    loss = 1000 - SR1.mud[min(max(brief.mud, 0), len(SR1.mud) - 1)]
    mud = 1000 - (loss if attacks else loss * SR1.mud_defender // 1000)
    return sum(_worth(company, factors, mud) for company in brief.parties[side].companies)


def _worth(company: Company, factors: Mapping[str, int], mud: int) -> int:
    total = 0 if company.platoons else 1000 * company.points
    for each in company.platoons:
        worth = each.points * each.fielded * factors[each.kind] // max(1, each.teams)
        if each.kind in VEHICLES:
            worth = worth * mud // 1000
        total += worth if company.supplied else worth * SR1.unsupplied[each.kind] // 1000
    return total


def log_odds(brief: Brief, side: str, attacker: str) -> int:
    """Return the log-odds, in millionths, that ``side`` wins; ``attacker`` as for ``strength``."""
    enemy = brief.enemy_of(side)
    ratio = ln_ratio(max(1, strength(brief, side, attacker)), max(1, strength(brief, enemy, attacker)))
    bias = SR1.bias.get(table_key(brief.mission), 0) if attacker else 0
    thousandths = bias if attacker == side else -bias
    thousandths += support(brief, side) - support(brief, enemy)
    return SR1.exponent * ratio + 1000 * thousandths


def support(brief: Brief, side: str) -> int:
    """Return the support of a side in thousandths of log-odds: re-rolls, air support, purchases."""
    party = brief.parties[side]
    total = party.rerolls * SR1.reroll + _air(brief, side)
    for name, (each, most) in SR1.purchases.items():
        total += each * min(most, max(0, party.extras.get(name, 0)))
    return total


def _air(brief: Brief, side: str) -> int:
    party, enemy = brief.parties[side], brief.parties[brief.enemy_of(side)]
    if party.extras.get("battlefield_interdiction"):
        worth = INTERDICTION if "reserves" in brief.flags and _has_air(party) else 0
    elif brief.mode == "total_war":
        worth = SR1.flight * min(SR1.flights_most, party.flights) if _has_air(party) else 0
    else:
        worth = SR1.air.get(party.air, 0)
    if party.extras.get("air_superiority"):
        worth = worth * SUPERIORITY // 1000
    if enemy.extras.get("air_superiority") and _has_air(enemy):
        worth = worth * SUPERIORITY_LEFT // 1000
    return worth * SR1.air_weather.get(table_key(brief.weather), 1000) // 1000


def _has_air(party: Party) -> bool:
    return party.flights > 0 or party.air != "none"
