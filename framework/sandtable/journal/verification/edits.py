"""Separating edits of the rules from edits of the log.

A log names the hash of the ruleset files that it was played with. With other files, a rerun may differ even though the
log is unaltered. Such a difference proves nothing unless no rule can influence it. The hash chain, the facts
of the header, the faces that the key gives under a label, and shares do not depend on the rules.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgspec

from sandtable.errors import LogClosed, LogDamaged, PlayError, RulesetMissing, SandtableError
from sandtable.journal.epochs.stored import SharedRolls
from sandtable.journal.file.log import UNREADABLE, Log, misfit_text
from sandtable.journal.fold import reader_of
from sandtable.journal.format.chain import CLOSE
from sandtable.journal.format.header import NO_KEEPER, game_id
from sandtable.journal.format.openings import CLOSED
from sandtable.journal.verification.matching import misplaced_opening
from sandtable.journal.verification.rerun import differing_die
from sandtable.journal.verification.stored import dice_of, shown_key
from sandtable.journal.verification.verdicts import Difference
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.dice import KeyedDice, commitment
from sandtable.kernel.records import CloseRecord, RollRecord
from sandtable.kernel.shared.epochs import HOST, SHARED
from sandtable.plugin.manager import Prepared
from sandtable.plugin.options.keepers import NEEDED, keeper_for
from sandtable.quoting import shortened

BY_RULES = ("rules diverge", "illegal order", "other question", "altered dice", "altered record", "battle differs")
"""Kinds of difference that other rules can cause."""

_ROLL = b'{"kind":"roll"'

FIRM_FIELDS = ("key", "battle")
"""Fields of a battle that no rule influences: its dice key, and the digest of its log.

``battle`` also starts the path of each field in a battle's log that no rule influences.
"""


def other_files(log: Log, prepared: Prepared) -> str:
    """Return a sentence if ``log`` was played with other ruleset files than those installed here, otherwise ""."""
    there, here = log.header.ruleset_hash, prepared.installed.content_hash
    if there == here:
        return ""
    return (
        f"{prepared.installed.name} was played with files {there[:12]}, the files here are {here[:12]}: "
        "the rules were edited since, and that may be the cause"
    )


def judged(found: Difference, log: Log, prepared: Prepared) -> Difference:
    """Return ``found`` with ``edited`` set if the ruleset files differ and the rules can influence ``found``.

    An edit cannot cause a die that the key does not give under its stored label. If such a die exists, return it
    instead.
    """
    edited = other_files(log, prepared)
    if not edited or found.edited or log.broken is not None or is_firm(found):
        return found
    return altered_die(log, prepared) or msgspec.structs.replace(found, edited=edited)


def is_firm(found: Difference) -> bool:
    """Return whether no rule can influence ``found``."""
    if found.kind == "altered record":
        return bool(found.field)  # without a field, only the form of the record differs
    if found.kind == "ruling":
        return found.field != "rule"
    if found.kind == "standing":
        return found.field != "policy"  # the bots are files of the ruleset
    one_die = found.kind == "altered dice" and found.field.startswith("dice[")
    return one_die or found.kind not in BY_RULES or found.field.partition(".")[0] in FIRM_FIELDS


def altered_die(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first die in ``log`` that its key does not give under the stored label, or None.

    Also returns None if the umpire typed the dice, or if the log shows no valid key. Reads only rolls and the close,
    and skips closed ones, because these rules may be unable to read other records.
    """
    if log.header.dice == SHARED:
        return shared_difference(log)
    if log.header.dice == "manual":
        return None
    try:
        rolls = [*_read(log, prepared, _ROLL, RollRecord)]
        dice = dice_of(log, [*_read(log, prepared, CLOSE, CloseRecord)])
    except LogDamaged:
        return None
    for record in rolls if isinstance(dice, KeyedDice) else ():
        with suppress(PlayError, UnicodeError):  # no key gives such a roll: the rerun reports what is wrong with it
            due = dice.roll(record.label, len(record.dice), record.sides) if record.dice else ()
            if due is not None and due != record.dice:
                return differing_die(record, due)
    return None


def header_difference(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first error in the header, or None."""
    header = log.header
    if log.broken == 0:
        text = f"{log.where(0)}: the header was altered: its hash does not match its text"
        return Difference("altered record", 0, text, "hash")
    if game_id(header) != header.game:
        text = f"{log.where(0)}: the game id {header.game} does not follow from the header"
        return Difference("altered record", 0, text, "game", header.game, game_id(header))
    if header.dice_set and header.parent is None:
        text = f"{log.where(0)}: dice are set, but the header names no parent game"
        return Difference("altered record", 0, text, "dice_set")
    if prepared.ruleset.hidden and not header.commitment:
        text = f"{log.where(0)}: the header has no commitment to a dice key"
        return Difference("altered record", 0, text, "commitment")
    if unchained := [each for each in prepared.ruleset.viewers if each not in header.chains] if header.chains else []:
        text = f"{log.where(0)}: {unchained[0]} has no chain: the other sides could make the dice together"
        return Difference("altered record", 0, text, "chains")
    if strange := [each for each in header.chains if each not in (*prepared.ruleset.viewers, HOST)]:
        text = f"{log.where(0)}: {shortened(strange[0])} has a chain, but is not a side of the game"
        return Difference("altered record", 0, text, "chains")
    if header.root and not (header.dice == "open" and prepared.ruleset.hidden):
        text = f"{log.where(0)}: the header hides a key: this game does not allow that"
        return Difference("altered record", 0, text, "root")
    wrong = _wrong_keeper(log, prepared)
    return Difference("altered record", 0, f"{log.where(0)}: {wrong}", "keeper") if wrong else None


def _wrong_keeper(log: Log, prepared: Prepared) -> str:
    """Return the reason why the game cannot have had the keeper that the header states, or ""."""
    header = log.header
    if header.keeper not in ("", NO_KEEPER):
        return f"{shortened(header.keeper)!r} is not a kind of keeper"
    if header.keeper == NO_KEEPER:
        found = keeper_for(prepared.installed.manifest, header.options)
        if found.keeper == NEEDED:
            return f"the header says that the game had no keeper, but it needs one: {', '.join(found.because)}"
    return ""


def altered_opening(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first opening that does not match its commitment or, if all match, is misplaced in the tree.

    Returns None if all are right, or if the chain breaks before it.
    """
    misplaced = misplaced_opening(log, prepared.ruleset)
    number, to = log.misfit or misplaced or (0, "")
    if not to or (log.broken is not None and log.broken < number):
        return None
    wrong = f"the opening for {shortened(to)} has a position in the tree that belongs to no side of the game"
    text = misfit_text(log) if log.misfit else wrong
    return Difference(
        "altered record", number, text if number == 0 else f"record {number}: {text}", f"opening for {to}"
    )


def altered_stretch(log: Log, detail: str, found: Difference | None = None) -> Difference:
    """Return the difference of the stretch whose hash does not match, at the record where ``found`` locates it."""
    first, last = log.broken or 0, log.broken_to
    if found is not None:
        first, last, detail = found.record, found.record, found.text
    what = f"record {first} was" if first == last else f"one of the records {first} to {last} was"
    text = f"{log.where(first)}: {what} altered: the hash in line {log.line_of(log.broken_to)} does not match"
    return Difference("altered record", first, f"{text}; {detail}" if detail else text, "hash")


def key_difference(log: Log, records: Sequence[Any]) -> Difference | None:
    """Return a difference if the dice key that the log shows does not match the commitment of its header, or None."""
    key, header = shown_key(log, records), log.header
    if key is None or not header.commitment or commitment(key) == header.commitment:
        return None
    number = 0 if header.key else log.records
    text = f"{log.where(number)}: the dice key does not match the commitment in the header"
    return Difference("altered record", number, text, "key", commitment(key), header.commitment)


def shared_difference(log: Log) -> Difference | None:
    """Return the first share, epoch or die of shared dice that contradicts the log itself, or None."""
    if log.header.dice != SHARED:
        return None
    try:
        found = SharedRolls(log).first_contradiction()
    except LogDamaged:
        return None
    if found is None:
        return None
    if found.roll is not None:
        return differing_die(found.roll, found.due, "the shares give")
    return Difference("shares", found.record, f"record {found.record}: {found.text}", found.field)


def differing_entry(records: Sequence[Any]) -> Difference | None:
    """Return the first physical die that differs from the umpire's entry in the record before it, or None."""
    for entry, record in pairwise(records):
        if isinstance(record, RollRecord) and record.by and isinstance(getattr(entry, "order", None), EnterDice):
            due = tuple(entry.order.dice)
            if len(due) == len(record.dice) and due != record.dice:
                return differing_die(record, due, "the umpire entered")
    return None


def _read(log: Log, prepared: Prepared, prefix: bytes, kind: type[Any]) -> Iterator[Any]:
    """Yield the records of a kind that no ruleset changes, skipping those that are incomplete in the file."""
    whole = reader_of(log, prepared.ruleset)
    for number, line in enumerate(log.lines):
        if number and line.startswith((prefix, CLOSED)):
            with suppress(LogClosed, *UNREADABLE):
                record = whole(number)
                if record.startswith(prefix):
                    yield msgspec.json.decode(record, type=kind)


def refusal(found: Difference, log: Log, prepared: Prepared, what: str) -> SandtableError:
    """Return the error to raise because of ``found``: LogDamaged, or RulesetMissing if an edit may be the cause."""
    found = judged(found, log, prepared)
    kind = RulesetMissing if found.edited else LogDamaged
    return kind(f"{log.name}: {what}{found}")
