"""What a side sees, built field by field from what it may know, never the state with parts struck out.

Positions, types, states and markers are open; plots are sealed until both sides have committed, and until then they are
not in the state. Two rulings keep more from the other side: plots that are shown one by one as they are carried out
(R-KP-23, option ``reveal_plots``), and panic rolls (R-KP-71, option ``panic_roll_secret``).
"""

from collections.abc import Mapping

from msgspec import Struct

from kampfpanzer.model.events import PanicRolled, PlotsWritten
from kampfpanzer.model.state import Impact, KampfState, Unit
from sandtable import UMPIRE, Event

LAZY, HIDDEN = "lazy", "hidden"
"""The tokens of the two options under which the other side sees less."""
PANIC_IS_OPEN = ("movement", "recovery")
"""The phases before which a hidden panic roll is out: the new plots have been made."""


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

    ``plots`` lacks plots of the other side that are still hidden (R-KP-23), ``panic`` the other side's roll if that is
    hidden (R-KP-71). The rest is as in ``kampfpanzer.model.state.KampfState``.
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
    """Return what ``side`` sees of the state."""
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
    """Return the plots that are open to a side: all, or while they are shown one by one its own and those shown."""
    if state.options["reveal_plots"] != LAZY or side == UMPIRE:
        return dict(state.plots)
    units, shown = state.units, state.shown
    return {unit_id: plot for unit_id, plot in state.plots.items() if units[unit_id].side == side or unit_id in shown}


# --- secret events ---

SECRET: dict[tuple[str, str], tuple[type[Event], ...]] = {
    ("reveal_plots", LAZY): (PlotsWritten,),
    ("panic_roll_secret", HIDDEN): (PanicRolled,),
}
"""What options make secret, by option and value."""


def secret_events(options: Mapping[str, str]) -> tuple[type[Event], ...]:
    """Return the events that some side does not see, or not whole."""
    return tuple(kind for choice in options.items() for kind in SECRET.get(choice, ()))


def visible(event: Event, side: str) -> Event | None:
    """Return what ``side`` sees of a secret event, None for nothing; of no other event is it asked.

    Of the other side's plots it sees that they are written (R-KP-23), of its panic roll nothing (R-KP-71).
    """
    if isinstance(event, PlotsWritten) and side not in (UMPIRE, event.side):
        return PlotsWritten(event.side, {}, event.rule)
    if isinstance(event, PanicRolled) and side not in (UMPIRE, event.side):
        return None
    return event
