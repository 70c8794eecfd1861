"""The command ``sandtable match``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.inputs import pairs, prepare, seed_or_fresh
from sandtable.cli.output import picked, progress, say, show, show_json, table
from sandtable.errors import LogExists
from sandtable.lab.matches.bidding import Bid, find_bid
from sandtable.lab.matches.games import MatchPlan, check_players
from sandtable.lab.matches.match import MatchResult, run_match
from sandtable.players.players import HUMAN
from sandtable.quoting import count


@click.command()
@arguments.ruleset
@click.option(
    "--player", "players", multiple=True, metavar="NAME", help="A bot, by name or module:Class (repeat for each)."
)
@arguments.games(100)
@arguments.scenario
@arguments.options
@arguments.seed()
@arguments.workers
@arguments.out("Folder for the logs.", metavar="DIR")
@click.option("--bid", is_flag=True, help="Find the bid that balances the scenario; one player is enough.")
@arguments.as_json
@pass_context
def match(
    context: CliContext,
    *,
    ruleset: str,
    players: tuple[str, ...],
    games: int,
    scenario: str,
    options: tuple[str, ...],
    seed: str | None,
    workers: int,
    out: str | None,
    bid: bool,
    as_json: bool,
) -> None:
    """Play N games between two players, in pairs with the same dice and the sides swapped.

    With more than two sides, each of two players is alone on every side once, and the other plays all the rest: 2N
    games in a set. Or give one player for each side (a name may be given again); each has every side once in a set.

    The result does not depend on the number of workers. Pair or set 7 of the seed TEXT has the seed TEXT/7. For
    ratings, or games that may be interrupted, use `sandtable tournament`.

    With --bid, one player plays all sides, N games for each bid that is tried. The result is the bid with which the
    weakest side wins an equal share of the games. `sandtable ruleset show RULESET` lists the options that are bids.
    """
    if bid and len(players) == 1:
        players *= 2
    if bid and (out is not None or players[:1] * 2 != players):
        raise click.UsageError("--bid requires one player, who plays all sides; omit --out, because it keeps no logs")
    if len(players) < 2:
        raise click.UsageError(f"--player must be given twice, for two players, not {len(players)} times")
    if HUMAN in players:
        raise click.UsageError("a match is for bots: use `sandtable play` for people")
    prepared = prepare(context.rulesets.load(ruleset), scenario, options)
    with usage_errors():
        check_players(prepared, players)
    seed = seed_or_fresh(seed)
    plan = MatchPlan(
        ruleset=ruleset,
        players=players,
        games=games,
        seed=seed,
        scenario=scenario,
        options=pairs(options, "--option"),
        plugins_dir=context.plugins_dir,
        out=out,
    )
    if bid:
        with progress(0) as seen:
            found = find_bid(plan, context.rulesets, workers=workers, seen=seen)
        _show_bid(found, as_json=as_json)
        return
    with progress(games) as seen, _reporting_logs(out):
        result = run_match(plan, context.rulesets, workers=workers, seen=seen)
    _report(result, as_json=as_json)


@contextmanager
def _reporting_logs(out: str | None) -> Iterator[None]:
    """If a match fails or is interrupted, print where its logs are."""
    try:
        yield
    except LogExists:
        raise
    except BaseException:
        if out is not None and any(Path(out).glob("*.jsonl")):
            say(f"the logs written so far are kept: sandtable verify {out}/*.jsonl")
        raise


def _report(result: MatchResult, *, as_json: bool) -> None:
    scores = result.scores
    if as_json:
        show_json(
            {
                "players": [
                    picked(each, "name score games") | dict(zip(("low", "high"), each.interval, strict=True))
                    for each in scores
                ],
                "games": len(result.results),
                "sides": result.shares,
                "endings": result.endings,
                **({} if result.margin is None else {"margin": result.margin}),
            }
        )
        return
    rows = [
        (
            each.name,
            f"{each.points:g}",
            each.games,
            f"{each.score:.1%}",
            f"{each.interval[0]:.1%} to {each.interval[1]:.1%}",
        )
        for each in scores
    ]
    show(table(("player", "points", "games", "score", "95 % interval"), rows, right=(1, 2, 3)))
    show("")
    _show_sides(result)
    show("")
    if result.margin is not None:
        say(f"{result.plan.players[0]} is {result.margin:+,} points ahead")
    endings = [(ending.replace("_", " "), number) for ending, number in result.endings.items()]
    show(table(("ending", "games"), endings, right=(1,), total=("all", len(result.results))))
    _show_strength(result)
    if result.plan.out is not None:
        say(f"{count(len(result.results), 'log')} in {result.plan.out}: sandtable verify {result.plan.out}/*.jsonl")


def _show_sides(result: MatchResult) -> None:
    """Show the games that each side won and, if wins do not say it all, its share of the points."""
    if len(result.sides) == 2 and not any(game.shares for game in result.results):
        show(table(("won by", "games"), list(result.won_by_side.items()), right=(1,)))
        return
    shares = {side: f"{share:.1%}" for side, share in result.shares.items()}
    rows = [(side, number, shares.get(side, "")) for side, number in result.won_by_side.items()]
    show(table(("won by", "games", "share"), rows, right=(1, 2)))
    if len(result.sides) > 2:
        say(f"a score is points for each side that was played; an equal share is {1 / len(result.sides):.1%}")


def _show_strength(result: MatchResult) -> None:
    names = list(dict.fromkeys(result.plan.players))
    if len(names) == 1:
        say("all players are the same: ignore the score; see the wins by side")
        return
    if len(names) > 2:
        say("Elo: run a tournament, which rates more than two players")
        return
    first, second = names
    strength = result.strength
    if strength is None:
        say("Elo difference: n/a (too few pairs, or all results equal)")
        return
    say(
        f"Elo difference of {first} to {second}: {strength.elo:+.0f} "
        f"(95 %: {strength.elo_low:+.0f} to {strength.elo_high:+.0f}); "
        f"{first} is the stronger with a likelihood of {strength.superiority:.1%}"
    )


def _show_bid(found: Bid, *, as_json: bool) -> None:
    if as_json:
        tried = [
            picked(each, "bid share games") | dict(zip(("low", "high"), each.interval, strict=True))
            for each in found.tried
        ]
        even = None if found.found is None else found.found.bid
        show_json({"side": found.side, "option": found.option, "bid": even, "tried": tried})
        return
    rows = [
        (each.bid, f"{each.share:.1%}", each.games, f"{each.interval[0]:.1%} to {each.interval[1]:.1%}")
        for each in sorted(found.tried, key=lambda each: each.bid)
    ]
    show(table(("bid", f"score of the {found.side}", "games", "95 % interval"), rows, right=(0, 1, 2)))
    fair = "half" if found.fair == 0.5 else f"{found.fair:.1%}"
    if found.found is None:
        say(f"no bid of up to {found.tried[-1].bid} gives the {found.side} {fair} of the points")
    elif found.found.bid == 0:
        say("these games show no need for a bid")
    else:
        setting = f"--option {found.option}={found.found.bid}"
        say(f"{found.found.bid} gives the {found.side} {fair} of the points: play with {setting}")
