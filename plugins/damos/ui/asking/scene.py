"""A position as a side sees it, prepared for queries: units and hexes by all their names."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import structs

from damos.fog.views import SideView
from damos.model.board import Board
from damos.model.forces import units_in
from damos.model.state import ON_MAP, DamosState
from damos.ui.courses import hex_meant
from damos.ui.overlays import state_of
from damos.ui.terms import name_of, place
from sandtable import PlayError, shown


class Scene(NamedTuple):
    """A view as a state for queries to the rules, with hidden strengths at their printed value."""

    view: SideView
    board: Board
    state: DamosState

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return the scene of a view."""
        return cls(view, board, state_of(view, board))

    def moved(self, units: Iterable[str], hex_: str, side: str) -> "Scene":
        """Return a scene with some units in another hex, in the operations of ``side``."""
        seen = self.view.units
        units_there = seen | {each: structs.replace(seen[each], hex=hex_) for each in units}
        return Scene.of(structs.replace(self.view, units=units_there, phasing_side=side), self.board)

    def find_unit(self, text: str) -> str:
        """Return the unit with this id ("g-3pz" or "3pz") or name ("3 Pz"), or "" if the viewer knows no such unit.

        Units of the viewer's own side have priority.
        """
        wanted = text.lower()
        own = sorted(self.view.units, key=lambda each: self.view.units[each].side != self.view.side)
        meant = [each for each in own if wanted in (each, each.partition("-")[2], name_of(each, self.board).lower())]
        return meant[0] if meant else ""

    def find_hex(self, text: str) -> str:
        """Return the hex with this number, or of the town with this name, or ""."""
        return hex_meant([text], self.board)

    def units(self, text: str) -> list[str]:
        """Return the force that a text names: "g-3pz", "g-3pz+g-4pz", or a hex for the querying side's units in it.

        Raises PlayError if the text does not name a force in one hex.
        """
        hex_ = self.find_hex(text)
        if hex_:
            sides = sorted(self.board.sides, key=lambda side: side != self.view.side)
            found = next((there for side in sides if (there := units_in(self.state, hex_, side))), [])
            if not found:
                raise PlayError(f"no units are in {place(hex_, self.board)}: name a hex with units")
            return found
        found = [self.find_unit(each) for each in text.split("+")]
        if not all(found):
            raise PlayError(f"{shown(text)} is not a unit, hex or town: type for example g-3pz, 2720 or Minsk")
        where = {self.view.units[each].hex for each in found if self.view.units[each].standing == ON_MAP}
        if len(where) != 1 or len({self.view.units[each].side for each in found}) > 1:
            raise PlayError(f"{shown(text)} is not a force on the map: name units of one side in one hex")
        return sorted(dict.fromkeys(found))

    def two(self, words: Sequence[str]) -> tuple[str, str]:
        """Return the texts of a force and a hex: "3 Pz to Minsk", or without "to" if both parts are valid.

        Raises PlayError for any other text.
        """
        named = [each for each in words if each.lower() != "to"]
        for place_ in range(1, len(named)):
            force, goal = " ".join(named[:place_]), " ".join(named[place_:])
            if (self.find_hex(force) or all(map(self.find_unit, force.split("+")))) and self.find_hex(goal):
                return force, goal
        raise PlayError(
            f"{shown(' '.join(words))} is not a force and a hex: type for example g-3pz 2720, or g-3pz Minsk"
        )

    def unknown(self, units: Iterable[str]) -> list[str]:
        """Return those of the units whose strength is hidden from the querying side (DM-2.4c)."""
        return [each for each in units if self.view.units[each].sp is None]
