"""A result: what comes back from a table, field by field, or in short; and the order that brings it."""

from msgspec import Struct

from sandtable.kernel.decisions import Order
from sandtable.tabletop.brief import Brief, digest_of, settle

TABLE = "table"
"""Who fought a battle, if nobody else is named."""


class PlatoonLosses(Struct, frozen=True, gc=False, omit_defaults=True):
    """What became of one platoon; only those that lost something are named.

    Of its fielded teams ``destroyed`` are gone, ``routed`` left the table, ``bailed`` are bailed out or bogged down at
    the end. ``lost`` tells that it counts as lost as a whole. ``transports`` are transports lost, ``upgrades`` upgrade
    teams lost. ``exited`` are teams that left by their own edge: pairs of table turn and number.
    """

    destroyed: int = 0
    routed: int = 0
    bailed: int = 0
    lost: bool = False
    transports: int = 0
    upgrades: int = 0
    exited: tuple[tuple[int, int], ...] = ()


class Attrition(Struct, frozen=True, gc=False, omit_defaults=True):
    """Attrition points in short, after recovery: for who does not enter platoons."""

    armor: int = 0
    general: int = 0


class Transfer(Struct, frozen=True, gc=False, omit_defaults=True):
    """A platoon of ``side`` that left a linked table for a near one in a turn of the first."""

    side: str
    platoon: str
    turn: int
    to: int


class Result(Struct, frozen=True, gc=False, omit_defaults=True):
    """What came of one battle.

    ``points`` are victory points by side, ``winner`` a side or "draw". Losses are either ``platoons``, by side and
    platoon id, or ``short``, by side and the id of the company's parent. ``recovery`` are dice for lost armoured
    vehicles, by side, if they were rolled at the table; else the campaign rolls. ``casualties`` are characters that
    were hit, by side. ``heroic`` and ``unchivalrous`` name players, once for each case. ``recon_ahead`` are recon
    platoons of the winner in the enemy's half at the end. ``conceded`` is the side that did not come: then its enemy is
    the winner, and all else is empty. ``source`` tells who fought it ("table", "resolver", a ruleset); ``battle`` is
    the SHA-256 of the log of that ruleset's game, which travels with the campaign's log.
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
        """Keep to one form."""
        settle(self, {"source": TABLE})


class ReportBattle(Order, frozen=True, omit_defaults=True):
    """Report what came of the battle of the brief ``brief`` (its id).

    ``digest`` is that of the brief: a report of one battle is no answer to another with the same id, whose mission or
    companies differ. A report without one answers every brief of that id.
    """

    brief: str
    result: Result
    digest: str = ""

    @classmethod
    def of(cls, brief: Brief, result: Result) -> "ReportBattle":
        """Return the report that ``result`` came of ``brief``."""
        return cls(brief.id, result, digest_of(brief))
