"""What an owner may do after a game, as spaces: keeping platoons mobile, exchanging, reporting."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.axis_attack.cases import result

from axis_attack.model.cards import DEPLETED, FULL, GUTTED, Size
from axis_attack.model.cards import PlatoonType as Kind
from axis_attack.model.orders import ExchangePlatoon, KeepMobile, Wanted
from axis_attack.recovery.exchange import Exchanges, Old
from axis_attack.recovery.mobility import Keeping, Short
from sandtable.kernel.dice import Stream
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import Attrition, ReportBattle

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

NEEDS = {DEPLETED: 2, FULL: 3}
KEEPING = Keeping(
    {"a": Short(1, FULL, NEEDS, "half_track"), "b": Short(1, FULL, NEEDS, "half_track")},
    {"a": ("half_track", 1), "b": ("half_track", 1), "c": ("half_track", 2), "d": ("truck", 5)},
)


def normal(order: KeepMobile) -> tuple[Any, ...]:
    return tuple(sorted(order.lowered.items())), tuple(sorted(order.taken.items()))


@pytest.mark.rule("AOA-10.18", "AOA-10.19")
def test_what_is_listed_is_what_is_allowed_and_all_of_it_is_drawn() -> None:
    """Every order with any lowering, and any vehicles between the four platoons, is tried out."""
    allowed = set()
    for low_a, low_b in product([None, DEPLETED], repeat=2):
        lowered = {name: level for name, level in (("a", low_a), ("b", low_b)) if level is not None}
        for numbers in product(range(3), range(3), range(2), range(2)):
            named = zip(("c>a", "c>b", "a>b", "b>a"), numbers, strict=True)
            order = KeepMobile(lowered, {key: number for key, number in named if number})
            if KEEPING.is_legal(order):
                allowed.add(normal(order))
    listed = [normal(each) for each in KEEPING.values()]
    assert len(listed) == len(set(listed)) == 10
    assert set(listed) == allowed
    stream = Stream(bytes(32))
    assert {normal(KEEPING.sample(stream)) for _ in range(2000)} == allowed


@pytest.mark.rule("AOA-10.17", "AOA-10.19")
@pytest.mark.parametrize(
    ("lowered", "taken"),
    [
        ({}, {"c>a": 1}),
        ({"a": DEPLETED}, {}),
        ({"a": DEPLETED}, {"c>a": 2}),
        ({}, {"d>a": 2}),
        ({}, {"c>a": 2, "c>b": 1}),
        ({}, {"c>a": 1, "a>b": 1}),
        ({}, {"c>a": True}),
        ({"a": GUTTED}, {}),
        ({"c": DEPLETED}, {}),
        ({}, {"c": 1}),
    ],
)
def test_what_does_not_help_is_refused(lowered: dict[str, int], taken: dict[str, int]) -> None:
    refusal = KEEPING.why_not(KeepMobile(lowered, taken))
    assert refusal is not None
    assert refusal.rule in {"AOA-10.17", "AOA-10.18", "AOA-10.19"}


TANKS = Kind("tanks", "Tanks", "support", "afv", (Size(3, 315), Size(4, 420)), all_tanks=True)
GUNS = Kind("guns", "Guns", "support", "gun", (Size(2, 185), Size(3, 265), Size(4, 345)))


@pytest.mark.rule("AOA-11.22", "AOA-11.24")
def test_exchanges_that_are_listed_or_drawn_are_allowed() -> None:
    olds = {"p": Old("tanks", DEPLETED, 315), "g": Old("guns", GUTTED, 0)}
    space = Exchanges(olds, {"tanks": TANKS, "guns": GUNS}, {"tanks": 1, "guns": 0})
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


@pytest.mark.rule("AOA-10.01")
def test_losses_in_short_are_refused_and_never_drawn(lay: Lay) -> None:
    case = lay("battle").play(until=ReportBattle)
    space = results_in(case.asked[0].options)
    assert space is not None
    brief = space.brief
    short = {"german": {brief.parties["german"].companies[0].parent: Attrition(1, 1)}}
    refusal = space.why_not(result("german", "6-1", short=short)(brief))
    assert refusal is not None
    assert refusal.rule == "AOA-10.01"
    assert "platoon by platoon" in refusal.reason
    stream = Stream(bytes(32))
    drawn = [space.sample(stream) for _ in range(300)]
    assert all(space.is_legal(each) and not each.short for each in drawn)
    assert any(each.conceded for each in drawn)
    assert all(not each.short for each in space.values())
