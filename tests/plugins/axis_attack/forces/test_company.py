"""Starting forces: points, levels, refusals and samples."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product
from typing import Any

import msgspec
import pytest
from every_draw import chances_of
from tests.plugins.axis_attack.cases import Lay, builds
from tests.plugins.axis_attack.ground import CUPOLA, PANZERGRENADIERS, platoon
from tests.plugins.axis_attack.pools import FOOT, GUNS, MORTARS, drawn, refusals, refused
from tests.plugins.axis_attack.rows import Row, play, row
from transcripts import Transcript

from axis_attack.forces.company import MAX_PLATOONS, Companies, company_space, starting_force
from axis_attack.model import orders
from axis_attack.model.cards import PlatoonType, Upgrade
from axis_attack.model.events import CompanyBuilt
from axis_attack.model.orders import BuildCompany, Concede, Wanted
from axis_attack.model.strength import level_of

encoded = msgspec.json.Encoder(order="deterministic").encode


@pytest.mark.full
@pytest.mark.rule("AOA-1.01", "AOA-1.05", "AOA-1.12", "AOA-1.14")
def test_drawn_and_listed_companies_can_be_built(lay: Lay) -> None:
    case = lay("setup.company")
    for side in ("german", "soviet"):
        space = company_space(case.state, side)
        seen = drawn(space, 200)
        for order in [*seen, *islice(space.values(), 500)]:
            assert space.why_not(order) is None, order
        types = case.state.board.lists[side].types
        assert {each.type for order in seen for each in order.platoons.values()} == set(types)
        assert any(order.aircraft for order in seen)


@pytest.mark.full
@pytest.mark.rule("AOA-1.01")
def test_starting_force_of_the_list_is_listed_first_and_once(lay: Lay) -> None:
    board = lay("setup.company").state.board
    space = Companies(board.lists["german"], 900)
    start = starting_force(board.lists["german"])
    listed = [encoded(order) for order in islice(space.values(), 2000)]
    assert listed[0] == encoded(start)
    assert len(set(listed)) == len(listed)


LEAST = "pg1 pg 5; pg2 pg 5"


def bought(rules: str, name: str, force: str, levels: str, side: str = "german", **words: Any) -> Any:
    """Return a row of a starting force with its levels. The Germans build the smallest one by default."""
    answers = [builds(side, force), *([builds("german", LEAST)] if side == "soviet" else [])]
    return row(rules, name, *answers, at="setup.company", until=orders.Concede, levels=levels, **words)


def tanks(number: int, level: str) -> Any:
    rules = "1.03 1.07 1.08 1.09 1.10"
    return bought(rules, f"tanks {number}", f"t1 tankovy {number}; t2 tankovy 5", f"t1 {level}", "soviet")


def refuses(rules: str, name: str, *forces: str, rule: str = "") -> Any:
    wrong = [(builds("german", force), rule) for force in forces]
    return row(rules, name, at="setup.company", until=orders.BuildCompany, wrong=wrong)


@pytest.mark.rule("AOA-1.01 AOA-1.03 AOA-1.05 AOA-1.06 AOA-1.07 AOA-1.08 AOA-1.09 AOA-1.10 AOA-1.11 AOA-1.16 AOA-R12")
@pytest.mark.parametrize(
    "case",
    [
        tanks(10, "full strength"),
        tanks(9, "under strength"),
        tanks(8, "under strength"),
        tanks(7, "under strength"),
        tanks(6, "depleted"),
        tanks(5, "depleted"),
        bought("1.11 R12", "headquarters", f"{LEAST}; hq knackers 2", "hq depleted"),
        bought("1.06", "upgrades_are_not_teams", "pg1 pg 5 light_mortar; pg2 pg 5", "pg1 depleted; pg2 depleted"),
        bought("1.06", "tanks_with_upgrades", "t1 tankovy 5 cupola=3; t2 tankovy 6 cupola=3",
               "t1 depleted; t2 depleted", "soviet"),
        refuses("1.05", "sizes", *(f"pg1 pg {teams}; pg2 pg 5" for teams in (4, 6, 8, 0, -5)), rule="1.05"),
        refuses("1.16", "upgrades",
                *(f"pg1 pg 5 {it}; pg2 pg 5" for it in ("light_mortar=2", "light_mortar=-1", "cupola=1"))),
        refuses("1.01", "numbers", "", "pg1 pg 5", f"{LEAST}; pg3 apg 5; pg4 apg 5", "pg1 pg 5; t1 tankovy 5"),
    ],
)  # fmt: skip
def test_starting_forces_follow_the_rules(lay: Lay, case: Row) -> None:
    found = play(lay, case)
    for roster in found.state.rosters.values():
        assert all(each.bought == each.level for each in roster.values())


@pytest.mark.rule("AOA-1.06", "AOA-1.11", "AOA-R12")
def test_roster_has_teams_upgrades_and_levels(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("german", "pg1 pg 5 light_mortar; pg2 pg 5; hq knackers 2"), until=orders.Concede)
    assert (case.platoon("pg1").teams, case.platoon("pg1").upgrades) == (5, {"light_mortar": 1})
    assert case.state.ladder["german"]["hq"] == [2]


@pytest.mark.rule("AOA-1.01", "AOA-O2")
def test_company_costs_at_most_the_agreed_total(lay: Lay) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    dear = "pg1 pg 7; pg2 pg 7; hmg hmg 5; a panzer 5; b panzer 5; c pak40 4"  # 50 + 205 + 205 + 135 + 525 + 525 + 345
    assert case.allows(builds("german", dear))
    assert case.rejects(builds("german", f"{dear}; d flak 2")) == "AOA-1.01"


@pytest.mark.rule("AOA-1.01")
def test_sides_build_companies_without_seeing_each_other(lay: Lay) -> None:
    case = lay("setup.company").play(until=orders.BuildCompany)
    assert sorted(each.side for each in case.pending) == ["german", "soviet"]
    case.game.submit(builds("german", LEAST)[1], "german")
    assert case.events(CompanyBuilt) == []


@pytest.mark.rule("AOA-1.09", "AOA-R08")
def test_under_strength_requires_a_legal_middle_size(lay: Lay) -> None:
    types = lay("setup.company").state.board.lists["german"].types
    assert [level_of(types["pg"], teams) for teams in range(8)] == [1, 1, 1, 1, 1, 2, 2, 4]
    assert [level_of(types["pak40"], teams) for teams in range(5)] == [1, 1, 2, 3, 4]


Chances = dict[Any, Fraction]


def of_types(order: BuildCompany) -> tuple[Any, ...]:
    """Return the platoons of a company (type, teams, upgrades) and its aircraft."""
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


COMBAT_KIND = platoon("c", "combat", "infantry", "5/100 7/200", most=2)
SUPPORT = platoon("s", "support", "gun", "2/60")
HQ = platoon("h", "hq", "infantry", "2/20")


@pytest.mark.rule("AOA-1.01")
def test_drawn_company_has_each_optional_platoon_in_three_of_four() -> None:
    """The points pay for everything; the second combat platoon and headquarters are independent."""
    drawn = drawn_from(company([COMBAT_KIND, HQ]))
    wanted: Chances = {}
    for first, second, hq in product((5, 7), (5, 7, 0), (True, False)):
        rows = [("c", each, ()) for each in (first, second) if each] + [("h", 2, ())] * hq
        chance = Fraction(1, 2) * (Fraction(3, 8) if second else Fraction(1, 4)) * Fraction(3 if hq else 1, 4)
        key = (tuple(sorted(rows)), ())
        wanted[key] = wanted.get(key, Fraction(0)) + chance
    assert drawn == wanted


@pytest.mark.rule("AOA-1.01")
@pytest.mark.parametrize(("slot", "field"), [("support", "supports"), ("weapons", "weapons")])
def test_drawn_company_keeps_the_limit_of_a_slot(slot: str, field: str) -> None:
    """One of two is allowed. They are tried in random order, each with a probability of 3/4."""
    pair = [platoon("x", slot, "gun", "2/60"), platoon("y", slot, "gun", "2/60")]
    least = platoon("c", "combat", "infantry", "5/100")
    drawn = drawn_from(company([least, *pair], **{field: 1}))
    found = {tuple(kind for kind, _, _ in rows if kind != "c"): chance for (rows, _), chance in drawn.items()}
    assert found == {("x",): Fraction(15, 32), ("y",): Fraction(15, 32), (): Fraction(1, 16)}
    both = {tuple(kind for kind, _, _ in rows if kind != "c") for rows, _ in drawn_from(company([least, *pair]))}
    assert both == {(), ("x",), ("y",), ("x", "y")}


@pytest.mark.rule("AOA-1.01")
def test_drawn_company_reserves_points_for_combat_platoons() -> None:
    """Headquarters cost 50 of 350 points, and each of two platoons 100 or 200, so only one may be large."""
    drawn = drawn_from(company([COMBAT_KIND], least=2, points=350))
    small, large = ("c", 5, ()), ("c", 7, ())
    assert drawn == {((small, small), ()): Fraction(1, 4), ((small, large), ()): Fraction(3, 4)}
    assert drawn_from(company([COMBAT_KIND, SUPPORT], least=2, points=309)) == {((small, small), ()): 1}
    drawn = drawn_from(company([COMBAT_KIND, SUPPORT], least=2, points=310))
    assert drawn == {((small, small), ()): Fraction(1, 4), ((small, small, ("s", 2, ())), ()): Fraction(3, 4)}


@pytest.mark.rule("AOA-1.12", "AOA-1.14", "AOA-1.16")
def test_drawn_upgrades_and_aircraft_use_the_remaining_points() -> None:
    """After 50 and 100, 40 points are left: up to two of three upgrades at 15, and up to two free ones."""
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
def test_listed_companies_are_the_legal_ones(points: int) -> None:
    """The list has combat platoons, two kinds of guns of which one is allowed, headquarters and aircraft."""
    guns = platoon("guns", "support", "gun", "2/60", upgrades=(Upgrade("flag", "flag", 10),), most=2)
    types = [HQ, guns, SUPPORT, COMBAT_KIND]
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
MANY = {f"p{number}": Wanted("foot", 5) for number in range(MAX_PLATOONS + 1)}
ID = "this is not a platoon id: use up to 32 of a-z, 0-9, _ and -"


def company_of(*platoons: Any, **aircraft: str) -> BuildCompany:
    return BuildCompany({f"p{number}": each for number, each in enumerate(platoons, 1)}, aircraft)


ILLEGAL: list[Any] = [
    Concede(),
    BuildCompany(MANY, {}),
    BuildCompany({"A": Wanted("foot", 5)}, {}),
    BuildCompany({"": Wanted("foot", 5)}, {}),
    company_of("x"),
    company_of(Wanted("pg", 5)),
    company_of(Wanted("foot", 6)),
    company_of(Wanted("foot", True)),
    company_of(Wanted("foot", 5, ["x"])),  # type: ignore[arg-type]  # a wrong type on purpose
    company_of(Wanted("foot", 5, {"cupola": 1})),
    company_of(Wanted("guns", 2, {"cupola": 1})),
    company_of(Wanted("foot", 5, {"light_mortar": 2})),
    company_of(Wanted("foot", 5, {"light_mortar": 0})),
    company_of(Wanted("big", 5, {"cupola": 6})),
    company_of(Wanted("big", 5, {"cupola": 5})),
    company_of(Wanted("foot", 5), il2="sporadic"),
    company_of(Wanted("foot", 5), ju87="limited"),
    BuildCompany({"p1": Wanted("foot", 5)}, ["x"]),  # type: ignore[arg-type]  # a wrong type on purpose
    company_of(Wanted("foot", 5), Wanted("foot", 5)),
    company_of(),
    company_of(*[Wanted("big", 1)] * 3),
    company_of(Wanted("big", 1), Wanted("mortars", 2)),
    company_of(Wanted("foot", 8), Wanted("guns", 2), ju87="priority"),
    company_of(Wanted("foot", 8), Wanted("big", 5), ju87="priority"),
]


@pytest.mark.rule("AOA-1.01", "AOA-1.02", "AOA-1.05", "AOA-1.12", "AOA-1.13", "AOA-1.16")
def test_illegal_company_is_refused_by_its_rule(transcript: Transcript) -> None:
    transcript(refusals(Companies(LIST, 500), *ILLEGAL))


def test_company_of_forty_platoons_and_ids_of_32_letters_are_accepted() -> None:
    space = Companies(LIST, 500)
    forty = BuildCompany(dict(list(MANY.items())[:MAX_PLATOONS]), {})
    assert refused(space, forty) == "AOA-1.01 foot: the list allows at most 1 of them"
    bare = Companies(replace(LIST, aircraft=()), 500)
    assert refused(bare, company_of(Wanted("foot", 5), ju87="sporadic")).endswith("company: it has no aircraft")
    for length, allowed in ((32, True), (33, False)):
        assert (refused(space, BuildCompany({"a" * length: Wanted("foot", 5)}, {})) == "") is allowed
