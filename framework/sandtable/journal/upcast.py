"""Bringing a log of an older format up to today's: the rules are run again, and every record is written anew."""

from sandtable.errors import LogDamaged, PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import read_records
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_lines
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.dice import KeyedDice
from sandtable.plugin.manager import Prepared


def upcast(log: Log, prepared: Prepared, key: bytes | None = None) -> bytes:
    """Return the bytes of ``log`` in today's format: the same game by another id, its annexes kept.

    ``key`` is wanted where the log does not show it. Raises LogDamaged where the rules do not make its records, or
    RulesetMissing if they were edited since; PlayError without the key.
    """
    if log.broken is not None:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: only a whole log can be brought up")
    records = read_records(log, prepared.ruleset)
    dice = dice_of(log, records, key)
    if not isinstance(dice, KeyedDice):
        raise PlayError(f"{log.name}: its dice key is not in the log: name the file with it (--key)")
    rerun = Rerun(prepared, log, records, dice)
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, "cannot be brought up: ")
    header = make_header(prepared, log.header.players, dice, log.header.parent, log.header.keys)
    first, rest, _ = log_lines(header, rerun.game)
    return b"".join([first, *(line + b"\n" for line in log.annexes()), rest])
