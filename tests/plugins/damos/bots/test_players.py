"""The staff officer: its orders in small positions, its estimates, and its use by search bots."""

from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest
from tests.plugins.damos.cases import Case, activate, quiet_order
from tests.plugins.damos.conftest import Lay, Prepare
from tests.plugins.damos.positions import GERMAN, SOVIET, row, shipped

from damos.bots.company import could_go_back
from damos.bots.paths import legs, reach
from damos.bots.players import Adjutant, StaffOfficer
from damos.bots.position import StaffPosition
from damos.combat.chances import CERTAIN, Strength, win_chance
from damos.map.supply import has_supply_line
from damos.model import orders
from damos.model.events import (
    AttackDeclared,
    CombatBegan,
    ForceMoved,
    ForceMovedStrategically,
    ForceRallied,
    RailExtended,
    UnitsEliminated,
    UnitsSurrendered,
)
from damos.model.forces import stacks
from damos.model.state import DamosState
from damos.model.tables import column_of, combat_result, dice_of, lp_rank
from damos.turn.strategic import surrendering
from sandtable.journal.format.header import make_dice
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.events import Event
from sandtable.kernel.play.views import View
from sandtable.players.players import seat_players

MOSCOW = "2808"
"""An objective on the railway, eight hexes east of the German front of the small map."""
ANY_DICE = {"*": "*"}


def command(case: Case, side: str = GERMAN, staff: type[StaffOfficer] = StaffOfficer) -> Case:
    """Let the staff officer command a side to the end of the phase, against a side that does little."""
    officer = staff(side, Stream(b"a staff officer"), case.prepared.board)
    phase = case.phase
    while not case.game.is_over and case.phase == phase:
        decision = case.pending
        commands = decision.side == side
        order = officer.choose(decision, View(side, case.game.view)) if commands else quiet_order(decision)
        case.game.submit(order, decision.seat)
    return case


def next_order(case: Case, side: str = GERMAN) -> object:
    """Return the staff's answer to the pending decision."""
    officer = StaffOfficer(side, Stream(b"a staff officer"), case.prepared.board)
    return officer.choose(case.pending, View(side, case.game.view))


# --- the march ---


FORK = " ".join(row(28, 30, 8)) + ",2814 2714 2613 2513"
RING = "2711 i1:9; 2911 i2:9; 2611 i3:9; 3011 i4:9; 2511 i5:9; 3111 i6:9; 2411 i7:9; 3211 i8:9; 2310 i9:9; 3310 i10:9"
BEHIND = {"german": "2817 A1:9", "soviet": f"{MOSCOW} i1:6; 2802 i2:6", "phase": "strategic"}
CROWDED: dict[str, Any] = {"german": "2816 A1:9", "soviet": f"{MOSCOW} i1:6 i2:6 i3:6 i4:2", "side": SOVIET}
STACKS = {
    "german": "2814 I1:6 I2:6 I3:6; 2815 I4:6 I5:6 I6:6; 2816 I7:6 I8:6 I9:6; 2817 A1:6 A2:6 A3:6",
    "soviet": "2812 i1:9 i2:9",
}
WEAK: dict[str, Any] = {"german": "2810 I1:6 I2:6 I3:6 I4:6", "soviet": f"{MOSCOW} i1:1", "turn": 11}
PAUSED: dict[str, Any] = {"turn": 5, "tweak": lambda state: setattr(state, "pause_turn", 4)}
RAILS = {"phase": "strategic", "control": {GERMAN: "2815 2814 2813 2714 2613"}, "dice": "rail 6"}
THREE_DICE = {"attack": "666", "defense": "1", "*": "*"}


class Expected(NamedTuple):
    """The position after a phase of the staff: hexes of units, supplied units, held hexes and events."""

    at: str = ""
    supplied: str = ""
    unsupplied: str = ""
    holds: str = ""
    fight: str = ""
    rallied: str = ""
    rails: str = ""
    moved: str = ""
    never: tuple[type[Event], ...] = ()


PLAYED: dict[str, tuple[dict[str, Any], Expected]] = {
    # two hexes off the railway, which ends in 2816
    "marches to the objective within supply": ({"german": "2818 I1:6 I2:6"}, Expected("I1 2814 I2 2814", "I1 I2")),
    "takes the railway ahead on its march": ({"german": "2716 I1:6"}, Expected(holds="2815 2814 2813")),
    "loses no unit by overstacking": (STACKS, Expected(never=(UnitsEliminated,))),
    "loses no unit that is in excess": (CROWDED, Expected(never=(UnitsEliminated,))),
    "marches one hex in the pause": ({"german": "2816 A1:6 A2:6"} | PAUSED, Expected("A1 2815 A2 2815")),
    "enters an open objective": ({"german": "2811 A1:6", "turn": 11}, Expected(f"A1 {MOSCOW}")),
    "attacks a weakly held objective": (
        WEAK | {"dice": THREE_DICE}, Expected(" ".join(f"I{number} {MOSCOW}" for number in range(1, 5)), fight=MOSCOW)
    ),
    "attacks a force that it can beat": (
        {"german": "2816 I1:6 I2:6 I3:6", "soviet": "2815 i1:3", "dice": THREE_DICE}, Expected(fight="2815 I1 I2 I3")
    ),
    "does not attack at bad odds": (
        {"german": "2816 I1:6; 2817 A1:6", "soviet": "2815 i1:6"}, Expected(never=(CombatBegan, AttackDeclared))
    ),
    "does not march to where it would surrender": (
        {"german": "2813 A1:6", "soviet": f"{RING}; {MOSCOW} i11:12"}, Expected(never=(UnitsSurrendered,))
    ),
    "keeps the garrison in the objective": (
        {"german": "2811 I1:9", "soviet": f"{MOSCOW} i1:6", "side": SOVIET}, Expected(f"i1 {MOSCOW}")
    ),
    "attacks as a defender a force that it can beat": (
        {"german": "2810 A1:2", "soviet": f"{MOSCOW} i1:6; 2809 i2:5 i3:5", "side": SOVIET, "turn": 4},
        Expected(fight="2810"),
    ),
    "brings defenders up by rail": (BEHIND | {"side": SOVIET}, Expected(moved="i2")),
    "does not move a unit near the front strategically": (
        {"german": "2817 I1:6", "phase": "strategic"}, Expected(at="I1 2817")
    ),
    "stays in supply before the last turns": ({"german": "2816 A1:6", "moscow": "2802", "turn": 4}, Expected("", "A1")),
    "leaves supply on the last turn": (
        {"german": "2812 A1:6", "moscow": "2806", "turn": 12}, Expected(unsupplied="A1")
    ),
    "recaptures a lost part of the railway": (
        {"german": "2622 I1:6; 2812 A1:6", "moscow": "2802", "turn": 4, "control": {SOVIET: "2822"}},
        Expected(holds="2822"),
    ),
    "extends the railway as far as possible": ({"german": "2816 I1:6"} | RAILS, Expected(rails="2815 2814 2813")),
    "extends the branch towards the objective": (
        {"german": "2816 I1:6", "rails": FORK} | RAILS, Expected(rails="2815 2814 2813")
    ),
    "rallies a demoralized unit": ({"german": "2815 I1:4!"}, Expected(rallied="I1")),
    "retreats to rally in supply": ({"german": "2812 I1:4!", "soviet": "2811 i1:9"}, Expected("", "I1", rallied="I1")),
    "rallies all units of a hex": ({"german": "2815 I1:4! A1:4! I2:4!"}, Expected(rallied="A1 I1 I2")),
}  # fmt: skip
"""Positions and what the staff makes of them in a phase."""


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1c", "AGC-4.3.1d", "AGC-4.3.1f", "AGC-4.7a", "AGC-5.0a", "AGC-5.0c", "R-DM-57")
@pytest.mark.rule("DM-2.3e", "DM-2.8b", "DM-2.8g", "DM-6.0e", "DM-6.0h", "DM-7.0i", "DM-7.0j", "DM-8.0b", "DM-10.0a")
@pytest.mark.parametrize(("position", "expected"), PLAYED.values(), ids=PLAYED)
def test_the_staff_plays_a_small_position(lay: Lay, position: dict[str, Any], expected: Expected) -> None:
    side = position.get("side", GERMAN)
    case = command(lay(**{"moscow": MOSCOW, "dice": ANY_DICE} | position), side)
    words = expected.at.split()
    assert case.at(" ".join(words[::2])).split() == words[1::2]
    for units, has in ((expected.supplied, True), (expected.unsupplied, False)):
        assert all(has_supply_line(case.state, side, case.at(unit)) is has for unit in units.split())
    assert [case.holder(hex_) for hex_ in expected.holds.split()] == [side] * len(expected.holds.split())
    hex_, *attackers = expected.fight.split() or [""]
    assert [fight.hex for fight in case.events(CombatBegan)] == [hex_] or not hex_
    assert not attackers or case.one(CombatBegan).attackers == attackers
    assert not expected.rallied or sorted(case.one(ForceRallied).units) == expected.rallied.split()
    assert not any(case.demoralized(expected.rallied))
    assert not expected.rails or case.one(RailExtended).hexes == expected.rails.split()
    moved = {unit for event in case.events(ForceMovedStrategically) for unit in event.units}
    assert set(expected.moved.split()) <= moved
    if UnitsSurrendered in expected.never:
        case.to_phase("soviet.operations")
    assert case.never(*expected.never)


@pytest.mark.rule("DM-2.8b", "DM-2.8g")
def test_staff_rallies_no_unit_beside_a_spent_demoralized_unit(lay: Lay) -> None:
    case = command(lay("2815 I1:4! I2:4!~", moscow=MOSCOW, dice=ANY_DICE))
    assert case.demoralized("I1 I2") == [False, True]
    assert case.one(ForceRallied).hex != "2815"


@pytest.mark.rule("DM-9.0a")
def test_a_large_unsupplied_force_marches_at_most_half_its_points(lay: Lay) -> None:
    case = command(lay("2512 I1:9 I2:9 I3:9 I4:9", turn=12, dice=ANY_DICE))
    assert sum(move.halves for move in case.events(ForceMoved) if "I1" in move.units) <= 4


def test_only_units_near_the_enemy_march_in_simulated_games(lay: Lay) -> None:
    at = {"german": "2814 I1:6; 2730 I2:6", "soviet": "2811 i1:3", "moscow": MOSCOW, "dice": ANY_DICE}
    assert [command(lay(**at), staff=each).at("I2") == "2730" for each in (StaffOfficer, Adjutant)] == [False, True]
    assert command(lay(**at), staff=Adjutant).at("I1") != "2814"


# --- the objective ---


@pytest.mark.rule("AGC-5.0c")
def test_staff_takes_a_free_hex_beside_a_strong_objective(lay: Lay) -> None:
    case = command(lay(f"2811 A1:6; {MOSCOW} i1:12 i2:12", moscow=MOSCOW, turn=11, dice=ANY_DICE))
    assert case.at("A1") in case.state.board.around[MOSCOW]
    assert case.never(CombatBegan)


@pytest.mark.rule("AGC-5.0c")
def test_a_stack_takes_two_hexes_beside_the_objective_on_the_last_turn(lay: Lay) -> None:
    soviet = f"{MOSCOW} i1:12 i2:12"
    case = command(lay(german="2809 A1:6 A2:6", soviet=soviet, moscow=MOSCOW, turn=12, dice=ANY_DICE))
    places = {case.at("A1"), case.at("A2")}
    assert len(places) == 2
    assert places <= set(case.state.board.around[MOSCOW])


# --- the defense ---


@pytest.mark.rule("AGC-5.0c")
def test_defenders_occupy_the_hexes_beside_the_objective(lay: Lay) -> None:
    soviet = f"{MOSCOW} i1:6 i2:6 i3:6; 2805 i4:6 i5:6 i6:6"
    case = command(lay(german="2814 A1:9", soviet=soviet, side=SOVIET, moscow=MOSCOW, dice=ANY_DICE), SOVIET)
    assert {case.at(each) for each in ("i4", "i5", "i6")} <= set(case.state.board.around[MOSCOW])


# --- behind the front ---


@pytest.mark.rule("DM-6.0e")
def test_units_far_behind_the_front_move_by_rail(lay: Lay) -> None:
    case = command(lay("2828 I1:6 I2:6", phase="strategic", moscow=MOSCOW, dice=ANY_DICE))
    moved = next(each for each in case.events(ForceMovedStrategically) if "I1" in each.units)
    assert moved.units == ["I1", "I2"]
    assert moved.path[-1][2:] == "16"  # twelve hexes by rail, instead of four on foot


@pytest.mark.rule("DM-2.8g", "DM-2.3e")
def test_staff_rallies_no_unit_in_a_full_hex(lay: Lay) -> None:
    german = "2812 I1:4!; 2813 I2:4~ I3:4~ I4:4~ I5:4~; 2713 I6:4~ I7:4~ I8:4~ I9:4~"
    case = command(lay(german=german, soviet="2811 i1:9 i2:9", moscow=MOSCOW, dice=ANY_DICE))
    assert case.one(ForceRallied).hex not in {"2813", "2713"}
    assert case.never(UnitsEliminated)


# --- estimates ---


def probability_by_hand(attack: Strength, defense: Strength) -> int:
    """Compute the probability from every roll of both sides."""

    def ranks(side: Strength) -> list[int]:
        throws = product(range(1, 7), repeat=dice_of(side.points))
        column = column_of(side.points)
        return [lp_rank(combat_result(column, sum(throw) + side.modifier)) for throw in throws]

    pairs = list(product(ranks(attack), ranks(defense)))
    return 100 * sum(inflicted > suffered for inflicted, suffered in pairs) // len(pairs)


@pytest.mark.rule("DM-8.10e")
@pytest.mark.parametrize(("attack", "defense"), [
    (Strength(6), Strength(6)), (Strength(12, -4), Strength(3)), (Strength(24, -6), Strength(8)),
    (Strength(1), Strength(20)),
])  # fmt: skip
def test_the_probability_of_a_win_counts_all_rolls(attack: Strength, defense: Strength) -> None:
    assert win_chance(attack, defense) == probability_by_hand(attack, defense)


@pytest.mark.rule("AGC-4.6.2a")
def test_twelve_to_one_wins_with_certainty() -> None:
    assert win_chance(Strength(24, -6), Strength(2)) == CERTAIN
    assert win_chance(Strength(24, -6), Strength(8)) < CERTAIN


def test_more_strength_never_lowers_the_probability_of_a_win() -> None:
    chances = [win_chance(Strength(points), Strength(6)) for points in range(1, 30)]
    assert chances == sorted(chances)


@pytest.mark.rule("DM-3.0a")
def test_cost_of_a_path_equals_the_cost_of_its_march(prepare: Prepare) -> None:
    board = prepare().board
    steps = legs(board)
    routes = reach(steps, dict(steps["2819"]), 8, {"2819"})
    assert routes["2817"].path == ("2818", "2817")
    for hex_, route in routes.items():
        places = ("2819", *route.path)
        assert route.halves == sum(dict(steps[a])[b] for a, b in pairwise(places)) <= 8, hex_


@pytest.mark.full
@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.2a", "DM-10.0b")
def test_staff_finds_supply_and_traps_as_the_rules_do(prepare: Prepare) -> None:
    prepared = prepare()
    key = key_from_seed("supply")
    game = prepared.new_game(make_dice("open", key))
    seen = {"supplied": 0, "not": 0, "trapped": 0}

    def compare() -> None:
        state = game.state
        assert isinstance(state, DamosState)
        if state.turn < 2 or state.active:
            return
        for side in (GERMAN, SOVIET):
            position = StaffPosition(game.view(side), prepared.board, side)
            lost = surrendering(state, side)
            for hex_ in stacks(state, side):
                supplied = has_supply_line(state, side, hex_)
                assert (hex_ in position.supply) == supplied, (state.turn, side, hex_)
                assert position.is_trapped(hex_) or hex_ not in lost, (state.turn, side, hex_)
                seen["supplied" if supplied else "not"] += 1
                seen["trapped"] += position.is_trapped(hex_)

    game.play(seat_players(prepared, {GERMAN: "random", SOVIET: "random"}, key), after=compare)
    assert min(seen.values()) > 20, seen


# --- first orders, and search bots ---


SUPPLIED: dict[str, Any] = {
    "german": "2820 I1:4/6; 2821 A1:4/6", "phase": "reinforcement", "turn": 2, "replacements": {GERMAN: 2},
}  # fmt: skip
BLOCKED = "2816 A1:7 A2:7 A3:7"


@pytest.mark.rule("DM-2.3e", "DM-5.0b", "DM-7.0d", "DM-8.1a")
@pytest.mark.parametrize(("position", "order"), [
    pytest.param({"german": "2816 I1:6 A1:6"}, orders.Activate(["I1"]), id="infantry before mobile units"),
    pytest.param({"german": BLOCKED, "soviet": "2815 i1:6"}, orders.DeclareAttack("2815"), id="attack on the railway"),
    pytest.param(
        {"german": f"{BLOCKED}; 2820 I1:6", "soviet": "2815 i1:6"}, orders.Activate(["I1"]), id="attack after infantry"
    ),
    pytest.param(CROWDED, orders.Activate(["i4"]), id="an excess unit first"),
    pytest.param(SUPPLIED, orders.Replace({"A1": 2}), id="replacements for mobile units first"),
])  # fmt: skip
def test_staff_gives_the_expected_first_order(lay: Lay, position: dict[str, Any], order: Order) -> None:
    assert next_order(lay(moscow=MOSCOW, **position), position.get("side", GERMAN)) == order


@pytest.mark.full
def test_a_search_bot_leaves_marches_to_the_staff() -> None:
    """A game has hundreds of steps, and a simulated game takes long."""
    ready, key = shipped("smolensk"), key_from_seed("plans")
    staff = seat_players(ready, {"german": "staff", "soviet": "staff"}, key)
    game = ready.new_game(make_dice("open", key))
    game.start()
    orders_by_search: dict[bool, set[str]] = {True: set(), False: set()}
    for _ in range(120):
        decision = game.waiting()[0]
        view = View(decision.side, game.view)
        order = staff[decision.seat].choose(decision, view)
        orders_by_search[staff[decision.seat].plans(decision, view) is None].add(type(order).__name__)  # type: ignore[attr-defined]  # a search bot
        game.submit(order, decision.seat)
    assert {"Activate", "SetUp", "Step"} <= orders_by_search[True]
    assert {"Exploit", "TakeLosses"} <= orders_by_search[False]
    assert not orders_by_search[False] & {"Activate", "Step", "MoveStrategically"}


@pytest.mark.parametrize(("turn", "offered"), [(12, {orders.Step("2808"), orders.EndActivation()}), (5, None)])
def test_a_search_bot_considers_attacks_only_near_the_end(lay: Lay, turn: int, offered: set[object] | None) -> None:
    case = lay(f"2809 A1:6 A2:6; {MOSCOW} i1:1", moscow=MOSCOW, turn=turn, dice=ANY_DICE)
    officer = StaffOfficer(GERMAN, Stream(b"a staff officer"), case.prepared.board)
    view = View(GERMAN, case.game.view)
    assert (officer.plans(case.pending, view) is None) == (offered is None)
    case.game.submit(orders.Activate(["A1", "A2"]))
    considered = officer.plans(case.pending, view)
    assert {str(each) for each in considered or ()} == {str(each) for each in offered or ()}


def position_of(case: Case, side: str) -> StaffPosition:
    return StaffPosition(case.game.view(side), case.prepared.board, side)


@pytest.mark.rule("DM-7.0n")
@pytest.mark.parametrize(("enemy", "taken"), [("i1:5", True), ("i1:1", False), ("i1:40", False)])
def test_staff_picks_units_up_for_an_attack_that_is_good_enough(lay: Lay, enemy: str, taken: bool) -> None:
    case = lay(f"2816 I1:5 I2:6; 2815 {enemy}", moscow=MOSCOW).go(activate("I1"))
    assert (next_order(case) == orders.PickUp(["I2"])) == taken


@pytest.mark.rule("DM-7.0p", "AGC-5.0c")
def test_one_unit_stays_at_the_gates_and_the_others_continue(lay: Lay) -> None:
    soviet = f"{MOSCOW} i1:12 i2:12"
    case = lay(german="2809 A1:6 A2:7", soviet=soviet, moscow=MOSCOW, turn=12).go(activate("A1 A2"))
    assert next_order(case) == orders.DropOff(["A1"])
    case.go(orders.DropOff(["A1"]))
    step = next_order(case)
    assert isinstance(step, orders.Step)
    assert step.hex in case.state.board.around[MOSCOW]


@pytest.mark.rule("DM-8.11b", "DM-2.3e")
def test_staff_predicts_where_a_beaten_force_can_retreat(lay: Lay) -> None:
    case = lay("2812 A1:9; 2811 i1:6 i2:6; 2810 i3:6 i4:6; 2711 i5:6 i6:6", moscow=MOSCOW)
    position = position_of(case, SOVIET)
    assert could_go_back(position, ["i1"], "2812")
    full = lay(
        "2812 A1:9; 2614 A2:9; 3014 A3:9; 2811 i1:6 i2:6; 2911 i3:6 i4:6; 2711 i5:6 i6:6;"
        "2712 i7:6 i8:6; 2912 i9:6 i10:6",
        moscow=MOSCOW,
    )
    assert not could_go_back(position_of(full, SOVIET), ["i3", "i5", "i7"], "2812")


@pytest.mark.rule("AGC-4.6.1b")
def test_staff_expects_soviet_zones_from_turn_2_on(lay: Lay) -> None:
    """On turn 1 the line from 2814 is open. On turn 2 Soviet zones cut it."""
    case = lay("2816 I1:6; 2715 i1:6; 2915 i2:6", moscow=MOSCOW, turn=1)
    position = position_of(case, GERMAN)
    assert "2814" in position.supply
    assert "2814" not in position.lasting_supply
