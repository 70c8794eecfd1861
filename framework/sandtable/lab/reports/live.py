"""The table shown while a tournament runs: standings, progress, rate and time left."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sandtable.lab.plan import GamePlan, Row
from sandtable.lab.ratings.findings import Findings, findings
from sandtable.lab.ratings.results import Tally
from sandtable.lab.reports import tables
from sandtable.lab.reports.figures import duration, interval, number, percent, points
from sandtable.quoting import plain

SECONDS = 0.5
"""Minimum number of seconds between redraws. Slow redraws, such as ratings of many players, are rarer."""

MINUTE = 60.0
"""Seconds between progress lines if there is no terminal."""

SHARE = 20
"""Redrawing takes at most one part in SHARE of the time."""

BESIDE = 6
"""Number of screen lines that are not for players."""

Seen = Callable[[GamePlan, Row], None]


class LiveTable:
    """A live table that counts games and shows the standings. It redraws without a thread.

    ``total`` is the number of games to be played, including those already counted in ``tally``. It may grow (Swiss
    events).
    """

    def __init__(
        self, tally: Tally, total: int, console: Console, *, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.tally = tally
        self.total = total
        self._console = console
        self._clock = clock
        self._before = tally.games
        self._began = self._drawn = clock()
        self._pause = SECONDS
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "LiveTable":
        """Show the table."""
        self._live.start()
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the table."""
        self._live.stop()

    def add(self, plan: GamePlan, row: Row) -> None:
        """Count a game, and redraw if it is time."""
        self.tally.add(plan, row)
        if self._clock() - self._drawn >= self._pause:
            self._draw()

    def _draw(self) -> None:
        began = self._clock()
        self._live.update(self.picture(), refresh=True)
        self._drawn = self._clock()
        self._pause = max(SECONDS, SHARE * (self._drawn - began))

    def picture(self) -> RenderableType:
        """Return the current content of the table."""
        found = findings(self.tally)
        return Group(Text(plain(found.title), style="bold"), self._players(found), self._progress())

    def _players(self, found: Findings) -> Table:
        table = Table(box=None, pad_edge=False)
        for heading in ("", "player", "games", "points", "score", "95 % interval", "Elo", "95 % of Elo", "forfeits"):
            right = heading not in {"player", "forfeits"}
            table.add_column(heading, justify="right" if right else "left", no_wrap=True, overflow="ellipsis")
        most_rows = max(3, self._console.size.height - BESIDE)
        for place, each in list(zip(tables.places(found.standings), found.standings, strict=True))[:most_rows]:
            reach = interval(each.low, each.high)
            cells = [str(place), each.name, number(each.games), points(each.points), percent(each.score), reach]
            table.add_row(
                *(
                    Text(plain(cell))
                    for cell in [*cells, tables.elo_of(each), tables.elo_span(each), tables.forfeits(each)]
                )
            )
        if len(found.standings) > most_rows:
            table.add_row("", f"and {len(found.standings) - most_rows} more")
        return table

    def _progress(self) -> RenderableType:
        games = self.tally.games
        line = Table.grid(padding=(0, 2))
        text = progress(games, games - self._before, self.total, self._clock() - self._began)
        line.add_row(ProgressBar(total=max(1, self.total), completed=games, width=30), Text(text))
        return line


class Lines:
    """Progress lines for output without a terminal, for example a file: one per minute, with the time left.

    ``clock`` returns seconds. ``write`` takes a line.
    """

    def __init__(
        self, tally: Tally, total: int, write: Callable[[str], object], *, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._tally, self._total, self._say, self._clock = tally, total, write, clock
        self._before = tally.games
        self._began = self._reported = clock()

    def add(self, plan: GamePlan, row: Row) -> None:
        """Count a game, and report progress if it is time."""
        self._tally.add(plan, row)
        now = self._clock()
        if now - self._reported >= MINUTE:
            self._reported = now
            games = self._tally.games
            self._say(progress(games, games - self._before, self._total, now - self._began))


def progress(games: int, now: int, total: int, taken: float) -> str:
    """Return "300 of 600 games, 10.0 a second, 30 s left". ``now`` of them were played in ``taken`` seconds."""
    rate = now / taken if taken > 0 else 0.0
    parts = [f"{number(games)} of {number(total)} games"]
    if rate > 0:
        slow = rate < 0.1
        parts.append(f"{60 * rate:,.1f} a minute" if slow else f"{rate:,.1f} a second")
        parts.append(f"{duration(max(0, total - games) / rate)} left")
    return ", ".join(parts)


@contextmanager
def watch(tally: Tally, total: int, console: Console) -> Iterator[Seen]:
    """Show a live table on a terminal, or print one line per minute elsewhere. Yield the callback for finished games.

    The callback also counts the game.
    """
    if not console.is_terminal:
        yield Lines(tally, total, lambda line: console.print(line, highlight=False, markup=False)).add
        return
    with LiveTable(tally, total, console) as live:
        yield live.add
