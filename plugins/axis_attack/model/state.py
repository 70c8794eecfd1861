"""The state of a campaign: rosters, victory points, the sector of the battle, and the prepared game."""

from msgspec import Struct, field

from sandtable import State
from sandtable.tabletop import Result


class Platoon(Struct, array_like=True):
    """A platoon of a roster: its type, its level when bought (the maximum, AOA-11.08), and its current level.

    ``upgrades`` has the number of each bought upgrade (AOA-1.16). ``immobile`` means that it lacks transports
    (AOA-10.17), ``fought`` that it was in this turn's game, and ``raised`` that it was raised to depleted without a
    roll (AOA-11.18). ``teams`` is its current strength, which counts only if exact strengths are recorded (AOA-R10).
    ``transports`` are the remaining ones.
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


class Shown(Struct, frozen=True, array_like=True):
    """The facts of a platoon that the enemy learns when it is shown: its type and its level (AOA-O1)."""

    type: str
    level: int


class Fielded(Struct, frozen=True, array_like=True):
    """A platoon in a game force: counted teams, upgrades, and the platoon that carries it ("" if none does)."""

    platoon: str
    teams: int
    upgrades: dict[str, int] = {}
    off_table: bool = False
    carried_by: str = ""


class Purchase(Struct, frozen=True, array_like=True):
    """The special rule bought for a game (AOA-9.02): kind ("" for none), number, platoons, and written targets."""

    kind: str = ""
    number: int = 0
    platoons: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class AirSupport(Struct, frozen=True, array_like=True):
    """Air support of a game: aircraft type ("" for none), level, profile and load (AOA-1.15, AOA-4.01)."""

    aircraft: str = ""
    level: str = ""
    profile: str = ""
    load: str = ""


class Force(Struct, array_like=True):
    """A side's game force; ``extra`` is the number of victory points spent for a higher points limit."""

    platoons: list[Fielded] = field(default_factory=list)
    points: int = 0
    extra: int = 0
    purchase: Purchase = field(default_factory=Purchase)
    air: AirSupport = field(default_factory=AirSupport)


class Battle(Struct, array_like=True):
    """The record of a turn's battle: sector, mission, roles, winner, victory points by side, result code, weather."""

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

    These fields are by side:

    - ``rosters``: platoons by id. ``aircraft``: the bought level by type.
    - ``balance``: victory points to spend (AOA-R04).
    - ``earned``: all points won.
    - ``raw``: points of the last game without the bonus (AOA-8.02).
    - ``forces`` and ``claims``: the game forces of this turn, and the claimed recon platoons (AOA-8.04).
    - ``dice``: remaining reinforcement dice. ``shown``: platoons that the enemy knows.
    - ``ladder``: levels at the start and after each turn, by platoon.

    ``sector`` is that of the battle. ``mission`` is the next mission, or after a game the last one. ``attacker`` and
    ``defender`` are "" until they are decided. ``winner`` is that of the last game ("" before the first, "draw"), and
    ``result`` its code. ``corner`` is the column and row of the table's north-west corner, from 0. ``bound`` is the
    side whose platoons must all be mobile or carried in the next game, after a breakthrough by two sectors (AOA-7.05).
    ``moved_two`` means that the breakthrough was this turn. ``conceded`` is the side that conceded the game. ``report``
    is the result of the game until the turn ends. ``recon_ahead`` has the winner's recon platoons in the enemy's half.
    ``track`` has the battles so far.
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
