"""Queries about a position: listed by example, found by their first word, refused in a sentence."""

import pytest

from sandtable.errors import PlayError
from sandtable.rules.questions import LONGEST, Query, asked, chances, listed, named, unknown

TABLE = {
    "front": Query("", "where it is", lambda scene, words: (scene, words), 0),
    "far": Query("west", "how far it is", lambda scene, words: (scene, words)),
}


def test_queries_are_listed_by_example() -> None:
    assert listed(TABLE) == ("front   where it is", "far west   how far it is")
    table = {"far": Query("{side}", "how far it is", lambda scene, words: (scene, words))}
    assert listed(named(table, {"side": "east"})) == ("far east   how far it is",), "it is taken from the position"


def test_query_is_found_by_its_first_word() -> None:
    found = asked(TABLE, "  FAR  West now")
    assert found is not None
    question, words = found
    assert question.answer("scene", words) == ("scene", ["West", "now"])
    assert asked(TABLE, "near west") is None
    assert asked(TABLE, "") is None


def test_missing_words_are_reported_by_example() -> None:
    with pytest.raises(PlayError, match="words are missing; for example: far west"):
        asked(TABLE, "far")
    with pytest.raises(PlayError, match=str(LONGEST)):
        asked(TABLE, "far " + "x" * LONGEST)


def test_unknown_name_error_lists_the_known_names() -> None:
    assert str(unknown("side", "north", ("east", "west"))) == "north is not a side; there are east, west"
    assert str(unknown("side", "north", ())) == "north is not a side; there are none"
    assert str(unknown("hex", "x", map(str, range(20)))).endswith("10, 11 and 8 more")


def test_chances_are_exact_fractions() -> None:
    assert chances({"D2": 1, "D1": 2, "P": 3, "none": 0}, 6) == "D2 1/6, D1 1/3, P 1/2"
    assert chances({"D4": 6}, 6) == "D4 1"
