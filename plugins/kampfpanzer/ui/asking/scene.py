"""A position as a side sees it, set out for questions."""

from typing import NamedTuple

from msgspec.structs import replace

from kampfpanzer.fog.determinization import deal
from kampfpanzer.fog.views import SideView
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.plotting.situation import Situation
from sandtable import UMPIRE, Answer, PlayError, Refusal, Stream
from sandtable.questions import NO, unknown


class Scene(NamedTuple):
    """A position as ``side`` sees it, as a state that the rules can be asked about: hidden plots are not in it."""

    state: KampfState
    board: Board
    side: str

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return what a view shows: the umpire's deal adds nothing to it."""
        return cls(deal(replace(view, side=UMPIRE), board, Stream.for_player(b"answers", UMPIRE)), board, view.side)

    def situation(self, unit_id: str) -> Situation:
        """Return the position as the owner of a unit plots in it."""
        return Situation(self.state, self.state.units[unit_id].side)

    def name(self, unit_id: str) -> str:
        """Return how a unit is spoken of: "PzII 94"."""
        return f"{self.state.units[unit_id].kind} {unit_id}"

    def unit(self, text: str) -> str:
        """Return the unit of this number that is on the map or waits to come; PlayError for none."""
        if text not in self.state.units:
            raise unknown("unit of this game", text, sorted(self.state.units, key=int))
        return text

    def place(self, text: str) -> str:
        """Return the hex of this number, or that in which a unit of this number stands; PlayError for neither."""
        unit = self.state.units.get(text)
        if unit is not None and unit.standing == ON_MAP:
            return self.state.units[unit.carrier].hex if unit.carrier else unit.hex
        if unit is not None:
            raise PlayError(f"{self.name(text)} is not on the map")
        if not self.board.hexmap.holds(text):
            raise PlayError(f"{text!r} is no hex of this map and no unit of this game")
        return text


def refused(refusal: Refusal, *more: str) -> Answer:
    """Return the answer no, for this reason."""
    return Answer(NO, (refusal.reason, *more), (refusal.rule,))
