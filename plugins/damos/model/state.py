"""The state of a game: units with their hidden strength, control, rails, replacements. Hexes are numbers, "2702"."""

from itertools import count
from typing import Any

from msgspec import Struct, field

from sandtable import State

POOL = "pool"
"""Still to arrive, or rebuilt and waiting for the next turn."""
ON_MAP = "on_map"
ELIMINATED = "eliminated"
SURRENDERED = "surrendered"
"""Gone for good (DM-10.0d)."""


_numbers = count(1)
_changes = _moves = 0


def changes() -> int:
    """Return a number that is another one after each change of a unit, of whichever state: while it stands, none has.

    Each number is given once, whatever runs beside.
    """
    return _changes


def moves() -> int:
    """Return the same for changes of where a unit is and whether it is demoralised: of the position."""
    return _moves


class Unit(Struct, array_like=True):
    """A unit, under its id. ``sp`` is its current strength, which the enemy does not know (DM-2.4c).

    ``spent`` units have activated or reacted and are not reset yet (DM-2.1e). ``arrives`` is the turn from which a unit
    in the pool may come in. A unit is changed, never put in the place of another: ``changes`` tells of it.
    """

    side: str
    sp: int
    hex: str = ""
    standing: str = POOL
    demoralized: bool = False
    spent: bool = False
    arrives: int = 0

    def __setattr__(self, name: str, value: Any) -> None:
        """Change a field, and let it be known."""
        global _changes, _moves  # noqa: PLW0603 - for all states, so that who looks need not know which unit it was
        super().__setattr__(name, value)
        _changes = next(_numbers)
        if name in {"hex", "demoralized"}:
            _moves = _changes


class Air(Struct, array_like=True):
    """The air unit this turn: whether it can still be used, bad checks so far, the one benefit left ("" both)."""

    ready: bool = True
    failures: int = 0
    benefit: str = ""


class DamosState(State, kw_only=True):
    """A game of the series.

    By unit id: ``units``. By hex: ``control``, the side that moved a force through it last (DM-2.9a). ``converted`` are
    the rail hexes the first player has converted, sorted. By side: ``replacements``, saved points. ``active`` are the
    units whose activation is on, ``reacted`` those that attempted a reaction in it, ``responded`` those of them that
    succeeded (R-DM-05), ``zone_phase`` tells that a ZOI-capable force has activated in this operations phase (DM-7.0d).
    ``attack_target`` is the hex of a concerted attack that is under way. ``paid`` are, by side, the losses paid with
    replacement points in this player turn (R-DM-62).

    Of the exclusive rules: ``air``; ``undying``, the turn in which a unit returns; ``attacks_owed``,
    ``attacks_made``; ``pause_turn``, the turn that set off the pause of AGC-4.7 (0: none yet); ``cossacks``, this
    turn's hex;
    ``held``, whether mobile German forces kept still on the turn that the optional pause looks at (AGC-4.3.1h).
    """

    units: dict[str, Unit] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    converted: list[str] = field(default_factory=list)
    replacements: dict[str, int] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)
    reacted: list[str] = field(default_factory=list)
    responded: list[str] = field(default_factory=list)
    zone_phase: bool = False
    attack_target: str = ""
    paid: dict[str, int] = field(default_factory=dict)
    air: Air = field(default_factory=Air)
    undying: dict[str, int] = field(default_factory=dict)
    attacks_owed: int = 0
    attacks_made: int = 0
    pause_turn: int = 0
    cossacks: str = ""
    held: bool = True
