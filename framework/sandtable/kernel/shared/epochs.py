"""Epochs of shared dice: one key for all rolls between two choices (log format, section 5).

A roll uses the key of the newest epoch, unless an answer came after it: then a new epoch begins. It is bound to the
running hash after that answer, and it needs the next link of every chain.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Roll
from sandtable.kernel.dice import KeyedDice, roll_dice
from sandtable.kernel.records import BurntRecord, ChainRecord, OrderRecord, RulingRecord, SharesRecord
from sandtable.kernel.shared.chains import MAX_LINKS, KnownChain, epoch_key, link_bytes

SHARED = "shared"
"""The dice mode of a game with shared dice."""

HOST = "host"
"""The name of a server's own chain, in addition to those of the sides: sides that collude then need the server, too."""

Heads = Callable[[int, Sequence[Any]], str]
"""A function of (record, records) that returns the running hash after the record, in hex; 0 is the header."""


class Due(NamedTuple):
    """A link that is due: for ``epoch``, which is bound to record ``at`` and its running hash ``head``.

    It is link ``place`` of the owner's chain number ``serial``.
    """

    epoch: int
    at: int
    head: str
    serial: int
    place: int


class LinkSource(Protocol):
    """The source of the links, by the name of their owner: a side, or ``host``."""

    def link(self, name: str, due: Due) -> bytes | None:
        """Return the link of ``name``, or None if it is not known yet.

        A source never gives a link for two heads, and stores on the disk that it gives one before it returns it.
        """

    def renewal(self, name: str, serial: int) -> tuple[str, int] | None:
        """Return the tip and length of chain number ``serial`` of ``name``, or None if another program has it."""


class WrongShares(PlayError):
    """Shares that do not fit the game; ``field`` is the field of the record that is wrong."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


def begins_epoch(record: Any) -> bool:
    """Return whether ``record`` is an answer: dice that are rolled after it need a new epoch."""
    return isinstance(record, OrderRecord | RulingRecord)


def last_answer(records: Sequence[Any]) -> int:
    """Return the number of the newest answer in ``records``, 0 without any."""
    return next((each.n for each in reversed(records) if begins_epoch(each)), 0)


def in_epoch(records: Sequence[Any]) -> bool:
    """Return whether the newest epoch is still valid after ``records``: no answer came after its shares."""
    newest = next((each for each in reversed(records) if isinstance(each, SharesRecord) or begins_epoch(each)), None)
    return isinstance(newest, SharesRecord)


def may_burn(records: Sequence[Any]) -> bool:
    """Return whether an epoch may be passed over after ``records``: a sealed group is complete, and nothing is rolled.

    Every side commits itself before it gives a link for such a group, and a group passes over one epoch only.
    """
    newest = next(
        (each for each in reversed(records) if isinstance(each, SharesRecord | BurntRecord) or begins_epoch(each)), None
    )
    return isinstance(newest, OrderRecord) and newest.missing == 1


class Epochs:
    """The epochs of one game: the known links of all chains, the newest key, and the key of each label.

    ``chains`` are tip and number of links by name. ``number`` is the newest epoch, 0 before the first one.
    """

    def __init__(self, game: str, chains: Mapping[str, tuple[str, int]], heads: Heads, source: LinkSource) -> None:
        self.number = 0
        self.heads = heads
        self.source = source
        self._game = game
        self._chains = {name: KnownChain(tip, links) for name, (tip, links) in sorted(chains.items())}
        self._key = b""
        self._keys: dict[str, bytes] = {}

    def rolled(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice of a ``label`` that was rolled before: it keeps its epoch. None for a new label."""
        key = self._keys.get(label)
        return None if key is None else roll_dice(key, label, count, sides)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the dice of ``label`` in its epoch, which is the newest one for a new label."""
        return roll_dice(self._keys.setdefault(label, self._key), label, count, sides)

    def key_of(self, label: str) -> bytes | None:
        """Return the key with which ``label`` was rolled, or None."""
        return self._keys.get(label)

    def due(self, records: Sequence[Any]) -> dict[str, Due]:
        """Return the links, by name, that the epoch after ``records`` needs."""
        at = last_answer(records)
        epoch, head = self.number + 1, self.heads(at, records)
        return {name: Due(epoch, at, head, chain.serial, epoch - chain.base) for name, chain in self._chains.items()}

    def why_not(self, name: str, epoch: int, link: bytes) -> str:
        """Return why ``link`` is not that of ``name`` for ``epoch``, or "" if it is. ``name`` must have a chain."""
        return self._chains[name].why_not(epoch, link)

    def shares(self, number: int, records: Sequence[Any]) -> "SharesRecord | tuple[str, ...]":
        """Return record ``number``, the shares of the next epoch, or the names whose links are not known yet.

        Raises WrongShares as ``begin`` does.
        """
        due = self.due(records)
        links = {name: self.source.link(name, each) for name, each in due.items()}
        if missing := tuple(name for name, link in links.items() if link is None):
            return missing
        one = next(iter(due.values()))
        record = SharesRecord(number, one.epoch, one.at, {name: link.hex() for name, link in links.items() if link})
        self.begin(record, one.at, one.head)
        return record

    def begin(self, record: SharesRecord, at: int, head: str) -> None:
        """Begin the epoch of ``record``, which must be bound to record ``at`` and its running hash ``head``.

        Raises WrongShares, which changes nothing, if the epoch is not the next one, is bound to a different record, or
        a link is missing or wrong.
        """
        if record.at != at:
            raise WrongShares(f"shares for record {record.at}: the last answer is record {at}", "at")
        if record.epoch != self.number + 1:
            raise WrongShares(f"shares of epoch {record.epoch}: epoch {self.number + 1} is next", "epoch")
        if list(record.links) != list(self._chains):
            names, due = (", ".join(each) or "none" for each in (record.links, self._chains))
            raise WrongShares(f"shares of {names}: those of {due} are due, in this order", "links")
        links = {name: link_bytes(text) for name, text in record.links.items()}
        for name, link in links.items():
            if why := self._chains[name].why_not(record.epoch, link):
                raise WrongShares(f"the share of {name} {why}", f"links.{name}")
        for name, link in links.items():
            self._chains[name].accept(record.epoch, link)
        self.number = record.epoch
        self._key = epoch_key(self._game, record.epoch, head, links)

    def burn(self, record: BurntRecord) -> None:
        """Pass over the epoch of ``record``; raises WrongShares if it is not the next one."""
        if record.epoch != self.number + 1:
            raise WrongShares(f"epoch {record.epoch} is passed over, but epoch {self.number + 1} is next", "epoch")
        self.number += 1

    def renewal(self, number: int) -> ChainRecord | None:
        """Return record ``number``, a new chain for one with a single link left, or None if no chain ends yet."""
        for name, chain in self._chains.items():
            if self.number + 1 - chain.base == chain.links:
                new = self.source.renewal(name, chain.serial + 1)
                link = self.source.link(name, Due(self.number + 1, 0, "", chain.serial, chain.links)) if new else None
                if new and link:
                    return ChainRecord(number, name, *new, link.hex())
        return None

    def renew(self, record: ChainRecord) -> None:
        """Replace the chain of ``record.by``; raises WrongShares if its owner did not announce the new one."""
        old = self._chains.get(record.by)
        if old is None:
            raise WrongShares(f"a new chain of {record.by}, which has no chain", "by")
        if why := old.why_not(self.number + 1, link_bytes(record.link)):
            raise WrongShares(f"a new chain of {record.by}: the link {why}", "link")
        if why := why_no_chain(record.tip, record.links):
            raise WrongShares(f"a new chain of {record.by}: {why}", "tip")
        self._chains[record.by] = KnownChain(record.tip, record.links, self.number, old.serial + 1)


def why_no_chain(tip: str, links: int) -> str:
    """Return why there is no chain with this tip and number of links, or ""."""
    if not link_bytes(tip):
        return "the tip is not 64 lower-case hex digits"
    return "" if 0 < links <= MAX_LINKS else f"a chain has 1 to {MAX_LINKS:,} links, not {links}"


class EpochDice:
    """Dice whose rolls need epochs."""

    epochs: Epochs

    def fall(self, roll: Roll, label: str, records: Sequence[Any]) -> tuple[int, ...] | None:
        """Return the dice of a new ``label`` after ``records``, or None if a new epoch must begin first.

        Raises PlayError for a secret roll: its dice would be public.
        """
        if roll.side:
            raise PlayError(f"shared dice are public, but the roll for {roll.purpose} is secret: use `host` dice")
        return self.epochs.roll(label, roll.dice, roll.sides) if in_epoch(records) else None


class SharedDice(KeyedDice, EpochDice):
    """Shared dice. ``key`` makes salts only. ``epochs`` is set when the header of the game is known."""

    def __init__(self, key: bytes, salts: bytes = b"") -> None:
        super().__init__(key, SHARED, salts)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice of a label that was rolled before, or None: ``fall`` gives those of a new one."""
        return self.epochs.rolled(label, count, sides)
