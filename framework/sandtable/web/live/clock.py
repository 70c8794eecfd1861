"""The clock of a game, which belongs to its host: no log and no rule depends on it.

It begins when all people have opened their links, runs for each seat that must decide, and stops while the server does.
At zero it marks the seat; nothing else happens until the others claim the game.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import PlayError
from sandtable.quoting import shortened

MOVE, BANK, DAYS = "move", "bank", "days"
DAY = 86_400
MAX_SECONDS = 60 * DAY
"""Maximum time of a seat, in seconds."""
_PACE = re.compile(r"(move|bank|days) (\d{1,7})(?:\+(\d{1,5}))?")


class Pace(Struct, frozen=True):
    """A pace: ``move`` or ``days`` give each decision ``seconds``; ``bank`` is a supply that gets ``more`` after each.

    An order that people take back gives no time back.
    """

    kind: str
    seconds: int
    more: int = 0


def read_pace(text: str) -> Pace | None:
    """Return the pace in a text: "move 60", "bank 1800+30" (seconds), "days 3"; None for "". Raises PlayError."""
    if not text:
        return None
    found = _PACE.fullmatch(text)
    if found is None or (found[3] and found[1] != BANK):
        raise PlayError(f"a pace is `move SECONDS`, `bank SECONDS+SECONDS` or `days DAYS`, not {shortened(text)!r}")
    seconds = int(found[2]) * (DAY if found[1] == DAYS else 1)
    if not 1 <= seconds <= MAX_SECONDS:
        raise PlayError(f"a clock has 1 second to {MAX_SECONDS // DAY} days, not {found[2]} in `{text}`")
    return Pace(found[1], seconds, int(found[3] or 0))


class StoredClock(Struct, frozen=True):
    """A clock as it is stored: its pace as text, and the milliseconds left by seat."""

    pace: str
    left: dict[str, int]
    is_paused: bool = False
    is_begun: bool = False


class GameClock:
    """The clock of the people in ``seats``. Times are seconds of any steady source, which the caller gives as ``now``.

    Raises PlayError for an invalid ``pace``.
    """

    def __init__(self, pace: str, seats: Iterable[str], stored: StoredClock | None = None) -> None:
        found = read_pace(pace)
        if found is None:
            raise PlayError("a clock requires a pace")
        self.text, self.pace = pace, found
        self.is_paused = stored is not None and stored.is_paused
        self.is_begun = stored is not None and stored.is_begun
        full = found.seconds * 1000
        self.left = {seat: min(stored.left.get(seat, full), full * 1000) if stored else full for seat in seats}
        self.running: frozenset[str] = frozenset()
        self._since = 0.0
        self._met: set[str] = set()

    def turn(self, waiting: Iterable[str], now: float) -> None:
        """Run for the seats that must decide now, and stop for the others, which get their increment or a full time."""
        self._settle(now)
        running = frozenset(waiting) & self.left.keys() if self.is_begun else frozenset()
        for seat in self.running - running:
            if self.pace.kind == BANK:
                self.left[seat] += self.pace.more * 1000
            else:
                self.left[seat] = self.pace.seconds * 1000
        self.running = running

    def meet(self, seats: Iterable[str]) -> None:
        """Begin when the holders of all seats have come, of whom ``seats`` are here now."""
        self._met |= set(seats)
        self.is_begun = self.is_begun or self._met >= self.left.keys()

    def pause(self, now: float, *, is_on: bool) -> None:
        """Stop for all seats, or run again."""
        self._settle(now)
        self.is_paused = is_on

    def out_of_time(self, now: float) -> list[str]:
        """Return the seats that must decide and have no time left."""
        self._settle(now)
        return sorted(seat for seat in self.running if self.left[seat] <= 0)

    def _settle(self, now: float) -> None:
        if not self.is_paused:
            for seat in self.running:
                self.left[seat] -= max(0, round((now - self._since) * 1000))
        self._since = now

    def shown(self, now: float) -> dict[str, Any]:
        """Return the clock as pages show it: milliseconds left by seat, below zero if it ran out."""
        flagged = self.out_of_time(now)
        running = [] if self.is_paused else sorted(self.running)
        return {
            "pace": self.text,
            "left": dict(sorted(self.left.items())),
            "running": running,
            "paused": self.is_paused,
            "begun": self.is_begun,
            "flagged": flagged,
        }

    def stored(self, now: float) -> str:
        """Return the clock as text, for ``clock_of``."""
        self._settle(now)
        return msgspec.json.encode(StoredClock(self.text, self.left, self.is_paused, self.is_begun)).decode()


def clock_of(text: str, names: Mapping[str, str]) -> GameClock | None:
    """Return the clock of a stored text for the people among ``names`` (players by seat); None for "" or a bad text."""
    try:
        stored = msgspec.json.decode(text, type=StoredClock)
        seats = [seat for seat, name in names.items() if name == "human"]
        return GameClock(stored.pace, seats, stored)
    except (msgspec.MsgspecError, PlayError):
        return None
