"""The display of foreign text."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import DataError, IllegalOrder, LogError
from sandtable.quoting import MAX_MESSAGE, MAX_VALUE, bounded, disambiguated, plain, plain_json, shortened, wrapped

COMMANDING = {
    "escape": "\x1b[2J",
    "bell": "\x07",
    "return": "\r",
    "line end": "\n",
    "delete": "\x7f",
    "C1 sequence": "\x9b7m",
    "next line": "\x85",
    "right to left": "\u202eevil",
    "isolate": "\u2066",
    "no width": "\u200b",
    "line separator": "\u2028",
    "byte order mark": "\ufeff",
    "half a letter": "\udc9b",
    "tag": "\U000e0041",
}


@pytest.mark.parametrize("name", COMMANDING)
def test_control_sequences_are_escaped(name: str) -> None:
    assert plain(COMMANDING[name]).isascii()
    assert plain(COMMANDING[name]).isprintable()


@pytest.mark.parametrize("text", ["El Alamein", "Żółw", "砂盤", "रेत", "حصن", "a\u00a0b", "字\u3000字", "─ ▲ ⚔"])
def test_letters_of_all_scripts_stay(text: str) -> None:
    assert plain(text) == text


@given(st.text())
def test_escaped_text_is_one_line_and_escaped_only_once(text: str) -> None:
    assert len(plain(text).splitlines()) <= 1
    assert plain(plain(text)) == plain(text)


@given(st.dictionaries(st.text(), st.text(), max_size=5))
def test_escaped_json_document_keeps_its_value(document: dict[str, str]) -> None:
    written = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    shown = plain_json(written)
    assert msgspec.json.decode(shown) == document
    assert all(plain(line) == line for line in shown.split("\n"))


def test_long_value_is_shown_by_its_beginning_and_length() -> None:
    assert shortened("short") == "short"
    assert shortened("x" * MAX_VALUE) == "x" * MAX_VALUE
    assert shortened("x" * 500_000) == f"{'x' * MAX_VALUE}… (500,000 characters)"


def test_two_long_values_are_shown_where_they_differ() -> None:
    same = "a" * 300
    one, other = disambiguated(same + "b" * 300, same + "c" * 300)
    assert "ab" in one
    assert "ac" in other
    assert max(len(one), len(other)) < 2 * MAX_VALUE
    assert disambiguated("axis", "allies") == ("axis", "allies")
    assert disambiguated("a" * 300, "a" * 301)[0] != disambiguated("a" * 300, "a" * 301)[1]


def test_message_length_is_limited() -> None:
    path = "/".join(["a_folder_with_a_name"] * 12)
    assert bounded(f"{path}/x.jsonl: line 3: was altered") == f"{path}/x.jsonl: line 3: was altered"
    told = bounded(f"record 3: the roll {'x' * 500_000} is stored as {[1] * 200_000}; the key gives 4")
    assert told.startswith("record 3: the roll xxx")
    assert told.endswith("the key gives 4")
    assert len(told) < MAX_MESSAGE + 100


@pytest.mark.parametrize(
    "error",
    [LogError("x" * 9_000), DataError("mine.toml", "k" * 9_000, "y " * 9_000), IllegalOrder("A-1", "z" * 9_000)],
)
def test_error_line_length_is_limited(error: Exception) -> None:
    assert len(str(error)) < MAX_MESSAGE + 100


def test_a_long_line_is_broken_at_blanks_only() -> None:
    assert wrapped("  the tank 3 Pz and the 75 RD in 2928 retreat", 24) == [
        "  the tank 3 Pz and the",
        "    75 RD in 2928",
        "    retreat",
    ]
    assert wrapped("x" * 50, 20) == ["x" * 50]
    assert wrapped("   7  move three hexes to the south", 24) == ["   7  move three hexes", "      to the south"]
    assert wrapped("one\ntwo", 40) == ["one\\ntwo"]
    assert wrapped("", 40) == [""]
