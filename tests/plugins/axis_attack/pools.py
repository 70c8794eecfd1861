"""Pools from which forces are chosen, and texts of orders and refusals for transcripts."""

from collections.abc import Callable
from typing import Any

import msgspec
from tests.plugins.axis_attack.ground import MORTAR, platoon

from axis_attack.forces.air import AirAllotment
from axis_attack.forces.pool import Line, Pool
from axis_attack.model.cards import PlatoonType
from axis_attack.model.tables import OFFERS
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Space


def line(kind: PlatoonType, ident: str = "", *, mobile: bool = True, **upgrades: int) -> Line:
    """Return a platoon at full strength; ``upgrades`` are points by name, each bought twice."""
    points = {size.teams: size.points for size in kind.sizes}
    bought = dict.fromkeys(upgrades, 2)
    return Line(ident or kind.id, kind, kind.sizes, points, bought, upgrades, mobile, kind.carries if mobile else 0)


def pool(*lines: Line, **more: Any) -> Pool:
    """Return a pool without special rules on sale."""
    found: dict[str, Any] = {
        "lines": {each.id: each for each in lines},
        "absent": {},
        "least": 1,
        "most": 2,
        "caps": {"weapons": 9, "support": 9},
        "base": 50,
        "limit": 1000,
        "balance": 0,
        "air_allotment": AirAllotment({}, {}, ()),
        "offers": dict.fromkeys(OFFERS, Refusal("AOA-9.04", "shut")),
        "carries": False,
        "bound": False,
    }
    return Pool(**(found | more))


def drawn(space: Space, number: int = 300) -> list[Any]:
    stream = Stream(b"drawn")
    return [space.sample(stream) for _ in range(number)]


FOOT = platoon("foot", "combat", "infantry", "5/100 7/150 8/200", upgrades=(MORTAR,))
GUNS = platoon("guns", "support", "gun", "2/60 3/90", towed=True, bombards=True)
MORTARS = platoon("mortars", "weapons", "gun", "2/70", bombards=True, smoke=True)


def refused(space: Space, order: Any) -> str:
    """Return the rule and reason against an order, without quotation marks, or "" if it is legal."""
    refusal = space.why_not(order)
    return f"{refusal.rule} {refusal.reason}".replace("'", "") if refusal else ""


def typed(read: Callable[[str], Any], space: Space | None, *texts: str) -> str:
    """Return typed texts, separated by "|", with their orders, questions or refusals, and those of ``space``."""
    found = []
    for text in "|".join(texts).split("|"):
        try:
            order = read(text)
        except IllegalOrder as refused:
            found.append(
                "\n".join([f"> {text}", *(f"! {each.rule} {each.reason}" for each in (refused, *refused.also))])
            )
            continue
        refusals = [] if space is None or order is None or isinstance(order, str) else space.all_wrong(order)
        wrong = [f"! {each.rule} {each.reason}" for each in refusals]
        found.append("\n".join([f"> {text}", written(order), *wrong]))
    return "\n".join(found)


def written(order: Any) -> str:
    """Return an order as JSON without empty fields, or a question, example or None unchanged, as text."""
    if order is None or isinstance(order, str):
        return str(order)
    fields = {
        name: each for name, each in _filled(msgspec.to_builtins(order)).items() if name not in {"type", "digest"}
    }
    return f"{type(order).__name__} {msgspec.json.encode(fields).decode()}"


def _filled(value: Any) -> Any:
    """Return a value without empty fields of tables and empty items at the end of lists."""
    if isinstance(value, dict):
        rows = ((name, _filled(each)) for name, each in value.items())
        return {name: each for name, each in rows if each or (each == 0 and each is not False)}
    if not isinstance(value, list | tuple):
        return value
    row = [_filled(each) for each in value]
    while row and not row[-1]:
        row.pop()
    return row


def refusals(space: Space, *listed: Any) -> str:
    """Return each order with the rule and reason against it, or "legal"."""
    return "\n".join(f"> {_shown(order)}\n{refused(space, order) or 'legal'}" for order in listed)


def _shown(order: Any) -> str:
    try:
        return written(order)
    except AttributeError:
        return repr(order)
