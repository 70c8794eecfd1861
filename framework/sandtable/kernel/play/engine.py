"""The main loop, which runs the live procedures and records what they yield."""

from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from traceback import walk_tb
from types import GeneratorType
from typing import Any, NamedTuple, Protocol

from sandtable.errors import RulesetError, SandtableError
from sandtable.kernel.dealing import last_secret_roll
from sandtable.kernel.decisions import (
    PURPOSE,
    UMPIRE,
    Claim,
    Decision,
    EnterDice,
    Order,
    Roll,
    Sealed,
    Secret,
    dice_decision,
)
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import Special
from sandtable.kernel.play import watchdog
from sandtable.kernel.play.error_location import place_of
from sandtable.kernel.play.hidden_step import carry_out
from sandtable.kernel.play.rewind import Snapshot, count_roll
from sandtable.kernel.play.views import View
from sandtable.kernel.questions import NO_PHASE, AnsweredQuestion
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import HiddenStep, PhaseSealed, Procedure, aside
from sandtable.kernel.shared.epochs import EpochDice
from sandtable.kernel.state import State

Seat = tuple[Callable[[Decision, View], Order], View]
"""A seat at the table: its player's ``choose``, and the view of its side."""


class DiceFell(NamedTuple):
    """Yielded by the kernel's own question to the umpire, with the dice that were entered for ``roll``."""

    roll: Roll
    label: str
    dice: tuple[int, ...]
    by: str


class StandingAnswers(Protocol):
    """The standing orders of a game, which its records hold."""

    def answer(self, decision: Decision) -> Order | None:
        """Return the answer to the pending ``decision`` that a standing order gives, or None."""

    def mark(self, decision: Decision, order: Order) -> tuple[int, str]:
        """Return the number of the standing order that names ``decision``, or 0, and why it does not answer, or "".

        Raises PlayError if its answer differs from ``order``.
        """


class Engine:
    """The running part of a game: its state, the stack of live procedures, and the records that they made.

    Callers use ``Game``, which adds decisions, players and undo. ``closing`` is called before the game closes, to
    ``note`` what must be in front of the close. ``salt_for`` gives the seat's own salt of a sealed or secret answer.
    ``standing`` answers questions instead of players.
    """

    __slots__ = (
        "_counts",
        "_given",
        "_number",
        "_questions",
        "_run_from",
        "_stack",
        "_steps",
        "_turn",
        "base",
        "boundaries",
        "broken",
        "closing",
        "dice",
        "favors",
        "folds",
        "mark",
        "pending",
        "records",
        "ruleset",
        "salt_for",
        "standing",
        "state",
        "trail",
        "undos",
    )

    def __init__(self, ruleset: Ruleset, state: State, dice: Dice, first: bytes | None = None) -> None:
        self.ruleset = ruleset
        self.state = state
        self.dice = dice
        self.records: list[Any] = []
        self.trail = self.records
        self.pending: Decision | Sealed | Roll | Claim | None = None
        self.broken = False
        self.folds: list[Snapshot] = []
        self.undos = 0
        self.favors: dict[str, str] = {}
        self.closing: Callable[[], None] | None = None
        self.salt_for: Callable[[Decision], str] | None = None
        self.standing: StandingAnswers | None = None
        self.boundaries: list[int] = []
        self.base = Snapshot(0, ruleset.codec.to_bytes(state) if first is None else first, {}, {}, state.board)
        self.mark = self.base
        self._number = 0
        self._questions: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._turn = state.turn
        self._stack: list[Procedure] = []
        self._given: dict[str, Order] = {}
        self._steps: Iterator[None]
        self._run_from: int

    def _walk(self) -> None:
        self._stack = [self.ruleset.sequence.walk(self.state, self.trail, self.boundaries, self._questions)]
        self._begin_run()

    def _begin_run(self) -> None:
        """Allow the rules another run of steps."""
        self._steps = repeat(None, watchdog.RUN)
        self._run_from = len(self.trail)

    def _advance(self, answer: Any, at_table: Mapping[str, Seat] | None = None) -> None:
        """Send ``answer`` to the live procedure and continue.

        Stops at a decision of a seat that is not ``at_table``, or when the game is over.
        """
        self.pending = None
        try:
            going_on = self._run(answer, at_table or {})
            while going_on:
                watchdog.look(self.ruleset, self.state, self.trail, self._run_from, self.procedures())
                self._begin_run()
                going_on = self._run(going_on[0], at_table or {})
        except SandtableError:
            self.broken = self.pending is None
            raise
        except Exception as error:
            if self.pending is not None:
                raise  # a player failed, not the rules: the decision is still pending
            self.broken = True
            live = [name for name, _ in self.procedures()]
            inner = [name for name in _running(error) if name not in live]
            where = " < ".join(reversed(live + inner)) or "the sequence of play"
            place = place_of(error)
            raise RulesetError(
                f"{self.ruleset.id} failed after record {self._number} in {where}: {type(error).__name__}: {error}"
                f"{place and f' ({place})'}"
            ) from error

    def _run(self, answer: Any, at_table: Mapping[str, Seat]) -> tuple[Any, ...]:  # noqa: C901 - flat, see below
        """Run the live procedure and those that it starts. This hot loop is flat because each call costs time.

        Returns () if the game stops. If only the run of steps is over, returns the value to send next, in a tuple.
        """
        state, stack, get_entry = self.state, self._stack, self.ruleset.table.get
        append = self.records.append if self.trail is self.records else self._append
        n = self._number
        send = stack[-1].send
        for _ in self._steps:
            try:
                item: Any = send(answer)
            except StopIteration as stop:
                stack.pop()
                send = stack[-1].send
                answer = stop.value
                continue
            kind = item.__class__
            entry = get_entry(kind)
            if entry is not None:
                handler, special = entry
                handler(state, item)
                self._number = n = n + 1
                answer = None
                if special is None:
                    append(EventRecord(n, item))
                elif self._special(special, item):
                    return ()
                else:
                    send = stack[-1].send
            elif kind is Decision:
                asked = at_table.get(item.power or item.side)
                if asked is None or item.secret:
                    self.pending = item
                    return ()
                choose, view = asked
                try:
                    answer = choose(item, view)
                    item.check(answer)
                except BaseException:
                    self.pending = item
                    raise
                append(self._answered(item, answer))
                n = self._number
            elif kind is GeneratorType:
                stack.append(item)
                send = item.send
                answer = None
            else:
                answer = self._uncommon(item, kind)
                send = stack[-1].send
                n = self._number
                if self.pending is not None:
                    return ()
        return (answer,)

    def _special(self, special: Special, event: Event) -> bool:
        """Record an event that has reactions, ends the game or may be secret; return whether it was the last one."""
        if special.rulings_only:
            raise RulesetError(f"{self.ruleset.id} yielded {type(event).__name__}: only a ruling sets an option")
        if special.undeclared and (roll := last_secret_roll(self.trail)):
            name = type(event).__name__
            raise RulesetError(
                f"{self.ruleset.id}: the event {name} follows the secret roll {roll}, so declare its visibility: use "
                f'@game.event(seen_by="all"), the field that names the side, or () for none'
            )
        if special.reactions:
            self._stack.extend(aside(reaction(self.state, event)) for reaction in reversed(special.reactions))
        self._append(EventRecord(self._number, event))
        if special.ends_game:
            self._close()
        return special.ends_game

    def _uncommon(self, item: Any, kind: type[Any]) -> Any:
        """Handle a yielded value that is neither an event nor a plain decision; return the answer to it."""
        if kind is Roll:
            return self._roll(item)
        if kind is PhaseSealed:
            self._seal()
        elif kind is Sealed:
            return self._open_group(item)
        elif kind is Claim:
            return self._claimed(item)
        elif kind is Secret:
            return self._known(item)
        elif kind is HiddenStep:
            self._stack.append(carry_out(self.ruleset, self.state, item))
        elif kind is DiceFell:
            self._record_roll(item.roll, item.label, item.dice, item.by)
            return item.dice
        else:
            raise self._not_a_step(item, kind)
        return None

    def _roll(self, roll: Roll) -> tuple[int, ...] | None:
        """Record the dice of ``roll`` and return them, or None if they must come from outside."""
        label = self.label_of(roll)
        dice = self.dice.roll(label, roll.dice, roll.sides) if roll.dice else ()
        if dice is None and isinstance(self.dice, EpochDice):
            dice = self.dice.fall(roll, label, self.records)
        if dice is not None:
            self._record_roll(roll, label, dice, "")
        elif self.dice.mode == "manual":
            self._stack.append(_ask_umpire(roll, label))
        else:
            self.pending = roll
        return dice

    def _not_a_step(self, item: Any, kind: type[Any]) -> RulesetError:
        """Return the error for a yielded value that the kernel does not know."""
        where = self.procedures()[-1][0]
        if item is None and len(self._stack) == 1 and self.state.in_phase:
            phase = self.ruleset.sequence.steps[self.state.position]
            named = getattr(phase.procedure, "__name__", "its procedure")
            return RulesetError(
                f"{self.ruleset.id}: {named}, the procedure of the phase {phase.name} ({phase.rule}), gave None: "
                "it is not a generator; a procedure yields events, rolls and decisions"
            )
        if isinstance(item, Event):
            return RulesetError(f"{where} yielded {kind.__name__}, which has no handler: add it to the events")
        return RulesetError(f"{where} yielded {item!r}: yield only events, rolls, claims and decisions")

    def _claimed(self, claim: Claim) -> Any:
        """Return the value of ``claim``. The state holds all secrets, so nothing is asked and nothing is recorded."""
        return claim.value()

    def _known(self, secret: Secret) -> Any:
        """Return the value of ``secret``, which this game holds."""
        return secret.value()

    def _open_group(self, group: Sealed) -> dict[str, Order] | None:
        """Ask a group of sealed decisions; an empty group is answered immediately."""
        seats = [decision.seat for decision in group.decisions]
        if len(dict.fromkeys(seats)) < len(seats):
            raise RulesetError(f"a sealed group asks a seat twice: {', '.join(seats)}; ask each seat only once")
        self.pending = group if seats else None
        return None if seats else {}

    def question_of(self, decision: Decision) -> AnsweredQuestion:
        """Return the question of the pending ``decision``, as the record of its answer will store it."""
        place = f"{self.state.phase}/{decision.purpose or decision.seat}"
        return AnsweredQuestion(self.state.turn, place, self._questions.get(place, 0) + 1, decision)

    def _answered(self, decision: Decision, order: Order, missing: int = 0, salt: str = "") -> OrderRecord[Order]:
        """Count the question of ``decision`` and return the record of its answer, which is not appended yet."""
        standing, refused = (0, "") if self.standing is None else self.standing.mark(decision, order)
        state, counts, seat = self.state, self._questions, decision.power or decision.side
        place = f"{state.phase}/{decision.purpose or seat}"
        counts[place] = count = counts.get(place, 0) + 1
        question: Any = AnsweredQuestion(state.turn, place, count, decision)
        self._number = n = self._number + 1
        return OrderRecord(n, seat, order, missing, decision.secret, question, "", salt, standing, refused)

    def _append(self, record: Any) -> None:
        self.records.append(record)
        if self.trail is not self.records:
            self.trail.append(record)

    def label_of(self, roll: Roll) -> str:
        """Return the label that ``roll`` would get now. Raises RulesetError if its purpose has invalid characters."""
        state = self.state
        if not PURPOSE.fullmatch(roll.purpose):
            raise RulesetError(f"{roll.purpose!r} is not a valid purpose of a roll: use letters, digits and . _ : -")
        if state.turn != self._turn:
            self._turn = state.turn
            self._counts.clear()
        prefix = f"{state.turn}/{state.phase or NO_PHASE}/{roll.purpose}"
        return f"{prefix}/{self._counts.get(prefix, 0) + 1}"

    def _record_roll(self, roll: Roll, label: str, dice: tuple[int, ...], by: str) -> None:
        count_roll(self._counts, label)
        self._number = n = self._number + 1
        if roll.favors:
            self.favors[label] = roll.favors
        self._append(RollRecord(n, label, roll.sides, dice, roll.rule, roll.needs, by, roll.side, roll.units))

    def _seal(self) -> None:
        self._number = n = self._number + 1
        self._append(SealRecord(n, self.ruleset.codec.quick_digest(self.state)))

    def note(self, record: Any) -> None:
        """Append a ready-made ``record`` that changes nothing in the game, such as a signature (``records.NOTES``)."""
        if self.records is self.trail:
            self.records = list(self.trail)
        self._number = record.n
        self.records.append(record)

    def _close(self) -> None:
        self._stack = []
        if self.closing is not None:
            self.closing()
        self._number = n = self._number + 1
        digest = self._last_digest()
        key, shares = self.dice.shown_key(), self.trail[-1].event.shares
        self._append(CloseRecord(n, self.state.outcome, self.state.ending, digest, key, shares or {}))

    def _last_digest(self) -> str:
        """Return the digest of the state for the close."""
        return self.ruleset.codec.digest(self.state)

    def procedures(self) -> "list[tuple[str, GeneratorType[Any, Any, Any]]]":
        """Return the live procedures by name, outermost first, as shown by `explain`."""
        found: list[tuple[str, GeneratorType[Any, Any, Any]]] = []
        for procedure in self._stack:
            live: Any = procedure
            while live is not None and hasattr(live, "gi_code"):
                if live.gi_code is not aside.__code__:
                    found.append((live.gi_code.co_name, live))
                live = live.gi_yieldfrom
        return found


_OURS = (__name__, aside.__module__, carry_out.__module__)


def _running(error: Exception) -> list[str]:
    """Return the functions of the rules in the traceback of ``error``, outermost first."""
    frames = walk_tb(error.__traceback__)
    return [frame.f_code.co_name for frame, _ in frames if frame.f_globals.get("__name__") not in _OURS]


def _ask_umpire(roll: Roll, label: str) -> Procedure:
    order: EnterDice = yield dice_decision(roll, label)
    dice: tuple[int, ...] = yield DiceFell(roll, label, tuple(order.dice), UMPIRE)  # type: ignore[misc]  # only the kernel yields it
    return dice
