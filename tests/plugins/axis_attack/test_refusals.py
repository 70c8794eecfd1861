"""What is refused is refused by its own rule, with the figures that were broken and what to do: each word for word."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.axis_attack.ground import MORTAR, platoon
from tests.plugins.axis_attack.positions import fielded
from tests.plugins.axis_attack.test_drawn_forces import line, pool

from axis_attack.forces.air import AirAllotment
from axis_attack.forces.force import Forces
from axis_attack.model.orders import ChooseForce, Concede
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.model.tables import OFFERS
from sandtable.kernel.options import Refusal, Space

TRUCKS = platoon("trucks", "combat", "infantry", "5/100/2 6/120/2 7/150/3", transport="motor", vehicle="truck")
FOOT = platoon("foot", "combat", "infantry", "5/100 7/150 8/200", upgrades=(MORTAR,))
TANKS = platoon("tanks", "combat", "afv", "2/200 3/300", transport="organic", all_tanks=True, carries=3)
GUNS = platoon("guns", "support", "gun", "2/60 3/90", towed=True, bombards=True)
HOWITZERS = platoon("howitzers", "support", "artillery", "2/60", bombards=True, smoke=True)
MORTARS = platoon("mortars", "weapons", "gun", "2/70", bombards=True, smoke=True)
COLUMN = platoon("column", "support", "light_afv", "2/50", transport="organic", carries=2)


def laid(**more: Any) -> Forces:
    """Return the forces of two foot platoons, tanks, lorries, guns and mortars; 50 for headquarters, 500 in all."""
    foot = line(FOOT, mobile=False, light_mortar=15)
    worn = type(foot)("worn", FOOT, FOOT.sizes[:2], {5: 100, 7: 150}, {}, {}, mobile=False, room=0)
    lines = (
        foot,
        worn,
        line(TANKS),
        line(GUNS, mobile=False),
        line(HOWITZERS),
        line(MORTARS),
        line(COLUMN),
        line(TRUCKS),
    )
    found: dict[str, Any] = {
        "caps": {"support": 2, "weapons": 0},
        "least": 2,
        "most": 3,
        "limit": 500,
        "balance": 2,
        "absent": {"gone": Refusal("AOA-3.07", "gone (gun) is gutted: it cannot be fielded")},
        "offers": dict.fromkeys(OFFERS),
        "air_allotment": AirAllotment({"ju87": ("sporadic",), "bf109": ("sporadic",)}, {"sporadic": 90}, ("ju87",)),
        "carries": True,
    }
    return Forces(pool(*lines, **(found | more)))


def refused(space: Space, order: Any) -> str:
    """Return rule and reason against an order without inverted commas, "" if it is allowed."""
    refusal = space.why_not(order)
    return f"{refusal.rule} {refusal.reason}".replace("'", "") if refusal else ""


def force(text: str, extra: int = 0, buys: Any = None, air: Any = None) -> ChooseForce:
    return ChooseForce(fielded(text), extra, buys or Purchase(), air or AirSupport())


TWO = "foot 5; worn 5"
AIR = AirSupport("ju87", "sporadic", "close_support", "bombs")
LOADED = "choose bombs or rockets"


@pytest.mark.rule("AOA-3.01", "AOA-3.02", "AOA-3.05", "AOA-3.06", "AOA-3.08", "AOA-3.12", "AOA-3.15", "AOA-R11")
@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Concede(), "AOA-3.01 Concede cannot be ordered here: ChooseForce is wanted"),
        (ChooseForce([1]), "AOA-3.01 a list of platoons is wanted, not [1]"),  # type: ignore[list-item]
        (force("gone 5"), "AOA-3.07 gone (gun) is gutted: it cannot be fielded"),
        (force("foot 5; foot 5"), "AOA-3.01 foot is named twice"),
        (force("foot 4"), "AOA-3.06 foot: 4 teams are below its least size of 5"),
        (force("worn 8"), "AOA-3.05 worn: 8 teams are more than its strength: choose 5 or 7"),
        (force("worn 6"), "AOA-R11 worn: 6 is no size of the list within its strength: 5 or 7"),
        (force("worn 9"), "AOA-R11 worn: 9 is no size of the list within its strength: 5 or 7"),
        (force("foot 5 light_mortar=3"), "AOA-3.08 foot: 3 of light_mortar is not a number from 1 to 2"),
        (force("foot 5 light_mortar=0"), "AOA-3.08 foot: 0 of light_mortar is not a number from 1 to 2"),
        (force("foot 5 cupola=1"), "AOA-1.02 foot: cupola was not bought at the start; it has light_mortar"),
        (force("worn 5 cupola=1"), "AOA-1.02 worn: cupola was not bought at the start; it has none"),
        (ChooseForce([Fielded("foot", 5, ["x"])]), "AOA-3.08 foot: upgrades are a table of names and numbers, not [x]"),  # type: ignore[arg-type]
        (
            ChooseForce([Fielded("foot", 5, {}, 1)]),  # type: ignore[arg-type]
            "AOA-3.01 foot: carried_by is a platoons id or nothing, off_table true or false",
        ),
        (
            ChooseForce([Fielded("foot", 5, carried_by=3)]),  # type: ignore[arg-type]
            "AOA-3.01 foot: carried_by is a platoons id or nothing, off_table true or false",
        ),
        (force("foot 5 off"), "AOA-5.01 foot (foot) fires no bombardments: it cannot be off the table"),
        (force("foot 5"), "AOA-3.01 the company has 2 to 3 combat platoons, not 1"),
        (force("foot 5; worn 5; tanks 2; trucks 5"), "AOA-3.01 the company has 2 to 3 combat platoons, not 4"),
        (force(f"{TWO}; guns 2; howitzers 2; column 2"), "AOA-3.01 the company has at most 2 support platoons, not 3"),
        (force(f"{TWO}; mortars 2"), "AOA-3.01 the company has at most 0 weapons platoons, not 1"),
        (force(f"{TWO}; guns 2; howitzers 2"), ""),
        # air support
        (force(TWO, air="x"), "AOA-1.12 air support is wanted, not x"),
        (
            force(TWO, air=AirSupport("", "sporadic")),
            "AOA-1.12 level, profile and load without an aircraft: name its type",
        ),
        (force(TWO, air=AirSupport("il2")), "AOA-1.12 il2 was not bought with the starting force: ju87 or bf109"),
        (
            force(TWO, air=AirSupport("ju87", "limited", "x")),
            "AOA-1.13 ju87: limited is not a level up to the one bought: choose sporadic",
        ),
        (
            force(TWO, air=AirSupport("ju87", "sporadic", "x")),
            "AOA-4.01 x is no profile: choose close_support, superiority or interdiction",
        ),
        (force(TWO, air=AirSupport("ju87", "sporadic", "superiority")), f"AOA-4.09 ju87:  is no load: {LOADED}"),
        (
            force(TWO, air=AirSupport("bf109", "sporadic", "superiority", "bombs")),
            "AOA-4.09 bf109: bombs is no load: it carries none, leave it out",
        ),
        (force(TWO, air=AIR), ""),
        # special rules
        (force(TWO, buys="x"), "AOA-9.03 a special rule is wanted, not x"),
        (
            force(TWO, buys=Purchase("", 1)),
            "AOA-9.03 number, platoons and targets without a special rule: name its kind",
        ),
        (
            force(TWO, buys=Purchase("night_attack", 0)),
            "AOA-9.07 a night attack: 0 is no number to buy: write 1 or more",
        ),
        (force(TWO, buys=Purchase("night_attack", 2)), "AOA-R43 a night attack is bought once in a game, not 2 times"),
        (
            force(TWO, buys=Purchase("night_attack", 1, ("foot",))),
            "AOA-9.07 a night attack is not bought for platoons: name none",
        ),
        (
            force(TWO, buys=Purchase("counterbattery", 1, (), ("x",))),
            "AOA-9.09 counterbattery fire has no written targets: name none",
        ),
        (
            force(TWO, buys=Purchase("smoke", 2, ("foot",))),
            "AOA-9.04 extra smoke: 2 are paid for, but 1 platoons named",
        ),
        (force(TWO, buys=Purchase("smoke", 1, ("guns",))), "AOA-9.04 extra smoke: guns is not in the force"),
        (
            force(f"{TWO}; howitzers 2", buys=Purchase("smoke", 2, ("howitzers", "howitzers"))),
            "AOA-9.04 extra smoke: howitzers is named twice",
        ),
        (
            force(f"{TWO}; guns 2", buys=Purchase("smoke", 1, ("guns",))),
            "AOA-R45 extra smoke: guns (guns) is not a support platoon that can fire smoke",
        ),
        (
            force(TWO, buys=Purchase("preregistered", 1, ("foot",))),
            "AOA-9.22 pre-registered artillery: foot (foot) is not able to bombard",
        ),
        (
            force(TWO, buys=Purchase("battalion_shoot", 2, (), ("x",))),
            "AOA-9.17 1 targets for 2 shoots: write one for each, or none",
        ),
        (
            force(TWO, buys=Purchase("battalion_shoot", 1, (), ("",))),
            "AOA-9.17  is no target: a line of up to 80 characters",
        ),
        (
            force(TWO, buys=Purchase("battalion_shoot", 1, (), ("a\nb",))),
            r"AOA-9.17 a\nb is no target: a line of up to 80 characters",
        ),
        (
            force(TWO, air=AIR, buys=Purchase("aerial_bombardment", 1)),
            "AOA-9.26 there is no air support in a game with an aerial bombardment: drop one of the two",
        ),
        # what it costs
        (force(TWO, 4), "AOA-3.03 extra: 4 is not a whole number from 0 to 3, each worth 75 points"),
        (force(TWO, -1), "AOA-3.03 extra: -1 is not a whole number from 0 to 3, each worth 75 points"),
        (force(TWO, 3), "AOA-R04 that costs 3 victory points, and 2 are there: buy less"),
        (
            force(TWO, 0, Purchase("counterbattery", 1)),
            "AOA-R04 that costs 3 victory points, and 2 are there: buy less",
        ),
        (
            force(f"{TWO}; howitzers 2", 2, Purchase("smoke", 1, ("howitzers",))),
            "AOA-R04 that costs 3 victory points, and 2 are there: buy less",
        ),
        (force(f"{TWO}; howitzers 2", 1, Purchase("smoke", 1, ("howitzers",))), ""),
        (
            force("tanks 3; foot 5; howitzers 2"),
            "AOA-3.02 the force costs 510 points, 10 over the 500 allowed: field less",
        ),
        (force("tanks 3; foot 5 light_mortar=2; howitzers 2", 1), ""),
        (
            force("tanks 3; foot 5 light_mortar=2; howitzers 2", 1, air=AIR),
            "AOA-3.02 the force costs 630 points, 55 over the 575 allowed: field less",
        ),
        # who rides
        (force("foot 5 on=tanks; worn 5"), "AOA-3.12 foot: tanks, which is to carry it, is not fielded"),
        (force("foot 5 on=foot; worn 5"), "AOA-3.12 foot: foot, which is to carry it, is not fielded"),
        (force("trucks 5 on=tanks; tanks 2"), "AOA-3.11 trucks moves by itself: nobody need carry it"),
        (force("foot 5 on=worn; worn 5"), "AOA-3.12 foot: worn (foot) can carry nobody"),
        (force("foot 5; tanks 2; guns 2 on=tanks"), "AOA-3.14 guns has towed guns: they do not ride on tanks"),
        (force("foot 5; worn 5; guns 2 on=column; column 2"), ""),
        (force("foot 7 on=tanks; tanks 2"), "AOA-3.15 tanks has room for 6 teams, not for 7: field fewer"),
        (force("foot 5 on=column; worn 5; column 2"), "AOA-3.15 column has room for 4 teams, not for 5: field fewer"),
        (force("foot 5 on=tanks; tanks 2"), ""),
    ],
)
def test_a_force_is_refused_by_its_rule(order: Any, refusal: str) -> None:
    assert refused(laid(), order) == refusal


@pytest.mark.rule("AOA-1.12", "AOA-3.10", "AOA-7.05", "AOA-9.04")
def test_what_hangs_on_the_game_is_refused_there() -> None:
    nobody = "AOA-3.10 foot: nobody is carried in this game: leave it out"
    assert refused(laid(carries=False), force("foot 5 on=tanks; tanks 2")) == nobody
    behind = "AOA-7.05 foot cannot move by itself after two sectors at once: leave it, or let it ride"
    assert refused(laid(bound=True), force("tanks 2; foot 5")) == behind
    assert refused(laid(bound=True), force("tanks 2; foot 5 on=tanks")) == ""
    shut = {**dict.fromkeys(OFFERS), "smoke": Refusal("AOA-9.04", "not for you")}
    assert refused(laid(offers=shut), force(TWO, buys=Purchase("smoke", 0))) == "AOA-9.04 not for you"
    none = laid(air_allotment=AirAllotment({}, {}, ()))
    told = "AOA-1.12 ju87 was not bought with the starting force: the starting force has none"
    assert refused(none, force(TWO, air=AIR)) == told
    known = "foot, worn, tanks, guns, howitzers, mortars"
    assert refused(laid(), force("nobody 5")).startswith(f"AOA-3.01 nobody is not in the roster: choose {known}")
    for length, allowed in ((80, True), (81, False)):
        shoot = Purchase("battalion_shoot", 1, (), ("x" * length,))
        assert (refused(laid(balance=3), force(TWO, buys=shoot)) == "") is allowed
