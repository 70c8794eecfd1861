"""Events: what happened in the campaign.

``calculations`` tell how the figures of an event came about, each named like the field or, for one of several,
with what it is of after a point: "total.german", "points", "level".
"""

from msgspec import field

from axis_attack.model.orders import Wanted
from axis_attack.model.state import AirSupport, Fielded, Purchase
from sandtable import UNSET, Calculations, Event
from sandtable.tabletop import Brief, Result


class CompanyBuilt(Event, frozen=True):
    """A starting force was built: platoons by id with the levels recorded for them, aircraft by type."""

    side: str
    platoons: dict[str, Wanted]
    levels: dict[str, int]
    transports: dict[str, int]
    aircraft: dict[str, str]
    points: int
    rule: str = "AOA-1.01"
    calculations: Calculations = UNSET


class CampaignOpened(Event, frozen=True):
    """The campaign began: sector, first mission, weather, points of each side."""

    sector: int
    mission: str
    weather: str
    balance: dict[str, int]
    rule: str = "AOA-2.05"
    calculations: Calculations = UNSET


# --- the mission ---


class ReconClaimed(Event, frozen=True):
    """The winner claimed recon platoons; those among them that lost their transport are not mobile (AOA-10.15)."""

    side: str
    platoons: list[str]
    immobile: list[str]
    rule: str = "AOA-8.04"


class SelectionRolled(Event, frozen=True):
    """Both rolled for the next mission: die and modifiers by side, and their totals."""

    dice: dict[str, int]
    modifiers: dict[str, list[tuple[str, int]]]
    totals: dict[str, int]
    rule: str = "AOA-8.01"
    calculations: Calculations = UNSET


class TotalAdjusted(Event, frozen=True):
    """The winner as a defender changed a total by one."""

    side: str
    of: str
    by: int
    totals: dict[str, int]
    rule: str = "AOA-8.10"
    calculations: Calculations = UNSET


class MissionSelected(Event, frozen=True):
    """The next mission, and its roles ("" while the mission's own method decides)."""

    mission: str
    attacker: str
    defender: str
    rule: str = "AOA-8.07"
    calculations: Calculations = UNSET


class MissionChanged(Event, frozen=True):
    """A player paid to change the mission."""

    side: str
    mission: str
    cost: int
    rule: str = "AOA-8.19"
    calculations: Calculations = UNSET


class RolesRolled(Event, frozen=True):
    """Attacker and defender by the mission's own method: dice of a roll-off by side, none if company types decide."""

    attacker: str
    defender: str
    dice: dict[str, list[int]] = field(default_factory=dict)
    rule: str = "AOA-8.09"


class ChoiceRolled(Event, frozen=True):
    """A roll-off for who chooses the table (AOA-R33): dice by side, and who won."""

    winner: str
    dice: dict[str, list[int]]
    rule: str = "AOA-R33"


class TablePlaced(Event, frozen=True):
    """The table's corner in the sector's map."""

    side: str
    column: int
    row: int
    rule: str = "AOA-8.21"


class TableShifted(Event, frozen=True):
    """The other player shifted the table, a point a square."""

    side: str
    column: int
    row: int
    cost: int
    rule: str = "AOA-8.22"
    calculations: Calculations = UNSET


# --- the game ---


class GameConceded(Event, frozen=True):
    """A side conceded the game."""

    side: str
    rule: str = "AOA-5.22"


class ForceChosen(Event, frozen=True):
    """A side's game force, its points, what it paid for it (AOA-3, AOA-9)."""

    side: str
    platoons: list[Fielded]
    points: int
    extra: int
    purchase: Purchase
    air: AirSupport
    cost: int
    rule: str = "AOA-3.01"
    calculations: Calculations = UNSET


class WeatherRolled(Event, frozen=True):
    """The weather of the turn, and the mud that comes of it."""

    side: str
    die: int
    weather: str
    mud: int
    rule: str = "AOA-6.03"
    calculations: Calculations = UNSET


class BattleBriefed(Event, frozen=True):
    """A brief went out to the umpire."""

    brief: Brief
    rule: str = "AOA-3.17"


class BattleFought(Event, frozen=True):
    """The result of the brief came in."""

    result: Result
    rule: str = "AOA-5.16"


class PointsScored(Event, frozen=True):
    """Victory points of a side: of the game, and the bonus of the outnumbered."""

    side: str
    points: int
    bonus: int
    rule: str = "AOA-5.16"
    calculations: Calculations = UNSET


class PointsSpent(Event, frozen=True):
    """A side paid victory points for something that has no event of its own."""

    side: str
    points: int
    what: str
    rule: str


# --- what follows ---


class StrengthAssessed(Event, frozen=True):
    """A platoon that took part was given a level: its teams with all that is added, dice for bailed vehicles."""

    side: str
    platoon: str
    teams: int
    before: int
    level: int
    transports: int
    dice: list[int] = field(default_factory=list)
    rule: str = "AOA-10.01"
    calculations: Calculations = UNSET


class FrontMoved(Event, frozen=True):
    """The battle's result on the track: its code, and the sector of the next battle."""

    result: str
    winner: str
    sector: int
    was: int
    rule: str = "AOA-7.01"
    calculations: Calculations = UNSET


class VehiclesTaken(Event, frozen=True):
    """Identical vehicles were taken from one platoon for another."""

    side: str
    donor: str
    receiver: str
    number: int
    rule: str = "AOA-10.19"


class PlatoonLowered(Event, frozen=True):
    """An owner lowered a platoon's level to keep it mobile."""

    side: str
    platoon: str
    level: int
    rule: str = "AOA-10.18"


class MobilityAssessed(Event, frozen=True):
    """Which platoons of a side are immobile now, of those that were looked at."""

    side: str
    immobile: list[str]
    mobile: list[str]
    rule: str = "AOA-10.17"
    calculations: Calculations = UNSET


class PlatoonRaised(Event, frozen=True):
    """A combat platoon was raised to depleted automatically, a die for each level."""

    side: str
    platoon: str
    level: int
    dice: int
    rule: str = "AOA-11.15"
    calculations: Calculations = UNSET


class DiceBought(Event, frozen=True):
    """A side has so many reinforcement dice, of which some were bought."""

    side: str
    dice: int
    bought: int
    rule: str = "AOA-11.02"
    calculations: Calculations = UNSET


class PlatoonReinforced(Event, frozen=True):
    """Dice for a platoon: what was needed, and the level after them."""

    side: str
    platoon: str
    dice: list[int]
    needs: int
    level: int
    rule: str = "AOA-11.06"
    calculations: Calculations = UNSET


class PlatoonExchanged(Event, frozen=True):
    """A support platoon was exchanged for another, under the same id in the roster."""

    side: str
    platoon: str
    wanted: Wanted
    level: int
    transports: int
    cost: int
    rule: str = "AOA-11.21"
    calculations: Calculations = UNSET


class GroundChanged(Event, frozen=True):
    """The mud at the end of a turn, where it changes only then."""

    mud: int
    rule: str = "AOA-R18"
    calculations: Calculations = UNSET


class TurnClosed(Event, frozen=True):
    """The turn's record: result and levels are written down, marks taken off; at the end, with what decides it."""

    rule: str = "AOA-2.06"
    calculations: Calculations = UNSET


EVENTS: tuple[type[Event], ...] = (
    CompanyBuilt,
    CampaignOpened,
    ReconClaimed,
    SelectionRolled,
    TotalAdjusted,
    MissionSelected,
    MissionChanged,
    RolesRolled,
    ChoiceRolled,
    TablePlaced,
    TableShifted,
    GameConceded,
    ForceChosen,
    WeatherRolled,
    BattleBriefed,
    BattleFought,
    PointsScored,
    PointsSpent,
    StrengthAssessed,
    FrontMoved,
    VehiclesTaken,
    PlatoonLowered,
    MobilityAssessed,
    PlatoonRaised,
    DiceBought,
    PlatoonReinforced,
    PlatoonExchanged,
    GroundChanged,
    TurnClosed,
)
