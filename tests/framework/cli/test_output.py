import sys

import click
import pytest

from sandtable.cli import output
from sandtable.cli.output import count, duration, facts, plain, table


def test_columns_line_up_and_numbers_stand_to_the_right() -> None:
    text = click.unstyle(table(("name", "n"), [("a", 1), ("long", 1000)], right=(1,), total=("all", 1001)))
    assert text.splitlines() == [
        "name     n",
        "────  ────",
        "a        1",
        "long  1000",
        "────  ────",
        "all   1001",
    ]


def test_the_last_column_is_wrapped_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "50")
    lines = click.unstyle(table(("id", "text"), [("x", "word " * 30)])).splitlines()
    assert len(lines) > 4
    assert max(map(len, lines)) <= 50
    assert lines[3].startswith("    word")


def test_control_characters_are_escaped() -> None:
    assert plain("a\x1b[2Jb\n") == "a\\x1b[2Jb\\n"
    assert "\x1b[2J" not in table(("x", "y"), [("\x1b[2J", "\x1b[2J")])
    assert "\u202e" not in plain("\u202eevil")


def test_facts_and_counts() -> None:
    assert click.unstyle(facts([("id", "x"), ("title", "y")])) == "id     x\ntitle  y"
    assert count(1, "log") == "1 log"
    assert count(2_000, "log") == "2,000 logs"
    assert count(2, "match", "matches") == "2 matches"
    assert duration(0.0123) == "12 ms"
    assert duration(12.34) == "12.3 s"
    assert output.PIPED_WIDTH > 100
