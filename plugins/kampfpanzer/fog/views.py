"""The view of a side, built field by field from public data and its own, never by removing parts of the state.

Positions, types, unit states and markers are public. Plots are sealed until both sides have committed, and are not in
the state until then. Two options hide more from the other side. Plots may be revealed one by one as they are carried
out (R-KP-23, option ``reveal_plots``). Panic rolls may be hidden (R-KP-71, option ``panic_roll_secret``).
"""

from collections.abc import Mapping

from msgspec import Struct

from kampfpanzer.model.events import PanicRolled, PlotsWritten
from kampfpanzer.model.state import Impact, KampfState, Unit
from sandtable import UMPIRE, Event

LAZY, HIDDEN = "lazy", "hidden"
"""The values of the two options with which the other side sees less."""
PANIC_IS_OPEN = ("movement", "recovery")
"""The phases in which a hidden panic roll is public, because the new plots have been made."""


class UnitSeen(Struct, frozen=True, gc=False):
    """A unit; see ``kampfpanzer.model.state.Unit``."""

    kind: str
    side: str
    hex: str
    standing: str
    facing: str
    carrier: str
    disruption: int
    pinned: bool
    panicked: bool
    pending: int
    pending_pin: bool


class ImpactSeen(Struct, frozen=True):
    """An impact marker; see ``kampfpanzer.model.state.Impact``."""

    firer: str
    hex: str
    pattern: str
    hexes: tuple[str, ...]


class PanicSeen(Struct, frozen=True):
    """A side's panic roll of this turn."""

    die: int
    digits: tuple[str, ...]


class SideView(Struct, frozen=True, kw_only=True):
    """The game as ``side`` sees it; "umpire" sees everything.

    ``plots`` lacks hidden plots of the other side (R-KP-23), and ``panic`` the other side's roll if it is hidden
    (R-KP-71). The other fields are as in ``kampfpanzer.model.state.KampfState``.
    """

    side: str
    turn: int
    phase: str
    phasing_side: str
    outcome: str
    ending: str
    options: dict[str, str]
    units: dict[str, UnitSeen]
    plots: dict[str, str]
    panic_plots: dict[str, str]
    panic: dict[str, PanicSeen]
    impacts: tuple[ImpactSeen, ...]
    entrenchments: dict[str, str]
    wrecks: tuple[str, ...]
    wrecks_due: tuple[str, ...]
    fired: tuple[str, ...]
    shown: tuple[str, ...]
    frozen: tuple[str, ...]
    deployed: tuple[str, ...]
    missed: tuple[str, ...]


def view(state: KampfState, side: str) -> SideView:
    """Return the view of ``side``."""
    units = state.units
    all_open = state.options["panic_roll_secret"] != HIDDEN or side == UMPIRE or state.phase in PANIC_IS_OPEN

    def knows(unit_id: str) -> bool:
        return all_open or units[unit_id].side == side or unit_id in state.panic_plots

    return SideView(
        side=side,
        turn=state.turn,
        phase=state.phase,
        phasing_side=state.phasing_side,
        outcome=state.outcome,
        ending=state.ending,
        options=dict(state.options),
        units={unit_id: _unit(unit, panicked=unit.panicked and knows(unit_id)) for unit_id, unit in units.items()},
        plots=_plots(state, side),
        panic_plots=dict(state.panic_plots),
        panic={
            owner: PanicSeen(roll.die, tuple(roll.digits))
            for owner, roll in state.panic.items()
            if all_open or owner == side
        },
        impacts=tuple(_impact(impact) for impact in state.impacts),
        entrenchments=dict(state.entrenchments),
        wrecks=tuple(state.wrecks),
        wrecks_due=tuple(state.wrecks_due),
        fired=tuple(state.fired),
        shown=tuple(state.shown),
        frozen=tuple(state.frozen),
        deployed=tuple(state.deployed),
        missed=tuple(state.missed),
    )


def _unit(unit: Unit, *, panicked: bool) -> UnitSeen:
    return UnitSeen(
        unit.kind,
        unit.side,
        unit.hex,
        unit.standing,
        unit.facing,
        unit.carrier,
        unit.disruption,
        unit.pinned,
        panicked,
        unit.pending,
        unit.pending_pin,
    )


def _impact(impact: Impact) -> ImpactSeen:
    return ImpactSeen(impact.firer, impact.hex, impact.pattern, tuple(impact.hexes))


def _plots(state: KampfState, side: str) -> dict[str, str]:
    """Return the plots that a side sees: all, or its own and the revealed ones if they are revealed one by one."""
    if state.options["reveal_plots"] != LAZY or side == UMPIRE:
        return dict(state.plots)
    units, shown = state.units, state.shown
    return {unit_id: plot for unit_id, plot in state.plots.items() if units[unit_id].side == side or unit_id in shown}


# --- secret events ---

SECRET: dict[tuple[str, str], tuple[type[Event], ...]] = {
    ("reveal_plots", LAZY): (PlotsWritten,),
    ("panic_roll_secret", HIDDEN): (PanicRolled,),
}
"""Secret events by option and value."""


def secret_events(options: Mapping[str, str]) -> tuple[type[Event], ...]:
    """Return the events that a side does not see, or sees only in part."""
    return tuple(kind for choice in options.items() for kind in SECRET.get(choice, ()))


def visible(event: Event, side: str) -> Event | None:
    """Return a secret event as ``side`` sees it, or None if it does not see it.

    It sees that the other side has written its plots, but not the plots (R-KP-23). It does not see the other side's
    panic roll (R-KP-71).
    """
    if isinstance(event, PlotsWritten) and side not in (UMPIRE, event.side):
        return PlotsWritten(event.side, {}, event.rule)
    if isinstance(event, PanicRolled) and side not in (UMPIRE, event.side):
        return None
    return event
