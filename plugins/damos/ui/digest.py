"""A march in brief: a force that goes from hex to hex, and meets nobody, is told once, with its way."""

from collections.abc import Iterable
from typing import Any

from damos.model import events
from damos.model.board import Board
from damos.ui.terms import do, moves, place
from sandtable.viewer.narrate import counted

Step = tuple[int, events.ForceMoved]
"""A step, with the number of its record."""


def digest(records: Iterable[Any], board: Board) -> dict[int, str]:
    """Return by the number of a record what is told instead of its sentence: a way at its last step, and "" before.

    Whatever happens on the way, be it a reaction, parts it, and so does a step in which units join or stay behind.
    """
    told: dict[int, str] = {}
    march: list[Step] = []
    for record in records:
        event = getattr(record, "event", None)
        if event is None:
            continue
        if march and not (isinstance(event, events.ForceMoved) and _goes_on(march[-1][1], event)):
            told |= _told(march, board)
            march = []
        if isinstance(event, events.ForceMoved):
            march.append((record.n, event))
    return told | _told(march, board)


def _goes_on(last: events.ForceMoved, step: events.ForceMoved) -> bool:
    """Tell whether a step goes on with the march of the step before it."""
    return (last.units, last.hex, last.exploiting) == (step.units, step.start, step.exploiting)


def _told(march: list[Step], board: Board) -> dict[int, str]:
    """Return what is told of a march; a single step has its own sentence."""
    if len(march) < 2:
        return {}
    steps = [event for _, event in march]
    how = "exploit" if steps[0].exploiting else "move"
    way = ", ".join(place(event.hex, board) for event in steps[:-1])
    ends = f"from {place(steps[0].start, board)} to {place(steps[-1].hex, board)}"
    length = counted(len(steps), "hex", "hexes")
    line = f"{do(steps[0].units, board, how)} {ends}, {length} (by {way}), {moves(steps[-1].left, 'point')} left."
    return {**{number: "" for number, _ in march}, march[-1][0]: line}
