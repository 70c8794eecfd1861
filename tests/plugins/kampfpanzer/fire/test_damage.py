"""Riders on tanks at Summa (14.5, R-KP-76): attacks on riders and their tank, and the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.cases import counter, group
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import (
    FireResolved,
    OperationFailed,
    OverrunResolved,
    RecoveryRolled,
    UnitDebarked,
    UnitDestroyed,
    UnitEmbarked,
)

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase, Stage

PAIR, DISRUPTED = "69 0808; 81 aboard 69", "69 0808 D1; 81 aboard 69"
"""Russian units, used here as Germans on the small map."""
GUN, OFF = "39 0820 A", "69 Q 0909; 81 Q"
LEFT = "it carries no unit"


def ride(rules: str, name: str, french: str, germans: str = PAIR, **words: Any) -> Any:
    """Return a row in which infantry may ride on tanks."""
    return row(rules, name, french, germans, more={"riders": True, **words.pop("more", {})}, **words)


@pytest.mark.rule(
    "KP-12.0a KP-12.0b KP-12.0f KP-12.0g KP-12.11a KP-12.12a KP-12.2b KP-12.32a KP-14.5.3 KP-14.5.4 KP-14.5.5"
    " KP-14.5.6 KP-14.5.7 KP-8.2a KP-9.11a KP-9.12b KP-9.33d KP-9.36a KP-9.51b KP-9.63a KP-9.71a KP-9.91a KP-9.91d"
    " R-KP-25 R-KP-28 R-KP-46 R-KP-47 R-KP-63 R-KP-66 R-KP-67 R-KP-76"
)
@pytest.mark.parametrize(
    "turn",
    [
        ride("KP-14.5.3 R-KP-76 KP-12.0f", "mount", "", "69 0807; 81 0808; 70 0907; 115 0908 A", g="69 M 0808; 81 M",
             refused={"115 M; 70 M 0908": True}, one=(UnitEmbarked, {"unit": "81", "vehicle": "69"}),
             at="69 0808; 81 0808"),
        row("KP-14.5.3 KP-12.0a", "only_at_summa", "", "69 0807; 81 0808", refused={"69 M 0808; 81 M": True}),
        ride("KP-14.5.3 KP-12.0g R-KP-63", "dismount", "", f"{PAIR}; 82 0809", g=OFF, refused={"82 M; 69 M 0809": True},
             one=(UnitDebarked, {"unit": "81", "hex": "0909"}), at="69 0909; 81 0808"),
        ride("R-KP-76 KP-12.2b", "tank_fires", "1 0812; 29 0402", dice="fire:0812:1 6", g="69 N 0812",
             refused={"69 D15": "", "69 P 0811": ""}, fire="69>1 2"),
        ride("R-KP-76 KP-12.2b", "tank_moves", "1 0812; 29 0402", g="69 A7", at="69 0801; 81 0801"),
        # the counterattack hits tank and riders
        ride("R-KP-76 KP-9.63a", "overrun", "29 0810", dice="overrun:0810 6; counter:29 1",
             reply=[counter("french", "69")], g="69 D1 VD", one=(OverrunResolved, {"superiority": 3}),
             at="69 0811; 81 0811", levels="69 1; 81 1"),
        ride("R-KP-76 KP-12.0b", "riders_have_no_plot", "29 0810",
             refused=dict.fromkeys(("81 N 0810", "81 P 0812", "81 D1", "81 C"), True)),
        ride("R-KP-76 KP-8.2a", "no_zone_of_riders", "1 0905", DISRUPTED, f="1 D5", at="1 0910", stops={}),
        ride("R-KP-76 KP-8.2a", "no_zone_near_riders", "1 0805", DISRUPTED, f="1 B1 C1 C1 D4", stops={}),
        ride("R-KP-76 KP-8.2a", "zone_of_the_tank", "1 0905", f="1 D5", at="1 0908"),
        # attacks
        *(ride("KP-14.5.4 KP-14.5.5 R-KP-76", f"riders_attacked_by_{name}", f"{firer} 0811", dice="fire:0808:81 2",
               f=f"{firer} N 0808/81", **ground, levels=f"69 0; 81 {level}", pinned="",
               one=(FireResolved, {"targets": ["81"], "strengths": [strength], "superiority": superiority}))
          for name, firer, ground, strength, superiority, level in (
              ("tank", "1", {}, 5, 4, 3), ("small_arms", "29", {}, 4, 3, 3), ("mixed_weapon", "19", {}, 12, 8, 4),
              ("tank_in_woods", "6", {"woods": "0808"}, 2, -1, 1))),
        ride("KP-14.5.4 KP-14.5.5 R-KP-76", "riders_pinned_in_town", "6 0811", dice="fire:0808:81 2", f="6 N 0808/81",
             town="0808", pinned="81", levels="69 0; 81 0",
             one=(FireResolved, {"targets": ["81"], "strengths": [2], "superiority": -3})),
        *(ride("KP-14.5.6 KP-12.32a", f"result_on_the_tank_{die}", "1 0811", dice=f"fire:0808:69 {die}",
               f="1 N 0808/69", fire="1>69 4", levels=f"69 {level}; 81 {level}") for die, level in ((6, 2), (1, 3))),
        ride("KP-14.5.6 KP-9.51b R-KP-76", "small_arms_at_the_tank", "29 0811",
             refused={"29 N 0808/69": "KP-9.51b", "29 N 0808/81": ""}),
        # one attack has one result, which the riders do not suffer again through their tank
        *(ride("R-KP-28 KP-9.12b KP-14.5.6", f"both_attacked_by_{firer}", f"{firer} 0811; 29 0711",
               dice="fire:0808:* 6", refused={"29 N 0808": "R-KP-28"}, f=f"{firer} N 0808", fire=f"{firer}>69+81 {sup}",
               one=(FireResolved, {"strengths": [sup + 2], "defense": 2}), levels=f"69 {level}; 81 {level}")
          for firer, sup, level in (("1", 3, 1), ("19", 4, 2))),
        ride("KP-14.5.5 R-KP-76", "own_marker_pinned", "6 0811; 1 0812", dice="fire:0808:81 6; fire:0808:69 6",
             f="6 N 0808/81; 1 N 0808/69", levels="69 2; 81 2"),
        ride("KP-14.5.5 R-KP-76", "own_marker", "1 0811; 2 0812", dice="fire:0808:81 5; fire:0808:69 6",
             f="1 N 0808/81; 2 N 0808/69", levels="69 2; 81 4"),
        ride("KP-14.5.5 KP-14.5.7 R-KP-76", "disrupted_riders_stay_on", "", "69 0808; 81 aboard 69 D2", g="69 A3",
             refused={OFF: True}, at="69 0805; 81 0805", levels="81 2"),
        ride("KP-14.5.5 KP-9.71a R-KP-76", "pinned_riders_ride_on", "6 0811", dice="fire:0808:81 6", f="6 N 0808/81",
             g="69 A3", pinned="81", at="69 0805; 81 0805"),
        ride("KP-12.12a R-KP-66 KP-14.5.7", "pinned_riders_stay_on", "6 0811", dice="fire:0808:81 6", f="6 N 0808/81",
             g=OFF, at="69 0808; 81 0808"),
        ride("KP-12.11a R-KP-76", "destroyed_riders_do_not_dismount", "19 0811", dice="fire:0808:81 6",
             f="19 N 0808/81", g=OFF, one=(OperationFailed, {"unit": "69", "rule": "KP-12.11a", "why": LEFT}),
             at="69 0808"),
        ride("R-KP-76 KP-9.91d KP-14.5.5", "destroyed_riders_leave_no_wreck", "19 0811", dice="fire:0808:81 6",
             f="19 N 0808/81", g="69 A1", one=(UnitDestroyed, {"unit": "81", "passengers": [], "wreck": False}),
             wrecked="", at="69 0807"),
        ride("KP-14.5.6 KP-12.32a KP-9.91a", "destroyed_with_the_tank", "19 0809", dice="fire:0808:69 6",
             f="19 N 0808/69", levels="69 4; 81 4", wrecked="0808"),
        ride("R-KP-46 KP-9.33d R-KP-76", "loose_shells_hit_riders_only", GUN, dice="shell:81:39 2", f="39 L 0808",
             shelled="81 0808 static D2", levels="69 0; 81 2"),
        ride("R-KP-46 R-KP-76", "tight_shells_hit_riders_twice", GUN, dice="shell:69:39 4; shell:81:39 2",
             f="39 T 0808", levels="69 1; 81 3"),
        ride("R-KP-46 R-KP-47 KP-9.36a", "riders_of_a_moving_tank", GUN, "69 0806; 81 aboard 69",
             dice="shell:81:39 3 1 4", f="39 L 0808", g="69 D3", levels="69 0; 81 1",
             shelled="81 0807 moving; 81 0808 moving D1; 81 0809 moving"),
        ride("R-KP-67 KP-14.5.3", "panic_as_one", "", more={"panic": {"germans": 2}},
             dice="panic:germans 2; scatter:69 1; points:69 3", g="69 D3", at="69 0805; 81 0805"),
        ride("KP-9.11a R-KP-25 KP-14.5.4", "attacks_combine_by_target", "1 0811; 2 0812; 3 0711",
             dice="fire:0808:81 6; fire:0808:69 6", reply=[group("french", "1 2")],
             f="1 N 0808/81; 2 N 0808/81; 3 N 0808/69", fire="1+2>81 8; 3>69 4"),
    ],
)  # fmt: skip
def test_riders_share_moves_but_not_results_of_their_tank(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("R-KP-76", "KP-12.32b", "KP-9.72b")
def test_riders_and_tank_recover_separately(new_case: NewCase) -> None:
    dice = {"recovery:69": "3", "recovery:81": "1"}
    case = new_case(germans="69 0808 D2; 81 aboard 69 D3", more={"riders": True}, dice=dice).turn()
    assert case.levels("69", "81") == [2, 0]
    assert sorted(event.unit for event in case.events(RecoveryRolled)) == ["69", "81"]


@pytest.mark.rule("KP-14.5.8", "KP-14.5.10", "KP-14.0j")
@pytest.mark.parametrize(
    ("level", "out", "won"), [("", "70 71 72 73", True), ("D2", "70 71 72 73", True), ("", "70 71 72", False)]
)
def test_riders_that_exit_the_map_count_for_victory(stage: Stage, level: str, out: str, won: bool) -> None:
    case = stage("summa", finns="63 0310", russians=f"69 1502; 81 aboard 69 {level}", out=out, turn=4)
    case.turn(russians="69 A2")
    assert (case.left("69"), case.left("81")) == (True, True)
    assert (case.state.outcome == "russians") == won
