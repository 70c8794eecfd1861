"""The state of a game: units with their hidden strength, control, rails, replacements. Hexes are numbers, "2702"."""

from itertools import count
from typing import Any

from msgspec import Struct, field

from sandtable import State

POOL = "pool"
"""Waiting to arrive, or rebuilt and waiting for the next turn."""
ON_MAP = "on_map"
ELIMINATED = "eliminated"
SURRENDERED = "surrendered"
"""Removed permanently (DM-10.0d)."""


_numbers = count(1)
_changes = _moves = 0


def changes() -> int:
    """Return a number that changes whenever any unit of any state changes.

    Numbers are never reused, even if several games run in the process.
    """
    return _changes


def moves() -> int:
    """Return a number like ``changes`` that changes only with the position: a unit's hex or its demoralization."""
    return _moves


class Unit(Struct, array_like=True):
    """A unit, stored under its id. ``sp`` is its current strength, which the enemy does not know (DM-2.4c).

    ``spent`` units have activated or reacted and are not reset yet (DM-2.1e). ``arrives`` is the turn from which a unit
    in the pool may arrive. A unit is changed in place and never replaced, so that ``changes`` counts every change.
    """

    side: str
    sp: int
    hex: str = ""
    standing: str = POOL
    demoralized: bool = False
    spent: bool = False
    arrives: int = 0

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field and count the change."""
        global _changes, _moves  # noqa: PLW0603 - shared by all states, so a reader need not know which unit changed
        super().__setattr__(name, value)
        _changes = next(_numbers)
        if name in {"hex", "demoralized"}:
            _moves = _changes


class Air(Struct, array_like=True):
    """The air unit this turn: whether it is ready, its failed checks, and the one benefit left ("" for both)."""

    ready: bool = True
    failures: int = 0
    benefit: str = ""


class DamosState(State, kw_only=True):
    """A game of the series.

    ``units`` are by unit id. ``control`` has for each hex the side that last moved a force through it (DM-2.9a).
    ``converted`` are the rail hexes that the Germans have converted, sorted. ``replacements`` are the saved points
    by side. ``active`` are the units of the current activation. ``reacted`` are the units that attempted a reaction in
    it, and ``responded`` those that succeeded (R-DM-05). ``zone_phase`` is true if a ZOI-capable force has activated in
    this operations phase (DM-7.0d). ``attack_target`` is the hex of the current concerted attack. ``paid`` are, by
    side, the losses paid with replacement points in this player turn (R-DM-62).

    Exclusive rules: ``air`` is the air unit. ``undying`` has the turn in which a unit returns. ``attacks_owed`` and
    ``attacks_made`` count required attacks. ``pause_turn`` is the turn that triggered the pause of AGC-4.7 (0: none
    yet). ``cossacks`` is the hex of this turn. ``held`` is whether mobile German forces kept still on the turn that the
    optional pause checks (AGC-4.3.1h).
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
