"""Orders: the answers to the game's decisions. Formations, leaders and areas are given by id."""

from msgspec import Struct, field

from khamsin.model.state import Fielded
from sandtable import Order
from sandtable.tabletop import ReportBattle


def _destinations_in_words(areas: dict[str, str], if_empty: str) -> str:
    """Return areas as "all to gambut" or "15_pz_div to gambut, 21_pz_div to el_adem", or ``if_empty`` if none."""
    ends = list(dict.fromkeys(areas.values()))
    if len(ends) == 1 and len(areas) > 1:
        return f"all to {ends[0]}"
    return ", ".join(f"{each} to {area}" for each, area in areas.items()) or if_empty


class Deploy(Order, frozen=True):
    """Deploy a side (KH-1.08): ``areas`` by formation and ``leaders`` by leader, if the module leaves a choice."""

    areas: dict[str, str] = field(default_factory=dict)
    leaders: dict[str, str] = field(default_factory=dict)

    def in_words(self) -> str:
        """Return the area of each formation and leader."""
        return ", ".join(f"{each} at {area}" for each, area in (self.areas | self.leaders).items())


class EnterBy(Order, frozen=True):
    """Choose entry areas for reinforcements whose own area is closed and for returning leaders (KH-4.05, KH-23.04)."""

    areas: dict[str, str] = field(default_factory=dict)


class Share(Struct, frozen=True, gc=False):
    """Attrition points that replacements remove from a formation, and whether it will move this turn (KH-5.02)."""

    armor: int = 0
    general: int = 0
    moving: bool = False


class Allocate(Order, frozen=True):
    """Allocate replacements to formations. A formation without a share receives none."""

    shares: dict[str, Share] = field(default_factory=dict)


class WriteOrders(Order, frozen=True):
    """Write a side's orders for the turn in secret (KH-3.06).

    ``moves`` and ``leaders`` have paths of areas that begin in the piece's own area. The path of a delayed
    reinforcement is its entry area only. A piece without a path holds. ``interdict`` are areas for the air force.
    ``detach`` has, by formation, the strength that it leaves in its fortress (KH-R117). ``plan`` is the general plan as
    free text.
    """

    moves: dict[str, list[str]] = field(default_factory=dict)
    leaders: dict[str, list[str]] = field(default_factory=dict)
    interdict: list[str] = field(default_factory=list)
    detach: dict[str, int] = field(default_factory=dict)
    plan: str = ""


class Withdraw(Order, frozen=True):
    """Choose in secret how a force meets an engagement (KH-19.01).

    ``how`` is "stand" or "fighting" for the force. ``leaving`` has the formations that withdraw separately, each
    "precipitous" or "recon". ``ledger`` is the ledger that pays for a precipitous withdrawal, if the owner may choose
    (KH-R63).
    """

    how: str = "stand"
    leaving: dict[str, str] = field(default_factory=dict)
    ledger: str = "general"

    def in_words(self) -> str:
        """Return the response in words, such as "stand; panzer_recon slips away"."""
        parts = [{"stand": "stand", "fighting": "withdraw fighting"}.get(self.how, self.how)]
        verbs = {"recon": "slips away", "precipitous": "leaves precipitously"}
        parts += [f"{each} {verbs.get(how, how)}" for each, how in self.leaving.items()]
        paid = ", armor attrition" if self.ledger == "armor" else ""
        return "; ".join(parts) + paid


class LetGo(Order, frozen=True):
    """Let the enemy's fighting withdrawal happen without a fight, or fight (KH-19.08)."""

    let_go: bool

    def in_words(self) -> str:
        """Return the choice."""
        return "let go: the enemy leaves without a fight" if self.let_go else "fight"


class ProposeMode(Order, frozen=True):
    """Propose the mode of an engagement: ordinary, total_war or linked (KH-12.12). Both sides must agree."""

    mode: str

    def in_words(self) -> str:
        """Return a description of the mode."""
        modes = {"ordinary": "ordinary: one table for each action", "linked": "linked: adjacent tables"}
        return modes.get(self.mode, "total war: one large battle")


class SetActions(Order, frozen=True):
    """Set the number of tabletop actions of an engagement (KH-12.21), or of companies per side in a large battle."""

    number: int

    def in_words(self) -> str:
        """Return the number of actions."""
        return f"actions {self.number}"


class FieldCompanies(Order, frozen=True):
    """Field a company for each action of an engagement, in order (KH-13.01, KH-17.01)."""

    companies: list[Fielded]


class RetreatTo(Order, frozen=True):
    """Choose the area to which each formation retreats (KH-20.01)."""

    areas: dict[str, str]

    def in_words(self) -> str:
        """Return the destination of each formation."""
        return _destinations_in_words(self.areas, "")


class Advance(Order, frozen=True):
    """Advance after an overwhelming victory (KH-18.07). A formation without an area stays."""

    areas: dict[str, str] = field(default_factory=dict)

    def in_words(self) -> str:
        """Return the destination of each formation."""
        return _destinations_in_words(self.areas, "stay")


class OrderEngagements(Order, frozen=True):
    """Set the order in which the outcomes of engagements are applied (KH-R50)."""

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
