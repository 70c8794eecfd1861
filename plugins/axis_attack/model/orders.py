"""Orders of the campaign. Platoons are named by their ids in the roster."""

from msgspec import Struct, field

from axis_attack.model.state import AirSupport, Fielded, Purchase
from sandtable import Order
from sandtable.tabletop import ReportBattle


class Wanted(Struct, frozen=True, gc=False):
    """A platoon to buy: its type, counted teams, and the number of each upgrade."""

    type: str
    teams: int
    upgrades: dict[str, int] = {}


class BuildCompany(Order, frozen=True):
    """Build the starting force of ``platoons`` by id and ``aircraft``, the level by type (AOA-1.01)."""

    platoons: dict[str, Wanted]
    aircraft: dict[str, str] = field(default_factory=dict)


class ClaimRecon(Order, frozen=True):
    """Claim recon ``platoons`` for the mission selection (AOA-8.04)."""

    platoons: list[str]


class AdjustTotal(Order, frozen=True):
    """Change the selection total of ``side`` by one; a ``side`` of "" changes neither total (AOA-8.10)."""

    side: str = ""
    by: int = 0


class ChangeMission(Order, frozen=True):
    """Pay for the next ``mission`` up or down the ladder; "" keeps the mission (AOA-8.19)."""

    mission: str = ""


class PlaceTable(Order, frozen=True):
    """Choose the table's north-west corner on the sector's map, counted from 0 (AOA-8.21)."""

    column: int
    row: int


class ShiftTable(Order, frozen=True):
    """Shift the table by squares to the east and south, for one victory point each (AOA-8.22)."""

    east: int = 0
    south: int = 0


class Concede(Order, frozen=True):
    """Play the game, or concede it (AOA-5.22)."""

    concede: bool = False


class ChooseForce(Order, frozen=True):
    """Choose the game force (AOA-3.01); ``extra`` is the number of victory points for a higher limit (AOA-3.03)."""

    platoons: list[Fielded]
    extra: int = 0
    purchase: Purchase = Purchase()
    air: AirSupport = AirSupport()


class ChooseBreakthrough(Order, frozen=True):
    """Move the front by one sector or by two (AOA-7.04)."""

    sectors: int


class KeepMobile(Order, frozen=True):
    """Keep platoons mobile (AOA-10.18, AOA-10.19).

    ``lowered`` has the new levels of lowered platoons; ``taken`` has numbers of vehicles by "donor>receiver".
    """

    lowered: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


class RaisePlatoons(Order, frozen=True):
    """Raise combat platoons to depleted, for one die per level (AOA-11.15)."""

    platoons: list[str]


class AssignDice(Order, frozen=True):
    """Buy dice, and assign all dice to platoons before any die is rolled (AOA-11.02, AOA-11.05)."""

    bought: int
    dice: dict[str, int]


class ExchangePlatoon(Order, frozen=True):
    """Exchange a support platoon for a different one of the list; a ``platoon`` of "" makes no exchange (AOA-11.21)."""

    platoon: str = ""
    wanted: Wanted | None = None


ORDERS: tuple[type[Order], ...] = (
    BuildCompany,
    ClaimRecon,
    AdjustTotal,
    ChangeMission,
    PlaceTable,
    ShiftTable,
    Concede,
    ChooseForce,
    ReportBattle,
    ChooseBreakthrough,
    KeepMobile,
    RaisePlatoons,
    AssignDice,
    ExchangePlatoon,
)
