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
@click.option("--player", "players", multiple=True, metavar="NAME", help="A bot, by name or module:Class; give two.")
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

    The result does not depend on the number of workers. Pair 7 of the seed TEXT has the seed TEXT/7. For more players,
    or games that may be interrupted, use `sandtable tournament`.

    With --bid, one player plays both sides, N games for each bid that is tried. The result is the bid with which the
    weaker side wins half the games. `sandtable ruleset show RULESET` lists the options that are bids.
    """
    if bid and len(players) == 1:
        players *= 2
    if bid and (out is not None or players[:1] * 2 != players):
        raise click.UsageError("--bid requires one player, who plays both sides, and keeps no logs")
    if len(players) != 2:
        raise click.UsageError(f"--player must be given twice, for two players, not {len(players)} times")
    if HUMAN in players:
        raise click.UsageError("a match is for bots: use `sandtable play` for people")
    prepared = prepare(context.rulesets.load(ruleset), scenario, options)
    with usage_errors():
        check_players(prepared, (players[0], players[1]))
    seed = seed_or_fresh(seed)
    plan = MatchPlan(
        ruleset=ruleset,
        players=(players[0], players[1]),
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
    sides = [(side, number) for side, number in result.won_by_side.items()]
    show(table(("won by", "games"), sides, right=(1,)))
    show("")
    if result.margin is not None:
        say(f"{result.plan.players[0]} is {result.margin:+,} points ahead")
    endings = [(ending.replace("_", " "), number) for ending, number in result.endings.items()]
    show(table(("ending", "games"), endings, right=(1,), total=("all", len(result.results))))
    _show_strength(result)
    if result.plan.out is not None:
        say(f"{count(len(result.results), 'log')} in {result.plan.out}: sandtable verify {result.plan.out}/*.jsonl")


def _show_strength(result: MatchResult) -> None:
    first, second = result.plan.players
    if first == second:
        say("both players are the same: ignore the score; see the wins by side")
        return
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
    if found.found is None:
        say(f"no bid of up to {found.tried[-1].bid} gives the {found.side} half of the points")
    elif found.found.bid == 0:
        say("these games show no need for a bid")
    else:
        setting = f"--option {found.option}={found.found.bid}"
        say(f"{found.found.bid} gives the {found.side} half of the points: play with {setting}")
