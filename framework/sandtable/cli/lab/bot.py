"""``sandtable bot check``."""

from importlib import import_module

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import count, picked, say, show, show_json, table
from sandtable.players.processes.checking import BotReport, try_bot
from sandtable.players.processes.limits import Limits, fence
from sandtable.plugin.manager import Installed, Prepared

PRACTICE = ("toy", "tictactoe")
"""What a bot is tried on when no ruleset is named: secrets, sealed orders and dice; and a plain game."""

TOLD = 12
"""So many of the last lines that a bot wrote to stderr are shown."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--ruleset", "rulesets", multiple=True, metavar="ID", help="Try it on this; repeat. Else on two small games."
)
@arguments.games(4, "Number of games of each ruleset.", most=10_000)
@arguments.seed("check")
@arguments.timeout(10, click.IntRange(1, 86_400), "Maximum time of a decision.")
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
    """Try COMMAND, a bot, before it enters a tournament: it plays against chance, fenced in as there.

    What is wrong is told with the game and the decision where it happened, and the end of what the bot wrote to stderr.
    Exit code: 0 it may enter, 1 it may not.
    """
    prepared = [context.rulesets.load(each).prepare() for each in rulesets] or _practice()
    names = ", ".join(each.ruleset.id for each in prepared)
    say(f"{' '.join(command)}: {count(games, 'game')} each of {names} ...")
    if not fence():
        say("no namespaces on this system: the bot is watched, not shut off from files, network and other processes")
    limits = Limits(seconds=timeout, memory_mb=memory)
    report = try_bot(command, prepared, games=games, limits=limits, seed=seed)
    if as_json:
        _tell_json(command, report)
    else:
        _tell(report)
    return 0 if report.ok else 1


def _practice() -> list[Prepared]:

    return [Installed(name, import_module(f"sandtable.testing.{name}"), "built in").prepare() for name in PRACTICE]


def _tell(report: BotReport) -> None:
    show(table(("", "it", "what was seen"), [(each.mark, each.what, each.seen) for each in report.findings]))
    last = report.trials[-1].tail.splitlines()[-TOLD:] if not report.ok else []
    if last:
        say("the end of its stderr:")
        for line in last:
            say(f"  {line[:160]}")
    say("it may enter" if report.ok else "it may not enter: fix the above, and try again")


def _tell_json(command: tuple[str, ...], report: BotReport) -> None:
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
