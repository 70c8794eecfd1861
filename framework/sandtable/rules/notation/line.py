"""A typed line, read word by word: numbers, names, words of a list. What is wrong is told by its place.

A game adds what its verbs take, such as a force or a hex, in a class of its own.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, TypeVar

from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, Space
from sandtable.kernel.options.choices import shown
from sandtable.rules.notation.names import NOTHING, number_of

T = TypeVar("T")
MOST_WORDS = 4
"""No name has more words."""


class OrderAsked(NamedTuple):
    """What is asked: the decision, the type of order that is read, the space of such orders, the board."""

    decision: Decision
    kind: type[Order]
    space: Any
    board: Any

    @property
    def rule(self) -> str:
        """The rule that asks."""
        return self.decision.rule

    @property
    def side(self) -> str:
        """Who is asked."""
        return self.decision.side

    def field(self, name: str, *before: Any) -> Any:
        """Return the space of a field of the order, after these fields ``before`` it; None where it has none.

        A space that is no form is its own: it knows its fields itself.
        """
        if not isinstance(self.space, Form):
            return self.space
        field = self.space.fields.get(name)
        if field is None or isinstance(field, Space) or len(before) == list(self.space.fields).index(name):
            return None if field is None else self.space.space_of(name, list(before))
        return None

    def refuse(self, reason: str, rule: str = "") -> IllegalOrder:
        """Return a refusal, by the rule that asks where it names none."""
        return IllegalOrder(rule or self.rule, reason)


class TypedLine:
    """The words of a line, read one by one; ``wrongs`` is what was wrong with words that were passed over.

    ``blanks`` are marks that part words, ``quote`` stands about a word in a refusal. ``is_last`` tells whether what is
    read now goes on to the end; else it stops before a word that is none of its own.
    """

    blanks: ClassVar[str] = ",>"
    quote: ClassVar[str] = ""

    def __init__(self, text: str, asked: OrderAsked) -> None:
        self.text = text
        self.words = text.translate(str.maketrans(self.blanks, " " * len(self.blanks))).split()
        self.place = 0
        self.is_last = True
        self.wrongs = Wrongs()
        self.asked = asked

    @property
    def board(self) -> Any:
        """The map and the tables of the game."""
        return self.asked.board

    @property
    def word(self) -> str:
        """The word to read next, in small letters; "" at the end."""
        return self.words[self.place].lower() if self.place < len(self.words) else ""

    def wrong(self, problem: str) -> IllegalOrder:
        """Return the refusal that names the place."""
        where = "at the end"
        if self.word:
            where = f"word {self.place + 1}, {self.quote}{shown(self.words[self.place], 40)}{self.quote}"
        return self.asked.refuse(f"{where}: {problem}")

    def pass_over(self, problem: str) -> None:
        """Note in ``wrongs`` that the next word is wrong, and go on behind it."""
        self.wrongs.add(self.wrong(problem))
        self.place += 1

    @contextmanager
    def part(self, words: int) -> Iterator[None]:
        """Read a part of so many words; what is refused in it is noted in ``wrongs``, and the next part comes."""
        begin = self.place
        try:
            yield
        except IllegalOrder as error:
            self.wrongs.add(error)
            self.place = min(begin + words, len(self.words))

    def end(self) -> None:
        """Raise IllegalOrder when there is more."""
        if self.word:
            raise self.wrong("nothing more is wanted here")

    def cut_off(self, word: str) -> bool:
        """Take ``word`` off the end of the line, if it stands there; tell whether it did."""
        stands = len(self.words) > self.place and self.words[-1].lower() == word
        if stands:
            self.words = self.words[:-1]
        return stands

    def rest(self) -> str:
        """Take all that is left, as it was typed."""
        marks = re.escape(self.blanks)
        begins = [each.start() for each in re.finditer(rf"[^\s{marks}]+", self.text)]
        left = self.text[begins[self.place] :].strip() if self.place < len(begins) else ""
        self.place = len(self.words)
        return left

    # --- what stands at any place ---

    def takes(self, *words: str) -> bool:
        """Take the next word if it is one of these; tell whether it was."""
        is_one = self.word in words and bool(self.word)
        self.place += is_one
        return is_one

    def says_nothing(self) -> bool:
        """Take the next word if it stands for nothing at all; tell whether it did."""
        return self.takes(*NOTHING)

    def find_number(self) -> int | None:
        """Take a whole number, if the next word is one."""
        number = number_of(self.word)
        self.place += number is not None
        return number

    def number(self) -> int:
        """Take a whole number."""
        number = self.find_number()
        if number is None:
            raise self.wrong("a number is wanted")
        return number

    def one_of(self, words: Mapping[str, T]) -> T:
        """Take one of these words, and return what it stands for."""
        if self.word not in words:
            raise self.wrong(f"write {' or '.join(words)}")
        self.place += 1
        return words[self.words[self.place - 1].lower()]

    def text_word(self) -> str:
        """Take any word, in small letters."""
        if not self.word:
            raise self.wrong("a word is wanted")
        self.place += 1
        return self.words[self.place - 1].lower()

    def find(self, known: Mapping[str, T]) -> tuple[T | None, int]:
        """Return what the next words name, and how many of them do; None and 0 for nothing that is known."""
        left = [word.lower() for word in self.words[self.place : self.place + MOST_WORDS]]
        for number in range(len(left), 0, -1):
            found = known.get(" ".join(left[:number]))
            if found is not None:
                return found, number
        return None, 0

    def take(self, known: Mapping[str, T], what: str) -> T:
        """Take what the next words name; ``what`` says what that is: "a space of the map"."""
        found, words = self.find(known)
        if found is None:
            raise self.wrong(f"{what} is wanted")
        self.place += words
        return found

    def to_the_end(self, is_one: Callable[[], bool], one: Callable[[], T], problem: Callable[[], str]) -> list[T]:
        """Take one after the other, to the end; words that are none are passed over."""
        found: list[T] = []
        while self.word:
            if is_one():
                found.append(one())
            else:
                self.pass_over(problem())
        return found
