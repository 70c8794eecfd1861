"""Checks of games continued from a copy: clones, forks, undo, and two games played alternately."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from sandtable.errors import NothingToUndo
from sandtable.kernel.play.game import Game
from sandtable.kernel.state import State
from sandtable.testing.checks.bench import FaultError, Harness, Trial, parting
from sandtable.testing.checks.logs import problem_of
from sandtable.testing.fuzz import play_on, random_order, streams_of

MAX_FORKS = 80
"""Maximum number of decisions of a game, from its beginning, at which it is forked."""
MAX_UNDOS = 20
CHAIN = 8
"""Number of times a fork is forked again before the next one is taken from the game itself."""


def check_play_on(bench: Harness) -> str:
    """Continue from a clone at each decision: it must make the same records as the uninterrupted game."""
    forks = 0
    for trial in bench.whole(4):
        twin: Game | None = None
        for number, turning in enumerate(islice(trial.replay(), MAX_FORKS)):
            twin = (turning.game if number % CHAIN == 0 or twin is None else twin).fork()
            before = len(twin.records)
            if [each.prompt for each in twin.waiting()] != [each.prompt for each in turning.game.waiting()]:
                raise FaultError(f"{trial.name}, {turning.place}: a clone of the game has a different decision")
            twin.submit(turning.order, turning.decision.seat)
            forks += 1
            for record in twin.records[before:]:
                if record != trial.records[record.n - 1]:
                    raise FaultError(
                        f"{trial.name}, {turning.place}: a clone that continues from here makes a different record "
                        f"{record.n}: {parting(record, trial.records[record.n - 1])}"
                    )
    return f"{forks} clones continued as the game itself did"


def check_clones(bench: Harness) -> str:
    """Continue forks: none may share a list or dict with its original, or with another fork."""
    clones = 0
    for trial in bench.whole(3):
        codec, stream = trial.ruleset.codec, trial.stream("clones")
        previous: State | None = None
        for turning in islice(trial.replay(), 0, None, 7):
            game = turning.game
            before, twin = codec.to_bytes(game.state), game.fork()
            for _ in range(10):
                for decision in twin.waiting()[:1]:
                    twin.submit(random_order(decision, stream), decision.seat)
            held = {id(part) for state in (game.state, previous) for _, part in _containers(state, "")}
            shared = next((where for where, part in _containers(twin.state, "state") if id(part) in held), "")
            if codec.to_bytes(game.state) != before:
                shared = parting(codec.from_bytes(before, None), game.state)
            if shared:
                raise FaultError(
                    f"{trial.name}, {turning.place}: a fork from here shares {shared} with another game: "
                    "does a handler keep a list or dict of a module, an order or an event? Copy it"
                )
            previous = twin.state
            clones += 1
    return f"{clones} clones continued without affecting the game"


def _containers(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Yield each mutable list, dict and struct within ``value``, with its path."""
    if isinstance(value, dict):
        yield where, value
        for key, each in value.items():
            yield from _containers(each, f"{where}.{key}")
    elif isinstance(value, list):
        yield where, value
        for place, each in enumerate(value):
            yield from _containers(each, f"{where}[{place}]")
    elif isinstance(value, msgspec.Struct):
        if not value.__struct_config__.frozen:
            yield where, value
        for name in value.__struct_fields__:
            yield from _containers(getattr(value, name), f"{where}.{name}")


def check_undo(bench: Harness) -> str:
    """Undo each order that may be undone and give it again; the log of all this must verify."""
    undone = 0
    for trial in bench.whole(4):
        codec, game, mine = trial.ruleset.codec, trial.new_game(), 0
        game.start()
        for seat, order, number in trial.played.given:
            if mine == MAX_UNDOS:
                game.submit(order, seat)
                continue
            before = codec.digest(game.state)
            game.submit(order, seat)
            after = codec.digest(game.state)
            if not _takes_back(game, seat):
                continue
            mine += 1
            if codec.digest(game.state) != before:
                raise FaultError(f"{trial.name}, record {number}: undoing {order} does not restore the state before it")
            game.submit(order, seat)
            if codec.digest(game.state) != after:
                raise FaultError(
                    f"{trial.name}, record {number}: {order}, undone and given again, has a different effect"
                )
        problem = problem_of(trial, game)
        if problem:
            raise FaultError(f"{trial.name}, with {mine} orders undone and given again: {problem}")
        undone += mine
    return f"{undone} orders were undone and given again"


def _takes_back(game: Game, seat: str) -> bool:
    try:
        game.undo(seat)
    except NothingToUndo:
        return False
    return True


def check_interleaved(bench: Harness) -> str:
    """Play two games alternately, on boards that were used before: each must be the same as when played alone."""
    pairs = 0
    trials = bench.whole(6)
    for left, right in zip(trials, [*trials[1:], trials[0]], strict=True):
        tables = [(trial, trial.new_game(), streams_of(trial.prepared, trial.played.seed)) for trial in (left, right)]
        going = [play_on(game, streams) for _, game, streams in tables]
        while going:
            going = [each for each in going if next(each, None) is not None]
        for trial, game, _ in tables:
            _compare(trial, game)
        pairs += 1
    return f"{pairs} pairs of games did not disturb each other"


def _compare(trial: Trial, game: Game) -> None:
    for mine, alone in zip(game.records, trial.records, strict=False):
        if mine != alone:
            raise FaultError(
                f"{trial.name}, record {mine.n}: the same game, played alternately with another, differs: "
                f"{parting(mine, alone)}: the rules keep data outside the state"
            )
    if len(game.records) != len(trial.records):
        raise FaultError(f"{trial.name}: the same game, played alternately with another, has a different length")
