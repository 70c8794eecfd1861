"""Who is asked at a terminal, and how what is typed is taken."""

from collections.abc import Iterable
from typing import Any, Protocol

from sandtable.errors import IllegalOrder
from sandtable.kernel.options import Refusal, Space
from sandtable.table.prose import described

UNDO = "undo"


class Asker(Protocol):
    """Who is asked.

    ``asked`` counts the lines that were typed. ``written`` is what stands of the order that is begun, each part by its
    name, with its space where that is known: no refusal changes it, and who leaves finds its sheets in a file.
    """

    asked: int
    written: dict[str, tuple[Space | None, Any]]

    @property
    def turn(self) -> int:
        """The turn of the game, 0 before the first."""

    def ask(self, prompt: str, *, own_words: bool = False, undo: bool = False) -> str:
        """Return the line that was typed.

        With ``own_words`` it is not taken for an order in the game's notation; with ``undo`` there is a line to take
        back, and UNDO is returned.
        """

    def say(self, text: str) -> None:
        """Show a line; whatever it holds, it stays one line and commands no terminal."""

    def read_order(self, text: str) -> Any:
        """Return the order that ``text`` means in the game's notation, None if it is none; may raise IllegalOrder."""

    def refuse(self, refusal: Refusal) -> None:
        """Tell why what was typed may not be."""

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, as a line of a menu tells it."""
        return described(value)


def refusals_in(error: IllegalOrder) -> list[Refusal]:
    """Return all that an error refuses."""
    return [Refusal(each.rule, each.reason) for each in (error, *error.also)]


def refuse_all(asker: Asker, wrong: Iterable[Refusal]) -> None:
    """Tell all that is wrong with what was typed."""
    for refusal in wrong:
        asker.refuse(refusal)


def say_lines(asker: Asker, text: str) -> None:
    """Show a text that has several lines of its own: a list of commands, a board, a brief."""
    for line in text.rstrip("\n").split("\n"):
        asker.say(line)


def as_typed(text: str) -> Any:
    """Return a typed number as such, anything else as it is."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else text
