"""Telling an edit of the rules from an edit of the log.

A log names the hash of the ruleset's files that it was played with. Played again with other files it may differ though
nobody touched it: then a difference proves nothing, unless no rule has a part in it. The chain of hashes, the game's
id, and the faces that the key gives under a label are what they are, whatever the rules say.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgspec

from sandtable.errors import LogClosed, LogDamaged, PlayError, RulesetMissing, SandtableError
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.fold import reader_of
from sandtable.journal.verification.rerun import Difference, differing_die
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.records import CloseRecord, RollRecord
from sandtable.plugin.manager import Prepared

BY_RULES = ("rules diverge", "illegal order", "other question", "altered dice", "altered record", "battle differs")
"""Kinds of difference that other rules can bring about."""

_ROLL, _CLOSE = b'{"kind":"roll"', b'{"kind":"close"'

FIRM_FIELDS = ("key", "battle")
"""Fields of a battle on which no rule has an influence: its dice key, and the digest of its log.

``battle`` also begins the path of a field in a battle's log that no rule has an influence on.
"""


def other_files(log: Log, prepared: Prepared) -> str:
    """Return, as a sentence, that ``log`` was played with other files of its ruleset than those here; "" if not."""
    there, here = log.header.ruleset_hash, prepared.installed.content_hash
    if there == here:
        return ""
    return (
        f"{prepared.installed.name} was played with files {there[:12]}, these are {here[:12]}: "
        "the rules were edited since, and what follows may be the edit's doing"
    )


def judged(found: Difference, log: Log, prepared: Prepared) -> Difference:
    """Return ``found`` with ``edited`` in it, where the files are others and the rules have a part in what was found.

    A die that the key does not give under its stored label is no edit's doing: where there is one, it is returned.
    """
    edited = other_files(log, prepared)
    if not edited or found.edited or log.broken is not None or is_firm(found):
        return found
    return altered_die(log, prepared) or msgspec.structs.replace(found, edited=edited)


def is_firm(found: Difference) -> bool:
    """Return whether no rule has an influence on ``found``."""
    if found.kind == "altered record":
        return bool(found.field)  # without one, the record is only written otherwise than the rules write it
    if found.kind == "ruling":
        return found.field != "rule"
    one_die = found.kind == "altered dice" and found.field.startswith("dice[")
    return one_die or found.kind not in BY_RULES or found.field.partition(".")[0] in FIRM_FIELDS


def altered_die(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first die in ``log`` that its key does not give under the stored label; None if it shows no key.

    Only rolls and the close are read, and closed ones passed over: other records may be unreadable with these rules.
    """
    if log.header.dice == "manual":
        return None
    try:
        rolls = [*_read(log, prepared, _ROLL, RollRecord)]
        dice = dice_of(log, [*_read(log, prepared, _CLOSE, CloseRecord)])
    except LogDamaged:
        return None
    for record in rolls if isinstance(dice, KeyedDice) else ():
        with suppress(PlayError, UnicodeError):  # no key gives such a roll: the rules tell what is wrong with it
            due = dice.roll(record.label, len(record.dice), record.sides) if record.dice else ()
            if due is not None and due != record.dice:
                return differing_die(record, due)
    return None


def differing_entry(records: Sequence[Any]) -> Difference | None:
    """Return the first die of physical dice that is not the one which the umpire entered in the record before."""
    for entry, record in pairwise(records):
        if isinstance(record, RollRecord) and record.by and isinstance(getattr(entry, "order", None), EnterDice):
            due = tuple(entry.order.dice)
            if len(due) == len(record.dice) and due != record.dice:
                return differing_die(record, due, "the umpire entered")
    return None


def _read(log: Log, prepared: Prepared, beginning: bytes, kind: type[Any]) -> Iterator[Any]:
    """Yield the records of a kind that no ruleset changes, as far as they are whole in the file."""
    whole = reader_of(log, prepared.ruleset)
    for number, line in enumerate(log.lines):
        if line.startswith(beginning):
            with suppress(LogClosed, *UNREADABLE):
                yield msgspec.json.decode(whole(number, line), type=kind)


def refusal(found: Difference, log: Log, prepared: Prepared, what: str) -> SandtableError:
    """Return what to raise where ``found`` stands in the way: LogDamaged, or RulesetMissing if it may be an edit's."""
    found = judged(found, log, prepared)
    kind = RulesetMissing if found.edited else LogDamaged
    return kind(f"{log.name}: {what}{found}")
