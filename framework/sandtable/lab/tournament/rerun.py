"""Verification: replay a game, and check everything stored against manifest, schedule and rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sandtable.errors import LogDamaged, RulesetMissing, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import split_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.header import Header
from sandtable.journal.verification.edits import is_firm
from sandtable.journal.verification.verdicts import SO_FAR, VERIFIED, Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import commitment, key_from_seed
from sandtable.kernel.events import shares_in
from sandtable.lab.plan import GamePlan, Row
from sandtable.lab.tournament.payloads import is_by_rules, log_of
from sandtable.lab.tournament.play import Played, play_planned
from sandtable.lab.tournament.preparing import Stage
from sandtable.lab.tournament.running import other_rules, rounds
from sandtable.lab.tournament.store import Store
from sandtable.players.processes.supervised import result_of_forfeit


@dataclass(frozen=True)
class Again:
    """A replayed game: the stored row, and the new result."""

    plan: GamePlan
    then: Row
    now: Played

    @property
    def is_same(self) -> bool:
        """Whether the new result is identical, up to the last hash."""
        return self.then == self.now.row

    @property
    def differences(self) -> list[str]:
        """One line for each difference between the stored and the new result."""
        result = ("head", "outcome", "winner", "ending", "shares", "turns", "records")
        names = (*result, "verdicts", "decisions", "luck_milli", "nodes")
        pairs = [(name, getattr(self.then, name), getattr(self.now.row, name)) for name in names]
        return [f"{name}: {then} then, {now} now" for name, then, now in pairs if then != now]


def play_again(store: Store, stage: Stage, number: int) -> Again:
    """Replay a stored game. Raises DataError if the number is not stored."""
    plan, row = store.game(number)
    return Again(plan, row, play_planned(replace(stage, folder=str(store.folder.resolve())), plan))


def stored_log(store: Store, stage: Stage, number: int) -> bytes:
    """Return the complete log of a stored game, as ``sandtable play`` would have written it.

    Raises LogDamaged, or RulesetMissing if the log needs different rules from those installed.
    """
    plan, row = store.game(number)
    body = store.body(number)
    try:
        return _log(body, store, stage, plan, row)
    except LogDamaged as error:
        changed = other_rules(store, stage) if is_by_rules(body) else ""
        if changed:
            raise RulesetMissing(f"{changed}: {error}") from error
        raise


def _log(body: bytes, store: Store, stage: Stage, plan: GamePlan, row: Row) -> bytes:
    name = f"{store.folder}: game {plan.number}"
    return log_of(body, stage.prepared[plan.contest], plan.seed, stage.tournament.dice, row.head, name)


def wrong_games(store: Store, stage: Stage) -> Iterator[str]:
    """Yield each stored game whose seed or line-up differs from the manifest's game of the same number.

    At the end, yield the first game whose number the manifest does not define, if any.
    """
    games = store.games()
    stored = next(games, None)
    for each in rounds(store, stage):
        for plan in each:
            if stored is None:
                return
            if stored[0].number == plan.number:
                if stored[0] != plan:
                    yield f"game {plan.number}: differs from the game that the manifest defines: {stored[0]}"
                stored = next(games, None)
    if stored is not None:
        yield f"game {stored[0].number}: the manifest defines no such game"


@dataclass(frozen=True)
class Wrong:
    """A problem of a stored game. ``by_rules`` means that a change of the rules since then may be the cause."""

    text: str
    by_rules: bool = False


def wrong_with(store: Store, stage: Stage, number: int) -> Wrong | None:
    """Return the problem of a stored game, or None. The rules replay its log."""
    plan, row = store.game(number)
    by_rules = False
    try:
        body = store.body(number)
        by_rules = is_by_rules(body)
        log = split_log(_log(body, store, stage, plan, row), f"game {number}")
        verdict = verify(log, stage.prepared[plan.contest])
    except SandtableError as error:
        return Wrong(str(error), by_rules)
    found = verdict.first_difference
    if found is not None and not is_firm(found):
        return Wrong(f"game {number}: {found.kind}: {found.text}", by_rules=True)
    text = _wrong_end(plan, row, log, verdict) or _wrong_shares(plan, row, log, stage)
    return Wrong(text) if text else None


def _wrong_shares(plan: GamePlan, row: Row, log: Log, stage: Stage) -> str:
    """Return how the shares in the row contradict those in the log, or ""."""
    if any(verdict != "ok" for verdict in row.verdicts.values()):
        return ""
    shares = shares_in(read_records(log, stage.prepared[plan.contest].ruleset))
    return "" if row.shares == shares else f"game {plan.number}: the log has the shares {shares}, the row {row.shares}"


def _wrong_end(plan: GamePlan, row: Row, log: Log, verdict: Verdict) -> str:
    """Return how the row contradicts the log, for verdicts that do not depend on the rules, or ""."""
    number = plan.number
    failed = [side for side, name in plan.lineup.items() if row.verdicts.get(name, "ok") != "ok"]
    if failed and verdict.verdict == VERIFIED:
        return f"game {number}: its log reaches the end of the game, but the row states that {failed[0]} forfeited it"
    if verdict.verdict != (SO_FAR if failed else VERIFIED):
        return f"game {number}: {verdict.text}"
    if not _has_key(log.header, plan.seed):
        return f"game {number}: its log has different dice from those that the seed {plan.seed} gives"
    return _wrong_row(plan, row, log, failed)


def _has_key(header: Header, seed: str) -> bool:
    key = key_from_seed(seed)
    return header.key == key.hex() if header.dice == "open" else header.commitment == commitment(key)


def _wrong_row(plan: GamePlan, row: Row, log: Log, failed: list[str]) -> str:
    """Return how the row contradicts the log's last record or the verdicts on the ``failed`` sides, or ""."""
    if row.records != log.records:
        return f"game {plan.number}: the log has {log.records} records, the row has {row.records}"
    if row.winner != plan.lineup.get(row.outcome, ""):
        return f"game {plan.number}: {row.outcome} was {plan.lineup.get(row.outcome)}, the row has {row.winner}"
    if len(failed) > 1:
        return f"game {plan.number}: the row states that {' and '.join(failed)} forfeited it: only one side can"
    if failed:
        if (row.outcome, row.ending, row.shares) != result_of_forfeit(list(plan.lineup), failed[0]):
            return f"game {plan.number}: {failed[0]} forfeited it, the row has {row.ending} and {row.outcome}"
        return ""
    ending = f'"outcome":"{row.outcome}","ending":"{row.ending}"'
    if ending.encode() not in log.lines[-1]:
        return f"game {plan.number}: the log does not end with {row.ending} and {row.outcome}, as in the row"
    return ""
