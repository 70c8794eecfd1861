"""Which paths may be ordered: against walks counted by hand from the map, and the refusals one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.rooms import position

from khamsin.model.orders import WriteOrders
from khamsin.movement.orders_sheet import orders_space
from khamsin.movement.paths import formation_path, leader_path
from sandtable.kernel.dice import Stream

POINTS = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}


def walks(name: str, start: str, mobility: str, points: int) -> set[tuple[str, ...]]:
    """Return every walk that the points pay for, and of the dearer ones those of one connector (KH-8.10, KH-8.11)."""
    the_board = board(name)
    graph = the_board.map.as_networkx()
    found: set[tuple[str, ...]] = {(start,)}
    waiting: list[tuple[tuple[str, ...], int]] = [((start,), 0)]
    while waiting:
        walk, spent = waiting.pop()
        for near in graph[walk[-1]]:
            price = spent + the_board.cost[graph[walk[-1]][near]["kind"]][mobility]
            if price <= points or len(walk) == 1:
                found.add((*walk, near))
                waiting.append(((*walk, near), price))
    return found


@pytest.mark.rule("KH-8.01", "KH-8.02", "KH-8.03", "KH-8.04", "KH-8.10", "KH-8.11")
@pytest.mark.parametrize("name", ["fixture", "crusader"])
def test_paths_are_the_walks_that_can_be_paid_for(name: str) -> None:
    the_board = board(name)
    for formation_id, card in the_board.formations.items():
        start = (card.start or card.entries)[0]
        space = formation_path(position({formation_id: start}, name), formation_id)
        if card.held_until > 1:
            assert list(space.values()) == [[start]]
        else:
            found = [tuple(path) for path in space.values()]
            assert len(found) == len(set(found))
            assert set(found) == walks(name, start, card.mobility, POINTS[card.mobility])


@pytest.mark.rule("KH-8.12", "KH-10.06")
def test_out_of_supply_it_goes_on_foot() -> None:
    state = position({"15_pz_div": "sidi_rezegh"})
    state.formations["15_pz_div"].supplied = False
    space = formation_path(state, "15_pz_div")
    assert {tuple(path) for path in space.values()} == walks("fixture", "sidi_rezegh", "leg", 1)


@pytest.mark.rule("KH-8.15")
def test_a_leader_moves_like_reconnaissance() -> None:
    state = position({"rommel": "el_adem"})
    assert {tuple(path) for path in leader_path(state, "rommel").values()} == walks("fixture", "el_adem", "recon", 6)


REFUSED = [
    ({}, ["gambut", "sollum"], "KH-8.10", "starts in sidi_rezegh"),
    ({}, ["sidi_rezegh", "tobruk"], "KH-8.10", "not next to"),
    ({}, ["sidi_rezegh", "el_adem", "bir_el_gubi", "gabr_saleh"], "KH-8.10", "would spend 6"),
    ({"regroup": True, "supplied": False}, ["sidi_rezegh", "el_adem"], "KH-20.05", "must regroup"),
    ({"mark": "stationary"}, ["sidi_rezegh", "el_adem"], "KH-R94", "marked as stationary"),
]


@pytest.mark.rule("KH-3.06", "KH-8.10", "KH-20.05", "KH-R94")
@pytest.mark.parametrize(("marks", "path", "rule", "reason"), REFUSED)
def test_what_may_not_be_ordered(marks: dict[str, Any], path: list[str], rule: str, reason: str) -> None:
    state = position({"15_pz_div": "sidi_rezegh"})
    for name, value in marks.items():
        setattr(state.formations["15_pz_div"], name, value)
    refusal = orders_space(state, "axis").why_not(WriteOrders({"15_pz_div": path}))
    assert refusal is not None
    assert (refusal.rule, reason in refusal.reason) == (rule, True), refusal


@pytest.mark.rule("KH-3.06")
def test_an_enemy_formation_is_as_unknown_as_any_name() -> None:
    state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    told = [orders_space(state, "axis").why_not(WriteOrders({name: ["x"]})) for name in ("7_armd_bde", "nobody")]
    reasons = [refusal.reason.partition(": ")[2] for refusal in told if refusal]
    assert reasons == ["no formation of this side has this name"] * 2


@pytest.mark.rule("KH-8.15", "KH-6.07")
def test_a_leader_among_the_formations_is_told_from_a_stranger_by_its_own_side_only() -> None:
    state = position({"15_pz_div": "sidi_rezegh", "rommel": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    order = WriteOrders({"rommel": ["sidi_rezegh", "el_adem"]})
    told = {side: orders_space(state, side).why_not(order) for side in ("axis", "allies")}
    assert "is a leader: leaders have a sheet of their own" in str(told["axis"])
    assert "no formation of this side has this name" in str(told["allies"])


@pytest.mark.rule("KH-R10")
def test_reported_enemies_bar_later_legs_by_option_only() -> None:
    path = ["el_adem", "bir_el_gubi", "gabr_saleh"]
    for reading, refused in (("any_path", False), ("reject_known", True)):
        state = position({"21_pz_div": "el_adem"}, order_validation=reading)
        state.reports["axis"].occupied = ["gabr_saleh"]
        assert (formation_path(state, "21_pz_div").why_not(path) is not None) == refused
        assert formation_path(state, "21_pz_div").why_not(["el_adem", "sidi_rezegh"]) is None


@pytest.mark.rule("KH-7.02", "KH-R117")
def test_only_who_leaves_its_fortress_leaves_a_part_there() -> None:
    state = position({"inf_cw": "tobruk", "7_armd_bde": "gabr_saleh"})
    space = orders_space(state, "allies")
    out = {"inf_cw": ["tobruk", "el_adem"]}
    assert space.why_not(WriteOrders(out, detach={"inf_cw": 1})) is None
    for order in (
        WriteOrders(out, detach={"inf_cw": 2}),
        WriteOrders(detach={"inf_cw": 1}),
        WriteOrders({"7_armd_bde": ["gabr_saleh", "sidi_rezegh"]}, detach={"7_armd_bde": 1}),
    ):
        assert space.why_not(order) is not None


@given(st.binary(min_size=1, max_size=8))
def test_sheets_drawn_at_random_are_allowed(seed: bytes) -> None:
    places = {"15_pz_div": "sidi_rezegh", "21_pz_div": "el_adem", "rommel": "el_adem"}
    state = position(places | {"inf_cw": "tobruk", "recon_cw": "gabr_saleh"})
    for side in ("axis", "allies"):
        order = orders_space(state, side).sample(Stream(seed))
        assert orders_space(state, side).why_not(order) is None
