"""Asking and answering: the questions that wait, orders that are given, players who are asked until the end."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision, Order, Roll, Sealed
from sandtable.kernel.play.engine import Engine, Seat
from sandtable.kernel.play.views import View


class Player(Protocol):
    """Who decides for a seat."""

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order from ``decision.options``. ``view()`` is what the seat's side sees."""


class AnsweringGame(Engine):
    """A play that can be answered: by ``submit``, order by order, or by players, to its end.

    ``pending`` is what it waits for: a Decision, a Sealed group, a Roll (where the dice stop), or None once it is over.
    """

    __slots__ = ()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome != ""

    @property
    def number(self) -> int:
        """The number of the newest record."""
        return self._number

    def waiting(self) -> tuple[Decision, ...]:
        """Return the decisions that want an answer now: one, or those of a sealed group that are still open."""
        if isinstance(self.pending, Decision):
            return (self.pending,)
        if isinstance(self.pending, Sealed):
            return tuple(each for each in self.pending.decisions if each.seat not in self._given)
        return ()

    def view(self, side: str) -> Any:
        """Return what ``side`` sees of the state."""
        return self.ruleset.view(self.state, side)

    def seat_view(self, side: str) -> View:
        """Return what a player of ``side`` looks through."""
        return View(side, self.view)

    def seats_of(self, players: Mapping[str, Player]) -> dict[str, Seat]:
        """Return the seats that ``players`` (by seat or side) take; a side's own is that of the first of its powers."""
        at_table: dict[str, Seat] = {}
        for seat, side in self.ruleset.seats.items():
            player = players.get(seat) or players.get(side)
            if player is not None:
                view = self.seat_view(side)
                at_table[seat] = (seat, player.choose, view)
                if side not in at_table:
                    at_table[side] = (side, player.choose, view)
        return at_table

    def start(self, at_table: Mapping[str, Seat] | None = None) -> None:
        """Begin: play until the first decision (that no seat ``at_table`` answers)."""
        if self._stack:
            raise PlayError("the game has begun already")
        self._walk()
        self._advance(None, at_table)

    def submit(self, order: Order, by: str | None = None) -> None:
        """Give ``order`` for the decision that waits, or for that of seat ``by``; play on to the next decision.

        Raises IllegalOrder (nothing has changed then) and PlayError when the game does not wait for this.
        """
        decision = self.pending
        if not isinstance(decision, Decision) or by is not None:
            decision = self._asked(by)
        self._give(decision, order)

    def _give(self, decision: Decision, order: Order, at_table: Mapping[str, Seat] | None = None) -> None:
        """Judge ``order``, record it and play on: how every order comes into a game but those asked for in the loop."""
        decision.check(order)
        self._take(decision, order, at_table)

    def _asked(self, by: str | None) -> Decision:
        """Return the open decision of seat ``by`` (None: the first); raises PlayError when there is none."""
        if self.is_over:
            raise PlayError(f"the game is over ({self.state.ending}): no more orders are taken")
        waiting = self.waiting()
        if not waiting:
            raise PlayError("the game waits for no order")
        decision = next((each for each in waiting if by in {None, each.seat}), None)
        if decision is None:
            raise PlayError(f"{by} is not asked now: {' and '.join(each.seat for each in waiting)} must decide")
        return decision

    def _take(self, decision: Decision, order: Order, at_table: Mapping[str, Seat] | None = None) -> None:
        """Record a checked order and play on; with ``at_table``, through those seats' decisions too."""
        group = self.pending
        if group is decision:
            self._append(self._answered(decision, order))
            self._advance(order, at_table)
            return
        assert isinstance(group, Sealed)  # noqa: S101 - for the type checker
        missing = len(group.decisions) - len(self._given)
        self._append(self._answered(decision, order, missing))
        self._given[decision.seat] = order
        if missing == 1:
            opened = {each.seat: self._given[each.seat] for each in group.decisions}
            self._given = {}
            self._advance(opened, at_table)

    def go_on(self, at_table: Mapping[str, Seat], after: Callable[[], None] | None = None) -> None:
        """Let those ``at_table`` answer until one is asked who is not, a roll waits, or the game is over.

        ``after`` runs before each question and at the end: a writer puts the new records away there.
        """
        at_once = {} if after is not None else at_table
        if not self._stack and not self.is_over:
            self.start(at_once)
        while True:
            if after is not None:
                after()
            asked = next((each for each in self.waiting() if each.seat in at_table), None)
            if asked is None:
                return
            _, choose, view = at_table[asked.seat]
            self._give(asked, choose(asked, view), at_once)

    def play(self, players: Mapping[str, Player], after: Callable[[], None] | None = None) -> None:
        """Ask ``players`` (by seat or side) until the game is over; begins it if need be.

        ``after`` is as in ``go_on``. Raises PlayError when nobody plays a seat that is asked, IllegalOrder when a
        player's order is refused.
        """
        self.go_on(self.seats_of(players), after)
        if isinstance(self.pending, Roll):
            raise PlayError("a roll waits for its dice: give them with fall()")
        for left in self.waiting():
            raise PlayError(f"nobody plays {left.seat}: name a player for it")

    def fall(self, dice: tuple[int, ...]) -> None:
        """Let ``dice`` be the answer to the Roll that waits (ChanceDice only)."""
        roll = self.pending
        if not isinstance(roll, Roll):
            raise PlayError("the game waits for no roll")
        if len(dice) != roll.dice or not all(1 <= face <= roll.sides for face in dice):
            raise PlayError(f"{roll.dice} dice of {roll.sides} sides are wanted, not {dice}")
        self._record_roll(roll, self.label_of(roll), dice, "")
        self._advance(dice)
