"""What commands print: data on stdout, prose on stderr, tables that line up."""

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import click
import msgspec

LEAST_TEXT = 30
PIPED_WIDTH = 160


def plain(text: object) -> str:
    """Return ``text`` with every control character escaped: names come from files that others wrote."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def say(text: str = "") -> None:
    """Print prose: progress, hints, headings that no script reads."""
    click.echo(text, err=True)


def show(text: str = "") -> None:
    """Print data."""
    click.echo(text)


def show_json(value: Any) -> None:
    """Print ``value`` as the one JSON document of this run."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def width() -> int:
    """Return how many columns a line may have: the terminal's, or plenty where nobody is watching."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED_WIDTH


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Sequence[int] = (),
    total: Sequence[object] = (),
) -> str:
    """Return a table as text: columns aligned (those in ``right`` to the right), the last one wrapped to the screen."""
    body = [[plain(cell) for cell in row] for row in rows]
    foot = [[plain(cell) for cell in total]] if total else []
    widths = [max(map(len, column)) for column in zip(headings, *body, *foot, strict=True)]
    room = max(LEAST_TEXT, width() - sum(widths[:-1]) - 2 * (len(widths) - 1))
    widths[-1] = min(widths[-1], room)

    def line(cells: Sequence[str]) -> list[str]:
        last = textwrap.wrap(cells[-1], widths[-1], break_long_words=False) or [""]
        lines = [[*cells[:-1], last[0]], *([""] * (len(cells) - 1) + [more] for more in last[1:])]
        return [
            "  ".join(
                cell.rjust(widths[place]) if place in right else cell.ljust(widths[place])
                for place, cell in enumerate(each)
            ).rstrip()
            for each in lines
        ]

    rule = "  ".join("─" * each for each in widths)
    parts = [click.style(text, bold=True) for text in line(headings)] + [rule]
    for row in body:
        parts += line(row)
    for row in foot:
        parts += [rule, *line(row)]
    return "\n".join(parts)


def facts(pairs: Sequence[tuple[str, object]]) -> str:
    """Return ``pairs`` as lines "name  value", the names aligned and the values wrapped beside them."""
    wide = max(len(name) for name, _ in pairs)
    lines: list[str] = []
    for name, value in pairs:
        text = textwrap.wrap(plain(value), max(LEAST_TEXT, width() - wide - 2)) or [""]
        lines.append(f"{click.style(name.ljust(wide), bold=True)}  {text[0]}".rstrip())
        lines += [f"{' ' * wide}  {more}" for more in text[1:]]
    return "\n".join(lines)


def duration(seconds: float) -> str:
    """Return "12 ms" or "3.4 s"."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def count(number: int, one: str, many: str = "") -> str:
    """Return "1 game", "2 games"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
