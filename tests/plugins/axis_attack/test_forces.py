"""Chapter III: the game forces, their points and sizes, mobility, and air support."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.axis_attack.cases import AirSupport, chooses

from axis_attack.model import orders
from axis_attack.model.events import ForceChosen
from axis_attack.model.state import AxisState
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

TIRED = (
    "pg1 pg full immobile; pg2 pg full; hmg hmg full immobile; pak38 pak38 full immobile; panzer panzer full;"
    " a apg full; hq knackers full"
)


def bound(state: AxisState) -> None:
    state.bound = "german"


@pytest.mark.rule("AOA-3.01")
@pytest.mark.parametrize(
    "force",
    ["pg1 7", "pg1 7; pg1 5", "pg1 7; nobody 5", "pg1 7; t1 5", ""],
    ids=["one combat platoon", "twice", "unknown", "the enemy's", "none"],
)
def test_a_force_is_a_company_of_its_own_roster(lay: Lay, force: str) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert case.rejects(chooses("german", force)) == "AOA-3.01"


DEAR = "pg1 7; pg2 7; hmg 5; panzer 5; pak40 4; cars 4"  # 50 + 205 + 205 + 135 + 525 + 345 + 135 = 1600


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.04")
@pytest.mark.parametrize(
    ("extra", "rule"), [(0, "AOA-3.02"), (1, "AOA-3.02"), (2, ""), (3, ""), (4, "AOA-3.03"), (-1, "AOA-3.03")]
)
def test_each_point_raises_the_limit_by_75_up_to_three(lay: Lay, extra: int, rule: str) -> None:
    case = lay("forces", balance=(9, 0)).play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", DEAR, extra)) == rule


@pytest.mark.rule("AOA-3.03", "AOA-R04")
def test_points_for_the_limit_are_paid_at_once_and_must_be_there(lay: Lay) -> None:
    case = lay("forces", balance=(2, 1)).play(until=orders.ChooseForce)
    assert case.rejects(chooses("soviet", "t1 5; t2 5", 2)) in {"AOA-3.03", "AOA-R04"}
    case.play(chooses("german", DEAR, 2), until=ReportBattle)
    assert case.balance() == (0, 1)
    chosen = case.one(ForceChosen, side="german")
    assert (chosen.points, chosen.extra, chosen.cost) == (1600, 2, 2)


@pytest.mark.rule("AOA-3.05", "AOA-3.06", "AOA-R11")
@pytest.mark.parametrize(("tanks", "legal"), [(4, False), (5, True), (6, True), (7, True), (8, False), (10, False)])
def test_a_platoon_is_fielded_at_any_size_up_to_its_strength(lay: Lay, tanks: int, legal: bool) -> None:
    case = lay("forces", soviet="t1 tankovy under; t2 tankovy full").play(until=orders.ChooseForce)
    assert case.why_not(chooses("soviet", f"t1 {tanks}; t2 5")) in (
        {""} if legal else {"AOA-3.05", "AOA-3.06", "AOA-1.05"}
    )


@pytest.mark.rule("AOA-R10", "AOA-3.05")
@pytest.mark.parametrize(("memory", "legal"), [("level_size", False), ("exact_teams", True)])
def test_teams_over_the_level_count_where_they_are_remembered(lay: Lay, memory: str, legal: bool) -> None:
    case = lay("forces", soviet="t1 tankovy under teams=9; t2 tankovy full", strength_memory=memory).play(
        until=orders.ChooseForce
    )
    assert case.allows(chooses("soviet", "t1 9; t2 5")) is legal
    assert not case.allows(chooses("soviet", "t1 10; t2 5"))


@pytest.mark.rule("AOA-3.07")
@pytest.mark.parametrize("level", ["gutted", "destroyed"])
def test_who_is_below_depleted_stays_at_home(lay: Lay, level: str) -> None:
    case = lay("forces", german=f"pg1 pg full; pg2 pg full; cars cars {level}").play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg1 5; pg2 5; cars 2")) == "AOA-3.07"


@pytest.mark.rule("AOA-3.17")
def test_points_are_added_up_with_headquarters_and_upgrades(lay: Lay) -> None:
    case = lay("forces").play(chooses("german", "pg1 7 light_mortar; pg2 5; cars 2"), until=ReportBattle)
    assert case.state.forces["german"].points == 50 + 205 + 15 + 145 + 70


@pytest.mark.rule("AOA-R14", "AOA-3.17")
def test_forces_are_chosen_without_knowledge_of_each_other(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert sorted(each.side for each in case.asked) == ["german", "soviet"]
    case.game.submit(chooses("german", "pg1 7; pg2 7")[1], "german")
    assert case.events(ForceChosen) == []
    case.play(until=ReportBattle)
    assert len(case.events(ForceChosen)) == 2


# --- mobility after a breakthrough ---


@pytest.mark.rule("AOA-3.10", "AOA-3.11", "AOA-7.05", "AOA-R50", "AOA-10.20")
def test_who_broke_through_takes_nobody_immobile_along(lay: Lay) -> None:
    case = lay("forces", german=TIRED, tweak=bound, attacker="soviet").play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg1 7; pg2 7")) in {"AOA-3.10", "AOA-7.05"}
    assert case.allows(chooses("german", "pg2 7; a 7; panzer 5"))


@pytest.mark.rule("AOA-10.20", "AOA-R51")
def test_without_a_breakthrough_immobile_platoons_fight_like_all_others(lay: Lay) -> None:
    case = lay("forces", german=TIRED).play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 7; pg2 7; pak38 4"))


@pytest.mark.rule("AOA-3.11")
def test_foot_is_not_mobile_of_itself(lay: Lay) -> None:
    case = lay("forces", german=TIRED, tweak=bound).play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg2 7; a 7; hq 2; panzer 5")) in {"AOA-3.10", "AOA-3.11", "AOA-7.05"}
    assert case.allows(chooses("german", "pg2 7; a 7; hq 2 on=panzer; panzer 5"))


@pytest.mark.rule("AOA-3.12", "AOA-3.15")
@pytest.mark.parametrize(
    ("force", "legal"),
    [
        ("pg1 7 on=panzer; hmg 5 on=panzer; pg2 7; panzer 4", True),
        ("pg1 7 on=panzer; hmg 5 on=panzer; pg2 7; panzer 3", False),
        ("pg1 5 on=panzer; hmg 4 on=panzer; pg2 7; panzer 3", True),
        ("pg1 7 on=panzer; pg2 7; a 5", False),
        ("pg1 7 on=cars; pg2 7; panzer 5", False),
        ("pg1 7 on=pg2; pg2 7; panzer 5", False),
        ("pg1 7 on=pg1; pg2 7; panzer 5", False),
    ],
    ids=[
        "four tanks for twelve",
        "three for twelve",
        "three for nine",
        "no tanks here",
        "not fielded",
        "no tank",
        "itself",
    ],
)
def test_tanks_carry_three_teams_each(lay: Lay, force: str, legal: bool) -> None:
    case = lay("forces", german=TIRED, tweak=bound).play(until=orders.ChooseForce)
    assert case.allows(chooses("german", force)) is legal


@pytest.mark.rule("AOA-3.14")
def test_towed_guns_do_not_ride(lay: Lay) -> None:
    case = lay("forces", german=TIRED, tweak=bound).play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg2 7; a 7; pak38 2 on=panzer; panzer 5")) == "AOA-3.14"


@pytest.mark.rule("AOA-3.13")
def test_riders_leave_their_transport_behind(lay: Lay) -> None:
    case = lay("forces", german=TIRED, tweak=bound)
    case.play(chooses("german", "pg1 7 on=panzer; pg2 7; panzer 4"), until=ReportBattle)
    platoons = case.brief().platoons("german")
    assert platoons["pg1"].transports == 0
    assert platoons["pg2"].transports == 4


@pytest.mark.rule("AOA-3.09", "AOA-3.10", "AOA-R49")
def test_in_a_breakthrough_the_attacker_may_leave_mobility_aside(lay: Lay) -> None:
    """It costs him the second sector only (AOA-R47): see the front."""
    case = lay("forces", german=TIRED, mission="breakthrough").play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 7; pg2 7"))
    assert case.allows(chooses("german", "pg1 7 on=panzer; pg2 7; panzer 4"))


# --- air support ---


def air(
    level: str = "limited", profile: str = "close_support", load: str = "bombs", aircraft: str = "ju87"
) -> AirSupport:
    return AirSupport(aircraft, level, profile, load)


def wings(state: AxisState) -> None:
    state.aircraft = {"german": {"ju87": "limited", "bf109": "limited"}, "soviet": {"il2": "priority"}}


@pytest.mark.rule("AOA-4.01", "AOA-4.02", "AOA-4.03", "AOA-4.05")
@pytest.mark.parametrize("profile", ["close_support", "superiority", "interdiction"])
def test_one_of_three_profiles_is_written_down_before_the_game(lay: Lay, profile: str) -> None:
    case = lay("forces", tweak=wings).play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg1 7; pg2 7", air=air(profile="")))
    assert case.why_not(chooses("german", "pg1 7; pg2 7", air=air(profile="parade"))) == "AOA-4.01"
    case.play(chooses("german", "pg1 7; pg2 7", air=air(profile=profile)), until=ReportBattle)
    assert case.state.forces["german"].air.profile == profile
    assert case.brief().parties["german"].air == "limited"
    assert profile.replace("_", " ").split()[-1] in case.words("german")


@pytest.mark.rule("AOA-4.09", "AOA-R25")
@pytest.mark.parametrize("profile", ["close_support", "superiority", "interdiction"])
def test_a_bomber_declares_its_load_in_every_profile(lay: Lay, profile: str) -> None:
    case = lay("forces", tweak=wings).play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 7; pg2 7", air=air(profile=profile, load="rockets")))
    assert case.why_not(chooses("german", "pg1 7; pg2 7", air=air(profile=profile, load=""))) == "AOA-4.09"
    assert case.why_not(chooses("german", "pg1 7; pg2 7", air=air(profile=profile, load="leaflets"))) == "AOA-4.09"
    assert case.allows(chooses("german", "pg1 7; pg2 7", air=air(profile=profile, load="", aircraft="bf109")))


@pytest.mark.rule("AOA-4.03", "AOA-4.04")
def test_superiority_tells_its_scores(lay: Lay) -> None:
    case = lay("forces", tweak=wings)
    case.play(chooses("german", "pg1 7; pg2 7", air=air(profile="superiority")), until=ReportBattle)
    words = case.words("german")
    assert "6" in words
    assert "5" in words
    assert "interception" in words


@pytest.mark.rule("AOA-4.05", "AOA-4.06", "AOA-4.07", "AOA-4.08", "AOA-4.10")
def test_interdiction_tells_how_it_is_done(lay: Lay) -> None:
    case = lay("forces", tweak=wings)
    case.play(chooses("german", "pg1 7; pg2 7", air=air(profile="interdiction")), until=ReportBattle)
    words = case.words("german")
    assert "interdiction" in words
    assert "reserve" in words
    assert "interception" in words
    assert "5" in words
    assert "6" in words


@pytest.mark.rule("AOA-5.01")
def test_only_a_platoon_that_bombards_is_held_off_the_table(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert case.rejects(chooses("german", "pg1 7; pg2 7; cars 4 off")) == "AOA-5.01"
    case.play(chooses("german", "pg1 7; pg2 7; howitzers 4 off"), until=ReportBattle)
    assert case.brief().platoons("german")["howitzers"].off_table


@pytest.mark.rule("AOA-R62")
def test_who_can_form_no_force_concedes(lay: Lay) -> None:
    case = lay("forces", german="pg1 pg full; pg2 pg gutted; cars cars full").play()
    assert case.state.track[-1].conceded == "german"
    assert case.balance() == (1, 6)


@pytest.mark.rule("AOA-2.04")
def test_the_brief_tells_the_edges(lay: Lay) -> None:
    case = lay("forces").play(until=ReportBattle)
    words = case.words("german") + case.words("soviet")
    assert "west" in words
    assert "east" in words
