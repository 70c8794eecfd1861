"""``sandtable tune``."""

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sandtable.cli.context import CliContext, cores, pairs, pass_setting, seed_or_fresh, usage_errors
from sandtable.cli.output import count, say, show, show_json, table

if TYPE_CHECKING:
    from sandtable.lab.tuning import TunedSetting, Tuning

_PARAM = re.compile(r"(\w+)=(-?\d{1,15}):(-?\d{1,15})(?::(-?\d{1,15}))?")


@click.command()
@click.argument("ruleset")
@click.argument("bot")
@click.option("--param", "params", multiple=True, metavar="NAME=LOW:HIGH[:START]", help="A setting to tune; repeat.")
@click.option("--out", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Its folder.")
@click.option("--rounds", type=click.IntRange(1, 9_999), default=40, show_default=True, metavar="N")
@click.option("--games", type=click.IntRange(2, 10_000), default=20, show_default=True, metavar="N", help="Of a round.")
@click.option("--final", type=click.IntRange(2, 1_000_000), default=400, show_default=True, help="Games of the test.")
@click.option("--scenario", default="", metavar="S", help="A scenario's id, or your own .toml file.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A rule or ruling to choose; repeat.")
@click.option("--seed", metavar="TEXT", help="Where all chance comes from; a fresh one is shown.")
@click.option("--workers", type=click.IntRange(1, 256), metavar="W", help="Processes; otherwise one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def tune(
    setting: CliContext,
    *,
    ruleset: str,
    bot: str,
    params: tuple[str, ...],
    folder: Path,
    rounds: int,
    games: int,
    final: int,
    scenario: str,
    options: tuple[str, ...],
    seed: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Find better settings of BOT, whole numbers such as the nodes of a search, by games of it against itself.

    In each round (SPSA) all settings are moved at once, and BOT plays itself with the opposite moves, in pairs of games
    with the same dice. The mean of the later half of the rounds is tested against the settings it began with.
    Every round is a tournament in DIR; the same command with the same --seed goes on after an interruption. The result
    does not depend on the number of workers.
    """
    from sandtable.lab.tuning import TuningPlan, check_bot, tune  # noqa: PLC0415 - so that --help stays quick

    settings = tuple(map(_setting, params))
    if games % 2 or final % 2:
        raise click.UsageError("games come in pairs: --games and --final want even numbers")
    seed, fresh = seed_or_fresh(seed)
    if fresh:
        say(f"seed: {seed}")
    told = pairs(options, "--option")
    plan = TuningPlan(ruleset, bot, settings, seed, rounds, games, final, scenario, told)
    with usage_errors():
        check_bot(plan, setting.rulesets)
    plugins = setting.plugins_dir and str(Path(setting.plugins_dir).resolve())
    found = tune(
        plan,
        setting.rulesets,
        folder,
        workers=workers or cores(),
        plugins_dir=plugins,
        seen=lambda each: say(
            f"round {each.number}: {_words(each.plus)} scored {each.score:.1%}; now {_words(each.mean)}"
        ),
    )
    if as_json:
        show_json(found)
        return
    _show(found)
    if found.test and found.test.test and not found.test.test.accepted:
        say(f"the same command with --final {2 * final} tests it for longer, and plays no round again")
    last = plan.test if found.test else f"{len(found.rounds):04d}"
    rounds_played = count(len(found.rounds), "round")
    say(f"{rounds_played} in {folder}: sandtable tournament report {shlex.quote(str(folder / last))}")


def _setting(text: str) -> "TunedSetting":
    from sandtable.lab.tuning import TunedSetting  # noqa: PLC0415 - so that --help stays quick

    match = _PARAM.fullmatch(text)
    if match is None:
        raise click.UsageError(f"--param wants NAME=LOW:HIGH or NAME=LOW:HIGH:START, whole numbers; this is {text!r}")
    name, low, high = match[1], int(match[2]), int(match[3])
    start = int(match[4]) if match[4] else (low + high) // 2
    if not low <= start <= high or low == high:
        raise click.UsageError(f"--param {text}: from {low} to {high}, beginning at {start}, is no range")
    return TunedSetting(name, low, high, start)


def _words(settings: dict[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


def _show(found: "Tuning") -> None:
    rows = [(name, found.start[name], value) for name, value in found.found.items()]
    show(table(("setting", "began at", "found"), rows, right=(1, 2)))
    met = found.test
    if met is None:
        say("nothing was found that is other than what it began with")
        return
    verdict = met.test.accepted if met.test else ""
    said = {"elo1": "stronger", "elo0": "not stronger", "": "not decided"}[verdict]
    say(
        f"what was found against what it began with: {met.score:.1%} of {count(met.games, 'game')}, "
        f"95 %: {met.low:.1%} to {met.high:.1%}; by the sequential test {said}"
    )
