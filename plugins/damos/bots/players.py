"""The bots: the staff officer; ``random`` every game has without its doing."""

from collections.abc import Sequence
from typing import Any, ClassVar

from damos.bots.answers import answer
from damos.bots.choices import other_marches, quick_march
from damos.bots.marching import activate, march
from damos.bots.position import StaffPosition
from damos.bots.posts import duties, errands
from damos.bots.rear import move_up
from damos.model.board import Board
from damos.model.orders import (
    Activate,
    EndActivation,
    EndPhase,
    ExtendRail,
    MoveStrategically,
    PlaceReinforcements,
    Replace,
    SetUp,
    Step,
)
from sandtable import Decision, Form, Order, Stream, View

MARCHES = frozenset({Activate, Step, EndActivation, MoveStrategically})
"""Orders that are given by the hundred."""

EARLY = frozenset({SetUp, PlaceReinforcements, Replace, ExtendRail})
"""Orders that are given before the marches of a turn."""


class StaffOfficer:
    """Marches on the objective, or holds it; attacks where the odds are good, and gives way where they are bad."""

    lookahead = 1
    """Imagined games go on to the end of this turn: one of the next as well has some 200 decisions more."""
    sole_plans = MARCHES
    """Of these orders nothing is worth trying but what ``plans`` names."""
    quick: ClassVar[type["StaffOfficer"]]
    """Who sits in for him in imagined games."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self.tried: dict[str, int] = {}
        self.duties: dict[str, str] = {}
        self.seen: tuple[Any, ...] = ()
        self.way: tuple[str, ...] = ()
        self.way_of: tuple[Any, ...] = ()

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        position = StaffPosition(view(), self.board, decision.side)
        position.duties = self._duties(position)
        kinds = _kinds(decision)
        if Activate in kinds:
            return activate(position, decision, self.tried)
        if EndActivation in kinds or Step in kinds:
            return self._march(position, decision)
        if isinstance(decision.done, EndPhase) and position.view.phase.endswith("strategic"):
            return move_up(position, decision, self.tried)
        return answer(position, decision, self.stream)

    def plans(self, decision: Decision, view: View) -> Sequence[Order] | None:
        """Return other orders worth trying, for who tries things out: attacks, and near the end who goes next.

        None for other marches: several hundred steps a game, hardly one decides. Nor for what comes before all marches
        of a turn: the games after it are long, and too few can be had to prove anything.
        """
        kinds = set(_kinds(decision))
        if kinds & EARLY:
            return None
        if not MARCHES & kinds:
            return []
        position = StaffPosition(view(), self.board, decision.side)
        position.duties = self._duties(position)
        return other_marches(position, decision) or None

    def _duties(self, position: StaffPosition) -> dict[str, str]:
        """Return who mans which post: thought over again in each phase, and where the enemy stands elsewhere."""
        now = (position.view.turn, position.view.phase, position.enemies)
        if now != self.seen:
            self.seen, self.duties = now, errands(position) if position.advances() else duties(position)
        return self.duties

    def _march(self, position: StaffPosition, decision: Decision) -> Order:
        """Go on by the way that was chosen, while nothing has come up; else choose one."""
        now = (position.view.turn, position.view.active, position.enemies)
        if not self.way or now != self.way_of or decision.options.why_not(Step(self.way[0])) is not None:
            self.way, self.way_of = (), now
            order, self.way = march(position, decision)
        else:
            order = Step(self.way[0])
        self.way = self.way[1:]
        if decision.options.why_not(order) is None:
            return order
        drawn: Order = decision.options.sample(self.stream)
        return drawn


FORCES = 5
"""So many forces go in a phase of an imagined game: with more a search has too few games to prove anything."""


class Adjutant(StaffOfficer):
    """Sits in for the staff in imagined games: a few of those near the enemy go hex by hex, and nobody by train."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        super().__init__(seat, stream, board)
        self.sent: dict[tuple[int, str], int] = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        kinds = set(_kinds(decision))
        if MoveStrategically in kinds:
            return EndPhase()
        if not kinds & {Activate, EndActivation, Step}:
            return super().choose(decision, view)
        position = StaffPosition(view(), self.board, decision.side)
        position.duties = self._duties(position)
        if Activate in kinds:
            phase = (position.view.turn, position.view.phase)
            self.sent[phase] = self.sent.get(phase, 0) + 1
            is_enough = self.sent[phase] > FORCES
            return EndPhase() if is_enough else activate(position, decision, self.tried, front_only=True)
        order = quick_march(position, decision)
        return order if decision.options.why_not(order) is None else EndActivation()


StaffOfficer.quick = Adjutant


def _kinds(decision: Decision) -> list[type[Any]]:
    """Return the kinds of order that are asked for."""
    spaces: Any = getattr(decision.options, "spaces", (decision.options,))
    found = [each.order for each in spaces if isinstance(each, Form)]
    return [*found, *([type(decision.done)] if decision.done is not None else [])]


PLAYERS = {"staff": StaffOfficer}
"""The player names of this ruleset."""
