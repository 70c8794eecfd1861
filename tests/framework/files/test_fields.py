"""Fields of a table: accepted values, replacements for invalid ones, and every message."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from growth import growth_faults
from hypothesis import given
from hypothesis import strategies as st

from sandtable.files.document import Problems, TomlTable
from sandtable.files.fields import (
    NAME,
    choice_of,
    flag_of,
    id_of,
    ids_of,
    inner,
    listed_rows,
    noted,
    number_of,
    rows_of,
    text_of,
    texts_of,
    words_of,
)

COLOURS = ("red", "green", "")

Read = Callable[[TomlTable], Any]


def table_of(text: str) -> TomlTable:
    return TomlTable(Problems("my.toml"), "side", tomllib.loads(text))


def told(table: TomlTable) -> list[str]:
    return [str(each).removeprefix("my.toml: ") for each in table.problems.found]


@pytest.mark.parametrize(
    ("text", "read", "value"),
    [
        ("a = 3", lambda it: number_of(it, "a", 1, 6), 3),
        ("a = -2", lambda it: number_of(it, "a", -2, 6), -2),
        ("", lambda it: number_of(it, "a", 1, 6, 4), 4),
        ("a = 6", lambda it: number_of(it, "a", 1, 6, 4), 6),
        ('a = "red"', lambda it: choice_of(it, "a", COLOURS), "red"),
        ('a = ""', lambda it: choice_of(it, "a", COLOURS), ""),
        ("", lambda it: choice_of(it, "a", COLOURS, "green"), "green"),
        ("a = true", lambda it: flag_of(it, "a"), True),
        ("a = false", lambda it: flag_of(it, "a", default=True), False),
        ("", lambda it: flag_of(it, "a"), False),
        ("", lambda it: flag_of(it, "a", default=True), True),
        ('a = "Tobruk, fortress"', lambda it: text_of(it, "a"), "Tobruk, fortress"),
        ("", lambda it: text_of(it, "a"), ""),
        ("", lambda it: text_of(it, "a", "usual"), "usual"),
        ('a = "7_div"', lambda it: id_of(it, "a"), "7_div"),
        ("", lambda it: id_of(it, "a", "none"), "none"),
        ('a = ["b", "a"]', lambda it: ids_of(it, "a"), ("b", "a")),
        ('a = ["b", "a", "c"]', lambda it: ids_of(it, "a", ["a"]), ("b", "c")),
        ("", lambda it: ids_of(it, "a"), ()),
        ('a = ["Bir Hacheim", "Ṭubruq"]', lambda it: texts_of(it, "a"), ("Bir Hacheim", "Ṭubruq")),
        ('a = ["green", "red"]', lambda it: words_of(it, "a", COLOURS), ("green", "red")),
        ("", lambda it: words_of(it, "a", COLOURS), ()),
    ],
)
def test_valid_value_is_read_and_missing_value_has_its_default(text: str, read: Read, value: object) -> None:
    table = table_of(text)
    found = read(table)
    assert (found, type(found)) == (value, type(value))
    assert told(table) == []


@pytest.mark.parametrize(
    ("text", "read", "value", "problem"),
    [
        ("a = 7", lambda it: number_of(it, "a", 1, 6), 1, "is 7; use 1 to 6"),
        ("a = 0", lambda it: number_of(it, "a", 1, 6, 4), 1, "is 0; use 1 to 6"),
        ("a = true", lambda it: number_of(it, "a", 1, 6), 0, "is True; write a whole number"),
        ("a = 2.0", lambda it: number_of(it, "a", 1, 6), 0, "is 2.0; write a whole number"),
        ("", lambda it: number_of(it, "a", 1, 6), 0, "is missing; add a whole number"),
        ('a = "blue"', lambda it: choice_of(it, "a", COLOURS), "blue", "is 'blue'; choose red, green, ''"),
        ("a = 3", lambda it: choice_of(it, "a", COLOURS), "", "is 3; write text"),
        ("", lambda it: choice_of(it, "a", COLOURS), "", "is missing; add text"),
        ("a = 1", lambda it: flag_of(it, "a"), False, "is 1; write true or false"),
        ('a = " "', lambda it: text_of(it, "a"), " ", "is blank; write something"),
        ('a = "\\u001b"', lambda it: text_of(it, "a"), "\x1b", "contains the character '\\x1b'; use printable text"),
        ("", lambda it: text_of(it, "a", None), "", "is missing; add text"),
        ('a = "7 Div"', lambda it: id_of(it, "a"), "7 Div", "is '7 Div', which is not an id; use 1 to 32 of"),
        ("", lambda it: id_of(it, "a"), "", "is missing; add text"),
        ('a = ["b", "B", "c"]', lambda it: ids_of(it, "a"), ("b", "c"), "has 'B', which is not an id; use 1 to 32 of"),
        ('a = ["b", 3]', lambda it: ids_of(it, "a"), ("b",), "has 3, which is not an id; use 1 to 32 of"),
        ('a = ["b", "b"]', lambda it: ids_of(it, "a"), ("b",), "has 'b' twice; remove one"),
        ('a = "b"', lambda it: ids_of(it, "a"), (), "is 'b'; write a list"),
        ('a = ["b", ""]', lambda it: texts_of(it, "a"), ("b",), "has ''; write printable texts"),
        ('a = ["b", "b"]', lambda it: texts_of(it, "a"), ("b",), "has 'b' twice; remove one"),
        ('a = ["red", "blue"]', lambda it: words_of(it, "a", COLOURS), ("red",), "has 'blue'; choose red, green, ''"),
        ('a = ["red", "red"]', lambda it: words_of(it, "a", COLOURS), ("red",), "has 'red' twice; remove one"),
    ],
)
def test_invalid_value_is_reported_once_by_key(text: str, read: Read, value: object, problem: str) -> None:
    table = table_of(text)
    found = read(table)
    assert (found, type(found)) == (value, type(value))
    (line,) = told(table)
    assert line.startswith(f"side.a: {problem}")


# ---------------------------------------------------------------- tables within a table


def test_rows_are_sorted_by_id() -> None:
    table = table_of("[rows.b]\nx = 2\n[rows.a]\nx = 1\n")
    assert [(key, row.key, row.values) for key, row in rows_of(table, "rows", ("x",)).items()] == [
        ("a", "side.rows.a", {"x": 1}),
        ("b", "side.rows.b", {"x": 2}),
    ]


@pytest.mark.full
@given(st.permutations(["a", "b1", "b2", "c_d", "9"]))
def test_rows_do_not_depend_on_file_order(ids: list[str]) -> None:
    rows = rows_of(TomlTable(Problems("my.toml"), "", {"rows": {each: {} for each in ids}}), "rows")
    assert list(rows) == ["9", "a", "b1", "b2", "c_d"]


def test_invalid_rows_are_reported_and_left_out() -> None:
    table = table_of('[rows]\nB = {}\na = 3\n"a b" = {}\nc = { x = 1, y = 2, note = "why" }\nd = { note = 3 }\n')
    assert list(rows_of(table, "rows", ("x",))) == ["c", "d"]
    assert told(table) == [
        "side.rows.B: cannot be an id; use 1 to 32 of the characters a-z 0-9 _, beginning with a letter or digit",
        "side.rows.a: is 3; write a table",
        "side.rows.'a b': cannot be an id; use 1 to 32 of the characters a-z 0-9 _, beginning with a letter or digit",
        "side.rows.c.y: is not a key of this table; correct or remove it, known are: x, provenance, reason, note",
        "side.rows.d.note: is 3; write text",
    ]


def test_row_ids_may_be_names_and_notes_may_span_lines() -> None:
    table = table_of("[rows.Major-City]\n[rows.'a b']\n")
    assert list(rows_of(table, "rows", spelling=NAME)) == ["Major-City"]
    assert told(table) == ["side.rows.'a b': cannot be an id; use 1 to 32 of the characters A-Z a-z 0-9 _ . -"]
    table = table_of('x = 1\nreason = """two\n\tlines"""\nprovenance = "seed"\n')
    assert noted(table, ("x",)) is table
    assert told(table) == []


@pytest.mark.parametrize(
    ("read", "kind"),
    [(inner, "table"), (rows_of, "table"), (listed_rows, "list")],
)
def test_missing_required_tables_are_reported(read: Callable[..., Any], kind: str) -> None:
    table = table_of("")
    found = read(table, "rows", ("x",), must=False)
    assert not (found.values if isinstance(found, TomlTable) else found)
    assert told(table) == []
    read(table, "rows", ("x",), must=True)
    assert told(table) == [f"side.rows: is missing; add a {kind}"]


def test_listed_rows_keep_their_order_and_index() -> None:
    table = table_of("rows = [{ x = 2 }, 3, { y = 1 }, { x = 1 }]")
    rows = listed_rows(table, "rows", ("x",))
    assert [(row.key, row.values) for row in rows] == [
        ("side.rows[0]", {"x": 2}),
        ("side.rows[2]", {"y": 1}),
        ("side.rows[3]", {"x": 1}),
    ]
    assert told(table) == [
        "side.rows[1]: is 3; write a table",
        "side.rows[2].y: is not a key of this table; correct or remove it, known are: x, provenance, reason, note",
    ]


@pytest.mark.full
def test_long_list_of_words_takes_linear_time() -> None:
    def words(size: int) -> dict[str, list[str]]:
        return {"known": [f"w{number}" for number in range(size)]}

    def read(values: dict[str, list[str]]) -> None:
        assert texts_of(TomlTable(Problems("my.toml"), "side", values), "known") == tuple(values["known"])

    assert not list(growth_faults(words, read, 4_000))
