"""Results of fire: pins, disruption, destruction (KP-9.71a to KP-9.92a), and revealing plots (R-KP-23)."""

from collections.abc import Callable, Iterable

from kampfpanzer.fire.calculations import level_calculation
from kampfpanzer.model.events import PlotShown, ResultsApplied, UnitDestroyed
from kampfpanzer.model.forces import AFV, APC, TRUCK
from kampfpanzer.model.state import DESTROYED_AT, KampfState, Unit
from kampfpanzer.terrain.zones import by_number, kind_of, passengers_of
from sandtable import UNSET, Procedure

LEAVES_WRECK = (AFV, APC, TRUCK)
"""The categories that become a wreck when destroyed (KP-9.91a); infantry and guns do not (KP-9.91d)."""


KILL = "D4"
"""The result that destroys by itself (KP-9.71d)."""


def level_due(unit: Unit) -> int:
    """Return the level of disruption that a unit will have, including pending results (KP-9.71d)."""
    return unit.disruption + unit.pending


def is_doomed(unit: Unit) -> bool:
    """Return whether the results of the current phase destroy a unit (KP-9.71d)."""
    return unit.pending > 0 and level_due(unit) >= DESTROYED_AT


def eliminate(state: KampfState, unit_id: str, rule: str = "KP-9.71d") -> Procedure:
    """Destroy a unit and its passengers in its current hex (KP-12.32a, KP-9.91a)."""
    wreck = kind_of(state, unit_id).category in LEAVES_WRECK
    unit = state.units[unit_id]
    calculations = (level_calculation(unit_id, unit),) if is_doomed(unit) else UNSET
    yield UnitDestroyed(unit_id, unit.hex, by_number(passengers_of(state, unit_id)), wreck, rule, calculations)


def apply_results(state: KampfState, pins: bool, rule: str) -> Procedure:  # noqa: FBT001 - one of two phases
    """Put pending results into force as a phase ends (KP-9.81a, KP-9.82a).

    ``pins`` is true if pins take effect; those of the movement phase do not (KP-9.83a). A pin has no effect on a
    disrupted unit, even if the same fire disrupted it (KP-9.71e).
    """
    units = state.units
    struck = by_number([unit_id for unit_id, unit in units.items() if unit.pending or unit.pending_pin])
    doomed = [unit_id for unit_id in struck if is_doomed(units[unit_id])]
    for unit_id in doomed:
        if units[unit_id].carrier not in doomed:  # a passenger is destroyed with its carrier
            yield from eliminate(state, unit_id)
    left = [
        unit_id
        for unit_id in struck
        if unit_id not in doomed and (units[unit_id].pending or units[unit_id].pending_pin)
    ]
    if left:
        disruption = {unit_id: level_due(units[unit_id]) for unit_id in left if units[unit_id].pending}
        pinned = [unit_id for unit_id in left if pins and not level_due(units[unit_id])]
        calculations = tuple(level_calculation(unit_id, units[unit_id]) for unit_id in disruption) or UNSET
        yield ResultsApplied(disruption, pinned, rule, calculations)


def kill_if_due(state: KampfState, unit_id: str, result: str = "") -> Procedure:
    """Destroy a unit or its riders at once if results of the movement phase require it (KP-9.82b, R-KP-58).

    Call it in phase E after each result, with that result. It does nothing if no unit is to be destroyed.
    """
    if KILLS[state.options["pending_results"]](result):
        for each_id in (unit_id, *by_number(passengers_of(state, unit_id))):
            if is_doomed(state.units[each_id]):
                yield from eliminate(state, each_id, "KP-9.82b")


KILLS: dict[str, Callable[[str], bool]] = {
    "accumulate_kill_at_4": lambda result: True,  # noqa: ARG005 - same signature as the others
    "end_only": lambda result: result == KILL,
}
"""By value of the option pending_results, whether a result lets pending results destroy a unit at once (R-KP-58)."""


LAZY = "lazy"
"""The value of the option reveal_plots with which plots are revealed one by one."""


def show_plots(state: KampfState, unit_ids: Iterable[str]) -> Procedure:
    """Reveal the hidden plots of these units, in the order of their numbers, if plots are revealed one by one."""
    if state.options["reveal_plots"] == LAZY:
        for unit_id in by_number(unit_ids):
            if unit_id not in state.shown:
                yield PlotShown(unit_id, state.plots[unit_id])
