"""Areas in supply compared with networkx on random maps; sources, stocks and obstacles of a line."""

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.oracle.figures import steps_of
from tests.plugins.khamsin.procedures import of, position, run

from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.events import FormationDisabled, FormationLost, SupplyChecked, SurrenderChecked
from khamsin.supply.supply import sources, stocks_now, supplied_areas
from khamsin.turn.supply import check_supply

BOARD = board("crusader")


@pytest.mark.full
@pytest.mark.rule("KH-10.02", "KH-10.03", "KH-11.02", "KH-R90", "KH-R91")
@given(
    owners=st.lists(st.sampled_from(SIDES), min_size=len(BOARD.areas), max_size=len(BOARD.areas)),
    enemies=st.lists(st.sampled_from(BOARD.areas), max_size=6),
    choice=st.sampled_from(["control_and_unoccupied", "control_only"]),
    side=st.sampled_from(SIDES),
)
def test_supplied_areas_match_a_path_search(owners: list[str], enemies: list[str], choice: str, side: str) -> None:
    theirs = [each for each, card in BOARD.formations.items() if card.side == ENEMY[side] and card.strength]
    state = position(dict(zip(theirs, enemies, strict=False)), "crusader", supply_trace=choice)
    state.control = dict(zip(BOARD.areas, owners, strict=True))
    barred = set(enemies) if choice == "control_and_unoccupied" else set()
    graph = BOARD.map.as_networkx()
    clear = {area for area, owner in state.control.items() if owner == side and area not in barred}
    sources = [each for each, of_ in BOARD.supply.items() if side in of_]

    def has_line(start: str) -> bool:
        ground = graph.subgraph(clear | {start})
        return any(each in clear and nx.has_path(ground, start, each) for each in sources)

    expected = {area for area in BOARD.areas if area in sources or has_line(area)}
    assert supplied_areas(state, side) == expected


@pytest.mark.rule("KH-10.04")
def test_stocks_last_for_the_turns_of_the_module() -> None:
    (area, turns), *_ = BOARD.stocks.items()
    (side,) = BOARD.supply[area]
    piece = next(each for each, card in BOARD.formations.items() if card.side == side and card.strength)
    state = position({piece: area}, "crusader")
    assert stocks_now(state, side) == {}
    for other in BOARD.neighbors[area]:
        state.control[other] = ENEMY[side]
    for turn in range(1, turns + 3):
        checked = next(each for each in of(run(state, check_supply(state)), SupplyChecked) if each.side == side)
        assert state.stocks == {f"{side}:{area}": turn}
        assert (area in supplied_areas(state, side)) == (turn <= turns)
        count = (("previous turns", turn - 1, "KH-10.04"), ("this turn", 1, "KH-10.04"))
        assert steps_of(checked, area) == count[turn == 1 :]
        used_up = (f"{area}: its stocks are used up", 1, "KH-10.04") in steps_of(checked, f"bars.{piece}")
        assert used_up == (turn > turns)
    state.control.update(BOARD.control)
    run(state, check_supply(state))
    assert state.stocks == {}


@pytest.mark.rule("KH-10.11", "KH-10.12", "KH-10.13", "KH-R87", "KH-R88", "KH-R05")
@pytest.mark.parametrize(("choice", "kind"), [("permanent", FormationLost), ("base_area", FormationDisabled)])
def test_surrender_is_first_checked_at_the_4th_unsupplied_start(choice: str, kind: type) -> None:
    state = position({"15_pz_div": "tobruk"}, oos_removed=choice)
    state.control["el_adem"] = "allies"
    for _ in range(3):
        happened = run(state, check_supply(state))
        assert [each.cut for each in of(happened, SupplyChecked)] == [["15_pz_div"], []]
        assert not of(happened, SurrenderChecked)
    happened = run(state, check_supply(state), {"surrender:15_pz_div": [5]})  # 5 - 1 is the 4 that it needs
    assert of(happened, SurrenderChecked)[0].held
    state.formations["15_pz_div"].general = 40
    happened = run(state, check_supply(state), {"surrender:15_pz_div": [5, 4]})
    checked = of(happened, SurrenderChecked)[0]
    assert (checked.dice, checked.held) == ([5, 4], False)
    assert len(of(happened, kind)) == 1
    assert state.formations["15_pz_div"].general == (40 if choice == "permanent" else 120)


@pytest.mark.rule("KH-10.03", "KH-11.02", "KH-R90")
@pytest.mark.parametrize(
    ("control", "enemy", "trace", "supplied"),
    [
        ("", "gabr_saleh", "control_and_unoccupied", True),  # Bir el Gubi - El Adem - Sidi Rezegh - Gambut
        ("allies: el_adem", "gabr_saleh", "control_and_unoccupied", False),
        ("", "sidi_rezegh", "control_and_unoccupied", False),
        ("", "sidi_rezegh", "control_only", True),
        ("allies: bir_el_gubi", "gabr_saleh", "control_and_unoccupied", True),  # its own area may be hostile
        ("allies: gambut", "gabr_saleh", "control_only", False),  # a lost supply area supplies no formation
    ],
)
def test_supply_line_requires_areas_free_of_the_enemy(
    new_case: NewCase, control: str, enemy: str, trace: str, supplied: bool
) -> None:
    where = f"15_pz_div bir_el_gubi; 7_armd_bde {enemy}"
    case = new_case(where, at="start.supply", control=control, supply_trace=trace).play()
    assert case["15_pz_div"].supplied is supplied
    assert case["15_pz_div"].cut == (0 if supplied else 1)


@pytest.mark.rule("KH-10.01", "KH-10.04", "KH-11.02", "KH-R90", "KH-10.03", "KH-6.08")
def test_supply_check_lists_known_obstacles_by_area() -> None:
    state = position({"15_pz_div": "tobruk", "21_pz_div": "gambut", "7_armd_bde": "el_adem", "inf_cw": "bir_el_gubi"})
    state.control |= {"tobruk": AXIS, "bir_el_gubi": ALLIES}
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert checked.cut == ["15_pz_div"]
    assert checked.stocks == {}
    assert not checked.calculations  # the formation at El Adem is not reported
    state.reports[AXIS].occupied = ["el_adem"]
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert [(each.name, each.steps) for each in checked.calculations] == [
        ("bars.15_pz_div", (("el_adem: occupied by enemies", 1, "KH-R90"),))
    ]
    state.control["el_adem"] = ALLIES
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert [each.steps for each in checked.calculations] == [(("el_adem: controlled by the enemy", 1, "KH-11.02"),)]
    state.formations["15_pz_div"].area, state.formations["15_pz_div"].cut = "el_adem", 0
    state.formations["7_armd_bde"].area = "sidi_rezegh"
    state.reports[AXIS].occupied = ["sidi_rezegh", "tobruk"]
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert [each.steps for each in checked.calculations] == [
        (("bir_el_gubi: controlled by the enemy", 1, "KH-11.02"), ("sidi_rezegh: occupied by enemies", 1, "KH-R90"))
    ]


@pytest.mark.rule("KH-10.02", "KH-10.04")
def test_supply_sources_follow_events_and_count_stocks() -> None:
    state = position({})
    assert (sources(state, AXIS), sources(state, ALLIES)) == (["gambut"], ["assembly_area", "tobruk"])
    state.supply_on, state.supply_off = ["axis:sollum", "allies:el_adem"], ["axis:gambut", "axis:tobruk"]
    assert (sources(state, AXIS), sources(state, ALLIES)) == (["sollum"], ["assembly_area", "el_adem", "tobruk"])
    state.place_board(replace(state.board, stocks={"sollum": 2}))
    assert stocks_now(state, AXIS) == {"sollum": 1}
    state.stocks = {"axis:sollum": 1, "allies:sollum": 7}
    assert stocks_now(state, AXIS) == {"sollum": 2}
    assert "sollum" in supplied_areas(state, AXIS, {"sollum": 2})
    assert supplied_areas(state, AXIS, {"sollum": 3}) == frozenset()
    state.supply_on.append("axis:fort_capuzzo")
    assert stocks_now(state, AXIS) == {}  # it is connected by road to a source without limit
    state.control["fort_capuzzo"] = ALLIES
    assert stocks_now(state, AXIS) == {"sollum": 2}
