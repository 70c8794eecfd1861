"""The check that worlds which a side cannot distinguish give it the same decisions and answers.

The worlds are dealt for each decision.
"""

from collections.abc import Iterator
from typing import Any

from sandtable.errors import NoDeal, SandtableError
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.simulator import Simulated
from sandtable.testing.checks.bench import DecisionPoint, FaultError, Harness, NotChecked, Trial
from sandtable.testing.checks.secrets.differences import answers_apart, drawn_otherwise

USUAL_GAMES = 6
MAX_QUESTIONS = 10
DEALS = 2
"""Number of worlds that are dealt for each checked decision."""


def check_worlds(bench: Harness) -> str:
    """Deal worlds for decisions: if view and records are the same, so must be prompt, options and refusals."""
    if not bench.installed.manifest.hidden:
        return "nothing is secret"
    deal = bench.installed.bots.deal
    if deal is None:
        return NotChecked("not checked: ruleset_bots has no deal, so no world could be dealt")
    asked = dealt = other = 0
    for trial in bench.whole(max(USUAL_GAMES, bench.pairs // (MAX_QUESTIONS * DEALS) + 1)):
        for turning in _questions(trial):
            asked += 1
            before = _others(trial, turning, turning.game)
            for world in _dealt(trial, turning, deal):
                dealt += 1
                problem = _answered_otherwise(turning, world)
                if not problem and dealt % 8 == 1:
                    drawn = drawn_otherwise(trial, turning.decision.side, turning.game, world)
                    problem = drawn and f"sees {drawn}"
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: {turning.decision.seat} {problem}")
                other += _others(trial, turning, world) != before
    if not dealt:
        return NotChecked(f"not checked: no world could be dealt for any of {asked} decisions")
    return (
        f"{dealt} worlds dealt for {asked} decisions, {other} of them different in secret: same decisions, same answers"
    )


def _questions(trial: Trial) -> Iterator[DecisionPoint]:
    """Yield some decisions of a side, spread over the game."""
    step = max(1, len(trial.played.given) // MAX_QUESTIONS)
    for place, turning in enumerate(trial.replay()):
        if place % step == step // 2 and turning.decision.seat != UMPIRE:
            yield turning


def _others(trial: Trial, turning: DecisionPoint, game: Any) -> list[Any]:
    return [game.view(side) for side in trial.ruleset.viewers if side != turning.decision.side]


def _dealt(trial: Trial, turning: DecisionPoint, deal: Any) -> Iterator[Simulated]:
    """Yield games at the decision that look the same, whatever their prompt."""

    def again(seen: Any, side: str, board: Any, stream: Any, now: Any) -> Any:
        return deal(view=seen, side=side, board=board, stream=stream, now=now)

    for number in range(DEALS):
        simulator = turning.game.simulator(turning.decision)
        stream = trial.stream(f"worlds/{turning.game.number}/{number}")
        try:
            yield simulator.deal(stream, again, any_prompt=True)
        except NoDeal:
            return
        except (SandtableError, TypeError, AttributeError, KeyError, IndexError, ValueError):
            return  # the check of deals reports it


def _answered_otherwise(turning: DecisionPoint, world: Simulated) -> str:
    """Return how the decision or answers of the player in ``world`` differ from those in the game, or ""."""
    mine = turning.decision
    its = next(each for each in world.waiting() if each.seat == mine.seat)
    if (mine.prompt, mine.rule) != (its.prompt, its.rule) and not mine.discloses:
        return f"must {its.prompt!r} ({its.rule}) in a world that looks the same"
    for probe, here, there in answers_apart(mine, its):
        if not probe:
            return f"has the options {here} here, {there} in a world that looks the same"
        responses = ["allowed" if each is None else f"refused: {each}" for each in (here, there)]
        return f"sees the same in two worlds, but {probe} is {responses[0]} in one, {responses[1]} in the other"
    return ""
