"""The brief of a battle: companies, parties, flags and notes."""

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Case, Lay, result
from tests.plugins.axis_attack.ground import CUPOLA, KOMISSAR, PANZERGRENADIERS, STRELKOVY
from tests.plugins.axis_attack.positions import fielded
from transcripts import Transcript

from axis_attack.battle.briefs import band_titles
from axis_attack.model.cards import SIDES
from axis_attack.model.state import AirSupport, AxisState, Purchase
from sandtable.tabletop.brief import Table
from sandtable.tabletop.result import ReportBattle

GERMAN = (
    "hq knackers full; pg1 pg depleted light_mortar=1 immobile transports=2; pg2 pg full light_mortar=1;"
    " pg3 pg full light_mortar=1 immobile transports=4; cars cars full; howitzers howitzers full; panzer panzer full"
)
FIELDED = "hq 2 on=panzer; pg1 5 light_mortar; pg2 5; pg3 7 light_mortar on=panzer; cars 4; howitzers 3 off; panzer 4"


def briefed(lay: Lay, **position: Any) -> Case:
    case: Case = lay("battle", **position)
    return case.play(until=ReportBattle)


TANKS = replace(STRELKOVY.types["tankovy"], upgrades=(CUPOLA, KOMISSAR))
RIFLES = replace(STRELKOVY.types["strelkovy"], upgrades=(KOMISSAR, replace(KOMISSAR, id="flag"), CUPOLA))
LISTS = {
    "german": replace(PANZERGRENADIERS, hq_points=0, company="infantry"),
    "soviet": replace(
        STRELKOVY,
        types={**STRELKOVY.types, "tankovy": TANKS, "strelkovy": RIFLES},
        company="tank",
        skill="conscript",
        motivation="fearless",
    ),
}


@pytest.mark.rule("AOA-3.05", "AOA-3.13", "AOA-5.01", "AOA-10.03", "AOA-11.13")
@pytest.mark.parametrize(
    "position",
    [
        {"german": GERMAN, "forces": {"german": FIELDED}, "points": (1234, 1500)},
        {
            "soviet": "hq tankovy full cupola=3 komissar=1; company_hq strelkovy full komissar=1 flag=1 cupola=2",
            "forces": {
                "german": "pg1 7; pg2 7",
                "soviet": "hq 7 cupola=3 komissar=1; company_hq 9 komissar=1 flag=1 cupola=2",
            },
            "changes": {"lists": LISTS},
        },
    ],
    ids=["mechanized", "tank"],
)
def test_brief_lists_companies_and_platoons(lay: Lay, transcript: Transcript, position: dict[str, Any]) -> None:
    """Carried platoons leave their transports; immobile platoons have only their remaining vehicles.

    The headquarters of a tank company are tanks. A list without a price for headquarters has no headquarters.
    """
    parties = briefed(lay, **position).brief().parties
    lines = [line for side in SIDES for each in parties[side].companies for line in (_fields(each), *each.platoons)]
    transcript("\n".join(line if isinstance(line, str) else _fields(line) for line in lines))


def _fields(it: Any) -> str:
    """Return the fields of a company or platoon that are not empty."""
    names = [
        name for name in it.__struct_fields__ if name != "platoons" and getattr(it, name) not in ("", 0, (), False)
    ]
    return ", ".join(f"{name} {getattr(it, name)}" for name in names)


RESERVED = {
    "breakthrough": "attacker",
    "encounter": "both",
    "cauldron": "attacker",
    "fighting_withdrawal": "",
    "hold_the_line": "defender",
    "trench_fight": "defender",
}
"""The sides with reserves, by the missions of the tabletop rules."""


@pytest.mark.rule("AOA-4.08", "AOA-R34")
@pytest.mark.parametrize("mission", RESERVED)
@pytest.mark.parametrize("attacker", ["german", "soviet"])
def test_interdiction_needs_an_enemy_with_reserves(lay: Lay, mission: str, attacker: str) -> None:
    defender = {"german": "soviet", "soviet": "german"}[attacker]
    owners = {"both": {"german", "soviet"}, "attacker": {attacker}, "defender": {defender}, "": set()}
    having = owners[RESERVED[mission]]
    for flying, matters in (
        ((), bool(having)),
        (("german",), "soviet" in having),
        (("soviet",), "german" in having),
        (("german", "soviet"), len(having) == 2),
    ):

        def fly(state: AxisState, sides: tuple[str, ...] = flying) -> None:
            for side in sides:
                state.forces[side].air = AirSupport("ju87", "limited", "interdiction", "bombs")

        brief = briefed(lay, mission=mission, attacker=attacker, tweak=fly).brief()
        assert ("reserves" in brief.flags) is matters, flying
        special = {"encounter": {"fair_fight"}, "breakthrough": set(), "cauldron": set()}
        assert set(brief.flags) - {"reserves"} == special.get(mission, {"defensive_battle"})
        assert (brief.attacker, brief.defender) == (("", "") if mission == "encounter" else (attacker, defender))


@pytest.mark.rule("AOA-3.04", "AOA-3.17", "AOA-4.01", "AOA-9.01")
@pytest.mark.parametrize(
    ("air", "level", "extras"),
    [
        (AirSupport(), "none", {}),
        (AirSupport("ju87", "limited", "close_support", "bombs"), "limited", {}),
        (AirSupport("ju87", "sporadic", "superiority", "bombs"), "sporadic", {"air_superiority": 1}),
        (AirSupport("ju87", "priority", "interdiction", "bombs"), "priority", {"battlefield_interdiction": 1}),
    ],
)
def test_party_has_limit_aircraft_and_purchases(lay: Lay, air: AirSupport, level: str, extras: dict[str, int]) -> None:
    def prepared(state: AxisState) -> None:
        state.forces["german"].air, state.forces["german"].extra = air, 2
        state.forces["german"].purchase = Purchase("battalion_shoot", 3)

    case = briefed(
        lay, tweak=prepared, mission="hold_the_line", sector=3, turn=4,
        changes={"players": {"german": "Rommel"}, "sides": {"german": "Axis", "soviet": "Reds"}},
    )  # fmt: skip
    brief = case.brief()
    german, soviet = brief.parties["german"], brief.parties["soviet"]
    assert (german.side, german.title, german.player, german.points) == ("german", "Axis", "Rommel", 1650)
    assert (soviet.side, soviet.title, soviet.player, soviet.points) == ("soviet", "Reds", "", 1500)
    assert (german.air, german.extras) == (level, {"battalion_shoot": 3, **extras})
    assert (soviet.air, soviet.extras) == ("none", {})
    assert (brief.id, brief.campaign, brief.turn) == ("casebook:4", "The casebook", 4)
    assert (brief.place, brief.place_title, brief.table) == ("3", "Sector 3", Table(terrain="open"))
    assert brief.rules == ("AOA-3.17", "AOA-5.16", "AOA-10.01")


def forces_in_full(state: AxisState) -> None:
    force = state.forces["german"]
    force.platoons = fielded("hq 4 on=panzer; pg1 7 light_mortar; howitzers 4 off; panzer 5; panzer2 5")
    force.air = AirSupport("bf109", "limited", "superiority")
    force.purchase = Purchase("smoke", 2, ("howitzers", "howitzers2"))
    state.forces["soviet"].platoons = fielded("t1 7 cupola=3 komissar=0; t2 7")
    state.forces["soviet"].purchase = Purchase("night_attack", 1)
    state.corner = [2, 4]


def rockets(state: AxisState) -> None:
    state.forces["german"].air = AirSupport("ju87", "limited", "close_support", "rockets")
    state.forces["german"].purchase = Purchase("counterbattery", 1)


NOTED = f"{GERMAN}; panzer2 panzer full; howitzers2 howitzers full"


@pytest.mark.rule("AOA-2.04", "AOA-3.08", "AOA-3.13", "AOA-4.01", "AOA-4.09", "AOA-5.01")
@pytest.mark.rule("AOA-8.21", "AOA-9.01", "AOA-9.10")
@pytest.mark.parametrize(
    "position",
    [{"german": NOTED, "tweak": forces_in_full, "mission": "trench_fight"}, {"tweak": rockets}],
    ids=["in_full", "rockets"],
)
def test_brief_has_notes_for_both_sides(lay: Lay, transcript: Transcript, position: dict[str, Any]) -> None:
    brief = briefed(lay, **position).brief()
    parties = [line for side in SIDES for line in (f"{side}:", *brief.parties[side].notes)]
    transcript("\n".join((*brief.notes, *parties)))


@pytest.mark.rule("AOA-6.08", "AOA-R23")
@pytest.mark.parametrize(
    ("weather", "profile", "expected"),
    [
        ("clear", "superiority", 0),
        ("cloudy", "superiority", 1),
        ("steady_rain", "superiority", 1),
        ("intermittent_rain", "superiority", 2),
        ("intermittent_rain", "interdiction", 1),
    ],
)
@pytest.mark.parametrize("mud", range(5))
def test_brief_has_lines_for_ground_and_weather(lay: Lay, weather: str, profile: str, expected: int, mud: int) -> None:
    def ground(state: AxisState) -> None:
        state.weather, state.mud = weather, mud
        state.forces["soviet"].air = AirSupport("il2", "limited", profile, "bombs")

    effects = briefed(lay, tweak=ground).brief().effects
    assert effects[0] == f"The ground is {('dry', 'wet', 'muddy', 'morass', 'flood')[mud]}."
    rules = [(15, 16), (17, 18), (19, 20), (21, 22), (23, 24, 25, 26)][mud]
    assert [line[-10:-2] for line in effects[1 : 1 + len(rules)]] == [f"AOA-6.{each}" for each in rules]
    assert len(effects) == 1 + len(rules) + expected
    assert any("AOA-6.08" in line for line in effects) is (weather in {"cloudy", "steady_rain"})


@pytest.mark.rule("AOA-R34")
@pytest.mark.parametrize(("tabletop", "expected"), [("Meeting Engagement", "Meeting Engagement"), ("", "Encounter")])
def test_brief_has_the_tabletop_name_of_the_mission(lay: Lay, tabletop: str, expected: str) -> None:
    board = lay("battle").state.board
    missions = {**board.missions, "encounter": replace(board.missions["encounter"], tabletop=tabletop)}
    case = lay("battle", mission="encounter", changes={"missions": missions}).play(until=ReportBattle)
    assert case.brief().mission == expected


@pytest.mark.rule("AOA-5.17", "AOA-R27")
def test_bonus_table_headings_are_its_differences() -> None:
    assert band_titles() == ("up to 50", "51 to 150", "151 to 300", "301 or more")


@pytest.mark.rule("AOA-8.21", "AOA-R42")
def test_brief_has_the_position_of_the_table(lay: Lay) -> None:
    case = lay("table", mission="hold_the_line", last="").play(until=ReportBattle)
    brief = case.brief()
    assert brief.place_title == "Sector 4"
    assert brief.turn == 2
    assert (brief.attacker, brief.defender) == ("german", "soviet")
    assert "defensive_battle" in brief.flags
    assert result("german", "6-1")(brief).winner == "german"
