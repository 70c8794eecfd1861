"""The constants of the statistical resolver SR-1, in one table.

They are our own design, set by hand so that losses are of the same order as in the one engagement that the campaign
rules print (four armored actions a side). Log-odds, shares, probabilities and factors are in thousandths, unless the
field says percent. ``response.svg`` shows their effects.
"""

from collections.abc import Mapping

from msgspec import Struct


class Constants(Struct, frozen=True, gc=False):
    """The constants of SR-1; each field gives its unit."""

    exponent: int
    """Exponent of strength ratios: log-odds are this multiple of the logarithm of the ratio."""

    reroll: int
    """Log-odds of a re-roll. One traded for a move before the game is worth the same."""

    bias: Mapping[str, int]
    """Log-odds for the attacker, by mission."""

    assaults: frozenset[str]
    """Missions that are assaults on a position; all others are mobile."""

    without_roles: frozenset[str]
    """Missions in which both sides attack."""

    factors: Mapping[tuple[bool, bool], Mapping[str, int]]
    """Value of a kind of platoon by (assault, attacker)."""

    unsupplied: Mapping[str, int]
    """Value of a kind of platoon out of supply."""

    air: Mapping[str, int]
    """Log-odds of air support by its level."""

    flight: int
    """Log-odds of each flight in a large battle, up to ``flights_most``."""

    flights_most: int

    air_weather: Mapping[str, int]
    """Remaining share of air support, by weather."""

    mud: tuple[int, ...]
    """Value of vehicles by depth of mud."""

    mud_defender: int
    """The share of that loss that applies to the defender."""

    purchases: Mapping[str, tuple[int, int]]
    """Log-odds of each purchase, and the maximum number that counts."""

    narrow: int
    """Margins below this (in log-odds) are narrow wins, up to ``clear`` clear wins, and above that decisive.
    """

    clear: int
    draw: int
    """In a fair fight, margins below this are draws."""

    winner_lost: Mapping[str, tuple[int, ...]]
    """Platoons that the winner loses, by a six-sided die."""

    loser_lost: Mapping[str, int]
    """Platoons that the loser loses, added to a three-sided die; in a draw both sides use only the die."""

    exposure: Mapping[str, int]
    """Weight of a kind of platoon when a lost one is drawn, in tenths; ``off_table`` applies to every kind."""

    team_loss: Mapping[str, tuple[int, int]]
    """Probability that a team of a surviving platoon is destroyed: (winner, loser), or both in a draw."""

    destroyed: Mapping[str, int]
    """Probability that a team of a lost platoon is destroyed rather than routed, by motivation."""

    skill: Mapping[str, int]
    """Losses by skill, in percent."""

    independent: tuple[int, int]
    """Probability that an independent team is destroyed: (winner, loser), or the mean in a draw."""

    bailed: int
    """Probability that a remaining tank is bailed out or bogged down at the end."""

    transports: int
    """Loss of transports relative to that of teams, in percent."""

    exits: int
    """Probability that a remaining team of the loser leaves by its own edge, in table turn d6 + 1."""

    casualty: tuple[int, int]
    """Probability that a named character is hit: (winner, loser), or the mean in a draw."""

    heroic: int
    """Probability of a heroic act, by player and battle."""

    ahead: Mapping[str, int]
    """Probability that a recon platoon of the winner ends in the enemy's half."""


SR1 = Constants(
    exponent=4,
    reroll=150,
    bias={
        "free_for_all": 0,
        "encounter": 0,
        "cauldron": -100,
        "hold_the_line": -150,
        "no_retreat": -150,
        "breakthrough": 0,
        "hasty_assault": -50,
        "trench_fight": -350,
        "big_push": -300,
        "breakout": -150,
        "fighting_withdrawal": 100,
        "total_victory": 0,
    },
    assaults=frozenset({"hold_the_line", "no_retreat", "trench_fight", "big_push"}),
    without_roles=frozenset({"free_for_all", "encounter"}),
    factors={
        (True, True): {"afv": 950, "light_afv": 850, "infantry": 1050, "gun": 800, "artillery": 1150},
        (True, False): {"afv": 1000, "light_afv": 850, "infantry": 1150, "gun": 1150, "artillery": 1050},
        (False, True): {"afv": 1100, "light_afv": 1050, "infantry": 950, "gun": 900, "artillery": 1000},
        (False, False): {"afv": 1050, "light_afv": 1000, "infantry": 1000, "gun": 1000, "artillery": 1000},
    },
    unsupplied={"afv": 850, "light_afv": 850, "infantry": 920, "gun": 920, "artillery": 850},
    air={"none": 0, "sporadic": 100, "limited": 200, "priority": 300},
    flight=100,
    flights_most=3,
    air_weather={"cloudy": 0, "steady_rain": 0, "rain": 0, "sandstorm": 0, "intermittent_rain": 600, "dust": 500},
    mud=(1000, 980, 950, 900, 800),
    mud_defender=500,
    purchases={
        "smoke": (50, 3),
        "night_attack": (250, 1),
        "counterbattery": (100, 1),
        "battalion_shoot": (100, 3),
        "preregistered": (80, 99),
        "aerial_bombardment": (350, 1),
    },
    narrow=750,
    clear=2000,
    draw=200,
    winner_lost={"narrow": (1, 1, 2, 2, 2, 3), "clear": (0, 0, 1, 1, 2, 2), "decisive": (0, 0, 0, 0, 1, 1)},
    loser_lost={"narrow": 0, "clear": 1, "decisive": 2},
    exposure={"afv": 30, "light_afv": 30, "infantry": 30, "gun": 20, "artillery": 10, "off_table": 3},
    team_loss={"narrow": (220, 250), "clear": (180, 300), "decisive": (120, 350), "draw": (235, 235)},
    destroyed={"reluctant": 500, "confident": 650, "fearless": 800},
    skill={"conscript": 120, "trained": 100, "veteran": 80},
    independent=(50, 150),
    bailed=100,
    transports=50,
    exits=100,
    casualty=(80, 150),
    heroic=100,
    ahead={"narrow": 500, "clear": 650, "decisive": 800},
)
"""The constants of the shipped resolver."""

SUPERIORITY, SUPERIORITY_LEFT = 500, 667
"""Air superiority: its owner's air support counts half, and two thirds of the enemy's remain."""

INTERDICTION = 100
"""Log-odds of battlefield interdiction, if the enemy has reserves in the mission (flag ``reserves``)."""


def table_key(name: str) -> str:
    """Return the name of a mission or a weather as a key of the tables: lower case, underscores, no article."""
    letters = "".join(letter if letter.isalnum() else " " for letter in name.lower())
    return "_".join(letters.split()).removeprefix("the_")
