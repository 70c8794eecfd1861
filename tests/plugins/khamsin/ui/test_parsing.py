"""Typed orders: sheets by formation, short answers, results of tables; refusals with their position."""

from collections.abc import Mapping
from typing import Any

import pytest
from refused import assert_all_named, reasons
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, Lay, result
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.positions import shipped
from tests.plugins.khamsin.rooms import position, typed, wells
from typist import Typist

from khamsin.engagement.company_options import Companies
from khamsin.model import orders
from khamsin.model.notation import areas_in, path_in, share_in
from khamsin.model.orders import Allocate, Share, WriteOrders
from khamsin.model.state import Fielded, KhamsinState
from khamsin.movement.orders_sheet import orders_space
from khamsin.supply.replacements import allocation_space
from khamsin.ui.parsing import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.options import AnyOf, Form, OneForEach, OneOf, Range, Sheet, Space
from sandtable.rules.notation.names import named
from sandtable.rules.notation.tokens import parts_of
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import ReportBattle
from sandtable.terminal.form_filling import fill


def why_refused(state: KhamsinState, text: str, side: str = AXIS, space: Space | None = None) -> str:
    with pytest.raises(IllegalOrder) as why:
        typed(state, text, side, space)
    return why.value.reason


@pytest.mark.rule("KH-8.10", "KH-20.05")
def test_a_far_area_is_refused_with_what_is_in_reach_or_what_binds_the_formation() -> None:
    state = wells(guard_battalion="west_well")
    assert "east_well is out of reach this turn; in reach, with points: ford 2 or ridge 1" in why_refused(
        state, "guard: to east_well"
    )
    assert "hold keeps it there" in why_refused(state, "guard: to west well")
    why = orders_space(state, AXIS).why_not(WriteOrders({"guard_battalion": ["west_well", "east_well"]}))
    assert why is not None
    assert "name every area on the way, or type to east_well" in why.reason
    state.formations["guard_battalion"].regroup = True
    assert "must regroup" in why_refused(state, "guard: to ridge")


@pytest.mark.rule("KH-3.06")
def test_a_name_that_fits_several_or_nobody_is_refused_with_those_there_are() -> None:
    state = wells(armd_bde="east_well", armoured_cars="ford", inf_bde="ford")
    assert why_refused(state, "armoured: ford", ALLIES).endswith("choose armd_bde or armoured_cars")
    assert why_refused(state, "sdkfj: ford", ALLIES).endswith("choose armd_bde, armoured_cars or inf_bde")


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


CRUSADER = board_of("crusader").names


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("Sidi Rezegh", ["sidi_rezegh"]),
        ("sidi rezegh el adem", ["sidi_rezegh", "el_adem"]),
        ("Gambut Sidi Rezegh", ["gambut", "sidi_rezegh"]),
        ("Tobruk, Sidi Rezegh", ["tobruk", "sidi_rezegh"]),
        ("tobruk", ["tobruk"]),
    ],
)
def test_an_area_is_named_by_its_title_alone_or_in_a_path(text: str, areas: list[str]) -> None:
    assert areas_in(text, CRUSADER, "KH-3.06") == areas


def test_west_well_and_the_ford_are_areas() -> None:
    names = board_of("teaching").names
    assert areas_in("West Well The Ford", names, "KH-3.06") == ["west_well", "ford"]
    with pytest.raises(IllegalOrder, match="character 11 of West Well Atlantis: Atlantis is no area"):
        areas_in("West Well Atlantis", names, "KH-3.06")


def ford(lay: Lay, **more: str) -> Case:
    case = lay("panzer_rgt ridge; inf_bde ford", module="teaching", dice={"activation:panzer_rgt": "6"}, **more)
    case.turn(result("axis", "4-3"), axis="panzer_rgt ford", until=orders.RetreatTo)
    return case


BOARD = board_of("fixture")


def state_of() -> Any:
    return position({"15_pz_div": "sidi_rezegh", "21_pz_div": "el_adem", "rommel": "gambut"})


def sheet(text: str) -> Any:
    return read(orders_space(state_of(), "axis"), text)


def read(space: Space, text: str) -> Order | str | None:
    return read_order(Decision("axis", "?", space, "KH-3.06"), text, BOARD)


def why_not(space: Space, text: str) -> str:
    with pytest.raises(IllegalOrder) as refused:
        read(space, text)
    assert refused.value.rule
    return refused.value.reason


def form(order: type[Any], **fields: Space) -> Form:
    return Form(order, fields)


def areas(*pieces: str) -> Mapping[str, Space]:
    return {each: OneOf(["gambut", "sollum"]) for each in pieces}


@pytest.mark.rule("KH-3.06", "KH-R116")
def test_a_sheet_is_written_by_formation() -> None:
    text = "15_pz_div: gambut sollum; rommel: gambut - sidi_rezegh; air: tobruk, el adem; plan: hold; then strike"
    assert sheet(text) == WriteOrders(
        {"15_pz_div": ["sidi_rezegh", "gambut", "sollum"]},
        {"rommel": ["gambut", "sidi_rezegh"]},
        ["tobruk", "el_adem"],
        plan="hold; then strike",
    )
    assert sheet("hold") == WriteOrders()


def test_a_file_has_a_line_for_each_and_remarks() -> None:
    text = "# Turn 3\n15_pz_div: sidi_rezegh gambut   # where it stands may be written\n\n21st Panzer Division: hold\n"
    assert sheet(text) == WriteOrders({"15_pz_div": ["sidi_rezegh", "gambut"]})


@pytest.mark.rule("KH-R25", "KH-R116")
def test_to_hold_is_no_assault_and_to_name_ones_own_area_is() -> None:
    assert sheet("15_pz_div: hold; 21_pz_div: -") == WriteOrders()
    assert sheet("21_pz_div: el_adem") == WriteOrders({"21_pz_div": ["el_adem"]})


def test_names_may_be_cut_short_as_long_as_they_are_plain() -> None:
    assert sheet("15: gamb, Sidi Rez") == WriteOrders({"15_pz_div": ["sidi_rezegh", "gambut", "sidi_rezegh"]})


@pytest.mark.rule("KH-3.06", "KH-6.08")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("15_pz_div: gambut; 15_pz_div: sollum", "15_pz_div is written twice"),
        ("15_pz_div: atlantis", "15_pz_div: atlantis is no area"),
        ("15_pz_div: gambut atlantis", "15_pz_div: character 8 of gambut atlantis: atlantis is no area"),
        ("air: tobruk,  atlantis", "air: character 10 of tobruk,  atlantis: atlantis is no area"),
        ("21_pz_div: el_adem\n15_pz_div: atlantis", "line 2: 15_pz_div: atlantis is no area"),
        ("7_armd_bde: gabr_saleh", "7_armd_bde: no formation of this side has this name"),
        ("nobody: gambut", "nobody: no formation of this side has this name"),
        ("rommel: nowhere", "rommel: nowhere is no area"),
        ("air: atlantis", "air: atlantis is no area"),
        ("leave 15_pz_div: some", "leave 15_pz_div: some is no number"),
        ("15_pz_div: gambut; sollum", "sollum: a line is NAME: ORDER"),
        (": gambut", ": gambut: a line is NAME: ORDER"),
    ],
)
def test_what_is_refused_is_refused_with_its_place(text: str, reason: str) -> None:
    assert reason in why_not(orders_space(state_of(), "axis"), text)


@pytest.mark.rule("KH-22.15")
def test_who_can_have_no_orders_is_told_why() -> None:
    state = state_of()
    state.formations["21_pz_div"].standing = "base"
    assert "combat ineffective in its base" in why_not(orders_space(state, "axis"), "21_pz_div: gambut")


@pytest.mark.rule("KH-7.02", "KH-R117")
def test_a_part_may_be_left_in_a_fortress() -> None:
    state = position({"inf_cw": "tobruk"})
    order = read(orders_space(state, "allies"), "inf_cw: el_adem; leave inf_cw: 1")
    assert order == WriteOrders({"inf_cw": ["tobruk", "el_adem"]}, detach={"inf_cw": 1})
    assert orders_space(state, "allies").is_legal(order)


def test_lines_typed_at_the_terminal_are_read_one_by_one() -> None:
    space = orders_space(state_of(), "axis")
    moves, leaders = (space.space_of(name, []) for name in ("moves", "leaders"))
    assert isinstance(moves, Sheet)
    assert isinstance(leaders, Sheet)
    assert moves.read is not None
    assert moves.read("15_pz_div", "gambut") == ["sidi_rezegh", "gambut"]
    assert moves.read("15_pz_div", "sidi_rezegh") == ["sidi_rezegh"]
    assert moves.read("15_pz_div", "hold") is None  # no line, and no assault
    assert leaders.read is not None
    assert leaders.read("rommel", "hold") == ["gambut"]


def test_a_deployment_names_whom_it_moves_and_leaves_the_rest_where_they_stood() -> None:
    space = form(orders.Deploy, areas=OneForEach(areas("15_pz_div", "21_pz_div")), leaders=OneForEach(areas("rommel")))
    assert read(space, "rommel: sollum; 15_pz_div: sollum") == orders.Deploy(
        {"15_pz_div": "sollum", "21_pz_div": "gambut"}, {"rommel": "sollum"}
    )
    assert read(space, "historical") == orders.Deploy(
        {"15_pz_div": "gambut", "21_pz_div": "gambut"}, {"rommel": "gambut"}
    )
    assert "is not asked for" in why_not(space, "afrika_div: gambut")


def test_entries_retreats_and_advances_are_areas_by_formation() -> None:
    enter = form(orders.EnterBy, areas=OneForEach(areas("15_pz_div")))
    assert read(enter, "15_pz_div: sollum") == orders.EnterBy({"15_pz_div": "sollum"})
    back = form(orders.RetreatTo, areas=OneForEach(areas("15_pz_div", "21_pz_div")))
    assert read(back, "all: gambut") == orders.RetreatTo({"15_pz_div": "gambut", "21_pz_div": "gambut"})
    assert read(back, "15_pz_div: gambut; all: sollum") == orders.RetreatTo(
        {"15_pz_div": "gambut", "21_pz_div": "sollum"}
    )
    on = form(orders.Advance, areas=OneOf([{}, {"15_pz_div": "gambut", "21_pz_div": "gambut"}]))
    assert read(on, "all: gambut") == orders.Advance({"15_pz_div": "gambut", "21_pz_div": "gambut"})
    assert read(on, "stay") == orders.Advance()


def test_replacements_are_armor_and_general_points() -> None:
    state = state_of()
    state.formations["15_pz_div"].armor = state.formations["15_pz_div"].general = 9
    space = allocation_space(state, "axis")
    assert space is not None
    order = read(space, "15_pz_div: 1/1 moving")
    assert order == orders.Allocate({"15_pz_div": Share(1, 1, moving=True)})
    assert space.is_legal(order)
    assert read(space, "none") == orders.Allocate()
    assert "armor/general" in why_not(space, "15_pz_div: two")
    assert "replacements go only to own formations" in why_not(space, "21_pz_div: 1/0")


@pytest.mark.rule("KH-19.01", "KH-19.14")
@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("stand", orders.Withdraw()),
        ("fighting", orders.Withdraw("fighting")),
        (
            "precipitous 15_pz_div 21",
            orders.Withdraw("stand", {"15_pz_div": "precipitous", "21_pz_div": "precipitous"}),
        ),
        ("fighting; recon 15_pz_div; ledger armor", orders.Withdraw("fighting", {"15_pz_div": "recon"}, "armor")),
    ],
)
def test_ways_to_meet_an_engagement(text: str, order: Order) -> None:
    lines = {each: OneOf(["precipitous", "recon"]) for each in ("15_pz_div", "21_pz_div")}
    stand = form(orders.Withdraw, how=OneOf(["stand"]), leaving=Sheet({}))
    space = AnyOf((stand, form(orders.Withdraw, how=OneOf(["stand", "fighting"]), leaving=Sheet(lines))))
    assert read(space, text) == order
    assert "cannot be read" in why_not(space, "fighting 15_pz_div")
    assert "written twice" in why_not(space, "recon 15_pz_div; precipitous 15_pz_div")
    assert "no line here" in why_not(space, "recon 7_armd_bde")


@pytest.mark.parametrize(
    ("kind", "text", "order"),
    [
        (orders.LetGo, "let go", orders.LetGo(True)),
        (orders.LetGo, "fight", orders.LetGo(False)),
        (orders.ProposeMode, "Total War", orders.ProposeMode("total_war")),
        (orders.SetActions, "actions 3", orders.SetActions(3)),
        (orders.PlaceLeader, "at Gambut", orders.PlaceLeader("gambut")),
        (orders.OrderEngagements, "order gambut el_adem~tobruk", orders.OrderEngagements(["gambut", "el_adem~tobruk"])),
    ],
)
def test_short_answers(kind: type[Order], text: str, order: Order) -> None:
    space = form(kind, any=Range(0, 1))
    assert read(space, text) == order
    assert read(space, "good morning") is None


@pytest.mark.rule("KH-13.01")
def test_companies_are_fielded_one_for_each_action() -> None:
    types = {each: BOARD.formations[each].options for each in ("15_pz_div", "21_pz_div")}
    bounds = dict.fromkeys(types, (0, 2))
    companies = Companies(number=2, types=types, bounds=bounds, bounds_rule="", players=("Gary",), has_people=True)
    space = form(orders.FieldCompanies, companies=companies)
    order = read(space, "15_pz_div panzer command; 21st sch by gary")
    assert order == orders.FieldCompanies(
        [Fielded("15_pz_div", "panzer", command=True), Fielded("21_pz_div", "schuetzen", "Gary")]
    )
    assert space.is_legal(order)
    assert "name a company of 15_pz_div" in why_not(space, "15_pz_div rifle")
    assert "afrika_div has no company here" in why_not(space, "15_pz_div panzer; afrika_div schuetzen")
    assert "twice is none of" in why_not(space, "15_pz_div panzer twice")


@pytest.mark.rule("KH-18.02")
def test_results_are_read_as_the_tabletop_reads_them() -> None:
    prepared = shipped("fixture")
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.start()
    stream = Stream.for_player(bytes(32), "anybody")
    while (results := results_in(game.waiting()[0].options)) is None:
        decision = game.waiting()[0]
        game.submit(decision.options.sample(stream), decision.seat)
    decision = game.waiting()[0]
    order = read_order(decision, "axis 4-3; axis 1/2; allies 3/1", prepared.board)
    assert isinstance(order, ReportBattle)
    assert (order.brief, order.result.winner) == (results.brief.id, "axis")
    assert order.result.points == {"axis": 4, "allies": 3}
    assert decision.options.why_not(order) is None
    assert "axis 4-3" in str(read_order(decision, "?", prepared.board))


@pytest.mark.full
def test_every_order_can_be_typed_and_each_question_of_a_campaign_has_an_example() -> None:
    assert {verb.kind for verb in NOTATION.verbs} == {*orders.ORDERS} - {ReportBattle}
    shown: set[type[Order]] = set()
    for seed in range(4):
        prepared = shipped("fixture")
        game = prepared.new_game(KeyedDice(bytes([seed] * 32)))
        game.start()
        stream = Stream.for_player(bytes(32), f"anybody {seed}")
        while game.pending:
            decision = game.waiting()[0]
            examples = NOTATION.examples(decision, prepared.board)
            assert examples or results_in(decision.options), decision.prompt
            for each in examples:
                order = read_order(decision, each.partition("  (")[0], prepared.board)
                assert isinstance(order, Order)
                assert decision.options.why_not(order) is None, each
                shown.add(type(order))
            game.submit(decision.options.sample(stream), decision.seat)
    assert {orders.WriteOrders, orders.Withdraw, orders.FieldCompanies, orders.Allocate} <= shown, shown


def test_examples_have_names_of_the_campaign_and_may_be_typed_as_they_stand() -> None:
    space = orders_space(state_of(), "axis")
    told = str(read(space, "?"))
    assert told.startswith("15_pz_div: el_adem bir_el_gubi; rommel: ")
    order = read(space, told.partition("  (")[0])
    assert isinstance(order, WriteOrders)
    assert space.is_legal(order)
    assert order.moves == {"15_pz_div": ["sidi_rezegh", "el_adem", "bir_el_gubi"]}


@pytest.mark.rule("KH-13.01", "KH-17.03")
@pytest.mark.parametrize("side", ["axis", "allies"])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"has_people": True, "has_team": True, "has_bonus": True, "has_air": True, "may_trade": True},
        {"large": True, "kinds": 3, "stratagems": ("Rommel",), "has_air": True},
    ],
)
def test_the_example_of_companies_may_be_fielded_as_it_stands(side: str, more: dict[str, Any]) -> None:
    types = {each: BOARD.formations[each].options for each in ("15_pz_div", "21_pz_div")}
    bounds = {"15_pz_div": (1, 3), "21_pz_div": (0, 2)}
    space = form(
        orders.FieldCompanies, companies=Companies(3, types, bounds, "KH-R28", BOARD.commanders["axis"], **more)
    )
    text, _, told = str(read_order(Decision(side, "?", space, "KH-13.01"), "?", BOARD)).partition("  (")
    order = read(space, text)
    assert isinstance(order, orders.FieldCompanies)
    assert len(order.companies) == 3
    assert space.why_not(order) is None
    assert told.startswith(
        "FORMATION COMPANY, for the one large" if more.get("large") else "FORMATION COMPANY, one for"
    )
    assert ("trade" in told) == more.get("may_trade", False)
    assert ("stratagems COMMANDER" in told) == ("stratagems" in more)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "15_pz_div panzer; afrika_div schuetzen",
            "character 1 of afrika_div schuetzen: afrika_div has no company here",
        ),
        ("15_pz_div tank", "character 11 of 15_pz_div tank: name a company of 15_pz_div: panzer"),
        ("15_pz_div", "15_pz_div: name a company of 15_pz_div: panzer"),
        ("15_pz_div panzer twice", "character 18 of 15_pz_div panzer twice: twice is none of command, bonus"),
        ("15_pz_div  panzer by", "character 19 of 15_pz_div  panzer by: a name is wanted behind by"),
    ],
)
def test_a_company_that_cannot_be_read_is_refused_at_its_character(text: str, reason: str) -> None:
    types = {each: BOARD.formations[each].options for each in ("15_pz_div", "21_pz_div")}
    assert reason in why_not(form(orders.FieldCompanies, companies=Companies(1, types, {}, "KH-13.01", ())), text)


@pytest.mark.parametrize("text", ["gambut", "1", "all", "good morning", ""])
def test_other_words_are_left_to_the_menu(text: str) -> None:
    assert sheet(text) is None


def test_a_text_of_very_many_lines_is_refused() -> None:
    with pytest.raises(IllegalOrder, match="501 lines"):
        read(orders_space(state_of(), "axis"), "a: b\n" * 501)


def test_a_plan_goes_on_to_the_end_of_its_line() -> None:
    found = [part.headed for part in parts_of("a: b; plan: c; d: e\nf: g", "KH-3.06", whole="plan")]
    assert found == [("a", "b"), ("plan", "c; d: e"), ("f", "g")]


def test_names_that_fit_two_are_no_names() -> None:
    titles = {"sidi_rezegh": "Sidi Rezegh", "sidi_omar": "Sidi Omar"}
    assert (named("sidi", titles), named("Sidi O", titles), named("", titles)) == ("", "sidi_omar", "")


def test_paths_and_shares_that_cannot_be_read() -> None:
    with pytest.raises(IllegalOrder, match="21 areas"):
        path_in("gambut " * 21, "tobruk", BOARD.names, "KH-8.10")
    with pytest.raises(IllegalOrder, match="armor/general"):
        share_in("1", "KH-5.04")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "15_pz_div: gambut; guard: ridge; brandt: ford; rommel: gambut; plan: x",
            ["guard: no formation of this side", "brandt: no formation of this side"],
        ),
        ("15_pz_div: gambut; rommel: moon; air: sun", ["rommel: moon is no area", "air: sun is no area"]),
        ("15_pz_div: moon sun", ["character 1 of moon sun: moon is no area", "character 6 of moon sun: sun is no"]),
        ("15_pz_div: gambut; sollum; 21: moon", ["sollum: a line is NAME: ORDER", "21: moon is no area"]),
        ("nobody: gambut; 15_pz_div: fort_capuzzo", ["nobody: no formation", "15_pz_div: fort_capuzzo is not next to"]),
        ("nobody: gambut; plan: " + "x" * 2001, ["nobody: no formation", "the text has 2001 characters"]),
        ("leave 15_pz_div: some; leave nobody: 1", ["some is no number", "nobody: no formation of this side"]),
        ("15_pz_div: gambut; 15_pz_div: sollum; 21: moon", ["15_pz_div is written twice", "moon is no area"]),
    ],
)
def test_all_that_is_wrong_with_orders_is_told_and_nothing_is_taken(text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: sheet(text)), wrong)


def test_all_that_is_wrong_with_other_texts_is_told() -> None:
    going = form(orders.RetreatTo, areas=OneForEach(areas("15_pz_div", "21_pz_div")))
    for text, wrong in (
        ("15_pz_div: moon; nobody: gambut", ["moon is no area", "nobody is not asked for"]),
        ("all: gambut; all: sollum", ["all is written twice"]),
    ):
        assert_all_named(reasons(lambda text=text: read(going, text)), wrong)  # type: ignore[misc]
    stand = form(orders.Withdraw, how=OneOf(["stand"]), leaving=Sheet({}), ledger=OneOf(["general"]))
    text = "stand; stand; run; recon nobody; ledger armor; ledger armor"
    wrong = ["how is written twice", "run cannot be read", "nobody: nobody has no line", "ledger is written twice"]
    assert_all_named(reasons(lambda: read(stand, text)), wrong)
    fights = form(orders.OrderEngagements, engagements=OneOf([["gambut"]]))
    assert_all_named(reasons(lambda: read(fights, "order moon gambut sun")), ["moon is no area", "sun is no area"])


def test_everybody_goes_where_all_go_but_those_with_a_line_of_their_own() -> None:
    going = form(orders.RetreatTo, areas=OneForEach(areas("15_pz_div", "21_pz_div")))
    order = orders.RetreatTo({"15_pz_div": "gambut", "21_pz_div": "sollum"})
    assert read(going, "all: gambut; 21: sollum") == read(going, "21: sollum; all: gambut") == order
