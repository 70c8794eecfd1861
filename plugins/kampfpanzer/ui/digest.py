"""A short form of a movement phase: one line per unit with its start, its end and the reason why it stopped.

Events between the moves (fire, races, overruns, units that back up) keep their own sentences, in order.
"""

from collections.abc import Iterable
from typing import Any

from kampfpanzer.model import events
from kampfpanzer.model.board import Board
from kampfpanzer.plotting.situation import points
from kampfpanzer.ui.narrate import name_of
from sandtable import PhaseEnded
from sandtable.pictures import capital

STOPPED = {
    "zone": "stopped in the zone of {by}",
    "met": "stopped as {by} came adjacent",
    "zone_to_zone": "stopped by the zone of {by}",
    "contest": "stopped after losing the race to {by}",
    "contest_won": "stopped after winning the race against {by}",
    "enemy": "stopped by {by} on its path",
    "swap": "stopped by {by}, met head on",
    "hit": "stopped by a hit that ended its overrun",
    "hard": "stopped in front of {by}, a hard target",
    "exit": "stopped by {by} behind the target of its overrun",
    "entry": "kept off the map",
}
"""Reasons why a unit stops before it has completed its plot; see ``events.STOPS``."""


class _Course:
    """A unit's move so far: start ("" if off the map), current hex, hexes entered, record of its last step."""

    def __init__(self, start: str) -> None:
        self.start, self.hex, self.hexes, self.tick, self.last = start, start, 0, 0, 0

    def description(self, name: str) -> str:
        """Return the move in words, such as "PzII 95 from 2138 to 1917 (14 hexes, 7 points)"."""
        start = f" from {self.start}" if self.start else ""
        entered = f"{self.hexes} hex{'es' if self.hexes > 1 else ''}"
        return f"{name}{start} to {self.hex} ({entered}, {points(self.tick)} point{'s' if self.tick > 2 else ''})"


def digest(records: Iterable[Any], board: Board) -> dict[int, str]:
    """Return the text that replaces each record's sentence, or "" for no text."""
    texts: dict[int, str] = {}
    positions: dict[str, str] = {}
    courses: dict[str, _Course] = {}
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, events.ForceDeployed):
            positions.update({unit: hex_ for unit, hex_ in event.hexes.items() if unit not in event.aboard})
        elif isinstance(event, events.UnitsMoved):
            texts[record.n] = ""
            for unit, hex_ in event.hexes.items():
                course = courses.setdefault(unit, _Course(positions.get(unit, "")))
                course.hex, course.tick, course.last = hex_, event.tick, record.n
                course.hexes += 1
                positions[unit] = hex_
        elif isinstance(event, events.UnitStopped) and event.unit in courses:
            by = name_of(event.by, board) if event.by else "an enemy"
            why = STOPPED.get(event.why, "stopped").format(by=by)
            texts[record.n] = f"{capital(courses.pop(event.unit).description(name_of(event.unit, board)))}, {why}."
        elif isinstance(event, events.UnitBackedUp):
            positions[event.unit] = event.hex
        elif isinstance(event, events.UnitDebarked):
            positions |= {event.unit: positions.get(event.vehicle, ""), event.vehicle: event.hex}
        elif isinstance(event, PhaseEnded) and courses:
            _close(courses, texts, board)
    _close(courses, texts, board)
    return texts


def _close(courses: dict[str, _Course], texts: dict[int, str], board: Board) -> None:
    """Add a line for each unit that nothing stopped, at the record of its last step."""
    for unit, course in courses.items():
        line = f"{capital(course.description(name_of(unit, board)))}."
        texts[course.last] = f"{texts[course.last]}\n{line}".lstrip("\n")
    courses.clear()
