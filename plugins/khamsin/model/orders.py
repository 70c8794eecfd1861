"""Orders: the answers to the decisions of the game. Formations, leaders and areas are named by id."""

from msgspec import Struct, field

from khamsin.model.state import Fielded
from sandtable.kernel.decisions import Order
from sandtable.rules.tabletop.result import ReportBattle


class Deploy(Order, frozen=True):
    """Deploy a side: by formation and by leader its area, where the module leaves a choice (KH-D01)."""

    areas: dict[str, str] = field(default_factory=dict)
    leaders: dict[str, str] = field(default_factory=dict)


class EnterBy(Order, frozen=True):
    """Name the entry area of each reinforcement whose own is closed (KH-D03)."""

    areas: dict[str, str]


class Share(Struct, frozen=True, gc=False):
    """Attrition points that replacements take from a formation, and whether it will move this turn (KH-D05)."""

    armor: int = 0
    general: int = 0
    moving: bool = False


class Allocate(Order, frozen=True):
    """Allocate replacements: by formation its share; who is not named receives none."""

    shares: dict[str, Share] = field(default_factory=dict)


class WriteOrders(Order, frozen=True):
    """Write a side's orders of the turn, in secret (KH-D06 to KH-D10).

    ``moves`` and ``leaders`` are paths of areas that begin where it stands; a delayed reinforcement's is its entry area
    alone. Who is not named holds. ``interdict`` are areas for the air force, ``detach`` is by formation the strength
    that it leaves in its fortress (KH-R117), ``plan`` the general plan in words.
    """

    moves: dict[str, list[str]] = field(default_factory=dict)
    leaders: dict[str, list[str]] = field(default_factory=dict)
    interdict: list[str] = field(default_factory=list)
    detach: dict[str, int] = field(default_factory=dict)
    plan: str = ""


class Withdraw(Order, frozen=True):
    """Say how a force meets an engagement, in secret (KH-D11).

    ``how`` is "stand" or "fighting" for the force; ``leaving`` are formations that go by themselves, each "precipitous"
    or "recon". ``ledger`` is which ledger pays for a precipitous one, where the owner may choose (KH-R63).
    """

    how: str = "stand"
    leaving: dict[str, str] = field(default_factory=dict)
    ledger: str = "general"


class LetGo(Order, frozen=True):
    """Let an enemy's fighting withdrawal happen, or fight (KH-D12)."""

    let_go: bool


class ProposeMode(Order, frozen=True):
    """Propose how to fight an engagement: ordinary, total_war or linked (KH-D13); both sides must agree."""

    mode: str


class SetActions(Order, frozen=True):
    """Set how many tabletop actions an engagement has (KH-D14); in one large battle, how many companies a side."""

    number: int


class FieldCompanies(Order, frozen=True):
    """Field a company for each action of an engagement, in their order (KH-D15 to KH-D18, KH-D20)."""

    companies: list[Fielded]


class RetreatTo(Order, frozen=True):
    """Name where each formation retreats to (KH-D21)."""

    areas: dict[str, str]


class Advance(Order, frozen=True):
    """Advance after an overwhelming victory: by formation where to; who is not named stays (KH-D22)."""

    areas: dict[str, str] = field(default_factory=dict)


class PlaceLeader(Order, frozen=True):
    """Name the entry area by which a leader comes back (KH-23.04)."""

    area: str


class OrderEngagements(Order, frozen=True):
    """Set the order in which the outcomes of engagements are applied (KH-D23, KH-R50)."""

    engagements: list[str]


ORDERS: tuple[type[Order], ...] = (
    Deploy,
    EnterBy,
    Allocate,
    WriteOrders,
    Withdraw,
    LetGo,
    ProposeMode,
    SetActions,
    FieldCompanies,
    ReportBattle,
    RetreatTo,
    Advance,
    PlaceLeader,
    OrderEngagements,
)
