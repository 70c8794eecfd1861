"""``sandtable tournament``: run, resume, report, rerun, verify, export."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sandtable.cli.context import CliContext, cores, pass_setting
from sandtable.cli.output import count, say, show, show_file, show_json, table, width

if TYPE_CHECKING:
    from sandtable.lab.ratings.findings import Findings
    from sandtable.lab.tournament.preparing import Stage
    from sandtable.lab.tournament.store import Store

PAGE, LOGS, PLOTS = "report.html", "logs", "plots"
_TAKEN = "{}: exists already: name another file"
MANY_GAMES = 10_000
"""From so many games on, it is said beforehand how many there are: playing them takes hours."""

_workers = click.option(
    "--workers", type=click.IntRange(1, 256), metavar="N", help="Processes; otherwise one for each core."
)
_cluster = click.option("--cluster", default="", metavar="ADDRESS", help="A dask scheduler, as tcp://host:8786.")
_folder = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))


@click.group()
def tournament() -> None:
    """Play, repeat and check tournaments of bots, each from one file.

    A game follows from the manifest and its number alone: not from workers, order or clock.
    """


@tournament.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--out", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Its folder.")
@_workers
@_cluster
@pass_setting
def run(setting: CliContext, *, file: Path, folder: Path, workers: int | None, cluster: str) -> None:
    """Play the tournament of the manifest FILE, all that is missing of it in DIR."""
    from sandtable.lab.tournament.manifest import read_manifest  # noqa: PLC0415 - so that --help stays quick
    from sandtable.lab.tournament.preparing import set_stage  # noqa: PLC0415
    from sandtable.lab.tournament.store import Store  # noqa: PLC0415

    manifest = read_manifest(file)
    stage = set_stage(manifest.tournament, setting.rulesets, manifest.base, str(file), to_play=True)
    with Store.create(folder, manifest) as store:
        _play(setting, store, stage, workers, cluster)


@tournament.command()
@_folder
@_workers
@_cluster
@pass_setting
def resume(setting: CliContext, *, folder: Path, workers: int | None, cluster: str) -> None:
    """Go on with the tournament in DIR."""
    from sandtable.lab.tournament.store import Store  # noqa: PLC0415 - so that --help stays quick

    with Store.open(folder, to_write=True) as store:
        _play(setting, store, _stage(setting, store, to_play=True), workers, cluster)


def _stage(setting: CliContext, store: "Store", *, to_play: bool = False) -> "Stage":
    from sandtable.lab.tournament.preparing import set_stage  # noqa: PLC0415
    from sandtable.lab.tournament.running import noted_surroundings  # noqa: PLC0415 - so that --help stays quick

    manifest, noted = store.manifest, noted_surroundings(store)
    return set_stage(
        manifest.tournament, setting.rulesets, manifest.base, str(store.folder), to_play=to_play, noted=noted
    )


def _play(setting: CliContext, store: "Store", stage: "Stage", workers: int | None, cluster: str) -> None:
    from rich.console import Console  # noqa: PLC0415 - so that --help stays quick

    from sandtable.lab.ratings.results import COLUMNS, Tally  # noqa: PLC0415
    from sandtable.lab.reports.live import watch  # noqa: PLC0415
    from sandtable.lab.tournament.running import Runner, total_of, unsettled  # noqa: PLC0415
    from sandtable.players.processes.limits import fence  # noqa: PLC0415

    if any(each.command for each in stage.tournament.entrants) and not fence():
        say("no namespaces on this system: programs can read what this account can, the seed too (docs/bots.md)")
    tally = Tally(stage.tournament)
    later = unsettled(store, stage)  # the runner tells of them once it is sure that they count
    tally.add_stored(game for game in store.results(COLUMNS) if game[0] not in later)
    before, total = store.count(), total_of(stage)
    if total > MANY_GAMES:
        entrants = count(len(stage.tournament.entrants), "entrant")
        say(f"{entrants}, {count(total, 'game')} at most, {before:,} of them stored ...")
    with ExitStack() as leaving:
        seen = leaving.enter_context(watch(tally, total, Console(stderr=True)))
        plugins = setting.plugins_dir and str(Path(setting.plugins_dir).resolve())
        runner = Runner(store, stage, plugins, workers or cores(), cluster, seen)
        try:
            runner.run()
        except KeyboardInterrupt:
            leaving.close()
            say(f"{count(store.count(), 'game')} stored; go on with: sandtable tournament resume {store.folder}")
            raise
    there = f", {before:,} of them before" if before else ""
    say(f"{count(store.count(), 'game')} in {store.folder}{there}: sandtable tournament report {store.folder}")
    _show_tables(_findings(store))


def _findings(store: "Store") -> "Findings":
    from sandtable.lab.ratings.findings import findings  # noqa: PLC0415 - so that --help stays quick
    from sandtable.lab.ratings.results import COLUMNS, Tally  # noqa: PLC0415

    tally = Tally(store.manifest.tournament)
    tally.add_stored(store.results(COLUMNS))
    return findings(tally, store.annex())


def _show_tables(found: "Findings") -> None:
    from sandtable.lab.reports.tables import fitted, sheets  # noqa: PLC0415 - so that --help stays quick

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
        say("no game has been played yet: all figures are n/a")


@tournament.command()
@_folder
@click.option("--json", "form", flag_value="json", help="Print one JSON document.")
@click.option("--csv", "form", flag_value="csv", help="Print the standings as CSV.")
@click.option("--html", "form", flag_value="html", help=f"Write {PAGE} into DIR, with the logs that it links to.")
@click.option("--svg", "form", flag_value="svg", help=f"Write the plots into DIR/{PLOTS}, to be printed.")
@pass_setting
def report(setting: CliContext, *, folder: Path, form: str | None) -> None:
    """Show what the games in DIR tell, finished or not: as tables, or in another form."""
    from sandtable.lab.reports.export import as_csv  # noqa: PLC0415 - so that --help stays quick
    from sandtable.lab.tournament.store import Store  # noqa: PLC0415

    with Store.open(folder) as store:
        found = _findings(store)
        if form == "json":
            show_json(found)
        elif form == "csv":
            show_file(as_csv(found).encode())
        elif form == "html":
            _write_page(setting, store, found)
        elif form == "svg":
            _write_plots(store, found)
        else:
            _show_tables(found)


def _write_plots(store: "Store", found: "Findings") -> None:
    """Write each plot as a file."""
    from sandtable.files.writing import make_folder, write_whole  # noqa: PLC0415
    from sandtable.lab.reports.manifest_section import papers  # noqa: PLC0415 - so that --help stays quick

    folder = store.folder / PLOTS
    made = papers(found)
    make_folder(folder)
    for name, drawn in made.items():
        write_whole(folder / name, drawn.encode())
    say(f"{count(len(made), 'plot')} in {folder}")


def _write_page(setting: CliContext, store: "Store", found: "Findings") -> None:
    """Write the page, and of the games that are worth a look their logs, and pages of them."""
    from sandtable.errors import LogWriteFailed, SandtableError  # noqa: PLC0415
    from sandtable.files.writing import write_whole  # noqa: PLC0415
    from sandtable.lab.reports.page import as_html  # noqa: PLC0415 - so that --help stays quick

    links: dict[int, str] = {}
    try:
        stage = _stage(setting, store)
        for each in found.examples:
            log = _write_log(store, stage, each.game, store.folder / LOGS)
            links[each.game] = _to_look_at(setting, store.folder, log)
    except LogWriteFailed:
        raise
    except SandtableError as error:
        say(f"no links to logs: {error}")
    page = store.folder / PAGE
    write_whole(page, as_html(found, links.get).encode())
    say(f"{page}: written")


def _write_decisions(setting: CliContext, store: "Store", path: Path, workers: int | None) -> None:
    """Write a row for each decision of the stored games."""
    from sandtable.lab.datasets.decisions import all_decisions  # noqa: PLC0415 - so that --help stays quick
    from sandtable.lab.datasets.files import KINDS, decisions_file  # noqa: PLC0415

    if path.suffix not in KINDS:
        raise click.UsageError(f"{path}: a table of decisions is a {', '.join(KINDS)} file")
    store.refuse_own(path)
    if path.exists():
        raise click.UsageError(_TAKEN.format(path))
    with decisions_file(path) as table:
        plugins = setting.plugins_dir and str(Path(setting.plugins_dir).resolve())
        all_decisions(store, plugins, workers or cores(), table.put)
    say(f"{path}: {count(table.rows, 'decision')} of {count(store.count(), 'game')}")


def _write_log(store: "Store", stage: "Stage", number: int, folder: Path) -> str:
    """Write the log of a game into ``folder`` unless it is there; return its address as seen from the page."""
    from sandtable.files.writing import make_folder, write_whole  # noqa: PLC0415
    from sandtable.lab.tournament.rerun import stored_log  # noqa: PLC0415 - so that --help stays quick

    make_folder(folder)
    file = folder / f"{number:06d}.jsonl"
    if not file.exists():
        write_whole(file, stored_log(store, stage, number))
    return f"{folder.name}/{file.name}"


def _to_look_at(setting: CliContext, folder: Path, address: str) -> str:
    """Write the replay page of the log at ``address`` beside it; return its address, the log's where none is made."""
    from sandtable.cli.game.page import page_bytes  # noqa: PLC0415 - so that --help stays quick
    from sandtable.errors import SandtableError  # noqa: PLC0415
    from sandtable.files.writing import write_whole  # noqa: PLC0415

    log = folder / address
    try:
        page = page_bytes(setting, log.read_bytes(), str(log), "")
    except (SandtableError, click.UsageError) as error:
        say(f"{log}: no page: {error}")
        return address
    write_whole(log.with_suffix(".html"), page)
    return address.removesuffix(".jsonl") + ".html"


@tournament.command()
@_folder
@click.argument("game", type=click.IntRange(0))
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Write the new log there.")
@pass_setting
def rerun(setting: CliContext, *, folder: Path, game: int, out: Path | None) -> int:
    """Play GAME of DIR again, by its number in the report: it must come to the same log hash.

    Exit code: 0 it does, 1 it does not, 4 it does not, but the rules are others than it was played with.
    """
    from sandtable.errors import LogExists  # noqa: PLC0415
    from sandtable.files.writing import write_new  # noqa: PLC0415
    from sandtable.lab.tournament.rerun import play_again  # noqa: PLC0415 - so that --help stays quick
    from sandtable.lab.tournament.running import other_rules  # noqa: PLC0415
    from sandtable.lab.tournament.store import Store  # noqa: PLC0415

    if out is not None and out.exists():
        raise LogExists(_TAKEN.format(out))
    with Store.open(folder) as store:
        if out is not None:
            store.refuse_own(out)
        stage = _stage(setting, store, to_play=True)
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
        say("  a limit of seconds was reached: that depends on the machine; limits of decisions and nodes do not")
    return 0 if again.is_same else _no(bool(rules))


@tournament.command()
@_folder
@click.option("--sample", type=click.FloatRange(0, 100), default=100.0, show_default=True, metavar="PERCENT")
@pass_setting
def verify(setting: CliContext, *, folder: Path, sample: float) -> int:
    """Check the games in DIR: against the manifest, and by running their logs again, all or a random sample of them.

    Exit code: 0 all is right, 1 something is wrong, 4 something is, but other rules than they were played with may have
    done all of it.
    """
    import secrets  # noqa: PLC0415 - only here

    from sandtable.kernel.dice import Stream  # noqa: PLC0415
    from sandtable.lab.tournament.rerun import Wrong, wrong_games, wrong_with  # noqa: PLC0415 - --help stays quick
    from sandtable.lab.tournament.running import other_rules  # noqa: PLC0415
    from sandtable.lab.tournament.store import Store  # noqa: PLC0415

    with Store.open(folder) as store:
        stage = _stage(setting, store)
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
        show(f"by other rules: {problem.text}" if other and problem.by_rules else problem.text)
    excused = sum(problem.by_rules for problem in wrong) if other else 0
    if excused:
        say(f"{count(excused, 'game')} may come out otherwise by the other rules alone: that is no sign of tampering")
    if not numbers:
        say(f"{folder}: no game has been played yet: there is nothing to verify")
    elif not wrong:
        show(f"verified: {count(len(chosen), 'game')} of {len(numbers):,}")
    return _no(bool(other) and all(problem.by_rules for problem in wrong)) if wrong else 0


def _no(by_rules: bool) -> int:
    """Return the exit code of a no: 4 where other rules may have made it one."""
    return 4 if by_rules else 1


@tournament.command()
@_folder
@click.option("--logs", metavar="FOLDER", type=click.Path(path_type=Path), help="Write all logs there, a file each.")
@click.option(
    "--decisions",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a row for each decision instead: a .parquet, .csv or .jsonl file (docs/data.md).",
)
@_workers
@pass_setting
def export(
    setting: CliContext, *, folder: Path, logs: Path | None, decisions: Path | None, workers: int | None
) -> None:
    """Print every game of DIR as a line of JSON, by number; the logs too, if wanted, as whole files."""
    import msgspec  # noqa: PLC0415 - only here

    from sandtable.files.writing import claimed_folder  # noqa: PLC0415
    from sandtable.lab.tournament.store import Store  # noqa: PLC0415 - so that --help stays quick

    if decisions is not None and logs is not None:
        raise click.UsageError("--logs and --decisions are two things: ask for one after the other")
    with ExitStack() as leaving:
        store = leaving.enter_context(Store.open(folder))
        if decisions is not None:
            _write_decisions(setting, store, decisions, workers)
            return
        if logs is not None:
            store.refuse_own(logs)
            leaving.enter_context(claimed_folder(logs))
        for plan, row in store.games():
            line: dict[str, Any] = {**msgspec.to_builtins(plan), **msgspec.to_builtins(row)}
            show_json(line, indent=0)
        if logs is not None:
            stage = _stage(setting, store)
            for number in sorted(store.numbers()):
                _write_log(store, stage, number, logs)
            say(f"{count(store.count(), 'log')} in {logs}: sandtable verify {logs}/*.jsonl")
