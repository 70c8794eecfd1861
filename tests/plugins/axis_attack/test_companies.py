"""Chapter I: the starting force, its points, and the strengths that are written down for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.axis_attack.cases import AirSupport, builds, chooses

from axis_attack.model import orders
from axis_attack.model.events import CampaignOpened, CompanyBuilt
from axis_attack.model.state import AxisState
from axis_attack.model.strength import level_of
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

LEAST = "pg1 pg 5; pg2 pg 5"
STUKA = AirSupport("ju87", "limited", "close_support", "bombs")


def stukas(state: AxisState) -> None:
    state.aircraft["german"] = {"ju87": "limited"}


@pytest.mark.rule("AOA-1.01", "AOA-O2")
def test_a_company_costs_no_more_than_was_agreed(lay: Lay) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    dear = "pg1 pg 7; pg2 pg 7; hmg hmg 5; a panzer 5; b panzer 5; c pak40 4"  # 50 + 205 + 205 + 135 + 525 + 525 + 345
    assert case.allows(builds("german", dear))
    assert case.rejects(builds("german", f"{dear}; d flak 2")) == "AOA-1.01"


@pytest.mark.rule("AOA-1.01")
def test_each_side_builds_its_own_company_without_seeing_the_other(lay: Lay) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    assert sorted(each.side for each in case.asked) == ["german", "soviet"]
    case.game.submit(builds("german", LEAST)[1], "german")
    assert case.events(CompanyBuilt) == []


@pytest.mark.rule("AOA-1.03", "AOA-1.07", "AOA-1.08", "AOA-1.09", "AOA-1.10")
@pytest.mark.parametrize(
    ("tanks", "level"),
    [
        (10, "full strength"),
        (9, "under strength"),
        (8, "under strength"),
        (7, "under strength"),
        (6, "depleted"),
        (5, "depleted"),
    ],
)
def test_the_strength_bought_is_rounded_down_to_a_level(lay: Lay, tanks: int, level: str) -> None:
    case = lay("setup.company")
    case.play(builds("german", LEAST), builds("soviet", f"t1 tankovy {tanks}; t2 tankovy 5"), until=orders.Concede)
    assert case.level("t1") == level
    assert case.platoon("t1").bought == case.platoon("t1").level


@pytest.mark.rule("AOA-1.09", "AOA-R08")
def test_half_way_is_a_level_only_where_the_list_has_that_size(lay: Lay) -> None:
    types = lay("setup.company").state.board.lists["german"].types
    assert [level_of(types["pg"], teams) for teams in range(8)] == [1, 1, 1, 1, 1, 2, 2, 4]
    assert [level_of(types["pak40"], teams) for teams in range(5)] == [1, 1, 2, 3, 4]


@pytest.mark.rule("AOA-1.05")
@pytest.mark.parametrize("teams", [4, 6, 8, 0, -5])
def test_a_platoon_has_a_size_of_its_list(lay: Lay, teams: int) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    assert case.why_not(builds("german", f"pg1 pg {teams}; pg2 pg 5")) == "AOA-1.05"


@pytest.mark.rule("AOA-1.06")
def test_upgrades_are_not_counted_in_the_strength(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", "pg1 pg 5 light_mortar; pg2 pg 5"), until=orders.Concede)
    assert case.level("pg1", "pg2") == "depleted, depleted"
    assert case.platoon("pg1").teams == 5
    assert case.platoon("pg1").upgrades == {"light_mortar": 1}


@pytest.mark.rule("AOA-1.16")
@pytest.mark.parametrize("bought", ["light_mortar=2", "light_mortar=-1", "cupola=1"])
def test_upgrades_are_those_of_the_list_and_not_too_many(lay: Lay, bought: str) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    assert case.why_not(builds("german", f"pg1 pg 5 {bought}; pg2 pg 5"))


@pytest.mark.rule("AOA-1.11", "AOA-R12")
def test_sections_of_the_headquarters_are_small_platoons(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", f"{LEAST}; hq knackers 2"), until=orders.Concede)
    assert case.level("hq") == "depleted"
    assert case.state.ladder["german"]["hq"] == [2]


@pytest.mark.rule("AOA-1.01")
@pytest.mark.parametrize(
    "force", ["pg1 pg 5", "pg1 pg 5; pg2 pg 5; pg3 apg 5; pg4 apg 5", "pg1 pg 5; t1 tankovy 5", ""]
)
def test_the_numbers_of_the_list_bind(lay: Lay, force: str) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    assert case.why_not(builds("german", force))


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


@pytest.mark.rule("AOA-1.04")
def test_nobody_is_fielded_above_the_strength_he_was_bought_at(lay: Lay) -> None:
    case = lay("forces", german="pg1 pg depleted bought=depleted; pg2 pg full").play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 5; pg2 7"))
    assert case.why_not(chooses("german", "pg1 7; pg2 7")) in {"AOA-1.04", "AOA-3.05"}


@pytest.mark.rule("AOA-1.02")
def test_what_was_not_bought_cannot_be_used(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 7 light_mortar; pg2 7"))
    assert case.why_not(chooses("german", "pg1 7; pg2 7 light_mortar")) in {"AOA-1.02", "AOA-1.16"}


@pytest.mark.rule("AOA-1.16", "AOA-3.08")
@pytest.mark.parametrize("tanks", [5, 6, 7])
def test_upgrades_bought_for_three_tanks_serve_three_at_any_strength(lay: Lay, tanks: int) -> None:
    case = lay("forces", soviet="t1 tankovy under cupola=3; t2 tankovy full").play(until=orders.ChooseForce)
    assert case.allows(chooses("soviet", f"t1 {tanks} cupola=3; t2 5"))
    assert case.why_not(chooses("soviet", f"t1 {tanks} cupola=4; t2 5")) in {"AOA-1.16", "AOA-3.08"}


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


@pytest.mark.rule("AOA-2.01", "AOA-2.02", "AOA-2.03", "AOA-2.05", "AOA-R02", "AOA-R04", "AOA-R07", "AOA-R16")
def test_the_campaign_opens_in_the_middle_with_an_encounter(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", LEAST), until=orders.PlaceTable)
    opened = case.one(CampaignOpened)
    assert (opened.sector, opened.mission, opened.weather) == (4, "encounter", "clear")
    assert case.balance() == (0, 0)
    assert case.state.turn == 1
    assert case.state.mud == 0


@pytest.mark.rule("AOA-R07")
def test_points_to_begin_with_are_what_the_board_says(lay: Lay) -> None:
    case = lay("setup.company", changes={"start_points": 3}).play(until=orders.PlaceTable)
    assert case.balance() == (3, 3)


@pytest.mark.rule("AOA-R16")
@pytest.mark.parametrize(
    ("die", "weather"), [(1, "clear"), (3, "clear"), (4, "cloudy"), (5, "intermittent_rain"), (6, "steady_rain")]
)
def test_the_weather_before_may_be_rolled(lay: Lay, die: int, weather: str) -> None:
    case = lay("setup.company", dice={"weather": str(die)}, initial_weather="random").play(until=orders.PlaceTable)
    assert case.one(CampaignOpened).weather == weather


@pytest.mark.rule("AOA-R01", "AOA-R03", "AOA-2.02", "AOA-2.04")
def test_the_track_is_a_line_with_a_home_at_each_end(lay: Lay) -> None:
    board = lay("setup.company").state.board
    assert [each.number for each in board.sectors] == [1, 2, 3, 4, 5, 6, 7]
    assert board.home == {"german": 1, "soviet": 7}
