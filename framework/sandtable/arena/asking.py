"""Who is asked at a terminal, and how what is typed is taken."""

from typing import Any, Protocol

from sandtable.kernel.options import Refusal


class Asker(Protocol):
    """Who is asked. ``asked`` counts the lines that were typed."""

    asked: int

    @property
    def turn(self) -> int:
        """The turn of the game, 0 before the first."""

    def ask(self, prompt: str, *, own_words: bool = False) -> str:
        """Return the line that was typed; with ``own_words`` it is not taken for an order in the game's notation."""

    def say(self, text: str) -> None:
        """Show a line."""

    def read_order(self, text: str) -> Any:
        """Return the order that ``text`` means in the game's notation, None if it is none; may raise IllegalOrder."""

    def refuse(self, refusal: Refusal) -> None:
        """Tell why what was typed may not be."""


def as_typed(text: str) -> Any:
    """Return a typed number as such, anything else as it is."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else text
