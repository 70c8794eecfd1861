"""Winning (KH-25): conditions of the module, and the better position when time is up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

HELD = {"side": "axis", "kind": "area", "area": "tobruk", "text": "The Axis has Tobruk."}
LINE = {
    "side": "allies",
    "kind": "chain",
    "from": "assembly_area",
    "to": "bir_el_gubi",
    "turns": 2,
    "text": "The way is open.",
}
WHERE = "15_pz_div el_adem; 7_armd_bde gabr_saleh"


def ends(case: Any) -> tuple[str, str]:
    return case.state.outcome, case.state.ending


@pytest.mark.rule("KH-25.01", "KH-25.02", "KH-R110")
def test_the_first_to_meet_a_condition_wins(lay: Lay) -> None:
    case = lay(WHERE, changes={"victory.conditions": [HELD]})
    case.turn(axis="15_pz_div tobruk")
    assert ends(case) == ("axis", "objective")


@pytest.mark.rule("KH-25.01", "KH-25.02")
def test_a_condition_may_have_to_hold_for_turns(lay: Lay) -> None:
    case = lay(WHERE, changes={"victory.conditions": [LINE]}, control="allies: bir_el_gubi").turn()
    assert not case.game.is_over
    case.turn(axis="15_pz_div bir_el_gubi")  # it takes the place
    assert not case.game.is_over
    case = lay(WHERE, changes={"victory.conditions": [LINE]}, control="allies: bir_el_gubi").turn().turn()
    assert ends(case) == ("allies", "objective")


@pytest.mark.rule("KH-25.01", "KH-25.02")
def test_a_side_may_be_broken(lay: Lay) -> None:
    broken = {
        "side": "allies",
        "kind": "ineffective",
        "of": ["15_pz_div", "21_pz_div", "afrika_div"],
        "count": 2,
        "text": "Broken.",
    }
    case = lay(WHERE + "; 21_pz_div gambut; afrika_div lost", changes={"victory.conditions": [broken]}).turn()
    assert not case.game.is_over
    case = lay(WHERE + "; 21_pz_div base armor=60 general=90", changes={"victory.conditions": [broken]}).turn()
    assert ends(case) == ("allies", "broken")


@pytest.mark.rule("KH-R110")
def test_both_at_once_is_a_draw_unless_the_module_ranks_them(lay: Lay) -> None:
    both = [HELD, {"side": "allies", "kind": "area", "area": "el_adem", "text": "El Adem."}]
    where = "15_pz_div el_adem; 7_armd_bde bir_el_gubi; 21_pz_div gambut"
    for more, outcome in (({}, "draw"), ({"victory.ranks": ["allies", "axis"]}, "allies")):
        case = lay(where, changes={"victory.conditions": both} | more, dice={"activation:7_armd_bde": "6"})
        case.turn(axis="15_pz_div tobruk", allies="7_armd_bde el_adem")
        assert case.state.outcome == outcome


@pytest.mark.rule("KH-25.03", "KH-2.03", "KH-R111")
@pytest.mark.parametrize(
    ("control", "outcome"),
    [
        ("axis: tobruk sidi_rezegh el_adem", ("axis", "position")),
        ("allies: tobruk sidi_rezegh", ("allies", "position")),
        ("allies: tobruk sidi_rezegh el_adem", ("allies", "position")),
    ],
)
def test_when_time_is_up_the_better_position_wins(lay: Lay, control: str, outcome: tuple[str, str]) -> None:
    case = lay("15_pz_div gambut; 7_armd_bde assembly_area", turn=10, control=control).turn()
    assert ends(case) == outcome


@pytest.mark.rule("KH-25.03", "KH-R111")
def test_an_even_position_is_a_draw(lay: Lay) -> None:
    even = {"victory.score": {"tobruk": 1, "el_adem": 1}}
    case = lay("15_pz_div gambut; 7_armd_bde assembly_area", turn=10, changes=even).turn()
    assert ends(case) == ("draw", "even")
    points: dict[str, Any] = {"victory.score": {"tobruk": 1, "el_adem": 1}, "victory.ineffective": 1}
    case = lay("15_pz_div gambut; 7_armd_bde base armor=120", turn=10, changes=points).turn()
    assert case.state.outcome in {"axis", "allies", "draw"}
