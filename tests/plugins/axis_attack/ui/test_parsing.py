"""Typed orders and their refusals."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, accepted_kinds
from tests.plugins.axis_attack.ground import board as ground
from tests.plugins.axis_attack.pools import typed
from tests.plugins.axis_attack.seen import SCENARIOS, answer, begun
from transcripts import Transcript

from axis_attack.forces.company import Companies, starting_force
from axis_attack.model import orders
from axis_attack.model.cards import MISSIONS
from axis_attack.recovery.exchange import exchange_space
from axis_attack.recovery.mobility import keeping_space
from axis_attack.recovery.reinforcement import dice_space, raising_space
from axis_attack.ui.parsing import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, OneOf, Range, SomeOf, Space
from sandtable.rules.notation.names import named
from sandtable.rules.notation.tokens import parts_of
from sandtable.tabletop.result import ReportBattle

BOARD = ground()


def read(space: Space, text: str, done: Order | None = None) -> Any:
    return read_order(Decision("german", "?", space, "AOA-3.01", done=done), text, BOARD)


def listed(space: Any, *texts: str, done: Order | None = None) -> str:
    return typed(lambda text: read(space, text, done), space, *texts)


def some(order: type[Any], **fields: Any) -> Form:
    return Form(order, fields)


def row(name: str, rules: str, *texts: str, **position: Any) -> Any:
    return pytest.param(texts, position, id=name, marks=pytest.mark.rule(*rules.split()) if rules else ())


BASE, FLOWN = "pg1 5 bare; pg2 5; howitzers 4; ", "pg1 5 bare; pg2 5; "
MORTARS = "t1 pg full light_mortar=1; pg2 pg full; pg3 pg full"
FEW = "pg1 pg full; pg2 pg full; hmg hmg gutted; panzer panzer full; pak40 pak40 full; stug stug full"
RIDES = "pg1 pg full; pg2 pg full immobile; panzer panzer full; pak40 pak40 full"


@pytest.mark.rule(
    "AOA-1.02 AOA-1.12 AOA-1.13 AOA-3.02 AOA-3.05 AOA-3.07 AOA-3.08 AOA-3.12 AOA-3.15 AOA-4.01 AOA-5.01 AOA-9.03"
    " AOA-9.04 AOA-9.17"
)
@pytest.mark.parametrize(
    ("texts", "position"),
    [
        row(
            "platoons", "AOA-3.05 AOA-3.08 AOA-5.01",
            "pg1; pg2 5; hmg 3; howitzers off; extra 1|pg1 bare\npg2 5  # by the road", balance=(3, 0),
        ),
        row(
            "upgrades", "AOA-1.02 AOA-3.08",
            "t1; pg2|t1 7 light; pg2",
            "t1 7 with light_mortar=1; pg2|t1 7 bare; pg2|t1 7 cupola; pg2|t1 7 light_mortar=3; pg2",
            german=MORTARS,
        ),
        row(
            "special_rules", "AOA-9.03 AOA-9.04 AOA-9.17",
            *(f"{BASE}buy {each}" for each in (
                "night_attack", "night attack", "smoke for howitzers", "battalion_shoot 2 at the farm, the ford",
                "counterbattery", "tea", "battalion_shoot the farm", "smoke pak40",
            )), mission="hold_the_line", balance=(9, 9),
        ),
        row(
            "air", "AOA-4.01 AOA-1.12 AOA-1.13",
            *(f"{FLOWN}air {each}" for each in ("ju87", "ju sporadic inter rockets", "none", "ju87 fast", "spitfire")),
            tweak=lambda state: state.aircraft.update({"german": {"ju87": "limited"}}),
        ),
        row("carried", "AOA-3.12 AOA-3.15", "pg1 5; pg2 5 on panzer; panzer 3", mission="breakthrough", german=RIDES),
        row(
            "cannot_be_fielded", "AOA-3.07 AOA-3.02",
            "pg1; pg2; hmg|tigers 3; pg1|pg1; pg2; panzer; pak40; stug|pg1; extra|pg1; extra x", german=FEW,
        ),
        row("left_to_the_menu", "", "good|1|hello|"),
        row(
            "several_faults", "",
            "pg1; extra some; buy victory|pg1 7 light_mortar=x cupola=y|pg1 7 light_mortar=1 light=1",
            "pg1; extra 1; extra 2|pg1; buy night_attack; buy smoke pg1|pg1; air none; air ju_87d|pg1 on pg2 on pg3",
            "pg1; air ju_87d limited sporadic|pg1; air ju_87d fast slow|pg1; extra; buy", balance=(3, 0),
        ),
    ],
)  # fmt: skip
def test_typed_force_is_read_or_refused(
    lay: Lay, transcript: Transcript, texts: tuple[str, ...], position: dict[str, Any]
) -> None:
    case = lay("forces", **position).play(until=orders.ChooseForce, by="german")
    transcript(listed(case.decision("german").options, *texts))


@pytest.mark.rule("AOA-1.01", "AOA-1.02")
@pytest.mark.parametrize(
    "texts",
    [
        (
            "start|start; drop cars ju87; howitzers howitzers 3; air ju87 sporadic"
            "|a pg 7 light_mortar\nb pg\nair ju87 limited"
        ),
        "a pg 7\nb tiger 3|a pg 7; a pg 5|start; drop tigers|a pg 7; b|a pg 7 light_mortar=many|hello",
        (
            "a tiger 3; b lion 2; c pg 7|start; drop tigers lions|a pg 7 light_mortar=x light_mortar=y"
            "|a pg 7 light_mortar light_mortar|air ju87 limited; air ju87 sporadic|a pg 7; start"
        ),
    ],
    ids=["legal", "wrong", "several_faults"],
)
def test_typed_company_is_read_or_refused(transcript: Transcript, texts: str) -> None:
    company = BOARD.lists["german"]
    transcript(listed(Companies(company, BOARD.points), texts, done=starting_force(company)))


SHORT = {
    orders.AdjustTotal: "german +1|Soviet -1|leave",
    orders.ChangeMission: "Hold the Line|break|none",
    orders.ShiftTable: "east 1 south 2|shift west, north 2|leave|east 1 up 2",
    orders.Concede: "play|Concede",
    orders.ChooseBreakthrough: "two|one sector",
}


@pytest.mark.parametrize("kind", SHORT, ids=lambda kind: kind.__name__)
def test_short_answers_are_read_or_refused(transcript: Transcript, kind: type[Order]) -> None:
    space = some(kind, any=Range(0, 1))
    transcript(typed(lambda text: read(space, text), None, f"{SHORT[kind]}|good morning"))


@pytest.mark.rule("AOA-8.04", "AOA-8.21", "AOA-R42")
def test_typed_table_and_claims_are_read_or_refused(transcript: Transcript) -> None:
    table = some(orders.PlaceTable, column=Range(0, 3), row=Range(0, 4))
    claim = some(orders.ClaimRecon, platoons=SomeOf(["cars", "cycles"]))
    claims = "claim cars, cycles|claim all|claim none|leave|claim pg1|cars"
    transcript(f"{listed(table, 'table 2 3|table 5 1|table 1 0|table 2|table 7 9')}\n{listed(claim, claims)}")


WORN = {"german": "pg1 pg depleted; pg2 pg gutted; pak40 pak40 under", "balance": (2, 0)}
SPACES: dict[str, Any] = {
    "dice": lambda state: dice_space(state, "german", []),
    "raise": lambda state: raising_space(state, "german"),
    "keep": lambda state: keeping_space(state, "german", ["a", "hmg"]),
    "exchange": lambda state: exchange_space(state, "german"),
}


@pytest.mark.rule("AOA-10.18 AOA-10.19 AOA-11.02 AOA-11.05 AOA-11.15 AOA-11.21 AOA-11.24")
@pytest.mark.parametrize(
    ("texts", "position"),
    [
        row(
            "dice", "AOA-11.02 AOA-11.05", "pg1 2; pak40: 3; buy 1|pg1 4|pg1 2; pg1 2|pg1 2; hmg 2|pg1 3|good",
            "hmg 2; pg1 many; tank 1|pg1 2; buy 1; buy 2", **WORN,
        ),
        row("raise", "AOA-11.15", "raise pg1 pg2|?", german="pg1 pg gutted; pg2 pg gutted; hmg hmg full"),
        row("raise_wrong", "AOA-11.15", "raise hmg pg2 tank", **WORN),
        row(
            "keep", "AOA-10.18 AOA-10.19",
            "lower hmg under strength; take 2 b > a|lower a depleted|leave|lower a tired|take b|hello",
            "lower a tired; take some b > a|lower a depleted; lower a gutted|take 1 b > a; take 2 b > a",
            german="a apg full transports=1; b apg full transports=3; hmg hmg full transports=2",
        ),
        row(
            "exchange", "AOA-11.21 AOA-11.24",
            "panzer for pak40 3|keep|panzer for tiger|panzer for pak40 4|?", balance=(5, 0),
            german="pg1 pg full; pg2 pg full; panzer panzer depleted",
        ),
    ],
)  # fmt: skip
def test_typed_orders_after_a_game_are_read_or_refused(
    lay: Lay, transcript: Transcript, request: pytest.FixtureRequest, texts: Any, position: Any
) -> None:
    space = SPACES[request.node.callspec.id.partition("_")[0]](lay("forces", **position).state)
    transcript(listed(space, *texts))


@pytest.mark.rule("AOA-11.24", "AOA-10.01")
def test_examples_can_be_typed(lay: Lay) -> None:
    position = {"balance": (5, 0), "german": "pg1 pg full; pg2 pg full; panzer panzer depleted"}
    space = exchange_space(lay("forces", **position).state, "german")
    assert space is not None
    assert space.is_legal(read(space, str(read(space, "?")).split(", or:", maxsplit=1)[0]))
    decision = lay("battle").play(until=ReportBattle).decision("umpire")
    example = read_order(decision, str(read_order(decision, "?", BOARD)).partition("  (")[0], BOARD)
    assert isinstance(example, ReportBattle)
    assert not example.result.short


@pytest.mark.rule("AOA-5.16", "AOA-10.01")
def test_typed_results_are_read_or_refused(lay: Lay, transcript: Transcript) -> None:
    """Lost platoons must agree with the points; a platoon without teams counts as lost, even if it is not listed."""
    decision = lay("battle").play(until=ReportBattle).decision("umpire")
    transcript(
        typed(
            lambda text: read_order(decision, text, BOARD),
            decision.options,
            "german 6-1; german lost pg1 pg2|german 6-1; german lost pg1 pg2; as said|german 4-3; german lost pg1 pg2",
            "german 6-1; german destroyed pg1 6|german 6-1; german destroyed pg1 7 pg2 7",
            "german 6-1; german destroyed pg1 4 pg2 7; german routed pg1 3",
            "german 5-2; german destroyed pg1 2; soviet routed s1 3|?",
        )
    )


def test_every_order_has_an_example_and_a_reader() -> None:
    assert {verb.kind for verb in NOTATION.verbs} == {*orders.ORDERS} - {ReportBattle}
    assert set(MISSIONS) >= {str(read(some(orders.ChangeMission, mission=OneOf(["", "cauldron"])), "?")).split(",")[0]}


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_examples_of_a_campaign_can_be_typed(scenario: str) -> None:
    tried: dict[type[Order], int] = {}
    for seed in (1, 2):
        prepared, game, stream = begun(scenario, seed)
        while not game.is_over:
            for decision in game.waiting():
                kind = accepted_kinds(decision)[0]
                hint = read_order(decision, "?", prepared.board)
                assert isinstance(hint, str), kind
                assert hint.isprintable()
                first = hint.partition("  (")[0].split(", or: ")[0]
                order = read_order(decision, first, prepared.board)
                if "see view" in first or kind in {orders.AdjustTotal, orders.ShiftTable, ReportBattle}:
                    continue
                assert decision.options.why_not(order) is None, (hint, decision.options.why_not(order))
                tried[kind] = tried.get(kind, 0) + 1
            answer(game, stream)
    assert {orders.BuildCompany, orders.ChooseForce, orders.Concede, orders.AssignDice, orders.PlaceTable} <= set(tried)


def test_ambiguous_names_are_refused() -> None:
    ids = ["pg1", "pg2", "hq_section"]
    assert (named("pg", ids), named("PG2", ids), named("hq", ids), named("", ids)) == ("", "pg2", "hq_section", "")


def test_text_with_too_many_parts_is_refused() -> None:
    with pytest.raises(IllegalOrder, match="201 parts"):
        parts_of("a;" * 201, "AOA-3.01")
