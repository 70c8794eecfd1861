"""Attrition, averages and points against a slow clerk, who counts teams one by one and computes in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.plugins.khamsin.modules import USUAL

from khamsin.engagement.attrition import average, halved, losses_of
from khamsin.engagement.briefs import rounded
from khamsin.engagement.mission import strength_steps
from sandtable.tabletop.brief import Kind, Platoon
from sandtable.tabletop.result import Attrition, PlatoonLosses

KINDS: tuple[Kind, ...] = ("afv", "light_afv", "infantry", "gun", "artillery")
ROUNDED = {"ceil": ceil, "floor": floor, "nearest": lambda value: floor(value + Fraction(1, 2))}


@some.composite
def platoons(draw: some.DrawFn) -> tuple[list[Platoon], dict[str, PlatoonLosses]]:
    """Draw platoons of all kinds and what became of them, as a report may tell it."""
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
    """Return armor, general and vehicles to be rolled for, counted one by one from the tables of the book."""
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


@pytest.mark.full
@pytest.mark.rule("KH-21.04", "KH-21.05", "KH-21.06", "KH-21.07", "KH-21.08", "KH-21.09", "KH-R75", "KH-R76", "KH-R77")
@given(
    platoons(),
    some.sampled_from(("whole_platoon", "destroyed_only")),
    some.sampled_from(("none", "one_armor_each")),
    some.sampled_from(("exclusive", "cumulative")),
)
def test_attrition_is_what_a_slow_clerk_counts(
    drawn: tuple[list[Platoon], dict[str, PlatoonLosses]], afv_count: str, light_single: str, half_and_lost: str
) -> None:
    options = USUAL | {"afv_count": afv_count, "light_single": light_single, "half_and_lost": half_and_lost}
    found = losses_of(*drawn, options)
    assert (found.armor, found.general, found.vehicles) == slow_count(*drawn, options)
    assert all(armor or general for _, armor, general in found.items)


points = some.builds(Attrition, some.integers(0, 60), some.integers(0, 60))


@pytest.mark.rule("KH-21.02", "KH-21.03", "KH-R02", "KH-R03")
@given(
    some.lists(points, min_size=1, max_size=7),
    some.sampled_from(sorted(ROUNDED)),
    some.sampled_from(("per_ledger", "total")),
)
def test_averages_are_those_of_fractions(taken: list[Attrition], rounding: str, scope: str) -> None:
    found = average(taken, USUAL | {"avg_round": rounding, "avg_round_scope": scope})
    armor = Fraction(sum(each.armor for each in taken), len(taken))
    general = Fraction(sum(each.general for each in taken), len(taken))
    law = ROUNDED[rounding]
    assert found.armor == law(armor)
    assert found.general == (law(general) if scope == "per_ledger" else law(armor + general) - law(armor))
    assert found.general >= 0


@pytest.mark.rule("KH-19.04", "KH-R60")
@given(some.integers(0, 500))
def test_half_is_rounded_up(ledger: int) -> None:
    assert halved(ledger) == ceil(Fraction(ledger, 2))


def for_strength(own: int, enemy: int, *, cumulative: bool) -> int:
    return sum(points for _, points, _ in strength_steps(own, enemy, cumulative=cumulative))


@pytest.mark.rule("KH-16.03", "KH-16.04", "KH-16.05", "KH-16.06", "KH-R42")
@pytest.mark.parametrize("own", range(30))
def test_advantage_of_strength_by_the_book_row_by_row(own: int) -> None:
    for enemy in range(1, 30):
        rows = [
            own > enemy,
            own >= 2 and own >= 2 * enemy,
            own >= 4 and own >= 4 * enemy,
            own >= 6 and own >= 6 * enemy,
        ]
        fitting = [value for value, fits in enumerate(rows, start=1) if fits]
        assert for_strength(own, enemy, cumulative=False) == max(fitting, default=0)
        assert for_strength(own, enemy, cumulative=True) == sum(fitting)


@pytest.mark.rule("KH-17.04", "KH-26.07", "KH-R45")
@given(some.integers(1, 9_000), some.sampled_from((30, 15)))
def test_bonuses_are_rounded_parts(base: int, part: int) -> None:
    exact = Fraction(base, part)
    assert rounded(base, part, "floor") == floor(exact)
    for step, name in ((5, "nearest_5"), (10, "nearest_10")):
        found = rounded(base, part, name)
        assert found % step == 0
        assert abs(found - exact) <= Fraction(step, 2)
