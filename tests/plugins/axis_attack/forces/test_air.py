"""Air support: purchase, level, profile and load."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from every_draw import chances_of, even
from tests.plugins.axis_attack.cases import Answer, Lay, builds, chooses
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.forces.air import AirAllotment
from axis_attack.model import orders
from axis_attack.model.events import CompanyBuilt
from axis_attack.model.state import AirSupport
from sandtable.tabletop.result import ReportBattle

LEAST = "pg1 pg 5; pg2 pg 5"
TWO = "pg1 7; pg2 7"


def air(level: str = "limited", profile: str = "close_support", load: str = "bombs", aircraft: str = "ju87") -> Answer:
    return chooses("german", TWO, air=AirSupport(aircraft, level, profile, load))


def flying(**bought: str) -> Any:
    return lambda state: state.aircraft.update({"german": bought})


def refuses(rules: str, name: str, *wrong: Any, legal: Any = (), **bought: str) -> Any:
    """Return a row of illegal and legal sorties, with aircraft bought at the start."""
    more = {"at": "forces", "until": orders.ChooseForce, "tweak": flying(**bought)}
    return row(rules, name, wrong=wrong, legal=legal, **more)


def loads(profile: str) -> Any:
    legal = [air(profile=profile, load="rockets"), air(profile=profile, load="", aircraft="bf109")]
    wrong = [(air(profile=profile, load=load), "4.09") for load in ("", "leaflets")]
    return refuses("4.09 R25", f"loads {profile}", *wrong, legal=legal, ju87="limited", bf109="limited")


@pytest.mark.rule("AOA-1.12 AOA-1.13 AOA-1.14 AOA-1.15 AOA-4.01 AOA-4.09 AOA-R25")
@pytest.mark.parametrize(
    "case",
    [
        row("1.14", "not_in_the_list", at="setup.company", until=orders.BuildCompany,
            wrong=[builds("german", LEAST, il2="limited"), builds("german", LEAST, ju87="always")]),
        refuses("1.12", "not_bought", (air(), "1.12")),
        refuses("1.13", "above_the_level_bought", (air("priority"), "1.13"), ju87="limited"),
        refuses("1.15", "two_types", air(aircraft="ju87 hs129"), legal=[air(), air(aircraft="hs129")],
                ju87="limited", hs129="limited"),
        refuses("4.01", "profile", air(profile=""), (air(profile="parade"), "4.01"), ju87="limited"),
        loads("close_support"),
        loads("superiority"),
        loads("interdiction"),
    ],
)  # fmt: skip
def test_air_support_follows_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-1.12", "AOA-1.13", "AOA-1.14")
def test_each_aircraft_type_is_paid_for(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", LEAST, ju87="limited", hs129="sporadic"), until=orders.Concede)
    built = case.one(CompanyBuilt, side="german")
    assert built.aircraft == case.state.aircraft["german"] == {"ju87": "limited", "hs129": "sporadic"}
    assert built.points == 50 + 145 + 145 + 150 + 100


@pytest.mark.rule("AOA-1.13", "AOA-R24")
def test_lower_level_costs_less(lay: Lay) -> None:
    case = lay("forces", tweak=flying(ju87="limited")).play(air("sporadic"), until=ReportBattle)
    assert case.state.forces["german"].points == 50 + 205 + 205 + 100


@pytest.mark.rule("AOA-4.01", "AOA-4.02", "AOA-4.03", "AOA-4.05")
@pytest.mark.parametrize("profile", ["close_support", "superiority", "interdiction"])
def test_brief_has_air_level_and_profile(lay: Lay, profile: str) -> None:
    case = lay("forces", tweak=flying(ju87="limited")).play(air(profile=profile), until=ReportBattle)
    assert case.state.forces["german"].air.profile == profile
    assert case.brief().parties["german"].air == "limited"
    assert profile.replace("_", " ").split()[-1] in case.words("german")


@pytest.mark.rule("AOA-1.13", "AOA-4.01", "AOA-4.09", "AOA-R25")
@pytest.mark.parametrize(
    ("points", "levels"),
    [
        (99, {}),
        (100, {"ju87": ["sporadic"], "bf109": ["sporadic"]}),
        (149, {"ju87": ["sporadic"], "bf109": ["sporadic"]}),
        (150, {"ju87": ["sporadic", "limited"], "bf109": ["sporadic"]}),
    ],
)
def test_no_aircraft_and_each_affordable_type_are_equally_likely(points: int, levels: dict[str, list[str]]) -> None:
    allotment = AirAllotment(
        {"ju87": ("sporadic", "limited"), "bf109": ("sporadic",)}, {"sporadic": 100, "limited": 150}, ("ju87",)
    )
    wanted = {AirSupport(): Fraction(1, 1 + len(levels))}
    profiles = ("close_support", "superiority", "interdiction")
    for aircraft, able in levels.items():
        loads = ("bombs", "rockets") if aircraft == "ju87" else ("",)
        ways = [AirSupport(aircraft, *each) for each in product(able, profiles, loads)]
        wanted |= even(ways, Fraction(1, 1 + len(levels)))
    assert chances_of(lambda stream: allotment.draw(stream, points), lambda it: it) == wanted
    listed = list(allotment.sorties(points))
    assert (listed[0], set(listed), len(listed)) == (AirSupport(), set(wanted), len(wanted))
