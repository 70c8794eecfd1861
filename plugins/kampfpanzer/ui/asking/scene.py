"""The position from one side's view, prepared for questions."""

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
    """The position that ``side`` sees, as a state for the rules to judge. It contains no hidden plots."""

    state: KampfState
    board: Board
    side: str

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return the scene of a view. It is dealt as the umpire's view, so that no hidden data are drawn."""
        return cls(deal(replace(view, side=UMPIRE), board, Stream.for_player(b"answers", UMPIRE)), board, view.side)

    def situation(self, unit_id: str) -> Situation:
        """Return the situation in which the owner of a unit plots."""
        return Situation(self.state, self.state.units[unit_id].side)

    def name(self, unit_id: str) -> str:
        """Return the type and number of a unit, such as "PzII 94"."""
        return f"{self.state.units[unit_id].kind} {unit_id}"

    def unit(self, text: str) -> str:
        """Return the number of a unit of this game; raise PlayError if there is none."""
        if text not in self.state.units:
            raise unknown("unit of this game", text, sorted(self.state.units, key=int))
        return text

    def place(self, text: str) -> str:
        """Return the hex of this number, or the hex of the unit of this number; raise PlayError if there is neither."""
        unit = self.state.units.get(text)
        if unit is not None and unit.standing == ON_MAP:
            return self.state.units[unit.carrier].hex if unit.carrier else unit.hex
        if unit is not None:
            raise PlayError(f"{self.name(text)} is not on the map")
        if not self.board.hexmap.holds(text):
            raise PlayError(f"{text!r} is neither a hex of this map nor a unit of this game")
        return text


def refused(refusal: Refusal, *more: str) -> Answer:
    """Return the answer "no" with the reason of a refusal."""
    return Answer(NO, (refusal.reason, *more), (refusal.rule,))
