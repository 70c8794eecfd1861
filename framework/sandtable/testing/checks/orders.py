"""Checks of the options: never empty, consistent, and closed to orders that are not options."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec import ValidationError, json

from sandtable.errors import IllegalOrder, RulesetLoops
from sandtable.journal.format.codec import RecordCodec
from sandtable.kernel.decisions import Decision, EnterDice, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Space
from sandtable.kernel.options.space import Refusal
from sandtable.testing.checks.bench import DecisionPoint, FaultError, Harness, Trial, listed
from sandtable.testing.checks.facts import named_few
from sandtable.testing.fuzz import ENDLESS, Fuzzed, draw
from sandtable.testing.mutants import Mutant, foreign_values, mutants_of

MAX_DECISIONS = 60
"""Maximum number of decisions of a game that are checked."""
SAMPLES = 4
MAX_LISTED = 150
"""Maximum number of options of a space that is compared with its own list."""
MAX_MUTANTS = 60


def check_games_end(bench: Harness) -> str:
    """Check that each random game ends without a crash or dead end, and in good time."""
    bad: list[tuple[Trial, Fuzzed]] = [(trial, trial.played) for trial in bench.trials if not trial.played.ended]
    if bad:
        trial, played = bad[0]
        asks_on = played.verdict == ENDLESS and played.game.number >= bench.bound
        hint = "; a repeated decision needs `done`, and a game needs a last turn" if asks_on else ""
        games = f"{len(bad)} of {len(bench.trials)} games played"
        raise FaultError(f"{trial.name}: {played.verdict}: {played.detail}{hint} ({games})")
    records = [trial.played.game.number for trial in bench.trials]
    endings = {trial.played.game.state.ending for trial in bench.trials}
    unseen = [each for each in bench.installed.manifest.endings if each not in endings]
    raised = f"{len(records)} games, up to {max(records)} records, endings: {', '.join(sorted(endings))}"
    return raised + named_few("; never reached", unseen)


def check_options(bench: Harness) -> str:
    """Check that every decision has an option, and that samples, lists and the recorded orders are options."""
    seen = 0
    for trial in bench.trials[: max(4, bench.games // 2)]:
        stream = trial.stream("options")
        for turning in islice(_turnings(trial), MAX_DECISIONS):
            problem = _unsound(turning.decision, stream) or _unaccepted(turning, stream)
            if problem:
                raise FaultError(f"{trial.name}, {turning.place}: {problem}")
            seen += 1
    return f"{seen} decisions accept the options that they offer"


def _turnings(trial: Trial) -> Iterator[DecisionPoint]:
    """Yield each decision of the game, and the last one if the game failed there."""
    yield from trial.replay()
    if not trial.played.ended:
        game = trial.new_game()
        game.start()
        for seat, order, _ in trial.played.given:
            game.submit(order, seat)
        for decision in game.waiting()[:1]:
            yield DecisionPoint(game, decision, Order())


def _unsound(decision: Decision, stream: Stream) -> str:
    """Return how the options contradict themselves, or ""."""
    options = decision.options
    for _ in range(SAMPLES):
        sample = draw(options, stream)
        if sample is None:
            return "it has no options, but the side must choose"
        refusal = options.why_not(sample)
        if refusal is not None:
            return f"the sample {sample} is refused: {refusal.reason}"
        if not isinstance(sample, Order):
            return f"the sample {sample!r} is not an order"
    if decision.done is not None and not options.is_legal(decision.done):
        return f"`done` is {decision.done}, which is not one of the options"
    values = listed(options, MAX_LISTED)
    return "" if values is None else _ill_listed(options, values)


def _ill_listed(options: Space, values: list[Any]) -> str:
    """Return the problem with ``values``, the list of the options, or ""."""
    for place, value in enumerate(values):
        refusal = options.why_not(value)
        if refusal is not None:
            return f"the listed {value} is refused: {refusal.reason}"
        if value in values[:place]:
            return f"{value} is listed twice"
    return (
        "" if options.count() == len(values) else f"count() returns {options.count()}, but the list has {len(values)}"
    )


def _unaccepted(turning: DecisionPoint, stream: Stream) -> str:
    """Return how the rules fail on one of the options, or "" if they accept it."""
    order = draw(turning.decision.options, stream)
    try:
        turning.game.fork().submit(order, turning.decision.seat)  # type: ignore[arg-type]  # mypy cannot see that options hold orders
    except RulesetLoops:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is the finding
        return f"the rules fail on {order}: {type(error).__name__}: {error}"
    return ""


def check_mutants(bench: Harness) -> str:
    """Send wrong orders: each must be refused with its rule and change nothing, unless it is a legal option."""
    tried = 0
    for trial in bench.whole(4):
        kinds: list[Order] = list({type(order): order for _, order, _ in trial.played.given}.values())
        stream = trial.stream("mutants")
        for turning in islice(trial.replay(), MAX_DECISIONS):
            order = turning.order
            mutants = [*mutants_of(order), *foreign_values(order, [*kinds, EnterDice([1])])]
            if len(mutants) > MAX_MUTANTS:
                mutants = stream.sample(mutants, MAX_MUTANTS)
            for mutant in mutants:
                tried += 1
                problem = _misjudged(bench, trial, turning, mutant)
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: {mutant.value!r} ({mutant.how}): {problem}")
    return f"{tried} wrong orders were refused, or turned out to be options"


def _misjudged(bench: Harness, trial: Trial, turning: DecisionPoint, mutant: Mutant) -> str:
    """Return the problem with the response to ``mutant``, or ""."""
    game, codec = turning.game, trial.ruleset.codec
    seat = turning.decision.seat
    try:
        refusal = turning.decision.why_not(mutant.value)
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is the finding
        return f"why_not fails on it: {type(error).__name__}: {error}"
    if refusal is None:
        return _unfit(trial, turning, mutant.value)
    before, length = codec.to_bytes(game.state), len(game.records)
    try:
        game.submit(mutant.value, seat)
    except IllegalOrder as error:
        raised = Refusal(error.rule, error.reason)
    except RulesetLoops:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is the fault
        return f"submit raises {type(error).__name__} where it must raise IllegalOrder: {error}"
    else:
        return f"why_not refuses it ({refusal.reason}), but submit accepts it"
    if (codec.to_bytes(game.state), len(game.records)) != (before, length):
        return "it was refused, but the state or the log changed"
    return _ill_refused(bench, mutant, refusal, raised, turning.decision.rule)


def _ill_refused(bench: Harness, mutant: Mutant, refusal: Refusal, raised: Refusal, asking: str) -> str:
    """Return the problem with the text or rule of a refusal, or ""; ``asking`` is the rule of the decision."""
    if raised != Refusal(refusal.rule or asking, refusal.reason):
        return f"it is refused with {raised}; why_not returns {refusal}"
    if mutant.shape and not refusal.rule:
        return f"it is refused without a rule id: {refusal.reason}"
    if refusal.rule and bench.rule_ids and refusal.rule not in bench.rule_ids:
        return f"it is refused by {refusal.rule}, which is not in the rule index"
    return ""


def _unfit(trial: Trial, turning: DecisionPoint, order: Any) -> str:
    """Return why ``order``, accepted as legal, should not be: not listed, not loggable, or not playable; or ""."""
    values = listed(turning.decision.options, MAX_LISTED)
    if values is not None and order not in values and not _has_rows(order):
        return "why_not finds it legal, but it is not among the listed options"
    try:
        again = RecordCodec.of(trial.ruleset).order.decode(json.encode(order))
    except (ValidationError, TypeError, ValueError) as error:
        return f"why_not finds it legal, but no log can hold it: {error}"
    try:
        turning.game.fork().submit(again, turning.decision.seat)
    except RulesetLoops:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is the fault
        return f"why_not finds it legal, but the rules fail on it: {type(error).__name__}: {error}"
    return ""


def _has_rows(order: Any) -> bool:
    """Return whether ``order`` contains a list, so that its list entry may have the same items in a different order."""
    return b"[" in json.encode(order)
