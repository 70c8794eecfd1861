"""Sheets of orders (KH-3, KH-8): which orders are legal, and the text shown for a path."""

from dataclasses import replace as changed_card
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase
from tests.plugins.khamsin.modules import APART, board, built
from tests.plugins.khamsin.procedures import position

from khamsin.model import events
from khamsin.model.orders import WriteOrders
from khamsin.model.state import IN_BASE, LOST, WAITING, KhamsinState
from khamsin.movement.orders_sheet import are_apart, interdictions, may_assault, movers, orders_space, piece_name
from sandtable.kernel.dice import Stream

FAR = "7_armd_bde assembly_area"


@pytest.mark.rule("KH-3.06", "KH-3.07", "KH-8.16")
def test_both_sides_write_orders_at_once_and_in_secret(new_case: NewCase) -> None:
    case = new_case(f"15_pz_div gambut; {FAR}")
    assert sorted(each.side for each in case.pending) == [ALLIES, AXIS]
    assert all(each.secret for each in case.pending)
    case.game.submit(WriteOrders({"15_pz_div": ["gambut", "sollum"]}), AXIS)
    assert case.at("15_pz_div") == "gambut"
    case.game.submit(WriteOrders(), ALLIES)
    case.play()
    assert case.at("15_pz_div") == "sollum"


@pytest.mark.rule("KH-R116", "KH-8.16", "KH-R115")
def test_formation_without_an_order_holds(new_case: NewCase) -> None:
    case = new_case(f"15_pz_div gambut; 21_pz_div gambut; {FAR}")
    case.submit_whole(axis=WriteOrders({"15_pz_div": ["gambut", "sollum"]}, plan="Nobody moves."))
    assert case.at("15_pz_div", "21_pz_div") == "sollum gambut"
    assert [each.formation for each in case.events(events.FormationMoved)] == ["15_pz_div"]


@pytest.mark.rule("KH-2.01", "KH-3.06", "KH-9.05")
def test_impossible_orders_are_refused_and_change_nothing(new_case: NewCase) -> None:
    """No connector leads to Tobruk; a formation starts in its own area, and connectors join two areas."""
    case = new_case(f"15_pz_div gambut; {FAR}")
    for text in ("15_pz_div tobruk", "15_pz_div nowhere", "7_armd_bde gabr_saleh", "30_corps gambut"):
        assert case.refuses(AXIS, text) != ""
    for path in (["gambut", "tobruk"], ["sollum", "gambut"], ["gambut", "sollum", "sollum"]):
        assert case.rejects(AXIS, WriteOrders({"15_pz_div": path})) != ""


@pytest.mark.rule("KH-R10", "KH-3.06", "KH-6.08")
@pytest.mark.parametrize("where", ["7_armd_bde gabr_saleh", "7_armd_bde assembly_area"])
def test_order_legality_ignores_unknown_enemies(new_case: NewCase, where: str) -> None:
    case = new_case(f"15_pz_div el_adem; {where}")
    assert case.refuses(AXIS, "15_pz_div bir_el_gubi gabr_saleh") == ""


@pytest.mark.rule("KH-7.06", "KH-7.07", "KH-R109", "KH-8.10")
@pytest.mark.parametrize(("face", "end"), [(3, "gambut"), (4, "sidi_rezegh")])
def test_interdicted_area_costs_as_open_country(new_case: NewCase, face: int, end: str) -> None:
    """All 4 points pay for the first connector."""
    changes = {"air.allies": {"level": "limited", "engagements": 1, "interdictions": 1, "needs": 4}}
    dice = {"interdiction:allies:sidi_rezegh": str(face)}
    case = new_case(f"15_pz_div el_adem; {FAR}", changes=changes, dice=dice)
    assert case.why_not(ALLIES, WriteOrders(interdict=["sidi_rezegh", "gambut"])) in {"KH-7.06", "KH-R109"}
    assert case.why_not(AXIS, WriteOrders(interdict=["gabr_saleh"])) in {"KH-7.06", "KH-R109"}
    way = WriteOrders({"15_pz_div": ["el_adem", "sidi_rezegh", "gambut"]})
    case.submit_whole(axis=way, allies=WriteOrders(interdict=["sidi_rezegh"]))
    assert case.one(events.AircraftFlew).areas == {"sidi_rezegh": face}
    assert [each.stopped for each in case.events(events.AreasInterdicted)] == [["sidi_rezegh"]] * (face == 4)
    assert case.at("15_pz_div") == end


def refused(state: KhamsinState, side: str, **sheet: Any) -> str:
    """Return rule and reason of a refused sheet without quotes, or "" if it is legal."""
    refusal = orders_space(state, side).why_not(WriteOrders(**sheet))
    return f"{refusal.rule} {refusal.reason}".replace("'", "") if refusal else ""


def echo(state: KhamsinState, formation: str, *path: str) -> str:
    space: Any = orders_space(state, AXIS).fields["moves"]
    text: str = space.echo(formation, {formation: list(path)})
    return text


@pytest.mark.rule("KH-8.10", "KH-8.11", "KH-9.01", "KH-R10")
def test_path_echo_shows_end_cost_and_reported_enemies() -> None:
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
def test_path_refusals_state_cost_stop_and_missing_areas() -> None:
    state = position({"21_pz_div": "el_adem"})
    far = ["el_adem", "sidi_rezegh", "gambut", "sollum"]
    spent = "21st Panzer Division needs 5 movement points to reach sollum and has 4: end the path in gambut"
    assert refused(state, AXIS, moves={"21_pz_div": far}).endswith(f"{spent}")
    jump = refused(state, AXIS, moves={"21_pz_div": ["el_adem", "gambut"]})
    assert jump.endswith("; name every area on the way, or type to gambut")
    assert "type to" not in refused(state, AXIS, moves={"21_pz_div": ["el_adem", "sidi_rezegh", "tobruk"]})
    assert "type to" not in refused(state, AXIS, moves={"21_pz_div": ["gambut", "sollum"]})
    state = position({"21_pz_div": "el_adem"}, order_validation="reject_known")
    state.reports[AXIS].occupied = ["sidi_rezegh"]
    assert refused(state, AXIS, moves={"21_pz_div": far[:2]}) == ""
    stops = "enemies are reported in Sidi Rezegh: a formation that attacks them stops there"
    assert refused(state, AXIS, moves={"21_pz_div": far[:3]}).endswith(stops)
    state.reports[AXIS].occupied = ["gambut"]
    later = "enemies are reported in Gambut: they can be attacked only in the first area entered"
    assert refused(state, AXIS, moves={"21_pz_div": far[:3]}).endswith(later)
    assert refused(state, AXIS, moves={"21_pz_div": ["el_adem", "bir_el_gubi", "gabr_saleh"]}) == ""


@pytest.mark.rule("KH-4.06", "KH-4.07", "KH-3.06", "KH-O1")
def test_orderable_formations_are_on_the_map_or_delayed_a_turn() -> None:
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
    title = orders_space(position({"15_pz_div": "gambut"}), AXIS).fields["moves"].titles  # type: ignore[union-attr]  # a form of orders
    assert title["15_pz_div"] == "15th Panzer Division, at Gambut"
    late.formations[piece].delayed = True
    assert orders_space(late, ALLIES).fields["moves"].titles[piece].endswith(", delayed")  # type: ignore[union-attr]  # a form of orders


@pytest.mark.rule("KH-20.04", "KH-22.15", "KH-3.06", "KH-8.15", "KH-1.08", "KH-4.03", "KH-6.07")
def test_missing_order_line_is_explained_to_its_own_side_only() -> None:
    state = position({"15_pz_div": "gambut", "rommel": "gambut"})
    way, unknown = {"21_pz_div": ["el_adem", "gambut"]}, "no formation of this side has this name"
    for standing, reason in (
        (LOST, "KH-20.04 21_pz_div: 21st Panzer Division is out of the campaign"),
        (
            IN_BASE,
            "KH-22.15 21_pz_div: 21st Panzer Division is combat ineffective in its base: it can move again when fit",
        ),
        (WAITING, "KH-1.08 21_pz_div: 21st Panzer Division is not deployed yet: it is deployed during setup"),
    ):
        state.formations["21_pz_div"].standing = standing
        assert refused(state, AXIS, moves=way).endswith(reason.partition(": ")[2])
        assert refused(state, AXIS, moves=way).startswith(reason.partition(" ")[0])
        assert refused(state, ALLIES, moves=way).endswith(unknown)
    leader = {"rommel": ["gambut", "sollum"]}
    assert "is a leader: leaders have a separate sheet" in refused(state, AXIS, moves=leader)
    assert all(refused(state, ALLIES, moves=each).endswith(unknown) for each in (leader, {"nobody": ["x"]}))
    other = orders_space(state, AXIS, "Jeremy", first=False)
    refusal = other.why_not(WriteOrders({"15_pz_div": ["gambut", "sollum"]}))
    assert refusal is not None
    assert refusal.reason.endswith("another commander writes the orders of 15th Panzer Division")
    assert other.why_not(WriteOrders(leaders=leader)) is not None
    assert other.why_not(WriteOrders(plan="x")) is not None
    assert refused(state, AXIS, leaders=leader, plan="x" * 2000) == ""
    assert refused(state, AXIS, plan="x" * 2001) != ""


@pytest.mark.rule("KH-7.03")
def test_nations_kept_apart_may_not_end_in_one_area() -> None:
    state = position({"15_pz_div": "gambut", "21_pz_div": "sidi_rezegh", "afrika_div": "sollum"})
    state.place_board(built(APART, "fixture"))
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
    state.formations["15_pz_div"].standing, state.formations["15_pz_div"].area = (
        WAITING,
        "",
    )  # off the map
    late = changed_card(state.board.formations["15_pz_div"], enters=1, entries=("tobruk",))
    state.place_board(changed_card(state.board, formations={**state.board.formations, "15_pz_div": late}))
    state.formations["15_pz_div"].delayed, state.turn = True, 2
    assert movers(state, AXIS) == ["15_pz_div", "21_pz_div", "afrika_div"]
    clash = "21st Panzer Division may not share Sollum with Afrika Division: send one of them elsewhere"
    assert refused(state, AXIS, moves={"21_pz_div": ["sidi_rezegh", "gambut", "sollum"]}).endswith(clash)


@pytest.mark.rule("KH-7.02", "KH-7.06", "KH-R117", "KH-7.01")
def test_detached_parts_and_interdictions_follow_the_module() -> None:
    state = position({"inf_cw": "tobruk"})
    assert piece_name(state, "inf_cw") == "inf_cw_2"
    state.formations["inf_cw_2"] = changed(state.formations["inf_cw"], parent="inf_cw", strength=1)
    assert piece_name(state, "inf_cw") == "inf_cw_3"
    out = {"inf_cw": ["tobruk", "el_adem"]}
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 1}) == ""
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 2}) != ""
    assert refused(state, ALLIES, moves=out, detach={"inf_cw": 0}) != ""
    part = refused(state, ALLIES, moves=out, detach={"inf_cw_2": 1})
    assert part.endswith(
        "only a formation of strength 2 or more that is ordered out of its fortress leaves a part behind"
    )
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


@given(st.binary(min_size=1, max_size=8))
def test_random_order_sheets_are_legal(seed: bytes) -> None:
    places = {"15_pz_div": "sidi_rezegh", "21_pz_div": "el_adem", "rommel": "el_adem"}
    state = position(places | {"inf_cw": "tobruk", "recon_cw": "gabr_saleh"})
    for side in ("axis", "allies"):
        order = orders_space(state, side).sample(Stream(seed))
        assert orders_space(state, side).why_not(order) is None
