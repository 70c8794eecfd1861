"""The command ``sandtable bot tune``."""

import re
import shlex
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.inputs import pairs, seed_or_fresh
from sandtable.cli.output import say, show, show_json, table
from sandtable.lab.tuning import TunedSetting, Tuning, TuningPlan, check_bot
from sandtable.lab.tuning import tune as run_tuning
from sandtable.quoting import count

_PARAM = re.compile(r"(\w+)=(-?\d{1,15}):(-?\d{1,15})(?::(-?\d{1,15}))?")


@click.command()
@arguments.ruleset
@click.argument("bot")
@click.option(
    "--param", "params", multiple=True, metavar="NAME=LOW:HIGH[:START]", help="A setting to tune (repeatable)."
)
@arguments.out("Folder for the rounds.", metavar="DIR", required=True, path=True)
@click.option("--rounds", type=click.IntRange(1, 9_999), default=40, show_default=True, metavar="N")
@arguments.games(20, "Number of games in each round.", least=2, most=10_000)
@click.option(
    "--test-games",
    type=click.IntRange(2, 1_000_000),
    default=400,
    show_default=True,
    metavar="N",
    help="Number of games in the final test.",
)
@arguments.scenario
@arguments.options
@arguments.seed()
@arguments.workers
@arguments.as_json
@pass_context
def tune(
    context: CliContext,
    *,
    ruleset: str,
    bot: str,
    params: tuple[str, ...],
    out: Path,
    rounds: int,
    games: int,
    test_games: int,
    scenario: str,
    options: tuple[str, ...],
    seed: str | None,
    workers: int,
    as_json: bool,
) -> None:
    """Find better integer settings of BOT, such as the nodes of a search, by games against itself.

    In each round (SPSA) all settings are moved at once, and BOT plays itself with the opposite moves, in pairs of games
    with the same dice. The mean of the later half of the rounds is tested against the initial settings.

    Every round is a tournament in DIR. After an interruption, the same command with the same --seed resumes. The result
    does not depend on the number of workers.
    """
    settings = tuple(map(_setting, params))
    if games % 2 or test_games % 2:
        raise click.UsageError("games are played in pairs: --games and --test-games must be even")
    seed = seed_or_fresh(seed)
    rule_options = pairs(options, "--option")
    plan = TuningPlan(ruleset, bot, settings, seed, rounds, games, test_games, scenario, rule_options)
    with usage_errors():
        check_bot(plan, context.rulesets)
    found = run_tuning(
        plan,
        context.rulesets,
        out,
        workers=workers,
        plugins_dir=context.plugins_path,
        seen=lambda each: say(
            f"round {each.number}: {_words(each.plus)} scored {each.score:.1%}; now {_words(each.mean)}"
        ),
    )
    if as_json:
        show_json(found)
        return
    _show(found)
    if found.test and found.test.test and not found.test.test.accepted:
        say(f"the same command with --test-games {2 * test_games} tests longer without repeating a round")
    last = plan.test if found.test else f"{len(found.rounds):04d}"
    rounds_played = count(len(found.rounds), "round")
    say(f"{rounds_played} in {out}: sandtable tournament report {shlex.quote(str(out / last))}")


def _setting(text: str) -> TunedSetting:

    match = _PARAM.fullmatch(text)
    if match is None:
        raise click.UsageError(f"--param must be NAME=LOW:HIGH or NAME=LOW:HIGH:START with integers, not {text!r}")
    name, low, high = match[1], int(match[2]), int(match[3])
    start = int(match[4]) if match[4] else (low + high) // 2
    if not low <= start <= high or low == high:
        raise click.UsageError(f"--param {text}: {low} to {high}, starting at {start}, is not a valid range")
    return TunedSetting(name, low, high, start)


def _words(settings: dict[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


def _show(found: Tuning) -> None:
    rows = [(name, found.start[name], value) for name, value in found.found.items()]
    show(table(("context", "initial", "found"), rows, right=(1, 2)))
    met = found.test
    if met is None:
        say("no better settings were found")
        return
    verdict = met.test.accepted if met.test else ""
    verdict_words = {"elo1": "stronger", "elo0": "not stronger", "": "undecided"}[verdict]
    say(
        f"found settings against the initial ones: {met.score:.1%} of {count(met.games, 'game')}, "
        f"95 %: {met.low:.1%} to {met.high:.1%}; sequential test: {verdict_words}"
    )
