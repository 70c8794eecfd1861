"""The refusals and failures that Sandtable raises.

SandtableError ├── IllegalOrder an order that the rules refuse; carries the rule id ├── NothingToUndo undo is not
possible past a roll, a reveal or the other side's order ├── PlayError the game cannot do this now │ ├── NoDeal found no
game with the same view │ └── BotFault a bot in a separate process failed; carries the verdict ├── RulesetError a
ruleset is broken, missing or duplicated (exit 4) │ ├── RulesetMissing    not installed, or a version that differs from
the log's │ ├── RulesetLoops its rules do not end and ask no question │ └── VariantAlone a variant was named instead of
a ruleset ├── SignaturesUnchecked the library that checks signatures is not installed (exit 4) ├── DataError a scenario,
map or other data file is wrong; names file and key (exit 3) ├── LogError a log cannot be read (exit 3) │ ├── LogDamaged
its bytes have changed since it was written │ ├── LogClosed the data is not opened in this file │ ├── LogTorn its last
write was cut off; it can be repaired │ └── LogTooNew written by a newer format ├── LogExists the output file already
exists, or is an input as well (exit 2) └── LogWriteFailed a write did not reach the disk, or another process is writing
the file

Without a number, the exit status is 1. Each message is one line: what, where, why and what to do.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sandtable.quoting import bounded


class SandtableError(Exception):
    """Base of all errors; ``str()`` gives one line for a person, with long values shortened."""

    exit_code = 1

    def __str__(self) -> str:
        return bounded(super().__str__())


class IllegalOrder(SandtableError):
    """The rules refuse an order. ``rule`` is the rule id, ``reason`` the sentence; the state is unchanged.

    ``also`` contains the other refusals that were found, in order.
    """

    def __init__(self, rule: str, reason: str, also: Sequence["IllegalOrder"] = ()) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.rule = rule
        self.reason = reason
        self.also = tuple(also)

    def __reduce__(self) -> tuple[type["IllegalOrder"], tuple[Any, ...]]:
        """Pickle the constructor's arguments, because refusals are sent between worker processes."""
        return IllegalOrder, (self.rule, self.reason, self.also)


class RefusalCollector:
    """The refusals of an order that is read part by part, collected and raised together."""

    def __init__(self) -> None:
        self.found: list[IllegalOrder] = []

    def add(self, error: IllegalOrder) -> None:
        """Note a refusal and those in its ``also``."""
        self.found += [IllegalOrder(each.rule, each.reason) for each in (error, *error.also)]

    @contextmanager
    def part(self) -> Iterator[None]:
        """Note a refusal raised within, and continue after it."""
        try:
            yield
        except IllegalOrder as error:
            self.add(error)

    def refuse(self) -> None:
        """Raise the first refusal, with the others in ``also``; do nothing if there are none."""
        if self.found:
            first, *others = self.found
            raise IllegalOrder(first.rule, first.reason, others)


class NothingToUndo(SandtableError):
    """Undo cannot cross a roll, a reveal or the other side's order."""


class PlayError(SandtableError):
    """The game cannot do this now: it is over, or waits for another side."""


class NoDeal(PlayError):
    """No deal was found whose view equals what the side sees."""


class BotFault(PlayError):
    """A bot in a separate process failed, and forfeits its game.

    ``bot`` names it, ``side`` is the side of its seats, and ``verdict`` is one of time, memory, output, protocol,
    illegal, crash, start. ``tail`` is the end of its output to stderr.
    """

    def __init__(self, bot: str, side: str, verdict: str, reason: str, tail: str = "") -> None:
        super().__init__(f"{bot} ({side}): {verdict}: {reason}")
        self.bot = bot
        self.side = side
        self.verdict = verdict
        self.reason = reason
        self.tail = tail

    def __reduce__(self) -> tuple[type["BotFault"], tuple[str, ...]]:
        """Pickle the constructor's arguments."""
        return BotFault, (self.bot, self.side, self.verdict, self.reason, self.tail)


class RulesetError(SandtableError):
    """A ruleset could not be loaded or breaks the plugin contract."""

    exit_code = 4


class RulesetLoops(RulesetError):
    """The rules do not end, and ask no question."""


class VariantAlone(RulesetError):
    """A variant was named instead of a ruleset."""


class RulesetMissing(RulesetError):
    """The ruleset, or its requested version, is not installed."""


class SignaturesUnchecked(SandtableError):
    """A signature cannot be checked here, because the library for it is not installed."""

    exit_code = 4


class DataError(SandtableError):
    """A data file is wrong; the message names file and key. ``also`` contains the other problems, in order."""

    exit_code = 3

    def __init__(self, where: str, key: str, problem: str, also: Sequence["DataError"] = ()) -> None:
        super().__init__(f"{where}: {key}: {problem}" if key else f"{where}: {problem}")
        self.where = where
        self.key = key
        self.problem = problem
        self.also = tuple(also)

    def __reduce__(self) -> tuple[type["DataError"], tuple[Any, ...]]:
        """Pickle the constructor's arguments."""
        return DataError, (self.where, self.key, self.problem, self.also)


def raise_all(found: Sequence[DataError]) -> None:
    """Raise the first of the errors, with the others in ``also``; do nothing if there are none."""
    if found:
        first, *others = found
        raise DataError(first.where, first.key, first.problem, others)


class LogError(SandtableError):
    """A log cannot be read; the message names file and line."""

    exit_code = 3


class LogDamaged(LogError):
    """The bytes of the log have changed since it was written."""


class LogClosed(LogError):
    """The requested data is behind a commitment that is not opened in this file."""


class LogTorn(LogError):
    """The last write was cut off, which may have been several lines; ``sandtable log repair`` removes its remains."""


class LogTooNew(LogError):
    """The log has a newer format than this program can read."""


class LogExists(SandtableError):
    """The output already exists, or is an input as well, and is not overwritten."""

    exit_code = 2


class LogWriteFailed(SandtableError):
    """A write failed, and this handle writes no more; or another process is writing the file."""
