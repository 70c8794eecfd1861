"""The last value that a scenario may have and the first that it may not; what is read of one; how forces are cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.axis_attack.ground import CUPOLA, PANZERGRENADIERS, platoon
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.modules import TAKEN_OUT, USUAL, board, built, refusals

from axis_attack.model.cards import Bought, CompanyList, Mission, PlatoonType, Sector, Size, Upgrade
from axis_attack.setup.settings import fitted, start_sector_of
from axis_attack.setup.validation import least_points, list_problems, listed, problems_of

PAK, PG = "german.types.pak40", "german.types.panzergrenadier"
BOUNDS = {
    "german.hq_points": (0, 10_000),
    "german.points": (1, 10_000),
    "german.combat.least": (2, 20),
    "german.combat.most": (2, 20),
    "german.weapons": (0, 20),
    "german.supports": (0, 20),
    "german.air.points.sporadic": (0, 10_000),
    f"{PAK}.sizes[0].teams": (1, 99),
    f"{PAK}.sizes[0].points": (0, 10_000),
    f"{PAK}.sizes[0].transports": (0, 99),
    f"{PAK}.carries": (0, 99),
    f"{PAK}.most": (1, 20),
    f"{PG}.upgrades.light_mortar.points": (0, 10_000),
    f"{PG}.upgrades.light_mortar.most": (1, 99),
    "german.start.platoons.pg1.teams": (1, 99),
    "german.start.platoons.pg1.upgrades.light_mortar": (1, 99),
    "campaign.points": (1, 10_000),
    "campaign.limit": (1, 10_000),
    "campaign.turns": (1, 99),
    "campaign.start_sector": (1, 15),
    "sectors.4.columns": (1, 40),
    "sectors.4.rows": (1, 40),
}
"""The keys with whole numbers: the least and the most that each may be, whatever else is wrong with it then."""


@pytest.mark.parametrize("key", BOUNDS)
def test_a_number_is_within_its_bounds(key: str) -> None:
    least, most = BOUNDS[key]
    advice = f"; use {least} to {most}"
    for value, allowed in ((least - 1, False), (least, True), (most, True), (most + 1, False)):
        found = [each.problem for each in refusals({key: value})]
        assert any(each == f"is {value}{advice}" for each in found) is not allowed, value


@pytest.mark.rule("AOA-R42")
def test_a_table_is_two_whole_numbers_from_one_to_forty() -> None:
    for pair, allowed in (
        ([3, 2], True), ([1, 1], True), ([40, 40], True), ([0, 2], False), ([3, 41], False), ([3, 2, 1], False),
        ([3], False), ([True, 2], False), (["3", 2], False),
    ):  # fmt: skip
        found = [each.problem for each in refusals({"campaign.table": pair})]
        assert any("write columns and rows, two numbers from 1 to 40" in each for each in found) is not allowed, pair
    assert built({"campaign.table": [6, 6]}).table == (6, 6)
    assert [each.key for each in refusals({"campaign.table": [6, 7]})] == [str(each) for each in range(1, 8)]
    assert [each.key for each in refusals({"campaign.table": [7, 6]})] == [str(each) for each in range(1, 8)]


@pytest.mark.rule("AOA-2.02", "AOA-2.04", "AOA-R01", "AOA-R02")
def test_a_track_of_three_sectors_is_long_enough_and_begins_in_the_middle() -> None:
    gone = {f"sectors.{number}": TAKEN_OUT for number in range(4, 8)}
    short = built(gone, sector_graph="custom_graph")
    assert [(each.number, each.title) for each in short.sectors] == [
        (1, "German home"),
        (2, "German rear"),
        (3, "German forward"),
    ]
    assert (short.start_sector, short.home["soviet"]) == (2, 3)
    sector = short.sectors[0]
    assert (sector.columns, sector.rows, bool(sector.terrain)) == (6, 6, True)
    options = USUAL | {"start_sector": "scenario"}
    for count, middle in ((3, 2), (4, 2), (5, 3), (8, 4)):
        track = tuple(Sector(number, "x") for number in range(1, count + 1))
        assert start_sector_of(the_board(sectors=track, start_sector=0), options) == middle
    assert start_sector_of(the_board(start_sector=6), options) == 6
    assert [each.key for each in refusals({}, start_sector="0")] == ["start_sector"]
    assert built({}, start_sector="1").start_sector == 1
    assert built({}, start_sector="7").start_sector == 7
    assert built({}, vp_start="100").start_points == 100
    assert refusals({"campaign.start_sector": 7}) == []
    assert [each.key for each in refusals({"campaign.start_sector": 8})] == ["campaign.start_sector"]


# --- lists ---

TRUCKS = {"transport": "motor", "vehicle": "truck"}
GUNS = platoon("guns", "support", "gun", "2/50/2 3/50/2 4/90/3", **TRUCKS)
FOOT = platoon("foot", "combat", "infantry", "5/100 7/200", upgrades=(CUPOLA, Upgrade("gun", "gun", 10, 2)), most=4)
SMALL = platoon("small", "combat", "infantry", "3/80")
MORTARS = platoon("mortars", "weapons", "gun", "2/60")


def a_list(*start: Bought, **changes: Any) -> CompanyList:
    found: dict[str, Any] = {
        "types": {each.id: each for each in (GUNS, FOOT, SMALL, MORTARS)},
        "start": start or (Bought("a", "foot", 5), Bought("b", "foot", 7)),
        "air": {},
    }
    return replace(PANZERGRENADIERS, **(found | changes))


def problems(company: CompanyList) -> list[tuple[str, str]]:
    return list(list_problems(company, "x"))


def test_what_just_fits_in_a_list_is_no_problem() -> None:
    assert problems(a_list()) == []
    assert problems(a_list(least=2, most=2)) == []
    assert problems(a_list(air_points={"sporadic": 100, "limited": 100, "priority": 100})) == []
    two = (
        Bought("a", "foot", 5, {"cupola": 5, "gun": 2}),
        Bought("b", "foot", 7),
        Bought("g", "guns", 4),
        Bought("m", "mortars", 2),
    )
    assert problems(a_list(*two, supports=1, weapons=1)) == []
    many = tuple(Bought(f"g{number}", "guns", 2) for number in range(38))
    types = {"foot": FOOT, "guns": replace(GUNS, most=40)}
    fine = a_list(*two[:2], *many, types=types, supports=40)
    assert problems(fine) == []
    over = replace(fine, start=(*fine.start, Bought("h", "guns", 2)))
    assert problems(over) == [("x.start.platoons", "has 41 platoons; use at most 40 (AOA-1.01)")]


@pytest.mark.rule("AOA-1.01", "AOA-1.02", "AOA-1.05", "AOA-1.16", "AOA-3.01")
def test_what_does_not_fit_in_a_list_is_told_by_key() -> None:
    first, second = Bought("a", "foot", 5), Bought("b", "foot", 7)
    assert problems(a_list(first, replace(second, upgrades={"cupola": 8, "gun": 3}))) == [
        ("x.start.platoons.b.upgrades.cupola", "is 8; foot can have 7 at most (AOA-1.16)"),
        ("x.start.platoons.b.upgrades.gun", "is 3; foot can have 2 at most (AOA-1.16)"),
    ]
    assert problems(a_list(first, replace(second, upgrades={"flag": 1}))) == [
        ("x.start.platoons.b.upgrades.flag", "is no upgrade of foot; known are: cupola, gun (AOA-1.02)")
    ]
    assert problems(a_list(first, second, Bought("s", "small", 3, {"flag": 1}))) == [
        ("x.start.platoons.s.upgrades.flag", "is no upgrade of small; known are: none (AOA-1.02)")
    ]
    assert problems(a_list(first, replace(second, teams=6))) == [
        ("x.start.platoons.b.teams", "is 6; foot has sizes 5, 7 (AOA-1.05)")
    ]
    none = "there is no type 'tank' in the list; correct it, known are: foot, guns, mortars, small (AOA-1.05)"
    least = ("x.start.platoons", "has 1 combat platoons; the list wants 2 to 3 (AOA-1.01, AOA-11.14)")
    assert problems(a_list(first, replace(second, type="tank"))) == [("x.start.platoons.b.type", none), least]
    assert problems(a_list(first)) == [least]
    four = tuple(Bought(each, "foot", 5) for each in "abcd")
    assert problems(a_list(*four, most=3)) == [("x.start.platoons", least[1].replace("has 1", "has 4"))]
    small = tuple(Bought(each, "small", 3) for each in "ab")
    told = "has 2 platoons of type small; the list allows 1 (AOA-1.01)"
    assert problems(a_list(*small)) == [("x.start.platoons", told)]
    flying = a_list(air={"il2": "limited"}, aircraft=())
    assert problems(replace(flying, bombers=())) == [
        ("x.start.air.il2", "is limited, but air.types has no il2; known are: none (AOA-1.12)")
    ]


@pytest.mark.rule("AOA-1.05", "AOA-3.11", "AOA-10.17", "AOA-10.19")
def test_sizes_rise_and_transports_are_those_of_who_has_them() -> None:
    def of(sizes: tuple[Size, ...], **changes: Any) -> list[tuple[str, str]]:
        return problems(a_list(types={"foot": FOOT, "guns": replace(GUNS, sizes=sizes, **changes)}))

    falling = of((Size(3, 60, 2), Size(3, 50, 1), Size(2, 90, 3)))
    assert [key for key, _ in falling] == [
        "x.types.guns.sizes[1].teams", "x.types.guns.sizes[1].points", "x.types.guns.sizes[1].transports",
        "x.types.guns.sizes[2].teams",
    ]  # fmt: skip
    assert [reason for _, reason in falling] == [
        "is 3, after 3 in the size before it; sizes rise (AOA-1.05)",
        "is 50, after 60 in the size before it; sizes rise (AOA-1.05)",
        "is 1, after 2 in the size before it; sizes rise (AOA-1.05)",
        "is 2, after 3 in the size before it; sizes rise (AOA-1.05)",
    ]
    assert [key for key, _ in of((Size(2, 50, 0), Size(3, 60, 2)))] == ["x.types.guns.sizes[0].transports"]
    foot = of((Size(2, 50), Size(3, 60, 2)), transport="foot", vehicle="")
    assert [key for key, _ in foot] == ["x.types.guns.sizes[1].transports"]
    assert of((Size(2, 50), Size(3, 60)), transport="foot", vehicle="") == []
    assert [key for key, _ in of((Size(2, 50, 1),), vehicle="")] == ["x.types.guns.vehicle"]


def test_a_message_lists_eight_names_and_counts_the_others() -> None:
    names = "hgfedcba"
    assert listed(names) == "a, b, c, d, e, f, g, h"
    assert listed(f"{names}j") == "a, b, c, d, e, f, g, h and 1 more"
    assert listed(f"{names}jk") == "a, b, c, d, e, f, g, h and 2 more"


@pytest.mark.rule("AOA-3.01", "AOA-3.02")
def test_a_game_allows_at_least_the_smallest_company() -> None:
    """Headquarters for 50, one small platoon for 80 (there is but one), one on foot for 100."""
    company = a_list()
    assert least_points(company) == 50 + 80 + 100
    assert least_points(replace(company, least=3)) == 50 + 80 + 100 + 100
    rich = replace(company, start=company.start, side="soviet")
    for limit, wrong in ((230, []), (229, ["campaign.limit"] * 2)):
        lists = {"german": company, "soviet": rich}
        assert [key for key, _ in problems_of(the_board(lists=lists, limit=limit), USUAL)] == wrong
    dear = the_board(lists={"german": replace(company, points=350), "soviet": rich}, points=349)
    assert list(problems_of(dear, USUAL)) == [
        ("soviet.start", "costs 350 points, campaign.points allows 349; take 1 off, or agree on more (AOA-1.01)")
    ]
    assert list(problems_of(dear, USUAL | {"start_total": "900"})) == []


@pytest.mark.rule("AOA-7.06", "AOA-7.12", "AOA-R34")
@pytest.mark.parametrize(
    ("mission", "keys"),
    [
        (Mission("m", "M", "hold", "hold", fair_fight=True, defensive_battle=True), ["fair_fight"]),
        (Mission("m", "M", "hold", "", fair_fight=True), []),
        (Mission("m", "M", "hold", "", defensive_battle=True), ["defender"]),
        (Mission("m", "M", "hold", "hold", defensive_battle=True), []),
        (Mission("m", "M", "retreat", ""), ["attacker"]),
        (Mission("m", "M", "retreat", "hold"), []),
    ],
)
def test_a_mission_fits_together(mission: Mission, keys: list[str]) -> None:
    found = [key for key, _ in problems_of(the_board(missions={"m": mission}), USUAL)]
    assert found == [f"missions.m.{each}" for each in keys]


@pytest.mark.rule("AOA-O2")
def test_what_costs_too_much_loses_aircraft_then_others_from_the_end_then_combat_then_strength() -> None:
    """A hundred for headquarters of two kinds: 50 and 20; foot 200 + 50 + 100, guns 90 and 50, mortars 60, air 150."""
    types = {each.id: each for each in (GUNS, FOOT, MORTARS, platoon("hq", "hq", "infantry", "1/10 2/20"))}
    full = a_list(
        Bought("h", "hq", 2), Bought("a", "foot", 7, {"cupola": 10}), Bought("b", "foot", 5), Bought("c", "foot", 5),
        Bought("m", "mortars", 2), Bought("g", "guns", 4), Bought("f", "guns", 3),
        types=types, air={"ju87": "limited"}, points=5,
    )  # fmt: skip

    def kept(total: int) -> str:
        cut = fitted({"german": full}, total)["german"]
        assert cut.points == 0
        rows = [f"{each.id}{each.teams}{'+' if each.upgrades else ''}" for each in cut.start]
        return " ".join([*rows, *cut.air])

    whole = 50 + 20 + (200 + 50) + 100 + 100 + 60 + 90 + 50 + 150
    assert kept(whole) == "h2 a7+ b5 c5 m2 g4 f3 ju87"
    assert kept(whole - 1) == "h2 a7+ b5 c5 m2 g4 f3"
    assert kept(whole - 151) == "h2 a7+ b5 c5 m2 g4"
    assert kept(whole - 201) == "h2 a7+ b5 c5 m2"
    assert kept(whole - 291) == "h2 a7+ b5 c5"
    assert kept(whole - 351) == "a7+ b5 c5"
    assert kept(whole - 371) == "a7+ b5"
    assert kept(whole - 471) == "a5 b5"
    (found,) = [each for each in refusals({}, start_total="449") if each.key == "start_total"]
    assert "costs 450" in found.problem
    assert refusals({}, start_total="450") == []
    assert board(start_total="450").points == 450


# --- what is read ---


@pytest.mark.rule("AOA-1.05", "AOA-1.16", "AOA-3.11")
def test_a_type_is_read_with_all_it_says_and_usual_values_for_the_rest() -> None:
    bare = {"title": "Tiny", "slot": "support", "kind": "infantry", "sizes": [{"teams": 1, "points": 5}]}
    whole = {
        "title": "Guns", "slot": "support", "kind": "artillery", "transport": "motor", "vehicle": "truck",
        "recon": True, "towed": True, "bombards": True, "smoke": True, "staff": True, "most": 3,
        "sizes": [{"teams": 2, "points": 50, "transports": 3}, {"teams": 4, "points": 90, "transports": 4}],
        "upgrades": {"crew": {"title": "Crew", "points": 7}, "shield": {"title": "Shield", "points": 0, "most": 4}},
    }  # fmt: skip
    tank = {
        "title": "Tank", "slot": "combat", "kind": "afv", "transport": "organic", "all_tanks": True, "carries": 3,
        "sizes": [{"teams": 2, "points": 50}],
    }  # fmt: skip
    read = (
        built({"german.types.bare": bare, "german.types.whole": whole, "german.types.tank": tank}).lists["german"].types
    )
    assert read["bare"] == PlatoonType("bare", "Tiny", "support", "infantry", (Size(1, 5, 0),))
    assert read["whole"] == PlatoonType(
        "whole", "Guns", "support", "artillery", (Size(2, 50, 3), Size(4, 90, 4)), "motor", "truck",
        recon=True, towed=True, bombards=True, smoke=True, staff=True,
        upgrades=(Upgrade("crew", "Crew", 7), Upgrade("shield", "Shield", 0, 4)), most=3,
    )  # fmt: skip
    assert read["tank"] == PlatoonType(
        "tank", "Tank", "combat", "afv", (Size(2, 50),), "organic", all_tanks=True, carries=3
    )


@pytest.mark.rule("AOA-7.01", "AOA-R34")
def test_a_mission_and_a_campaign_are_read_as_they_stand() -> None:
    mission = {
        "title": "Pocket",
        "attacker": "breakthrough",
        "defender": "advance",
        "defensive_battle": True,
        "tabletop": "P",
    }
    changes = {"missions.cauldron": mission, "campaign.points": 4000, "campaign.limit": 1750, "campaign.turns": 11}
    read = built(changes | {"campaign.start_sector": 6, "sides.german.title": "Axis", "sides.soviet.player": "Konev"})
    assert read.missions["cauldron"] == Mission("cauldron", "Pocket", "breakthrough", "advance", False, True, "P")
    assert (read.points, read.limit, read.turns, read.start_sector, read.start_points) == (4000, 1750, 11, 6, 0)
    assert (read.sides["german"], read.players["soviet"]) == ("Axis", "Konev")
    assert refusals({"scenario.endless": True, "scenario.description": "a\tb\nc"}) == []


@pytest.mark.rule("AOA-1.01", "AOA-1.12", "AOA-1.14")
def test_a_list_is_read_with_its_aircraft_and_limits() -> None:
    prices = {"sporadic": 1, "limited": 2, "priority": 3}
    changes = {
        "german.combat": {"least": 3, "most": 5}, "german.weapons": 4, "german.supports": 11, "german.points": 3100,
        "german.air": {"types": ["ju_87d", "me_110"], "bombers": ["me_110"], "points": prices},
    }  # fmt: skip
    read = built(changes).lists["german"]
    assert (read.least, read.most, read.weapons, read.supports, read.points) == (3, 5, 4, 11, 3100)
    assert (read.aircraft, read.bombers) == (("ju_87d", "me_110"), ("me_110",))
    assert read.air_points == prices
    assert (read.air, read.side, read.id) == ({"ju_87d": "limited"}, "german", "german")
