"""Simulated games: positions that are possible at a decision, given what one side may know.

A simulator holds no game, no key and no secret of another side. It has the state at the last boundary (if the game has
secrets, only the side's view of it) and the orders and dice since then that the side may know. Each deal makes a state,
runs the rules again, and fills in the unknown parts at random. It rejects a deal that would have shown the side
something different from what it saw.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any, NamedTuple

from sandtable.errors import NoDeal, PlayError, RulesetLoops, SandtableError
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Event
from sandtable.kernel.play.rewind import brings_dice
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.records import NOTES, ClaimRecord, EventRecord, OrderRecord, RollRecord, RulingRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State

TRIES = 40
"""Maximum number of rejected deals before NoDeal is raised."""

Deal = Callable[[Any, str, Any, Stream, Any], State]
"""A function of (view, side, board, stream, view now) that returns a state with the same view for that side.

The last argument is the view at the decision, after the rules have continued from the boundary.
"""

_CLOCK = ("turn", "phase", "phasing_side", "phasing_power", "position", "in_phase", "outcome", "ending", "options")
"""Public data that the kernel keeps for every game."""


class SimulatedDice:
    """Dice of a simulated game: they stop at each roll while ``stops`` is set, and come from ``stream`` after that.

    As in a real game, dice are keyed by the label of the roll. Two games with the same stream but different orders get
    the same faces for the same label.
    """

    mode = "chance"

    def __init__(self, stream: Stream) -> None:
        self.stops = True
        self._stream = stream

    def faces(self, count: int, sides: int) -> tuple[int, ...]:
        """Return ``count`` random dice."""
        return tuple(self._stream.below(sides) + 1 for _ in range(count))

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice, or None if the game must stop at the roll."""
        if self.stops:
            return None
        stream = self._stream.branch(label)
        return tuple(stream.below(sides) + 1 for _ in range(count))

    def shown_key(self) -> str:
        """Return no key, because there is none."""
        return ""


class Simulated(AnsweringGame):
    """A simulated game, whose records are not sealed and not closed with digests."""

    __slots__ = ()

    def __init__(self, ruleset: Ruleset, state: State, stream: Stream) -> None:
        super().__init__(ruleset, state, SimulatedDice(stream), b"")

    def flow(self) -> None:
        """Use random dice for all further rolls."""
        assert isinstance(self.dice, SimulatedDice)  # noqa: S101 - made so, and never changed
        self.dice.stops = False

    def _seal(self) -> None:
        """Omit the digest, because it is never compared."""

    def _close(self) -> None:
        self._stack = []


class _Given(NamedTuple):
    """An order of ``by``, or None if the side may not know it; ``after`` are the events that the side saw later."""

    by: str
    order: Order | None
    after: tuple[Event, ...] = ()


class _Fell(NamedTuple):
    """Dice that were rolled, and that the side may know."""

    faces: tuple[int, ...]


class Simulator:
    """A dealer of games that are possible at ``decision``, for the player that must answer it.

    ``before`` is the true state at the last boundary, ``since`` the records after it, and ``now`` the current state;
    what the player's side may not know is discarded. ``turn`` is the turn of the decision. ``seen`` is the side's view
    at that boundary, or the whole state in bytes if nothing is secret. In a slice, ``before`` and ``now`` may be states
    that look the same to the side, and ``since`` the records that it sees; ``length`` is then the number of all records
    after the boundary.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        before: State,
        since: Sequence[Any],
        now: State,
        decision: Decision,
        *,
        length: int | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.decision = decision
        self.side = decision.side
        self.turn = now.turn
        self.hidden = ruleset.hidden and self.side != UMPIRE
        self._board = before.board
        self._steps = list(self._known(since))
        self._ruled = any(isinstance(each, RulingRecord) for each in since)
        if self.hidden:
            self.seen: Any = ruleset.view(before, self.side)
            self._sees_now = ruleset.view(now, self.side)
            self._events = list(self._visible(since))
            self._count = _count(since, len(since) if length is None else length)
            self._clock = clock_of(before)
        else:
            self.seen = ruleset.codec.to_bytes(before)

    def deal(self, stream: Stream, deal: Deal | None = None, *, any_prompt: bool = False) -> Simulated:
        """Return a game at the pending decision that stops at each roll; all its randomness comes from ``stream``.

        With ``any_prompt``, its question may have a different prompt, which happens only if the rules reveal a secret
        in it.

        If the ruleset has secrets, ``deal`` makes the states; it raises NoDeal if it finds none. A state is dropped if
        the side's view of it differs from ``seen``. Raises PlayError if ``deal`` is missing, NoDeal if no deal is
        consistent with the view, and RulesetLoops if the rules do not end from the dealt state.
        """
        if self.hidden and deal is None:
            raise PlayError(f"{self.ruleset.id} has secrets, but its ruleset_bots has no deal: it cannot be simulated")
        if self._ruled:
            raise NoDeal(f"{self.ruleset.id}: a ruling was made in this activation: it is simulated from the next on")
        for number in range(TRIES if self.hidden or any(None in step for step in self._steps) else 1):
            try:
                state = self.start(stream, deal)
            except NoDeal:  # this stream gives none, another may
                continue
            if self.hidden and self.ruleset.view(state, self.side) != self.seen:
                continue
            game = Simulated(self.ruleset, state, stream)
            if self._leads_here(game, stream, any_prompt=any_prompt, infers=number % 4 < 3):
                return game
        raise NoDeal(f"{self.ruleset.id}: found no state that looks to {self.side} like this one")

    def start(self, stream: Stream, deal: Deal | None) -> State:
        """Return a state at the last boundary: if there are secrets, the one that ``deal`` makes of ``seen``."""
        if deal is None or not self.hidden:
            state: State = self.ruleset.codec.from_bytes(self.seen, self._board)
            return state
        return dealt(deal, (self.seen, self._sees_now), self.side, self._board, stream, self._clock)

    def _leads_here(self, game: Simulated, stream: Stream, *, any_prompt: bool, infers: bool) -> bool:
        """Run the rules of ``game`` through the known steps; return whether they reach the decision and this view.

        If it ``infers``, an unknown order is the one that an event shows, if any. Other unknown orders are random.
        """
        try:
            game.start()
            self._roll_unseen(game)
            for step in self._steps:
                if isinstance(step, _Fell):
                    if not isinstance(game.pending, Roll):
                        return False
                    game.resolve_roll(step.faces)
                    self._roll_unseen(game)
                    continue
                asked = next((each for each in game.waiting() if each.seat == step.by), None)
                if asked is None:
                    return False
                order = step.order or (shown_order(self.ruleset, asked, step.after) if infers else None)
                game.submit(asked.options.sample(stream) if order is None else order, step.by)
                self._roll_unseen(game)
        except RulesetLoops:
            raise
        except (SandtableError, ValueError):  # the rules could not have reached this position
            return False
        prompts = [each.prompt for each in game.waiting() if each.seat == self.decision.seat]
        here = bool(prompts) and (any_prompt or self.decision.prompt in prompts)
        return here and (not self.hidden or self._looks_alike(game))

    def _roll_unseen(self, game: Simulated) -> None:
        """Roll the pending dice of ``game`` at random as long as the side may not know of them.

        A slice shows neither such rolls nor their number, so they are not among the known steps.
        """
        dice = game.dice
        assert isinstance(dice, SimulatedDice)  # noqa: S101 - made so
        while self.hidden and isinstance(roll := game.pending, Roll) and not sees_roll(roll, self.side):
            game.resolve_roll(dice.faces(roll.dice, roll.sides))

    def _looks_alike(self, game: Simulated) -> bool:
        return (
            list(self._visible(game.trail)) == self._events
            and _count(game.trail, len(game.trail)) == self._count
            and self.ruleset.view(game.state, self.side) == self._sees_now
        )

    def _visible(self, records: Sequence[Any]) -> Iterator[Event]:
        """Yield the side's view of the events."""
        secret, visible = self.ruleset.secret_events, self.ruleset.visible
        for record in records:
            if isinstance(record, EventRecord):
                event = visible(record.event, self.side) if isinstance(record.event, secret) else record.event
                if event is not None:
                    yield event

    def _known(self, records: Sequence[Any]) -> Iterator[_Given | _Fell]:
        """Yield orders and dice as the side may know them; sealed orders only after they are opened."""
        sealed: list[_Given] = []
        for place, record in enumerate(records):
            if isinstance(record, OrderRecord) and not isinstance(record.order, EnterDice):
                own = self.side in {UMPIRE, self.ruleset.side_of(record.by)}
                is_known = own or not record.secret
                given = (
                    _Given(record.by, record.order)
                    if is_known
                    else _Given(record.by, None, self._after(records, place))
                )
                if record.missing == 0:
                    yield given
                    continue
                sealed.append(given)
                if record.missing == 1:
                    yield from sealed
                    sealed.clear()
            elif isinstance(record, RollRecord) and record.dice and (not self.hidden or sees_roll(record, self.side)):
                yield _Fell(record.dice)

    def _after(self, records: Sequence[Any], place: int) -> tuple[Event, ...]:
        """Return the events that the side saw between the order at ``place`` (or its group) and the next order."""
        count = records[place].missing or 1
        later = islice((each for each in records[place:] if isinstance(each, OrderRecord)), count, None)
        end = next((each.n for each in later), records[-1].n + 1)
        return tuple(self._visible([each for each in records[place:] if each.n < end]))


def clock_of(state: State) -> dict[str, Any]:
    """Return the public data that the kernel keeps in ``state``."""
    return {name: getattr(state, name) for name in _CLOCK}


def dealt(deal: Deal, seen: tuple[Any, Any], side: str, board: Any, stream: Stream, clock: Mapping[str, Any]) -> State:
    """Return the state that ``deal`` makes of what ``side`` saw and sees now, with the public data of ``clock``."""
    state = deal(seen[0], side, board, stream, seen[1])
    state.place_board(board)
    for name, value in clock.items():
        setattr(state, name, dict(value) if isinstance(value, dict) else value)
    return state


def _count(records: Sequence[Any], length: int) -> int:
    """Return the number of records, which all sides know, without orders of a sealed group that is incomplete.

    ``records`` are those of ``length`` records that a side sees. Records that only bring dice, signatures, and claims
    of replicas are not in a simulated game.
    """
    entered = sum(brings_dice(each) or isinstance(each, (ClaimRecord, *NOTES)) for each in records)
    waiting = sum(1 for _ in takewhile(lambda each: getattr(each, "missing", 0) > 1, reversed(records)))
    return length - entered - waiting


def sees_roll(roll: Roll | RollRecord, side: str) -> bool:
    """Return whether ``side`` may know of ``roll``."""
    return roll.side in {"", side} or side == UMPIRE


def shown_order(ruleset: Ruleset, asked: Decision, after: Sequence[Event]) -> Order | None:
    """Return the order that one of the events ``after`` it repeats with all its fields, or None.

    If the rules have such an event for the only order that ends the decision, and the side saw none, that order was
    given.
    """
    done = asked.done
    if done is None:
        return None
    names = done.__struct_fields__
    kinds = [each for each in ruleset.events if names and {"side", *names} <= set(each.__struct_fields__)]
    for event in after:
        if isinstance(event, tuple(kinds)) and getattr(event, "side", "") == asked.side:
            order: Order = type(done)(**{name: getattr(event, name) for name in names})
            return order if asked.why_not(order) is None else None
    return done if kinds else None
