"""Reinforcement (chapter VII): dice and automatic levels."""

import pytest
from tests.plugins.axis_attack.cases import Lay, assigns, goes_on, raises, result
from tests.plugins.axis_attack.positions import campaign

from axis_attack.model import events, orders
from axis_attack.model.events import DiceBought, PlatoonRaised, PlatoonReinforced
from axis_attack.recovery.reinforcement import dice_space, raising_space


@pytest.mark.rule("AOA-11.02", "AOA-11.15", "AOA-11.17", "AOA-11.18", "AOA-R60")
def test_levels_raised_take_their_dice_from_the_turns_and_only_then_from_points() -> None:
    state = campaign("a pg destroyed; b pg destroyed; c pg gutted; x hmg gutted; y hmg full")
    state.balance["german"] = 2
    space = raising_space(state, "german")
    assert space is not None
    assert space.is_legal(orders.RaisePlatoons(["a", "b"]))
    assert space.is_legal(orders.RaisePlatoons(["c"]))
    assert not space.is_legal(orders.RaisePlatoons(["a", "b", "c"]))
    for raised, bought, dice, allowed in (
        ([], 0, {"x": 4}, True),
        ([], 2, {"x": 6}, True),
        ([], 3, {"x": 7}, False),
        (["c"], 0, {"x": 3}, True),
        (["c"], 0, {"x": 2, "c": 1}, False),
        (["a", "c"], 0, {"b": 1}, True),
        (["a", "c"], 0, {"x": 2}, False),
        (["a", "b"], 0, {}, True),
        (["a", "b"], 1, {"x": 1}, True),
        (["a", "b"], 1, {"x": 2}, False),
        ([], 0, {"y": 4}, False),
    ):
        form = dice_space(state, "german", raised)
        assert form is not None
        assert form.is_legal(orders.AssignDice(bought, dice)) is allowed, (raised, bought, dice)
    state.balance["german"] = 0
    assert dice_space(state, "german", ["a", "b"]) is None
    assert dice_space(state, "german", ["a", "c"]) is not None
    assert dice_space(campaign("a pg full; b pg full"), "german", []) is None
    assert raising_space(campaign("a pg full; b pg gutted; x hmg gutted"), "german") is not None
    assert raising_space(campaign("a pg full"), "german") is None  # one, but nobody to raise
    assert raising_space(campaign("a flak gutted; b pg depleted; c pg gutted; d pg depleted"), "german") is None


@pytest.mark.rule("AOA-11.02", "AOA-11.17", "AOA-11.18")
@pytest.mark.parametrize(
    ("german", "raised", "assigned", "told"),
    [
        ("a pg destroyed; b pg destroyed; x hmg gutted", ("a", "b"), {}, (4, 0)),
        ("a pg gutted; b pg full", ("a",), {}, (4, 0)),
        ("a pg gutted; b pg full; x hmg gutted", ("a",), {"bought": 1, "x": 4}, (5, 1)),
        ("a pg full; b pg full; x hmg gutted", (), {"x": 4}, (4, 0)),
    ],
)
def test_the_dice_of_a_turn_are_told_with_those_bought(
    lay: Lay, german: str, raised: tuple[str, ...], assigned: dict[str, int], told: tuple[int, int]
) -> None:
    case = lay("reinforcement", german=german, balance=(1 if assigned.get("bought") else 0, 0))
    case.play(*([raises("german", *raised)] if raised else []), *([assigns("german", **assigned)] if assigned else []))
    bought = case.one(events.DiceBought, side="german")
    assert (bought.dice, bought.bought) == told
    more = (("bought", told[1], "AOA-11.02"),) if told[1] else ()
    assert [each.steps for each in bought.calculations or ()] == [(("of the turn", 4, "AOA-11.02"), *more)]
    assert case.balance() == (0, 0)
    assert case.events(events.DiceBought, side="soviet") == []


FIT = "pg1 pg full; pg2 pg full"


@pytest.mark.rule(
    "AOA-11.06", "AOA-11.07", "AOA-11.09", "AOA-11.10", "AOA-11.11", "AOA-11.12", "AOA-R58", "AOA-R59", "AOA-R12"
)
@pytest.mark.parametrize(
    ("row", "needs"),
    [
        ("x pg depleted", 3),
        ("x hmg depleted", 4),
        ("x knackers depleted", 4),
        ("x pak40 depleted", 5),
        ("x cars depleted", 5),
        ("x panzer depleted", 6),
    ],
)
def test_what_each_kind_of_platoon_needs(lay: Lay, row: str, needs: int) -> None:
    for die in range(1, 7):
        case = lay("reinforcement", german=f"{FIT}; {row}", dice={"reinforce:german:x": f"1+{die}+1+1"})
        before = case.platoon("x").level
        case.play(assigns("german", x=4))
        assert (case.platoon("x").level > before) is (die >= needs), die


@pytest.mark.rule("AOA-11.09", "AOA-11.12")
@pytest.mark.parametrize(("die", "level"), [(3, "depleted"), (4, "under strength")])
def test_tanks_of_the_line_need_four(lay: Lay, die: int, level: str) -> None:
    case = lay(
        "reinforcement", soviet="t1 tankovy depleted; t2 tankovy full", dice={"reinforce:soviet:t1": f"{die}+{die}+1+2"}
    )
    assert case.play(assigns("soviet", t1=4)).level("t1") == level


@pytest.mark.rule("AOA-11.06", "AOA-11.07")
@pytest.mark.parametrize(
    ("level", "after"),
    [("destroyed", "gutted"), ("gutted", "depleted"), ("depleted", "under strength"), ("under", "full strength")],
)
def test_one_success_raises_by_one_level_and_more_do_no_more(lay: Lay, level: str, after: str) -> None:
    case = lay("reinforcement", german=f"{FIT}; x hmg {level}", dice={"reinforce:german:x": "6+6+6+6"})
    case.play(assigns("german", x=4))
    assert case.level("x") == after
    assert case.one(PlatoonReinforced).dice == [6, 6, 6, 6]


@pytest.mark.rule("AOA-11.07", "AOA-R08")
def test_without_a_level_between_depleted_rises_to_full(lay: Lay) -> None:
    case = lay("reinforcement", german="pg1 pg depleted; pg2 pg full", dice={"reinforce:german:pg1": "1+3+2+1"})
    case.play(assigns("german", pg1=4))
    assert case.level("pg1") == "full strength"


@pytest.mark.rule("AOA-11.08", "AOA-1.04")
def test_never_above_the_level_bought(lay: Lay) -> None:
    german = f"{FIT}; x hmg depleted bought=depleted; y hmg gutted bought=depleted"
    case = lay("reinforcement", german=german, dice={"reinforce:german:y": "6+1+1+1"}).play(until=orders.AssignDice)
    assert case.why_not(assigns("german", x=4))
    assert case.why_not(assigns("german", pg1=1, y=3))
    case.play(assigns("german", y=4))
    assert case.level("y") == "depleted"


@pytest.mark.rule("AOA-11.02", "AOA-R04")
def test_four_dice_and_one_for_each_point(lay: Lay) -> None:
    german = f"{FIT}; x hmg gutted; y pak40 gutted"
    dice = {"reinforce:german:x": "1+1+1+6", "reinforce:german:y": "1+5"}
    case = lay("reinforcement", german=german, balance=(3, 0), dice=dice).play(until=orders.AssignDice)
    assert case.why_not(assigns("german", x=4, y=1)) in {"AOA-11.02", "AOA-11.05"}
    assert case.why_not(assigns("german", x=3)) in {"AOA-11.02", "AOA-11.05"}
    assert case.why_not(assigns("german", 4, x=4, y=4))
    assert case.why_not(assigns("german", -1, x=3))
    case.play(assigns("german", 2, x=4, y=2))
    assert case.balance() == (1, 0)
    assert case.one(DiceBought, side="german").dice == 6
    assert case.level("x", "y") == "depleted, depleted"


@pytest.mark.rule("AOA-11.02", "AOA-11.05")
@pytest.mark.parametrize("dice", [{"x": -1}, {"x": 5}, {"nobody": 1}, {"scouts": 1}])
def test_dice_that_do_not_exist_are_not_assigned(lay: Lay, dice: dict[str, int]) -> None:
    case = lay("reinforcement", german=f"{FIT}; x hmg gutted").play(until=orders.AssignDice)
    assert case.why_not(("german", orders.AssignDice(0, dice)))


@pytest.mark.rule("AOA-11.01", "AOA-11.03", "AOA-11.04")
def test_any_platoon_may_have_them_also_one_that_did_not_fight(lay: Lay) -> None:
    case = lay(
        "battle",
        german=f"{FIT}; x hmg gutted",
        forces={"german": "pg1 7; pg2 7"},
        dice={"reinforce:german:x": "1+4+1+1"},
    )
    case.play(result("german", "6-1"), assigns("german", x=4))
    assert case.level("x") == "depleted"


@pytest.mark.rule("AOA-11.05")
def test_all_are_assigned_before_any_falls(lay: Lay) -> None:
    case = lay(
        "reinforcement", german=f"{FIT}; x hmg gutted", soviet="t1 tankovy full; t2 tankovy gutted; t3 tankovy full"
    )
    case.play(until=orders.AssignDice)
    assert sorted(each.side for each in case.asked) == ["german", "soviet"]
    case.game.submit(orders.AssignDice(0, {"x": 4}), "german")
    assert case.rolls("reinforce") == []
    case.play(assigns("soviet", t2=4))
    assert case.rolls("reinforce:german") == [(1, 1, 1, 1)]
    assert case.rolls("reinforce:soviet") == [(1, 1, 1, 1)]


@pytest.mark.rule("AOA-11.13")
def test_independent_teams_of_the_headquarters_are_replaced_free(lay: Lay) -> None:
    """They stand in no roster: nothing of them can be lost for longer than a game."""
    case = lay("battle").play(result("soviet", "6-1"))
    assert all(each.type != "hq" for each in case.state.rosters["german"].values())


WORN = "pg1 pg destroyed; pg2 pg gutted; pg3 pg gutted; x hmg gutted"


@pytest.mark.rule("AOA-11.14", "AOA-11.15", "AOA-11.17", "AOA-11.18", "AOA-R61")
def test_two_combat_platoons_are_raised_to_depleted_a_die_each(lay: Lay) -> None:
    case = lay("reinforcement", german=WORN, dice={"reinforce:german:pg1": "6", "reinforce:german:x": "4"})
    case.play(raises("german", "pg2", "pg3"), until=orders.AssignDice, by="german")
    assert case.why_not(assigns("german", pg1=2, x=1))
    assert case.why_not(assigns("german", pg2=2))
    case.play(assigns("german", pg1=1, x=1))
    assert [each.dice for each in case.events(PlatoonRaised)] == [1, 1]
    assert case.level("pg1", "pg2", "pg3", "x") == "gutted, depleted, depleted, depleted"


@pytest.mark.rule("AOA-11.16", "AOA-11.17", "AOA-R60")
def test_only_so_a_platoon_rises_by_two_levels(lay: Lay) -> None:
    german = "pg1 pg destroyed; pg2 pg destroyed; pg3 pg destroyed; x hmg gutted"
    case = lay("reinforcement", german=german).play(raises("german", "pg1", "pg2"))
    assert case.level("pg1", "pg2", "pg3", "x") == "depleted, depleted, destroyed, gutted"
    assert [each.dice for each in case.events(PlatoonRaised)] == [2, 2]
    assert case.rolls("reinforce") == []


@pytest.mark.rule("AOA-11.14", "AOA-11.15")
@pytest.mark.parametrize("wrong", [("pg2", "pg3"), ("x",), ("pg1",), ("pg2", "pg2"), ("nobody",)])
def test_only_combat_platoons_below_depleted_and_only_up_to_two(lay: Lay, wrong: tuple[str, ...]) -> None:
    case = lay("reinforcement", german="pg1 pg full; pg2 pg gutted; pg3 pg gutted; x hmg gutted").play(
        until=orders.RaisePlatoons
    )
    assert case.why_not(raises("german", *wrong))
    assert case.allows(raises("german", "pg2"))
    assert case.allows(raises("german", "pg3"))


@pytest.mark.rule("AOA-11.15")
def test_a_company_with_two_is_not_asked(lay: Lay) -> None:
    case = lay("reinforcement", german="pg1 pg depleted; pg2 pg depleted; pg3 pg gutted")
    case.play()
    assert case.level("pg3") == "gutted"
    assert case.events(PlatoonRaised) == []


MOVED = "a apg full; b apg full; pg1 pg full immobile; pg2 pg full"


@pytest.mark.rule("AOA-11.19", "AOA-11.20", "AOA-R52")
@pytest.mark.parametrize(
    ("force", "sectors", "immobile"),
    [
        ("a 7; b 7; pg1 7 on=panzer; panzer 5", 2, ["pg1"]),
        ("a 7; b 7", 2, []),
        ("a 7; b 7; pg1 7 on=panzer; panzer 5", 1, []),
    ],
    ids=["fought and advanced", "rested", "no advance"],
)
def test_immobile_platoons_recover(lay: Lay, force: str, sectors: int, immobile: list[str]) -> None:
    german = f"{MOVED}; panzer panzer full"
    case = lay(
        "battle",
        mission="breakthrough",
        german=german.replace("immobile", "immobile transports=0"),
        forces={"german": force},
    )
    case.play(result("german", "6-1"), goes_on("german", sectors))
    assert case.immobile() == immobile


@pytest.mark.rule("AOA-11.20")
def test_any_turn_without_such_an_advance_restores_them(lay: Lay) -> None:
    case = lay("battle", german=MOVED, forces={"german": "pg1 7; pg2 7"}).play(result("soviet", "6-1"))
    assert case.immobile() == []
