"""What the commander does with dice, vehicles and platoons: each choice by figures that are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.axis_attack.ground import GERMAN_TYPES, platoon
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import roster
from tests.plugins.axis_attack.test_drawn_forces import line, pool
from tests.plugins.axis_attack.test_reckoning import situation

from axis_attack.bots.forces import Wish, Worths, best_force
from axis_attack.bots.players import Commander, Orders, adjust, break_through, claim, wish_of
from axis_attack.bots.recovery import dice, keep_mobile
from axis_attack.forces.air import AirAllotment
from axis_attack.forces.force import Forces
from axis_attack.forces.pool import Line, Pool
from axis_attack.forces.purchases import NOTHING
from axis_attack.model.cards import DEPLETED, FULL, GERMAN, SOVIET, Upgrade
from axis_attack.model.orders import AdjustTotal, AssignDice, ChooseBreakthrough, ChooseForce, ClaimRecon, KeepMobile
from axis_attack.model.state import AirSupport, AxisState, Fielded, Purchase
from axis_attack.model.tables import OFFERS
from axis_attack.recovery.mobility import keeping_space
from axis_attack.recovery.reinforcement import dice_space
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, OneOf, Refusal, SomeOf

if TYPE_CHECKING:
    from axis_attack.bots.situation import Situation
    from sandtable.kernel.decisions import Order

TYPES = {each.id: each for each in GERMAN_TYPES}


def laid(german: str, balance: int = 0, turn: int = 8) -> tuple[AxisState, Situation]:
    """Return a campaign with a German roster, and the situation of its commander."""
    state = AxisState(options={"strength_memory": "level_size"}, turn=turn)
    state.place_board(the_board())
    state.rosters = {GERMAN: roster(state.board, GERMAN, german), SOVIET: {}}
    state.balance = {GERMAN: balance, SOVIET: 0}
    view: dict[str, Any] = {"rosters": state.rosters, "balance": state.balance}
    return state, situation(board=state.board, turn=turn, **view)


def asked(space: Any, **more: Any) -> Any:
    return SimpleNamespace(options=space, done=None, **more)


@pytest.mark.rule("AOA-11.02", "AOA-11.05", "AOA-11.09", "AOA-11.12")
@pytest.mark.parametrize(
    ("german", "balance", "turn", "bought", "shares"),
    [
        # pg1: 60 points on a 3: 40, then a third of that; tanks 105 on a 6: 17, 14, 11; machine guns 30 on a 4: 15, 7
        ("pg1 pg depleted; panzer panzer depleted; hmg hmg depleted", 0, 8, 0, {"pg1": 1, "panzer": 2, "hmg": 1}),
        # back from gutted brings 145 and 60 for a company: 136, 45, 15; two dice for each of two
        ("a pg gutted; b pg gutted", 9, 8, 0, {"a": 2, "b": 2}),
        # the fourth, fifth and sixth die bring 45 each: two are bought, not a seventh for 15
        ("a pg gutted; b pg gutted; c pg gutted", 9, 8, 2, {"a": 2, "b": 2, "c": 2}),
        ("a pg gutted; b pg gutted; c pg gutted", 1, 8, 1, {"c": 2, "b": 2, "a": 1}),
        # in the last game nothing is bought; of equals the later name comes first
        ("a pg gutted; b pg gutted; c pg gutted", 9, 9, 0, {"a": 1, "b": 1, "c": 2}),
        # out of ruins: half of 145 is 72, on a 3 that is 48, then 16: before 40 for pg1, and 13
        ("a pg destroyed; pg1 pg depleted; hmg hmg depleted", 0, 8, 0, {"a": 2, "pg1": 1, "hmg": 1}),
        # a support platoon back from gutted saves no company: 60 on a 5 is 20, then 13, 8; 15 and 7 for the others
        ("flak flak gutted; hmg hmg depleted", 0, 8, 0, {"flak": 3, "hmg": 1}),
    ],
)
def test_each_die_goes_where_it_brings_most_points(
    german: str, balance: int, turn: int, bought: int, shares: dict[str, int]
) -> None:
    state, told = laid(german, balance, turn)
    space = dice_space(state, GERMAN, [])
    assert space is not None
    order = dice(told, asked(space))
    assert order == AssignDice(bought, shares)
    assert space.why_not(order) is None


@pytest.mark.rule("AOA-10.17", "AOA-10.18", "AOA-10.19")
@pytest.mark.parametrize(
    ("german", "short", "order"),
    [
        # 265 points that move, for 190 that are left of it if lowered: better than half of 265
        ("a apg full transports=2", ["a"], KeepMobile({"a": DEPLETED})),
        # the vehicle of the depleted one leaves it with 190 / 2, but a keeps 265: against 190 and 190
        ("a apg full transports=2; b apg depleted", ["a"], KeepMobile({"a": DEPLETED})),
        # a spare vehicle costs nobody anything
        ("a apg full transports=2; b apg depleted transports=3", ["a"], KeepMobile({}, {"b>a": 1})),
        # who stands still anyhow gives what he has
        ("a apg full transports=2; b apg full transports=1 immobile", ["a"], KeepMobile({}, {"b>a": 1})),
    ],
)
def test_vehicles_are_shared_so_that_most_points_can_move(german: str, short: list[str], order: KeepMobile) -> None:
    state, told = laid(german)
    assert keep_mobile(told, asked(keeping_space(state, GERMAN, short))) == order


@pytest.mark.rule("AOA-7.04", "AOA-7.05")
@pytest.mark.parametrize(
    ("german", "sectors"),
    [
        ("a pg full; b pg full; c pg depleted", 2),
        ("a pg full; b pg full", 1),
        ("a pg full; b pg full; c pg gutted", 1),
        ("a pg full; b pg full; c pg full immobile", 1),
        ("a pg full; b pg full; panzer panzer full; cars cars full", 1),
    ],
)
def test_he_goes_two_sectors_with_a_combat_platoon_to_spare(german: str, sectors: int) -> None:
    assert break_through(laid(german)[1], asked(None)) == ChooseBreakthrough(sectors)


@pytest.mark.rule("AOA-8.05", "AOA-8.10", "AOA-8.11")
def test_he_claims_scouts_that_can_move_and_turns_totals_his_way() -> None:
    told = laid("cars cars full; cycles cycles full immobile; more cars full")[1]
    space = Form(ClaimRecon, {"platoons": SomeOf(["cars", "cycles", "more"], rule="AOA-8.05")})
    assert claim(told, asked(space)) == ClaimRecon(["cars", "more"])
    for sides, order in (((GERMAN,), (GERMAN, 1)), ((SOVIET,), (SOVIET, -1))):
        ways = [AdjustTotal(), *(AdjustTotal(side, by) for side in sides for by in (-1, 1))]
        assert adjust(told, asked(OneOf(ways, "AOA-8.10", "one"))) == AdjustTotal(*order)


def test_an_answer_that_is_not_allowed_is_replaced_by_the_usual_one_or_one_drawn() -> None:
    told = laid("pg1 pg full")[1]
    answers = Orders(the_board(), GERMAN)
    one = OneOf([ChooseBreakthrough(1)], "AOA-7.04", "one")

    def ask(space: Any, done: Order | None) -> Order:
        decision: Any = SimpleNamespace(options=space, done=done)
        return answers.answer(told, decision)

    answers.by_kind[ChooseBreakthrough] = lambda *_: ChooseBreakthrough(2)
    assert ask(one, ChooseBreakthrough(1)) == ChooseBreakthrough(1)
    assert ask(one, None) == ChooseBreakthrough(1)
    answers.by_kind[ChooseBreakthrough] = lambda *_: None
    assert ask(one, None) == ChooseBreakthrough(1)
    del answers.by_kind[ChooseBreakthrough]
    two = OneOf([ChooseBreakthrough(1), ChooseBreakthrough(2)], "AOA-7.04", "two")
    assert ask(two, ChooseBreakthrough(2)) == ChooseBreakthrough(2)


# --- forces ---


@pytest.mark.rule("AOA-11.09", "AOA-11.12")
def test_what_a_level_is_worth_is_its_points_and_what_dice_may_bring() -> None:
    """Half of four dice in six: a third of the step above; of tanks, who need a 6, a twelfth."""
    worths = Worths(the_board(), GERMAN)
    pg = [worths.value(TYPES["pg"], level) for level in (FULL, DEPLETED, 1, 0)]
    assert pg[0] == 205_000
    assert abs(pg[1] - (145_000 + 60_000 // 3)) < 60
    assert abs(pg[2] - pg[1] // 3) < 60
    assert abs(pg[3] - pg[2] // 3) < 60
    panzer = [worths.value(TYPES["panzer"], level) for level in (FULL, 3, DEPLETED, 1)]
    assert panzer[0] == 525_000
    assert abs(panzer[1] - (420_000 + 105_000 / 12)) < 60
    assert abs(panzer[2] - (315_000 + (panzer[1] - 315_000) / 12)) < 60
    assert abs(panzer[3] - panzer[2] / 12) < 200


@pytest.mark.rule("AOA-10.04", "AOA-10.09")
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
@pytest.mark.parametrize(("teams", "off"), [(3, False), (5, False), (5, True)])
def test_what_fielding_costs_is_lost_whole_or_team_by_team(side: str, teams: int, off: bool) -> None:
    """One in four of a company of 230 (exposures) times 1.9; else each team is lost with 235 in 1000 by skill."""
    board = the_board()
    skills = {GERMAN: "trained", SOVIET: "veteran"}
    board = replace(board, lists={each: replace(its, skill=skills[each]) for each, its in board.lists.items()})
    worths, kind = Worths(board, side), TYPES["panzer"]
    hit = Fraction(235 * (80 if side == SOVIET else 100) // 100, 1000)
    full = worths.value(kind, FULL)

    def after(left: int) -> int:
        """Three to five tanks: depleted, under strength (4), full; those that stayed behind are added."""
        left += 5 - teams
        return worths.value(kind, FULL if left >= 5 else 3 if left == 4 else DEPLETED if left == 3 else 1)

    chances = [comb(teams, left) * (1 - hit) ** left * hit ** (teams - left) for left in range(teams + 1)]
    piecemeal = sum(chance * (full - after(left)) for left, chance in enumerate(chances))
    whole = Fraction((3 if off else 30) * 1900 // 230, 1000)
    wanted = whole * (full - after(0)) + (1 - whole) * piecemeal
    assert abs(worths.loss(line(kind), teams, FULL, off=off) - wanted) < 40


FACTORS = {"afv": 1100, "light_afv": 1000, "infantry": 900, "gun": 1000, "artillery": 1050}


def worth_of(laid_pool: Pool, order: Any, worths: Worths, wish: Wish) -> int:
    """Return what a force weighs, by hand: points by kind, less care for losses, less the price of points."""
    total: int = -order.extra * wish.price
    for each in order.platoons:
        its = laid_pool.lines[each.platoon]
        points = its.points[each.teams] + sum(its.prices[name] * number for name, number in each.upgrades.items())
        loss = worths.loss(its, each.teams, FULL, off=each.off_table)
        total += points * FACTORS[its.kind.kind] - wish.care * loss // 1000
    air = {"sporadic": 100, "limited": 200, "priority": 300}.get(order.air.level, 0)
    return total + air * 375 * 2 // 3


RIFLES = platoon("rifles", "combat", "infantry", "5/100 7/150", upgrades=(Upgrade("gun", "gun", 15, 3),))
PANZERS = platoon("panzers", "combat", "afv", "2/200 3/300", transport="organic", all_tanks=True)
BATTERY = platoon("battery", "support", "artillery", "2/80 3/120", bombards=True)


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.05", "AOA-5.01")
@pytest.mark.parametrize("limit", [160, 190, 240, 270, 345, 480, 700])
@pytest.mark.parametrize(("care", "price", "balance"), [(0, 60_000, 0), (1000, 60_000, 3), (300, 5_000, 2)])
def test_of_two_platoons_his_force_is_the_best_there_is(limit: int, care: int, price: int, balance: int) -> None:
    worths, wish = Worths(the_board(), GERMAN), Wish(FACTORS, care, price)
    for lines in ([line(RIFLES, gun=15), line(BATTERY)], [line(RIFLES, gun=15), line(PANZERS)], [line(PANZERS)]):
        mine = pool(*lines, limit=limit, balance=balance)
        state = {each.id: SimpleNamespace(level=FULL) for each in lines}
        found = best_force(mine, state, worths, wish)
        rows = product(product(*map(_ways, lines)), range(balance + 1))
        able = [each for each in (_fielded(mine, *row) for row in rows) if each is not None]
        smallest = 50 + min(each.sizes[0].points + 15 * 2 * bool(each.upgrades) for each in lines if each.is_combat)
        if smallest > limit:
            assert found is None
            continue
        assert found is not None
        assert found in able
        if len(lines) == 1 or not balance:
            assert worth_of(mine, found, worths, wish) == max(worth_of(mine, each, worths, wish) for each in able)


def _ways(each: Line) -> list[Any]:
    upgrades = dict.fromkeys(each.upgrades, 2)
    return [None, *(Fielded(each.id, size.teams, upgrades, each.kind.bombards) for size in each.sizes)]


def _fielded(mine: Pool, row: tuple[Any, ...], extra: int) -> Any:
    order = ChooseForce([each for each in row if each is not None], extra)
    return order if Forces(mine).is_legal(order) else None


@pytest.mark.rule("AOA-9.02", "AOA-9.26", "AOA-4.01")
def test_he_buys_the_special_rule_that_is_worth_most_beyond_its_price() -> None:
    """In points of troops by a thousandth of log-odds (375 each): a night attack 250, three shoots 300, bombs 350."""
    worths, state = Worths(the_board(), GERMAN), dict.fromkeys(("rifles", "battery"), SimpleNamespace(level=FULL))
    on_sale: dict[str, Refusal | None] = dict.fromkeys(OFFERS)

    def bought(balance: int, price: int, *only: str, flown: bool = False) -> Purchase:
        offers = {kind: None if not only or kind in only else Refusal("AOA-9.04", "shut") for kind in on_sale}
        air = AirAllotment({"ju87": ("limited",)}, {"limited": 100}, ("ju87",)) if flown else AirAllotment({}, {}, ())
        smoke = platoon("battery", "support", "artillery", "2/80 3/120", bombards=True, smoke=True)
        mine = pool(line(RIFLES), line(smoke), offers=offers, balance=balance, limit=1000, air_allotment=air)
        found = best_force(mine, state, worths, Wish(FACTORS, 0, price))
        assert found is not None
        assert found.extra == 0
        assert found.air == (AirSupport("ju87", "limited", "close_support", "bombs") if flown else AirSupport())
        return found.purchase

    assert bought(20, 10_000) == Purchase("aerial_bombardment", 1)  # 131,250 - 70,000: more than all others
    assert bought(20, 10_000, flown=True) == Purchase("night_attack", 1)  # 93,750 - 50,000 before 3 x (37,500 - 30,000)
    assert bought(4, 10_000, "night_attack", "counterbattery") == Purchase("counterbattery", 1)
    assert bought(8, 5_000, "battalion_shoot") == Purchase("battalion_shoot", 2)
    assert bought(20, 5_000, "battalion_shoot") == Purchase("battalion_shoot", 3)  # more than three count no more
    assert bought(20, 12_500, "battalion_shoot") == NOTHING  # 37,500 each is what it costs
    assert bought(2, 10_000, "preregistered") == Purchase("preregistered", 1, ("battery",))
    assert bought(1, 10_000, "preregistered") == NOTHING
    assert bought(9, 10_000, "smoke") == Purchase("smoke", 1, ("battery",))
    assert bought(0, 0) == NOTHING


def test_his_wish_fades_with_the_end_and_follows_mission_and_role() -> None:
    """Care of 200 and 60,000 for a point until three games are left after this one, then a third less each time."""
    for turn, games in ((1, 3), (6, 3), (7, 2), (8, 1), (9, 0)):
        told = wish_of(situation(turn=turn))
        assert (told.care, told.price) == (200 * games // 3, 60_000 * games // 3)
    kinds = {
        ("hold_the_line", GERMAN): 1050,
        ("hold_the_line", SOVIET): 1150,
        ("cauldron", GERMAN): 950,
        ("cauldron", SOVIET): 1000,
        ("encounter", SOVIET): 950,
    }
    for (mission, attacker), infantry in kinds.items():
        assert wish_of(situation(mission=mission, attacker=attacker)).factors["infantry"] == infantry
    decision, view = asked(OneOf([ChooseBreakthrough(1)], "AOA-7.04", "one")), SimpleNamespace()
    assert Commander(GERMAN, Stream(b"plans"), the_board()).plans(decision, view) == ()  # type: ignore[arg-type]
