import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from sandtable.lab.ratings.results import Tally
from sandtable.lab.reports.live import Lines, LiveTable, progress, watch


def console(*, terminal: bool, height: int = 30) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=110, height=height, color_system=None)


def written(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.full
def test_live_table_shows_standings_rate_and_time_left(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(600)
    now = [0.0]
    screen = console(terminal=True)
    before = Tally(tournament)
    for plan, row in zip(plans[:100], rows[:100], strict=True):
        before.add(plan, row)
    with LiveTable(before, 600, screen, clock=lambda: now[0]) as live:
        for plan, row in zip(plans[100:300], rows[100:300], strict=True):
            now[0] += 0.1
            live.add(plan, row)
        screen.print(live.picture())
    text = written(screen)
    assert "captain" in text
    assert "300 of 600 games, 10.0 a second, 30 s left" in text
    assert "time" in text


def test_live_table_is_drawn_every_half_second(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(400)
    now, drawn = [0.0], []
    live = LiveTable(Tally(tournament), 400, console(terminal=True), clock=lambda: now[0])
    live._draw = lambda: (drawn.append(now[0]), setattr(live, "_drawn", now[0]))  # type: ignore[method-assign,func-returns-value,assignment]  # counts drawings
    for plan, row in zip(plans, rows, strict=True):
        now[0] += 0.01
        live.add(plan, row)
    assert len(drawn) in {7, 8}
    assert live.tally.games == 400


def test_slow_table_is_redrawn_rarely(event: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, plans, rows = event(400)
    now, drawn = [0.0], []
    live = LiveTable(Tally(tournament), 400, console(terminal=True), clock=lambda: now[0])

    def picture() -> str:
        drawn.append(now[0])
        now[0] += 2.0  # ratings of many players take that long
        return "the table"

    monkeypatch.setattr(live, "picture", picture)
    for plan, row in zip(plans, rows, strict=True):
        now[0] += 0.5
        live.add(plan, row)
    assert len(drawn) == 5
    assert 2.0 * len(drawn) < 0.06 * now[0]


def test_names_with_terminal_codes_are_escaped(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(2, ("\x1b[2J", "\u202e\x07\nFORGED"))
    screen = console(terminal=True)
    live = LiveTable(Tally(tournament), 2, screen)
    live.tally.add(plans[0], rows[0])
    screen.print(live.picture())
    assert "\\x1b[2J" in written(screen)
    assert "\\u202e\\x07\\nFORGED" in written(screen)
    assert not {"\x1b[2J", "\u202e", "\x07"} & set(written(screen))


@pytest.mark.full
def test_players_beyond_the_screen_are_counted(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(200, tuple(f"player {number}" for number in range(20)))
    screen = console(terminal=True, height=12)
    live = LiveTable(Tally(tournament), 200, screen)
    for plan, row in zip(plans, rows, strict=True):
        live.tally.add(plan, row)
    screen.print(live.picture())
    assert "and 14 more" in written(screen)


def test_names_are_not_read_as_markup(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(2, ("[red]a[/red]", "[/nope]"))
    screen = console(terminal=True)
    live = LiveTable(Tally(tournament), 2, screen)
    live.tally.add(plans[0], rows[0])
    screen.print(live.picture())
    assert "[/nope]" in written(screen)


def test_without_terminal_progress_is_one_line_per_minute(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(400)
    now = [0.0]
    printed: list[str] = []
    lines = Lines(Tally(tournament), 600, printed.append, clock=lambda: now[0])
    for plan, row in zip(plans, rows, strict=True):
        now[0] += 0.5
        lines.add(plan, row)
    assert printed == [
        "120 of 600 games, 2.0 a second, 4 min 00 s left",
        "240 of 600 games, 2.0 a second, 3 min 00 s left",
        "360 of 600 games, 2.0 a second, 2 min 00 s left",
    ]


def test_slow_tournament_shows_its_rate_per_minute() -> None:
    assert progress(5, 2, 9, 120.0) == "5 of 9 games, 1.0 a minute, 4 min 00 s left"
    assert progress(5, 0, 9, 0.0) == "5 of 9 games"


def test_without_terminal_short_tournaments_print_nothing(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(10)
    screen, counts = console(terminal=False), Tally(tournament)
    with watch(counts, 10, screen) as seen:
        for plan, row in zip(plans, rows, strict=True):
            seen(plan, row)
    assert counts.games == 10
    assert written(screen) == ""


def test_live_table_is_shown_on_a_terminal(event: Callable[..., Any]) -> None:
    tournament, plans, rows = event(4)
    screen = console(terminal=True)
    with watch(Tally(tournament), 4, screen) as seen:
        seen(plans[0], rows[0])
    assert "Desert <cup> 1942" in written(screen)
