"""``sandtable adjudicate``."""

from typing import Any

import click

from sandtable.cli.context import CliContext, check_record, pass_setting, say_doubts
from sandtable.cli.output import say, show, show_json, table


@click.command()
@click.argument("log", type=click.Path())
@click.option("--at", "number", type=click.IntRange(1), metavar="N", help="After record N; otherwise at the log's end.")
@click.option("--playouts", type=click.IntRange(1, 100_000), default=100, show_default=True, metavar="K")
@click.option("--player", default="", metavar="NAME", help="The bot that plays on; otherwise the best of each seat.")
@click.option("--seed", default="adjudicate", show_default=True, metavar="TEXT", help="Where all chance comes from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def adjudicate(
    setting: CliContext, *, log: str, number: int | None, playouts: int, player: str, seed: str, as_json: bool
) -> None:
    """Tell how an unfinished game stands: by the ruleset's evaluation, and by K games that bots play on from it.

    Both are the opinion of machines: an interval says how sure the count is, not how well the bots play.
    """
    from sandtable.cli.desk.branches import names_of  # noqa: PLC0415
    from sandtable.cli.game.play import ended  # noqa: PLC0415
    from sandtable.journal.file.log import read_log  # noqa: PLC0415
    from sandtable.journal.fold import prepare_for  # noqa: PLC0415
    from sandtable.journal.positions import game_at  # noqa: PLC0415
    from sandtable.players.playouts import playouts as play_on  # noqa: PLC0415 - so that --help stays quick
    from sandtable.players.playouts import standing  # noqa: PLC0415
    from sandtable.rules.chance.outcomes import wilson  # noqa: PLC0415

    read = read_log(log)
    check_record(read.records, number, "--at")
    prepared = prepare_for(read, setting.rulesets)
    say_doubts(read, prepared)
    game = game_at(read, read.records if number is None else number, setting.rulesets, goes_on=True)
    if game.is_over:
        show(ended(game.state))
        return
    won = play_on(game, prepared, names_of(prepared, player), playouts, seed)
    shares = standing(game, prepared)
    rows: list[dict[str, Any]] = []
    for side in (*prepared.ruleset.viewers, "draw"):
        low, high = wilson(won[side], playouts) or (0.0, 1.0)
        rows.append({"side": side, "won": won[side], "low": low, "high": high, "evaluation": shares.get(side)})
    if as_json:
        show_json({"turn": game.state.turn, "phase": game.state.phase, "games": playouts, "rows": rows})
        return
    say(f"after record {game.number}, turn {game.state.turn}, {game.state.phase or 'between phases'}")
    cells = [
        (
            each["side"],
            f"{each['won'] / playouts:.0%}",
            f"{each['low']:.0%} to {each['high']:.0%}",
            "" if each["evaluation"] is None else f"{each['evaluation'] / 10:.1f} %",
        )
        for each in rows
    ]
    show(table(("side", f"won of {playouts}", "95 % interval", "evaluation"), cells, right=(1, 3)))
