"""Examples of legal orders for the pending decision."""

from collections.abc import Iterator
from typing import Any

from desert_aa.economy.grant import GrantSpace, price_of
from desert_aa.model.tables import ARMOR, BOMBER, INFANTRY, KIND_NAMES, KINDS, MINEFIELD, PLANES, POWER_NAMES, kind_of
from desert_aa.movement import air
from sandtable import Space
from sandtable.notation import OrderQuestion, typed


def prices(space: Space) -> str:
    """Return the prices of a grant decision, or "" for others: for purchases the console lists the prices."""
    if not isinstance(space, GrantSpace):
        return ""
    lists = {
        POWER_NAMES[power]: {kind: price_of(power, kind) for kind in (*KINDS, MINEFIELD)} for power in space.purse_of
    }
    parts = [
        f"{power}: {', '.join(f'{KIND_NAMES[kind]} {cost}' for kind, cost in costs.items())}"
        for power, costs in lists.items()
    ]
    return f"  (IPC: {'; '.join(parts)})"


def _named(counts: dict[str, int]) -> dict[str, int]:
    return {KIND_NAMES[kind]: number for kind, number in counts.items()}


def _bought(costs: dict[str, int], left: int) -> dict[str, int]:
    """Return one armor and two infantry, as far as ``left`` IPC pay for them, or one infantry if it is affordable."""
    found = {}
    for kind, number in ((ARMOR, 1), (INFANTRY, 2)):
        if costs[kind] * number <= left:
            left -= costs[kind] * number
            found[kind] = number
    return found or ({INFANTRY: 1} if costs[INFANTRY] <= left else {})


def grant(question: OrderQuestion) -> Iterator[str]:
    """Yield an order for the grant of the first power, in spaces of the side.

    It leaves less than the price of an infantry. Yields nothing if no unit can be bought, or the side has no space.
    """
    space: GrantSpace = question.space
    power = next(iter(space.purse_of))
    costs, left = {kind: price_of(power, kind) for kind in KINDS}, space.grant[space.purse_of[power]]
    bought = _bought(costs, left)
    left -= sum(number * costs[kind] for kind, number in bought.items())
    if left >= costs[INFANTRY]:
        bought[INFANTRY] = bought.get(INFANTRY, 0) + left // costs[INFANTRY]
    if bought and space.spaces:
        where = [space.spaces[place % len(space.spaces)] for place in range(len(bought))]
        stacks = (f"{number} {KIND_NAMES[kind]} {at}" for (kind, number), at in zip(bought.items(), where, strict=True))
        yield f"place {POWER_NAMES[power].lower()} {' '.join(stacks)}"


def purchase(question: OrderQuestion) -> Iterator[str]:
    """Yield a purchase of affordable units, one of a minefield if it is for sale and affordable, and one of nothing."""
    shop = question.field("units")
    bought = _bought(shop.prices, shop.amount)
    yield from [f"buy {typed({KIND_NAMES[kind]: number for kind, number in bought.items()})}"] if bought else []
    if shop.prices.get(MINEFIELD, shop.amount + 1) <= shop.amount:
        yield f"buy 1 {MINEFIELD}"
    yield "buy nothing"


def mines_bought(question: OrderQuestion) -> Iterator[str]:
    """Yield an order for one minefield, if one can be bought, and an order for nothing."""
    yield from [f"buy 1 {MINEFIELD}"] if question.field("number").most else []
    yield "buy nothing"


def moves(question: OrderQuestion) -> Iterator[str]:
    """Yield a move by land, a move by air and a raid, if they exist, or all landings of a plane that must land."""
    space: Any = question.space
    if space.only:
        yield from (f"land {end}" for end in space.destinations(space.only))
        return
    shown: dict[str, None] = {}
    for start in sorted(space.leaders):
        for leader in space.leaders[start]:
            kind = space.ground.units[leader].kind
            what = "plane" if kind in PLANES else "land"
            path = next(iter(space.destinations(leader).values()), None) if what not in shown else None
            if path:
                shown[what] = None
                yield f"move 1 {KIND_NAMES[kind]} {start} {path[-1]}"
            if kind == BOMBER and "raid" not in shown:
                raids = space.destinations(leader, raid=True)
                target = next((end for end in raids if air.may_raid(space.ground, end)), None)
                if target:
                    shown["raid"] = None
                    yield f"raid 1 {KIND_NAMES[kind]} {start} {target}"


def arrivals(question: OrderQuestion) -> Iterator[str]:
    """Yield a placement of all units that are due."""
    placed = question.space.single() or next(question.space.values())
    yield "place " + " ".join(f"{typed(_named(stacks))} {zone}" for zone, stacks in placed.units.items())


def losses(question: OrderQuestion) -> Iterator[str]:
    """Yield the first units that can be lost, by kind."""
    space = question.field("units")
    counts: dict[str, int] = {}
    for each in space.of[: space.least]:
        counts[kind_of(each)] = counts.get(kind_of(each), 0) + 1
    yield f"lose {typed(_named(counts))}"


def guns(question: OrderQuestion) -> Iterator[str]:
    """Yield all guns, and no guns."""
    space = question.field("guns")
    yield from [f"guns {space.most}"] if space.most else []
    yield from [] if space.least else ["guns none"]


def combats(question: OrderQuestion) -> Iterator[str]:
    """Yield the first combat."""
    yield f"fight {question.space.of[0].space}"
