"""The command ``sandtable ruleset regress``."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import progress, say, show, show_json, show_sentence, table
from sandtable.journal.other_rules.impact import SAME, UNREAD, Impact
from sandtable.journal.versions import check_folders
from sandtable.quoting import count
from sandtable.testing.games.regression import ImpactRun, by_rule, counted, try_all

FEW = 20
"""Number of games above which progress is shown."""


@click.command()
@arguments.logs
@click.option(
    "--with",
    "folder",
    default="",
    metavar="FOLDER",
    help="Use the rules in FOLDER, in a folder with the ruleset's name.",
)
@click.option(
    "--against",
    "version",
    default="",
    metavar="VERSION",
    help="Use this version, installed beside the current one: NAME@2.",
)
@click.option("--bots", is_flag=True, help="Let the log's bots continue when the recorded orders no longer fit.")
@click.option("--sums", is_flag=True, help="Print only the totals, not each game.")
@arguments.workers
@arguments.as_json
@pass_context
def regress(
    context: CliContext,
    *,
    logs: tuple[str, ...],
    folder: str,
    version: str,
    bots: bool,
    sums: bool,
    workers: int,
    as_json: bool,
) -> int:
    """Rerun the games in LOGS under the installed rules, or others, whatever version they were played with.

    Their orders are given again for as long as they fit. The result of a game is one of: the same; the same, with other
    options at a decision; a different record; a different decision; an illegal order; a different winner. The first
    difference is shown, and counted by its rule.

    Exit status: 0 all games are the same, 1 at least one differs, 4 at least one could not be run.
    """
    if folder and version:
        raise click.UsageError("--with and --against both choose the rules: use only one")
    if folder:
        check_folders([folder])
    there = str(Path(folder).resolve()) if folder else ""
    run = ImpactRun(context.plugins_path or "", there, version, bots)
    telling: AbstractContextManager[Callable[[int], None]] = nullcontext(lambda _: None)
    with progress(len(logs)) if len(logs) > FEW else telling as seen:
        found = try_all(logs, run, workers=workers, seen=seen)
    counts, rules = counted(found), by_rule(found)
    if as_json:
        show_json({"games": found, "verdicts": counts, "rules": rules})
    else:
        if not sums:
            _show_games(found)
        if rules:
            cells = [
                (
                    each.ruleset,
                    each.rule or "-",
                    each.games,
                    each.illegal,
                    each.winners,
                    f"{each.example} {each.record}",
                )
                for each in rules
            ]
            heads = ("ruleset", "rule", "games", "illegal orders", "different winners", "example")
            show(table(heads, cells, right=(2, 3, 4)))
        say(f"{count(len(found), 'game')}: {', '.join(f'{number:,} {name}' for name, number in counts.items())}")
    return 4 if UNREAD in counts else 0 if set(counts) == {SAME} else 1


def _show_games(found: list[Impact]) -> None:
    """Print a row for each game that differs, with its first difference."""
    for each in found:
        if each.verdict == SAME:
            continue
        text = each.problem or f"record {each.record}: {each.text}{f' ({each.rule})' if each.rule else ''}"
        if each.stop is not None and each.stop.text != each.text:
            rule = f" ({each.stop.rule})" if each.stop.rule else ""
            text += f"; record {each.stop.record}: {each.stop.text}{rule}"
        won = f": {each.now}, not {each.was}" if each.now and each.was and each.now != each.was else ""
        show_sentence(f"{each.log}: {each.verdict}{won}: {text}")
