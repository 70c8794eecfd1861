"""Phase F: pins are removed, disrupted units try to recover, and the turn ends (KP-9.72a, KP-13.1a)."""

from collections.abc import Callable

from kampfpanzer.model.events import EntrenchmentsLost, EntrenchmentsTaken, PinsLifted, RecoveryRolled, TurnCleared
from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import RECOVERS_ON
from kampfpanzer.terrain.zones import by_number, is_rider, passengers_of
from kampfpanzer.victory.victory import judge_movement, judge_turn, tally
from sandtable import Calculation, Procedure, Roll


def recovery(state: KampfState) -> Procedure:
    """End the turn: pins, recovery, abandoned entrenchments, victory."""
    yield from judge_movement(state)
    pinned = by_number(unit_id for unit_id, unit in state.units.items() if unit.pinned)
    if pinned:
        yield PinsLifted(pinned)
    for unit_id in by_number(unit_id for unit_id, unit in state.units.items() if unit.disruption):
        if not state.units[unit_id].carrier or is_rider(state, unit_id):  # KP-12.32b, R-KP-76
            yield from _recover(state, unit_id)
    taken = _taken(state) if state.options["entrench_owner"] == "capturable" else {}
    if taken:
        yield EntrenchmentsTaken(taken)
    lost = sorted(hex_ for hex_, side in state.entrenchments.items() if side not in _holders(state, hex_))
    if lost:
        yield EntrenchmentsLost(lost)
    yield TurnCleared(calculations=tally(state))
    yield from judge_turn(state)


def _recover(state: KampfState, unit_id: str) -> Procedure:
    """Roll for one unit; units inside it recover with it, but riders roll separately (KP-9.72b, KP-12.32b)."""
    level = state.units[unit_id].disruption
    needed = RECOVERS_ON[level]
    side = state.units[unit_id].side
    (die,) = yield Roll(1, 6, f"recovery:{unit_id}", "KP-9.72b", needs=(needed,), favors=side, units=(unit_id,))
    succeeds = die <= needed
    after = AFTER[state.options["recovery"]](level) if succeeds else level
    inside = by_number(each for each in passengers_of(state, unit_id) if not is_rider(state, each))
    rule = "KP-9.72b" if succeeds else "KP-9.72c"
    gone = "KP-9.72b" if not after else "R-KP-59"
    steps = (("previous disruption", level, "KP-9.71d"), *((("recovery", after - level, gone),) if succeeds else ()))
    calculation = Calculation(
        "after", steps, ("KP-9.71b", f"D{level}", f"1-{needed}" if succeeds else f"{needed + 1}-6")
    )
    yield RecoveryRolled(unit_id, level, die, after, inside, rule, (calculation,))


AFTER: dict[str, Callable[[int], int]] = {
    "full": lambda level: 0,  # noqa: ARG005 - same signature as the others
    "one_level": lambda level: level - 1,
}
"""By value of the option recovery, the function that returns the level after a successful roll (R-KP-59)."""


def _taken(state: KampfState) -> dict[str, str]:
    """Return the new owner, by hex, of each entrenchment that only enemies of its owner hold (R-KP-73)."""
    held = {hex_: _holders(state, hex_) for hex_ in sorted(state.entrenchments)}
    return {hex_: sides[0] for hex_, sides in held.items() if sides and state.entrenchments[hex_] not in sides}


def _holders(state: KampfState, hex_: str) -> list[str]:
    """Return the sides with units in a hex; at the end of a turn there is at most one (KP-6.4a)."""
    return sorted({unit.side for unit in state.units.values() if unit.hex == hex_})
