"""The command ``sandtable ruleset bench``."""

from collections.abc import Mapping
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.author.comparing import changes, read_figures, settled
from sandtable.cli.author.timing import time_ruleset, time_toy
from sandtable.cli.author.timing_players import time_board, time_games, time_players
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show, show_json, table
from sandtable.errors import SandtableError
from sandtable.plugin.manager import Installed
from sandtable.quoting import count


@click.command()
@click.argument("ruleset", required=False)
@click.option(
    "--compare",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Compare with the --json output of an earlier run.",
)
@arguments.as_json
@pass_context
def bench(context: CliContext, ruleset: str | None, compare: Path | None, as_json: bool) -> int:
    """Measure the speed of play, fold and verify.

    Figures are for tic-tac-toe (the toy), and for RULESET (default: all installed rulesets).

    The alternatives are timed in turn within one run, so the ratios hold even when the absolute figures drift. `ratio
    to bare loop` compares with a hand-written loop that makes the same log without the kernel (1: equally fast). `fold
    to play` is how many times faster a fold is than random play. `verify to play` compares verification with play by
    bots that do not think. The second table lists processor times of bot games, the board and single decisions.

    `--compare` compares costs with those of an earlier run. Costs are measured in games of the bare loop, so runs on
    other days and machines are comparable. Anything that seems slower is measured twice.

    Exit status: 0 nothing became slower, 1 something takes more than 5 % longer.
    """
    before = read_figures(compare) if compare else {}
    loaded = _loaded(context, ruleset)
    figures = {name: _measure(name, loaded) for name in ("toy", "board", *loaded)}
    if compare:
        figures = settled(before, figures, lambda of: _measure(of, loaded))
    found = list(changes(before, figures))
    slower = [change for change in found if change.verdict == "slower"]
    if as_json:
        show_json(figures)
    elif compare:
        rows = [
            (each.of, each.what, f"{each.then:,.4g}", f"{each.now:,.4g}", f"{each.ratio:.2f}", each.verdict)
            for each in found
        ]
        show(table(("of", "what", "before", "now", "now/before", ""), rows, right=(2, 3, 4)))
    else:
        _show_ratios(figures)
        show()
        _show_clock(figures)
    if compare:
        what = ", ".join(f"{each.of} {each.what} ({each.ratio:.2f})" for each in slower)
        say(f"slower than in {compare}: {what}" if slower else f"{count(len(found), 'cost')} compared, none is slower")
    return 1 if slower else 0


def _loaded(context: CliContext, ruleset: str | None) -> dict[str, Installed]:
    """Return RULESET, or all installed rulesets, by name. A broken ruleset is reported and left out."""
    if ruleset:
        return {ruleset: context.rulesets.load(ruleset)}
    sound = {}
    for name, installed in context.rulesets.load_all().items():
        if isinstance(installed, SandtableError):
            say(f"broken: {installed}")
        else:
            sound[name] = installed
    return sound


def _measure(name: str, loaded: Mapping[str, Installed]) -> Mapping[str, float]:
    """Return the figures of the toy, the board or a ruleset."""
    say(f"{name} ...")
    if name == "toy":
        return time_toy()
    if name == "board":
        return time_board()
    return time_ruleset(loaded[name]) | time_games(loaded[name]) | time_players(loaded[name])


def _show_ratios(figures: Mapping[str, Mapping[str, float]]) -> None:
    rows = [
        (
            name,
            f"{each['records_s']:,}",
            f"{each['games_s']:,}",
            f"{each['game_ms']:.2f}" if "game_ms" in each else f"{1000 / each['games_s']:.3f}",
            f"{each['fold_to_play']:.2f}",
            f"{each['verify_to_play']:.2f}",
            f"{each['ratio_to_bare_loop']:.2f}" if "ratio_to_bare_loop" in each else "",
        )
        for name, each in figures.items()
        if "records_s" in each
    ]
    headings = ("ruleset", "records/s", "games/s", "ms a game", "fold to play", "verify to play", "ratio to bare loop")
    show(table(headings, rows, right=range(1, 7)))


def _show_clock(figures: Mapping[str, Mapping[str, float]]) -> None:
    clocked = [
        (name, _words(key.removesuffix(unit)), f"{figure:,.1f} {unit[1:].replace('us', 'µs')}")
        for name, each in figures.items()
        for key, figure in each.items()
        for unit in ("_ms", "_us")
        if key.endswith(unit) and key != "game_ms"
    ]
    show(table(("of", "what", "takes"), clocked, right=(2,)))


def _words(key: str) -> str:
    return "a game of its best bots" if key == "bots" else key.replace("_", " ")
