"""The state of a game: units, ground, money, minefields, and where a battle stands."""

from msgspec import Struct, field

from sandtable import State

READY = "ready"
EXTENDED = "extended"
"""Out of fuel: moved its extra space (DAA-4.03)."""
ADVANCED = "advanced"
"""Moved its extra space along the road for nothing; its supply can be cut (DAA-6.02, DAA-6.03)."""
CUT = "cut"
"""Its supply was cut (DAA-6.04)."""
CONDITIONS = (READY, EXTENDED, ADVANCED, CUT)
LAID_DOWN = (EXTENDED, CUT)
"""The conditions in which a unit lies flat and does not move (DAA-4.08, DAA-4.09)."""


class Unit(Struct, array_like=True):
    """A unit on the map.

    ``stands_up`` is the round whose own non-combat phase it lies until, 0 while it stands (DAA-R13). ``moved`` counts
    the spaces that it moved in the turn of its power. ``path`` is how it came to where it is, in the latest turn of its
    power in which it moved; empty when it did not.
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
        """The space from which it stepped into the one it moved to, "" if it did not move."""
        return self.path[-2] if len(self.path) > 1 else ""

    @property
    def lies(self) -> bool:
        """Whether it is laid down."""
        return self.condition in LAID_DOWN


class Minefield(Struct, array_like=True):
    """A minefield: whose it is, whether the enemy knows of it, and the entries it has seen: 0, 1, or 2 for more."""

    power: str
    known: bool = False
    entries: int = 0


class Plan(Struct, array_like=True):
    """A combat move that is ordered, but not made yet (DAA-R38)."""

    units: list[str]
    path: list[str]
    raid: bool = False


class Battle(Struct):
    """The battle that is being fought: who takes part, rounds fought, guns that have had their shot."""

    space: str
    attackers: list[str]
    defenders: list[str]
    round: int = 0
    spent: list[str] = field(default_factory=list)


class CapitalTaken(Struct, array_like=True):
    """When the enemy's capital was taken: in the turn of ``power`` in ``round``."""

    power: str
    round: int


class DesertState(State, kw_only=True):
    """A game of Desert Axis & Allies.

    By unit id: ``units``; ``made`` counts those ever made, by power and kind ("uk-inf"), so that ids are used once. By
    space: ``control`` (the holding power), ``minefields``, ``combats`` and ``raids`` (attackers of battles, and bombers
    of raids, that are still to come this turn). By purse (a side, or a power where purses are apart): ``cash``. By
    power: ``waiting`` and ``mines_waiting``, what is bought and not on the map yet. By side: ``capital_taken``.

    Of the turn in hand: ``plans``, ``battle``, ``captured`` spaces, ``taken_flak`` (gun ids), and ``blocked``, the cut
    units that had an enemy behind them as the turn began.
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
