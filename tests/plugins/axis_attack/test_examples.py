"""The worked examples AOA-X01 to AOA-X33: those of the book, and those computed from its rules."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import (
    Answer,
    Lay,
    adjusts,
    ahead,
    assigns,
    bound,
    breaks_through,
    builds,
    changes,
    chooses,
    claims,
    concession,
    exchanges,
    keeps,
    raises,
    result,
    rolled,
    sky,
)
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.model import orders
from axis_attack.model.events import MissionSelected, PlatoonRaised, SelectionRolled
from axis_attack.model.strength import level_of, levels_of, size_of_level, under_teams
from sandtable.tabletop.result import ReportBattle

FIT = "pg1 pg full; pg2 pg full"
FIT2 = "pg2 pg full; pg3 pg full"
CONVOY = f"pg1 pg full immobile; hmg hmg full immobile; pak38 pak38 full immobile; panzer panzer full; {FIT2}"


@pytest.mark.rule("AOA-1.09", "AOA-R08")
def test_x01_panzergrenadiers_are_depleted_or_full(lay: Lay) -> None:
    kind = lay("setup.company").state.board.lists["german"].types["pg"]
    assert [size.teams for size in kind.sizes] == [5, 7]
    assert under_teams(kind) == 0
    assert levels_of(kind) == (0, 1, 2, 4)
    assert [level_of(kind, teams) for teams in (4, 5, 6, 7)] == [1, 2, 2, 4]


@pytest.mark.rule("AOA-1.10")
def test_x02_tank_company_has_5_7_or_10_teams(lay: Lay) -> None:
    kind = lay("setup.company").state.board.lists["soviet"].types["tankovy"]
    sizes = [size_of_level(kind, level) for level in (2, 3, 4)]
    assert [size.teams for size in sizes if size is not None] == [5, 7, 10]


@pytest.mark.rule("AOA-1.10")
def test_x03_eighth_tank_is_wasted(lay: Lay) -> None:
    case = lay("setup.company").play(builds("soviet", "t1 tankovy 8; t2 tankovy 5"), until=orders.ChooseForce)
    assert case.level("t1") == "under strength"
    assert case.allows(chooses("soviet", "t1 7; t2 5"))
    assert not case.allows(chooses("soviet", "t1 8; t2 5"))


@pytest.mark.rule("AOA-5.23", "AOA-5.24", "AOA-5.25")
def test_x10_concession_with_300_points_fewer_scores_6_to_1(lay: Lay) -> None:
    german = f"{FIT}; cars cars full; cycles cycles full"
    case = lay("battle", points=(1500, 1200), german=german, forces={"german": "pg1 7; pg2 7; cars 4; cycles 7"})
    case.play(concession("soviet"))
    assert case.balance() == (6, 1)
    case.next_turn().play(until=orders.ClaimRecon)
    assert case.allows(claims("german", "cars", "cycles"))


@pytest.mark.rule("AOA-6.06", "AOA-6.08", "AOA-6.11")
def test_x11_steady_rain_after_showers(lay: Lay) -> None:
    case = lay("weather", tweak=sky("intermittent_rain"), dice={"weather": "5"}).play(until=ReportBattle)
    assert (case.state.weather, case.state.mud) == ("steady_rain", 2)
    assert "neither side has air support" in case.words()


@pytest.mark.rule("AOA-R17")
@pytest.mark.parametrize(("last", "die", "mud", "after"), [("cloudy", 6, 3, 4), ("clear", 1, 1, 0)])
def test_x12_mud_is_bounded(lay: Lay, last: str, die: int, mud: int, after: int) -> None:
    case = lay("weather", tweak=sky(last, mud), dice={"weather": str(die)}).play(until=ReportBattle)
    assert case.state.mud == after


@pytest.mark.rule("AOA-5.13", "AOA-5.14", "AOA-R46")
def test_x13_brief_has_the_rules_of_bunkers(lay: Lay) -> None:
    """Firepower 3+: a 2 has no effect, 3 and 5 pin, 6 kills. The campaign only puts this in the brief."""
    words = lay("battle", mission="trench_fight").play(until=ReportBattle).words()
    assert "at least double the rating kills" in words
    assert "pins" in words


@pytest.mark.rule("AOA-8.02", "AOA-5.17")
def test_x17_bonus_is_in_the_balance_but_not_in_the_selection(lay: Lay) -> None:
    case = lay("battle", points=(1300, 1500), dice=rolled(1, 1)).play(result("german", "4-3"))
    assert case.balance() == (6, 3)
    case.next_turn().play(until=orders.PlaceTable)
    selection = case.events(SelectionRolled, later=True)[-1]
    assert selection.totals == {"german": 1 + 4 + 1, "soviet": 1 + 3}


@pytest.mark.rule("AOA-8.19", "AOA-8.20")
@pytest.mark.parametrize("mission", ["breakthrough", "cauldron"])
def test_x18_an_encounter_is_changed_once(lay: Lay, mission: str) -> None:
    case = lay("selection", last="german won hold_the_line as attacker 5-2", balance=(8, 7), dice=rolled(3, 1))
    case.play(until=orders.ChangeMission)
    assert case.state.mission == "encounter"
    legal = [each for each in case.state.board.missions if case.allows(changes("german", each))]
    assert legal == ["breakthrough", "cauldron"]
    case.game.submit(orders.ChangeMission(mission), "german")
    assert case.state.mission == mission
    assert not case.expects(orders.ChangeMission)


@pytest.mark.rule("AOA-10.19")
def test_x25_half_tracks_are_taken_from_the_gutted_platoon(lay: Lay) -> None:
    case = lay(
        "battle", mission="breakthrough", german="a apg full; b apg full; pg1 pg full", forces={"german": "a 7; b 7"}
    )
    case.play(
        result("german", "6-1", german={"a": "2t", "b": "3d 1t"}), breaks_through("german", 2), until=orders.KeepMobile
    )
    assert case.level("a", "b") == "full strength, gutted"
    case.play(keeps("german", taken={"b>a": 2}))
    assert case.platoon("a").transports == 3
    assert case.immobile() == ["b"]


@pytest.mark.rule("AOA-11.15", "AOA-11.17")
def test_x26_two_gutted_platoons_are_raised(lay: Lay) -> None:
    german = "pg1 pg destroyed; pg2 pg gutted; pg3 pg gutted"
    case = lay("reinforcement", german=german, dice={"reinforce:german:pg1": "3+6"})
    case.play(raises("german", "pg2", "pg3"), assigns("german", pg1=2))
    assert case.level("pg1", "pg2", "pg3") == "gutted, depleted, depleted"
    case.next_turn().play(until=orders.ChooseForce)
    assert case.why_not(chooses("german", "pg1 5; pg2 5; pg3 5")) == "AOA-3.07"


@pytest.mark.rule("AOA-11.24", "AOA-11.25")
def test_x29_three_tanks_for_three_guns(lay: Lay) -> None:
    case = lay("exchange", german=f"{FIT}; panzer panzer depleted", balance=(5, 0)).play(until=orders.ExchangePlatoon)
    assert case.why_not(exchanges("german", "panzer", "pak40", 4)) == "AOA-11.24"
    case.play(exchanges("german", "panzer", "pak40", 3))
    assert (case.platoon("panzer").type, case.balance()) == ("pak40", (0, 0))


def choice(rules: str, name: str, wrong: Sequence[Any], legal: Sequence[Any], **words: Any) -> Any:
    """Return a row of forces that are refused and of forces that are legal."""
    return row(rules, name, at="forces", until=orders.ChooseForce, wrong=wrong, legal=legal, **words)


def tanks(number: int) -> Answer:
    return chooses("soviet", f"t1 {number} cupola=3; t2 5")


def dear(extra: int) -> Answer:
    """Return the choice of a force of 30 + 635 + 635 + 180 + 115 points, and 5 for each upgrade."""
    return chooses("soviet", "t1 10 cupola=3; t2 10; zis3 4; scouts 7", extra)


def riders(pg: int, hmg: int, panzer: int, more: str = "") -> Answer:
    return chooses("german", f"pg1 {pg} on=panzer; hmg {hmg} on=panzer; pg2 7; panzer {panzer}{more}")


def select(rules: str, name: str, last: str, german: int, soviet: int, *answers: Answer, **words: Any) -> Any:
    more = {"at": "selection", "until": orders.PlaceTable, "dice": rolled(german, soviet), **words}
    return row(rules, name, *answers, last=f"german won {last}", **more)


PAIR, BAILED = {"german": "pg1 7; pg2 7"}, {"german": "pg1 7; pg2 7; panzer 5"}
REDUCED = [(pg, hmg) for pg in (5, 7) for hmg in (3, 4, 5)]
LOADED: dict[str, Any] = {"german": CONVOY, "tweak": bound}
GUN = chooses("german", "pg1 7 on=panzer; pak38 2 on=panzer; pg2 7; panzer 4")
RESERVE = "pg1 pg destroyed; pg2 pg destroyed; pg3 pg destroyed"
TIED = "breakthrough as defender 4-3"
EXAMPLES: list[Any] = [
    choice("3.06 3.08", "x04_five_six_or_seven_tanks_with_three_upgrades",
           [tanks(each) for each in (1, 2, 3, 4, 8, 9, 10)], [tanks(each) for each in (5, 6, 7)],
           soviet="t1 tankovy under cupola=3; t2 tankovy full"),
    choice("3.03 3.04", "x05_two_points_make_1650", [(dear(1), "3.02"), (dear(4), "3.03")], [dear(2)], balance=(0, 9)),
    choice("3.14 3.15", "x06_four_tanks_carry_both_but_no_gun", [riders(7, 5, 4, "; pak38 2"), (GUN, "3.14")],
           [riders(7, 5, 4)], **LOADED),
    choice("3.15 R11", "x07_three_tanks_carry_them_reduced", [riders(*each, 3) for each in REDUCED[2:]],
           [riders(*each, 3) for each in REDUCED[:2]], **LOADED),
    row("5.19", "x08_125_points_fewer_give_a_bonus", result("german", "5-2"), points=(1500, 1375), left=(5, 3)),
    *(row("5.18 5.19 5.20 5.21", f"x09_bonus_of_{bonus}_for_{less}_points_fewer", result("soviet", "4-3"),
          points=(1500, 1500 - less), left=(3, 4 + bonus))
      for less, bonus in ((50, 0), (51, 1), (150, 1), (151, 2), (300, 2), (301, 3))),
    select("8.02 8.03 8.04 8.07", "x14_nine_against_seven", "hold_the_line as attacker 5-2", 2, 5,
           claims("german", "cars"), balance=(5, 2), tweak=ahead("cars"), totals=(9, 7),
           roles=("encounter", "german", "soviet")),
    select("8.06 8.09", "x15_a_tie_of_seven", "hold_the_line as defender 6-1", 3, 5, balance=(6, 7), totals=(7, 7),
           each={MissionSelected: [{"mission": "cauldron"}]}),
    *(select("8.11 8.12", f"x16_a_tie_of_six_is_moved_to_{roles[0]}", TIED, 4, 2, adjusts("german", "german", by),
             balance=(4, 5), totals=(6, 6), roles=roles)
      for by, roles in ((1, ("cauldron", "german", "soviet")), (-1, ("fighting_withdrawal", "soviet", "german")))),
    row("10.03 10.11", "x19_the_mortar_does_not_count", result("german", "6-1", german={"pg1": "3d"}),
        forces={"german": "pg1 7 light_mortar; pg2 7"}, levels="pg1 gutted"),
    row("10.04", "x20_three_unused_tanks_are_added", result("german", "6-1", soviet={"t1": "3d"}),
        forces={"soviet": "t1 7; t2 5"}, levels="t1 under strength"),
    *(row("10.06 10.07", f"x21_two_destroyed_and_three_bailed_{winner}",
          result(winner, "4-3", german={"panzer": "2d 3b"}), forces=BAILED, levels=f"panzer {level}")
      for winner, level in (("soviet", "destroyed"), ("german", "depleted"))),
    row("R32", "x22_the_same_in_a_draw", result("draw", "1-1", german={"panzer": "2d 3b"}), forces=BAILED,
        dice={"bailed:german:panzer": "4+5+6"}, levels="panzer depleted"),
    row("10.08", "x23_four_destroyed_and_three_routed", result("soviet", "4-3", german={"pg1": "4d 3r"}), forces=PAIR,
        levels="pg1 gutted"),
    row("10.05", "x24_turn_three_is_too_early", result("soviet", "4-3", german={"pg1": "3:2 4:2"}), forces=PAIR,
        levels="pg1 depleted"),
    row("11.16", "x27_two_destroyed_platoons_take_all_four_dice", raises("german", "pg1", "pg3"), at="reinforcement",
        german=RESERVE, levels="pg1 depleted; pg2 destroyed; pg3 depleted",
        each={PlatoonRaised: [{"dice": 2}, {"dice": 2}]}),
    row("11.06 11.12", "x28_a_six_among_three_dice", assigns("german", panzer=3, hmg=1), at="reinforcement",
        german=f"{FIT}; panzer panzer gutted; hmg hmg gutted",
        dice={"reinforce:german:panzer": "5+4+6", "reinforce:german:hmg": "1"}, levels="panzer depleted"),
    row("7.03 R47", "x30_from_the_middle", result("german", "4-3"), mission="encounter", front=5),
    *(row("7.03 R47", f"x30_to_the_enemys_rear_{sectors}", result("german", "4-3"), breaks_through("german", sectors),
          mission="breakthrough", sector=5, front=5 + sectors) for sectors in (1, 2)),
    *(row("7.11", f"x31_withdrawal_moves_the_front_back_if_the_{winner}_wins", result(winner, "4-3"),
          mission="fighting_withdrawal", attacker="soviet", front=3) for winner in ("german", "soviet")),
    row("12.01 R66", "x32_a_cauldron_in_the_home_sector_wins", result("german", "4-3"), mission="cauldron", sector=7,
        ended=("german", "home_sector")),
    *(row("12.03 R67", f"x33_campaign_ends_in_sector_{sector}_after_nine_turns", result("german", "4-3"),
          mission="cauldron", sector=sector, turn=9, ended=end)
      for sector, end in ((6, ("german", "front")), (5, ("draw", "stalemate")), (2, ("soviet", "front")))),
]  # fmt: skip


@pytest.mark.rule(
    "AOA-10.03 AOA-10.04 AOA-10.05 AOA-10.06 AOA-10.07 AOA-10.08 AOA-10.11 AOA-11.06 AOA-11.12 AOA-11.16 AOA-12.01"
    " AOA-12.03 AOA-3.03 AOA-3.04 AOA-3.06 AOA-3.08 AOA-3.14 AOA-3.15 AOA-5.18 AOA-5.19 AOA-5.20 AOA-5.21 AOA-7.03"
    " AOA-7.11 AOA-8.02 AOA-8.03 AOA-8.04 AOA-8.06 AOA-8.07 AOA-8.09 AOA-8.11 AOA-8.12 AOA-R11 AOA-R32 AOA-R47 AOA-R66"
    " AOA-R67"
)
@pytest.mark.parametrize("case", EXAMPLES)
def test_example_has_its_outcome(lay: Lay, case: Row) -> None:
    play(lay, case)


def test_every_example_has_a_test() -> None:
    named = [each.id for each in EXAMPLES] + [name[5:] for name in globals() if name.startswith("test_x")]
    assert {int(each[1:3]) for each in named} == set(range(1, 34))
