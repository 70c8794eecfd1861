"""Weather and ground: the table, the mud, and what the brief tells of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.plugins.axis_attack.cases import concedes

from axis_attack.model import orders
from axis_attack.model.events import ForceChosen, WeatherRolled
from axis_attack.model.state import AxisState
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

CLEAR, CLOUDY, RAIN, STEADY = "clear", "cloudy", "intermittent_rain", "steady_rain"
AFTER = {
    CLEAR: (CLEAR, CLEAR, CLEAR, CLEAR, CLOUDY, RAIN),
    CLOUDY: (CLEAR, CLEAR, CLEAR, CLOUDY, RAIN, STEADY),
    RAIN: (CLEAR, CLEAR, CLEAR, CLOUDY, STEADY, STEADY),
    STEADY: (CLEAR, CLEAR, CLOUDY, CLOUDY, STEADY, RAIN),
}
"""The chart of the book, a column each."""
ROWS = [(last, die, now) for last, column in AFTER.items() for die, now in enumerate(column, 1)]


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


@pytest.mark.rule("AOA-6.03", "AOA-6.04", "AOA-6.05", "AOA-6.06", "AOA-6.07")
@pytest.mark.parametrize(("last", "die", "now"), ROWS)
def test_the_weather_follows_from_the_last_turns_and_a_die(lay: Lay, last: str, die: int, now: str) -> None:
    case = lay("weather", tweak=ground(last), dice={"weather": str(die)}).play(until=ReportBattle)
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
def test_rain_makes_mud_and_fine_weather_dries_it(lay: Lay, last: str, die: int, mud: int, after: int) -> None:
    case = lay("weather", tweak=ground(last, mud), dice={"weather": str(die)}).play(until=ReportBattle)
    assert case.state.mud == after


@pytest.mark.rule("AOA-R18")
def test_mud_may_wait_for_the_end_of_the_turn(lay: Lay) -> None:
    case = lay("weather", tweak=ground(CLOUDY, 1), dice={"weather": "6"}, mud_timing="end_of_turn")
    case.play(until=ReportBattle)
    assert (case.state.mud, case.brief().mud) == (1, 1)
    case.play()
    assert case.state.mud == 3


@pytest.mark.rule("AOA-6.01", "AOA-R13")
def test_the_weather_is_rolled_when_all_forces_are_chosen(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert case.rolls("weather") == []
    case.play(until=ReportBattle)
    kinds = [type(each) for each in case.happened() if isinstance(each, ForceChosen | WeatherRolled)]
    assert kinds == [ForceChosen, ForceChosen, WeatherRolled]


@pytest.mark.rule("AOA-6.02")
@pytest.mark.parametrize(("attacker", "defender"), [("german", "soviet"), ("soviet", "german")])
def test_the_defender_rolls(lay: Lay, attacker: str, defender: str) -> None:
    case = lay("weather", mission="hold_the_line", attacker=attacker).play(until=ReportBattle)
    assert case.one(WeatherRolled).side == defender


@pytest.mark.rule("AOA-R15", "AOA-6.02", "AOA-R69")
def test_in_an_encounter_a_roll_off_says_who_rolls(lay: Lay) -> None:
    dice = {"roles:german": "3 5", "roles:soviet": "3 2"}
    case = lay("table", attacker="", dice=dice, last="").play(until=ReportBattle)
    assert case.state.attacker == "german"
    assert case.one(WeatherRolled).side == "soviet"


@pytest.mark.rule("AOA-R19", "AOA-5.22")
@pytest.mark.parametrize(("rule", "weather", "mud"), [("rolled", STEADY, 2), ("skipped", CLOUDY, 0)])
def test_the_weather_goes_on_in_a_conceded_turn(lay: Lay, rule: str, weather: str, mud: int) -> None:
    dice = {"weather": "6"} if rule == "rolled" else {}
    case = lay("forces", tweak=ground(CLOUDY), dice=dice, weather_if_conceded=rule).play(concedes("soviet"))
    assert (case.state.weather, case.state.mud) == (weather, mud)


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
