"""Checks of the time after a combat: retreats, eliminations, demoralization and exploitation."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

from tests.plugins.damos.oracle.combat_checks import PLAN_HALVES, CombatChecks, CombatRecord
from tests.plugins.damos.oracle.records import GERMAN, OTHER, RATING, SOVIET

from damos.model.state import ELIMINATED

REACTIONS = {"ReactionRolled", "ForceReacted", "ForceRetreated"}


class AftermathChecks(CombatChecks):
    """The checks of retreats and exploitation."""

    announced: dict[str, str]

    # --- retreats ---

    def may_retreat_to(self, hex_: str, side: str, start: str) -> bool:
        """Return whether a hex on a retreat from ``start`` is safe (R-DM-16, R-DM-17, R-DM-86)."""
        if self.option["boundaries_retreat"] == "apply":
            driven = side == GERMAN and hex_ in self.board.marsh and hex_ in self.board.area
            if not (self.is_open(hex_, side) or driven):
                return False
            if side == SOVIET and self.is_bound(side) and hex_ in self.board.marsh and not self.beyond_marsh():
                return False
        if hex_ == start or self.at(hex_, OTHER[side]):
            return False
        spared = [start] if self.option["retreat_from_combat_zoc"] == "winner_in_hex_ignored" else []
        friend = self.option["retreat_ezoc_friendly"] == "friendly_cancels" and bool(self.at(hex_, side))
        return friend or hex_ not in self.zone_of_control(OTHER[side], spared)

    def can_retreat(self, start: str, side: str, length: int) -> bool:
        """Return whether a retreat of this length is possible."""
        for near in self.board.around[start]:
            if self.may_retreat_to(near, side, start):
                refuge = near in self.board.major_cities and self.control[near] == side
                if length == 1 or refuge:
                    return True
                further = (each for each in self.board.around[near] if each not in {near, start})
                if any(self.may_retreat_to(each, side, start) for each in further):
                    return True
        return False

    def source_distance(self, hex_: str, side: str, lost: str, *, by_rail: bool, within: bool) -> int:
        """Return the distance to the nearest source other than ``lost``, in the area only if ``within``."""
        ends = self.sources(side) - {lost}
        if by_rail:
            ends &= set(self.board.rail_around) | {*self.board.cities, *self.board.major_cities}
        if within:
            ends &= set(self.board.area)
        return min(self.range_hexes(hex_, source) for source in ends)

    def check_direction(self, side: str, path: list[str], start: str, hex_: str) -> None:
        """Check that a step does not lead away from all sources if another leads closer, or as close (R-DM-16).

        On the map edge a source is a hex with a railway or any hex, in the area or outside: the ruling leaves that
        open. A force is outside only if retreats ignore the boundaries (R-DM-71). Germans need not enter the marsh if
        another hex is open (AGC-1.3c).
        """
        better: list[list[str]] = []
        dry = side == GERMAN and hex_ not in self.board.marsh
        for by_rail, within in product((False, True), (False, True)):
            limit = self.source_distance(start, side, path[0], by_rail=by_rail, within=within)
            nearer = [
                near
                for near in self.board.around[start]
                if near not in path
                and not (dry and near in self.board.marsh)
                and self.source_distance(near, side, path[0], by_rail=by_rail, within=within) <= limit
                and self.may_retreat_to(near, side, path[0])
                and self.continues(near, side, path[0])
            ]
            length = self.source_distance(hex_, side, path[0], by_rail=by_rail, within=within)
            better.append([] if hex_ in nearer or length <= limit else nearer)
        assert not all(better), f"R-DM-16: {better[0]} are nearer to a source than {hex_}"

    def check_retreat(self, side: str, path: list[str], *, attacker: bool) -> None:
        """Check the length, hexes and direction of a retreat (DM-8.11a, DM-8.11b, DM-8.11d, DM-8.11h)."""
        length = len(path) - 1
        if attacker:
            assert length == 1, "DM-8.11b"
        else:
            refuge = path[1] in self.board.major_cities and self.control[path[1]] == side
            assert 2 <= length <= 3 or (length == 1 and refuge), "DM-8.11b"
        for start, hex_ in pairwise(path):
            assert self.is_adjacent(start, hex_)
            assert self.may_retreat_to(hex_, side, path[0]), f"DM-8.11d: {hex_}"
            if self.option["retreat_towards_supply"] == "nearest_source_not_longer":
                self.check_direction(side, path, start, hex_)

    def record_announcements(self, event: Any) -> None:
        """Record all positions when reactions are announced, before any is rolled for (DM-2.6.1f)."""
        if type(event).__name__ not in REACTIONS:
            self.announced = {}
        elif not self.announced:
            self.announced = {unit_id: unit.hex for unit_id, unit in self.units.items()}

    def check_announced_retreat(self, side: str, path: list[str]) -> None:
        """Check a path that was chosen when reactions were announced. Friends may have left their hexes since."""
        now = {unit_id: unit.hex for unit_id, unit in self.units.items()}
        for unit_id, hex_ in self.announced.items():
            self.units[unit_id].hex = hex_
        self.check_retreat(side, path, attacker=False)
        for unit_id, hex_ in now.items():
            self.units[unit_id].hex = hex_

    def continues(self, hex_: str, side: str, combat: str) -> bool:
        return any(self.may_retreat_to(near, side, combat) for near in self.board.around[hex_])

    def read_force_retreated(self, event: Any) -> None:
        units, path, fight = event.units, event.path, self.fight
        side = self.units[units[0]].side
        self.check_force(units, path[0], side)
        if event.why == "reaction":
            assert side == OTHER[self.phasing]
            if self.rolled is None:
                self.unrolled_retreat(units)
            else:
                done = (self.rolled.success, self.rolled.retreat, sorted(self.rolled.units))
                assert done == (True, True, sorted(units))
            self.rolled = None
            self.check_announced_retreat(side, path)
        else:
            assert fight is not None
            assert fight.decided
            assert path[0] == fight.hex
            if event.why == "rout":
                assert fight.hex in self.board.major_cities, "DM-8.11i"
                assert (side, len(units)) == (fight.defender, 1)
                assert fight.winner == fight.attacker
                strongest = max(self.units[each].sp for each in self.at(fight.hex, side))
                assert self.units[units[0]].sp == strongest, "R-DM-18"
                fight.rout = True
            else:
                loses = side != fight.winner or (fight.rout and side == fight.attacker)
                assert loses, "DM-8.11a"
                assert sorted(units) == self.at(fight.hex, side), "DM-8.11c"
                fight.retreated |= set(units)
            self.check_retreat(side, path, attacker=side == fight.attacker)
        self.place(units, path[-1])

    def read_units_eliminated(self, event: Any) -> None:
        if event.why == "losses":
            assert all(self.units[unit_id].sp == 0 for unit_id in event.units), "DM-2.4b"
        if event.why == "retreat":
            self.check_lost_retreat(event)
        if event.why == "overwhelmed":
            assert self.fight.overwhelmed
            assert sorted(event.units) == sorted(self.fight.forces[self.fight.defender])
        if event.why == "rout":
            self.fight.rout = True
        if event.why == "stacking":
            self.check_lost_stack(event)
        self.remove(event.units, ELIMINATED)
        if self.fight is not None:
            self.fight.gone |= set(event.units)

    def unrolled_retreat(self, units: list[str]) -> None:
        """Record a retreat by reaction that requires no roll (R-DM-24)."""
        assert self.option["reaction_retreat"] == "no_roll", "DM-2.6.1k"
        assert self.is_capable(units), "DM-2.6.1a"
        assert not any(self.units[each].spent or self.units[each].demoralized for each in units), "DM-2.6.1b"
        assert not set(units) & self.reacted or self.option["reaction_attempts"] == "one_per_hex_entered"
        self.reacted |= set(units)
        self.responded |= set(units)

    def check_lost_retreat(self, event: Any) -> None:
        side = self.units[event.units[0]].side
        hex_ = self.units[event.units[0]].hex
        length = 1 if side == self.phasing else 2
        assert not self.can_retreat(hex_, side, length), "R-DM-17: a retreat was possible"

    def check_lost_stack(self, event: Any) -> None:
        side = self.units[event.units[0]].side
        if self.fight is not None and set(event.units) <= self.fight.left_out:
            return  # DM-2.3g
        here = self.at(event.hex, side)
        assert set(event.units) <= set(here)
        assert self.overstacked(here), "DM-2.3e"

    def read_force_demoralized(self, event: Any) -> None:
        side = self.units[event.units[0]].side
        self.check_force(event.units, event.hex, side)
        if event.why == "lost":
            fight = self.fight
            assert fight.decided
            assert set(event.units) <= fight.retreated, "DM-8.11e"
            assert fight.plan != "meeting" or (fight.rout and side == fight.attacker), "DM-8.11e"
        if event.why == "stacked":
            assert any(self.units[each].demoralized for each in self.at(event.hex, side)), "DM-2.8b"
        for unit_id in event.units:
            assert not self.units[unit_id].demoralized
            self.units[unit_id].demoralized = True

    def finish_fight(self) -> None:
        """Check that a combat is complete."""
        fight, self.fight = self.fight, None
        if fight is None:
            return
        self.joined = set()
        assert fight.decided, "DM-8.10b"
        assert not (self.at(fight.hex, fight.attacker) and self.at(fight.hex, fight.defender)), "DM-8.11a"
        if fight.plan != "meeting":
            for unit_id in fight.retreated:
                unit = self.units[unit_id]
                assert not unit.hex or unit.demoralized, "DM-8.11e"
        won_demoralized = fight.winner == fight.defender and fight.demoralized
        if won_demoralized:
            for unit_id in fight.demoralized:
                unit = self.units[unit_id]
                assert not unit.hex or unit.hex != fight.hex or not unit.demoralized, "DM-8.11g"
        self.check_further_loss(fight)

    def check_further_loss(self, fight: CombatRecord) -> None:
        """Check that demoralized losers lost one more point (DM-2.8f, R-DM-44)."""
        lost = fight.winner == fight.attacker and fight.demoralized and not fight.rout
        spared = fight.plan == "meeting" and self.option["me_already_demoralized"] == "none"
        survivors = fight.demoralized - fight.gone
        if lost and not spared and survivors:
            assert fight.defender in fight.paid_again, "DM-2.8f"

    # --- exploitation ---

    def read_exploitation_began(self, event: Any) -> None:
        fight = self.fight
        self.finish_fight()
        if fight is not None and not fight.exploiting:
            assert not self.at(event.hex, fight.defender), "R-DM-19"
            if self.option["ea_condition"] == "attacker_won_and_hex_empty":
                assert fight.winner == fight.attacker, "DM-8.12a"
            self.supplied_before = fight.supplied[fight.attacker]
            self.exploited_combat = fight
            self.may_exploit = set(fight.attackers_alive)
        self.check_force(event.units, self.exploited_combat.hex, self.phasing)
        assert set(event.units) <= self.may_exploit, "DM-8.12.2a, DM-8.12f"
        self.may_exploit -= set(event.units)
        expected = self.exploitation_halves(event.units, capable=self.is_capable(event.units))
        assert event.halves in expected, f"DM-8.12.1a: {expected}"
        self.split = self.split or set(event.units) != set(self.active)
        self.exploiting, self.active_hex, self.exploited = True, event.hex, 0
        self.exploit_halves, self.was_capable = event.halves, self.is_capable(event.units)
        self.paid_pickup = ""
        self.active = list(event.units)

    def budget(self) -> set[int]:
        """Return the halves that may be left to the active force, by its slowest remaining unit."""
        if self.exploiting:
            own = self.exploitation_halves(self.active, capable=self.was_capable)
            if self.option["ema_mixed_force"] == "lowest_unit":
                own = {self.exploit_halves} | {min(self.exploit_halves, halves) for halves in own}
            return {halves - self.exploited for halves in own}
        return super().budget()

    def exploitation_halves(self, units: list[str], *, capable: bool) -> set[int]:
        """Return the allowances that the rulebook allows (DM-8.12.1a to DM-8.12.1d, AGC-4.6.2b)."""
        fight = self.exploited_combat
        if fight.overwhelmed:
            return {2}
        motorized = 0 if self.option["exploit_rating_motorized"] == "zero" else 1
        rating = {**RATING, "motorized": motorized}
        own = []
        for unit_id in units:
            counter = self.counters[unit_id]
            halves = 2 * rating[counter.type]
            if fight.plan == "penetration":
                halves += 2 * counter.ma - self.ground(fight.hex, [unit_id])
            else:
                halves += PLAN_HALVES[fight.plan]
            own.append(halves)
        best = {min(own)} if self.option["ema_mixed_force"] == "lowest_unit" else {min(own), max(own)}
        surplus = {2 * fight.surplus} if capable else {0, 2 * fight.surplus}
        return {one + more for one in best for more in surplus}
