"""Combat: participants, the sequence of its steps, excess units, secrets and the outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from tests.plugins.damos.cases import Case, E, TableDice, ids, losses, quiet_order
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import SIDES, prepared_for, set_position

import damos
from damos.combat.battle import ATTACKER, DEFENDER, Battle, Outcome
from damos.combat.procedure import fight
from damos.model import events, handlers, orders
from damos.model.forces import units_in
from damos.model.orders import ChoosePlan, LeaveOut, PickUp, Rout, Step, TakeLosses
from damos.model.state import ELIMINATED, DamosState
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import GameEnded
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.plugin.manager import Prepared

EVEN = {"attack": "4", "defense": "4"}


def resolved(case: Case) -> events.CombatResolved:
    return case.one(events.CombatResolved)


# --- where, when and who ---


@pytest.mark.rule("DM-2.7a", "DM-8.0a", "DM-7.0k", "DM-8.2b")
def test_forces_fight_in_the_entered_hex(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:2", dice="attack 4; defense 1")
    case.attack("I1", "2815", losses("i1:1"))
    began = case.one(events.CombatBegan)
    assert (began.hex, began.attackers, began.defenders, began.entry) == ("2815", ["I1"], ["i1", "i2"], "2816")
    assert (resolved(case).attack_strength, resolved(case).defense_strength) == (6, 6)


@pytest.mark.rule("DM-8.0a")
def test_the_soviets_attack_in_their_player_turn(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4", side="soviet", dice=EVEN).attack("i1", "2816")
    began = case.one(events.CombatBegan)
    assert (began.hex, began.attackers, began.defenders) == ("2816", ["i1"], ["I1"])


@pytest.mark.rule("DM-2.7b")
def test_a_neighboring_force_does_not_join_the_attack(lay: Lay) -> None:
    case = lay("2816 I1:6; 2716 I2:6; 2815 i1:4", dice=EVEN).attack("I1", "2815")
    assert case.one(events.CombatBegan).attackers == ["I1"]
    assert resolved(case).attack_strength == 6


@pytest.mark.rule("DM-2.7b", "DM-7.0n")
def test_a_unit_picked_up_on_the_way_joins_the_attack(lay: Lay) -> None:
    case = lay("2817 I1:6; 2816 I2:6; 2815 i1:6", dice="attack 31; defense 1")
    case.march("I1", "2816", PickUp(["I2"]), Step("2815"), ChoosePlan("standard")).rest()
    assert case.one(events.CombatBegan).attackers == ["I1", "I2"]
    assert resolved(case).attack_strength == 12


@pytest.mark.rule("DM-8.2a", "DM-8.9c")
def test_the_steps_of_a_combat_follow_their_sequence(lay: Lay) -> None:
    case = lay("2816 A1:10; 2815 a1:6", dice="attack 44; defense 1; counter 1")
    case.attack("A1", "2815")
    steps = (
        events.CombatBegan,
        events.PlansRevealed,
        events.CombatResolved,
        events.LossesTaken,
        events.CounterattackResolved,
        events.CombatDecided,
        events.ForceRetreated,
        events.ForceDemoralized,
    )
    found = case.order_of(*steps)
    assert list(dict.fromkeys(found)) == [kind.__name__ for kind in steps]
    assert found.index("CounterattackResolved") > found.index("LossesTaken")


# --- postures ---


# --- strengths, columns, dice ---


# --- excess units ---


@pytest.mark.rule("DM-2.3f", "R-DM-39", "DM-2.3b")
def test_the_owner_names_the_excess_unit_that_does_not_fight(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:3 i3:2 i4:1", dice="attack 1; defense 66")
    case.march("I1", "2815").to(LeaveOut)
    assert case.pending.seat == "soviet"
    assert case.allows(LeaveOut(["i1"]))
    assert not case.allows(LeaveOut([]))
    assert not case.allows(LeaveOut(["i3", "i4"]))
    case.submit(LeaveOut(["i2"])).rest()
    assert case.one(events.CombatBegan).hex == "2815"
    assert case.one(events.UnitsLeftOut).units == ["i2"]
    assert resolved(case).defense_strength == 7
    assert case.sp("i2") == [3]


@pytest.mark.rule("DM-2.3g")
def test_an_excess_unit_is_lost_with_the_combat(lay: Lay) -> None:
    case = lay("2816 I1:12; 2815 i1:4 i2:3 i3:2 i4:3", dice="attack 66; defense 11")
    case.attack("I1", "2815", LeaveOut(["i4"]))
    assert case.sp("i4") == [0]
    assert case.standing("i4") == "eliminated"
    assert any(event.units == ["i4"] and event.why == "stacking" for event in case.events(events.UnitsEliminated))
    assert set(case.at("i1 i2 i3").split()) - {"-"} != {"2815"}


@pytest.mark.rule("DM-2.3f", "DM-2.3c")
def test_an_attacker_in_excess_names_a_unit_too(lay: Lay) -> None:
    case = lay("2816 I1:5 I2:4 I3:3 I4:2 I5:1; 2815 i1:6", dice="attack 111; defense 1")
    case.march("I1 I2 I3 I4 I5", "2815", LeaveOut(["I5"])).rest()
    assert resolved(case).attack_strength == 14


# --- what sides see ---


@pytest.mark.rule("R-DM-42", "DM-2.4d")
def test_both_sides_see_the_totals(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:2", dice="attack 6; defense 1")
    case.attack("I1", "2815", losses("i1:1"))
    result = resolved(case)
    assert case.seen(result, "german") == case.seen(result, "soviet") == result
    taken = next(event for event in case.events(events.LossesTaken) if event.side == "soviet")
    seen = case.seen(taken, "german")
    assert isinstance(seen, events.LossesTaken)
    assert (seen.points, seen.losses) == (taken.points, {})
    assert case.seen(taken, "soviet") == taken


@pytest.mark.rule("DM-2.4c")
def test_the_enemy_does_not_see_the_strength_of_each_unit(lay: Lay) -> None:
    one = lay("2816 I1:6; 2815 i1:4/6 i2:2/6")
    other = lay("2816 I1:6; 2815 i1:2/6 i2:4/6")
    views = [[msgspec.json.encode(case.game.view(side)) for case in (one, other)] for side in ("german", "soviet")]
    assert views[0][0] == views[0][1]
    assert views[1][0] != views[1][1]


@pytest.mark.rule("DM-2.2d", "DM-2.1d")
def test_a_stack_activates_as_one_force(lay: Lay) -> None:
    case = lay("2816 A1:3 I1:6; 2815 i1:5", dice="attack 11; defense 6")
    case.attack("A1 I1", "2815")
    assert case.one(events.ForceActivated).units == ids("A1 I1")
    assert resolved(case).attack_strength == 9


# --- a separate fight ---


class Bout:
    """A fight in 2815 on the small map, entered by the phasing side from 2816.

    ``given`` are orders for its decisions. The other decisions are answered quietly.
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
        set_position(state, prepared, forces, (side, turn, "operations"), {}, replacements or {})
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
            ready = next((order for order in left if decision.options.is_legal(order)), None)
            if ready is not None:
                left.remove(ready)
            self.game.submit(ready or quiet_order(decision), decision.seat)
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

    def at(self, units: str) -> str:
        return " ".join(self.state.units[unit_id].hex or "-" for unit_id in units.split())


def bout(german: str, soviet: str, dice: Mapping[str, str], given: Sequence[Order] = (), **rest: Any) -> Bout:
    names = {option.name for option in damos.options()}
    chosen = {name: rest.pop(name) for name in list(rest) if name in names}
    features = {name: rest.pop(name) for name in list(rest) if name in {"forest", "city", "major", "river"}}
    prepared = prepared_for(german, soviet, features, chosen)
    return Bout(prepared, (german, soviet), dice, given, **rest)


EXAMPLE = [losses("I1:4"), losses("a1:6"), losses("I1:2 A1:1"), losses("a1:1")]
"""The losses of the extended example (X-DM-1)."""
AWAY = ["2815", "2814", "2813"]
ROUT = [losses("i1:2 i2:2"), Rout(AWAY, "i2")]


@pytest.mark.rule("X-DM-1", "DM-8.13a", "DM-8.12a", "DM-8.8d", "DM-8.12f", "DM-8.12g", "DM-8.11i", "AGC-4.6.2b")
@pytest.mark.parametrize(("german", "soviet", "dice", "given", "more", "outcome"), [
    ("A1:4 M1:5 I1:9", "m1:2 a1:10", "655 66 6", EXAMPLE, {"plan": "penetration", "posture": "counterattack"},
     Outcome("defender", False, False, 0, True, "penetration")),
    ("A1:8 A2:8 A3:8", "i1:3", "666 1", [], {}, Outcome("attacker", True, True, 3, True, "standard")),
    ("A1:8 A2:8 A3:8", "i1:3", "666 1", [], {"exploiting": True, "supplied": False},
     Outcome("attacker", True, False, 2, False, "standard")),
    ("A1:12 A2:12", "i1:2", "", [], {}, Outcome("attacker", True, True, 0, True, "standard", overwhelmed=True)),
    ("I1:6 I2:6", "i1:6 i2:6", "66 111", ROUT, {"major": "2815"},
     Outcome("attacker", False, False, 0, True, "standard")),
])  # fmt: skip
def test_a_fight_returns_its_outcome(
    german: str, soviet: str, dice: str, given: list[Order], more: dict[str, Any], outcome: Outcome
) -> None:
    faces = dict(zip(("attack", "defense", "counter"), dice.split(), strict=False))
    fought = bout(f"2815 {german}", f"2815 {soviet}", faces, given, **{"plan": "standard"} | more)
    assert fought.outcome == outcome
    if more.get("exploiting"):
        assert fought.one(events.CombatResolved).attack_modifiers == [("supply", -6)]
    if outcome.surplus:
        assert fought.one(events.LossesTaken).surplus == outcome.surplus


# --- replacements ---


@pytest.mark.rule("DM-8.11b")
def test_an_eliminated_or_absent_attacker_takes_no_part(lay: Lay) -> None:
    state = lay("2815 I1:6; 2815 I2:6; 2815 A1:6; 2814 i1:6").state
    battle = Battle(state, "2815", "2816", {ATTACKER: ["A1", "I1", "I2"], DEFENDER: []})
    assert battle.attackers == battle.of(ATTACKER) == ["A1", "I1", "I2"]
    state.units["A1"].hex = "2816"
    assert battle.attackers == ["I1", "I2"]
    state.units["I1"].standing = ELIMINATED
    assert battle.attackers == ["I2"]


@pytest.mark.rule("DM-8.11c", "DM-8.11i", "R-DM-15", "R-DM-18", "R-DM-39")
@pytest.mark.parametrize(("attackers", "defenders", "given", "routed", "held", "back"), [
    ("I1:6 I2:6", "i1:6 i2:6", ROUT, "i2", "i1", "I1 I2"),
    ("I1:6 I2:3 I3:2 I4:1 I5:1", "i1:7 i2:5", [LeaveOut(["I5"]), losses("i1:2 i2:2"), Rout(AWAY, "i1")], "i1", "i2",
     "I1 I2 I3 I5"),
    ("I1:6 I2:6; 2714 A5:1; 2716 A6:1; 2914 A7:1; 2916 A8:1", "i1:9 i2:3", [losses("i1:3 i2:1"), Rout([], "i1")], "",
     "i2", "I1 I2"),
])  # fmt: skip
def test_a_rout_throws_all_attackers_back(
    attackers: str, defenders: str, given: list[Order], routed: str, held: str, back: str
) -> None:
    """The owner routs one of two equal units. Excess attackers go too. A unit without a path is eliminated."""
    dice = {"attack": "66", "defense": "111"}
    fought = bout(f"2815 {attackers}", f"2815 {defenders}", dice, given, plan="standard", major="2815")
    retreats = [event.units for event in fought.all(events.ForceRetreated)]
    assert retreats == ([[routed]] if routed else []) + [ids(back)]
    assert fought.at(f"{held} {routed}".strip()) == ("2815 2813" if routed else "2815")
    assert {unit.side for unit in fought.state.units.values() if unit.hex == "2815"} == {"soviet"}
    assert routed or fought.one(events.UnitsEliminated).units == ["i1"]


# --- secrecy ---


@pytest.mark.rule("DM-2.4c", "DM-8.11f")
@pytest.mark.parametrize("shares", ["i1:3! i2:3!", "i1:4! i2:2!", "i1:1! i2:5!"])
def test_decisions_about_losses_do_not_reveal_how_strength_is_shared(shares: str) -> None:
    fought = bout("2815 I1:6", f"2815 {shares}", {"attack": "6", "defense": "1"}, plan="standard")
    decided = [record for record in fought.game.records if isinstance(record, OrderRecord) and record.secret]
    assert [type(record.order) for record in decided] == [TakeLosses, TakeLosses]
    assert [event.why for event in fought.all(events.LossesTaken)] == ["combat", "demoralized"]
