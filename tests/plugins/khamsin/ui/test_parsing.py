"""Typed orders: sheets by formation, short answers and battle results, with positions in refusals."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase, brief_of
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.positions import shipped
from tests.plugins.khamsin.procedures import position, typed, wells
from transcripts import Transcript
from typist import Typist

from khamsin.engagement.company_options import Companies
from khamsin.model import orders
from khamsin.model.notation import path_in, share_in
from khamsin.model.orders import Allocate, WriteOrders
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


def test_group_line_orders_formations_and_leaders() -> None:
    state = wells(armd_bde="ford", inf_bde="ford", harris="ford")
    typist = Typist("inf, armd, harris: to ridge", "done all", read=lambda text: typed(state, text, ALLIES))
    order: Any = fill(orders_space(state, ALLIES), "orders", typist)
    assert not typist.refused
    assert (sorted(order.moves), sorted(order.leaders)) == (["armd_bde", "inf_bde"], ["harris"])


def test_single_sheet_accepts_none_as_blank() -> None:
    state = wells(panzer_rgt="ridge")
    state.formations["panzer_rgt"].armor = 3
    space = allocation_space(state, AXIS)
    assert space is not None
    typist = Typist("none", "done", read=lambda text: typed(state, text, AXIS, space))
    fill(space, "shares", typist)
    assert (typist.handed_in, typist.refused) == ([Allocate()], [])


@pytest.mark.rule("KH-5.01", "KH-5.04", "KH-R94")
def test_replacement_sheet_shows_points_and_effect_of_a_line() -> None:
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


BOARD = board_of("fixture")


def state_of() -> Any:
    return position({"15_pz_div": "sidi_rezegh", "21_pz_div": "el_adem", "rommel": "gambut"})


def read(space: Space, text: str) -> Order | str | None:
    return read_order(Decision("axis", "?", space, "KH-3.06"), text, BOARD)


def form(order: type[Any], **fields: Space) -> Form:
    return Form(order, fields)


def areas(*pieces: str) -> Mapping[str, Space]:
    return {each: OneOf(["gambut", "sollum"]) for each in pieces}


def test_terminal_lines_are_parsed_one_by_one() -> None:
    space = orders_space(state_of(), "axis")
    moves, leaders = (space.space_of(name, []) for name in ("moves", "leaders"))
    assert isinstance(moves, Sheet)
    assert isinstance(leaders, Sheet)
    assert moves.read is not None
    assert moves.read("15_pz_div", "gambut") == ["sidi_rezegh", "gambut"]
    assert moves.read("15_pz_div", "sidi_rezegh") == ["sidi_rezegh"]
    assert moves.read("15_pz_div", "hold") is None  # no path, and not an assault
    assert leaders.read is not None
    assert leaders.read("rommel", "hold") == ["gambut"]


@pytest.mark.rule("KH-18.02")
def test_typed_battle_result_is_parsed(new_case: NewCase) -> None:
    decision = brief_of(new_case)
    results = results_in(decision.options)
    assert results is not None
    order = read_order(decision, "axis 4-3; axis 1/2; allies 3/1", BOARD)
    assert isinstance(order, ReportBattle)
    assert (order.brief, order.result.winner) == (results.brief.id, "axis")
    assert order.result.points == {"axis": 4, "allies": 3}
    assert decision.options.why_not(order) is None
    assert "axis 4-3" in str(read_order(decision, "?", BOARD))


@pytest.mark.full
def test_every_order_is_typable_and_every_decision_has_an_example() -> None:
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


def test_order_examples_use_campaign_names_and_are_legal() -> None:
    space = orders_space(state_of(), "axis")
    help_text = str(read(space, "?"))
    assert help_text.startswith("15_pz_div: el_adem bir_el_gubi; rommel: ")
    order = read(space, help_text.partition("  (")[0])
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
def test_company_example_is_a_legal_order(side: str, more: dict[str, Any]) -> None:
    types = {each: BOARD.formations[each].options for each in ("15_pz_div", "21_pz_div")}
    bounds = {"15_pz_div": (1, 3), "21_pz_div": (0, 2)}
    space = form(
        orders.FieldCompanies, companies=Companies(3, types, bounds, "KH-R28", BOARD.commanders["axis"], **more)
    )
    text, _, explanation = str(read_order(Decision(side, "?", space, "KH-13.01"), "?", BOARD)).partition("  (")
    order = read(space, text)
    assert isinstance(order, orders.FieldCompanies)
    assert len(order.companies) == 3
    assert space.why_not(order) is None
    assert explanation.startswith(
        "FORMATION COMPANY, for the one large" if more.get("large") else "FORMATION COMPANY, one for"
    )
    assert ("trade" in explanation) == more.get("may_trade", False)
    assert ("stratagems COMMANDER" in explanation) == ("stratagems" in more)


def test_plan_extends_to_the_end_of_its_line() -> None:
    found = [part.headed for part in parts_of("a: b; plan: c; d: e\nf: g", "KH-3.06", whole="plan")]
    assert found == [("a", "b"), ("plan", "c; d: e"), ("f", "g")]


def test_ambiguous_name_prefix_matches_nothing() -> None:
    titles = {"sidi_rezegh": "Sidi Rezegh", "sidi_omar": "Sidi Omar"}
    assert (named("sidi", titles), named("Sidi O", titles), named("", titles)) == ("", "sidi_omar", "")


# --- typed texts and their orders ---


WELLS = {"guard", "regroup", "short names"}
"""Positions of the teaching module; all others use the fixture."""


def at_the_ford() -> Space:
    state = wells(armd_bde="east_well", armoured_cars="ford", inf_bde="ford")
    return orders_space(state, ALLIES)


def worn() -> Space:
    state = state_of()
    state.formations["21_pz_div"].standing = "base"
    state.formations["15_pz_div"].armor = state.formations["15_pz_div"].general = 9
    return allocation_space(state, AXIS) or Range(0, 0)


def in_base() -> Space:
    state = state_of()
    state.formations["21_pz_div"].standing = "base"
    return orders_space(state, AXIS)


def guard(*, regroup: bool) -> Space:
    state = wells(guard_battalion="west_well")
    state.formations["guard_battalion"].regroup = regroup
    return orders_space(state, AXIS)


def companies(number: int, **more: Any) -> Space:
    types = {each: BOARD.formations[each].options for each in PANZERS}
    bounds = dict.fromkeys(types, (0, number))
    return form(orders.FieldCompanies, companies=Companies(number, types, bounds, "KH-13.01", **more))


def withdrawal() -> Space:
    lines = {each: OneOf(["precipitous", "recon"]) for each in PANZERS}
    stand = form(orders.Withdraw, how=OneOf(["stand"]), leaving=Sheet({}))
    return AnyOf((stand, form(orders.Withdraw, how=OneOf(["stand", "fighting"]), leaving=Sheet(lines))))


PANZERS = ("15_pz_div", "21_pz_div")
EACH = OneForEach(areas(*PANZERS))
STAND = form(orders.Withdraw, how=OneOf(["stand"]), leaving=Sheet({}), ledger=OneOf(["general"]))
TYPED: dict[str, tuple[Callable[[], Space], tuple[str, ...]]] = {
    "orders": (
        lambda: orders_space(state_of(), AXIS),
        (
            "15_pz_div: gambut sollum; rommel: gambut - sidi_rezegh; air: tobruk, el adem; plan: hold; then strike",
            "# Turn 3\n15_pz_div: sidi_rezegh gambut  # its area may be written\n\n21st Panzer Division: hold\n",
            "hold",
            "15_pz_div: hold; 21_pz_div: -",
            "21_pz_div: el_adem",
            "15: gamb, Sidi Rez",
            "15_pz_div: Tobruk",
            "15_pz_div: sidi rezegh el adem",
            "15_pz_div: Gambut Sidi Rezegh",
            "15_pz_div: Tobruk, Sidi Rezegh",
            *("gambut", "1", "all", "good morning", ""),
            "15_pz_div: gambut; 15_pz_div: sollum",
            "15_pz_div: atlantis",
            "15_pz_div: gambut atlantis",
            "air: tobruk,  atlantis",
            "21_pz_div: el_adem\n15_pz_div: atlantis",
            "7_armd_bde: gabr_saleh",
            "nobody: gambut",
            "rommel: nowhere",
            "air: atlantis",
            "leave 15_pz_div: some",
            "15_pz_div: gambut; sollum",
            ": gambut",
            "a: b\n" * 501,
            "15_pz_div: " + "gambut " * 21,
            "15_pz_div: gambut; guard: ridge; brandt: ford; rommel: gambut; plan: x",
            "15_pz_div: gambut; rommel: moon; air: sun",
            "15_pz_div: moon sun",
            "15_pz_div: gambut; sollum; 21: moon",
            "nobody: gambut; 15_pz_div: fort_capuzzo",
            "nobody: gambut; plan: " + "x" * 2001,
            "leave 15_pz_div: some; leave nobody: 1",
            "15_pz_div: gambut; 15_pz_div: sollum; 21: moon",
        ),
    ),
    "in base": (in_base, ("21_pz_div: gambut",)),
    "fortress": (lambda: orders_space(position({"inf_cw": "tobruk"}), ALLIES), ("inf_cw: el_adem; leave inf_cw: 1",)),
    "guard": (lambda: guard(regroup=False), ("guard: to east_well", "guard: to west well")),
    "regroup": (lambda: guard(regroup=True), ("guard: to ridge",)),
    "short names": (at_the_ford, ("armoured: ford", "sdkfj: ford", "armd: West Well Ford", "armd: West Well Atlantis")),
    "deploy": (
        lambda: form(orders.Deploy, areas=EACH, leaders=OneForEach(areas("rommel"))),
        ("rommel: sollum; 15_pz_div: sollum", "historical", "afrika_div: gambut"),
    ),
    "enter": (lambda: form(orders.EnterBy, areas=OneForEach(areas("15_pz_div"))), ("15_pz_div: sollum",)),
    "retreat": (
        lambda: form(orders.RetreatTo, areas=EACH),
        (
            "all: gambut",
            "15_pz_div: gambut; all: sollum",
            "all: gambut; 21: sollum",
            "21: sollum; all: gambut",
            "15_pz_div: moon; nobody: gambut",
            "all: gambut; all: sollum",
        ),
    ),
    "advance": (
        lambda: form(orders.Advance, areas=OneOf([{}, dict.fromkeys(PANZERS, "gambut")])),
        ("all: gambut", "stay"),
    ),
    "allocate": (worn, ("15_pz_div: 1/1 moving", "none", "15_pz_div: two", "15_pz_div: 1", "21_pz_div: 1/0")),
    "withdraw": (
        withdrawal,
        (
            "stand",
            "fighting",
            "precipitous 15_pz_div 21",
            "fighting; recon 15_pz_div; ledger armor",
            "fighting 15_pz_div",
            "recon 15_pz_div; precipitous 15_pz_div",
            "recon 7_armd_bde",
        ),
    ),
    "stand": (lambda: STAND, ("stand; stand; run; recon nobody; ledger armor; ledger armor",)),
    "engagements": (
        lambda: form(orders.OrderEngagements, engagements=OneOf([["gambut"]])),
        ("order gambut el_adem~tobruk", "order moon gambut sun", "good morning"),
    ),
    "let go": (lambda: form(orders.LetGo, any=Range(0, 1)), ("let go", "fight", "good morning")),
    "mode": (lambda: form(orders.ProposeMode, any=Range(0, 1)), ("Total War", "good morning")),
    "actions": (lambda: form(orders.SetActions, any=Range(0, 1)), ("actions 3", "good morning")),
    "leader": (lambda: form(orders.EnterBy, areas=OneForEach(areas("rommel"))), ("rommel: Gambut", "at Gambut")),
    "companies": (
        lambda: companies(2, players=("Gary",), has_people=True),
        (
            "15_pz_div panzer command; 21st sch by gary",
            "15_pz_div rifle",
            "15_pz_div panzer; afrika_div schuetzen",
            "15_pz_div panzer twice",
            "15_pz_div tank",
            "15_pz_div",
            "15_pz_div  panzer by",
        ),
    ),
}


@pytest.mark.rule("KH-3.06", "KH-6.08", "KH-7.02", "KH-8.10", "KH-13.01", "KH-19.01", "KH-19.14")
@pytest.mark.rule("KH-20.05", "KH-22.15", "KH-R25", "KH-R116", "KH-R117")
@pytest.mark.parametrize("name", TYPED)
def test_typed_orders_are_read_or_refused_with_their_position(name: str, transcript: Transcript) -> None:
    transcript("\n".join(f"> {text[:99]}\n{as_read(name, text)}" for text in TYPED[name][1]))


def as_read(name: str, text: str) -> str:
    """Return the order of a text as a string, or all errors of the text."""
    space, board = TYPED[name][0](), board_of("teaching" if name in WELLS else "fixture")
    side = ALLIES if name in {"fortress", "short names"} else AXIS
    try:
        order = read_order(Decision(side, "?", space, "KH-3.06"), text, board)
    except IllegalOrder as refusal:
        return "\n".join(f"{each.rule}: {each.reason}" for each in (refusal, *refusal.also))
    assert name not in {"fortress", "allocate", "companies"} or space.is_legal(order)
    return str(order)


def test_overlong_path_and_incomplete_share_are_refused() -> None:
    with pytest.raises(IllegalOrder, match="21 areas"):
        path_in("gambut " * 21, "tobruk", BOARD.names, "KH-8.10")
    with pytest.raises(IllegalOrder, match="armor/general"):
        share_in("1", "KH-5.04")
