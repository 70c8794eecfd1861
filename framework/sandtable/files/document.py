"""A safe TOML reader: an untrusted file becomes tables, or problems that name file, line and key.

``read_toml`` and ``decode_toml`` raise DataError for a file that is not TOML. A ``TomlTable`` then returns values by
type and notes every problem, so that a person sees all of them at once.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.errors import DataError, raise_all
from sandtable.files.reading import read_file
from sandtable.files.words import WORD, WORD_RULE, joined_key, quoted, unprintable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_BYTES = 1 << 20
"""Maximum size of a file that is read, in bytes; a map of 2,000 areas takes a third of it."""

MAX_DOTS = 64
"""Maximum number of dots in one line: tomllib's time for a dotted key grows with the square of its length."""

_AT_PLACE = re.compile(r"(?P<problem>.*) \(at (?P<place>line \d+, column \d+|end of document)\)", re.DOTALL)
_TYPE_WORDS = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}


def read_toml(path: "Path | Traversable") -> bytes:
    """Return the bytes of the file, at most ``MAX_BYTES`` plus one. Raises DataError if it cannot be read."""
    if isinstance(path, Path):
        return read_file(path, MAX_BYTES)
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(str(path), "", f"cannot be read: {error.strerror or error}; check the path") from error


def refuse_many_dots(text: str, where: str) -> None:
    """Raise DataError for a line with more than ``MAX_DOTS`` dots, which tomllib would parse too slowly."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MAX_DOTS:
            raise DataError(where, f"line {number}", f"has more than {MAX_DOTS} dots; break the line")


def decode_toml(data: bytes, where: str) -> dict[str, Any]:
    """Convert bytes to TOML tables. Raises DataError, with the line if it is known; ``where`` names the file."""
    if len(data) > MAX_BYTES:
        raise DataError(where, "", f"is larger than {MAX_BYTES} bytes, the maximum; shorten it")
    try:
        text = data.decode("utf-8-sig")  # some editors on Windows write a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(where, f"line {line}", "is not UTF-8 text; save the file as UTF-8") from error
    refuse_many_dots(text, where)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_PLACE.fullmatch(str(error))
        place, problem = (found["place"], found["problem"]) if found else ("", str(error))
        raise DataError(where, place, f"is not TOML: {problem}; correct it there") from error
    except RecursionError as error:
        raise DataError(where, "", "has lists or tables nested too deeply; three levels are enough") from error
    except ValueError as error:  # a number with more digits than Python converts
        raise DataError(where, "", "has a number with too many digits; use at most 18") from error


MAX_PROBLEMS = 100
"""Maximum number of problems kept for one file, because a hostile file may have 100,000."""


class Problems:
    """The problems of one file, in the order in which they were found, up to MAX_PROBLEMS; ``count`` counts all."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.found: list[DataError] = []
        self.count = 0

    def refuse(self, key: str, problem: str) -> None:
        """Note a problem."""
        self.count += 1
        if self.count <= MAX_PROBLEMS:
            self.found.append(DataError(self.where, key, problem))
        elif self.count == MAX_PROBLEMS + 1:
            more = f"has more problems than these {MAX_PROBLEMS}; correct them"
            self.found.append(DataError(self.where, "", more))

    def is_a(self, wanted: type, key: str, value: object) -> bool:
        """Return whether a value is exactly of type ``wanted``, and note it if not; true and 1.0 are not integers."""
        if type(value) is not wanted:
            self.refuse(key, f"is {quoted(value)}; write {_TYPE_WORDS[wanted]}")
        return type(value) is wanted

    def stop(self) -> None:
        """Raise the first problem, with all others in its ``also``, if there is one."""
        raise_all(self.found)


class TomlTable:
    """One table of a file, which returns values by type.

    A missing value, and one of another type, is noted and read as empty. A value that breaks another rule is noted.
    """

    def __init__(self, problems: Problems, key: str, values: dict[str, Any]) -> None:
        self.problems = problems
        self.key = key
        self.values = values

    def key_of(self, name: str) -> str:
        """Return the full key of a value, with the name in quotes if TOML needs them."""
        return joined_key(self.key, name)

    def refuse(self, name: str, problem: str) -> None:
        """Note a problem with one value."""
        self.problems.refuse(self.key_of(name), problem)

    def refuse_unknown(self, known: Iterable[str]) -> None:
        """Note every key that is not ``known``."""
        for name in self.values:
            if name not in known:
                self.refuse(name, f"is not a key of this table; correct or remove it, known are: {', '.join(known)}")

    def get(self, wanted: type, name: str) -> Any:
        """Return a value, which must exist and be of the type ``wanted``, or an empty one."""
        if name not in self.values:
            self.refuse(name, f"is missing; add {_TYPE_WORDS[wanted]}")
            return wanted()
        value = self.values[name]
        right = type(value) is wanted or self.problems.is_a(wanted, self.key_of(name), value)  # building a key is slow
        return value if right else wanted()

    def text(self, name: str, also: str = "") -> str:
        """Return printable text that is not blank; ``also`` are additional allowed characters."""
        text = str(self.get(str, name))
        if not text.strip() and isinstance(self.values.get(name), str):
            self.refuse(name, "is blank; write something")
        elif character := unprintable(text, also):
            self.refuse(name, f"contains the character {character!r}; use printable text")
        return text

    def word(self, name: str) -> str:
        """Return text that matches ``WORD``."""
        word = str(self.get(str, name))
        if not WORD.fullmatch(word) and isinstance(self.values.get(name), str):
            self.refuse(name, f"is {quoted(word)}; {WORD_RULE}")
        return word

    def whole(self, name: str, limit: int) -> int | None:
        """Return a whole number from ``-limit`` to ``limit``, or None if the table has no such key."""
        if name not in self.values:
            return None
        number = int(self.get(int, name))
        if abs(number) > limit:
            self.refuse(name, f"is {quoted(number)}; use -{limit} to {limit}")
        return number
