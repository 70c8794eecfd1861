"""Faults of scenarios, refused by file and key."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from changing import TAKEN_OUT
from tests.plugins.axis_attack.ground import CUPOLA, PANZERGRENADIERS, platoon
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.modules import USUAL, board, changed, refusals
from transcripts import Transcript

from axis_attack.model.cards import Bought, CompanyList, Mission, Size, Upgrade
from axis_attack.setup.settings import fitted
from axis_attack.setup.validation import least_points, list_problems, listed, problems_of

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


def test_list_at_its_limits_is_accepted() -> None:
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


A, B = Bought("a", "foot", 5), Bought("b", "foot", 7)
FAULTY = {
    "upgrades_too_many": a_list(A, replace(B, upgrades={"cupola": 8, "gun": 3})),
    "upgrade_unknown": a_list(A, replace(B, upgrades={"flag": 1})),
    "upgrade_of_none": a_list(A, B, Bought("s", "small", 3, {"flag": 1})),
    "size": a_list(A, replace(B, teams=6)),
    "type": a_list(A, replace(B, type="tank")),
    "one_combat_platoon": a_list(A),
    "four_combat_platoons": a_list(*(Bought(each, "foot", 5) for each in "abcd"), most=3),
    "two_of_a_type": a_list(*(Bought(each, "small", 3) for each in "ab")),
    "aircraft": replace(a_list(air={"il2": "limited"}, aircraft=()), bombers=()),
}


@pytest.mark.rule("AOA-1.01", "AOA-1.02", "AOA-1.05", "AOA-1.12", "AOA-1.16", "AOA-3.01")
def test_faults_of_a_list_are_reported(transcript: Transcript) -> None:
    transcript("\n".join(f"{name}: {key}: {text}" for name, it in FAULTY.items() for key, text in problems(it)))


@pytest.mark.rule("AOA-1.05", "AOA-3.11", "AOA-10.17", "AOA-10.19")
def test_faults_of_sizes_and_transports_are_reported(transcript: Transcript) -> None:
    def of(*sizes: Size, **changes: Any) -> list[tuple[str, str]]:
        return problems(a_list(types={"foot": FOOT, "guns": replace(GUNS, sizes=sizes, **changes)}))

    foot: dict[str, Any] = {"transport": "foot", "vehicle": ""}
    assert of(Size(2, 50), Size(3, 60), **foot) == []
    found = {
        "falling": of(Size(3, 60, 2), Size(3, 50, 1), Size(2, 90, 3)),
        "none_of_the_first": of(Size(2, 50, 0), Size(3, 60, 2)),
        "of_foot": of(Size(2, 50), Size(3, 60, 2), **foot),
        "without_a_vehicle": of(Size(2, 50, 1), vehicle=""),
    }
    transcript("\n".join(f"{name}: {key}: {text}" for name, rows in found.items() for key, text in rows))


def test_message_lists_eight_names_and_counts_the_others() -> None:
    names = "hgfedcba"
    assert listed(names) == "a, b, c, d, e, f, g, h"
    assert listed(f"{names}j") == "a, b, c, d, e, f, g, h and 1 more"
    assert listed(f"{names}jk") == "a, b, c, d, e, f, g, h and 2 more"


@pytest.mark.rule("AOA-3.01", "AOA-3.02")
def test_limit_below_the_smallest_company_is_refused() -> None:
    """Headquarters cost 50, the only small platoon 80, and a platoon on foot 100."""
    company = a_list()
    assert least_points(company) == 50 + 80 + 100
    assert least_points(replace(company, least=3)) == 50 + 80 + 100 + 100
    rich = replace(company, start=company.start, side="soviet")
    for limit, wrong in ((230, []), (229, ["campaign.limit"] * 2)):
        lists = {"german": company, "soviet": rich}
        assert [key for key, _ in problems_of(the_board(lists=lists, limit=limit), USUAL)] == wrong
    dear = the_board(lists={"german": replace(company, points=350), "soviet": rich}, points=349)
    assert list(problems_of(dear, USUAL)) == [
        (
            "soviet.start",
            "costs 350 points, but campaign.points allows 349; reduce it by 1, or agree on more (AOA-1.01)",
        )
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
def test_contradictions_in_a_mission_are_refused(mission: Mission, keys: list[str]) -> None:
    found = [key for key, _ in problems_of(the_board(missions={"m": mission}), USUAL)]
    assert found == [f"missions.m.{each}" for each in keys]


@pytest.mark.rule("AOA-O2")
def test_expensive_force_loses_aircraft_support_combat_then_strength() -> None:
    """Costs: headquarters 50 and 20, foot 200 + 50 + 100, guns 90 and 50, mortars 60, air support 150."""
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


SCOUTS = {"soviet.types.scouts.most": 20, "soviet.supports": 20} | {
    f"soviet.start.platoons.more{number}": {"type": "scouts", "teams": 5} for number in range(30)
}
FILES = {"german": "panzergrenadiers.toml", "soviet": "strelkovy.toml"} | {
    name: f"{name}.toml" for name in ("missions", "sectors")
}


def fault(line: str) -> Any:
    rules, changes, key, problem = line.split(" | ")
    found = SCOUTS if changes == '"SCOUTS"' else json.loads(changes)
    values = {name: TAKEN_OUT if value == "-" else value for name, value in found.items()}
    return pytest.param(values, key, problem, marks=() if rules == "-" else pytest.mark.rule(*rules.split()))


FAULTS = Path(__file__).with_name("faults.txt").read_text("utf-8").splitlines()[1:]


@pytest.mark.rule(
    "AOA-1.01 AOA-1.02 AOA-1.05 AOA-1.07 AOA-1.12 AOA-1.13 AOA-1.14 AOA-1.16 AOA-10.17 AOA-10.19 AOA-11.12 AOA-11.14"
    " AOA-12.02 AOA-2.02 AOA-3.01 AOA-3.02 AOA-3.11 AOA-3.12 AOA-3.14 AOA-4.09 AOA-5.09 AOA-7.01 AOA-7.06 AOA-7.12"
    " AOA-8.15 AOA-R01 AOA-R02 AOA-R03 AOA-R34 AOA-R38 AOA-R42"
)
@pytest.mark.parametrize(("changes", "key", "problem"), [fault(line) for line in FAULTS])
def test_fault_is_refused_with_file_and_key(changes: dict[str, Any], key: str, problem: str) -> None:
    found = refusals(changes)
    table, _, rest = key.partition(".")
    place = (FILES[table], rest) if table in FILES and table in changed(changes).files else ("eastern_front.toml", key)
    assert any((each.where, each.key) == place and problem in each.problem for each in found), [str(it) for it in found]
    assert all("\n" not in str(each) for each in found)


def test_all_problems_are_reported_at_once() -> None:
    found = refusals(
        {"sectors.4.rows": 1, "german.side": "soviet", "soviet.supports": 1, "german.start.platoons.pak40.teams": 9}
    )
    assert [each.key for each in found] == ["4", "side", "start.platoons.pak40.teams", "start.platoons"]
