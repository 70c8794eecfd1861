"""Zones of control (KP-8.0a): who has one; and who is aboard whom. Where they lie, ``Positions`` tells."""

from typing import Any

from kampfpanzer.model.state import KampfState


def passengers(state: KampfState) -> dict[str, str]:
    """Return by vehicle, or tank with riders, the unit that is aboard (R-KP-63)."""
    return {unit.carrier: each_id for each_id, unit in state.units.items() if unit.carrier}


def would_exert_zone(state: KampfState, unit_id: str) -> bool:
    """Tell whether a unit has a zone of control wherever on the map it is: one that is about to enter, too.

    It is not disrupted (KP-8.2a), no passenger or rider (R-KP-76), and no vehicle unless that carries infantry
    (KP-8.3a, KP-8.3b). Pins, panic and results that are still pending change nothing (R-KP-81, R-KP-82).
    """
    unit = state.units[unit_id]
    if unit.disruption or unit.carrier:
        return False
    kinds: Any = state.board.kinds
    if not kinds[unit.kind].is_vehicle:
        return True
    return any(other.carrier == unit_id and not kinds[other.kind].is_gun for other in state.units.values())
