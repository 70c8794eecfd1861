"""Orders: the answers to the decisions of the campaign. Platoons are named by their ids in the roster."""

from msgspec import Struct, field

from axis_attack.model.state import AirSupport, Fielded, Purchase
from sandtable import Order
from sandtable.tabletop import ReportBattle


class Wanted(Struct, frozen=True, gc=False):
    """A platoon to be bought: type, counted teams, upgrades by id with their number."""

    type: str
    teams: int
    upgrades: dict[str, int] = {}


class BuildCompany(Order, frozen=True):
    """Build the starting force (AOA-D01): platoons by id, and the level of each aircraft type."""

    platoons: dict[str, Wanted]
    aircraft: dict[str, str] = field(default_factory=dict)


class ClaimRecon(Order, frozen=True):
    """Claim these recon platoons for the mission selection (AOA-D12)."""

    platoons: list[str]


class AdjustTotal(Order, frozen=True):
    """Change a player's selection total by one, or leave it: ``side`` "" (AOA-D13)."""

    side: str = ""
    by: int = 0


class ChangeMission(Order, frozen=True):
    """Pay to change the mission to the next one up or down the ladder; "" leaves it (AOA-D14)."""

    mission: str = ""


class PlaceTable(Order, frozen=True):
    """Choose the table's corner in the sector's map: column and row from 0 (AOA-D15)."""

    column: int
    row: int


class ShiftTable(Order, frozen=True):
    """Shift the table by so many squares east and south, a point each (AOA-D15)."""

    east: int = 0
    south: int = 0


class Concede(Order, frozen=True):
    """Play, or concede the game (AOA-D08)."""

    concede: bool = False


class ChooseForce(Order, frozen=True):
    """Choose the game force (AOA-D03 to AOA-D07): platoons, points bought, special rule, air support."""

    platoons: list[Fielded]
    extra: int = 0
    purchase: Purchase = Purchase()
    air: AirSupport = AirSupport()


class ChooseBreakthrough(Order, frozen=True):
    """Go on by one sector or by two (AOA-D10)."""

    sectors: int


class KeepMobile(Order, frozen=True):
    """Keep platoons mobile (AOA-D11): levels to which some are lowered, vehicles taken as (donor, receiver): number."""

    lowered: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


class RaisePlatoons(Order, frozen=True):
    """Raise combat platoons to depleted, a die for each level (AOA-D16)."""

    platoons: list[str]


class AssignDice(Order, frozen=True):
    """Buy dice, and assign all of them to platoons before any is rolled (AOA-D17)."""

    bought: int
    dice: dict[str, int]


class ExchangePlatoon(Order, frozen=True):
    """Exchange a support platoon for another of the list (AOA-D18); ``platoon`` "" ends it."""

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
