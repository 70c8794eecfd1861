"""A game played choice by choice, the basis of every environment.

``Episode`` holds a game and the open choice of the agent that must decide. Agents are sides, named ``axis_0``,
``allies_1`` and so on, as PettingZoo requires. Bots and the default umpire decide by themselves. An order is given when
all its choices are made. A choice with more options than actions is made in several steps, each of which selects a
block of options.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from sandtable.errors import PlayError, SandtableError
from sandtable.kernel.decisions import UMPIRE, Decision, Order, Roll
from sandtable.kernel.dice import Dice, Stream
from sandtable.kernel.events import margin_in, shares_in
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.endings import exact_shares
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.players.players import HUMAN, name_seats, seat_bot
from sandtable.plugin.manager import Prepared
from sandtable.rules.steps.choices import Choice, Steps, Stuck, in_steps

FEWEST = 2


def reward(share: Fraction, sides: int) -> float:
    """Return (n share - 1) / (n - 1) for n sides: 1 for the whole game, 0 for an equal share, -1 / (n - 1) for nothing.

    The rewards of all sides add up to 0. With two sides they are 1, 0 and -1. A single side gets 1 for the whole game.
    """
    return float((sides * share - 1) / (sides - 1)) if sides > 1 else float(share)


class IllegalAction(SandtableError, ValueError):
    """An action that the mask does not allow."""


class Picking:
    """The open choices of one question, with at most ``actions`` options at a time.

    ``picks`` are the actions so far, ``part`` names what the open choice is for, and ``count`` is the number of
    actions. When ``count`` is 0, ``order`` is the order. ``replaced`` means that the choices led to an illegal order or
    to none, so that the ``done`` order or a random one replaces it. A Picking is copied by repeating its picks.
    """

    def __init__(self, decision: Decision, key: bytes, question: int, actions: int, picks: Sequence[int] = ()) -> None:
        self.decision = decision
        self.picks: list[int] = []
        self._made: list[tuple[Choice, int]] = []
        self.order: Any = None
        self.part, self.count = "", 0
        self.replaced = False
        self._key = key
        self._question = question
        self._actions = actions
        self._steps: Steps | None = None
        self._choice: Choice | None = None
        self._span: range = range(0)
        options = decision.options
        if options.__class__ is OneOf and len(options.of) > 1:  # by far the most common space needs no generator
            self._ask(Choice("order", options.of))
        else:
            self._chance = Stream(key + b"%d" % question)
            self._steps = in_steps(options, self._chance)
            self._advance(None)
        for action in picks:
            self.pick(action)

    def labels(self) -> list[str]:
        """Return a description of each action."""
        choice = self._choice
        if choice is None:
            return []
        return [
            choice.label(block[0]) if len(block) == 1 else f"{choice.label(block[0])} to {choice.label(block[-1])}"
            for block in self._blocks()
        ]

    @property
    def is_begun(self) -> bool:
        """Whether a choice has been made."""
        return bool(self._made)

    def made(self) -> list[str]:
        """Return a description of the choices made so far."""
        return [f"{choice.part}={choice.label(index)}" for choice, index in self._made]

    def pick(self, action: int) -> None:
        """Make the open choice. Raises IllegalAction."""
        choice = self._choice
        if choice is None or not 0 <= action < self.count:
            raise IllegalAction(f"action {action} does not exist: {self.part or 'no choice'} has {self.count} actions")
        self.picks.append(action)
        span = self._span if len(self._span) <= self._actions else self._blocks()[action]
        if span is not self._span and len(span) > 1:
            self._span = span
            self.count = len(span) if len(span) <= self._actions else len(self._blocks())
            return
        index = span[action] if span is self._span else span[0]
        self._made.append((choice, index))
        if self._steps is None:
            self._close(choice.options[index])
        else:
            self._advance(index)

    def repeated(self, decision: Decision) -> "Picking":
        """Return a copy for ``decision``, the same decision in a copy of the game: a space may refer to its game."""
        return Picking(decision, self._key, self._question, self._actions, self.picks)

    def _blocks(self) -> Sequence[range]:
        """Return the option indexes that each action stands for."""
        span = self._span
        if len(span) <= self._actions:
            return [span[index : index + 1] for index in range(len(span))]
        size = 1
        while size * self._actions < len(span):
            size *= self._actions
        return [span[start : start + size] for start in range(0, len(span), size)]

    def _advance(self, index: int | None) -> None:
        """Continue with the next choice, or with the order. An illegal order is replaced."""
        steps = self._steps
        assert steps is not None  # noqa: S101 - for the type checker
        try:
            self._ask(next(steps) if index is None else steps.send(index))
        except StopIteration as end:
            self._end(end.value)
        except Stuck:
            self._end(None)

    def _ask(self, choice: Choice) -> None:
        self._choice, self.part = choice, choice.part
        self._span = span = range(len(choice.options))
        self.count = len(span) if len(span) <= self._actions else len(self._blocks())

    def _close(self, order: Any) -> None:
        self._choice, self._span, self.order = None, range(0), order
        self.part, self.count = "", 0

    def _end(self, order: Any) -> None:
        self._close(order)
        decision = self.decision
        if order is None or decision.why_not(order) is not None:
            self.replaced = True
            self.order = decision.done if decision.done is not None else decision.options.sample(self._chance)


class Episode:
    """One game. ``open`` holds the questions that agents must answer: one, or those of a sealed group.

    ``agents`` are the sides played by actions, in the order of the sides; ``bots`` play all other seats. With ``most``
    the game is cut off after that many actions.
    """

    def __init__(
        self,
        prepared: Prepared,
        key: bytes,
        dice: Dice,
        actions: int,
        bots: Mapping[str, str],
        *,
        most: int = 0,
        cast: "Cast | None" = None,
    ) -> None:
        if actions < FEWEST:
            raise PlayError(f"{actions} actions are too few: use at least {FEWEST}")
        self.prepared = prepared
        self.key = key
        self.actions = actions
        self.most = most
        self.steps = 0
        self.replaced = 0
        self.cast = cast or Cast.of(prepared, bots)
        self.side_of = self.cast.side_of
        self.agents = self.cast.agents
        self.open: dict[str, Picking] = {}
        self.game: Game = prepared.new_game(dice)
        self._bots: dict[str, Player] = {seat: _LateBot(prepared, seat, self.cast, key) for seat in self.cast.named}
        self._at_table = self.game.seats_of(self._bots)
        self._questions = 0
        self._go_on()

    # ------------------------------------------------------------------ open questions

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_over

    @property
    def is_cut(self) -> bool:
        """Whether the game was cut off at its limit of actions."""
        return bool(self.most) and self.steps >= self.most and not self.is_over

    @property
    def roll(self) -> Roll | None:
        """The pending roll, if the dice are chance nodes."""
        pending = self.game.pending
        return pending if isinstance(pending, Roll) else None

    @property
    def asked(self) -> str:
        """The first agent with an open question, or "" at a roll and at the end."""
        return next(iter(self.open), "")

    def view(self, agent: str) -> Any:
        """Return the view of the agent's side."""
        return self.game.view(self.side_of[agent])

    # ------------------------------------------------------------------ acting

    def act(self, action: int, agent: str = "") -> None:
        """Make the open choice of ``agent``, or of the first agent that must decide.

        Raises IllegalAction, and PlayError if the agent has no open question. The state is then unchanged.
        """
        name = agent or self.asked
        picking = self.open.get(name)
        if picking is None:
            raise PlayError(f"{agent or 'no agent'} has no pending choice; next to choose: {self.asked or 'none'}")
        picking.pick(int(action))
        self.steps += 1
        if picking.count == 0:
            del self.open[name]
            self._give(picking)
            self._go_on()

    def resolve_roll(self, faces: tuple[int, ...]) -> None:
        """Resolve ``roll`` with these faces."""
        self.game.resolve_roll(faces)
        self._go_on()

    def _give(self, picking: Picking) -> None:
        self.replaced += picking.replaced
        game, decision = self.game, picking.decision
        game.submit(picking.order, None if game.pending is decision else decision.seat)

    def _go_on(self) -> None:
        """Let bots answer and answer questions with a single option, until an agent has a choice."""
        self.game.proceed(self._at_table)
        while any(self._put(decision) for decision in self.game.waiting()):
            self.game.proceed(self._at_table)

    def _put(self, decision: Decision) -> bool:
        """Give ``decision`` to its agent, unless it has one already. Return whether it was answered immediately."""
        agent = self.cast.agent_of[self.cast.sides[decision.seat]]
        if agent in self.open:
            return False
        self._questions += 1
        picking = Picking(decision, self.key, self._questions, self.actions)
        if picking.count == 0:
            self._give(picking)
            return True
        self.open[agent] = picking
        return False

    # ------------------------------------------------------------------ the end, and copies

    def score(self) -> dict[str, float]:
        """Return each agent's ``reward`` for its share of the game, or 0 for all before the end."""
        outcome, sides = self.game.state.outcome, self.prepared.ruleset.viewers
        if not outcome or (len(sides) == 1 and outcome not in sides):
            return dict.fromkeys(self.agents, 0.0)
        shares = exact_shares(outcome, shares_in(self.game.records), sides)
        return {agent: reward(shares[side], len(sides)) for agent, side in self.side_of.items()}

    def margins(self) -> dict[str, float]:
        """Return each agent's margin in a finished game, or its score if the rules define no margin."""
        margins = margin_in(self.game.records)
        return {agent: float(margins[side]) for agent, side in self.side_of.items()} if margins else self.score()

    def clone(self) -> "Episode":
        """Return an independent copy with the same state and the same future dice."""
        twin = copy.copy(self)
        twin.game = self.game.fork() if not self.is_over else self.game
        asked = {decision.seat: decision for decision in twin.game.waiting()}
        twin.open = {agent: each.repeated(asked[each.decision.seat]) for agent, each in self.open.items()}
        memo: dict[int, Any] = {id(self.prepared.board): self.prepared.board, id(self.prepared): self.prepared}
        bots = copy.deepcopy(self._bots, memo)
        twin._bots, twin._at_table = bots, twin.game.seats_of(bots)  # noqa: SLF001 - its own kind
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Episode":
        """Copy as ``clone`` does."""
        return self.clone()


class _LateBot:
    """The bot of one seat, created at its first decision."""

    def __init__(self, prepared: Prepared, seat: str, cast: "Cast", key: bytes) -> None:
        self._make = partial(seat_bot, prepared, seat, cast.named[seat], key)
        self._bot: Player | None = None

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the bot's order."""
        if self._bot is None:
            self._bot = self._make()
        return self._bot.choose(decision, view)


@dataclass(frozen=True)
class Cast:
    """The players: ``agents`` in the order of the sides, and ``named`` bots by seat, including the default umpire."""

    agents: list[str]
    side_of: dict[str, str]
    agent_of: dict[str, str]
    sides: Mapping[str, str]
    named: dict[str, str]

    @classmethod
    def of(cls, prepared: Prepared, bots: Mapping[str, str]) -> "Cast":
        """Return the cast if ``bots`` play these sides. Raises PlayError."""
        seats = prepared.ruleset.seats
        sides = [side for side in dict.fromkeys(seats.values()) if side != UMPIRE]
        side_of = {f"{side}_{index}": side for index, side in enumerate(sides) if side not in bots}
        named = name_seats(prepared, dict.fromkeys(sides, HUMAN) | dict(bots))
        return cls(
            list(side_of),
            side_of,
            {side: agent for agent, side in side_of.items()},
            seats,
            {seat: name for seat, name in named.items() if name != HUMAN},
        )
