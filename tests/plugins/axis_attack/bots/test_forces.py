"""Forces of the commander: the value of levels, expected losses and the best force."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from types import SimpleNamespace
from typing import Any

import pytest
from tests.plugins.axis_attack.ground import GERMAN_TYPES, platoon
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.pools import line, pool

from axis_attack.bots.forces import PlatoonValues, Preferences, best_force
from axis_attack.forces.air import AirAllotment
from axis_attack.forces.force import Forces
from axis_attack.forces.pool import Line, Pool
from axis_attack.forces.purchases import NOTHING
from axis_attack.model.cards import DEPLETED, FULL, GERMAN, SOVIET, Upgrade
from axis_attack.model.orders import ChooseForce
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.model.tables import OFFERS
from sandtable.kernel.options import Refusal

TYPES = {each.id: each for each in GERMAN_TYPES}


@pytest.mark.rule("AOA-11.09", "AOA-11.12")
def test_level_value_is_its_points_and_expected_dice() -> None:
    """A level adds a third of the step to the next one, half of 4/6; for tanks, which need a 6, a twelfth."""
    values = PlatoonValues(the_board(), GERMAN)
    pg = [values.value(TYPES["pg"], level) for level in (FULL, DEPLETED, 1, 0)]
    assert pg[0] == 205_000
    assert abs(pg[1] - (145_000 + 60_000 // 3)) < 60
    assert abs(pg[2] - pg[1] // 3) < 60
    assert abs(pg[3] - pg[2] // 3) < 60
    panzer = [values.value(TYPES["panzer"], level) for level in (FULL, 3, DEPLETED, 1)]
    assert panzer[0] == 525_000
    assert abs(panzer[1] - (420_000 + 105_000 / 12)) < 60
    assert abs(panzer[2] - (315_000 + (panzer[1] - 315_000) / 12)) < 60
    assert abs(panzer[3] - panzer[2] / 12) < 200


@pytest.mark.rule("AOA-10.04", "AOA-10.09")
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
@pytest.mark.parametrize(("teams", "off"), [(3, False), (5, False), (5, True)])
def test_expected_loss_is_a_lost_platoon_or_single_teams(side: str, teams: int, off: bool) -> None:
    """A platoon is lost completely with exposure * 1.9 / 230. In other cases each team is lost with 0.235, by skill."""
    board = the_board()
    skills = {GERMAN: "trained", SOVIET: "veteran"}
    board = replace(board, lists={each: replace(its, skill=skills[each]) for each, its in board.lists.items()})
    values, kind = PlatoonValues(board, side), TYPES["panzer"]
    hit = Fraction(235 * (80 if side == SOVIET else 100) // 100, 1000)
    full = values.value(kind, FULL)

    def after(left: int) -> int:
        """Return the value of the tanks that are left, plus those not fielded: 3 depleted, 4 under strength, 5 full."""
        left += 5 - teams
        return values.value(kind, FULL if left >= 5 else 3 if left == 4 else DEPLETED if left == 3 else 1)

    chances = [comb(teams, left) * (1 - hit) ** left * hit ** (teams - left) for left in range(teams + 1)]
    piecemeal = sum(chance * (full - after(left)) for left, chance in enumerate(chances))
    whole = Fraction((3 if off else 30) * 1900 // 230, 1000)
    wanted = whole * (full - after(0)) + (1 - whole) * piecemeal
    assert abs(values.loss(line(kind), teams, FULL, off=off) - wanted) < 40


FACTORS = {"afv": 1100, "light_afv": 1000, "infantry": 900, "gun": 1000, "artillery": 1050}


def worth_of(laid_pool: Pool, order: Any, values: PlatoonValues, preferences: Preferences) -> int:
    """Return the value of a force, computed by hand: points by kind, minus weighted losses and victory points."""
    total: int = -order.extra * preferences.price
    for each in order.platoons:
        its = laid_pool.lines[each.platoon]
        points = its.points[each.teams] + sum(its.prices[name] * number for name, number in each.upgrades.items())
        loss = values.loss(its, each.teams, FULL, off=each.off_table)
        total += points * FACTORS[its.kind.kind] - preferences.care * loss // 1000
    air = {"sporadic": 100, "limited": 200, "priority": 300}.get(order.air.level, 0)
    return total + air * 375 * 2 // 3


RIFLES = platoon("rifles", "combat", "infantry", "5/100 7/150", upgrades=(Upgrade("gun", "gun", 15, 3),))
PANZERS = platoon("panzers", "combat", "afv", "2/200 3/300", transport="organic", all_tanks=True)
BATTERY = platoon("battery", "support", "artillery", "2/80 3/120", bombards=True)


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.05", "AOA-5.01")
@pytest.mark.parametrize("limit", [160, 190, 240, 270, 345, 480, 700])
@pytest.mark.parametrize(("care", "price", "balance"), [(0, 60_000, 0), (1000, 60_000, 3), (300, 5_000, 2)])
def test_force_of_two_platoons_is_optimal(limit: int, care: int, price: int, balance: int) -> None:
    values, preferences = PlatoonValues(the_board(), GERMAN), Preferences(FACTORS, care, price)
    for lines in ([line(RIFLES, gun=15), line(BATTERY)], [line(RIFLES, gun=15), line(PANZERS)], [line(PANZERS)]):
        mine = pool(*lines, limit=limit, balance=balance)
        state = {each.id: SimpleNamespace(level=FULL) for each in lines}
        found = best_force(mine, state, values, preferences)
        rows = product(product(*map(_ways, lines)), range(balance + 1))
        able = [each for each in (_fielded(mine, *row) for row in rows) if each is not None]
        smallest = 50 + min(each.sizes[0].points + 15 * 2 * bool(each.upgrades) for each in lines if each.is_combat)
        if smallest > limit:
            assert found is None
            continue
        assert found is not None
        assert found in able
        if len(lines) == 1 or not balance:
            assert worth_of(mine, found, values, preferences) == max(
                worth_of(mine, each, values, preferences) for each in able
            )


def _ways(each: Line) -> list[Any]:
    upgrades = dict.fromkeys(each.upgrades, 2)
    return [None, *(Fielded(each.id, size.teams, upgrades, each.kind.bombards) for size in each.sizes)]


def _fielded(mine: Pool, row: tuple[Any, ...], extra: int) -> Any:
    order = ChooseForce([each for each in row if each is not None], extra)
    return order if Forces(mine).is_legal(order) else None


@pytest.mark.rule("AOA-9.02", "AOA-9.26", "AOA-4.01")
def test_commander_buys_the_most_profitable_special_rule() -> None:
    """The gains are those of SR-1 in thousandths of log-odds, each worth 0.375 points: 250, 3 * 100, 350."""
    values, state = (
        PlatoonValues(the_board(), GERMAN),
        dict.fromkeys(("rifles", "battery"), SimpleNamespace(level=FULL)),
    )
    on_sale: dict[str, Refusal | None] = dict.fromkeys(OFFERS)

    def bought(balance: int, price: int, *only: str, flown: bool = False) -> Purchase:
        offers = {kind: None if not only or kind in only else Refusal("AOA-9.04", "shut") for kind in on_sale}
        air = AirAllotment({"ju87": ("limited",)}, {"limited": 100}, ("ju87",)) if flown else AirAllotment({}, {}, ())
        smoke = platoon("battery", "support", "artillery", "2/80 3/120", bombards=True, smoke=True)
        mine = pool(line(RIFLES), line(smoke), offers=offers, balance=balance, limit=1000, air_allotment=air)
        found = best_force(mine, state, values, Preferences(FACTORS, 0, price))
        assert found is not None
        assert found.extra == 0
        assert found.air == (AirSupport("ju87", "limited", "close_support", "bombs") if flown else AirSupport())
        return found.purchase

    assert bought(20, 10_000) == Purchase("aerial_bombardment", 1)  # 131,250 - 70,000 is the greatest gain
    assert bought(20, 10_000, flown=True) == Purchase("night_attack", 1)  # 93,750 - 50,000 before 3 x (37,500 - 30,000)
    assert bought(4, 10_000, "night_attack", "counterbattery") == Purchase("counterbattery", 1)
    assert bought(8, 5_000, "battalion_shoot") == Purchase("battalion_shoot", 2)
    assert bought(20, 5_000, "battalion_shoot") == Purchase("battalion_shoot", 3)  # the model counts at most three
    assert bought(20, 12_500, "battalion_shoot") == NOTHING  # the gain of 37,500 each equals the cost
    assert bought(2, 10_000, "preregistered") == Purchase("preregistered", 1, ("battery",))
    assert bought(1, 10_000, "preregistered") == NOTHING
    assert bought(9, 10_000, "smoke") == Purchase("smoke", 1, ("battery",))
    assert bought(0, 0) == NOTHING
