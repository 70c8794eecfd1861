"""Chapter VII: dice for the worn, automatic levels, mobility regained, and the exchange of support platoons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.axis_attack.cases import Case, assigns, exchanges, goes_on, raises, result

from axis_attack.model import orders
from axis_attack.model.events import DiceBought, PlatoonExchanged, PlatoonRaised, PlatoonReinforced

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

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


# --- automatic levels ---

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


# --- mobility regained ---

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


# --- exchange ---

IIIJ = f"{FIT}; panzer panzer depleted; cars cars full; cycles cycles gutted; hmg hmg full"


def market(lay: Lay, balance: tuple[int, int] = (12, 0), **more: object) -> Case:
    case: Case = lay("exchange", german=IIIJ, balance=balance, **more)
    return case.play(until=orders.ExchangePlatoon, by="german")


@pytest.mark.rule("AOA-11.21", "AOA-11.23", "AOA-11.25", "AOA-11.26", "AOA-R65")
def test_a_support_platoon_is_exchanged_for_one_that_costs_no_more(lay: Lay) -> None:
    case = market(lay)
    case.play(exchanges("german", "panzer", "pak40", 3))
    new = case.platoon("panzer")
    assert (new.type, new.bought, new.level, new.transports) == ("pak40", 3, 3, 3)
    assert case.balance() == (7, 0)
    assert case.one(PlatoonExchanged).cost == 5


@pytest.mark.rule("AOA-11.24")
@pytest.mark.parametrize(
    ("kind", "teams", "legal"),
    [
        ("pak40", 4, False),
        ("pak40", 3, True),
        ("stug", 3, True),
        ("pak38", 4, True),
        ("hmg", 5, False),
        ("pg", 5, False),
        ("zis3", 2, False),
        ("pak38", 5, False),
    ],
)
def test_worth_is_the_present_one_and_the_new_platoon_is_support_of_the_list(
    lay: Lay, kind: str, teams: int, legal: bool
) -> None:
    assert market(lay).allows(exchanges("german", "panzer", kind, teams)) is legal


@pytest.mark.rule("AOA-11.22")
@pytest.mark.parametrize("platoon", ["cycles", "pg1", "hmg", "nobody"])
def test_only_a_support_platoon_that_is_at_least_depleted(lay: Lay, platoon: str) -> None:
    assert market(lay).why_not(exchanges("german", platoon, "flak", 2)) in {"AOA-11.21", "AOA-11.22"}


@pytest.mark.rule("AOA-11.23", "AOA-R64")
def test_as_often_as_it_can_be_paid(lay: Lay) -> None:
    case = market(lay, (11, 4))
    assert not case.asks(orders.ExchangePlatoon, "soviet")
    case.play(exchanges("german", "panzer", "pak40", 3), exchanges("german", "cars", "flak", 2))
    assert case.balance() == (1, 4)
    assert [each.platoon for each in case.events(PlatoonExchanged)] == ["panzer", "cars"]


@pytest.mark.rule("AOA-R63", "AOA-11.21")
@pytest.mark.parametrize(
    ("when", "first"), [("after_reinforcement", orders.AssignDice), ("before_reinforcement", orders.ExchangePlatoon)]
)
def test_before_or_after_the_dice(lay: Lay, when: str, first: type) -> None:
    case = lay(
        "battle", german=f"{IIIJ}; x hmg gutted", balance=(9, 0), forces={"german": "pg1 7; pg2 7"}, exchange_when=when
    )
    case.battles.append(result("german", "6-1"))
    while not (case.asks(orders.AssignDice, "german") or case.asks(orders.ExchangePlatoon, "german")):
        case.game.submit(case.answer(case.asked[0]), case.asked[0].seat)
    assert case.asks(first, "german")
