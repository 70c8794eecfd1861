"""The events. Units are named by identity number, hexes by printed number; ticks are half movement points.

Results use the notation of the printed tables: "P", "D1" to "D4", or "". ``calculations`` derive the figures; each is
named after its figure, with a unit or side if it belongs to one, such as "strength.97" or "defense".
"""

from msgspec import field

from sandtable import UNSET, Calculations, Event

# --- set-up and plots ---


class ForceDeployed(Event, frozen=True):
    """``side`` set up: hex, facing and carrier by unit, and the hexes that it entrenched (KP-14.0a)."""

    side: str
    hexes: dict[str, str]
    facings: dict[str, str] = field(default_factory=dict)
    aboard: dict[str, str] = field(default_factory=dict)
    entrenchments: list[str] = field(default_factory=list)
    rule: str = "KP-14.0a"


class PlotsWritten(Event, frozen=True):
    """``side`` committed its plots; they are secret only if plots are revealed one by one (R-KP-23)."""

    side: str
    plots: dict[str, str]
    rule: str = "KP-4.1a"


class PlotShown(Event, frozen=True):
    """A hidden plot was revealed when it was carried out (R-KP-23, option reveal_plots)."""

    unit: str
    plot: str
    rule: str = "R-KP-23"


class TurnCleared(Event, frozen=True):
    """Temporary marks of the turn were removed; if the game ends, ``calculations`` hold the deciding count."""

    rule: str = "KP-11.0d"
    calculations: Calculations = UNSET


class PanicRolled(Event, frozen=True):
    """``side`` rolled for panic; ``units`` are in hexes with one of the named digits and panic (KP-11.11c)."""

    side: str
    level: int
    die: int
    digits: list[str]
    units: list[str]
    rule: str = "KP-11.11c"
    calculations: Calculations = UNSET


class PanicPlotted(Event, frozen=True):
    """A panicked unit got ``plot`` instead of its movement plot: ``points`` in ``direction``, or "" for no step."""

    unit: str
    direction: str
    points: int
    plot: str
    rule: str = "KP-11.21a"
    calculations: Calculations = UNSET


# --- fire ---


class FireResolved(Event, frozen=True):
    """``firers`` attacked ``targets`` in ``hex`` as one attack.

    ``strengths`` are the fully modified attack strengths of ``firers``, in their order. ``defense`` is the total
    defense; ``addition`` is the part of it that comes from ``cover`` ("woods", "town", "slope", "wreck",
    "entrenchment", or "" for no cover). ``superiority`` is the column used. ``opportunity`` is true for opportunity
    fire.
    """

    firers: list[str]
    targets: list[str]
    hex: str
    strengths: list[int]
    defense: int
    addition: int
    cover: str
    superiority: int
    die: int
    result: str
    opportunity: bool = False
    rule: str = "KP-9.0e"
    calculations: Calculations = UNSET


class FireWithheld(Event, frozen=True):
    """``firers`` could not attack ``targets`` together: superiority below -3 (KP-9.7b) or wrong weapon (KP-9.51b)."""

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
    """High explosive fire of ``firer`` was placed on ``hex``, in ``pattern`` "T" or "L"; it affects ``hexes``."""

    firer: str
    hex: str
    pattern: str
    hexes: list[str]
    rule: str = "KP-9.32d"


class UnitShelled(Event, frozen=True):
    """H fire of ``firer`` attacked ``unit`` in ``hex``: column "moving" or "static", ``added`` is added to the die."""

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
    """The impact markers were removed (KP-9.32d)."""

    rule: str = "KP-9.32d"


class ResultsApplied(Event, frozen=True):
    """Results took effect: ``disruption`` is the new level by unit, ``pinned`` are the pinned units.

    No result is pending after it for any unit. Pins of the movement phase are not in ``pinned`` (KP-9.83a).
    """

    disruption: dict[str, int]
    pinned: list[str]
    rule: str = "KP-9.81a"
    calculations: Calculations = UNSET


class UnitDestroyed(Event, frozen=True):
    """``unit`` was eliminated in ``hex``, with ``passengers``; ``wreck`` is true if it leaves a wreck (KP-9.91a)."""

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
    """The pin markers of ``units`` were removed (KP-9.72a)."""

    units: list[str]
    rule: str = "KP-9.72a"


class RecoveryRolled(Event, frozen=True):
    """``unit`` of disruption ``level`` rolled ``die`` and now has level ``after``, with ``passengers`` (KP-12.32b)."""

    unit: str
    level: int
    die: int
    after: int
    passengers: list[str] = field(default_factory=list)
    rule: str = "KP-9.72b"
    calculations: Calculations = UNSET


# --- movement ---


class UnitsFrozen(Event, frozen=True):
    """``units`` are the targets of plotted overruns and may only fire (KP-9.67a)."""

    units: list[str]
    rule: str = "KP-9.67a"


class UnitsMoved(Event, frozen=True):
    """At ``tick`` half points, each of these units entered a hex, also from off the map; passengers are not listed."""

    tick: int
    hexes: dict[str, str]
    rule: str = "KP-6.1a"
    calculations: Calculations = UNSET


class UnitsExited(Event, frozen=True):
    """At ``tick``, these units and their passengers left the map for good; ``edges`` are their last hexes."""

    tick: int
    edges: dict[str, str]
    rule: str = "KP-14.0i"
    calculations: Calculations = UNSET


class UnitStopped(Event, frozen=True):
    """``unit`` ended its move in ``hex``; ``why`` is a key of ``STOPS``, ``by`` the enemy that stopped it, or "".

    For a unit that was kept off the map, ``hex`` is its entry hex.
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
"""By key, the reason why a unit stops before it has completed its plot."""


class ContestDecided(Event, frozen=True):
    """``winners`` and ``losers`` were due in ``hex`` at once; ``by`` is "hexes", "allowance" or "dice" (KP-6.4b)."""

    tick: int
    hex: str
    winners: list[str]
    losers: list[str]
    by: str
    rule: str = "KP-6.4b"
    calculations: Calculations = UNSET


class OverrunResolved(Event, frozen=True):
    """``attackers`` overran ``defenders`` in ``hex``; in ``counted``, entrenched units count double (KP-9.63a)."""

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
    """``unit`` counterattacked ``target``, which overran it (KP-9.68b)."""

    unit: str
    target: str
    superiority: int
    die: int
    result: str
    rule: str = "KP-9.68b"
    calculations: Calculations = UNSET


class UnitBackedUp(Event, frozen=True):
    """``unit`` backed up from ``start`` to ``hex``, because it may not end the phase in ``start``.

    ``why`` is "stack", "entrenchment" or "overrun"; ``hex`` is "" if it returns off the map (R-KP-20).
    """

    unit: str
    start: str
    hex: str
    why: str
    rule: str = "R-KP-15"


class EntryMissed(Event, frozen=True):
    """``units`` could not enter this turn; if ``lost``, they never will (R-KP-20, R-KP-22)."""

    units: list[str]
    lost: bool = False
    rule: str = "R-KP-20"


class FacingChanged(Event, frozen=True):
    """``unit`` turned to ``facing`` (KP-9.4e)."""

    unit: str
    facing: str
    rule: str = "KP-9.4e"


class UnitEmbarked(Event, frozen=True):
    """``unit`` went aboard ``vehicle``, which moved to its ``hex`` (KP-12.0f)."""

    unit: str
    vehicle: str
    hex: str
    rule: str = "KP-12.0f"


class UnitDebarked(Event, frozen=True):
    """``unit`` left ``vehicle``, which moved to ``hex``; a gun has a ``facing`` (KP-12.0g)."""

    unit: str
    vehicle: str
    hex: str
    facing: str = ""
    rule: str = "KP-12.0g"


class OperationFailed(Event, frozen=True):
    """The plotted ``operation`` of ``unit``, "embark", "debark" or "facing", failed; ``why`` is the reason in words."""

    unit: str
    operation: str
    why: str
    rule: str = "KP-12.11a"


class EntrenchmentsLost(Event, frozen=True):
    """These entrenchments were removed, because the turn ended without a unit of their side in them (KP-13.1a)."""

    hexes: list[str]
    rule: str = "KP-13.1a"


class EntrenchmentsTaken(Event, frozen=True):
    """Entrenchments that the enemy holds changed sides: the new side by hex (R-KP-73, option entrench_owner)."""

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
