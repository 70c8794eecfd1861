"""Handlers: the only code that changes the state."""

from kampfpanzer.model import events
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP, WAITING, Impact, KampfState, PanicRoll
from sandtable import evolves


def _place(state: KampfState, unit_id: str, hex_: str) -> None:
    """Put a unit and its passengers into a hex; "" means off the map, due to enter."""
    standing = ON_MAP if hex_ else WAITING
    for each_id, unit in state.units.items():
        if unit_id in (each_id, unit.carrier):
            unit.hex, unit.standing = hex_, standing


def _remove(state: KampfState, unit_id: str, standing: str) -> None:
    unit = state.units[unit_id]
    unit.hex, unit.standing, unit.facing, unit.carrier = "", standing, "", ""
    unit.disruption = unit.pending = 0
    unit.pinned = unit.panicked = unit.pending_pin = False


def _suffer(state: KampfState, unit_id: str, result: str) -> None:
    """Add a result to the pending results of a unit and its passengers (KP-12.32a, KP-14.5.6)."""
    for each_id, unit in state.units.items():
        if unit_id in (each_id, unit.carrier):
            if result == "P":
                unit.pending_pin = True
            elif result:
                unit.pending += int(result[1:])


# --- set-up and plots ---


@evolves(events.ForceDeployed)
def force_deployed(state: KampfState, event: events.ForceDeployed) -> None:
    """Put the force on the map; units that enter later may already be aboard (KP-14.0h)."""
    for unit_id, carrier in event.aboard.items():
        state.units[unit_id].carrier = carrier
    for unit_id, hex_ in event.hexes.items():
        _place(state, unit_id, hex_)
    for unit_id, facing in event.facings.items():
        state.units[unit_id].facing = facing
    for hex_ in event.entrenchments:
        state.entrenchments[hex_] = event.side
    state.deployed.append(event.side)


@evolves(events.PlotsWritten)
def plots_written(state: KampfState, event: events.PlotsWritten) -> None:
    """Store the plots."""
    state.plots.update(event.plots)


@evolves(events.PlotShown)
def plot_shown(state: KampfState, event: events.PlotShown) -> None:
    """Record that the plot is public now."""
    state.shown.append(event.unit)


@evolves(events.TurnCleared)
def turn_cleared(state: KampfState, _event: events.TurnCleared) -> None:
    """Clear all data that last for one turn only."""
    for store in (state.plots, state.panic_plots, state.panic):
        store.clear()
    for row in (state.fired, state.shown, state.frozen):
        row.clear()
    for unit in state.units.values():
        unit.panicked = False


# --- panic ---


@evolves(events.PanicRolled)
def panic_rolled(state: KampfState, event: events.PanicRolled) -> None:
    """Store the roll and mark the units that panic."""
    state.panic[event.side] = PanicRoll(event.die, list(event.digits))
    for unit_id in event.units:
        state.units[unit_id].panicked = True


@evolves(events.PanicPlotted)
def panic_plotted(state: KampfState, event: events.PanicPlotted) -> None:
    """Store the plot that replaces the unit's own plot."""
    state.panic_plots[event.unit] = event.plot


# --- fire and results ---


@evolves(events.FireTriggered)
def fire_triggered(state: KampfState, event: events.FireTriggered) -> None:
    """Record that these units have fired (KP-9.22a)."""
    state.fired.extend(event.firers)


@evolves(events.FireResolved)
def fire_resolved(state: KampfState, event: events.FireResolved) -> None:
    """Add the result to each target; riders that are targets together with their tank suffer it once."""
    for unit_id in event.targets:
        if state.units[unit_id].carrier not in event.targets:
            _suffer(state, unit_id, event.result)


@evolves(events.ImpactPlaced)
def impact_placed(state: KampfState, event: events.ImpactPlaced) -> None:
    """Put the marker on the map."""
    state.impacts.append(Impact(event.firer, event.hex, event.pattern, list(event.hexes)))


@evolves(events.UnitShelled)
def unit_shelled(state: KampfState, event: events.UnitShelled) -> None:
    """Add the result to the unit, and record that the impact has struck it."""
    _suffer(state, event.unit, event.result)
    for impact in state.impacts:
        if impact.firer == event.firer and event.unit not in impact.struck:
            impact.struck.append(event.unit)


@evolves(events.ImpactsLifted)
def impacts_lifted(state: KampfState, _event: events.ImpactsLifted) -> None:
    """Remove the markers."""
    state.impacts.clear()


@evolves(events.OverrunResolved)
def overrun_resolved(state: KampfState, event: events.OverrunResolved) -> None:
    """Add the result to every unit that was overrun."""
    for unit_id in event.defenders:
        _suffer(state, unit_id, event.result)


@evolves(events.CounterattackResolved)
def counterattack_resolved(state: KampfState, event: events.CounterattackResolved) -> None:
    """Add the result to the target."""
    _suffer(state, event.target, event.result)


@evolves(events.ResultsApplied)
def results_applied(state: KampfState, event: events.ResultsApplied) -> None:
    """Set the new levels and pins, and clear all pending results."""
    for unit in state.units.values():
        unit.pending, unit.pending_pin = 0, False
    for unit_id, level in event.disruption.items():
        state.units[unit_id].disruption = level
    for unit_id in event.pinned:
        state.units[unit_id].pinned = True


@evolves(events.UnitDestroyed)
def unit_destroyed(state: KampfState, event: events.UnitDestroyed) -> None:
    """Remove the unit and its passengers from the map, and record the wreck that it will leave."""
    for unit_id in (event.unit, *event.passengers):
        _remove(state, unit_id, DESTROYED)
    if event.wreck and event.hex not in state.wrecks_due:
        state.wrecks_due = sorted([*state.wrecks_due, event.hex])


@evolves(events.WrecksLeft)
def wrecks_left(state: KampfState, event: events.WrecksLeft) -> None:
    """Turn the wrecks that are due into wrecks."""
    state.wrecks = sorted({*state.wrecks, *event.hexes})
    state.wrecks_due = []


@evolves(events.PinsLifted)
def pins_lifted(state: KampfState, event: events.PinsLifted) -> None:
    """Remove the pins."""
    for unit_id in event.units:
        state.units[unit_id].pinned = False


@evolves(events.RecoveryRolled)
def recovery_rolled(state: KampfState, event: events.RecoveryRolled) -> None:
    """Set the level of the unit and of the passengers that recover with it."""
    for unit_id in (event.unit, *event.passengers):
        state.units[unit_id].disruption = event.after


# --- movement ---


@evolves(events.UnitsFrozen)
def units_frozen(state: KampfState, event: events.UnitsFrozen) -> None:
    """Record the units that are held in place."""
    state.frozen.extend(event.units)


@evolves(events.UnitsMoved)
def units_moved(state: KampfState, event: events.UnitsMoved) -> None:
    """Put each unit and its passenger into the hex that it entered."""
    hexes, units = event.hexes, state.units
    for unit_id, hex_ in hexes.items():
        unit = units[unit_id]
        unit.hex, unit.standing = hex_, ON_MAP
    for unit in units.values():
        if unit.carrier in hexes:
            unit.hex, unit.standing = hexes[unit.carrier], ON_MAP


@evolves(events.UnitsExited)
def units_exited(state: KampfState, event: events.UnitsExited) -> None:
    """Remove the units and their passengers from the map."""
    for unit_id in event.edges:
        riders = [each_id for each_id, unit in state.units.items() if unit.carrier == unit_id]
        for each_id in (unit_id, *riders):
            _remove(state, each_id, EXITED)


@evolves(events.UnitBackedUp)
def unit_backed_up(state: KampfState, event: events.UnitBackedUp) -> None:
    """Put the unit and its passengers back."""
    _place(state, event.unit, event.hex)


@evolves(events.EntryMissed)
def entry_missed(state: KampfState, event: events.EntryMissed) -> None:
    """Record the units that will never enter."""
    if event.lost:
        state.missed.extend(event.units)


@evolves(events.FacingChanged)
def facing_changed(state: KampfState, event: events.FacingChanged) -> None:
    """Turn the gun."""
    state.units[event.unit].facing = event.facing


@evolves(events.UnitEmbarked)
def unit_embarked(state: KampfState, event: events.UnitEmbarked) -> None:
    """Put the unit aboard, and the vehicle into its hex."""
    unit = state.units[event.unit]
    unit.carrier, unit.facing = event.vehicle, ""
    _place(state, event.vehicle, event.hex)


@evolves(events.UnitDebarked)
def unit_debarked(state: KampfState, event: events.UnitDebarked) -> None:
    """Leave the unit where it is, and put the vehicle into its new hex."""
    unit = state.units[event.unit]
    unit.carrier, unit.facing = "", event.facing
    _place(state, event.vehicle, event.hex)


@evolves(events.EntrenchmentsLost)
def entrenchments_lost(state: KampfState, event: events.EntrenchmentsLost) -> None:
    """Remove the markers."""
    for hex_ in event.hexes:
        del state.entrenchments[hex_]


# --- narrated only ---


@evolves(events.FireWithheld, events.UnitStopped, events.ContestDecided, events.OperationFailed)
def narrated(
    _state: KampfState,
    _event: events.FireWithheld | events.UnitStopped | events.ContestDecided | events.OperationFailed,
) -> None:
    """Change nothing; the effects of these events are separate events."""


@evolves(events.EntrenchmentsTaken)
def entrenchments_taken(state: KampfState, event: events.EntrenchmentsTaken) -> None:
    """Set the new owners."""
    state.entrenchments.update(event.sides)
