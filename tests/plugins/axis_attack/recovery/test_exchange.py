"""Exchange of support platoons."""

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from every_draw import chances_of
from tests.plugins.axis_attack.cases import Case, Lay, exchanges, result
from tests.plugins.axis_attack.ground import platoon
from tests.plugins.axis_attack.pools import GUNS, refusals
from transcripts import Transcript

from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, FULL, GUTTED, Size, Upgrade
from axis_attack.model.cards import PlatoonType as Kind
from axis_attack.model.events import PlatoonExchanged
from axis_attack.model.orders import Concede, ExchangePlatoon, Wanted
from axis_attack.recovery.exchange import Exchanges, Old
from sandtable.kernel.dice import Stream

OLD_TANKS = Kind("tanks", "Tanks", "support", "afv", (Size(3, 315), Size(4, 420)), all_tanks=True)
OLD_GUNS = Kind("guns", "Guns", "support", "gun", (Size(2, 185), Size(3, 265), Size(4, 345)))


@pytest.mark.rule("AOA-11.22", "AOA-11.24")
def test_listed_and_drawn_exchanges_are_legal() -> None:
    olds = {"p": Old("tanks", DEPLETED, 315), "g": Old("guns", GUTTED, 0)}
    space = Exchanges(olds, {"tanks": OLD_TANKS, "guns": OLD_GUNS}, {"tanks": 1, "guns": 0})
    listed = list(space.values())
    wanted = [ExchangePlatoon("p", Wanted(*each)) for each in (("tanks", 3), ("guns", 2), ("guns", 3))]
    assert listed == [ExchangePlatoon(), *wanted]
    stream = Stream(bytes(32))
    drawn = [space.sample(stream) for _ in range(300)]
    assert all(each in drawn for each in listed)
    assert all(each in listed for each in drawn)
    for order in (
        ExchangePlatoon("g", Wanted("guns", 2)),
        ExchangePlatoon("p", Wanted("guns", 4)),
        ExchangePlatoon("p"),
    ):
        assert not space.is_legal(order)


Chances = dict[Any, Fraction]


@pytest.mark.rule("AOA-11.21", "AOA-11.24")
def test_no_exchange_and_each_platoon_are_equally_likely() -> None:
    """The old platoon is worth 100 points, which pay for flak, or for guns of two sizes with upgrades."""
    guns = platoon(
        "guns", "support", "gun", "2/50 3/100", upgrades=(Upgrade("crew", "crew", 20, 2), Upgrade("flag", "flag", 0, 1))
    )
    flak = platoon("flak", "support", "gun", "1/90")
    olds = {"p": Old("flak", FULL, 90 + 10), "low": Old("guns", 1, 0)}
    space = Exchanges(olds, {"guns": replace(guns, most=2), "flak": flak}, {"flak": 1, "guns": 1})
    wanted: Chances = {("", "", 0, ()): Fraction(1, 2)}
    way = Fraction(1, 6)
    for crews, flag in product(range(3), range(2)):
        named = (*((("crew", crews),) if crews else ()), *((("flag", flag),) if flag else ()))
        wanted["p", "guns", 2, named] = way / 6
        if not crews:
            wanted["p", "guns", 3, named] = way / 2
    wanted["p", "flak", 1, ()] = way

    def named_as(order: ExchangePlatoon) -> Hashable:
        assert space.is_legal(order)
        new = order.wanted
        return (order.platoon, new.type, new.teams, tuple(sorted(new.upgrades.items()))) if new else ("", "", 0, ())

    assert chances_of(space.sample, named_as) == wanted
    assert {named_as(each) for each in space.values()} == set(wanted)
    assert len(list(space.values())) == len(wanted)


BARTER = Exchanges(
    {"p": Old("guns", DEPLETED, 80), "low": Old("guns", GUTTED, 0)},
    {each.id: each for each in (
        replace(GUNS, upgrades=(Upgrade("crew", "crew", 20, 9),), most=2), platoon("flak", "support", "gun", "1/10"),
    )},
    {"guns": 2, "flak": 1},
)  # fmt: skip


ILLEGAL: list[Any] = [
    Concede(),
    ExchangePlatoon("x"),
    ExchangePlatoon("low", Wanted("guns", 2)),
    ExchangePlatoon("p"),
    ExchangePlatoon("p", Wanted("x", 2)),
    ExchangePlatoon("p", Wanted("flak", 1)),
    ExchangePlatoon("p", Wanted("guns", 4)),
    ExchangePlatoon("p", Wanted("guns", 3)),
    ExchangePlatoon("p", Wanted("guns", 2, {"crew": 2})),
    ExchangePlatoon("p", Wanted("guns", 2, {"crew": 3})),
    ExchangePlatoon("p", Wanted("guns", 2, {"crew": 0})),
    ExchangePlatoon("p", Wanted("guns", 2, {"flag": 1})),
    ExchangePlatoon("p", Wanted("guns", 2, {"crew": 1})),
]


@pytest.mark.rule("AOA-11.21", "AOA-11.22", "AOA-11.24")
def test_illegal_exchange_is_refused_by_its_rule(transcript: Transcript) -> None:
    transcript(refusals(BARTER, *ILLEGAL))


FIT = "pg1 pg full; pg2 pg full"
IIIJ = f"{FIT}; panzer panzer depleted; cars cars full; cycles cycles gutted; hmg hmg full"


def market(lay: Lay, balance: tuple[int, int] = (12, 0), **more: object) -> Case:
    case: Case = lay("exchange", german=IIIJ, balance=balance, **more)
    return case.play(until=orders.ExchangePlatoon, by="german")


@pytest.mark.rule("AOA-11.21", "AOA-11.23", "AOA-11.25", "AOA-11.26", "AOA-R65")
def test_support_platoon_is_exchanged_for_one_of_equal_cost_or_less(lay: Lay) -> None:
    case = market(lay)
    case.play(exchanges("german", "panzer", "pak40", 3))
    new = case.platoon("panzer")
    assert (new.type, new.bought, new.level, new.transports) == ("pak40", 3, 3, 3)
    assert case.balance() == (7, 0)
    assert case.one(PlatoonExchanged).cost == 5


@pytest.mark.rule("AOA-11.22", "AOA-11.24")
def test_exchange_is_for_a_support_platoon_of_equal_value_or_less(lay: Lay) -> None:
    case = market(lay)
    for new in ("pak40 3", "stug 3", "pak38 4"):
        assert case.allows(exchanges("german", "panzer", new.split()[0], int(new[-1]))), new
    for new in ("pak40 4", "hmg 5", "pg 5", "zis3 2", "pak38 5"):
        assert not case.allows(exchanges("german", "panzer", new.split()[0], int(new[-1]))), new
    for old in ("cycles", "pg1", "hmg", "nobody"):
        assert case.why_not(exchanges("german", old, "flak", 2)) in {"AOA-11.21", "AOA-11.22"}, old


@pytest.mark.rule("AOA-11.23", "AOA-R64")
def test_exchanges_are_limited_only_by_victory_points(lay: Lay) -> None:
    case = market(lay, (11, 4))
    assert not case.expects(orders.ExchangePlatoon, "soviet")
    case.play(exchanges("german", "panzer", "pak40", 3), exchanges("german", "cars", "flak", 2))
    assert case.balance() == (1, 4)
    assert [each.platoon for each in case.events(PlatoonExchanged)] == ["panzer", "cars"]


@pytest.mark.rule("AOA-R63", "AOA-11.21")
@pytest.mark.parametrize(
    ("when", "first"), [("after_reinforcement", orders.AssignDice), ("before_reinforcement", orders.ExchangePlatoon)]
)
def test_exchange_is_before_or_after_reinforcement_by_option(lay: Lay, when: str, first: type) -> None:
    case = lay(
        "battle", german=f"{IIIJ}; x hmg gutted", balance=(9, 0), forces={"german": "pg1 7; pg2 7"}, exchange_when=when
    )
    case.battles.append(result("german", "6-1"))
    while not (case.expects(orders.AssignDice, "german") or case.expects(orders.ExchangePlatoon, "german")):
        case.game.submit(case.answer(case.pending[0]), case.pending[0].seat)
    assert case.expects(first, "german")
