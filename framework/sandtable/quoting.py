"""How text that others wrote is shown: on one line, without anything that a terminal would obey, and not endless.

Every message and every line that a command prints goes through here (``SandtableError``, ``cli/output.py``,
``terminal/console.py``), so that no caller need remember it.
"""

import re
import textwrap
import unicodedata

MOST_VALUE = 80
"""Letters of a value that a message quotes."""
MOST_WORD = 200
"""Letters without a space or a stroke, beyond which they are a value and no word; a hash has 64."""
MOST_MESSAGE = 2_000
"""Letters of a whole message."""
MOST_LINE = 10_000
"""Letters of a line of data, or of what a person at the console is shown."""

FIRST_GAP = re.compile(r" *\S+(?: \S+)*  +(?=\S)")
"""The first words of a line, and a gap of two blanks or more behind them."""

_ENDLESS = re.compile(rf"[^\s/\\]{{{MOST_WORD + 1},}}")
_NOT_ASCII = re.compile(r"[^ -~]")
_NOT_ASCII_NOR_LINE_END = re.compile(r"[^\n -~]")


def plain(text: object) -> str:
    """Return ``text`` on one line: controls, direction marks and line ends escaped, letters of all scripts kept."""
    told = str(text)
    return told if told.isprintable() else _NOT_ASCII.sub(_escaped, told)


def plain_json(text: str) -> str:
    """Return a JSON document with the same characters escaped as JSON does it; its line ends stay."""
    return _NOT_ASCII_NOR_LINE_END.sub(_escaped_in_json, text)


def shortened(text: object, most: int = MOST_VALUE) -> str:
    """Return ``text``; where it has more than ``most`` letters, its beginning and how many they are."""
    told = str(text)
    return told if len(told) <= most else f"{told[:most]}… ({len(told):,} letters)"


def disambiguated(a: str, b: str, most: int = MOST_VALUE) -> tuple[str, str]:
    """Return two different values ``shortened`` alike: they begin a little before the first letter that differs."""
    shorter = min(len(a), len(b))
    alike = next((place for place in range(shorter) if a[place] != b[place]), shorter)
    if max(len(a), len(b)) <= most or alike < most // 2:
        return shortened(a, most), shortened(b, most)
    cut = alike - most // 4
    return f"…{shortened(a[cut:], most)}", f"…{shortened(b[cut:], most)}"


def bounded(text: str) -> str:
    """Return a message in which no value is endless: long words are ``shortened``, the middle of the whole left out."""
    if len(text) <= MOST_WORD:
        return text
    told = _ENDLESS.sub(lambda found: shortened(found[0]), text)
    if len(told) <= MOST_MESSAGE:
        return told
    return f"{told[: MOST_MESSAGE // 2]} … ({len(text):,} letters) … {told[-MOST_MESSAGE // 2 :]}"


def _shows(letter: str) -> bool:
    return letter.isprintable() or unicodedata.category(letter) == "Zs"


def _escaped(found: re.Match[str]) -> str:
    return found[0] if _shows(found[0]) else ascii(found[0])[1:-1]


def _escaped_in_json(found: re.Match[str]) -> str:
    if _shows(found[0]):
        return found[0]
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def wrapped(text: str, width: int) -> list[str]:
    """Return a line as lines of at most ``width`` characters, broken at blanks; further ones stand two to the right.

    Where a line begins with a few words and a gap of two blanks or more, as in a menu or a list of commands, further
    ones stand below what follows the gap. A word that is longer stays whole.
    """
    told = plain(text)
    if len(told) <= width:
        return [told]
    gap = FIRST_GAP.match(told)
    hang = gap.end() if gap and gap.end() <= width // 3 else len(told) - len(told.lstrip()) + 2
    indent = " " * hang
    lines = textwrap.wrap(
        told, max(width, 20), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return lines or [told]
