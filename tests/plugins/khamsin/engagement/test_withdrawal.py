"""Withdrawals (KH-19): fighting, precipitous, of reconnaissance, and of both sides."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import (
    ALLIES,
    AXIS,
    Answer,
    NewCase,
    attacked,
    field,
    fighting,
    fought,
    leaves,
    let_go,
    result,
    retreats,
)
from tests.plugins.khamsin.procedures import BOTH, HERE, duel, engaged, of, position, run

from khamsin.engagement.withdrawal import meet, withdraw_space
from khamsin.model.battle_events import (
    AdvantageAssessed,
    EngagementDecided,
    FormationWithdrew,
    MissionSet,
    WithdrawalAllowed,
)
from khamsin.model.events import HonorGained
from khamsin.model.orders import LetGo, Withdraw


@pytest.mark.rule("KH-19.01", "KH-19.09", "KH-19.14", "KH-R57", "KH-R63", "KH-R68")
def test_withdrawal_space_contains_every_legal_combination() -> None:
    places = {"15_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE}
    force = {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde", "recon_cw"]}
    state = position(places)

    def allowed(side: str, **facts: Any) -> set[str]:
        ways = [
            Withdraw(how, leaving, ledger)
            for how in ("stand", "fighting")
            for leaving in ({}, {"7_armd_bde": "precipitous"}, {"7_armd_bde": "recon"}, {"recon_cw": "recon"},
                            {"recon_cw": "precipitous"}, {"15_pz_div": "precipitous"})
            for ledger in ("general", "armor")
        ]  # fmt: skip
        space = withdraw_space(state, engaged(forces=force, **facts), side)
        return {f"{it.how} {dict(it.leaving)} {it.ledger}" for it in ways if space.is_legal(it)}

    usual = {
        f"{how} {leaving} general"
        for how in ("stand", "fighting")
        for leaving in ({}, {"7_armd_bde": "precipitous"}, {"recon_cw": "recon"}, {"recon_cw": "precipitous"})
    }
    assert allowed(ALLIES) == usual
    assert allowed(AXIS) == {
        f"{how} {leaving} general" for how in ("stand", "fighting") for leaving in ({}, {"15_pz_div": "precipitous"})
    }
    state.options = state.options | {"precip_attrition_type": "owner_choice"}
    assert allowed(ALLIES) == usual | {each.replace("general", "armor") for each in usual}
    state = position({**places, "21_pz_div": "gabr_saleh", "afrika_div": "el_adem"})
    state.control["gambut"] = "axis"
    state.formations["inf_cw"].area = ""
    state.options = state.options | {"retreat_dest": "not_enemy_controlled"}
    closed = withdraw_space(state, engaged(forces=force), ALLIES)
    refusal = closed.why_not(Withdraw("fighting"))
    assert refusal is not None
    assert (refusal.rule, refusal.reason.partition("no area")[2]) == (
        "KH-R68",
        " next to Sidi Rezegh is free for a withdrawal: the force must fight",
    )
    assert closed.is_legal(Withdraw())
    assert withdraw_space(state, engaged(forces=force, other="el_adem"), ALLIES).is_legal(Withdraw("fighting"))
    state.options = state.options | {"withdraw_noarea": "surrender"}
    assert withdraw_space(state, engaged(forces=force), ALLIES).is_legal(Withdraw("fighting"))


@pytest.mark.rule("KH-19.10", "KH-19.16", "KH-R63")
@pytest.mark.parametrize(
    ("choice", "ledger", "paid"),
    [
        ("general", "general", (0, 8)),
        ("armor", "general", (8, 0)),
        ("owner_choice", "armor", (8, 0)),
        ("owner_choice", "general", (0, 8)),
        ("split_evenly", "general", (4, 4)),
    ],
)
def test_precipitous_withdrawal_costs_two_dice_plus_1(choice: str, ledger: str, paid: tuple[int, int]) -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE}, precip_attrition_type=choice)
    state.engagements[HERE] = engaged(forces={AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde", "recon_cw"]})
    answers = {
        AXIS: Withdraw(),
        ALLIES: Withdraw(leaving={"7_armd_bde": "precipitous", "recon_cw": "recon"}, ledger=ledger),
    }
    happened = run(state, meet(state, state.engagements[HERE]), {"withdrawal:7_armd_bde": [3, 4]}, answers)
    left = [(each.formation, each.how, each.armor, each.general) for each in of(happened, FormationWithdrew)]
    assert left == [("7_armd_bde", "precipitous", *paid), ("recon_cw", "recon", 0, 3)]
    assert [(each.sides, each.rule) for each in of(happened, WithdrawalAllowed)] == [([ALLIES], "KH-19.09")]
    if choice == "split_evenly":
        odd = position(BOTH, precip_attrition_type=choice)
        odd.engagements[HERE] = duel()
        leave = {AXIS: Withdraw(), ALLIES: Withdraw(leaving={"7_armd_bde": "precipitous"})}
        (each,) = of(
            run(odd, meet(odd, odd.engagements[HERE]), {"withdrawal:7_armd_bde": [3, 5]}, leave), FormationWithdrew
        )
        assert (each.armor, each.general) == (4, 5)
        assert [sum_.total for sum_ in each.calculations] == [4, 5]


BOTH_WITHDRAW = (fighting(AXIS), fighting(ALLIES))


@pytest.mark.rule("KH-19.08", "KH-19.13", "KH-24.06", "KH-24.07", "KH-R62")
@pytest.mark.parametrize(
    ("answers", "rule", "staying", "honor"),
    [
        ((), "", "15_pz_div", []),
        (BOTH_WITHDRAW, "KH-19.13", "", ["Gary", "Bart"]),
        ((fighting(ALLIES), let_go(AXIS)), "KH-19.08", "15_pz_div", ["Bart"]),
        ((fighting(AXIS), let_go(ALLIES)), "KH-19.08", "7_armd_bde", ["Gary"]),
        ((fighting(AXIS), let_go(ALLIES, allowed=False)), "", "7_armd_bde", ["Gary"]),
    ],
)
def test_battle_is_skipped_if_both_withdraw_or_one_is_let_go(
    new_case: NewCase, answers: tuple[Answer, ...], rule: str, staying: str, honor: list[str]
) -> None:
    case = fought(attacked(new_case), *answers)
    assert [each.rule for each in case.events(WithdrawalAllowed)] == ([rule] if rule else [])
    assert len(case.briefs()) == (rule == "")
    asked = sum(isinstance(getattr(each, "order", None), LetGo) for each in case.game.records)
    assert asked == (len(honor) == 1)
    assert [each for each in ("15_pz_div", "7_armd_bde") if case.at(each) == HERE] == staying.split()
    assert case.control(HERE) == (ALLIES if staying == "7_armd_bde" else AXIS)
    paid = [(each.player, each.points) for each in case.events(HonorGained, rule="KH-24.06")]
    assert paid == [(player, -1) for player in honor]
    if rule:
        assert [(*case.ledger(each), case[each].regroup) for each in ("15_pz_div", "7_armd_bde")] == [(0, 0, False)] * 2
        assert sum(case.state.honor.values()) == -len(honor)


@pytest.mark.rule("KH-19.01", "KH-R58")
def test_both_sides_declare_withdrawal_before_the_mission(new_case: NewCase) -> None:
    case = fought(attacked(new_case), until=Withdraw)
    assert sorted(each.side for each in case.pending) == [ALLIES, AXIS]
    assert all(each.secret for each in case.pending)
    assert case.events(MissionSet) == []


@pytest.mark.rule("KH-R58")
def test_withdrawal_may_be_declared_after_the_mission_roll(new_case: NewCase) -> None:
    case = fought(attacked(new_case, withdraw_timing="before_companies"), until=Withdraw)
    assert case.rolls("type") == [(1,)]
    case.play(fighting(AXIS), result("axis", "4-3"))
    assert case.briefs()[0].mission.lower().replace("_", " ") == "fighting withdrawal"


@pytest.mark.rule("KH-19.02", "KH-19.03", "KH-19.05", "KH-19.06")
@pytest.mark.parametrize(("winner", "score"), [("axis", "6-1"), ("allies", "4-3")])
def test_fighting_withdrawal_is_fought_and_gives_up_the_area(new_case: NewCase, winner: str, score: str) -> None:
    case = fought(attacked(new_case), fighting(AXIS), result(winner, score), retreats(AXIS, f15_pz_div="gambut"))
    assert case.one(MissionSet).die == 0
    (brief,) = case.briefs()
    assert brief.mission.lower().replace("_", " ") == "fighting withdrawal"
    assert (brief.defender, brief.attacker, brief.withdrawing) == ("axis", "allies", "axis")
    assert case.control("sidi_rezegh") == "allies"
    assert case.at("15_pz_div", "7_armd_bde") == "gambut sidi_rezegh"


EVEN = (result("axis", "4-3", axis="5/3", allies="7/1"), result("allies", "4-3", axis="5/3", allies="7/1"))


@pytest.mark.rule("KH-R61", "KH-R60", "KH-19.04", "KH-19.05")
@pytest.mark.parametrize(
    ("choice", "score", "axis", "allies"),
    [  # (3 + 5) / 2, (2 + 3) / 2; (4 + 7) / 2
        ("each_action", "4-3", (4, 3), (6, 1)),
        ("no_halving", "4-3", (5, 3), (7, 1)),
        ("each_action", "5-2", (4, 3), (6, 1)),
        ("no_halving", "5-2", (4, 3), (6, 1)),
    ],
)
@pytest.mark.parametrize("withdrawing", [AXIS, ALLIES])
def test_winner_of_each_action_takes_half_unless_points_are_even(
    new_case: NewCase, withdrawing: str, choice: str, score: str, axis: tuple[int, int], allies: tuple[int, int]
) -> None:
    case = attacked(new_case, actions_per_engagement="2", fw_even=choice)
    fought(case, fighting(withdrawing), result("axis", score, axis="5/3", allies="7/1"), EVEN[1])
    assert case.ledger("15_pz_div") == axis
    assert case.ledger("7_armd_bde") == allies
    assert case.control("sidi_rezegh") == (ALLIES if withdrawing == AXIS else AXIS)
    assert not case["15_pz_div"].regroup
    assert not case["7_armd_bde"].regroup
    assert case.one(EngagementDecided).rule == "KH-19.05"


@pytest.mark.rule("KH-R61", "KH-R60")
@pytest.mark.parametrize(("choice", "first"), [("each_action", (3, 2)), ("no_halving", (5, 3))])
def test_even_withdrawal_halves_only_the_formation_that_won(
    new_case: NewCase, choice: str, first: tuple[int, int]
) -> None:
    case = attacked(new_case, more="21_pz_div sidi_rezegh", actions_per_engagement="2", fw_even=choice)
    fought(case, fighting(AXIS), field(AXIS, "15_pz_div panzer", "21_pz_div panzer"), *EVEN)
    assert case.ledger("15_pz_div") == first
    assert case.ledger("21_pz_div") == (5, 3)


PRECIPITOUS = leaves(AXIS, "precipitous", "15_pz_div")


@pytest.mark.rule("KH-R57", "KH-R64", "KH-R67")
def test_single_formation_leaves_and_the_rest_fights(new_case: NewCase) -> None:
    case = attacked(new_case, more="21_pz_div sidi_rezegh", dice={"withdrawal:15_pz_div": "1+1"})
    fought(case, PRECIPITOUS, result("axis", "6-1"))
    assert [each.formation for each in case.events(FormationWithdrew)] == ["15_pz_div"]
    assert [each.companies[0].parent for each in (case.briefs()[0].parties["axis"],)] == ["21_pz_div"]
    assert case.ledger("15_pz_div") == (0, 3)
    assert case.at("21_pz_div") == "sidi_rezegh"
    assert case.control("sidi_rezegh") == "axis"
    assert case["15_pz_div"].area != "sidi_rezegh"


@pytest.mark.rule("KH-R67", "KH-19.14", "KH-16.03")
def test_recon_leaves_before_strength_is_counted(new_case: NewCase) -> None:
    case = new_case(
        "7_armd_bde gabr_saleh; recon_cw gabr_saleh; 15_pz_div sidi_rezegh", dice={"activation:15_pz_div": "4"}
    )
    case.turn(leaves(ALLIES, "recon", "recon_cw"), axis="15_pz_div gabr_saleh")
    assert case.one(AdvantageAssessed).net == 1  # 3 against 2, not against 3


@pytest.mark.rule("KH-R65", "KH-19.12")
def test_precipitous_withdrawal_precedes_fighting_withdrawal(new_case: NewCase) -> None:
    case = fought(attacked(new_case, dice={"withdrawal:15_pz_div": "1+1"}), PRECIPITOUS, fighting(ALLIES))
    assert case.briefs() == []
    assert case.at("7_armd_bde") == "sidi_rezegh"
    assert case.control("sidi_rezegh") == "allies"
    assert case.ledger("7_armd_bde") == (0, 0)


@pytest.mark.rule("KH-R66", "KH-19.12")
def test_mutual_precipitous_withdrawal_costs_both_and_keeps_control(new_case: NewCase) -> None:
    case = attacked(new_case, dice={"withdrawal:15_pz_div": "1+1", "withdrawal:7_armd_bde": "2+2"})
    fought(case, PRECIPITOUS, leaves(ALLIES, "precipitous", "7_armd_bde"))
    assert (case.ledger("15_pz_div"), case.ledger("7_armd_bde")) == ((0, 3), (0, 5))
    assert case.control("sidi_rezegh") == "axis"
    assert "sidi_rezegh" not in case.at("15_pz_div", "7_armd_bde")


ENCLOSED = "15_pz_div tobruk; 7_armd_bde el_adem"


@pytest.mark.rule("KH-R68", "KH-19.01")
@pytest.mark.parametrize(("choice", "allowed"), [("must_fight", False), ("surrender", True)])
def test_enclosed_force_must_fight_or_surrenders_by_option(new_case: NewCase, choice: str, allowed: bool) -> None:
    where = f"{ENCLOSED}; inf_cw el_adem"
    dice = {"activation:7_armd_bde": "6"} | ({"withdrawal:*": "1+1"} if allowed else {})
    case = new_case(where, dice=dice, control="axis: tobruk", withdraw_noarea=choice)
    case.turn(allies="7_armd_bde tobruk", until=Withdraw)
    if not allowed:
        if case.expects(Withdraw, AXIS):
            assert case.why_not(AXIS, Withdraw("fighting")) == "KH-R68"
            assert case.why_not(AXIS, Withdraw("stand", {"15_pz_div": "precipitous"})) == "KH-R68"
        return
    case.play(leaves(AXIS, "precipitous", "15_pz_div"))
    assert case["15_pz_div"].standing == "lost"
