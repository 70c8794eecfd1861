"""The bots: the staff officer. ``random`` is provided by the framework."""

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
    """A bot that marches on the objective, or holds it, attacks at good odds and retreats at bad ones."""

    lookahead = 1
    """Number of turns to simulate, including the current one; a second turn would add some 200 decisions."""
    sole_plans = MARCHES
    """Types of order for which only the orders in ``plans`` are worth trying."""
    quick: ClassVar[type["StaffOfficer"]]
    """The faster bot that replaces this one in simulated games."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self.tried: dict[str, int] = {}
        self.duties: dict[str, str] = {}
        self.seen: tuple[Any, ...] = ()
        self.path: tuple[str, ...] = ()
        self.path_key: tuple[Any, ...] = ()

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order."""
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
        """Return other orders for search bots to try: near the end of the game, attacks and other activations.

        Returns None for other marches, since a single one of several hundred steps rarely decides a game. Also returns
        None before the marches of a turn, since the remaining game is long and too few can be simulated to prove
        anything. Returns an empty list for all other decisions, such as those in combat.
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
        """Return the post of each unit, updated in each phase and when enemies have moved."""
        now = (position.view.turn, position.view.phase, position.enemies)
        if now != self.seen:
            self.seen, self.duties = now, errands(position) if position.advances() else duties(position)
        return self.duties

    def _march(self, position: StaffPosition, decision: Decision) -> Order:
        """Continue along the chosen path if nothing has changed, or choose a new one."""
        now = (position.view.turn, position.view.active, position.enemies)
        if not self.path or now != self.path_key or decision.options.why_not(Step(self.path[0])) is not None:
            self.path, self.path_key = (), now
            order, self.path = march(position, decision)
        else:
            order = Step(self.path[0])
        self.path = self.path[1:]
        if decision.options.why_not(order) is None:
            return order
        drawn: Order = decision.options.sample(self.stream)
        return drawn


FORCES = 5
"""Maximum number of forces that act in a phase of a simulated game; with more, a search has too few games."""


class Adjutant(StaffOfficer):
    """A fast substitute for ``StaffOfficer`` in simulated games: it marches a few forces near the enemy only."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        super().__init__(seat, stream, board)
        self.sent: dict[tuple[int, str], int] = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order."""
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
    """Return the types of order that the decision allows."""
    spaces: Any = getattr(decision.options, "spaces", (decision.options,))
    found = [each.order for each in spaces if isinstance(each, Form)]
    return [*found, *([type(decision.done)] if decision.done is not None else [])]


PLAYERS = {"staff": StaffOfficer}
"""The players of this ruleset, by name."""
