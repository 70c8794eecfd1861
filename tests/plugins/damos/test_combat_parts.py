"""Combat by itself, without an activation around it: shares of losses, supports, and what a fight tells its caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.damos.cases import E, TableDice, losses, quiet_order
from tests.plugins.damos.positions import SIDES, prepared_for, stand

import damos
from damos.combat.battle import ATTACKER, DEFENDER, Battle, Outcome
from damos.combat.exchange import payable
from damos.combat.losses import ATTRITION, COMBAT, DEMORALIZED, LossRule, LossShare
from damos.combat.procedure import fight
from damos.model import events, handlers, orders
from damos.model.forces import units_in
from damos.model.orders import KeepBenefit, LeaveOut, Reroll, Rout, TakeLosses, UseAir
from damos.model.state import ELIMINATED, DamosState
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import GameEnded
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.plugin.manager import Prepared

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay

# --- shares of losses ---

TOLLS = (COMBAT, ATTRITION, DEMORALIZED)


def by_hand(space: LossShare) -> Iterator[TakeLosses]:
    """Find the shares the slow way: all that could be written, judged by the rule as it is told."""
    most = [range(sp + 1) for sp in space.strengths.values()]
    for paid in range(space.replacements + 1):
        for lost in product(*most):
            if allowed(space, dict(zip(space.strengths, lost, strict=True)), paid):
                yield TakeLosses({unit: n for unit, n in zip(space.strengths, lost, strict=True) if n}, paid)


def allowed(space: LossShare, lost: Mapping[str, int], paid: int) -> bool:
    left, keeps = space.points - paid, space.loss_rule.keeps
    room = {unit: max(0, sp - keeps) for unit, sp in space.strengths.items()}
    top = max(space.strengths.values())
    wanted = min({COMBAT: left // 2, ATTRITION: min(left, 1), DEMORALIZED: left}[space.loss_rule], max(0, top - keeps))
    return (
        all(lost[unit] <= room[unit] for unit in lost)
        and sum(lost.values()) == min(left, sum(room.values()))
        and any(lost[unit] >= wanted for unit, sp in space.strengths.items() if sp == top)
    )


@pytest.mark.full
@pytest.mark.rule("DM-8.8b", "DM-8.8c", "DM-9.0g", "DM-9.0h", "R-DM-15", "R-DM-62", "AGC-4.5.1a")
@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 7), st.sampled_from(TOLLS), st.integers(0, 2)
)
def test_shares_of_losses_are_those_of_the_rule(sp: list[int], points: int, loss_rule: LossRule, paid: int) -> None:
    space = LossShare({f"u{place}": each for place, each in enumerate(sp)}, points, loss_rule, min(paid, points))
    shares = list(space.values())
    assert sorted(map(repr, shares)) == sorted(map(repr, by_hand(space)))
    assert shares
    assert all(space.is_legal(share) for share in shares)
    stream = Stream(b"shares")
    assert all(space.sample(stream) in shares for _ in range(5))


@pytest.mark.rule("DM-8.8a", "DM-8.8b", "AGC-4.5.1a")
@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (TakeLosses({"a": 1, "b": 3}), "DM-8.8b"),
        (TakeLosses({"a": 4}), ""),
        (TakeLosses({"a": 3}), "DM-8.8a"),
        (TakeLosses({"a": 2, "b": 2, "c": 1}), "DM-8.8a"),
        (TakeLosses({"a": 4, "b": 0}), "DM-8.8a"),
        (TakeLosses({"a": 1, "b": 1}, 2), ""),
        (TakeLosses({"a": 1}, 3), "AGC-4.5.1a"),
        (orders.Decline(), "DM-8.8a"),
    ],
)
def test_a_share_that_is_refused_names_its_rule(order: Order, rule: str) -> None:
    refusal = LossShare({"a": 5, "b": 4}, 4, COMBAT, 2).why_not(order)
    assert (refusal.rule if refusal else "") == rule


# --- a fight by itself ---


class Bout:
    """A fight in 2815 on the small map, which the phasing side entered from 2816; questions are answered by ``orders``.

    Whatever is asked and not told is answered as little as can be.
    """

    def __init__(
        self,
        prepared: Prepared,
        forces: tuple[str, str],
        dice: Mapping[str, str],
        given: Sequence[Order] = (),
        *,
        side: str = "german",
        turn: int = 3,
        replacements: Mapping[str, int] | None = None,
        **fixed: Any,
    ) -> None:
        state: DamosState = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        stand(state, prepared, forces, (side, turn, "operations"), {}, replacements or {})
        state.position, state.turn = 0, turn - 1

        def bout(state: DamosState) -> Procedure:
            attackers = units_in(state, "2815", side)
            self.outcome: Outcome = yield from fight(state, "2815", attackers, "2816", **fixed)
            yield GameEnded("draw", "over")

        rules = Ruleset(
            id="bout",
            version="1",
            sides=SIDES,
            state_type=DamosState,
            sequence=SequenceOfPlay((Phase("bout", bout, side),)),
            functions=tuple(functions_of([handlers])),
            orders=orders.ORDERS,
            events=events.EVENTS,
        )
        self.dice = TableDice(dice)
        self.game = Game(rules, state, self.dice)
        self.game.start()
        left = list(given)
        while not self.game.is_over:
            decision = self.game.waiting()[0]
            told = next((order for order in left if decision.options.is_legal(order)), None)
            if told is not None:
                left.remove(told)
            self.game.submit(told or quiet_order(decision), decision.seat)
        assert not left
        self.dice.assert_all_used()

    @property
    def state(self) -> DamosState:
        state = self.game.state
        assert isinstance(state, DamosState)
        return state

    def all(self, kind: type[E]) -> list[E]:
        happened = (record.event for record in self.game.records if isinstance(record, EventRecord))
        return [event for event in happened if isinstance(event, kind)]

    def one(self, kind: type[E]) -> E:
        (found,) = self.all(kind)
        return found

    def sp(self, units: str) -> list[int]:
        return [self.state.units[unit_id].sp for unit_id in units.split()]

    def at(self, units: str) -> str:
        return " ".join(self.state.units[unit_id].hex or "-" for unit_id in units.split())


def bout(german: str, soviet: str, dice: Mapping[str, str], given: Sequence[Order] = (), **rest: Any) -> Bout:
    names = {option.name for option in damos.options()}
    chosen = {name: rest.pop(name) for name in list(rest) if name in names}
    features = {name: rest.pop(name) for name in list(rest) if name in {"forest", "city", "major", "river"}}
    prepared = prepared_for(german, soviet, features, chosen)
    return Bout(prepared, (german, soviet), dice, given, **rest)


@pytest.mark.rule("X-DM-1", "DM-8.13a")
def test_the_extended_example_from_the_strengths_on() -> None:
    told = [losses("I1:4"), losses("a1:6"), losses("I1:2 A1:1"), losses("a1:1")]
    dice = {"attack": "655", "defence": "66", "counter": "6"}
    fought = bout("2815 A1:4 M1:5 I1:9", "2815 m1:2 a1:10", dice, told, plan="penetration", posture="counterattack")
    resolved, answer = fought.one(events.CombatResolved), fought.one(events.CounterattackResolved)
    assert (resolved.attack_strength, resolved.defence_strength) == (18, 12)
    assert (resolved.attack_total, resolved.on_defender) == (18, "6")
    assert (resolved.defence_total, resolved.on_attacker) == (11, "4")
    assert (answer.counter_strength, answer.attack_strength, answer.ratio) == (6, 14, "1:3")
    assert (answer.on_defender, answer.on_attacker) == (1, 3)
    decided = fought.one(events.CombatDecided)
    assert (decided.winner, decided.on_attacker, decided.on_defender) == ("defender", "7", "7")
    assert fought.sp("A1 M1 I1 m1 a1") == [3, 5, 3, 2, 3]
    assert fought.at("m1 a1") == "2815 2815"
    assert fought.one(events.ForceRetreated).units == ["A1", "I1", "M1"]
    assert [fought.state.units[each].demoralized for each in ("A1", "I1", "M1")] == [True] * 3
    assert fought.outcome == Outcome("defender", False, False, 0, True, "penetration")


@pytest.mark.rule("DM-8.12a", "DM-8.8d", "DM-8.12g", "DM-8.12f", "R-DM-19")
@pytest.mark.parametrize("exploiting", [False, True])
def test_what_a_victory_tells_the_activation(exploiting: bool) -> None:
    rest: dict[str, Any] = {"exploiting": exploiting, "supplied": False} if exploiting else {}
    fought = bout("2815 A1:8 A2:8 A3:8", "2815 i1:3", {"attack": "666", "defence": "1"}, plan="standard", **rest)
    modifiers = fought.one(events.CombatResolved).attack_modifiers
    assert modifiers == ([("supply", -6)] if exploiting else [])
    lost = 5 if exploiting else 6
    assert fought.one(events.LossesTaken).surplus == lost - 3
    assert fought.outcome == Outcome("attacker", True, not exploiting, lost - 3, not exploiting, "standard")


@pytest.mark.rule("AGC-4.6.2a", "AGC-4.6.2b", "R-DM-63", "R-DM-82", "DM-2.3g")
@pytest.mark.parametrize(
    ("terrain", "option", "sure"), [("", "modified_sp", True), ("2815", "modified_sp", False), ("2815", "raw_sp", True)]
)
def test_twelve_to_one(terrain: str, option: str, sure: bool) -> None:
    dice = {} if sure else {"attack": "111", "defence": "1"}
    features: dict[str, Any] = {"forest": terrain} if terrain else {}
    fought = bout("2815 A1:12 A2:12", "2815 i1:2", dice, plan="standard", ratio_12=option, **features)
    assert fought.outcome.overwhelmed == sure
    assert bool(fought.all(events.CombatResolved)) != sure
    if sure:
        assert fought.outcome == Outcome("attacker", True, True, 0, True, "standard", overwhelmed=True)
        assert fought.at("i1") == "-"


@pytest.mark.rule("DM-2.9a")
def test_a_hex_that_was_defended_is_still_the_defenders() -> None:
    held = bout("2815 I1:6", "2815 i1:6", {"attack": "1", "defence": "6"}, plan="standard")
    assert held.state.control["2815"] == "soviet"
    taken = bout("2815 I1:6", "2815 i1:6", {"attack": "6", "defence": "1"}, plan="standard")
    assert taken.state.control["2815"] == "german"


@pytest.mark.rule("DM-2.3f", "DM-2.3g", "R-DM-39")
def test_who_sat_out_a_lost_combat_is_lost() -> None:
    fought = bout(
        "2815 A1:9",
        "2815 i1:3 i2:3 i3:3 i4:3",
        {"attack": "66", "defence": "11"},
        [LeaveOut(["i2"]), losses("i1:2 i3:2 i4:1")],
        plan="grand",
    )
    assert fought.one(events.UnitsLeftOut).units == ["i2"]
    assert fought.one(events.CombatResolved).defence_strength == 9
    assert [event.units for event in fought.all(events.UnitsEliminated)] == [["i2"]]


# --- replacements ---


@pytest.mark.rule("AGC-4.5.1a", "AGC-4.5.1b", "R-DM-62")
@pytest.mark.parametrize(
    ("paid", "option", "most"),
    [(0, "per_combat_before_half", 2), (1, "per_combat_before_half", 2), (1, "per_player_turn", 1)],
)
def test_how_much_may_be_paid(paid: int, option: str, most: int) -> None:
    prepared = prepared_for("2815 I1:6", "2815 i1:6", {}, {"rp_absorb_limits": option})
    state: DamosState = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    state.replacements["german"], state.paid = 5, {"german": paid}
    assert payable(state, "german", 0) == most
    state.replacements["german"] = 1
    assert payable(state, "german", 0) == 1


@pytest.mark.rule("DM-8.11b")
def test_who_was_lost_or_has_gone_takes_no_part_any_more(lay: Lay) -> None:
    state = lay(german="2815 I1:6; 2815 I2:6; 2815 A1:6", soviet="2814 i1:6").state
    battle = Battle(state, "2815", "2816", {ATTACKER: ["A1", "I1", "I2"], DEFENDER: []})
    assert battle.attackers == battle.of(ATTACKER) == ["A1", "I1", "I2"]
    state.units["A1"].hex = "2816"
    assert battle.attackers == ["I1", "I2"]
    state.units["I1"].standing = ELIMINATED
    assert battle.attackers == ["I2"]


# --- the air unit ---


@pytest.mark.rule("AGC-4.4c", "R-DM-84")
def test_any_die_may_be_the_enemys() -> None:
    told = [UseAir(reroll=True), Reroll(2), KeepBenefit("shift")]
    dice = {"attack": "3", "defence": "6", "reroll": "1", "air": "66"}
    fought = bout("2815 I1:6", "2815 i1:6", dice, told, plan="standard", air_reroll_side="any_die")
    again = fought.one(events.DieRerolled)
    assert (again.side, again.number, again.before, again.after) == ("soviet", 1, 6, 1)
    assert fought.one(events.CombatResolved).defence_dice == [1]
    assert fought.state.air.benefit == "shift"


@pytest.mark.rule("AGC-4.4d", "AGC-4.4e", "R-DM-85")
@pytest.mark.parametrize(
    ("option", "roll", "outcome", "benefit"),
    [
        ("literal", "14", "one_benefit", "reroll"),
        ("literal", "13", "nothing", ""),
        ("swapped", "14", "kept", ""),
        ("swapped", "13", "one_benefit", "reroll"),
    ],
)
def test_how_the_air_unit_wears_out(option: str, roll: str, outcome: str, benefit: str) -> None:
    told: list[Order] = [UseAir(shift=True)]
    told += [KeepBenefit("reroll")] if benefit else []
    dice = {"attack": "33", "defence": "1", "air": roll}
    fought = bout("2815 I1:6", "2815 i1:6", dice, told, plan="standard", air_success_cost=option)
    checked = fought.one(events.AirChecked)
    assert (checked.needed, checked.outcome, checked.benefit) == (5, outcome, benefit)
    air = fought.state.air
    assert (air.ready, air.failures, air.benefit) == (True, int(roll == "13"), benefit)


# --- major cities ---


@pytest.mark.rule("DM-8.11i", "R-DM-15", "R-DM-18")
def test_of_two_strongest_units_the_owner_routs_one() -> None:
    dice = {"attack": "66", "defence": "111"}
    told = [losses("i1:2 i2:2"), Rout(["2815", "2814", "2813"], "i2")]
    fought = bout("2815 I1:6 I2:6", "2815 i1:6 i2:6", dice, told, plan="standard", major="2815")
    assert (fought.at("i1"), fought.at("i2")) == ("2815", "2813")
    assert fought.outcome == Outcome("attacker", False, False, 0, True, "standard")


@pytest.mark.rule("DM-8.11c", "DM-8.11i", "R-DM-39")
def test_after_a_rout_all_attackers_go_also_those_that_sat_out() -> None:
    dice = {"attack": "66", "defence": "111"}
    told = [LeaveOut(["I5"]), losses("i1:2 i2:2"), Rout(["2815", "2814", "2813"], "i1")]
    fought = bout("2815 I1:6 I2:3 I3:2 I4:1 I5:1", "2815 i1:7 i2:5", dice, told, plan="standard", major="2815")
    assert [event.units[-1] for event in fought.all(events.ForceRetreated)] == ["i1", "I5"]
    assert {unit.side for unit in fought.state.units.values() if unit.hex == "2815"} == {"soviet"}


@pytest.mark.rule("R-DM-18")
def test_a_unit_that_finds_no_way_out_routs_to_its_end() -> None:
    ring = "2714 A5:1; 2716 A6:1; 2914 A7:1; 2916 A8:1"
    dice = {"attack": "66", "defence": "111"}
    told = [losses("i1:3 i2:1"), Rout([], "i1")]
    fought = bout(f"2815 I1:6 I2:6; {ring}", "2815 i1:9 i2:3", dice, told, plan="standard", major="2815")
    assert fought.one(events.UnitsEliminated).units == ["i1"]
    assert fought.at("i2") == "2815"


# --- secrecy ---


@pytest.mark.rule("DM-2.4c", "DM-8.11f")
@pytest.mark.parametrize("shares", ["i1:3! i2:3!", "i1:4! i2:2!", "i1:1! i2:5!"])
def test_whether_losses_are_asked_for_tells_nothing_of_how_strength_is_shared(shares: str) -> None:
    fought = bout("2815 I1:6", f"2815 {shares}", {"attack": "6", "defence": "1"}, plan="standard")
    asked = [record for record in fought.game.records if isinstance(record, OrderRecord) and record.secret]
    assert [type(record.order) for record in asked] == [TakeLosses, TakeLosses]
    assert [event.why for event in fought.all(events.LossesTaken)] == ["combat", "demoralized"]
