"""Opportunity fire (9.2): triggers, the first unit to pass, choices, and firers that cannot fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import group, target
from tests.plugins.kampfpanzer.rows import OBSERVED, Row, play, row

from kampfpanzer.model.events import FireResolved, FireTriggered, FireWithheld, UnitsMoved
from kampfpanzer.model.orders import ChooseTarget
from sandtable.kernel.records import RollRecord

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

SHOT, PIN, HIT = (FireResolved, {"opportunity": True}), "fire:* 6", "fire:* 1"
ALONG = "11 0305"
"""A unit that watches 0905, with a line along hexsides."""
WATCH, WATCHES = "35 0803 D", "35 P 0808"


@pytest.mark.rule("KP-9.0g KP-9.0h KP-9.13b KP-9.13c KP-9.16f KP-9.24a KP-9.25a KP-9.4c")
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.25a", "enemy_on_the_line", "1 0804; 11 0305", "94 0808; 138 0505",
            refused={"1 P 0807": "", "1 P 0808": "KP-9.25a", "1 P 0810": "KP-9.25a", "11 P 0905": "KP-9.25a"}),
        # 0404 and 0405 only border the line; a friend on the line does not matter
        row("KP-9.25a", "beside_the_line", "11 0305; 1 0806; 2 0802", "94 0404; 95 0405",
            refused={"11 P 0905": "", "2 P 0810": ""}),
        row("KP-9.25a", "touched_corner", "6 0708", "96 0705; 97 0606", refused={"6 P 0603": ""}),
        row("KP-9.0g KP-9.0h KP-9.13b KP-9.13c KP-9.4c KP-9.16f KP-9.24a", "rules_of_direct_fire",
            "6 0802; 38 0702 A; 39 0902 D; 19 1202; 138 1302", woods="0807 1206", woods_sides="1203/1204",
            refused={"6 P 0810": "", "6 P 0811": "KP-9.13b", "6 P 0807": "KP-9.16f", "38 P 0704": "KP-9.4c",
                     "39 P 0904": "KP-9.0h", "19 P 1205": True, "138 P 1304": "KP-12.31a"}),
    ],
)  # fmt: skip
def test_opportunity_fire_plots_are_legal_or_refused(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


TRIGGER = "KP-9.21a KP-9.23a KP-9.0g KP-9.24a"


@pytest.mark.rule(
    "KP-10.0b KP-12.0g KP-6.3a KP-9.0c KP-9.0d KP-9.0g KP-9.16f KP-9.18a KP-9.21a KP-9.21b KP-9.22a KP-9.22b KP-9.22c"
    " KP-9.23a KP-9.23b KP-9.24a KP-9.24b KP-9.51b KP-9.67c KP-9.71a KP-9.7b KP-9.81b KP-9.82b R-KP-15 R-KP-37"
    " R-KP-38 R-KP-39 R-KP-40 R-KP-41 R-KP-80"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row(TRIGGER, f"{name}", WATCH, passer, f=WATCHES, g=f"{passer.split()[0]} {plot}", dice=PIN,
              triggered=f"35>{passer.split()[0]} {where}", fire=f"35>{passer.split()[0]} {superiority}", one=SHOT)
          for name, passer, plot, where, superiority in (
              ("target_hex", "94 0708", "C2", "0808 2", -1), ("between", "94 0706", "C2", "0806 2", -1),
              ("from_the_east", "94 1005", "E3", "0806 4", -1), ("second_step", "94 0708", "A1 C2", "0807 4", -1),
              ("truck", "138 0708", "C2", "0808 4", 1))),
        *(row("KP-9.21b KP-9.23a KP-9.21a", name, WATCH, passer, f=WATCHES, g=f"94 {plot}", triggered="", fire="")
          for name, passer, plot in (("behind_the_target_hex", "94 0709", "C2"), ("beside", "94 0704", "D4"),
                                     ("far_behind", "94 0712", "D2"))),
        row("KP-9.21a KP-9.0d", "friend", f"{WATCH}; 1 0706", "94 1505", f=f"{WATCHES}; 1 C2", triggered=""),
        # a friend on the line does not trigger fire; the enemy behind it fires
        row("KP-9.21a KP-9.0d", "enemy_behind_a_friend", f"{WATCH}; 1 0706", "94 0810", f=f"{WATCHES}; 1 C2",
            g="94 P 0805", dice=PIN, triggered="94>1 0806 2"),
        *(row("KP-9.23b R-KP-38", f"along_hexsides_{number}", ALONG, "94 0607", f="11 P 0905", g=f"94 {plot}", dice=PIN,
              triggered=f"11>94 {where}")
          for number, (plot, where) in enumerate((("A2 B1", "0705 6"), ("A3", "0604 6"), ("A1 B1 A1", "0705 6")))),
        row("KP-9.23b", "side_crossed_from_the_other_side", ALONG, "94 0602", f="11 P 0905", g="94 D3", dice=PIN,
            triggered="11>94 0605 6"),
        row("KP-9.23b", "bordering_hexes", ALONG, "94 0603", f="11 P 0905", g="94 D1 A1", triggered=""),
        row("R-KP-38", "corner_does_not_trigger", "6 0708", "94 0703", f="6 P 0603", g="94 D3", dice=PIN,
            opp_corner="no_trigger", triggered="6>94 0706 6"),
        row("R-KP-38", "corner_triggers", "6 0708", "94 0703", f="6 P 0603", g="94 D3", dice=PIN, opp_corner="trigger",
            triggered="6>94 0705 4"),
        row("KP-9.22a KP-9.22b KP-9.0c KP-9.21a", "first_to_pass", WATCH, "94 0708; 95 0707; 96 0706", f=WATCHES,
            g="94 S1 C2; 95 C2; 96 S2 C2", dice=HIT, triggered="35>95 0807 2", levels="95 1",
            at="94 0909; 95 0908; 96 0907"),
        # the truck pays 2 points for one hex, the tank 1 point for two
        row("KP-9.22b", "points_count", WATCH, "138 0708; 94 0606", f=WATCHES, g="138 C2; 94 C3", dice=PIN,
            road="0606 0707 0807 0908", triggered="35>94 0807 2"),
        row("KP-9.22c", "closer_of_two", WATCH, "94 0708; 95 0906", f=WATCHES, g="94 C2; 95 E2", dice=PIN,
            triggered="35>95 0806 2"),
        # other moves
        row("R-KP-39", "entering_the_map", "35 0805 A", "94 enters 0801", f="35 P 0801", g="94 0801 B1", dice=PIN,
            triggered="35>94 0801 2"),
        row("R-KP-39", "overrun", "35 0804 D; 29 0808", "94 0706", f=WATCHES, g="94 D2 VC",
            dice=f"{PIN}; overrun:0808 6", triggered="35>94 0808 6"),
        row("R-KP-39 KP-12.0g", "debarking", WATCH, "138 0708; 112 aboard 138", f=WATCHES, g="138 Q 0808; 112 Q",
            triggered="", at="138 0808; 112 0708"),
        # 95 passes 0806, is stopped by the zone of 29 in the hex of its friend 94, and backs up
        row("R-KP-39 R-KP-15", "backing_up", f"{WATCH}; 29 0911", "94 0810; 95 0706", f=WATCHES, g="95 C1 D6", dice=PIN,
            at="94 0810; 95 0809", triggered="35>95 0806 2"),
        row("KP-9.82b KP-6.3a", "destroyed_unit_shields_no_friend", "1 0807; 26 1208", "91 0709; 95 1210", f="1 P 0809",
            g="91 B1; 95 A1 B2", dice=HIT, levels="91 4", at="95 1209", stops="95 1209 zone"),
        row("KP-9.24a KP-10.0b KP-9.18a", "ground_and_range", "1 0804", "94 0706", town="0807", f="1 P 0812",
            g="94 D1 C2", dice=PIN, one=(FireResolved, {"hex": "0807", "addition": 4, "superiority": -2})),
        # 1 is six hexes from the woods in 0808, 6 only two
        row("KP-9.24a KP-9.16f R-KP-37", "left_to_a_unit_that_sees", "1 0802; 6 0806", "94 0708", woods="0808",
            f="1 P 0812; 6 P 0812", g="94 C2", dice=PIN, triggered="6>94 0808 6"),
        row("KP-9.24a KP-9.18a", "doubled_at_range_one", "1 0804", "138 0706", f="1 P 0808", g="138 B1", dice=PIN,
            one=(FireResolved, {"strengths": [10]})),
        # targets that cannot be hit
        row("R-KP-37 KP-9.51b", "small_arms_wait_for_the_next", "26 0803", "94 0707; 138 0708", f="26 P 0808",
            g="94 C2; 138 C2", dice=PIN, opp_ineligible="not_triggered", fire="26>138 3"),
        row("R-KP-37 KP-9.51b", "small_arms_are_wasted", "26 0803", "94 0707; 138 0708", f="26 P 0808",
            g="94 C2; 138 C2", opp_ineligible="wasted", fire=""),
        row("R-KP-37 KP-9.7b KP-9.22a", "too_weak", "6 0802", "52 0709; 138 0708", f="6 P 0810", g="52 C2; 138 S2 C2",
            fire="", one=(FireWithheld, {"firers": ["6"], "targets": ["52"], "opportunity": True, "superiority": -7})),
        row("KP-9.24b KP-9.7b R-KP-40", "strong_enough_together", "6 0802; 1 0803", "52 0709", f="6 P 0810; 1 P 0810",
            g="52 C2", dice=PIN, fire="1+6>52 -3"),
        # state of the firer
        row("R-KP-41 KP-9.81b KP-9.71a R-KP-80", "pinned_firer", "6 0803", "94 0707; 102 1103", f="6 P 0808",
            g="94 C2; 102 N 0803", dice="fire:0803:6 6; fire:0807:94 6", pinned="6", triggered="6>94 0807 2"),
        row("R-KP-41 KP-9.81b KP-9.71a R-KP-80", "disrupted_firer", "6 0803", "94 0707; 102 1103", f="6 P 0808",
            g="94 C2; 102 N 0803", dice="fire:0803:6 4", pinned="", triggered=""),
        *(row("R-KP-41 KP-9.67c", f"overrun_firer_{die}", WATCH, "94 0705; 138 0706", f=WATCHES,
              g="94 A1 VB; 138 D1 C1", dice=f"overrun:0803 {die}; fire:0807:138 6", triggered="35>138 0807 8",
              levels=f"35 {level}") for die, level in ((6, 1), (1, 3))),
        row("R-KP-41 KP-9.82b", "eliminated_firer", WATCH, "94 0705; 95 0702; 96 0905; 138 0706", f=WATCHES,
            g="94 A1 VB; 95 D1 VC; 96 A1 VF; 138 D1 C1", dice="overrun:0803 6", levels="35 4", triggered=""),
        row("R-KP-41 KP-9.81b", "firer_destroyed_before", WATCH, "105 0704; 94 0707", f=WATCHES,
            g="105 N 0803; 94 C2", dice="fire:0803:35 1", levels="35 4", triggered="", at="94 0908"),
    ],
)  # fmt: skip
def test_opportunity_fire_is_triggered_by_moves_on_its_line(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


TIE = {"french": WATCH, "germans": "94 0707; 95 0907"}
TIE_PLOTS = {"french": WATCHES, "germans": "94 C2; 95 E2"}


@pytest.mark.rule("R-KP-36")
@pytest.mark.parametrize("chosen", ["94", "95"])
def test_firer_chooses_among_equal_targets(new_case: NewCase, chosen: str) -> None:
    case = new_case(**TIE, dice={"fire:*": "1"}).upto(**TIE_PLOTS)
    assert case.pending.side == "french"
    assert case.refuses("french", ChooseTarget("35"))
    case.answer(target("french", chosen))
    assert OBSERVED["triggered"](case, "") == f"35>{chosen} 0807 2"
    assert case.levels("94", "95") == [int(unit_id == chosen) for unit_id in ("94", "95")]


@pytest.mark.rule("R-KP-36")
def test_dice_choose_among_equal_targets(new_case: NewCase) -> None:
    for die, hit in (("1", "94"), ("2", "95")):  # by number
        case = new_case(**TIE, dice={"fire:*": "1", "tie:*": die}, opp_tie="random").turn(**TIE_PLOTS)
        assert case.one(FireTriggered).target == hit
        rolled = next(each for each in case.game.records if isinstance(each, RollRecord) and "tie:35" in each.label)
        assert (rolled.units, rolled.rule) == (("35",), "R-KP-36")


@pytest.mark.rule("KP-9.24b R-KP-36 R-KP-40")
@pytest.mark.parametrize(
    "turn",
    [
        row("R-KP-36 R-KP-40 KP-9.24b", "same_target", f"{WATCH}; 1 0802", TIE["germans"], dice=PIN,
            reply=[target("french", "95"), target("french", "95"), group("french", "1 35")], f=f"{WATCHES}; 1 P 0808",
            g=TIE_PLOTS["germans"], fire="1+35>95 4"),
        row("R-KP-36 R-KP-40", "one_each", f"{WATCH}; 1 0802", TIE["germans"], dice="fire:* 6 6",
            reply=[target("french", "94"), target("french", "95")], f=f"{WATCHES}; 1 P 0808", g=TIE_PLOTS["germans"],
            fire="1>94 2; 35>95 -1"),
    ],
)  # fmt: skip
def test_two_firers_choose_among_equal_targets(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.24a", "KP-9.82a")
def test_hit_unit_continues_its_move(new_case: NewCase) -> None:
    case = new_case(french="1 0803", germans="94 0707", dice={"fire:*": "1"})
    case.turn(french="1 P 0808", germans="94 C4")
    assert (case.level("94"), case.at("94")) == (3, "1109")
    assert case.events(UnitsMoved)[-1].hexes == {"94": "1109"}


@pytest.mark.rule("KP-9.24a", "KP-9.16f", "KP-9.16b", "R-KP-37")
@pytest.mark.parametrize("choice", ["not_triggered", "wasted"])
@pytest.mark.parametrize(
    "ground",
    [
        {"woods": "0808"},  # six hexes away
        {"town": "0808"},
        {"slope": "0802", "hilltop": "0812", "crest_sides": "0805/0806"},  # 0808 is low ground behind a crest
    ],
)
def test_unit_out_of_sight_is_not_hit(new_case: NewCase, ground: dict[str, str], choice: str) -> None:
    case = new_case(french="1 0802", germans="94 0708", opp_ineligible=choice, **ground)
    assert case.refused("1 P 0812") == ""
    case.turn(french="1 P 0812", germans="94 C2")
    assert case.fire() == []
    assert len(case.events(FireTriggered)) == (choice == "wasted")
