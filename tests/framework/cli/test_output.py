import json
import sys

import click
import pytest

from sandtable.cli import output
from sandtable.cli.output import duration, facts, say, show, show_drawing, show_json, table
from sandtable.quoting import count, plain


def test_columns_are_aligned_with_numbers_to_the_right() -> None:
    text = click.unstyle(table(("name", "n"), [("a", 1), ("long", 1000)], right=(1,), total=("all", 1001)))
    assert text.splitlines() == ["name     n", "────  ────", "a        1", "long  1000", "────  ────", "all   1001"]


def test_the_last_column_is_wrapped_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "50")
    lines = click.unstyle(table(("id", "text"), [("x", "word " * 30)])).splitlines()
    assert len(lines) > 4
    assert max(map(len, lines)) <= 50
    assert lines[3].startswith("    word")


def test_only_tables_and_drawings_have_line_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    show("a\x1b[1mb\nFORGED")
    say("c\x9b\u2028FORGED")
    show(table(("x", "y"), [("d\nFORGED", "\x1b[2J\u202e")]))
    show_drawing("one\ntwo\x1b[2J\n")
    told = capsys.readouterr()
    first, *_, row, one, two = told.out.splitlines()
    assert first == "a\\x1b[1mb\\nFORGED"
    assert row.split() == ["d\\nFORGED", "\\x1b[2J\\u202e"]
    assert [one, two] == ["one", "two\\x1b[2J"]
    assert len(told.out.splitlines()) == 6
    assert told.err.splitlines() == ["c\\x9b\\u2028FORGED"]
    assert plain("a\x1b[2Jb\n\u202e") == "a\\x1b[2Jb\\n\\u202e"


def test_printed_text_length_is_limited(capsys: pytest.CaptureFixture[str]) -> None:
    for value in ("x" * 500_000, "x y " * 100_000):
        show(value)
        say(value)
        show(table(("x", "y"), [(value, value)]))
        show(facts([("x", value)]))
    told = capsys.readouterr()
    assert len(told.out) + len(told.err) < 35_000
    assert "(500,000 characters)" in told.out


def test_json_is_complete_and_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"name": "\x1b\x9b\u202e\x7f\U000e0041", "long": "x" * 30_000, "letters": "Żółw 砂"}
    show_json(value)
    show_json(value, indent=0)
    text = capsys.readouterr().out
    assert text.replace("\n", "").isprintable()
    assert "Żółw 砂" in text
    document, _, line = text.rpartition("}\n{")
    assert json.loads(document + "}") == json.loads("{" + line) == value
    assert "\n" not in line.rstrip("\n")


def test_facts_counts_and_durations_are_formatted() -> None:
    assert click.unstyle(facts([("id", "x"), ("title", "y")])) == "id     x\ntitle  y"
    assert count(1, "log") == "1 log"
    assert count(2_000, "log") == "2,000 logs"
    assert count(2, "match", "matches") == "2 matches"
    assert duration(0.0123) == "12 ms"
    assert duration(12.34) == "12.3 s"
    assert output.PIPED_WIDTH > 100
