"""Winner and loser, 8.10 and 8.11: who retreats where, who is demoralised, who is eliminated, and who routs."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, activate, losses, retreat
from tests.plugins.damos.conftest import Lay, Stage

from damos.model import events
from damos.model.orders import (
    Activate,
    ChoosePlan,
    Decline,
    DropOff,
    EndActivation,
    LeaveOut,
    PickUp,
    Rally,
    Retreat,
    Rout,
    Step,
)

WIN = {"attack": "6", "defence": "1"}
"""6 against 6: 1h on the defender, 0 on the attacker."""
LOSE = {"attack": "1", "defence": "6"}
RING = "2714 I6:1; 2914 I7:1; 2717 I8:1; 2917 I9:1"
"""Forces whose zones cover all six hexes around 2815."""


def beaten(lay: Lay, soviet: str = "2815 i1:6", german: str = "", plan: str = "standard", **more: Any) -> Case:
    """Let I1 attack from 2816 and win; the defender is about to say where he goes."""
    case = lay(german=f"2816 I1:6; {german}", soviet=soviet, dice=WIN, **more)
    return case.march("I1", "2815", ChoosePlan(plan)).until(lambda case: bool(case.events(events.CombatDecided)))


def paths(case: Case) -> list[list[str]]:
    return [order.path for order in case.offered(Retreat)]


def gone_by_retreat(case: Case) -> list[str]:
    return [unit for event in case.events(events.UnitsEliminated) if event.why == "retreat" for unit in event.units]


# --- the winner ---

FACES = {"0": "1", "0h": "2", "0d": "3", "1": "4", "1h": "6", "1d": "15", "2": "16", "3": "56"}
"""How strength 6 or 7 inflicts so much."""


@pytest.mark.rule("DM-8.10b", "DM-8.10c", "DM-8.10d", "DM-8.10e", "DM-8.2i", "R-DM-12")
@pytest.mark.parametrize(("inflicted", "suffered", "winner"), [
    ("1h", "1", "attacker"), ("1h", "1d", "defender"), ("0", "0h", "defender"), ("2", "1d", "attacker"),
    ("3", "3", "defender"), ("1d", "1d", "defender"), ("0h", "0", "attacker"), ("0d", "0h", "attacker"),
    ("1", "0d", "attacker"), ("0", "0", "defender"), ("2", "3", "defender"), ("3", "2", "attacker"),
])  # fmt: skip
def test_more_points_inflicted_win(lay: Lay, inflicted: str, suffered: str, winner: str) -> None:
    attack, defence = FACES[inflicted], FACES[suffered]
    german, soviet = (5 + len(attack), 5 + len(defence))
    case = lay(f"2816 I1:{german}; 2815 i1:{soviet}", dice={"attack": attack, "defence": defence})
    decided = case.attack("I1", "2815").one(events.CombatDecided)
    assert (decided.on_defender, decided.on_attacker, decided.winner) == (inflicted, suffered, winner)


# --- retreats ---


@pytest.mark.rule("DM-8.11b")
def test_a_defender_goes_two_or_three_hexes(lay: Lay) -> None:
    found = paths(beaten(lay).to(Retreat))
    assert {len(path) - 1 for path in found} == {2, 3}
    assert {path[0] for path in found} == {"2815"}


@pytest.mark.rule("DM-8.11b")
def test_an_attacker_goes_one_hex(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=LOSE)
    case.march("I1", "2815", ChoosePlan("standard")).to(Retreat)
    assert case.asked.seat == "german"
    assert {len(path) - 1 for path in paths(case)} == {1}
    case.play(retreat("2815 2816"))
    assert (case.at("I1 i1"), case.demoralized("I1 i1")) == ("2816 2815", [True, False])


@pytest.mark.rule("DM-8.11c")
def test_the_force_stays_together(lay: Lay) -> None:
    case = beaten(lay, "2815 i1:4 i2:2").play(retreat("2815 2814 2813"))
    assert case.at("i1 i2") == "2813 2813"
    assert len(case.events(events.ForceRetreated)) == 1


@pytest.mark.rule("DM-8.11a", "R-DM-16")
@pytest.mark.parametrize(("option", "backwards"), [("nearest_source_not_longer", False), ("owner_free", True)])
def test_towards_a_source_of_supply(lay: Lay, option: str, backwards: bool) -> None:
    """The east edge is nearest: 2814, 2715 and 2915 lie no farther from it than 2815."""
    case = beaten(lay, retreat_towards_supply=option).to(Retreat)
    first = {path[1] for path in paths(case)}
    assert first >= {"2814", "2715", "2915"}
    assert bool(first & {"2816", "2716", "2916"}) == backwards
    case.rest()


@pytest.mark.rule("R-DM-16")
def test_where_no_way_leads_there_any_way_will_do(lay: Lay) -> None:
    """Enemy zones cover 2814, 2715 and 2915; only the way west is open."""
    case = beaten(lay, german="2614 I6:1; 2714 I7:1; 2914 I8:1")
    case.to(Retreat)
    assert {path[1] for path in paths(case)} == {"2816", "2716", "2916"}
    case.rest()


@pytest.mark.rule("DM-2.9b")
def test_a_retreat_takes_control_of_nothing(lay: Lay) -> None:
    case = beaten(lay, control={"german": "2814 2813 2812"}).play(retreat("2815 2814 2813"))
    assert [case.holder(hex_) for hex_ in ("2815", "2814", "2813")] == ["german", "german", "german"]


@pytest.mark.rule("DM-2.5d", "DM-8.11d")
def test_who_must_enter_an_enemy_zone_is_eliminated(lay: Lay) -> None:
    case = beaten(lay, german=RING).rest()
    assert gone_by_retreat(case) == ["i1"]
    assert case.standing("i1") == "eliminated"
    assert case.never(events.ForceRetreated)


@pytest.mark.rule("R-DM-17", "DM-8.11d")
def test_no_path_leads_through_an_enemy_zone_where_another_does_not(lay: Lay) -> None:
    case = beaten(lay, german="2813 I6:1").to(Retreat)
    covered = {"2812", "2814", "2713", "2714", "2913", "2914", "2813"}
    assert paths(case)
    assert not any(covered & set(path) for path in paths(case))
    case.rest()
    assert gone_by_retreat(case) == []


@pytest.mark.rule("R-DM-17")
@pytest.mark.parametrize(("option", "killed"), [("kills", True), ("friendly_cancels", False)])
def test_a_friend_in_the_hex_cancels_the_zone_or_does_not(lay: Lay, option: str, killed: bool) -> None:
    case = beaten(lay, "2815 i1:6; 2814 i2:6; 2813 i3:6", RING, retreat_ezoc_friendly=option).rest()
    assert (case.standing("i1") == "eliminated") == killed


@pytest.mark.rule("R-DM-86")
@pytest.mark.parametrize(("option", "killed"), [("winner_in_hex_ignored", False), ("literal", True)])
def test_the_winners_own_zone_lets_the_loser_go(lay: Lay, option: str, killed: bool) -> None:
    case = beaten(lay, retreat_from_combat_zoc=option).rest()
    assert (case.standing("i1") == "eliminated") == killed


@pytest.mark.rule("R-DM-86", "DM-8.11d")
def test_the_defenders_zone_lets_a_beaten_attacker_go(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=LOSE).attack("I1", "2815")
    assert case.at("I1") != "-"


@pytest.mark.rule("R-DM-86", "DM-2.5d")
def test_another_defenders_zone_does_not(lay: Lay) -> None:
    """Soviets in 2717 and 2917 cover the three hexes west of 2815, those in 2714 and 2914 the rest."""
    soviet = "2815 i1:6; 2714 i6:1; 2914 i7:1; 2717 i8:1; 2917 i9:1"
    case = lay(german="2816 I1:6", soviet=soviet, dice=LOSE).attack("I1", "2815")
    assert gone_by_retreat(case) == ["I1"]


@pytest.mark.rule("DM-2.5e", "DM-2.8c", "DM-8.11d")
def test_demoralized_enemies_bar_no_retreat(lay: Lay) -> None:
    ring = RING.replace(":1", ":1!")
    case = beaten(lay, german=ring).rest()
    assert case.standing("i1") == "on_map"


@pytest.mark.rule("R-DM-72", "DM-8.11b")
def test_one_hex_of_freedom_is_not_enough_for_a_defender(lay: Lay) -> None:
    """2814 is free; each hex beyond it is occupied or in a zone."""
    german = "2812 I6:1; 2717 I8:1; 2917 I9:1; 2614 I5:1; 3014 I4:1"
    case = beaten(lay, german=german).rest()
    assert gone_by_retreat(case) == ["i1"]


@pytest.mark.rule("DM-8.11h", "R-DM-72")
def test_a_friendly_major_city_next_door_ends_the_retreat(lay: Lay) -> None:
    case = beaten(lay, major="2814").to(Retreat)
    assert ["2815", "2814"] in paths(case)
    assert ["2815", "2814", "2813"] in paths(case)
    assert not any(len(path) == 2 and path[1] != "2814" for path in paths(case))
    case.play(retreat("2815 2814"))
    assert (case.at("i1"), case.demoralized("i1")) == ("2814", [True])


@pytest.mark.rule("DM-8.11h")
@pytest.mark.parametrize(
    "more", [{"city": "2814"}, {"major": "2814", "control": {"german": "2814"}}, {"major": "2813"}]
)
def test_no_other_city_does(lay: Lay, more: dict[str, Any]) -> None:
    case = beaten(lay, **more).to(Retreat)
    assert min(map(len, paths(case))) == 3
    case.rest()


@pytest.mark.rule("R-DM-71", "AGC-1.3a", "AGC-1.3f", "AGC-1.3g")
@pytest.mark.parametrize(("option", "beyond"), [("apply", False), ("ignore", True)])
def test_the_boundaries_bind_retreats(stage: Stage, option: str, beyond: bool) -> None:
    """West of Vilnius row 25 is the northernmost."""
    free = {"retreat_towards_supply": "owner_free"}
    case = stage("2525 g-3pz; 2524 s-4rc", dice="attack 5; defence 1", boundaries_retreat=option, **free)
    case.march("g-3pz", "2524", ChoosePlan("standard")).to(Retreat)
    assert any(hex_ in {"2423", "2424"} for path in paths(case) for hex_ in path) == beyond
    case.rest()


# --- demoralisation ---


@pytest.mark.rule("DM-8.11e", "DM-2.8a")
@pytest.mark.parametrize(("plan", "demoralized"), [("standard", True), ("meeting", False)])
def test_the_loser_is_demoralized_but_for_a_meeting_engagement(lay: Lay, plan: str, demoralized: bool) -> None:
    case = beaten(lay, plan=plan).play(retreat("2815 2814 2813"))
    assert (case.at("i1"), case.demoralized("i1"), case.demoralized("I1")) == ("2813", [demoralized], [False])


@pytest.mark.rule("DM-8.11e", "DM-2.8a")
@pytest.mark.parametrize(("plan", "demoralized"), [("standard", True), ("meeting", False)])
def test_so_is_a_losing_attacker(lay: Lay, plan: str, demoralized: bool) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=LOSE).attack("I1", "2815", plan=plan)
    assert case.demoralized("I1") == [demoralized]
    assert case.at("I1") != "2815"


@pytest.mark.rule("DM-8.11f", "DM-2.8f")
def test_a_demoralized_loser_loses_one_point_more_from_its_largest_unit(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4! i2:2!", dice="attack 4; defence 1")
    case.march("I1", "2815", ChoosePlan("standard")).to_losses("soviet")
    case.play(losses("i2:1"))
    assert case.one(events.CombatResolved).on_defender == "1"
    assert case.sp("i1 i2") == [3, 1]
    assert case.demoralized("i1 i2") == [True, True]
    assert [event.why for event in case.events(events.LossesTaken)][-1] == "demoralized"
    assert case.at("i1") != "2815"


@pytest.mark.rule("DM-8.11f")
def test_that_point_can_be_its_last(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:2!", dice="attack 3; defence 1").attack("I1", "2815")
    assert case.one(events.CombatResolved).on_defender == "1"
    assert case.standing("i1") == "eliminated"


@pytest.mark.rule("R-DM-44", "DM-2.8f")
@pytest.mark.parametrize(("option", "left"), [("lose_1_sp", 4), ("none", 5)])
def test_a_demoralized_loser_of_a_meeting_engagement(lay: Lay, option: str, left: int) -> None:
    case = lay("2816 I1:6; 2815 i1:6!", dice="attack 4; defence 1", me_already_demoralized=option)
    case.attack("I1", "2815", plan="meeting")
    assert case.one(events.CombatResolved).on_defender == "1"
    assert (case.sp("i1"), case.demoralized("i1")) == ([left], [True])
    assert case.at("i1") != "2815"


@pytest.mark.rule("DM-8.11g", "DM-2.8h")
@pytest.mark.parametrize("row", [28, 34])
def test_a_demoralized_defender_who_wins_rallies_supplied_or_not(lay: Lay, row: int) -> None:
    case = lay(f"{row}16 I1:6; {row}15 i1:6!", dice="attack 1; defence 5")
    case.attack("I1", f"{row}15")
    rallied = case.one(events.ForceRallied)
    assert (rallied.units, rallied.why, case.demoralized("i1")) == (["i1"], "won", [False])


@pytest.mark.rule("R-DM-46", "DM-8.8d", "DM-8.12a")
def test_both_are_gone_and_nobody_has_won(lay: Lay) -> None:
    """1 against 1 and the forest, with a 6 each, one better for the attacker of demoralised men."""
    case = lay("2816 I1:1; 2815 i1:1!", forest="2815", dice="attack 6; defence 6").attack("I1", "2815")
    assert [case.standing("I1"), case.standing("i1")] == ["eliminated", "eliminated"]
    assert case.one(events.CombatDecided).winner == ""
    assert case.never(events.ExploitationBegan, events.ForceRetreated)


@pytest.mark.rule("R-DM-46", "DM-8.10e")
def test_one_who_is_left_alone_has_won(lay: Lay) -> None:
    """1 on each side is a tie, but the attacker is gone."""
    case = lay("2816 I1:1; 2815 i1:2!", forest="2815", dice="attack 6; defence 6").attack("I1", "2815")
    assert [case.standing("I1"), case.standing("i1")] == ["eliminated", "on_map"]
    assert case.one(events.CombatDecided).winner == "defender"
    assert (case.at("i1"), case.demoralized("i1")) == ("2815", [False])


# --- major cities ---


def city(lay: Lay, plan: str = "standard", kind: str = "major", **more: Any) -> Case:
    """12 win against 7 and 5 with 4 loss points to 2; i1 keeps 5 and i2 3. The defender is about to choose."""
    case = lay("2816 I1:6 I2:6; 2815 i1:7 i2:5", dice="attack 66; defence 111", **{kind: "2815"}, **more)
    case.march("I1 I2", "2815", ChoosePlan(plan)).to_losses("soviet")
    case.submit(losses("i1:2 i2:2" if plan == "standard" else "i1:2 i2:1"))
    return case.until(lambda case: bool(case.events(events.CombatDecided)))


@pytest.mark.rule("DM-8.11i", "R-DM-18", "R-DM-19")
def test_a_rout_saves_the_city(lay: Lay) -> None:
    case = city(lay).to(Rout)
    assert case.asked.seat == "soviet"
    case.play(Rout(["2815", "2814", "2813"], "i1"))
    assert (case.at("i1 i2"), case.demoralized("i1 i2"), case.sp("i1 i2")) == ("2813 2815", [True, False], [5, 3])
    assert "2815" not in case.at("I1 I2")
    assert case.demoralized("I1 I2") == [True, True]
    assert len(case.last(events.ForceRetreated).path) == 2
    assert case.never(events.ExploitationBegan)


@pytest.mark.rule("DM-8.11i")
def test_the_defender_may_retreat_all_the_same(lay: Lay) -> None:
    case = city(lay).to(Rout)
    if not case.asks(Retreat):
        case.submit(Decline())
    case.to(Retreat).play(retreat("2815 2814 2813"))
    assert case.at("i1 i2") == "2813 2813"
    assert case.at("I1 I2") == "2815 2815"


@pytest.mark.rule("DM-8.11i")
def test_the_strongest_after_the_losses_routs(lay: Lay) -> None:
    """i1 began with 6 and takes all three; i2 with 5 is stronger then."""
    case = lay("2816 I1:6 I2:6; 2815 i1:6 i2:5", dice="attack 26; defence 111", major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to_losses("soviet").submit(losses("i1:3"))
    case.play(Rout(["2815", "2814", "2813"], "i2"))
    assert case.at("i1 i2") == "2815 2813"


@pytest.mark.rule("R-DM-18")
def test_a_rout_needs_somebody_who_stays(lay: Lay) -> None:
    case = lay("2816 I1:6 I2:6; 2815 i1:8", dice="attack 66; defence 11", major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to(Retreat)
    assert not case.asks(Rout)
    case.rest()


@pytest.mark.rule("R-DM-18")
def test_a_rout_throws_back_and_demoralizes_even_in_a_meeting_engagement(lay: Lay) -> None:
    case = city(lay, plan="meeting").play(Rout(["2815", "2814", "2813"], "i1"))
    assert case.demoralized("I1 I2 i1 i2") == [True, True, True, False]


@pytest.mark.rule("R-DM-18")
def test_or_the_routed_unit_is_eliminated(lay: Lay) -> None:
    case = city(lay, rout_meaning="unit_eliminated").to(Rout)
    case.play(case.offered(Rout)[0])
    assert (case.standing("i1"), case.at("i2")) == ("eliminated", "2815")
    assert any(event.why == "rout" for event in case.events(events.UnitsEliminated))


@pytest.mark.rule("R-DM-18", "DM-2.5d")
def test_a_unit_that_routs_into_an_enemy_zone_is_eliminated(lay: Lay) -> None:
    german = f"2816 I1:6 I2:6; {RING}"
    dice = {"attack": "66", "defence": "111"}
    case = lay(german=german, soviet="2815 i1:7 i2:5", dice=dice, major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to_losses("soviet").submit(losses("i1:2 i2:2"))
    case.to(Rout).play(case.offered(Rout)[0])
    assert (case.standing("i1"), case.at("i2")) == ("eliminated", "2815")
    assert case.demoralized("I1 I2 i2") == [True, True, False]


@pytest.mark.rule("DM-8.11i")
def test_in_a_city_that_is_not_major_nobody_routs(lay: Lay) -> None:
    case = city(lay, kind="city").to(Retreat)
    assert not case.asks(Rout)
    case.rest()


# --- corners ---


@pytest.mark.rule("DM-2.3c", "DM-2.3d")
def test_a_retreat_may_crowd_a_hex_until_its_owners_operations_end(lay: Lay) -> None:
    case = beaten(lay, "2815 i1:6; 2813 i2:2 i3:2 i4:2").play(retreat("2815 2814 2813"))
    case.end()
    assert case.at("i1 i2 i3 i4") == "2813 2813 2813 2813"
    assert case.never(events.UnitsEliminated)


@pytest.mark.rule("R-DM-16", "DM-8.11d")
def test_no_retreat_through_an_enemy_hex_not_even_a_demoralized_ones(lay: Lay) -> None:
    case = beaten(lay, german="2814 I6:1!").to(Retreat)
    assert not any("2814" in path for path in paths(case))
    case.rest()


@pytest.mark.rule("R-DM-16", "AGC-1.3a")
def test_nor_off_the_map(lay: Lay) -> None:
    """Attacked from the west at the east edge: there are no hexes behind."""
    case = lay("2602 I1:6; 2601 i1:6", dice=WIN)
    case.march("I1", "2601", ChoosePlan("standard")).to(Retreat)
    assert all(hex_ in case.prepared.board.area for path in paths(case) for hex_ in path)
    case.rest()
    assert case.standing("i1") == "on_map"


@pytest.mark.rule("DM-8.11c", "DM-2.3g")
def test_who_is_left_out_does_not_come_along(lay: Lay) -> None:
    case = lay("2816 I1:12; 2815 i1:4 i2:3 i3:2 i4:3", dice="attack 66; defence 11")
    case.march("I1", "2815").answer(LeaveOut(["i4"]), ChoosePlan("standard"), retreat("2815 2814 2813")).rest()
    assert case.standing("i4") == "eliminated"
    assert set(case.at("i1 i2 i3").split()) <= {"2813", "-"}


@pytest.mark.rule("DM-2.3g")
def test_who_is_left_out_of_a_defence_that_holds_stays(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:3 i3:2 i4:3", dice="attack 1; defence 66")
    case.march("I1", "2815").answer(LeaveOut(["i4"]), ChoosePlan("standard")).rest()
    assert case.at("i4") == "2815"
    assert case.sp("i4") == [3]


@pytest.mark.rule("DM-8.11b", "DM-8.11d", "R-DM-18")
def test_an_attacker_thrown_back_by_a_rout_dies_in_enemy_zones(lay: Lay) -> None:
    dice = {"attack": "66", "defence": "111"}
    soviet = "2815 i1:7 i2:5; 2714 i6:1; 2914 i7:1; 2717 i8:1; 2917 i9:1"
    case = lay(german="2816 I1:6 I2:6", soviet=soviet, dice=dice, major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to(Rout)
    case.play(case.offered(Rout)[0])
    assert [case.standing("I1"), case.standing("I2")] == ["eliminated", "eliminated"]


@pytest.mark.rule("DM-8.11g", "DM-8.10e")
def test_a_tie_rallies_a_demoralized_defender_too(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6!", dice="attack 3; defence 4").attack("I1", "2815")
    decided = case.one(events.CombatDecided)
    assert (decided.on_attacker, decided.on_defender, decided.winner) == ("1", "1", "defender")
    assert case.demoralized("i1") == [False]


@pytest.mark.rule("DM-8.11a", "R-DM-16", "AGC-4.3.2b")
def test_a_nearer_city_draws_the_retreat(lay: Lay) -> None:
    """A city in 2515, three hexes north of 2815, is nearer than the edge: 2915 and 2916 lead away from it."""
    case = beaten(lay, city="2515").to(Retreat)
    assert {path[1] for path in paths(case)} == {"2715", "2716", "2814", "2816"}
    case.rest()


# --- what it forbids ---


@pytest.mark.rule("DM-2.8d")
def test_demoralized_units_do_not_attack(lay: Lay) -> None:
    """2815 is in no zone but its own defenders'; a demoralised defender has none, and is no easier prey."""
    case = lay("2816 A1:6!; 2815 i1:6!").go(activate("A1"))
    assert case.refuses(Step("2815"))
    case.rest()


@pytest.mark.rule("DM-2.8d")
@pytest.mark.parametrize(("enemy", "may"), [("i1:6", False), ("i1:6!", True), ("a1:6~", False)])
def test_nor_do_they_move_into_enemy_zones(lay: Lay, enemy: str, may: bool) -> None:
    case = lay(f"2818 A1:6!; 2815 {enemy}").march("A1", "2817")
    assert case.allows(Step("2816")) == may
    case.rest()


@pytest.mark.rule("DM-2.8d")
def test_a_friend_there_does_not_help(lay: Lay) -> None:
    case = lay("2817 A1:6!; 2816 I1:6; 2815 i1:6").go(activate("A1"))
    assert case.refuses(Step("2816"))
    case.rest()


@pytest.mark.rule("DM-2.8d")
def test_out_of_a_zone_they_may_go(lay: Lay) -> None:
    case = lay("2816 A1:6!; 2815 i1:6").march("A1", "2817 2818")
    assert case.rest().at("A1") == "2818"


@pytest.mark.rule("DM-2.8c", "DM-2.5a", "DM-2.5e", "DM-2.6c")
def test_they_have_no_zones(lay: Lay) -> None:
    """A demoralised neighbour does not cut the railway; an undemoralised one does."""
    for mark, supplied in (("", False), ("!", True)):
        case = lay(f"2620 A1:6!; 2722 i1:6{mark}; 2922 i2:6{mark}", movement={"A1": 6})
        case.go(activate("A1"))
        assert case.asks(Rally) == supplied, mark
        case.rest()


# --- how it spreads ---


@pytest.mark.rule("DM-2.8b", "DM-2.6d", "R-DM-06")
def test_who_ends_with_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay("2820 I1:6; 2821 I2:6!~").march("I1", "2821", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [True, True]
    spread = case.one(events.ForceDemoralized)
    assert (spread.units, spread.hex, spread.why) == (["I1"], "2821", "stacked")


@pytest.mark.rule("DM-2.8b")
def test_and_who_comes_demoralized_to_friends_infects_them(lay: Lay) -> None:
    case = lay("2820 I1:6!; 2821 I2:6").march("I1", "2821", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
@pytest.mark.parametrize("option", ["end_of_activation", "immediate"])
def test_passing_through_does_nothing(lay: Lay, option: str) -> None:
    case = lay("2820 I1:6; 2821 I2:6!~", demoralize_by_stacking=option)
    case.march("I1", "2821 2822", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [False, True]


@pytest.mark.rule("R-DM-06", "R-DM-80")
@pytest.mark.parametrize(("option", "at_once"), [("end_of_activation", False), ("immediate", True)])
def test_dropped_off_it_spreads_at_once_or_in_the_end(lay: Lay, option: str, at_once: bool) -> None:
    case = lay("2820 A1:6 I1:6; 2821 I2:6!~", demoralize_by_stacking=option)
    case.march("A1 I1", "2821", DropOff(["I1"]))
    assert case.demoralized("I1") == [at_once]
    case.go(Step("2822")).rest()
    assert case.demoralized("A1 I1 I2") == [False, True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
def test_a_retreat_spreads_it(lay: Lay) -> None:
    """The loser comes to i2, which is demoralised with it."""
    case = lay("2816 I1:6; 2815 i1:6; 2813 i2:6", dice="attack 6; defence 1")
    case.attack("I1", "2815", retreat("2815 2814 2813"))
    assert case.demoralized("i1 i2") == [True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
def test_a_loser_of_a_meeting_engagement_who_comes_to_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6; 2813 i2:6!", dice="attack 6; defence 1")
    case.attack("I1", "2815", retreat("2815 2814 2813"), plan="meeting")
    assert case.demoralized("i1 i2") == [True, True]


@pytest.mark.rule("DM-2.6d", "DM-2.8e")
def test_one_demoralized_unit_in_the_hex_makes_the_whole_defence_demoralized(lay: Lay) -> None:
    """Such a stack arises only within an activation; laid out all the same, it has no posture."""
    case = lay("2816 I1:6; 2815 i1:3! i2:3!", dice="attack 1; defence 6").attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == ""
    assert case.demoralized("i1 i2") == [False, False]


# --- how it ends ---


@pytest.mark.rule("DM-2.8g", "DM-7.0l")
def test_a_rally_costs_two_points(lay: Lay) -> None:
    case = lay("2820 I1:6! I2:3!").march("I1 I2", "2821", Rally())
    rallied = case.one(events.ForceRallied)
    assert (rallied.units, rallied.hex, rallied.left, rallied.why) == (["I1", "I2"], "2821", 2, "rally")
    assert case.demoralized("I1 I2") == [False, False]
    case.rest()


@pytest.mark.rule("DM-2.8g", "DM-7.0l", "DM-2.10d")
@pytest.mark.parametrize(("position", "soviet", "may"), [
    ("2820 I1:6!", "", True), ("3320 I1:6!", "", False), ("2816 I1:6!", "2815 i1:6", False),
    ("2816 I1:6!", "2815 i1:6!", True), ("2816 I1:6", "", False),
])  # fmt: skip
def test_it_wants_supply_and_no_enemy_zone(lay: Lay, position: str, soviet: str, may: bool) -> None:
    case = lay(german=position, soviet=soviet).go(activate("I1"))
    assert case.allows(Rally()) == may
    case.rest()


@pytest.mark.rule("DM-2.8g")
def test_and_two_points(lay: Lay) -> None:
    case = lay("2820 I1:6!").march("I1", "2821 2822")
    assert case.allows(Rally())
    case.submit(Step("2823"))
    assert not case.allows(Rally())
    case.rest()


@pytest.mark.rule("DM-2.8g")
def test_a_friend_in_the_hex_does_not_lift_the_zone_for_a_rally(lay: Lay) -> None:
    """The unit itself stands there: if that were enough no zone would ever bar a rally."""
    case = lay("2816 I1:6! I2:6!; 2815 i1:6").go(activate("I1 I2"))
    assert not case.allows(Rally())
    case.rest()


@pytest.mark.rule("DM-2.8g", "DM-7.0b")
def test_once_rallied_it_attacks(lay: Lay) -> None:
    case = lay("2817 A1:6!; 2815 i1:6", dice="attack 1; defence 6")
    case.march("A1", "", Rally(), Step("2816"), Step("2815"), ChoosePlan("standard")).rest()
    assert case.one(events.PlansRevealed).plan == "standard"


@pytest.mark.rule("DM-2.8g")
def test_it_does_not_end_by_itself(lay: Lay) -> None:
    case = lay("2820 I1:6!", dice="rail *").to_turn(4)
    assert case.demoralized("I1") == [True]


@pytest.mark.rule("DM-2.8c", "DM-7.0d")
def test_a_demoralized_armoured_force_counts_as_one_without_a_zone(lay: Lay) -> None:
    case = lay("2820 A1:6!; 2822 I1:6").march("A1", "2821", EndActivation()).rest()
    assert case.allows(Activate(["I1"]))


@pytest.mark.rule("R-DM-31")
def test_demoralized_units_are_not_picked_up(lay: Lay) -> None:
    case = lay("2820 I1:6; 2821 I2:6!").march("I1", "2821")
    assert not case.allows(PickUp(["I2"]))
    case.rest()
