"""The worked examples AOA-X01 to AOA-X33: those of the book, and those computed from its rules."""

from collections.abc import Callable

import pytest
from tests.plugins.axis_attack.cases import (
    Answer,
    Lay,
    adjusts,
    assigns,
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
)

from axis_attack.model import orders
from axis_attack.model.events import PlatoonRaised, SelectionRolled
from axis_attack.model.state import AxisState
from axis_attack.model.strength import level_of, levels_of, size_of_level, under_teams
from sandtable.tabletop.result import ReportBattle

FIT = "pg1 pg full; pg2 pg full"
FIT2 = "pg2 pg full; pg3 pg full"
CONVOY = f"pg1 pg full immobile; hmg hmg full immobile; pak38 pak38 full immobile; panzer panzer full; {FIT2}"


def bound(state: AxisState) -> None:
    state.bound = "german"


def dice(german: int, soviet: int) -> dict[str, str]:
    return {"selection:german": str(german), "selection:soviet": str(soviet)}


@pytest.mark.rule("AOA-1.09", "AOA-R08")
def test_x01_panzergrenadiers_are_depleted_or_full(lay: Lay) -> None:
    kind = lay("setup.company").state.board.lists["german"].types["pg"]
    assert [size.teams for size in kind.sizes] == [5, 7]
    assert under_teams(kind) == 0
    assert levels_of(kind) == (0, 1, 2, 4)
    assert [level_of(kind, teams) for teams in (4, 5, 6, 7)] == [1, 2, 2, 4]


@pytest.mark.rule("AOA-1.10")
def test_x02_a_tank_company_of_five_to_ten(lay: Lay) -> None:
    kind = lay("setup.company").state.board.lists["soviet"].types["tankovy"]
    sizes = [size_of_level(kind, level) for level in (2, 3, 4)]
    assert [size.teams for size in sizes if size is not None] == [5, 7, 10]


@pytest.mark.rule("AOA-1.10")
def test_x03_eighth_tank_is_wasted(lay: Lay) -> None:
    case = lay("setup.company").play(builds("soviet", "t1 tankovy 8; t2 tankovy 5"), until=orders.ChooseForce)
    assert case.level("t1") == "under strength"
    assert case.allows(chooses("soviet", "t1 7; t2 5"))
    assert not case.allows(chooses("soviet", "t1 8; t2 5"))


@pytest.mark.rule("AOA-3.06", "AOA-3.08")
def test_x04_five_six_or_seven_tanks_with_three_upgrades(lay: Lay) -> None:
    case = lay("forces", soviet="t1 tankovy under cupola=3; t2 tankovy full").play(until=orders.ChooseForce)
    legal = [tanks for tanks in range(1, 11) if case.allows(chooses("soviet", f"t1 {tanks} cupola=3; t2 5"))]
    assert legal == [5, 6, 7]


@pytest.mark.rule("AOA-3.03", "AOA-3.04")
def test_x05_two_points_make_1650(lay: Lay) -> None:
    def company(extra: int) -> Answer:
        # 30 + 635 + 635 + 180 + 115 + 5 per upgrade
        return chooses("soviet", "t1 10 cupola=3; t2 10; zis3 4; scouts 7", extra)

    case = lay("forces", balance=(0, 9)).play(until=orders.ChooseForce)
    assert case.why_not(company(1)) == "AOA-3.02"
    assert case.allows(company(2))
    assert case.why_not(company(4)) == "AOA-3.03"


@pytest.mark.rule("AOA-3.14", "AOA-3.15")
def test_x06_four_tanks_carry_both_but_no_gun(lay: Lay) -> None:
    case = lay("forces", german=CONVOY, tweak=bound).play(until=orders.ChooseForce)
    riders = "pg1 7 on=panzer; hmg 5 on=panzer; pg2 7; panzer 4"
    assert case.allows(chooses("german", riders))
    assert case.why_not(chooses("german", f"{riders}; pak38 2"))
    assert case.why_not(chooses("german", "pg1 7 on=panzer; pak38 2 on=panzer; pg2 7; panzer 4")) == "AOA-3.14"


@pytest.mark.rule("AOA-3.15", "AOA-R11")
def test_x07_three_tanks_carry_them_reduced(lay: Lay) -> None:
    case = lay("forces", german=CONVOY, tweak=bound).play(until=orders.ChooseForce)
    fits = [
        (pg, hmg)
        for pg in (5, 7)
        for hmg in (3, 4, 5)
        if case.allows(chooses("german", f"pg1 {pg} on=panzer; hmg {hmg} on=panzer; pg2 7; panzer 3"))
    ]
    assert fits == [(5, 3), (5, 4)]


@pytest.mark.rule("AOA-5.19")
def test_x08_125_points_fewer_give_a_bonus(lay: Lay) -> None:
    case = lay("battle", points=(1500, 1375)).play(result("german", "5-2"))
    assert case.balance() == (5, 3)


@pytest.mark.rule("AOA-5.18", "AOA-5.19", "AOA-5.20", "AOA-5.21")
@pytest.mark.parametrize(("difference", "bonus"), [(50, 0), (51, 1), (150, 1), (151, 2), (300, 2), (301, 3)])
def test_x09_bands_of_the_bonus(lay: Lay, difference: int, bonus: int) -> None:
    case = lay("battle", points=(1500, 1500 - difference)).play(result("soviet", "4-3"))
    assert case.balance() == (3, 4 + bonus)


@pytest.mark.rule("AOA-5.23", "AOA-5.24", "AOA-5.25")
def test_x10_a_concession_with_300_points_fewer(lay: Lay) -> None:
    german = f"{FIT}; cars cars full; cycles cycles full"
    case = lay("battle", points=(1500, 1200), german=german, forces={"german": "pg1 7; pg2 7; cars 4; cycles 7"})
    case.play(concession("soviet"))
    assert case.balance() == (6, 1)
    case.next_turn().play(until=orders.ClaimRecon)
    assert case.allows(claims("german", "cars", "cycles"))


@pytest.mark.rule("AOA-6.06", "AOA-6.08", "AOA-6.11")
def test_x11_steady_rain_after_showers(lay: Lay) -> None:
    def showers(state: AxisState) -> None:
        state.weather = "intermittent_rain"

    case = lay("weather", tweak=showers, dice={"weather": "5"}).play(until=ReportBattle)
    assert (case.state.weather, case.state.mud) == ("steady_rain", 2)
    assert "neither side has air support" in case.words()


@pytest.mark.rule("AOA-R17")
@pytest.mark.parametrize(("last", "die", "mud", "after"), [("cloudy", 6, 3, 4), ("clear", 1, 1, 0)])
def test_x12_mud_is_bounded(lay: Lay, last: str, die: int, mud: int, after: int) -> None:
    def set_mud(state: AxisState) -> None:
        state.weather, state.mud = last, mud

    case = lay("weather", tweak=set_mud, dice={"weather": str(die)}).play(until=ReportBattle)
    assert case.state.mud == after


@pytest.mark.rule("AOA-5.13", "AOA-5.14", "AOA-R46")
def test_x13_brief_has_the_rules_of_bunkers(lay: Lay) -> None:
    """Firepower 3+: a 2 has no effect, 3 and 5 pin, 6 kills. The campaign only puts this in the brief."""
    words = lay("battle", mission="trench_fight").play(until=ReportBattle).words()
    assert "at least double the rating kills" in words
    assert "pins" in words


@pytest.mark.rule("AOA-8.02", "AOA-8.03", "AOA-8.04", "AOA-8.07")
def test_x14_nine_against_seven(lay: Lay) -> None:
    def ahead(state: AxisState) -> None:
        state.recon_ahead = ["cars"]

    case = lay(
        "selection", last="german won hold_the_line as attacker 5-2", balance=(5, 2), dice=dice(2, 5), tweak=ahead
    )
    case.play(claims("german", "cars"), until=orders.PlaceTable)
    assert case.totals() == (9, 7)
    assert case.roles()[:2] == ("encounter", "german")


@pytest.mark.rule("AOA-8.06", "AOA-8.09")
def test_x15_a_tie_of_seven(lay: Lay) -> None:
    case = lay("selection", last="german won hold_the_line as defender 6-1", balance=(6, 7), dice=dice(3, 5))
    case.play(until=orders.PlaceTable)
    assert case.totals() == (7, 7)
    assert case.state.mission == "cauldron"


@pytest.mark.rule("AOA-8.11", "AOA-8.12")
@pytest.mark.parametrize(
    ("by", "mission", "attacker"), [(1, "cauldron", "german"), (-1, "fighting_withdrawal", "soviet")]
)
def test_x16_a_tie_of_six_is_moved(lay: Lay, by: int, mission: str, attacker: str) -> None:
    case = lay("selection", last="german won breakthrough as defender 4-3", balance=(4, 5), dice=dice(4, 2))
    case.play(adjusts("german", "german", by), until=orders.PlaceTable)
    assert case.totals() == (6, 6)
    assert case.roles()[:2] == (mission, attacker)


@pytest.mark.rule("AOA-8.02", "AOA-5.17")
def test_x17_bonus_is_in_the_balance_but_not_in_the_selection(lay: Lay) -> None:
    case = lay("battle", points=(1300, 1500), dice=dice(1, 1)).play(result("german", "4-3"))
    assert case.balance() == (6, 3)
    case.next_turn().play(until=orders.PlaceTable)
    rolled = case.events(SelectionRolled, later=True)[-1]
    assert rolled.totals == {"german": 1 + 4 + 1, "soviet": 1 + 3}


@pytest.mark.rule("AOA-8.19", "AOA-8.20")
@pytest.mark.parametrize("mission", ["breakthrough", "cauldron"])
def test_x18_an_encounter_is_changed_once(lay: Lay, mission: str) -> None:
    case = lay("selection", last="german won hold_the_line as attacker 5-2", balance=(8, 7), dice=dice(3, 1))
    case.play(until=orders.ChangeMission)
    assert case.state.mission == "encounter"
    legal = [each for each in case.state.board.missions if case.allows(changes("german", each))]
    assert legal == ["breakthrough", "cauldron"]
    case.game.submit(orders.ChangeMission(mission), "german")
    assert case.state.mission == mission
    assert not case.expects(orders.ChangeMission)


@pytest.mark.rule("AOA-10.03", "AOA-10.11")
def test_x19_the_mortar_does_not_count(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7 light_mortar; pg2 7"}).play(
        result("german", "6-1", german={"pg1": "3d"})
    )
    assert case.level("pg1") == "gutted"


@pytest.mark.rule("AOA-10.04")
def test_x20_three_unused_tanks_are_added(lay: Lay) -> None:
    case = lay("battle", forces={"soviet": "t1 7; t2 5"}).play(result("german", "6-1", soviet={"t1": "3d"}))
    assert case.level("t1") == "under strength"


@pytest.mark.rule("AOA-10.06", "AOA-10.07")
@pytest.mark.parametrize(("winner", "level"), [("soviet", "destroyed"), ("german", "depleted")])
def test_x21_two_destroyed_and_three_bailed(lay: Lay, winner: str, level: str) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7; panzer 5"}).play(
        result(winner, "4-3", german={"panzer": "2d 3b"})
    )
    assert case.level("panzer") == level


@pytest.mark.rule("AOA-R32")
def test_x22_the_same_in_a_draw(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7; panzer 5"}, dice={"bailed:german:panzer": "4+5+6"})
    assert case.play(result("draw", "1-1", german={"panzer": "2d 3b"})).level("panzer") == "depleted"


@pytest.mark.rule("AOA-10.08")
def test_x23_four_destroyed_and_three_routed(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}).play(result("soviet", "4-3", german={"pg1": "4d 3r"}))
    assert case.level("pg1") == "gutted"


@pytest.mark.rule("AOA-10.05")
def test_x24_turn_three_is_too_early(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}).play(result("soviet", "4-3", german={"pg1": "3:2 4:2"}))
    assert case.level("pg1") == "depleted"


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


@pytest.mark.rule("AOA-11.16")
def test_x27_two_destroyed_platoons_take_all_four_dice(lay: Lay) -> None:
    case = lay("reinforcement", german="pg1 pg destroyed; pg2 pg destroyed; pg3 pg destroyed").play(
        raises("german", "pg1", "pg3")
    )
    assert case.level("pg1", "pg2", "pg3") == "depleted, destroyed, depleted"
    assert sum(each.dice for each in case.events(PlatoonRaised)) == 4


@pytest.mark.rule("AOA-11.06", "AOA-11.12")
def test_x28_a_six_among_three_dice(lay: Lay) -> None:
    german = f"{FIT}; panzer panzer gutted; hmg hmg gutted"
    case = lay("reinforcement", german=german, dice={"reinforce:german:panzer": "5+4+6", "reinforce:german:hmg": "1"})
    case.play(assigns("german", panzer=3, hmg=1))
    assert case.level("panzer") == "depleted"


@pytest.mark.rule("AOA-11.24", "AOA-11.25")
def test_x29_three_tanks_for_three_guns(lay: Lay) -> None:
    case = lay("exchange", german=f"{FIT}; panzer panzer depleted", balance=(5, 0)).play(until=orders.ExchangePlatoon)
    assert case.why_not(exchanges("german", "panzer", "pak40", 4)) == "AOA-11.24"
    case.play(exchanges("german", "panzer", "pak40", 3))
    assert (case.platoon("panzer").type, case.balance()) == ("pak40", (0, 0))


@pytest.mark.rule("AOA-7.03", "AOA-R47")
@pytest.mark.parametrize("sectors", [1, 2])
def test_x30_from_the_middle_to_the_enemys_rear(lay: Lay, sectors: int) -> None:
    assert lay("battle", mission="encounter").play(result("german", "4-3")).state.sector == 5
    case = lay("battle", mission="breakthrough", sector=5).play(
        result("german", "4-3"), breaks_through("german", sectors)
    )
    assert case.state.sector == 5 + sectors


@pytest.mark.rule("AOA-7.11")
@pytest.mark.parametrize("winner", ["german", "soviet"])
def test_x31_withdrawal_moves_the_front_back_for_either_winner(lay: Lay, winner: str) -> None:
    case = lay("battle", mission="fighting_withdrawal", attacker="soviet").play(result(winner, "4-3"))
    assert case.state.sector == 3


@pytest.mark.rule("AOA-12.01", "AOA-R66")
def test_x32_a_cauldron_in_the_home_sector_wins(lay: Lay) -> None:
    case = lay("battle", mission="cauldron", sector=7).play(result("german", "4-3"))
    assert case.ended() == ("german", "home_sector")


@pytest.mark.rule("AOA-12.03", "AOA-R67")
@pytest.mark.parametrize(
    ("sector", "end"), [(6, ("german", "front")), (5, ("draw", "stalemate")), (2, ("soviet", "front"))]
)
def test_x33_campaign_ends_after_nine_turns(lay: Lay, sector: int, end: tuple[str, str]) -> None:
    case = lay("battle", mission="cauldron", sector=sector, turn=9).play(result("german", "4-3"))
    assert case.ended() == end


EXAMPLES: list[Callable[..., None]] = [each for name, each in sorted(globals().items()) if name.startswith("test_x")]


def test_every_example_has_a_test() -> None:
    assert [int(each.__name__[6:8]) for each in EXAMPLES] == list(range(1, 34))
