"""Prospects (KH-25): the probability of victory in an unfinished campaign."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.khamsin.cases import NewCase
from tests.plugins.khamsin.games import crusader, played_by
from tests.plugins.khamsin.oracle.dealing import boundaries
from tests.plugins.khamsin.positions import shipped

from khamsin.bots.evaluation import SURE, evaluate
from khamsin.model.state import KhamsinState
from sandtable.kernel.state import StateCodec

HELD = {"side": "axis", "kind": "area", "area": "tobruk", "text": "The Axis has Tobruk."}
KEPT = HELD | {"turns": 3}
LINE = {
    "side": "allies",
    "kind": "chain",
    "from": "assembly_area",
    "to": "bir_el_gubi",
    "turns": 3,
    "text": "The way is open.",
}
BROKEN = {
    "side": "axis",
    "kind": "ineffective",
    "of": ["7_armd_bde", "inf_cw", "recon_cw"],
    "count": 2,
    "text": "Broken.",
}
WHERE = "15_pz_div gambut; 7_armd_bde gabr_saleh"


def axis(state: KhamsinState) -> int:
    prospects = evaluate(state, state.board)
    assert sum(prospects.values()) == 1000
    return prospects["axis"]


def of(new_case: NewCase, where: str = WHERE, **rest: Any) -> int:
    return axis(new_case(where, **rest).state)


@pytest.mark.rule("KH-25.01")
def test_prospects_are_even_for_equal_sides() -> None:
    prepared = shipped("teaching")
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    assert evaluate(state, prepared.board) == {"axis": 500, "allies": 500}
    after = next(each for each in boundaries(played_by("commander", "teaching", "even")) if each.phase == "orders")
    assert 400 < axis(after) < 600


@pytest.mark.rule("KH-25.01", "KH-25.02")
def test_prospects_rise_as_a_force_nears_its_objective(new_case: NewCase) -> None:
    changes = {"victory.conditions": [HELD]}
    far, near = (
        of(new_case, f"15_pz_div {place}; 7_armd_bde sollum", changes=changes) for place in ("sollum", "el_adem")
    )
    assert near > far
    assert of(new_case, "15_pz_div el_adem; 7_armd_bde tobruk", changes=changes) < near


@pytest.mark.rule("KH-25.01")
def test_prospects_rise_with_turns_that_a_condition_has_held(new_case: NewCase) -> None:
    for aim, ground in ((LINE, "allies: bir_el_gubi gabr_saleh"), (KEPT, "axis: tobruk")):
        shares = []
        for turns in (0, 1, 2):
            case = new_case(WHERE, changes={"victory.conditions": [aim]}, control=ground)
            case.state.held = {"0": turns}
            shares.append(axis(case.state))
        assert shares == sorted(shares, reverse=aim is LINE)
        assert len(set(shares)) > 1


@pytest.mark.rule("KH-25.01")
def test_prospects_rise_with_each_area_of_a_chain(new_case: NewCase) -> None:
    changes = {"victory.conditions": [LINE], "victory.score": {"bir_el_gubi": 1}}
    way = ("", "allies: bir_el_gubi", "allies: bir_el_gubi gabr_saleh")
    shares = [of(new_case, changes=changes, control=ground) for ground in way]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[-1]


@pytest.mark.rule("KH-25.01", "KH-22.13")
def test_prospects_fall_as_a_side_nears_its_breaking_point(new_case: NewCase) -> None:
    changes = {"victory.conditions": [BROKEN]}
    rest = "15_pz_div gambut; 21_pz_div gambut; 7_armd_bde assembly_area"
    fresh = of(new_case, f"{rest}; inf_cw assembly_area; recon_cw assembly_area", changes=changes)
    worn = of(new_case, f"{rest} armor=40 general=40; inf_cw assembly_area; recon_cw assembly_area", changes=changes)
    one_gone = of(new_case, f"{rest} armor=40 general=40; recon_cw assembly_area", changes=changes)
    assert fresh < worn < one_gone


@pytest.mark.rule("KH-25.03", "KH-R111")
def test_prospects_of_a_lead_grow_as_the_end_approaches(new_case: NewCase) -> None:
    changes: dict[str, Any] = {"victory.conditions": [], "victory.score": {"gambut": 9, "tobruk": 1}}
    early, late = (of(new_case, changes=changes, control="axis: gambut", turn=turn) for turn in (2, 4))
    behind = of(new_case, changes=changes, control="allies: gambut", turn=4)
    assert behind < early < late


@pytest.mark.rule("KH-2.09")
def test_prospects_count_companies_and_discount_unsupplied_ones(new_case: NewCase) -> None:
    marks = ("", "supplied=no", "general=119")
    fresh, cut, worn = (of(new_case, f"15_pz_div gambut {mark}; 7_armd_bde maddalena") for mark in marks)
    assert worn < cut < fresh


@pytest.mark.full
@settings(max_examples=20)
@given(st.data())
def test_prospects_sum_to_1000_and_are_never_certain(data: st.DataObject) -> None:
    state, board = crusader()
    number = st.integers(0, 300)
    for formation in state.formations.values():
        formation.armor, formation.general = data.draw(number), data.draw(number)
        formation.standing = data.draw(st.sampled_from(["map", "base", "lost", "waiting"]))
        formation.area = data.draw(st.sampled_from(board.areas))
    state.control = {area: data.draw(st.sampled_from(["axis", "allies"])) for area in board.areas}
    state.turn = data.draw(st.integers(0, board.turns))
    codec: Any = StateCodec(KhamsinState, "khamsin")
    before = codec.to_bytes(state)
    prospects = evaluate(state, board)
    assert sum(prospects.values()) == 1000
    assert all(SURE <= share <= 1000 - SURE for share in prospects.values())
    assert codec.to_bytes(state) == before


@pytest.mark.full
@pytest.mark.parametrize(("module", "player"), [("teaching", "random"), ("crusader", "commander")])
def test_prospects_favor_the_eventual_winner_on_the_last_turn(module: str, player: str) -> None:
    """Average over several games, at the orders of their last turn."""
    shares = []
    for seed in "abcde" if module == "crusader" else "abcdefghijklmnop":
        game = played_by(player, module, seed)
        if game.state.outcome != "draw":
            last = [each for each in boundaries(game) if each.phase == "orders"][-1]
            shares.append(evaluate(last, last.board)[game.state.outcome])
    assert sum(shares) > 550 * len(shares)
