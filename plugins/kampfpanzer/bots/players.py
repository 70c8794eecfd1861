"""The bots captain and hunter; every game has ``random`` by default."""

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
"""First turn in which the captain may recognize a passive enemy."""


class Captain:
    """A bot that pursues the victory condition: overruns and massed fire first, then the march to the objective."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self.fields = DistanceFields()
        self.goal = self.aim_of(seat)
        self.first_seen: dict[str, str] = {}
        """By enemy unit, the hex in which it was seen first."""

    def aim_of(self, seat: str) -> Goal:
        """Return the goal of the side."""
        return goal_of(self.board, seat)

    def _is_enemy_passive(self, now: Any) -> bool:
        """Return whether the enemy is passive: no move seen and no damage done by turn ``WATCHED`` or later."""
        enemies = [(key, unit) for key, unit in now.units.items() if unit.side != self.seat and unit.hex]
        moved = any(self.first_seen.setdefault(key, unit.hex) != unit.hex for key, unit in enemies)
        hurt = any(it.disruption or it.standing == DESTROYED for it in now.units.values() if it.side == self.seat)
        return now.turn >= WATCHED and not moved and not hurt

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order."""
        options = decision.options
        if isinstance(options, Form) and options.order is Deploy:
            sheet = options.space_of("lines", [])
            lines = Setup(view(), self.board, decision.side, self.goal, self.fields).lines_of()
            return Deploy(_legal_lines(sheet, lines, self.stream))
        if isinstance(options, Form) and options.order is HandInPlots:
            sheet = options.space_of("plots", [])
            now = view()
            plots = plots_of(
                now, self.board, decision.side, self.goal, self.fields, is_passive=self._is_enemy_passive(now)
            )
            return HandInPlots(_legal_lines(sheet, plots, self.stream))
        return react(decision, view(), self.board)

    def plans(self, decision: Decision, view: View) -> Sequence[Order]:
        """Return alternative orders for search bots to try, or an empty sequence if the decision is not about plots."""
        options = decision.options
        if not isinstance(options, Form) or options.order is not HandInPlots:
            return ()
        sheet = options.space_of("plots", [])
        others = other_plots(view(), self.board, decision.side, self.goal, self.fields)
        return [HandInPlots(_legal_lines(sheet, plots, self.stream)) for plots in others]


def _legal_lines(sheet: Any, lines: dict[str, str], stream: Stream) -> dict[str, str]:
    """Return the lines that are legal together, with a line for every unit that needs one.

    The captain's lines are nearly always legal. A refused line stays blank, or is drawn at random if it is required.
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
    """A bot that fights like the captain, but only to destroy the enemy: a sparring partner."""

    def aim_of(self, seat: str) -> Goal:  # noqa: ARG002 - both sides have the same goal
        """Return a goal without ground and exits."""
        return Goal()


PLAYERS = {"captain": Captain, "hunter": Hunter}


# --- decisions during a phase ---

MOST = 200
"""Maximum number of orders to compare."""


def react(decision: Decision, view: Any, board: Board) -> Order:
    """Return the best answer to any decision other than deployment and plots."""
    options = decision.options
    if isinstance(options, Form) and options.order is GroupFire:
        return GroupFire(next(iter(options.space_of("groups", []).values())))
    orders: list[Order] = list(islice(options.values(), MOST))
    position = Position(view, board, decision.side)
    return max(orders, key=lambda order: _worth(position, order))


def _worth(position: Position, order: Order) -> int:
    """Return the value of an order: strong targets are best, and any counterattack is better than none."""
    if isinstance(order, Counterattack):
        return 1 + position.kind(order.target).attack
    if isinstance(order, ChooseTarget):
        return 1 + position.kind(order.unit).attack + position.kind(order.unit).movement
    if isinstance(order, BackUp):
        return -int(position.is_combat(order.unit))
    return -1 if isinstance(order, DeclineCounterattack) else 0
