"""A position as a side sees it, for questions. It finds spaces and units by the names that people type."""

from typing import NamedTuple

from msgspec import structs

from desert_aa.fog.determinization import deal
from desert_aa.fog.views import SideView
from desert_aa.model.board import Board
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import KIND_NAMES, POWER_NAMES, POWERS, SIDE_OF
from desert_aa.ui.parsing import KIND_WORDS, POWER_WORDS, places
from sandtable import PlayError, Stream, shown
from sandtable.questions import unknown


class Mover(NamedTuple):
    """A hypothetical unit with its power, kind and space, or an existing unit with its id."""

    unit: Unit
    unit_id: str = ""

    @property
    def name(self) -> str:
        """The name in answers, such as "de-arm-1" or "Germany's armor"."""
        return self.unit_id or f"{POWER_NAMES[self.unit.power]}'s {KIND_NAMES[self.unit.kind]}"


class Scene(NamedTuple):
    """A view as a state that the rules can judge, without hidden minefields and purses."""

    view: SideView
    board: Board
    state: DesertState

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return the scene of a view. Only visible minefields are counted, so that the deal adds none."""
        laid = {power: sum(mine.power == power for mine in view.minefields.values()) for power in POWERS}
        cash = {purse: view.cash.get(purse, 0) for purse in dict.fromkeys(board.purse_of.values())}
        known = structs.replace(view, mines_laid=laid, cash=cash)
        state = deal(known, board, Stream.for_player(b"answers", view.side))
        state.turn, state.phase, state.options = view.turn, view.phase, dict(view.options)
        state.phasing_power, state.phasing_side = view.phasing_power, view.phasing_side
        state.place_board(board)
        return cls(view, board, state)

    def find_space(self, text: str) -> str:
        """Return the space with this id or name, or ""."""
        return places(self.board.names).get(" ".join(text.lower().split()), "")

    def space(self, text: str) -> str:
        """Return the space with this id or name. Raises PlayError if there is none."""
        found = self.find_space(text)
        if not found:
            raise unknown("space", text, self.board.spaces)
        return found

    def at(self, space: str) -> str:
        """Return a space with its id and name, such as "TOB (Tobruk)"."""
        return f"{space} ({self.board.names[space]})"

    def mover(self, words: list[str]) -> tuple[Mover, list[str]]:
        """Return the unit of "de-arm-1" or "german armor TOB", and the remaining words.

        Raises PlayError if the words begin with neither a unit nor a kind and a space.
        """
        unit = self.state.units.get(words[0])
        if unit is not None:
            return Mover(unit, words[0]), words[1:]
        power, rest = POWER_WORDS.get(words[0].lower(), ""), list(words)
        if power:
            rest = rest[1:]
        word = rest[0].lower().replace("-", "_") if rest else ""
        kind = KIND_WORDS.get(word) or KIND_WORDS.get(word.removesuffix("s"), "")
        if not kind or kind == "minefield":
            raise PlayError(f"{shown(' '.join(words))} does not begin with a unit or a kind: type {self._movers()}")
        start, rest = self.first_space(rest[1:])
        return Mover(Unit(power or self._power(kind, start), kind, start)), rest

    def _movers(self) -> str:
        """Return an example of a unit, by kind and space and by id. It is of the asking side if it has any units.

        Returns "a unit" if no units are in play.
        """
        own = sorted(each for each, unit in self.state.units.items() if SIDE_OF[unit.power] == self.view.side)
        unit_id = next(iter(own or self.state.units), "")
        unit = self.state.units.get(unit_id)
        return f"for example {unit.power} {KIND_NAMES[unit.kind]} {unit.space}, or {unit_id}" if unit else "a unit"

    def _power(self, kind: str, space: str) -> str:
        """Return the power of a kind if none is typed: one with such a unit in the space, or one of the asking side."""
        there = [unit.power for unit in self.state.units.values() if (unit.space, unit.kind) == (space, kind)]
        own = [power for power in POWERS if SIDE_OF[power] == self.view.side]
        found = [power for power in there if power in own] or there or own or [self.state.control.get(space, POWERS[0])]
        return found[0]

    def first_space(self, words: list[str]) -> tuple[str, list[str]]:
        """Return the space that the longest possible sequence of first words names, and the remaining words.

        Raises PlayError if no such sequence names a space.
        """
        for count in range(len(words), 0, -1):
            space = self.find_space(" ".join(words[:count]))
            if space:
                return space, words[count:]
        raise unknown("space", " ".join(words), self.board.spaces)
