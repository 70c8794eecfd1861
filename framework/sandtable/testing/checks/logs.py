"""Checks of the log: it verifies, and another process writes the same bytes."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any

from sandtable.errors import LogDamaged, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import fold_steps, read_records
from sandtable.journal.format.header import make_header
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.journal.record import log_bytes
from sandtable.journal.sides.side_log import SideLog
from sandtable.journal.sides.slices import check_slice, slice_log
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import PUBLIC, Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import AnsweredQuestion, label_of, text_of
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.importing import child_variables
from sandtable.plugin.manager import Installed
from sandtable.testing.checks.bench import FaultError, Harness, Trial, parting

HASH_SEEDS = ("0", "1", "2", "3")
MAX_GAMES = 6
MANY_GAMES = 20
"""Number of games from which on all hash seeds are tried."""
LONGEST_SECONDS = 300


def check_log(bench: Harness) -> str:
    """Write the log of each game, verify it by running the rules again, and make each side's slice."""
    trials = bench.whole()
    for trial in trials:
        problem = problem_of(trial, trial.played.game)
        if problem:
            raise FaultError(f"{trial.name}: {problem}")
    return f"{len(trials)} logs verified"


def problem_of(trial: Trial, game: Game) -> str:
    """Return the problem with the log of ``game``, a play of ``trial``, or ""."""
    try:
        log = parse_log(log_of(trial, game), "its log")
        verdict = verify(log, trial.prepared)
        if verdict.verdict != VERIFIED:
            return verdict.text
        for side in trial.ruleset.viewers:
            check_slice(slice_log(log, trial.prepared, side), f"its log as {side} sees it")
        if trial.ruleset.hidden:
            return next(filter(None, (_unseen(trial, log, side) for side in (*trial.ruleset.viewers, PUBLIC))), "")
    except (SandtableError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _unseen(trial: Trial, log: Log, side: str) -> str:
    """Return the first record after which the view of ``side`` does not follow from its slice of ``log``, or ""."""
    prepared, name = trial.prepared, f"its log as {side} sees it"
    own = SideLog(parse_log(slice_log(log, prepared, side), name), prepared, side)
    view, course = prepared.ruleset.view, own.course()
    hint = "handlers rebuild it from the events that the side sees; ruleset_ui's fill_in adds what they lack"
    for record, state in fold_steps(read_records(log, prepared.ruleset), prepared):
        try:
            mine = view(course.state_at(record.n), side)
        except LogDamaged as error:
            return f"{error}: {hint}"
        if mine != (due := view(state, side)):
            return f"record {record.n}: the view of {side} does not follow from its slice: {parting(mine, due)}: {hint}"
    return ""


def log_of(trial: Trial, game: Game) -> bytes:
    """Return the bytes of the log of ``game``."""
    header = make_header(trial.prepared, dict.fromkeys(trial.ruleset.seats, "fuzz"), trial.dice())
    return log_bytes(header, game)[0]


def check_two_processes(bench: Harness) -> str:
    """Play the same games in new processes with different hash seeds: the records must be the same bytes."""
    numbers = [int(trial.played.seed.rpartition("/")[2]) for trial in bench.whole(MAX_GAMES)]
    seeds = HASH_SEEDS if bench.games >= MANY_GAMES else HASH_SEEDS[:2]
    with ThreadPoolExecutor(max_workers=2) as pool:
        first, *others = pool.map(lambda seed: _run(bench, numbers, seed), seeds)
    for other in others:
        for number, mine, its in zip(numbers, first, other, strict=True):
            if mine != its:
                pairs = enumerate(zip_longest(mine, its, fillvalue="null"), start=1)
                at, (one, two) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
                difference = parting(json.loads(one), json.loads(two))
                raise FaultError(
                    f"game {bench.seed}/{number}, record {at}: two processes write different logs from the same seed: "
                    f"{difference}. Does an order depend on a set, hash() or id()?"
                )
    return f"{len(numbers)} logs were the same bytes under PYTHONHASHSEED {', '.join(seeds)}"


def _run(bench: Harness, numbers: list[int], hash_seed: str) -> list[list[str]]:
    """Return the lines of the records of the games ``numbers``, played in a separate process."""
    module = bench.installed.module
    task = {
        "module": module.__name__,
        "file": module.__file__,
        "id": bench.installed.manifest.id,
        "numbers": numbers,
        "seed": bench.seed,
        "bound": bench.bound,
    }
    code = "from sandtable.testing.checks.logs import play_in_child; play_in_child()"
    done = subprocess.run(  # noqa: S603 - this Python interpreter, with code of this module
        [sys.executable, "-P", "-c", code, json.dumps(task)],
        env={**os.environ, **child_variables(), "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_SECONDS,
        check=False,
    )
    if done.returncode:
        raise FaultError(f"a separate process cannot play the ruleset: {done.stderr.strip()[-300:]}")
    lines: list[list[str]] = json.loads(done.stdout.splitlines()[-1])
    return lines


def _lines_of(installed: Installed, records: list[Any]) -> list[str]:
    """Return the lines of ``records`` without hashes, openings first; salts derive from 32 zero bytes."""
    written = LineForm(installed.prepare().ruleset, KeyedSalts(bytes(32))).encode(records)
    openings = [line.decode() for line in written.openings.values()]
    return openings + [(body + b"}").decode() for body in written.bodies]


def play_in_child() -> None:
    """Play the games named on the command line and print their records as one line of JSON; runs in a child process."""
    task = json.loads(sys.argv[1])
    installed = Installed(task["id"], _module(task["module"], task["file"]), "the contract suite")
    bench = Harness(installed, 0, task["seed"], task["bound"])
    lines = [_lines_of(installed, bench.play(number).records) for number in task["numbers"]]
    sys.stdout.write("\n" + json.dumps(lines) + "\n")


def _module(name: str, file: str) -> ModuleType:
    """Return the module ``name``, loaded from ``file`` if importing it finds another file."""
    try:
        module = import_module(name)
    except ImportError:
        pass
    else:
        if getattr(module, "__file__", None) == file:
            return module
    path = Path(file)
    within = [str(path.parent)] if path.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=within)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _digest(decision: Decision) -> str:
    return text_of(AnsweredQuestion(0, "/question", 1, decision))


def check_questions(bench: Harness) -> str:
    """Check that each decision has a unique label, and that a decision does not change after its order.

    An order names the decision that it answers by this label and a digest of its options. The digest is computed
    when the log is written. So options must not depend on lists that the rules change later.
    """
    asked = 0
    for trial in bench.whole(4):
        asked_now = [(turning, _digest(turning.decision)) for turning in trial.replay()]
        for turning, before in asked_now:
            if _digest(turning.decision) != before:
                raise FaultError(
                    f"{trial.name}: {turning.decision.seat}, at {turning.decision.prompt!r}: the options changed "
                    "after the order was given: do they share a list with the state? Copy it"
                )
        orders = [record for record in trial.records if isinstance(record, OrderRecord)]
        labels = Counter(label_of(record.asked) for record in orders)
        twice = next((label for label, number in labels.items() if number > 1), "")
        if twice:
            raise FaultError(f"{trial.name}: two decisions have the label {twice}")
        asked += len(orders)
    return f"{asked} decisions, each with a unique label"
