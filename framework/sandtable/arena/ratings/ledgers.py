"""The luck ledger of a log: its rules are run again, because they alone know for whom a roll is good."""

from dataclasses import dataclass
from pathlib import Path

from sandtable.arena.ratings.luck import LuckEntry, ledger, whose_luck
from sandtable.journal.file.log import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.plugin.manager import Rulesets


@dataclass(frozen=True)
class LogLedger:
    """Every roll of a log."""

    log: str
    ruleset: str
    entries: tuple[LuckEntry, ...]


def read_ledger(path: str | Path, rulesets: Rulesets) -> LogLedger:
    """Return the ledger of the log at ``path``, finished or not.

    Raises LogError for one that cannot be read, or that the rules do not come to; RulesetMissing if those were edited.
    """
    log = read_log(path)
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    rerun = Rerun(prepared, log, records, dice_of(log, records))
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, "its luck cannot be told (see `sandtable verify`): ")
    game = rerun.game
    entries = ledger(game.records, whose_luck(prepared.ruleset, game.favours))
    return LogLedger(log.name, prepared.installed.name, tuple(entries))
