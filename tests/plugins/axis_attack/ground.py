"""The board of the tests: seven sectors, six missions and two lists, written by hand.

Sizes and prices come from the rulebook if it prints them; others are round figures. No file is read.
"""

from __future__ import annotations

from axis_attack.model.cards import (
    COMBAT,
    GERMAN,
    HQ,
    MOTOR,
    ORGANIC,
    SOVIET,
    SUPPORT,
    WEAPONS,
    Board,
    Bought,
    CompanyList,
    Mission,
    PlatoonType,
    Sector,
    Size,
    Upgrade,
)

MORTAR = Upgrade("light_mortar", "light mortar", 15)
KOMISSAR = Upgrade("komissar", "komissar", 5)
CUPOLA = Upgrade("cupola", "better turret", 5, most=10)


def sizes(text: str) -> tuple[Size, ...]:
    """Read "5/145/2 7/205/4": teams, points, transports."""
    return tuple(Size(*map(int, each.split("/"))) for each in text.split())


def platoon(ident: str, slot: str, kind: str, rows: str, **more: object) -> PlatoonType:
    """Return a platoon type with sizes as in ``sizes``."""
    return PlatoonType(ident, ident.replace("_", " "), slot, kind, sizes(rows), **more)  # type: ignore[arg-type]  # fields by name


TRUCKS = {"transport": MOTOR, "vehicle": "truck"}
TANKS = {"transport": ORGANIC, "all_tanks": True, "carries": 3}
GUNS = {**TRUCKS, "towed": True}
BATTERY = {"towed": True, "bombards": True, "smoke": True, "staff": True}
GERMAN_TYPES = (
    platoon("knackers", HQ, "infantry", "2/20 4/40"),
    platoon("pg", COMBAT, "infantry", "5/145/3 7/205/4", **TRUCKS, upgrades=(MORTAR,), most=3),
    platoon("apg", COMBAT, "infantry", "5/190/2 7/265/3", transport=MOTOR, vehicle="halftrack", most=3),
    platoon("hmg", WEAPONS, "infantry", "3/70/1 4/100/2 5/135/3", **TRUCKS),
    platoon("mortars", WEAPONS, "gun", "4/115/2 6/165/3", **TRUCKS, bombards=True, smoke=True),
    platoon("panzer", SUPPORT, "afv", "3/315 4/420 5/525", **TANKS, most=2),
    platoon("stug", SUPPORT, "afv", "2/210 3/315", **TANKS),
    platoon("pak40", SUPPORT, "gun", "2/185/2 3/265/3 4/345/4", **GUNS),
    platoon("pak38", SUPPORT, "gun", "2/110/2 3/155/3 4/205/4", **GUNS),
    platoon("cars", SUPPORT, "light_afv", "2/70 4/135", transport=ORGANIC, recon=True),
    platoon("cycles", SUPPORT, "infantry", "5/130/3 7/185/5", transport=MOTOR, vehicle="motorcycle", recon=True),
    platoon("howitzers", SUPPORT, "artillery", "2/125/2 3/170/3 4/215/4", **TRUCKS, **BATTERY),
    platoon("flak", SUPPORT, "gun", "2/60/2", **TRUCKS),
)
SOVIET_TYPES = (
    platoon("tankovy", COMBAT, "afv", "5/320 6/385 7/445 8/510 9/575 10/635", **TANKS, upgrades=(CUPOLA,), most=3),
    platoon("strelkovy", COMBAT, "infantry", "9/210 13/305", upgrades=(KOMISSAR,), most=3),
    platoon("machine_guns", WEAPONS, "infantry", "4/90 8/165 12/240"),
    platoon("t34", SUPPORT, "afv", "5/320 7/445 10/635", **TANKS),
    platoon("zis3", SUPPORT, "gun", "2/95/2 3/140/3 4/180/4", **GUNS),
    platoon("guns122", SUPPORT, "artillery", "2/115 4/215", **BATTERY),
    platoon("scouts", SUPPORT, "infantry", "5/80 7/115", recon=True),
    platoon("armoured_cars", SUPPORT, "light_afv", "3/70", transport=ORGANIC, recon=True),
)
LEVELS = {"sporadic": 100, "limited": 150, "priority": 200}
PANZERGRENADIERS = CompanyList(
    "panzergrenadiers",
    "Panzergrenadier company",
    GERMAN,
    "mechanized",
    50,
    {each.id: each for each in GERMAN_TYPES},
    (
        Bought("pg1", "pg", 7, {"light_mortar": 1}),
        Bought("pg2", "pg", 5),
        Bought("hmg", "hmg", 5),
        Bought("cars", "cars", 4),
    ),
    air={"ju87": "limited"},
    air_points=LEVELS,
    aircraft=("ju87", "hs129", "bf109"),
    bombers=("ju87", "hs129"),
)
STRELKOVY = CompanyList(
    "strelkovy",
    "Strelkovy battalion",
    SOVIET,
    "infantry",
    30,
    {each.id: each for each in SOVIET_TYPES},
    (Bought("t1", "tankovy", 10, {"cupola": 3}), Bought("s1", "strelkovy", 13), Bought("scouts", "scouts", 7)),
    air_points=LEVELS,
    aircraft=("il2",),
    bombers=("il2",),
)
MISSIONS = (
    Mission("breakthrough", "Breakthrough", "breakthrough", "hold", tabletop="Breakthrough"),
    Mission("encounter", "Encounter", "advance", "", fair_fight=True, tabletop="Encounter"),
    Mission("cauldron", "Cauldron", "hold", "advance", tabletop="The Cauldron"),
    Mission(
        "fighting_withdrawal",
        "Fighting Withdrawal",
        "retreat",
        "retreat",
        defensive_battle=True,
        tabletop="Fighting Withdrawal",
    ),
    Mission("hold_the_line", "Hold the Line", "advance", "hold", defensive_battle=True, tabletop="Hold the Line"),
    Mission("trench_fight", "Trench Fight", "advance", "hold", defensive_battle=True, tabletop="Trench Fight"),
)


def board(**changes: object) -> Board:
    """Return the board; keys of ``changes`` replace its fields."""
    found: dict[str, object] = {
        "scenario": "casebook",
        "title": "The casebook",
        "sides": {GERMAN: "German", SOVIET: "Soviet"},
        "players": {GERMAN: "", SOVIET: ""},
        "sectors": tuple(Sector(number, f"Sector {number}", 6, 6, "open") for number in range(1, 8)),
        "home": {GERMAN: 1, SOVIET: 7},
        "missions": {each.id: each for each in MISSIONS},
        "lists": {GERMAN: PANZERGRENADIERS, SOVIET: STRELKOVY},
        "points": 2000,
        "limit": 1500,
        "turns": 9,
        "start_sector": 4,
        "start_points": 0,
        "table": (3, 2),
    }
    return Board(**(found | changes))  # type: ignore[arg-type]  # fields by name
