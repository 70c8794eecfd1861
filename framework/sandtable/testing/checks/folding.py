"""Checks that the state is nothing but the fold of the events: fold, clone, fork, undo, log."""

from collections.abc import Iterator
from typing import Any

from msgspec import inspect, to_builtins

from sandtable.errors import NothingToUndo, SandtableError
from sandtable.journal.header import make_header
from sandtable.journal.record import log_bytes
from sandtable.journal.slices import slice_log, verify_slice
from sandtable.journal.store import Log, parse_log
from sandtable.journal.verify import SAME, verify
from sandtable.kernel.game import Game
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, SealRecord
from sandtable.testing.checks.bench import Bench, FaultError, Trial, Turning, parting

_NOT_PLAIN: tuple[type[Any], ...] = (inspect.FloatType, inspect.SetType, inspect.FrozenSetType, inspect.DecimalType)
MOST_FORKS = 60
"""A game is forked at so many decisions in a row, from its beginning."""
MOST_UNDOS = 20


def check_plain_data(bench: Bench) -> str:
    """See that state, orders and events hold neither floats nor sets, by their types and by what stands in them."""
    for prepared in bench.settings:
        ruleset = prepared.ruleset
        for kind in (ruleset.state_type, *ruleset.orders, *ruleset.events):
            for where in _not_plain(inspect.type_info(kind), kind.__name__, ()):
                raise FaultError(f"{where}: count in whole numbers and keep lists, so that equal states are equal bytes")
    for trial in bench.trials:
        for where in _odd_values(to_builtins(trial.played.game.state), "state"):
            raise FaultError(f"{trial.name}, record {trial.played.game.number}: {where}")
    return "no floats, no sets, keys are strings"


def _not_plain(kind: Any, where: str, within: tuple[Any, ...]) -> Iterator[str]:
    """Yield each place of a type in which something stands that is not plain data."""
    if isinstance(kind, _NOT_PLAIN):
        yield f"{where} is of type {type(kind).__name__.removesuffix('Type').lower()}"
    elif isinstance(kind, inspect.DictType) and not isinstance(kind.key_type, inspect.StrType | inspect.LiteralType):
        yield f"{where} has keys that are no strings"
    if isinstance(kind, inspect.StructType):
        if kind.cls not in within:
            for field in kind.fields:
                yield from _not_plain(field.type, f"{where}.{field.name}", (*within, kind.cls))
        return
    parts = [getattr(kind, name, None) for name in ("item_type", "value_type")]
    for part in [*parts, *getattr(kind, "item_types", ()), *getattr(kind, "types", ())]:
        if part is not None:
            yield from _not_plain(part, where, within)


def _odd_values(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                yield f"{where} has the key {key!r}, which is no string"
            yield from _odd_values(each, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            yield from _odd_values(each, f"{where}[{place}]")
    elif value is not None and not isinstance(value, str | int):
        yield f"{where} is {value!r}: not plain data"


def check_fold(bench: Bench) -> str:
    """Fold the events of each game, writing the state out and reading it back after each; compare at every seal."""
    seals = 0
    for trial in bench.whole():
        ruleset, board = trial.ruleset, trial.prepared.board
        state = ruleset.codec.from_bytes(trial.prepared.first_state, board)
        for record in trial.records:
            if isinstance(record, EventRecord):
                ruleset.table[type(record.event)].handler(state, record.event)
                again = ruleset.codec.from_bytes(ruleset.codec.to_bytes(state), board)
                if again != state:
                    raise FaultError(
                        f"{trial.name}, record {record.n}: after {record.event} the state does not survive being "
                        f"written out and read back: {parting(again, state)}"
                    )
                state = again
            elif isinstance(record, SealRecord | CloseRecord):
                seals += 1
                if ruleset.codec.digest(state) != record.digest:
                    raise FaultError(_unfolded(trial, record.n, state))
    return f"the states at {seals} seals follow from the events alone"


def _unfolded(trial: Trial, number: int, folded: Any) -> str:
    """Return the message for a seal that the events do not lead to: which field differs."""
    told = ""
    for turning in trial.replay():
        if turning.game.number >= number:
            break
        live = turning.game.state
        told = "" if live.turn > folded.turn else parting(folded, live)
    what = f"; {told}" if told and "keys" not in told else ""
    return (
        f"{trial.name}, record {number}: the events fold to another state than the rules ran in: something changes "
        f"the state that is no handler, or a handler looks at more than state and event{what}"
    )


def check_play_on(bench: Bench) -> str:
    """Go on from a clone of the game at each decision; it must make the records that the unbroken game made."""
    forks = 0
    for trial in bench.whole(4):
        records = trial.records
        twin: Game | None = None
        for turning in trial.replay():
            twin = (twin or turning.game).fork()
            before = len(twin.records)
            if len(twin.waiting()) != len(turning.game.waiting()):
                raise FaultError(f"{trial.name}, {turning.place}: a clone of the game asks something else there")
            twin.submit(turning.order, turning.decision.seat)
            forks += 1
            for record in twin.records[before:]:
                if record != records[record.n - 1]:
                    raise FaultError(
                        f"{trial.name}, {turning.place}: a clone that is played on from here makes another record "
                        f"{record.n}: {parting(record, records[record.n - 1])}"
                    )
            if twin.is_over or forks % MOST_FORKS == 0:
                break
            if forks % 8 == 0:  # start afresh from the unbroken game: the chain need not be longer
                twin = None
    return f"{forks} clones played on as the game itself did"


def check_clones(bench: Bench) -> str:
    """Play a fork on to another end, and spoil a clone of the state: the game they come from must not notice."""
    clones = 0
    for trial in bench.whole(3):
        codec, stream = trial.ruleset.codec, trial.stream("clones")
        for number, turning in enumerate(trial.replay()):
            if number % 7:
                continue
            game = turning.game
            before = codec.digest(game.state)
            spoil(codec.from_bytes(codec.to_bytes(game.state), game.state.board))
            twin = game.fork()
            for _ in range(10):
                if twin.waiting():
                    decision = twin.waiting()[0]
                    twin.submit(decision.options.sample(stream), decision.seat)
            spoil(twin.state)
            clones += 1
            if codec.digest(game.state) != before:
                raise FaultError(f"{trial.name}, {turning.place}: a change to a clone changed the game it comes from")
    return f"{clones} clones were spoilt without harm"


def spoil(value: Any) -> None:
    """Change every list and dict within ``value``, and each field of a struct that can be changed."""
    if isinstance(value, dict):
        for each in value.values():
            spoil(each)
        value["spoilt"] = None
    elif isinstance(value, list):
        for each in value:
            spoil(each)
        value.append(None)
    elif hasattr(value, "__struct_fields__"):
        for name in value.__struct_fields__:
            spoil(getattr(value, name))
        if not value.__struct_config__.frozen:
            for name in value.__struct_fields__:
                setattr(value, name, None)


def check_undo(bench: Bench) -> str:
    """Take back each order that nothing forbids to take back, and give it again: the same state, twice."""
    undone = 0
    for trial in bench.whole(4):
        codec, mine = trial.ruleset.codec, 0
        reference = trial.new_game()
        reference.start()
        for turning in trial.replay():
            game, seat = turning.game, turning.decision.seat
            before = codec.digest(game.state)
            reference.submit(turning.order, seat)
            twin = game.fork()
            twin.submit(turning.order, seat)
            try:
                twin.undo(seat)
            except NothingToUndo:
                continue
            mine += 1
            if codec.digest(twin.state) != before:
                raise FaultError(f"{trial.name}, {turning.place}: undo of {turning.order} leads to another state")
            twin.submit(turning.order, seat)
            if codec.digest(twin.state) != codec.digest(reference.state):
                raise FaultError(f"{trial.name}, {turning.place}: {turning.order} given, taken back and given again differs")
            if mine == MOST_UNDOS:
                break
        undone += mine
    return f"{undone} orders were taken back and given again"


def check_log(bench: Bench) -> str:
    """Write the log of each game, verify it by running the rules again, and cut it down for each side."""
    for trial in bench.whole():
        log = log_of(trial)
        try:
            verdict = verify(log, trial.prepared)
            if verdict.verdict != SAME:
                raise FaultError(f"{trial.name}: {verdict.first_difference.text if verdict.first_difference else verdict}")
            for side in trial.ruleset.viewers:
                verify_slice(slice_log(log, trial.prepared, side), f"{trial.name} as {side} sees it")
        except SandtableError as error:
            raise FaultError(f"{trial.name}: {error}") from error
    return f"{len(bench.whole())} logs verified"


def log_of(trial: Trial) -> Log:
    """Return the log of the game, as if read from a file."""
    return parse_log(log_lines(trial), trial.name)


def log_lines(trial: Trial) -> bytes:
    """Return the bytes of the game's log."""
    players = dict.fromkeys(trial.ruleset.seats, "fuzz")
    return log_bytes(make_header(trial.prepared, players, trial.dice()), trial.played.game)[0]


__all__ = [
    "Turning",
    "check_clones",
    "check_fold",
    "check_log",
    "check_plain_data",
    "check_play_on",
    "check_undo",
    "log_lines",
    "log_of",
]
