"""The campaign at one moment: rosters, points, the sector of the battle, the game that is being prepared."""

from msgspec import Struct, field

from sandtable import State
from sandtable.tabletop import Result


class Platoon(Struct, array_like=True):
    """A platoon of a roster: type, the level bought (never exceeded, AOA-11.08), the level now (see ``cards``).

    ``upgrades`` are those bought, by id with their number (AOA-1.16). ``immobile`` is as in AOA-10.17; ``fought`` tells
    that it was fielded this turn, ``raised`` that it was raised to depleted automatically (AOA-11.18). ``teams`` is its
    present strength where strengths are remembered exactly (AOA-R10), ``transports`` are those it has left.
    """

    type: str
    bought: int
    level: int
    upgrades: dict[str, int] = field(default_factory=dict)
    teams: int = 0
    transports: int = 0
    immobile: bool = False
    fought: bool = False
    raised: bool = False


class Fielded(Struct, frozen=True, array_like=True):
    """A platoon in a game force: counted teams, upgrades used, off the table, and what carries it ("" itself)."""

    platoon: str
    teams: int
    upgrades: dict[str, int] = {}
    off_table: bool = False
    carried_by: str = ""


class Purchase(Struct, frozen=True, array_like=True):
    """The special rule bought for a game (AOA-9): kind ("" none), how often, for which platoons, written targets."""

    kind: str = ""
    number: int = 0
    platoons: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class AirSupport(Struct, frozen=True, array_like=True):
    """Air support of a game: type ("" none), level, profile, load (AOA-1.15, AOA-4)."""

    aircraft: str = ""
    level: str = ""
    profile: str = ""
    load: str = ""


class Force(Struct, array_like=True):
    """A side's game force: platoons, points as fielded, points bought above the limit, special rule, air support."""

    platoons: list[Fielded] = field(default_factory=list)
    points: int = 0
    extra: int = 0
    purchase: Purchase = field(default_factory=Purchase)
    air: AirSupport = field(default_factory=AirSupport)


class Battle(Struct, array_like=True):
    """A turn of the track for the record: mission, sector, roles, weather, who won, points by side, result code."""

    turn: int
    sector: int
    mission: str
    attacker: str
    defender: str
    winner: str = ""
    points: dict[str, int] = field(default_factory=dict)
    result: str = ""
    weather: str = ""
    conceded: str = ""


class AxisState(State, kw_only=True):
    """A campaign.

    By side: ``rosters`` (platoons by id), ``aircraft`` (level bought by type), ``balance`` (victory points to spend and
    to show, AOA-R04), ``earned`` (all that were won), ``raw`` (those of the last game without the bonus, AOA-8.02),
    ``forces`` (of this turn's game), ``claims`` (recon platoons that count in the selection, AOA-8.04), ``dice``
    (reinforcement dice left). ``sector`` is where the battle is, ``mission`` the coming or last one, ``attacker`` and
    ``defender`` its roles ("" while the table decides), ``winner`` of the last game ("" none, "draw"), ``result`` its
    code. ``corner`` is the table's place in the sector's map, column and row from 0. ``bound`` is who may use no
    immobile platoon in the next game, after a breakthrough by two sectors (AOA-7.05); ``moved_two`` tells that it was
    this turn. ``conceded`` is the side that did not play. ``report`` is the result of the game until the turn's end.
    ``recon_ahead`` are recon platoons of the winner in the enemy's half. ``shown`` are, by side, its platoons that the
    enemy has come to know. ``track`` are the battles so far; ``ladder`` is, by side and platoon, the level after each
    turn.
    """

    rosters: dict[str, dict[str, Platoon]] = field(default_factory=dict)
    aircraft: dict[str, dict[str, str]] = field(default_factory=dict)
    balance: dict[str, int] = field(default_factory=dict)
    earned: dict[str, int] = field(default_factory=dict)
    raw: dict[str, int] = field(default_factory=dict)
    forces: dict[str, Force] = field(default_factory=dict)
    claims: dict[str, list[str]] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    sector: int = 0
    mission: str = ""
    attacker: str = ""
    defender: str = ""
    winner: str = ""
    result: str = ""
    corner: list[int] = field(default_factory=lambda: [0, 0])
    weather: str = "clear"
    mud: int = 0
    bound: str = ""
    moved_two: bool = False
    conceded: str = ""
    report: Result | None = None
    recon_ahead: list[str] = field(default_factory=list)
    shown: dict[str, list[str]] = field(default_factory=dict)
    track: list[Battle] = field(default_factory=list)
    ladder: dict[str, dict[str, list[int]]] = field(default_factory=dict)
