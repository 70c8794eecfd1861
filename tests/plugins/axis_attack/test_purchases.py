"""Victory points for special rules of a mission: who may buy what, for how much, and what the brief says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.axis_attack.cases import AirSupport, Case, Purchase, chooses

from axis_attack.model import orders
from axis_attack.model.state import AxisState
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

HOME = {"german": "pg1 7; pg2 7; howitzers 4; mortars 6", "soviet": "t1 5; t2 5; guns 4"}
GERMAN = (
    "pg1 pg full; pg2 pg full; howitzers howitzers full; mortars mortars full; cars cars full; extra howitzers full"
)
DEFENSIVE = ("fighting_withdrawal", "hold_the_line", "trench_fight")

SMOKE = Purchase("smoke", 1, ("howitzers",))
NIGHT = Purchase("night_attack", 1)
COUNTER = Purchase("counterbattery", 1)
SHOOT = Purchase("battalion_shoot", 1, (), ("the mill, turn 3",))
REGISTERED = Purchase("preregistered", 1, ("howitzers",))
BOMBS = Purchase("aerial_bombardment", 1)


def desk(
    lay: Lay, mission: str = "hold_the_line", attacker: str = "german", balance: tuple[int, int] = (20, 20)
) -> Case:
    case: Case = lay("forces", german=GERMAN, mission=mission, attacker=attacker, balance=balance)
    return case.play(until=orders.ChooseForce)


def buys(case: Case, side: str, purchase: Purchase) -> str:
    """Return the rule against a purchase, "" if it is allowed."""
    return case.why_not(chooses(side, HOME[side], 0, purchase))


def bought(lay: Lay, side: str, purchase: Purchase, attacker: str = "german") -> Case:
    """Buy, and go on to the brief."""
    return desk(lay, attacker=attacker).play(chooses(side, HOME[side], 0, purchase), until=ReportBattle)


@pytest.mark.rule("AOA-9.04", "AOA-9.07", "AOA-9.16", "AOA-9.22", "AOA-9.25")
@pytest.mark.parametrize(
    ("purchase", "who"),
    [
        (SMOKE, "attacker"),
        (NIGHT, "attacker"),
        (BOMBS, "attacker"),
        (REGISTERED, "defender"),
        (SHOOT, "both"),
        (COUNTER, "both"),
    ],
    ids=lambda value: getattr(value, "kind", value),
)
def test_who_may_buy_what_in_a_defensive_battle(lay: Lay, purchase: Purchase, who: str) -> None:
    for mission in DEFENSIVE:
        attacking = desk(lay, mission, "german")
        defending = desk(lay, mission, "soviet")
        assert (buys(attacking, "german", purchase) == "") is (who in {"attacker", "both"})
        assert (buys(defending, "german", purchase) == "") is (who in {"defender", "both"})


@pytest.mark.rule("AOA-9.04", "AOA-9.07", "AOA-9.09", "AOA-9.16", "AOA-9.22", "AOA-9.25")
@pytest.mark.parametrize("mission", ["breakthrough", "encounter", "cauldron"])
def test_in_other_missions_only_counterbattery_is_to_be_had(lay: Lay, mission: str) -> None:
    case = desk(lay, mission)
    assert [
        each.kind for each in (SMOKE, NIGHT, COUNTER, SHOOT, REGISTERED, BOMBS) if buys(case, "german", each) == ""
    ] == ["counterbattery"]


@pytest.mark.rule("AOA-9.02", "AOA-9.05", "AOA-9.08", "AOA-9.15", "AOA-9.21", "AOA-9.24", "AOA-9.27")
@pytest.mark.parametrize(
    ("purchase", "attacker", "price"),
    [
        (SMOKE, "german", 1),
        (NIGHT, "german", 5),
        (COUNTER, "german", 3),
        (SHOOT, "german", 3),
        (REGISTERED, "soviet", 2),
        (BOMBS, "german", 7),
    ],
    ids=lambda value: getattr(value, "kind", value),
)
def test_the_price_is_paid_at_once(lay: Lay, purchase: Purchase, attacker: str, price: int) -> None:
    case = bought(lay, "german", purchase, attacker=attacker)
    assert case.balance() == (20 - price, 20)
    assert case.state.forces["german"].purchase.kind == purchase.kind
    short = desk(lay, attacker=attacker, balance=(price - 1, 0))
    assert buys(short, "german", purchase)


@pytest.mark.rule("AOA-9.21", "AOA-R43")
def test_several_shoots_may_be_bought_each_with_its_target(lay: Lay) -> None:
    three = Purchase("battalion_shoot", 3, (), ("the mill, turn 2", "the ford, turn 3", "the ford, turn 4"))
    case = desk(lay, balance=(9, 0))
    assert case.allows(chooses("german", HOME["german"], 0, three))
    assert case.why_not(chooses("german", HOME["german"], 0, Purchase("battalion_shoot", 3, (), ("the mill, turn 2",))))
    assert case.why_not(chooses("german", HOME["german"], 1, three))  # ten points, nine there
    case.play(chooses("german", HOME["german"], 0, three), until=ReportBattle)
    assert case.balance() == (0, 0)
    assert case.brief().parties["german"].extras == {"battalion_shoot": 3}


@pytest.mark.rule("AOA-9.24", "AOA-R43")
def test_platoons_are_paid_one_by_one(lay: Lay) -> None:
    case = desk(lay, attacker="soviet")
    both = Purchase("preregistered", 2, ("howitzers", "mortars"))
    assert buys(case, "german", Purchase("preregistered", 1, both.platoons))
    assert buys(case, "german", Purchase("preregistered", 2, ("howitzers",)))
    case.play(chooses("german", HOME["german"], 0, both), until=ReportBattle)
    assert case.balance() == (16, 20)
    assert case.brief().parties["german"].extras == {"preregistered": 2}


@pytest.mark.rule("AOA-9.04", "AOA-R45")
@pytest.mark.parametrize(
    "name", ["mortars", "pg1", "extra", "nobody"], ids=["weapons", "no artillery", "not fielded", "unknown"]
)
def test_extra_smoke_is_for_support_platoons_that_fire_smoke(lay: Lay, name: str) -> None:
    case = desk(lay)
    assert buys(case, "german", Purchase("smoke", 1, (name,)))
    assert buys(case, "german", Purchase("smoke", 2, ("howitzers", "howitzers")))


@pytest.mark.rule("AOA-9.22")
@pytest.mark.parametrize("name", ["pg1", "extra", "guns"])
def test_only_a_platoon_that_bombards_is_registered(lay: Lay, name: str) -> None:
    assert buys(desk(lay, attacker="soviet"), "german", Purchase("preregistered", 1, (name,)))


@pytest.mark.rule("AOA-9.03", "AOA-R43")
def test_one_kind_per_player_and_game(lay: Lay) -> None:
    case = desk(lay)
    assert buys(case, "german", Purchase("night_attack", 2))
    assert buys(case, "german", Purchase("night_attack", 1, ("howitzers",)))
    assert buys(case, "german", Purchase("counterbattery", 2))
    assert buys(case, "german", Purchase("parade", 1)) == "AOA-9.03"


@pytest.mark.rule("AOA-R43", "AOA-9.03")
def test_points_for_the_limit_are_no_special_rule(lay: Lay) -> None:
    case = desk(lay)
    assert case.allows(chooses("german", HOME["german"], 3, NIGHT))


@pytest.mark.rule("AOA-9.26")
def test_a_bombardment_takes_all_aircraft(lay: Lay) -> None:
    def wings(state: AxisState) -> None:
        state.aircraft["german"] = {"ju87": "limited"}

    case = lay("forces", german=GERMAN, mission="trench_fight", balance=(20, 0), tweak=wings).play(
        until=orders.ChooseForce
    )
    stuka = AirSupport("ju87", "limited", "close_support", "bombs")
    assert case.allows(chooses("german", "pg1 7; pg2 7", air=stuka))
    assert case.allows(chooses("german", "pg1 7; pg2 7", 0, BOMBS))
    assert case.why_not(chooses("german", "pg1 7; pg2 7", 0, BOMBS, stuka)) == "AOA-9.26"


@pytest.mark.rule("AOA-9.01")
@pytest.mark.parametrize(
    ("purchase", "attacker"),
    [(NIGHT, "german"), (COUNTER, "german"), (BOMBS, "german"), (REGISTERED, "soviet"), (SMOKE, "german")],
    ids=lambda v: getattr(v, "kind", v),
)
def test_it_stands_in_the_force_list(lay: Lay, purchase: Purchase, attacker: str) -> None:
    case = bought(lay, "german", purchase, attacker=attacker)
    assert case.brief().parties["german"].extras == {purchase.kind: 1}


@pytest.mark.rule("AOA-9.06")
def test_smoke_in_words(lay: Lay) -> None:
    assert "smoke" in bought(lay, "german", SMOKE).words("german")


@pytest.mark.rule("AOA-9.07")
def test_night_in_words(lay: Lay) -> None:
    assert "night" in bought(lay, "german", NIGHT).words("german")


@pytest.mark.rule("AOA-9.09", "AOA-9.10", "AOA-9.11", "AOA-9.12", "AOA-9.13", "AOA-9.14", "AOA-R44")
def test_counterbattery_in_words(lay: Lay) -> None:
    words = bought(lay, "german", COUNTER).words("german")
    for each in ("1 more", "2 more", "at 5", "2+", "4+"):
        assert each in words
    case = lay("forces", german=GERMAN, balance=(9, 9), counterbattery_mod="bonus_to_roll").play(
        until=orders.ChooseForce
    )
    case.play(chooses("german", HOME["german"], 0, COUNTER), until=ReportBattle)
    assert case.words("german") != words


@pytest.mark.rule("AOA-9.16", "AOA-9.17", "AOA-9.18", "AOA-9.19", "AOA-9.20")
def test_shoot_in_words(lay: Lay) -> None:
    words = bought(lay, "german", SHOOT).words("german")
    assert "the mill" not in words  # what is written stays secret until it arrives (AOA-S05)
    for each in ("3+", "2+", "cancel"):
        assert each in words


@pytest.mark.rule("AOA-9.23")
def test_registered_in_words(lay: Lay) -> None:
    words = bought(lay, "german", REGISTERED, attacker="soviet").words("german")
    assert "1 less" in words


@pytest.mark.rule("AOA-9.25")
def test_bombardment_in_words(lay: Lay) -> None:
    assert "preliminary bombardment" in bought(lay, "german", BOMBS).words("german")


@pytest.mark.rule("AOA-5.02", "AOA-5.03", "AOA-5.04", "AOA-5.05", "AOA-5.06")
def test_off_table_artillery_in_words(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7; howitzers 4 off"})
    words = case.play(until=ReportBattle).words("german")
    for each in ("marker", "observer", "morale", "reserve"):
        assert each in words


@pytest.mark.rule("AOA-5.07", "AOA-5.08", "AOA-5.09", "AOA-5.10")
def test_smoke_allowances_in_words(lay: Lay) -> None:
    force = {"german": "pg1 7; pg2 7; howitzers 4"}
    attacking = lay("battle", mission="hold_the_line", forces=force).play(until=ReportBattle).words("german")
    elsewhere = lay("battle", mission="cauldron", forces=force).play(until=ReportBattle).words("german")
    assert "smoke" in attacking
    assert "conscript" in attacking
    assert "two" in attacking or "2" in attacking
    assert attacking != elsewhere


@pytest.mark.rule("AOA-5.11", "AOA-5.12", "AOA-5.13", "AOA-5.14", "AOA-5.15", "AOA-R46")
def test_bunkers_in_words(lay: Lay) -> None:
    words = lay("battle", mission="trench_fight").play(until=ReportBattle).words()
    for each in ("bunker", "skill", "double", "pin", "4"):
        assert each in words
    other = lay("battle", mission="trench_fight", bunker_kill="more_than_double").play(until=ReportBattle).words()
    assert other != words


@pytest.mark.rule("AOA-R23", "AOA-6.09", "AOA-4.03")
def test_superiority_in_rain_has_no_ground_support(lay: Lay) -> None:
    def flying(state: AxisState) -> None:
        state.forces["german"].air = AirSupport("ju87", "limited", "superiority", "bombs")

    case = lay("weather", dice={"weather": "6"}, tweak=flying).play(until=ReportBattle)
    assert case.state.weather == "intermittent_rain"
    assert "no ground support" in case.words("german")
