"""Leaders that move (KH-8.15), are displaced (KH-R104) or become casualties (KH-23)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AT_REZEGH, AT_SALEH, AXIS, Case, NewCase, field, result, retreats
from tests.plugins.khamsin.procedures import of, ordered, position, run

from khamsin.leaders.leaders import (
    days_of,
    displace_leaders,
    follow,
    leaders_with,
    move_leaders,
    path_to_friends,
    settle_casualties,
    surrender_with,
)
from khamsin.model.cards import WeatherCard
from khamsin.model.events import CharacterHit, LeaderMoved
from khamsin.model.orders import EnterBy
from khamsin.model.state import ON_MAP, WOUNDED, Engagement, Fielded
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.records import OrderRecord
from sandtable.tabletop.result import Result


@pytest.mark.rule("KH-R105")
def test_leader_retreats_with_its_force(new_case: NewCase) -> None:
    case = new_case(f"{AT_REZEGH}; rommel sidi_rezegh; {AT_SALEH}", dice={"activation:7_armd_bde": "6"})
    case.turn(result("allies", "4-3"), retreats("axis", f15_pz_div="gambut"), allies="7_armd_bde sidi_rezegh")
    assert case.at("15_pz_div", "rommel") == "gambut gambut"


@pytest.mark.rule("KH-R104")
def test_leader_flees_by_the_shortest_path_around_enemies() -> None:
    def way(**others: str) -> list[str]:
        state = position({each.removeprefix("f"): where for each, where in others.items()})
        return path_to_friends(state, "axis", "sidi_rezegh")

    assert way() == []
    assert way(f15_pz_div="gambut") == ["sidi_rezegh", "gambut"]
    assert way(f15_pz_div="gambut", f21_pz_div="el_adem") == ["sidi_rezegh", "el_adem"]
    assert way(f15_pz_div="fort_capuzzo") == ["sidi_rezegh", "gabr_saleh", "fort_capuzzo"]
    assert way(f15_pz_div="fort_capuzzo", f7_armd_bde="gabr_saleh") == [
        "sidi_rezegh", "gambut", "sollum", "fort_capuzzo"
    ]  # fmt: skip
    assert way(f15_pz_div="fort_capuzzo", f7_armd_bde="gabr_saleh", frecon_cw="gambut") == []
    assert way(f15_pz_div="gambut", f7_armd_bde="gambut", f21_pz_div="bir_el_gubi") == [
        "sidi_rezegh", "el_adem", "bir_el_gubi"
    ]  # fmt: skip


@pytest.mark.rule("KH-8.11", "KH-8.15", "KH-R106")
@pytest.mark.parametrize(
    ("path", "places", "escort", "end"),
    [
        (["gambut", "sollum", "fort_capuzzo"], {}, [], "fort_capuzzo"),  # two roads, of 6 points
        (["assembly_area", "gabr_saleh", "sidi_rezegh", "el_adem"], {}, [], "el_adem"),  # three tracks: 6 points
        (["assembly_area", "fort_capuzzo", "gabr_saleh", "sidi_rezegh"], {}, [], "gabr_saleh"),  # 4 + 2, and 2 more
        (["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}, [], "gambut"),
        (["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}, ["gambut", "sidi_rezegh"], "sidi_rezegh"),
        (
            *(["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}),
            *(["sollum", "gambut", "sidi_rezegh"], "sidi_rezegh"),
        ),
        (["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}, ["el_adem", "sidi_rezegh"], "gambut"),
    ],
)
def test_leader_moves_as_far_as_points_and_enemies_allow(
    path: list[str], places: dict[str, str], escort: list[str], end: str
) -> None:
    state = position({"rommel": path[0], **places, **({"15_pz_div": escort[-1]} if escort else {})})
    state.formations["15_pz_div"].path = escort
    ordered(state, "axis", leaders={"rommel": path})
    run(state, move_leaders(state))
    assert state.leaders["rommel"].area == end


@pytest.mark.rule("KH-7.07", "KH-R109")
def test_interdiction_raises_leader_costs_after_the_first_connector() -> None:
    for path, end in ((["gambut", "sollum"], "sollum"), (["sidi_rezegh", "gambut", "sollum"], "gambut")):
        state = position({"rommel": path[0]})
        state.interdicted = {"gambut": "allies"}  # 4 in, 4 out
        ordered(state, "axis", leaders={"rommel": path})
        run(state, move_leaders(state))
        assert state.leaders["rommel"].area == end


@pytest.mark.rule("KH-8.11", "KH-8.15")
@pytest.mark.parametrize(("extra", "end"), [(4, "el_adem"), (5, "el_adem"), (0, "bir_el_gubi")])
def test_leader_crosses_one_connector_in_any_mud(extra: int, end: str) -> None:
    """A track costs 2 of 6 points; 4 more use all of them, and 5 more exceed them."""
    state = position({"rommel": "sidi_rezegh"})
    state.weather, deluge = "deluge", {"deluge": WeatherCard("deluge", "Deluge", extra={"track": extra})}
    state.place_board(replace(state.board, weather=replace(state.board.weather, cards=deluge)))
    ordered(state, "axis", leaders={"rommel": ["sidi_rezegh", "el_adem", "bir_el_gubi"]})
    run(state, move_leaders(state))
    assert state.leaders["rommel"].area == end


@pytest.mark.rule("KH-R104", "KH-R107", "KH-23.02", "KH-23.03", "KH-8.15")
@pytest.mark.parametrize(
    ("choice", "friends", "dice", "fates", "at"),
    [
        ("displaced", "gambut", {}, [], "gambut"),
        ("displaced", "", {"casualty:rommel": [1], "wound:rommel": [1]}, ["killed"], ""),
        ("displaced", "", {"casualty:rommel": [3], "wound:rommel": [5]}, ["wounded"], ""),
        ("displaced", "", {"casualty:rommel": [4], "wound:rommel": [5]}, ["minor"], "sidi_rezegh"),
        ("captured_on_1_3", "gambut", {"capture:rommel": [3]}, ["captured"], ""),
        ("captured_on_1_3", "gambut", {"capture:rommel": [4]}, [], "gambut"),
    ],
)
def test_leader_alone_with_enemies_flees_or_rolls_a_fate(
    choice: str, friends: str, dice: dict[str, list[int]], fates: list[str], at: str
) -> None:
    places = {"rommel": "sidi_rezegh", "7_armd_bde": "sidi_rezegh", **({"15_pz_div": friends} if friends else {})}
    state = position(places)
    state.options = state.options | {"leader_alone": choice}
    happened = run(state, displace_leaders(state), dice, spare=True)
    hits = of(happened, CharacterHit)
    assert [each.fate for each in hits] == fates
    if fates == ["wounded"]:
        assert (hits[0].days_die, hits[0].returns) == (3, state.turn + 4)
    moved = of(happened, LeaderMoved)
    assert ([moved[0].path[-1]] if moved else []) == ([at] if at and not fates else [])
    assert [days_of(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("KH-R104", "KH-R105")
def test_leader_with_troops_stays_and_leaves_with_the_last() -> None:
    state = position({"rommel": "sidi_rezegh", "7_armd_bde": "sidi_rezegh", "15_pz_div": "sidi_rezegh"})
    assert of(run(state, displace_leaders(state), spare=True), LeaderMoved) == []
    assert run(state, follow(state, "axis", "sidi_rezegh", ["gambut"])) == []
    assert run(state, surrender_with(state, "axis", "sidi_rezegh")) == []
    state.formations["15_pz_div"].area = "gambut"
    assert run(state, follow(state, "axis", "sidi_rezegh", [])) == []
    (moved,) = run(state, follow(state, "axis", "sidi_rezegh", ["gambut", "el_adem"]))
    assert (moved.path, moved.rule) == (["sidi_rezegh", "gambut"], "KH-R105")


@pytest.mark.rule("KH-17.03", "KH-23.01")
def test_leader_joins_the_battle_of_the_force_in_its_area() -> None:
    state = position({"rommel": "sidi_rezegh", "15_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh"})
    here = Engagement("sidi_rezegh", "sidi_rezegh")
    assert leaders_with(state, here, "axis") == ["rommel"]
    assert leaders_with(state, here, "allies") == []
    assert leaders_with(state, Engagement("x~y", "sidi_rezegh", "el_adem"), "axis") == []
    assert leaders_with(state, Engagement("gambut", "gambut"), "axis") == []
    for command, character in ((True, False), (False, True), (False, False)):
        rommel = replace(state.board.leaders["rommel"], command=command, character=character)
        state.place_board(replace(state.board, leaders=state.board.leaders | {"rommel": rommel}))
        assert leaders_with(state, here, "axis") == ["rommel"] * (command or character)


@pytest.mark.rule("KH-23.02", "KH-23.03", "KH-23.04", "KH-23.05", "KH-R105", "KH-23.01")
@pytest.mark.parametrize(
    ("die", "fate", "rule"),
    [(1, "killed", "KH-23.02"), (2, "wounded", "KH-23.03"), (3, "wounded", "KH-23.03"), (4, "minor", "KH-23.05")],
)
def test_leader_casualty_matches_its_table_row(die: int, fate: str, rule: str) -> None:
    result = Result("axis", {"axis": 6, "allies": 1}, casualties={"axis": ("rommel", "nobody")})
    state = position({"rommel": "sidi_rezegh"}, turn=3)
    dice = {"casualty:rommel": [die], **({"wound:rommel": [4]} if fate == "wounded" else {})}
    (hit,) = of(run(state, settle_casualties(state, result), dice), CharacterHit)
    assert (hit.leader, hit.die, hit.fate, hit.rule) == ("rommel", die, fate, rule)
    cell, *back = hit.calculations
    assert cell.table == ("character_casualty", str(die), "fate")
    assert [each.steps for each in back] == (
        [(("this turn", 3, "KH-23.03"), ("d3 turns", 2, "KH-23.03"), ("returns on the next turn", 1, "KH-23.04"))]
        if fate == "wounded"
        else []
    )
    assert (hit.days_die, hit.returns) == ((2, 6) if fate == "wounded" else (0, 0))
    state = position({"rommel": "sidi_rezegh"})
    state.leaders["rommel"].standing = "dead"
    assert run(state, settle_casualties(state, result)) == []


ROMMEL_THERE = "15_pz_div sidi_rezegh; rommel sidi_rezegh; 7_armd_bde gabr_saleh"


def hit(new_case: NewCase, dice: dict[str, str], where: str = ROMMEL_THERE, **rest: Any) -> Case:
    case = new_case(where, dice={"activation:7_armd_bde": "6"} | dice, **rest)
    with_him = field(AXIS, Fielded("15_pz_div", "panzer", command=True))
    return case.turn(with_him, result("axis", "6-1", casualties={"axis": ("rommel",)}), allies="7_armd_bde sidi_rezegh")


@pytest.mark.rule("KH-23.03", "KH-R107")
@pytest.mark.parametrize(("die", "days", "turns"), [("2", "1", 1), ("3", "2", 1), ("2", "3", 2), ("2", "6", 3)])
def test_wounded_leader_is_away_for_the_rolled_turns(new_case: NewCase, die: str, days: str, turns: int) -> None:
    case = hit(new_case, {"casualty:rommel": die, "wound:rommel": days})
    struck = case.one(CharacterHit)
    assert (struck.fate, struck.returns) == ("wounded", 2 + turns + 1)
    away = 0
    while case.state.leaders["rommel"].standing == WOUNDED:
        away += 1
        case.turn()
    assert away == turns
    assert case.state.leaders["rommel"].standing == ON_MAP


@pytest.mark.rule("KH-23.04", "KH-R108")
def test_wounded_leader_returns_by_any_open_entry(new_case: NewCase) -> None:
    case = hit(new_case, {"casualty:rommel": "2", "wound:rommel": "1"}, changes={"map.areas.sollum.entry": "axis"})
    case.turn(until=EnterBy)
    assert case.why_not(AXIS, EnterBy({"rommel": "tobruk"})) in {"KH-23.04", "KH-R108"}
    before = len(case.game.records)
    case.play((AXIS, EnterBy({"rommel": "sollum"})))
    assert case.at("rommel") == "sollum"
    new = [each for each in list(case.game.records)[before:] if getattr(each, "by", AXIS) == AXIS]
    seen = {side: [type(each) for each in seen_records(new, case.prepared, side)] for side in (AXIS, ALLIES)}
    assert OrderRecord in seen[AXIS]
    assert OrderRecord not in seen[ALLIES]
