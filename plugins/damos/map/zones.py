"""Zones of control and zones of influence.

A zone of control is the six hexes around a force that is not demoralized. It blocks supply lines and eliminates forces
that retreat into it, but does not hamper movement (DM-2.5). A zone of influence reaches one to three hexes, and forces
that have one may react into it (DM-2.6).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from damos.model.forces import SidePosition, enemy_of, position, stacks
from damos.model.state import DamosState
from damos.model.tables import GERMAN, SOVIET, zone_range

if TYPE_CHECKING:
    from damos.model.board import Board

UNAWARE_TURN = 1


def has_influence(state: DamosState, unit_id: str) -> bool:
    """Return whether a unit has a zone of influence, apart from demoralization (AGC-3.1a, AGC-3.2a).

    On turn 1 no Soviet unit has one (AGC-4.6.1b). Every Soviet unit in the hex of the Cossacks has one (AGC-4.8a,
    R-DM-68).
    """
    counter = state.board.counters[unit_id]
    if counter.side == GERMAN:
        return bool(counter.zoi)
    if not has_zones(state, SOVIET):
        return False
    return bool(counter.zoi) or (state.cossacks != "" and state.units[unit_id].hex == state.cossacks)


def has_zones(state: DamosState, side: str) -> bool:
    """Return whether a side's forces have zones, as all do except the Soviets on turn 1 (AGC-4.6.1b, AGC-4.6.1c)."""
    return side != SOVIET or state.turn > UNAWARE_TURN


def ignores_rivers(state: DamosState, side: str) -> bool:
    """Return whether a side ignores rivers: on turn 1 the Germans do, or by option both sides (AGC-4.6.5a, R-DM-66)."""
    return state.turn <= UNAWARE_TURN and (side == GERMAN or state.options["turn1_rivers"] == "both")


MAX_INFLUENCE_HEXES = 3


def zone_of(state: DamosState, side: str) -> dict[str, list[str]]:
    """Return the hexes in a side's zone of control, each with the hexes of the forces that exert it, sorted.

    Demoralized units exert none (DM-2.5e). It does not reach into a major city that the enemy occupies (DM-2.5b), nor,
    with ``zoc_into_shared_hex`` "no", into any hex with enemy units (R-DM-38). Do not change the result.
    """
    if not has_zones(state, side):
        return {}
    closed = _CLOSED[state.options["zoc_into_shared_hex"]](state, side)
    derived = position(state).sides[side].derived
    kept: tuple[list[str], dict[str, list[str]]] | None = derived.get("zone")
    if kept is None or kept[0] != closed:
        kept = derived["zone"] = (closed, _zone(state, side, closed))
    return kept[1]


def _zone(state: DamosState, side: str, closed: Collection[str]) -> dict[str, list[str]]:
    around = state.board.around
    shut = frozenset(closed)
    zone: dict[str, list[str]] = {}
    for start in exerting(state, side):
        for hex_ in around[start]:
            if hex_ not in shut:
                zone.setdefault(hex_, []).append(start)
    return zone


def _held_major_cities(state: DamosState, side: str) -> list[str]:
    enemies = stacks(state, enemy_of(side))
    return [hex_ for hex_ in state.board.major_cities if hex_ in enemies]


def _all_held(state: DamosState, side: str) -> list[str]:
    return list(stacks(state, enemy_of(side)))


_CLOSED: dict[str, Callable[[DamosState, str], list[str]]] = {"yes": _held_major_cities, "no": _all_held}
"""Hexes that the zone of a side does not reach, by option ``zoc_into_shared_hex``."""


def exerting(state: DamosState, side: str) -> list[str]:
    """Return the sorted hexes of a side's forces that exert a zone of control (DM-2.5a). Do not change the result."""
    return exerting_at(position(state).sides[side], state.units) if has_zones(state, side) else []


def exerting_at(found: SidePosition, units: Mapping[str, Any]) -> list[str]:
    """Return the sorted hexes of forces in a position that are not fully demoralized. Do not change the result."""
    hexes: list[str] | None = found.derived.get("exerting")
    if hexes is None:
        down = {unit_id for unit_id, unit in units.items() if unit.demoralized}
        hexes = found.derived["exerting"] = [hex_ for hex_, force in found.stacks.items() if not down.issuperset(force)]
    return hexes


def around_at(board: "Board", found: SidePosition, units: Mapping[str, Any]) -> frozenset[str]:
    """Return the hexes next to those of ``exerting_at``."""
    zone: frozenset[str] | None = found.derived.get("around")
    if zone is None:
        zone = found.derived["around"] = hexes_around(board, exerting_at(found, units))
    return zone


def hexes_around(board: "Board", hexes: Iterable[str]) -> frozenset[str]:
    """Return the hexes next to any of these."""
    return frozenset().union(*[board.around[hex_] for hex_ in hexes])


def in_enemy_zone(state: DamosState, side: str, hex_: str, ignoring: Collection[str] = ()) -> bool:
    """Return whether a hex is in a zone of control of the enemy of ``side``; forces in hexes ``ignoring`` do not count.

    A friendly force in the hex cancels nothing here: that applies to supply lines only (DM-2.10b, R-DM-17, R-DM-07).
    """
    exerted_from = zone_of(state, enemy_of(side)).get(hex_)
    if not exerted_from:
        return False
    return not ignoring or any(start not in ignoring for start in exerted_from)


def influence_range(state: DamosState, hex_: str, side: str, *, printed: bool = False) -> int:
    """Return the range in hexes of the zone of influence of a side's force, or 0 without a zone (DM-2.6b).

    All units that are not demoralized count; with ``zoi_force_sp`` "zoi_units_only", only those that have a zone
    (R-DM-02). With ``printed``, each counts at its printed strength: the range that the enemy must assume (DM-2.4c).
    """
    units = [each for each in stacks(state, side).get(hex_, ()) if not state.units[each].demoralized]
    projecting = [each for each in units if projects_zone(state, each)]
    if not projecting:
        return 0
    counted = projecting if state.options["zoi_force_sp"] == "zoi_units_only" else units
    holders: Mapping[str, Any] = state.board.counters if printed else state.units
    return zone_range(sum(int(holders[unit_id].sp) for unit_id in counted))


def can_influence(state: DamosState, side: str, hex_: str, *, printed: bool = False) -> list[str]:
    """Return the sorted hexes of a side's forces that have a fresh unit with a zone and whose zone reaches ``hex_``.

    ``hex_`` itself is not included: a force in it need not react into it (DM-2.6.1a, R-DM-48). ``printed`` is as in
    ``influence_range``.
    """
    there = stacks(state, side)
    return [
        start
        for start, distance_hexes in _within_influence(state, hex_)
        if start in there
        and is_ready(state, there[start])
        and distance_hexes <= influence_range(state, start, side, printed=printed)
    ]


def _within_influence(state: DamosState, hex_: str) -> tuple[tuple[str, int], ...]:
    """Return the hexes, sorted, from which the widest zone reaches a hex, each with its distance."""
    known: dict[str, tuple[tuple[str, int], ...]] = state.board.caches.setdefault("within_influence", {})
    found = known.get(hex_)
    if found is None:
        hexmap = state.board.hexmap
        near = (each for each in hexmap.within(hex_, MAX_INFLUENCE_HEXES) if each != hex_)
        found = known[hex_] = tuple((each, hexmap.range_hexes(each, hex_)) for each in near)
    return found


def is_ready(state: DamosState, units: Collection[str]) -> bool:
    """Return whether any unit of a force is fresh and has a zone of influence, so that it may react (DM-2.6.1a)."""
    return any(not state.units[unit_id].spent and projects_zone(state, unit_id) for unit_id in units)


def projects_zone(state: DamosState, unit_id: str) -> bool:
    """Return whether a unit has a zone of influence now: by its type, and not demoralized (DM-2.6a, DM-2.6c)."""
    return not state.units[unit_id].demoralized and has_influence(state, unit_id)


def is_zone_capable(state: DamosState, units: Iterable[str]) -> bool:
    """Return whether a force has a zone of influence, that is, any unit of it has one (DM-2.1j, AGC-3.0a)."""
    return any(projects_zone(state, unit_id) for unit_id in units)
