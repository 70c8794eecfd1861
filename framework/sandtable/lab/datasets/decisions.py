"""One row for each decision of a tournament's games: the question, the view, the order and the result.

The rows are recomputed from the stored orders: the rules run, and the side's view is taken at each question. A view
therefore holds only what the side could know there; the result is that of the finished game. The umpire's decisions
have no rows. Any number of processes makes the same rows.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import LogDamaged
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.play.endings import shares_of
from sandtable.kernel.questions import label_of
from sandtable.kernel.records import OrderRecord
from sandtable.lab.plan import GamePlan, Row, Tournament
from sandtable.lab.tournament.preparing import Stage, set_stage
from sandtable.lab.tournament.rerun import stored_log
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets
from sandtable.workers.tasks import Batch, Scheduler, Workload

MAX_COUNTED = 100
"""Maximum of the option count: 100 means 100 or more."""


class DecisionRow(Struct, frozen=True, gc=False):
    """One decision.

    ``record`` is the number of the order in the game's log, ``question`` its label there (turn/phase/purpose/k).
    ``view`` and ``chosen`` are JSON: what the side saw, and the order. ``options`` is the number of options, up to
    MAX_COUNTED. ``outcome`` is a side or "draw", ``result`` the deciding side's share of the game, in
    thousandths, and ``shares`` those of all sides, as JSON.
    """

    game: int
    ruleset: str
    scenario: str
    record: int
    turn: int
    phase: str
    purpose: str
    question: str
    side: str
    seat: str
    player: str
    options: int
    view: str
    chosen: str
    outcome: str
    ending: str
    result: int
    shares: str


@dataclass(frozen=True)
class DecisionsAgain(Batch[Stage, int, list[DecisionRow]]):
    """The job of a worker: the tournament, the folder of its store, and the folders of its files and rulesets."""

    tournament: Tournament
    folder: str
    base: str
    plugins_dir: str | None

    @property
    def key(self) -> object:
        """The tournament and the place of its files, which identify the job."""
        return "decisions", self.tournament.digest, self.folder, self.base, self.plugins_dir

    def make_ready(self) -> Stage:
        """Return the stage."""
        return set_stage(self.tournament, Rulesets(self.plugins_dir), self.base, "a worker")

    def do(self, ready: Stage, item: int) -> list[DecisionRow]:
        """Return the rows of a game. The store is opened for each game, because nothing would close it later."""
        with Store.open(self.folder, known=True) as store:
            return list(decisions_of(store, ready, item))


def all_decisions(
    store: Store, plugins_dir: str | None, workers: int, take: Callable[[list[DecisionRow]], object]
) -> None:
    """Pass the rows of every stored game to ``take``, one list per game in order of number.

    Raises LogDamaged or RulesetMissing for a game that cannot be recomputed.
    """
    manifest = store.manifest
    job = DecisionsAgain(manifest.tournament, str(store.folder.resolve()), manifest.base, plugins_dir)
    numbers = sorted(store.numbers())
    finished: dict[int, list[DecisionRow]] = {}
    remaining = iter(numbers)
    next_number = next(remaining, -1)

    def put(items: tuple[int, ...], results: list[list[DecisionRow]]) -> None:
        nonlocal next_number
        finished.update(zip(items, results, strict=True))
        while next_number in finished:
            take(finished.pop(next_number))
            next_number = next(remaining, -1)

    stage = set_stage(manifest.tournament, Rulesets(plugins_dir), manifest.base, str(store.folder))
    with ExitStack() as stack:
        Scheduler(stack, stage.prepared, workers).run(Workload(iter(numbers), len(numbers), lambda _: job, put))


def decisions_of(store: Store, stage: Stage, number: int) -> Iterator[DecisionRow]:
    """Yield the rows of a stored game in the order of its log, without the umpire's decisions.

    Raises LogDamaged or RulesetMissing if the game cannot be recomputed.
    """
    plan, row = store.game(number)
    prepared = stage.prepared[plan.contest]
    log = parse_log(stored_log(store, stage, number), f"{store.folder}: game {number}")
    records = read_records(log, prepared.ruleset)
    orders = (record for record in records if isinstance(record, OrderRecord))
    rerun = Rerun(prepared, log, records, dice_of(log, records))
    rows: list[DecisionRow] = []

    def add_row(decision: Decision) -> None:
        order = next(orders)
        if prepared.ruleset.side_of(decision.seat) != UMPIRE:
            rows.append(_row(plan, row, rerun, decision, order))

    found = rerun.run(add_row)
    if found is not None:
        raise LogDamaged(f"{log.name}: {found}")
    return iter(rows)


def _row(plan: GamePlan, row: Row, rerun: Rerun, decision: Decision, order: "OrderRecord[Any]") -> DecisionRow:
    game, prepared = rerun.game, rerun.game.ruleset
    side = prepared.side_of(decision.seat)
    header = rerun.log.header
    shares = shares_of(row.outcome, row.shares, list(plan.lineup))
    return DecisionRow(
        plan.number,
        header.ruleset,
        header.scenario,
        order.n,
        game.state.turn,
        game.state.phase,
        decision.purpose,
        label_of(game.question_of(decision)),
        side,
        decision.seat,
        plan.lineup[side],
        decision.options.count(MAX_COUNTED),
        msgspec.json.encode(game.view(side)).decode(),
        msgspec.json.encode(order.order).decode(),
        row.outcome,
        row.ending,
        shares[side],
        msgspec.json.encode(shares).decode(),
    )
