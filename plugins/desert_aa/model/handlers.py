"""How each event changes the state: the only code that does, pure, without dice or questions.

Lists are copied out of the events: a state shares nothing with the records.
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
    """Put it into the purse."""
    state.cash[event.purse] += event.amount


@evolves(events.UnitsBought)
def units_bought(state: DesertState, event: events.UnitsBought) -> None:
    """Pay, and set the units aside."""
    state.cash[event.purse] -= event.cost
    aside = state.waiting[event.power]
    for kind, number in event.units.items():
        aside[kind] = aside.get(kind, 0) + number


@evolves(events.MinefieldsBought)
def minefields_bought(state: DesertState, event: events.MinefieldsBought) -> None:
    """Pay, and set the fields aside."""
    state.cash[event.purse] -= event.cost
    state.mines_waiting[event.power] += event.number


@evolves(events.UnitsArrived)
def units_arrived(state: DesertState, event: events.UnitsArrived) -> None:
    """Bring them on, ready, and count them."""
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
    """Lay them, hidden."""
    state.mines_waiting[event.power] -= event.number
    for space in event.spaces:
        state.minefields[space] = Minefield(event.power)


# --- turns, fuel and supply ---


@evolves(events.PowerTurnBegan)
def power_turn_began(state: DesertState, event: events.PowerTurnBegan) -> None:
    """Forget the last turn: spaces moved, ground taken; free advances are safe now (DAA-R20)."""
    state.captured = []
    state.taken_flak = []
    state.blocked = list(event.blocked)
    for unit in state.units.values():
        if unit.power == event.power:
            unit.moved = 0
            if unit.condition == ADVANCED:
                unit.condition = READY
            if unit.condition != CUT:  # the way it came may tell where its rear is (DAA-R21)
                unit.path = []


@evolves(events.UnitsCut)
def units_cut(state: DesertState, event: events.UnitsCut) -> None:
    """Lay them down."""
    for unit_id in event.units:
        unit = state.units[unit_id]
        unit.condition = CUT
        unit.stands_up = event.stands_up


@evolves(events.UnitsStoodUp)
def units_stood_up(state: DesertState, event: events.UnitsStoodUp) -> None:
    """Stand them up."""
    for unit_id in event.units:
        unit = state.units[unit_id]
        unit.condition = READY
        unit.stands_up = 0


# --- movement ---


@evolves(events.MovePlanned)
def move_planned(state: DesertState, event: events.MovePlanned) -> None:
    """Note the move."""
    state.plans.append(Plan(list(event.units), list(event.path), event.raid))


@evolves(events.UnitsMoved)
def units_moved(state: DesertState, event: events.UnitsMoved) -> None:
    """Move them, and note what their fuel is."""
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
    """Give the space to its new holder, the guns to the captor; note when a capital changes sides."""
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
    """Put its chip on the map."""
    state.minefields[event.space].known = True


@evolves(events.MinefieldForfeited, events.MinefieldSwept)
def minefield_gone(state: DesertState, event: events.MinefieldForfeited | events.MinefieldSwept) -> None:
    """Take it off."""
    del state.minefields[event.space]


@evolves(events.MinesStruck)
def mines_struck(state: DesertState, event: events.MinesStruck) -> None:
    """Count the entry; more than two are as two."""
    state.minefields[event.space].entries = event.entry


# --- combat ---


@evolves(events.CombatsDeclared)
def combats_declared(state: DesertState, event: events.CombatsDeclared) -> None:
    """Put the plans away, and note what is to be fought."""
    state.plans = []
    state.combats = {space: list(units) for space, units in event.combats.items()}
    state.raids = {space: list(units) for space, units in event.raids.items()}


@evolves(events.BattleOpened)
def battle_opened(state: DesertState, event: events.BattleOpened) -> None:
    """Set the battle up."""
    del state.combats[event.space]
    state.battle = Battle(event.space, list(event.attackers), list(event.defenders))


@evolves(events.EntryChecked, events.SweepFailed, events.FlakFired, events.GunsDesignated)
def announced(_state: DesertState, _: Event) -> None:
    """Change nothing: the results follow as events."""


@evolves(events.GunsFired)
def guns_fired(state: DesertState, event: events.GunsFired) -> None:
    """Note which guns have had their shot (DAA-7.04)."""
    if state.battle is not None:
        state.battle.spent = list(event.guns)


@evolves(events.RoundFought)
def round_fought(state: DesertState, event: events.RoundFought) -> None:
    """Count the round."""
    if state.battle is not None:
        state.battle.round = event.round


@evolves(events.RaidFlown)
def raid_flown(state: DesertState, event: events.RaidFlown) -> None:
    """Strike the raid off the list."""
    del state.raids[event.space]


@evolves(events.UnitsLost)
def units_lost(state: DesertState, event: events.UnitsLost) -> None:
    """Take the units off the map and off every list."""
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
    """Move them back; they have moved all the same."""
    for unit_id, space in event.to.items():
        state.units[unit_id].space = space


@evolves(events.BattleEnded)
def battle_ended(state: DesertState, _: events.BattleEnded) -> None:
    """Clear the table."""
    state.battle = None
