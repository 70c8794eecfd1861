"""Activation (KH-9): the number, its modifiers, and natural faces."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_changes
from tests.plugins.khamsin.cases import ALLIES, AT_REZEGH, AT_SALEH, AXIS, NewCase
from tests.plugins.khamsin.procedures import ordered, position

from khamsin.model.cards import LeaderCard
from khamsin.model.orders import Withdraw
from khamsin.model.state import ON_MAP, KhamsinState, Leader
from khamsin.movement.activation import activate, check, is_success, modifiers, roster


@pytest.mark.rule("KH-9.04", "KH-2.05", "KH-R118")
def test_attackers_roll_separately_and_only_the_activated_join(new_case: NewCase) -> None:
    case = new_case(
        f"{AT_REZEGH}; 21_pz_div sidi_rezegh; {AT_SALEH}",
        dice={"activation:15_pz_div": "4", "activation:21_pz_div": "3"},
    )
    case.turn(axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=Withdraw)
    assert len(case.rolls("activation")) == 2
    assert case.at("15_pz_div", "21_pz_div") == "gabr_saleh sidi_rezegh"
    assert case.state.engagements["gabr_saleh"].forces["axis"] == ["15_pz_div"]


def led(state: KhamsinState, *leaders: LeaderCard, at: str) -> None:
    """Put leaders on the map, all in one area."""
    state.place_board(replace(state.board, leaders={each.id: each for each in leaders}))
    state.leaders = {each.id: Leader(each.side, ON_MAP, at) for each in leaders}


@pytest.mark.rule(
    "KH-9.02",
    "KH-9.03",
    "KH-9.08",
    "KH-9.09",
    "KH-9.10",
    "KH-R06",
    "KH-R07",
    "KH-R08",
    "KH-R106",
    "KH-22.08",
    "KH-22.10",
    "KH-21.14",
    "KH-21.15",
    "KH-R84",
    "KH-10.07",
)
def test_activation_modifiers_follow_attrition_supply_and_leaders() -> None:
    state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    formation = state.formations["15_pz_div"]
    tired, worn = [("attrition_40", -1)], [("attrition_60", -2)]
    for armor, general, named in ((39, 0, []), (20, 20, tired), (59, 0, tired), (30, 30, worn)):
        formation.armor, formation.general = armor, general
        assert modifiers(state, "15_pz_div") == named
    formation.supplied = False
    assert modifiers(state, "15_pz_div") == [("out_of_supply", -1), ("attrition_60", -2)]
    state.options = state.options | {"activation_stack": "worst_only"}
    assert modifiers(state, "15_pz_div") == [("attrition_60", -2)]
    formation.armor = formation.general = 0
    assert modifiers(state, "15_pz_div") == [("out_of_supply", -1)]
    formation.supplied = True
    led(
        state, LeaderCard("chief", "", AXIS), LeaderCard("corps", "", AXIS, 2, "dak"),
        LeaderCard("strange", "", AXIS, 4, "xxx"), LeaderCard("a_foe", "", ALLIES, 3), LeaderCard("none", "", AXIS, 0),
        at="sidi_rezegh",
    )  # fmt: skip
    assert modifiers(state, "15_pz_div") == [("corps", 2)]
    state.options = state.options | {"leader_stack": "sum"}
    assert modifiers(state, "15_pz_div") == [("chief", 1), ("corps", 2)]
    state.leaders["corps"].standing = "dead"
    assert modifiers(state, "15_pz_div") == [("chief", 1)]
    state.options = state.options | {"leader_at": "destination"}
    assert modifiers(state, "15_pz_div", "gabr_saleh") == []
    assert modifiers(state, "15_pz_div") == [("chief", 1)]
    assert modifiers(state, "15_pz_div", "sidi_rezegh") == [("chief", 1)]
    ordered(state, AXIS, leaders={"chief": ["sidi_rezegh", "gambut", "gabr_saleh"]})
    assert modifiers(state, "15_pz_div", "gabr_saleh") == [("chief", 1)]
    assert modifiers(state, "15_pz_div", "gambut") == []


@pytest.mark.rule("KH-9.01", "KH-9.06", "KH-R05")
def test_activation_succeeds_on_its_number_or_a_natural_face() -> None:
    def wins(choice: str, die: int, total: int) -> bool:
        return is_success(position({}, activation_natural=choice), die, total, 4)

    for choice in ("none", "six_succeeds", "one_fails", "both"):
        assert [wins(choice, die, die) for die in (3, 4, 5)] == [False, True, True]
        assert wins(choice, 6, 3) is (choice in {"six_succeeds", "both"})
        assert wins(choice, 1, 4) is (choice not in {"one_fails", "both"})
    state = position({"15_pz_div": "sidi_rezegh"}, activation_natural="both")
    for die, plus, steps in ((6, -3, [6, -3, 0]), (1, 4, [1, 4, 0]), (6, 0, [6, 0]), (1, 0, [1, 0])):
        total, _ = check(state, "15_pz_div", [("x", plus)], ("total", die, "KH-9.01"))
        assert [step[1] for step in total.steps] == steps
    state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    for die, activated in ((3, False), (4, True)):
        rolled = activate(state, "15_pz_div", "gabr_saleh", die)
        assert (rolled.activated, rolled.needs, rolled.total, rolled.rule) == (
            activated, 4, die, "KH-9.01" if activated else "KH-9.06",
        )  # fmt: skip
    state.formations["part"] = with_changes(state.formations["15_pz_div"], parent="15_pz_div")
    assert roster(state, AXIS) == ["15_pz_div", "21_pz_div", "afrika_div", "part"]
