"""Sentences of a brief about ground, weather, aircraft, artillery and purchases."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Case, Lay, chooses
from transcripts import Transcript

from axis_attack.model import orders
from axis_attack.model.state import AirSupport, AxisState, Purchase
from sandtable.tabletop.result import ReportBattle

HOME = "pg1 7; pg2 7; howitzers 4; mortars 6"
GERMAN = "pg1 pg full; pg2 pg full; howitzers howitzers full; mortars mortars full; cars cars full"


def row(name: str, rules: str, **position: Any) -> Any:
    return pytest.param({"german": GERMAN, **position}, id=name, marks=pytest.mark.rule(*rules.split()))


def said(case: Case) -> str:
    """Return the notes of a brief for both sides and for the Germans."""
    brief = case.play(until=ReportBattle).brief()
    return "\n".join((*brief.effects, *brief.notes, "German:", *brief.parties["german"].notes))


COUNTER = "AOA-9.09 AOA-9.10 AOA-9.11 AOA-9.12 AOA-9.13 AOA-9.14 AOA-R44"
PURCHASES = [
    row("smoke", "AOA-9.06", buys=Purchase("smoke", 1, ("howitzers",))),
    row("night", "AOA-9.07", buys=Purchase("night_attack", 1)),
    row("counterbattery", COUNTER, buys=Purchase("counterbattery", 1)),
    row("counterbattery_bonus", COUNTER, buys=Purchase("counterbattery", 1), counterbattery_mod="bonus_to_roll"),
    row(
        "shoot",
        "AOA-9.16 AOA-9.17 AOA-9.18 AOA-9.19 AOA-9.20",
        buys=Purchase("battalion_shoot", 1, (), ("the mill, turn 3",)),
    ),
    row("registered", "AOA-9.23", buys=Purchase("preregistered", 1, ("howitzers",)), attacker="soviet"),
    row("bombardment", "AOA-9.25", buys=Purchase("aerial_bombardment", 1)),
]


@pytest.mark.rule(
    "AOA-9.06 AOA-9.07 AOA-9.09 AOA-9.10 AOA-9.11 AOA-9.12 AOA-9.13 AOA-9.14 AOA-9.16 AOA-9.17 AOA-9.18 AOA-9.19"
    " AOA-9.20 AOA-9.23 AOA-9.25 AOA-R44"
)
@pytest.mark.parametrize("position", PURCHASES)
def test_purchase_is_noted_in_the_brief(lay: Lay, transcript: Transcript, position: dict[str, Any]) -> None:
    """The target of a shoot stays secret until it arrives (AOA-S05)."""
    setting = {"mission": "hold_the_line", "balance": (20, 20), **position}
    purchase = setting.pop("buys")
    case = lay("forces", **setting).play(until=orders.ChooseForce)
    case.play(chooses("german", HOME, 0, purchase), until=ReportBattle)
    assert "the mill" not in case.words("german")
    assert case.brief().parties["german"].extras == {purchase.kind: 1}
    transcript("\n".join(case.brief().parties["german"].notes))


OFF, SMOKE = {"german": "pg1 7; pg2 7; howitzers 4 off"}, {"german": "pg1 7; pg2 7; howitzers 4"}
ALLOWED = "AOA-5.07 AOA-5.08 AOA-5.09 AOA-5.10"
BUNKERS = "AOA-5.11 AOA-5.12 AOA-5.13 AOA-5.14 AOA-5.15 AOA-R46"


@pytest.mark.rule(
    "AOA-5.02 AOA-5.03 AOA-5.04 AOA-5.05 AOA-5.06 AOA-5.07 AOA-5.08 AOA-5.09 AOA-5.10 AOA-5.11 AOA-5.12 AOA-5.13"
    " AOA-5.14 AOA-5.15 AOA-R46"
)
@pytest.mark.parametrize(
    "position",
    [
        row("off_table", "AOA-5.02 AOA-5.03 AOA-5.04 AOA-5.05 AOA-5.06", forces=OFF),
        row("smoke_of_an_attacker", ALLOWED, mission="hold_the_line", forces=SMOKE),
        row("smoke_elsewhere", ALLOWED, mission="cauldron", forces=SMOKE),
        row("bunkers", BUNKERS, mission="trench_fight"),
        row("bunkers_more_than_double", BUNKERS, mission="trench_fight", bunker_kill="more_than_double"),
    ],
)
def test_artillery_and_bunkers_have_notes(lay: Lay, transcript: Transcript, position: dict[str, Any]) -> None:
    transcript(said(lay("battle", **position)))


def fly(profile: str) -> Any:
    def setting(state: AxisState) -> None:
        state.forces["german"].air = AirSupport("ju87", "limited", profile, "bombs")

    return setting


def ground(weather: str, mud: int = 0, profile: str = "") -> Any:
    """Set the weather of the last turn, the mud, and the profile of German aircraft."""

    def setting(state: AxisState) -> None:
        state.weather, state.mud = weather, mud
        if profile:
            fly(profile)(state)

    return setting


FLOOD = "AOA-6.23 AOA-6.24 AOA-6.25 AOA-6.26 AOA-R20"
FLYING = "AOA-6.08 AOA-6.09 AOA-R22"


@pytest.mark.rule("AOA-6.24", "AOA-6.26", "AOA-R20")
@pytest.mark.parametrize(
    ("options", "words"), [({}, "so they are difficult"), ({"flood_roads": "cross_country"}, "normal cross-country")]
)
def test_roads_in_a_flood_are_difficult_by_default(lay: Lay, options: dict[str, str], words: str) -> None:
    position = row("flood", FLOOD, tweak=ground("cloudy", 4), dice={"weather": "6"}, **options)
    brief = lay("weather", **position.values[0]).play(until=ReportBattle).brief()
    (road,) = [each for each in brief.effects if "Roads" in each]
    assert words in road


@pytest.mark.rule(
    "AOA-4.02 AOA-4.03 AOA-4.04 AOA-4.05 AOA-4.06 AOA-4.07 AOA-4.08 AOA-4.10 AOA-6.08 AOA-6.09 AOA-6.15 AOA-6.16"
    " AOA-6.17 AOA-6.18 AOA-6.19 AOA-6.20 AOA-6.21 AOA-6.22 AOA-6.23 AOA-6.24 AOA-6.25 AOA-6.26 AOA-R20 AOA-R21 AOA-R22"
    " AOA-R23"
)
@pytest.mark.parametrize(
    "position",
    [
        row("dry", "AOA-6.15 AOA-6.16", tweak=ground("clear"), dice={"weather": "1"}),
        row("wet", "AOA-6.17 AOA-6.18 AOA-R21", tweak=ground("clear"), dice={"weather": "6"}),
        row("muddy", "AOA-6.19 AOA-6.20", tweak=ground("clear", 1), dice={"weather": "6"}),
        row("morass", "AOA-6.21 AOA-6.22", tweak=ground("clear", 2), dice={"weather": "6"}),
        row("flood", FLOOD, tweak=ground("cloudy", 4), dice={"weather": "6"}),
        row("flood_roads", FLOOD, tweak=ground("cloudy", 4), dice={"weather": "6"}, flood_roads="cross_country"),
        row("cloudy", FLYING, tweak=ground("clear"), dice={"weather": "5"}),
        row("steady_rain", FLYING, tweak=ground("steady_rain"), dice={"weather": "5"}),
        row("rain", FLYING, tweak=ground("clear"), dice={"weather": "6"}, rain_air_scope="ground_and_interdiction"),
        row("rain_for_all", "AOA-R22", tweak=ground("clear"), dice={"weather": "6"}, rain_air_scope="all"),
        row(
            "superiority_in_rain",
            "AOA-R23 AOA-6.09 AOA-4.03 AOA-4.04",
            tweak=ground("clear", 0, "superiority"),
            dice={"weather": "6"},
        ),
        row("close_support", "AOA-4.02", tweak=ground("clear", 0, "close_support")),
        row("superiority", "AOA-4.03 AOA-4.04", tweak=ground("clear", 0, "superiority")),
        row(
            "interdiction",
            "AOA-4.05 AOA-4.06 AOA-4.07 AOA-4.08 AOA-4.10",
            tweak=ground("clear", 0, "interdiction"),
        ),
    ],
)
def test_ground_and_weather_have_effects(lay: Lay, transcript: Transcript, position: dict[str, Any]) -> None:
    case = lay("weather", **position)
    brief = case.play(until=ReportBattle).brief()
    assert (brief.weather, brief.mud) == (case.state.weather, case.state.mud)
    lines = (*brief.effects, "German:", *brief.parties["german"].notes)
    transcript("\n".join((f"{brief.weather}, mud {brief.mud}", *lines)))
