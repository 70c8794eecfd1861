"""Telling an edit of the rules from an edit of the log.

A log names the hash of the ruleset's files that it was played with. Played again with other files it may differ though
nobody touched it: then a difference proves nothing, unless no rule has a part in it. The chain of hashes, the game's
id, and the faces that the key gives under a label are what they are, whatever the rules say.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from sandtable.errors import LogDamaged, PlayError, RulesetMissing, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.verification.closed import known_records
from sandtable.journal.verification.rerun import Difference, differing_die
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared

BY_RULES = ("rules diverge", "illegal order", "other question", "altered dice", "altered record", "battle differs")
"""Kinds of difference that other rules can bring about."""

FIRM_FIELDS = ("hash", "game", "key", "battle")
"""Fields on which no rule has an influence: a line's hash, the game's id, a dice key, the digest of a battle's log.

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
    """Tell whether ``found`` is what it is by whatever rules."""
    one_die = found.kind == "altered dice" and found.field.startswith("dice[")
    unknown_rule = found.kind == "ruling" and found.field == "rule"
    by_rules = found.kind in BY_RULES or unknown_rule
    return one_die or not by_rules or found.field.partition(".")[0] in FIRM_FIELDS


def altered_die(log: Log, prepared: Prepared, records: Sequence[Any] | None = None) -> Difference | None:
    """Return the first die in ``log`` that its key does not give under the stored label; None if it shows no key.

    ``records`` are those of the log that are read already; closed ones are passed over.
    """
    try:
        known = known_records(log, prepared.ruleset) if records is None else records
        dice = dice_of(log, known)
    except LogDamaged:
        return None
    if not isinstance(dice, KeyedDice) or log.header.dice == "manual":
        return None
    for record in known:
        if isinstance(record, RollRecord):
            with suppress(PlayError, UnicodeError):  # no key gives such a roll: the rules tell what is wrong with it
                due = dice.roll(record.label, len(record.dice), record.sides) if record.dice else ()
                if due is not None and due != record.dice:
                    return differing_die(record, due)
    return None


def refusal(found: Difference, log: Log, prepared: Prepared, what: str) -> SandtableError:
    """Return what to raise where ``found`` stands in the way: LogDamaged, or RulesetMissing if it may be an edit's."""
    found = judged(found, log, prepared)
    kind = RulesetMissing if found.edited else LogDamaged
    return kind(f"{log.name}: {what}{found}")
