"""The luck ledger of a log. Its rules are rerun, because only they know which side a roll favors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sandtable.errors import PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import other_version, prepare_for, read_records
from sandtable.journal.luck.dice_fairness import Faces, faces_of
from sandtable.journal.luck.ledger import LuckEntry, ledger, luck_side_of
from sandtable.journal.side_view.hints import hints_in
from sandtable.journal.sides.merging import parting
from sandtable.journal.sides.side_log import SideLog, side_log
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun, RerunObserver
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared, Rulesets


@dataclass(frozen=True)
class LogLedger:
    """The rolls of a log that are not in an earlier one.

    ``shared`` rolls are in the earlier logs ``same_as``, with the same dice. ``faces_set`` counts rolls whose faces
    were set for a branch and not rolled. Logs of one game and of its branches have the same ``game``. ``note`` states
    that the log was played with another version of its ruleset; otherwise ``verdict`` is the verdict on the log.
    """

    log: str
    ruleset: str
    entries: tuple[LuckEntry, ...]
    faces: tuple[Faces, ...] = ()
    game: str = ""
    is_branch: bool = False
    same_as: tuple[str, ...] = ()
    shared: int = 0
    faces_set: int = 0
    note: str = ""
    verdict: Verdict | None = None


def read_ledgers(paths: Sequence[str | Path], rulesets: Rulesets, side: str | None = None) -> list[LogLedger]:
    """Return the ledgers of several logs, each roll of a game counted once; raises what ``read_ledger`` raises.

    With a ``side``, and in its slice, only the rolls that this side saw are counted.

    A key gives one roll per label, whatever was ordered. So among a game, its continued copies and their branches, each
    label counts once, in the first log that has it; branches come after games. Physical and shared dice are rolled
    again in a copy, so only the records that two such logs have in common count once.
    """
    logs = [read_log(path) for path in paths]
    games = _games(logs)
    rolled: dict[str, dict[str, str]] = {}
    found: dict[int, LogLedger] = {}
    for index in sorted(range(len(logs)), key=lambda index: logs[index].header.parent is not None):
        log, game = logs[index], games[index]
        if not log.header.has_dice_key:
            before = [logs[each] for each in found if games[each] == game]
            common = {each.name: _common(log, each) for each in before}
            found[index] = _ledger_of(log, rulesets, game, side, common=common)
        else:
            found[index] = _ledger_of(log, rulesets, game, side, rolled=rolled.setdefault(game, {}))
    return [found[index] for index in range(len(logs))]


def _games(logs: Sequence[Log]) -> list[str]:
    """Return the id of each log's game: of a branch, that of the game from which it and its parents branched off.

    Headers that name each other as parents, which no program writes, are of the game with the least id.
    """
    parents = {log.header.game: log.header.parent.game for log in logs if log.header.parent}
    found = []
    for log in logs:
        line = [log.header.game]
        while (parent := parents.get(line[-1])) is not None and parent not in line:
            line.append(parent)
        found.append(line[-1] if parent is None else min(line[line.index(parent) :]))
    return found


def _common(log: Log, before: Log) -> int:
    """Return the last record up to which two logs are equal, or 0 if they are of two games."""
    if log.header.game != before.header.game:
        return 0
    number = parting(log, before)
    return min(log.records, before.records) if number is None else max(0, number - 1)


def read_ledger(path: str | Path, rulesets: Rulesets) -> LogLedger:
    """Return the ledger of the log at ``path``, finished or not.

    Raises LogError if it cannot be read or differs from the rules, RulesetMissing if the rules were edited since.
    """
    (found,) = read_ledgers([path], rulesets)
    return found


def _ledger_of(
    log: Log,
    rulesets: Rulesets,
    game: str,
    side: str | None,
    *,
    common: Mapping[str, int] | None = None,
    rolled: dict[str, str] | None = None,
) -> LogLedger:
    """Return the ledger of the rolls of ``log`` that are not in an earlier log.

    ``common`` has the last common record by earlier log. ``rolled`` has the log by label, and gets the labels of this
    log.
    """
    prepared = prepare_for(log, rulesets, any_version=True)
    other = other_version(log, prepared.ruleset)
    if side not in (None, PUBLIC, *prepared.ruleset.viewers):
        sides = ", ".join((*prepared.ruleset.viewers, PUBLIC))
        raise PlayError(f"{prepared.ruleset.id} has no side {side!r}: choose from {sides}")
    slice_ = side_log(log, prepared, side)
    shown = _shown_in(slice_, other) if slice_ else _rolled_in(log, prepared, other, side)
    rolls = [each for each in shown.records if isinstance(each, RollRecord) and each.dice]
    own = [each for each in rolls if each.label not in log.header.dice_set]
    earlier = {each.n: name for name, last in (common or {}).items() for each in own if each.n <= last}
    if rolled is not None:
        for each in own:
            if each.label in rolled:
                earlier[each.n] = rolled[each.label]
            rolled.setdefault(each.label, log.name)
    whose = luck_side_of(prepared.ruleset, shown.favors)
    counted = [each for each in own if each.n not in earlier]
    return LogLedger(
        log.name,
        prepared.installed.name,
        tuple(ledger(counted, whose)),
        tuple(faces_of(counted, whose)),
        game,
        is_branch=log.header.parent is not None,
        same_as=tuple(dict.fromkeys(earlier.values())),
        shared=len(earlier),
        faces_set=len(rolls) - len(own),
        note=shown.note,
        verdict=shown.verdict,
    )


class _Rolled(NamedTuple):
    """The rolls of a log among ``records``, and which side they favored, by label; ``note`` as in LogLedger."""

    records: Sequence[Any]
    favors: Mapping[str, str]
    note: str
    verdict: Verdict | None


def _shown_in(slice_: SideLog, other: str) -> _Rolled:
    """Return the rolls that a slice shows, with the favored sides that its annex states."""
    stated = {number: side for side, numbers in hints_in(slice_.log).favors.items() for number in numbers}
    rolls = [each for each in slice_.shown if isinstance(each, RollRecord)]
    favors = {each.label: stated[each.n] for each in rolls if stated.get(each.n) in slice_.prepared.ruleset.viewers}
    return _Rolled(rolls, favors, other, None if other else verify(slice_.log, slice_.prepared, side=slice_.side))


def _rolled_in(log: Log, prepared: Prepared, other: str, side: str | None) -> _Rolled:
    """Return the rolls of a complete log that ``side`` (None: the umpire) saw, with the favored sides from a rerun."""
    records = read_records(log, prepared.ruleset)
    watch = RerunObserver()
    verdict = None if other else verify(log, prepared, watch=watch)
    rerun = watch.rerun
    if rerun is None:
        rerun = Rerun(prepared, log, records, dice_of(log, records))
        rerun.run()
    differs = rerun.found
    if differs is not None and not other:
        raise refusal(differs, log, prepared, "its luck cannot be computed (see `sandtable verify`): ")
    played = rerun.game.records if differs is None else records
    note = f"{other}: from record {differs.record} on, the sides that its rolls favor are unknown" if differs else other
    seen = played if side is None else seen_records(played, prepared, side)
    return _Rolled(seen, rerun.game.favors, note, verdict)
