"""A typed line, word by word: units by id, forces by id or by the hex where they stand, hexes, numbers.

The letter of the side may be left out: 3pz is g-3pz where a German is asked. A hex in place of units stands for all
units in it that can be chosen; "all" for all that can be chosen anywhere.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from damos.combat.losses import LossShare
from damos.map.retreat import Retreats
from damos.map.stacking import LeftOut
from damos.model import orders
from damos.model.board import Board
from damos.model.forces import units_in
from damos.model.state import DamosState
from damos.movement.march import Menu
from damos.movement.planning import Plans, ready_stacks
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import AnyOf, Form, OneOf, Space
from sandtable.kernel.options.choices import shown

ALL = "all"
NOTHING = ("nothing", "none", "no")
_BLANKS = str.maketrans(",>=:", "    ")


ASKED_BY: dict[type[Space], tuple[type[Order], ...]] = {
    Plans: (orders.PlanAttack,),
    LossShare: (orders.TakeLosses,),
    LeftOut: (orders.LeaveOut,),
    Retreats: (orders.Retreat,),
}
"""What spaces ask for that are no form."""


class Line:
    """The words of a line behind its verb, read one by one; ``wrongs`` is what was wrong with those passed over."""

    def __init__(self, text: str, decision: Decision, board: Board) -> None:
        self.words = text.translate(_BLANKS).split()
        self.place = 1
        self.wrongs = Wrongs()
        self.decision, self.board = decision, board
        self._prefix = f"{decision.side[:1]}-"

    @property
    def word(self) -> str:
        """The word to read next, in small letters; "" at the end."""
        return self.words[self.place].lower() if self.place < len(self.words) else ""

    def wrong(self, problem: str) -> IllegalOrder:
        """Return the refusal that names the place."""
        where = f"word {self.place + 1}, {shown(self.words[self.place])}" if self.word else "at the end"
        return IllegalOrder(self.decision.rule, f"{where}: {problem}")

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

    # --- single words ---

    def is_hex(self) -> bool:
        """Tell whether the next word is a hex of the map."""
        return self.board.hexmap.holds(self.word)

    def hex(self) -> str:
        """Take a hex."""
        if not self.is_hex():
            raise self.wrong(self._no_hex())
        self.place += 1
        return self.words[self.place - 1]

    def hexes(self) -> list[str]:
        """Take the hexes that follow, to the end; what is none is passed over."""
        found: list[str] = []
        while self.word:
            if self.is_hex():
                found.append(self.hex())
            else:
                self.pass_over(self._no_hex())
        return found

    def _no_hex(self) -> str:
        return self._why_no_hex() or "the number of a hex is wanted, such as 2727"

    def _why_no_hex(self) -> str:
        """Return what is wrong with a word that looks like the number of a hex, "" for any other."""
        word = self.word
        looks = word.isascii() and word.isdigit() and len(word) == 4
        return f"there is no hex {word} on this map" if looks and not self.is_hex() else ""

    def find_unit(self) -> str:
        """Return the unit that the next word means, "" if it means none."""
        for word in (self.words[self.place], self.word) if self.word else ():
            for each in (word, self._prefix + word):
                if each in self.board.counters:
                    return each
        return ""

    def unit(self) -> str:
        """Take a unit."""
        found = self.find_unit()
        if not found:
            raise self.wrong(self._no_unit())
        self.place += 1
        return found

    def _no_unit(self) -> str:
        return self._why_no_hex() or "the id of a unit is wanted, such as g-3pz"

    def number(self) -> int:
        """Take a whole number."""
        word = self.word
        if not (word.isascii() and word.isdigit() and len(word) < 5):
            raise self.wrong("a number is wanted")
        self.place += 1
        return int(word)

    def one_of(self, words: Mapping[str, Any]) -> Any:
        """Take one of these words, and return what it stands for."""
        if self.word not in words:
            raise self.wrong(f"write {' or '.join(words)}")
        self.place += 1
        return words[self.words[self.place - 1].lower()]

    # --- forces ---

    def force(self, kind: type[Order]) -> list[str]:
        """Take the units of an order of ``kind``: ids, one hex for all that can be chosen there, or "all".

        Where none can be chosen in a hex, all own units there are taken: the rule that forbids it then has its say.
        """
        space = units_space(self.decision.options, kind)
        if self.word == ALL:
            every = [each for units in by_hex(space).values() for each in units]
            if not every:
                raise self.wrong("nobody can be chosen: name units or a hex")
            self.place += 1
            return every
        if self.is_hex() and not self.find_unit():
            units = by_hex(space).get(self.word) or self._own_units_in(self.word)
            if not units:
                raise self.wrong(f"no units of yours can be chosen in {self.word}")
            self.place += 1
            return list(units)
        named: list[str] = []
        while self.word and (self.find_unit() or not self.is_hex()):
            if self.find_unit():
                named.append(self.unit())
            else:
                self.pass_over(self._no_unit())
        if not named and not self.wrongs.found:
            raise self.wrong(self._no_unit())
        return named

    def _own_units_in(self, hex_: str) -> list[str]:
        state = state_of(self.decision.options)
        return [] if state is None else units_in(state, hex_, self.decision.side)


def state_of(space: Any) -> DamosState | None:
    """Return the state that a space looks at, None if it looks at none."""
    inner: Iterable[Any] = ()
    if isinstance(space, AnyOf):
        inner = space.spaces
    elif isinstance(space, Form):
        inner = space.fields.values()
    own: DamosState | None = getattr(getattr(space, "trigger", space), "state", None)
    return own or next(filter(None, map(state_of, inner)), None)


def asked(space: Space) -> tuple[type[Order], ...]:
    """Return the types of order that a space asks for."""
    if isinstance(space, Form):
        return (space.order,)
    if isinstance(space, OneOf):
        return tuple(dict.fromkeys(type(each) for each in space.of))
    if isinstance(space, AnyOf):
        return tuple(kind for each in space.spaces for kind in asked(each))
    return ASKED_BY.get(type(space), ())


def answered(space: Space) -> tuple[type[Order], ...]:
    """Return the types of order to which a space has an answer: those that it asks for, and those closed for now."""
    return (*asked(space), *(space.closed if isinstance(space, Menu) else ()))


def units_space(space: Space, kind: type[Order]) -> Any:
    """Return what the units of an order of ``kind`` are chosen from, None if that is not known."""
    return field_of(space, kind, "units")


def field_of(space: Space, kind: type[Order], name: str) -> Any:
    """Return what a field of an order of ``kind`` is chosen from, a space of such orders itself, None if unknown."""
    if isinstance(space, Form) and space.order is kind:
        return space.fields.get(name)
    if isinstance(space, AnyOf):
        return next((found for each in space.spaces if (found := field_of(each, kind, name)) is not None), None)
    return space if kind in ASKED_BY.get(type(space), ()) else None


def by_hex(space: Any) -> Mapping[str, Sequence[str]]:
    """Return the units that can be chosen, by hex; those of a mere list under ""."""
    if isinstance(space, Plans):
        return ready_stacks(space.state, space.side)
    found: Mapping[str, Sequence[str]] = getattr(space, "by_hex", None) or getattr(space, "groups", None) or {}
    return found or {"": getattr(space, "of", ())}
