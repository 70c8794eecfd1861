"""Errors in a module, by file and key."""

from pathlib import Path
from typing import Any

import pytest
from changing import TAKEN_OUT, keys_of
from tests.plugins.khamsin.modules import FIXTURE, SHIPPED, refusals, scenario

from sandtable.errors import DataError
from sandtable.plugin.scenarios import load_scenario

FAR = {"name": "Far", "terrain": "desert", "x": 40, "y": 0, "control": "axis"}
LINK = {"between": ["ridge", "far"], "kind": "rail"}
RIFLES = {
    "title": "Rifles",
    "side": "axis",
    "nation": "german",
    "mobility": "leg",
    "activation": 5,
    "strength": 1,
    "options": ["schuetzen"],
    "start": ["ridge"],
}
AIM = {"side": "axis", "text": "An aim."}
MAP, FORCES = "map.areas", "forces.formations"
PANZER, LEADER = f"{FORCES}.panzer_rgt", "forces.leaders.brandt"


def case(changes: dict[str, Any], key: str, reason: str, *rules: str) -> Any:
    return pytest.param(changes, key, reason, marks=pytest.mark.rule(*rules) if rules else ())


BAD = [
    # map
    case({f"{MAP}.far": FAR}, f"{MAP}.far", "no connectors lead here from east_well", "KH-2.01"),
    case({f"{MAP}.far": FAR, "map.connectors[+]": LINK}, "movement.costs.rail", "is missing; the map has", "KH-8.09"),
    case({"movement.costs.road": {"recon": 1}}, "movement.costs.road.motor", "is missing", "KH-8.09"),
    case({"movement.costs.road": 0}, "movement.costs.road", "is 0; use 1 to 20", "KH-8.09"),
    case({"movement.cross_country": "sand"}, "movement.cross_country", "no such kind", "KH-7.07"),
    case({f"{MAP}.ford.adjacent": ["ridge"]}, f"{MAP}.ford.adjacent[0]", "is one-sided, 'ridge' does not list 'ford'"),
    case({"map.connectors[0].between": ["ridge", "rome"]}, "map.connectors[0].between", "there is no area 'rome'"),
    case(
        {"map.connectors[1].between": ["west_well", "ridge"]},
        "map.connectors[1].between",
        "are already joined by connectors[0].between",
    ),
    case({f"{MAP}.ford.control": "both"}, f"{MAP}.ford.control", "is 'both'", "KH-11.01", "KH-11.04"),
    case({f"{MAP}.ford.control": TAKEN_OUT}, f"{MAP}.ford.control", "is missing", "KH-11.01", "KH-11.04"),
    case({f"{MAP}.Ford": FAR}, f"{MAP}.Ford", "the id is not valid"),
    case({f"{MAP}.ford.stocks": 3}, f"{MAP}.ford.stocks", "does not supply a side", "KH-10.04"),
    case({f"{MAP}.west_well.stocks": -1}, f"{MAP}.west_well.stocks", "is -1", "KH-10.04"),
    case({f"{MAP}.west_well.base": ""}, MAP, "no area is the base of axis", "KH-22.14"),
    case({f"{MAP}.ridge.base": "axis"}, f"{MAP}.west_well.base", "is a second base of axis, after ridge", "KH-22.14"),
    case({f"{MAP}.east_well.supply": ""}, MAP, "no area supplies allies", "KH-10.04"),
    case({f"{MAP}.east_well.entry": ""}, MAP, "no area lets allies enter", "KH-4.03"),
    case({f"{MAP}.west_well.port": True}, f"{MAP}.west_well.port", "is not a key of an area"),
    # formations, companies and nations
    case({f"{PANZER}.free": False}, f"{PANZER}.start", "name areas, or write free = true, or give enters", "KH-1.08"),
    case({f"{PANZER}.start": ["ford"], f"{PANZER}.free": False}, f"{PANZER}.start", "controlled by allies", "KH-1.08"),
    case({f"{PANZER}.start": ["ridge"]}, f"{PANZER}.free", "is given together with start", "KH-1.08"),
    case({f"{PANZER}.historical": "ford"}, f"{PANZER}.historical", "is not one of its starting areas", "KH-1.08"),
    case({"sides.axis.closed": ["ridge", "west_well"]}, f"{PANZER}.free", "no area of axis is open to it", "KH-1.08"),
    case({f"{FORCES}.motor_bde.entries": []}, f"{FORCES}.motor_bde.entries", "is missing; name the area", "KH-4.03"),
    case({f"{FORCES}.motor_bde.entries": ["rome"]}, f"{FORCES}.motor_bde.entries", "no area 'rome'", "KH-4.03"),
    case({f"{FORCES}.motor_bde.entries": ["ford"]}, f"{FORCES}.motor_bde.entries", "is not an entry area", "KH-4.04"),
    case({f"{FORCES}.motor_bde.enters": 10}, f"{FORCES}.motor_bde.enters", "the campaign has 9 turns", "KH-1.09"),
    case({f"{PANZER}.enters": 2}, f"{PANZER}.enters", "is given together with a start", "KH-1.09"),
    case({f"{PANZER}.held_until": -1}, f"{PANZER}.held_until", "is -1; use 0 to 200", "KH-7.03"),
    case({f"{PANZER}.nation": "greek"}, f"{PANZER}.nation", "there is no nation 'greek'", "KH-5.10"),
    case({f"{PANZER}.nation": "british"}, f"{PANZER}.nation", "british fights for allies"),
    case({f"{PANZER}.options": ["tiger"]}, f"{PANZER}.options", "no company type under companies 'tiger'", "KH-1.06"),
    case({f"{PANZER}.options": []}, f"{PANZER}.options", "could not fight", "KH-13.01"),
    case({f"{PANZER}.options": ["panzer", "panzer"]}, f"{PANZER}.options", "has 'panzer' twice", "KH-1.06"),
    case({f"{PANZER}.strength": 0}, f"{PANZER}.strength", "or bombards = true", "KH-2.07"),
    case({f"{PANZER}.strength": -2}, f"{PANZER}.strength", "is -2; use 0 to 12", "KH-2.07"),
    case({f"{PANZER}.strength": True}, f"{PANZER}.strength", "write a whole number", "KH-2.07"),
    case({f"{PANZER}.activation": 7}, f"{PANZER}.activation", "is 7; use 1 to 6", "KH-2.07"),
    case({f"{PANZER}.mobility": "hover"}, f"{PANZER}.mobility", "recon, motor, semi_motor, leg", "KH-2.07"),
    case({f"{PANZER}.title": TAKEN_OUT}, f"{PANZER}.title", "is missing", "KH-2.07"),
    case({f"{PANZER}.titel": "x"}, f"{PANZER}.titel", "is not a key of this table"),
    case({f"{PANZER}.commander": "Clara"}, f"{PANZER}.commander", "is not in sides.axis.commanders"),
    case({f"{FORCES}.Panzer": RIFLES}, f"{FORCES}.Panzer", "cannot be an id"),
    case({f"{FORCES}.ridge": RIFLES}, f"{FORCES}.ridge", "an area has this id too"),
    case({"forces.companies.panzer.archetype": "horse"}, "forces.companies.panzer.archetype", "is 'horse'"),
    case({"forces.companies.panzer.intel": "tank"}, "forces.companies.panzer.intel", "is 'tank'", "KH-6.05"),
    case({"forces.nations.german.system": "loan"}, "forces.nations.german.system", "dedicated, pool", "KH-5.10"),
    # leaders and players
    case({f"{LEADER}.free": False}, f"{LEADER}.start", "name areas, or write free = true", "KH-9.03"),
    case({f"{LEADER}.corps": "xx"}, f"{LEADER}.corps", "no formation of axis is of corps xx", "KH-9.03"),
    case({f"{LEADER}.bonus": -1}, f"{LEADER}.bonus", "is -1; use 0 to 3", "KH-9.03"),
    case({"forces.leaders.rifle_rgt": {"title": "X", "side": "axis", "free": True}}, "forces.leaders.rifle_rgt", "too"),
    case({"sides.axis.commanders": []}, "sides.axis.commanders", "is empty"),
    case({"sides.allies.commanders": ["Ben", "Clara", "David"]}, "sides.allies.commanders", "Ben of the other side"),
    case({"sides.romans": {}}, "sides.romans", "is not a key of this table"),
    # calendar, weather, air, replacements and events
    case({"calendar.turns": 0}, "calendar.turns", "is 0; use 1 to 200", "KH-2.03"),
    case({"calendar.first_day": "May"}, "calendar.first_day", "write a day such as", "KH-2.02"),
    case({"calendar.first_day": "1941-02-29"}, "calendar.first_day", "is '1941-02-29'", "KH-2.02"),
    case({"calendar.labels": ["one"]}, "calendar.labels", "give one for each of 9 turns", "KH-2.02"),
    case({"weather.table": ["clear"] * 5}, "weather.table", "has 5 rows; write six", "KH-4.02"),
    case({"weather.table": ["snow"] * 6}, "weather.table", "has 'snow'; choose clear, dust", "KH-4.02"),
    case({"weather.first": "snow"}, "weather.first", "is 'snow'", "KH-4.02"),
    case({"weather.kinds.dust.extra": {"rail": 1}}, "weather.kinds.dust.extra", "'rail'", "KH-4.02"),
    case({"weather.kinds.dust.air": "some"}, "weather.kinds.dust.air", "full, none, needs_six", "KH-4.02"),
    case({"air.axis.needs": 7}, "air.axis.needs", "is 7; use 1 to 6", "KH-7.06"),
    case({"air.axis.level": "lots"}, "air.axis.level", "none, sporadic, limited, priority", "KH-7.04"),
    case({"replacements.axis.armor": -1}, "replacements.axis.armor", "is -1; use 0 to 500", "KH-5.01"),
    case({"replacements.axis.nations": ["british"]}, "replacements.axis.nations", "fights for allies", "KH-5.01"),
    case({"replacements.axis.nations": ["greek"]}, "replacements.axis.nations", "no nation 'greek'", "KH-5.01"),
    case({"replacements.axis.nations": []}, "replacements.axis.nations", "is empty", "KH-5.01"),
    case({"replacements.axis.first": 4, "replacements.axis.last": 2}, "replacements.axis.last", "before", "KH-5.01"),
    case({"events[0].kind": "flood"}, "events[0].kind", "is 'flood'", "KH-2.04"),
    case({"events[0].kind": "control"}, "events[0].area", "an event of kind control needs it", "KH-2.04"),
    case({"events[0].turn": 10}, "events[0].turn", "is 10; use 1 to 9", "KH-2.04"),
    case({"events[0].area": "rome"}, "events[0].area", "there is no area 'rome'", "KH-2.04"),
    case({"events[0].kind": "weather", "events[0].weather": "snow"}, "events[0].weather", "'snow'", "KH-2.04"),
    case({"coordination.apart": [["german", "greek"]]}, "coordination.apart", "there is no nation 'greek'", "KH-7.03"),
    case({"coordination.apart": ["german"]}, "coordination.apart", "write pairs of nations", "KH-7.03"),
    # victory
    case({"victory": {}}, "victory", "has no way to win", "KH-25.01"),
    case({"victory": TAKEN_OUT}, "victory", "is missing", "KH-25.01"),
    case({"victory.score.rome": 2}, "victory.score", "there is no area 'rome'", "KH-25.03"),
    case({"victory.score.ford": -2}, "victory.score.ford", "is -2; use 0 to 100", "KH-25.03"),
    case({"victory.ranks": ["axis"]}, "victory.ranks", "must name both sides", "KH-R110"),
    case({"victory.conditions[+]": AIM}, "victory.conditions[6].kind", "is missing", "KH-25.01"),
    case({"victory.conditions[+]": AIM | {"kind": "area"}}, "victory.conditions[6].area", "is missing", "KH-25.01"),
    case({"victory.conditions[0].area": "rome"}, "victory.conditions[0].area", "no area 'rome'", "KH-25.01"),
    case({"victory.conditions[2].to": "rome"}, "victory.conditions[2].to", "no area 'rome'", "KH-25.01"),
    case({"victory.conditions[4].of": ["inf_bde"]}, "victory.conditions[4].count", "has 1 (KH", "KH-25.01"),
    case({"victory.conditions[4].of": ["rifle_rgt", "inf_bde"]}, "victory.conditions[4].of", "axis itself", "KH-25.01"),
    case({"victory.conditions[4].of": ["nobody", "inf_bde"]}, "victory.conditions[4].of", "'nobody'", "KH-25.01"),
    # the file
    case({"map": TAKEN_OUT}, "scenario.map", "is missing; name a file", "KH-1.02"),
    case({"forces": TAKEN_OUT}, "scenario.files.forces", "is missing; name a file", "KH-1.02"),
    case({"dice": {}}, "dice", "is not a key of this table", "KH-1.02"),
    case({"scenario.turns": 4}, "scenario.turns", "is not a key of this table", "KH-1.02"),
]


@pytest.mark.full
@pytest.mark.parametrize(("changes", "key", "reason"), BAD)
def test_invalid_value_is_reported_by_key_with_a_reason(changes: dict[str, Any], key: str, reason: str) -> None:
    found = refusals(changes)
    assert [each.where for each in found if each.where != "teaching.toml"] == []
    assert any(each.key == key and reason in each.problem for each in found), [str(each) for each in found]
    assert all("\n" not in str(each) for each in found)


WEIRD: tuple[Any, ...] = (-1, 7, True, 1.5, "", "x y", "\u2028", [], [[]], {}, {"a": {}}, 10**30)


@pytest.mark.full
@pytest.mark.rule("KH-1.02")
@pytest.mark.parametrize("start", range(len(WEIRD)))
def test_strange_values_are_refused_in_printable_text(start: int) -> None:
    for place, key in enumerate(keys_of(scenario("teaching").data)):
        if key.startswith("scenario"):
            continue
        for found in refusals({key: WEIRD[(place + start) % len(WEIRD)]}):
            assert str(found).isprintable()


@pytest.mark.rule("KH-1.02")
def test_all_errors_of_a_module_are_reported_at_once() -> None:
    found = refusals({f"{PANZER}.nation": "greek", "victory.score.rome": 1, f"{FORCES}.motor_bde.enters": 10})
    assert [each.key for each in found] == [f"{FORCES}.motor_bde.enters", f"{PANZER}.nation", "victory.score"]


@pytest.mark.rule("KH-1.02")
def test_error_names_the_file_that_contains_it() -> None:
    wrong = {"map.areas.tobruk.control": "poles", "forces.formations.ariete.strength": 99, "victory.margin": 0}
    found = {(each.where, each.key) for each in refusals(wrong, "crusader")}
    assert found == {
        ("crusader_map.toml", "areas.tobruk.control"),
        ("crusader_forces.toml", "formations.ariete.strength"),
        ("crusader.toml", "victory.margin"),
    }
    (cross,) = refusals({"forces.formations.ariete.nation": "greek"}, "crusader")
    assert (cross.where, cross.key) == ("crusader_forces.toml", "formations.ariete.nation")


def test_duplicate_id_is_refused_as_invalid_toml(tmp_path: Path) -> None:
    file = tmp_path / "twice.toml"
    file.write_text(FIXTURE.read_text(encoding="utf-8") + "\n[forces.formations.7_armd_bde]\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"twice\.toml: line \d+, column \d+: is not TOML: .*twice"):
        load_scenario(str(file), SHIPPED)
