"""``sandtable tournament``: run, resume, report, rerun, verify, export."""

import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show, show_file, show_json, table, width
from sandtable.cli.page.making import page_bytes
from sandtable.errors import LogExists, LogWriteFailed, SandtableError
from sandtable.files.folders import claimed_folder, folder_within
from sandtable.files.writing import write_new, write_whole
from sandtable.journal.file.reading import parse_log, read_bytes
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.endings import shares_of
from sandtable.lab.datasets.decisions import all_decisions
from sandtable.lab.datasets.files import KINDS, decisions_file
from sandtable.lab.ratings.findings import Findings, findings
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.reports.export import as_csv
from sandtable.lab.reports.live import watch
from sandtable.lab.reports.manifest_section import manifest_files
from sandtable.lab.reports.page import as_html
from sandtable.lab.reports.tables import fitted, sheets
from sandtable.lab.tournament.manifest import read_manifest
from sandtable.lab.tournament.preparing import ALLOW, Stage, set_stage
from sandtable.lab.tournament.rerun import Wrong, play_again, stored_log, wrong_games, wrong_with
from sandtable.lab.tournament.running import Runner, other_rules, total_of, undecided
from sandtable.lab.tournament.store import Store
from sandtable.players.processes.limits import fence
from sandtable.quoting import count

PAGE, LOGS, PLOTS = "report.html", "logs", "plots"
_TAKEN = "{}: already exists: name another file"
MANY_GAMES = 10_000
"""Number of games above which the total is printed before play, because it takes hours."""

_cluster = click.option("--cluster", default="", metavar="ADDRESS", help="A dask scheduler, as tcp://host:8786.")
_allow_code = click.option(
    ALLOW,
    is_flag=True,
    help="Import the Python classes that the tournament names, and run its programs without a sandbox.",
)
_folder = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@arguments.out("Folder of the tournament.", metavar="DIR", required=True, path=True)
@arguments.workers
@_cluster
@_allow_code
@pass_context
def run(context: CliContext, *, file: Path, out: Path, workers: int, cluster: str, allow_code: bool) -> None:
    """Play the games of the manifest FILE that are missing in DIR.

    With --allow-code, Python classes are imported from an installed package or the folder of FILE.
    """
    manifest = read_manifest(file)
    code = manifest.base if allow_code else None
    stage = set_stage(manifest.tournament, context.rulesets, manifest.base, str(file), to_play=True, code=code)
    with Store.create(out, manifest) as store:
        _play(context, store, stage, workers, cluster)


@click.command()
@_folder
@arguments.workers
@_cluster
@_allow_code
@pass_context
def resume(context: CliContext, *, folder: Path, workers: int, cluster: str, allow_code: bool) -> None:
    """Resume the tournament in DIR.

    With --allow-code, Python classes are imported from an installed package or the current folder.
    """
    with Store.open(folder, to_write=True) as store:
        _play(context, store, _stage_to_play(context, store, allow_code=allow_code), workers, cluster)


def _stage(context: CliContext, store: Store) -> Stage:
    """Return the stage for reading stored games; no bot is imported or started."""
    manifest, noted = store.manifest, store.surroundings()
    return set_stage(manifest.tournament, context.rulesets, manifest.base, str(store.folder), noted=noted)


def _stage_to_play(context: CliContext, store: Store, *, allow_code: bool) -> Stage:
    """Return the stage for playing. Allowed code comes from the current folder, not from one that the store names."""
    manifest, noted = store.manifest, store.surroundings()
    code = str(Path.cwd()) if allow_code else None
    return set_stage(
        manifest.tournament, context.rulesets, manifest.base, str(store.folder), to_play=True, code=code, noted=noted
    )


def _play(context: CliContext, store: Store, stage: Stage, workers: int, cluster: str) -> None:
    from rich.console import Console

    if any(each.command for each in stage.tournament.entrants) and not fence():
        say("no namespaces on this system: programs can read this account's files and the seed (docs/bots.md)")
    tally = Tally(stage.tournament)
    later = undecided(store, stage)  # the runner reports them once it is sure that they count
    tally.add_stored(game for game in store.results(COLUMNS) if game[0] not in later)
    before, total = store.count(), total_of(stage)
    if total > MANY_GAMES:
        entrants = count(len(stage.tournament.entrants), "entrant")
        say(f"{entrants}, {count(total, 'game')} at most, {before:,} of them stored ...")
    with ExitStack() as leaving:
        seen = leaving.enter_context(watch(tally, total, Console(stderr=True)))
        runner = Runner(store, stage, context.plugins_path, workers, cluster, seen)
        try:
            runner.run()
        except KeyboardInterrupt:
            leaving.close()
            say(f"{count(store.count(), 'game')} stored; resume with: sandtable tournament resume {store.folder}")
            raise
    there = f", {before:,} of them from earlier runs" if before else ""
    say(f"{count(store.count(), 'game')} in {store.folder}{there}: sandtable tournament report {store.folder}")
    _show_tables(_findings(store))


def _findings(store: Store) -> Findings:

    tally = Tally(store.manifest.tournament)
    tally.add_stored(store.results(COLUMNS))
    return findings(tally, store.annex())


def _show_tables(found: Findings) -> None:

    for place, sheet in enumerate(sheets(found)):
        if place:
            show("")
        say(f"{sheet.title}:")
        for number, part in enumerate(fitted(sheet, width())):
            if number:
                show("")
            show(table(part.headings, part.rows, right=part.right))
    for note in found.notes:
        say(note)
    if not found.games:
        say("no game has been played yet, so all figures are n/a")


@click.command()
@_folder
@click.option("--json", "form", flag_value="json", help="Print one JSON document.")
@click.option("--csv", "form", flag_value="csv", help="Print the standings as CSV.")
@click.option("--html", "form", flag_value="html", help=f"Write {PAGE} into DIR, with the logs it links to.")
@click.option("--svg", "form", flag_value="svg", help=f"Write printable plots into DIR/{PLOTS}.")
@pass_context
def report(context: CliContext, *, folder: Path, form: str | None) -> None:
    """Show the results of the games in DIR, finished or not."""
    with Store.open(folder) as store:
        found = _findings(store)
        if form == "json":
            show_json(found)
        elif form == "csv":
            show_file(as_csv(found).encode())
        elif form == "html":
            _write_page(context, store, found)
        elif form == "svg":
            _write_plots(store, found)
        else:
            _show_tables(found)


def _write_plots(store: Store, found: Findings) -> None:
    """Write each plot as a file."""
    made = manifest_files(found)
    folder = folder_within(store.folder, PLOTS)
    for name, drawn in made.items():
        write_whole(folder / name, drawn.encode())
    say(f"{count(len(made), 'plot')} in {folder}")


def _write_page(context: CliContext, store: Store, found: Findings) -> None:
    """Write the report page, and the logs and replay pages of the notable games."""
    links: dict[int, str] = {}
    try:
        stage = _stage(context, store)
        for each in found.examples:
            log = _write_log(store, stage, each.game, folder_within(store.folder, LOGS))
            links[each.game] = _write_replay_page(context, store.folder, log)
    except LogWriteFailed:
        raise
    except SandtableError as error:
        say(f"no links to logs: {error}")
    page = store.folder / PAGE
    write_whole(page, as_html(found, links.get).encode())
    say(f"{page}: written")


def _write_decisions(context: CliContext, store: Store, path: Path, workers: int) -> None:
    """Write a row for each decision of the stored games, except the umpire's. Raises UsageError for a wrong path."""
    if path.suffix not in KINDS:
        raise click.UsageError(f"{path}: a table of decisions must be a {', '.join(KINDS)} file")
    store.refuse_own(path)
    if path.exists():
        raise click.UsageError(_TAKEN.format(path))
    with decisions_file(path) as table:
        all_decisions(store, context.plugins_path, workers, table.put)
    say(f"{path}: {count(table.rows, 'decision')} of {count(store.count(), 'game')}")


def _write_log(store: Store, stage: Stage, number: int, folder: Path) -> str:
    """Write the log of a game into ``folder`` unless it is there; return its address relative to the page."""
    file = folder / f"{number:06d}.jsonl"
    if not file.exists():
        write_whole(file, stored_log(store, stage, number))
    return f"{folder.name}/{file.name}"


def _write_replay_page(context: CliContext, folder: Path, address: str) -> str:
    """Write a replay page next to the log at ``address``. Returns its address, or the log's if no page can be made."""
    log = folder / address
    try:
        page = page_bytes(context, parse_log(read_bytes(log, follow=False), str(log)), "")
    except (SandtableError, click.UsageError) as error:
        say(f"{log}: no page: {error}")
        return address
    write_whole(log.with_suffix(".html"), page)
    return address.removesuffix(".jsonl") + ".html"


@click.command()
@_folder
@click.argument("game", type=click.IntRange(0))
@arguments.out("Write the new log to this file.", path=True)
@_allow_code
@pass_context
def rerun(context: CliContext, *, folder: Path, game: int, out: Path | None, allow_code: bool) -> int:
    """Play GAME of DIR again and compare its log hash. GAME is its number in the report.

    With --allow-code, Python classes are imported from an installed package or the current folder.

    Exit status: 0 the hash is the same, 1 it differs, 4 it differs but the rules have changed since.
    """
    if out is not None and out.exists():
        raise LogExists(_TAKEN.format(out))
    with Store.open(folder) as store:
        if out is not None:
            store.refuse_own(out)
        stage = _stage_to_play(context, store, allow_code=allow_code)
        rules, other = other_rules(store, stage), other_rules(store, stage, bots=True)
        if other:
            say(f"{folder}: {other}")
        again = play_again(store, stage, game)
        fault = store.fault(game)
    if out is not None:
        try:
            write_new(out, again.now.log)
        except LogExists:  # since
            raise LogExists(_TAKEN.format(out)) from None
        say(f"{out}: written")
    by_rules = ", by other rules or bots" if other else ""
    show(f"{again.now.row.head}  game {game}: {'the same' if again.is_same else f'not the same{by_rules}'}")
    if fault is not None:
        say(f"  {fault.entrant} ({fault.side}) forfeited it: {fault.verdict}: {fault.reason}")
        for line in fault.tail.splitlines():
            say(f"    {line}")
    for each in again.differences:
        say(f"  {each}")
    if not again.is_same and "time" in {*again.then.verdicts.values(), *again.now.row.verdicts.values()}:
        say("  a time limit was reached, which depends on the machine; limits on decisions and nodes do not")
    return 0 if again.is_same else _no(bool(rules))


@click.command()
@_folder
@click.option("--sample", type=click.FloatRange(0, 100), default=100.0, show_default=True, metavar="PERCENT")
@pass_context
def verify(context: CliContext, *, folder: Path, sample: float) -> int:
    """Check the games in DIR against the manifest, and rerun all their logs or a random sample.

    Exit status: 0 all correct, 1 something is wrong, 4 something is wrong, but a change of the rules since may explain
    all of it.
    """
    with Store.open(folder) as store:
        stage = _stage(context, store)
        other = other_rules(store, stage)
        if other:
            say(f"{folder}: {other}")
        wrong = [Wrong(problem) for problem in wrong_games(store, stage)]
        numbers = sorted(store.numbers())
        chosen = numbers
        if sample < 100:
            most = min(len(numbers), max(1, round(len(numbers) * sample / 100)))
            chosen = Stream(secrets.token_bytes(32)).sample(numbers, most)
        wrong += [problem for number in chosen if (problem := wrong_with(store, stage, number))]
    for problem in wrong:
        show(f"under other rules: {problem.text}" if other and problem.by_rules else problem.text)
    excused = sum(problem.by_rules for problem in wrong) if other else 0
    if excused:
        say(f"{count(excused, 'game')} may differ only because the rules have changed: this is not a sign of tampering")
    if not numbers:
        say(f"{folder}: no game has been played yet; nothing to verify")
    elif not wrong:
        show(f"verified: {count(len(chosen), 'game')} of {len(numbers):,}")
    return _no(bool(other) and all(problem.by_rules for problem in wrong)) if wrong else 0


def _no(by_rules: bool) -> int:
    """Return the exit status of a failure: 4 if a change of the rules may explain it."""
    return 4 if by_rules else 1


@click.command()
@_folder
@click.option(
    "--logs", metavar="FOLDER", type=click.Path(path_type=Path), help="Write all logs into this folder, one file each."
)
@click.option(
    "--decisions",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a table of all decisions instead: .parquet, .csv or .jsonl (docs/data.md).",
)
@arguments.workers
@pass_context
def export(context: CliContext, *, folder: Path, logs: Path | None, decisions: Path | None, workers: int) -> None:
    """Print every game of DIR as a line of JSON, in order of number. With --logs, also write the logs."""
    if decisions is not None and logs is not None:
        raise click.UsageError("--logs and --decisions cannot be combined: use one at a time")
    with ExitStack() as leaving:
        store = leaving.enter_context(Store.open(folder))
        if decisions is not None:
            _write_decisions(context, store, decisions, workers)
            return
        if logs is not None:
            store.refuse_own(logs)
            leaving.enter_context(claimed_folder(logs))
        for plan, row in store.games():
            line: dict[str, Any] = {**msgspec.to_builtins(plan), **msgspec.to_builtins(row)}
            line["shares"] = shares_of(row.outcome, row.shares, list(plan.lineup))
            show_json(line, indent=0)
        if logs is not None:
            stage = _stage(context, store)
            for number in sorted(store.numbers()):
                _write_log(store, stage, number, logs)
            say(f"{count(store.count(), 'log')} in {logs}: sandtable verify {logs}/*.jsonl")
