"""Checks of activations: movement, pick-ups, rallies, concerted attacks and attrition."""

from __future__ import annotations

from typing import Any

from tests.plugins.damos.oracle.records import GERMAN, OTHER, SETTLED, SOVIET, Records

from damos.model.state import ELIMINATED, DamosState

ATTRITION = {
    # modified roll: losses of 2-3, 4-5, 6-8, 9-11, 12-15, 16-19, 20 and more strength points
    2: (1, 2, 2, 3, 4, 5, 6),
    3: (1, 1, 2, 2, 3, 4, 5),
    4: (0, 1, 1, 2, 2, 3, 4),
    5: (0, 1, 1, 2, 2, 3, 4),
    6: (0, 0, 1, 1, 2, 2, 3),
    7: (0, 0, 1, 1, 2, 2, 3),
    8: (0, 0, 1, 1, 2, 2, 3),
    9: (0, 0, 0, 1, 1, 2, 2),
    10: (0, 0, 0, 1, 1, 2, 2),
    11: (0, 0, 0, 0, 1, 1, 2),
    12: (0, 0, 0, 0, 0, 1, 1),
}
FLOORS = (2, 4, 6, 9, 12, 16, 20)


class ActivationChecks(Records):
    """The active force. It has used ``used`` halves, and ``exploited`` halves in exploitation."""

    def __init__(self, state: DamosState) -> None:
        super().__init__(state)
        self.phase, self.phasing = state.phase, ""
        self.capable_has_moved = state.zone_phase
        self.paid = {GERMAN: 0, SOVIET: 0}
        self.air_failures, self.air_benefit, self.air_ready = 0, "", True
        self.pause_turn = 0
        self.steps: dict[str, int] = {}
        self.reset_activation()

    def reset_activation(self) -> None:
        """Reset the record: no activation is open."""
        self.active: list[str] = []
        self.involved: set[str] = set()
        self.planned: list[str] = []
        self.plan = self.target = self.active_hex = self.entry = ""
        self.launched = self.exploiting = self.split = False
        self.attrition_units: set[str] = set()
        self.used = self.exploited = self.allowance = self.exploit_halves = 0
        self.was_capable = False
        self.reacted: set[str] = set()
        self.responded: set[str] = set()
        self.joined: set[str] = set()
        self.rolled: Any = None
        self.fight: Any = None
        self.paid_pickup = ""
        self.start = ""

    def check_activation_ended(self) -> None:
        """Check that the previous activation has ended.

        If no unit of it is left and none has reacted, it ends without an event.
        """
        assert not self.active, f"the activation of {self.active} has not ended"
        reacted = {each for each in self.reacted if self.units[each].hex}
        assert not reacted, f"DM-7.0f: {reacted} are not spent"
        self.finish_fight()
        self.reset_activation()

    # --- records ---

    def check_force(self, units: list[str], hex_: str, side: str) -> None:
        assert units
        for unit_id in units:
            unit = self.units[unit_id]
            assert (unit.side, unit.hex) == (side, hex_), f"{unit_id} is of the {unit.side}s in {unit.hex}"

    def place(self, units: list[str], hex_: str) -> None:
        for unit_id in units:
            self.units[unit_id].hex = hex_

    def take(self, hex_: str, side: str) -> None:
        """Give control of a hex to a side that enters, unless an enemy is in it (DM-2.9a)."""
        if not self.at(hex_, OTHER[side]):
            self.control[hex_] = side

    def remove(self, units: list[str], standing: str) -> None:
        for unit_id in units:
            self.units[unit_id].leave(standing)
            if unit_id in self.active:
                self.active.remove(unit_id)

    # --- the pause of AGC-4.7 ---

    def pause_is_on(self) -> bool:
        if not self.pause_turn:
            return False
        late = self.option["bso_first_turns"] == "next_two_turns"
        first = self.pause_turn + late
        return first <= self.turn <= first + 1

    def check_pause(self, units: list[str]) -> None:
        """Check that a unit bound by the pause moves only one hex (R-DM-67: one in total for each unit)."""
        for unit_id in units:
            self.steps[unit_id] = self.steps.get(unit_id, 0) + 1
            still = self.pause_is_on() and self.units[unit_id].side == GERMAN and self.projects(unit_id)
            assert self.steps[unit_id] == 1 or not still, f"AGC-4.7a: {unit_id}"

    # --- activation ---

    def read_force_activated(self, event: Any) -> None:
        units = event.units
        if not self.plan:
            self.check_activation_ended()
        assert self.phase == f"{self.phasing}.operations", "DM-7.0a"
        assert self.phasing == GERMAN or self.turn > 1, "AGC-4.6.1a"
        self.check_force(units, event.hex, self.phasing)
        for unit_id in units:
            assert not self.units[unit_id].spent, "DM-7.0a"
        capable = self.is_capable(units)
        assert event.zone == capable
        assert capable or not self.capable_has_moved, "DM-7.0d"
        self.capable_has_moved = self.capable_has_moved or capable
        halves = 2 * min(self.counters[unit_id].ma for unit_id in units)
        assert event.halves == halves, "DM-7.0j"
        self.active, self.active_hex, self.start = list(units), event.hex, event.hex
        self.allowance, self.involved, self.used = halves, set(units), 0
        if self.plan:
            assert capable, "DM-8.1a"
            assert sorted(units) == sorted(self.planned), "DM-8.1b"

    def read_attack_declared(self, event: Any) -> None:
        side, target = event.side, event.target
        assert self.phase == f"{side}.operations", "DM-8.1b"
        self.check_activation_ended()
        assert self.at(target, OTHER[side]), "DM-8.1c"
        reaches = [
            hex_
            for hex_ in self.held_by(side)
            if self.range_hexes(hex_, target) <= self.zone_range(hex_, side)
            and any(self.projects(each) and not self.units[each].spent for each in self.at(hex_, side))
        ]
        assert reaches, "DM-8.1c"
        self.target = target

    def read_attack_planned(self, event: Any) -> None:
        units = event.units
        self.check_force(units, self.units[units[0]].hex, event.side)
        assert event.plan in {"grand", "penetration"}
        assert self.is_capable(units), "DM-8.1a"
        for unit_id in units:
            assert not self.units[unit_id].spent, "DM-7.0c"
            assert not self.units[unit_id].demoralized, "DM-2.8d"
        if event.plan == "penetration":
            assert self.is_adjacent(self.units[units[0]].hex, self.target), "DM-8.1g"
        assert not (self.pause_is_on() and event.side == GERMAN), "AGC-4.7a"
        self.plan, self.planned = event.plan, list(units)

    def read_attack_launched(self, event: Any) -> None:
        assert (event.target, sorted(event.units)) == (self.target, sorted(self.planned))
        self.launched = True

    def read_attack_dropped(self, event: Any) -> None:
        self.target = self.plan = ""

    # --- steps ---

    def read_force_moved(self, event: Any) -> None:
        side, start, hex_ = self.phasing, event.start, event.hex
        assert sorted(event.units) == sorted(self.active), f"active are {self.active}"
        self.check_force(event.units, start, side)
        assert self.is_adjacent(start, hex_), "DM-7.0j"
        assert "lake" not in self.side_features(start, hex_)
        assert self.is_open(hex_, side) or not self.is_open(start, side), "AGC-1.3"
        assert self.may_enter_marsh(start, hex_, event.units), "closed to wheeled units"
        self.check_marsh(start, hex_, side)
        cost = self.step_cost(start, hex_, event.units)
        enemies = self.at(hex_, OTHER[side])
        if any(self.units[unit_id].demoralized for unit_id in event.units):
            assert not enemies, "DM-2.8d"
            assert hex_ not in self.zone_of_control(OTHER[side]), "DM-2.8d"
        if self.plan == "penetration" and not self.exploiting:
            assert hex_ == self.target, "DM-8.1g"
        else:
            assert event.halves == cost, f"the chart says {cost}"
        self.use(event.halves)
        assert event.left >= 0, "DM-7.0j"
        if self.plan != "penetration" or self.exploiting:
            assert event.left in self.budget(), f"{self.budget()} are left"
        assert event.exploiting == self.exploiting
        self.check_pause(event.units)
        self.active_hex, self.entry, self.paid_pickup = hex_, start, ""
        self.place(event.units, hex_)
        self.take(hex_, side)
        if self.option["reaction_attempts"] == "one_per_hex_entered":
            self.joined = set()

    def budget(self) -> set[int]:
        """Return the halves that may be left to the active force, by its slowest remaining unit."""
        return {2 * min(self.counters[each].ma for each in self.active) - self.used}

    def use(self, halves: int) -> None:
        if self.exploiting:
            self.exploited += halves
        else:
            self.used += halves

    def check_marsh(self, start: str, hex_: str, side: str) -> None:
        """Check that no German enters the south or the marsh before they have passed it (AGC-1.3b)."""
        if side == GERMAN and hex_ in self.board.marsh and not self.beyond_marsh():
            assert start in self.board.marsh, "AGC-1.3b"

    def read_units_picked_up(self, event: Any) -> None:
        hex_ = self.active_hex
        self.check_force(event.units, hex_, self.phasing)
        assert event.hex == hex_
        cost = 0 if self.paid_pickup == hex_ else 2
        for unit_id in event.units:
            unit = self.units[unit_id]
            assert unit_id not in self.active
            assert not unit.spent, "DM-7.0n"
            assert not unit.demoralized, "R-DM-31"
            if self.option["pickup_limits"] == "same_class":
                assert self.is_capable([unit_id]) == self.is_capable(self.active), "R-DM-31"
        self.use(cost)
        self.active = sorted([*self.active, *event.units])
        self.involved |= set(event.units)
        assert event.left in self.budget(), f"{self.budget()} are left"
        assert event.left >= 0
        self.paid_pickup = hex_
        if self.option["class_after_pickup"] == "current" and self.is_capable(self.active):
            self.capable_has_moved = True

    def read_units_dropped(self, event: Any) -> None:
        self.check_force(event.units, self.active_hex, self.phasing)
        assert set(event.units) < set(self.active)
        self.active = [unit_id for unit_id in self.active if unit_id not in event.units]
        for unit_id in event.units:
            self.units[unit_id].spent = True

    def read_force_rallied(self, event: Any) -> None:
        side = self.units[event.units[0]].side
        self.check_force(event.units, event.hex, side)
        for unit_id in event.units:
            assert self.units[unit_id].demoralized
        if event.why == "rally":
            assert side == self.phasing
            assert set(event.units) <= set(self.active)
            assert self.has_supply(side, event.hex) or self.exploiting, "DM-2.8g"
            assert event.hex not in self.zone_of_control(OTHER[side]), "DM-2.8g"
            self.use(4)
            assert event.left in self.budget(), "DM-7.0l"
            assert event.left >= 0, "DM-7.0l"
        else:
            self.check_victors_rally(event)
        for unit_id in event.units:
            self.units[unit_id].demoralized = False

    def check_victors_rally(self, event: Any) -> None:
        """Check a rally after a won combat; ``CombatChecks`` overrides it."""

    # --- the end of an activation ---

    def must_roll_attrition(self) -> bool:
        """Return whether the active force must roll for attrition (DM-9.0a, R-DM-40)."""
        if self.turn == 1 or not self.active or len({self.units[each].hex for each in self.active}) != 1:
            return False
        enough = 2 * self.used > self.allowance
        return enough and not self.has_supply(self.phasing, self.units[self.active[0]].hex)

    def read_attrition_rolled(self, event: Any) -> None:
        units = event.units
        assert self.turn > 1, "DM-9.0i"
        self.check_force(units, event.hex, self.phasing)
        assert not self.has_supply(self.phasing, event.hex), "DM-9.0a"
        assert 2 * self.used > self.allowance, f"DM-9.0a: {self.used} of {self.allowance} halves were used"
        here = self.at(event.hex, self.phasing)
        expected = bool(self.kinds(event.hex) & set(SETTLED)) + (len(here) == 1)
        expected -= any(self.units[unit_id].demoralized for unit_id in units)
        expected -= self.is_full(here)
        assert sum(number for _, number in event.modifiers) == expected, f"expected are {expected}"
        assert event.total == sum(event.dice) + expected
        strength = self.strength(units)
        column = max((place for place, floor in enumerate(FLOORS) if strength >= floor), default=-1)
        points = (
            ATTRITION[min(12, max(2, event.total))][column] if column >= 0 else 0
        )  # a roll for 1 SP keeps its strength secret
        assert event.points == points, f"the table says {points}"
        assert set(units) <= self.involved
        self.attrition_units = set(units)

    def read_activation_ended(self, event: Any) -> None:
        reacted = self.reacted if self.option["failed_reaction_spent"] == "yes" else self.responded
        alive = {unit_id for unit_id in reacted if self.units[unit_id].hex}
        assert {unit_id for unit_id in event.reacted if self.units[unit_id].hex} == alive, f"it was {sorted(alive)}"
        ended = {unit_id for unit_id in event.units if self.units[unit_id].hex}
        assert ended <= self.involved, f"activated were {sorted(self.involved)}"
        if self.must_roll_attrition() and not self.split and self.strength(self.active) > 1:
            assert self.attrition_units, "DM-9.0a: no force rolled for attrition"
        for unit_id in {*self.involved, *alive}:
            self.units[unit_id].spent = self.units[unit_id].hex != ""
        self.finish_fight()
        self.reset_activation()

    def finish_fight(self) -> None:
        """Check that a combat is complete; ``CombatChecks`` overrides it."""

    def read_units_eliminated(self, event: Any) -> None:
        self.remove(event.units, ELIMINATED)
