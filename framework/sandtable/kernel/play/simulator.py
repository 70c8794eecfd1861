"""Trying things out: games that could stand where a game stands, as far as one side may know.

A simulator holds no game, no key and no secret of another side: the state at the last boundary (where secrets are, only
what the side saw of it), and of what came since then the orders and dice that the side may know. Each deal makes a
state of that, runs the rules again, and fills by chance what is not known; a deal that would have shown the side
something else than it saw is thrown away.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.errors import NoDeal, PlayError, RulesetLoops, SandtableError
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Event
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State

TRIES = 40
"""So many deals may contradict what the side saw before none is found."""

Deal = Callable[[Any, str, Any, Stream, Any], State]
"""Makes, from (what a side saw, the side, the board, a stream), a state that looks the same to that side.

The last argument is what it sees at the question, after the rules have gone on from there.
"""

_CLOCK = ("turn", "phase", "phasing_side", "phasing_power", "position", "in_phase", "outcome", "ending", "options")
"""What the kernel knows of every game, and everybody may know."""


class SimulatedDice:
    """Dice of a simulated game: while ``stops``, it stands still at each roll; otherwise they fall by ``stream``.

    As in a real game they are keyed by the label of the roll: two games with the same stream, in which something else
    is ordered, have the same luck where they roll for the same.
    """

    mode = "chance"

    def __init__(self, stream: Stream) -> None:
        self.stops = True
        self._stream = stream

    def faces(self, count: int, sides: int) -> tuple[int, ...]:
        """Return ``count`` dice that fell by chance."""
        return tuple(self._stream.below(sides) + 1 for _ in range(count))

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice, or None where the game is to stop at the roll."""
        if self.stops:
            return None
        stream = self._stream.branch(label)
        return tuple(stream.below(sides) + 1 for _ in range(count))

    def shown_key(self) -> str:
        """Return no key: there is none."""
        return ""


class Simulated(AnsweringGame):
    """A game that is only imagined: its records are neither sealed nor closed with digests."""

    __slots__ = ()

    def __init__(self, ruleset: Ruleset, state: State, stream: Stream) -> None:
        super().__init__(ruleset, state, SimulatedDice(stream), b"")

    def flow(self) -> None:
        """Let all further dice fall by themselves."""
        assert isinstance(self.dice, SimulatedDice)  # noqa: S101 - made so, and never changed
        self.dice.stops = False

    def _seal(self) -> None:
        """Leave the digest out: nobody compares it."""

    def _close(self) -> None:
        self._stack = []


class _Given(NamedTuple):
    """An order of ``by``; None where the side may not know which."""

    by: str
    order: Order | None


class _Fell(NamedTuple):
    """Dice that fell; None where the side may not know how."""

    faces: tuple[int, ...] | None


class Simulator:
    """Deals games that could stand at ``decision``, for the player who is asked it.

    ``before`` is the true state at the last boundary, ``since`` the records after it, ``now`` the state as it is: what
    the player's side may not know of them is not kept. ``turn`` is that of the decision, ``seen`` what the side saw at
    that boundary (the whole state, in bytes, where nothing is secret).
    """

    def __init__(self, ruleset: Ruleset, before: State, since: Sequence[Any], now: State, decision: Decision) -> None:
        self.ruleset = ruleset
        self.decision = decision
        self.side = decision.side
        self.turn = now.turn
        self.hidden = ruleset.hidden and self.side != UMPIRE
        self._board = before.board
        self._steps = list(self._known(since))
        if self.hidden:
            self.seen: Any = ruleset.view(before, self.side)
            self._sees_now = ruleset.view(now, self.side)
            self._events = list(self._visible(since))
            self._clock = {name: getattr(before, name) for name in _CLOCK}
        else:
            self.seen = ruleset.codec.to_bytes(before)

    def deal(self, stream: Stream, deal: Deal | None = None, *, any_prompt: bool = False) -> Simulated:
        """Return a game that waits for the decision and stops at each roll; all chance in it comes from ``stream``.

        With ``any_prompt`` it may put the seat another question, as only rules that betray a secret do.

        Where the ruleset has secrets, ``deal`` makes the states: PlayError without it, and NoDeal when nothing fits.
        Raises RulesetLoops where the rules run on for ever from what was dealt.
        """
        if self.hidden and deal is None:
            raise PlayError(f"{self.ruleset.id} has secrets, and its ruleset_bots has no deal: it cannot be simulated")
        for _ in range(TRIES if self.hidden or any(None in step for step in self._steps) else 1):
            game = Simulated(self.ruleset, self.start(stream, deal), stream)
            if self._leads_here(game, stream, any_prompt=any_prompt):
                return game
        raise NoDeal(f"{self.ruleset.id}: no state was found that looks to {self.side} as this one does")

    def start(self, stream: Stream, deal: Deal | None) -> State:
        """Return a state for the last boundary; where there are secrets, dealt to look to the side like ``seen``."""
        if deal is None or not self.hidden:
            state: State = self.ruleset.codec.from_bytes(self.seen, self._board)
            return state
        state = deal(self.seen, self.side, self._board, stream, self._sees_now)
        state.place_board(self._board)
        for name, value in self._clock.items():
            setattr(state, name, dict(value) if isinstance(value, dict) else value)
        return state

    def _leads_here(self, game: Simulated, stream: Stream, *, any_prompt: bool) -> bool:
        """Run the rules of ``game`` through what is known; tell whether it comes to the decision, looking alike."""
        dice = game.dice
        assert isinstance(dice, SimulatedDice)  # noqa: S101 - made so
        try:
            game.start()
            for step in self._steps:
                if isinstance(step, _Fell):
                    roll = game.pending
                    if not isinstance(roll, Roll):
                        return False
                    game.fall(dice.faces(roll.dice, roll.sides) if step.faces is None else step.faces)
                    continue
                asked = next((each for each in game.waiting() if each.seat == step.by), None)
                if asked is None:
                    return False
                game.submit(asked.options.sample(stream) if step.order is None else step.order, step.by)
        except RulesetLoops:
            raise
        except (SandtableError, ValueError):  # these rules could not have gone this way
            return False
        prompts = [each.prompt for each in game.waiting() if each.seat == self.decision.seat]
        here = bool(prompts) and (any_prompt or self.decision.prompt in prompts)
        return here and (not self.hidden or self._looks_alike(game))

    def _looks_alike(self, game: Simulated) -> bool:
        return (
            list(self._visible(game.trail)) == self._events
            and self.ruleset.view(game.state, self.side) == self._sees_now
        )

    def _visible(self, records: Sequence[Any]) -> Iterator[Event]:
        """Yield what the side sees of the events."""
        secret, visible = self.ruleset.secret_events, self.ruleset.visible
        for record in records:
            if isinstance(record, EventRecord):
                event = visible(record.event, self.side) if isinstance(record.event, secret) else record.event
                if event is not None:
                    yield event

    def _known(self, records: Sequence[Any]) -> Iterator[_Given | _Fell]:
        """Yield orders and dice as the side may know them; sealed orders only when they have been opened."""
        sealed: list[_Given] = []
        for record in records:
            if isinstance(record, OrderRecord) and not isinstance(record.order, EnterDice):
                own = self.side in {UMPIRE, self.ruleset.side_of(record.by)}
                given = _Given(record.by, record.order if own or not record.secret else None)
                if record.missing == 0:
                    yield given
                    continue
                sealed.append(given)
                if record.missing == 1:
                    yield from sealed
                    sealed.clear()
            elif isinstance(record, RollRecord) and record.dice:
                own = record.side in {"", self.side} or self.side == UMPIRE
                yield _Fell(record.dice if own else None)
