"""What a person's words mean in this game: kinds, powers, spaces, and units named or counted."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from desert_aa.model.tables import (
    ARMOR,
    ARTILLERY,
    ENGLAND,
    FIGHTER,
    FLAK,
    GERMANY,
    ITALY,
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
    "armor": ARMOR,
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
"""The number that "all" stands for."""
A_KIND = "a kind of unit is wanted"
A_SPACE = "a space of the map"
KIND_LIST = f"{', '.join('flak' if kind == FLAK else kind for kind in KINDS)} or {MINEFIELD}"
FILLERS = ("from", "to", "into", "at", "in", "and", "via")
"""Words that people put between the others, and that say nothing here."""
UNIT_ID = re.compile(r"(it|uk|de)-\w+-\d+")
LEAST_LETTERS = 3
"""So many letters of a title mean a space, if it is the only one."""
T = TypeVar("T")


def places(titles: Mapping[str, str]) -> Mapping[str, str]:
    """Return spaces by all they are called: id, title, or words of it, or the beginning of one, that no other has."""
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
        """The word to read next, in small letters, behind those that say nothing; "" at the end."""
        while super().word in FILLERS:
            self.place += 1
        return super().word

    def find(self, known: Mapping[str, T]) -> tuple[T | None, int]:
        """Return what the next words name, behind those that say nothing, and how many of them do."""
        return super().find(known) if self.word else (None, 0)

    def says_nothing(self) -> bool:
        """Take the next word if it stands for nothing at all, and nothing comes behind it."""
        return self.place == len(self.words) - 1 and (self.takes("0") or super().says_nothing())

    def kind(self) -> str | None:
        """Return the kind that the next word means, None if it means none."""
        word = self.word.replace("-", "_")
        return KIND_WORDS.get(word) or KIND_WORDS.get(word.removesuffix("s")) if word else None

    def power(self) -> str | None:
        """Take a power, if the next word means one."""
        power = POWER_WORDS.get(self.word.removesuffix("'s"))
        self.place += power is not None
        return power

    def find_number(self) -> int | None:
        """Take a number, "all" being a very large one, if the next word is one."""
        return ALL if self.takes("all") else super().find_number()

    def counted(self) -> tuple[str, int]:
        """Take a number and a kind; without a number it is one. A word that is no kind is passed over: ("", 0)."""
        number, kind = self.find_number(), self.kind()
        problem = f"{A_KIND}: {KIND_LIST}"
        if UNIT_ID.fullmatch(self.word):
            problem = "there is no such unit: reach SPACE tells who stands there, and units can be counted: 2 infantry"
        if kind is None and not self.word:
            raise self.wrong(problem)
        if kind is None:
            self.pass_over(problem)
            return "", 0
        self.place += 1
        return kind, 1 if number is None else number

    def counts(self) -> dict[str, int]:
        """Take kinds with their numbers, up to a word that is none."""
        counts: dict[str, int] = {}
        if self.says_nothing():
            return counts
        while self.word and not self.is_space() and self.word not in POWER_WORDS:
            kind, number = self.counted()
            counts[kind] = counts.get(kind, 0) + number
        if not counts and not self.wrongs.found:
            raise self.wrong("say what: a number and a kind of unit")
        return {kind: number for kind, number in counts.items() if number}

    def space(self) -> str:
        """Take a space."""
        return self.take(places(self.board.names), A_SPACE)

    def is_space(self) -> bool:
        """Tell whether the next words name a space."""
        return self.find(places(self.board.names))[1] > 0

    def spaces(self) -> list[str]:
        """Take a space and all that follow, to the end; words that are none are passed over."""
        if not self.word:
            raise self.wrong(f"{A_SPACE} is wanted")
        return self.to_the_end(self.is_space, self.space, lambda: f"{A_SPACE} is wanted")

    def units_of(self, field: str, usual: str) -> list[str]:
        """Take units, by id or counted, of those that ``field`` offers; a bare number is of the ``usual`` kind."""
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
        """Take "2 infantry", "2 German infantry" or "Germany's infantry"; where it is none, tell what there is."""
        place, power, number = self.place, self.power(), self.find_number()
        power, named = power or self.power(), self.kind()
        kind = named or usual
        left = [each for each in of if each not in chosen and each.startswith(PREFIX[power] if power else "")]
        if not kind or (named is None and number is None):
            problem = f"{A_KIND}, of {_counts_of(of)}"
            if not self.word:
                raise self.wrong(problem)
            self.pass_over(problem)
            return []
        self.place += named is not None
        end = self.place
        found = [each for each in left if kind_of(each) == kind][: 1 if number is None else number]
        if not found or (number is not None and len(found) < number < ALL):
            self.place = place
            whose = f" of {POWER_NAMES[power]}" if power else ""
            self.pass_over(f"only {len(found)} {kind}{whose} can be chosen")
            self.place = end
        return found


def _counts_of(units: Sequence[str]) -> str:
    """Return units by kind: "2 infantry, 1 flak"."""
    kinds = [kind_of(each) for each in units]
    return ", ".join(f"{kinds.count(kind)} {'flak' if kind == FLAK else kind}" for kind in KINDS if kind in kinds)
