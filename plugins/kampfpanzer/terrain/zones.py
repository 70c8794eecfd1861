"""Zones of control (KP-8.0a), passengers, and the targets in a hex."""

from collections.abc import Iterable
from typing import Any

from kampfpanzer.model.forces import AFV, Kind
from kampfpanzer.model.state import ON_MAP, KampfState


def passengers(state: KampfState) -> dict[str, str]:
    """Return the id of the unit aboard by the id of its vehicle, or of its tank (riders, R-KP-63)."""
    return {unit.carrier: each_id for each_id, unit in state.units.items() if unit.carrier}


def would_exert_zone(state: KampfState, unit_id: str) -> bool:
    """Return whether a unit has a zone of control wherever it is on the map, or would have after it enters.

    A unit has a zone unless it is disrupted (KP-8.2a), a passenger or rider (R-KP-76), or a vehicle without infantry
    aboard (KP-8.3a, KP-8.3b). Pins, panic and pending results have no effect (R-KP-81, R-KP-82).
    """
    unit = state.units[unit_id]
    if unit.disruption or unit.carrier:
        return False
    kinds: Any = state.board.kinds
    if not kinds[unit.kind].is_vehicle:
        return True
    return any(other.carrier == unit_id and not kinds[other.kind].is_gun for other in state.units.values())


RIDER_DEFENSE = 1
"""Defense strength of infantry that rides on a tank (KP-14.5.4)."""


def kind_of(state: KampfState, unit_id: str) -> Kind:
    """Return the type of a unit."""
    kind: Kind = state.board.kinds[state.units[unit_id].kind]
    return kind


def by_number(unit_ids: Iterable[str]) -> list[str]:
    """Return unit ids in the order of their identity numbers."""
    return sorted(unit_ids, key=int)


def passengers_of(state: KampfState, unit_id: str) -> list[str]:
    """Return the units aboard a unit, including tank riders (KP-12.0a, KP-14.5.3)."""
    return [each_id for each_id, unit in state.units.items() if unit.carrier == unit_id]


def is_rider(state: KampfState, unit_id: str) -> bool:
    """Return whether a unit rides on a tank, so that it can be hit separately (KP-14.5.4, R-KP-76)."""
    carrier = state.units[unit_id].carrier
    return carrier != "" and kind_of(state, carrier).category == AFV


def is_target(state: KampfState, unit_id: str) -> bool:
    """Return whether a unit is a separate target: on the map, and not inside a vehicle (KP-12.32a)."""
    unit = state.units[unit_id]
    return unit.standing == ON_MAP and (not unit.carrier or is_rider(state, unit_id))


def targets_in(state: KampfState, hex_: str, side: str) -> list[str]:
    """Return the units of ``side`` in a hex that are separate targets, by identity number."""
    found = [each_id for each_id, unit in state.units.items() if unit.hex == hex_ and unit.side == side]
    return by_number(each_id for each_id in found if is_target(state, each_id))


def is_hard(state: KampfState, unit_id: str) -> bool:
    """Return whether a unit is a hard target; an APC remains one with a passenger (KP-3.24f, KP-12.31b)."""
    return kind_of(state, unit_id).hard


def defense_strength(state: KampfState, unit_id: str) -> int:
    """Return a unit's defense strength without additions (KP-3.24b, KP-14.5.4)."""
    return RIDER_DEFENSE if is_rider(state, unit_id) else kind_of(state, unit_id).defense
