"""A game as it stood after a record of its log, with the question that was open there."""

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
    """Return the game of ``log`` after record ``number``, run by the rules; to look at, not to play on.

    Where it ``goes_on`` it stands at the next question, and can be forked.
    Raises LogError when there is no such record; where the rules do not lead to it, LogDamaged, or RulesetMissing if
    they were edited since.
    """
    if not 0 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, no {number}")
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    rerun = Rerun(prepared, log, records[:number], dice_of(log, records), goes_on=goes_on)
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, f"record {number} cannot be reached: ")
    return rerun.game


def next_question(log: Log, number: int, rulesets: Rulesets) -> int:
    """Return the record after which the next question is open, from record ``number`` on; 0 where there is none."""
    records = read_records(log, prepare_for(log, rulesets).ruleset)
    return next((each.n - 1 for each in records if isinstance(each, OrderRecord) and each.n > number), 0)
