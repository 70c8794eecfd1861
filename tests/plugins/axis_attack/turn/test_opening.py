"""The opening of a campaign."""

import pytest
from tests.plugins.axis_attack.cases import Lay, builds

from axis_attack.model import orders
from axis_attack.model.events import CampaignOpened

LEAST = "pg1 pg 5; pg2 pg 5"


@pytest.mark.rule("AOA-2.01", "AOA-2.02", "AOA-2.03", "AOA-2.05", "AOA-R02", "AOA-R04", "AOA-R07", "AOA-R16")
def test_campaign_opens_in_the_middle_with_an_encounter(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", LEAST), until=orders.PlaceTable)
    opened = case.one(CampaignOpened)
    assert (opened.sector, opened.mission, opened.weather) == (4, "encounter", "clear")
    assert case.balance() == (0, 0)
    assert case.state.turn == 1
    assert case.state.mud == 0


@pytest.mark.rule("AOA-R07")
def test_starting_points_match_the_board(lay: Lay) -> None:
    case = lay("setup.company", changes={"start_points": 3}).play(until=orders.PlaceTable)
    assert case.balance() == (3, 3)


@pytest.mark.rule("AOA-R16")
@pytest.mark.parametrize(
    ("die", "weather"), [(1, "clear"), (3, "clear"), (4, "cloudy"), (5, "intermittent_rain"), (6, "steady_rain")]
)
def test_first_weather_is_rolled_by_option(lay: Lay, die: int, weather: str) -> None:
    case = lay("setup.company", dice={"weather": str(die)}, initial_weather="random").play(until=orders.PlaceTable)
    assert case.one(CampaignOpened).weather == weather


@pytest.mark.rule("AOA-R01", "AOA-R03", "AOA-2.02", "AOA-2.04")
def test_track_is_a_line_with_a_home_at_each_end(lay: Lay) -> None:
    board = lay("setup.company").state.board
    assert [each.number for each in board.sectors] == [1, 2, 3, 4, 5, 6, 7]
    assert board.home == {"german": 1, "soviet": 7}
