"""The code of an anchor as twelve English words (BIP 39), by the package ``mnemonic`` (the extra ``[words]``)."""

import re
from typing import Any

from sandtable.errors import PlayError

WORDS = 12
_TWELVE = re.compile(r"\s*[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11}[\s.]*")
MISSING = "an anchor in words requires the package mnemonic: install sandtable[words], or give the code"


def words_of(code: str) -> str:
    """Return the words of a ``code`` of 32 hex digits in groups, or "" without the package."""
    speller = _speller()
    return str(speller.to_mnemonic(bytes.fromhex(code.replace(" ", "")))) if speller is not None else ""


def are_words(text: str) -> bool:
    """Return whether ``text`` consists of twelve words and not of a code."""
    return _TWELVE.fullmatch(text.lower()) is not None


def code_of(words: str) -> str:
    """Return the code, 32 hex digits, of twelve ``words``, or "" if one of them is wrong.

    Raises PlayError without the package.
    """
    speller = _speller()
    if speller is None:
        raise PlayError(MISSING)
    text = " ".join(re.findall("[a-z]+", words.lower()))
    return bytes(speller.to_entropy(text)).hex() if speller.check(text) else ""


def _speller() -> Any:
    try:
        from mnemonic import Mnemonic  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    return Mnemonic("english")
