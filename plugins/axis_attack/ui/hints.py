"""Examples of legal orders with platoons and numbers of the campaign, and comments about other possibilities."""

from collections.abc import Iterator
from itertools import chain

from axis_attack.forces.pool import Pool
from axis_attack.model.cards import COMBAT, LEVEL_TITLES, PROFILES, SIDES, CompanyList
from axis_attack.model.orders import ChooseForce, RaisePlatoons
from axis_attack.model.state import Fielded
from axis_attack.model.tables import LADDER_ROWS, OFFERS
from axis_attack.recovery.mobility import ARROW
from axis_attack.ui.parsing_forces import all_upgrades
from sandtable.notation import OrderQuestion
from sandtable.pictures import counted, in_words
from sandtable.tabletop import Brief

DIRECTIONS = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}
"""The steps of a shift by one square, eastward and southward."""


def report(brief: Brief) -> str:
    """Return an example of a result with losses by platoon, which the levels require (AOA-10.01)."""
    first, second = brief.sides
    ours, theirs = (_largest(brief, side) for side in brief.sides)
    recon = next((name for name, it in brief.platoons(first).items() if it.recon), "")
    ahead = f"; ahead {recon}" if recon else ""
    losses = "".join(
        f"; {side} {fate} {' '.join(f'{name} {number}' for name, number in lost.items())}"
        for side, fate, lost in (
            (first, "destroyed", {name: min(2, most) for name, most in ours[:1]}),
            (second, "destroyed", {name: min(3 - 2 * place, most) for place, (name, most) in enumerate(theirs[:2])}),
            (second, "routed", {name: 1 for name, most in theirs[:1] if most > 3}),
        )
        if lost
    )
    last = theirs[-1][0] if theirs else "PLATOON"
    more = f"write bailed, transports and upgrades like destroyed; {second} lost {last}: lost as a platoon"
    return f"{first} 5-2{losses}{ahead}  ({more}), or: {second} concedes"


def _largest(brief: Brief, side: str) -> list[tuple[str, int]]:
    """Return the platoons of a side with their fielded teams, the largest first."""
    there = {name: it.fielded for name, it in brief.platoons(side).items() if not it.independent and it.fielded}
    return sorted(there.items(), key=lambda each: (-each[1], each[0]))


# --- short orders ---


def claim(question: OrderQuestion) -> Iterator[str]:
    """Yield a claim of all possible platoons, and of none."""
    yield from (f"claim {' '.join(question.field('platoons').of)}", "claim none")


def raising(question: OrderQuestion) -> Iterator[str]:
    """Yield an order that raises as many platoons as possible, and one that raises none."""
    ids = question.field("platoons").of
    most = next((n for n in range(len(ids), 0, -1) if question.space.is_legal(RaisePlatoons(ids[:n]))), 0)
    yield from [f"raise {' '.join(ids[:most])}"] if most else []
    yield "raise none"


def totals(_: OrderQuestion) -> Iterator[str]:
    """Yield every change of a total, and a comment with the rows of the ladder."""
    yield from (f"{side} {by}" for side in SIDES for by in ("+1", "-1"))
    rows = ", ".join(f"{row} {in_words(mission)}" for mission, (row, _rule) in LADDER_ROWS.items())
    yield f"(the higher total is the row of the mission: {rows})"


def missions(question: OrderQuestion) -> Iterator[str]:
    """Yield every mission that may replace the current one."""
    yield from filter(None, map(str, getattr(question.field("mission"), "of", ())))


def corner(question: OrderQuestion) -> Iterator[str]:
    """Yield an order with a corner of the table and the limits of corners."""
    columns, rows = (getattr(question.field(name), "most", 0) + 1 for name in ("column", "row"))
    limits = f"column 1 to {columns} and row 1 to {rows} of the north-west corner, as in the brief"
    yield f"table {min(2, columns)} {min(3, rows)}  ({limits})"


def shifts(_: OrderQuestion) -> Iterator[str]:
    """Yield a shift in each direction, and one in two directions."""
    yield from (*(f"{direction} 1" for direction in DIRECTIONS), "west 1 north 2")


def dice(question: OrderQuestion) -> Iterator[str]:
    """Yield an order that assigns all dice, with the number of dice that can be bought."""
    bought = question.field("bought")
    shares = question.field("dice", bought.least)
    ids = list(shares.prices)
    parts = [f"{ids[0]} {shares.amount}"] if len(ids) == 1 or shares.amount < 2 else []
    parts = parts or [f"{ids[0]} {shares.amount - 1}", f"{ids[1]} 1"]
    parts += [f"buy {bought.least}"] if bought.least else []
    also = f"buy up to {bought.most} for one victory point each" if bought.most > bought.least else "no dice to buy"
    number = f"assign all {shares.amount} dice" if shares.amount != 1 else "assign your 1 die"
    yield f"{'; '.join(parts)}  ({number}; {also})"


def keeping(question: OrderQuestion) -> Iterator[str]:
    """Yield up to three examples that keep platoons mobile."""
    examples = list[str]()
    for each, line in question.space.short.items():
        lower = next((level for level in reversed(line.needs) if level < line.level), None)
        examples += [f"lower {each} {LEVEL_TITLES[lower].split()[0]}"] if lower is not None else []
        donor = next((d for d, (kind, _) in question.space.stock.items() if kind == line.vehicle and d != each), "")
        number = max(1, line.needs.get(line.level, 1) - line.has)
        examples += [f"take {number} {donor} {ARROW} {each}"] if donor else []
    yield from examples[:3]


# --- forces ---


def company(question: OrderQuestion) -> Iterator[str]:
    """Yield the list's own force, a changed force, and a comment."""
    list_: CompanyList = question.space.company
    yield "start"
    larger = [each for each in list_.start if each.teams > list_.types[each.type].sizes[0].teams]
    for last in (larger or list_.start)[-1:]:
        least = list_.types[last.type].sizes[0].teams
        yield f"start; drop {last.id}; new_{last.id} {last.type} {least}"
    yield "(or ID TYPE TEAMS UPGRADE=NUMBER; ID TYPE TEAMS; view lists types, sizes, points; force start adds them up)"


def force(question: OrderQuestion) -> Iterator[str]:
    """Yield a simple legal force, if one is found, with the other possible parts of a line."""
    pool: Pool = question.space.pool
    first = next(iter(pool.lines.values()))
    guns = next((line.id for line in pool.lines.values() if line.kind.bombards), "")
    sold = [kind for kind, refusal in pool.offers.items() if refusal is None and OFFERS[kind].price <= pool.balance]
    flying = next(iter(pool.air_allotment.levels), "")
    least = first.sizes[0].teams
    more = [
        f"{first.id} {least} bare is {counted(least, 'team')} without upgrades",
        *([f"{guns} off: off the table"] if guns else []),
        *_carried(pool),
        *([f"extra {f'1 to {pool.steps}' if pool.steps > 1 else 1}: 75 points each"] if pool.steps else []),
        *([f"buy {' or '.join(sold)}"] if sold else []),
        *([f"air {flying} {pool.air_allotment.levels[flying][-1]} {PROFILES[0]}"] if flying else []),
        "force lists sizes and points",
    ]
    line = "; ".join(f"{each.platoon} {each.teams}" for each in _simple(question).platoons)
    yield f"{line}  ({', '.join(more)})" if line else f"(no simple force is legal here, see view; {', '.join(more)})"


def _carried(pool: Pool) -> list[str]:
    """Return an example of a carried platoon, or [] if no platoon can be carried."""
    lines = pool.lines.values() if pool.carries else ()
    pairs = chain.from_iterable(((each, by) for by in lines if each.may_ride(by)) for each in lines)
    return [f"{each.id} {each.sizes[0].teams} on {by.id}: carried" for each, by in pairs][:1]


def _simple(question: OrderQuestion) -> ChooseForce:
    """Return combat platoons and then others, each in the largest size that fits, or no platoons if that is illegal."""
    pool: Pool = question.space.pool
    order = ChooseForce([])
    for line in sorted(pool.lines.values(), key=lambda line: line.kind.slot != COMBAT):
        if pool.bound and not line.mobile:
            continue
        for size in reversed(line.sizes):
            each = Fielded(line.id, size.teams, all_upgrades(line, size.teams))
            trial = ChooseForce([*order.platoons, each])
            combat = sum(pool.lines[it.platoon].is_combat for it in trial.platoons)
            if question.space.is_legal(trial) if combat >= pool.least else question.space.points(trial) <= pool.limit:
                order = trial
                break
    return order if question.space.is_legal(order) else ChooseForce([])


def exchange(question: OrderQuestion) -> Iterator[str]:
    """Yield an exchange, and a comment with the value of each platoon."""
    olds = question.space.olds
    able = {each: offers for each in olds if (offers := question.space.offers(each))}
    others_of = [each for each, offers in able.items() if any(offer[0] != olds[each].type for offer in offers)]
    for old in [*others_of, *able][:1]:
        offers = question.space.offers(old)
        others = [offer for offer in offers if offer[0] != olds[old].type] or offers
        name, teams, _ = min(others, key=lambda offer: offer[2])
        worth = ", ".join(f"{each} {it.value}" for each, it in olds.items() if it.value)
        yield f"{old} for {name} {teams}"
        yield f"(5 victory points; worth now: {worth})"
