"""``sandtable dispute adjudicate``."""

from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import names_of
from sandtable.cli.game.play import ended
from sandtable.cli.inputs import open_log
from sandtable.cli.output import say, show, show_json, table
from sandtable.journal.positions import game_at
from sandtable.players.playouts import playouts as play_on
from sandtable.players.playouts import standing
from sandtable.rules.chance.outcomes import wilson


@click.command()
@arguments.log
@arguments.at()
@arguments.playouts("Number of games that bots play on.", 100)
@click.option("--player", default="", metavar="NAME", help="The bot that plays on; otherwise the best of each seat.")
@arguments.seed("adjudicate")
@arguments.as_json
@pass_context
def adjudicate(
    context: CliContext, *, log: str, at: int | None, playouts: int, player: str, seed: str, as_json: bool
) -> None:
    """Tell how an unfinished game stands: by the ruleset's evaluation, and by K games that bots play on from it.

    Both are the opinion of machines: an interval says how sure the count is, not how well the bots play.
    """
    read, prepared = open_log(context, log, at)
    game = game_at(read, read.records if at is None else at, context.rulesets, goes_on=True)
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
