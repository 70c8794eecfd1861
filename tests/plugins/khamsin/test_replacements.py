"""Replacements: what can be paid for, against flows in a network; and what each share costs and does."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.rooms import ordered, position, run

from khamsin.module.cards import Pool
from khamsin.orders import Allocate, Share
from khamsin.phases.action import action
from khamsin.phases.replacements import replacements
from khamsin.replacements import allocation_space, recipients
from khamsin.state import KhamsinState

BOARD = board("crusader")
NATIONS = ("british", "indian", "new_zealand")
FORMATIONS = {"7_armd_bde": "british", "4_indian_div": "indian", "2_nz_div": "new_zealand"}


def wounded(state: KhamsinState, formation: str, armor: int, general: int) -> KhamsinState:
    state.formations[formation].armor, state.formations[formation].general = armor, general
    return state


@pytest.mark.rule("KH-5.01", "KH-5.02", "KH-5.08")
@given(
    pools=st.lists(
        st.tuples(st.sets(st.sampled_from(NATIONS), min_size=1), st.integers(0, 4)),
        min_size=1,
        max_size=3,
    ),
    wanted=st.tuples(*[st.integers(0, 3)] * 3),
)
def test_shares_are_allowed_if_the_pools_can_pay_for_all(
    pools: list[tuple[set[str], int]], wanted: tuple[int, ...]
) -> None:
    state = position(dict.fromkeys(FORMATIONS, "british_assembly_area"), "crusader")
    rows = [Pool(str(n), "allies", tuple(sorted(of)), 0, points, 1, 9) for n, (of, points) in enumerate(pools)]
    state.place_board(replace(BOARD, pools=tuple(rows)))
    flow = nx.DiGraph()
    flow.add_nodes_from(["points", "end"])
    for n, (of, points) in enumerate(pools):
        flow.add_edge("points", n, capacity=points)
        for nation in of:
            flow.add_edge(n, nation, capacity=99)
    for (formation, nation), points in zip(FORMATIONS.items(), wanted, strict=True):
        wounded(state, formation, 0, 9)
        flow.add_edge(nation, "end", capacity=points)
    payable = nx.maximum_flow_value(flow, "points", "end") == sum(wanted)
    order = Allocate({each: Share(0, points) for each, points in zip(FORMATIONS, wanted, strict=True) if points})
    space = allocation_space(state, "allies")
    assert space is None or space.is_legal(order) == payable
    assert space is not None or not any(points for _, points in pools)


@pytest.mark.rule("KH-5.03", "KH-10.05", "KH-22.15", "KH-R117")
def test_who_may_receive() -> None:
    state = position({"15_pz_div": "el_adem", "21_pz_div": "el_adem", "afrika_div": "el_adem"})
    wounded(state, "15_pz_div", 1, 0)
    wounded(state, "21_pz_div", 0, 1).formations["21_pz_div"].supplied = False
    assert recipients(state, "axis") == ["15_pz_div"]
    state.formations["15_pz_div"].standing = "base"
    assert recipients(state, "axis") == ["15_pz_div"]
    state.formations["15_pz_div"].standing = "lost"
    assert recipients(state, "axis") == []


CASES = [
    ("15_pz_div", Share(2, 1), (2, 1), False),  # dedicated, stationary: three, one point each
    ("15_pz_div", Share(1, 1, moving=True), (2, 2), False),
    ("7_armd_bde", Share(2, 1), (2, 1), True),  # from the pool
    ("7_armd_bde", Share(1, 1), (1, 1), False),
]


@pytest.mark.rule("KH-5.04", "KH-5.06", "KH-5.10", "KH-5.12", "KH-5.13", "KH-5.14", "KH-R94")
@pytest.mark.parametrize(("formation", "share", "paid", "assimilates"), CASES)
def test_what_a_share_costs(formation: str, share: Share, paid: tuple[int, int], *, assimilates: bool) -> None:
    state = wounded(position({formation: "el_adem"}), formation, 9, 9)
    side = state.formations[formation].side
    (given_,) = run(state, replacements(state), answers={side: Allocate({formation: share})})
    assert (given_.paid_armor, given_.paid_general, given_.assimilating) == (*paid, assimilates)
    piece = state.formations[formation]
    assert (piece.armor, piece.general) == (9 - share.armor, 9 - share.general)
    assert piece.mark == ("moving" if share.moving else "stationary")


@pytest.mark.rule("KH-5.07", "KH-5.11", "KH-5.15", "KH-5.17", "KH-R95")
@pytest.mark.parametrize("share", [Share(2, 2), Share(2, 0, moving=True), Share(0, 5), Share(), Share(0, 3)])
def test_what_a_formation_cannot_integrate(share: Share) -> None:
    state = wounded(position({"15_pz_div": "el_adem"}), "15_pz_div", 9, 2)
    space = allocation_space(state, "axis")
    assert space is not None
    assert not space.is_legal(Allocate({"15_pz_div": share}))


@pytest.mark.rule("KH-R93")
@pytest.mark.parametrize(("reading", "allowed"), [("per_unit", True), ("per_country", False)])
def test_whom_the_limit_of_three_binds(reading: str, *, allowed: bool) -> None:
    state = position({"15_pz_div": "el_adem", "21_pz_div": "el_adem"}, repl_dedicated_scope=reading)
    for each in ("15_pz_div", "21_pz_div"):
        wounded(state, each, 3, 3)
    space = allocation_space(state, "axis")
    assert space is not None
    order = Allocate({"15_pz_div": Share(2, 0), "21_pz_div": Share(0, 2)})
    assert space.is_legal(order) == allowed


@pytest.mark.rule("KH-R94")
@pytest.mark.parametrize(("path", "left"), [(["el_adem"], 7), (["el_adem", "sidi_rezegh"], 8)])
def test_who_did_not_move_gets_the_other_half_by_option(path: list[str], left: int) -> None:
    state = wounded(position({"15_pz_div": "el_adem"}, repl_commit="refund_half"), "15_pz_div", 9, 0)
    (given_,) = run(state, replacements(state), answers={"axis": Allocate({"15_pz_div": Share(1, 0)})})
    assert (given_.paid_armor, given_.mark) == (2, "")
    ordered(state, "axis", moves={"15_pz_div": path})
    run(state, action(state))
    assert state.formations["15_pz_div"].armor == left
