"""Zones of control (KP-8.0a): who has one, and where those of the enemy lie; and who is aboard whom."""

from typing import Any

from kampfpanzer.model.state import ON_MAP, KampfState


def passengers(state: KampfState) -> dict[str, str]:
    """Return by vehicle, or tank with riders, the unit that is aboard (R-KP-63)."""
    return {unit.carrier: each_id for each_id, unit in state.units.items() if unit.carrier}


def exerts_zone(state: KampfState, unit_id: str) -> bool:
    """Tell whether a unit has a zone of control now.

    It is on the map, not disrupted (KP-8.2a), no passenger or rider (R-KP-76), and no vehicle unless that carries
    infantry (KP-8.3a, KP-8.3b). Pins, panic and results that are still pending change nothing (R-KP-81, R-KP-82).
    """
    return state.units[unit_id].standing == ON_MAP and would_exert_zone(state, unit_id)


def would_exert_zone(state: KampfState, unit_id: str) -> bool:
    """Tell whether a unit has a zone of control wherever on the map it is: one that is about to enter, too."""
    unit = state.units[unit_id]
    if unit.disruption or unit.carrier:
        return False
    kinds: Any = state.board.kinds
    if not kinds[unit.kind].is_vehicle:
        return True
    return any(other.carrier == unit_id and not kinds[other.kind].is_gun for other in state.units.values())


def enemy_zone(state: KampfState, side: str, hex_: str) -> bool:
    """Tell whether a hex lies in the zone of control of an enemy of ``side``."""
    board: Any = state.board
    near = board.hexmap.around[hex_]
    return any(
        unit.hex in near and unit.side != side and unit.hex != "" and exerts_zone(state, each_id)
        for each_id, unit in state.units.items()
    )


def enemy_zones(state: KampfState, side: str) -> frozenset[str]:
    """Return every hex that lies in the zone of control of an enemy of ``side``."""
    board: Any = state.board
    enemies = [each_id for each_id, unit in state.units.items() if unit.side != side and unit.hex]
    around = board.hexmap.around
    return frozenset(
        near for each_id in enemies if exerts_zone(state, each_id) for near in around[state.units[each_id].hex] if near
    )
