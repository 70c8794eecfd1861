"""A second model of attrition that counts teams one by one from the tables of the book."""

from fractions import Fraction

from hypothesis import strategies as some

from sandtable.tabletop.brief import Kind, Platoon
from sandtable.tabletop.result import PlatoonLosses

KINDS: tuple[Kind, ...] = ("afv", "light_afv", "infantry", "gun", "artillery")


@some.composite
def platoons(draw: some.DrawFn) -> tuple[list[Platoon], dict[str, PlatoonLosses]]:
    """Draw platoons of all kinds, and losses that a report may contain."""
    company, losses = [], {}
    for number in range(draw(some.integers(0, 6))):
        kind: Kind = draw(some.sampled_from(KINDS))
        teams = draw(some.integers(1, 8))
        fielded = max(1, teams - draw(some.integers(0, 1)))
        single = draw(some.booleans())
        each = Platoon(f"p{number}", "", kind, teams, fielded, 100, independent=single)
        company.append(each)
        destroyed = draw(some.integers(0, fielded))
        gone = not single and (destroyed == fielded or draw(some.booleans()))
        found = PlatoonLosses(destroyed, fielded - destroyed if gone else 0, lost=gone)
        if found != PlatoonLosses():
            losses[each.id] = found
    return company, losses


def slow_count(
    company: list[Platoon], losses: dict[str, PlatoonLosses], options: dict[str, str]
) -> tuple[int, int, int]:
    """Return armor attrition, general attrition and vehicles to roll for, counted team by team from the book."""
    armor = general = vehicles = 0
    for platoon in company:
        each = losses.get(platoon.id, PlatoonLosses())
        for team in range(platoon.fielded):
            more = slow_team(platoon, each, options, is_destroyed=team < each.destroyed)
            armor, general, vehicles = armor + more[0], general + more[1], vehicles + more[2]
        if not platoon.independent and each != PlatoonLosses():
            of_whole = slow_platoon(platoon, each, options)
            armor, general = armor + of_whole[0], general + of_whole[1]
    return armor, general, vehicles


def slow_team(
    platoon: Platoon, each: PlatoonLosses, options: dict[str, str], *, is_destroyed: bool
) -> tuple[int, int, int]:
    is_counted = is_destroyed or (each.lost and options["afv_count"] == "whole_platoon")
    is_single_light = platoon.kind == "light_afv" and is_destroyed and not each.lost
    armor = platoon.kind == "afv" and is_counted
    armor = armor or (is_single_light and options["light_single"] == "one_armor_each")
    return int(armor), int(platoon.independent and is_destroyed), int("afv" in platoon.kind and is_counted)


def slow_platoon(platoon: Platoon, each: PlatoonLosses, options: dict[str, str]) -> tuple[int, int]:
    if platoon.kind == "afv":
        return 2 * each.lost, 0
    if platoon.kind == "light_afv":
        return int(each.lost), 3 * each.lost
    left = sum(1 for team in range(platoon.fielded) if team >= each.destroyed + each.routed)
    is_below = Fraction(left, platoon.teams) < Fraction(1, 2)
    counts = is_below and (not each.lost or options["half_and_lost"] == "cumulative")
    return 0, 3 * each.lost + counts
