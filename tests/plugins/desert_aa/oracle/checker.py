"""A reference checker that computes its own state from the events."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from desert_aa.model.tables import FIGHTING, FLAK, PLANES, SIDE_OF, kind_of

if TYPE_CHECKING:
    from desert_aa.model import events
    from desert_aa.model.board import Board
    from desert_aa.model.state import DesertState
    from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan

MAX_STEPS = {"infantry": 2, "artillery": 2, "armor": 3, "aa_gun": 2, "fighter": 4, "bomber": 6}


class Checker:
    """A state computed from the events, with complaints about illegal events."""

    def __init__(self, state: DesertState, board: Board) -> None:
        self.board = board
        self.may_land_at_once = state.options["rz_new"] == "at_once"  # DAA-R05
        self.power = {unit_id: unit.power for unit_id, unit in state.units.items()}
        self.space = {unit_id: unit.space for unit_id, unit in state.units.items()}
        self.control = dict(state.control)
        self.cash = dict(state.cash)
        self.waiting: Counter[tuple[str, str]] = Counter()
        self.mines: dict[str, str] = {}
        self.mines_waiting: Counter[str] = Counter()
        self.lies: set[str] = set()
        self.flown: Counter[str] = Counter()
        self.captured: set[str] = set()
        self.active = ""
        self.turn = 0
        self.phase = ""
        self.paid: Counter[str] = Counter()

    def read(self, event: Any) -> None:
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
        handler = getattr(self, f"on_{name}", None)
        if handler is not None:
            handler(event)
        assert all(amount >= 0 for amount in self.cash.values())
        assert all(number >= 0 for number in (*self.waiting.values(), *self.mines_waiting.values()))

    def side(self, unit_id: str) -> str:
        return SIDE_OF[self.power[unit_id]]

    # --- money and arrivals ---

    def on_turn_began(self, event: TurnBegan) -> None:
        self.turn = event.turn
        self.paid.clear()

    def on_phase_began(self, event: PhaseBegan) -> None:
        self.phase = event.phase

    def on_grant_received(self, event: events.GrantReceived) -> None:
        assert self.turn == 0
        self.cash[event.purse] += event.amount

    def on_units_bought(self, event: events.UnitsBought) -> None:
        self.cash[event.purse] -= event.cost
        for kind, number in event.units.items():
            self.waiting[event.power, kind] += number

    def on_minefields_bought(self, event: events.MinefieldsBought) -> None:
        assert event.cost == 8 * event.number
        self.cash[event.purse] -= event.cost
        self.mines_waiting[event.power] += event.number

    def on_units_arrived(self, event: events.UnitsArrived) -> None:
        side = SIDE_OF[event.power]
        assert SIDE_OF[self.control[event.space]] == side
        if self.turn:
            assert event.space in self.board.zones
            assert self.may_land_at_once or event.space not in self.captured
        for unit_id in event.units:
            assert unit_id not in self.space
            assert kind_of(unit_id) == event.kind
            self.power[unit_id], self.space[unit_id] = event.power, event.space
        self.waiting[event.power, event.kind] -= len(event.units)

    def on_income_collected(self, event: events.IncomeCollected) -> None:
        worth = sum(self.board.value[space] for space, holder in self.control.items() if holder == event.power)
        assert event.amount == worth
        assert not self.paid[event.power]
        self.paid[event.power] += 1
        self.cash[event.purse] += event.amount

    # --- minefields ---

    def on_minefields_placed(self, event: events.MinefieldsPlaced) -> None:
        assert event.number == len(event.spaces)
        self.mines_waiting[event.power] -= event.number
        for space in event.spaces:
            assert space not in self.mines
            assert space not in self.board.cities
            assert space not in self.board.road
            assert SIDE_OF[self.control[space]] == SIDE_OF[event.power]
            self.mines[space] = event.power

    def on_minefield_swept(self, event: events.MinefieldSwept) -> None:
        assert self.mines.pop(event.space) == event.power

    def on_minefield_forfeited(self, event: events.MinefieldForfeited) -> None:
        assert self.mines.pop(event.space) == event.power

    # --- fuel and movement ---

    def on_power_turn_began(self, event: events.PowerTurnBegan) -> None:
        self.active = event.power
        self.captured.clear()
        self.flown.clear()

    def on_units_cut(self, event: events.UnitsCut) -> None:
        self.lies |= event.units.keys()

    def on_units_stood_up(self, event: events.UnitsStoodUp) -> None:
        assert self.lies >= set(event.units)
        self.lies -= set(event.units)

    def on_units_moved(self, event: events.UnitsMoved) -> None:
        steps = list(zip(event.path, event.path[1:], strict=False))
        for unit_id in event.units:
            kind = kind_of(unit_id)
            assert unit_id not in self.lies
            assert self.power[unit_id] == self.active
            assert self.space[unit_id] == event.path[0]
            ways = self.board.air if kind in PLANES else self.board.land
            assert all(there in ways[here] for here, there in steps)
            self.flown[unit_id] += len(steps)
            assert self.flown[unit_id] <= MAX_STEPS[kind]
            assert not (kind == FLAK and self.phase.endswith(".combat_move"))
            self.space[unit_id] = event.path[-1]
        self.lies |= set(event.extended)

    def on_units_withdrew(self, event: events.UnitsWithdrew) -> None:
        for unit_id, space in event.to.items():
            assert self.power[unit_id] == self.active
            assert space in self.board.land[event.space]
            assert SIDE_OF[self.control[space]] == SIDE_OF[self.active]
            self.space[unit_id] = space

    # --- losses and ground ---

    def on_units_lost(self, event: events.UnitsLost) -> None:
        for unit_id in event.units:
            assert kind_of(unit_id) != FLAK
            del self.space[unit_id], self.power[unit_id]
            self.lies.discard(unit_id)

    def on_space_captured(self, event: events.SpaceCaptured) -> None:
        assert self.control[event.space] == event.lost_by
        assert SIDE_OF[event.lost_by] != SIDE_OF[event.by] == SIDE_OF[event.owner]
        assert event.space not in self.mines
        self.control[event.space] = event.owner
        self.captured.add(event.space)
        for unit_id in event.flak:
            self.power[unit_id] = event.by
            self.lies.discard(unit_id)

    # --- when phases end ---

    def on_phase_ended(self, event: PhaseEnded) -> None:
        if event.phase.endswith(".combat"):
            self.check_stacks(planes=False)
        elif event.phase.endswith(".noncombat_move"):
            self.check_stacks(planes=True)
            self.check_ground()

    def check_stacks(self, *, planes: bool) -> None:
        """Check that no space has fighting units of both sides, except planes in flight (DAA-16.06)."""
        sides: dict[str, set[str]] = {}
        for unit_id, space in self.space.items():
            if kind_of(unit_id) in FIGHTING and (planes or kind_of(unit_id) not in PLANES):
                sides.setdefault(space, set()).add(self.side(unit_id))
        assert not [space for space, held in sides.items() if len(held) > 1]

    def check_ground(self) -> None:
        """Check that units are on open ground of their side, and planes not on ground captured this turn."""
        for unit_id, space in self.space.items():
            assert space in self.board.spaces
            assert SIDE_OF[self.control[space]] == self.side(unit_id)
            if kind_of(unit_id) in PLANES and self.flown[unit_id]:
                assert space not in self.captured
        for space, power in self.mines.items():
            assert SIDE_OF[self.control[space]] == SIDE_OF[power]
