"""Events: what happens. Units are named by identity number, hexes by printed number; ticks are half movement points.

Results are written as the book's tables do: "P", "D1" to "D4", "" for none. ``calculations`` tell how figures came
about, each named by what it is and, with a point, the unit or side that it is of: "strength.97", "defence".
"""

from msgspec import field

from sandtable import UNSET, Calculations, Event

# --- set-up and plots ---


class ForceDeployed(Event, frozen=True):
    """``side`` set up: by unit its hex, facing, carrier; the hexes that it entrenched (D-KP-03)."""

    side: str
    hexes: dict[str, str]
    facings: dict[str, str] = field(default_factory=dict)
    aboard: dict[str, str] = field(default_factory=dict)
    entrenchments: list[str] = field(default_factory=list)
    rule: str = "KP-14.0a"


class PlotsWritten(Event, frozen=True):
    """``side`` committed its plots; secret only while plots are shown one by one (R-KP-23)."""

    side: str
    plots: dict[str, str]
    rule: str = "KP-4.1a"


class PlotShown(Event, frozen=True):
    """A plot that was kept hidden came to light as it was carried out (R-KP-23, option reveal_plots)."""

    unit: str
    plot: str
    rule: str = "R-KP-23"


class TurnCleared(Event, frozen=True):
    """The turn's plots, panic and other passing marks were put away; as the game ends, with what decides it counted."""

    rule: str = "KP-11.0d"
    calculations: Calculations = UNSET


class PanicRolled(Event, frozen=True):
    """``side`` rolled for panic; ``units`` stand on the digits named and panic (KP-11.11)."""

    side: str
    level: int
    die: int
    digits: list[str]
    units: list[str]
    rule: str = "KP-11.11c"
    calculations: Calculations = UNSET


class PanicPlotted(Event, frozen=True):
    """A panicked unit's movement plot was replaced by ``plot``: ``points`` in ``direction``; "" is no step at all."""

    unit: str
    direction: str
    points: int
    plot: str
    rule: str = "KP-11.21a"
    calculations: Calculations = UNSET


# --- fire ---


class FireResolved(Event, frozen=True):
    """``firers`` attacked ``targets`` in ``hex`` as one attack.

    ``strengths`` are the firers' attack strengths, fully modified, in their order; ``defence`` the whole defence, with
    ``addition`` of it for ``cover`` ("woods", "town", "slope", "wreck", "entrenchment", "" for none); ``superiority``
    the column used. ``opportunity`` tells whether it was opportunity fire.
    """

    firers: list[str]
    targets: list[str]
    hex: str
    strengths: list[int]
    defence: int
    addition: int
    cover: str
    superiority: int
    die: int
    result: str
    opportunity: bool = False
    rule: str = "KP-9.0e"
    calculations: Calculations = UNSET


class FireWithheld(Event, frozen=True):
    """``firers`` could not attack: their superiority over ``targets`` is below -3 (KP-9.7b)."""

    firers: list[str]
    targets: list[str]
    hex: str
    superiority: int
    opportunity: bool = False
    rule: str = "KP-9.7b"
    calculations: Calculations = UNSET


class FireTriggered(Event, frozen=True):
    """``target`` triggered the opportunity fire of ``firers`` by entering ``hex`` (KP-9.21a)."""

    firers: list[str]
    target: str
    hex: str
    tick: int
    rule: str = "KP-9.21a"
    calculations: Calculations = UNSET


class ImpactPlaced(Event, frozen=True):
    """H fire of ``firer`` lies on ``hex`` in ``pattern`` "T" or "L" and affects ``hexes`` (KP-9.0i)."""

    firer: str
    hex: str
    pattern: str
    hexes: list[str]
    rule: str = "KP-9.32d"


class UnitShelled(Event, frozen=True):
    """H fire of ``firer`` attacked ``unit`` in ``hex``: ``column`` "moving" or "static", ``added`` to the die."""

    unit: str
    firer: str
    hex: str
    column: str
    die: int
    added: int
    result: str
    rule: str = "KP-9.34a"
    calculations: Calculations = UNSET


class ImpactsLifted(Event, frozen=True):
    """The impact markers came off (KP-9.32d)."""

    rule: str = "KP-9.32d"


class ResultsApplied(Event, frozen=True):
    """Results came into force: ``disruption`` is the new level by unit, ``pinned`` who is pinned.

    What was pending is over for every unit; pins of the movement phase are in no list (KP-9.83a).
    """

    disruption: dict[str, int]
    pinned: list[str]
    rule: str = "KP-9.81a"
    calculations: Calculations = UNSET


class UnitDestroyed(Event, frozen=True):
    """``unit`` was eliminated in ``hex``, with ``passengers``; ``wreck`` tells whether it leaves one (KP-9.91a)."""

    unit: str
    hex: str
    passengers: list[str]
    wreck: bool
    rule: str = "KP-9.71d"
    calculations: Calculations = UNSET


class WrecksLeft(Event, frozen=True):
    """The destroyed vehicles of this phase became wrecks in these hexes (KP-9.92a)."""

    hexes: list[str]
    rule: str = "KP-9.92a"


class PinsLifted(Event, frozen=True):
    """The pin markers of ``units`` came off (KP-9.72a)."""

    units: list[str]
    rule: str = "KP-9.72a"


class RecoveryRolled(Event, frozen=True):
    """``unit`` of disruption ``level`` rolled ``die`` and has level ``after`` now, with ``passengers`` (KP-12.32b)."""

    unit: str
    level: int
    die: int
    after: int
    passengers: list[str] = field(default_factory=list)
    rule: str = "KP-9.72b"
    calculations: Calculations = UNSET


# --- movement ---


class UnitsFrozen(Event, frozen=True):
    """``units`` are plotted to be overrun and may only fire (KP-9.67a)."""

    units: list[str]
    rule: str = "KP-9.67a"


class UnitsMoved(Event, frozen=True):
    """At ``tick`` half points, these units (passengers apart) each entered a hex; from off the map, too."""

    tick: int
    hexes: dict[str, str]
    rule: str = "KP-6.1a"
    calculations: Calculations = UNSET


class UnitsExited(Event, frozen=True):
    """At ``tick``, these units, and who is aboard, left the map for good; ``edges`` are the hexes they left by unit."""

    tick: int
    edges: dict[str, str]
    rule: str = "KP-14.0i"
    calculations: Calculations = UNSET


class UnitStopped(Event, frozen=True):
    """``unit`` ends its move in ``hex``; ``why`` is one of ``STOPS``. ``by`` is the enemy that did it, if one did.

    For a unit that is kept off the map ``hex`` is its entrance.
    """

    tick: int
    unit: str
    hex: str
    why: str
    by: str = ""
    rule: str = "KP-6.3a"


STOPS = {
    "zone": "entered a zone of control",
    "met": "an enemy came adjacent",
    "zone_to_zone": "may not go from zone to zone",
    "contest": "lost the race for a hex",
    "contest_won": "won the race for a hex, and is adjacent now",
    "enemy": "an enemy holds the hex ahead",
    "swap": "met an enemy head on",
    "hit": "was hit before its overrun",
    "hard": "found a hard target to overrun",
    "exit": "cannot leave the overrun hex",
    "entry": "cannot enter the map",
}
"""Why a unit stops before its plot is done."""


class ContestDecided(Event, frozen=True):
    """``winners`` and ``losers`` wanted ``hex`` at once; ``by`` is "hexes", "allowance" or "dice" (KP-6.4)."""

    tick: int
    hex: str
    winners: list[str]
    losers: list[str]
    by: str
    rule: str = "KP-6.4b"
    calculations: Calculations = UNSET


class OverrunResolved(Event, frozen=True):
    """``attackers`` overran ``defenders`` in ``hex``; entrenched ones ``counted`` double (KP-9.63a)."""

    hex: str
    attackers: list[str]
    defenders: list[str]
    counted: int
    superiority: int
    die: int
    result: str
    rule: str = "KP-9.63a"
    calculations: Calculations = UNSET


class CounterattackResolved(Event, frozen=True):
    """``unit``, being overrun, counterattacked ``target`` (KP-9.68b)."""

    unit: str
    target: str
    superiority: int
    die: int
    result: str
    rule: str = "KP-9.68b"
    calculations: Calculations = UNSET


class UnitBackedUp(Event, frozen=True):
    """``unit`` went back from ``start`` to ``hex``: it may not end where it stood.

    ``why`` is "stack", "entrenchment" or "overrun". ``hex`` is "" for one that has just entered the map and has to
    leave it again (R-KP-20).
    """

    unit: str
    start: str
    hex: str
    why: str
    rule: str = "R-KP-15"


class EntryMissed(Event, frozen=True):
    """``units`` could not enter this turn; with ``lost`` they never will (R-KP-20, R-KP-22)."""

    units: list[str]
    lost: bool = False
    rule: str = "R-KP-20"


class FacingChanged(Event, frozen=True):
    """``unit`` faces ``facing`` now (KP-9.4e)."""

    unit: str
    facing: str
    rule: str = "KP-9.4e"


class UnitEmbarked(Event, frozen=True):
    """``unit`` went aboard ``vehicle``, which came to its ``hex`` (KP-12.0f)."""

    unit: str
    vehicle: str
    hex: str
    rule: str = "KP-12.0f"


class UnitDebarked(Event, frozen=True):
    """``unit`` left ``vehicle``, which went on to ``hex``; a gun has a ``facing`` (KP-12.0g)."""

    unit: str
    vehicle: str
    hex: str
    facing: str = ""
    rule: str = "KP-12.0g"


class OperationFailed(Event, frozen=True):
    """What ``unit`` had plotted, ``operation`` "embark", "debark" or "facing", did not come about; ``why`` in words."""

    unit: str
    operation: str
    why: str
    rule: str = "KP-12.11a"


class EntrenchmentsLost(Event, frozen=True):
    """No unit of its own side was left in these entrenchments as the turn ended (KP-13.1a)."""

    hexes: list[str]
    rule: str = "KP-13.1a"


class EntrenchmentsTaken(Event, frozen=True):
    """By hex, the side whose these entrenchments are now: its units hold them (R-KP-73, option entrench_owner)."""

    sides: dict[str, str]
    rule: str = "R-KP-73"


EVENTS: tuple[type[Event], ...] = (
    ForceDeployed,
    PlotsWritten,
    PlotShown,
    TurnCleared,
    PanicRolled,
    PanicPlotted,
    FireResolved,
    FireWithheld,
    FireTriggered,
    ImpactPlaced,
    UnitShelled,
    ImpactsLifted,
    ResultsApplied,
    UnitDestroyed,
    WrecksLeft,
    PinsLifted,
    RecoveryRolled,
    UnitsFrozen,
    UnitsMoved,
    UnitsExited,
    UnitStopped,
    ContestDecided,
    OverrunResolved,
    CounterattackResolved,
    UnitBackedUp,
    EntryMissed,
    FacingChanged,
    UnitEmbarked,
    UnitDebarked,
    OperationFailed,
    EntrenchmentsLost,
    EntrenchmentsTaken,
)
