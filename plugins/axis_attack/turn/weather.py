"""The weather of the turn, after forces are chosen and before deployment, and the mud that comes of it (AOA-6)."""

from axis_attack.model.events import WeatherRolled
from axis_attack.model.state import AxisState
from axis_attack.model.tables import WEATHER, mud_after
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def roll_weather(state: AxisState) -> Procedure:
    """Roll for the defender by the last turn's weather (AOA-6.02, AOA-6.03); by option not where nobody plays."""
    if state.conceded and state.options["weather_if_conceded"] == "skipped":
        return
    (die,) = yield Roll(1, 6, "weather", "AOA-6.03")
    weather = WEATHER[state.weather][die - 1]
    waits = state.options["mud_timing"] == "end_of_turn"  # the close of the turn changes it (AOA-R18)
    yield WeatherRolled(state.defender, die, weather, state.mud if waits else mud_after(state.mud, weather))
