"""A typed line, read word by word: numbers, kinds, powers and spaces as a person writes them."""

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


class Line:
    """A typed line, read word by word; ``wrongs`` is what was wrong with words that were passed over."""

    def __init__(self, text: str, board: Board) -> None:
        self.words = text.replace(",", " ").replace(">", " ").split()
        self.board = board
        self.place = 1
        self.wrongs = Wrongs()
        self._spaces = {space.lower(): space for space in board.map.ids}

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
        space = self._spaces.get(self.word)
        if space is None:
            raise self.wrong("a space of the map is wanted")
        self.place += 1
        return space

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
        """Tell whether the next word is a space."""
        return self.word in self._spaces

    def end(self) -> None:
        """Raise when there is more."""
        if self.word:
            raise self.wrong("nothing more is wanted here")
