"""The output of commands: data on stdout, prose on stderr, aligned tables.

Names, words and values may come from files that others wrote. So commands print only through this module, which prints
one line at a time and escapes control characters. Only text that was laid out here (``table``, ``facts``) has several
lines and its own styling; its cells were escaped before.
"""

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from sandtable.quoting import MAX_LINE, bounded, plain, plain_json, shortened, wrapped

LEAST_TEXT = 30
PIPED_WIDTH = 160
MAX_CELL = 400


class Laid(str):
    """Text that this module laid out, printed unchanged. One made elsewhere would print foreign text unescaped."""

    __slots__ = ()


def say(text: str = "") -> None:
    """Print a line of prose on stderr, such as progress, hints and headings. Very long values are shortened."""
    click.echo(text if isinstance(text, Laid) else plain(bounded(text)), err=True)


def show(text: str = "") -> None:
    """Print a line of data."""
    click.echo(text if isinstance(text, Laid) else plain(shortened(text, MAX_LINE)))


def show_drawing(text: str) -> None:
    """Print a board as its ruleset drew it, with any number of lines."""
    for line in text.rstrip("\n").split("\n"):
        show(line)


def show_sentence(text: str) -> None:
    """Print a line of prose, wrapped at blanks if the output is a terminal."""
    for line in wrapped(text, width()) if sys.stdout.isatty() else [text]:
        show(line)


def show_json(value: Any, *, indent: int = 2) -> None:
    """Print ``value`` as a JSON document. With ``indent`` 0 it is one line, as one of many."""
    from msgspec import json

    data = json.encode(value)
    click.echo(plain_json((json.format(data, indent=indent) if indent else data).decode()))


def picked(value: object, fields: str) -> dict[str, Any]:
    """Return the space-separated ``fields`` of an object as plain data for a JSON document."""
    return {name: getattr(value, name) for name in fields.split()}


def show_file(data: bytes) -> None:
    """Print a file for another program: unchanged or, on a terminal, with its control characters escaped."""
    if not sys.stdout.isatty():
        click.echo(data, nl=False)
        return
    for line in data.decode("utf-8", "replace").removesuffix("\n").split("\n"):
        click.echo(plain(line.removesuffix("\r")))


def width() -> int:
    """Return the maximum width of a line: the terminal's, or PIPED_WIDTH if stdout is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED_WIDTH


def paper_width() -> int:
    """Return the maximum width of a drawing: the terminal's, or 0 (unlimited) if stdout is not a terminal."""
    return width() if sys.stdout.isatty() else 0


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Sequence[int] = (),
    total: Sequence[object] = (),
) -> Laid:
    """Return a table as text, with aligned columns (those in ``right`` to the right) and the last column wrapped."""
    head = [_cell(heading) for heading in headings]
    body = [[_cell(cell) for cell in row] for row in rows]
    foot = [[_cell(cell) for cell in total]] if total else []
    widths = [max(map(len, column)) for column in zip(head, *body, *foot, strict=True)]
    space = max(LEAST_TEXT, width() - sum(widths[:-1]) - 2 * (len(widths) - 1))
    widths[-1] = min(widths[-1], space)

    def line(cells: Sequence[str]) -> list[str]:
        last = textwrap.wrap(cells[-1], widths[-1], break_long_words=False) or [""]
        lines = [[*cells[:-1], last[0]], *([""] * (len(cells) - 1) + [more] for more in last[1:])]
        return [
            "  ".join(
                cell.rjust(widths[index]) if index in right else cell.ljust(widths[index])
                for index, cell in enumerate(each)
            ).rstrip()
            for each in lines
        ]

    rule = "  ".join("─" * each for each in widths)
    parts = [click.style(text, bold=True) for text in line(head)] + [rule]
    for row in body:
        parts += line(row)
    for row in foot:
        parts += [rule, *line(row)]
    return Laid("\n".join(parts))


def show_row(widths: Sequence[int], cells: Sequence[object]) -> None:
    """Print one row of a table whose later rows are not known yet; all columns except the last have ``widths``."""
    texts = [_cell(cell) for cell in cells]
    space = max(LEAST_TEXT, width() - sum(widths) - 2 * len(widths))
    last = textwrap.wrap(texts[-1], space, break_long_words=False) or [""]
    lines = [[*texts[:-1], last[0]], *([*[""] * len(widths), more] for more in last[1:])]
    for line in lines:
        fixed = [cell.ljust(wide) for cell, wide in zip(line, widths, strict=False)]
        show(Laid("  ".join([*fixed, line[-1]]).rstrip()))


def facts(pairs: Sequence[tuple[str, object]]) -> Laid:
    """Return ``pairs`` as lines "name  value", with names aligned and values wrapped."""
    cells = [(_cell(name), _cell(value)) for name, value in pairs]
    wide = max(len(name) for name, _ in cells)
    lines: list[str] = []
    for name, value in cells:
        text = textwrap.wrap(value, max(LEAST_TEXT, width() - wide - 2)) or [""]
        lines.append(f"{click.style(name.ljust(wide), bold=True)}  {text[0]}".rstrip())
        lines += [f"{' ' * wide}  {more}" for more in text[1:]]
    return Laid("\n".join(lines))


def _cell(value: object) -> str:
    return plain(shortened(value, MAX_CELL))


def duration(seconds: float) -> str:
    """Return "12 ms" or "3.4 s"."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def won_by(outcome: str) -> str:
    """Return "won by allies", "draw", or "not over" for ""."""
    return outcome if outcome == "draw" else f"won by {outcome}" if outcome else "not over"


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Show the progress of a match on stderr, if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games or None)
        yield lambda done: bar.update(task, completed=done)
