"""The spaces of orders that money leads to, held against plain lists: grants, purchases, arrivals, minefields."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

import pytest

from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import PLENTY, Arrivals, MinePlaces, Purchase
from desert_aa.model.orders import EndMoves, PlaceBonus, PlaceMinefields, PlaceUnits
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Space

STANDARD = {"infantry": 3, "artillery": 4, "armour": 5, "fighter": 12, "bomber": 15, "aa_gun": 5}  # DAA-15.01 to 15.06
ITALIAN = STANDARD | {"infantry": 2, "artillery": 3, "armour": 4, "fighter": 10}  # DAA-3.03 to DAA-3.06
COSTS = {"italy": ITALIAN, "england": STANDARD, "germany": STANDARD}
MINEFIELD = 8  # DAA-8.02

Cell = tuple[str, ...]
Order = frozenset[tuple[Cell, int]]
"""What an order comes to: so many of what is placed where."""


def drawn(space: Space, times: int) -> list[Any]:
    stream = Stream(b"drawn")
    return [space.sample(stream) for _ in range(times)]


def counts_well(space: Space, wanted: int) -> bool:
    """Tell whether a space counts its orders, and stops counting where it is told to."""
    return all(
        space.count(limit) == min(limit, wanted) for limit in (1, 2, max(1, wanted - 1), wanted, wanted + 1, 10**6)
    )


# --- the grant ---


def plain(order: PlaceBonus) -> Order:
    cells: dict[Cell, int] = {
        (power, kind, space): number
        for power, stacks in order.units.items()
        for space, stack in stacks.items()
        for kind, number in stack.items()
    }
    return frozenset((cells | {(power, "minefield"): number for power, number in order.minefields.items()}).items())


def is_lawful(grant: GrantSpace, cells: Mapping[Cell, int]) -> bool:
    """Judge so many units and minefields by the rules: what they cost, and where there is room."""
    spent = dict.fromkeys(grant.grant, 0)
    flak = dict.fromkeys(grant.spaces, 0)
    mines = dict.fromkeys(grant.purse_of, 0)
    for (power, kind, *where), number in cells.items():
        price = MINEFIELD if kind == "minefield" else COSTS[power][kind]
        spent[grant.purse_of[power]] += number * price
        if kind == "minefield":
            mines[power] += number
        elif kind == "aa_gun":
            flak[where[0]] += number
    return (
        all(spent[purse] <= grant.grant[purse] for purse in spent)
        and all(flak[space] <= grant.room[space] for space in flak)
        and all(mines[power] <= grant.mines[power] for power in mines)
        and sum(mines.values()) <= grant.all_mines
    )


def lawful_grants(grant: GrantSpace) -> set[Order]:
    """Return every lawful order, found by adding one thing after another."""
    cells: list[Cell] = [(power, "minefield") for power in grant.purse_of]
    cells += [(power, kind, space) for power in grant.purse_of for kind in STANDARD for space in grant.spaces]
    found: set[Order] = {frozenset()}
    edge = [dict[Cell, int]()]
    for order in edge:
        for cell in cells:
            more = {**order, cell: order.get(cell, 0) + 1}
            if is_lawful(grant, more) and (key := frozenset(more.items())) not in found:
                found.add(key)
                edge.append(more)
    return found


def granted(money: Mapping[str, int], room: Mapping[str, int], mines: Mapping[str, int], all_mines: int) -> GrantSpace:
    """Return a grant for the powers of ``mines``: each of its own purse, or both of the one there is."""
    purse_of = {power: power if power in money else next(iter(money)) for power in mines}
    return GrantSpace(purse_of, money, list(room), room, mines, all_mines)


GRANTS = {
    "one minefield is all": granted({"axis": 8}, {"TRI": PLENTY, "HUN": PLENTY}, {"italy": 1, "germany": 2}, 2),
    "one gun to a space": granted({"allies": 10}, {"MAT": 1, "ALX": 0, "SUE": 1}, {"england": 0}, 0),
    "two buyers, one place for a gun": granted({"italy": 5, "germany": 5}, {"TRI": 1}, {"italy": 0, "germany": 0}, 0),
    "room for one minefield of two": granted(
        {"italy": 8, "germany": 8}, {"TRI": PLENTY}, {"italy": 1, "germany": 1}, 1
    ),
    "two minefields of one power": granted({"allies": 16}, {"MAT": PLENTY}, {"england": 2}, 2),
    "more money than places for mines": granted({"allies": 16}, {"MAT": 1}, {"england": 1}, 1),
    "no room for a gun": granted({"allies": 5}, {"MAT": 0}, {"england": 0}, 0),
}


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-R50", "DAA-8.02", "DAA-8.05")
@pytest.mark.parametrize("grant", GRANTS.values(), ids=GRANTS)
def test_grants_are_all_that_the_rules_allow(grant: GrantSpace) -> None:
    wanted = lawful_grants(grant)
    listed = [plain(order) for order in grant.values()]
    assert len(listed) == len(set(listed)) > 1
    assert set(listed) == wanted
    assert counts_well(grant, len(wanted))
    assert all(grant.is_legal(order) for order in grant.values())
    assert {plain(order) for order in drawn(grant, 100)} <= wanted


@pytest.mark.rule("DAA-2.01", "DAA-2.02")
@pytest.mark.parametrize(("name", "times"), [("two buyers, one place for a gun", 1_000), ("no room for a gun", 100)])
def test_every_grant_may_be_drawn(name: str, times: int) -> None:
    grant = GRANTS[name]
    assert {plain(order) for order in drawn(grant, times)} == lawful_grants(grant)


@pytest.mark.rule("DAA-2.01", "DAA-R50", "DAA-8.05")
@pytest.mark.parametrize("grant", GRANTS.values(), ids=GRANTS)
def test_a_grant_is_judged_by_what_it_comes_to(grant: GrantSpace) -> None:
    """Infantry and flak on two spaces, and minefields: every order of none, one or two of each, lawful or not."""
    cells: list[Cell] = [(power, "minefield") for power in grant.purse_of]
    cells += [
        (power, kind, space)
        for power in grant.purse_of
        for kind in ("infantry", "aa_gun")
        for space in grant.spaces[:2]
    ]
    for numbers in product(range(3), repeat=len(cells[:6])):
        bought = {cell: number for cell, number in zip(cells, numbers, strict=False) if number}
        units: dict[str, Any] = {}
        mines = {cell[0]: number for cell, number in bought.items() if cell[1] == "minefield"}
        for (power, kind, *where), number in bought.items():
            if where:
                units.setdefault(power, {}).setdefault(where[0], {})[kind] = number
        assert grant.is_legal(PlaceBonus(units, mines)) == is_lawful(grant, bought), bought


LONG = "x" * 50
NO_GRANTS: list[tuple[Any, str, str]] = [
    (EndMoves(), "DAA-2.01", "PlaceBonus is wanted: by power and space, how many of each kind"),
    (PlaceBonus([]), "DAA-2.01", "PlaceBonus is wanted: by power and space, how many of each kind"),  # type: ignore[arg-type]
    (PlaceBonus({"england": {}}), "DAA-R07", "england buys nothing here: units are for italy or germany"),
    (PlaceBonus({LONG: {}}), "DAA-R07", "x" * 40 + " buys nothing here: units are for italy or germany"),
    (PlaceBonus({"italy": []}), "DAA-R07", "italy buys nothing here: units are for italy or germany"),  # type: ignore[dict-item]
    (PlaceBonus({"italy": {}}), "DAA-2.03", "italy: say how many of each kind, by space, or leave the power out"),
    (
        PlaceBonus({"italy": {"MAT": {"infantry": 1}}}),
        "DAA-2.03",
        "MAT is no space that the side of Italy holds: grant units start on own ground",
    ),
    (
        PlaceBonus({"italy": {LONG: {"infantry": 1}}}),
        "DAA-2.03",
        "x" * 40 + " is no space that the side of Italy holds: grant units start on own ground",
    ),
    (PlaceBonus({"italy": {"TRI": {}}}), "DAA-2.03", "TRI: say how many of each kind"),
    (PlaceBonus({"italy": {"TRI": 3}}), "DAA-2.03", "TRI: say how many of each kind"),  # type: ignore[dict-item]
    (PlaceBonus({"italy": {"TRI": {"camel": 1}}}), "DAA-2.03", "TRI: 1 camel cannot be bought here"),
    (PlaceBonus({"italy": {"TRI": {LONG: 10**30}}}), "DAA-2.03", f"TRI: 1{'0' * 19} {'x' * 40} cannot be bought here"),
    (PlaceBonus({"italy": {"TRI": {"infantry": 0}}}), "DAA-2.03", "TRI: 0 infantry cannot be bought here"),
    (PlaceBonus({"italy": {"TRI": {"infantry": True}}}), "DAA-2.03", "TRI: True infantry cannot be bought here"),
    (
        PlaceBonus({"italy": {"TRI": {"infantry": 1}, "HUN": {"aa_gun": 1}}}),
        "DAA-8.05",
        "HUN can hold one flak gun only",
    ),
    (
        PlaceBonus({"italy": {"TRI": {"aa_gun": 1}}, "germany": {"TRI": {"aa_gun": 1}}}),
        "DAA-8.05",
        "TRI can hold one flak gun only",
    ),
    (PlaceBonus({}, []), "DAA-8.01", "minefields: say how many by power"),  # type: ignore[arg-type]
    (PlaceBonus({}, {"england": 1}), "DAA-8.01", "minefields: england cannot buy 1"),
    (PlaceBonus({}, {LONG: 10**30}), "DAA-8.01", f"minefields: {'x' * 40} cannot buy 1{'0' * 19}"),
    (PlaceBonus({}, {"germany": 0}), "DAA-8.01", "minefields: germany cannot buy 0"),
    (PlaceBonus({}, {"germany": True}), "DAA-8.01", "minefields: germany cannot buy True"),
    (PlaceBonus({}, {"italy": 1}), "DAA-8.01", "minefields: Italy can buy none openly, or lay none"),
    (PlaceBonus({}, {"germany": 3}), "DAA-8.05", "minefields: the side can lay 2 at most"),
    (
        PlaceBonus({"italy": {"TRI": {"infantry": 1}}, "germany": {"TRI": {"infantry": 1}}}, {"germany": 2}),
        "DAA-2.01",
        "that makes 21 IPC of the grant; it must be at most 20",
    ),
]


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-8.01", "DAA-8.05", "DAA-R07")
@pytest.mark.parametrize(("order", "rule", "reason"), NO_GRANTS, ids=[reason[:60] for _, _, reason in NO_GRANTS])
def test_why_a_grant_is_refused(order: Any, rule: str, reason: str) -> None:
    grant = granted({"axis": 20}, {"TRI": 1, "HUN": 0}, {"italy": 0, "germany": 2}, 2)
    assert grant.why_not(order) == Refusal(rule, reason)
    assert grant.why_not(PlaceBonus({"germany": {"TRI": {"infantry": 1, "aa_gun": 1}}}, {"germany": 1})) is None


# --- purchases ---


@pytest.mark.rule("DAA-14.02")
def test_every_purchase_may_be_drawn_and_none_that_costs_more() -> None:
    shop = Purchase(
        9, {"infantry": 2, "armour": 4, "bomber": 15, "minefield": 8, "camel": 1}, {"armour": 1, "camel": 0}
    )
    purchases = {tuple(sorted(each.items())) for each in drawn(shop, 1_200)}
    wanted = {
        tuple(sorted((kind, number) for kind, number in bought.items() if number))
        for infantry, armour, minefield in product(range(5), range(2), range(2))
        if 2 * infantry + 4 * armour + 8 * minefield <= 9
        for bought in [{"infantry": infantry, "armour": armour, "minefield": minefield}]
    }
    assert purchases == wanted
    assert drawn(Purchase(1, {"infantry": 2}), 5) == [{}] * 5


@pytest.mark.rule("DAA-14.02")
def test_money_for_one_thing_is_spent_two_times_of_three() -> None:
    """It is bought with the first die in two, and the purchase ends with one in four; otherwise it is drawn again."""
    spent = sum(bool(bought) for bought in drawn(Purchase(3, {"infantry": 2}), 1_500))
    assert 950 < spent < 1_050


# --- arrivals ---


def arrivals(waiting: Mapping[str, int], room: Mapping[str, int]) -> Arrivals:
    def judge(space: str) -> Refusal | None:
        return None if space in room else Refusal("DAA-3.09", "no zone")

    return Arrivals(list(room), waiting, room, judge)


def lawful_arrivals(waiting: Mapping[str, int], room: Mapping[str, int]) -> set[Order]:
    """Place all that wait, one after another, in all ways; as many guns as there is room for."""
    guns = min(waiting.get("aa_gun", 0), sum(room.values())) if room else 0
    things = [kind for kind, number in waiting.items() for _ in range(guns if kind == "aa_gun" else number)]
    found = set()
    for zones in product(room, repeat=len(things) if room else 0):
        cells: dict[Cell, int] = {}
        for cell in zip(zones, things, strict=False):
            cells[cell] = cells.get(cell, 0) + 1
        if all(cells.get((zone, "aa_gun"), 0) <= room[zone] for zone in room):
            found.add(frozenset(cells.items()))
    return found


def placed(order: PlaceUnits) -> Order:
    return frozenset(((zone, kind), number) for zone, stack in order.units.items() for kind, number in stack.items())


@pytest.mark.rule("DAA-3.02", "DAA-3.12", "DAA-R50", "DAA-R06")
@pytest.mark.parametrize(
    ("waiting", "room"),
    [
        ({"infantry": 2, "armour": 1}, {"MAT": PLENTY, "ALX": PLENTY}),
        ({"infantry": 3, "aa_gun": 2}, {"MAT": PLENTY, "ALX": PLENTY, "SUE": PLENTY}),
        ({"aa_gun": 1, "infantry": 1}, {"MAT": 1, "ALX": 0, "SUE": 1}),
        ({"aa_gun": 3, "infantry": 1}, {"MAT": 1, "ALX": 0, "SUE": 1}),
        ({"aa_gun": 2, "bomber": 1}, {"MAT": 1, "ALX": 1, "SUE": 1}),
        ({"aa_gun": 2}, {"MAT": 0, "ALX": 0}),
        ({"infantry": 2}, {"MAT": 1}),
        ({"infantry": 2}, {}),
    ],
)
def test_all_that_waits_comes_in_wherever_there_is_room(waiting: dict[str, int], room: dict[str, int]) -> None:
    space = arrivals(waiting, room)
    wanted = lawful_arrivals(waiting, room)
    listed = [placed(order) for order in space.values()]
    assert len(listed) == len(set(listed))
    assert set(listed) == wanted
    assert counts_well(space, len(wanted))
    assert all(space.is_legal(order) for order in space.values())
    assert {placed(order) for order in drawn(space, 20 * len(wanted))} == wanted
    assert space.single() == (next(space.values()) if len(wanted) == 1 else None)
    for numbers in product(range(4), repeat=len(waiting) * min(2, len(room))):
        cells = list(product(list(room)[:2], waiting))
        stacks: dict[str, dict[str, int]] = {}
        for (zone, kind), number in zip(cells, numbers, strict=True):
            if number:
                stacks.setdefault(zone, {})[kind] = number
        order = PlaceUnits(stacks)
        assert space.is_legal(order) == (placed(order) in wanted), stacks


NO_ARRIVALS: list[tuple[Any, str, str]] = [
    (EndMoves(), "DAA-3.02", "PlaceUnits is wanted: by zone, how many of each kind"),
    (PlaceUnits([]), "DAA-3.02", "PlaceUnits is wanted: by zone, how many of each kind"),  # type: ignore[arg-type]
    (PlaceUnits({"TOB": {"infantry": 2}}), "DAA-3.09", "no zone"),
    (PlaceUnits({"MAT": {}}), "DAA-3.09", "MAT: say how many of each kind"),
    (PlaceUnits({"MAT": 2}), "DAA-3.09", "MAT: say how many of each kind"),  # type: ignore[dict-item]
    (PlaceUnits({"MAT": {"bomber": 1}}), "DAA-3.09", "MAT: 1 bomber cannot be placed: there wait 2 infantry, 2 aa_gun"),
    (
        PlaceUnits({"MAT": {"infantry": 0}}),
        "DAA-3.09",
        "MAT: 0 infantry cannot be placed: there wait 2 infantry, 2 aa_gun",
    ),
    (
        PlaceUnits({"MAT": {"infantry": True}}),
        "DAA-3.09",
        "MAT: True infantry cannot be placed: there wait 2 infantry, 2 aa_gun",
    ),
    (PlaceUnits({"ALX": {"aa_gun": 2}}), "DAA-8.05", "ALX can hold one flak gun only"),
    (PlaceUnits({"MAT": {"infantry": 1}}), "DAA-14.05", "2 infantry must be placed, not 1"),
    (
        PlaceUnits({"MAT": {"infantry": 1, "aa_gun": 1}, "ALX": {"infantry": 1}}),
        "DAA-14.05",
        "2 aa_gun must be placed, not 1",
    ),
    (PlaceUnits({"MAT": {"infantry": 2}}), "DAA-14.05", "2 aa_gun must be placed, not 0"),
]


@pytest.mark.rule("DAA-3.02", "DAA-3.09", "DAA-14.05", "DAA-R50")
@pytest.mark.parametrize(("order", "rule", "reason"), NO_ARRIVALS, ids=[reason[:60] for _, _, reason in NO_ARRIVALS])
def test_why_arrivals_are_refused(order: Any, rule: str, reason: str) -> None:
    space = arrivals({"infantry": 2, "aa_gun": 2}, {"MAT": 1, "ALX": 1})
    assert space.why_not(order) == Refusal(rule, reason)
    assert space.why_not(PlaceUnits({"MAT": {"infantry": 2, "aa_gun": 1}, "ALX": {"aa_gun": 1}})) is None


@pytest.mark.rule("DAA-2.01", "DAA-3.12", "DAA-8.01")
def test_very_many_orders_are_counted_up_to_a_million() -> None:
    room = dict.fromkeys("ABCDEFGH", PLENTY)
    assert granted({"axis": 60}, room, {"italy": 2, "germany": 2}, 2).count() == 1_000_000
    assert arrivals({"infantry": 20, "armour": 20}, room).count() == 1_000_000
    assert MinePlaces([f"{place}" for place in range(40)], 20, [], nowhere_else).count() == 1_000_000


# --- minefields ---


def nowhere_else(space: str) -> Refusal | None:
    return None if space in "ABCD" else Refusal("DAA-8.06", "not there")


@pytest.mark.rule("DAA-8.01", "DAA-8.03", "DAA-8.05")
@pytest.mark.parametrize(("number", "laid"), [(0, 0), (1, 1), (2, 2), (3, 3), (5, 3)])
def test_minefields_are_laid_in_every_set_of_free_places(number: int, laid: int) -> None:
    space = MinePlaces(list("ABCD"), number, ["B"], nowhere_else)
    wanted = [PlaceMinefields(list(spaces)) for spaces in combinations("ACD", laid)]
    assert list(space.values()) == wanted
    assert counts_well(space, len(wanted))
    assert {tuple(order.spaces) for order in drawn(space, 60)} == {tuple(order.spaces) for order in wanted}
    for size in range(4):
        for spaces in combinations("ACD", size):
            assert space.is_legal(PlaceMinefields(list(spaces))) == (size == laid)


@pytest.mark.rule("DAA-8.01", "DAA-8.05", "DAA-8.06")
@pytest.mark.parametrize(
    ("order", "rule", "reason"),
    [
        (EndMoves(), "DAA-8.03", "PlaceMinefields is wanted: a list of spaces"),
        (PlaceMinefields("AC"), "DAA-8.03", "PlaceMinefields is wanted: a list of spaces"),  # type: ignore[arg-type]
        (PlaceMinefields(["A", "X"]), "DAA-8.06", "not there"),
        (PlaceMinefields(["A", "B"]), "DAA-8.05", "B has room for one minefield only"),
        (PlaceMinefields(["A", "A"]), "DAA-8.05", "A has room for one minefield only"),
        (PlaceMinefields(["A", "C", "C"]), "DAA-8.05", "C has room for one minefield only"),
        (PlaceMinefields(["A"]), "DAA-8.01", "2 minefields must be laid, not 1"),
        (PlaceMinefields(["A", "C", "D"]), "DAA-8.01", "2 minefields must be laid, not 3"),
    ],
)
def test_why_minefields_are_refused(order: Any, rule: str, reason: str) -> None:
    assert MinePlaces(list("ABCD"), 2, ["B"], nowhere_else).why_not(order) == Refusal(rule, reason)
