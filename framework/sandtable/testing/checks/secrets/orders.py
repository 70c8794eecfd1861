"""The check that secret orders stay secret: hidden data are changed, and no side without access to them may notice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.kernel.decisions import PUBLIC, Order
from sandtable.kernel.play.game import Game
from sandtable.testing.checks.bench import DecisionPoint, FaultError, Harness, NotChecked, Trial
from sandtable.testing.checks.secrets.differences import fitting, give
from sandtable.testing.checks.secrets.watching import Watch
from sandtable.testing.fuzz import draw

MAX_SWAPS = 6
"""Maximum number of secret orders of a game that are changed, one at a time; larger if more pairs are requested."""
USUAL_GAMES = 8
MAX_TRIES = 8
"""Maximum number of alternatives that are tried for one order until one is not visible at once."""
MAX_STEPS = 120
"""Maximum number of orders that are given after a change."""
MAX_MORE = 12
"""Maximum number of additional games if every alternative was visible at once."""
ENOUGH, FEWEST = 6, 3
"""The number of orders of a kind that must be tried, and the minimum below which the check decides nothing."""


class Swap(NamedTuple):
    """A secret order of a game, its index in the list of orders, and an alternative that its owner might have given.

    A ``secret`` order is never opened. A sealed one is opened with the last order of its group.
    """

    place: int
    seat: str
    order: Order
    other: Order
    secret: bool

    def __str__(self) -> str:
        return f"{self.seat} orders {self.other} instead of {self.order}"


class _OrdersSeen:
    """The results so far, by kind of order: the number exchanged, the number tried, and what was visible."""

    def __init__(self) -> None:
        self.kept: Counter[type[Order]] = Counter()
        self.tried: Counter[type[Order]] = Counter()
        self.shown: dict[type[Order], str] = {}

    def doubtful(self) -> list[type[Order]]:
        """Return the kinds for which every alternative was visible at once."""
        return [kind for kind in self.shown if kind not in self.kept]


def check_secrets(bench: Harness) -> str:
    """Play games again with one secret or sealed order changed; until the reveal the others may not notice anything.

    An effect that is visible at once may be public by the rules (how many mines, not where). So an order is exchanged
    for one that is not visible at once. If a kind of order never has such an alternative, it is not secret at all. If a
    kind occurs too rarely for a verdict, more games are played.
    """
    told = _OrdersSeen()
    for trial in bench.whole(max(USUAL_GAMES, bench.pairs // MAX_SWAPS)):
        _judge(trial, told, None)
    for number in range(bench.games, bench.games + MAX_MORE):
        wanted = [kind for kind in told.doubtful() if told.tried[kind] < ENOUGH]
        if wanted and (trial := bench.play(number)).played.ended:
            _judge(trial, told, wanted)
    rare = []
    for kind in told.doubtful():
        if told.tried[kind] >= FEWEST:
            raise FaultError(told.shown[kind])
        rare.append(kind.__name__)
    rest = f"{' and '.join(rare)}: given too rarely to decide whether it is secret" if rare else ""
    if told.kept:
        found = f"{told.kept.total()} secret orders were changed, and the other sides noticed nothing"
        return f"{found}; not checked: {rest}" if rest else found
    if not bench.installed.manifest.hidden:
        return "nothing is secret"
    return NotChecked(f"not checked: {rest or 'no order was ever secret, so none could be changed'}")


def _judge(trial: Trial, told: _OrdersSeen, wanted: Sequence[type[Order]] | None) -> None:
    """Change secret orders of a game, of the ``wanted`` kinds (None: all), and note visible effects."""
    chosen = _secret_places(trial, wanted)
    for place, turning in enumerate(trial.replay() if chosen else ()):
        if place not in chosen:
            continue
        is_tried = False
        for swap in _swaps(trial, place, turning):
            game, twin = turning.game.fork(), turning.game.fork()
            owner = trial.ruleset.side_of(swap.seat)
            others = [each for each in (*trial.ruleset.viewers, PUBLIC) if each != owner]
            watch = Watch(trial, others, sealed=not swap.secret)
            problem = _step(trial, swap, watch, game, twin, place)
            kind = type(swap.order)
            told.tried[kind] += not is_tried
            is_tried = True
            if not problem:
                told.kept[kind] += 1
                if problem is not None:
                    _follow(trial, swap, watch, game, twin)
                break
            told.shown.setdefault(kind, problem)


def _follow(trial: Trial, swap: Swap, watch: Watch, game: Game, twin: Game) -> None:
    """Continue both games with the recorded orders. Raises FaultError if another side notices the change."""
    for place in range(swap.place + 1, min(swap.place + MAX_STEPS, len(trial.played.given))):
        told = _step(trial, swap, watch, game, twin, place)
        if told:
            raise FaultError(told)
        if told is None:
            return


def _secret_places(trial: Trial, wanted: Sequence[type[Order]] | None) -> set[int]:
    """Return the indexes of some secret or sealed orders of the game, of ``wanted`` kinds, spread over it."""
    found = [
        place
        for place, turning in enumerate(trial.replay())
        if (turning.decision.secret or turning.game.pending is not turning.decision)
        and (wanted is None or type(turning.order) in wanted)
    ]
    return set(found[:: max(1, len(found) // MAX_SWAPS)][:MAX_SWAPS])


def _swaps(trial: Trial, place: int, turning: DecisionPoint) -> Iterator[Swap]:
    """Yield alternatives of the same kind for the order with index ``place``."""
    decision, order = turning.decision, turning.order
    stream = trial.stream(f"secrets/{place}")
    tried: list[Order] = [order, *([decision.done] if decision.done is not None else [])]
    for _ in range(MAX_TRIES):
        other = draw(decision.options, stream)
        if other is not None and type(other) is type(order) and other not in tried and order != decision.done:
            tried.append(other)
            yield Swap(place, decision.seat, order, other, decision.secret)


def _step(trial: Trial, swap: Swap, watch: Watch, game: Game, twin: Game, place: int) -> str | None:
    """Give the order with index ``place`` in both games; in the twin, the alternative if it is the changed order.

    Returns the difference that another side notices, "" if none, or None if the comparison ends here. Raises FaultError
    if a side reads the same but the traffic differs, because that can never be public by the rules.
    """
    seat, order, number = trial.played.given[place]
    at = f"{trial.name}, record {trial.played.given[swap.place].number}: {swap}"
    starts = [len(table.records) for table in (game, twin)]
    knowing = (trial.ruleset.side_of(swap.seat), *watch.told)
    other = swap.other if place == swap.place else fitting(trial, knowing, twin, seat, order)
    if other is None:
        return None
    if isinstance(other, str):
        return f"{at}; {other}"
    game.submit(order, seat)
    failed = give(twin, other, seat)
    if failed:
        return f"{at}; {failed}"
    found = watch.look(game, twin, starts)
    if found is not None:
        problem = f"{at}; after record {number} {found.viewer} notices it: {found.problem}"
        if found.is_traffic:
            raise FaultError(problem)
        return problem
    return None if watch.is_over else ""
