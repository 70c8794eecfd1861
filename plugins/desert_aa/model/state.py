"""The state of a game: units, ground, money, minefields, and the current battle."""

from msgspec import Struct, field

from sandtable import State

READY = "ready"
EXTENDED = "extended"
"""Out of fuel, because the unit moved its extra space (DAA-4.03)."""
ADVANCED = "advanced"
"""Moved its extra space along the road without a penalty, so that its supply can be cut (DAA-6.02, DAA-6.03)."""
CUT = "cut"
"""Its supply was cut (DAA-6.04)."""
CONDITIONS = (READY, EXTENDED, ADVANCED, CUT)
LAID_DOWN = (EXTENDED, CUT)
"""The conditions in which a unit is laid down and does not move (DAA-4.08, DAA-4.09)."""


class Unit(Struct, array_like=True):
    """A unit on the map.

    ``stands_up`` is the round in whose non-combat phase it becomes ready, 0 if it is ready (DAA-R13). ``moved`` counts
    the spaces that it moved in the turn of its power. ``path`` is its latest path, in the latest turn of its power, or
    empty if it did not move.
    """

    power: str
    kind: str
    space: str
    condition: str = READY
    stands_up: int = 0
    moved: int = 0
    path: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """The space before the last one of its path, or "" if it did not move."""
        return self.path[-2] if len(self.path) > 1 else ""

    @property
    def lies(self) -> bool:
        """Whether the unit is laid down."""
        return self.condition in LAID_DOWN


class Minefield(Struct, array_like=True):
    """A minefield with its power, whether the enemy knows it, and its entries so far: 0, 1, or 2 for more."""

    power: str
    known: bool = False
    entries: int = 0


class Plan(Struct, array_like=True):
    """A combat move that was ordered but not made yet (DAA-R38)."""

    units: list[str]
    path: list[str]
    raid: bool = False


class Battle(Struct):
    """The current battle: its units, the rounds fought, and the guns that have fired."""

    space: str
    attackers: list[str]
    defenders: list[str]
    round: int = 0
    spent: list[str] = field(default_factory=list)


class CapitalTaken(Struct, array_like=True):
    """The capture of the enemy's capital in the turn of ``power`` in ``round``."""

    power: str
    round: int


class DesertState(State, kw_only=True):
    """A game of Desert Axis & Allies.

    ``units`` are by id. ``made`` counts all units ever made by power and kind ("uk-inf"), so that ids are used once. By
    space: ``control`` (the holding power), ``minefields``, and ``combats`` and ``raids``, the attackers of battles and
    the bombers of raids that remain this turn. ``cash`` is by purse: a side, or a power if purses are separate.
    ``waiting`` and ``mines_waiting`` are purchases that are not on the map yet, by power. ``capital_taken`` is by side.

    The current turn has ``plans``, ``battle``, ``captured`` spaces, ``taken_flak`` (gun ids), and ``blocked``, the cut
    units that had an enemy on the road behind them when the turn began.
    """

    units: dict[str, Unit] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    cash: dict[str, int] = field(default_factory=dict)
    waiting: dict[str, dict[str, int]] = field(default_factory=dict)
    mines_waiting: dict[str, int] = field(default_factory=dict)
    minefields: dict[str, Minefield] = field(default_factory=dict)
    plans: list[Plan] = field(default_factory=list)
    combats: dict[str, list[str]] = field(default_factory=dict)
    raids: dict[str, list[str]] = field(default_factory=dict)
    battle: Battle | None = None
    captured: list[str] = field(default_factory=list)
    taken_flak: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    capital_taken: dict[str, CapitalTaken] = field(default_factory=dict)
