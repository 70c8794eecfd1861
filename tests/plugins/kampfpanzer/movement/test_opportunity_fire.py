"""Opportunity fire, section 9.2: who triggers it, whom it hits, who may combine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import FireResolved, FireTriggered, FireWithheld, UnitsMoved
from kampfpanzer.model.orders import ChooseTarget
from sandtable.kernel.records import RollRecord

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import group, target


def triggered(case: Case) -> list[tuple[str, str, str, int]]:
    """Return who fired, at whom, where, and after how many half points."""
    return [(" ".join(e.firers), e.target, e.hex, e.tick) for e in case.events(FireTriggered)]


# --- what may be plotted ---


@pytest.mark.rule("KP-9.25a")
def test_no_enemy_may_stand_on_the_line_now(lay: Lay) -> None:
    case = lay(french="1 0804; 11 0305", germans="94 0808; 138 0505")
    assert case.refused("1 P 0807") == ""
    assert case.refused("1 P 0808") == "KP-9.25a"
    assert case.refused("1 P 0810") == "KP-9.25a"
    assert case.refused("11 P 0905") == "KP-9.25a"


@pytest.mark.rule("KP-9.25a")
def test_beside_the_line_he_may(lay: Lay) -> None:
    # 0404 and 0405 only border the line, 0705 is touched at a corner.
    case = lay(french="11 0305; 1 0806; 2 0802", germans="94 0404; 95 0405")
    assert case.refused("11 P 0905") == ""
    assert lay(french="6 0708", germans="96 0705; 97 0606").refused("6 P 0603") == ""
    assert case.refused("2 P 0810") == ""  # a friend on the line is no matter


@pytest.mark.rule("KP-9.0g", "KP-9.0h", "KP-9.13b", "KP-9.13c", "KP-9.4c", "KP-9.16f", "KP-9.24a")
def test_it_obeys_the_rules_of_direct_fire(lay: Lay) -> None:
    case = lay(
        french="6 0802; 38 0702 A; 39 0902 D; 19 1202; 138 1302",
        woods="0807 1206",
        woods_sides="1203/1204",
    )
    assert case.refused("6 P 0810") == ""
    assert case.refused("6 P 0811") == "KP-9.13b"
    assert case.refused("6 P 0807") == "KP-9.16f"
    assert case.refused("38 P 0704") == "KP-9.4c"
    assert case.refused("39 P 0904") == "KP-9.0h"
    assert case.refused("19 P 1205")
    assert case.refused("138 P 1304") == "KP-12.31a"


# --- what triggers ---


@pytest.mark.rule("KP-9.21a", "KP-9.23a", "KP-9.0g", "KP-9.24a")
@pytest.mark.parametrize(
    ("passer", "plot", "hex_", "tick", "superiority"),
    [
        ("94 0708", "C2", "0808", 2, -1),  # the target hex itself
        ("94 0706", "C2", "0806", 2, -1),  # between firer and target
        ("94 1005", "E3", "0806", 4, -1),
        ("94 0708", "A1 C2", "0807", 4, -1),
        ("138 0708", "C2", "0808", 4, 1),
    ],
)
def test_who_comes_between_triggers(lay: Lay, passer: str, plot: str, hex_: str, tick: int, superiority: int) -> None:
    case = lay(french="35 0803 D", germans=passer, dice={"fire:*": "6"})
    unit_id = passer.partition(" ")[0]
    case.turn(french="35 P 0808", germans=f"{unit_id} {plot}")
    assert triggered(case) == [("35", unit_id, hex_, tick)]
    shot = case.one(FireResolved)
    assert (shot.hex, shot.opportunity, shot.superiority) == (hex_, True, superiority)


@pytest.mark.rule("KP-9.21b", "KP-9.23a", "KP-9.21a")
@pytest.mark.parametrize(
    ("passer", "plot"),
    [
        ("94 0709", "C2"),  # behind the target hex
        ("94 0704", "D4"),  # beside the line
        ("94 0712", "D2"),
    ],
)
def test_others_do_not(lay: Lay, passer: str, plot: str) -> None:
    case = lay(french="35 0803 D", germans=passer)
    case.turn(french="35 P 0808", germans=f"94 {plot}")
    assert triggered(case) == []
    assert case.fire() == []


@pytest.mark.rule("KP-9.21a", "KP-9.0d")
def test_friends_do_not(lay: Lay) -> None:
    case = lay(french="35 0803 D; 1 0706", germans="94 1505")
    assert triggered(case.turn(french="35 P 0808; 1 C2")) == []
    # His own comrade on the same line waits on, and the enemy behind him shoots.
    case = lay(french="35 0803 D; 1 0706", germans="94 0810", dice={"fire:*": "6"})
    assert triggered(case.turn(french="35 P 0808; 1 C2", germans="94 P 0805")) == [("94", "1", "0806", 2)]


@pytest.mark.rule("KP-9.23b", "R-KP-38")
@pytest.mark.parametrize(
    ("plot", "where"),
    [
        ("A2 B1", "0705"),  # 0606, 0605 beside the line, 0705 on it
        ("A3", "0604"),  # crosses the side between 0605 and 0604
        ("A1 B1 A1", "0705"),
    ],
)
def test_a_line_along_hexsides(lay: Lay, plot: str, where: str) -> None:
    case = lay(french="11 0305", germans="94 0607", dice={"fire:*": "6"})
    case.turn(french="11 P 0905", germans=f"94 {plot}")
    assert [(hex_, unit_id) for _, unit_id, hex_, _ in triggered(case)] == [(where, "94")]


@pytest.mark.rule("KP-9.23b")
def test_the_side_is_crossed_from_the_other_side_too(lay: Lay) -> None:
    case = lay(french="11 0305", germans="94 0602", dice={"fire:*": "6"})
    case.turn(french="11 P 0905", germans="94 D3")
    assert triggered(case) == [("11", "94", "0605", 6)]


@pytest.mark.rule("KP-9.23b")
def test_bordering_hexes_alone_trigger_nothing(lay: Lay) -> None:
    case = lay(french="11 0305", germans="94 0603")
    assert triggered(case.turn(french="11 P 0905", germans="94 D1 A1")) == []


@pytest.mark.rule("R-KP-38")
@pytest.mark.parametrize(("option", "where"), [("no_trigger", "0706"), ("trigger", "0705")])
def test_a_touched_corner(lay: Lay, option: str, where: str) -> None:
    case = lay(french="6 0708", germans="94 0703", dice={"fire:*": "6"}, opp_corner=option)
    case.turn(french="6 P 0603", germans="94 D3")
    assert triggered(case) == [("6", "94", where, 4 if where == "0705" else 6)]


# --- the first one ---


@pytest.mark.rule("KP-9.22a", "KP-9.22b", "KP-9.0c", "KP-9.21a")
def test_only_the_first_to_pass_is_shot_at(lay: Lay) -> None:
    case = lay(french="35 0803 D", germans="94 0708; 95 0707; 96 0706", dice={"fire:*": "1"})
    case.turn(french="35 P 0808", germans="94 S1 C2; 95 C2; 96 S2 C2")
    assert triggered(case) == [("35", "95", "0807", 2)]
    assert (case.level("95"), case.at("94", "95", "96")) == (1, "0909 0908 0907")


@pytest.mark.rule("KP-9.22b")
def test_points_count_and_not_hexes(lay: Lay) -> None:
    # The truck needs two points for its one hex, the tank one point each for two.
    case = lay(french="35 0803 D", germans="138 0708; 94 0606", dice={"fire:*": "6"}, road="0606 0707 0807 0908")
    case.turn(french="35 P 0808", germans="138 C2; 94 C3")
    assert triggered(case) == [("35", "94", "0807", 2)]


@pytest.mark.rule("KP-9.22c")
def test_of_two_at_once_the_closer_is_shot_at(lay: Lay) -> None:
    case = lay(french="35 0803 D", germans="94 0708; 95 0906", dice={"fire:*": "6"})
    case.turn(french="35 P 0808", germans="94 C2; 95 E2")
    assert triggered(case) == [("35", "95", "0806", 2)]


TIE = {"french": "35 0803 D", "germans": "94 0707; 95 0907"}
TIE_PLOTS = {"french": "35 P 0808", "germans": "94 C2; 95 E2"}


@pytest.mark.rule("R-KP-36")
@pytest.mark.parametrize("chosen", ["94", "95"])
def test_of_equals_the_firer_chooses(lay: Lay, chosen: str) -> None:
    case = lay(**TIE, dice={"fire:*": "1"}).upto(**TIE_PLOTS)
    assert case.asked.side == "french"
    assert case.refuses("french", ChooseTarget("35"))
    case.answer(target("french", chosen))
    assert triggered(case) == [("35", chosen, "0807", 2)]
    assert case.levels("94", "95") == [int(unit_id == chosen) for unit_id in ("94", "95")]


@pytest.mark.rule("R-KP-36")
def test_or_chance_does(lay: Lay) -> None:
    for die, hit in (("1", "94"), ("2", "95")):  # by number
        case = lay(**TIE, dice={"fire:*": "1", "tie:*": die}, opp_tie="random").turn(**TIE_PLOTS)
        assert triggered(case)[0][1] == hit
        rolled = next(each for each in case.game.records if isinstance(each, RollRecord) and "tie:35" in each.label)
        assert (rolled.units, rolled.rule) == (("35",), "R-KP-36")


@pytest.mark.rule("R-KP-36", "R-KP-40", "KP-9.24b")
def test_two_firers_each_choose_and_combine_on_the_same_one(lay: Lay) -> None:
    case = lay(french="35 0803 D; 1 0802", germans=TIE["germans"], dice={"fire:*": "6"})
    answers = [target("french", "95"), target("french", "95"), group("french", "1 35")]
    case.turn(*answers, french="35 P 0808; 1 P 0808", germans=TIE_PLOTS["germans"])
    assert [(sorted(e.firers), e.superiority) for e in case.events(FireResolved)] == [(["1", "35"], 4)]


@pytest.mark.rule("R-KP-36", "R-KP-40")
def test_or_each_on_his_own(lay: Lay) -> None:
    case = lay(french="35 0803 D; 1 0802", germans=TIE["germans"], dice={"fire:*": "6 6"})
    answers = [target("french", "94"), target("french", "95")]
    case.turn(*answers, french="35 P 0808; 1 P 0808", germans=TIE_PLOTS["germans"])
    assert {shot[1] for shot in case.fire()} == {"94", "95"}


# --- who cannot be shot at ---


@pytest.mark.rule("R-KP-37", "KP-9.51b")
@pytest.mark.parametrize(("option", "hit"), [("not_triggered", ["138"]), ("wasted", [])])
def test_small_arms_and_a_tank_that_passes_first(lay: Lay, option: str, hit: list[str]) -> None:
    dice = {"fire:*": "6"} if hit else {}
    case = lay(french="26 0803", germans="94 0707; 138 0708", dice=dice, opp_ineligible=option)
    case.turn(french="26 P 0808", germans="94 C2; 138 C2")
    assert [event.targets for event in case.events(FireResolved)] == [[unit_id] for unit_id in hit]


@pytest.mark.rule("R-KP-37", "KP-9.7b", "KP-9.22a")
def test_a_hopeless_shot_is_wasted(lay: Lay) -> None:
    case = lay(french="6 0802", germans="52 0709; 138 0708")
    case.turn(french="6 P 0810", germans="52 C2; 138 S2 C2")
    held = case.one(FireWithheld)
    assert (held.firers, held.targets, held.opportunity, held.superiority) == (["6"], ["52"], True, -7)
    assert case.fire() == []


@pytest.mark.rule("KP-9.24b", "KP-9.7b", "R-KP-40")
def test_together_they_may_manage_what_one_cannot(lay: Lay) -> None:
    case = lay(french="6 0802; 1 0803", germans="52 0709", dice={"fire:*": "6"})
    case.turn(french="6 P 0810; 1 P 0810", germans="52 C2")
    assert [(sorted(event.firers), event.superiority) for event in case.events(FireResolved)] == [(["1", "6"], -3)]


# --- the firer's own troubles ---


@pytest.mark.rule("R-KP-41", "KP-9.81b", "KP-9.71a", "R-KP-80")
@pytest.mark.parametrize(("die", "fires"), [("6", True), ("4", False)])
def test_pinned_it_fires_disrupted_it_does_not(lay: Lay, die: str, fires: bool) -> None:
    dice = {"fire:0803:6": die} | ({"fire:0807:94": "6"} if fires else {})
    case = lay(french="6 0803", germans="94 0707; 102 1103", dice=dice)  # 5 against 4
    case.turn(french="6 P 0808", germans="94 C2; 102 N 0803")
    assert bool(triggered(case)) == fires
    assert (case.pinned() == ["6"]) == fires


@pytest.mark.rule("R-KP-41", "KP-9.67c")
@pytest.mark.parametrize("die", ["6", "1"])
def test_overrun_it_still_fires(lay: Lay, die: str) -> None:
    dice = {"overrun:0803": die, "fire:0807:138": "6"}
    case = lay(french="35 0803 D", germans="94 0705; 138 0706", dice=dice)
    case.turn(french="35 P 0808", germans="94 A1 VB; 138 D1 C1")
    assert triggered(case) == [("35", "138", "0807", 8)]
    assert case.level("35") == {"6": 1, "1": 3}[die]


@pytest.mark.rule("R-KP-41", "KP-9.82b")
def test_eliminated_it_does_not(lay: Lay) -> None:
    case = lay(french="35 0803 D", germans="94 0705; 95 0702; 96 0905; 138 0706", dice={"overrun:0803": "6"})
    case.turn(french="35 P 0808", germans="94 A1 VB; 95 D1 VC; 96 A1 VF; 138 D1 C1")
    assert case.level("35") == 4
    assert triggered(case) == []


@pytest.mark.rule("R-KP-41", "KP-9.81b")
def test_destroyed_before_movement_it_does_not_fire(lay: Lay) -> None:
    case = lay(french="35 0803 D", germans="105 0704; 94 0707", dice={"fire:0803:35": "1"})
    case.turn(french="35 P 0808", germans="105 N 0803; 94 C2")
    assert (case.level("35"), triggered(case), case.at("94")) == (4, [], "0908")


# --- moves of other kinds ---


@pytest.mark.rule("R-KP-39")
def test_entering_the_map_triggers(lay: Lay) -> None:
    case = lay(french="35 0805 A", germans="94 enters 0801", dice={"fire:*": "6"})
    case.turn(french="35 P 0801", germans="94 0801 B1")
    assert triggered(case) == [("35", "94", "0801", 2)]


@pytest.mark.rule("R-KP-39")
def test_the_steps_of_an_overrun_trigger(lay: Lay) -> None:
    dice = {"fire:*": "6", "overrun:0808": "6"}
    case = lay(french="35 0804 D; 29 0808", germans="94 0706", dice=dice)
    # from 0707 by 0708, through 0808 into 0909: 0808 is on the line
    case.turn(french="35 P 0808", germans="94 D2 VC")
    assert triggered(case) == [("35", "94", "0808", 6)]


@pytest.mark.rule("R-KP-39", "KP-12.0g")
def test_being_put_down_triggers_nothing(lay: Lay) -> None:
    case = lay(french="35 0803 D", germans="138 0708; 112 aboard 138")
    case.turn(french="35 P 0808", germans="138 Q 0808; 112 Q")
    assert triggered(case) == []
    assert case.at("138", "112") == "0808 0708"


@pytest.mark.rule("R-KP-39", "R-KP-15")
def test_backing_up_triggers_nothing(lay: Lay) -> None:
    # 95 passes 0806, is stopped by the zone of 29 in the hex of its friend 94, and goes back.
    case = lay(french="35 0803 D; 29 0911", germans="94 0810; 95 0706", dice={"fire:*": "6"})
    case.turn(french="35 P 0808", germans="95 C1 D6")
    assert case.at("94", "95") == "0810 0809"
    assert triggered(case) == [("35", "95", "0806", 2)]


@pytest.mark.rule("KP-9.24a", "KP-9.82a")
def test_who_is_hit_moves_on(lay: Lay) -> None:
    case = lay(french="1 0803", germans="94 0707", dice={"fire:*": "1"})
    case.turn(french="1 P 0808", germans="94 C4")
    assert (case.level("94"), case.at("94")) == (3, "1109")
    assert case.events(UnitsMoved)[-1].hexes == {"94": "1109"}


@pytest.mark.rule("KP-9.82b", "KP-6.3a")
def test_who_dies_on_the_way_hides_nobody_from_zones(lay: Lay) -> None:
    case = lay(french="1 0807; 26 1208", germans="91 0709; 95 1210", dice={"fire:*": "1"})  # 10 against 1
    case.turn(french="1 P 0809", germans="91 B1; 95 A1 B2")
    assert (case.level("91"), case.at("95")) == (4, "1209")
    assert case.stops()["95"] == ("1209", "zone")


@pytest.mark.rule("KP-9.24a", "KP-10.0b", "KP-9.18a")
def test_ground_and_range_of_the_hex_of_the_trigger_count(lay: Lay) -> None:
    case = lay(french="1 0804", germans="94 0706", town="0807", dice={"fire:*": "6"})
    case.turn(french="1 P 0812", germans="94 D1 C2")
    shot = case.one(FireResolved)
    assert (shot.hex, shot.addition, shot.superiority) == ("0807", 4, -2)


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
def test_what_direct_fire_could_not_hit_is_not_hit(lay: Lay, ground: dict[str, str], choice: str) -> None:
    case = lay(french="1 0802", germans="94 0708", opp_ineligible=choice, **ground)
    assert case.refused("1 P 0812") == ""
    case.turn(french="1 P 0812", germans="94 C2")
    assert case.fire() == []
    assert len(case.events(FireTriggered)) == (choice == "wasted")


@pytest.mark.rule("KP-9.24a", "KP-9.16f", "R-KP-37")
def test_who_cannot_see_him_leaves_him_to_who_can(lay: Lay) -> None:
    # 1 is six hexes from the woods in 0808, 6 but two.
    case = lay(french="1 0802; 6 0806", germans="94 0708", woods="0808", dice={"fire:*": "6"})
    case.turn(french="1 P 0812; 6 P 0812", germans="94 C2")
    assert triggered(case) == [("6", "94", "0808", 6)]


@pytest.mark.rule("KP-9.24a", "KP-9.18a")
def test_at_range_one_it_is_doubled(lay: Lay) -> None:
    case = lay(french="1 0804", germans="138 0706", dice={"fire:*": "6"})
    case.turn(french="1 P 0808", germans="138 B1")
    assert case.one(FireResolved).strengths == [10]
