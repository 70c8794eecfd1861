"""Weather and mud."""

import pytest
from tests.plugins.axis_attack.cases import Lay, concedes, sky

from axis_attack.model import events, orders
from axis_attack.model.events import ForceChosen, WeatherRolled
from axis_attack.model.state import AxisState
from sandtable.tabletop.result import ReportBattle


@pytest.mark.rule("AOA-R18", "AOA-R19")
@pytest.mark.parametrize(
    ("timing", "skipped", "conceded", "changed"),
    [
        ("end_of_turn", "skipped", True, False),
        ("end_of_turn", "rolled", True, True),
        ("end_of_turn", "skipped", False, True),
        ("after_weather_roll", "rolled", False, False),
    ],
)
def test_mud_changes_at_the_close_of_the_turn_only_by_option(
    lay: Lay, timing: str, skipped: str, conceded: bool, changed: bool
) -> None:
    def wet(state: AxisState) -> None:
        state.mud = 3

    case = lay("forces", tweak=wet, mud_timing=timing, weather_if_conceded=skipped, mission="hold_the_line")
    case.play(*([concedes("soviet")] if conceded else []))
    ground = case.events(events.GroundChanged)
    assert [each.mud for each in ground] == [1] * changed
    if changed:
        steps = [each.steps for each in case.one(events.WeatherRolled).calculations or () if each.name == "mud"]
        assert steps == [(("previous ground, changes at the end of the turn", 3, "AOA-R18"),)]
    assert case.state.mud == (1 if changed or timing == "after_weather_roll" else 3)


CLEAR, CLOUDY, RAIN, STEADY = "clear", "cloudy", "intermittent_rain", "steady_rain"
AFTER = {
    CLEAR: (CLEAR, CLEAR, CLEAR, CLEAR, CLOUDY, RAIN),
    CLOUDY: (CLEAR, CLEAR, CLEAR, CLOUDY, RAIN, STEADY),
    RAIN: (CLEAR, CLEAR, CLEAR, CLOUDY, STEADY, STEADY),
    STEADY: (CLEAR, CLEAR, CLOUDY, CLOUDY, STEADY, RAIN),
}
"""The printed chart, by column."""
ROWS = [(last, die, now) for last, column in AFTER.items() for die, now in enumerate(column, 1)]


@pytest.mark.rule("AOA-6.03", "AOA-6.04", "AOA-6.05", "AOA-6.06", "AOA-6.07")
@pytest.mark.parametrize(("last", "die", "now"), ROWS)
def test_weather_follows_from_the_last_weather_and_a_die(lay: Lay, last: str, die: int, now: str) -> None:
    case = lay("weather", tweak=sky(last), dice={"weather": str(die)}).play(until=ReportBattle)
    assert case.state.weather == now
    assert case.brief().weather == now
    assert case.one(WeatherRolled).die == die


@pytest.mark.rule("AOA-6.10", "AOA-6.11", "AOA-6.12", "AOA-6.13", "AOA-6.14", "AOA-R17")
@pytest.mark.parametrize(
    ("last", "die", "mud", "after"),
    [
        (CLEAR, 6, 0, 1),
        (CLEAR, 6, 2, 3),
        (CLOUDY, 6, 1, 3),
        (CLOUDY, 6, 3, 4),
        (CLEAR, 6, 4, 4),
        (CLEAR, 1, 4, 2),
        (CLEAR, 1, 1, 0),
        (CLEAR, 5, 3, 2),
        (CLEAR, 5, 0, 0),
    ],
)
def test_rain_raises_and_dry_weather_lowers_the_mud(lay: Lay, last: str, die: int, mud: int, after: int) -> None:
    case = lay("weather", tweak=sky(last, mud), dice={"weather": str(die)}).play(until=ReportBattle)
    assert case.state.mud == after


@pytest.mark.rule("AOA-R18")
def test_mud_may_change_at_the_end_of_the_turn_by_option(lay: Lay) -> None:
    case = lay("weather", tweak=sky(CLOUDY, 1), dice={"weather": "6"}, mud_timing="end_of_turn")
    case.play(until=ReportBattle)
    assert (case.state.mud, case.brief().mud) == (1, 1)
    case.play()
    assert case.state.mud == 3


@pytest.mark.rule("AOA-6.01", "AOA-R13")
def test_weather_is_rolled_after_all_forces_are_chosen(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert case.rolls("weather") == []
    case.play(until=ReportBattle)
    kinds = [type(each) for each in case.happened() if isinstance(each, ForceChosen | WeatherRolled)]
    assert kinds == [ForceChosen, ForceChosen, WeatherRolled]


@pytest.mark.rule("AOA-6.02")
@pytest.mark.parametrize(("attacker", "defender"), [("german", "soviet"), ("soviet", "german")])
def test_defender_rolls_for_the_weather(lay: Lay, attacker: str, defender: str) -> None:
    case = lay("weather", mission="hold_the_line", attacker=attacker).play(until=ReportBattle)
    assert case.one(WeatherRolled).side == defender


@pytest.mark.rule("AOA-R15", "AOA-6.02", "AOA-R69")
def test_roll_off_decides_the_weather_roller_in_an_encounter(lay: Lay) -> None:
    dice = {"roles:german": "3 5", "roles:soviet": "3 2"}
    case = lay("table", attacker="", dice=dice, last="").play(until=ReportBattle)
    assert case.state.attacker == "german"
    assert case.one(WeatherRolled).side == "soviet"


@pytest.mark.rule("AOA-R19", "AOA-5.22")
@pytest.mark.parametrize(("rule", "weather", "mud"), [("rolled", STEADY, 2), ("skipped", CLOUDY, 0)])
def test_weather_is_rolled_in_a_conceded_turn(lay: Lay, rule: str, weather: str, mud: int) -> None:
    dice = {"weather": "6"} if rule == "rolled" else {}
    case = lay("forces", tweak=sky(CLOUDY), dice=dice, weather_if_conceded=rule).play(concedes("soviet"))
    assert (case.state.weather, case.state.mud) == (weather, mud)
