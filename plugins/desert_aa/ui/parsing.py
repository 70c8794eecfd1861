"""A typed line, read word by word: numbers, kinds, powers and spaces as a person writes them."""

from functools import lru_cache

from desert_aa.model.board import Board
from desert_aa.model.tables import ARMOUR, ARTILLERY, ENGLAND, FIGHTER, FLAK, GERMANY, ITALY, KINDS, MINEFIELD, SHORT
from sandtable.errors import IllegalOrder, Wrongs

KIND_WORDS = {
    **{kind: kind for kind in (*KINDS, MINEFIELD)},
    **{short: kind for kind, short in SHORT.items()},
    "armor": ARMOUR,
    "tank": ARMOUR,
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
NOTHING = ("nothing", "none", "no", "0")

MOST_WORDS = 4
"""No title has more words."""


def names_of(board: Board) -> dict[str, str]:
    """Return the spaces by what they are called, in small letters: id, title, or a part of it that no other has.

    Parts of "Bardia-Sollum" are "bardia" and "sollum".
    """
    return _names(tuple(board.names.items()))


@lru_cache(maxsize=8)
def _names(titles: tuple[tuple[str, str], ...]) -> dict[str, str]:
    parts: dict[str, list[str]] = {}
    for space, title in titles:
        plain = title.lower().replace("(", "").replace(")", "")
        for part in dict.fromkeys((plain, *plain.split("-"))):
            parts.setdefault(part, []).append(space)
    known = {part: spaces[0] for part, spaces in parts.items() if len(spaces) == 1}
    return known | {space.lower(): space for space, _ in titles}


class Line:
    """A typed line, read word by word; ``wrongs`` is what was wrong with words that were passed over."""

    def __init__(self, text: str, board: Board) -> None:
        self.words = text.replace(",", " ").replace(">", " ").split()
        self.board = board
        self.place = 1
        self.wrongs = Wrongs()
        self._spaces = names_of(board)

    @property
    def word(self) -> str:
        """The word to read next, in small letters; "" at the end."""
        return self.words[self.place].lower() if self.place < len(self.words) else ""

    def wrong(self, problem: str) -> IllegalOrder:
        """Return the refusal that names the place."""
        if self.place < len(self.words):
            return IllegalOrder("", f"word {self.place + 1}, {self.words[self.place][:40]!r}: {problem}")
        return IllegalOrder("", f"at the end: {problem}")

    def pass_over(self, problem: str) -> None:
        """Note in ``wrongs`` that the next word is wrong, and go on behind it."""
        self.wrongs.add(self.wrong(problem))
        self.place += 1

    def kind(self) -> str | None:
        """Return the kind that the next word means, None if it means none."""
        word = self.word.replace("-", "_")
        return KIND_WORDS.get(word) or KIND_WORDS.get(word.removesuffix("s")) if word else None

    def power(self) -> str | None:
        """Take a power, if the next word means one."""
        power = POWER_WORDS.get(self.word)
        self.place += power is not None
        return power

    def number(self) -> int | None:
        """Take a number, "all" being a very large one, if the next word is one."""
        word = self.word
        if word == "all":
            number = ALL
        elif word.isascii() and word.isdigit() and len(word) < 5:
            number = int(word)
        else:
            return None
        self.place += 1
        return number

    def counted(self) -> tuple[str, int]:
        """Take a number and a kind; without a number it is one. A word that is no kind is passed over: ("", 0)."""
        number = self.number()
        kind = self.kind()
        problem = f"a kind of unit is wanted: {', '.join(KINDS)} or {MINEFIELD}"
        if kind is None and not self.word:
            raise self.wrong(problem)
        if kind is None:
            self.pass_over(problem)
            return "", 0
        self.place += 1
        return kind, 1 if number is None else number

    def space(self) -> str:
        """Take a space."""
        space, words = self._space_here()
        if not words:
            raise self.wrong("a space of the map is wanted")
        self.place += words
        return space

    def _space_here(self) -> tuple[str, int]:
        """Return the space that the next words name, by id or title, and how many words do; "" and 0 for none."""
        left = [word.lower() for word in self.words[self.place : self.place + MOST_WORDS]]
        for number in range(len(left), 0, -1):
            space = self._spaces.get(" ".join(left[:number]))
            if space is not None:
                return space, number
        return "", 0

    def spaces(self) -> list[str]:
        """Take a space and all that follow, to the end; words that are none are passed over."""
        found = [] if self.word else [self.space()]
        while self.word:
            if self.is_space():
                found.append(self.space())
            else:
                self.pass_over("a space of the map is wanted")
        return found

    def is_space(self) -> bool:
        """Tell whether the next words name a space."""
        return self._space_here()[1] > 0

    def end(self) -> None:
        """Raise when there is more."""
        if self.word:
            raise self.wrong("nothing more is wanted here")
