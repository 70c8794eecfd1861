"""The fuzz driver: plays at random, by the kernel's own rules of fairness, and says how it went."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Dice, KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Space
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared

MOST_RECORDS = 200_000
"""A game with more records is taken for endless."""

ENDED, CRASH, DEAD_END, ENDLESS = "ended", "crash", "dead end", "endless"


class DeadEndError(SandtableError):
    """A side must choose and nothing can be chosen."""


class EndlessError(SandtableError):
    """A game has more records than any game has."""


class Given(NamedTuple):
    """An order as it was given: ``number`` is that of its record."""

    seat: str
    order: Order
    number: int


class Fuzzed(NamedTuple):
    """A game that was played at random, and how it went.

    ``verdict`` is "ended", "crash" (the rules failed, or refused an order of their own options), "dead end" (nothing
    could be chosen) or "endless". ``detail`` says more, with the number of the last record.
    """

    seed: str
    verdict: str
    game: Game
    given: tuple[Given, ...]
    detail: str = ""

    @property
    def ended(self) -> bool:
        """Whether the game came to an end by its rules."""
        return self.verdict == ENDED

    def __str__(self) -> str:
        ending = f"{self.game.state.outcome} by {self.game.state.ending}" if self.ended else self.detail
        return f"game {self.seed}: {self.verdict}, {ending}"


class Ledger(list[Any]):
    """A list that refuses to grow without end: what stops rules that run on without asking anybody."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def append(self, item: Any) -> None:
        """Add ``item``; raises EndlessError when the list is full."""
        if len(self) >= self._most:
            raise EndlessError(f"more than {self._most} records, and no end")
        super().append(item)


def draw(options: Space, stream: Stream) -> Order | None:
    """Return a sample of ``options``; the first of the list where sampling finds none; None when there is nothing."""
    try:
        sample: Order = options.sample(stream)
    except (ValueError, ZeroDivisionError):  # a form whose fields seldom fit together, or nothing at all
        return next(iter(options.values()), None)
    return sample


def random_order(decision: Decision, stream: Stream) -> Order:
    """Return ``decision.done`` one time in four where there is one, otherwise one of the options.

    Raises DeadEndError when there is none.
    """
    if decision.done is not None and stream.one_in(4):
        return decision.done
    order = draw(decision.options, stream) or decision.done
    if order is None:
        raise DeadEndError(f"{decision.seat} must {decision.prompt!r} ({decision.rule}), but has no option")
    return order


def new_game(prepared: Prepared, seed: str, *, dice: Dice | None = None, bound: int = MOST_RECORDS) -> Game:
    """Return a game with the dice of ``seed`` that stops (with EndlessError) at ``bound`` records; not started."""
    game = prepared.new_game(dice or KeyedDice(key_from_seed(seed)))
    game.records = game.trail = Ledger(bound)
    game.boundaries = Ledger(bound)
    return game


def streams_of(prepared: Prepared, seed: str) -> dict[str, Stream]:
    """Return the private stream of each seat of the game ``seed``."""
    key = key_from_seed(seed)
    return {seat: Stream.for_player(key, seat) for seat in prepared.ruleset.seats}


def play_on(game: Game, streams: dict[str, Stream]) -> Iterator[Given]:
    """Play ``game`` on at random, yielding each order just after it was given; begins the game if need be."""
    if game.pending is None and not game.records:
        game.start()
    while game.pending is not None:
        waiting = game.waiting()
        if not waiting:
            raise DeadEndError(f"the game waits for {game.pending!r}, which nobody can answer")
        decision = waiting[0]
        if decision.seat not in streams:
            raise DeadEndError(f"{decision.seat!r} is asked to {decision.prompt!r}, but there is no such seat")
        order = random_order(decision, streams[decision.seat])
        number = game.number + 1
        game.submit(order, decision.seat)
        yield Given(decision.seat, order, number)


def fuzz_game(prepared: Prepared, seed: str, *, bound: int = MOST_RECORDS) -> Fuzzed:
    """Play the game ``seed`` at random and tell how it went; raises nothing that the rules do wrong."""
    game = new_game(prepared, seed, bound=bound)
    given: list[Given] = []
    verdict, detail = ENDED, ""
    try:
        given.extend(play_on(game, streams_of(prepared, seed)))
    except (EndlessError, RulesetLoops) as error:
        verdict, detail = ENDLESS, str(error)
    except DeadEndError as error:
        verdict, detail = DEAD_END, f"after record {game.number}: {error}"
    except Exception as error:  # noqa: BLE001 - a fuzzer reports what it finds
        verdict, detail = CRASH, f"after record {game.number}: {type(error).__name__}: {error}"
    if verdict == ENDED and not game.is_over:
        verdict, detail = DEAD_END, f"after record {game.number}: the game asks nobody and is not over"
    return Fuzzed(seed, verdict, game, tuple(given), detail)


def fuzz(prepared: Prepared, games: int, seed: str = "fuzz", *, bound: int = MOST_RECORDS) -> Iterator[Fuzzed]:
    """Play ``games`` games at random; their seeds are ``<seed>/0``, ``<seed>/1`` and so on."""
    for number in range(games):
        yield fuzz_game(prepared, f"{seed}/{number}", bound=bound)
