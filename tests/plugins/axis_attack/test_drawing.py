"""How likely a random player draws what: each draw is followed through all ways in which it can fall."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import pytest
from every_draw import chances_of, even
from tests.plugins.axis_attack.ground import PANZERGRENADIERS, platoon

from axis_attack.forces.air import AirAllotment
from axis_attack.forces.company import Companies
from axis_attack.forces.purchases import NOTHING, draw_purchase, purchases
from axis_attack.model.cards import FULL, PlatoonType, Upgrade
from axis_attack.model.orders import BuildCompany, Concede, ExchangePlatoon, KeepMobile, Wanted
from axis_attack.model.state import AirSupport, Purchase
from axis_attack.model.tables import OFFERS
from axis_attack.recovery.exchange import Exchanges, Old
from axis_attack.recovery.mobility import Keeping, Short
from axis_attack.turn.battle import Conceding
from sandtable.kernel.options import OneOf, Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable

Chances = dict[Any, Fraction]
TYPES = PANZERGRENADIERS.types


# --- special rules ---

ABLE = {
    "smoke": ("a", "b"),  # support platoons that fire smoke (AOA-R45)
    "preregistered": ("a", "b", "m"),
}
FIELDED = {"a": TYPES["howitzers"], "pg": TYPES["pg"], "b": TYPES["howitzers"], "m": TYPES["mortars"]}
PRICES = {"smoke": 1, "night_attack": 5, "counterbattery": 3, "battalion_shoot": 3, "preregistered": 2}


def bought_with(balance: int, *, flies: bool) -> dict[str, list[list[Purchase]]]:
    """Return, by hand, what so many points buy: by kind, by number, each choice."""
    found: dict[str, list[list[Purchase]]] = {}
    for kind, price in {**PRICES, "aerial_bombardment": 7}.items():
        within = balance // price
        if kind == "aerial_bombardment" and flies:  # AOA-9.26
            continue
        if kind in ABLE:
            numbers = range(1, min(within, len(ABLE[kind])) + 1)
            ways = [[Purchase(kind, each, named) for named in combinations(ABLE[kind], each)] for each in numbers]
        else:
            ways = [
                [Purchase(kind, each)]
                for each in range(1, (within if kind == "battalion_shoot" else min(1, within)) + 1)
            ]
        if ways:
            found[kind] = ways
    return found


@pytest.mark.rule("AOA-9.03", "AOA-9.26", "AOA-R43", "AOA-R45")
@pytest.mark.parametrize("flies", [False, True])
@pytest.mark.parametrize("balance", [0, 1, 2, 3, 4, 5, 6, 7, 9])
def test_each_special_rule_within_reach_is_as_likely_as_none_then_each_number_then_each_choice(
    balance: int, flies: bool
) -> None:
    offers: dict[str, Refusal | None] = dict.fromkeys(OFFERS)
    ways = bought_with(balance, flies=flies)
    wanted = {NOTHING: Fraction(1, len(ways) + 1)}
    for numbers in ways.values():
        for choices in numbers:
            wanted |= even(choices, Fraction(1, (len(ways) + 1) * len(numbers)))
    drawn = chances_of(lambda stream: draw_purchase(stream, offers, FIELDED, balance, flies=flies), lambda it: it)
    assert drawn == wanted
    listed = list(purchases(offers, FIELDED, balance, flies=flies))
    assert listed[0] == NOTHING
    assert len(listed) == len(set(listed))
    assert set(listed) == set(wanted)


@pytest.mark.rule("AOA-9.03")
def test_what_is_not_on_sale_or_for_nobody_is_neither_drawn_nor_listed() -> None:
    shut = Refusal("AOA-9.04", "not for you")
    offers = {kind: None if kind in {"smoke", "counterbattery"} else shut for kind in OFFERS}
    none = {"pg": TYPES["pg"], "m": TYPES["mortars"]}
    drawn = chances_of(lambda stream: draw_purchase(stream, offers, none, 9, flies=False), lambda it: it)
    assert drawn == even([NOTHING, Purchase("counterbattery", 1)])
    assert list(purchases(offers, none, 9, flies=False)) == [NOTHING, Purchase("counterbattery", 1)]


# --- aircraft ---


@pytest.mark.rule("AOA-1.13", "AOA-4.01", "AOA-4.09", "AOA-R25")
@pytest.mark.parametrize(
    ("points", "levels"),
    [
        (99, {}),
        (100, {"ju87": ["sporadic"], "bf109": ["sporadic"]}),
        (149, {"ju87": ["sporadic"], "bf109": ["sporadic"]}),
        (150, {"ju87": ["sporadic", "limited"], "bf109": ["sporadic"]}),
    ],
)
def test_no_aircraft_are_as_likely_as_any_one_type_that_can_be_paid(points: int, levels: dict[str, list[str]]) -> None:
    allotment = AirAllotment(
        {"ju87": ("sporadic", "limited"), "bf109": ("sporadic",)}, {"sporadic": 100, "limited": 150}, ("ju87",)
    )
    wanted = {AirSupport(): Fraction(1, 1 + len(levels))}
    profiles = ("close_support", "superiority", "interdiction")
    for aircraft, able in levels.items():
        loads = ("bombs", "rockets") if aircraft == "ju87" else ("",)
        ways = [AirSupport(aircraft, *each) for each in product(able, profiles, loads)]
        wanted |= even(ways, Fraction(1, 1 + len(levels)))
    assert chances_of(lambda stream: allotment.draw(stream, points), lambda it: it) == wanted
    listed = list(allotment.sorties(points))
    assert (listed[0], set(listed), len(listed)) == (AirSupport(), set(wanted), len(wanted))


# --- companies ---


def of_types(order: BuildCompany) -> tuple[Any, ...]:
    """Name a company by its platoons (type, teams, upgrades) and aircraft."""
    rows = sorted((each.type, each.teams, tuple(sorted(each.upgrades.items()))) for each in order.platoons.values())
    return tuple(rows), tuple(sorted(order.aircraft.items()))


def company(types: list[PlatoonType], **more: Any) -> Companies:
    points = more.pop("points", 1000)
    found: dict[str, Any] = {
        "hq_points": 50,
        "start": (),
        "least": 1,
        "most": 2,
        "air": {},
        "air_points": {},
        "aircraft": (),
        **more,
    }
    return Companies(replace(PANZERGRENADIERS, types={each.id: each for each in types}, **found), points)


def drawn_from(space: Companies) -> Chances:
    found = chances_of(space.sample, lambda order: (space.why_not(order) is None, *of_types(order)))
    assert all(legal for legal, _, _ in found)
    return {(rows, air): chance for (_, rows, air), chance in found.items()}


COMBAT = platoon("c", "combat", "infantry", "5/100 7/200", most=2)
SUPPORT = platoon("s", "support", "gun", "2/60")
HQ = platoon("h", "hq", "infantry", "2/20")


@pytest.mark.rule("AOA-1.01")
def test_of_a_company_the_least_is_drawn_first_and_all_else_three_times_in_four() -> None:
    """Points for all of it: the second combat platoon and headquarters come or not, each for itself."""
    drawn = drawn_from(company([COMBAT, HQ]))
    wanted: Chances = {}
    for first, second, hq in product((5, 7), (5, 7, 0), (True, False)):
        rows = [("c", each, ()) for each in (first, second) if each] + [("h", 2, ())] * hq
        chance = Fraction(1, 2) * (Fraction(3, 8) if second else Fraction(1, 4)) * Fraction(3 if hq else 1, 4)
        key = (tuple(sorted(rows)), ())
        wanted[key] = wanted.get(key, Fraction(0)) + chance
    assert drawn == wanted


@pytest.mark.rule("AOA-1.01")
@pytest.mark.parametrize(("slot", "field"), [("support", "supports"), ("weapons", "weapons")])
def test_no_more_of_a_slot_are_drawn_than_the_list_has(slot: str, field: str) -> None:
    """Of two with room for one, in either order: the first with 3 in 4, else the second with 3 in 4."""
    pair = [platoon("x", slot, "gun", "2/60"), platoon("y", slot, "gun", "2/60")]
    least = platoon("c", "combat", "infantry", "5/100")
    drawn = drawn_from(company([least, *pair], **{field: 1}))
    found = {tuple(kind for kind, _, _ in rows if kind != "c"): chance for (rows, _), chance in drawn.items()}
    assert found == {("x",): Fraction(15, 32), ("y",): Fraction(15, 32), (): Fraction(1, 16)}
    both = {tuple(kind for kind, _, _ in rows if kind != "c") for rows, _ in drawn_from(company([least, *pair]))}
    assert both == {(), ("x",), ("y",), ("x", "y")}


@pytest.mark.rule("AOA-1.01")
def test_points_for_the_least_number_of_combat_platoons_are_kept_back() -> None:
    """350 for all: 50 for headquarters, 100 for each of two; so the first may be large, and the second then not."""
    drawn = drawn_from(company([COMBAT], least=2, points=350))
    small, large = ("c", 5, ()), ("c", 7, ())
    assert drawn == {((small, small), ()): Fraction(1, 4), ((small, large), ()): Fraction(3, 4)}
    assert drawn_from(company([COMBAT, SUPPORT], least=2, points=309)) == {((small, small), ()): 1}
    drawn = drawn_from(company([COMBAT, SUPPORT], least=2, points=310))
    assert drawn == {((small, small), ()): Fraction(1, 4), ((small, small, ("s", 2, ())), ()): Fraction(3, 4)}


@pytest.mark.rule("AOA-1.12", "AOA-1.14", "AOA-1.16")
def test_upgrades_and_aircraft_are_drawn_out_of_what_points_are_left() -> None:
    """After 50 and 100 there are 40 for upgrades: at most two of 15 (of three), any of two that cost nothing."""
    upgrades = (Upgrade("gun", "gun", 15, 3), Upgrade("flag", "flag", 0, 2))
    kind = platoon("c", "combat", "infantry", "5/100", upgrades=upgrades)
    drawn = drawn_from(company([kind], points=190))
    wanted = {}
    for guns, flags in product(range(3), range(3)):
        bought = (*((("gun", guns),) if guns else ()), *((("flag", flags),) if flags else ()))
        wanted[((("c", 5, tuple(sorted(bought))),), ())] = Fraction(1, 9)
    assert drawn == wanted
    prices = {"sporadic": 100, "limited": 150}
    bare = platoon("c", "combat", "infantry", "5/100")
    flown = drawn_from(company([bare], points=350, aircraft=("ju87", "bf109"), air_points=prices))
    third, half, row = Fraction(1, 3), Fraction(1, 2), ((("c", 5, ()),))
    assert flown == {
        (row, ()): third * third,
        (row, (("bf109", "sporadic"),)): third * third,
        (row, (("bf109", "limited"),)): third * third,
        (row, (("ju87", "sporadic"),)): third * half,
        (row, (("bf109", "sporadic"), ("ju87", "sporadic"))): third * half,
        (row, (("ju87", "limited"),)): third,
    }


@pytest.mark.rule("AOA-1.01", "AOA-1.05", "AOA-1.14")
@pytest.mark.parametrize("points", [349, 350, 370, 600])
def test_what_companies_are_listed_is_what_is_allowed(points: int) -> None:
    """Of one platoon of combat or two, one of two kinds of guns, headquarters, aircraft."""
    guns = platoon("guns", "support", "gun", "2/60", upgrades=(Upgrade("flag", "flag", 10),), most=2)
    types = [HQ, guns, SUPPORT, COMBAT]
    prices = {"sporadic": 100, "limited": 150}
    space = company(types, supports=1, least=2, points=points, aircraft=("ju87",), air_points=prices)
    wants = [
        Wanted("c", 5),
        Wanted("c", 7),
        Wanted("guns", 2),
        Wanted("guns", 2, {"flag": 1}),
        Wanted("s", 2),
        Wanted("h", 2),
    ]
    sets = [each for number in range(6) for each in combinations_with_replacement(wants, number)]
    air = [{}, *({"ju87": level} for level in prices)]
    orders = [BuildCompany({str(at): each for at, each in enumerate(row)}, flown) for row in sets for flown in air]
    allowed = sorted(map(of_types, filter(space.is_legal, orders)))
    assert sorted(map(of_types, space.values())) == allowed
    assert bool(allowed) is (points >= 250)


# --- after a game ---


@pytest.mark.rule("AOA-11.21", "AOA-11.24")
def test_no_exchange_is_as_likely_as_one_of_each_platoon_for_any_type_and_size() -> None:
    """An old platoon worth 100: guns of two sizes, one with upgrades of 20 (two were made) out of what is left."""
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


@pytest.mark.rule("AOA-10.18", "AOA-10.19")
def test_to_leave_it_is_as_likely_as_any_way_to_keep_a_platoon_mobile() -> None:
    """It has one transport of three, or of the two of depleted: it takes one or two of those like its own."""
    stock = {"a": ("truck", 1), "b": ("truck", 1), "c": ("truck", 2), "d": ("cart", 5)}
    space = Keeping({"a": Short(1, FULL, {2: 2, FULL: 3}, "truck")}, stock)

    def named(order: KeepMobile) -> Hashable:
        return tuple(order.lowered.items()), tuple(sorted(order.taken.items()))

    down = (("a", 2),)
    wanted = [
        ((), ()),
        (down, (("b>a", 1),)),
        (down, (("c>a", 1),)),
        ((), (("b>a", 1), ("c>a", 1))),
        ((), (("c>a", 2),)),
    ]
    assert chances_of(space.sample, named) == even(wanted)


@pytest.mark.rule("AOA-5.22")
def test_who_answers_at_random_gives_up_one_game_in_six() -> None:
    space = Conceding(Concede, {"concede": OneOf((False, True), "AOA-5.22")})
    assert chances_of(space.sample, lambda order: order.concede) == {True: Fraction(1, 6), False: Fraction(5, 6)}
