"""What a person met who typed a whole campaign: far areas, names cut short, groups, refusals that tell what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.rooms import position
from tests.plugins.khamsin.test_desk_rows import brief_of
from typist import Typist

from khamsin.engagement.withdrawal import withdraw_space
from khamsin.fog.views import view
from khamsin.model.events import HonourGained, TurnOpened
from khamsin.model.orders import Allocate, Deploy, Withdraw, WriteOrders
from khamsin.model.state import Engagement, Report
from khamsin.movement.orders_sheet import orders_space
from khamsin.supply.replacements import allocation_space
from khamsin.ui.asking.answers import answer
from khamsin.ui.draw import draw
from khamsin.ui.menus import words
from khamsin.ui.narrate import digest
from khamsin.ui.parsing import read_order
from sandtable.errors import IllegalOrder, PlayError
from sandtable.kernel.decisions import Decision
from sandtable.kernel.records import EventRecord
from sandtable.tabletop.checking import results_in
from sandtable.terminal.form_filling import entries, fill, hides_sheet
from sandtable.terminal.reports import write_result

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

    from khamsin.model.state import KhamsinState
    from sandtable.kernel.options import Space

AXIS, ALLIES = "axis", "allies"


def wells(**where: str) -> KhamsinState:
    state = position(where, "teaching")
    state.reports = {side: Report() for side in (AXIS, ALLIES)}
    return state


def typed(state: KhamsinState, text: str, side: str = AXIS, space: Space | None = None) -> Any:
    return read_order(Decision(side, "?", space or orders_space(state, side), "KH-3.06"), text, state.board)


def refused(state: KhamsinState, text: str, side: str = AXIS, space: Space | None = None) -> str:
    with pytest.raises(IllegalOrder) as why:
        typed(state, text, side, space)
    return why.value.reason


# --- marches ---


@pytest.mark.rule("KH-8.10", "KH-8.11")
def test_to_an_area_is_the_cheapest_way_there() -> None:
    state = wells(panzer_rgt="ridge", brandt="ridge")
    order = typed(state, "panzer: to the ford; brandt: to ford")
    by_road = ["ridge", "west_well", "ford"]
    assert order == WriteOrders({"panzer_rgt": by_road}, {"brandt": by_road})  # 3 points; over the desert it is 4
    assert orders_space(state, AXIS).is_legal(order)
    lines: Any = orders_space(state, AXIS).fields["moves"]
    assert lines.read("panzer_rgt", "to ford") == by_road


@pytest.mark.rule("KH-9.05", "KH-R12")
def test_the_way_goes_round_reported_enemies_and_into_them_only_where_they_are_the_goal() -> None:
    state = wells(recon_unit="ridge")
    state.reports[AXIS].occupied = ["west_well"]
    assert typed(state, "recon: to ford").moves["recon_unit"] == ["ridge", "east_well", "ford"]
    assert typed(state, "recon: to west well").moves["recon_unit"] == ["ridge", "west_well"]
    state.reports[AXIS].occupied = ["west_well", "east_well"]
    assert typed(state, "recon: to ford").moves["recon_unit"] == ["ridge", "ford"]


@pytest.mark.rule("KH-8.10", "KH-20.05")
def test_a_far_area_is_refused_with_what_is_in_reach_or_what_binds_the_formation() -> None:
    state = wells(guard_battalion="west_well")
    assert "east_well is out of reach this turn; in reach, with points: ford 2 or ridge 1" in refused(
        state, "guard: to east_well"
    )
    assert "hold keeps it there" in refused(state, "guard: to west well")
    why = orders_space(state, AXIS).why_not(WriteOrders({"guard_battalion": ["west_well", "east_well"]}))
    assert why is not None
    assert "name every area on the way, or type to east_well" in why.reason
    state.formations["guard_battalion"].regroup = True
    assert "must regroup" in refused(state, "guard: to ridge")


@pytest.mark.rule("KH-3.06")
def test_a_name_that_fits_several_or_nobody_is_refused_with_those_there_are() -> None:
    state = wells(armd_bde="east_well", armoured_cars="ford", inf_bde="ford")
    assert refused(state, "armoured: ford", ALLIES).endswith("choose armd_bde or armoured_cars")
    assert refused(state, "sdkfj: ford", ALLIES).endswith("choose armd_bde, armoured_cars or inf_bde")


@pytest.mark.rule("KH-8.11", "KH-9.01")
def test_the_echo_of_a_line_tells_why_it_may_cost_more_and_where_it_stops() -> None:
    state = wells(inf_bde="ford", armd_bde="ridge")
    state.reports[ALLIES].occupied = ["west_well"]
    lines: Any = orders_space(state, ALLIES).fields["moves"]
    assert "4 of 2 points (one connector can always be crossed)" in lines.echo(
        "inf_bde", {"inf_bde": ["ford", "ridge"]}
    )
    echo = lines.echo("armd_bde", {"armd_bde": ["ridge", "west_well", "ford"]})
    assert echo.endswith("enemies reported in West Well: activated on 3 or more, and stops there")


def test_a_group_may_be_of_formations_and_leaders() -> None:
    state = wells(armd_bde="ford", inf_bde="ford", harris="ford")
    typist = Typist("inf, armd, harris: to ridge", "done all", read=lambda text: typed(state, text, ALLIES))
    order: Any = fill(orders_space(state, ALLIES), "orders", typist)
    assert not typist.refused
    assert (sorted(order.moves), sorted(order.leaders)) == (["armd_bde", "inf_bde"], ["harris"])


def test_a_sheet_alone_takes_the_word_that_leaves_it_blank() -> None:
    state = wells(panzer_rgt="ridge")
    state.formations["panzer_rgt"].armor = 3
    space = allocation_space(state, AXIS)
    assert space is not None
    typist = Typist("none", "done", read=lambda text: typed(state, text, AXIS, space))
    fill(space, "shares", typist)
    assert (typist.handed_in, typist.refused) == ([Allocate()], [])


def test_a_menu_of_many_ways_still_has_a_line_to_stand() -> None:
    names = ["guard_battalion", "panzer_rgt", "recon_unit", "rifle_rgt"]
    state = wells(**dict.fromkeys(names, "ridge"), armd_bde="east_well")
    it = Engagement(id="ridge", area="ridge", forces={AXIS: names, ALLIES: ["armd_bde"]})
    state.engagements["ridge"] = it
    space = withdraw_space(state, it, AXIS)
    assert [label for label, _ in entries(space, lambda order: str(order.how))] == ["stand", "withdraw …"]
    assert hides_sheet(space)


# --- questions, menus, what is drawn ---


def test_questions_take_the_beginning_of_a_name_and_tell_what_they_want() -> None:
    state = wells(panzer_rgt="ridge")
    for text in ("reach panzer", "path panzer ford", "path panzer the ford", "supply panzer", "companies panz"):
        assert answer(view(state, AXIS), state.board, text) is not None
    with pytest.raises(PlayError, match="begin with guard_battalion"):
        answer(view(state, AXIS), state.board, "path ford ford")
    away = wells()
    for formation in away.formations.values():
        formation.standing = "undeployed"
    listed = answer(view(away, AXIS), away.board, "?")
    assert listed is not None
    assert "…" not in "\n".join(listed.lines)


def test_one_deployment_is_that_of_history() -> None:
    board = board_of("teaching")
    areas = {"panzer_rgt": "west_well", "recon_unit": "ridge"}
    state = wells()
    told = [
        words(Deploy(areas, {"brandt": where}), view(state, AXIS), board) for where in board.leaders["brandt"].start
    ]
    assert ["historical" in str(each) for each in told] == [True, False]


@pytest.mark.rule("KH-19.01", "KH-19.09")
def test_a_large_force_has_a_line_for_each_who_leaves_and_the_rest_is_typed() -> None:
    state = wells(panzer_rgt="ridge", recon_unit="ridge", rifle_rgt="ridge", armd_bde="east_well")
    forces = {AXIS: ["panzer_rgt", "recon_unit", "rifle_rgt"], ALLIES: ["armd_bde"]}
    it = Engagement(id="ridge", area="ridge", forces=forces)
    state.engagements["ridge"] = it
    space = withdraw_space(state, it, AXIS)
    lines = [told for each in space.values() if (told := words(each, view(state, AXIS), state.board))]
    assert len(lines) == 10
    text = "fighting; precipitous rifle_rgt; recon recon_unit"
    assert typed(state, text, AXIS, space) == Withdraw("fighting", {"rifle_rgt": "precipitous", "recon_unit": "recon"})


def test_the_map_in_text_has_tracks_and_says_so() -> None:
    drawn = str(draw(view(wells(), AXIS), board_of("teaching"), "text"))
    assert ".. track   == road" in drawn
    assert "...\n" in drawn.partition("East Well")[0], "from the Ridge to East Well"


def test_an_area_tells_of_leaders_and_a_formation_of_companies() -> None:
    state = wells(panzer_rgt="ridge", brandt="ridge")
    assert "here: Panzer Regiment and Brandt" in str(draw(view(state, AXIS), state.board, "text", "ridge"))
    assert "two companies of" in str(draw(view(state, AXIS), state.board, "text", "panzer"))


def test_honour_of_an_action_is_told_in_one_line() -> None:
    gained = [("Harris", 5, "points"), ("Harris", 1, "own_troops"), ("Brandt", 2, "points")]
    run = [EventRecord(7 + at, HonourGained(who, AXIS, n, why, "KH-24.01")) for at, (who, n, why) in enumerate(gained)]
    alone = EventRecord(20, HonourGained("Moore", ALLIES, -1, "withdrawal", "KH-24.06"))
    told = digest([*run, EventRecord(10, TurnOpened()), alone])
    both = "Harris +6 (victory points 5, led his own troops 1), Brandt +2 (victory points 2)"
    assert told == {7: "", 8: "", 9: f"Honour: {both}."}


# --- the umpire ---


def test_a_bare_score_is_asked_about_and_taken_the_second_time(lay: Lay) -> None:
    results = results_in(brief_of(lay).options)
    assert results is not None
    once = Typist("axis 4-3; axis 5/4; allies 3/8")
    assert write_result(results, "result", once).winner == AXIS
    assert not once.refused
    for lines in (("axis 4-3", "axis 4-3"), ("axis 4-3; as said",)):
        typist = Typist(*lines)
        assert write_result(results, "result", typist).points == {AXIS: 4, ALLIES: 3}
        assert len(typist.refused) == len(lines) - 1
        assert all("nobody takes attrition: add them, as in axis 4-3; axis 5/4" in why for _, why in typist.refused)


# --- replacements ---


@pytest.mark.rule("KH-5.01", "KH-5.04", "KH-R94")
def test_the_sheet_of_replacements_tells_what_there_is_and_what_a_line_comes_to() -> None:
    state = wells(panzer_rgt="ridge")
    state.formations["panzer_rgt"].armor, state.formations["panzer_rgt"].general = 8, 5
    space = allocation_space(state, AXIS)
    assert space is not None
    hint = typed(state, "?", AXIS, space)
    assert "points this turn: 2 armor and 2 general (German); attrition: panzer_rgt 8/5" in hint
    shares: Any = space.fields["shares"]
    sheet = {"panzer_rgt": shares.read("panzer_rgt", "2/1")}
    assert shares.echo("panzer_rgt", sheet) == "attrition 8/5 becomes 6/4, and holds this turn"
    state.formations["panzer_rgt"].regroup = True
    assert shares.echo("panzer_rgt", sheet).endswith("becomes 6/4, and must regroup")
