"""Pools of platoons to choose a force from, and the refusal of an order."""

from typing import Any

from tests.plugins.axis_attack.ground import MORTAR, platoon

from axis_attack.forces.air import AirAllotment
from axis_attack.forces.pool import Line, Pool
from axis_attack.model.cards import PlatoonType
from axis_attack.model.tables import OFFERS
from sandtable.kernel.options import Refusal, Space


def line(kind: PlatoonType, ident: str = "", *, mobile: bool = True, **upgrades: int) -> Line:
    """Return a platoon at full strength with upgrades of so many points, each bought twice."""
    points = {size.teams: size.points for size in kind.sizes}
    bought = dict.fromkeys(upgrades, 2)
    return Line(ident or kind.id, kind, kind.sizes, points, bought, upgrades, mobile, kind.carries if mobile else 0)


def pool(*lines: Line, **more: Any) -> Pool:
    """Return a pool with nothing on sale."""
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


FOOT = platoon("foot", "combat", "infantry", "5/100 7/150 8/200", upgrades=(MORTAR,))
GUNS = platoon("guns", "support", "gun", "2/60 3/90", towed=True, bombards=True)
MORTARS = platoon("mortars", "weapons", "gun", "2/70", bombards=True, smoke=True)


def refused(space: Space, order: Any) -> str:
    """Return the rule and reason against an order without quotation marks, "" if it is legal."""
    refusal = space.why_not(order)
    return f"{refusal.rule} {refusal.reason}".replace("'", "") if refusal else ""
