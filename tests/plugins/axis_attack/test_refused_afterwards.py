"""What is refused of starting forces, exchanges and vehicles, each by its own rule and word for word."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.axis_attack.ground import CUPOLA, PANZERGRENADIERS, platoon
from tests.plugins.axis_attack.test_refusals import FOOT, GUNS, MORTARS, refused

from axis_attack.forces.company import MOST_PLATOONS, Companies
from axis_attack.model.cards import DEPLETED, FULL, GUTTED, Upgrade
from axis_attack.model.orders import BuildCompany, Concede, ExchangePlatoon, KeepMobile, Wanted
from axis_attack.recovery.exchange import Exchanges, Old
from axis_attack.recovery.mobility import Keeping, Short

# --- starting forces ---

BIG = platoon("big", "combat", "afv", "1/10 5/50", upgrades=(CUPOLA,), most=3)
LIST = replace(
    PANZERGRENADIERS,
    types={each.id: each for each in (FOOT, GUNS, MORTARS, BIG)},
    least=1,
    most=2,
    supports=1,
    weapons=0,
    air_points={"sporadic": 100, "priority": 200},
)
MANY = {f"p{number}": Wanted("foot", 5) for number in range(MOST_PLATOONS + 1)}
ID = "no id of a platoon: up to 32 of a-z, 0-9, _ and - make one"


def company(*platoons: Any, **aircraft: str) -> BuildCompany:
    return BuildCompany({f"p{number}": each for number, each in enumerate(platoons, 1)}, aircraft)


@pytest.mark.rule("AOA-1.01", "AOA-1.02", "AOA-1.05", "AOA-1.12", "AOA-1.13", "AOA-1.16")
@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (BuildCompany(MANY, {}), "AOA-1.01 a table of up to 40 platoons by id is wanted"),
        (BuildCompany({"A": Wanted("foot", 5)}, {}), f"AOA-1.01 A: {ID}"),
        (BuildCompany({"": Wanted("foot", 5)}, {}), f"AOA-1.01 : {ID}"),
        (company("x"), "AOA-1.01 p1: a platoon to be bought is wanted, not x"),
        (
            company(Wanted("pg", 5)),
            "AOA-1.01 p1: pg is no platoon of Panzergrenadier company: choose foot, guns, mortars or big",
        ),
        (company(Wanted("foot", 6)), "AOA-1.05 p1: foot has no 6 teams: choose 5, 7 or 8"),
        (company(Wanted("foot", True)), "AOA-1.05 p1: foot has no True teams: choose 5, 7 or 8"),
        (company(Wanted("foot", 5, ["x"])), "AOA-1.02 p1: upgrades are a table of names and numbers, not [x]"),  # type: ignore[arg-type]
        (company(Wanted("foot", 5, {"cupola": 1})), "AOA-1.02 p1: cupola is no upgrade of foot: light_mortar"),
        (company(Wanted("guns", 2, {"cupola": 1})), "AOA-1.02 p1: cupola is no upgrade of guns: it has none"),
        (
            company(Wanted("foot", 5, {"light_mortar": 2})),
            "AOA-1.16 p1: light_mortar: 2 is not a whole number from 1 to 1",
        ),
        (
            company(Wanted("foot", 5, {"light_mortar": 0})),
            "AOA-1.16 p1: light_mortar: 0 is not a whole number from 1 to 1",
        ),
        (company(Wanted("big", 5, {"cupola": 6})), "AOA-1.16 p1: cupola: 6 is not a whole number from 1 to 5"),
        (company(Wanted("big", 5, {"cupola": 5})), ""),
        (
            company(Wanted("foot", 5), il2="sporadic"),
            "AOA-1.12 il2 is no aircraft of Panzergrenadier company: ju87, hs129 or bf109",
        ),
        (company(Wanted("foot", 5), ju87="limited"), "AOA-1.13 ju87: limited is no level: choose sporadic or priority"),
        (BuildCompany({"p1": Wanted("foot", 5)}, ["x"]), "AOA-1.12 a table of aircraft and levels is wanted, not [x]"),  # type: ignore[arg-type]
        (company(Wanted("foot", 5), Wanted("foot", 5)), "AOA-1.01 foot: the list has at most 1 of them"),
        (company(), "AOA-1.01 Panzergrenadier company has 1 to 2 combat platoons, not 0"),
        (company(*[Wanted("big", 1)] * 3), "AOA-1.01 Panzergrenadier company has 1 to 2 combat platoons, not 3"),
        (
            company(Wanted("big", 1), Wanted("mortars", 2)),
            "AOA-1.01 Panzergrenadier company has at most 0 weapons platoons, not 1",
        ),
        (
            company(Wanted("foot", 8), Wanted("guns", 2), ju87="priority"),
            "AOA-1.01 that costs 510 points, 10 over the 500 agreed: buy less",
        ),
        (company(Wanted("foot", 8), Wanted("big", 5), ju87="priority"), ""),
    ],
)
def test_a_company_is_refused_by_its_rule(order: Any, refusal: str) -> None:
    assert refused(Companies(LIST, 500), order) == refusal


def test_as_many_platoons_as_there_may_be_are_not_too_many_and_a_list_may_have_no_aircraft() -> None:
    space = Companies(LIST, 500)
    forty = BuildCompany(dict(list(MANY.items())[:MOST_PLATOONS]), {})
    assert refused(space, forty) == "AOA-1.01 foot: the list has at most 1 of them"
    bare = Companies(replace(LIST, aircraft=()), 500)
    assert refused(bare, company(Wanted("foot", 5), ju87="sporadic")).endswith("company: it has none")
    for length, allowed in ((32, True), (33, False)):
        assert (refused(space, BuildCompany({"a" * length: Wanted("foot", 5)}, {})) == "") is allowed


# --- after a game ---

BARTER = Exchanges(
    {"p": Old("guns", DEPLETED, 80), "low": Old("guns", GUTTED, 0)},
    {each.id: each for each in (
        replace(GUNS, upgrades=(Upgrade("crew", "crew", 20, 9),), most=2), platoon("flak", "support", "gun", "1/10"),
    )},
    {"guns": 2, "flak": 1},
)  # fmt: skip


@pytest.mark.rule("AOA-11.21", "AOA-11.22", "AOA-11.24")
@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Concede(), "AOA-11.21 ExchangePlatoon is wanted, not Concede"),
        (ExchangePlatoon("x"), "AOA-11.21 platoon: x is no support platoon of yours: p or low"),
        (ExchangePlatoon("low", Wanted("guns", 2)), "AOA-11.22 platoon: low is gutted, it must be depleted at least"),
        (ExchangePlatoon("p"), "AOA-11.24 wanted: name the new platoons type, teams and upgrades"),
        (
            ExchangePlatoon("p", Wanted("x", 2)),
            "AOA-11.24 wanted.type: x is no support platoon of the list: guns or flak",
        ),
        (ExchangePlatoon("p", Wanted("flak", 1)), "AOA-11.24 wanted.type: the list allows 1 of flak, you have them"),
        (ExchangePlatoon("p", Wanted("guns", 4)), "AOA-11.24 wanted.teams: 4 is no size of guns: choose 2 or 3"),
        (
            ExchangePlatoon("p", Wanted("guns", 3)),
            "AOA-11.24 wanted: it is worth 90 points, the old platoon 80: choose a cheaper one",
        ),
        (
            ExchangePlatoon("p", Wanted("guns", 2, {"crew": 2})),
            "AOA-11.24 wanted: it is worth 100 points, the old platoon 80: choose a cheaper one",
        ),
        (ExchangePlatoon("p", Wanted("guns", 2, {"crew": 3})), "AOA-11.24 wanted.upgrades.crew: 3 is not 1 to 2"),
        (ExchangePlatoon("p", Wanted("guns", 2, {"crew": 0})), "AOA-11.24 wanted.upgrades.crew: 0 is not 1 to 2"),
        (
            ExchangePlatoon("p", Wanted("guns", 2, {"flag": 1})),
            "AOA-11.24 wanted.upgrades: flag is no upgrade of guns: crew",
        ),
        (ExchangePlatoon("p", Wanted("guns", 2, {"crew": 1})), ""),
    ],
)
def test_an_exchange_is_refused_by_its_rule(order: Any, refusal: str) -> None:
    assert refused(BARTER, order) == refusal


KEEPING = Keeping(
    {"a": Short(1, FULL, {DEPLETED: 2, 3: 3, FULL: 4}, "truck"), "b": Short(0, FULL, {FULL: 1}, "truck")},
    {"a": ("truck", 1), "c": ("truck", 2), "d": ("cart", 5), "e": ("truck", 4)},
)


@pytest.mark.rule("AOA-10.17", "AOA-10.18", "AOA-10.19")
@pytest.mark.parametrize(
    ("lowered", "taken", "refusal"),
    [
        ([], {}, "AOA-10.18 KeepMobile is wanted, not KeepMobile"),
        ({"c": 2}, {}, "AOA-10.18 lowered.c: lacks no transports: only a or b"),
        ({"a": FULL}, {}, "AOA-10.18 lowered.a: 4 is no lower level of it: choose 2 (depleted) or 3 (under strength)"),
        ({}, {"c>x": 1}, "AOA-10.19 taken.c>x: write donor>receiver; receivers are a or b"),
        ({}, {"a>a": 1}, "AOA-10.19 taken.a>a: a has no vehicles to give"),
        ({}, {"x>a": 1}, "AOA-10.19 taken.x>a: x has no vehicles to give"),
        ({}, {"d>a": 1}, "AOA-10.19 taken.d>a: only identical vehicles can be taken, cart are not truck"),
        ({}, {"c>a": 0}, "AOA-10.19 taken.c>a: 0 is not a whole number above nought"),
        ({}, {"c>a": 3}, "AOA-10.19 taken: c has 2 vehicles, not 3"),
        ({}, {"c>a": 1, "c>b": 2}, "AOA-10.19 taken: c has 2 vehicles, not 3"),
        ({}, {"a>b": 1, "e>a": 3}, "AOA-10.19 taken: a gives vehicles, so it is not kept mobile itself"),
        ({"a": 2}, {"a>b": 1}, "AOA-10.19 taken: a gives vehicles, so it is not kept mobile itself"),
        ({}, {"c>a": 2}, "AOA-10.17 a stays immobile with 3 of 4 transports: give it more, or leave it"),
        ({"a": 2}, {}, "AOA-10.17 a stays immobile with 1 of 2 transports: give it more, or leave it"),
        ({}, {"e>a": 4}, "AOA-10.19 a needs 4 transports, not 5: take fewer"),
        ({"a": 2}, {"c>a": 2}, "AOA-10.19 a needs 2 transports, not 3: take fewer"),
        ({"a": 3}, {"c>a": 2}, ""),
        ({}, {"e>a": 3, "e>b": 1}, ""),
        ({}, {"c>a": 2, "e>a": 1, "a>b": 0}, "AOA-10.19 taken.a>b: 0 is not a whole number above nought"),
        ({}, {"a>b": 1}, ""),
    ],
)
def test_what_does_not_keep_platoons_mobile_is_refused_by_its_rule(
    lowered: Any, taken: dict[str, int], refusal: str
) -> None:
    assert refused(KEEPING, KeepMobile(lowered, taken)) == refusal
