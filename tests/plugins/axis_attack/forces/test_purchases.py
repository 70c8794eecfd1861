"""Special rules bought with victory points."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from every_draw import chances_of, even
from tests.plugins.axis_attack.cases import Case, Lay, chooses
from tests.plugins.axis_attack.ground import PANZERGRENADIERS
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.forces.purchases import NOTHING, draw_purchase, purchases
from axis_attack.model import orders
from axis_attack.model.state import AirSupport, AxisState, Purchase
from axis_attack.model.tables import OFFERS
from sandtable.kernel.options import Refusal
from sandtable.tabletop.result import ReportBattle

TYPES = PANZERGRENADIERS.types
ABLE = {
    "smoke": ("a", "b"),  # support platoons that fire smoke (AOA-R45)
    "preregistered": ("a", "b", "m"),
}
FIELDED = {"a": TYPES["howitzers"], "pg": TYPES["pg"], "b": TYPES["howitzers"], "m": TYPES["mortars"]}
PRICES = {"smoke": 1, "night_attack": 5, "counterbattery": 3, "battalion_shoot": 3, "preregistered": 2}


def bought_with(balance: int, *, flies: bool) -> dict[str, list[list[Purchase]]]:
    """Return the possible purchases, computed by hand: choices by number, by kind."""
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
def test_affordable_kinds_and_no_purchase_are_equally_likely(balance: int, flies: bool) -> None:
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
def test_unavailable_rules_are_neither_drawn_nor_listed() -> None:
    shut = Refusal("AOA-9.04", "not for you")
    offers = {kind: None if kind in {"smoke", "counterbattery"} else shut for kind in OFFERS}
    none = {"pg": TYPES["pg"], "m": TYPES["mortars"]}
    drawn = chances_of(lambda stream: draw_purchase(stream, offers, none, 9, flies=False), lambda it: it)
    assert drawn == even([NOTHING, Purchase("counterbattery", 1)])
    assert list(purchases(offers, none, 9, flies=False)) == [NOTHING, Purchase("counterbattery", 1)]


HOME = {"german": "pg1 7; pg2 7; howitzers 4; mortars 6", "soviet": "t1 5; t2 5; guns 4"}
GERMAN = (
    "pg1 pg full; pg2 pg full; howitzers howitzers full; mortars mortars full; cars cars full; extra howitzers full"
)
DEFENSIVE = ("fighting_withdrawal", "hold_the_line", "trench_fight")
SMOKE = Purchase("smoke", 1, ("howitzers",))
NIGHT = Purchase("night_attack", 1)
COUNTER = Purchase("counterbattery", 1)
SHOOT = Purchase("battalion_shoot", 1, (), ("the mill, turn 3",))
REGISTERED = Purchase("preregistered", 1, ("howitzers",))
BOMBS = Purchase("aerial_bombardment", 1)


def desk(
    lay: Lay, mission: str = "hold_the_line", attacker: str = "german", balance: tuple[int, int] = (20, 20)
) -> Case:
    case: Case = lay("forces", german=GERMAN, mission=mission, attacker=attacker, balance=balance)
    return case.play(until=orders.ChooseForce)


def buys(case: Case, side: str, purchase: Purchase) -> str:
    """Return the rule against a purchase, or "" if it is legal."""
    return case.why_not(chooses(side, HOME[side], 0, purchase))


def bought(lay: Lay, side: str, purchase: Purchase, attacker: str = "german") -> Case:
    """Buy a special rule, and continue to the brief."""
    return desk(lay, attacker=attacker).play(chooses(side, HOME[side], 0, purchase), until=ReportBattle)


@pytest.mark.rule("AOA-9.04", "AOA-9.07", "AOA-9.16", "AOA-9.22", "AOA-9.25")
@pytest.mark.parametrize(
    ("purchase", "who"),
    [
        (SMOKE, "attacker"),
        (NIGHT, "attacker"),
        (BOMBS, "attacker"),
        (REGISTERED, "defender"),
        (SHOOT, "both"),
        (COUNTER, "both"),
    ],
    ids=lambda value: getattr(value, "kind", value),
)
def test_special_rules_of_a_defensive_battle_belong_to_a_role(lay: Lay, purchase: Purchase, who: str) -> None:
    for mission in DEFENSIVE:
        attacking = desk(lay, mission, "german")
        defending = desk(lay, mission, "soviet")
        assert (buys(attacking, "german", purchase) == "") is (who in {"attacker", "both"})
        assert (buys(defending, "german", purchase) == "") is (who in {"defender", "both"})


@pytest.mark.rule("AOA-9.04", "AOA-9.07", "AOA-9.09", "AOA-9.16", "AOA-9.22", "AOA-9.25")
@pytest.mark.parametrize("mission", ["breakthrough", "encounter", "cauldron"])
def test_other_missions_allow_only_counterbattery(lay: Lay, mission: str) -> None:
    case = desk(lay, mission)
    assert [
        each.kind for each in (SMOKE, NIGHT, COUNTER, SHOOT, REGISTERED, BOMBS) if buys(case, "german", each) == ""
    ] == ["counterbattery"]


@pytest.mark.rule("AOA-9.02", "AOA-9.05", "AOA-9.08", "AOA-9.15", "AOA-9.21", "AOA-9.24", "AOA-9.27")
@pytest.mark.parametrize(
    ("purchase", "attacker", "price"),
    [
        (SMOKE, "german", 1),
        (NIGHT, "german", 5),
        (COUNTER, "german", 3),
        (SHOOT, "german", 3),
        (REGISTERED, "soviet", 2),
        (BOMBS, "german", 7),
    ],
    ids=lambda value: getattr(value, "kind", value),
)
def test_price_is_paid_immediately(lay: Lay, purchase: Purchase, attacker: str, price: int) -> None:
    case = bought(lay, "german", purchase, attacker=attacker)
    assert case.balance() == (20 - price, 20)
    assert case.state.forces["german"].purchase.kind == purchase.kind
    short = desk(lay, attacker=attacker, balance=(price - 1, 0))
    assert buys(short, "german", purchase)


@pytest.mark.rule("AOA-9.21", "AOA-R43")
def test_each_of_several_shoots_has_a_target(lay: Lay) -> None:
    three = Purchase("battalion_shoot", 3, (), ("the mill, turn 2", "the ford, turn 3", "the ford, turn 4"))
    case = desk(lay, balance=(9, 0))
    assert case.allows(chooses("german", HOME["german"], 0, three))
    assert case.why_not(chooses("german", HOME["german"], 0, Purchase("battalion_shoot", 3, (), ("the mill, turn 2",))))
    assert case.why_not(chooses("german", HOME["german"], 1, three))  # costs ten points of nine
    case.play(chooses("german", HOME["german"], 0, three), until=ReportBattle)
    assert case.balance() == (0, 0)
    assert case.brief().parties["german"].extras == {"battalion_shoot": 3}


@pytest.mark.rule("AOA-9.24", "AOA-R43")
def test_price_is_paid_per_platoon(lay: Lay) -> None:
    case = desk(lay, attacker="soviet")
    both = Purchase("preregistered", 2, ("howitzers", "mortars"))
    assert buys(case, "german", Purchase("preregistered", 1, both.platoons))
    assert buys(case, "german", Purchase("preregistered", 2, ("howitzers",)))
    case.play(chooses("german", HOME["german"], 0, both), until=ReportBattle)
    assert case.balance() == (16, 20)
    assert case.brief().parties["german"].extras == {"preregistered": 2}


def refuses(rules: str, name: str, *wrong: Purchase, attacker: str = "german", rule: str = "") -> Any:
    answers = [(chooses("german", HOME["german"], 0, each), rule) for each in wrong]
    return row(rules, name, at="forces", german=GERMAN, mission="hold_the_line", attacker=attacker, balance=(20, 20),
               until=orders.ChooseForce, wrong=answers)  # fmt: skip


@pytest.mark.rule("AOA-9.03 AOA-9.04 AOA-9.22 AOA-R43 AOA-R45")
@pytest.mark.parametrize(
    "case",
    [
        # weapons, no artillery, not fielded, unknown, twice
        refuses("9.04 R45", "smoke", *(Purchase("smoke", 1, (it,)) for it in ("mortars", "pg1", "extra", "nobody")),
                Purchase("smoke", 2, ("howitzers", "howitzers"))),
        refuses("9.22", "registered", *(Purchase("preregistered", 1, (it,)) for it in ("pg1", "extra", "guns")),
                attacker="soviet"),
        refuses("9.03 R43", "one_kind", Purchase("night_attack", 2), Purchase("night_attack", 1, ("howitzers",)),
                Purchase("counterbattery", 2)),
        refuses("9.03", "unknown", Purchase("parade", 1), rule="9.03"),
        row("R43 9.03", "limit_is_not_a_special_rule", at="forces", german=GERMAN, mission="hold_the_line",
            balance=(20, 20), until=orders.ChooseForce, legal=[chooses("german", HOME["german"], 3, NIGHT)]),
    ],
)  # fmt: skip
def test_purchases_follow_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-9.26")
def test_aerial_bombardment_excludes_air_support(lay: Lay) -> None:
    def wings(state: AxisState) -> None:
        state.aircraft["german"] = {"ju87": "limited"}

    case = lay("forces", german=GERMAN, mission="trench_fight", balance=(20, 0), tweak=wings).play(
        until=orders.ChooseForce
    )
    stuka = AirSupport("ju87", "limited", "close_support", "bombs")
    assert case.allows(chooses("german", "pg1 7; pg2 7", air=stuka))
    assert case.allows(chooses("german", "pg1 7; pg2 7", 0, BOMBS))
    assert case.why_not(chooses("german", "pg1 7; pg2 7", 0, BOMBS, stuka)) == "AOA-9.26"
