"""Display of untrusted text: on one line, without terminal control sequences, and of limited length.

Every message and every line that a command prints passes through here (``SandtableError``, ``cli/output.py``,
``terminal/console.py``), so that callers need not do it.
"""

import re
import textwrap
import unicodedata

MAX_VALUE = 80
"""Maximum number of characters of a value that a message quotes."""
MAX_WORD = 200
"""Maximum number of characters without a space or slash. A longer run is treated as a value. A hash has 64."""
MAX_MESSAGE = 2_000
"""Maximum number of characters of a whole message."""
MAX_LINE = 10_000
"""Maximum number of characters of a line of data, or of a line on the console."""

FIRST_GAP = re.compile(r" *\S+(?: \S+)*  +(?=\S)")
"""The first words of a line, and a gap of at least two blanks after them."""

_ENDLESS = re.compile(rf"[^\s/\\]{{{MAX_WORD + 1},}}")
_NOT_ASCII = re.compile(r"[^ -~]")
_NOT_ASCII_NOR_LINE_END = re.compile(r"[^\n -~]")


def plain(text: object) -> str:
    """Return ``text`` on one line: controls, direction marks and line ends escaped, letters of all scripts kept."""
    shown = str(text)
    return shown if shown.isprintable() else _NOT_ASCII.sub(_escaped, shown)


def plain_json(text: str) -> str:
    """Return a JSON document with the characters that ``plain`` escapes written as JSON escapes; line ends are kept."""
    return _NOT_ASCII_NOR_LINE_END.sub(_escaped_in_json, text)


def count(number: int, one: str, many: str = "") -> str:
    """Return "1 game", "2 games"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def shortened(text: object, most: int = MAX_VALUE) -> str:
    """Return ``text``, or its beginning and its number of characters if it has more than ``most``."""
    shown = str(text)
    return shown if len(shown) <= most else f"{shown[:most]}… ({len(shown):,} characters)"


def disambiguated(a: str, b: str, most: int = MAX_VALUE) -> tuple[str, str]:
    """Return two different values, ``shortened`` so that both begin a little before the first different letter."""
    shorter = min(len(a), len(b))
    alike = next((place for place in range(shorter) if a[place] != b[place]), shorter)
    if max(len(a), len(b)) <= most or alike < most // 2:
        return shortened(a, most), shortened(b, most)
    cut = alike - most // 4
    return f"…{shortened(a[cut:], most)}", f"…{shortened(b[cut:], most)}"


def bounded(text: str) -> str:
    """Return a message of limited length: long words are ``shortened``, and the middle of a long text is left out."""
    if len(text) <= MAX_WORD:
        return text
    shown = _ENDLESS.sub(lambda found: shortened(found[0]), text)
    if len(shown) <= MAX_MESSAGE:
        return shown
    return f"{shown[: MAX_MESSAGE // 2]} … ({len(text):,} characters) … {shown[-MAX_MESSAGE // 2 :]}"


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
    """Return a line as lines of at most ``width`` characters, broken at blanks; later lines are indented by two.

    If a line begins with a few words and a gap of at least two blanks, as in a menu or a list of commands, later lines
    are aligned with the text after the gap. A longer word is not broken.
    """
    shown = plain(text)
    if len(shown) <= width:
        return [shown]
    gap = FIRST_GAP.match(shown)
    hang = gap.end() if gap and gap.end() <= width // 3 else len(shown) - len(shown.lstrip()) + 2
    indent = " " * hang
    lines = textwrap.wrap(
        shown, max(width, 20), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return lines or [shown]
