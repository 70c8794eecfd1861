"""The bots: captain and hunter; ``random`` every game has without its doing."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from kampfpanzer.bots.deployment import Setup
from kampfpanzer.bots.distances import DistanceFields
from kampfpanzer.bots.plots import other_plots, plots_of
from kampfpanzer.bots.position import Goal, Position, goal_of
from kampfpanzer.model.board import Board
from kampfpanzer.model.orders import (
    BackUp,
    ChooseTarget,
    Counterattack,
    DeclineCounterattack,
    Deploy,
    GroupFire,
    HandInPlots,
)
from kampfpanzer.model.state import DESTROYED
from sandtable import Decision, Form, Order, Sheet, Stream, View

WATCHED = 3
"""From this turn on the captain knows an enemy who only sits."""


class Captain:
    """Goes for what its scenario is won by: overruns and massed fire first, then the march to the objective."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self.fields = DistanceFields()
        self.goal = self.aim_of(seat)
        self.first_seen: dict[str, str] = {}
        """By enemy, the hex in which he was seen first."""

    def aim_of(self, seat: str) -> Goal:
        """Return what the side is after."""
        return goal_of(self.board, seat)

    def _sits(self, now: Any) -> bool:
        """Tell whether the enemy does nothing: he has never moved as far as was seen, and done no harm."""
        enemies = [(key, unit) for key, unit in now.units.items() if unit.side != self.seat and unit.hex]
        moved = any(self.first_seen.setdefault(key, unit.hex) != unit.hex for key, unit in enemies)
        hurt = any(it.disruption or it.standing == DESTROYED for it in now.units.values() if it.side == self.seat)
        return now.turn >= WATCHED and not moved and not hurt

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        options = decision.options
        if isinstance(options, Form) and options.order is Deploy:
            sheet = options.space_of("lines", [])
            lines = Setup(view(), self.board, decision.side, self.goal, self.fields).lines_of()
            return Deploy(_sound(sheet, lines, self.stream))
        if isinstance(options, Form) and options.order is HandInPlots:
            sheet = options.space_of("plots", [])
            now = view()
            plots = plots_of(now, self.board, decision.side, self.goal, self.fields, sits=self._sits(now))
            return HandInPlots(_sound(sheet, plots, self.stream))
        return react(decision, view(), self.board)

    def plans(self, decision: Decision, view: View) -> Sequence[Order]:
        """Return other orders that are worth trying, for who tries things out; none where there is nothing to plot."""
        options = decision.options
        if not isinstance(options, Form) or options.order is not HandInPlots:
            return ()
        sheet = options.space_of("plots", [])
        others = other_plots(view(), self.board, decision.side, self.goal, self.fields)
        return [HandInPlots(_sound(sheet, plots, self.stream)) for plots in others]


def _sound(sheet: Any, lines: dict[str, str], stream: Stream) -> dict[str, str]:
    """Return the lines that are allowed, with what must be written besides.

    What the captain thinks is allowed nearly always is; a line that is refused after all stays blank, and a required
    one is drawn at random.
    """
    assert isinstance(sheet, Sheet)  # noqa: S101 - for the type checker
    kept = {key: line for key, line in lines.items() if key in sheet.lines}
    for _ in range(len(kept) + 2):
        refused = sheet.refusals(kept)
        if not refused:
            return kept
        for key in refused:
            if kept.pop(key, None) is None and key in sheet.required:
                kept[key] = sheet.lines[key].sample(stream)
    drawn: dict[str, str] = sheet.sample(stream)
    return drawn


class Hunter(Captain):
    """Fights as the captain does, but for nothing except the enemy's destruction: a sparring partner."""

    def aim_of(self, seat: str) -> Goal:  # noqa: ARG002 - it is the same for both sides
        """Return no ground and no exit."""
        return Goal()


PLAYERS = {"captain": Captain, "hunter": Hunter}


# --- answers asked for in the middle of a phase ---

MOST = 200
"""So many groupings are weighed."""


def react(decision: Decision, view: Any, board: Board) -> Order:
    """Return the best answer to any decision that is no deployment and no plot."""
    options = decision.options
    if isinstance(options, Form) and options.order is GroupFire:
        return GroupFire(next(iter(options.space_of("groups", []).values())))
    orders: list[Order] = list(islice(options.values(), MOST))
    position = Position(view, board, decision.side)
    return max(orders, key=lambda order: _worth(position, order))


def _worth(position: Position, order: Order) -> int:
    """Prefer strong units as targets, and any counterattack to none."""
    if isinstance(order, Counterattack):
        return 1 + position.kind(order.target).attack
    if isinstance(order, ChooseTarget):
        return 1 + position.kind(order.unit).attack + position.kind(order.unit).movement
    if isinstance(order, BackUp):
        return -int(position.is_combat(order.unit))
    return -1 if isinstance(order, DeclineCounterattack) else 0
