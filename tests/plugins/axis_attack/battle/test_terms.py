"""Sentences of a brief about ground, weather, aircraft, artillery and purchases."""

from collections.abc import Callable

import pytest
from tests.plugins.axis_attack.cases import AirSupport, Case, Lay, Purchase, chooses

from axis_attack.model import orders
from axis_attack.model.state import AxisState
from sandtable.tabletop.result import ReportBattle

HOME = {"german": "pg1 7; pg2 7; howitzers 4; mortars 6", "soviet": "t1 5; t2 5; guns 4"}


GERMAN = (
    "pg1 pg full; pg2 pg full; howitzers howitzers full; mortars mortars full; cars cars full; extra howitzers full"
)


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


def bought(lay: Lay, side: str, purchase: Purchase, attacker: str = "german") -> Case:
    """Buy, and go on to the brief."""
    return desk(lay, attacker=attacker).play(chooses(side, HOME[side], 0, purchase), until=ReportBattle)


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


CLEAR, CLOUDY, RAIN, STEADY = "clear", "cloudy", "intermittent_rain", "steady_rain"


def ground(weather: str, mud: int = 0) -> Callable[[AxisState], None]:
    """Lay the last turn's weather and the mud."""

    def laid(state: AxisState) -> None:
        state.weather, state.mud = weather, mud

    return laid


def ground_words(lay: Lay, mud: int, **options: str) -> str:
    """Return what a brief says of the ground at a mud level, after a clear or a rainy turn that leads there."""
    if mud == 0:
        case = lay("weather", tweak=ground(CLEAR), dice={"weather": "1"}, **options)
    elif mud == 4:
        case = lay("weather", tweak=ground(CLOUDY, 4), dice={"weather": "6"}, **options)
    else:
        case = lay("weather", tweak=ground(CLEAR, mud - 1), dice={"weather": "6"}, **options)
    case.play(until=ReportBattle)
    assert case.state.mud == mud
    assert case.brief().mud == mud
    return case.words()


@pytest.mark.rule("AOA-6.08", "AOA-6.09", "AOA-R22")
def test_the_brief_tells_what_the_weather_does_to_aircraft(lay: Lay) -> None:
    for last, die in ((CLEAR, "5"), (STEADY, "5")):
        case = lay("weather", tweak=ground(last), dice={"weather": die}).play(until=ReportBattle)
        assert "nobody has air support" in case.words()
    case = lay("weather", tweak=ground(CLEAR), dice={"weather": "6"}).play(until=ReportBattle)
    assert "need 1 more" in case.words()
    assert "air support" not in lay("weather").play(until=ReportBattle).words()


@pytest.mark.rule("AOA-R22")
def test_the_rain_may_hinder_interception_too(lay: Lay) -> None:
    said = []
    for scope in ("ground_and_interdiction", "all"):
        case = lay("weather", tweak=ground(CLEAR), dice={"weather": "6"}, rain_air_scope=scope)
        said.append(case.play(until=ReportBattle).words())
    assert said[0] != said[1]
    assert "interception" in said[1]


@pytest.mark.rule("AOA-6.15", "AOA-6.16")
def test_dry(lay: Lay) -> None:
    words = ground_words(lay, 0)
    assert "fields are clear" in words
    assert "difficult" in words


@pytest.mark.rule("AOA-6.17", "AOA-6.18", "AOA-R21")
def test_wet(lay: Lay) -> None:
    words = ground_words(lay, 1)
    assert "on 1-2 it is difficult, else clear, for the game" in words
    assert "gull" in words
    assert "very difficult" not in words


@pytest.mark.rule("AOA-6.19", "AOA-6.20")
def test_muddy(lay: Lay) -> None:
    words = ground_words(lay, 2)
    assert "difficult" in words
    assert "very difficult" in words


@pytest.mark.rule("AOA-6.21", "AOA-6.22")
def test_morass(lay: Lay) -> None:
    words = ground_words(lay, 3)
    assert "on 1-2 it is very difficult, else difficult" in words
    assert words.count("very difficult") >= 2


@pytest.mark.rule("AOA-6.23", "AOA-6.24", "AOA-6.25", "AOA-6.26", "AOA-R20")
def test_flood(lay: Lay) -> None:
    words = ground_words(lay, 4)
    assert "impassable" in words
    assert "very difficult" in words
    assert "cross-country" in words or "open country" in words
    assert "road" in words
    assert ground_words(lay, 4, flood_roads="difficult") != words
