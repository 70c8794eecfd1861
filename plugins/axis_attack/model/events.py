"""Events of the campaign.

``calculations`` have the steps of an event's figures. Each is named like the field, such as "points". If a field has
several figures, the name has the key after a point: "total.german".
"""

from msgspec import field

from axis_attack.model.orders import Wanted
from axis_attack.model.state import AirSupport, Fielded, Purchase, Shown
from sandtable import UNSET, Calculations, Event
from sandtable.tabletop import Brief, Result


class CompanyBuilt(Event, frozen=True):
    """A side built its starting force: platoons by id with their recorded levels, and levels of aircraft by type."""

    side: str
    platoons: dict[str, Wanted]
    levels: dict[str, int]
    transports: dict[str, int]
    aircraft: dict[str, str]
    points: int
    rule: str = "AOA-1.01"
    calculations: Calculations = UNSET


class CampaignOpened(Event, frozen=True):
    """The campaign began: its sector, first mission, weather, and the victory points of each side."""

    sector: int
    mission: str
    weather: str
    balance: dict[str, int]
    rule: str = "AOA-2.05"
    calculations: Calculations = UNSET


# --- the mission ---


class ReconClaimed(Event, frozen=True):
    """The winner claimed recon platoons; ``immobile`` ones lack transports and do not count (AOA-10.15)."""

    side: str
    platoons: list[str]
    immobile: list[str]
    rule: str = "AOA-8.04"
    shown: dict[str, Shown] = {}


class SelectionRolled(Event, frozen=True):
    """Both sides rolled for the next mission: die, modifiers and total by side."""

    dice: dict[str, int]
    modifiers: dict[str, list[tuple[str, int]]]
    totals: dict[str, int]
    rule: str = "AOA-8.01"
    calculations: Calculations = UNSET


class TotalAdjusted(Event, frozen=True):
    """A side that won as the defender changed the selection total of side ``of`` by one."""

    side: str
    of: str
    by: int
    totals: dict[str, int]
    rule: str = "AOA-8.10"
    calculations: Calculations = UNSET


class MissionSelected(Event, frozen=True):
    """The next mission was selected, with its roles ("" if the mission's own method decides them later)."""

    mission: str
    attacker: str
    defender: str
    rule: str = "AOA-8.07"
    calculations: Calculations = UNSET


class MissionChanged(Event, frozen=True):
    """A side paid victory points to change the mission."""

    side: str
    mission: str
    cost: int
    rule: str = "AOA-8.19"
    calculations: Calculations = UNSET


class RolesRolled(Event, frozen=True):
    """The mission's own method decided the roles; ``dice`` by side are empty if the types of companies decided."""

    attacker: str
    defender: str
    dice: dict[str, list[int]] = field(default_factory=dict)
    rule: str = "AOA-8.09"


class ChoiceRolled(Event, frozen=True):
    """A roll-off decided which side chooses the table, or may change the mission first (AOA-R33, AOA-R06)."""

    winner: str
    dice: dict[str, list[int]]
    rule: str = "AOA-R33"


class TablePlaced(Event, frozen=True):
    """A side chose the table's north-west corner on the sector's map, counted from 0."""

    side: str
    column: int
    row: int
    rule: str = "AOA-8.21"


class TableShifted(Event, frozen=True):
    """The other side shifted the table, for one victory point per square."""

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
    """A side chose its game force (AOA-3.01, AOA-9.02).

    ``cost`` is the number of victory points paid for ``extra`` and ``purchase``. ``shown`` are the platoons that the
    enemy sees on the table.
    """

    side: str
    platoons: list[Fielded]
    points: int
    extra: int
    purchase: Purchase
    air: AirSupport
    cost: int
    rule: str = "AOA-3.01"
    shown: dict[str, Shown] = {}
    calculations: Calculations = UNSET


class WeatherRolled(Event, frozen=True):
    """The weather of the turn was rolled; ``mud`` is the resulting level."""

    side: str
    die: int
    weather: str
    mud: int
    rule: str = "AOA-6.03"
    calculations: Calculations = UNSET


class BattleBriefed(Event, frozen=True):
    """The umpire's seat received a brief."""

    brief: Brief
    rule: str = "AOA-3.17"


class BattleFought(Event, frozen=True):
    """The umpire's seat reported the result of the battle."""

    result: Result
    rule: str = "AOA-5.16"


class PointsScored(Event, frozen=True):
    """A side scored victory points in the game, and a bonus if it was outnumbered."""

    side: str
    points: int
    bonus: int
    rule: str = "AOA-5.16"
    calculations: Calculations = UNSET


class PointsSpent(Event, frozen=True):
    """A side paid victory points for a purchase that has no separate event."""

    side: str
    points: int
    what: str
    rule: str


# --- after the game ---


class StrengthAssessed(Event, frozen=True):
    """A platoon that was fielded got a level: its teams, and the dice for its bailed vehicles."""

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
    """The front moved by the ``result`` code from sector ``was`` to ``sector``, that of the next battle."""

    result: str
    winner: str
    sector: int
    was: int
    rule: str = "AOA-7.01"
    calculations: Calculations = UNSET


class VehiclesTaken(Event, frozen=True):
    """A platoon took identical vehicles from another platoon of its side."""

    side: str
    donor: str
    receiver: str
    number: int
    rule: str = "AOA-10.19"


class PlatoonLowered(Event, frozen=True):
    """A side lowered a platoon's level to keep it mobile."""

    side: str
    platoon: str
    level: int
    rule: str = "AOA-10.18"


class MobilityAssessed(Event, frozen=True):
    """Platoons of a side were found ``immobile``, or became ``mobile`` again."""

    side: str
    immobile: list[str]
    mobile: list[str]
    rule: str = "AOA-10.17"
    calculations: Calculations = UNSET


class PlatoonRaised(Event, frozen=True):
    """A combat platoon was raised to depleted, its lowest fielded level, without a roll, for one die per level."""

    side: str
    platoon: str
    level: int
    dice: int
    rule: str = "AOA-11.15"
    shown: dict[str, Shown] = {}
    calculations: Calculations = UNSET


class DiceBought(Event, frozen=True):
    """A side received its reinforcement dice; ``dice`` includes the ``bought`` ones."""

    side: str
    dice: int
    bought: int
    rule: str = "AOA-11.02"
    calculations: Calculations = UNSET


class PlatoonReinforced(Event, frozen=True):
    """Dice were rolled to reinforce a platoon: the need, and the level after the roll."""

    side: str
    platoon: str
    dice: list[int]
    needs: int
    level: int
    rule: str = "AOA-11.06"
    shown: dict[str, Shown] = {}
    calculations: Calculations = UNSET


class PlatoonExchanged(Event, frozen=True):
    """A side exchanged a support platoon for a different one, which has the same id in the roster."""

    side: str
    platoon: str
    wanted: Wanted
    level: int
    transports: int
    cost: int
    rule: str = "AOA-11.21"
    calculations: Calculations = UNSET


class GroundChanged(Event, frozen=True):
    """The mud changed at the end of a turn, by option (AOA-R18)."""

    mud: int
    rule: str = "AOA-R18"
    calculations: Calculations = UNSET


class TurnClosed(Event, frozen=True):
    """The turn ended, and its levels were recorded. The last turn has the calculations that decide the campaign."""

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
