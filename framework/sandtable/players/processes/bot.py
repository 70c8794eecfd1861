"""The player for a process: it sends the decisions of one side to a program and validates the answers."""

import os
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

import msgspec

import sandtable
from sandtable.errors import BotFault, DataError, IllegalOrder, PlayError
from sandtable.journal.format.codec import RecordCodec
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal
from sandtable.kernel.play.views import View
from sandtable.players.processes.channel import Broken, Channel
from sandtable.players.processes.limits import Limits, Verdict, located
from sandtable.players.processes.option_schema import can_be_listed, describe
from sandtable.players.processes.protocol import (
    MAX_AT_ONCE,
    MAX_LISTED,
    MAX_REQUESTS,
    UNREADABLE,
    VERSION,
    BotMessage,
    End,
    Hello,
    Judge,
    Judged,
    ListOrders,
    Orders,
    Question,
    Ready,
    Reply,
    Sample,
    decode,
    encode,
    reason_of,
    try_order,
)
from sandtable.plugin.manager import Prepared

SEEDS = 1 << 53
"""Upper bound of seeds. Every language holds these integers exactly."""

LEAVE_SECONDS = 1.0
"""Seconds that a bot may take to exit after the end."""


class DecisionClock:
    """The time that a bot has for one decision, and the processor time that its requests cost.

    ``until`` is the deadline of its answer (monotonic), ``taken`` the seconds that it has used. Requests are free up to
    ``Limits.request_seconds`` of the framework's processor time. Waiting for the processor is always free.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._began = monotonic()
        self.until = self._began + limits.seconds
        self._served = self._worked = self._request_began = 0.0

    @property
    def taken(self) -> float:
        """Seconds since the decision was sent, except the time of requests that are served free of charge."""
        return monotonic() - self._began

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve a request in this block. Raises Broken if the bot has no time left to pay for it."""
        self._request_began, self._worked = monotonic(), thread_time()
        yield
        self.check()
        free = monotonic() - self._request_began - self._price()
        self._served += thread_time() - self._worked
        self.until += free
        self._began += free

    def check(self) -> None:
        """Raise Broken if the cost of the request so far exceeds the time that the bot had left for it."""
        if 0 < self._price() > self.until - self._request_began:
            own, ours = self._limits.seconds, self._limits.request_seconds
            raise Broken("time", f"gave no answer within {own} s (costs of its requests above {ours} s count)")

    def _price(self) -> float:
        worked = thread_time() - self._worked
        return min(worked, max(0.0, self._served + worked - self._limits.request_seconds))


class ProcessBot:
    """A program that plays one side, in all its seats, for one game.

    It is started at its first decision. Any fault ends it, and ``choose`` raises BotFault from then on; ``verdict``
    names the kind of fault. ``decisions`` counts its answers, and ``slowest`` is its longest time in seconds. If the
    system supports it, the program sees nothing in the folders ``hidden`` except the files of its command. Call ``end``
    when the game is over, and ``close`` in any case (or use it in a ``with``).
    """

    def __init__(
        self,
        command: Sequence[str],
        prepared: Prepared,
        side: str,
        stream: Stream,
        limits: Limits | None = None,
        *,
        name: str = "",
        base: Path | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        if not command or not all(command):
            raise DataError("command", "", "is empty: name the program and its arguments")
        if not hasattr(select, "poll"):
            raise PlayError("bots as processes need Linux or macOS: this system can neither fork nor poll pipes")
        self.command = located(tuple(command), (base or Path.cwd()).resolve())
        self.name = name or Path(next((word for word in self.command[1:] if os.sep in word), command[0])).name
        self.side = side
        self.limits = limits or Limits()
        self.fault: BotFault | None = None
        self._verdict: Verdict = "ok"
        self.decisions = 0
        self.slowest = 0.0
        self.start_seconds = 0.0
        self._prepared = prepared
        self._seed = stream.branch("seed").below(SEEDS)
        self._stream = stream.branch("samples")
        self._orders = RecordCodec.of(prepared.ruleset).order
        self._channel: Channel | None = None
        self._ended = False
        self._hidden = tuple(str(each) for each in hidden)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the bot: "ok" until it fails."""
        return self._verdict

    @property
    def exit_report(self) -> dict[str, Any]:
        """The supervisor's report when the process ended: ``cpu_ms``, ``memory_kb`` and more, or {} before that."""
        return self._channel.exit_report if self._channel else {}

    @property
    def tail(self) -> str:
        """The end of its output to stderr."""
        return self._channel.tail.decode("utf-8", "replace") if self._channel else ""

    def __enter__(self) -> "ProcessBot":
        """Return this bot."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    # ------------------------------------------------------------------ playing

    def choose(self, decision: Decision, view: View) -> Order:
        """Return its order, which is legal. Raises BotFault if it fails to give one."""
        if self.fault is not None:
            raise self.fault
        if self._ended:
            raise PlayError(f"{self.name} has already ended its game")
        try:
            if self._channel is None:
                self._start()
            return self._ask(decision, view)
        except Broken as broken:
            self._verdict = broken.verdict
            self.fault = BotFault(self.name, self.side, broken.verdict, broken.reason, self.tail)
            self.close()
            raise self.fault from None
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Start the program and wait until it is ready."""
        began = monotonic()
        ruleset, installed = self._prepared.ruleset, self._prepared.installed
        hello = Hello(
            protocol=VERSION,
            framework=sandtable.__version__,
            ruleset=ruleset.id,
            ruleset_version=ruleset.version,
            variants=installed.variants,
            scenario=self._prepared.scenario.id,
            options=dict(self._prepared.options),
            sides=ruleset.viewers,
            side=self.side,
            seats=tuple(seat for seat, side in ruleset.seats.items() if side == self.side),
            seed=self._seed,
            limits=self.limits.as_message(),
        )
        self._channel = Channel(self.command, self.limits, self._seed, self._hidden)
        until = began + self.limits.start_seconds
        try:
            self._channel.send(encode(hello), until)
            line = self._channel.line(until)
        except Broken as broken:
            if broken.verdict == "time":
                raise Broken("start", f"was not ready within {self.limits.start_seconds} s") from None
            if broken.verdict in {"crash", "start"}:
                raise Broken("start", broken.reason) from None
            raise
        message = _parse(line, "a ready line")
        if not isinstance(message, Ready):
            raise Broken("protocol", f"began with {_kind(message)}; the first line must be of type ready")
        if message.protocol != VERSION:
            raise Broken("start", f"speaks protocol {message.protocol}; this is protocol {VERSION}")
        self._channel.stage = "the game was over"
        self.start_seconds = monotonic() - began

    def _ask(self, decision: Decision, view: View) -> Order:
        channel = self._channel
        assert channel is not None  # noqa: S101 - it was started just before
        if not channel.is_silent():
            raise Broken("protocol", "wrote a line without a question")
        number = self.decisions + 1
        seen = Question(
            number,
            decision.side,
            decision.seat,
            decision.prompt,
            decision.rule,
            describe(decision.options),
            decision.done,
            view(),
        )
        line = encode(seen)
        clock = DecisionClock(self.limits)
        channel.send(line, clock.until)
        for _ in range(MAX_REQUESTS + 1):
            message = _parse(channel.line(clock.until), "an answer")
            if isinstance(message, Ready):
                raise Broken("protocol", "sent ready twice")
            if message.id != number:
                raise Broken("protocol", f"answered decision {message.id} instead of {number}")
            if isinstance(message, Reply):
                order = self._judged(decision, message)
                self.decisions = number
                self.slowest = max(self.slowest, clock.taken)
                return order
            with clock.serving():
                reply = encode(self._reply(decision, message, clock.check))
            channel.send(reply, clock.until)
        raise Broken("protocol", f"made more than {MAX_REQUESTS:,} requests in one decision")

    def _judged(self, decision: Decision, answer: Reply) -> Order:
        """Return the order of an answer. Raises Broken if it is not an order or is illegal."""
        order, refusal = self._read(decision, answer.order)
        if refusal is not None:
            raise Broken("illegal", str(IllegalOrder(*refusal)))
        return order

    def _read(self, decision: Decision, raw: msgspec.Raw) -> tuple[Order, Refusal | None]:
        """Return the order in ``raw``, and the reason if it is illegal."""
        order: Any = None
        try:
            order = self._orders.decode(raw)
        except UNREADABLE as error:
            return order, Refusal("", f"is not an order of {self._prepared.ruleset.id}: {reason_of(error)}")
        return order, try_order(decision, order)

    def _reply(
        self, decision: Decision, message: Sample | ListOrders | Judge, check: Callable[[], None]
    ) -> Orders | Judged:
        """Return the answer to a request. ``check`` is called after each order and may raise Broken."""
        if isinstance(message, Judge):
            refusal = self._read(decision, message.order)[1]
            return Judged(message.id, refusal is None, *(refusal or ()))
        if not 1 <= message.count <= MAX_AT_ONCE:
            raise Broken("protocol", f"requested {message.count} orders; it may request 1 to {MAX_AT_ONCE} at once")
        space = decision.options
        if isinstance(message, Sample):
            orders: list[Any] = []
            for _ in range(message.count):
                try:
                    orders.append(space.sample(self._stream))
                except ValueError:  # none is easy to find here: the bot gets fewer, or the order that ends the decision
                    break
                check()
            return Orders(message.id, orders or ([decision.done] if decision.done is not None else []))
        if not 0 <= message.start <= MAX_LISTED:
            raise Broken("protocol", f"requested a list from {message.start}; it may start at 0 to {MAX_LISTED:,}")
        if not can_be_listed(space):
            return Orders(message.id, [], more=True)
        part: list[Any] = []
        for number, order in enumerate(islice(space.values(), message.start + message.count + 1)):
            check()
            part += [order] if number >= message.start else []
        return Orders(message.id, part[: message.count], more=len(part) > message.count)

    # ------------------------------------------------------------------ the end

    def end(self, outcome: str, ending: str) -> bool:
        """Announce the end of the game and end the program. Return whether it exited in time by itself.

        May be repeated.
        """
        if self._ended or self._channel is None or self.fault is not None:
            self._ended = True
            return self.fault is None
        self._ended = True
        left = self._channel.leave(encode(End(outcome, ending)), LEAVE_SECONDS)
        self.close()
        return left

    def close(self) -> None:
        """End the program and all processes that it started. Nothing of them remains. May be repeated."""
        if self._channel is not None:
            self._channel.close()


def _parse(line: bytes, expected: str) -> BotMessage:
    try:
        return decode(line)
    except ValueError as error:
        shown = ascii(line[:40].decode("latin-1"))[1:-1] + ("…" if len(line) > 40 else "")
        raise Broken("protocol", f"wrote '{shown}' instead of {expected}: {error}") from None


def _kind(message: BotMessage) -> str:
    return f"a line of type {message.__struct_config__.tag}"
