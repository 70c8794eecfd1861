"""The notation of this game, word by word: units by id, forces by id or by their hex, hexes.

The letter of the side may be left out: 3pz is g-3pz if a German order is typed. A hex means all units in it that can be
chosen, and "all" means all that can be chosen anywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from damos.model.board import Board
from damos.model.forces import units_in
from damos.model.state import DamosState
from damos.movement.planning import Plans, ready_stacks
from damos.movement.strategic import Movers
from damos.ui.courses import strategic_path
from sandtable import AnyOf, Form
from sandtable.notation import MAX_WORDS, OrderQuestion, TypedLine


class DamosLine(TypedLine):
    """A line about units and hexes."""

    blanks = ",>=:"

    def __init__(self, text: str, asked: OrderQuestion) -> None:
        """Read a line. The name of a town stands for its hex."""
        super().__init__(text, asked)
        self.words = with_numbers(self.words, asked.board.names)

    def is_hex(self) -> bool:
        """Return whether the next word is a hex of the map."""
        return bool(self.board.hexmap.holds(self.word))

    def hex(self) -> str:
        """Take a hex."""
        if not self.is_hex():
            raise self.wrong(self._no_hex())
        return self.text_word()

    def hexes(self) -> list[str]:
        """Take the remaining words as hexes; words that are not hexes are reported and skipped."""
        return self.repeat_to_end(self.is_hex, self.hex, self._no_hex)

    def path(self) -> list[str]:
        """Take a hex and the hexes that follow."""
        return [self.hex(), *self.hexes()]

    def path_of(self, units: Sequence[str]) -> list[str]:
        """Take the path of a force.

        The path may begin with its second hex. In strategic movement it may be "to" and a destination.
        """
        state = _state_of(self.asked.decision.options)
        start = state.units[units[0]].hex if state is not None and units and units[0] in state.units else ""
        movers = self.asked.field("units")
        if isinstance(movers, Movers) and start and self.takes("to"):
            return strategic_path(movers, units, start, self.hex())
        return with_start(self.path(), start, self.board)

    def _no_hex(self) -> str:
        return self._why_no_hex() or "type the number of a hex, such as 2727"

    def _why_no_hex(self) -> str:
        """Return the error of a word that looks like a hex number, or "" for any other word."""
        word = self.word
        looks = word.isascii() and word.isdigit() and len(word) == 4
        return f"{word} is not a hex of this map" if looks and not self.is_hex() else ""

    def find_unit(self) -> str:
        """Return the unit that the next word stands for, or ""."""
        prefix = f"{self.asked.side[:1]}-"
        words = (self.words[self.place], self.word) if self.word else ()
        return next((it for word in words for it in (word, prefix + word) if it in self.board.counters), "")

    def unit(self) -> str:
        """Take a unit."""
        found = self.find_unit()
        if not found:
            raise self.wrong(self._no_unit())
        self.place += 1
        return found

    def _no_unit(self) -> str:
        own = next((each for each, counter in self.board.counters.items() if counter.side == self.asked.side), "g-3pz")
        return self._why_no_hex() or f"type the id of a unit, such as {own}"

    def share(self) -> tuple[str, int]:
        """Take a unit and a number, in either order: "31 1" is one point for unit 31, and so is "1 31"."""
        if self.word.isdigit() and not self._is_unit_before_number():
            number = self.number()
            return self.unit(), number
        return self.unit(), self.number()

    def _is_unit_before_number(self) -> bool:
        """Return whether the next word is a unit, and the one after it a number that is not a unit."""
        here = self.place
        is_unit = bool(self.find_unit())
        self.place = here + 1
        is_number = self.word.isdigit() and not self.find_unit()
        self.place = here
        return is_unit and is_number

    def force(self) -> list[str]:
        """Take units: ids, one hex for all that can be chosen there, or "all".

        If none can be chosen in a hex, all own units there are taken, so that the refusal cites the rule.
        """
        space = self.asked.field("units")
        if self.word == "all":
            every = [each for units in by_hex(space).values() for each in units]
            if not every:
                raise self.wrong("no unit can be chosen: name units or a hex")
            self.place += 1
            return every
        if self.is_hex() and not self.find_unit():
            units = by_hex(space).get(self.word) or self._own_units_in(self.word)
            if not units:
                raise self.wrong(f"you have no units in {self.word}")
            self.place += 1
            return list(units)
        named: list[str] = []
        while self.word not in {"", "to"} and (self.find_unit() or not self.is_hex()):
            if self.find_unit():
                named.append(self.unit())
            else:
                self.pass_over(self._no_unit())
        if not named and not self.wrongs.found:
            raise self.wrong(self._no_unit())
        return named

    def _own_units_in(self, hex_: str) -> list[str]:
        state = _state_of(self.asked.decision.options)
        return [] if state is None else units_in(state, hex_, self.asked.side)


def with_numbers(words: Sequence[str], towns: Mapping[str, str]) -> list[str]:
    """Return the words of a line, with hex numbers instead of the names of towns."""
    known = {name.lower(): hex_ for hex_, name in towns.items()}
    found, place = list[str](), 0
    while place < len(words):
        for length in range(MAX_WORDS, 0, -1):
            name = " ".join(words[place : place + length]).lower()
            if name in known:
                found.append(known[name])
                place += length
                break
        else:
            found.append(words[place])
            place += 1
    return found


def with_start(path: list[str], start: str, board: Board) -> list[str]:
    """Return a path with its starting hex, which may have been left out."""
    left_out = bool(path) and start != path[0] and path[0] in board.around.get(start, ())
    return [start, *path] if left_out else path


def _state_of(space: Any) -> DamosState | None:
    """Return the state that a space refers to, or None."""
    inner: Iterable[Any] = ()
    if isinstance(space, AnyOf):
        inner = space.spaces
    elif isinstance(space, Form):
        inner = space.fields.values()
    own: DamosState | None = getattr(getattr(space, "trigger", space), "state", None)
    return own or next(filter(None, map(_state_of, inner)), None)


def by_hex(space: Any) -> Mapping[str, Sequence[str]]:
    """Return the units that can be chosen, by hex. The units of a plain list are under ""."""
    if isinstance(space, Plans):
        return ready_stacks(space.state, space.side)
    found: Mapping[str, Sequence[str]] = getattr(space, "by_hex", None) or getattr(space, "groups", None) or {}
    return found or {"": getattr(space, "of", ())}
