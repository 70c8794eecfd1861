"""The spaces of purchases, arrivals and minefields compared with plain lists."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.oracle.grants import Cell, Order, counts_well, drawn
from tests.plugins.desert_aa.positions import refusals

from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import PLENTY, Arrivals, MinePlaces, Purchase
from desert_aa.model.orders import EndMoves, PlaceMinefields, PlaceUnits
from sandtable.kernel.options import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transcripts import Transcript


def granted(money: Mapping[str, int], room: Mapping[str, int], mines: Mapping[str, int], all_mines: int) -> GrantSpace:
    """Return a grant for the powers of ``mines``, each with its own purse, or both with the common one."""
    purse_of = {power: power if power in money else next(iter(money)) for power in mines}
    return GrantSpace(purse_of, money, list(room), room, mines, all_mines)


@pytest.mark.rule("DAA-14.02")
def test_drawn_purchases_are_all_the_affordable_ones() -> None:
    shop = Purchase(9, {"infantry": 2, "armor": 4, "bomber": 15, "minefield": 8, "camel": 1}, {"armor": 1, "camel": 0})
    purchases = {tuple(sorted(each.items())) for each in drawn(shop, 1_200)}
    wanted = {
        tuple(sorted((kind, number) for kind, number in bought.items() if number))
        for infantry, armor, minefield in product(range(5), range(2), range(2))
        if 2 * infantry + 4 * armor + 8 * minefield <= 9
        for bought in [{"infantry": infantry, "armor": armor, "minefield": minefield}]
    }
    assert purchases == wanted
    assert drawn(Purchase(1, {"infantry": 2}), 5) == [{}] * 5


@pytest.mark.rule("DAA-14.02")
def test_money_for_one_unit_is_spent_in_two_of_three_draws() -> None:
    """A step buys it with 1/2, ends the purchase with 1/4, and repeats with 1/4, so 2/3 buy it."""
    spent = sum(bool(bought) for bought in drawn(Purchase(3, {"infantry": 2}), 1_500))
    assert 950 < spent < 1_050


def arrivals(waiting: Mapping[str, int], room: Mapping[str, int]) -> Arrivals:
    def judge(space: str) -> Refusal | None:
        return None if space in room else Refusal("DAA-3.09", "no zone")

    return Arrivals(list(room), waiting, room, judge)


def legal_arrivals(waiting: Mapping[str, int], room: Mapping[str, int]) -> set[Order]:
    """Return all placements of the waiting units, with as many flak guns as fit."""
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
        ({"infantry": 2, "armor": 1}, {"MAT": PLENTY, "ALX": PLENTY}),
        ({"infantry": 3, "aa_gun": 2}, {"MAT": PLENTY, "ALX": PLENTY, "SUE": PLENTY}),
        ({"aa_gun": 1, "infantry": 1}, {"MAT": 1, "ALX": 0, "SUE": 1}),
        ({"aa_gun": 3, "infantry": 1}, {"MAT": 1, "ALX": 0, "SUE": 1}),
        ({"aa_gun": 2, "bomber": 1}, {"MAT": 1, "ALX": 1, "SUE": 1}),
        ({"aa_gun": 2}, {"MAT": 0, "ALX": 0}),
        ({"infantry": 2}, {"MAT": 1}),
        ({"infantry": 2}, {}),
    ],
)
def test_waiting_units_arrive_in_every_legal_placement(waiting: dict[str, int], room: dict[str, int]) -> None:
    space = arrivals(waiting, room)
    wanted = legal_arrivals(waiting, room)
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


NO_ARRIVALS: list[Any] = [
    EndMoves(),
    PlaceUnits([]),  # type: ignore[arg-type]  # an order of a careless client
    PlaceUnits({"TOB": {"infantry": 2}}),
    PlaceUnits({"MAT": {}}),
    PlaceUnits({"MAT": 2}),  # type: ignore[dict-item]  # an order of a careless client
    PlaceUnits({"MAT": {"bomber": 1}}),
    PlaceUnits({"MAT": {"infantry": 0}}),
    PlaceUnits({"MAT": {"infantry": True}}),
    PlaceUnits({"ALX": {"aa_gun": 2}}),
    PlaceUnits({"MAT": {"infantry": 1}}),
    PlaceUnits({"MAT": {"infantry": 1, "aa_gun": 1}, "ALX": {"infantry": 1}}),
    PlaceUnits({"MAT": {"infantry": 2}}),
]


@pytest.mark.rule("DAA-3.02", "DAA-3.09", "DAA-14.05", "DAA-R50")
def test_illegal_arrival_is_refused_with_a_reason(transcript: Transcript) -> None:
    space = arrivals({"infantry": 2, "aa_gun": 2}, {"MAT": 1, "ALX": 1})
    assert space.why_not(PlaceUnits({"MAT": {"infantry": 2, "aa_gun": 1}, "ALX": {"aa_gun": 1}})) is None
    transcript(refusals(space, NO_ARRIVALS))


@pytest.mark.rule("DAA-2.01", "DAA-3.12", "DAA-8.01")
def test_order_count_stops_at_a_million() -> None:
    room = dict.fromkeys("ABCDEFGH", PLENTY)
    assert granted({"axis": 60}, room, {"italy": 2, "germany": 2}, 2).count() == 1_000_000
    assert arrivals({"infantry": 20, "armor": 20}, room).count() == 1_000_000
    assert MinePlaces([f"{place}" for place in range(40)], 20, [], nowhere_else).count() == 1_000_000


def nowhere_else(space: str) -> Refusal | None:
    return None if space in "ABCD" else Refusal("DAA-8.06", "not there")


@pytest.mark.rule("DAA-8.01", "DAA-8.03", "DAA-8.05")
@pytest.mark.parametrize(("number", "laid"), [(0, 0), (1, 1), (2, 2), (3, 3), (5, 3)])
def test_minefields_are_laid_in_every_set_of_free_spaces(number: int, laid: int) -> None:
    space = MinePlaces(list("ABCD"), number, ["B"], nowhere_else)
    wanted = [PlaceMinefields(list(spaces)) for spaces in combinations("ACD", laid)]
    assert list(space.values()) == wanted
    assert counts_well(space, len(wanted))
    assert {tuple(order.spaces) for order in drawn(space, 60)} == {tuple(order.spaces) for order in wanted}
    for size in range(4):
        for spaces in combinations("ACD", size):
            assert space.is_legal(PlaceMinefields(list(spaces))) == (size == laid)


@pytest.mark.rule("DAA-8.01", "DAA-8.05", "DAA-8.06")
def test_illegal_minefields_are_refused_with_a_reason(transcript: Transcript) -> None:
    laid: list[Any] = ["AC", ["A", "X"], ["A", "B"], ["A", "A"], ["A", "C", "C"], ["A"], ["A", "C", "D"]]
    space = MinePlaces(list("ABCD"), 2, ["B"], nowhere_else)
    transcript(refusals(space, [EndMoves(), *map(PlaceMinefields, laid)]))
