"""Air support: purchase, level, profile and load."""

from fractions import Fraction
from itertools import product

import pytest
from every_draw import chances_of, even
from tests.plugins.axis_attack.cases import Lay, builds, chooses

from axis_attack.forces.air import AirAllotment
from axis_attack.model import orders
from axis_attack.model.events import CompanyBuilt
from axis_attack.model.state import AirSupport, AxisState
from sandtable.tabletop.result import ReportBattle

LEAST = "pg1 pg 5; pg2 pg 5"
STUKA = AirSupport("ju87", "limited", "close_support", "bombs")


def stukas(state: AxisState) -> None:
    state.aircraft["german"] = {"ju87": "limited"}


@pytest.mark.rule("AOA-1.12", "AOA-1.13", "AOA-1.14")
def test_air_support_is_bought_type_by_type(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", LEAST, ju87="limited", hs129="sporadic"), until=orders.Concede)
    built = case.one(CompanyBuilt, side="german")
    assert built.aircraft == {"ju87": "limited", "hs129": "sporadic"}
    assert built.points == 50 + 145 + 145 + 150 + 100
    assert case.state.aircraft["german"] == built.aircraft


@pytest.mark.rule("AOA-1.14")
@pytest.mark.parametrize("aircraft", [{"il2": "limited"}, {"ju87": "always"}])
def test_aircraft_and_levels_are_those_of_the_list(lay: Lay, aircraft: dict[str, str]) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    assert case.why_not(builds("german", LEAST, **aircraft))


@pytest.mark.rule("AOA-1.12")
def test_no_air_support_without_having_bought_it(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg1 7; pg2 7", air=STUKA)) == "AOA-1.12"


@pytest.mark.rule("AOA-1.13", "AOA-R24")
def test_the_level_bought_is_the_most_and_a_lower_one_costs_less(lay: Lay) -> None:
    case = lay("forces", tweak=stukas).play(until=orders.ChooseForce)
    assert (
        case.why_not(chooses("german", "pg1 7; pg2 7", air=AirSupport("ju87", "priority", "close_support", "bombs")))
        == "AOA-1.13"
    )
    case.play(
        chooses("german", "pg1 7; pg2 7", air=AirSupport("ju87", "sporadic", "close_support", "bombs")),
        until=ReportBattle,
    )
    assert case.state.forces["german"].points == 50 + 205 + 205 + 100


@pytest.mark.rule("AOA-1.15")
def test_one_type_of_aircraft_flies_in_a_game(lay: Lay) -> None:
    def both(state: AxisState) -> None:
        state.aircraft["german"] = {"ju87": "limited", "hs129": "limited"}

    case = lay("forces", tweak=both).play(until=orders.ChooseForce)
    for aircraft in ("ju87", "hs129"):
        assert case.allows(
            chooses("german", "pg1 7; pg2 7", air=AirSupport(aircraft, "limited", "close_support", "bombs"))
        )
    assert case.why_not(
        chooses("german", "pg1 7; pg2 7", air=AirSupport("ju87 hs129", "limited", "close_support", "bombs"))
    )


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
def test_no_aircraft_are_as_likely_as_any_one_type_that_can_be_paid(points: int, levels: dict[str, list[str]]) -> None:
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
