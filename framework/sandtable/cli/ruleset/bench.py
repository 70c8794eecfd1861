"""``sandtable bench``."""

import click

from sandtable.cli.output import say, show, show_json, table
from sandtable.cli.setting import Setting, pass_setting
from sandtable.errors import SandtableError


@click.command()
@click.argument("ruleset", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def bench(setting: Setting, ruleset: str | None, as_json: bool) -> None:
    """Measure play, fold and verify: of tic-tac-toe (the toy), and of RULESET or all that are installed.

    The ratios are of one run, the ways timed in turn: they hold where the figures drift. `ratio to bare loop`: a
    hand-written loop that makes the same log without the kernel is 1. `fold to play`: how many times faster than random
    play. `verify to play`: against play without bots' thinking. Below: what the board and the bots take by the clock.
    """
    from sandtable.cli.ruleset.timing import time_ruleset, time_toy  # noqa: PLC0415 - so that --help stays quick
    from sandtable.cli.ruleset.timing_players import time_board, time_players  # noqa: PLC0415

    loaded = [setting.rulesets.load(ruleset)] if ruleset else list(setting.rulesets.load_all().values())
    say("toy: tic-tac-toe ...")
    figures = {"toy": time_toy(), "board": time_board()}
    for installed in loaded:
        if isinstance(installed, SandtableError):
            say(f"broken: {installed}")
            continue
        say(f"{installed.manifest.id} ...")
        figures[installed.manifest.id] = time_ruleset(installed) | time_players(installed)
    if as_json:
        show_json(figures)
        return
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
    show()
    clocked = [
        (name, key.removesuffix(unit).replace("_", " "), f"{figure:,.1f} {unit[1:].replace('us', 'µs')}")
        for name, each in figures.items()
        for key, figure in each.items()
        for unit in ("_ms", "_us")
        if key.endswith(unit) and key != "game_ms"
    ]
    show(table(("of", "what", "takes"), clocked, right=(2,)))
