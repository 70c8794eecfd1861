"""``sandtable replay --watch``: walk through a game in the terminal, with the keys of the replay page."""

import shutil
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import click

from sandtable.cli.game.board import drawn
from sandtable.cli.output import paper_width, say, show, show_drawing
from sandtable.journal.file.log import Log
from sandtable.journal.fold import fitting
from sandtable.kernel.events import GameEnded, PhaseBegan, TurnBegan
from sandtable.kernel.records import OrderRecord, RulingRecord, UndoRecord
from sandtable.kernel.state import State
from sandtable.plugin.manager import Prepared
from sandtable.viewer.narrate import StoryLine

FORWARD, BACK = 1, -1
UP, DOWN = "\x1b[A", "\x1b[B"
RIGHT, LEFT = "\x1b[C", "\x1b[D"
KEYS: dict[str, tuple[str, int]] = {
    **dict.fromkeys((RIGHT, "l", "\r", "\n"), ("beat", FORWARD)),
    **dict.fromkeys((LEFT, "h"), ("beat", BACK)),
    ".": ("record", FORWARD),
    ",": ("record", BACK),
    **dict.fromkeys(("\x1b[6~", ">"), ("phase", FORWARD)),
    **dict.fromkeys(("\x1b[5~", "<"), ("phase", BACK)),
    "n": ("moment", FORWARD),
    "N": ("moment", BACK),
    "]": ("turn", FORWARD),
    "[": ("turn", BACK),
    **dict.fromkeys(("\x1b[F", "\x1b[4~", "G"), ("all", FORWARD)),
    **dict.fromkeys(("\x1b[H", "\x1b[1~", "g"), ("all", BACK)),
}
"""The effect of each key: the kind of stops it moves by, and the direction."""
HELP = (
    "l h or arrows: an order forward, back",
    ". ,: a record",
    "> <: a phase",
    "] [: a turn",
    "n N: a notable moment",
    "g G: first, last",
    "j k: scroll",
    "/: search",
    "q: leave",
)
LINES = 8
"""Maximum number of sentences shown under the board."""


class Walk:
    """The current position in a game, the records to stop at, and the story."""

    def __init__(self, records: Sequence[Any], lines: Sequence[StoryLine], last: int) -> None:
        self.last, self.now, self.found = last, 0, ""
        self.lines = lines
        self.stops = stops_of(records, last)

    def go(self, unit: str, step: int) -> None:
        """Go to the next stop of a unit."""
        if unit == "all":
            self.now = self.last if step > 0 else 0
            return
        stops = self.stops[unit] if unit in self.stops else range(self.last + 1)
        index = bisect_right(stops, self.now) if step > 0 else bisect_left(stops, self.now) - 1
        self.now = stops[max(0, min(index, len(stops) - 1))]

    def search(self, words: str) -> bool:
        """Go to the next sentence that contains ``words``. Returns False if there is none."""
        hits = [line.number for line in self.lines if line.kind == "sentence" and words.lower() in line.text.lower()]
        if hits:
            self.now = next((number for number in hits if number > self.now), hits[0])
        return bool(hits)

    def story(self) -> list[str]:
        """Return the last sentences up to the current record, with their headings."""
        shown = [line for line in self.lines if line.number <= self.now][-LINES:]
        return [line.text if line.kind == "heading" else f"  {line.text}" for line in shown]


def stops_of(records: Sequence[Any], last: int) -> dict[str, list[int]]:
    """Return the records to stop at, by unit: before each order, phase and turn, and at notable moments.

    Notable moments are rulings, undone orders and the end of the game.
    """
    beats, phases, turns, moments = {0, last}, {0, last}, {0, last}, {0, last}
    group = 0
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(record, OrderRecord):
            if not group or record.missing != group - 1:
                beats.add(record.n - 1)
            group = record.missing
        elif isinstance(event, TurnBegan):
            turns.add(record.n - 1)
        if isinstance(event, PhaseBegan):
            phases.add(record.n - 1)
        if isinstance(event, GameEnded) or isinstance(record, RulingRecord | UndoRecord):
            moments.add(record.n)
    beats |= phases
    return {"beat": sorted(beats), "phase": sorted(phases), "turn": sorted(turns), "moment": sorted(moments)}


def watch(
    prepared: Prepared,
    log: Log,
    records: Sequence[Any],
    lines: Sequence[StoryLine],
    side: str | None,
    states: Callable[[int], State],
) -> None:
    """Show the game until the user leaves. ``records`` and ``lines`` are those that ``side`` saw.

    ``states`` gives the state after a record, or one that looks the same to the side.
    """
    walk, top = Walk(records, lines, log.records), 0
    while True:
        top = _show(prepared, log.name, walk, side, top, states)
        try:
            key = click.getchar()
        except EOFError:
            return
        except OSError as error:
            raise click.UsageError("--watch requires a terminal") from error
        if key in {"q", "Q", "\x1b", "\x03", "\x04"}:
            return
        if key in {"j", DOWN, "k", UP}:
            top = max(0, top + (8 if key in {"j", DOWN} else -8))
        elif key == "/":
            walk.found = click.prompt("search", default=walk.found, err=True)
            if not walk.search(walk.found):
                say("no sentence contains that")
        elif key in KEYS:
            walk.go(*KEYS[key])
            top = 0


def _show(prepared: Prepared, name: str, walk: Walk, side: str | None, top: int, states: Callable[[int], State]) -> int:
    """Draw the board and the story; return the index of the first board line that is shown."""
    state = states(walk.now)
    with fitting(name, f"the state after record {walk.now} cannot be drawn"):
        shown = drawn(prepared, state, side, columns=paper_width()) or f"{prepared.ruleset.id} has no board to draw"
        drawing = shown.rstrip("\n").split("\n")
    story = walk.story()
    width, height = _size()
    keys = in_lines(HELP, width)
    rows = max(6, height - len(story) - len(keys) - 3)
    top = max(0, min(top, len(drawing) - rows))
    click.clear()
    show_drawing("\n".join(drawing[top : top + rows]))
    show()
    for line in story:
        show(line)
    more = (
        f", board lines {top + 1} to {min(top + rows, len(drawing))} of {len(drawing)}" if len(drawing) > rows else ""
    )
    say(f"record {walk.now} of {walk.last}{more}")
    for line in keys:
        say(line)
    return top


def in_lines(parts: Sequence[str], width: int) -> list[str]:
    """Return ``parts`` joined into lines of at most ``width`` characters. No part is broken."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += f"   {part}"
        else:
            lines.append(part)
    return lines


def _size() -> tuple[int, int]:
    """Return the width of the terminal in characters and its height in lines."""
    return shutil.get_terminal_size((100, 60))
