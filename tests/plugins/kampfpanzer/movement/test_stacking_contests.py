"""Opposing plots that meet (6.3, 6.4): stops, contests for a hex, and head-on meetings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import ContestDecided, UnitsMoved, UnitStopped

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

ROAD = "0807 0808 0809"
"""A road on which all units reach 0808 at the same time."""
CONTEST = "contest:0808:french {}; contest:0808:germans {}"


@pytest.mark.rule(
    "KP-5.1e KP-6.0e KP-6.4a KP-6.4b KP-6.4c KP-6.4d KP-6.4e KP-6.4f KP-8.3a R-KP-06 R-KP-07 R-KP-12 R-KP-13 R-KP-15"
    " R-KP-53"
)
@pytest.mark.parametrize(
    "turn",
    [
        # a unit on the road has entered two hexes in the same time
        row("KP-6.4a KP-6.4b KP-6.4c KP-6.0e", "fewer_hexes", "1 0807", "105 0810", road="0810 0809 0808", f="1 D1",
            g="105 A2", contest="0808 1>105 hexes", at="1 0808; 105 0809"),
        row("KP-6.4a KP-6.4b KP-6.4c KP-6.0e", "fewer_hexes_of_germans", "1 0806", "105 0809", road="0806 0807 0808",
            f="1 D2", g="105 A1", contest="0808 105>1 hexes", at="1 0807; 105 0808"),
        *(row("KP-6.4d KP-6.4f", f"allowance_{french}_{german}", f"{french} 0807", f"{german} 0809", road=ROAD,
              f=f"{french} D1", g=f"{german} A1", contest=f"0808 {winner}>{loser} allowance", at=f"{winner} 0808")
          for french, german, winner, loser in (
              ("1", "105", "1", "105"), ("11", "69", "69", "11"), ("29", "105", "105", "29"),
              ("11", "138", "138", "11"), ("58", "94", "58", "94"))),
        *(row("KP-6.4e KP-6.4f", f"dice_{french}_{german}", "11 0807", "105 0809", f="11 D2", g="105 A2",
              dice=CONTEST.format(french, german), contest=f"0808 {won} dice", at=at)
          for french, german, won, at in (
              ("4", "2", "11>105", "11 0808; 105 0809"), ("2", "4", "105>11", "11 0807; 105 0808"),
              ("3 5", "3 1", "11>105", "11 0808; 105 0809"), ("6 6 1", "6 6 2", "105>11", "11 0807; 105 0808"))),
        row("KP-6.4f", "both_stop", "1 0807", "105 0809", f="1 D1 B3", g="105 A4",
            stops="1 0808 contest_won; 105 0809 contest"),
        row("KP-6.4f KP-8.3a", "trucks_stop", "138 0807", "139 0809", f="138 D1 B3", g="139 A1 F2",
            dice=CONTEST.format(1, 2), at="138 0807; 139 0808"),
        row("KP-6.4a R-KP-06", "earlier_unit_needs_no_contest", "1 0807", "105 0810", f="1 D1", g="105 A2", contest="",
            at="1 0808; 105 0809"),
        row("R-KP-13 KP-5.1e", "halts_count_as_hexes", "6 0807", "105 0811", f="6 S2 D1", g="105 A3",
            contest_hex_count="hexes_plus_stop_points", contest="0808 105>6 allowance"),
        row("R-KP-13 KP-5.1e", "halts_do_not_count", "6 0807", "105 0811", f="6 S2 D1", g="105 A3",
            contest_hex_count="hexes_only", contest="0808 6>105 hexes"),
        # two units may not stay, so the higher number backs up
        row("R-KP-12 R-KP-15", "best_unit_decides", "6 0807; 1 0708", "105 0809", f="6 D1 C1; 1 C1 B1", g="105 A1",
            contest="0808 1+6>105 allowance", at="1 0808; 6 0807; 105 0809"),
        row("R-KP-12", "losing_side_stays_out", "1 0807", "105 0809; 106 0709", f="1 D1", g="105 A1 B1; 106 B1 A1",
            contest="0808 1>105+106 allowance", at="1 0808; 105 0809; 106 0709"),
        row("R-KP-12 KP-6.4e", "one_roll_a_side", "11 0807", "105 0809; 106 0709", f="11 D1", g="105 A1; 106 B1 A1",
            dice=CONTEST.format(2, 5), contest="0808 105+106>11 dice"),
        row("KP-6.4b R-KP-07", "two_contests", "1 0807; 2 0407", "105 0809; 69 0409", f="1 D1; 2 D1", g="105 A1; 69 A1",
            contest="0408 69>2 allowance; 0808 1>105 allowance"),
        # the R35 paid 1 point for a halt and 4 for the stream, so it has entered fewer hexes
        row("R-KP-53 KP-6.4f", "exit_of_an_overrun", "29 0808; 6 0810", "94 0806", dice="overrun:0808 6",
            stream_sides="0809/0810", f="6 S1 A1", g="94 D1 VD", one=(ContestDecided, {"winners": ["6"]}),
            at="6 0809; 94 0807"),
    ],
)  # fmt: skip
def test_contest_for_a_hex_has_one_winning_side(new_case: NewCase, turn: Row) -> None:
    case = play(new_case, turn)
    assert len({event.tick for event in case.events(UnitStopped) if event.why.startswith("contest")}) <= 1


STILL, STARTED = ({"zoc_both_cease": option} for option in ("all_unfinished", "only_started"))


@pytest.mark.rule(
    "KP-12.4a KP-5.0c KP-5.1c KP-6.1b KP-6.3a KP-6.3b KP-6.3c KP-6.3d KP-7.0c KP-8.0b KP-8.0d KP-8.0e R-KP-07 R-KP-08"
    " R-KP-10 R-KP-11"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-6.3a KP-8.0b KP-6.1b", "zone", "29 0808", "94 0804", g="94 D6", at="94 0807", stops="94 0807 zone",
            one=(UnitStopped, {"by": "29"})),
        row("KP-6.3b KP-6.3d", "both_stop", "1 0804", "105 0811", f="1 D5", g="105 A5", at="1 0807; 105 0808",
            stops="1 0807 zone; 105 0808 zone"),
        row("KP-6.3c", "crossing_tracks", "1 0804", "138 1305", f="1 D6", g="138 E9", at="1 0810", stops={},
            hexes="138 1205 1106 1006 0907 0807 0708 0608 0509 0409"),
        *(row("R-KP-08 KP-6.3b", f"truck_paying_{number}", "1 0806", "138 0808", f="1 D1", g="138 D2", **option, at=at)
          for number, (option, at) in enumerate(((STILL, "1 0807; 138 0808"), (STARTED, "1 0807; 138 0810")))),
        *(row("R-KP-08 KP-5.1c", f"tank_on_a_halt_{number}", "1 0805", "105 0808", f="1 D2", g="105 S3 D2", **option,
              at=at) for number, (option, at) in enumerate(((STILL, "105 0808"), (STARTED, "105 0810")))),
        row("R-KP-08 KP-6.3b", "halt_after_a_hex", "1 0805", "105 0809", f="1 S1 D2", g="105 A1 S4 D2", **STARTED,
            at="105 0808"),
        row("R-KP-08 KP-8.0d", "adjacent_from_the_start", "1 0807; 29 0402", "105 0808; 138 0403", f="1 A2",
            g="105 D2; 138 D2", at="1 0805; 105 0810; 138 0405"),
        *(row("KP-6.3a KP-12.4a", f"every_kind_{unit}", "29 0808", f"{unit} 0806", road="0806 0807 0908",
              g=f"{unit} D1 C1", at=f"{unit} 0807", stops=f"{unit} 0807 zone")
          for unit in ("94", "138", "146", "112", "69")),
        row("R-KP-10", "trucks_head_on", "138 0807", "139 0808", f="138 D1", g="139 A1", head_on_swap="blocked",
            at="138 0807; 139 0808"),
        row("R-KP-10", "trucks_head_on_swap", "138 0807", "139 0808", f="138 D1", g="139 A1", head_on_swap="allowed",
            at="138 0808; 139 0807"),
        row("R-KP-10 KP-8.0e", "tanks_head_on", "1 0807", "105 0808", f="1 D1", g="105 A1", head_on_swap="allowed",
            at="1 0807; 105 0808"),
        *(row("R-KP-11 KP-7.0c", f"enemy_without_a_zone_{number}", still, "94 0805", g="94 D5", at="94 0807",
              stops="94 0807 enemy", contest="")
          for number, still in enumerate(("138 0808", "29 0808 D1", "138 0808; 38 aboard 138"))),
        row("R-KP-07 KP-7.0c", "hex_left_at_that_moment", "138 0807", "139 0808", f="138 D1", g="139 D1",
            one=(UnitsMoved, {"hexes": {"138": "0808", "139": "0809"}})),
        row("R-KP-07 R-KP-11", "blocked_column", "138 0807; 140 0809", "139 0808; 141 0806", f="138 D1",
            g="139 D1; 141 D1", at="141 0806; 138 0807; 139 0808; 140 0809"),
        row("R-KP-07", "ring_of_enemies_turns", "138 0807; 140 0908", "139 0808", f="138 C1; 140 E1", g="139 A1",
            at="138 0908; 140 0808; 139 0807"),
        row("KP-5.0c KP-7.0c", "path_through_the_enemy", "1 0808", "94 0805", refused={"94 D6": ""}, f="1 B4",
            g="94 S3 D6", at="94 0811"),
    ],
)  # fmt: skip
def test_opposing_units_stop_each_other(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)
