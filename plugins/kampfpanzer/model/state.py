"""The state of a game: units, plots, panic, impacts, entrenchments, wrecks. Hexes are numbers such as "0304"."""

from msgspec import Struct, field

from sandtable import State

WAITING = "waiting"
"""Off the map, due to enter."""
ON_MAP = "on_map"
EXITED = "exited"
DESTROYED = "destroyed"

DESTROYED_AT = 4
"""Number of disruption levels that destroys a unit (KP-9.71d)."""


class Unit(Struct, array_like=True):
    """A unit, stored under its identity number.

    ``hex`` is "" while it is off the map. ``facing`` is a letter A to F for a gun on foot, and "" for other units.
    ``carrier`` is the id of the vehicle that it is aboard, or "" on foot. ``pending`` counts the levels, and
    ``pending_pin`` records a pin, that it suffered in the current phase and that are not in force yet (KP-5.0e,
    KP-9.82a).
    """

    kind: str
    side: str
    hex: str = ""
    standing: str = WAITING
    facing: str = ""
    carrier: str = ""
    disruption: int = 0
    pinned: bool = False
    panicked: bool = False
    pending: int = 0
    pending_pin: bool = False


class Impact(Struct, array_like=True):
    """An impact marker: high explosive fire of ``firer`` at ``hex``.

    ``pattern`` is "T" or "L", ``hexes`` are all hexes that it affects. ``struck`` are the units that it has attacked
    (R-KP-45, option h_moving_units).
    """

    firer: str
    hex: str
    pattern: str
    hexes: list[str]
    struck: list[str] = field(default_factory=list)


class PanicRoll(Struct, array_like=True):
    """A side's panic die of this turn, and the last digits of the hexes that it names (KP-11.11c)."""

    die: int
    digits: list[str]


class KampfState(State, kw_only=True):
    """The state of a game of KampfPanzer.

    By unit id: ``units``, ``plots`` (of this turn, in the notation of the book), ``panic_plots`` (their replacements,
    KP-11.21a). By side: ``panic``, the roll of this turn. By hex: ``entrenchments`` (the owner of each). ``wrecks`` and
    ``wrecks_due`` are sorted hexes; those due become wrecks as the phase ends (KP-9.92a). ``fired`` are the units whose
    opportunity fire has been triggered. ``shown`` are the units whose plot is already public if plots are revealed one
    by one (R-KP-23). ``frozen`` are the units that an overrun plot holds in place (KP-9.67a). ``deployed`` are the
    sides that have set up, ``missed`` the units that may no longer enter (R-KP-22).
    """

    units: dict[str, Unit] = field(default_factory=dict)
    plots: dict[str, str] = field(default_factory=dict)
    panic_plots: dict[str, str] = field(default_factory=dict)
    panic: dict[str, PanicRoll] = field(default_factory=dict)
    impacts: list[Impact] = field(default_factory=list)
    entrenchments: dict[str, str] = field(default_factory=dict)
    wrecks: list[str] = field(default_factory=list)
    wrecks_due: list[str] = field(default_factory=list)
    fired: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    frozen: list[str] = field(default_factory=list)
    deployed: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
