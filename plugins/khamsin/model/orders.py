"""Orders: the answers to the decisions of the game. Formations, leaders and areas are named by id."""

from msgspec import Struct, field

from khamsin.model.state import Fielded
from sandtable import Order
from sandtable.tabletop import ReportBattle


def _gone(areas: dict[str, str], nobody: str) -> str:
    """Return "all to gambut" or "15_pz_div to gambut, 21_pz_div to el_adem"."""
    ends = list(dict.fromkeys(areas.values()))
    if len(ends) == 1 and len(areas) > 1:
        return f"all to {ends[0]}"
    return ", ".join(f"{each} to {area}" for each, area in areas.items()) or nobody


class Deploy(Order, frozen=True):
    """Deploy a side: by formation and by leader its area, where the module leaves a choice (KH-D01)."""

    areas: dict[str, str] = field(default_factory=dict)
    leaders: dict[str, str] = field(default_factory=dict)

    def in_words(self) -> str:
        """Return who stands where."""
        return ", ".join(f"{each} at {area}" for each, area in (self.areas | self.leaders).items())


class EnterBy(Order, frozen=True):
    """Name the entry areas of reinforcements whose own is closed, and of leaders who return (KH-D03, KH-23.04)."""

    areas: dict[str, str] = field(default_factory=dict)


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

    def in_words(self) -> str:
        """Return "stand; panzer_recon slips away"."""
        told = [{"stand": "stand", "fighting": "withdraw fighting"}.get(self.how, self.how)]
        ways = {"recon": "slips away", "precipitous": "leaves precipitously"}
        told += [f"{each} {ways.get(how, how)}" for each, how in self.leaving.items()]
        paid = ", armor attrition" if self.ledger == "armor" else ""
        return "; ".join(told) + paid


class LetGo(Order, frozen=True):
    """Let an enemy's fighting withdrawal happen, or fight (KH-D12)."""

    let_go: bool

    def in_words(self) -> str:
        """Return what is done."""
        return "let go: they leave unfought, and the ground is yours" if self.let_go else "fight"


class ProposeMode(Order, frozen=True):
    """Propose how to fight an engagement: ordinary, total_war or linked (KH-D13); both sides must agree."""

    mode: str

    def in_words(self) -> str:
        """Return how it is fought."""
        ways = {"ordinary": "ordinary: one table for each action", "linked": "linked: tables next to each other"}
        return ways.get(self.mode, "total war: one large battle")


class SetActions(Order, frozen=True):
    """Set how many tabletop actions an engagement has (KH-D14); in one large battle, how many companies a side."""

    number: int

    def in_words(self) -> str:
        """Return how many."""
        return f"actions {self.number}"


class FieldCompanies(Order, frozen=True):
    """Field a company for each action of an engagement, in their order (KH-D15 to KH-D18, KH-D20)."""

    companies: list[Fielded]


class RetreatTo(Order, frozen=True):
    """Name where each formation retreats to (KH-D21)."""

    areas: dict[str, str]

    def in_words(self) -> str:
        """Return who goes where."""
        return _gone(self.areas, "")


class Advance(Order, frozen=True):
    """Advance after an overwhelming victory: by formation where to; who is not named stays (KH-D22)."""

    areas: dict[str, str] = field(default_factory=dict)

    def in_words(self) -> str:
        """Return who goes where."""
        return _gone(self.areas, "stay")


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
    OrderEngagements,
)
