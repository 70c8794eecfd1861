"""The check that a secret stays one: change only what a side may not see, and nothing that it sees may change."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, EventRecord
from sandtable.testing.checks.bench import FaultError, Harness, Trial, Turning, listed, parting
from sandtable.testing.fuzz import draw
from sandtable.testing.mutants import mutants_of

MOST_SWAPS = 6
"""So many secret orders of a game are changed, one at a time."""
MOST_TRIES = 8
"""So many others are tried for one order, until one does not show at once."""
MOST_STEPS = 120
"""So many orders are given after a change."""
END = 1 << 60
"""Beyond every record."""
MOST_LISTED = 40


class Swap(NamedTuple):
    """A secret order of a game, its place among the orders given, and another that its owner might have given.

    A ``secret`` order is never opened, a sealed one when the last of its group is in.
    """

    place: int
    seat: str
    order: Order
    other: Order
    secret: bool

    def __str__(self) -> str:
        return f"{self.seat} orders {self.other} in place of {self.order}"


def check_secrets(bench: Harness) -> str:
    """Play games again with one secret or sealed order changed; up to the reveal the others must notice nothing.

    What shows at once may be public by the rules (how many mines, not where), so an order is exchanged for one that
    does not show at once; but a kind of order for which there is never such another is no secret at all.
    """
    kept: Counter[type[Order]] = Counter()
    noticed: dict[type[Order], str] = {}
    for trial in bench.whole(8):
        chosen = _secret_places(trial)
        for place, turning in enumerate(trial.replay() if chosen else ()):
            for swap in _swaps(trial, place, turning) if place in chosen else ():
                game, twin = turning.game.fork(), turning.game.fork()
                told = _step(trial, swap, game, twin, place)
                if not told:
                    kept[type(swap.order)] += 1
                    _follow(trial, swap, game, twin, ends=told is None)
                    break
                noticed.setdefault(type(swap.order), told)
    for kind, problem in noticed.items():
        if kind not in kept:
            raise FaultError(problem)
    if not kept:
        hidden = bench.installed.manifest.hidden
        return "hidden, but no order was ever secret: nothing could be changed" if hidden else "nothing is secret"
    return f"{kept.total()} secrets were changed, and the other sides noticed nothing"


def _follow(trial: Trial, swap: Swap, game: Game, twin: Game, *, ends: bool) -> None:
    """Play both on by the recorded orders; raises FaultError when another side notices the change."""
    for place in range(swap.place + 1, min(swap.place + MOST_STEPS, len(trial.played.given))):
        told = None if ends else _step(trial, swap, game, twin, place)
        if told is None:
            return
        if told:
            raise FaultError(told)


def _secret_places(trial: Trial) -> set[int]:
    """Return the places of some secret or sealed orders of the game, spread over it."""
    found = [
        place
        for place, turning in enumerate(trial.replay())
        if turning.decision.secret or turning.game.pending is not turning.decision
    ]
    return set(found[:: max(1, len(found) // MOST_SWAPS)][:MOST_SWAPS])


def _swaps(trial: Trial, place: int, turning: Turning) -> Iterator[Swap]:
    """Yield other orders of the same kind for the one in ``place``."""
    decision, order = turning.decision, turning.order
    stream = trial.stream(f"secrets/{place}")
    tried: list[Order] = [order, *([decision.done] if decision.done is not None else [])]
    for _ in range(MOST_TRIES):
        other = draw(decision.options, stream)
        if other is not None and type(other) is type(order) and other not in tried and order != decision.done:
            tried.append(other)
            yield Swap(place, decision.seat, order, other, decision.secret)


def _step(trial: Trial, swap: Swap, game: Game, twin: Game, place: int) -> str | None:
    """Give the order in ``place`` to ``game`` and to its ``twin``, the other order to the twin where it is changed.

    Return what another side notices of the change; "" when nothing; None when the comparison is at its end.
    """
    seat, order, number = trial.played.given[place]
    at = f"{trial.name}, record {trial.played.given[swap.place].number}: {swap}"
    start = len(game.records)
    fitting = swap.other if place == swap.place else _fitting(trial, swap, twin, seat, order)
    if fitting is None:
        return None
    if isinstance(fitting, str):
        return f"{at}; {fitting}"
    game.submit(order, seat)
    try:
        twin.submit(fitting, seat)
    except RulesetLoops:
        raise
    except SandtableError as error:
        return f"{at}; then the rules fail on {fitting}: {error}"
    end = min(_revealed(trial, swap, table, start) for table in (game, twin))
    for viewer in trial.ruleset.viewers:
        if viewer != trial.ruleset.side_of(swap.seat):
            problem = _noticed(trial, viewer, game, twin, start, end)
            if problem:
                return f"{at}; after record {number} {viewer} notices it: {problem}"
    return "" if end == END else None


def _fitting(trial: Trial, swap: Swap, twin: Game, seat: str, order: Order) -> Order | str | None:
    """Return ``order``; None where the comparison ends, because the secret's owner cannot give it any more.

    Return a sentence where another side cannot give it: then its options betray the secret.
    """
    decision = next((each for each in twin.waiting() if each.seat == seat), None)
    if decision is None:
        return None
    refusal = decision.options.why_not(order)
    if refusal is None:
        return order
    if trial.ruleset.side_of(seat) in {trial.ruleset.side_of(swap.seat), UMPIRE}:
        return None
    return f"then {seat}, asked to {decision.prompt!r}, may not order {order} any more: {refusal.reason}"


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
        order = draw(decision.options, stream)
        if order is not None:
            yield order
            yield from (mutant.value for mutant in list(mutants_of(order))[:8])


def _answers(decision: Decision, probes: list[Order]) -> Iterator[Any]:
    """Yield all that a player learns of the options: how many, which, and why a probe is none of them."""
    options = decision.options
    values = listed(options, MOST_LISTED)
    yield f"list {values}" if values is not None else f"more than {MOST_LISTED}"
    yield f"done {decision.done}"
    for probe in probes:
        yield f"{probe}: {options.why_not(probe)}"
