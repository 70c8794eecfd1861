"""Calculations of events: the worked examples step by step, and the parts that an enemy sees."""

import tomllib
from itertools import product
from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, NewCase, at_sidi_rezegh, share
from tests.plugins.khamsin.games import played
from tests.plugins.khamsin.oracle.figures import FIGURES, figures_of, pieces_of, steps_of

import khamsin
from khamsin.model import battle_events as battle
from khamsin.model import events
from sandtable.kernel.events import UNSET, Calculation
from sandtable.kernel.records import EventRecord, RollRecord


def seen(case: Case, event: Any, side: str) -> Any:
    return case.prepared.ruleset.visible(event, side)


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
        ("spent earlier", -first.cost, "KH-8.10"),
        ("this connector", -second.cost, "KH-8.10"),
    )
    assert {rule for _, _, rule in (*steps_of(first, "cost"), *steps_of(second, "cost"))} <= {"KH-8.09", "KH-4.02"}


@pytest.mark.rule("KH-12.06", "KH-12.08", "KH-R27")
def test_mission_cites_its_table_cell(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, dice={"type:sidi_rezegh": "5"}, actions_per_engagement="by_strength")
    cell, number = case.one(battle.MissionSet).calculations or ()
    assert cell == Calculation("mission", table=("engagement_types", "5", "stationary"))
    assert number.steps == (("companies of the weaker force, maximum 4", 2, "KH-R27"),)


@pytest.mark.rule("KH-5.04", "KH-5.06")
def test_replacements_cost_double_for_a_moving_formation(new_case: NewCase) -> None:
    case = new_case("15_pz_div gambut armor=6 general=6; 21_pz_div gambut armor=6", at="start.supply")
    case.play(share(AXIS, f15_pz_div="1/0 moving", f21_pz_div="1/0"))
    moving = case.one(events.ReplacementsGiven, formation="15_pz_div")
    assert steps_of(moving, "paid_armor") == (
        ("armor attrition", 1, "KH-5.04"),
        ("doubled, moving", 1, "KH-5.06"),
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
    advantage, briefed = case.one(battle.AdvantageAssessed), case.events(battle.BattleBriefed)[0]
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
