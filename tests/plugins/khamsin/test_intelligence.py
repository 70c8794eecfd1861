"""Reports (KH-6): what a side is told at the end of a turn, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.plugins.khamsin.cases import result

from khamsin.model.battle_events import EngagementFound
from khamsin.model.events import ReportIssued
from khamsin.model.orders import Withdraw

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

PANZER = "15_pz_div gabr_saleh; 21_pz_div gabr_saleh"


def told(lay: Lay, where: str, side: str = "allies", **more: Any) -> tuple[list[str], dict[str, dict[str, int]]]:
    case = lay(where, **more).turn()
    found = case.one(ReportIssued, side=side)
    kept = case.state.reports[side]
    assert (kept.occupied, kept.seen) == (found.occupied, found.seen)
    return found.occupied, {area: {k: v for k, v in seen.items() if v} for area, seen in found.seen.items()}


@pytest.mark.rule("KH-6.01", "KH-6.03", "KH-6.08", "KH-3.14")
def test_whether_an_adjacent_area_is_occupied(lay: Lay) -> None:
    assert told(lay, f"7_armd_bde sidi_rezegh; inf_cw tobruk; {PANZER}") == (["gabr_saleh"], {})
    assert told(lay, f"inf_cw tobruk; {PANZER}") == ([], {})


@pytest.mark.rule("KH-6.04", "KH-6.05", "KH-R101")
def test_recon_tells_the_companies_by_class(lay: Lay) -> None:
    occupied, seen = told(lay, f"recon_cw bir_el_gubi; {PANZER}")
    assert occupied == ["gabr_saleh"]
    assert set(seen) == {"gabr_saleh"}
    assert sum(seen["gabr_saleh"].values()) == 6  # 3 and 3
    assert set(seen["gabr_saleh"]) == {"armour", "mechanised", "infantry"}


@pytest.mark.rule("KH-6.06", "KH-6.07", "KH-8.15")
def test_leaders_neither_see_nor_are_seen(lay: Lay) -> None:
    assert told(lay, "rommel sidi_rezegh; 15_pz_div sollum; recon_cw gabr_saleh; 7_armd_bde gabr_saleh", "axis") == (
        [],
        {},
    )
    assert told(lay, "rommel sidi_rezegh; 15_pz_div sollum; recon_cw gabr_saleh") == ([], {})


@pytest.mark.rule("KH-R102")
@pytest.mark.parametrize(("reading", "sees"), [("keeps", True), ("loses", False)])
def test_recon_out_of_supply(lay: Lay, reading: str, sees: bool) -> None:
    _, seen = told(lay, f"recon_cw bir_el_gubi supplied=no; {PANZER}", intel_oos_recon=reading)
    assert bool(seen) is sees


@pytest.mark.rule("KH-4.02", "KH-6.04")
def test_in_bad_weather_nothing_is_made_out(lay: Lay) -> None:
    changes = {
        "weather.first": "storm",
        "weather.table": ["storm"] * 6,
        "weather.kinds.storm": {"title": "Storm", "composition": False},
    }
    assert told(lay, f"recon_cw bir_el_gubi; {PANZER}", changes=changes) == (["gabr_saleh"], {})


@pytest.mark.rule("KH-R100", "KH-6.01", "KH-3.13")
def test_reports_tell_the_end_of_the_turn(lay: Lay) -> None:
    case = lay("15_pz_div el_adem; 7_armd_bde assembly_area").turn(
        axis="15_pz_div bir_el_gubi", allies="7_armd_bde gabr_saleh"
    )
    assert case.one(ReportIssued, side="axis").occupied == ["gabr_saleh"]
    assert case.one(ReportIssued, side="allies").occupied == ["bir_el_gubi"]


def everything(view: Any) -> str:
    return msgspec.json.encode(view).decode()


@pytest.mark.rule("KH-6.02", "KH-6.08", "KH-R103")
def test_both_sides_learn_how_a_battle_went_and_who_controls_what(lay: Lay) -> None:
    case = lay("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:7_armd_bde": "6"})
    case.turn(result("allies", "6-1", axis="9/8", allies="2/1"), allies="7_armd_bde sidi_rezegh")
    for side in ("axis", "allies"):
        view = case.game.view(side)
        assert view.control["sidi_rezegh"] == "allies"
        shown = everything(view)
        (enemy,) = {"axis": ["7_armd_bde"], "allies": ["15_pz_div"]}[side]
        assert f'"{enemy}":' not in shown.replace("honour", "")


@pytest.mark.rule("KH-R59", "KH-6.05", "KH-3.10")
@pytest.mark.parametrize("reading", ["composition", "full", "none"])
def test_what_contact_tells(lay: Lay, reading: str) -> None:
    case = lay(
        "15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:7_armd_bde": "6"}, engagement_reveal=reading
    )
    case.turn(allies="7_armd_bde sidi_rezegh", until=Withdraw)
    seen = case.prepared.ruleset.visible(case.one(EngagementFound), "allies")
    assert isinstance(seen, EngagementFound)
    assert (seen.forces.get("axis") == ["15_pz_div"]) is (reading == "full")
    assert (sum(seen.composition.get("axis", {}).values()) == 3) is (reading != "none")
    assert seen.forces["allies"] == ["7_armd_bde"]
