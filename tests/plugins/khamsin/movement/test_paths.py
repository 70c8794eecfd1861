"""Legal paths compared with walks on the map, refusals, and the cheapest path to an area."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.procedures import position, typed, wells

from khamsin.model.orders import WriteOrders
from khamsin.movement.orders_sheet import orders_space
from khamsin.movement.paths import cheapest_paths, formation_path, leader_path, path_typed
from sandtable.errors import IllegalOrder


@pytest.mark.rule("KH-8.10", "KH-8.11")
def test_goal_is_read_as_the_cheapest_path() -> None:
    state = wells(panzer_rgt="ridge", brandt="ridge")
    order = typed(state, "panzer: to the ford; brandt: to ford")
    by_road = ["ridge", "west_well", "ford"]
    assert order == WriteOrders({"panzer_rgt": by_road}, {"brandt": by_road})  # 3 points; over the desert it is 4
    assert orders_space(state, AXIS).is_legal(order)
    lines: Any = orders_space(state, AXIS).fields["moves"]
    assert lines.read("panzer_rgt", "to ford") == by_road


@pytest.mark.rule("KH-9.05", "KH-R12")
def test_goal_path_avoids_reported_enemies_except_at_the_goal() -> None:
    state = wells(recon_unit="ridge")
    state.reports[AXIS].occupied = ["west_well"]
    assert typed(state, "recon: to ford").moves["recon_unit"] == ["ridge", "east_well", "ford"]
    assert typed(state, "recon: to west well").moves["recon_unit"] == ["ridge", "west_well"]
    state.reports[AXIS].occupied = ["west_well", "east_well"]
    assert typed(state, "recon: to ford").moves["recon_unit"] == ["ridge", "ford"]


def test_cheapest_path_avoids_hostile_areas_and_reported_enemies() -> None:
    state = position({"21_pz_div": "el_adem"})

    def ways() -> dict[str, tuple[int, str]]:
        found = cheapest_paths(formation_path(state, "21_pz_div"))
        return {area: (spent, " ".join(way[1:])) for area, (spent, way) in found.items()}

    near = {
        "el_adem": (0, ""),
        "tobruk": (1, "tobruk"),
        "sidi_rezegh": (2, "sidi_rezegh"),
        "bir_el_gubi": (2, "bir_el_gubi"),
    }
    assert ways() == near | {"gambut": (4, "sidi_rezegh gambut"), "gabr_saleh": (4, "bir_el_gubi gabr_saleh")}
    state.control["bir_el_gubi"] = ALLIES
    assert ways()["gabr_saleh"] == (4, "sidi_rezegh gabr_saleh")
    for reported in (["sidi_rezegh"], ["el_adem", "sidi_rezegh"]):  # its own area never blocks a path
        state.reports[AXIS].occupied = reported
        assert ways() == near | {"gambut": (4, "sidi_rezegh gambut"), "gabr_saleh": (4, "bir_el_gubi gabr_saleh")}
    state.reports[AXIS].occupied = ["sidi_rezegh", "bir_el_gubi"]
    assert ways()["gabr_saleh"] == (4, "sidi_rezegh gabr_saleh")


def test_path_may_be_typed_as_its_goal() -> None:
    state = position({"21_pz_div": "el_adem", "rommel": "el_adem"})
    space, names = formation_path(state, "21_pz_div"), dict(state.board.names)

    def typed(text: str) -> Any:
        try:
            return path_typed(text, space, names, "KH-3.06")
        except IllegalOrder as refusal:
            return f"{refusal.rule} {refusal.reason}"

    assert typed("to gambut") == typed("TO Gambut") == ["el_adem", "sidi_rezegh", "gambut"]
    assert typed("sidi_rezegh gambut") == ["el_adem", "sidi_rezegh", "gambut"]
    assert typed("to el_adem") == "KH-3.06 it is already in el_adem: type hold to keep it there"
    assert typed("to sollum") == (
        "KH-8.10 sollum is out of reach this turn; in reach, with points: "
        "bir_el_gubi 2, gabr_saleh 4, gambut 4, sidi_rezegh 2 or tobruk 1"
    )
    state.formations["21_pz_div"].mark = "stationary"
    space = formation_path(state, "21_pz_div")
    assert typed("to gambut").startswith("KH-R94 21st Panzer Division was marked as stationary")
    assert cheapest_paths(leader_path(state, "rommel"))["fort_capuzzo"] == (
        6,
        ["el_adem", "sidi_rezegh", "gambut", "sollum", "fort_capuzzo"],
    )


POINTS = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}


def walks(name: str, start: str, mobility: str, points: int) -> set[tuple[str, ...]]:
    """Return every affordable walk, and every walk of one connector at any cost (KH-8.10, KH-8.11)."""
    the_board = board(name)
    graph = the_board.map.as_networkx()
    found: set[tuple[str, ...]] = {(start,)}
    waiting: list[tuple[tuple[str, ...], int]] = [((start,), 0)]
    while waiting:
        walk, spent = waiting.pop()
        for near in graph[walk[-1]]:
            price = spent + the_board.cost[graph[walk[-1]][near]["kind"]][mobility]
            if price <= points or len(walk) == 1:
                found.add((*walk, near))
                waiting.append(((*walk, near), price))
    return found


@pytest.mark.rule("KH-8.01", "KH-8.02", "KH-8.03", "KH-8.04", "KH-8.10", "KH-8.11", "KH-8.09")
@pytest.mark.parametrize("name", ["fixture", "crusader"])
def test_legal_paths_are_the_affordable_walks(name: str) -> None:
    the_board = board(name)
    for formation_id, card in the_board.formations.items():
        start = (card.start or card.entries)[0]
        space = formation_path(position({formation_id: start}, name), formation_id)
        if card.held_until > 1:
            assert list(space.values()) == [[start]]
        else:
            found = [tuple(path) for path in space.values()]
            assert len(found) == len(set(found))
            assert set(found) == walks(name, start, card.mobility, POINTS[card.mobility])


@pytest.mark.rule("KH-8.12", "KH-10.06", "KH-8.15")
def test_unsupplied_formation_moves_as_leg_and_leader_as_recon() -> None:
    state = position({"15_pz_div": "sidi_rezegh", "rommel": "el_adem"})
    state.formations["15_pz_div"].supplied = False
    leg, recon = formation_path(state, "15_pz_div"), leader_path(state, "rommel")
    assert {tuple(path) for path in leg.values()} == walks("fixture", "sidi_rezegh", "leg", 1)
    assert {tuple(path) for path in recon.values()} == walks("fixture", "el_adem", "recon", 6)


REFUSED = [
    ({}, ["gambut", "sollum"], "KH-8.10", "starts in sidi_rezegh"),
    ({}, ["sidi_rezegh", "tobruk"], "KH-8.10", "not next to"),
    ({}, ["sidi_rezegh", "el_adem", "bir_el_gubi", "gabr_saleh"], "KH-8.10", "needs 6"),
    ({"regroup": True, "supplied": False}, ["sidi_rezegh", "el_adem"], "KH-20.05", "must regroup"),
    ({"mark": "stationary"}, ["sidi_rezegh", "el_adem"], "KH-R94", "marked as stationary"),
]


@pytest.mark.rule("KH-3.06", "KH-8.10", "KH-20.05", "KH-R94", "KH-18.08")
@pytest.mark.parametrize(("marks", "path", "rule", "reason"), REFUSED)
def test_illegal_path_is_refused_by_its_rule(marks: dict[str, Any], path: list[str], rule: str, reason: str) -> None:
    state = position({"15_pz_div": "sidi_rezegh"})
    for name, value in marks.items():
        setattr(state.formations["15_pz_div"], name, value)
    refusal = orders_space(state, "axis").why_not(WriteOrders({"15_pz_div": path}))
    assert refusal is not None
    assert (refusal.rule, reason in refusal.reason) == (rule, True), refusal
