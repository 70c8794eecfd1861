"""The source of randomness that a log shows: its key, and the dice and salts for a rerun."""

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.errors import LogDamaged
from sandtable.journal.epochs.stored import SharedRolls, epochs_of
from sandtable.journal.file.log import Log
from sandtable.journal.format.header import key_bytes, make_dice
from sandtable.journal.format.openings import salt_of
from sandtable.journal.format.salts import KeyedSalts, Salts, StoredSalts
from sandtable.kernel.dice import Dice, KeyedDice, SetDice, commitment
from sandtable.kernel.records import CloseRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.shared.epochs import SHARED, EpochDice, SharedDice


class StoredDice:
    """The dice stored in a log, for a log that does not show its key yet.

    With ``mode`` "stored" the game stops at the first roll without stored dice. With "manual" the dice are orders of
    the umpire.
    """

    def __init__(self, records: Sequence[Any], mode: str = "stored") -> None:
        self.mode = mode
        rolls = () if mode == "manual" else records
        self._faces = _faces_of(rolls)
        self._stored = {(each.label, len(each.dice)) for each in rolls if isinstance(each, RollRecord)}

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice stored under ``label``, or None if no such roll is stored or its sides are too few."""
        dice = self._faces.get((label, sides), ())[:count]
        fit = not count or (label, count) in self._stored
        return dice if fit and len(dice) == count and all(1 <= face <= sides for face in dice) else None

    def shown_key(self) -> str:
        """Return "": a log with a close shows its key itself."""
        return ""


class StoredShares(StoredDice, EpochDice):
    """The shared dice of a log that does not show the key of its salts: its shares give all dice."""

    def __init__(self, log: Log) -> None:
        super().__init__((), SHARED)
        self.epochs = epochs_of(log)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice of a label that was rolled before, or None."""
        return self.epochs.rolled(label, count, sides)


def shown_key(log: Log, records: Sequence[Any]) -> bytes | None:
    """Return the dice key if the header, or the close that ends ``records``, shows it, or None.

    Raises LogDamaged if the key is malformed.
    """
    closing = records[-1] if records else None
    if isinstance(closing, CloseRecord) and closing.key:
        return key_bytes(closing.key, f"{log.where(closing.n)}: the dice key")
    return log.header.known_key(log.name)


def dice_of(log: Log, records: Sequence[Any], key: bytes | None = None) -> Dice:
    """Return the dice for a rerun of ``log``: from its key if the log shows it or it is given, otherwise as stored.

    Raises LogDamaged if a key is malformed or does not match the commitment of the header, or if dice are set in a log
    that is not a branch.
    """
    header = log.header
    if header.dice_set and header.parent is None:
        raise LogDamaged(f"{log.name}: line 1: dice are set, but this is not a branch of another game")
    known = key or shown_key(log, records)
    if known is None and header.dice == SHARED:
        return StoredShares(log)
    if known is None:
        return StoredDice(records, "manual" if header.dice == "manual" else "stored")
    if header.commitment and commitment(known) != header.commitment:
        raise LogDamaged(f"{log.name}: the key does not match the commitment in the header")
    salts = header.known_salts(log.name)
    if header.dice_set:
        return SetDice(known, header.dice, salts, header.dice_set)
    dice = make_dice(header.dice, known, salts)
    if isinstance(dice, SharedDice):
        dice.epochs = epochs_of(log)
    return dice


def dice_by_label(log: Log, records: Sequence[Any]) -> Dice:
    """Return dice for playing ``log`` again in another way, which give each label that was rolled the same faces.

    Shared dice have no faces for other labels, because no side gave a share for them. These labels use the key of the
    salts.
    """
    known = shown_key(log, records)
    if log.header.dice != SHARED:
        return dice_of(log, records)
    if known is None:
        return StoredDice(records)
    faces = {label: dice for (label, _), dice in _faces_of(records).items()}
    return SetDice(known, SHARED, log.header.known_salts(log.name), faces)


def _faces_of(records: Sequence[Any]) -> dict[tuple[str, int], tuple[int, ...]]:
    """Return the faces of each label and number of sides that ``records`` have rolled.

    After a ruling a label can be rolled again with another number of dice. The fewer are the first of the more.
    """
    found: dict[tuple[str, int], tuple[int, ...]] = {}
    for record in records:
        if isinstance(record, RollRecord) and len(record.dice) >= len(found.get((record.label, record.sides), ())):
            found[record.label, record.sides] = tuple(record.dice)
    return found


def keys_of_rolls(log: Log, records: Sequence[Any]) -> Callable[[int], bytes | None]:
    """Return a function from the number of a roll to its dice key, or None if the log does not show one."""
    if log.header.dice == SHARED:
        shared = SharedRolls(log)
        shared.first_contradiction()
        return shared.keys.get
    key = shown_key(log, records)
    return lambda _: key


def salts_of(log: Log, records: Sequence[Any], dice: Dice) -> Salts:
    """Return the salts for writing ``records`` again: from the key of ``dice``, or without it as stored in ``log``."""
    if isinstance(dice, KeyedDice):
        return KeyedSalts(dice.salt_source)
    return StoredSalts(
        {key: salt_of(line) for key, line in log.openings.items()},
        {record.n: record.asked for record in records if isinstance(record, OrderRecord)},
        {record.n: record.digest for record in records if isinstance(record, SealRecord | CloseRecord)},
    )
