"""Examples of what can be typed, taken from what is asked: each of them is an order that is allowed now."""

from collections.abc import Callable, Iterator
from typing import Any

from desert_aa.economy.grant import GrantSpace, price_of
from desert_aa.economy.purchase import Arrivals, MinePlaces
from desert_aa.model import orders
from desert_aa.model.tables import ARMOUR, BOMBER, INFANTRY, KINDS, MINEFIELD, PLANES, POWER_NAMES, kind_of
from desert_aa.movement import air
from desert_aa.movement.options import MoveSpace
from desert_aa.ui.draw import WORDS
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, OneOf, Space

ASKED_BY: dict[type[Space], tuple[type[Order], ...]] = {
    GrantSpace: (orders.PlaceBonus,),
    Arrivals: (orders.PlaceUnits,),
    MinePlaces: (orders.PlaceMinefields,),
}


def asked_in(space: Space) -> tuple[type[Order], ...]:
    """Return the types of order that ``space`` asks for."""
    if isinstance(space, MoveSpace):
        return (orders.MoveUnits,) if space.only else (orders.MoveUnits, orders.EndMoves)
    if isinstance(space, Form):
        return (space.order,)
    if isinstance(space, OneOf):
        return tuple(type(each) for each in space.of)
    return ASKED_BY.get(type(space), ())


def hint(decision: Decision) -> str:
    """Return how the orders that are asked for now can be typed."""
    return ", or: ".join(examples(decision)) + prices(decision.options)


def prices(space: Space) -> str:
    """Return what units cost, where they are bought, "" elsewhere."""
    if isinstance(space, GrantSpace):
        lists = {
            POWER_NAMES[power]: {kind: price_of(power, kind) for kind in (*KINDS, MINEFIELD)}
            for power in space.purse_of
        }
    else:
        shop: Any = space.space_of("units", []) if isinstance(space, Form) and space.order is orders.BuyUnits else None
        lists = {"": shop.prices} if shop is not None else {}
    told = [
        f"{whose and f'{whose}: '}{', '.join(f'{WORDS.get(kind, kind)} {cost}' for kind, cost in costs.items())}"
        for whose, costs in lists.items()
    ]
    return f"  (IPC: {'; '.join(told)})" if told else ""


def examples(decision: Decision) -> list[str]:
    """Return lines that a person may type now, at least one for each type of order that is asked for."""
    found: dict[str, None] = {}
    for kind in dict.fromkeys(asked_in(decision.options)):
        found |= dict.fromkeys(EXAMPLES[kind](decision.options))
    return list(found)


def _grant(space: GrantSpace) -> Iterator[str]:
    """Yield the dearest few of the list for the first power, on ground of the side, and saving."""
    power = next(iter(space.purse_of))
    left = space.grant[space.purse_of[power]]
    words: list[str] = []
    for kind, number in ((ARMOUR, 1), (INFANTRY, 2)):
        cost = number * price_of(power, kind)
        if cost <= left and space.spaces:
            left -= cost
            words.append(f"{number} {kind} {space.spaces[len(words) % len(space.spaces)]}")
    if words:
        yield f"place {POWER_NAMES[power].lower()} {' '.join(words)}"
    yield "save"


def _purchase(form: Form) -> Iterator[str]:
    shop: Any = form.space_of("units", [])
    left = shop.amount
    words: list[str] = []
    for kind, number in ((ARMOUR, 1), (INFANTRY, 2)):
        if shop.prices[kind] * number <= left:
            left -= shop.prices[kind] * number
            words.append(f"{number} {kind}")
    if not words and shop.prices[INFANTRY] <= shop.amount:
        words.append(f"1 {INFANTRY}")
    if words:
        yield f"buy {' '.join(words)}"
    if MINEFIELD in shop.prices and shop.prices[MINEFIELD] <= shop.amount:
        yield f"buy 1 {MINEFIELD}"
    yield "buy nothing"


def _mines_bought(form: Form) -> Iterator[str]:
    number: Any = form.space_of("number", [])
    if number.most:
        yield f"buy 1 {MINEFIELD}"
    yield "buy nothing"


def _moves(space: MoveSpace) -> Iterator[str]:
    """Yield a move by land, one by air and a raid, as far as there are any."""
    shown: dict[str, None] = {}
    for start in sorted(space.leaders):
        for leader in space.leaders[start]:
            kind = space.ground.units[leader].kind
            what = "plane" if kind in PLANES else "land"
            if what not in shown:
                shown[what] = None
                path = next(iter(space.destinations(leader).values()), None)
                if path:
                    yield f"move {leader if space.only else f'1 {kind}'} {start} {path[-1]}"
            if kind == BOMBER and "raid" not in shown and not space.only:
                raids = space.destinations(leader, raid=True)
                target = next((end for end in raids if air.may_raid(space.ground, end)), None)
                if target:
                    shown["raid"] = None
                    yield f"raid 1 {kind} {start} {target}"


def _arrivals(space: Arrivals) -> Iterator[str]:
    due = space.due()
    zones = list(space.zones)
    room = {zone: space.room[zone] for zone in zones}
    placed: dict[str, list[str]] = {}
    for kind, number in due.items():
        if kind == "aa_gun" and any(room[zone] < number for zone in zones):
            for zone in [each for each in zones if room[each]][:number]:
                placed.setdefault(zone, []).append(f"1 {kind}")
        else:
            placed.setdefault(zones[0], []).append(f"{number} {kind}")
    yield "place " + " ".join(f"{' '.join(stacks)} {zone}" for zone, stacks in placed.items())


def _mines(space: MinePlaces) -> Iterator[str]:
    due = space.free()[: space.due()]
    yield f"mine {' '.join(due)}" if due else "mine nothing"


def _losses(form: Form) -> Iterator[str]:
    """Yield the first units that may be given up, by kind."""
    space: Any = form.space_of("units", [])
    counts: dict[str, int] = {}
    for each in space.of[: space.least]:
        counts[kind_of(each)] = counts.get(kind_of(each), 0) + 1
    yield "lose " + " ".join(f"{number} {kind}" for kind, number in counts.items())


def _guns(form: Form) -> Iterator[str]:
    space: Any = form.space_of("guns", [])
    if space.most:
        yield f"guns {space.most}"
    if not space.least:
        yield "guns none"


def _combats(space: OneOf) -> Iterator[str]:
    yield f"fight {space.of[0].space}"


def _retreats(space: OneOf) -> Iterator[str]:
    for each in space.of:
        if isinstance(each, orders.Retreat):
            yield f"retreat {each.to}".rstrip()


def _always(*lines: str) -> Callable[[Any], Iterator[str]]:
    return lambda _: iter(lines)


EXAMPLES: dict[type[Order], Callable[[Any], Iterator[str]]] = {
    orders.PlaceBonus: _grant,
    orders.BuyUnits: _purchase,
    orders.BuyMinefields: _mines_bought,
    orders.MoveUnits: _moves,
    orders.EndMoves: _always("end"),
    orders.DeclareMinefield: _always("declare", "forfeit"),
    orders.ChooseCombat: _combats,
    orders.DesignateGuns: _guns,
    orders.TakeLosses: _losses,
    orders.PressOn: _always("fight on"),
    orders.Retreat: _retreats,
    orders.Sweep: _always("sweep"),
    orders.DeclineSweep: _always("withdraw"),
    orders.PlaceUnits: _arrivals,
    orders.PlaceMinefields: _mines,
}
"""By type of order, lines that mean one of those that may be given."""
