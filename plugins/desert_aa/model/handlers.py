"""The changes of the state by each event: the only code that changes it, pure, without dice or decisions.

Lists are copied from the events, so that a state shares nothing with the records.
"""

from collections.abc import Iterable

from desert_aa.model import events
from desert_aa.model.state import (
    ADVANCED,
    CUT,
    EXTENDED,
    READY,
    Battle,
    CapitalTaken,
    DesertState,
    Minefield,
    Plan,
    Unit,
)
from desert_aa.model.tables import PREFIX, SHORT, SIDE_OF
from sandtable import Event, evolves

# --- money, purchases, arrivals ---


@evolves(events.GrantReceived, events.IncomeCollected)
def money_received(state: DesertState, event: events.GrantReceived | events.IncomeCollected) -> None:
    """Add the money to the purse."""
    state.cash[event.purse] += event.amount


@evolves(events.UnitsBought)
def units_bought(state: DesertState, event: events.UnitsBought) -> None:
    """Pay for the units and add them to the waiting units."""
    state.cash[event.purse] -= event.cost
    aside = state.waiting[event.power]
    for kind, number in event.units.items():
        aside[kind] = aside.get(kind, 0) + number


@evolves(events.MinefieldsBought)
def minefields_bought(state: DesertState, event: events.MinefieldsBought) -> None:
    """Pay for the minefields and add them to the waiting minefields."""
    state.cash[event.purse] -= event.cost
    state.mines_waiting[event.power] += event.number


@evolves(events.UnitsArrived)
def units_arrived(state: DesertState, event: events.UnitsArrived) -> None:
    """Move the units from the purchases that wait to the map, as ready units, and count them."""
    for unit_id in event.units:
        state.units[unit_id] = Unit(event.power, event.kind, event.space)
    made = f"{PREFIX[event.power]}-{SHORT[event.kind]}"
    state.made[made] = state.made.get(made, 0) + len(event.units)
    aside = state.waiting[event.power]
    aside[event.kind] -= len(event.units)
    if not aside[event.kind]:
        del aside[event.kind]


@evolves(events.MinefieldsPlaced)
def minefields_placed(state: DesertState, event: events.MinefieldsPlaced) -> None:
    """Lay minefields that wait, hidden."""
    state.mines_waiting[event.power] -= event.number
    for space in event.spaces:
        state.minefields[space] = Minefield(event.power)


# --- turns, fuel and supply ---


@evolves(events.PowerTurnBegan)
def power_turn_began(state: DesertState, event: events.PowerTurnBegan) -> None:
    """Clear the facts of the previous turn, and make the advanced units of the power ready (DAA-R20)."""
    state.captured = []
    state.taken_flak = []
    state.blocked = list(event.blocked)
    for unit in state.units.values():
        if unit.power == event.power:
            unit.moved = 0
            if unit.condition == ADVANCED:
                unit.condition = READY
            if unit.condition != CUT:  # the path may decide where the unit's rear is (DAA-R21)
                unit.path = []


@evolves(events.UnitsCut)
def units_cut(state: DesertState, event: events.UnitsCut) -> None:
    """Lay the units down."""
    for unit_id in event.units:
        unit = state.units[unit_id]
        unit.condition = CUT
        unit.stands_up = event.stands_up


@evolves(events.UnitsStoodUp)
def units_stood_up(state: DesertState, event: events.UnitsStoodUp) -> None:
    """Make the units ready."""
    for unit_id in event.units:
        unit = state.units[unit_id]
        unit.condition = READY
        unit.stands_up = 0


# --- movement ---


@evolves(events.MovePlanned)
def move_planned(state: DesertState, event: events.MovePlanned) -> None:
    """Record the ordered move."""
    state.plans.append(Plan(list(event.units), list(event.path), event.raid))


@evolves(events.UnitsMoved)
def units_moved(state: DesertState, event: events.UnitsMoved) -> None:
    """Move the units and set their fuel condition."""
    steps = len(event.path) - 1
    for unit_id in event.units:
        unit = state.units[unit_id]
        unit.space = event.path[-1]
        unit.moved += steps
        unit.path = list(event.path)
    for unit_id in event.extended:
        unit = state.units[unit_id]
        unit.condition = EXTENDED
        unit.stands_up = event.stands_up
    for unit_id in event.advanced:
        state.units[unit_id].condition = ADVANCED


@evolves(events.SpaceCaptured)
def space_captured(state: DesertState, event: events.SpaceCaptured) -> None:
    """Give the space to its new holder and the flak to the captor, and record the capture of a capital."""
    state.control[event.space] = event.owner
    state.captured.append(event.space)
    for unit_id in event.flak:
        state.units[unit_id] = Unit(event.by, state.units[unit_id].kind, event.space)
    state.taken_flak += event.flak
    side_of_capital = state.board.capital_of.get(event.space, "")
    if side_of_capital:
        captor = SIDE_OF[event.by]
        if captor == side_of_capital:
            state.capital_taken.pop(SIDE_OF[event.lost_by], None)
        else:
            state.capital_taken[captor] = CapitalTaken(event.by, state.turn)


# --- minefields ---


@evolves(events.MinefieldDeclared)
def minefield_declared(state: DesertState, event: events.MinefieldDeclared) -> None:
    """Make the minefield known."""
    _find(state, event.power, event.space)
    state.minefields[event.space].known = True


@evolves(events.MinefieldForfeited, events.MinefieldSwept)
def minefield_gone(state: DesertState, event: events.MinefieldForfeited | events.MinefieldSwept) -> None:
    """Remove the minefield."""
    _find(state, event.power, event.space)
    del state.minefields[event.space]


def _find(state: DesertState, power: str, space: str) -> None:
    """Move a minefield whose space a replica does not know to the space where it is found (DAA-R37)."""
    if space not in state.minefields:
        unseen = next(each for each, mine in state.minefields.items() if mine.power == power and not mine.known)
        state.minefields[space] = state.minefields.pop(unseen)


@evolves(events.MinesStruck)
def mines_struck(state: DesertState, event: events.MinesStruck) -> None:
    """Record the number of entries; 2 means two or more."""
    state.minefields[event.space].entries = event.entry


# --- combat ---


@evolves(events.CombatsDeclared)
def combats_declared(state: DesertState, event: events.CombatsDeclared) -> None:
    """Clear the ordered moves, and record the battles and raids."""
    state.plans = []
    state.combats = {space: list(units) for space, units in event.combats.items()}
    state.raids = {space: list(units) for space, units in event.raids.items()}


@evolves(events.BattleOpened)
def battle_opened(state: DesertState, event: events.BattleOpened) -> None:
    """Begin the battle."""
    del state.combats[event.space]
    state.battle = Battle(event.space, list(event.attackers), list(event.defenders))


@evolves(events.EntryChecked, events.SweepFailed, events.FlakFired, events.GunsDesignated)
def announced(_state: DesertState, _: Event) -> None:
    """Change nothing. Any effects follow as separate events."""


@evolves(events.GunsFired)
def guns_fired(state: DesertState, event: events.GunsFired) -> None:
    """Record the guns that have fired (DAA-7.04)."""
    if state.battle is not None:
        state.battle.spent = list(event.guns)


@evolves(events.RoundFought)
def round_fought(state: DesertState, event: events.RoundFought) -> None:
    """Count the round."""
    if state.battle is not None:
        state.battle.round = event.round


@evolves(events.RaidFlown)
def raid_flown(state: DesertState, event: events.RaidFlown) -> None:
    """Remove the raid from the list."""
    del state.raids[event.space]


@evolves(events.UnitsLost)
def units_lost(state: DesertState, event: events.UnitsLost) -> None:
    """Remove the units from the map, from the battle and from the raids."""
    for unit_id in event.units:
        del state.units[unit_id]
    if state.battle is not None:
        _strike(event.units, (state.battle.attackers, state.battle.defenders, state.battle.spent))
    _strike(event.units, state.raids.values())


def _strike(units: list[str], lists: Iterable[list[str]]) -> None:
    for each in lists:
        for unit_id in units:
            if unit_id in each:
                each.remove(unit_id)


@evolves(events.UnitsWithdrew)
def units_withdrew(state: DesertState, event: events.UnitsWithdrew) -> None:
    """Move the units back. Their ``moved`` and ``path`` stay."""
    for unit_id, space in event.to.items():
        state.units[unit_id].space = space


@evolves(events.BattleEnded)
def battle_ended(state: DesertState, _: events.BattleEnded) -> None:
    """End the battle."""
    state.battle = None
