"""The words that people type: kinds, powers, spaces, and units by id or by number and kind."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from desert_aa.model.tables import (
    ALIASES,
    ARMOR,
    ARTILLERY,
    ENGLAND,
    FIGHTER,
    FLAK,
    GERMANY,
    ITALY,
    KIND_NAMES,
    KINDS,
    MINEFIELD,
    POWER_NAMES,
    PREFIX,
    SHORT,
    kind_of,
)
from sandtable.notation import TypedLine, spellings

KIND_WORDS = {
    **{kind: kind for kind in (*KINDS, MINEFIELD)},
    **{short: kind for kind, short in SHORT.items()},
    **ALIASES,
    "tank": ARMOR,
    "gun": ARTILLERY,
    "plane": FIGHTER,
    "flak": FLAK,
    "mine": MINEFIELD,
}
POWER_WORDS = {
    **dict.fromkeys(("it", "italy", "italian"), ITALY),
    **dict.fromkeys(("uk", "england", "english", "british"), ENGLAND),
    **dict.fromkeys(("de", "germany", "german"), GERMANY),
}
ALL = 10_000
"""The number that "all" means."""
A_KIND = "name a kind of unit"
A_SPACE = "a space of the map"
KIND_LIST = f"{', '.join(KIND_NAMES[kind] for kind in KINDS)} or {MINEFIELD}"
FILLERS = ("from", "to", "into", "at", "in", "and", "via")
"""Words that are skipped."""
UNIT_ID = re.compile(r"(it|uk|de)-\w+-\d+")
LEAST_LETTERS = 3
"""Minimum length of the beginning of a word that identifies a space, if it is in no other title."""
T = TypeVar("T")


def places(titles: Mapping[str, str]) -> Mapping[str, str]:
    """Return spaces by accepted name: the id, the title, unique words of the title, and unique beginnings of words."""
    return _places(tuple(titles.items()))


@lru_cache(maxsize=16)
def _places(titles: tuple[tuple[str, str], ...]) -> dict[str, str]:
    parts: dict[str, dict[str, None]] = {}
    for space, title in titles:
        plain = " ".join(title.lower().replace("(", "").replace(")", "").replace("-", " ").split())
        words = plain.split()
        for place, word in enumerate(words):
            begun = [word[:length] for length in range(LEAST_LETTERS, len(word) + 1)]
            rows = [" ".join(words[place:end]) for end in range(place + 2, len(words) + 1)]
            for part in (*begun, *rows):
                parts.setdefault(part, {})[space] = None
    taken = {*KIND_WORDS, *POWER_WORDS, *FILLERS, "all", "none", "nothing"}
    plain_ones = {part: next(iter(spaces)) for part, spaces in parts.items() if len(spaces) == 1 and part not in taken}
    return plain_ones | dict(spellings(dict(titles)))


class DesertLine(TypedLine):
    """A typed line about kinds, powers and spaces."""

    quote = "'"

    @property
    def word(self) -> str:
        """The next word that is not skipped, in lower case, or "" at the end."""
        while super().word in FILLERS:
            self.place += 1
        return super().word

    def find(self, known: Mapping[str, T]) -> tuple[T | None, int]:
        """Return the value that the next words name, after skipped words, and the number of these words."""
        return super().find(known) if self.word else (None, 0)

    def says_nothing(self) -> bool:
        """Take the next word if it means "nothing" or is "0", and is the last word; return whether it was taken."""
        return self.place == len(self.words) - 1 and (self.takes("0") or super().says_nothing())

    def kind(self) -> str | None:
        """Return the kind that the next word means, or None."""
        word = self.word.replace("-", "_")
        return KIND_WORDS.get(word) or KIND_WORDS.get(word.removesuffix("s")) if word else None

    def power(self) -> str | None:
        """Take and return the power that the next word means, or return None."""
        power = POWER_WORDS.get(self.word.removesuffix("'s"))
        self.place += power is not None
        return power

    def find_number(self) -> int | None:
        """Take and return the number that is the next word, or return None; "all" is a very large number."""
        return ALL if self.takes("all") else super().find_number()

    def counted(self) -> tuple[str, int]:
        """Take a number (default: 1) and a kind. Any other word is noted as an error, and the result is ("", 0)."""
        number, kind = self.find_number(), self.kind()
        problem = f"{A_KIND}: {KIND_LIST}"
        if UNIT_ID.fullmatch(self.word):
            problem = "unknown unit: reach SPACE lists the units there; or type a number and a kind, such as 2 infantry"
        if kind is None and not self.word:
            raise self.wrong(problem)
        if kind is None:
            self.pass_over(problem)
            return "", 0
        self.place += 1
        return kind, 1 if number is None else number

    def counts(self) -> dict[str, int]:
        """Take numbers of kinds, up to a space or a power; "nothing" means none. Other words are noted as errors."""
        counts: dict[str, int] = {}
        if self.says_nothing():
            return counts
        while self.word and not self.is_space() and self.word not in POWER_WORDS:
            kind, number = self.counted()
            counts[kind] = counts.get(kind, 0) + number
        if not counts and not self.wrongs.found:
            raise self.wrong("name a number and a kind of unit")
        return {kind: number for kind, number in counts.items() if number}

    def space(self) -> str:
        """Take a space."""
        return self.take(places(self.board.names), A_SPACE)

    def is_space(self) -> bool:
        """Return whether the next words name a space."""
        return self.find(places(self.board.names))[1] > 0

    def spaces(self) -> list[str]:
        """Take spaces to the end of the line. Words that are not spaces are noted as errors."""
        if not self.word:
            raise self.wrong(f"name {A_SPACE}")
        return self.repeat_to_end(self.is_space, self.space, lambda: f"name {A_SPACE}")

    def units_of(self, field: str, usual: str) -> list[str]:
        """Take units that ``field`` offers, by id or by number and kind. A number alone is of the ``usual`` kind."""
        of: Sequence[str] = self.asked.field(field).of
        chosen: list[str] = []
        if self.says_nothing():
            return chosen
        while self.word:
            if self.word in of:
                chosen.append(self.word)
                self.place += 1
            else:
                chosen += self._counted_of(of, chosen, usual)
        return chosen

    def _counted_of(self, of: Sequence[str], chosen: list[str], usual: str) -> list[str]:
        """Take "2 infantry", "2 German infantry" or "Germany's infantry", or note an error with the choices."""
        place, power, number = self.place, self.power(), self.find_number()
        power, named = power or self.power(), self.kind()
        kind = named or usual
        left = [each for each in of if each not in chosen and each.startswith(PREFIX[power] if power else "")]
        if not kind or (named is None and number is None):
            problem = f"{A_KIND}: {_counts_of(of)}"
            if not self.word:
                raise self.wrong(problem)
            self.pass_over(problem)
            return []
        self.place += named is not None
        end = self.place
        found = [each for each in left if kind_of(each) == kind][: 1 if number is None else number]
        if not found or (number is not None and len(found) < number < ALL):
            self.place = place
            owner = f" of {POWER_NAMES[power]}" if power else ""
            self.pass_over(f"only {len(found)} {KIND_NAMES[kind]}{owner} can be chosen")
            self.place = end
        return found


def _counts_of(units: Sequence[str]) -> str:
    """Return units by kind in words, such as "2 infantry, 1 flak"."""
    kinds = [kind_of(each) for each in units]
    return ", ".join(f"{kinds.count(kind)} {KIND_NAMES[kind]}" for kind in KINDS if kind in kinds)
