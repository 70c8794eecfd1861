"""The printed tables: the ladder of missions, weather and mud, and prices in victory points."""

from typing import NamedTuple

CLEAR, CLOUDY, SHOWERS, RAIN = "clear", "cloudy", "intermittent_rain", "steady_rain"

WEATHER = {
    CLEAR: (CLEAR, CLEAR, CLEAR, CLEAR, CLOUDY, SHOWERS),
    CLOUDY: (CLEAR, CLEAR, CLEAR, CLOUDY, SHOWERS, RAIN),
    SHOWERS: (CLEAR, CLEAR, CLEAR, CLOUDY, RAIN, RAIN),
    RAIN: (CLEAR, CLEAR, CLOUDY, CLOUDY, RAIN, SHOWERS),
}
"""The weather by the weather of the last turn, for each die from 1 to 6 (AOA-6.03 to AOA-6.07)."""

FIRST_WEATHER = (CLEAR, CLEAR, CLEAR, CLOUDY, SHOWERS, RAIN)
"""The weather before the first turn, for each die from 1 to 6, if an option requires a roll (AOA-R16)."""

GROUNDED = (CLOUDY, RAIN)
"""Weather without air support (AOA-6.08)."""

MUD_CHANGE = {SHOWERS: 1, RAIN: 2, CLEAR: -2, CLOUDY: -1}
"""The change of the mud level after a turn of this weather (AOA-6.10 to AOA-6.13)."""

MUD_RULES = {SHOWERS: "AOA-6.10", RAIN: "AOA-6.11", CLEAR: "AOA-6.12", CLOUDY: "AOA-6.13"}
"""The rules of these changes."""

MUD = ("dry", "wet", "muddy", "morass", "flood")
"""The levels of mud, from the lowest to the highest (AOA-6.14)."""

LADDER = ((10, "breakthrough"), (8, "encounter"), (7, "cauldron"), (6, "fighting_withdrawal"), (5, "hold_the_line"))
LOWEST = "trench_fight"
"""A total selects the first mission in ``LADDER`` whose number it reaches, or ``LOWEST`` (AOA-8.13 to AOA-8.18)."""

LADDER_ROWS = {
    "breakthrough": ("10 or more", "AOA-8.13"),
    "encounter": ("8 or 9", "AOA-8.14"),
    "cauldron": ("7", "AOA-8.15"),
    "fighting_withdrawal": ("6", "AOA-8.16"),
    "hold_the_line": ("5", "AOA-8.17"),
    "trench_fight": ("4 or less", "AOA-8.18"),
}
"""The heading of each mission's row, and its rule."""

ADJUSTABLE = ("breakthrough", "fighting_withdrawal")
"""Missions in which a winning defender may change a selection total by one (AOA-8.10)."""

WON_AS_DEFENDER = {"minus_2": -2, "plus_2": 2, "zero": 0}
"""The modifier of AOA-8.06, by the value of the option of AOA-R35."""

CHANGE_PRICE = 5
"""The price of a different mission, in victory points (AOA-8.19)."""

STEP_POINTS, STEPS_MOST = 75, 3
"""Points that a victory point adds to a game's limit, and the maximum number spent on it (AOA-3.03, AOA-3.04)."""

LOADS = ("bombs", "rockets")
"""The loads of an aircraft that can carry either (AOA-4.09)."""


class Offer(NamedTuple):
    """A special rule on sale (AOA-9.02), with its price in victory points.

    ``role`` is the side that may buy it ("" for both). ``defensive`` limits it to defensive battles. ``each`` is the
    unit of the price: "platoon", "shoot", or "" if it is bought once.
    """

    price: int
    rule: str
    title: str
    role: str = ""
    defensive: bool = True
    each: str = ""


OFFERS = {
    "smoke": Offer(1, "AOA-9.04", "extra smoke", "attacker", each="platoon"),
    "night_attack": Offer(5, "AOA-9.07", "a night attack", "attacker"),
    "counterbattery": Offer(3, "AOA-9.09", "counterbattery fire", defensive=False),
    "battalion_shoot": Offer(3, "AOA-9.16", "a battalion shoot", each="shoot"),
    "preregistered": Offer(2, "AOA-9.22", "pre-registered artillery", "defender", each="platoon"),
    "aerial_bombardment": Offer(7, "AOA-9.25", "an aerial bombardment", "attacker"),
}
"""The special rules by kind, in the order of the book."""


def mission_of(total: int) -> str:
    """Return the mission of a selection total (AOA-8.13 to AOA-8.18)."""
    return next((mission for least, mission in LADDER if total >= least), LOWEST)


def mud_steps(mud: int, weather: str) -> tuple[tuple[str, int, str], ...]:
    """Return the steps of the mud level after a turn of this weather, which stays between dry and flood (AOA-R17)."""
    change, rule = MUD_CHANGE[weather], MUD_RULES[weather]
    within = min(max(mud + change, 0), len(MUD) - 1)
    steps = (("previous ground", mud, "AOA-6.14"), (weather, change, rule))
    return (
        steps
        if within == mud + change
        else (*steps, ("limited to dry through flood", within - mud - change, "AOA-R17"))
    )
