"""The luck ledger of a log: its rules are run again, because they alone know for whom a roll is good."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandtable.journal.file.log import Log, read_log
from sandtable.journal.fold import other_version, prepare_for, read_records
from sandtable.journal.luck.dice_fairness import Faces, faces_of
from sandtable.journal.luck.ledger import LuckEntry, ledger, whose_luck
from sandtable.journal.sides.merging import parting
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.plugin.manager import Rulesets


@dataclass(frozen=True)
class LogLedger:
    """Every roll of a log.

    Where its ``game`` is one that another log holds as well, ``same_as`` names that, ``entries`` are only the rolls
    after record ``common``, up to which both are one; so are ``faces``. ``note`` tells that it was played with another
    version of its ruleset.
    """

    log: str
    ruleset: str
    entries: tuple[LuckEntry, ...]
    faces: tuple[Faces, ...] = ()
    same_as: str = ""
    common: int = 0
    note: str = ""


def read_ledgers(paths: Sequence[str | Path], rulesets: Rulesets) -> list[LogLedger]:
    """Return the ledgers of several logs, each roll of a game counted once; raises what ``read_ledger`` raises."""
    logs = [read_log(path) for path in paths]
    found = []
    for place, log in enumerate(logs):
        other, common = "", 0
        for before in logs[:place]:
            shared = _common(log, before)
            if shared > common:
                other, common = before.name, shared
        found.append(replace(_ledger_of(log, rulesets, common), same_as=other, common=common))
    return found


def _common(log: Log, before: Log) -> int:
    """Return the last record up to which two logs are one, 0 where they are of two games."""
    if log.header.game != before.header.game:
        return 0
    place = parting(log, before)
    return min(log.records, before.records) if place is None else max(0, place - 1)


def read_ledger(path: str | Path, rulesets: Rulesets) -> LogLedger:
    """Return the ledger of the log at ``path``, finished or not.

    Raises LogError for one that cannot be read, or that the rules do not come to; RulesetMissing if those were edited.
    """
    return _ledger_of(read_log(path), rulesets, 0)


def _ledger_of(log: Log, rulesets: Rulesets, after: int) -> LogLedger:
    """Return the ledger of the rolls of ``log`` after a record."""
    prepared = prepare_for(log, rulesets, any_version=True)
    other = other_version(log, prepared.ruleset)
    records = read_records(log, prepared.ruleset)
    rerun = Rerun(prepared, log, records, dice_of(log, records))
    found = rerun.run()
    if found is not None and not other:
        raise refusal(found, log, prepared, "its luck cannot be told (see `sandtable verify`): ")
    game = rerun.game
    rolled = game.records if found is None else records
    whose = whose_luck(prepared.ruleset, game.favours)
    entries, faces = ledger(rolled[after:], whose), faces_of(rolled[after:], whose)
    note = f"{other}: from record {found.record} on it does not know for whom a roll is good" if found else other
    return LogLedger(log.name, prepared.installed.name, tuple(entries), tuple(faces), note=note)
