"""Reinforcement (chapter VII): dice and automatic levels."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, assigns, breaks_through, raises, result
from tests.plugins.axis_attack.positions import campaign
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.model import events, orders
from axis_attack.model.events import DiceBought, PlatoonRaised, PlatoonReinforced
from axis_attack.recovery.reinforcement import dice_space, raising_space


@pytest.mark.rule("AOA-11.02", "AOA-11.15", "AOA-11.17", "AOA-11.18", "AOA-R60")
def test_raised_levels_use_the_dice_of_the_turn_first() -> None:
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
    assert raising_space(campaign("a pg full"), "german") is None  # one combat platoon, and it needs no raise
    assert raising_space(campaign("a flak gutted; b pg depleted; c pg gutted; d pg depleted"), "german") is None


@pytest.mark.rule("AOA-11.02", "AOA-11.17", "AOA-11.18")
@pytest.mark.parametrize(
    ("german", "raised", "assigned", "expected"),
    [
        ("a pg destroyed; b pg destroyed; x hmg gutted", ("a", "b"), {}, (4, 0)),
        ("a pg gutted; b pg full", ("a",), {}, (4, 0)),
        ("a pg gutted; b pg full; x hmg gutted", ("a",), {"bought": 1, "x": 4}, (5, 1)),
        ("a pg full; b pg full; x hmg gutted", (), {"x": 4}, (4, 0)),
    ],
)
def test_dice_of_a_turn_include_bought_dice(
    lay: Lay, german: str, raised: tuple[str, ...], assigned: dict[str, int], expected: tuple[int, int]
) -> None:
    case = lay("reinforcement", german=german, balance=(1 if assigned.get("bought") else 0, 0))
    case.play(*([raises("german", *raised)] if raised else []), *([assigns("german", **assigned)] if assigned else []))
    bought = case.one(events.DiceBought, side="german")
    assert (bought.dice, bought.bought) == expected
    more = (("bought", expected[1], "AOA-11.02"),) if expected[1] else ()
    assert [each.steps for each in bought.calculations or ()] == [(("dice of the turn", 4, "AOA-11.02"), *more)]
    assert case.balance() == (0, 0)
    assert case.events(events.DiceBought, side="soviet") == []


FIT = "pg1 pg full; pg2 pg full"
WORN = "pg1 pg destroyed; pg2 pg gutted; pg3 pg gutted; x hmg gutted"
MOVED = "a apg full; b apg full; pg1 pg full immobile transports=0; pg2 pg full; panzer panzer full"


def needs(kind: str, least: int) -> list[Any]:
    """Return a row for each face; a depleted platoon of this kind rises on ``least`` or more."""
    rules = "11.06 11.07 11.09 11.10 11.11 11.12 R58 R59 R12"
    higher = {"pg": "full strength", "knackers": "full strength", "cars": "full strength"}.get(kind, "under strength")
    return [
        row(
            rules, f"{kind} {die}", assigns("german", x=4), at="reinforcement", german=f"{FIT}; x {kind} depleted",
            dice={"reinforce:german:x": f"1+{die}+1+1"}, levels=f"x {higher if die >= least else 'depleted'}",
        )
        for die in range(1, 7)
    ]  # fmt: skip


def rises(rules: str, name: str, german: str, faces: str, levels: str, platoon: str = "x", **words: Any) -> Any:
    """Return a row of four dice for one platoon."""
    dice = {f"reinforce:german:{platoon}": faces}
    answers = [assigns("german", **{platoon: 4})]
    return row(rules, name, *answers, at="reinforcement", german=german, dice=dice, levels=levels, **words)


def success(level: str, after: str) -> Any:
    found = {PlatoonReinforced: [{"dice": [6, 6, 6, 6]}]}
    return rises("11.06 11.07", level, f"{FIT}; x hmg {level}", "6+6+6+6", f"x {after}", each=found)


def tanks(die: int, level: str) -> Any:
    return row("11.09 11.12", f"tanks_of_the_line {die}", assigns("soviet", t1=4), at="reinforcement",
               soviet="t1 tankovy depleted; t2 tankovy full", dice={"reinforce:soviet:t1": f"{die}+{die}+1+2"},
               levels=f"t1 {level}")  # fmt: skip


def refuses(rules: str, name: str, german: str, until: Any, *wrong: Any, legal: Any = (), **words: Any) -> Any:
    return row(rules, name, at="reinforcement", german=german, until=until, wrong=wrong, legal=legal, **words)


def advanced(name: str, force: str, sectors: int, immobile: list[str]) -> Any:
    answers = (result("german", "6-1"), breaks_through("german", sectors))
    return row("11.19 11.20 R52", name, *answers, mission="breakthrough", german=MOVED, forces={"german": force},
               immobile=immobile)  # fmt: skip


NO_DICE = [assigns("german", **dice) for dice in ({"x": -1}, {"x": 5}, {"nobody": 1}, {"scouts": 1})]
RAISED = {PlatoonRaised: [{"dice": 1}, {"dice": 1}]}


@pytest.mark.rule(
    "AOA-1.04 AOA-11.01 AOA-11.02 AOA-11.03 AOA-11.04 AOA-11.05 AOA-11.06 AOA-11.07 AOA-11.08 AOA-11.09 AOA-11.10"
    " AOA-11.11 AOA-11.12 AOA-11.14 AOA-11.15 AOA-11.16 AOA-11.17 AOA-11.18 AOA-11.19 AOA-11.20 AOA-R04 AOA-R08"
    " AOA-R12 AOA-R52 AOA-R58 AOA-R59 AOA-R60 AOA-R61"
)
@pytest.mark.parametrize(
    "case",
    [
        *needs("pg", 3), *needs("hmg", 4), *needs("knackers", 4),
        *needs("pak40", 5), *needs("cars", 5), *needs("panzer", 6),
        tanks(3, "depleted"),
        tanks(4, "under strength"),
        success("destroyed", "gutted"),
        success("gutted", "depleted"),
        success("depleted", "under strength"),
        success("under", "full strength"),
        rises("11.07 R08", "without_a_level_between", "pg1 pg depleted; pg2 pg full", "1+3+2+1", "pg1 full strength",
              "pg1"),
        rises("11.08 1.04", "up_to_the_level_bought",
              f"{FIT}; x hmg depleted bought=depleted; y hmg gutted bought=depleted", "6+1+1+1",
              "y depleted", "y", until=orders.AssignDice,
              wrong=[assigns("german", x=4), assigns("german", pg1=1, y=3)]),
        row("11.02 R04", "a_die_for_each_point", assigns("german", 2, x=4, y=2), at="reinforcement",
            german=f"{FIT}; x hmg gutted; y pak40 gutted", balance=(3, 0), until=orders.AssignDice,
            dice={"reinforce:german:x": "1+1+1+6", "reinforce:german:y": "1+5"},
            wrong=[(assigns("german", x=4, y=1), "11.02 11.05"), (assigns("german", x=3), "11.02 11.05"),
                   assigns("german", 4, x=4, y=4), assigns("german", -1, x=3)],
            left=(1, 0), levels="x depleted; y depleted", each={DiceBought: [{"side": "german", "dice": 6}]}),
        refuses("11.02 11.05", "dice_that_do_not_exist", f"{FIT}; x hmg gutted", orders.AssignDice, *NO_DICE),
        row("11.01 11.03 11.04", "platoon_that_did_not_fight", result("german", "6-1"), assigns("german", x=4),
            german=f"{FIT}; x hmg gutted", forces={"german": "pg1 7; pg2 7"},
            dice={"reinforce:german:x": "1+4+1+1"}, levels="x depleted"),
        row("11.14 11.15 11.17 11.18 R61", "two_raised", raises("german", "pg2", "pg3"), assigns("german", pg1=1, x=1),
            at="reinforcement", german=WORN, dice={"reinforce:german:pg1": "6", "reinforce:german:x": "4"},
            levels="pg1 gutted; pg2 depleted; pg3 depleted; x depleted", each=RAISED),
        row("11.16 11.17 R60", "raised_by_two_levels", raises("german", "pg1", "pg2"), at="reinforcement",
            german="pg1 pg destroyed; pg2 pg destroyed; pg3 pg destroyed; x hmg gutted",
            levels="pg1 depleted; pg2 depleted; pg3 destroyed; x gutted",
            each={PlatoonRaised: [{"dice": 2}, {"dice": 2}], PlatoonReinforced: []}),
        refuses("11.14 11.15", "only_combat_platoons_below_depleted",
                "pg1 pg full; pg2 pg gutted; pg3 pg gutted; x hmg gutted", orders.RaisePlatoons,
                *(raises("german", *each.split()) for each in ("pg2 pg3", "x", "pg1", "pg2 pg2", "nobody")),
                legal=[raises("german", "pg2"), raises("german", "pg3")]),
        row("11.15", "company_with_two_has_no_decision", at="reinforcement",
            german="pg1 pg depleted; pg2 pg depleted; pg3 pg gutted", levels="pg3 gutted", each={PlatoonRaised: []}),
        advanced("fought_and_advanced", "a 7; b 7; pg1 7 on=panzer; panzer 5", 2, ["pg1"]),
        advanced("rested", "a 7; b 7", 2, []),
        advanced("no_advance", "a 7; b 7; pg1 7 on=panzer; panzer 5", 1, []),
        row("11.20", "turn_without_an_advance", result("soviet", "6-1"), german=MOVED,
            forces={"german": "pg1 7; pg2 7"}, immobile=[]),
    ],
)  # fmt: skip
def test_reinforcement_follows_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-11.05")
def test_all_dice_are_assigned_before_any_is_rolled(lay: Lay) -> None:
    soviet = "t1 tankovy full; t2 tankovy gutted; t3 tankovy full"
    case = lay("reinforcement", german=f"{FIT}; x hmg gutted", soviet=soviet).play(until=orders.AssignDice)
    assert sorted(each.side for each in case.pending) == ["german", "soviet"]
    case.game.submit(orders.AssignDice(0, {"x": 4}), "german")
    assert case.rolls("reinforce") == []
    case.play(assigns("soviet", t2=4))
    assert case.rolls("reinforce:german") == case.rolls("reinforce:soviet") == [(1, 1, 1, 1)]


@pytest.mark.rule("AOA-11.13")
def test_independent_headquarters_teams_are_not_in_a_roster(lay: Lay) -> None:
    """Their losses last only for a game."""
    case = lay("battle").play(result("soviet", "6-1"))
    assert all(each.type != "hq" for each in case.state.rosters["german"].values())
