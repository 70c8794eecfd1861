"""A typed line, parsed word by word: numbers, names, words of a list. Errors name the position.

A game adds its own parsers, such as for a force or a hex, in a subclass.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, TypeVar

from sandtable.errors import IllegalOrder, RefusalCollector
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, Space
from sandtable.kernel.options.choices import shown
from sandtable.rules.notation.names import NOTHING, number_of

T = TypeVar("T")
MAX_WORDS = 4
"""Maximum number of words in a name."""


class OrderQuestion(NamedTuple):
    """The question that a line answers: the decision, the type of order, the space of such orders, the board."""

    decision: Decision
    kind: type[Order]
    space: Any
    board: Any

    @property
    def rule(self) -> str:
        """The rule of the decision."""
        return self.decision.rule

    @property
    def side(self) -> str:
        """The side that must decide."""
        return self.decision.side

    def field(self, name: str, *before: Any) -> Any:
        """Return the space of a field of the order, given the fields ``before`` it, or None if there is no such field.

        A space that is not a Form is returned itself, because it knows its fields.
        """
        if not isinstance(self.space, Form):
            return self.space
        field = self.space.fields.get(name)
        if field is None or isinstance(field, Space) or len(before) == list(self.space.fields).index(name):
            return None if field is None else self.space.space_of(name, list(before))
        return None

    def refuse(self, reason: str, rule: str = "") -> IllegalOrder:
        """Return a refusal; without a ``rule`` it cites the rule of the decision."""
        return IllegalOrder(rule or self.rule, reason)


class TypedLine:
    """The words of a line, read one by one; ``wrongs`` collects the errors of words that were skipped.

    ``blanks`` are characters that separate words, and ``quote`` is put around a word in a refusal. If ``is_last`` is
    set, the current value extends to the end of the line; if not, it stops before a word that does not belong to it.
    """

    blanks: ClassVar[str] = ",>"
    quote: ClassVar[str] = ""

    def __init__(self, text: str, asked: OrderQuestion) -> None:
        self.text = text
        self.words = text.translate(str.maketrans(self.blanks, " " * len(self.blanks))).split()
        self.place = 0
        self.is_last = True
        self.wrongs = RefusalCollector()
        self.asked = asked

    @property
    def board(self) -> Any:
        """The map and the tables of the game."""
        return self.asked.board

    @property
    def word(self) -> str:
        """The next word in lower case, or "" at the end."""
        return self.words[self.place].lower() if self.place < len(self.words) else ""

    def wrong(self, problem: str) -> IllegalOrder:
        """Return a refusal that names the position."""
        where = "at the end"
        if self.word:
            where = f"word {self.place + 1}, {self.quote}{shown(self.words[self.place], 40)}{self.quote}"
        return self.asked.refuse(f"{where}: {problem}")

    def pass_over(self, problem: str) -> None:
        """Note in ``wrongs`` that the next word is invalid, and skip it."""
        self.wrongs.add(self.wrong(problem))
        self.place += 1

    @contextmanager
    def part(self, words: int) -> Iterator[None]:
        """Read a part of ``words`` words; an error in it is noted in ``wrongs``, and reading continues after it."""
        begin = self.place
        try:
            yield
        except IllegalOrder as error:
            self.wrongs.add(error)
            self.place = min(begin + words, len(self.words))

    def end(self) -> None:
        """Raise IllegalOrder if any word is left."""
        if self.word:
            raise self.wrong("unexpected word")

    def cut_off(self, word: str) -> bool:
        """Remove ``word`` from the end of the line if it is there; return whether it was."""
        stands = len(self.words) > self.place and self.words[-1].lower() == word
        if stands:
            self.words = self.words[:-1]
        return stands

    def rest(self) -> str:
        """Take the rest of the line, unchanged."""
        marks = re.escape(self.blanks)
        begins = [each.start() for each in re.finditer(rf"[^\s{marks}]+", self.text)]
        left = self.text[begins[self.place] :].strip() if self.place < len(begins) else ""
        self.place = len(self.words)
        return left

    # --- parsers for any position ---

    def takes(self, *words: str) -> bool:
        """Take the next word if it is one of ``words``; return whether it was."""
        is_one = self.word in words and bool(self.word)
        self.place += is_one
        return is_one

    def says_nothing(self) -> bool:
        """Take the next word if it means "nothing"; return whether it did."""
        return self.takes(*NOTHING)

    def find_number(self) -> int | None:
        """Take a whole number if the next word is one; return it or None."""
        number = number_of(self.word)
        self.place += number is not None
        return number

    def number(self) -> int:
        """Take a whole number."""
        number = self.find_number()
        if number is None:
            raise self.wrong("expected a number")
        return number

    def one_of(self, words: Mapping[str, T]) -> T:
        """Take one of ``words``, and return its value."""
        if self.word not in words:
            raise self.wrong(f"write {' or '.join(words)}")
        self.place += 1
        return words[self.words[self.place - 1].lower()]

    def text_word(self) -> str:
        """Take any word, in lower case."""
        if not self.word:
            raise self.wrong("expected a word")
        self.place += 1
        return self.words[self.place - 1].lower()

    def find(self, known: Mapping[str, T]) -> tuple[T | None, int]:
        """Return the value that the next words name and their number, or None and 0 if they name none."""
        left = [word.lower() for word in self.words[self.place : self.place + MAX_WORDS]]
        for number in range(len(left), 0, -1):
            found = known.get(" ".join(left[:number]))
            if found is not None:
                return found, number
        return None, 0

    def take(self, known: Mapping[str, T], what: str) -> T:
        """Take the value that the next words name; ``what`` describes it in a refusal: "a space of the map"."""
        found, words = self.find(known)
        if found is None:
            raise self.wrong(f"expected {what}")
        self.place += words
        return found

    def repeat_to_end(self, is_one: Callable[[], bool], one: Callable[[], T], problem: Callable[[], str]) -> list[T]:
        """Take one value after another, to the end; words that do not begin a value are skipped."""
        found: list[T] = []
        while self.word:
            if is_one():
                found.append(one())
            else:
                self.pass_over(problem())
        return found
