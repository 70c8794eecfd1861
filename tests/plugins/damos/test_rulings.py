"""Each value of each ruling can be played. Most effects of rulings are tested with their subject."""

from typing import Any

import pytest
from tests.plugins.damos.cases import activate
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET, installed, prepared_for, set_position, shipped

from damos.combat.air_support import may_fly
from damos.map.boundaries import is_open
from damos.map.rails import railheads
from damos.model import orders
from damos.model.events import CombatBegan, CombatDecided, ForceRetreated, UnitsEliminated
from damos.turn.rail_conversion import _able
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord

GERMANS = "2816 A1:7 I1:6; 2716 T1:5; 2916 I2:6 C1:3; 2818 A2:8 M1:5; 2619 I3:2/6!; 2720 H1:4"
SOVIETS = "2815 i1:5; 2715 a1:6; 2914 i2:4 r1:1; 2813 a2:8 m1:3; 2612 i3:2/5!; 2811 n1:1 c1:3"
DECISIONS = 90


def values() -> list[Any]:
    return [
        pytest.param(option.name, value, id=f"{option.name}-{value}", marks=pytest.mark.rule(option.ruling))
        for option in installed().manifest.options
        for value in option.values
    ]


def random_order(decision: Decision, stream: Stream) -> Order:
    """Return the order of a random player."""
    if decision.done is not None and stream.one_in(3) and decision.options.is_legal(decision.done):
        return decision.done
    order: Order = decision.options.sample(stream)
    return order


@pytest.mark.full
@pytest.mark.parametrize(("name", "value"), values())
def test_each_value_of_an_option_can_be_played(name: str, value: str) -> None:
    prepared = prepared_for(
        GERMANS, SOVIETS, {"forest": "2814 2616", "city": "2811", "river": "2816/2815"}, {name: value}
    )
    state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    set_position(state, prepared, (GERMANS, SOVIETS), ("german", 9, "reinforcement"), {}, {"german": 4, "soviet": 4})
    game = Game(prepared.ruleset, state, KeyedDice(key_from_seed(f"{name} {value}")))
    stream = Stream(f"{name} {value}".encode())
    game.start()
    for _ in range(DECISIONS):
        if game.is_over:
            break
        decision = game.waiting()[0]
        game.submit(random_order(decision, stream), decision.seat)
    assert game.state.options[name] == value


@pytest.mark.rule(
    "R-DM-12", "R-DM-14", "R-DM-15", "R-DM-22", "R-DM-29", "R-DM-30", "R-DM-36", "R-DM-39", "R-DM-40", "R-DM-41"
)
def test_rulings_without_an_alternative_have_one_value() -> None:
    single = {option.ruling for option in installed().manifest.options if len(option.values) == 1}
    assert {"R-DM-12", "R-DM-14", "R-DM-15", "R-DM-22", "R-DM-29", "R-DM-30", "R-DM-36", "R-DM-39"} <= single
    assert len(installed().manifest.options) == 95


# --- the marsh ---


@pytest.mark.rule("AGC-1.3c", "R-DM-88")
def test_a_unit_in_the_marsh_must_be_moved_out_of_it(stage: Stage) -> None:
    case = stage("3222 g-267; 2819 g-7")
    assert case.why_not(orders.EndPhase()) == "AGC-1.3c"
    case.go(activate("g-267"))
    assert case.why_not(orders.EndActivation()) == "AGC-1.3c"
    case.go(orders.Step("3122"))
    assert case.allows(orders.EndActivation())
    assert case.rest().allows(orders.EndPhase())


@pytest.mark.rule("AGC-1.3c", "R-DM-88")
def test_a_unit_need_not_leave_the_marsh_into_the_enemy(stage: Stage) -> None:
    state = stage("3222 g-267").state
    near = [hex_ for hex_ in state.board.around["3222"] if is_open(state, GERMAN, hex_)]
    soviets = ["s-4rc", "s-1rc", "s-5rc", "s-28rc", "s-2rc", "s-21rc"]
    enemies = "; ".join(f"{hex_} {unit}" for hex_, unit in zip(near, soviets, strict=False))
    assert stage(german="3222 g-267; 2819 g-7", soviet=enemies).allows(orders.EndPhase())


@pytest.mark.rule("AGC-1.3g", "R-DM-91")
def test_the_marsh_is_closed_to_the_soviets_by_option(stage: Stage) -> None:
    soviet = "3122 s-4rc"
    assert is_open(stage(soviet=soviet).state, SOVIET, "3222")
    bound = stage(soviet=soviet, soviet_boundaries="as_germans", side=SOVIET)
    assert bound.go(activate("s-4rc")).why_not(orders.Step("3222")) == "AGC-1.3b"
    bound.state.control["3001"] = GERMAN
    assert is_open(bound.state, SOVIET, "3222")


# --- railheads ---


@pytest.mark.rule("AGC-4.4a", "R-DM-89")
def test_line_that_lost_its_last_hex_ends_at_the_last_hex_held(lay: Lay) -> None:
    lost = {"german": "2618 A1:7", "control": {SOVIET: "2816"}}
    case = lay(**lost)
    assert railheads(case.state) == ["2817"]
    assert may_fly(case.state, "2617")
    ahead = lay(**lost, railhead_when_lost="unconverted_ahead")
    assert railheads(ahead.state) == []
    assert not may_fly(ahead.state, "2617")


@pytest.mark.rule("AGC-4.3.1d", "R-DM-90")
def test_a_cut_off_railhead_counts_by_option(lay: Lay) -> None:
    cut = {"german": "2816 A1:7", "control": {SOVIET: "2822", GERMAN: "2815"}}
    assert [line.railhead for line in _able(lay(**cut).state)] == ["2816"]
    joined = lay(**cut, railhead_cut_off="joined_only").state
    assert _able(joined) == []
    assert not may_fly(joined, "2814")


# --- combat ---


@pytest.mark.rule("DM-8.2b", "R-DM-92")
@pytest.mark.parametrize(("option", "fight"), [("all", ["A1", "I1", "I2"]), ("not_demoralized", ["A1", "I1"])])
def test_friends_in_the_combat_hex_fight_against_reactors_by_option(lay: Lay, option: str, fight: list[str]) -> None:
    case = lay("2816 A1:9; 2815 I1:3 I2:3!; 2814 a1:6", dice="react* 66; * *", friends_in_combat_hex=option)
    case.go(activate("A1"), orders.Step("2815")).to(orders.React)
    case.submit(next(iter(case.offered(orders.React)))).rest()
    assert sorted({*case.one(CombatBegan).attackers}) == fight


@pytest.mark.rule("R-DM-92", "DM-8.11c")
def test_a_demoralized_friend_that_did_not_fight_retreats_too(lay: Lay) -> None:
    case = lay(
        "2816 A1:8; 2815 I2:3!; 2814 a1:9",
        dice="react* 66; attack 11; defense 66; * *",
        friends_in_combat_hex="not_demoralized",
    )
    case.go(activate("A1"), orders.Step("2815")).to(orders.React)
    case.submit(next(iter(case.offered(orders.React)))).rest()
    assert case.one(CombatBegan).attackers == ["A1"]
    assert case.one(CombatDecided).winner == "defender"
    assert [each for each in case.events(UnitsEliminated) if each.why == "stacking"] == []
    (back,) = [each for each in case.events(ForceRetreated) if each.why == "lost"]
    assert back.units == ["A1", "I2"]


@pytest.mark.rule("R-DM-11", "DM-8.0b")
def test_a_plan_chosen_before_reactions_is_not_shown(lay: Lay) -> None:
    case = lay("2816 A1:9; 2815 a1:6", dice="* *", entry_order="ap_before_react")
    case.march("A1", "2815").until(lambda case: case.accepts(orders.ChoosePlan))
    before = len(case.game.records)
    case.submit(orders.ChoosePlan("standard"))
    new = list(case.game.records)[before:]
    ordered = {
        side: [each.order for each in seen_records(new, case.prepared, side) if isinstance(each, OrderRecord)]
        for side in (GERMAN, SOVIET)
    }
    assert orders.ChoosePlan("standard") in ordered[GERMAN]
    assert orders.ChoosePlan("standard") not in ordered[SOVIET]


@pytest.mark.rule("AGC-4.4c", "R-DM-93")
def test_the_result_at_stake_is_shown_before_a_reroll(lay: Lay) -> None:
    def prompt_of(**more: object) -> tuple[str, str]:
        case = lay("2816 I1:6; 2815 i1:6", dice="attack 5; defense 1; reroll 2; air 66", **more)
        case.march("I1", "2815", orders.ChoosePlan("standard")).to(orders.UseAir)
        case.submit(orders.UseAir(shift=False, reroll=True)).to(orders.Reroll)
        prompt, discloses = case.pending.prompt, case.pending.discloses
        case.submit(orders.Reroll(1)).rest()
        return prompt, discloses

    assert prompt_of(air_reroll_sees="dice") == ("re-roll one die in 2815 (5), or none", "")
    result = "attack 5 in column 5-6, defense 1 in column 5-6; without a re-roll you lose 0 and the enemy 1"
    discloses = "R-DM-93"  # the columns depend on both strengths, which the rules reveal here
    assert prompt_of() == (f"re-roll one die in 2815 (5), or none: {result}", discloses)


# --- handicaps ---


@pytest.mark.rule("DM-2.4a", "R-DM-94", "R-DM-95")
@pytest.mark.parametrize(("side", "other"), [(GERMAN, SOVIET), (SOVIET, GERMAN)])
def test_a_bid_gives_one_point_each_to_the_strongest_units(side: str, other: str) -> None:
    plain, bid = shipped("smolensk").board.counters, shipped("smolensk", ((f"{side}_bid", "3"),)).board.counters
    more = {ident: bid[ident].sp - counter.sp for ident, counter in plain.items()}
    strongest = sorted((-counter.sp, ident) for ident, counter in plain.items() if counter.side == side)[:3]
    assert {ident for ident, points in more.items() if points} == {ident for _, ident in strongest}
    assert set(more.values()) == {0, 1}
    own = sum(counter.side == side for counter in plain.values())
    twice = shipped("smolensk", ((f"{side}_bid", str(2 * own)),)).board.counters
    assert {twice[ident].sp - counter.sp for ident, counter in plain.items() if counter.side == side} == {2}
    assert all(twice[ident] == counter for ident, counter in plain.items() if counter.side == other)
