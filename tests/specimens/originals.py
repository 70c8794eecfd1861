"""Recorded games from which branches begin."""

from pathlib import Path

from sandtable.journal.branching.branch import Original, original
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.verification.stored import dice_of
from sandtable.plugin.manager import Prepared, Rulesets

REPLAYS = Path(__file__).parents[2] / "replays"
_RULESETS = Rulesets()


def original_of(log: Log, prepared: Prepared, key: bytes | None = None) -> Original:
    """Return the game of a log, with the dice of its key or of ``key``."""
    records = read_records(log, prepared.ruleset)
    return original(prepared, log, records, dice_of(log, records, key))


def golden(path: Path) -> Original:
    """Return the game of a golden log."""
    log = read_log(path)
    return original_of(log, prepare_for(log, _RULESETS))
