"""Handlers: the only code that changes the state."""

from damos.model.events import (
    ActivationEnded,
    AirChecked,
    AirUsed,
    AttackCounted,
    AttackDeclared,
    AttackDropped,
    AttackLaunched,
    AttackPlanned,
    AttacksDemanded,
    AttritionRolled,
    CombatBegan,
    CombatDecided,
    CombatResolved,
    CossacksNamed,
    CounterattackResolved,
    DefenderOverwhelmed,
    DieRerolled,
    ExploitationBegan,
    ForceActivated,
    ForceDemoralized,
    ForceMoved,
    ForceMovedStrategically,
    ForceRallied,
    ForceReacted,
    ForceRetreated,
    HexHeld,
    LossesTaken,
    PauseBegan,
    PauseChosen,
    PlansRevealed,
    RailExtended,
    ReactionRolled,
    ReplacementsReceived,
    ReplacementsSpent,
    SideSetUp,
    TurnOpened,
    UndyingRolled,
    UnitsArrived,
    UnitsDropped,
    UnitsEliminated,
    UnitsLeftOut,
    UnitsPickedUp,
    UnitsRebuilt,
    UnitsReset,
    UnitsSurrendered,
)
from damos.model.forces import enemy_of, is_occupied
from damos.model.state import ELIMINATED, ON_MAP, POOL, SURRENDERED, Air, DamosState
from sandtable import evolves


def _place(state: DamosState, units: list[str], hex_: str, *, controls: bool) -> None:
    """Put units into a hex. A side that moves a force through a hex controls it (DM-2.9a)."""
    for unit_id in units:
        unit = state.units[unit_id]
        unit.hex, unit.standing = hex_, ON_MAP
        if controls:
            state.control[hex_] = unit.side


def _is_contested(state: DamosState, units: list[str], hex_: str) -> bool:
    """Return whether an enemy of these units is in a hex."""
    return is_occupied(state, hex_, enemy_of(state.units[units[0]].side))


def _spend(state: DamosState, units: list[str]) -> None:
    for unit_id in units:
        state.units[unit_id].spent = True


def _remove(state: DamosState, units: list[str], standing: str) -> None:
    for unit_id in units:
        unit = state.units[unit_id]
        unit.hex, unit.standing, unit.sp = "", standing, 0
        unit.demoralized = unit.spent = False


# --- set-up, arrivals, replacements ---


@evolves(SideSetUp)
def side_set_up(state: DamosState, event: SideSetUp) -> None:
    """Put the side on the map."""
    for unit_id, hex_ in event.hexes.items():
        _place(state, [unit_id], hex_, controls=True)


@evolves(UnitsArrived)
def units_arrived(state: DamosState, event: UnitsArrived) -> None:
    """Put the arrivals on the map."""
    for unit_id, hex_ in event.hexes.items():
        _place(state, [unit_id], hex_, controls=True)
        state.undying.pop(unit_id, None)


@evolves(ReplacementsReceived)
def replacements_received(state: DamosState, event: ReplacementsReceived) -> None:
    """Store the saved points."""
    state.replacements[event.side] = event.total


@evolves(ReplacementsSpent)
def replacements_spent(state: DamosState, event: ReplacementsSpent) -> None:
    """Strengthen the units and subtract the points. A program that does not know the units assumes full strengths."""
    for unit_id, points in event.units.items():
        state.units[unit_id].sp += points
    if event.points and not event.units:
        for unit_id, unit in state.units.items():
            if unit.side == event.side and unit.standing == ON_MAP:
                unit.sp = state.board.counters[unit_id].sp
    state.replacements[event.side] -= event.points


@evolves(UnitsRebuilt)
def units_rebuilt(state: DamosState, event: UnitsRebuilt) -> None:
    """Put the units back into the pool. A program that does not know their strengths assumes full ones."""
    for unit_id in event.units:
        unit = state.units[unit_id]
        unit.sp = unit.sp or state.board.counters[unit_id].sp
        unit.standing, unit.arrives = POOL, event.arrives


# --- rails and movement ---


@evolves(RailExtended)
def rail_extended(state: DamosState, event: RailExtended) -> None:
    """Add the converted hexes."""
    state.converted = sorted({*state.converted, *event.hexes})


@evolves(ForceMovedStrategically)
def force_moved_strategically(state: DamosState, event: ForceMovedStrategically) -> None:
    """Move the force to the end of its path and mark it spent; its side controls the whole path already (DM-6.0c)."""
    _place(state, event.units, event.path[-1], controls=True)
    _spend(state, event.units)


@evolves(ForceActivated)
def force_activated(state: DamosState, event: ForceActivated) -> None:
    """Store the active force. The units that reacted to its announcement (DM-8.1d) stay stored."""
    state.active = list(event.units)
    state.zone_phase = state.zone_phase or event.zone


@evolves(ForceMoved)
def force_moved(state: DamosState, event: ForceMoved) -> None:
    """Move the force one hex. It does not take control while an enemy is in the hex (DM-2.9a)."""
    _place(state, event.units, event.hex, controls=not _is_contested(state, event.units, event.hex))


@evolves(UnitsPickedUp)
def units_picked_up(state: DamosState, event: UnitsPickedUp) -> None:
    """Add the units to the active force."""
    state.active = sorted({*state.active, *event.units})
    state.zone_phase = state.zone_phase or event.zone


@evolves(UnitsDropped)
def units_dropped(state: DamosState, event: UnitsDropped) -> None:
    """Remove the units from the active force and mark them spent."""
    state.active = [unit_id for unit_id in state.active if unit_id not in event.units]
    _spend(state, event.units)


@evolves(ForceRallied)
def force_rallied(state: DamosState, event: ForceRallied) -> None:
    """End the demoralization."""
    for unit_id in event.units:
        state.units[unit_id].demoralized = False


@evolves(ActivationEnded)
def activation_ended(state: DamosState, event: ActivationEnded) -> None:
    """Mark the force, and the units that reacted to it, spent."""
    for unit_id in (*event.units, *event.reacted):
        if state.units[unit_id].standing == ON_MAP:
            state.units[unit_id].spent = True
    state.active = []
    state.reacted = []
    state.responded = []
    state.attack_target = ""


@evolves(AttackDeclared)
def attack_declared(state: DamosState, event: AttackDeclared) -> None:
    """Store the target."""
    state.attack_target = event.target


@evolves(AttackDropped)
def attack_dropped(state: DamosState, _event: AttackDropped) -> None:
    """Clear the target."""
    state.attack_target = ""


# --- reactions and retreats ---


@evolves(ReactionRolled)
def reaction_rolled(state: DamosState, event: ReactionRolled) -> None:
    """Store that these units have had their attempt in this activation, and whether it succeeded (R-DM-25, R-DM-05)."""
    state.reacted = sorted({*state.reacted, *event.units})
    if event.success:
        state.responded = sorted({*state.responded, *event.units})


@evolves(ForceReacted)
def force_reacted(state: DamosState, event: ForceReacted) -> None:
    """Move the force. Its side takes control of the hexes on the path if ``controls`` (R-DM-35)."""
    contested = [hex_ for hex_ in event.path[1:] if _is_contested(state, event.units, hex_)]
    for hex_ in event.path[1:]:
        _place(state, event.units, hex_, controls=event.controls and hex_ not in contested)


@evolves(ForceRetreated)
def force_retreated(state: DamosState, event: ForceRetreated) -> None:
    """Move the force; control does not change (DM-2.9b)."""
    _place(state, event.units, event.path[-1], controls=False)


@evolves(ForceDemoralized)
def force_demoralized(state: DamosState, event: ForceDemoralized) -> None:
    """Mark the units demoralized."""
    for unit_id in event.units:
        state.units[unit_id].demoralized = True


# --- combat ---


@evolves(HexHeld)
def hex_held(state: DamosState, event: HexHeld) -> None:
    """Give control of the hex to the side that holds it (DM-2.9a)."""
    state.control[event.hex] = event.side


@evolves(LossesTaken)
def losses_taken(state: DamosState, event: LossesTaken) -> None:
    """Subtract strength from the units, and replacement points from the stock."""
    for unit_id, points in event.losses.items():
        state.units[unit_id].sp -= points
    if event.replacements:
        state.replacements[event.side] -= event.replacements
        state.paid[event.side] = state.paid.get(event.side, 0) + event.replacements


@evolves(UnitsEliminated)
def units_eliminated(state: DamosState, event: UnitsEliminated) -> None:
    """Remove the units from the map."""
    _remove(state, event.units, ELIMINATED)
    state.active = [unit_id for unit_id in state.active if unit_id not in event.units]
    state.reacted = [unit_id for unit_id in state.reacted if unit_id not in event.units]
    state.responded = [unit_id for unit_id in state.responded if unit_id not in event.units]


@evolves(UnitsSurrendered)
def units_surrendered(state: DamosState, event: UnitsSurrendered) -> None:
    """Remove the units from the game."""
    _remove(state, event.units, SURRENDERED)


@evolves(AirChecked)
def air_checked(state: DamosState, event: AirChecked) -> None:
    """Apply the wear of the air unit (AGC-4.4d, AGC-4.4e, R-DM-85)."""
    if sum(event.dice) < event.needed:
        state.air.failures += 1
    if event.outcome == "one_benefit":
        state.air.benefit = event.benefit
    elif event.outcome == "grounded":
        state.air.ready = False


# --- turns and exclusive rules ---


@evolves(UnitsReset)
def units_reset(state: DamosState, event: UnitsReset) -> None:
    """Make the side's units fresh, and clear ``paid`` and ``zone_phase``."""
    state.paid = {}
    for unit in state.units.values():
        if unit.spent and unit.side == event.side:
            unit.spent = False
    state.zone_phase = False


@evolves(TurnOpened)
def turn_opened(state: DamosState, _event: TurnOpened) -> None:
    """Make the air unit ready, and clear the marks of the turn."""
    state.air = Air()
    state.cossacks = ""
    state.zone_phase = False


@evolves(CossacksNamed)
def cossacks_named(state: DamosState, event: CossacksNamed) -> None:
    """Store the hex."""
    state.cossacks = event.hex


@evolves(AttacksDemanded)
def attacks_demanded(state: DamosState, event: AttacksDemanded) -> None:
    """Store the number of attacks."""
    state.attacks_owed = event.number


@evolves(AttackCounted)
def attack_counted(state: DamosState, _event: AttackCounted) -> None:
    """Count the attack."""
    state.attacks_made += 1


@evolves(UndyingRolled)
def undying_rolled(state: DamosState, event: UndyingRolled) -> None:
    """Store when the unit returns, and with what strength."""
    if event.returns:
        unit = state.units[event.unit]
        unit.standing, unit.arrives, unit.sp = POOL, event.returns, event.sp
        state.undying[event.unit] = event.returns


@evolves(PauseBegan)
def pause_began(state: DamosState, event: PauseBegan) -> None:
    """Store the turn that triggered the pause."""
    state.pause_turn = event.turn


@evolves(PauseChosen)
def pause_chosen(state: DamosState, event: PauseChosen) -> None:
    """Store whether the Germans keep their mobile units in place to extend the railways farther."""
    state.held = event.keep_still


@evolves(
    AttackPlanned,
    AttackLaunched,
    CombatBegan,
    UnitsLeftOut,
    PlansRevealed,
    AirUsed,
    DieRerolled,
    CombatResolved,
    DefenderOverwhelmed,
    CounterattackResolved,
    CombatDecided,
    ExploitationBegan,
    AttritionRolled,
)
def change_nothing(_state: DamosState, _event: object) -> None:
    """Leave the state unchanged: the effects of these events have their own events."""
