"""Every refusal and failure that Sandtable raises.

    SandtableError
    ├── IllegalOrder          an order that the rules refuse; carries the rule id
    ├── NothingToUndo         undo asked for where a roll or a reveal stands in the way
    ├── PlayError             the game is not in a state for what was asked
    │   ├── NoDeal            no game was found that looks as this one does
    │   └── BotFault          a bot in a process of its own failed; carries the verdict
    ├── RulesetError          a ruleset is broken, missing or doubled
    │   ├── RulesetMissing    not installed, or another version than the log's (exit 4)
    │   ├── RulesetLoops      its rules run on and ask nobody
    │   └── VariantAlone      a variant was named where a ruleset is wanted
    ├── DataError             a scenario, map or option file is wrong; names file and key
    ├── LogError              a log cannot be read (exit 3)
    │   ├── LogDamaged        its bytes are not what was written
    │   ├── LogClosed         what is wanted is not opened in this file
    │   ├── LogTorn           its last line was cut off; it can be repaired
    │   └── LogTooNew         written by a newer format
    ├── LogExists             the file to be written is there already
    └── LogWriteFailed        a write did not reach the disk, or another process is writing the file

Each message is one line: what, where, why and what to do.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sandtable.quoting import bounded


class SandtableError(Exception):
    """Base of all; ``str()`` gives the one line that a person reads, endless values in it shortened."""

    exit_code = 1

    def __str__(self) -> str:
        return bounded(super().__str__())


class IllegalOrder(SandtableError):
    """The rules refuse an order. ``rule`` is the rule id, ``reason`` the sentence; the state is unchanged.

    ``also`` is what was found wrong besides, in order.
    """

    def __init__(self, rule: str, reason: str, also: Sequence["IllegalOrder"] = ()) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.rule = rule
        self.reason = reason
        self.also = tuple(also)

    def __reduce__(self) -> tuple[type["IllegalOrder"], tuple[Any, ...]]:
        """Pickle by the arguments: refusals cross the border of a worker process."""
        return IllegalOrder, (self.rule, self.reason, self.also)


class Wrongs:
    """What is wrong with an order that is read part by part: each part is looked at, and all is refused at once."""

    def __init__(self) -> None:
        self.found: list[IllegalOrder] = []

    def add(self, error: IllegalOrder) -> None:
        """Note a refusal, with what it holds besides."""
        self.found += [IllegalOrder(each.rule, each.reason) for each in (error, *error.also)]

    @contextmanager
    def part(self) -> Iterator[None]:
        """Note what is refused within, and go on behind it."""
        try:
            yield
        except IllegalOrder as error:
            self.add(error)

    def refuse(self) -> None:
        """Raise the first refusal, the others with it in ``also``; do nothing without any."""
        if self.found:
            first, *others = self.found
            raise IllegalOrder(first.rule, first.reason, others)


class NothingToUndo(SandtableError):
    """Undo does not cross a roll, a reveal or the other side's order (DESIGN 2)."""


class PlayError(SandtableError):
    """The game cannot do this now: it is over, or waits for another side."""


class NoDeal(PlayError):
    """Nothing that could be dealt looks to a side as what it sees."""


class BotFault(PlayError):
    """A bot in a process of its own failed, and forfeits its game.

    ``bot`` names it, ``side`` is whose seats it had, ``verdict`` one of time, memory, output, protocol, illegal, crash,
    start; ``tail`` the end of what it wrote to stderr.
    """

    def __init__(self, bot: str, side: str, verdict: str, reason: str, tail: str = "") -> None:
        super().__init__(f"{bot} ({side}): {verdict}: {reason}")
        self.bot = bot
        self.side = side
        self.verdict = verdict
        self.reason = reason
        self.tail = tail

    def __reduce__(self) -> tuple[type["BotFault"], tuple[str, ...]]:
        """Pickle by the arguments."""
        return BotFault, (self.bot, self.side, self.verdict, self.reason, self.tail)


class RulesetError(SandtableError):
    """A ruleset could not be loaded or breaks the plugin contract."""

    exit_code = 4


class RulesetLoops(RulesetError):
    """The rules run on without an end, and ask nobody."""


class VariantAlone(RulesetError):
    """A variant was named where a ruleset is wanted."""


class RulesetMissing(RulesetError):
    """The ruleset, or the version of it that is wanted, is not installed."""


class SignaturesUnchecked(SandtableError):
    """A signature cannot be checked here, because the library for it is not installed."""

    exit_code = 4


class DataError(SandtableError):
    """A data file is wrong; the message names file and key. ``also`` is what was found wrong besides, in order."""

    exit_code = 3

    def __init__(self, where: str, key: str, problem: str, also: Sequence["DataError"] = ()) -> None:
        super().__init__(f"{where}: {key}: {problem}" if key else f"{where}: {problem}")
        self.where = where
        self.key = key
        self.problem = problem
        self.also = tuple(also)

    def __reduce__(self) -> tuple[type["DataError"], tuple[Any, ...]]:
        """Pickle by the arguments."""
        return DataError, (self.where, self.key, self.problem, self.also)


def raise_all(found: Sequence[DataError]) -> None:
    """Raise the first of the errors, the others with it in ``also``; do nothing without any."""
    if found:
        first, *others = found
        raise DataError(first.where, first.key, first.problem, others)


class LogError(SandtableError):
    """A log cannot be read; the message names file and line."""

    exit_code = 3


class LogDamaged(LogError):
    """Bytes of the log are not what was written."""


class LogClosed(LogError):
    """What is wanted of the log is behind a commitment, and not opened in this file."""


class LogTorn(LogError):
    """The last line was cut off while it was written; ``sandtable log repair`` repairs it."""


class LogTooNew(LogError):
    """The log is of a newer format than this program reads."""


class LogExists(SandtableError):
    """What is to be written is there already, or is read for it, and is not overwritten."""

    exit_code = 2


class LogWriteFailed(SandtableError):
    """A write failed, and nothing more is written through this handle; or another process is writing the file."""
