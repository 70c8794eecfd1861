"""The start of a turn: scheduled changes, supply checks (KH-10), surrender, return to the map."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase
from tests.plugins.khamsin.procedures import of, position, run, scheduled

from khamsin.model import events, orders
from khamsin.model.cards import Change
from khamsin.model.events import (
    ControlChanged,
    FormationDisabled,
    FormationLost,
    FormationReturned,
    SituationChanged,
    SurrenderChecked,
)
from khamsin.model.state import IN_BASE, ON_MAP
from khamsin.turn.supply import check_supply


@pytest.mark.rule("KH-3.02", "KH-10.01", "KH-10.04", "KH-10.02")
def test_supply_area_supplies_its_formations_at_turn_start(new_case: NewCase) -> None:
    case = new_case("15_pz_div gambut; inf_cw tobruk supplied=no", at="start.supply", control="axis: tobruk").play()
    assert [(each.side, each.cut) for each in case.events(events.SupplyChecked)] == [("axis", []), ("allies", [])]
    assert case["15_pz_div"].supplied
    assert case["inf_cw"].supplied


@pytest.mark.rule("KH-R92", "KH-10.01")
def test_supply_state_changes_only_at_turn_start(new_case: NewCase) -> None:
    case = new_case("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:15_pz_div": "4"})
    case.turn(axis="15_pz_div gabr_saleh", until=orders.Withdraw)
    assert case["15_pz_div"].supplied
    case = new_case("21_pz_div el_adem cut=1 supplied=no; 15_pz_div gambut", turn=2)
    case.turn(axis="21_pz_div sidi_rezegh")  # it moves as leg until a turn begins in supply
    assert case["21_pz_div"].supplied
    assert case["21_pz_div"].cut == 0


@pytest.mark.rule("KH-2.04")
def test_scheduled_control_change_skips_areas_with_enemies() -> None:
    changes = (
        Change(2, "control", "a", AXIS, "gabr_saleh"),
        Change(2, "control", "b", AXIS, "assembly_area"),
        Change(2, "control", "c", AXIS, "gambut"),
        Change(2, "weather", "d", weather="rain"),
        Change(2, "air", "e", ALLIES, level="priority"),
    )
    state = scheduled(position({"7_armd_bde": "assembly_area"}), *changes)
    state.turn = 1
    assert not of(run(state, check_supply(state)), SituationChanged)
    state.turn = 2
    happened = run(state, check_supply(state))
    changed = [(each.kind, each.side, each.area, each.value, each.text) for each in of(happened, SituationChanged)]
    assert changed == [
        ("control", AXIS, "gabr_saleh", "", "a"),
        ("control", AXIS, "assembly_area", "", "b"),
        ("control", AXIS, "gambut", "", "c"),
        ("weather", "", "", "rain", "d"),
        ("air", ALLIES, "", "priority", "e"),
    ]
    assert [(each.area, each.rule) for each in of(happened, ControlChanged)] == [("gabr_saleh", "KH-2.04")]


@pytest.mark.rule("KH-10.11", "KH-10.12", "KH-10.13", "KH-R87", "KH-R88", "KH-R89", "KH-10.14")
def test_surrender_is_checked_by_each_formation_or_the_best() -> None:
    places = {"15_pz_div": "tobruk", "21_pz_div": "tobruk", "afrika_div": "tobruk", "7_armd_bde": "el_adem"}

    def checks(dice: dict[str, list[int]], **options: Any) -> tuple[list[tuple[str, list[int], bool]], list[str]]:
        state = position(places, **options)
        state.control |= {"tobruk": AXIS, "el_adem": ALLIES}
        for name, turns in (("15_pz_div", 3), ("21_pz_div", 2), ("afrika_div", 3)):
            state.formations[name].cut, state.formations[name].supplied = turns, False
        happened = run(state, check_supply(state), dice)
        found = [(each.formation, each.dice, each.held) for each in of(happened, SurrenderChecked)]
        return found, [each.formation for each in of(happened, FormationLost) + of(happened, FormationDisabled)]

    # 15th Panzer needs 4 and the Afrika Division 5, plus 1 without supply
    each = checks({"surrender:15_pz_div": [4, 5], "surrender:afrika_div": [5, 5]})
    assert each == ([("15_pz_div", [4, 5], True), ("afrika_div", [5, 5], False)], ["afrika_div"])
    best: dict[str, Any] = {"oos_check_unit": "best_in_force"}
    assert checks({"surrender:15_pz_div": [5]}, **best) == ([("15_pz_div", [5], True)], [])
    lost = checks({"surrender:15_pz_div": [4, 4]}, **best)
    assert lost == ([("15_pz_div", [4, 4], False)], ["15_pz_div", "afrika_div"])
    assert checks({"surrender:15_pz_div": [1, 1]}, **best, oos_removed="base_area")[1] == ["15_pz_div", "afrika_div"]


@pytest.mark.rule("KH-R87", "KH-22.13", "KH-22.15", "KH-R86")
def test_disabled_formation_reaches_the_limit_and_returns_below_it() -> None:
    for armor, general, more in ((0, 0, 120), (30, 20, 70), (100, 40, 0)):
        state = position({"15_pz_div": "tobruk"}, oos_removed="base_area")
        state.control |= {"tobruk": AXIS, "el_adem": ALLIES}
        formation = state.formations["15_pz_div"]
        formation.cut, formation.supplied, formation.armor, formation.general = 3, False, armor, general
        (out,) = of(run(state, check_supply(state), {"surrender:15_pz_div": [1, 1]}), FormationDisabled)
        assert (out.general, out.base, out.rule) == (more, "gambut", "KH-R87")
        assert [step[1] for step in out.calculations[0].steps] == [120, more - 120]
        assert not of(run(state, check_supply(state)), FormationReturned)
        formation.general -= 1 if not (armor + general > 120) else 21
        for area, holder, enemy, back in (
            ("gambut", ALLIES, "", False), ("gambut", AXIS, "7_armd_bde", False), ("gambut", AXIS, "", True),
        ):  # fmt: skip
            state.control[area] = holder
            state.formations["7_armd_bde"].standing = ON_MAP if enemy else "lost"
            state.formations["7_armd_bde"].area = area
            returned = of(run(state, check_supply(state)), FormationReturned)
            assert [(it.formation, it.area) for it in returned] == [("15_pz_div", area)] * back
        assert formation.standing != IN_BASE
