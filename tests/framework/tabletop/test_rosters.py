"""Companies of the standard kinds: their cost, and the effects of attrition on them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.tabletop.rosters import ARCHETYPES, FULL_POINTS, roster


def test_archetypes_cost_their_full_points() -> None:
    for rows in ARCHETYPES.values():
        assert sum(row.points for row in rows) == FULL_POINTS
        assert len({row.id for row in rows}) == len(rows)


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.07")
def test_reduced_armored_platoon_costs_only_its_fielded_vehicles() -> None:
    full = {each.id: each for each in roster("armor", 1500)}
    for spends in (True, False):
        less = {each.id: each for each in roster("armor", 1500, 1, spends_saved=spends)}
        assert (full["t1"].fielded, full["t1"].points) == (4, 280)
        assert (less["t1"].teams, less["t1"].fielded, less["t1"].points) == (3, 3, 210)
        assert (less["rec"].fielded, less["rec"].points) == (2, 73)
        assert less["hq"] == full["hq"]
        assert roster("armor", 1500, 2, spends_saved=spends)[1].fielded == 2


@pytest.mark.rule("KH-R123")
def test_saved_points_go_to_the_platoons_that_keep_their_number() -> None:
    # 3 x 70 for tanks and 37 for a scout car are saved: 247, shared as 160, 110 and 160 of 430
    bought = {each.id: each.points for each in roster("armor", 1500, 1)}
    assert {each: bought[each] for each in ("mot", "at", "arty")} == {"mot": 252, "at": 173, "arty": 252}
    assert sum(bought.values()) == 1500
    lost = {each.id: each for each in roster("armor", 1500, 1, spends_saved=False)}
    full = {each.id: each for each in roster("armor", 1500)}
    assert [lost[each] for each in ("mot", "at", "arty")] == [full[each] for each in ("mot", "at", "arty")]
    assert sum(each.points for each in lost.values()) == 1253


@pytest.mark.rule("KH-R123")
@given(st.sampled_from(sorted(ARCHETYPES)), st.integers(300, 4000), st.integers(0, 3), st.booleans())
def test_company_that_spends_savings_costs_its_full_points(
    archetype: str, points: int, afv_less: int, stand_less: bool
) -> None:
    built = roster(archetype, points, afv_less, stand_less=stand_less)
    assert sum(each.points for each in built) == points
    plain = roster(archetype, points, afv_less, stand_less=stand_less, spends_saved=False)
    assert [each.fielded for each in built] == [each.fielded for each in plain]
    assert sum(each.points for each in plain) <= points
    assert all(1 <= each.fielded <= each.teams for each in plain)


@pytest.mark.rule("KH-22.09", "KH-22.11", "KH-22.12")
def test_stand_less_option_keeps_the_price_and_excludes_afv_less() -> None:
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
