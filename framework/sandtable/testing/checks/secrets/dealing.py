"""The checks of the hooks for players that simulate games: dealing secrets again, and evaluation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandtable.errors import NoDeal
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import Stream
from sandtable.testing.checks.bench import DecisionPoint, FaultError, Harness, NotChecked, Trial, parting

MAX_GAMES = 6
MAX_QUESTIONS = 16
"""Maximum number of decisions of a game that are checked, spread over it."""
MAX_DEALS = 3
"""Number of games that are dealt for a decision, each with different random numbers."""


def check_dealing(bench: Harness) -> str:
    """Deal games at decisions of played ones: each must look the same to the deciding side as the played one does.

    Decisions without a deal are only counted, unless no decision at all can be dealt, which is a fault.
    """
    if not bench.installed.manifest.hidden:
        return "nothing is secret, so no deal is needed"
    deal = bench.installed.bots.deal
    if deal is None:
        return NotChecked(
            "not checked: ruleset_bots has no deal, so players that simulate, such as search, cannot play it"
        )
    asked = dealt = 0
    for trial in bench.whole(MAX_GAMES):
        for turning in _questions(trial):
            if turning.decision.seat != UMPIRE:
                asked += 1
                dealt += _deals(trial, turning, deal)
    if not dealt:
        raise FaultError(f"no deal for any of {asked} decisions looked the same as the game")
    return f"{dealt} of {asked} decisions were dealt again and looked the same to the deciding side"


def _questions(trial: Trial) -> Iterator[DecisionPoint]:
    """Yield some decisions of the game, spread over it."""
    step = max(1, len(trial.played.given) // MAX_QUESTIONS)
    yield from (turning for place, turning in enumerate(trial.replay()) if place % step == step // 2)


def _deals(trial: Trial, turning: DecisionPoint, deal: Any) -> bool:
    """Return whether games can be dealt for the decision. Raises FaultError if a deal looks different to the side."""
    game, decision = turning.game, turning.decision
    simulator, view = game.simulator(decision), trial.ruleset.view

    def again(seen: Any, side: str, board: Any, stream: Stream, now: Any) -> Any:
        state = deal(seen, side, board, stream, now)
        if not isinstance(state, trial.ruleset.state_type):
            raise FaultError(f"{_at(trial, turning)}: deal gave {type(state).__name__}, which is not a state")
        return state

    for number in range(MAX_DEALS):
        stream = trial.stream(f"dealing/{game.number}/{number}")
        try:
            start = view(simulator.start(stream, again), decision.side)
        except NoDeal:
            return False
        if start != simulator.seen:
            problem = parting(start, simulator.seen)
            raise FaultError(f"{_at(trial, turning)}: the dealt game looks different to {decision.side}: {problem}")
        try:
            simulator.deal(stream, again)
        except NoDeal:
            return False
    return True


def check_evaluation(bench: Harness) -> str:
    """Evaluate decisions of played games: the shares must total 1,000, and the state must not change."""
    evaluate = bench.installed.bots.evaluate
    if evaluate is None:
        return NotChecked("not checked: ruleset_bots has no evaluate: players that simulate must play to the end")
    asked, shares_of_winners = 0, []
    for trial in bench.whole():
        codec, sides, outcome = trial.ruleset.codec, trial.ruleset.viewers, trial.played.game.state.outcome
        last = trial.played.game.number
        for turning in _questions(trial):
            state = turning.game.state
            before = codec.to_bytes(state)
            shares = dict(evaluate(state, state.board))
            problem = _ill_shared(shares, sides)
            if problem:
                raise FaultError(f"{_at(trial, turning)}: evaluate gave {shares}: {problem}")
            if codec.to_bytes(state) != before:
                raise FaultError(f"{_at(trial, turning)}: evaluate changed the state")
            asked += 1
            if outcome in sides and 2 * turning.game.number > last:
                shares_of_winners.append(shares[outcome])
    summary = f"shares of 1,000 at {asked} decisions"
    return (
        f"{summary}; in the later half of games, winners averaged {sum(shares_of_winners) // len(shares_of_winners)}"
        if shares_of_winners
        else summary
    )


def _ill_shared(shares: Mapping[str, Any], sides: Sequence[str]) -> str:
    """Return the problem with the shares, or ""."""
    if set(shares) != set(sides):
        return f"it must have exactly the keys {', '.join(sides)}"
    for side, share in shares.items():
        if type(share) is not int or not 0 <= share <= 1000:
            return f"the share of {side} is not an integer from 0 to 1,000"
    return "" if sum(shares.values()) == 1000 else f"they total {sum(shares.values())}, not 1,000"


def _at(trial: Trial, turning: DecisionPoint) -> str:
    return f"{trial.name}, {turning.place}"
