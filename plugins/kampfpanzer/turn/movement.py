"""Phase E: all movement is carried out at once, followed by the steps at its end (KP-4.1e)."""

from kampfpanzer.fire.damage import apply_results
from kampfpanzer.model.events import EntryMissed, ImpactsLifted, WrecksLeft
from kampfpanzer.model.state import WAITING, KampfState
from kampfpanzer.movement.backing import back_up
from kampfpanzer.movement.boarding import change_facings, debark, embark
from kampfpanzer.movement.clock import run_clock
from kampfpanzer.movement.march import March
from kampfpanzer.movement.overruns import freeze
from kampfpanzer.terrain.zones import by_number
from sandtable import Procedure


def movement(state: KampfState) -> Procedure:
    """Play the phase: clock, back-ups, results, facings, embarking, debarking, then wrecks and impact markers.

    Results take effect before facings and vehicles (KP-12.15b); pins of this phase are ignored (KP-9.83a). Wrecks
    appear at the end of the phase (KP-9.92a), and impact markers are removed then (KP-9.32d).
    """
    march = March(state)
    yield from freeze(march)
    yield from run_clock(march)
    yield from back_up(march)
    yield from _count_missing(march)
    yield from apply_results(state, pins=False, rule="KP-9.82a")
    yield from change_facings(march)
    yield from embark(march)
    yield from debark(march)
    if state.wrecks_due:
        yield WrecksLeft(list(state.wrecks_due))
    if state.impacts:
        yield ImpactsLifted()


def _count_missing(march: March) -> Procedure:
    """Report the units that could not enter; they may be plotted again, or never enter (R-KP-20, R-KP-22).

    A unit that was due this turn without a plot to enter is lost, because entry is never delayed by choice.
    """
    kept_off = by_number(march.kept_off)
    if kept_off:
        yield EntryMissed(kept_off, lost=IS_LOST[march.state.options["entry_delay"]])
    state = march.state
    waiting = [each for each, unit in state.units.items() if unit.standing == WAITING and not unit.carrier]
    due = [each for each in waiting if march.board.group_of[each].enters == state.turn]
    idle = by_number([each for each in due if each not in kept_off and each not in state.missed])
    if idle:
        yield EntryMissed(idle, lost=True, rule="R-KP-22")


IS_LOST = {"allowed_if_blocked": False, "never": True}
"""By value of the option entry_delay, whether a unit that could not enter is lost (R-KP-22)."""
