"""The story of a game for one viewer: of a complete log, or of a running game turn by turn."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.journal.fold import effective, fitting
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.records import first_undone
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared
from sandtable.viewer.narrate import StoryLine, story


def story_of(records: Sequence[Any], prepared: Prepared, side: str, name: str) -> tuple[list[Any], list[StoryLine]]:
    """Return the records that ``side`` saw ("" for all) and that were not undone, and their story, in brief."""
    known = _known(records, prepared, side, name)
    return known, _lines(known, known, prepared, name)


def _known(records: Sequence[Any], prepared: Prepared, side: str, name: str) -> list[Any]:
    if side in ("", UMPIRE):
        return effective(records)
    with fitting(name, f"what {side} saw cannot be narrated"):
        return effective(seen_records(records, prepared, side))


def _lines(records: Sequence[Any], summed_up: Sequence[Any], prepared: Prepared, name: str) -> list[StoryLine]:
    """Return the story of ``records`` with the digest of the records ``summed_up``."""
    ui = prepared.installed.ui
    with fitting(name, "it cannot be narrated in brief"):
        digest = (ui.digest or nothing)(summed_up, prepared.board)

    def sentence_of(record: Any) -> str | None:
        with fitting(name, f"record {record.n} cannot be narrated"):
            return (ui.narrate or nothing)(record, prepared.board)

    return list(story(records, sentence_of if ui.narrate else None, digest=digest))


class StoryUpdate(NamedTuple):
    """The change of a story: its first ``kept`` lines are unchanged, and ``lines`` follow them."""

    kept: int
    lines: list[StoryLine]


class LiveStory:
    """The story of a running game for ``viewer``: a side, the umpire, or PUBLIC for spectators.

    ``lines`` is the story so far, in brief, as ``story_of`` makes it of all records. Only the current turn is narrated
    again, because later records may change its lines; the digest is of all records.
    """

    def __init__(self, prepared: Prepared, viewer: str, name: str = "the game") -> None:
        self._prepared, self._viewer, self._name = prepared, viewer, name
        self.lines: list[StoryLine] = []
        self._followed = 0
        self._known: list[Any] = []
        self._turns = [_Turn(0, 0, 0)]
        # The record after which the lines changed, and the number of lines kept.
        self._edits: list[tuple[int, int]] = []

    def follow(self, records: Sequence[Any]) -> None:
        """Narrate the new records in ``records``, which are all of the game so far."""
        new = records[self._followed :]
        if not new:
            return
        back = [first_undone(each) for each in new]
        first = records[0].n
        earliest = min([new[0].n, *filter(None, back)]) - first
        while self._turns[-1].start > earliest:
            self._turns.pop()
        self._followed = len(records)
        turn = self._turns[-1]
        part = _known(records[turn.start :], self._prepared, self._viewer, self._name)
        self._known[turn.known :] = part
        told = _lines(part, self._known, self._prepared, self._name)
        old = self.lines[turn.lines :]
        same = next((at for at, pair in enumerate(zip(old, told, strict=False)) if pair[0] != pair[1]), None)
        kept = turn.lines + (min(len(old), len(told)) if same is None else same)
        if kept < max(len(self.lines), turn.lines + len(told)):
            self._edits.append((new[-1].n, kept))
        self.lines[turn.lines :] = told
        for place, record in enumerate(part):
            if isinstance(getattr(record, "event", None), TurnBegan) and place:
                lines = bisect_left(told, record.n, key=lambda line: line.number)
                self._turns.append(_Turn(record.n - first, turn.known + place, turn.lines + lines))

    @property
    def known(self) -> Sequence[Any]:
        """The records that the viewer saw and that were not undone."""
        return self._known

    def since(self, number: int) -> StoryUpdate:
        """Return the change since record ``number`` was the last one given to ``follow``; 0 returns the whole story."""
        kept = min((kept for after, kept in self._edits if after > number), default=len(self.lines)) if number else 0
        return StoryUpdate(kept, self.lines[kept:])


class _Turn(NamedTuple):
    """The start of a turn: its index among the records, and the number of known records and lines before it."""

    start: int
    known: int
    lines: int
