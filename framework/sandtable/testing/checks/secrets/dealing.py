"""The checks of what players who try things out are told: secrets dealt again, and evaluations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandtable.errors import NoDeal
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import Stream
from sandtable.testing.checks.bench import FaultError, Harness, NotLookedAt, Trial, Turning, parting

MOST_GAMES = 6
MOST_QUESTIONS = 16
"""So many questions of a game are looked at, spread over it."""
MOST_DEALS = 3
"""So many games are dealt for a question, each by other chance."""


def check_dealing(bench: Harness) -> str:
    """Deal games at questions of played ones: each looks to who is asked as the played one does.

    What cannot be dealt is counted and told; that nothing can is a fault.
    """
    if not bench.installed.manifest.hidden:
        return "nothing is secret, so nothing need be dealt again"
    deal = bench.installed.bots.deal
    if deal is None:
        return NotLookedAt(
            "not looked at: ruleset_bots has no deal: who tries things out, such as search, cannot play it"
        )
    asked = dealt = 0
    for trial in bench.whole(MOST_GAMES):
        for turning in _questions(trial):
            if turning.decision.seat != UMPIRE:
                asked += 1
                dealt += _deals(trial, turning, deal)
    if not dealt:
        raise FaultError(f"of {asked} questions none could be dealt again: no deal looked as the game did")
    return f"{dealt} of {asked} questions were dealt again, looking alike to who was asked"


def _questions(trial: Trial) -> Iterator[Turning]:
    """Yield some questions of the game, spread over it."""
    step = max(1, len(trial.played.given) // MOST_QUESTIONS)
    yield from (turning for place, turning in enumerate(trial.replay()) if place % step == step // 2)


def _deals(trial: Trial, turning: Turning, deal: Any) -> bool:
    """Tell whether games can be dealt for the question; raises FaultError where a deal looks otherwise to the side."""
    game, decision = turning.game, turning.decision
    simulator, view = game.simulator(decision), trial.ruleset.view

    def again(seen: Any, side: str, board: Any, stream: Stream, now: Any) -> Any:
        state = deal(seen, side, board, stream, now)
        if not isinstance(state, trial.ruleset.state_type):
            raise FaultError(f"{_at(trial, turning)}: deal gave {type(state).__name__}, which is no state")
        return state

    for number in range(MOST_DEALS):
        stream = trial.stream(f"dealing/{game.number}/{number}")
        start = view(simulator.start(stream, again), decision.side)
        if start != simulator.seen:
            problem = parting(start, simulator.seen)
            raise FaultError(f"{_at(trial, turning)}: what was dealt looks otherwise to {decision.side}: {problem}")
        try:
            simulator.deal(stream, again)
        except NoDeal:
            return False
    return True


def check_evaluation(bench: Harness) -> str:
    """Ask for the evaluation at questions of played games: shares that come to 1,000, the state unchanged."""
    evaluate = bench.installed.bots.evaluate
    if evaluate is None:
        return NotLookedAt("not looked at: ruleset_bots has no evaluate: who tries things out must play to the end")
    asked, fared = 0, []
    for trial in bench.whole():
        codec, sides, outcome = trial.ruleset.codec, trial.ruleset.viewers, trial.played.game.state.outcome
        last = trial.played.game.number
        for turning in _questions(trial):
            state = turning.game.state
            before = codec.to_bytes(state)
            told = dict(evaluate(state, state.board))
            problem = _no_shares(told, sides)
            if problem:
                raise FaultError(f"{_at(trial, turning)}: evaluate gave {told}: {problem}")
            if codec.to_bytes(state) != before:
                raise FaultError(f"{_at(trial, turning)}: evaluate changed the state")
            asked += 1
            if outcome in sides and 2 * turning.game.number > last:
                fared.append(told[outcome])
    told_of = f"shares of 1,000 at {asked} questions"
    return f"{told_of}; in the later half of games, who won stood at {sum(fared) // len(fared)}" if fared else told_of


def _no_shares(told: Mapping[str, Any], sides: Sequence[str]) -> str:
    """Return what is wrong with shares, "" for nothing."""
    if set(told) != set(sides):
        return f"it wants each of {', '.join(sides)}, and nobody else"
    for side, share in told.items():
        if type(share) is not int or not 0 <= share <= 1000:
            return f"that of {side} is no whole number from 0 to 1,000"
    return "" if sum(told.values()) == 1000 else f"they come to {sum(told.values())}, not to 1,000"


def _at(trial: Trial, turning: Turning) -> str:
    return f"{trial.name}, {turning.place}"
