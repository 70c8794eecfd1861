"""The result of a battle at a table, by platoon or in short form, and the order that reports it."""

from msgspec import Struct

from sandtable.kernel.decisions import Order
from sandtable.tabletop.brief import Brief, digest_of, settle

TABLE = "table"
"""The default source of a result."""


class PlatoonLosses(Struct, frozen=True, gc=False, omit_defaults=True):
    """The losses of one platoon; only platoons that lost something are named.

    Of its fielded teams ``destroyed`` are destroyed, ``routed`` left the table, and ``bailed`` are bailed out or bogged
    down at the end. ``lost`` means that the whole platoon counts as lost. ``transports`` are lost transports,
    ``upgrades`` lost upgrade teams. ``exited`` are teams that left by their own edge: pairs of table turn and number.
    """

    destroyed: int = 0
    routed: int = 0
    bailed: int = 0
    lost: bool = False
    transports: int = 0
    upgrades: int = 0
    exited: tuple[tuple[int, int], ...] = ()


class Attrition(Struct, frozen=True, gc=False, omit_defaults=True):
    """Attrition points in short form, after recovery, as an alternative to losses by platoon."""

    armor: int = 0
    general: int = 0


class Transfer(Struct, frozen=True, gc=False, omit_defaults=True):
    """A platoon of ``side`` that left a linked table for a near one, in a turn of the first table."""

    side: str
    platoon: str
    turn: int
    to: int


class Result(Struct, frozen=True, gc=False, omit_defaults=True):
    """The result of one battle.

    ``points`` are victory points by side, ``winner`` is a side or "draw". Losses are either ``platoons``, by side and
    platoon id, or ``short``, by side and the id of the company's parent. ``recovery`` are dice for lost armored
    vehicles, by side, if they were rolled at the table; without them the campaign rolls. ``casualties`` are characters
    that were hit, by side. ``heroic`` and ``unchivalrous`` name players, once for each case.

    ``recon_ahead`` are recon platoons of the winner in the enemy's half at the end. ``conceded`` is the side that did
    not come: its enemy is then the winner, and all other fields are empty. ``source`` is the origin ("table",
    "resolver", a ruleset). ``battle`` is the SHA-256 of the log of that ruleset's game, which is stored with the
    campaign's log.
    """

    winner: str
    points: dict[str, int] = {}
    platoons: dict[str, dict[str, PlatoonLosses]] = {}
    short: dict[str, dict[str, Attrition]] = {}
    recovery: dict[str, tuple[int, ...]] = {}
    casualties: dict[str, tuple[str, ...]] = {}
    heroic: tuple[str, ...] = ()
    unchivalrous: tuple[str, ...] = ()
    recon_ahead: tuple[str, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    conceded: str = ""
    turns: int = 0
    note: str = ""
    source: str = TABLE
    battle: str = ""

    def __post_init__(self) -> None:
        """Normalize the defaults."""
        settle(self, {"source": TABLE})


class ReportBattle(Order, frozen=True, omit_defaults=True):
    """Report ``result`` for the battle of the brief ``brief`` (its id).

    ``digest`` is that of the brief: a report of one battle does not answer another with the same id, whose mission or
    companies differ. A report without a digest answers every brief with that id.
    """

    brief: str
    result: Result
    digest: str = ""

    @classmethod
    def of(cls, brief: Brief, result: Result) -> "ReportBattle":
        """Return the report of ``result`` for ``brief``."""
        return cls(brief.id, result, digest_of(brief))
