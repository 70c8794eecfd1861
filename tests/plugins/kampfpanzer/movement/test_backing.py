"""Stacking (7), and units that back up at the end of movement (R-KP-15, R-KP-74)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import back
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import EntryMissed, UnitBackedUp, UnitDestroyed
from kampfpanzer.model.orders import BackUp

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

# --- stacking of plots ---


@pytest.mark.rule("KP-7.0a", "KP-7.1a", "R-KP-16", "KP-13.21a")
@pytest.mark.parametrize(
    ("there", "mover", "allowed"),
    [
        ("38 0808 A", "29 0807", True), ("29 0808", "30 0807", False), ("1 0808", "2 0807", False),
        ("138 0808", "29 0807", False), ("29 0808", "138 0807", False), ("38 0808 A", "138 0807", False),
        ("29 0808", "1 0807", False), ("29 0808; 38 0808 A", "30 0807", False),
        ("138 0808; 38 aboard 138", "29 0807", False), ("29 0808 D1", "30 0807", False),
    ],
)  # fmt: skip
def test_units_end_together_only_as_infantry_and_gun(new_case: NewCase, there: str, mover: str, allowed: bool) -> None:
    unit = mover.partition(" ")[0]
    case = new_case(french=f"{there}; {mover}")
    assert (case.refused(f"{unit} D1") == "") == allowed
    if allowed:
        assert case.turn(french=f"{unit} D1").at(unit) == "0808"


# --- stacking, at the end of movement: 29 in 0908 has its zone in 0807 and 0808, not in 0806 ---

LATER, CHOICE = {"end_overstack": "later_unit_eliminated"}, {"end_overstack": "owner_chooses"}
RING = dict.fromkeys(("0709", "0710", "0810", "0909", "0910"), "germans")


@pytest.mark.rule(
    "KP-13.0b KP-13.0c KP-6.4a KP-7.0a KP-7.0b KP-7.0c KP-7.1a KP-7.2a R-KP-15 R-KP-16 R-KP-20 R-KP-39 R-KP-74"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-7.0a R-KP-16", "plots_of_a_side_together", "1 0808; 2 0807; 3 0810",
            refused={"2 D1": "KP-7.0a", "1 B1; 2 D1": "", "2 D2; 3 A1": "KP-7.0a", "1 A1; 2 D1": ""}),
        row("KP-7.0b", "through_friends", "1 0808; 2 0807; 29 0809; 138 0810", f="1 A1; 2 D4", at="1 0807; 2 0811",
            stops={}),
        row("KP-7.0c KP-6.4a", "not_through_enemies", "138 0808", "94 0806; 112 0708", g="94 D4; 112 C1",
            at="94 0807; 112 0708"),
        row("R-KP-15 KP-7.0a", "later_unit", "29 0908", "94 0807; 95 0805", g="95 D4", back="95 0807 0806 stack",
            at="94 0807; 95 0806"),
        row("R-KP-15", "95_later", "29 0908", "94 0706; 95 0804", g="94 C1 D2; 95 D5", at="94 0807; 95 0806"),
        row("R-KP-15", "94_later", "29 0908", "94 0804; 95 0706", g="94 D5; 95 C1 D2", at="94 0806; 95 0807"),
        row("R-KP-15", "at_once_higher_number", "29 0908", "94 0806; 95 0707", g="94 D3; 95 C1 D1",
            at="94 0807; 95 0707"),
        row("R-KP-15", "at_once_swapped", "29 0908", "94 0707; 95 0806", g="94 C1 D1; 95 D3", at="94 0807; 95 0806"),
        # 96 is in 0806, so 95 backs up to 0805
        row("R-KP-15", "two_hexes", "29 0908", "94 0807; 95 0804; 96 0706", g="95 D5; 96 C1",
            at="94 0807; 95 0805; 96 0806"),
        row("R-KP-15", "unit_on_its_start_too", "29 0908", "94 0807; 95 0806; 96 0805", g="95 D3; 96 D1",
            at="94 0807; 95 0806; 96 0805"),
        # the only legal hex of 95 is its start, where 94 is now
        row("R-KP-15", "unit_on_its_start_next", "29 0711", "94 0808; 95 0809; 96 0810", g="94 D1; 95 D2",
            at="94 0808; 95 0809; 96 0810", back="95 0810 0809 stack; 94 0809 0808 stack"),
        # 96 is pinned by fire and stays in 0809
        row("R-KP-15", "enemy_on_its_start", "1 0806; 3 0815", "94 0808; 96 0809", f="1 S2 D2; 3 N 0809",
            g="94 D1; 96 B1", dice="fire:* 6", pinned="96", at="1 0808; 94 0909; 96 0809",
            back="94 0809 0909 stack"),
        row("R-KP-15 KP-13.0c", "no_free_hex", "1 0806; 3 0815", "94 0808; 96 0809", f="1 S2 D2; 3 N 0809",
            g="94 D1; 96 B2", dice="fire:* 6", tweak=lambda state: state.entrenchments.update(RING),
            at="1 0808; 96 0809", levels="94 4",
            back="", one=(UnitDestroyed, {"unit": "94", "rule": "R-KP-15"})),
        row("R-KP-15 R-KP-20", "off_the_map", "1 0306", "94 enters 0105; 95 enters 0105; 96 enters 0105", f="1 A1",
            g="94 0105 B1 A1; 95 0105 B1; 96 0105", at="94 0204; 95 -; 96 0105", standing="95 waiting",
            back="95 0204  stack", one=(EntryMissed, {"units": ["95"]})),
        row("R-KP-15 KP-13.0c R-KP-74", "tank_not_into_entrenchment", "29 0908",
            "95 0807; 94 0804; 112 0806 entrenched",
            g="94 D5; 112 E1", at="94 0805; 95 0807; 112 0707", one=(UnitBackedUp, {"hex": "0805"})),
        row("R-KP-15 KP-13.0b", "infantry_into_entrenchment", "29 0908", "94 0807; 112 0806 entrenched",
            road="0806 0807 0808", g="112 D2", at="112 0806"),
        row("R-KP-15 KP-7.1a", "infantry_may_stay_with_gun", "29 0908", "115 0807 A; 112 0806", road="0806 0807 0808",
            g="112 D2", at="112 0807; 115 0807"),
        row("R-KP-15", "later_unit_eliminated", "29 0908", "94 0807; 95 0805", g="95 D4", **LATER,
            one=(UnitDestroyed, {"unit": "95"}), levels="94 0; 95 4"),
        row("R-KP-15", "no_choice_no_question", "29 0908", "94 0807; 95 0805", g="95 D4", **CHOICE,
            at="94 0807; 95 0806"),
        *(row("R-KP-15", f"owner_chooses_{unit}", "29 0710", "94 0807; 95 0909", g="94 D3; 95 E2", **CHOICE,
              reply=[back("germans", unit)], at=at)
          for unit, at in (("94", "94 0808; 95 0809"), ("95", "94 0809; 95 0909"))),
        # shelled once, on its way there
        row("R-KP-15 R-KP-39", "triggers_nothing", "29 0908; 39 0820 A", "94 0807; 95 0805", dice="shell:95:39 3",
            f="39 T 0806", g="95 D4", at="95 0806", rolls=1),
        row("KP-7.2a KP-7.0a", "carrier_and_passenger", "29 0908", "94 0807; 138 0805; 112 aboard 138", g="138 D4",
            at="138 0806; 112 0806"),
        # 112 leaves 0807, where the zone of 29 in 0908 holds the tank that passes
        row("R-KP-74 R-KP-15 KP-13.0c", "tank_stopped_in_entrenchment", "29 0908", "112 0807 entrenched; 94 0805",
            g="112 E1; 94 D4", back="94 0807 0806 entrenchment", at="94 0806; 112 0708"),
        # 29 moves from 0807 to 0708, and holds the tank that enters its trench
        row("R-KP-74 KP-13.0c", "enemy_entrenchment", "29 0807 entrenched", "94 0905", f="29 E1", g="94 D2 E1 A1",
            hexes="94 0906 0907 0807", at="29 0708; 94 0907"),
    ],
)  # fmt: skip
def test_illegal_stacks_back_up_after_movement(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("R-KP-15")
@pytest.mark.parametrize(("chosen", "ends"), [("94", "0806 0807"), ("95", "0807 0806")])
def test_owner_chooses_the_unit_that_backs_up(new_case: NewCase, chosen: str, ends: str) -> None:
    case = new_case(french="29 0908", germans="94 0706; 95 0804", end_overstack="owner_chooses")
    case.upto(germans="94 C1 D2; 95 D5")
    assert case.pending.side == "germans"
    assert case.pending.purpose == f"back_up.{case.at('94')}.94.95"
    assert case.refuses("germans", BackUp("29"))
    case.answer(back("germans", chosen))
    assert case.at("94", "95") == ends
