"""Phase F: pins come off, disrupted units try to recover, and the turn ends (KP-9.72, KP-13.1a)."""

from collections.abc import Callable

from kampfpanzer.events import EntrenchmentsLost, PinsLifted, RecoveryRolled, TurnCleared
from kampfpanzer.state import KampfState, Unit
from kampfpanzer.tables import RECOVERS_ON
from kampfpanzer.targets import by_number, is_rider, passengers_of
from kampfpanzer.victory import judge_movement, judge_turn
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def recovery(state: KampfState) -> Procedure:
    """End the turn: pins, recovery, entrenchments left, victory."""
    yield from judge_movement(state)
    pinned = by_number(unit_id for unit_id, unit in state.units.items() if unit.pinned)
    if pinned:
        yield PinsLifted(pinned)
    for unit_id in by_number(unit_id for unit_id, unit in state.units.items() if unit.disruption):
        if not state.units[unit_id].carrier or is_rider(state, unit_id):  # KP-12.32b, R-KP-76
            yield from _recover(state, unit_id)
    lost = sorted(hex_ for hex_, side in state.entrenchments.items() if not _is_held(state, hex_, side))
    if lost:
        yield EntrenchmentsLost(lost)
    yield TurnCleared()
    yield from judge_turn(state)


def _recover(state: KampfState, unit_id: str) -> Procedure:
    """Roll for one unit; who is inside it recovers with it, riders have markers of their own (KP-9.72b, KP-12.32b)."""
    level = state.units[unit_id].disruption
    needed = RECOVERS_ON[level]
    (die,) = yield Roll(1, 6, f"recovery:{unit_id}", "KP-9.72b", needs=(needed,))
    succeeds = die <= needed
    after = AFTER[state.options["recovery"]](level) if succeeds else level
    inside = by_number(each for each in passengers_of(state, unit_id) if not is_rider(state, each))
    yield RecoveryRolled(unit_id, level, die, after, inside, "KP-9.72b" if succeeds else "KP-9.72c")


AFTER: dict[str, Callable[[int], int]] = {
    "full": lambda level: 0,  # noqa: ARG005 - the shape of the other
    "one_level": lambda level: level - 1,
}
"""The level after a good roll (R-KP-59)."""

KEEPS: dict[str, Callable[[Unit, str], bool]] = {
    "side_bound": lambda unit, side: unit.side == side,
    "capturable": lambda unit, side: True,  # noqa: ARG005 - the shape of the other
}
"""Whose presence keeps an entrenchment from being lost: its own side's, or anybody's (R-KP-73)."""


def _is_held(state: KampfState, hex_: str, side: str) -> bool:
    keeps = KEEPS[state.options["entrench_owner"]]
    return any(unit.hex == hex_ and keeps(unit, side) for unit in state.units.values())
