"""Companies of the usual kinds: what they cost, and what attrition takes from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.tabletop.rosters import ARCHETYPES, FULL_POINTS, roster


@given(st.sampled_from(sorted(ARCHETYPES)), st.integers(300, 4000))
def test_a_company_costs_exactly_its_points_at_full_strength(archetype: str, points: int) -> None:
    assert sum(each.points for each in roster(archetype, points)) == points


@given(st.sampled_from(sorted(ARCHETYPES)), st.integers(300, 4000), st.integers(0, 3), st.booleans())
def test_it_never_costs_more(archetype: str, points: int, afv_less: int, stand_less: bool) -> None:
    built = roster(archetype, points, afv_less, stand_less=stand_less)
    assert sum(each.points for each in built) <= points
    assert all(1 <= each.fielded <= each.teams for each in built)


def test_the_archetypes_are_of_full_points() -> None:
    for rows in ARCHETYPES.values():
        assert sum(row.points for row in rows) == FULL_POINTS
        assert len({row.id for row in rows}) == len(rows)


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.07")
def test_a_reduced_armoured_platoon_pays_for_what_it_fields() -> None:
    full = {each.id: each for each in roster("armour", 1500)}
    less = {each.id: each for each in roster("armour", 1500, 1)}
    assert (full["t1"].fielded, full["t1"].points) == (4, 280)
    assert (less["t1"].teams, less["t1"].fielded, less["t1"].points) == (3, 3, 210)
    assert (less["rec"].fielded, less["rec"].points) == (2, 73)
    assert less["mot"] == full["mot"]
    assert less["hq"] == full["hq"]
    assert roster("armour", 1500, 2)[1].fielded == 2


@pytest.mark.rule("KH-22.09", "KH-22.11", "KH-22.12")
def test_a_stand_less_is_paid_for_and_replaces_the_other_reduction() -> None:
    full = {each.id: each for each in roster("infantry", 1500)}
    less = {each.id: each for each in roster("infantry", 1500, 2, stand_less=True)}
    assert (less["p1"].teams, less["p1"].fielded, less["p1"].points) == (9, 8, full["p1"].points)
    assert (less["t"].teams, less["t"].fielded, less["t"].points) == (3, 2, full["t"].points)
    assert less["hq"].fielded == 2


def test_ids_take_a_prefix_for_a_battle_of_several_companies() -> None:
    assert [each.id for each in roster("recon", 1000, prefix="b_")][:2] == ["b_hq", "b_r1"]


def test_an_unknown_archetype_is_an_error() -> None:
    with pytest.raises(KeyError):
        roster("camels", 1500)
