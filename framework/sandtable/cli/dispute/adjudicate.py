"""The command ``sandtable dispute adjudicate``."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import names_of
from sandtable.cli.game.ending import end_log, reason, shares, signs, thousandths
from sandtable.cli.game.play import ended
from sandtable.cli.inputs import open_log
from sandtable.cli.output import say, show, show_json, table
from sandtable.journal.positions import game_at
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.endings import abandonment, adjudication
from sandtable.players.playouts import PlayoutResults, standing
from sandtable.players.playouts import playouts as play_on
from sandtable.players.umpires import has_battles
from sandtable.quoting import count
from sandtable.rules.chance.outcomes import wilson


@click.command()
@arguments.log
@arguments.at()
@arguments.playouts("Number of games that bots play to the end.", 100)
@click.option("--player", default="", metavar="NAME", help="Bot for the playouts (default: the best for each seat).")
@arguments.seed("adjudicate")
@click.option("--end", metavar="SIDE|draw", help="End the game with this outcome, as its umpire; needs --reason.")
@click.option("--left", multiple=True, metavar="SIDE", help="With --end: a side that abandoned the game (repeatable).")
@shares
@reason
@signs
@arguments.dice_key
@arguments.as_json
@pass_context
def adjudicate(
    context: CliContext,
    *,
    log: str,
    at: int | None,
    playouts: int,
    player: str,
    seed: str,
    end: str | None,
    left: Sequence[str],
    shares: Sequence[str],
    reason: str,
    signs: Sequence[str],
    key: str | None,
    as_json: bool,
) -> None:
    """Estimate the result of an unfinished game, or end it by the umpire's decision.

    Bots play K games to the end, and the ruleset evaluates the position. The position is that of the first decision
    after record N. Trust the playouts before the evaluation, which is an estimate without further play. The interval is
    the statistical uncertainty of the count; it says nothing about how well the bots play.

    With --end, nothing is estimated: the game ends with that outcome and the log is closed. With --left, it ends
    because those sides abandoned it; they gain nothing. If the header names the umpire's key, sign with it.
    """
    if end is not None:
        given = thousandths(shares)
        end_log(
            context,
            log,
            lambda resumed: (
                abandonment(resumed.game.number + 1, end, left, reason, given)
                if left
                else adjudication(resumed.game.number + 1, end, reason, given)
            ),
            signs=signs,
            key=key,
        )
        return
    if left or shares or reason or signs or key:
        raise click.UsageError("--left, --share, --reason, --sign and --key belong to --end")
    _estimate(context, log, at, playouts, player, seed, as_json=as_json)


def _estimate(
    context: CliContext, log: str, at: int | None, playouts: int, player: str, seed: str, *, as_json: bool
) -> None:
    read, prepared = open_log(context, log, at)
    requested = read.records if at is None else at
    game = game_at(read, requested, context.rulesets, goes_on=True)
    if game.is_over:
        show(ended(game.state))
        return
    names = names_of(prepared, player)
    results = play_on(game, prepared, names, playouts, seed)
    rows = list(_rows(results, playouts, standing(game, prepared)))
    if as_json:
        where = {"asked": requested, "record": game.number, "turn": game.state.turn, "phase": game.state.phase}
        show_json(where | {"games": playouts, "bots": names, "rows": rows})
        return
    reason = (
        "" if game.number == requested else f" (no decision is pending after record {requested}; this is the next one)"
    )
    say(f"after record {game.number}, turn {game.state.turn}, {game.state.phase or 'between phases'}{reason}")
    _show_rows(rows, playouts)
    seated = [seat for seat in names if seat != UMPIRE or has_battles(prepared)]
    bots = ", ".join(f"{seat}: {names[seat]}" for seat in seated)
    say(f"won: of {count(playouts, 'playout')}, played to the end by the rules, with bots ({bots})")
    say(_judgment(prepared.ruleset.viewers, rows))


def _show_rows(rows: Sequence[Mapping[str, Any]], playouts: int) -> None:
    has_shares = any("share" in each for each in rows)
    cells = []
    for each in rows:
        rated = "" if each["evaluation"] is None else f"{each['evaluation'] / 10:.1f} %"
        share = (f"{each['share']:.1%}" if "share" in each else "",) if has_shares else ()
        reach = f"{each['low']:.0%} to {each['high']:.0%}"
        cells.append((each["side"], f"{each['won'] / playouts:.0%}", *share, reach, rated))
    heads = ("side", f"won of {playouts}", *(("share",) if has_shares else ()), "95 % interval", "evaluation")
    show(table(heads, cells, right=(1, 2, 4) if has_shares else (1, 3)))


def _rows(results: PlayoutResults, games: int, rated: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """Yield a row for each side and for a draw."""
    many = len(results.points) > 2
    for side in (*results.points, "draw"):
        points = results.points[side] if many and side in results.points else None
        yield _row(side, results.won[side], games, rated, points)


def _row(side: str, won: int, games: int, rated: Mapping[str, int], points: Fraction | None = None) -> dict[str, Any]:
    """Return the results of a side. With ``points`` the interval is that of its share, and otherwise of its wins."""
    low, high = wilson(won if points is None else float(points), games) or (0.0, 1.0)
    share = {} if points is None else {"share": float(points / games)}
    return {"side": side, "won": won, **share, "low": low, "high": high, "evaluation": rated.get(side)}


def _judgment(sides: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the conclusion from the playouts, and whether the evaluation agrees with it.

    A side is ahead in the playouts if its interval lies above that of every other side: of its wins or, with more than
    two sides, of its share.
    """
    found = [each for each in rows if each["side"] in sides]
    best = max(found, key=lambda each: each.get("share", each["won"]))
    ahead = all(each["high"] < best["low"] for each in found if each is not best)
    result = f"the playouts favor {best['side']}" if ahead else "the playouts favor no side: their intervals overlap"
    rated = [each for each in found if each["evaluation"] is not None]
    if not rated:
        return f"{result}; the ruleset has no evaluation"
    liked = max(rated, key=lambda each: each["evaluation"])["side"]
    what = "the evaluation, which estimates without playing the game to its end,"
    if ahead and liked != best["side"]:
        return f"{result}; {what} favors {liked}: trust the playouts"
    more = "" if ahead else "; more --playouts narrow them"
    return f"{result}{more}; {what} favors {liked}"
