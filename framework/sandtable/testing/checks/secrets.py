"""The check that a secret stays one: change only what a side may not see, and nothing that it sees may change."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable.errors import SandtableError
from sandtable.journal.slices import seen_records
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.game import Game
from sandtable.kernel.records import CloseRecord, EventRecord
from sandtable.testing.checks.bench import Bench, FaultError, Trial, parting
from sandtable.testing.mutants import mutants_of

MOST_SWAPS = 6
"""So many secret orders of a game are changed, one at a time."""
MOST_STEPS = 120
"""So many orders are given after a change."""
END = 1 << 60
"""Beyond every record."""
MOST_LISTED = 40


class Swap(NamedTuple):
    """A secret order of a game, its place among the orders given, and another that its owner might have given."""

    place: int
    seat: str
    order: Order
    other: Order
    secret: bool

    def __str__(self) -> str:
        return f"{self.seat} orders {self.other} in place of {self.order}"


def check_secrets(bench: Bench) -> str:
    """Play games again with one secret or sealed order changed; up to the reveal the others must notice nothing."""
    swaps = steps = 0
    for trial in bench.whole(8):
        chosen = {swap.place: swap for swap in _swaps(trial)}
        for place, turning in enumerate(trial.replay() if chosen else ()):
            if place in chosen:
                swaps += 1
                steps += _compare(trial, chosen[place], turning.game.fork(), turning.game.fork())
    if not swaps:
        hidden = bench.installed.manifest.hidden
        return "hidden, but no order was ever secret: nothing could be changed" if hidden else "nothing is secret"
    return f"{swaps} secrets were changed, {steps} looks of the other sides were the same"


def _swaps(trial: Trial) -> list[Swap]:
    """Return some secret orders of the game, spread over it, each with another to put in its place."""
    stream = trial.stream("secrets")
    found = []
    for place, turning in enumerate(trial.replay()):
        decision, order = turning.decision, turning.order
        if decision.secret or turning.game.pending is not decision:
            others = [decision.options.sample(stream) for _ in range(8)]
            fit = [each for each in others if type(each) is type(order) and each not in (order, decision.done)]
            if fit and order != decision.done:
                found.append(Swap(place, decision.seat, order, fit[0], decision.secret))
    return found[:: max(1, len(found) // MOST_SWAPS)][:MOST_SWAPS]


def _compare(trial: Trial, swap: Swap, game: Game, twin: Game) -> int:
    """Play ``game`` on, and its ``twin`` with the other order; return how often the other sides looked at both."""
    own = trial.ruleset.side_of(swap.seat)
    viewers = [side for side in trial.ruleset.viewers if side != own]
    at, steps = trial.played.given[swap.place].number, 0
    for seat, order, number in trial.played.given[swap.place : swap.place + MOST_STEPS]:
        start = len(game.records)
        fitting = swap.other if number == at else _fitting(trial, swap, twin, seat, order)
        if fitting is None:
            break
        game.submit(order, seat)
        try:
            twin.submit(fitting, seat)
        except SandtableError as error:
            raise FaultError(f"{trial.name}, record {at}: {swap}; then the rules fail on {fitting}: {error}") from error
        end = min(_revealed(trial, swap, table, start) for table in (game, twin))
        for viewer in viewers:
            steps += 1
            problem = _noticed(trial, viewer, game, twin, start, end)
            if problem:
                told = f"after record {number} {viewer} notices it"
                raise FaultError(f"{trial.name}, record {at}: {swap}; {told}: {problem}")
        if end < END:
            break
    return steps


def _fitting(trial: Trial, swap: Swap, twin: Game, seat: str, order: Order) -> Order | None:
    """Return ``order``, or None where the comparison ends: its owner cannot give it any more.

    Raises FaultError when another side than the secret's owner cannot: then its options betray the secret.
    """
    decision = next((each for each in twin.waiting() if each.seat == seat), None)
    if decision is None:
        return None
    refusal = decision.options.why_not(order)
    if refusal is None:
        return order
    if trial.ruleset.side_of(seat) in {trial.ruleset.side_of(swap.seat), UMPIRE}:
        return None
    asked = f"{seat}, asked to {decision.prompt!r}"
    raise FaultError(f"{trial.name}: {swap}; then {asked}, may not order {order} any more: {refusal.reason}")


def _revealed(trial: Trial, swap: Swap, game: Game, start: int) -> int:
    """Return the place of the first record from ``start`` on that opens the secret; END when none does."""
    for place, record in enumerate(game.records[start:], start):
        if isinstance(record, EventRecord) and isinstance(record.event, trial.ruleset.reveals):
            return place
        if isinstance(record, CloseRecord) or (not swap.secret and getattr(record, "missing", 0) == 1):
            return place
    return END


def _noticed(trial: Trial, viewer: str, game: Game, twin: Game, start: int, end: int) -> str:
    """Return what ``viewer`` sees differently in the two games: new records up to ``end``, view, questions; or ""."""
    mine = _seen(trial, viewer, game, start, end)
    its = _seen(trial, viewer, twin, start, end)
    for one, other in zip(mine, its, strict=False):
        if one != other:
            return f"a record of its log: {parting(other, one)}"
    if end < END:
        return ""
    if len(mine) != len(its) or len(game.records) != len(twin.records):
        return f"the log has {len(twin.records)} records, not {len(game.records)}"
    one, other = game.view(viewer), twin.view(viewer)
    if msgspec.json.encode(one) != msgspec.json.encode(other):
        return f"its view: {parting(other, one)}"
    return _asked_otherwise(trial, viewer, game, twin)


def _seen(trial: Trial, viewer: str, game: Game, start: int, end: int) -> list[Any]:
    """Return the records from ``start`` to ``end`` as ``viewer`` sees them, sealed orders aside."""
    records = [record for record in game.records[start:end] if not getattr(record, "missing", 0)]
    return seen_records(records, trial.prepared, viewer)


def _asked_otherwise(trial: Trial, viewer: str, game: Game, twin: Game) -> str:
    """Return what differs in the questions that ``viewer`` is asked in the two games, and in their options; or ""."""
    side_of = trial.ruleset.side_of
    pairs = [[each for each in table.waiting() if side_of(each.seat) == viewer] for table in (game, twin)]
    told = [[f"{each.seat}: {each.prompt} ({each.rule})" for each in decisions] for decisions in pairs]
    if told[0] != told[1]:
        return f"what it is asked: {told[1]}, not {told[0]}"
    for one, other in zip(*pairs, strict=True):
        probes = list(_probes(one))
        for mine, its in zip(_answers(one, probes), _answers(other, probes), strict=True):
            if mine != its:
                return f"its options when asked to {one.prompt!r}: {its}, not {mine}"
    return ""


def _probes(decision: Decision) -> Iterator[Order]:
    """Yield orders, legal and not, the same for the same options."""
    stream = Stream(b"probes")
    for _ in range(3):
        order = decision.options.sample(stream)
        yield order
        yield from (mutant.value for mutant in list(mutants_of(order))[:8])


def _answers(decision: Decision, probes: list[Order]) -> Iterator[Any]:
    """Yield all that a player learns of the options: how many, which, and why a probe is none of them."""
    options = decision.options
    count = options.count(MOST_LISTED)
    yield f"count {count}"
    if count < MOST_LISTED:
        yield f"list {list(options.values())}"
    yield f"done {decision.done}"
    for probe in probes:
        yield f"{probe}: {options.why_not(probe)}"
