"""The links that a log shows, and a check of its shared dice that needs no rules."""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.errors import LogDamaged, PlayError
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.epochs.heads import tips_of
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.kernel.records import BurntRecord, ChainRecord, RollRecord, SharesRecord
from sandtable.kernel.shared.epochs import Due, Epochs, WrongShares
from sandtable.quoting import shortened

_SHARES = b'{"kind":"shares"'
_ORDER = b'{"kind":"order"'
_RULING = b'{"kind":"ruling"'
_ROLL = b'{"kind":"roll"'
_KINDS = {_SHARES: SharesRecord, b'{"kind":"burnt"': BurntRecord, b'{"kind":"chain"': ChainRecord, _ROLL: RollRecord}


class StoredLinks:
    """The links in the shares of a log."""

    def __init__(self, log: Log) -> None:
        lines = [line for line in log.lines if line.startswith(_SHARES)]
        self._shares = {each.epoch: each for line in lines for each in [_decoded(line, SharesRecord)]}

    def link(self, name: str, due: Due) -> bytes | None:
        """Return the stored link of ``name`` for the epoch that is ``due``, or None without one."""
        shares = self._shares.get(due.epoch)
        text = "" if shares is None else shares.links.get(name, "")
        try:
            return bytes.fromhex(text) or None
        except ValueError:
            return None

    def renewal(self, name: str, serial: int) -> None:  # noqa: ARG002 - the protocol's shape
        """Return None: a log has only the announcements that it stores."""
        return


def epochs_of(log: Log) -> Epochs:
    """Return the epochs of ``log`` before its first record, with the links and the running hashes that it stores."""

    def head(at: int, records: Sequence[Any]) -> str:  # noqa: ARG001 - the protocol's shape
        return head_at(log, at)

    return Epochs(log.header.game, tips_of(log.header), head, StoredLinks(log))


class Contradiction(msgspec.Struct, frozen=True):
    """A record whose share, epoch or die contradicts the log itself, whatever the rules are."""

    record: int
    text: str
    field: str
    roll: RollRecord | None = None
    due: tuple[int, ...] = ()


class SharedRolls:
    """The epochs of a log, checked line by line: every share, and every die against the key of its epoch.

    ``keys`` holds the key of each checked roll, by record.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._epochs = epochs_of(log)
        self._answer = self._missing = 0
        self._bound = -1
        self.keys: dict[int, bytes] = {}

    def first_contradiction(self) -> Contradiction | None:
        """Return the first contradiction in the log, or None."""
        for number, line in enumerate(self._log.lines):
            try:
                found = self._check(number, line) if number else None
            except WrongShares as error:
                return Contradiction(number, str(error), error.field)
            if found is not None:
                return found
        return None

    def _check(self, number: int, line: bytes) -> Contradiction | None:
        if line.startswith((_ORDER, _RULING)):
            self._answer, self._missing = number, _decoded(line, _Answer).missing
            return None
        kind = next((kind for start, kind in _KINDS.items() if line.startswith(start)), None)
        record: Any = None if kind is None else _decoded(line, kind)
        if isinstance(record, SharesRecord):
            if self._bound == self._answer:
                raise WrongShares(f"a second epoch after the answer in record {self._answer}", "at")
            self._epochs.begin(record, self._answer, head_at(self._log, self._answer))
            self._bound = self._answer
        elif isinstance(record, BurntRecord):
            if self._missing != 1 or self._bound == self._answer:
                raise WrongShares("an epoch is passed over only after a sealed group without a roll", "epoch")
            self._epochs.burn(record)
            self._missing = 0
        elif isinstance(record, ChainRecord):
            self._epochs.renew(record)
        elif isinstance(record, RollRecord) and record.dice:
            return self._check_roll(number, record)
        return None

    def _check_roll(self, number: int, record: RollRecord) -> Contradiction | None:
        """Return the contradiction of a roll of one or more dice."""
        label = record.label
        if self._epochs.key_of(label) is None and self._bound != self._answer:
            text = f"the roll {shortened(label)} has no shares since the answer in record {self._answer}"
            return Contradiction(number, text, "")
        try:
            due = self._epochs.roll(label, len(record.dice), record.sides)
        except (PlayError, UnicodeError):  # no key gives such a roll: the rerun reports what is wrong with it
            return None
        self.keys[number] = self._epochs.key_of(label) or b""
        return None if due == record.dice else Contradiction(number, "", "dice", record, due)


class _Answer(msgspec.Struct):
    """The part of an answer that burnt epochs depend on."""

    missing: int = 0


def _decoded(line: bytes, kind: type[Any]) -> Any:
    """Return the record in ``line``; raise LogDamaged if it is not of that kind."""
    try:
        return msgspec.json.decode(line, type=kind)
    except UNREADABLE as error:
        raise LogDamaged(f"a record of shared dice cannot be read: {error}") from error
