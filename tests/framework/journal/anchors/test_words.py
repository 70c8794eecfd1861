"""The code of an anchor as twelve words."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import PlayError
from sandtable.journal.anchors.words import WORDS, are_words, code_of, words_of

pytest.importorskip("mnemonic", reason="words require the extra words")
CODE = "0001 0203 0405 0607 0809 0a0b 0c0d 0e0f"
IN_WORDS = "abandon amount liar amount expire adjust cage candy arch gather drum buyer"
"""BIP 39: the entropy 00 01 … 0f."""


def test_words_of_a_code_match_the_standard_word_list() -> None:
    assert words_of(CODE) == IN_WORDS
    assert code_of(IN_WORDS) == CODE.replace(" ", "")


@given(st.binary(min_size=16, max_size=16))
def test_words_are_decoded_to_their_code(data: bytes) -> None:
    words = words_of(data.hex())
    assert len(words.split()) == WORDS
    assert are_words(words)
    assert code_of(f"  {words.upper().replace(' ', ', ')}.") == data.hex()


def test_wrong_word_is_not_decoded() -> None:
    assert code_of(IN_WORDS.replace("liar", "lion")) == ""
    assert code_of(IN_WORDS.replace("liar", "lyre")) == ""


@pytest.mark.parametrize("text", [CODE, CODE.replace(" ", ""), IN_WORDS[:-6], f"{IN_WORDS} arch", "", "end.anchor"])
def test_code_or_file_name_is_not_taken_for_words(text: str) -> None:
    assert not are_words(text)


def test_missing_word_package_leaves_only_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mnemonic", None)
    assert words_of(CODE) == ""
    with pytest.raises(PlayError, match=r"install sandtable\[words\]"):
        code_of(IN_WORDS)
