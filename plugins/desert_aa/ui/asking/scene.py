"""A position as a side sees it, set out for questions: spaces and units by the names that people type."""

from typing import NamedTuple

from msgspec import structs

from desert_aa.fog.determinization import deal
from desert_aa.fog.views import SideView
from desert_aa.model.board import Board
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import FLAK, POWER_NAMES, POWERS, SIDE_OF
from desert_aa.ui.parsing import KIND_WORDS, POWER_WORDS, places
from sandtable import PlayError, Stream, shown
from sandtable.questions import unknown


class Mover(NamedTuple):
    """A kind of unit of a power that is thought of, or the unit that is meant, and where it stands."""

    unit: Unit
    unit_id: str = ""

    @property
    def name(self) -> str:
        """Return how it is spoken of: "de-arm-1", or "armour of Germany"."""
        return (
            self.unit_id or f"{'flak' if self.unit.kind == FLAK else self.unit.kind} of {POWER_NAMES[self.unit.power]}"
        )


class Scene(NamedTuple):
    """What a view shows, as a state that the rules can be asked about: hidden minefields and purses are not in it."""

    view: SideView
    board: Board
    state: DesertState

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return what a view shows: told that there are no more minefields than it sees, the deal adds none."""
        laid = {power: sum(mine.power == power for mine in view.minefields.values()) for power in POWERS}
        cash = {purse: view.cash.get(purse, 0) for purse in dict.fromkeys(board.purse_of.values())}
        known = structs.replace(view, mines_laid=laid, cash=cash)
        state = deal(known, board, Stream.for_player(b"answers", view.side))
        state.turn, state.phase, state.options = view.turn, view.phase, dict(view.options)
        state.phasing_power, state.phasing_side = view.phasing_power, view.phasing_side
        state.place_board(board)
        return cls(view, board, state)

    def find_space(self, text: str) -> str:
        """Return the space of this id or name, "" for none."""
        return places(self.board.names).get(" ".join(text.lower().split()), "")

    def space(self, text: str) -> str:
        """Return the space of this id or name; PlayError for none."""
        found = self.find_space(text)
        if not found:
            raise unknown("space", text, self.board.spaces)
        return found

    def at(self, space: str) -> str:
        """Return a space as people read it: "TOB (Tobruk)"."""
        return f"{space} ({self.board.names[space]})"

    def mover(self, words: list[str]) -> tuple[Mover, list[str]]:
        """Return who is meant, "de-arm-1", or "german armour TOB", and the words behind it; PlayError for nobody."""
        unit = self.state.units.get(words[0])
        if unit is not None:
            return Mover(unit, words[0]), words[1:]
        power, rest = POWER_WORDS.get(words[0].lower(), ""), list(words)
        if power:
            rest = rest[1:]
        word = rest[0].lower().replace("-", "_") if rest else ""
        kind = KIND_WORDS.get(word) or KIND_WORDS.get(word.removesuffix("s"), "")
        if not kind or kind == "minefield":
            raise PlayError(f"{shown(' '.join(words))} begins with no unit and no kind: type {self._movers()}")
        start, rest = self.first_space(rest[1:])
        return Mover(Unit(power or self._who(kind, start), kind, start)), rest

    def _movers(self) -> str:
        """Return how a unit of who asks is named, by itself or by kind and place."""
        own = sorted(each for each, unit in self.state.units.items() if SIDE_OF[unit.power] == self.view.side)
        unit_id = next(iter(own or self.state.units), "")
        unit = self.state.units.get(unit_id)
        return f"for example {unit.power} {unit.kind} {unit.space}, or {unit_id}" if unit else "a unit"

    def _who(self, kind: str, space: str) -> str:
        """Return whose unit of a kind in a space is meant where no power is named: who stands there, who asks."""
        there = [unit.power for unit in self.state.units.values() if (unit.space, unit.kind) == (space, kind)]
        own = [power for power in POWERS if SIDE_OF[power] == self.view.side]
        found = [power for power in there if power in own] or there or own or [self.state.control.get(space, POWERS[0])]
        return found[0]

    def first_space(self, words: list[str]) -> tuple[str, list[str]]:
        """Return the space that the first words name, as many as mean one, and the words behind it."""
        for count in range(len(words), 0, -1):
            space = self.find_space(" ".join(words[:count]))
            if space:
                return space, words[count:]
        raise unknown("space", " ".join(words), self.board.spaces)
