"""The command ``sandtable bot check``."""

from importlib import import_module

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import picked, say, show, show_json, table
from sandtable.players.processes.checking import BotReport, try_bot
from sandtable.players.processes.limits import Limits, fence
from sandtable.plugin.manager import Installed, Prepared
from sandtable.quoting import count

PRACTICE = ("toy", "tictactoe")
"""The games to try a bot on if no ruleset is named: one with secrets, sealed orders and dice, and a plain one."""

STDERR_LINES = 12
"""Maximum number of lines shown from the end of the bot's stderr."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--ruleset",
    "rulesets",
    multiple=True,
    metavar="ID",
    help="Try the bot on this ruleset (repeatable; default: two small games).",
)
@arguments.games(4, "Number of games of each ruleset.", most=10_000)
@arguments.seed("check")
@arguments.timeout(10, click.IntRange(1, 86_400), "Maximum time for a decision.")
@click.option("--memory", type=click.IntRange(16, 1 << 20), default=1024, show_default=True, metavar="MB")
@arguments.as_json
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@pass_context
def check(
    context: CliContext,
    *,
    rulesets: tuple[str, ...],
    games: int,
    seed: str,
    timeout: int,
    memory: int,
    as_json: bool,
    command: tuple[str, ...],
) -> int:
    """Check COMMAND, a bot, before it enters a tournament.

    The bot plays against random play, with the same restrictions as in a tournament. Problems are reported with the
    game and the decision, and with the end of the bot's stderr.

    Exit status: 0 the bot may enter, 1 it may not.
    """
    prepared = [context.rulesets.load(each).prepare() for each in rulesets] or _practice()
    names = ", ".join(each.ruleset.id for each in prepared)
    say(f"{' '.join(command)}: {count(games, 'game')} each of {names} ...")
    if not fence():
        say("no namespaces on this system: the bot is not isolated from files, network and other processes")
    limits = Limits(seconds=timeout, memory_mb=memory)
    report = try_bot(command, prepared, games=games, limits=limits, seed=seed)
    if as_json:
        _show_json(command, report)
    else:
        _show(report)
    return 0 if report.ok else 1


def _practice() -> list[Prepared]:

    return [Installed(name, import_module(f"sandtable.testing.{name}"), "built in").prepare() for name in PRACTICE]


def _show(report: BotReport) -> None:
    show(table(("", "check", "result"), [(each.mark, each.what, each.seen) for each in report.findings]))
    last = report.trials[-1].tail.splitlines()[-STDERR_LINES:] if not report.ok else []
    if last:
        say("the end of its stderr:")
        for line in last:
            say(f"  {line[:160]}")
    say("the bot may enter" if report.ok else "the bot may not enter: fix the problem above, and try again")


def _show_json(command: tuple[str, ...], report: BotReport) -> None:
    last = report.trials[-1]
    show_json(
        {
            "command": list(command),
            "ok": report.ok,
            "verdict": last.verdict,
            "findings": [picked(each, "mark what seen") for each in report.findings],
            "games": [
                picked(each, "ruleset side seed verdict")
                | picked(each.played, "outcome ending")
                | {"decisions": each.decisions, "slowest_ms": round(1000 * each.slowest), "memory_kb": each.memory_kb}
                for each in report.trials
            ],
            "stderr": "" if report.ok else last.tail[-4000:],
        }
    )
