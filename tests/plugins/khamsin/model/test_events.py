"""Calculations of events: the worked examples step by step, and the parts that an enemy sees."""

import tomllib
from itertools import product
from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, NewCase, at_sidi_rezegh, field, leaves, losses, share
from tests.plugins.khamsin.games import played
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.oracle.figures import FIGURES, Steps, figures_of, pieces_of, steps_of
from tests.plugins.khamsin.procedures import of, position, run

import khamsin
from khamsin.model import battle_events as battle
from khamsin.model import events
from khamsin.model.cards import ENEMY
from khamsin.model.state import KhamsinState, Report
from khamsin.turn.supply import check_supply
from sandtable.kernel.events import UNSET, Calculation
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.tabletop.result import PlatoonLosses

Loss = PlatoonLosses


def seen(case: Case, event: Any, side: str) -> Any:
    return case.prepared.ruleset.visible(event, side)


@pytest.mark.rule("KH-9.01", "KH-9.02", "KH-9.08", "KH-9.09")
def test_x26_activation_sums_die_supply_attrition_and_leader(new_case: NewCase) -> None:
    marks = "armor=20 general=20 supplied=no"
    case = new_case(
        f"15_pz_div sidi_rezegh {marks}; rommel sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:*": "5"}
    )
    case.turn(axis="15_pz_div gabr_saleh")
    rolled = case.one(events.ActivationRolled)
    assert steps_of(rolled, "total") == (
        ("die", 5, "KH-9.01"),
        ("out_of_supply", -1, "KH-9.08"),
        ("attrition_40", -1, "KH-9.09"),
        ("rommel", 1, "KH-9.02"),
    )
    assert rolled.total == 4


@pytest.mark.rule("KH-R05")
def test_activation_lists_the_natural_face_that_decides(new_case: NewCase) -> None:
    marks, dice = "armor=60 supplied=no", {"activation:*": "6"}
    case = new_case(
        f"15_pz_div sidi_rezegh {marks}; 7_armd_bde gabr_saleh", dice=dice, activation_natural="six_succeeds"
    )
    rolled = case.turn(axis="15_pz_div gabr_saleh").one(events.ActivationRolled)
    assert rolled.activated
    assert rolled.total < rolled.needs
    assert steps_of(rolled, "total")[-1] == ("a natural six succeeds", 0, "KH-R05")


@pytest.mark.rule("KH-9.01")
def test_activation_roll_names_a_formation_for_each_die(new_case: NewCase) -> None:
    case = new_case("15_pz_div gambut; 7_armd_bde assembly_area").turn()
    rolls = [each for each in case.game.records if isinstance(each, RollRecord) and "activation:" in each.label]
    assert {each.side for each in rolls} == {AXIS, ALLIES}
    for each in rolls:
        assert len(each.units) == len(each.dice)
        assert {case[unit].side for unit in each.units} == {each.side}


@pytest.mark.rule("KH-8.02", "KH-8.09", "KH-8.10")
def test_move_counts_points_for_each_connector(new_case: NewCase) -> None:
    case = new_case("15_pz_div gambut; 7_armd_bde assembly_area").turn(axis="15_pz_div sidi_rezegh el_adem")
    first, second = case.events(events.FormationMoved)
    assert steps_of(first, "points_left")[0] == ("motor", 4, "KH-8.02")
    assert steps_of(second, "points_left") == (
        ("motor", 4, "KH-8.02"),
        ("spent before", -first.cost, "KH-8.10"),
        ("this connector", -second.cost, "KH-8.10"),
    )
    assert {rule for _, _, rule in (*steps_of(first, "cost"), *steps_of(second, "cost"))} <= {"KH-8.09", "KH-4.02"}


@pytest.mark.rule("KH-10.01", "KH-10.03", "KH-11.02", "KH-R90")
def test_supply_check_lists_enemy_areas_on_the_line(new_case: NewCase) -> None:
    case = new_case(
        "15_pz_div tobruk; 7_armd_bde assembly_area", at="start.supply", control="axis: tobruk; allies: el_adem"
    )
    checked = case.play().one(events.SupplyChecked, side=AXIS)
    assert checked.cut == ["15_pz_div"]
    assert ("el_adem: the enemy's", 1, "KH-11.02") in steps_of(checked, "bars.15_pz_div")
    assert seen(case, checked, ALLIES) is None


@pytest.mark.rule("KH-10.03", "KH-R90", "KH-6.08")
@pytest.mark.parametrize("reported", [True, False])
def test_supply_check_names_reported_enemies_only(new_case: NewCase, reported: bool) -> None:
    def set_reports(state: KhamsinState) -> None:
        state.control |= dict.fromkeys(state.control, AXIS)
        state.reports[AXIS] = Report(1, ["el_adem"] if reported else [])

    case = new_case("15_pz_div tobruk; inf_cw el_adem", at="start.supply", tweak=set_reports)
    checked = case.play().one(events.SupplyChecked, side=AXIS)
    assert checked.cut == ["15_pz_div"]
    there = (("el_adem: enemies are there", 1, "KH-R90"),)
    assert steps_of(checked, "bars.15_pz_div") == (there if reported else ())


@pytest.mark.rule("KH-10.04")
def test_supply_check_counts_turns_of_used_up_stocks() -> None:
    (area, turns), *_ = board("crusader").stocks.items()
    (side,) = board("crusader").supply[area]
    piece = next(each for each, card in board("crusader").formations.items() if card.side == side and card.strength)
    state = position({piece: area}, "crusader")
    for near in board("crusader").neighbors[area]:
        state.control[near] = ENEMY[side]
    for _ in range(turns + 1):
        happened = run(state, check_supply(state))
    (checked,) = [each for each in of(happened, events.SupplyChecked) if each.side == side]
    assert steps_of(checked, area) == (("turns before", turns, "KH-10.04"), ("this turn", 1, "KH-10.04"))
    assert (f"{area}: its stocks are used up", 1, "KH-10.04") in steps_of(checked, f"bars.{piece}")


@pytest.mark.rule("KH-12.06", "KH-12.08", "KH-R27")
def test_mission_cites_its_table_cell(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, dice={"type:sidi_rezegh": "5"}, actions_per_engagement="by_strength")
    cell, number = case.one(battle.MissionSet).calculations or ()
    assert cell == Calculation("mission", table=("engagement_types", "5", "stationary"))
    assert number.steps == (("companies of the weaker force, 4 at most", 2, "KH-R27"),)


@pytest.mark.rule("KH-21.04", "KH-21.05", "KH-21.06", "KH-21.07", "KH-21.08", "KH-21.09")
def test_x32_attrition_is_itemized_by_platoon(new_case: NewCase) -> None:
    lost = {
        "afv.0": Loss(destroyed=4, lost=True),
        "light_afv.0": Loss(destroyed=3, lost=True),
        "infantry.0": Loss(destroyed=4),
        "gun.0": Loss(destroyed=4, lost=True),
    }
    reported = losses("axis", "4-3", axis=lost, recovery={AXIS: (1, 1, 1, 1, 1, 6, 6)})
    case = at_sidi_rezegh(new_case, field(AXIS, "15_pz_div panzer"), reported)
    counted = case.one(battle.ActionCounted, side=AXIS)
    armor, general = steps_of(counted, "armor"), steps_of(counted, "general")
    assert [(amount, rule) for _, amount, rule in armor] == [
        (4, "KH-21.04"), (2, "KH-21.05"), (1, "KH-21.06"), (-2, "KH-22.04"),
    ]  # fmt: skip
    assert sorted((amount, rule) for _, amount, rule in general) == [(1, "KH-21.07"), (3, "KH-21.06"), (3, "KH-21.08")]
    platoons = case.briefs()[0].platoons(AXIS)
    assert {what.split()[0] for what, _, _ in (*armor[:3], *general)} <= set(platoons)


@pytest.mark.rule("KH-22.02", "KH-22.03", "KH-22.04")
def test_x31_recovery_depends_on_control_of_the_area(new_case: NewCase) -> None:
    lost = {"afv.0": Loss(destroyed=4, lost=True), "afv.1": Loss(destroyed=2)}
    dice = {"recovery:*": "1+4+5+6+5+2"}
    case = at_sidi_rezegh(new_case, field(AXIS, "15_pz_div panzer"), losses("axis", "4-3", axis=lost), dice=dice)
    found = case.one(battle.VehiclesRecovered)
    assert steps_of(found, "needs") == (("usually", 6, "KH-22.02"), ("in control of the area", -1, "KH-22.03"))
    assert steps_of(found, "recovered") == (("dice that show it", 3, "KH-22.04"),)
    (roll,) = [each for each in case.game.records if isinstance(each, RollRecord) and "recovery:axis" in each.label]
    assert len(roll.units) == 6
    assert sorted(map(roll.units.count, set(roll.units))) == [2, 4]


@pytest.mark.rule("KH-19.10", "KH-R63")
@pytest.mark.parametrize(("choice", "armor", "general"), [("general", 0, 9), ("armor", 9, 0), ("split_evenly", 4, 5)])
def test_x35_precipitous_withdrawal_itemizes_both_ledgers(
    new_case: NewCase, choice: str, armor: int, general: int
) -> None:
    withdrawal = leaves(AXIS, "precipitous", "15_pz_div")
    case = at_sidi_rezegh(new_case, withdrawal, dice={"withdrawal:15_pz_div": "3+5"}, precip_attrition_type=choice)
    found = case.one(battle.FormationWithdrew)
    rolled: Steps = (("die", 3, "KH-19.10"), ("die", 5, "KH-19.10"), ("and one", 1, "KH-19.10"))
    assert (found.armor, found.general) == (armor, general)
    for name, points in (("armor", armor), ("general", general)):
        rest = (("in the other ledger", points - 9, "KH-R63"),) if points < 9 else ()
        assert steps_of(found, name) == ((*rolled, *rest) if points else ())


@pytest.mark.rule("KH-5.04", "KH-5.06")
def test_replacements_cost_double_for_a_moving_formation(new_case: NewCase) -> None:
    case = new_case("15_pz_div gambut armor=6 general=6; 21_pz_div gambut armor=6", at="start.supply")
    case.play(share(AXIS, f15_pz_div="1/0 moving", f21_pz_div="1/0"))
    moving = case.one(events.ReplacementsGiven, formation="15_pz_div")
    assert steps_of(moving, "paid_armor") == (
        ("armor attrition", 1, "KH-5.04"),
        ("as much again, moving", 1, "KH-5.06"),
    )
    holding = case.one(events.ReplacementsGiven, formation="21_pz_div")
    assert steps_of(holding, "paid_armor") == (("armor attrition", 1, "KH-5.04"),)


@pytest.mark.rule("KH-25.01", "KH-25.02")
def test_medals_cite_the_condition_that_decided(new_case: NewCase) -> None:
    held = {"side": "axis", "kind": "area", "area": "tobruk", "text": "Tobruk has fallen."}
    case = new_case("15_pz_div el_adem; 7_armd_bde gabr_saleh", changes={"victory.conditions": [held]})
    case.turn(axis="15_pz_div tobruk")
    last = case.one(events.MedalsAwarded)
    assert steps_of(last, "condition.0.axis") == (("Tobruk has fallen.", 1, "KH-25.01"),)


@pytest.mark.rule("KH-25.03", "KH-R111")
def test_medals_itemize_the_final_score_by_area(new_case: NewCase) -> None:
    points: dict[str, Any] = {"victory.score": {"tobruk": 1, "el_adem": 3, "sollum": 2}, "victory.ineffective": 2}
    where = "15_pz_div gambut; 7_armd_bde base armor=120"
    control = "axis: tobruk el_adem; allies: sollum"
    last = new_case(where, turn=10, changes=points, control=control).turn().one(events.MedalsAwarded)
    axis, allies = steps_of(last, "points.axis"), steps_of(last, "points.allies")
    assert set(axis[:2]) == {("tobruk", 1, "KH-R111"), ("el_adem", 3, "KH-R111")}
    assert ("sollum", 2, "KH-R111") in allies
    assert axis[2][0] == "enemy formations ineffective or gone"
    assert steps_of(last, "ahead") == (
        ("axis", sum(amount for _, amount, _ in axis), "KH-25.03"),
        ("allies", -sum(amount for _, amount, _ in allies), "KH-25.03"),
    )


@pytest.mark.rule("KH-6.08")
def test_enemy_sees_no_calculations_of_strength_or_points(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, panzer="armor=16")
    advantage, briefed = case.one(battle.AdvantageReckoned), case.events(battle.BattleBriefed)[0]
    for event in (advantage, briefed):
        names = {each.name for each in event.calculations or ()}
        assert any(name.endswith(".axis") for name in names)
        visible = {each.name for each in seen(case, event, ALLIES).calculations}
        assert visible == {name for name in names if not name.endswith(".axis")}
    assert "afv_less.15_pz_div.axis" in {each.name for each in briefed.calculations or ()}
    assert seen(case, advantage, "umpire") == advantage


@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize("module", ["teaching", "crusader"])
def test_public_calculations_name_no_formation(module: str) -> None:
    prepared, game = played(module)
    pieces = pieces_of(game)
    for record in game.records:
        event = getattr(record, "event", None)
        if not isinstance(record, EventRecord) or isinstance(event, prepared.ruleset.secret_events):
            continue
        words = [word for each in getattr(event, "calculations", ()) or () for word in _words(each)]
        assert pieces.isdisjoint(words), event


def _words(calculation: Calculation) -> list[str]:
    texts = [calculation.name, *calculation.table, *(what for what, _, _ in calculation.steps)]
    return [word for text in texts for word in text.replace(",", " ").replace(".", " ").split()]


OPTIONS: list[dict[str, str]] = [
    {},
    {
        "actions_per_engagement": "3",
        "strength_caps_actions": "yes",
        "adv_tiers": "cumulative",
        "precip_attrition_type": "split_evenly",
        "unfielded_attrition": "share_average",
        "avg_round_scope": "total",
        "activation_stack": "worst_only",
        "oos_removed": "base_area",
        "leader_alone": "captured_on_1_3",
        "afv_count": "destroyed_only",
    },
    {
        "large_engagements": "by_agreement",
        "actions_per_engagement": "player_pairs",
        "repl_commit": "refund_half",
        "avg_round": "nearest",
        "linked_conflict": "draw",
        "small_table": "yes",
    },
]


def rule_ids() -> set[str]:
    rows = tomllib.loads((khamsin.HOME / "rules.toml").read_text())["rule"]
    return {row["id"] for row in rows}


MODULES, SEEDS = ("teaching", "fixture", "crusader"), ("wadi", "dune")


@pytest.mark.full
@pytest.mark.parametrize("options", OPTIONS, ids=["usual", "other", "large"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("module", MODULES)
def test_every_figure_equals_the_sum_of_its_steps(module: str, seed: str, options: dict[str, str]) -> None:
    _, game = played(module, seed, **options)
    known = rule_ids()
    for event in figures_of(game):
        expected = FIGURES[type(event)](event)
        if event.calculations is UNSET:
            assert not any(expected.values()), event
            continue
        found = {each.name: each.total for each in event.calculations if each.steps}
        assert len({each.name for each in event.calculations}) == len(event.calculations)
        for name, figure in expected.items():
            assert found.get(name, 0) == figure, (name, event)
        assert {rule for each in event.calculations for _, _, rule in each.steps} <= known
        assert all(all(each.table) for each in event.calculations)


@pytest.mark.full
def test_sample_campaigns_contain_every_kind_of_figure() -> None:
    games = [played(module, seed, **each)[1] for module, seed, each in product(MODULES, SEEDS, OPTIONS)]
    assert {type(event) for game in games for event in figures_of(game)} == set(FIGURES)
