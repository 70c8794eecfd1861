"""An observer that follows a game by its events and reports what the rules do not allow.

It is written from the rulebook and the rulings, not from the rules' code. It accepts what the rulings leave open.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.plugins.damos.oracle.aftermath_checks import AftermathChecks
from tests.plugins.damos.oracle.records import GERMAN, OTHER, REACTION, SOVIET

from damos.model.state import ELIMINATED, ON_MAP, POOL, SURRENDERED, DamosState


class Observer(AftermathChecks):
    """The observer. ``read`` processes the events in order, ``check`` compares the state with its records."""

    def __init__(self, state: DamosState) -> None:
        super().__init__(state)
        self.number = 0
        self.attacks_owed, self.attacks_made = state.attacks_owed, state.attacks_made
        self.undying: dict[str, int] = {}
        self.lost_soviets: list[str] = []
        self.received: set[str] = set()
        self.pause_turn = state.pause_turn
        self.keeps_still = False
        self.railhead = ""
        self.ending = ""
        self.rebuilt: set[str] = set()

    def read(self, event: Any) -> None:
        """Check an event, and record it."""
        self.number += 1
        self.record_announcements(event)
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__)
        try:
            getattr(self, f"read{name}", self.accept)(event)
        except AssertionError as failure:
            message = f"turn {self.turn}, {self.phase}, event {self.number}, {event}: {failure}"
            raise AssertionError(message) from failure

    def accept(self, event: Any) -> None:
        """Accept an event that needs no check."""

    def check(self, state: DamosState) -> None:
        """Compare the records with the game, and check what must hold at any time."""
        self.compare(state)
        self.check_units()

    # --- the sequence of play ---

    def read_turn_began(self, event: Any) -> None:
        assert event.turn == self.turn + 1
        self.turn = event.turn
        self.received = set()
        self.steps = {}

    def read_phase_began(self, event: Any) -> None:
        self.phase, self.phasing = event.phase, event.side
        self.capable_has_moved = False
        self.paid = {GERMAN: 0, SOVIET: 0} if event.phase.endswith("reinforcement") else self.paid
        self.railhead = ""
        if event.phase.endswith("surrender"):
            self.must_surrender_hexes = {
                hex_ for hex_ in self.held_by(event.side) if self.must_surrender(event.side, hex_)
            }

    def read_phase_ended(self, event: Any) -> None:
        self.check_activation_ended()
        if event.phase.endswith("operations"):
            self.check_stacks(self.phasing)
        if event.phase.endswith("surrender"):
            self.check_no_other_surrender(self.phasing)
        if event.phase.endswith("reinforcement"):
            expected = self.replacements_due(self.phasing)
            assert (self.phasing in self.received) == (expected != 0) or expected == 0, "DM-5.0a"
        for side in (GERMAN, SOVIET):
            assert self.points[side] >= 0, "points are below zero"
        assert not (self.held_by(GERMAN) & self.held_by(SOVIET)), "both sides are in a hex without a combat"

    def check_stacks(self, side: str) -> None:
        if side == SOVIET and self.turn == 1:
            return  # no Soviet operations
        for hex_ in self.held_by(side):
            assert not self.overstacked(self.at(hex_, side)), f"DM-2.3d in {hex_}"

    def read_turn_opened(self, event: Any) -> None:
        self.cossacks = ""
        self.air_failures, self.air_benefit, self.air_ready = 0, "", True

    # --- set-up, arrivals, replacements ---

    def read_side_set_up(self, event: Any) -> None:
        first = {unit_id for unit_id, unit in self.units.items() if unit.side == event.side and unit.arrives == 0}
        assert set(event.hexes) == first
        board = self.board
        if event.side == SOVIET:
            assert not self.held_by(GERMAN), "AGC-6.0a"
            assert set(board.frontier) <= set(event.hexes.values()), "AGC-6.0b"
            settled = {*board.towns, *board.cities, *board.major_cities}
            inside = {hex_ for hex_ in settled if board.home[hex_] == SOVIET}
            assert set(event.hexes.values()) <= inside | set(board.frontier), "AGC-6.0c"
        else:
            assert self.held_by(SOVIET), "AGC-6.0a"
            for hex_ in event.hexes.values():
                assert board.home[hex_] == GERMAN, "AGC-6.0d"
                assert 25 <= int(hex_[:2]) <= 32, "AGC-6.0d"
        self.enter(event.hexes)
        self.check_stacks(event.side)

    def enter(self, hexes: dict[str, str]) -> None:
        for unit_id, hex_ in hexes.items():
            unit = self.units[unit_id]
            assert unit.standing == POOL
            unit.hex, unit.standing, unit.spent, unit.demoralized = hex_, ON_MAP, False, False
            self.control[hex_] = unit.side

    def read_units_arrived(self, event: Any) -> None:
        side = event.side
        assert self.phase == f"{side}.reinforcement"
        zone = self.zone_of_control(OTHER[side])
        cities = {*self.board.cities, *self.board.major_cities}
        for unit_id, hex_ in event.hexes.items():
            assert self.units[unit_id].arrives <= self.turn, f"{unit_id} is early"
            assert hex_ not in self.held_by(OTHER[side]), "R-DM-69"
            assert hex_ not in zone, "R-DM-69"
            edge = hex_.endswith("30" if side == GERMAN else "01")
            city = side == SOVIET and hex_ in cities and self.control[hex_] == SOVIET
            assert edge or city, "AGC-4.9a"
            assert hex_ in self.board.area, "AGC-1.3a"
        self.enter(event.hexes)
        for hex_ in event.hexes.values():
            assert not self.overstacked(self.at(hex_, side)), "DM-2.3a"

    def replacements_due(self, side: str) -> int:
        """Return the points of a side for this turn (AGC-4.5a, AGC-4.5b, AGC-4.6.3b, AGC-4.3.1g, AGC-4.3.1i)."""
        turn = self.turn
        if side == GERMAN:
            return 2 if turn >= 3 else 0
        if turn == 1:
            return 5 if self.option["russian_rp_turn1"] == "5" else 0
        missing = max(0, self.attacks_owed - self.attacks_made) if turn >= 4 else 0
        return 5 - missing

    def read_replacements_received(self, event: Any) -> None:
        side = event.side
        assert side not in self.received, "points arrive once a turn"
        self.received.add(side)
        due = self.replacements_due(side)
        if side == GERMAN or self.turn == 1 or self.option["optional_rules"] == "off":
            assert event.points == due, f"expected are {due}"
        elif self.option["optional_rules"] == "on":
            assert event.points == due + 1, f"expected are {due + 1}"
        else:
            twice = {2 * (due + 1), due + 7}  # the rulings leave open whether missing attacks are doubled
            assert event.points in {due + 1} | twice, f"expected are {due + 1}, or {twice}"
            assert event.points == due + 1 or self.keeps_still, "AGC-4.3.1i"
        self.points[side] = max(0, self.points[side] + event.points)
        assert event.total == self.points[side]

    def read_replacements_spent(self, event: Any) -> None:
        """Check the units that received points: units on the map, or rebuilt units (DM-5.0b to DM-5.0f)."""
        assert self.phase == f"{event.side}.reinforcement", "DM-5.0a"
        assert sum(event.units.values()) == event.points <= self.points[event.side]
        self.points[event.side] -= event.points
        zone = self.zone_of_control(OTHER[event.side])
        for unit_id, points in event.units.items():
            unit, printed = self.units[unit_id], self.counters[unit_id].sp
            assert unit.side == event.side
            assert points >= 1
            if unit.standing == ELIMINATED:
                assert points <= printed, "DM-5.0c"
                assert points == printed or self.option["rebuild_eliminated"] != "full_only", "R-DM-08"
                self.rebuilt.add(unit_id)
            else:
                assert unit.standing == ON_MAP, "DM-5.0f"
                assert self.has_supply(unit.side, unit.hex), "DM-5.0d"
                assert unit.hex not in zone or self.option["rp_ezoc_friendly"] != "blocked", "DM-5.0d"
            unit.sp += points
            assert unit.sp <= printed, "DM-5.0c"

    def read_units_rebuilt(self, event: Any) -> None:
        assert event.arrives == self.turn + 1, "R-DM-08"
        assert set(event.units) == self.rebuilt
        self.rebuilt = set()
        for unit_id in event.units:
            self.units[unit_id].standing, self.units[unit_id].arrives = POOL, event.arrives

    # --- railways ---

    def read_rail_extended(self, event: Any) -> None:
        assert self.phase == "german.strategic", "AGC-4.3.1d"
        die, turn = event.die, self.turn
        if self.option["optional_rules"] == "off":
            assert event.allowed == ((die + 2) // 3 if 11 <= turn <= 13 else (die + 1) // 2)
        else:
            paused = self.keeps_still and event.allowed == die + 2  # AGC-4.3.1h
            assert paused or event.allowed == (die + 1) // 2 + 1, "AGC-4.3.1g"
            assert self.railhead in {"", event.railhead}, "AGC-4.3.1g"
            self.railhead = event.railhead
        assert event.railhead in self.converted
        assert len(event.hexes) <= event.allowed
        zone = self.zone_of_control(SOVIET)
        for before, hex_ in pairwise([event.railhead, *event.hexes]):
            assert "rail" in self.side_features(before, hex_), f"no rail from {before} to {hex_}"
            assert hex_ not in self.converted
            assert self.control[hex_] == GERMAN, "R-DM-57"
            assert hex_ not in zone or hex_ in self.held_by(GERMAN), "AGC-4.3.1e"
            self.converted.add(hex_)

    # --- strategic movement ---

    def read_force_moved_strategically(self, event: Any) -> None:
        side = self.phasing
        units, path = event.units, event.path
        assert self.phase == f"{side}.strategic", "DM-6.0a"
        assert side == GERMAN or self.turn > 1, "AGC-4.6.1a"
        self.check_force(units, path[0], side)
        assert not any(self.units[unit_id].spent for unit_id in units), "DM-6.0a"
        assert self.has_supply(side, path[0]), "DM-6.0a"
        near_enemy = {near for hex_ in self.held_by(OTHER[side]) for near in self.board.around[hex_]}
        if self.option["sm_start_adjacent"] == "forbidden":
            assert path[0] not in near_enemy, "R-DM-33"
        halves = 0
        for start, hex_ in pairwise(path):
            self.check_pause(units)
            assert self.is_adjacent(start, hex_)
            assert self.control[hex_] == side, "DM-6.0c"
            assert hex_ not in near_enemy, "DM-6.0d"
            assert hex_ not in self.held_by(OTHER[side])
            assert self.is_open(hex_, side) or not self.is_open(start, side), "AGC-1.3"
            assert self.may_enter_marsh(start, hex_, units), "closed to wheeled units"
            halves += 1 if self.by_rail(start, hex_, side) else self.step_cost(start, hex_, units)
        assert event.halves == halves, f"the chart says {halves}"
        assert halves <= 4 * min(self.counters[unit_id].ma for unit_id in units), "DM-6.0b"
        self.place(units, path[-1])
        for unit_id in units:
            self.units[unit_id].spent = True

    def by_rail(self, start: str, hex_: str, side: str) -> bool:
        """Return whether a side can use the railway between two hexes (R-DM-34)."""
        own = self.option["sm_rail"] == "own_gauge_only"
        return "rail" in self.side_features(start, hex_) and all(
            self.control[each] == side and (not own or (each in self.converted) == (side == GERMAN))
            for each in (start, hex_)
        )

    # --- surrender and reset ---

    def must_surrender(self, side: str, hex_: str) -> bool:
        """Return whether a force must surrender (DM-10.0a, DM-10.0b)."""
        enemy = OTHER[side]
        pressed = any(
            self.has_supply(enemy, near)
            and any(not self.units[unit_id].demoralized for unit_id in self.at(near, enemy))
            for near in self.board.around[hex_]
            if self.at(near, enemy)
        )
        return pressed and not self.reaches_source(side, hex_)

    def read_units_surrendered(self, event: Any) -> None:
        assert self.phase == f"{self.phasing}.surrender"
        assert sorted(event.units) == self.at(event.hex, self.phasing), "DM-10.0d"
        assert event.hex in self.must_surrender_hexes or self.must_surrender(self.phasing, event.hex), "DM-10.0b"
        self.remove(event.units, SURRENDERED)

    def check_no_other_surrender(self, side: str) -> None:
        if side == SOVIET and self.turn == 1:
            return  # AGC-4.6.1a
        for hex_ in self.held_by(side) & self.must_surrender_hexes:
            assert not self.must_surrender(side, hex_), f"the force in {hex_} has no way out and stays"

    def read_units_reset(self, event: Any) -> None:
        assert self.phase == f"{event.side}.reset"
        for unit in self.units.values():
            if unit.side == event.side:
                unit.spent = False

    # --- exclusive rules ---

    def read_cossacks_named(self, event: Any) -> None:
        assert self.turn >= 10, "AGC-4.8a"
        assert self.at(event.hex, SOVIET), "R-DM-68"
        self.cossacks = event.hex

    def read_attacks_demanded(self, event: Any) -> None:
        assert (event.side, self.turn) == (SOVIET, 2)
        assert event.number == (event.die + 1) // 2, "AGC-4.6.3a"
        assert self.option["turn2_attacks_area"] == "agc_area"
        self.attacks_owed = event.number

    def read_attack_counted(self, event: Any) -> None:
        assert self.phase == "soviet.operations", "R-DM-73"
        assert self.turn == 2, "AGC-4.6.3a"
        self.attacks_made += 1

    def remove(self, units: list[str], standing: str) -> None:
        super().remove(units, standing)
        if self.turn <= 2:
            self.lost_soviets += [unit_id for unit_id in units if self.units[unit_id].side == SOVIET]

    def read_undying_rolled(self, event: Any) -> None:
        unit = self.units[event.unit]
        assert self.turn <= 2, "AGC-4.6.4a"
        assert event.unit in self.lost_soviets
        self.lost_soviets.remove(event.unit)
        printed = 1 if self.option["undying_strength"] == "one_sp" else self.counters[event.unit].sp
        if event.die < 5:
            assert event.returns == 0
            return
        assert 1 <= event.returns - self.turn <= 3
        assert event.sp == printed, "R-DM-65"
        unit.standing, unit.sp, unit.arrives = POOL, event.sp, event.returns

    def read_pause_began(self, event: Any) -> None:
        assert self.option["combined_game"] == "off", "AGC-4.7b"
        assert self.pause_turn == 0
        august = 5 if self.option["calendar"] == "t1_22_june" else 4
        city = self.board.pause_city
        assert event.turn <= self.turn
        assert event.turn <= august + (self.option["bso_first_turns"] == "current_and_next")
        assert event.turn >= august if event.why == "august" else self.control[city] == GERMAN
        self.pause_turn = event.turn

    def read_pause_chosen(self, event: Any) -> None:
        self.keeps_still = event.keep_still

    # --- the end ---

    def read_game_ended(self, event: Any) -> None:
        """Check the ending and the winner (AGC-5.0)."""
        assert self.turn == self.board.last_turn
        goal = self.board.victory.objective
        outer = {near for near in self.board.around[goal] if self.at(near, GERMAN)}
        if self.option["minor_victory"] == "controlled":
            outer = {near for near in self.board.around[goal] if self.control[near] == GERMAN}
        if self.option["combined_game"] == "on":
            expected = {"substantial"}  # AGC-5.0e: three cities are required, and this map has one of the four
        elif self.control[goal] == GERMAN:
            expected = {"moscow_held", "objective_held"}
        elif self.isolated(goal):
            expected = {"moscow_isolated", "objective_isolated"}
        else:
            expected = {"gates"} if len(outer) >= 2 else {"substantial"}
        assert event.ending in expected, f"it is {expected}"
        assert event.outcome == (SOVIET if "substantial" in expected else GERMAN)
        self.ending = event.ending

    def isolated(self, goal: str) -> bool:
        """Return whether no path leads from the objective to the east edge (AGC-5.0b, R-DM-76)."""
        closed = self.closed_to(SOVIET)
        return not self.flood(goal, closed, {hex_ for hex_ in self.board.area if hex_.endswith("01")}, 600)

    # --- reactions ---

    def read_reaction_rolled(self, event: Any) -> None:
        side = OTHER[self.phasing]
        units, start, hex_ = event.units, event.start, event.hex
        assert self.phase == f"{self.phasing}.operations", "DM-6.0f"
        assert not self.exploiting, "DM-8.12d"
        self.check_force(units, start, side)
        assert self.is_capable(units), "DM-2.6.1a"
        for unit_id in units:
            assert not self.units[unit_id].spent, "DM-2.6.1b"
            assert not self.units[unit_id].demoralized, "DM-2.6.1b"
        once = self.option["reaction_attempts"] == "one_per_activation"
        if once and self.option["reaction_stack_subset"] == "all_or_none":
            here = {each for each in self.at(start, side) if not self.units[each].demoralized}
            fit = sorted(each for each in here if not self.units[each].spent and each not in self.reacted)
            assert sorted(units) == fit, "R-DM-48"
        again = set(units) & self.reacted
        assert not again or self.option["reaction_attempts"] == "one_per_hex_entered", "R-DM-25"
        assert hex_ == (self.active_hex or self.target), "DM-2.6.1c"
        assert self.range_hexes(start, hex_) <= self.zone_range(start, side), "DM-2.6.1c"
        if event.retreat:
            assert start != self.target, "DM-2.6.1h"
        else:
            assert start != hex_
        self.check_reaction_roll(event)
        self.reacted |= set(units)
        self.rolled = event if event.success else None
        if event.success:
            self.responded |= set(units)

    def check_reaction_roll(self, event: Any) -> None:
        if event.retreat and self.option["reaction_retreat"] == "no_roll":
            assert event.success
            return
        assert event.total == sum(event.dice) + sum(number for _, number in event.modifiers)
        assert len(event.dice) == 2
        assert event.success == (event.total >= 9 or event.dice == [6, 6]), "DM-2.6.1k, DM-2.6.1l"
        known = [unit_id for unit_id in self.active if self.active_hex]
        if not known and self.option["reaction_mech_compare"] == "always":
            known = self.planned
        expected = 0
        if known:
            expected += self.mobile_strength(event.units) > self.mobile_strength(known)  # DM-2.6.1n
            expected += bool(self.active_hex) and not self.is_capable(known)  # AGC-4.2a
        found = sum(number for _, number in event.modifiers)
        if not event.retreat:
            expected -= self.range_hexes(event.start, event.hex) == 3  # DM-2.6.1o
            ways = self.reaction_terrain(event.start, event.hex)
            assert found - expected in ways, f"modifiers make {found}, {expected} and one of {ways} are due"
        else:
            assert found == expected, f"expected are {expected}"

    def reaction_terrain(self, start: str, goal: str) -> set[int]:
        """Return the terrain modifiers of all paths in the zone. The worst terrain of a path counts (R-DM-10)."""
        side = OTHER[self.phasing]
        reach = self.zone_range(start, side)
        shortest = self.option["reaction_path"] == "shortest_legal"
        found, front = set(), [(start, 0)]
        for _ in range(reach):
            front = [
                (near, min(worst, self.reaction_step(hex_, near, side)))
                for hex_, worst in front
                if hex_ != goal
                for near in self.board.around[hex_]
                if near == goal or not self.at(near, self.phasing)
            ]
            ended = {worst for hex_, worst in front if hex_ == goal}
            found |= ended
            if ended and shortest:
                break
        return found

    def reaction_step(self, start: str, hex_: str, side: str) -> int:
        river = -1 if self.river(start, hex_, side) else 0
        return min([REACTION.get(kind, 0) for kind in self.kinds(hex_)] + [river])

    def read_force_reacted(self, event: Any) -> None:
        side = OTHER[self.phasing]
        units, path = event.units, event.path
        assert self.rolled is not None
        assert (self.rolled.units, self.rolled.success, self.rolled.hex) == (units, True, path[-1])
        worst = 0
        for start, hex_ in pairwise(path):
            assert self.is_adjacent(start, hex_)
            assert hex_ == path[-1] or not self.at(hex_, self.phasing), "R-DM-10"
            if self.option["boundaries_retreat"] == "apply":
                assert self.is_open(hex_, side), "R-DM-71"
            assert self.may_enter_marsh(start, hex_, units), "closed to wheeled units"
            worst = min(worst, self.reaction_step(start, hex_, side))
        assert len(path) - 1 <= self.zone_range(path[0], side), "R-DM-10"
        named = [number for name, number in self.rolled.modifiers if number < 0]
        distant = self.range_hexes(path[0], path[-1]) == 3
        assert sum(named) == worst - distant, f"terrain on the way is {worst}"
        assert event.controls == (self.option["reaction_control"] == "changes")
        self.place(units, path[-1])
        assert not self.overstacked(self.at(path[-1], side)), "DM-2.6.1r"
        if event.controls:
            for hex_ in path[1:]:
                self.take(hex_, side)
        self.joined |= set(units)
        self.rolled = None
