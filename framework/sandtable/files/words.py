"""The format of ids and keys, and the quoting of values in messages: on one line, printable and short."""

import re
from collections.abc import Iterable

WORD = re.compile(r"[A-Za-z0-9_.-]{1,32}")
"""Pattern of a whole id, terrain or kind of connector."""

WORD_RULE = "use 1 to 32 of the characters A-Z a-z 0-9 _ . -"

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def area_key(area_id: str) -> str:
    """Return the key of an area's table."""
    return joined_key("areas", area_id)


def joined_key(key: str, name: str) -> str:
    """Return ``key.name`` as written in TOML, with the name in quotes if needed."""
    part = name if _BARE.fullmatch(name) else quoted(name)
    return f"{key}.{part}" if key else part


def unprintable(text: str, also: str = "") -> str:
    """Return the first character that a terminal might interpret, or ""."""
    return next((character for character in text if not character.isprintable() and character not in also), "")


def quoted(value: object) -> str:
    """Return a value as quoted in a message: on one line, printable and short."""
    try:
        text = repr(value)
    except ValueError:  # Python does not print a number with more than 4,300 digits
        return "a number with thousands of digits"
    return text if len(text) <= 60 else f"{text[:56]} ..."


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ". Did you mean X?" for the most similar of the ``known`` names, or "." if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for an error

    near = get_close_matches(name, list(known), 1)
    return f". Did you mean {near[0]}?" if near else "."
