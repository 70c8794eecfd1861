"""Checks of combats: strengths, plans, results, losses, counterattacks and the winner."""

from __future__ import annotations

from typing import Any

from tests.plugins.damos.oracle.activation_checks import ActivationChecks
from tests.plugins.damos.oracle.records import GERMAN, OTHER, SOVIET

RUN = (
    *("0", "0", "0", "0", "0", "0h", "0d", "1", "1", "1h", "1d"),
    *(str(points) for points in range(2, 7) for _ in range(4)),
    "7",
)
"""The results table, by row plus column, both counted from 0."""
COLUMNS = (1, 2, 3, 5, 7, 8, 9, 11, 13, 16, 19, 24)
LAST_ROW = (9, 15, 20)
LADDER = ("0", "0h", "0d", "1", "1h", "1d")
PLAN_HALVES = {"meeting": 0, "standard": 2, "grand": 4}
PLAN_MODIFIER = {"meeting": -1, "standard": 0, "grand": 1, "penetration": 2}
MATRIX = {
    # modifiers of attacker and defender, changes of the points that attacker and defender suffer
    ("meeting", "steadfast"): (0, 0, 0, 0),
    ("meeting", "counterattack"): (0, 1, 0, 0),
    ("meeting", "delay"): (0, 0, -1, -1),
    ("standard", "steadfast"): (0, 0, 0, 0),
    ("standard", "counterattack"): (0, 0, 1, 0),
    ("standard", "delay"): (0, -1, 0, -1),
    ("grand", "steadfast"): (0, 0, 1, 1),
    ("grand", "counterattack"): (0, -1, 0, 0),
    ("grand", "delay"): (0, 0, -1, -1),
    ("penetration", "steadfast"): (0, 0, 0, 1),
    ("penetration", "counterattack"): (0, -1, 1, 0),
    ("penetration", "delay"): (0, -1, 0, 0),
}
COUNTERATTACK = {
    "1:4": "3/0 3/0 2/0 2/1 1/1 1/2",
    "1:3": "3/0 2/0 2/1 2/1 1/2 1/3",
    "1:2": "2/0 2/1 2/1 1/2 1/2 1/3",
    "1:1": "2/1 2/1 1/2 1/2 1/3 0/3",
    "2:1": "2/1 1/1 1/2 1/3 0/3 0/4",
    "3:1": "1/1 1/2 1/2 0/3 0/4 0/4",
}


def rank(points: str) -> int:
    return LADDER.index(points) if points in LADDER else int(points) + 4


def from_rank(place: int) -> str:
    place = max(0, place)
    return LADDER[place] if place < len(LADDER) else str(place - 4)


def number(points: str) -> int:
    return int(points.rstrip("hd"))


class CombatRecord:
    """The record of a combat."""

    def __init__(self, event: Any, side: str) -> None:
        self.hex: str = event.hex
        self.forces = {side: list(event.attackers), OTHER[side]: list(event.defenders)}
        self.attacker, self.defender = side, OTHER[side]
        self.entry: str = event.entry
        self.plan = self.posture = self.winner = ""
        self.shift = self.reroll = self.overwhelmed = self.decided = self.counter = self.rout = False
        self.left_out: set[str] = set()
        self.first: dict[str, str] = {}
        self.points = {side: 0, OTHER[side]: 0}
        self.counter_points = {side: 0, OTHER[side]: 0}
        self.replaced = {side: 0, OTHER[side]: 0}
        self.surplus = 0
        self.at_first: dict[str, int] = {}
        self.demoralized: set[str] = set()
        self.supplied: dict[str, bool] = {}
        self.retreated: set[str] = set()
        self.paid_again: set[str] = set()
        self.gone: set[str] = set()
        self.attackers_alive: list[str] = []
        self.exploiting: bool = event.exploiting


class CombatChecks(ActivationChecks):
    """The checks of a combat."""

    supplied_before: bool = True

    # --- the beginning ---

    def read_combat_began(self, event: Any) -> None:
        self.finish_fight()
        side = self.phasing
        hex_ = event.hex
        assert set(self.active) <= set(event.attackers), f"active are {self.active}"
        bystanders = set(event.attackers) - set(self.active)
        assert not bystanders or self.joined, "DM-2.6.1p: no unit has reacted"
        self.check_force(event.attackers, hex_, side)
        self.check_force(event.defenders, hex_, OTHER[side])
        assert sorted(event.defenders) == self.at(hex_, OTHER[side]), "DM-8.2b"
        assert event.exploiting == self.exploiting
        if not (self.turn == 1 and "river" in self.side_features(self.entry, hex_)) and self.entry:
            assert event.entry in {self.entry, ""}, "R-DM-87"
        assault = not set(event.defenders) <= self.joined
        for unit_id in event.attackers:
            assert not (assault and self.units[unit_id].demoralized), "DM-2.8d"
        fight = self.fight = CombatRecord(event, side)
        fight.demoralized = {each for each in event.defenders if self.units[each].demoralized}
        assert fight.demoralized in (set(), set(event.defenders)), "DM-2.6d: only part of a force is demoralized"
        fight.at_first = {each: self.units[each].sp for each in (*event.attackers, *event.defenders)}
        for each in (side, OTHER[side]):
            fight.supplied[each] = self.has_supply(each, hex_, [hex_])
        if self.exploiting:
            fight.supplied[side] = self.supplied_before  # DM-8.12g

    def read_units_left_out(self, event: Any) -> None:
        side = self.units[event.units[0]].side
        force = self.fight.forces[side]
        assert self.overstacked(force), "R-DM-39"
        rest = [unit_id for unit_id in force if unit_id not in event.units]
        assert not self.overstacked(rest), "DM-2.3f"
        assert rest
        self.fight.forces[side] = rest
        self.fight.left_out |= set(event.units)

    def read_plans_revealed(self, event: Any) -> None:
        fight = self.fight
        plan, posture = event.plan, event.posture
        attacked_by_reactors = self.joined and set(fight.forces[fight.defender]) <= self.joined
        if self.plan and not self.exploiting and fight.hex == self.target:
            assert plan == self.plan, "DM-8.1b"
        else:
            expected = {"meeting", "standard", "grand"} if self.exploiting else {"meeting", "standard"}
            assert plan in expected, "DM-8.0b, DM-8.12e"
        if attacked_by_reactors:
            assert plan == "meeting", "R-DM-41"
        if plan == "penetration":
            self.used = self.allowance
        else:
            halves = PLAN_HALVES[plan]
            self.use(halves)
            assert max(self.budget()) >= 0, "DM-8.3a"
        fight.plan, fight.posture = plan, posture
        pressed = self.pause_is_on() and fight.attacker == GERMAN and self.is_capable(fight.forces[GERMAN])
        assert not pressed or attacked_by_reactors, "AGC-4.7a"
        self.check_posture(fight)

    def check_posture(self, fight: CombatRecord) -> None:
        """Check the posture (AGC-2.1a to AGC-2.1d, R-DM-53, R-DM-54)."""
        if fight.demoralized:
            assert fight.posture == "", "DM-8.4d"
            return
        kinds = self.kinds(fight.hex)
        defenders = fight.forces[fight.defender]
        can_counterattack = any(self.counters[each].type in {"armor", "mechanized"} for each in defenders)
        city = "city" in kinds or ("major_city" in kinds and self.option["city_means"] == "city_and_major_city")
        if fight.posture == "delay":
            assert fight.defender == GERMAN
            assert kinds & {"forest", "marsh"}
            assert not kinds & {"city", "major_city"}
        if fight.posture == "counterattack" and not (self.plan and self.reacted):
            assert can_counterattack, (
                "AGC-2.1c"
            )  # against a concerted attack it was chosen before, and units that could counterattack may be gone
        soviet = fight.defender == SOVIET
        counter_first = (
            soviet and can_counterattack and self.option["soviet_city_counterattack"] == "counterattack_wins"
        )
        if city and not counter_first:
            assert fight.posture == "steadfast", "AGC-2.1a"
        elif soviet and not (self.plan and self.reacted):
            assert fight.posture == ("counterattack" if can_counterattack else "steadfast"), "AGC-2.1b"

    # --- the air unit ---

    def read_air_used(self, event: Any) -> None:
        fight = self.fight
        heads = [
            hex_ for hex_ in self.converted if any(near not in self.converted for near in self.board.rail_around[hex_])
        ]
        assert any(self.range_hexes(fight.hex, hex_) <= 5 for hex_ in heads), "AGC-4.4a"
        assert self.air_ready, "AGC-4.4e"
        assert event.shift or event.reroll
        if self.air_benefit:
            expected = (self.air_benefit == "shift", self.air_benefit == "reroll")
            assert (event.shift, event.reroll) == expected, "AGC-4.4d"
        fight.shift, fight.reroll = event.shift, event.reroll

    def read_die_rerolled(self, event: Any) -> None:
        assert self.fight.reroll, "AGC-4.4c"
        self.fight.reroll = False
        assert event.side == GERMAN or self.option["air_reroll_side"] == "any_die", "R-DM-84"

    def read_air_checked(self, event: Any) -> None:
        good = sum(event.dice) >= 2 + self.turn
        assert event.needed == 2 + self.turn, "AGC-4.4d"
        self.air_failures += not good
        literal = self.option["air_success_cost"] == "literal"
        if not good and self.air_failures == 2:
            expected = "grounded"
        elif good == literal:
            expected = "one_benefit"
        else:
            expected = "kept" if good else "nothing"
        assert event.outcome == expected, f"it is {expected}"
        if expected == "one_benefit":
            assert event.benefit in {"shift", "reroll"}
            assert self.air_benefit in {"", event.benefit}
            self.air_benefit = event.benefit
        self.air_ready = expected != "grounded"

    # --- strengths and results ---

    def strengths(self, fight: CombatRecord) -> tuple[int, int, int, int]:
        """Return the strengths of both sides, before and after terrain (DM-8.2b, DM-8.2c)."""
        attack, defense = (self.strength(fight.forces[side]) for side in (fight.attacker, fight.defender))
        across = -(-attack // 6) if self.river(fight.entry, fight.hex, fight.attacker) else 0
        return (
            attack,
            defense,
            attack + self.attack_terrain(fight.hex) - across,
            defense + self.defense_terrain(fight.hex),
        )

    def is_overwhelming(self, fight: CombatRecord) -> bool:
        for force in fight.forces.values():
            assert not self.overstacked(force), f"DM-2.3f: {force}"
        raw_attack, raw_defense, attack, defense = self.strengths(fight)
        if self.option["ratio_12"] == "raw_sp":
            attack, defense = raw_attack, raw_defense
        return attack >= 12 * max(1, defense)

    def read_defender_overwhelmed(self, event: Any) -> None:
        fight = self.fight
        assert self.is_overwhelming(fight), "AGC-4.6.2a"
        fight.overwhelmed = True

    def column(self, fight: CombatRecord, side: str, strength: int) -> tuple[int, int]:
        """Return the column, counted from 0, and the dice of a side (DM-8.6a, R-DM-21, AGC-4.4b, R-DM-58)."""
        own = max(place for place, floor in enumerate(COLUMNS) if max(1, strength) >= floor)
        rolls = strength >= 1 or self.option["sp_below_1"] != "no_roll"
        place = min(11, own + (rolls and fight.shift and side == GERMAN))
        dice_by = own if self.option["air_shift_dice"] == "original_dice" else place
        return place, 1 + dice_by // 4

    def inflicted(self, side: str, place: int, dice: int, total: int, strength: int) -> set[str]:
        """Return the possible loss points by the table: two if the rulings leave it open."""
        if strength < 1 and self.option["sp_below_1"] == "no_roll":
            return {"0"}
        lasts = {LAST_ROW[dice - 1], LAST_ROW[place // 4]}
        if self.option["crt_clamp"] == "extrapolate":
            lasts = {20}
        return {RUN[max(0, min(total, last)) + place] for last in lasts}

    def read_combat_resolved(self, event: Any) -> None:
        fight = self.fight
        assert not self.is_overwhelming(fight), "AGC-4.6.2a"
        found = (event.attack_strength, event.defense_strength, event.attack_modified, event.defense_modified)
        expected = self.strengths(fight)
        assert found == expected, f"the strengths are {expected}"
        cell = MATRIX[fight.plan, fight.posture] if fight.posture else (0, 0, 0, 0)
        attack_column, attack_dice = self.column(fight, fight.attacker, expected[2])
        defense_column, defense_dice = self.column(fight, fight.defender, expected[3])
        silent = self.option["sp_below_1"] == "no_roll"
        assert len(event.attack_dice) == (0 if silent and expected[2] < 1 else attack_dice), "DM-8.6a"
        assert len(event.defense_dice) == defense_dice, "DM-8.6a"
        assert (event.attack_column, event.defense_column) == (attack_column + 1, defense_column + 1)
        attack = PLAN_MODIFIER[fight.plan] + bool(fight.demoralized) + cell[0]
        attack -= 0 if fight.supplied[fight.attacker] else 2 * len(event.attack_dice)
        defense = cell[1] - (not fight.supplied[fight.defender])
        assert sum(each for _, each in event.attack_modifiers) == attack, f"the attacker has {attack}"
        assert sum(each for _, each in event.defense_modifiers) == defense, f"the defender has {defense}"
        assert event.attack_total == sum(event.attack_dice) + attack
        assert event.defense_total == sum(event.defense_dice) + defense
        on_defender = self.inflicted(fight.attacker, attack_column, attack_dice, event.attack_total, expected[2])
        on_attacker = self.inflicted(fight.defender, defense_column, defense_dice, event.defense_total, expected[3])
        changed = {from_rank(rank(each) + cell[3]) for each in on_defender}
        assert event.on_defender in changed, f"the defender suffers {changed}"
        changed = {from_rank(rank(each) + cell[2]) for each in on_attacker}
        assert event.on_attacker in changed, f"the attacker suffers {changed}"
        fight.first = {fight.attacker: event.on_attacker, fight.defender: event.on_defender}

    # --- losses ---

    def read_losses_taken(self, event: Any) -> None:
        if event.why == "attrition":
            self.attrition_losses(event)
        elif event.why == "demoralized":
            self.one_more_loss(event)
        else:
            self.combat_losses(event)
        for unit_id, points in event.losses.items():
            unit = self.units[unit_id]
            assert 0 <= points <= unit.sp
            unit.sp -= points

    def attrition_losses(self, event: Any) -> None:
        assert self.attrition_units, "DM-9.0b"
        before = {unit_id: self.units[unit_id].sp for unit_id in self.attrition_units}
        assert set(event.losses) <= set(before)
        assert all(points < before[unit_id] for unit_id, points in event.losses.items()), "DM-9.0h"
        assert sum(event.losses.values()) == min(event.points, sum(before.values()) - len(before)), "DM-9.0h"
        largest = [unit_id for unit_id, sp in before.items() if sp == max(before.values())]
        assert not event.losses or any(event.losses.get(unit_id, 0) >= 1 for unit_id in largest), "DM-9.0g"
        assert event.replacements == 0, "AGC-4.5.1a"

    def one_more_loss(self, event: Any) -> None:
        assert event.points == 1, "DM-2.8f"
        (unit_id,) = event.losses
        unit = self.units[unit_id]
        force = [each for each in self.fight.retreated or self.fight.forces[event.side] if self.units[each].hex]
        assert any(self.units[each].demoralized for each in force), "DM-8.11f"
        assert unit.sp == max(self.units[each].sp for each in force), "DM-8.11f"
        self.fight.paid_again.add(event.side)

    def combat_losses(self, event: Any) -> None:
        fight, side = self.fight, event.side
        now = {each: self.units[each].sp for each in fight.forces[side] if self.units[each].hex}
        then = now if event.why == "counterattack" else {each: fight.at_first[each] for each in now}
        rest = event.points - event.replacements
        taken = sum(event.losses.values())
        assert set(event.losses) <= set(now), f"in the combat are {sorted(now)}"
        assert taken + event.surplus == rest, "DM-8.8a"
        assert event.surplus == 0 or taken == sum(now.values()), "DM-8.8d"
        largest = [each for each in now if then[each] == max(then.values())]
        half = any(event.losses.get(each, 0) >= min(rest // 2, now[each]) for each in largest)
        assert half, "DM-8.8b"
        if event.replacements:
            self.pay_losses(fight, side, event.replacements)
        due = fight.counter_points[side] if event.why == "counterattack" else number(fight.first[side])
        assert event.points == due, f"expected are {due}"
        fight.points[side] += event.points
        if side == fight.defender:
            fight.surplus += event.surplus

    def pay_losses(self, fight: CombatRecord, side: str, points: int) -> None:
        assert self.has_supply(side, fight.hex, [fight.hex]) or fight.supplied[side], "AGC-4.5.1b"
        assert points <= self.points[side]
        self.points[side] -= points
        fight.replaced[side] += points
        self.paid[side] += points
        by_turn = self.option["rp_absorb_limits"] == "per_player_turn"
        assert (self.paid[side] if by_turn else fight.replaced[side]) <= 2, "R-DM-62"

    # --- counterattack and winner ---

    def alive(self, fight: CombatRecord, side: str) -> list[str]:
        return [each for each in fight.forces[side] if self.units[each].hex and self.units[each].sp > 0]

    def must_counterattack(self, fight: CombatRecord) -> bool:
        """Return whether the defender must counterattack (DM-8.9a, DM-8.9b, R-DM-45)."""
        if fight.posture != "counterattack" or fight.overwhelmed:
            return False
        lost = rank(fight.first[fight.defender]) > rank(fight.first[fight.attacker])
        return lost and all(self.alive(fight, side) for side in fight.forces)

    def read_counterattack_resolved(self, event: Any) -> None:
        fight = self.fight
        assert self.must_counterattack(fight), "DM-8.9a"
        for side in fight.forces:
            assert fight.points[side] == number(fight.first[side]), "DM-8.8e"
        counter = self.strength(self.alive(fight, fight.defender)) + self.attack_terrain(fight.hex)
        attack = self.strength(self.alive(fight, fight.attacker)) + self.defense_terrain(fight.hex)
        counter = max(1, counter)
        assert (max(1, event.counter_strength), event.attack_strength) == (counter, attack), f"{counter}:{attack}"
        in_favour, against = min(3, counter // attack), min(4, -(-attack // counter))
        expected = f"{in_favour}:1" if counter >= attack else f"1:{against}"
        assert event.ratio == expected, f"it is {expected}"
        cell = COUNTERATTACK[expected].split()[event.die - 1]
        assert f"{event.on_defender}/{event.on_attacker}" == cell, f"the table says {cell}"
        fight.counter = True
        fight.counter_points = {fight.defender: event.on_defender, fight.attacker: event.on_attacker}

    def final(self, fight: CombatRecord, side: str) -> str:
        """Return the total loss points of a side (DM-8.10a, R-DM-47)."""
        first = fight.first[side]
        if not fight.counter:
            return first
        added = fight.counter_points[side]
        total = number(first) + added
        keeps = (added == 0 or total <= 1) and self.option["lp_sum_symbols"] == "keep_if_total_below_2"
        return str(total) + (first[len(first.rstrip("hd")) :] if keeps else "")

    def read_combat_decided(self, event: Any) -> None:
        fight = self.fight
        if fight.overwhelmed:
            expected = fight.attacker
        else:
            assert fight.counter or not self.must_counterattack(fight), "DM-8.9a: no counterattack took place"
            totals = {side: self.final(fight, side) for side in fight.forces}
            assert (event.on_attacker, event.on_defender) == (totals[fight.attacker], totals[fight.defender]), totals
            for side, points in totals.items():
                assert fight.points[side] == number(points), f"the {side}s have taken {fight.points[side]}"
            ahead = rank(totals[fight.defender]) > rank(totals[fight.attacker])
            expected = fight.attacker if ahead else fight.defender
            left = [side for side in fight.forces if self.alive(fight, side)]
            if self.option["eliminated_side_loses"] == "survivor_wins" and len(left) < 2:
                expected = left[0] if left else ""
        names = {fight.attacker: "attacker", fight.defender: "defender", "": ""}
        assert event.winner == names[expected], f"it is the {names[expected] or 'neither side'}"
        fight.decided, fight.winner = True, expected
        fight.attackers_alive = self.alive(fight, fight.attacker)

    def read_hex_held(self, event: Any) -> None:
        assert self.at(event.hex, event.side)
        assert not self.at(event.hex, OTHER[event.side])
        self.control[event.hex] = event.side

    def check_victors_rally(self, event: Any) -> None:
        fight = self.fight
        assert event.hex == fight.hex, "DM-2.8h"
        assert fight.winner == fight.defender == self.units[event.units[0]].side, "DM-2.8h"
        assert set(event.units) <= fight.demoralized
