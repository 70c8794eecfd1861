"""The probability of each force that a random player chooses."""

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from every_draw import chances_of, even
from tests.plugins.axis_attack.ground import platoon
from tests.plugins.axis_attack.pools import line, pool

from axis_attack.forces.force import Forces
from axis_attack.forces.pool import Pool
from axis_attack.forces.sampling import can_form, draw_force, forces
from axis_attack.model.orders import ChooseForce
from axis_attack.model.state import Fielded
from sandtable.kernel.dice import Stream

Chances = dict[Any, Fraction]


def forces_of(given_pool: Pool) -> Chances:
    """Return the probabilities of forces by platoon, teams, upgrades, "off" or carrier, and victory points paid."""

    def named(order: ChooseForce | None) -> Hashable:
        if order is None:
            return None
        assert Forces(given_pool).why_not(order) is None
        rows = [
            (
                each.platoon,
                each.teams,
                *sorted(each.upgrades.items()),
                *["off"] * each.off_table,
                *filter(None, [each.carried_by]),
            )
            for each in order.platoons
        ]
        return (*rows, order.extra) if order.extra else tuple(rows)

    return chances_of(lambda stream: draw_force(given_pool, stream), named)


ONE = platoon("one", "combat", "infantry", "5/100")
TWO = platoon("two", "combat", "infantry", "5/100 6/150 7/200")
BATTERY = platoon("battery", "support", "artillery", "2/100", bombards=True)


@pytest.mark.rule("AOA-3.01", "AOA-3.05")
def test_drawn_force_has_each_optional_platoon_in_five_of_six() -> None:
    """The largest of three sizes has a probability of 1/2 + 1/2 * 1/3."""
    sizes = {5: Fraction(1, 6), 6: Fraction(1, 6), 7: Fraction(2, 3)}
    half, seldom = Fraction(1, 2), Fraction(1, 6)
    wanted: Chances = {(("one", 5),): half * seldom}
    for teams, chance in sizes.items():
        wanted[(("two", teams),)] = half * seldom * chance
        wanted[(("one", 5), ("two", teams))] = Fraction(5, 6) * chance
    assert forces_of(pool(line(ONE), line(TWO))) == wanted


@pytest.mark.rule("AOA-3.01", "AOA-3.02", "AOA-5.01")
def test_drawn_force_reserves_points_and_puts_half_the_guns_off_table() -> None:
    tight = pool(line(ONE), line(TWO), line(BATTERY), least=2, limit=350)
    drawn = forces_of(tight)
    small, sixth = (("one", 5), ("two", 5)), Fraction(1, 6)
    assert {rows[:2] for rows in drawn} == {small, (("one", 5), ("two", 6)), (("one", 5), ("two", 7))}
    # "two" has 200 points if it is first or second; the battery fits if "two" is small
    assert drawn[(*small, ("battery", 2))] == drawn[(*small, ("battery", 2, "off"))] == sixth * Fraction(5, 12)
    assert drawn[small] == sixth * sixth
    assert (("one", 5), ("two", 6), ("battery", 2)) not in drawn
    for none in (pool(line(ONE), line(TWO), least=2, limit=249), pool(line(ONE), least=2)):
        assert draw_force(none, Stream(b"none")) is None


@pytest.mark.rule("AOA-3.01")
@pytest.mark.parametrize("slot", ["support", "weapons", "combat"])
def test_drawn_force_keeps_the_limit_of_a_slot(slot: str) -> None:
    pair = [line(platoon(each, slot, "gun", "2/60")) for each in ("x", "y")]
    caps = {"weapons": 9, "support": 9} | ({slot: 1} if slot != "combat" else {})
    drawn = forces_of(pool(line(ONE), *pair, caps=caps, most=2 if slot == "combat" else 1, least=1))
    assert not any({("x", 2), ("y", 2), ("one", 5)} <= set(rows) for rows in drawn)
    if slot != "combat":  # one of two is allowed; each is tried with 5/6, in random order
        x, y = (("one", 5), ("x", 2)), (("one", 5), ("y", 2))
        assert drawn == {x: Fraction(35, 72), y: Fraction(35, 72), (("one", 5),): Fraction(1, 36)}
        both = forces_of(pool(line(ONE), *pair))
        assert any({("x", 2), ("y", 2), ("one", 5)} == set(rows) for rows in both)


@pytest.mark.rule("AOA-3.01")
def test_drawn_force_has_any_number_of_headquarters() -> None:
    hqs = [line(platoon(each, "hq", "infantry", "2/20")) for each in "hi"]
    drawn = forces_of(pool(line(ONE), *hqs))
    assert drawn[(("one", 5), ("h", 2), ("i", 2))] == Fraction(25, 36)
    assert drawn[(("one", 5),)] == Fraction(1, 36)


@pytest.mark.rule("AOA-3.03", "AOA-3.04", "AOA-3.08")
def test_one_drawn_force_in_three_may_pay_for_more_points() -> None:
    """Five teams cost 100 of 125 points; a victory point adds 75, which pays for seven teams (200)."""
    large = platoon("two", "combat", "infantry", "5/100 7/200")
    drawn = forces_of(pool(line(large), limit=150 + 25, balance=1))
    paid = Fraction(1, 3) * Fraction(1, 2)
    assert drawn == {(("two", 5),): 1 - paid, (("two", 5), 1): paid / 4, (("two", 7), 1): paid * 3 / 4}
    assert set(forces_of(pool(line(ONE), balance=9))) == {(("one", 5),), *((("one", 5), each) for each in (1, 2, 3))}
    # 20 points are left: up to one mortar at 15, up to two free flags
    drawn = forces_of(pool(line(ONE, mortar=15, flag=0), limit=170))
    pairs = [
        tuple(each for each in (("flag", flags), ("mortar", mortars)) if each[1])
        for flags, mortars in product(range(3), range(2))
    ]
    assert drawn == even([(("one", 5, *each),) for each in pairs])


RIDER = platoon("rider", "combat", "infantry", "5/100 7/150")
TANKS = platoon("tanks", "combat", "afv", "2/100", transport="organic", all_tanks=True, carries=3)


@pytest.mark.full
@pytest.mark.rule("AOA-3.12", "AOA-3.15", "AOA-7.05")
def test_bound_force_has_immobile_platoons_only_as_passengers() -> None:
    """Two tanks carry six teams, so five can ride and seven cannot. Carriers are drawn first."""
    bound = pool(line(RIDER, mobile=False), line(TANKS), carries=True, bound=True)
    assert forces_of(bound) == {(("tanks", 2),): Fraction(1, 6), (("rider", 5, "tanks"), ("tanks", 2)): Fraction(5, 6)}
    pair = [line(RIDER, each, mobile=False) for each in ("a", "b")]
    drawn = forces_of(pool(*pair, line(TANKS), most=3, carries=True, bound=True))
    alone = Fraction(35, 72)
    assert drawn[(("a", 5, "tanks"), ("tanks", 2))] == drawn[(("b", 5, "tanks"), ("tanks", 2))] == alone
    towed = line(platoon("rider", "support", "gun", "2/50", towed=True), mobile=False)
    assert forces_of(pool(towed, line(TANKS), carries=True, bound=True)) == {(("tanks", 2),): 1}
    lorries = line(platoon("lorries", "combat", "light_afv", "2/100", transport="organic", carries=3))
    assert (("rider", 2, "lorries"), ("lorries", 2)) in forces_of(pool(towed, lorries, carries=True, bound=True))


@pytest.mark.rule("AOA-3.10", "AOA-3.12")
def test_optional_passenger_rides_in_half_of_the_drawn_forces() -> None:
    support = replace(RIDER, slot="support")
    drawn = forces_of(pool(line(support, mobile=False), line(TANKS), carries=True))
    rides, seldom, often = Fraction(5, 12), Fraction(1, 4), Fraction(3, 4)
    assert drawn == {
        (("tanks", 2),): Fraction(1, 6),
        (("rider", 5, "tanks"), ("tanks", 2)): rides,
        (("rider", 5), ("tanks", 2)): rides * seldom,
        (("rider", 7), ("tanks", 2)): rides * often,
    }
    assert not any(
        "tanks" in row
        for rows in forces_of(pool(line(support, mobile=False), line(TANKS)))
        for row in rows
        if row[0] == "rider"
    )


SCOUT = platoon("scout", "support", "infantry", "2/50 3/80")
LORRIES = platoon("lorries", "support", "light_afv", "1/60 2/110", transport="organic", carries=3)
GUNS = platoon("guns", "weapons", "gun", "2/60", towed=True, bombards=True)
POOLS = {
    "free": pool(line(ONE, mortar=15), line(TWO), line(BATTERY), most=1, limit=330),
    "paid": pool(line(TWO), line(SCOUT, mobile=False), limit=160, balance=1),
    "carried": pool(line(RIDER, mobile=False), line(TANKS), line(GUNS, mobile=False), carries=True),
    "bound": pool(line(RIDER, mobile=False), line(LORRIES), line(GUNS, mobile=False), carries=True, bound=True),
    "two to carry": pool(
        line(SCOUT, mobile=False),
        line(TANKS),
        line(LORRIES),
        caps={"support": 1, "weapons": 0},
        carries=True,
        bound=True,
    ),
    "too dear": pool(line(ONE), line(TWO), least=2, limit=249),
    "just enough": pool(line(ONE), line(TWO), least=2, limit=175, balance=1),
    "no room": pool(line(RIDER, mobile=False), line(LORRIES, mobile=False), carries=True, bound=True),
    "just room": pool(line(RIDER, mobile=False), line(LORRIES), carries=True, bound=True, limit=260),
    "room too dear": pool(line(RIDER, mobile=False), line(LORRIES), carries=True, bound=True, limit=259),
}


def legal(given_pool: Pool) -> list[ChooseForce]:
    """Return every legal force among all orders with the sizes and names of the pool."""
    ways: list[list[Fielded | None]] = []
    for each in given_pool.lines.values():
        numbers = product(*(range(bought + 1) for bought in each.upgrades.values()))
        upgrades = [{name: many for name, many in zip(each.upgrades, row, strict=True) if many} for row in numbers]
        teams = [size.teams for size in each.kind.sizes]
        ways.append(
            [
                None,
                *(Fielded(each.id, *row) for row in product(teams, upgrades, (False, True), ("", *given_pool.lines))),
            ]
        )
    rows = [[each for each in row if each is not None] for row in product(*ways)]
    orders = [ChooseForce(row, extra) for row in rows for extra in range(4)]
    return [order for order in orders if Forces(given_pool).is_legal(order)]


@pytest.mark.rule("AOA-3.01", "AOA-3.12", "AOA-7.05", "AOA-R62")
@pytest.mark.parametrize("name", [pytest.param(it, marks=pytest.mark.full if it == "free" else ()) for it in POOLS])
def test_listed_forces_are_exactly_the_legal_forces(name: str) -> None:
    given_pool, encode = POOLS[name], msgspec.json.Encoder(order="deterministic").encode
    allowed = {encode(order) for order in legal(given_pool)}
    assert sorted(map(encode, forces(given_pool))) == sorted(allowed)
    assert can_form(given_pool) is bool(allowed)
    assert Forces(given_pool).is_empty() is not can_form(given_pool)
    assert bool(allowed) is (name not in {"too dear", "no room", "room too dear"})
