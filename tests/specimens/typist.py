"""A scripted person at the terminal, who types lines and records output and refusals."""

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.kernel.options import Refusal, Space
from sandtable.rules.notation.wording import described
from sandtable.terminal.prompt import UNDO


class Typist:
    """A console that types ``lines``. ``read`` parses a complete order from a text, as a ruleset's notation does."""

    def __init__(self, *lines: str, read: Callable[[str], Any] = lambda text: None) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []
        self.log: list[str] = []
        self.refused: list[tuple[str, str]] = []
        self.asked = 0
        self.written: dict[str, tuple[Space | None, Any]] = {}
        self.turn = 0
        self.words_of_sheets = ""
        self.leaves_rest = False
        self.left: list[str] = []
        self.drafted: dict[str, Any] | None = None
        self.handed_in: list[Any] = []
        self._known: set[str] = set()
        self.read_order = read

    def words(self, value: Any) -> str:
        return described(value)

    def ask(
        self,
        prompt: str,
        *,
        again: Callable[[], None] | None = None,
        own_words: bool = False,
        undo: bool = False,
        keeps: bool = False,
        choices: Sequence[str] = (),
    ) -> str:
        while True:
            self.shown.append(prompt)
            self.asked += 1
            if not self.lines:
                raise EOFError
            line = self.lines.pop(0)
            self.log.append(f"{prompt}> {line}")
            assert undo or line != UNDO, "there is nothing to undo"
            if line or keeps:
                return line
            if again is not None:
                again()

    def is_new(self, text: str) -> bool:
        is_new = text not in self._known
        self._known.add(text)
        return is_new

    def draft(self, name: str) -> dict[str, Any] | None:
        return self.drafted

    def submit_whole(self, order: Any) -> None:
        self.handed_in.append(order)

    def say(self, text: str) -> None:
        self.shown.append(text.strip())
        self.log.append(text)

    def refuse(self, refusal: Refusal) -> None:
        self.refused.append((refusal.rule, refusal.reason))
        self.log.append(f"  refused: {refusal.reason} ({refusal.rule or 'no rule'})")

    def session(self, value: Any) -> str:
        """Return everything that was shown and typed, and the resulting ``value``."""
        return "\n".join([*self.log, f"value: {value!r}"])
