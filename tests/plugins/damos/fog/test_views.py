"""Views: all is visible except the enemy's strengths, plans, and units of replacements and losses (DM-2.4c)."""

from itertools import islice, product
from typing import Any

import msgspec
import pytest
from tests.plugins.damos.cases import Case, quiet_order
from tests.plugins.damos.conftest import Lay

import damos
from damos.fog.views import AirSeen, SideView, UnitSeen, secret_events, view, visible
from damos.model import events
from damos.model.orders import (
    Activate,
    ChoosePlan,
    ChoosePosture,
    DeclareAttack,
    Decline,
    EndActivation,
    EndPhase,
    PlanAttack,
    React,
    Replace,
    Rout,
    Step,
    TakeLosses,
)
from damos.model.state import ELIMINATED, ON_MAP, POOL, Air, DamosState, Unit
from damos.ui.draw import STYLES, draw
from damos.ui.narrate import sentence
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import Event
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared

GERMAN, SOVIET, UMPIRE = "german", "soviet", "umpire"
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}
PLACES = {
    "g-3pz": "2819",
    "g-4pz": "2819",
    "g-10mot": "2820",
    "g-267": "2922",
    "s-13mc": "2816",
    "s-6mc": "2816",
    "s-4rc": "2816",
    "s-2rc": "2718",
}
STACK = {GERMAN: ("g-3pz", "g-4pz"), SOVIET: ("s-13mc", "s-6mc")}
"""Two units of each side in one hex."""


def prepared(**options: str) -> Prepared:
    return Installed("damos", damos, "test").prepare("agc", options)


def position(**options: str) -> DamosState:
    """Return a state with Germans in Minsk next to Soviets in Borisov, in the middle of an activation."""
    ready = prepared(**options)
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, DamosState)
    state.turn, state.phase, state.phasing_side = 2, "german.operations", GERMAN
    for unit_id, hex_ in PLACES.items():
        unit = state.units[unit_id]
        unit.hex, unit.standing = hex_, ON_MAP
        state.control[hex_] = unit.side
    state.units["s-2rc"].demoralized = state.units["g-267"].spent = True
    state.units["s-1rc"].standing, state.units["s-1rc"].sp = ELIMINATED, 0
    state.units["g-5"].standing, state.units["g-5"].sp, state.units["g-5"].arrives = POOL, 2, 3
    state.active = ["g-3pz", "g-4pz"]
    state.converted, state.replacements = ["3126", "3127"], {GERMAN: 2, SOVIET: 5}
    state.attack_target, state.air = "2816", Air(ready=True, failures=1, benefit="shift")
    return state


def everything(state: DamosState, side: str) -> tuple[bytes, list[str | None]]:
    """Return the view that a side has of a state, and the map in every style."""
    seen = view(state, side)
    return msgspec.json.encode(seen), [draw(seen, state.board, style) for style in STYLES]


# ---------------------------------------------------------------------- views


def test_a_view_is_made_field_by_field() -> None:
    fields = set(DamosState.__struct_fields__) - {"phasing_power", "position", "in_phase"}
    assert set(SideView.__struct_fields__) == fields | {"side"}
    assert UnitSeen.__struct_fields__ == Unit.__struct_fields__
    assert AirSeen.__struct_fields__ == Air.__struct_fields__


@pytest.mark.parametrize("side", [GERMAN, SOVIET, UMPIRE])
def test_all_fields_except_strengths_are_visible(side: str) -> None:
    state = position()
    seen = msgspec.json.decode(msgspec.json.encode(view(state, side)))
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    assert seen.pop("side") == side
    units = seen.pop("units")
    for name, value in seen.items():
        shown = plain[name]
        assert value == (dict(zip(("ready", "failures", "benefit"), shown, strict=True)) if name == "air" else shown)
    for unit_id, unit in state.units.items():
        known = side in (unit.side, UMPIRE)
        expected = dict(zip(Unit.__struct_fields__, plain["units"][unit_id], strict=True))
        assert units[unit_id] == {**expected, "sp": unit.sp if known else None}


@pytest.mark.rule("DM-2.4c")
def test_an_enemy_strength_is_hidden_on_and_off_the_map() -> None:
    state = position()
    for side, enemy in ENEMY.items():
        units = view(state, side).units.values()
        assert {unit.sp for unit in units if unit.side == enemy} == {None}
        assert all(unit.sp is not None for unit in units if unit.side == side)


def test_a_view_is_a_copy() -> None:
    state = position()
    before = msgspec.msgpack.encode(state)
    seen = view(state, GERMAN)
    for table in (seen.units, seen.options, seen.control, seen.replacements, seen.undying):
        table.clear()
    assert msgspec.msgpack.encode(state) == before


@pytest.mark.full
@pytest.mark.rule("DM-2.4c", "DM-2.4d")
@pytest.mark.parametrize("hider", [GERMAN, SOVIET])
@pytest.mark.parametrize("change", ["swap", "weak", "strong"])
def test_strength_does_not_change_the_enemy_view(hider: str, change: str) -> None:
    state = position()
    before, own = everything(state, ENEMY[hider]), everything(state, hider)
    first, second = (state.units[unit_id] for unit_id in STACK[hider])
    assert first.sp != second.sp or change != "swap" or hider == GERMAN
    if change == "swap":
        first.sp, second.sp = second.sp - 1, first.sp + 1
    else:
        first.sp = second.sp = 1 if change == "weak" else 15
    assert everything(state, ENEMY[hider]) == before
    assert everything(state, hider) != own


@pytest.mark.full
@pytest.mark.rule("DM-2.4c", "DM-5.0e")
@pytest.mark.parametrize("hider", [GERMAN, SOVIET])
def test_strength_off_the_map_does_not_change_the_enemy_view(hider: str) -> None:
    state = position()
    before = everything(state, ENEMY[hider])
    for unit in state.units.values():
        if unit.side == hider and unit.standing != ON_MAP:
            unit.sp += 3
    assert everything(state, ENEMY[hider]) == before


# ---------------------------------------------------------------------- events

PAIRS: list[tuple[Event, Event]] = [
    (
        events.ReplacementsSpent(GERMAN, 2, {"g-3pz": 2}),
        events.ReplacementsSpent(GERMAN, 2, {"g-3pz": 1, "g-10mot": 1}),
    ),
    (events.AttackPlanned(GERMAN, "grand", ["g-3pz"]), events.AttackPlanned(GERMAN, "penetration", ["g-4pz", "g-3pz"])),
    (
        events.LossesTaken(SOVIET, "2816", 3, {"s-13mc": 2, "s-6mc": 1}),
        events.LossesTaken(SOVIET, "2816", 3, {"s-6mc": 3}),
    ),
]
"""Pairs of secret events that the enemy must not be able to distinguish."""


@pytest.mark.rule("DM-5.0b", "DM-5.0e", "DM-8.1b", "DM-8.8c")
@pytest.mark.parametrize(("one", "other"), PAIRS, ids=[type(pair[0]).__name__ for pair in PAIRS])
def test_two_secret_events_look_the_same_to_the_enemy(one: Any, other: Any) -> None:
    enemy = ENEMY[one.side]
    board = prepared().board
    assert visible(one, enemy) == visible(other, enemy)
    assert narrated(visible(one, enemy), board) == narrated(visible(other, enemy), board)
    for side in (one.side, UMPIRE):
        assert visible(one, side) is one
        assert narrated(one, board) != narrated(other, board)


def narrated(event: Event | None, board: Any) -> str | None:
    return sentence(EventRecord(1, event), board)


def test_the_enemy_sees_the_open_part_of_a_secret_event() -> None:
    spent = events.ReplacementsSpent(GERMAN, 3, {"g-3pz": 2, "g-10mot": 1})
    assert visible(spent, SOVIET) == events.ReplacementsSpent(GERMAN, 3, {})
    assert visible(events.AttackPlanned(GERMAN, "grand", ["g-3pz"]), SOVIET) == events.AttackPlanned(GERMAN, "", [])
    lost = events.LossesTaken(SOVIET, "2816", 3, {"s-6mc": 2}, 1, 2, "counterattack", "DM-8.9i")
    assert visible(lost, GERMAN) == events.LossesTaken(SOVIET, "2816", 3, {}, 1, 2, "counterattack", "DM-8.9i")
    starved = events.LossesTaken(SOVIET, "2816", 3, {"s-6mc": 2}, 0, 1, "attrition", "DM-9.0h")
    assert visible(starved, GERMAN) == events.LossesTaken(SOVIET, "2816", 3, {}, 0, 0, "attrition", "DM-9.0h")


def test_all_events_with_secrets_are_listed() -> None:
    secret = set(secret_events(prepared().options))
    assert secret == {type(one) for one, _ in PAIRS}
    for kind in events.EVENTS:
        discloses = {"sp", "losses"} & set(kind.__struct_fields__)
        assert not discloses or kind in secret or kind is events.UndyingRolled, kind


# ---------------------------------------------------------------------- two games in step


class Twins:
    """Two games with the same dice and orders, except for what ``observer`` may not see."""

    def __init__(self, one: Case, other: Case, observer: str) -> None:
        self.cases, self.observer = (one, other), observer
        self.given = 0
        self.compare()

    def compare(self) -> None:
        """Assert that the observer sees the same in both games."""
        one, other = self.cases
        views = [view(case.state, self.observer) for case in self.cases]
        assert views[0] == views[1]
        assert draw(views[0], one.state.board, "text") == draw(views[1], other.state.board, "text")
        seen = [seen_records(case.game.records, case.prepared, self.observer) for case in self.cases]
        assert seen[0] == seen[1]
        assert len(one.game.records) == len(other.game.records)
        assert [each.seat for each in one.game.waiting()] == [each.seat for each in other.game.waiting()]
        for first, second in zip(one.game.waiting(), other.game.waiting(), strict=True):
            if first.seat == self.observer:
                self.compare_question(first, second)

    def compare_question(self, first: Decision, second: Decision) -> None:
        shown = [(each.prompt, each.rule, each.done, each.secret) for each in (first, second)]
        assert shown[0] == shown[1]
        offered = [list(islice(each.options.values(), 200)) for each in (first, second)]
        assert offered[0] == offered[1]
        sampled = [each.options.sample(Stream(b"%d" % self.given)) for each in (first, second)]
        assert sampled[0] == sampled[1]
        for order in (Activate(["A1"]), Step("2815"), DeclareAttack("2815"), DeclareAttack("2814"), Replace({"A1": 9})):
            assert first.options.why_not(order) == second.options.why_not(order)

    def give(self, order: Order, instead: Order | None = None) -> "Twins":
        """Give an order in both games, or ``instead`` in the second. The observer must see no difference."""
        self.given += 1
        for case, each in zip(self.cases, (order, instead or order), strict=True):
            case.submit(each)
        self.compare()
        return self

    def quietly_to(self, kind: type[Order], seat: str) -> "Twins":
        """Play quietly in step until a side gives an order of a kind."""
        while not (self.cases[0].accepts(kind) and self.cases[0].pending.seat == seat):
            self.give(quiet_order(self.cases[0].pending))
        return self

    def finish(self) -> "Twins":
        """Play quietly in step to the end of the activation."""
        while self.cases[0].state.active:
            self.give(quiet_order(self.cases[0].pending))
        return self

    def differ(self) -> bool:
        """Return whether the other side sees a difference."""
        hider = ENEMY[self.observer]
        return view(self.cases[0].state, hider) != view(self.cases[1].state, hider)


@pytest.mark.rule("DM-2.4c", "DM-2.4d", "DM-8.8c")
@pytest.mark.parametrize(("forces", "dice", "hider", "units", "taken"), [
    (["2816 A1:5/8 I1:7/8; 2815 i1:6", "2816 A1:7/8 I1:5/8; 2815 i1:6"], "attack 66; defense 6", GERMAN, ["A1", "I1"],
     [{"A1": 1}, {"I1": 1}]),
    (["2816 A1:8; 2815 i1:3/6 i2:5/6", "2816 A1:8; 2815 i1:5/6 i2:3/6"], "attack 62; defense 11", SOVIET, ["A1"],
     [{"i1": 1, "i2": 1}, {"i1": 2}]),
])  # fmt: skip
def test_the_enemy_does_not_see_which_unit_in_combat_is_strong(
    lay: Lay, forces: list[str], dice: str, hider: str, units: list[str], taken: list[dict[str, int]]
) -> None:
    one, other = (lay(each, dice=dice) for each in forces)
    twins = Twins(one, other, ENEMY[hider]).give(Activate(units)).give(Step("2815")).give(ChoosePlan("standard"))
    twins.quietly_to(TakeLosses, hider).give(*map(TakeLosses, taken)).finish()
    assert twins.differ()
    assert one.events(events.LossesTaken) != other.events(events.LossesTaken)


@pytest.mark.rule("DM-8.1b", "DM-8.1f", "R-DM-13")
@pytest.mark.parametrize("option", ["yes", "may_cancel"])
def test_a_concerted_attack_is_secret_until_it_is_launched(lay: Lay, option: str) -> None:
    german, soviet = "2816 A1:6 I1:6; 2717 T1:5", "2815 a1:4 i1:4; 2716 m1:5"
    dice = {"reaction": "11", "attack": "*", "defense": "*", "counter": "*"}
    one, other = (
        lay(german=german, soviet=soviet, side=SOVIET, concerted_must_execute=option, dice=dice) for _ in range(2)
    )
    twins = Twins(one, other, GERMAN).give(DeclareAttack("2816"))
    twins.give(PlanAttack("penetration", ["m1"]), PlanAttack("grand", ["a1", "i1"]))
    assert one.accepts(React)
    twins.give(React(["T1"], ["2717", "2816"]))
    assert one.accepts(ChoosePosture)
    assert one.events(events.AttackPlanned) != other.events(events.AttackPlanned)
    for case, force in ((one, ["m1"]), (other, ["a1", "i1"])):
        case.submit(ChoosePosture("counterattack"))
        if option == "may_cancel":
            case.submit(Activate(force))
        assert case.one(events.AttackLaunched).units == force


@pytest.mark.rule("DM-8.1b", "R-DM-27")
def test_a_canceled_attack_stays_secret(lay: Lay) -> None:
    german, soviet = "2816 A1:6 I1:6; 2717 T1:5", "2815 a1:4 i1:4; 2716 m1:5"
    one, other = (lay(german=german, soviet=soviet, side=SOVIET, concerted_must_execute="may_cancel") for _ in range(2))
    twins = Twins(one, other, GERMAN).give(DeclareAttack("2816"))
    twins.give(PlanAttack("penetration", ["m1"]), PlanAttack("grand", ["a1", "i1"]))
    twins.give(Decline()).give(ChoosePosture("steadfast")).give(Decline())
    assert one.one(events.AttackDropped) == other.one(events.AttackDropped)


@pytest.mark.rule("DM-8.4c", "R-DM-13")
@pytest.mark.parametrize("hider", [GERMAN, SOVIET])
def test_plan_and_posture_are_sealed_until_both_are_chosen(lay: Lay, hider: str) -> None:
    one, other = (lay("2816 A1:6; 2815 a1:6", side=SOVIET, dice="* *") for _ in range(2))
    twins = Twins(one, other, ENEMY[hider]).give(Activate(["a1"])).give(Step("2816")).give(Decline())
    assert {decision.seat for decision in one.game.waiting()} == {GERMAN, SOVIET}
    if hider == GERMAN:
        twins.give(ChoosePosture("counterattack"), ChoosePosture("steadfast"))
    else:
        twins.give(ChoosePlan("meeting"), ChoosePlan("standard"))
    assert len(one.game.waiting()) == 1


@pytest.mark.rule("DM-5.0b")
@pytest.mark.parametrize("hider", [GERMAN, SOVIET])
def test_the_replaced_unit_is_secret(lay: Lay, hider: str) -> None:
    position: dict[str, Any] = {
        "german": "2816 A1:3/8 I1:3/8",
        "soviet": "2814 a1:3/8 i1:3/8",
        "side": hider,
        "phase": "reinforcement",
        "replacements": {hider: 4},
    }
    twins = Twins(lay(**position), lay(**position), ENEMY[hider])
    one, other = ("A1", "I1") if hider == GERMAN else ("a1", "i1")
    twins.give(Replace({one: 3}), Replace({one: 1, other: 2}))
    assert twins.differ()


@pytest.mark.rule("DM-5.0b", "DM-2.4c")
@pytest.mark.parametrize("hider", [GERMAN, SOVIET])
def test_the_need_for_replacements_is_secret(lay: Lay, hider: str) -> None:
    """A side with points always has a decision, even if it can only save them."""
    one, other = (
        lay(
            f"2816 A1:{strength if hider == GERMAN else 8}/8; 2814 a1:{strength if hider == SOVIET else 8}/8",
            side=hider,
            phase="reinforcement",
            replacements={hider: 4},
        )
        for strength in (8, 3)
    )
    twins = Twins(one, other, ENEMY[hider])
    assert not one.accepts(Replace)
    assert other.accepts(Replace)
    twins.give(EndPhase())


@pytest.mark.rule("DM-5.0e", "DM-2.4c")
def test_the_points_spent_do_not_reveal_how_strong_units_are_rebuilt(lay: Lay) -> None:
    position = "eliminated I5:0/6 I6:0/6; 2820 I1:2/6"
    one, other = (lay(german=position, phase="reinforcement", replacements={"german": 9}) for _ in range(2))
    twins = Twins(one, other, SOVIET)
    twins.give(Replace({"I1": 4, "I5": 1, "I6": 1}), Replace({"I1": 1, "I5": 2, "I6": 3}))
    assert [case.one(events.UnitsRebuilt).units for case in (one, other)] == [["I5", "I6"]] * 2
    assert [case.unit("I6").sp for case in (one, other)] == [1, 3]


@pytest.mark.rule("DM-2.4c", "DM-2.6b", "DM-2.6.1c")
@pytest.mark.parametrize("hexes", [2, 3])
def test_a_decision_to_react_does_not_reveal_the_range_of_a_zone(lay: Lay, hexes: int) -> None:
    """By its printed strength the zone reaches three hexes. With 1 SP no unit can react, and only its owner knows."""
    there = {2: "2813", 3: "2812"}[hexes]
    one, other = (lay(f"2816 A1:6; {there} a1:{strength}/14") for strength in (1, 14))
    twins = Twins(one, other, GERMAN).give(Activate(["A1"])).give(Step("2815"))
    assert [case.pending.seat for case in (one, other)] == [SOVIET] * 2
    assert [case.accepts(React) for case in (one, other)] == [False, True]
    twins.give(Decline()).finish()


@pytest.mark.rule("DM-2.4c", "DM-2.6.1f")
def test_the_number_of_decisions_to_react_reveals_no_strength(lay: Lay) -> None:
    """In the first game only one of two stacks can try. After its attempt a second decision follows in both games."""
    position = {"german": "2816 A1:6", "dice": {"reaction": "11"}}
    one, other = (lay(f"2814 a1:6; 2813 a2:{strength}/9", **position) for strength in (1, 9))
    twins = Twins(one, other, GERMAN).give(Activate(["A1"])).give(Step("2815"))
    twins.give(React(["a1"], ["2814", "2815"]))
    assert [case.accepts(React) for case in (one, other)] == [False, True]
    twins.give(Decline()).finish()


@pytest.mark.rule("DM-2.4c", "DM-8.11i", "R-DM-15", "R-DM-18")
def test_a_rout_names_its_unit_even_if_no_other_is_as_strong(lay: Lay) -> None:
    one, other = (
        lay(f"2816 I1:6 I2:6; 2815 {force}", dice="attack 66; defense 111", major="2815")
        for force in ("i1:7/9 i2:5/9", "i1:6/9 i2:6/9")
    )
    twins = Twins(one, other, GERMAN).give(Activate(["I1", "I2"])).give(Step("2815"))
    twins.give(ChoosePlan("standard")).quietly_to(TakeLosses, SOVIET)
    twins.give(TakeLosses({"i1": 2, "i2": 2})).quietly_to(Rout, SOVIET)
    assert {order.unit for order in one.offered(Rout)} == {"i1"}
    assert sorted({order.unit for order in other.offered(Rout)}) == ["i1", "i2"]
    twins.give(Rout(["2815", "2814", "2813"], "i1"))


@pytest.mark.full
@pytest.mark.rule("DM-2.4c", "DM-9.0h", "R-DM-40")
def test_attrition_does_not_reveal_a_unit_at_its_last_point(lay: Lay) -> None:
    """One point for 2 SP and for 3 SP. A side that has no unit to take it decides all the same."""
    one, other = (lay(f"3520 I1:1/6 I2:{sp}/6", dice="attrition 11") for sp in (1, 2))
    twins = Twins(one, other, SOVIET).give(Activate(["I1", "I2"]))
    for hex_ in ("3521", "3522", "3523"):
        twins.give(Step(hex_))
    twins.give(EndActivation()).give(TakeLosses({}), TakeLosses({"I2": 1}))
    assert [case.one(events.LossesTaken).surplus for case in (one, other)] == [1, 0]
    assert [case.sp("I1 I2") for case in (one, other)] == [[1, 1], [1, 1]]


@pytest.mark.rule("DM-2.4c", "DM-9.0h", "R-DM-40")
def test_a_force_at_its_last_point_rolls_for_attrition(lay: Lay) -> None:
    one, other = (lay(f"3520 I1:{sp}/6", dice="attrition 66") for sp in (1, 6))
    twins = Twins(one, other, SOVIET).give(Activate(["I1"]))
    for hex_ in ("3521", "3522", "3523"):
        twins.give(Step(hex_))
    twins.give(EndActivation())
    assert one.one(events.AttritionRolled) == other.one(events.AttritionRolled)


# ---------------------------------------------------------------------- whole games


@pytest.mark.full
@pytest.mark.rule("DM-2.4c", "DM-5.0b", "DM-8.1b", "DM-8.8c")
def test_the_log_of_a_side_contains_no_secret_of_the_other() -> None:
    ready = prepared()
    found: set[str] = set()
    for seed, side in product(("secrecy", "silence", "discretion"), ENEMY):
        key, enemy = key_from_seed(seed), ENEMY[side]
        game = ready.new_game(KeyedDice(key))
        game.play(seat_players(ready, name_seats(ready, {}), key))
        for record in seen_records(game.records, ready, side):
            if isinstance(record, OrderRecord) and record.by == enemy:
                assert not isinstance(record.order, Replace | TakeLosses | PlanAttack), record
            event = record.event if isinstance(record, EventRecord) else None
            if isinstance(event, events.LossesTaken) and event.side == enemy:
                assert not event.losses
            elif isinstance(event, events.ReplacementsSpent) and event.side == enemy:
                assert not event.units
            elif isinstance(event, events.AttackPlanned) and event.side == enemy:
                assert (event.plan, event.units) == ("", [])
            else:
                continue
            found.add(type(event).__name__)
    assert found == {kind.__name__ for kind in secret_events(ready.options)}
