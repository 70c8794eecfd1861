"""Lists of all legal grants, built by adding one unit or minefield after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desert_aa.economy.grant import GrantSpace
    from desert_aa.model.orders import PlaceBonus
    from sandtable.kernel.options import Space

STANDARD = {"infantry": 3, "artillery": 4, "armor": 5, "fighter": 12, "bomber": 15, "aa_gun": 5}  # DAA-15.01 to 15.06
ITALIAN = STANDARD | {"infantry": 2, "artillery": 3, "armor": 4, "fighter": 10}  # DAA-3.03 to DAA-3.06
COSTS = {"italy": ITALIAN, "england": STANDARD, "germany": STANDARD}
MINEFIELD = 8  # DAA-8.02
Cell = tuple[str, ...]
Order = frozenset[tuple[Cell, int]]
"""An order as numbers by power, kind and space."""


def drawn(space: Space, times: int) -> list[Any]:
    stream = Stream(b"drawn")
    return [space.sample(stream) for _ in range(times)]


def counts_well(space: Space, wanted: int) -> bool:
    """Return whether a space counts its orders correctly up to any limit."""
    return all(
        space.count(limit) == min(limit, wanted) for limit in (1, 2, max(1, wanted - 1), wanted, wanted + 1, 10**6)
    )


def plain(order: PlaceBonus) -> Order:
    cells: dict[Cell, int] = {
        (power, kind, space): number
        for power, stacks in order.units.items()
        for space, stack in stacks.items()
        for kind, number in stack.items()
    }
    return frozenset((cells | {(power, "minefield"): number for power, number in order.minefields.items()}).items())


def is_legal_grant(grant: GrantSpace, cells: Mapping[Cell, int]) -> bool:
    """Return whether units and minefields are legal by their cost and the room for them."""
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


def legal_grants(grant: GrantSpace) -> set[Order]:
    """Return every legal order, built by adding one unit or minefield after another."""
    cells: list[Cell] = [(power, "minefield") for power in grant.purse_of]
    cells += [(power, kind, space) for power in grant.purse_of for kind in STANDARD for space in grant.spaces]
    found: set[Order] = {frozenset()}
    edge = [dict[Cell, int]()]
    for order in edge:
        for cell in cells:
            more = {**order, cell: order.get(cell, 0) + 1}
            if is_legal_grant(grant, more) and (key := frozenset(more.items())) not in found:
                found.add(key)
                edge.append(more)
    return found
