"""Many old games under other rules, in several processes: the result of each, and the totals by rule."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandtable.errors import RulesetMissing, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_with
from sandtable.journal.other_rules.impact import SAME, UNREAD, VERDICTS, WINNER, Fill, Impact, impact_on
from sandtable.players.players import HUMAN, best_for, makers, seat_bot
from sandtable.plugin.importing import VERSION
from sandtable.plugin.manager import AND, Installed, Prepared, Rulesets
from sandtable.workers.tasks import Batch, Scheduler, Workload


class Rules:
    """The rules that old games are tried under, whatever their logs name: the installed ones, or others.

    ``folder`` holds a version of each ruleset in a folder of its name. ``version`` is installed beside the usual
    version.
    """

    def __init__(self, plugins_dir: str, folder: str, version: str) -> None:
        self._rulesets = Rulesets(folder or plugins_dir or None, alone=bool(folder))
        self._folder, self._version = folder, version
        self._prepared: dict[object, Prepared] = {}

    def prepared_for(self, log: Log) -> Prepared:
        """Return the rules prepared for the scenario and options of ``log``. Raises RulesetError, DataError."""
        header = log.header
        key = (header.ruleset, header.ruleset_version, header.variants, header.scenario, header.scenario_hash)
        full = (*key, tuple(header.options.items()))
        if header.scenario_data is not None:
            return prepare_with(log, self._load(log))
        if full not in self._prepared:
            self._prepared[full] = prepare_with(log, self._load(log))
        return self._prepared[full]

    def _load(self, log: Log) -> Installed:
        header = log.header
        extras = [each.partition(" ")[0] for each in header.variants]
        usual = AND.join([header.ruleset, *extras])
        if self._folder:
            found = self._rulesets.load(usual)
            home = Path(found.module.__file__ or "").resolve()
            if not home.is_relative_to(Path(self._folder).resolve()):
                raise RulesetMissing(f"{self._folder} has no {header.ruleset}: name a folder that contains it")
            return found
        if not self._version:
            return self._rulesets.load(usual)
        versioned = f"{header.ruleset}{VERSION}{self._version}"
        if self._rulesets.knows(versioned):
            return self._rulesets.load(AND.join([versioned, *extras]))
        found = self._rulesets.load(usual)
        if found.manifest.version != self._version:
            available = ", ".join([f"{usual} {found.manifest.version}", *self._rulesets.versions(header.ruleset)])
            raise RulesetMissing(f"{versioned} is not installed; choose from {available}")
        return found


@dataclass(frozen=True)
class ImpactRun(Batch[Rules, tuple[int, str], Impact]):
    """The task of a worker: the rules to use, and whether bots continue when the recorded orders no longer fit."""

    plugins_dir: str = ""
    folder: str = ""
    version: str = ""
    bots: bool = False

    @property
    def key(self) -> object:
        """The run itself, which identifies the task."""
        return self

    def make_ready(self) -> Rules:
        """Return the rules."""
        return Rules(self.plugins_dir, self.folder, self.version)

    def do(self, ready: Rules, item: tuple[int, str]) -> Impact:
        """Try the log in a file; its number lets the caller put the results in order."""
        ruleset, path = "", item[1]
        try:
            log = read_log(path)
            ruleset = log.header.ruleset
            prepared = ready.prepared_for(log)
        except SandtableError as error:
            return Impact(path, ruleset, UNREAD, problem=str(error))
        return impact_on(log, prepared, _bots_for(log, prepared) if self.bots else None)


def _bots_for(log: Log, prepared: Prepared) -> Fill:
    """Return a function that answers where the recorded orders do not: the log's bots, or the best bot of a seat."""
    seated: dict[str, Any] = {}
    key = bytes.fromhex(log.header.key) if log.header.key else log.header.game.encode()

    def answer(game: Any, decision: Any) -> Any:
        seat = decision.seat
        if seat not in seated:
            name = log.header.players.get(seat, "")
            if name == HUMAN or name not in makers(prepared.installed):
                name = best_for(prepared.installed, seat)
            seated[seat] = seat_bot(prepared, seat, name, key)
        return seated[seat].choose(decision, game.seat_view(prepared.ruleset.side_of(seat)))

    return answer


@dataclass
class RuleSum:
    """The games in which ``rule`` made the first difference: their number, the results, and one example."""

    ruleset: str
    rule: str
    games: int = 0
    illegal: int = 0
    winners: int = 0
    example: str = ""
    record: int = 0


def try_all(
    logs: Sequence[str], run: ImpactRun, *, workers: int = 1, seen: Callable[[int], object] = lambda _: None
) -> list[Impact]:
    """Return the results of ``logs``, in the same order; ``seen`` is called with the number of finished logs."""
    found: dict[int, Impact] = {}

    def take(items: tuple[tuple[int, str], ...], done: list[Impact]) -> None:
        found.update(zip((number for number, _ in items), done, strict=True))
        seen(len(found))

    with ExitStack() as leaving:
        scheduler = Scheduler(leaving, [], workers)
        scheduler.run(Workload(iter(enumerate(logs)), len(logs), lambda _: run, take))
    return [found[number] for number in range(len(logs))]


def by_rule(found: Iterable[Impact]) -> list[RuleSum]:
    """Return the totals by ruleset and rule, the most frequent first, without games that are the same or unreadable."""
    sums: dict[tuple[str, str], RuleSum] = {}
    for each in found:
        if each.verdict in {SAME, UNREAD}:
            continue
        rule = sums.setdefault((each.ruleset, each.rule), RuleSum(each.ruleset, each.rule))
        rule.games += 1
        rule.illegal += each.stop is not None and each.stop.illegal
        rule.winners += each.verdict == WINNER
        if not rule.example:
            rule.example, rule.record = each.log, each.record
    return sorted(sums.values(), key=lambda each: (-each.games, each.ruleset, each.rule))


def counted(found: Iterable[Impact]) -> dict[str, int]:
    """Return the number of games with each verdict, the mildest first."""
    counts = Counter(each.verdict for each in found)
    return {name: counts[name] for name in VERDICTS if counts[name]}
