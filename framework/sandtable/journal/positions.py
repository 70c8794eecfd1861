"""A game after a record of its log, with the pending question."""

from sandtable.errors import LogError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Rulesets


def game_at(log: Log, number: int, rulesets: Rulesets, *, goes_on: bool = False) -> Game:
    """Return the game of ``log`` after record ``number``, rerun by the rules; for inspection, not for playing on.

    If it ``goes_on``, it runs to the next question and can be forked. Raises LogError if the record does not exist.
    Raises LogDamaged if the rules do not give the record, or RulesetMissing if they were edited since.
    """
    if not 0 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, not {number}")
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    rerun = Rerun(prepared, log, records[:number], dice_of(log, records), goes_on=goes_on)
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, f"record {number} cannot be reached: ")
    return rerun.game


def next_question(log: Log, number: int, rulesets: Rulesets) -> int:
    """Return the record after which the next question is pending, from record ``number`` on, or 0."""
    records = read_records(log, prepare_for(log, rulesets).ruleset)
    return next((each.n - 1 for each in records if isinstance(each, OrderRecord) and each.n > number), 0)
