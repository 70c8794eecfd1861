"""Typed orders and their refusals."""

from collections.abc import Callable
from typing import Any

import pytest
from refused import assert_all_named, reasons
from tests.plugins.axis_attack.cases import kinds_wanted
from tests.plugins.axis_attack.ground import board as ground
from tests.plugins.axis_attack.positions import fielded
from tests.plugins.axis_attack.seen import SCENARIOS, answer, begun

from axis_attack.forces.company import Companies, starting_force
from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, MISSIONS
from axis_attack.model.orders import BuildCompany, ChooseForce, Wanted
from axis_attack.model.state import AirSupport, AxisState, Fielded, Purchase
from axis_attack.recovery.exchange import exchange_space
from axis_attack.recovery.mobility import keeping_space
from axis_attack.recovery.reinforcement import dice_space, raising_space
from axis_attack.ui.parsing import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, OneOf, Range, SomeOf, Space
from sandtable.rules.notation.names import named
from sandtable.rules.notation.tokens import parts_of
from sandtable.tabletop.result import PlatoonLosses, ReportBattle

BOARD = ground()


def read(space: Space, text: str, done: Order | None = None) -> Any:
    return read_order(Decision("german", "?", space, "AOA-3.01", done=done), text, BOARD)


def why_not(space: Space, text: str) -> str:
    with pytest.raises(IllegalOrder) as refused:
        read(space, text)
    assert refused.value.rule
    return refused.value.reason


def refusal(space: Space, text: str) -> str:
    """Return why an order that can be read is not allowed."""
    found = space.why_not(read(space, text))
    assert found is not None
    return f"{found.rule} {found.reason}"


def some(order: type[Any], **fields: Any) -> Form:
    return Form(order, fields)


@pytest.fixture
def force(lay: Callable[..., Any]) -> Callable[..., Any]:
    """Return the space of a German force."""

    def of(**position: Any) -> Any:
        case = lay("forces", **position).play(until=orders.ChooseForce, by="german")
        return case.decision("german").options

    return of


@pytest.mark.rule("AOA-3.05", "AOA-3.08", "AOA-5.01")
def test_a_force_is_written_platoon_by_platoon(force: Any) -> None:
    space = force(balance=(3, 0))
    order = read(space, "pg1; pg2 5; hmg 3; howitzers off; extra 1")
    assert order == ChooseForce(fielded("pg1 7 light_mortar; pg2 5; hmg 3; howitzers 4 off"), 1)
    assert space.is_legal(order)
    assert read(space, "pg1 bare\npg2 5  # by the road") == ChooseForce(fielded("pg1 7; pg2 5"))


def test_upgrades_are_all_that_fit_or_those_named(force: Any) -> None:
    space = force(german="t1 pg full light_mortar=1; pg2 pg full; pg3 pg full")
    assert read(space, "t1; pg2").platoons[0].upgrades == {"light_mortar": 1}
    assert read(space, "t1 7 light; pg2").platoons[0].upgrades == {"light_mortar": 1}
    assert read(space, "t1 7 with light_mortar=1; pg2").platoons[0].upgrades == {"light_mortar": 1}
    assert read(space, "t1 7 bare; pg2").platoons[0].upgrades == {}
    assert "AOA-1.02" in refusal(space, "t1 7 cupola; pg2")
    assert "AOA-3.08" in refusal(space, "t1 7 light_mortar=3; pg2")


@pytest.mark.rule("AOA-9.03", "AOA-9.17")
def test_special_rules_are_bought_in_words(force: Any) -> None:
    space = force(mission="hold_the_line", balance=(9, 9))
    base = "pg1 5 bare; pg2 5; howitzers 4; "
    for text, bought in (
        ("buy night_attack", Purchase("night_attack", 1)),
        ("buy night attack", Purchase("night_attack", 1)),
        ("buy smoke for howitzers", Purchase("smoke", 1, ("howitzers",))),
        ("buy battalion_shoot 2 at the farm, the ford", Purchase("battalion_shoot", 2, (), ("the farm", "the ford"))),
        ("buy counterbattery", Purchase("counterbattery", 1)),
    ):
        order = read(space, base + text)
        assert order.purchase == bought
        assert space.is_legal(order), text
    assert "tea is no special rule" in why_not(space, base + "buy tea")
    assert "write how many" in why_not(space, base + "buy battalion_shoot the farm")
    assert "AOA-9.04" in refusal(space, base + "buy smoke pak40")


@pytest.mark.rule("AOA-4.01", "AOA-1.13")
def test_air_support_is_the_most_that_was_bought_if_nothing_is_said(force: Any) -> None:
    space = force(tweak=lambda state: state.aircraft.update({"german": {"ju87": "limited"}}))
    base = "pg1 5 bare; pg2 5; "
    assert read(space, base + "air ju87").air == AirSupport("ju87", "limited", "close_support", "bombs")
    its = read(space, base + "air ju sporadic inter rockets")
    assert its.air == AirSupport("ju87", "sporadic", "interdiction", "rockets")
    assert space.is_legal(its)
    assert read(space, base + "air none").air == AirSupport()
    assert "fast is no level, profile or load" in why_not(space, base + "air ju87 fast")
    assert "AOA-1.12" in refusal(space, base + "air spitfire")


@pytest.mark.rule("AOA-3.12", "AOA-3.15")
def test_who_is_carried_rides_on(force: Any) -> None:
    space = force(
        mission="breakthrough", german="pg1 pg full; pg2 pg full immobile; panzer panzer full; pak40 pak40 full"
    )
    order = read(space, "pg1 5; pg2 5 on panzer; panzer 3")
    assert order.platoons[1] == Fielded("pg2", 5, {}, False, "panzer")
    assert space.is_legal(order)


@pytest.mark.rule("AOA-3.07", "AOA-3.02")
def test_what_cannot_be_fielded_is_refused_by_its_rule(force: Any) -> None:
    space = force(
        german="pg1 pg full; pg2 pg full; hmg hmg gutted; panzer panzer full; pak40 pak40 full; stug stug full"
    )
    assert "AOA-3.07 hmg (hmg) is gutted" in refusal(space, "pg1; pg2; hmg")
    assert "AOA-3.01 tigers is not in the roster" in refusal(space, "tigers 3; pg1")
    assert "AOA-3.02 the force costs" in refusal(space, "pg1; pg2; panzer; pak40; stug")
    assert "say what" in why_not(space, "pg1; extra")
    assert "x is no number of victory points" in why_not(space, "pg1; extra x")


@pytest.mark.parametrize("text", ["good", "1", "hello", ""])
def test_other_words_are_left_to_the_menu(force: Any, text: str) -> None:
    assert read(force(), text) is None


def companies() -> tuple[Companies, BuildCompany]:
    company = BOARD.lists["german"]
    return Companies(company, BOARD.points), starting_force(company)


@pytest.mark.rule("AOA-1.01", "AOA-1.02")
def test_a_starting_force_is_the_lists_own_or_changed_or_new() -> None:
    space, start = companies()
    assert read(space, "start", start) == start
    changed = read(space, "start; drop cars ju87; howitzers howitzers 3; air ju87 sporadic", start)
    assert set(changed.platoons) == {"pg1", "pg2", "hmg", "howitzers"}
    assert changed.aircraft == {"ju87": "sporadic"}
    assert space.is_legal(changed)
    new = read(space, "a pg 7 light_mortar\nb pg\nair ju87 limited", start)
    assert new == BuildCompany({"a": Wanted("pg", 7, {"light_mortar": 1}), "b": Wanted("pg", 5)}, {"ju87": "limited"})
    assert space.is_legal(new)


def test_what_is_wrong_with_a_starting_force_is_told_with_its_place() -> None:
    space, start = companies()
    for text, reason in (
        ("a pg 7\nb tiger 3", "line 2: b tiger 3: tiger is no type of the list"),
        ("a pg 7; a pg 5", "a is written twice"),
        ("start; drop tigers", "tigers is no platoon or aircraft so far"),
        ("a pg 7; b", "write ID TYPE TEAMS"),
        ("a pg 7 light_mortar=many", "many is no number of light_mortar"),
    ):
        with pytest.raises(IllegalOrder) as refused:
            read(space, text, start)
        assert reason in refused.value.reason
    assert read(space, "hello", start) is None


@pytest.mark.parametrize(
    ("kind", "text", "order"),
    [
        (orders.AdjustTotal, "german +1", orders.AdjustTotal("german", 1)),
        (orders.AdjustTotal, "Soviet -1", orders.AdjustTotal("soviet", -1)),
        (orders.AdjustTotal, "leave", orders.AdjustTotal()),
        (orders.ChangeMission, "Hold the Line", orders.ChangeMission("hold_the_line")),
        (orders.ChangeMission, "break", orders.ChangeMission("breakthrough")),
        (orders.ChangeMission, "none", orders.ChangeMission()),
        (orders.ShiftTable, "east 1 south 2", orders.ShiftTable(1, 2)),
        (orders.ShiftTable, "shift west, north 2", orders.ShiftTable(-1, -2)),
        (orders.ShiftTable, "leave", orders.ShiftTable()),
        (orders.Concede, "play", orders.Concede()),
        (orders.Concede, "Concede", orders.Concede(True)),
        (orders.ChooseBreakthrough, "two", orders.ChooseBreakthrough(2)),
        (orders.ChooseBreakthrough, "one sector", orders.ChooseBreakthrough(1)),
    ],
)
def test_short_answers(kind: type[Order], text: str, order: Order) -> None:
    space = some(kind, any=Range(0, 1))
    assert read(space, text) == order
    assert read(space, "good morning") is None


@pytest.mark.rule("AOA-8.21", "AOA-R42")
def test_the_table_is_named_by_its_corner_counted_from_one() -> None:
    space = some(orders.PlaceTable, column=Range(0, 3), row=Range(0, 4))
    assert read(space, "table 2 3") == orders.PlaceTable(1, 2)
    assert "column 5 is not from 1 to 4" in why_not(space, "table 5 1")
    assert "row 0 is not from 1 to 5" in why_not(space, "table 1 0")
    assert "name column and row" in why_not(space, "table 2")
    assert "say how far" in why_not(some(orders.ShiftTable, any=Range(0, 1)), "east 1 up 2")


@pytest.mark.rule("AOA-8.04")
def test_platoons_are_claimed_and_raised_by_name() -> None:
    claim = some(orders.ClaimRecon, platoons=SomeOf(["cars", "cycles"]))
    assert read(claim, "claim cars, cycles") == orders.ClaimRecon(["cars", "cycles"])
    assert read(claim, "claim all") == orders.ClaimRecon(["cars", "cycles"])
    assert read(claim, "claim none") == read(claim, "leave") == orders.ClaimRecon([])
    assert "pg1 is no platoon that can be named here" in why_not(claim, "claim pg1")
    assert read(claim, "cars") is None


def state_of(lay: Callable[..., Any], **position: Any) -> AxisState:
    state = lay("forces", **position).state
    assert isinstance(state, AxisState)
    return state


@pytest.mark.rule("AOA-11.02", "AOA-11.05")
def test_dice_are_written_by_platoon(lay: Callable[..., Any]) -> None:
    state = state_of(lay, german="pg1 pg depleted; pg2 pg gutted; pak40 pak40 under", balance=(2, 0))
    space = dice_space(state, "german", [])
    assert space is not None
    order = read(space, "pg1 2; pak40: 3; buy 1")
    assert order == orders.AssignDice(1, {"pg1": 2, "pak40": 3})
    assert space.is_legal(order)
    assert read(space, "pg1 4") == orders.AssignDice(0, {"pg1": 4})
    assert "twice" in why_not(space, "pg1 2; pg1 2")
    assert "hmg is no platoon that can be reinforced" in why_not(space, "pg1 2; hmg 2")
    assert "AOA-11.05" in refusal(space, "pg1 3")
    assert read(space, "good") is None


@pytest.mark.rule("AOA-11.15")
def test_platoons_are_raised(lay: Callable[..., Any]) -> None:
    state = state_of(lay, german="pg1 pg gutted; pg2 pg gutted; hmg hmg full")
    space = raising_space(state, "german")
    assert space is not None
    assert read(space, "raise pg1 pg2") == orders.RaisePlatoons(["pg1", "pg2"])
    assert str(read(space, "?")) == "raise pg1 pg2, or: raise none"


@pytest.mark.rule("AOA-10.18", "AOA-10.19")
def test_platoons_are_kept_mobile(lay: Callable[..., Any]) -> None:
    state = state_of(lay, german="a apg full transports=1; b apg full transports=3; hmg hmg full transports=2")
    space = keeping_space(state, "german", ["a", "hmg"])
    order = read(space, "lower hmg under strength; take 2 b > a")
    assert order == orders.KeepMobile({"hmg": 3}, {"b>a": 2})
    assert space.is_legal(order)
    assert read(space, "lower a depleted").lowered == {"a": DEPLETED}
    assert read(space, "leave") == orders.KeepMobile()
    assert "tired is no level" in why_not(space, "lower a tired")
    assert "write lower pg1 depleted" in why_not(space, "take b")
    assert read(space, "hello") is None


@pytest.mark.rule("AOA-11.21", "AOA-11.24")
def test_a_platoon_is_exchanged_for_another(lay: Callable[..., Any]) -> None:
    space = exchange_space(
        state_of(lay, balance=(5, 0), german="pg1 pg full; pg2 pg full; panzer panzer depleted"), "german"
    )
    assert space is not None
    order = read(space, "panzer for pak40 3")
    assert order == orders.ExchangePlatoon("panzer", Wanted("pak40", 3))
    assert space.is_legal(order)
    assert read(space, "keep") == orders.ExchangePlatoon()
    assert "tiger is no support platoon of the list" in why_not(space, "panzer for tiger")
    assert "AOA-11.24" in refusal(space, "panzer for pak40 4")
    told = str(read(space, "?"))
    assert space.is_legal(read(space, told.split(", or:", maxsplit=1)[0]))


@pytest.mark.rule("AOA-5.16", "AOA-10.01")
def test_a_six_to_one_of_who_lost_two_platoons_is_questioned(lay: Callable[..., Any]) -> None:
    decision = lay("battle").play(until=ReportBattle).decision("umpire")
    text = "german 6-1; german lost pg1 pg2"
    with pytest.raises(IllegalOrder, match=r"german lost 2 platoons \(pg1, pg2\), by which it is 4-3, and not 6-1"):
        read_order(decision, text, BOARD)
    assert decision.options.why_not(read_order(decision, f"{text}; as said", BOARD)) is None
    assert read_order(decision, "german 4-3; german lost pg1 pg2", BOARD)
    assert read_order(decision, "german 6-1; german destroyed pg1 6", BOARD)


@pytest.mark.rule("AOA-10.01")
@pytest.mark.parametrize("told", ["destroyed pg1 7 pg2 7", "destroyed pg1 4 pg2 7; german routed pg1 3"])
def test_platoons_of_which_nothing_is_left_must_be_told_as_lost(lay: Callable[..., Any], told: str) -> None:
    """So that nobody keeps a six to one by not calling them so."""
    decision = lay("battle").play(until=ReportBattle).decision("umpire")
    refused = decision.options.why_not(read_order(decision, f"german 6-1; german {told}", BOARD))
    assert "pg1.lost: no team is left, so it counts as lost" in str(refused)


@pytest.mark.rule("AOA-10.01")
def test_results_are_typed_platoon_by_platoon(lay: Callable[..., Any]) -> None:
    decision = lay("battle").play(until=ReportBattle).decision("umpire")
    order = read_order(decision, "german 5-2; german destroyed pg1 2; soviet routed s1 3", BOARD)
    assert isinstance(order, ReportBattle)
    assert order.result.platoons == {"german": {"pg1": PlatoonLosses(2)}, "soviet": {"s1": PlatoonLosses(0, 3)}}
    told = str(read_order(decision, "?", BOARD))
    example = read_order(decision, told.partition("  (")[0], BOARD)
    assert isinstance(example, ReportBattle)
    assert not example.result.short


def test_every_order_has_an_example_and_a_reader() -> None:
    assert {verb.kind for verb in NOTATION.verbs} == {*orders.ORDERS} - {ReportBattle}
    assert set(MISSIONS) >= {str(read(some(orders.ChangeMission, mission=OneOf(["", "cauldron"])), "?")).split(",")[0]}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_examples_of_a_whole_campaign_may_be_typed_as_they_stand(scenario: str) -> None:
    tried: dict[type[Order], int] = {}
    for seed in (1, 2):
        prepared, game, stream = begun(scenario, seed)
        while not game.is_over:
            for decision in game.waiting():
                kind = kinds_wanted(decision)[0]
                told = read_order(decision, "?", prepared.board)
                assert isinstance(told, str), kind
                assert told.isprintable()
                first = told.partition("  (")[0].split(", or: ")[0]
                order = read_order(decision, first, prepared.board)
                if "see view" in first or kind in {orders.AdjustTotal, orders.ShiftTable, ReportBattle}:
                    continue
                assert decision.options.why_not(order) is None, (told, decision.options.why_not(order))
                tried[kind] = tried.get(kind, 0) + 1
            answer(game, stream)
    assert {orders.BuildCompany, orders.ChooseForce, orders.Concede, orders.AssignDice, orders.PlaceTable} <= set(tried)


def test_names_that_fit_two_are_no_names() -> None:
    ids = ["pg1", "pg2", "hq_section"]
    assert (named("pg", ids), named("PG2", ids), named("hq", ids), named("", ids)) == ("", "pg2", "hq_section", "")


def test_a_text_of_very_many_parts_is_refused() -> None:
    with pytest.raises(IllegalOrder, match="201 parts"):
        parts_of("a;" * 201, "AOA-3.01")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pg1; extra some; buy victory", ["some is no number of victory points", "victory is no special rule"]),
        ("pg1 7 light_mortar=x cupola=y", ["x is no number of light_mortar", "y is no number of cupola"]),
        ("pg1 7 light_mortar=1 light=1", ["light_mortar is named twice"]),
        ("pg1; extra 1; extra 2", ["extra is written twice"]),
        ("pg1; buy night_attack; buy smoke pg1", ["buy is written twice"]),
        ("pg1; air none; air ju_87d", ["air is written twice"]),
        ("pg1 on pg2 on pg3", ["on is written twice"]),
        ("pg1; air ju_87d limited sporadic", ["sporadic is a second level"]),
        ("pg1; air ju_87d fast slow", ["fast is no level", "slow is no level"]),
        ("pg1; extra; buy", ["say what: extra 1", "say what: extra 1"]),
    ],
)
def test_all_that_is_wrong_with_a_force_is_told_and_nothing_is_lost(force: Any, text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read(force(balance=(3, 0)), text)), wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a tiger 3; b lion 2; c pg 7", ["tiger is no type of the list", "lion is no type of the list"]),
        ("start; drop tigers lions", ["tigers is no platoon", "lions is no platoon"]),
        ("a pg 7 light_mortar=x light_mortar=y", ["x is no number", "y is no number"]),
        ("a pg 7 light_mortar light_mortar", ["light_mortar is named twice"]),
        ("air ju87 limited; air ju87 sporadic", ["air ju87 is written twice"]),
        ("a pg 7; start", ["start comes first"]),
    ],
)
def test_all_that_is_wrong_with_a_starting_force_is_told(text: str, wrong: list[str]) -> None:
    space, start = companies()
    assert_all_named(reasons(lambda: read(space, text, start)), wrong)


def test_all_that_is_wrong_with_lists_of_platoons_is_told(lay: Callable[..., Any]) -> None:
    state = state_of(lay, german="pg1 pg depleted; pg2 pg gutted; pak40 pak40 under", balance=(2, 0))
    dice, raising = dice_space(state, "german", []), raising_space(state, "german")
    assert dice is not None
    assert raising is not None
    for space, text, wrong in (
        (dice, "hmg 2; pg1 many; tank 1", ["hmg is no platoon", "many is no number of dice", "tank is no platoon"]),
        (dice, "pg1 2; buy 1; buy 2", ["buy is named twice"]),
        (raising, "raise hmg pg2 tank", ["hmg is no platoon", "tank is no platoon"]),
    ):
        assert_all_named(reasons(lambda space=space, text=text: read(space, text)), wrong)  # type: ignore[misc]
    state = state_of(lay, german="a apg full transports=1; b apg full transports=3; hmg hmg full transports=2")
    keeping = keeping_space(state, "german", ["a", "hmg"])
    for text, wrong in (
        ("lower a tired; take some b > a", ["tired is no level", "some is no number of vehicles"]),
        ("lower a depleted; lower a gutted", ["a is named twice"]),
        ("take 1 b > a; take 2 b > a", ["b>a is named twice"]),
    ):
        assert_all_named(reasons(lambda text=text: read(keeping, text)), wrong)  # type: ignore[misc]
    table = some(orders.PlaceTable, column=Range(0, 3), row=Range(0, 3))
    assert_all_named(reasons(lambda: read(table, "table 7 9")), ["column 7 is not from 1 to 4", "row 9 is not from"])
