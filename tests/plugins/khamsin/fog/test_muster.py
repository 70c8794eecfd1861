"""Dealt forces match the observed companies, even if formations are divided (KH-6.05, KH-7.02)."""

from typing import Any

import pytest
from tests.plugins.khamsin.games import crusader
from tests.plugins.khamsin.modules import DEFAULTS, board
from tests.plugins.khamsin.oracle.dealing import deal, faults

from khamsin.model.forces import composition
from khamsin.model.state import ON_MAP, Engagement, Fielded, Formation, KhamsinState, Report
from khamsin.setup.reading import opening_state

SEEDS = "abc"


def at(phase: str, **options: str) -> KhamsinState:
    """Return turn 3 of Operation Crusader without reports and engagements."""
    state, _ = crusader(**options)
    state.phase, state.engagements, state.reports = phase, {}, {"axis": Report(), "allies": Report()}
    state.sheets, state.interdicted = {}, {}
    return state


def met(area: str, axis: dict[str, int], forces: list[str] | None = None, **more: Any) -> Engagement:
    own = {"axis": forces or [], "allies": ["7_armd_bde"]}
    return Engagement(area, area, forces=own, companies={"axis": axis, "allies": {"armor": 2}}, **more)


def part(state: KhamsinState, each: str, area: str, number: int = 1) -> str:
    """Detach a part from a formation, and return its id."""
    state.formations[each].strength -= number
    state.formations[f"{each}_2"] = Formation("axis", number, ON_MAP, area, parent=each)
    return f"{each}_2"


def assert_fits(state: KhamsinState, side: str = "allies") -> None:
    for seed in SEEDS:
        seen, dealt = deal(state, side, seed)
        assert faults(seen, dealt) == []


@pytest.mark.rule("KH-R59", "KH-R117")
def test_deal_reduces_a_known_force_by_its_missing_class() -> None:
    state = at("engagements", engagement_reveal="full")
    force = ["21_pz_div", "savona", "trieste"]
    part(state, "savona", "bardia")
    for each in (*force, "7_armd_bde"):
        state.formations[each].area = "gabr_saleh"
    state.engagements["gabr_saleh"] = met("gabr_saleh", composition(state, force), force)
    assert_fits(state)


@pytest.mark.rule("KH-R59", "KH-R117")
def test_deal_splits_companies_between_a_part_and_its_formation() -> None:
    state = at("engagements", engagement_reveal="full")
    garrison = [part(state, "15_pz_div", "bardia"), "savona"]
    for each, area in (("15_pz_div", "gabr_saleh"), ("savona", "bardia"), ("7_armd_bde", "gabr_saleh")):
        state.formations[each].area = area
    state.engagements["gabr_saleh"] = met("gabr_saleh", composition(state, ["15_pz_div"]), ["15_pz_div"])
    state.engagements["bardia"] = met("bardia", composition(state, garrison), garrison)
    assert_fits(state)


@pytest.mark.rule("KH-7.02", "KH-R117")
def test_deal_finds_parts_of_two_formations_in_one_fortress() -> None:
    state = at("engagements")
    unnamed = [Fielded("", "esplorante"), Fielded("", "afrika_schuetzen")]
    state.engagements = {
        "bardia": met("bardia", {"infantry": 3, "mechanized": 1, "armor": 1}, fielded={"axis": unnamed}),
        "bir_reghem": met("bir_reghem", {"mechanized": 1}),
        "gabr_saleh": met("gabr_saleh", {"infantry": 3}),
    }
    assert_fits(state)


@pytest.mark.rule("KH-7.02", "KH-R117")
def test_deal_finds_parts_of_three_expelled_formations() -> None:
    state = at("orders")
    for area in ("bardia", "halfaya"):
        state.control[area] = "allies"
    seen = {
        "fort_capuzzo": {"infantry": 1, "armor": 3},
        "gambut": {"infantry": 1, "mechanized": 1},
        "gasr_el_arid": {"armor": 2},
        "sidi_omar": {"mechanized": 1},
    }
    unseen = ["acroma", "bir_hacheim", "mechili", "sidi_rezegh"]
    state.reports["allies"] = Report(2, sorted([*seen, *unseen]), seen)
    assert_fits(state)


@pytest.mark.rule("KH-6.05", "KH-19.09")
def test_deal_keeps_a_departed_part_out_of_reported_forces() -> None:
    state = at("start.supply", engagement_reveal="full")
    left = {part(state, "15_pz_div", "gambut"): "precipitous"}
    state.engagements["bardia"] = met("bardia", {"infantry": 3}, ["90_light_div"], left=left, over=True, settled=True)
    counted = {"gabr_saleh": {"armor": 1, "mechanized": 1}, "sidi_omar": {"mechanized": 3}}
    state.reports["allies"] = Report(2, sorted(counted), counted)
    assert_fits(state)


@pytest.mark.rule("KH-25.01", "KH-R59")
def test_deal_puts_a_formation_without_ground_in_a_past_battle() -> None:
    state = opening_state(board("teaching"), DEFAULTS | {"engagement_reveal": "none"})
    state.place_board(board("teaching"))
    state.turn, state.phase = 6, "aftermath"
    for each, area in (("motor_rgt", "east_well"), ("panzer_rgt", "ford"), ("recon_unit", "west_well")):
        state.formations[each].standing, state.formations[each].area = ON_MAP, area
    state.formations["guard_battalion"].standing, state.formations["guard_battalion"].area = ON_MAP, "ridge"
    for each in ("armd_bde", "armoured_cars", "garrison", "inf_bde"):
        state.formations[each].standing, state.formations[each].area = ON_MAP, "ford"
    state.control = {"east_well": "axis", "ford": "allies", "ridge": "axis", "west_well": "axis"}
    state.engagements["ford"] = Engagement(
        "ford",
        "ford",
        forces={"axis": ["panzer_rgt"], "allies": ["armd_bde", "armoured_cars", "garrison", "inf_bde"]},
        companies={"axis": {"armor": 1, "mechanized": 1}, "allies": {"armor": 1, "mechanized": 2, "infantry": 3}},
        stationary="allies",
        number=2,
        scale="more",
        winner="axis",
        over=True,
    )
    for seed in "abcdefgh":
        seen, dealt = deal(state, "axis", seed)
        assert faults(seen, dealt) == []
