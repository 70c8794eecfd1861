"""The plan of a battle: the starting zones, the objective and the victory condition.

The attacker comes from the south, and the defender holds the north. Rows are counted from the north.

    meeting       both enter from opposite edges; more undisrupted units on the feature in the middle win
    assault       the defender holds the feature; the attacker wins with more undisrupted units on it
    withdrawal    as an assault, but the attacker needs one unit on the feature in one of the last turns
    breakthrough  the attacker must leave by the north edge
                  (a part of its mobile units; foot units cannot get that far)
    cauldron      the defender, between two parts of the attacker, must leave by the north edge
    breakout      the defender must break through the attacker's line and leave by the south edge
    total         the attacker needs twice as many undisrupted units on the whole map; without roles, more units
"""

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

from kampfpanzer.tabletop.mapping import bridge, number, size_of
from sandtable import Stream
from sandtable.tabletop import Brief

MEETING = "meeting"
DEPTH = 5
"""Number of rows of the zone in which a side sets up."""
TRADED = 3
"""Number of rows by which a full move before the game extends a side's zone toward the enemy."""
LAST_GRACE = 4
"""Number of turns before the last one in which the attacker can first win a withdrawal."""

Rows = tuple[int, int]


class Plan(NamedTuple):
    """The zones and the objective of a battle, by the brief's sides.

    ``zones`` are the first and last row of each part of a side's zone. ``feature`` is the hex in the middle of the
    objective. ``victory`` is the scenario's table, with the brief's side. ``exits`` is the edge by which a side may
    leave. The defender sets up first. ``dug_in`` is the side that may be entrenched, or "".
    """

    attacker: str
    defender: str
    zones: dict[str, tuple[Rows, ...]]
    feature: str
    victory: dict[str, Any]
    exits: dict[str, str]
    dug_in: str


def attacker_of(brief: Brief) -> str:
    """Return the attacker of a brief.

    If the brief names neither role, the enemy of a fortified side attacks, or of the only stationary side. In other
    cases the attacker is drawn at random from the brief's id.
    """
    still = [side for side, party in brief.parties.items() if party.stationary]
    defender = brief.defender or brief.table.fortified or (still[0] if len(still) == 1 else "")
    if brief.attacker or defender:
        return brief.attacker or brief.enemy_of(defender)
    return stream_of(brief).branch("attacker").pick(brief.sides)


def stream_of(brief: Brief) -> Stream:
    """Return the random stream that generates the scenario of a brief, seeded by its id."""
    return Stream(hashlib.sha256(b"kampfpanzer map\n" + brief.id.encode()).digest())


def plan_of(brief: Brief, mobile: dict[str, int]) -> Plan:
    """Return the plan of a brief; ``mobile`` is the number of each side's combat units that are not on foot."""
    mission = bridge()["missions"].get(brief.mission, {"plan": MEETING})
    attacker = attacker_of(brief)
    defender = brief.enemy_of(attacker)
    columns, rows = size_of(brief)
    name = mission["plan"]
    zones = {defender: _NORTH.get(name, _north)(rows), attacker: _SOUTH.get(name, _south)(rows)}
    row = rows // 2 if name not in HELD else DEPTH
    feature = number((columns + 1) // 2, row)
    runner = {"breakthrough": attacker, "cauldron": defender, "breakout": defender}.get(name, "")
    if runner:
        needed = max(1, mobile[runner] // bridge()["battle"]["exits"])
        victory: dict[str, Any] = {"kind": "exit", "side": runner, "needed": needed}
    else:
        victory = _VICTORIES.get(name, _majority)(brief, attacker, feature, rows)
    exits = {runner: "south" if name == "breakout" else "north"} if runner else {}
    dug_in = brief.table.fortified or (defender if mission.get("dug_in") else "")
    return Plan(attacker, defender, _forward(brief, zones, defender), feature, victory, exits, dug_in)


HELD = ("assault", "withdrawal", "breakthrough")
"""Plans in which the feature is in the defender's zone."""


def _north(rows: int) -> tuple[Rows, ...]:  # noqa: ARG001 - same signature as the others
    return ((1, DEPTH),)


def _south(rows: int) -> tuple[Rows, ...]:
    return ((rows - DEPTH + 1, rows),)


def _middle(rows: int) -> tuple[Rows, ...]:
    return ((rows // 2 - 2, rows // 2 + 2),)


def _both_ends(rows: int) -> tuple[Rows, ...]:
    return ((rows - 3, rows), (1, 3))


def _near_south(rows: int) -> tuple[Rows, ...]:
    return ((rows - DEPTH - 1, rows - 2),)


_NORTH: dict[str, Callable[[int], tuple[Rows, ...]]] = {"cauldron": _middle, "assault": lambda _: ((2, DEPTH + 2),)}
_SOUTH: dict[str, Callable[[int], tuple[Rows, ...]]] = {"cauldron": _both_ends, "breakout": _near_south}


def _forward(brief: Brief, zones: dict[str, tuple[Rows, ...]], defender: str) -> dict[str, tuple[Rows, ...]]:
    """Return the zones; that of a side that moves before the game extends farther toward the enemy."""
    for side, party in brief.parties.items():
        if party.traded and len(zones[side]) == 1:
            ((first, last),) = zones[side]
            zones[side] = ((first, last + TRADED),) if side == defender else ((first - TRADED, last),)
    (_, north), *_ = zones[defender]
    (south, _), *_ = zones[brief.enemy_of(defender)]
    if north >= south:  # both came forward on a small map
        zones[defender] = ((zones[defender][0][0], south - 1),)
    return zones


def _area(feature: str) -> dict[str, Any]:
    return {"within": bridge()["battle"]["reach"], "of": feature}


def _majority(brief: Brief, attacker: str, feature: str, rows: int) -> dict[str, Any]:  # noqa: ARG001 - see _VICTORIES
    return {"kind": "majority"} | _area(feature)


def _withdrawal(brief: Brief, attacker: str, feature: str, rows: int) -> dict[str, Any]:  # noqa: ARG001 - see _VICTORIES
    turn = bridge()["battle"]["turns"] - LAST_GRACE
    return {"kind": "reach", "side": attacker, "from_turn": turn} | _area(feature)


def _total(brief: Brief, attacker: str, feature: str, rows: int) -> dict[str, Any]:  # noqa: ARG001 - see _VICTORIES
    ground = {"rows": [1, rows]}
    if not brief.attacker:
        return {"kind": "majority"} | ground
    return {"kind": "multiple", "side": attacker, "needed": 2} | ground


_VICTORIES: dict[str, Callable[[Brief, str, str, int], dict[str, Any]]] = {"withdrawal": _withdrawal, "total": _total}
