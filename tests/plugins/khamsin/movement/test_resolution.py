"""Simultaneous moves of both sides (KH-3.09), control (KH-11), and regrouping with its doctrine (KH-20)."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.khamsin.cases import ALLIES, AT_REZEGH, AT_SALEH, AXIS, Case, NewCase, TableDice
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.positions import PHASES, place_pieces, prepared_for
from tests.plugins.khamsin.procedures import of, ordered, position, run

from khamsin.model import events
from khamsin.model.battle_events import EngagementFound
from khamsin.model.events import (
    ActivationRolled,
    ControlChanged,
    DoctrineInvoked,
    FormationDivided,
    FormationMoved,
    LeaderMoved,
)
from khamsin.model.orders import Withdraw, WriteOrders
from khamsin.model.state import LOST, KhamsinState, Sheet
from khamsin.movement.paths import formation_path
from khamsin.movement.resolution import attacks, goals, interdict, ordered_moves, pieces_met
from khamsin.turn.movement import action
from sandtable.kernel.dice import Stream

ACTIVE = {f"activation:{each}": [6] for each in ("15_pz_div", "21_pz_div", "7_armd_bde", "recon_cw", "inf_cw")}


def act(state: KhamsinState, dice: dict[str, list[int]] | None = None, **moves: list[str]) -> list[Any]:
    """Execute the moves of formations, given as keywords "_15_pz_div", and return the events."""
    for side in ("axis", "allies"):
        mine = {name[1:]: path for name, path in moves.items() if state.formations[name[1:]].side == side}
        state.sheets[side] = Sheet(moves=mine)
    return run(state, action(state), dice)


def found(happened: list[Any]) -> list[tuple[str, str, str]]:
    return [(each.engagement, each.column, each.stationary) for each in of(happened, EngagementFound)]


def where(state: KhamsinState, *formations: str) -> list[str]:
    return [state.formations[each].area for each in formations]


@pytest.mark.rule("KH-R14", "KH-9.07", "KH-12.07", "KH-12.01", "KH-12.06", "KH-2.10", "KH-3.09", "KH-3.10")
def test_enemies_entering_an_empty_area_meet_without_a_roll() -> None:
    state = position({"21_pz_div": "el_adem", "7_armd_bde": "gabr_saleh"})
    happened = act(state, _21_pz_div=["el_adem", "sidi_rezegh", "gambut"], _7_armd_bde=["gabr_saleh", "sidi_rezegh"])
    assert not of(happened, ActivationRolled)
    assert found(happened) == [("sidi_rezegh", "moving", "")]
    assert where(state, "21_pz_div", "7_armd_bde") == ["sidi_rezegh", "sidi_rezegh"]
    assert of(happened, EngagementFound)[0].holder == "axis"


@pytest.mark.rule("KH-9.01", "KH-9.06", "KH-8.14", "KH-12.08", "KH-R23", "KH-11.06", "KH-8.13", "KH-3.08", "KH-R04")
@pytest.mark.parametrize(("face", "end"), [(2, "gabr_saleh"), (3, "sidi_rezegh")])
def test_attack_requires_activation_and_stops_in_the_area(face: int, end: str) -> None:
    state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    dice = {"activation:7_armd_bde": [face]}
    happened = act(state, dice, _7_armd_bde=["gabr_saleh", "sidi_rezegh", "el_adem"])
    assert where(state, "7_armd_bde") == [end]
    assert found(happened) == ([("sidi_rezegh", "stationary", "axis")] if face == 3 else [])
    assert state.control["sidi_rezegh"] == "axis"


@pytest.mark.rule("KH-9.05", "KH-R11", "KH-8.14")
@pytest.mark.parametrize(("choice", "end"), [("stop_before", "bir_el_gubi"), ("cancel_whole_order", "gabr_saleh")])
def test_enemies_on_a_later_leg_stop_or_cancel_the_move(choice: str, end: str) -> None:
    state = position({"21_pz_div": "el_adem", "7_armd_bde": "gabr_saleh"}, later_leg=choice)
    happened = act(state, _7_armd_bde=["gabr_saleh", "bir_el_gubi", "el_adem"])
    assert where(state, "7_armd_bde") == [end]
    assert not of(happened, ActivationRolled)
    assert state.control["bir_el_gubi"] == ("allies" if end == "bir_el_gubi" else "axis")


@pytest.mark.rule("KH-12.13", "KH-R17", "KH-R18", "KH-R19", "KH-9.06", "KH-8.16", "KH-R23")
def test_mutual_attackers_meet_on_the_connector_if_both_activate() -> None:
    for second, expected in ((6, ("gabr_saleh~sidi_rezegh", "moving", "")), (1, ("sidi_rezegh", "stationary", "axis"))):
        state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
        dice = {"activation:7_armd_bde": [6], "activation:15_pz_div": [second]}
        moves = {"_15_pz_div": ["sidi_rezegh", "gabr_saleh"], "_7_armd_bde": ["gabr_saleh", "sidi_rezegh"]}
        happened = act(state, dice, **moves)
        assert found(happened) == [expected]
    assert of(happened, EngagementFound)[0].forces == {"axis": ["15_pz_div"], "allies": ["7_armd_bde"]}


@pytest.mark.rule("KH-R19")
@pytest.mark.parametrize(("choice", "force"), [("all_in_direction", 2), ("single_formation", 1)])
def test_connector_force_is_all_formations_or_one(choice: str, force: int) -> None:
    places = {"15_pz_div": "sidi_rezegh", "21_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}
    state = position(places, connector_force=choice)
    there, back = ["sidi_rezegh", "gabr_saleh"], ["gabr_saleh", "sidi_rezegh"]
    dice = {each: ACTIVE[each] for each in ACTIVE if each.partition(":")[2] in places}
    happened = act(state, dice, _15_pz_div=there, _21_pz_div=there, _7_armd_bde=back)
    (engagement,) = of(happened, EngagementFound)
    assert engagement.forces["axis"] == ["15_pz_div", "21_pz_div"][:force]
    assert engagement.origins["15_pz_div"] == "sidi_rezegh"


@pytest.mark.rule("KH-R17", "KH-R15")
@pytest.mark.parametrize(
    ("choice", "engagement"), [("same_step", []), ("any_time_in_turn", [("bir_el_gubi~gabr_saleh", "moving", "")])]
)
def test_connector_crossed_at_different_times_is_fought_by_option(choice: str, engagement: list[Any]) -> None:
    places = {"15_pz_div": "bir_el_gubi", "recon_cw": "sollum"}
    state = position(places, connector_test=choice, occupied_snapshot="live")
    scouts = ["sollum", "fort_capuzzo", "gabr_saleh", "bir_el_gubi"]
    happened = act(state, _15_pz_div=["bir_el_gubi", "gabr_saleh", "sidi_rezegh"], _recon_cw=scouts)
    assert found(happened) == engagement
    ends = ["bir_el_gubi", "gabr_saleh"] if engagement else ["sidi_rezegh", "bir_el_gubi"]
    assert where(state, "15_pz_div", "recon_cw") == ends


@pytest.mark.rule("KH-R16", "KH-R12", "KH-8.14", "KH-11.05")
@pytest.mark.parametrize(
    ("escape", "vacated", "ends", "engagements"),
    [
        ("leaves_first", "enter_and_stop", ["gambut", "sidi_rezegh"], []),
        ("leaves_first", "continue_if_mp", ["gambut", "el_adem"], []),
        ("caught_if_activated", "enter_and_stop", ["sidi_rezegh"] * 2, [("sidi_rezegh", "stationary", "axis")]),
    ],
)
def test_escape_from_an_attack_follows_the_options(
    escape: str, vacated: str, ends: list[str], engagements: list[Any]
) -> None:
    places = {"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}
    state = position(places, escape=escape, vacated_target=vacated)
    dice = {"activation:7_armd_bde": [3]}
    out = ["sidi_rezegh", "gambut"]
    happened = act(state, dice, _15_pz_div=out, _7_armd_bde=["gabr_saleh", "sidi_rezegh", "el_adem"])
    assert where(state, "15_pz_div", "7_armd_bde") == ends
    assert found(happened) == engagements


@pytest.mark.rule("KH-R09", "KH-3.08")
def test_vacated_area_needs_no_roll_with_live_occupation() -> None:
    for choice, rolls in (("start_of_action", 1), ("live", 0)):
        state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}, occupied_snapshot=choice)
        dice = {"activation:7_armd_bde": [3]} if rolls else {}
        happened = act(state, dice, _15_pz_div=["sidi_rezegh", "gambut"], _7_armd_bde=["gabr_saleh", "sidi_rezegh"])
        assert len(of(happened, ActivationRolled)) == rolls
        assert state.control["sidi_rezegh"] == "allies"


@pytest.mark.rule("KH-R13")
def test_faster_formation_passes_first_by_the_clock() -> None:
    for choice, met in (("leg_step", True), ("mp_clock", False)):
        state = position({"afrika_div": "el_adem", "recon_cw": "gabr_saleh"}, move_resolution=choice)
        through = ["gabr_saleh", "sidi_rezegh", "gambut"]
        happened = act(state, _afrika_div=["el_adem", "sidi_rezegh"], _recon_cw=through)
        assert bool(found(happened)) == met
        assert where(state, "recon_cw") == ["sidi_rezegh" if met else "gambut"]


@pytest.mark.rule("KH-20.07", "KH-20.08", "KH-20.09", "KH-20.10", "KH-R72", "KH-R73")
def test_doctrine_is_paid_at_the_first_connector() -> None:
    state = position({"15_pz_div": "sidi_rezegh"})
    formation = state.formations["15_pz_div"]
    formation.regroup, formation.recovered = True, 4
    happened = act(state, _15_pz_div=["sidi_rezegh", "gambut", "sollum"])
    assert [(each.general, each.armor) for each in of(happened, DoctrineInvoked)] == [(10, 4)]
    assert (formation.general, formation.armor, formation.doctrine) == (10, 4, True)
    assert where(state, "15_pz_div") == ["sollum"]


@pytest.mark.rule("KH-7.02", "KH-R117")
def test_detached_part_stays_in_the_fortress_if_the_attack_activates() -> None:
    state = position({"inf_cw": "tobruk", "21_pz_div": "el_adem"})
    ordered(state, "allies", moves={"inf_cw": ["tobruk", "el_adem"]}, detach={"inf_cw": 1})
    ordered(state, "axis")
    happened = run(state, action(state), {"activation:inf_cw": [3]})
    assert not of(happened, FormationDivided)
    happened = run(state, action(state), {"activation:inf_cw": [4]})
    assert [each.piece for each in of(happened, FormationDivided)] == ["inf_cw_2"]
    assert [(state.formations[each].area, state.formations[each].strength) for each in ("inf_cw", "inf_cw_2")] == [
        ("el_adem", 1),
        ("tobruk", 1),
    ]


@pytest.mark.rule("KH-R106", "KH-R104")
def test_leader_enters_enemies_with_a_formation_and_flees_alone() -> None:
    state = position({"15_pz_div": "sidi_rezegh", "rommel": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    ordered(state, "axis", leaders={"rommel": ["sidi_rezegh", "gabr_saleh"]})
    run(state, action(state))
    assert state.leaders["rommel"].area == "sidi_rezegh"
    path = ["sidi_rezegh", "gabr_saleh"]
    ordered(state, "axis", moves={"15_pz_div": path}, leaders={"rommel": path})
    run(state, action(state), {"activation:15_pz_div": [3]})  # plus 1 for the leader
    assert state.leaders["rommel"].area == "gabr_saleh"
    state = position({"15_pz_div": "gambut", "rommel": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    happened = act(state, _7_armd_bde=["gabr_saleh", "sidi_rezegh"])
    assert [each.path for each in of(happened, LeaderMoved)] == [["sidi_rezegh", "gambut"]]


PIECES = ("15_pz_div", "21_pz_div", "afrika_div", "7_armd_bde", "recon_cw", "inf_cw")
AREAS = ("sidi_rezegh", "el_adem", "gambut", "fort_capuzzo", "gabr_saleh", "bir_el_gubi", "assembly_area", "sollum")
VALUES = {
    "move_resolution": ("leg_step", "mp_clock"),
    "occupied_snapshot": ("start_of_action", "live"),
    "escape": ("leaves_first", "caught_if_activated"),
    "connector_test": ("same_step", "any_time_in_turn"),
    "connector_force": ("all_in_direction", "single_formation"),
    "vacated_target": ("enter_and_stop", "continue_if_mp"),
}


@pytest.mark.full
@pytest.mark.rule("KH-3.09", "KH-R13", "KH-11.01", "KH-11.05")
@given(st.data())
def test_moves_do_not_depend_on_listing_order(data: st.DataObject) -> None:
    chosen: dict[str, Any] = {name: data.draw(st.sampled_from(tokens), name) for name, tokens in VALUES.items()}
    homes = data.draw(st.permutations(AREAS))
    places = dict(zip(PIECES, homes, strict=False))
    stream = Stream(data.draw(st.binary(min_size=4, max_size=8), "moves"))
    state = position(places, **chosen)
    paths = {each: formation_path(state, each).sample(stream) for each in PIECES}
    dice = {f"activation:{each}": [stream.below(6) + 1] for each in PIECES}
    order = data.draw(st.permutations(PIECES))
    results = []
    for row in (PIECES, order):
        state = position(places, **chosen)
        state.formations = {each: state.formations[each] for each in row}
        for side in ("axis", "allies"):
            moves = {each: paths[each] for each in row if state.formations[each].side == side}
            state.sheets[side] = Sheet(moves=moves)
        results.append((run(state, action(state), dice, spare=True), state))
    (first, one), (second, other) = results
    assert first == second
    assert (one.control, one.engagements) == (other.control, other.engagements)
    _check_course(one, first, paths)


def _check_course(state: KhamsinState, happened: list[Any], paths: dict[str, list[str]]) -> None:
    """Check invariants of all options: a move is a prefix of its order, and enemies in one area are engaged there."""
    engaged = {each for event in of(happened, EngagementFound) for force in event.forces.values() for each in force}
    for each, formation in state.formations.items():
        went = formation.path or [paths[each][0]]
        assert went == paths[each][: len(went)]
        assert formation.area == went[-1]
        foes = [one for one, it in state.formations.items() if it.area == formation.area and it.side != formation.side]
        if foes and each not in engaged:
            assert all(one in engaged for one in foes)
    for event in of(happened, ControlChanged):
        assert any(move.area == event.area for move in of(happened, FormationMoved))


def owing(new_case: NewCase, marks: str = "", **more: Any) -> Case:
    return new_case(f"15_pz_div sidi_rezegh regroup {marks}; 7_armd_bde assembly_area", **more)


@pytest.mark.rule("KH-20.05", "KH-20.07", "KH-R71")
@pytest.mark.parametrize(
    ("mobility", "marks", "choice", "allowed"),
    [
        ("recon", "", "printed_in_supply", True),
        ("motor", "", "printed_in_supply", True),
        ("semi_motor", "", "printed_in_supply", False),
        ("leg", "", "printed_in_supply", False),
        ("motor", "supplied=no", "printed_in_supply", False),
        ("motor", "supplied=no", "ignore_supply", True),
    ],
)
def test_regrouping_formation_moves_only_as_supplied_recon_or_motor(
    new_case: NewCase, mobility: str, marks: str, choice: str, allowed: bool
) -> None:
    mobile = {"forces.formations.15_pz_div.mobility": mobility}
    case = owing(new_case, marks, doctrine_mobility=choice, changes=mobile)
    assert (case.refuses("axis", "15_pz_div gambut") == "") is allowed


@pytest.mark.rule("KH-R74", "KH-20.07")
@pytest.mark.parametrize(("die", "general"), [("4", 10), ("3", 0)])
def test_regrouping_attacker_pays_only_if_activated(new_case: NewCase, die: str, general: int) -> None:
    case = new_case(f"{AT_REZEGH} regroup; {AT_SALEH}", dice={"activation:15_pz_div": die})
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    assert case["15_pz_div"].general == general


def play(sheets: list[tuple[str, WriteOrders]], first: str) -> bytes:
    prepared = prepared_for("fixture", {}, {"actions_per_engagement": "1"})
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    state.position, state.turn = PHASES.index("orders"), 2
    place_pieces(state, "; ".join(f"{name} {area}" for name, area in STARTS.items()))
    state.weather = "clear"
    dice = {f"activation:{each}": "4 4" for each in state.formations}
    case = Case(prepared, state, TableDice(dice))
    for side, sheet in sorted(sheets, key=lambda pair: pair[0] != first):
        case.game.submit(sheet, side)
    while not case.game.is_over and case.state.turn == 2:
        decision = min(case.pending, key=lambda each: each.side != first)
        case.game.submit(case.answer(decision), decision.seat)
    happened = [each for each in case.happened() if not isinstance(each, events.OrdersWritten)]
    return msgspec.json.encode([case.state, happened])


ROUTES = {
    "15_pz_div": ["gambut", "gabr_saleh", "el_adem", "el_adem bir_el_gubi", "gabr_saleh bir_el_gubi"],
    "21_pz_div": ["tobruk", "sidi_rezegh", "bir_el_gubi", "bir_el_gubi gabr_saleh"],
    "afrika_div": ["sidi_rezegh", "sollum"],
    "7_armd_bde": ["sidi_rezegh", "bir_el_gubi", "bir_el_gubi el_adem", "assembly_area", "fort_capuzzo"],
    "recon_cw": ["gabr_saleh", "gabr_saleh bir_el_gubi el_adem", "gabr_saleh sidi_rezegh"],
    "inf_cw": ["el_adem"],
}
STARTS = {
    "15_pz_div": "sidi_rezegh",
    "21_pz_div": "el_adem",
    "afrika_div": "gambut",
    "7_armd_bde": "gabr_saleh",
    "recon_cw": "assembly_area",
    "inf_cw": "tobruk",
}


@pytest.mark.full
@pytest.mark.rule("KH-3.09", "KH-R13")
@settings(max_examples=60)
@given(
    st.fixed_dictionaries({}, optional={each: st.sampled_from(ways) for each, ways in ROUTES.items()}),
    st.permutations(list(ROUTES)),
)
def test_turn_does_not_depend_on_order_of_submission(moves: dict[str, str], order: list[str]) -> None:
    def sheets(names: list[str]) -> list[tuple[str, WriteOrders]]:
        found = {name: [STARTS[name], *moves[name].split()] for name in names if name in moves}
        axis = {name: way for name, way in found.items() if name in PIECES[:3]}
        return [("axis", WriteOrders(axis)), ("allies", WriteOrders({n: w for n, w in found.items() if n not in axis}))]

    outcomes = {play(sheets(names), first) for names in (list(ROUTES), order) for first in ("axis", "allies")}
    assert len(outcomes) == 1


@pytest.mark.rule("KH-3.08", "KH-9.01", "KH-R09", "KH-R11", "KH-R116")
def test_activation_is_required_on_entering_enemies_first() -> None:
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
    assert rolls({"15_pz_div": ["gambut", "sollum"], "nobody": ["x", "y"]}) == {}  # it is in another area
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
def test_pieces_met_share_enemy_areas_or_miss_their_goal() -> None:
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


@pytest.mark.rule("KH-7.06")
@pytest.mark.parametrize(
    ("needs", "dice", "stopped"), [(1, [], ["gambut", "sollum"]), (4, [4, 3], ["gambut"]), (2, [1, 2], ["sollum"])]
)
def test_interdiction_succeeds_on_the_number_of_the_module(needs: int, dice: list[int], stopped: list[str]) -> None:
    state = position({})
    card = replace(board("crusader").air[ALLIES], needs=needs)
    state.place_board(replace(state.board, air={ALLIES: card}))
    ordered(state, ALLIES, interdict=["sollum", "gambut"])
    rolls = {f"interdiction:allies:{area}": [die] for area, die in zip(("gambut", "sollum"), dice, strict=False)}
    flown, interdicted = run(state, interdict(state), rolls)
    assert interdicted.stopped == stopped
    totals = {each.name: each.total for each in flown.calculations or ()}
    assert totals == {area: die - needs for area, die in zip(("gambut", "sollum"), dice, strict=False)}
