"""A sheet of orders line by line: what is told of a path, the way to an area, who may be ordered."""

from __future__ import annotations

from dataclasses import replace as with_changes
from typing import Any

import pytest
from msgspec.structs import replace
from tests.plugins.khamsin.modules import board, built
from tests.plugins.khamsin.rooms import ordered, position

from khamsin.model.orders import WriteOrders
from khamsin.model.state import IN_BASE, LOST, WAITING, KhamsinState
from khamsin.movement.orders_sheet import are_apart, interdictions, may_assault, movers, orders_space, piece_name
from khamsin.movement.paths import cheapest_ways, formation_path, leader_path, path_typed
from khamsin.movement.resolution import attacks, goals, ordered_moves, pieces_met
from sandtable.errors import IllegalOrder

AXIS, ALLIES = "axis", "allies"


def refused(state: KhamsinState, side: str, **sheet: Any) -> str:
    """Return rule and reason against a sheet without inverted commas, "" if it is allowed."""
    refusal = orders_space(state, side).why_not(WriteOrders(**sheet))
    return f"{refusal.rule} {refusal.reason}".replace("'", "") if refusal else ""


def echo(state: KhamsinState, formation: str, *path: str) -> str:
    space: Any = orders_space(state, AXIS).fields["moves"]
    told: str = space.echo(formation, {formation: list(path)})
    return told


# --- what is told of a path ---


@pytest.mark.rule("KH-8.10", "KH-8.11", "KH-9.01", "KH-R10")
def test_a_path_is_told_with_its_end_its_cost_and_enemies_reported() -> None:
    state = position({"21_pz_div": "el_adem", "afrika_div": "el_adem"})
    assert echo(state, "21_pz_div", "el_adem") == ""
    assert echo(state, "21_pz_div", "el_adem", "sidi_rezegh") == "ends in Sidi Rezegh, 2 of 4 points"
    assert echo(state, "21_pz_div", "el_adem", "sidi_rezegh", "gambut") == "ends in Gambut, 4 of 4 points"
    dear = "ends in Sidi Rezegh, 2 of 1 points (one connector can always be crossed)"
    assert echo(state, "afrika_div", "el_adem", "sidi_rezegh") == dear
    assert echo(state, "afrika_div", "el_adem", "tobruk") == "ends in Tobruk, 1 of 1 points"
    state.reports[AXIS].occupied = ["sidi_rezegh"]
    known = "enemies reported in Sidi Rezegh: activated on 4 or more"
    assert echo(state, "21_pz_div", "el_adem", "sidi_rezegh").endswith(f"2 of 4 points; {known}")
    assert echo(state, "21_pz_div", "el_adem", "sidi_rezegh", "gambut").endswith(f"{known}, and stops there")
    assert echo(state, "21_pz_div", "el_adem", "bir_el_gubi").endswith("2 of 4 points")


@pytest.mark.rule("KH-8.10", "KH-8.14", "KH-9.05", "KH-R10")
def test_paths_are_refused_word_for_word() -> None:
    state = position({"21_pz_div": "el_adem"})
    far = ["el_adem", "sidi_rezegh", "gambut", "sollum"]
    spent = "21st Panzer Division would spend 5 movement points as far as sollum and has 4: end the path in gambut"
    assert refused(state, AXIS, moves={"21_pz_div": far}).endswith(f"{spent}")
    jump = refused(state, AXIS, moves={"21_pz_div": ["el_adem", "gambut"]})
    assert jump.endswith("; name every area on the way, or type to gambut")
    assert "type to" not in refused(state, AXIS, moves={"21_pz_div": ["el_adem", "sidi_rezegh", "tobruk"]})
    assert "type to" not in refused(state, AXIS, moves={"21_pz_div": ["gambut", "sollum"]})
    state = position({"21_pz_div": "el_adem"}, order_validation="reject_known")
    state.reports[AXIS].occupied = ["sidi_rezegh"]
    assert refused(state, AXIS, moves={"21_pz_div": far[:2]}) == ""
    stops = "enemies are reported in Sidi Rezegh: who attacks them stops there"
    assert refused(state, AXIS, moves={"21_pz_div": far[:3]}).endswith(stops)
    state.reports[AXIS].occupied = ["gambut"]
    later = "enemies are reported in Gambut: they can be attacked only in the first area entered"
    assert refused(state, AXIS, moves={"21_pz_div": far[:3]}).endswith(later)
    assert refused(state, AXIS, moves={"21_pz_div": ["el_adem", "bir_el_gubi", "gabr_saleh"]}) == ""


# --- the way to an area ---


def test_the_cheapest_way_has_fewest_hostile_areas_and_goes_round_reported_enemies() -> None:
    state = position({"21_pz_div": "el_adem"})

    def ways() -> dict[str, tuple[int, str]]:
        found = cheapest_ways(formation_path(state, "21_pz_div"))
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
    for reported in (["sidi_rezegh"], ["el_adem", "sidi_rezegh"]):  # where it stands itself bars no way
        state.reports[AXIS].occupied = reported
        assert ways() == near | {"gambut": (4, "sidi_rezegh gambut"), "gabr_saleh": (4, "bir_el_gubi gabr_saleh")}
    state.reports[AXIS].occupied = ["sidi_rezegh", "bir_el_gubi"]
    assert ways()["gabr_saleh"] == (4, "sidi_rezegh gabr_saleh")


def test_a_way_may_be_typed_by_its_end_alone() -> None:
    state = position({"21_pz_div": "el_adem", "rommel": "el_adem"})
    space, names = formation_path(state, "21_pz_div"), dict(state.board.names)

    def typed(text: str) -> Any:
        try:
            return path_typed(text, space, names, "KH-3.06")
        except IllegalOrder as refusal:
            return f"{refusal.rule} {refusal.reason}"

    assert typed("to gambut") == typed("TO Gambut") == ["el_adem", "sidi_rezegh", "gambut"]
    assert typed("sidi_rezegh gambut") == ["el_adem", "sidi_rezegh", "gambut"]
    assert typed("to el_adem") == "KH-3.06 it stands in el_adem: hold keeps it there"
    assert typed("to sollum") == (
        "KH-8.10 sollum is out of reach this turn; in reach, with points: "
        "bir_el_gubi 2, gabr_saleh 4, gambut 4, sidi_rezegh 2 or tobruk 1"
    )
    state.formations["21_pz_div"].mark = "stationary"
    space = formation_path(state, "21_pz_div")
    assert typed("to gambut").startswith("KH-R94 21st Panzer Division was marked as stationary")
    assert cheapest_ways(leader_path(state, "rommel"))["fort_capuzzo"] == (
        6,
        ["el_adem", "sidi_rezegh", "gambut", "sollum", "fort_capuzzo"],
    )


# --- who may be ordered ---


@pytest.mark.rule("KH-4.06", "KH-4.07", "KH-3.06", "KH-O1")
def test_who_can_be_ordered_is_on_the_map_or_has_waited_for_a_turn() -> None:
    state = position({"15_pz_div": "gambut", "7_armd_bde": "gabr_saleh"})
    for each in ("21_pz_div", "afrika_div"):
        state.formations[each].standing = LOST
    assert movers(state, AXIS) == ["15_pz_div"]
    assert movers(state, AXIS, "Gary") == ["15_pz_div"]
    assert movers(state, AXIS, "Jeremy") == []
    late = position({}, "crusader", turn=8)
    piece = "2_sa_div"
    late.formations[piece].standing, late.formations[piece].delayed = WAITING, True
    for turn, able in ((7, False), (8, False), (9, True)):
        late.turn = turn
        assert may_assault(late, piece) is able
        assert (piece in movers(late, ALLIES)) is able
    late.formations[piece].delayed = False
    assert not may_assault(late, piece)
    title = orders_space(position({"15_pz_div": "gambut"}), AXIS).fields["moves"].titles  # type: ignore[union-attr]
    assert title["15_pz_div"] == "15th Panzer Division, at Gambut"
    late.formations[piece].delayed = True
    assert orders_space(late, ALLIES).fields["moves"].titles[piece].endswith(", delayed")  # type: ignore[union-attr]


@pytest.mark.rule("KH-20.04", "KH-22.15", "KH-3.06", "KH-8.15", "KH-1.08", "KH-4.03")
def test_who_has_no_line_is_told_why_by_his_own_side_alone() -> None:
    state = position({"15_pz_div": "gambut", "rommel": "gambut"})
    way = {"21_pz_div": ["el_adem", "gambut"]}
    for standing, reason in (
        (LOST, "KH-20.04 21_pz_div: 21st Panzer Division is out of the campaign"),
        (
            IN_BASE,
            "KH-22.15 21_pz_div: 21st Panzer Division is combat ineffective in its base: it moves again when it is fit",
        ),
        (WAITING, "KH-1.08 21_pz_div: 21st Panzer Division is not deployed yet: it is put on the map at set-up"),
    ):
        state.formations["21_pz_div"].standing = standing
        assert refused(state, AXIS, moves=way).endswith(reason.partition(": ")[2])
        assert refused(state, AXIS, moves=way).startswith(reason.partition(" ")[0])
        assert refused(state, ALLIES, moves=way).endswith("no formation of this side has this name")
    other = orders_space(state, AXIS, "Jeremy", first=False)
    refusal = other.why_not(WriteOrders({"15_pz_div": ["gambut", "sollum"]}))
    assert refusal is not None
    assert refusal.reason.endswith("15th Panzer Division has its orders from another commander")
    assert other.why_not(WriteOrders(leaders={"rommel": ["gambut", "sollum"]})) is not None
    assert other.why_not(WriteOrders(plan="x")) is not None
    assert (
        orders_space(state, AXIS).why_not(WriteOrders(leaders={"rommel": ["gambut", "sollum"]}, plan="x" * 2000))
        is None
    )
    assert orders_space(state, AXIS).why_not(WriteOrders(plan="x" * 2001)) is not None


@pytest.mark.rule("KH-7.03")
def test_nations_kept_apart_do_not_end_in_one_area_and_who_holds_comes_first() -> None:
    changes: dict[str, Any] = {
        "coordination": {"apart": [["german", "italian"]]},
        "forces.nations.italian": {"title": "Italian", "side": AXIS},
        "forces.formations.afrika_div.nation": "italian",
        "replacements.german.nations": ["german", "italian"],
    }
    state = position({"15_pz_div": "gambut", "21_pz_div": "sidi_rezegh", "afrika_div": "sollum"})
    state.place_board(built(changes, "fixture"))
    assert are_apart(state, "15_pz_div", "afrika_div")
    assert are_apart(state, "afrika_div", "15_pz_div")
    assert not are_apart(state, "15_pz_div", "21_pz_div")
    there = "may not share Sollum with Afrika Division: send one of them elsewhere"
    assert refused(state, AXIS, moves={"15_pz_div": ["gambut", "sollum"]}).endswith(f"15th Panzer Division {there}")
    both = {"15_pz_div": ["gambut", "sollum"], "afrika_div": ["sollum", "fort_capuzzo"]}
    assert refused(state, AXIS, moves=both) == ""
    assert refused(state, AXIS, moves={"15_pz_div": ["gambut", "sidi_rezegh"]}) == ""
    meet = {"15_pz_div": ["gambut", "sidi_rezegh", "el_adem"], "afrika_div": ["sollum", "gambut"]}
    assert refused(state, AXIS, moves=meet) == ""
    meet["15_pz_div"] = ["gambut"]
    assert "may not share Gambut with" in refused(state, AXIS, moves=meet)
    state.formations["15_pz_div"].standing, state.formations["15_pz_div"].area = WAITING, ""  # it clashes with nobody
    late = with_changes(state.board.formations["15_pz_div"], enters=1, entries=("tobruk",))
    state.place_board(with_changes(state.board, formations={**state.board.formations, "15_pz_div": late}))
    state.formations["15_pz_div"].delayed, state.turn = True, 2
    assert movers(state, AXIS) == ["15_pz_div", "21_pz_div", "afrika_div"]
    clash = "21st Panzer Division may not share Sollum with Afrika Division: send one of them elsewhere"
    assert refused(state, AXIS, moves={"21_pz_div": ["sidi_rezegh", "gambut", "sollum"]}).endswith(clash)


@pytest.mark.rule("KH-7.02", "KH-7.06", "KH-R117")
def test_parts_are_numbered_from_two_and_areas_interdicted_as_the_module_allows() -> None:
    state = position({"inf_cw": "tobruk"})
    assert piece_name(state, "inf_cw") == "inf_cw_2"
    state.formations["inf_cw_2"] = replace(state.formations["inf_cw"], parent="inf_cw", strength=1)
    assert piece_name(state, "inf_cw") == "inf_cw_3"
    out = {"inf_cw": ["tobruk", "el_adem"]}
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 1}) == ""
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 2}) != ""
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 0}) != ""
    part = refused(state, ALLIES, moves=out, detach={"inf_cw_2": 1})
    assert part.endswith("only a formation of strength 2 or more that is ordered out of its fortress leaves a part")
    state.formations["inf_cw"].strength = 1
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 1}) != ""
    assert interdictions(state, AXIS) == 0
    desert = position({}, "crusader")
    for name, card in board("crusader").weather.cards.items():
        desert.weather = name
        most = board("crusader").air[AXIS].interdictions
        assert interdictions(desert, AXIS) == (most if card.interdiction else 0)
    desert.weather = "unheard of"
    assert interdictions(desert, AXIS) == board("crusader").air[AXIS].interdictions


# --- who sets out ---


@pytest.mark.rule("KH-3.08", "KH-9.01", "KH-R09", "KH-R11", "KH-R116")
def test_who_must_roll_is_who_can_fight_and_enters_enemies_first() -> None:
    places = {
        "15_pz_div": "sidi_rezegh",
        "21_pz_div": "el_adem",
        "7_armd_bde": "gabr_saleh",
        "recon_cw": "assembly_area",
    }

    def rolls(
        moves: dict[str, list[str]], theirs: dict[str, list[str]] | None = None, **options: str
    ) -> dict[str, str]:
        state = position(places)
        state.options = state.options | options
        state.formations["afrika_div"].standing = LOST
        ordered(state, AXIS, moves=moves)
        ordered(state, ALLIES, moves=theirs or {})
        return attacks(state, ordered_moves(state))

    at = {"15_pz_div": ["sidi_rezegh", "gabr_saleh"]}
    assert rolls(at) == {"15_pz_div": "gabr_saleh"}
    assert rolls({"nobody": ["x", "y"], **at}) == {"15_pz_div": "gabr_saleh"}
    assert rolls({"15_pz_div": ["sidi_rezegh"]}) == {}
    assert rolls({"15_pz_div": ["gambut", "sollum"], "nobody": ["x", "y"]}) == {}  # it stands elsewhere
    assert rolls({"21_pz_div": ["el_adem", "bir_el_gubi", "gabr_saleh"]}) == {}
    leaves = {"7_armd_bde": ["gabr_saleh", "assembly_area"]}
    assert rolls(at, leaves) == {"15_pz_div": "gabr_saleh"}
    assert rolls(at, leaves, occupied_snapshot="live") == {}
    meets = {"7_armd_bde": ["gabr_saleh", "sidi_rezegh"]}
    assert set(rolls(at, meets, occupied_snapshot="live")) == {"15_pz_div", "7_armd_bde"}
    on = {"15_pz_div": ["sidi_rezegh", "gabr_saleh", "assembly_area"]}
    assert rolls(on) == {"15_pz_div": "gabr_saleh"}
    assert rolls(on, later_leg="cancel_whole_order") == {}


@pytest.mark.rule("KH-3.08", "KH-R09")
def test_who_is_met_is_with_enemies_or_not_where_he_was_to_be() -> None:
    state = position(
        {"15_pz_div": "gambut", "21_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh", "rommel": "gambut"}
    )
    ordered(state, AXIS, leaders={"rommel": ["gambut", "sollum"]})
    ends = goals(state)
    assert (ends["15_pz_div"], ends["rommel"]) == ("gambut", "sollum")
    met = pieces_met(state, ends, {}, {"15_pz_div": ["gambut", "sollum"]})
    assert met == {AXIS: ["15_pz_div", "21_pz_div", "rommel"], ALLIES: ["7_armd_bde"]}
    state.formations["15_pz_div"].area = state.leaders["rommel"].area = "sollum"
    met = pieces_met(state, ends, {"15_pz_div": ["gambut", "sollum"]}, {"15_pz_div": ["gambut", "sollum"]})
    assert met == {AXIS: ["21_pz_div"], ALLIES: ["7_armd_bde"]}
    state.options = state.options | {"occupied_snapshot": "live"}
    assert pieces_met(state, ends | {"15_pz_div": "sollum"}, {"15_pz_div": ["x"]}, {})[AXIS] == [
        "15_pz_div",
        "21_pz_div",
    ]
