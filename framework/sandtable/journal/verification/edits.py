"""Telling an edit of the rules from an edit of the log.

A log names the hash of the ruleset's files that it was played with. Played again with other files it may differ though
nobody touched it: then a difference proves nothing, unless no rule has a part in it. The chain of hashes, the game's
id, and the faces that the key gives under a label are what they are, whatever the rules say.
"""

from contextlib import suppress

import msgspec

from sandtable.errors import LogDamaged, PlayError, RulesetMissing, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import read_records
from sandtable.journal.verification.rerun import Difference, differing_die
from sandtable.journal.verification.stored import shown_key
from sandtable.kernel.dice import roll_dice
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared

BY_RULES = ("rules diverge", "illegal order", "other question", "altered dice", "altered record", "battle differs")
"""Kinds of difference that other rules can bring about."""

FIRM_FIELDS = ("hash", "game", "key", "battle")
"""What no rule has a part in, all the same: a line's hash, the game's id, a dice key, the digest of a battle's log."""


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
    """Tell whether ``found`` is what it is by whatever rules."""
    one_die = found.kind == "altered dice" and found.field.startswith("dice[")
    return one_die or found.kind not in BY_RULES or found.field in FIRM_FIELDS


def altered_die(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first die in ``log`` that its key, where it shows one, does not give under the label stored."""
    try:
        records = read_records(log, prepared.ruleset)
    except LogDamaged:
        return None
    key = shown_key(log, records)
    if key is None or log.header.dice == "manual":
        return None
    for record in records:
        if isinstance(record, RollRecord) and record.label not in log.header.dice_set:
            with suppress(PlayError, UnicodeError):  # no key gives such a roll: the rules tell what is wrong with it
                due = roll_dice(key, record.label, len(record.dice), record.sides)
                if due != record.dice:
                    return differing_die(record, due)
    return None


def refusal(found: Difference, log: Log, prepared: Prepared, what: str) -> SandtableError:
    """Return what to raise where ``found`` stands in the way: LogDamaged, or RulesetMissing if it may be an edit's."""
    found = judged(found, log, prepared)
    kind = RulesetMissing if found.edited else LogDamaged
    return kind(f"{log.name}: {what}{found}")
