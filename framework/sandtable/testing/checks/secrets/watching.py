"""The information that a side gets from its slices of two games: readable records, and the traffic of closed ones.

The traffic is which records are closed to the side, how many there are, and in which order. A log shows it to every
side, so a secret choice that changes it is not secret. It does not show who may open a closed record.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.journal.format.secrecy import split
from sandtable.journal.sides.slices import seen_record
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.testing.checks.bench import Trial, parting
from sandtable.testing.checks.secrets.differences import as_told, asked_otherwise, sees_otherwise

STRICT, LOOSE, ENDED = "strict", "loose", "ended"
"""The part of two games that is compared for a viewer: everything, the traffic only, or nothing.

After a reveal to the viewer, only the traffic is compared, while it reads the same. After it has read a difference,
nothing is compared.
"""


class Found(NamedTuple):
    """The information that a viewer gets about a secret; ``is_traffic`` if it reads the same in both games."""

    viewer: str
    problem: str
    is_traffic: bool


class SliceLine(NamedTuple):
    """A record as a viewer has it: ``shown`` is the readable part (or None), ``closed`` how the line is closed."""

    shown: Any
    closed: str
    reveals: bool = False
    names: str = ""


CLOSED = "a closed record"
"""The name of a record in a closed step, of which the log shows only the number."""
END = SliceLine(None, "", names="the next question")
"""The marker of the end of the records that are compared."""


class Watch:
    """A comparison of two games for ``viewers``, step by step, until each viewer has read a difference that it may see.

    With ``sealed`` the secret is an order that is opened with the last order of its group. The traffic is compared for
    sides only: spectators have the lines that every side has, but may lack an opening that explains them.
    """

    def __init__(self, trial: Trial, viewers: Iterable[str], *, sealed: bool = False) -> None:
        self._trial = trial
        self._sealed = sealed
        self._state = dict.fromkeys(viewers, STRICT)

    @property
    def is_over(self) -> bool:
        """Whether the comparison has ended for every viewer."""
        return all(state == ENDED for state in self._state.values())

    @property
    def told(self) -> list[str]:
        """The viewers to which something was revealed."""
        return [viewer for viewer, state in self._state.items() if state != STRICT]

    def look(self, game: Game, twin: Game, starts: Sequence[int]) -> Found | None:
        """Compare records from ``starts`` on, views and decisions; return what first reveals the secret, or None."""
        new = [self._until_opened(table, start) for table, start in zip((game, twin), starts, strict=True)]
        is_opened = any(opened for _, opened in new)
        for viewer in [each for each, state in self._state.items() if state != ENDED]:
            mine, its = ([line_of(self._trial.ruleset, viewer, each) for each in records] for records, _ in new)
            found = self._read(viewer, mine, its)
            if found is not None and found.is_traffic and viewer == PUBLIC:
                found = None
            if self._state[viewer] != ENDED and not is_opened:
                found = self._look_round(viewer, game, twin, found)
            if found is not None:
                return found
        if is_opened:
            self._state = dict.fromkeys(self._state, ENDED)
        return None

    def _until_opened(self, game: Game, start: int) -> tuple[list[Any], bool]:
        """Return the records up to the one that opens everything, and whether there is one."""
        records = game.records[start:]
        for place, record in enumerate(records):
            if isinstance(record, CloseRecord) or (self._sealed and getattr(record, "missing", 0) == 1):
                return records[:place], True
        return records, False

    def _read(self, viewer: str, mine: list[SliceLine], its: list[SliceLine]) -> Found | None:
        """Compare the lines of two slices, up to the first that reads differently; return what reveals, or None."""
        traffic = None
        for (closed, one), (its_closed, other) in zip(_stretches(mine), _stretches(its), strict=False):
            if traffic is None and closed != its_closed and not _is_reading(closed, one, its_closed, other):
                traffic = Found(viewer, _traffic_apart(closed, its_closed, one, other), is_traffic=True)
            if one.shown != other.shown:
                may_read = self._state[viewer] == LOOSE or one.reveals or other.reveals
                self._state[viewer] = ENDED
                return traffic if may_read else Found(viewer, _reads_apart(one, other), is_traffic=False)
            if traffic is None and one.closed != other.closed:
                traffic = Found(viewer, _traffic_apart([one.closed], [other.closed], one, other), is_traffic=True)
            if one.reveals:
                self._state[viewer] = LOOSE
        return traffic

    def _look_round(self, viewer: str, game: Game, twin: Game, traffic: Found | None) -> Found | None:
        """Compare views and decisions; a viewer to which something was revealed may see a difference.

        Returns the difference that reveals the secret. If views and decisions agree, that is ``traffic``, which may be
        None.
        """
        apart = sees_otherwise(viewer, game, twin) or asked_otherwise(self._trial, viewer, game, twin)
        if not apart:
            return traffic
        is_strict = self._state[viewer] == STRICT
        self._state[viewer] = ENDED
        return Found(viewer, apart, is_traffic=False) if is_strict else None


def line_of(ruleset: Ruleset, viewer: str, record: Any) -> SliceLine:
    """Return a record as ``viewer`` has it: the line of its slice without number, salts and commitments."""
    kind = type(record).__name__.removesuffix("Record").lower()
    closed = ""
    if isinstance(record, OrderRecord):
        closed = f"an order of {record.by}" if record.missing or record.secret else ""
    elif (parts := split(record, ruleset)) is not None:
        closed = CLOSED if parts.public is None else f"{kind} with a closed part"
    told = None if getattr(record, "missing", 0) else seen_record(as_told(record), ruleset, viewer)
    if told is None:
        return SliceLine(None, closed or kind)
    opening: tuple[type[Event], ...] = (*ruleset.reveals, GameEnded)
    is_event = isinstance(record, EventRecord)
    names = type(record.event).__name__ if is_event else kind
    return SliceLine(replace(told, n=0), closed, is_event and isinstance(record.event, opening), names)


def _stretches(lines: list[SliceLine]) -> Iterator[tuple[list[str], SliceLine]]:
    """Yield runs of records that are closed to the viewer, each with the next line that it can read."""
    closed: list[str] = []
    for line in [*lines, END]:
        if line.shown is not None or line is END:
            yield closed, line
            closed = []
        else:
            closed.append(line.closed)


def _is_reading(closed: list[str], one: SliceLine, its_closed: list[str], other: SliceLine) -> bool:
    """Return whether two runs differ only because the viewer reads an event in one game and not yet in the other.

    If it reads events of one type in both, equally many records must precede them, or their number gives the event
    away.
    """
    (short, line), (long, later) = sorted([(closed, one), (its_closed, other)], key=lambda run: len(run[0]))
    if len(long) == len(short) or long[: len(short)] != short:
        return False
    is_instead = line.closed == long[len(short)] == CLOSED
    return (is_instead or line.reveals) and line.names != later.names


def _reads_apart(one: SliceLine, other: SliceLine) -> str:
    if one is END or other is END:
        apart = f"a record of its log: {other.names}, not {one.names}"
    else:
        apart = f"a record of its log: {parting(other.shown, one.shown)}"
    secret = next((line.names for line in (one, other) if line.closed), "")
    return f"{apart}: if it may read {secret}, the event is one of those that reveal secrets" if secret else apart


def _traffic_apart(mine: list[str], its: list[str], before: SliceLine, its_before: SliceLine) -> str:
    """Return how the traffic differs, and what an author can do."""
    if len(mine) == len(its):
        one, other = next(pair for pair in zip(mine, its, strict=True) if pair[0] != pair[1])
        return (
            f"before {before.names} there is {other or 'an open record'}, not {one or 'an open record'}: "
            "the log shows how much of a record is open to all: always write it in the same form"
        )
    told = [
        f"{len(each)} closed records ({'; '.join(each) or 'none'}) before {line.names}"
        for each, line in ((its, its_before), (mine, before))
    ]
    return (
        f"there are {told[0]}, not {told[1]}: the log shows their number: write the same number whatever "
        "happens, for example one for each side and step"
    )
