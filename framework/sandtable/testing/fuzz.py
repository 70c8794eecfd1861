"""The fuzz driver: play random games under the kernel's rules, and report the results."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Dice, KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Space
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared

MAX_RECORDS = 200_000
"""Number of records above which a game is considered endless."""

ENDED, CRASH, DEAD_END, ENDLESS = "ended", "crash", "dead end", "endless"


class DeadEndError(SandtableError):
    """A decision that cannot be answered: it has no option, or no seat of the game can answer it."""


class EndlessError(SandtableError):
    """A game has more records than allowed."""


class Given(NamedTuple):
    """An order as it was given; ``number`` is the number of its record."""

    seat: str
    order: Order
    number: int


class Fuzzed(NamedTuple):
    """A random game and its result.

    ``verdict`` is "ended", "crash" (the rules failed, or refused one of their own options), "dead end" (there was no
    option) or "endless". ``detail`` gives details, with the number of the last record.
    """

    seed: str
    verdict: str
    game: Game
    given: tuple[Given, ...]
    detail: str = ""

    @property
    def ended(self) -> bool:
        """Whether the game ended by its rules."""
        return self.verdict == ENDED

    def __str__(self) -> str:
        ending = f"{self.game.state.outcome} by {self.game.state.ending}" if self.ended else self.detail
        return f"game {self.seed}: {self.verdict}, {ending}"


class Ledger(list[Any]):
    """A list with a maximum length, which stops rules that run without ever pausing for a decision."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def append(self, item: Any) -> None:
        """Add ``item``. Raises EndlessError if the list is full."""
        if len(self) >= self._most:
            raise EndlessError(f"more than {self._most} records without an end")
        super().append(item)


def draw(options: Space, stream: Stream) -> Order | None:
    """Return a sample of ``options``, the first listed option if sampling finds none, or None without options."""
    try:
        sample: Order = options.sample(stream)
    except (ValueError, ZeroDivisionError):  # a form whose fields rarely fit together, or no options
        return next(iter(options.values()), None)
    return sample


def random_order(decision: Decision, stream: Stream) -> Order:
    """Return ``decision.done``, if it exists, one time in four, and a random option otherwise.

    Raises DeadEndError if there is no option.
    """
    if decision.done is not None and stream.one_in(4):
        return decision.done
    order = draw(decision.options, stream) or decision.done
    if order is None:
        raise DeadEndError(f"{decision.seat} must {decision.prompt!r} ({decision.rule}), but has no option")
    return order


def new_game(prepared: Prepared, seed: str, *, dice: Dice | None = None, bound: int = MAX_RECORDS) -> Game:
    """Return a game, not started, with the dice of ``seed``; it stops (with EndlessError) at ``bound`` records."""
    game = prepared.new_game(dice or KeyedDice(key_from_seed(seed)))
    game.records = game.trail = Ledger(bound)
    game.boundaries = Ledger(bound)
    return game


def streams_of(prepared: Prepared, seed: str) -> dict[str, Stream]:
    """Return the private stream of each seat of the game ``seed``."""
    key = key_from_seed(seed)
    return {seat: Stream.for_player(key, seat) for seat in prepared.ruleset.seats}


def play_on(game: Game, streams: dict[str, Stream]) -> Iterator[Given]:
    """Continue ``game`` at random, yielding each order after it was given; starts the game if necessary.

    Raises DeadEndError if no seat can decide.
    """
    if game.pending is None and not game.records:
        game.start()
    while game.pending is not None:
        waiting = game.waiting()
        if not waiting:
            raise DeadEndError(f"the game waits for {game.pending!r}, which no seat can answer")
        decision = waiting[0]
        if decision.seat not in streams:
            raise DeadEndError(f"{decision.seat!r} must {decision.prompt!r}, but there is no such seat")
        order = random_order(decision, streams[decision.seat])
        number = game.number + 1
        game.submit(order, decision.seat)
        yield Given(decision.seat, order, number)


def fuzz_game(prepared: Prepared, seed: str, *, bound: int = MAX_RECORDS) -> Fuzzed:
    """Play the game ``seed`` at random and return the result; errors in the rules do not raise."""
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
        verdict, detail = DEAD_END, f"after record {game.number}: the game has no pending decision and is not over"
    return Fuzzed(seed, verdict, game, tuple(given), detail)


def fuzz(prepared: Prepared, games: int, seed: str = "fuzz", *, bound: int = MAX_RECORDS) -> Iterator[Fuzzed]:
    """Play ``games`` games at random, with the seeds ``<seed>/0``, ``<seed>/1`` and so on."""
    for number in range(games):
        yield fuzz_game(prepared, f"{seed}/{number}", bound=bound)
