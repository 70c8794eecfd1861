"""Deals (KH-6): states with the same view for a side that are possible by the rules."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.khamsin.cases import SIDES, NewCase
from tests.plugins.khamsin.games import crusader, played_by
from tests.plugins.khamsin.oracle.dealing import boundaries, deal, faults, share_dealt

from khamsin.model.forces import composition, in_area
from khamsin.model.orders import FieldCompanies, Withdraw
from khamsin.model.state import ON_MAP, WAITING, Report, Summary
from khamsin.turn.victory import compositions
from sandtable import NoDeal
from sandtable.kernel.state import StateCodec

OPTIONS: dict[str, str] = {
    "engagement_reveal": "full",
    "company_selection": "attacker_first",
    "withdraw_timing": "before_companies",
    "orders_by": "formation_commanders",
    "large_engagements": "by_agreement",
    "connector_force": "single_formation",
    "mixed_force_status": "per_formation",
    "repl_commit": "refund_half",
    "oos_removed": "base_area",
    "retreat_split": "together",
}
"""Options that change secrets or reports."""
GAMES = [
    ("teaching", "random", "a", {}),
    ("teaching", "commander", "b", {}),
    ("crusader", "random", "c", {}),
    ("crusader", "commander", "d", {}),
    ("crusader_full", "random", "e", {}),
    *[("crusader", "random", name, {name: value}) for name, value in OPTIONS.items()],
    ("crusader", "random", "none", {"engagement_reveal": "none"}),
    ("teaching", "random", "lost", {"oos_removed": "base_area", "engagement_reveal": "none"}),
    ("teaching", "random", "t3", {"company_selection": "attacker_first"}),  # all areas are lost in the aftermath
    ("crusader", "random", "t24", {"oos_removed": "base_area"}),  # parts of 3 formations are outside their fortresses
]


@pytest.mark.full
@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize(("module", "player", "seed", "options"), GAMES, ids=str)
def test_deal_preserves_the_view_and_is_possible(module: str, player: str, seed: str, options: dict[str, Any]) -> None:
    game = played_by(player, module, seed, tuple(options.items()))
    for state in boundaries(game):
        before = game.ruleset.codec.to_bytes(state)
        for side in SIDES:
            seen, dealt = deal(state, side)
            assert game.ruleset.view(dealt, side) == seen
            assert faults(seen, dealt) == []
            game.ruleset.codec.digest(dealt)  # plain data only
        assert game.ruleset.codec.to_bytes(state) == before


@pytest.mark.rule("KH-6.05", "KH-6.08")
def test_report_that_no_forces_fit_is_not_dealt() -> None:
    """More tanks than the enemy has in all: the nearest state would contradict the report, so none is returned."""
    state, _ = crusader()
    state.phase, state.engagements = "orders", {}
    state.reports["allies"] = Report(2, ["el_adem"], {"el_adem": {"armor": 99}})
    for seed in "abc":
        with pytest.raises(NoDeal, match="el_adem"):
            deal(state, "allies", seed)


@pytest.mark.full
@pytest.mark.rule("KH-6.08")
@settings(max_examples=40)
@given(st.sampled_from(SIDES), st.text(max_size=4), st.sampled_from(["start.arrivals", "orders", "engagements"]))
def test_deal_of_a_deal_preserves_the_view(side: str, seed: str, phase: str) -> None:
    state, _ = crusader()
    state.phase = phase
    seen, dealt = deal(state, side, seed)
    assert deal(dealt, side, seed)[0] == seen


@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize("side", SIDES)
def test_deal_is_determined_by_its_stream(side: str) -> None:
    state, _ = crusader()
    state.phase, state.engagements = "orders", {}
    codec: Any = StateCodec(type(state), "khamsin")
    digests = [codec.digest(deal(state, side, seed)[1]) for seed in ("1", "1", "2", "3", "4", "5")]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 5


@pytest.mark.rule("KH-6.08")
def test_deal_depends_only_on_the_view(new_case: NewCase) -> None:
    here, there = (new_case(f"15_pz_div {place}; 7_armd_bde assembly_area") for place in ("gambut", "el_adem"))
    assert deal(here.state, "allies") == deal(there.state, "allies")


@pytest.mark.full
@pytest.mark.parametrize(
    ("module", "player", "seeds", "options"),
    [
        ("teaching", "random", "abcdefgh", {}),
        ("teaching", "commander", "abcdefgh", {}),
        ("crusader", "commander", "a", {}),
        ("crusader", "random", "a", {"engagement_reveal": "full"}),
        ("crusader", "random", "a", {"company_selection": "attacker_first"}),
    ],
    ids=str,
)
def test_deal_succeeds_for_9_in_10_decisions(module: str, player: str, seeds: str, options: dict[str, Any]) -> None:
    counts = [share_dealt(module, player, seed, **options) for seed in seeds]
    assert 10 * sum(found for found, _ in counts) >= 9 * sum(decided for _, decided in counts)


@pytest.mark.rule("KH-6.03", "KH-6.04", "KH-6.05")
def test_deal_matches_the_reported_companies(new_case: NewCase) -> None:
    case = new_case("15_pz_div sidi_rezegh; afrika_div bir_el_gubi; recon_cw gabr_saleh").turn()
    counted = compositions(case.state, "allies")
    assert counted["sidi_rezegh"]
    for seed in "abcdef":
        _, dealt = deal(case.state, "allies", seed)
        assert compositions(dealt, "allies") == counted


@pytest.mark.rule("KH-6.03")
def test_deal_leaves_observed_empty_areas_empty(new_case: NewCase) -> None:
    case = new_case("15_pz_div gambut; 7_armd_bde gabr_saleh; inf_cw assembly_area").turn()
    for seed in "abcdef":
        _, dealt = deal(case.state, "allies", seed)
        beside = dealt.board.neighbors["gabr_saleh"]
        assert not [area for area in beside if in_area(dealt, "axis", area)]


@pytest.mark.rule("KH-6.05", "KH-R59")
def test_deal_matches_companies_of_a_met_force(new_case: NewCase) -> None:
    case = new_case("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:7_armd_bde": "6"})
    case.turn(allies="7_armd_bde sidi_rezegh", until=Withdraw)
    met = case.state.engagements["sidi_rezegh"].companies["axis"]
    for seed in "abcdef":
        _, dealt = deal(case.state, "allies", seed)
        force = dealt.engagements["sidi_rezegh"].forces["axis"]
        assert composition(dealt, force) == met
        assert {dealt.formations[each].area for each in force} == {"sidi_rezegh"}
        assert not any(dealt.formations[each].moved for each in force)  # it did not move


@pytest.mark.rule("KH-R59", "KH-6.08")
def test_deal_keeps_names_revealed_by_contact(new_case: NewCase) -> None:
    where, dice = "15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", {"activation:7_armd_bde": "6"}
    case = new_case(where, dice=dice, engagement_reveal="full")
    case.turn(allies="7_armd_bde sidi_rezegh", until=FieldCompanies)
    for seed in "abc":
        _, dealt = deal(case.state, "allies", seed)
        assert dealt.engagements["sidi_rezegh"].forces["axis"] == ["15_pz_div"]


@pytest.mark.rule("KH-R117", "KH-7.02")
def test_deal_divides_a_garrison_seen_in_part() -> None:
    state, board = crusader()
    for formation in state.formations.values():
        if formation.side == "allies":
            formation.standing, formation.area = WAITING, ""
    fort = next(area for area, side in board.fortress.items() if side == "allies")
    for card in board.formations.values():
        if card.side == "allies" and card.enters == 0 and card.strength:
            state.formations[card.id].standing, state.formations[card.id].area = ON_MAP, fort
    state.phase, state.engagements = "orders", {}
    state.formations["21_pz_div"].area = board.neighbors[fort][0]
    state.reports["axis"] = Report(2, [fort], {fort: {"armor": 1}})
    for seed in "abc":
        seen, dealt = deal(state, "axis", seed)
        force = in_area(dealt, "allies", fort)
        assert {"armor": 1}.items() <= composition(dealt, force).items()
        assert [each for each in faults(seen, dealt) if "companies" in each] == []


@pytest.mark.rule("KH-18.08", "KH-18.10")
def test_deal_lets_a_formation_near_a_battle_regroup() -> None:
    state, _ = crusader()
    state.phase, state.engagements = "orders", {}
    state.reports["allies"] = Report(
        2, ["el_adem"], {}, [Summary("el_adem", {"axis": 2, "allies": 4}, "allies", "more")]
    )
    _, dealt = deal(state, "allies")
    resting = [key for key, it in dealt.formations.items() if it.side == "axis" and it.regroup]
    assert len(resting) == 1
    assert dealt.board.distance(dealt.formations[resting[0]].area, "el_adem") <= 1
    state.reports["allies"].fought = [Summary("el_adem", {"axis": 6, "allies": 1}, "axis", "double")]
    _, dealt = deal(state, "allies")
    assert [it.overwhelmed for key, it in dealt.formations.items() if it.side == "axis"].count(True) == 1


@pytest.mark.rule("KH-21.14", "KH-22.13")
def test_deal_gives_the_enemy_the_attrition_of_the_side() -> None:
    state, _ = crusader()
    state.phase, state.engagements = "orders", {}
    for formation in state.formations.values():
        formation.armor = formation.general = 0
    _, fresh = deal(state, "allies")
    assert not any(it.armor or it.general for it in fresh.formations.values() if it.side == "axis")
    for formation in state.formations.values():
        formation.general = 30
    _, worn = deal(state, "allies")
    there = [it for it in worn.formations.values() if it.side == "axis" and it.standing == ON_MAP]
    assert {it.general for it in there} == {30}


@pytest.mark.full
@pytest.mark.rule("KH-1.08")
def test_deal_before_turn_1_uses_legal_start_areas() -> None:
    game = played_by("random", "crusader", "start")
    state = next(each for each in boundaries(game) if each.phase == "orders")
    for seed in "abc":
        _, dealt = deal(state, "allies", seed)
        for key, it in dealt.formations.items():
            card = dealt.board.formations[key]
            if it.side == "axis" and it.standing == ON_MAP:
                assert it.area in (card.start or card.entries)
