"""Checks that the state is plain data, that it results from events alone, and that viewing changes nothing."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from sandtable.errors import PlayError
from sandtable.journal.fields import differences
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, EventRecord, SealRecord
from sandtable.kernel.state import State
from sandtable.plugin.groups import nothing
from sandtable.testing.checks.bench import FaultError, Harness, Trial, parting

MAX_REDRAWN = 4
"""Maximum number of drawings that are repeated after other games."""
MAX_LOOKS = 12
"""Maximum number of times that each side views a game, because drawing is slow."""
LOOKED_AT = 5
"""One in this many games is viewed."""
READ_BACK = 3
"""Number of games in which the state is encoded and decoded after every event."""

_NOT_PLAIN = (inspect.FloatType, inspect.SetType, inspect.FrozenSetType, inspect.DecimalType)
_KEYS = (inspect.StrType, inspect.LiteralType)


def check_plain_data(bench: Harness) -> str:
    """Check that state, orders and events contain neither floats nor sets, by their types and their values."""
    for prepared in bench.settings:
        ruleset = prepared.ruleset
        for kind in (ruleset.state_type, *ruleset.orders, *ruleset.events):
            for where in _not_plain(inspect.type_info(kind), kind.__name__, ()):
                raise FaultError(f"{where}: use integers, lists, and dicts with str keys")
    for trial in bench.trials:
        for where in _odd_values(trial.played.game.state, "the state"):
            raise FaultError(f"{trial.name}, record {trial.played.game.number}: {where}")
    return "no floats, no sets, and all keys are strings"


def _not_plain(kind: Any, where: str, within: tuple[Any, ...]) -> Iterator[str]:
    """Yield each path in a type at which something is not plain data."""
    if isinstance(kind, _NOT_PLAIN):
        yield f"{where} is a {type(kind).__name__.removesuffix('Type').lower()}"
    elif isinstance(kind, inspect.StructType):
        if kind.cls not in within:
            for field in kind.fields:
                yield from _not_plain(field.type, f"{where}.{field.name}", (*within, kind.cls))
    elif isinstance(kind, inspect.DictType):
        if not isinstance(kind.key_type, _KEYS):
            yield f"{where} has keys that are not str"
        yield from _not_plain(kind.value_type, where, within)
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType):
        yield from _not_plain(kind.item_type, where, within)
    elif isinstance(kind, inspect.TupleType | inspect.UnionType):
        for part in kind.item_types if isinstance(kind, inspect.TupleType) else kind.types:
            yield from _not_plain(part, where, within)


def _odd_values(value: Any, where: str) -> Iterator[str]:
    """Yield each path in a value at which something is not plain data."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _odd_values(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _odd_values(each, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            yield from _odd_values(each, f"{where}[{place}]")
    elif value is not None and not isinstance(value, str | int):
        yield f"{where} is {value!r}: not plain data"


def check_fold(bench: Harness) -> str:
    """Fold the events of each game, encoding and decoding the state between them, and compare at every seal."""
    seals = 0
    for number, trial in enumerate(bench.whole()):
        ruleset = trial.ruleset
        state = ruleset.codec.from_bytes(trial.prepared.first_state, trial.prepared.board)
        for record in trial.records:
            if isinstance(record, EventRecord):
                ruleset.table[type(record.event)].handler(state, record.event)
                state = _read_back(trial, record, state) if number < READ_BACK else state
            elif isinstance(record, SealRecord | CloseRecord):
                seals += 1
                if ruleset.codec.digest(state) != record.digest:
                    raise FaultError(
                        f"{trial.name}, record {record.n}: the fold of the events differs from the state of the rules "
                        f"({parting(state, _state_at(trial, record.n))}): something other than a handler changes the "
                        "state, or a handler changes or keeps a part of an event"
                    )
    return f"the states at {seals} seals follow from the events alone"


def _read_back(trial: Trial, record: EventRecord[Any], state: State) -> State:
    """Return ``state`` after encoding and decoding it. Raises FaultError if that changes it."""
    codec = trial.ruleset.codec
    data = codec.to_bytes(state)
    try:
        again: State = codec.from_bytes(data, trial.prepared.board)
    except msgspec.MsgspecError as error:
        raise FaultError(
            f"{trial.name}, record {record.n}: {record.event} makes a state of wrong types: {error}"
        ) from error
    for other, change in ((again, "encoded and decoded"), (codec.copy(state), "copied")):
        if codec.to_bytes(other) != data:
            where = parting(other, state)
            raise FaultError(f"{trial.name}, record {record.n}: the state changes when it is {change}: {where}")
    return again


class _Watch(list[Any]):
    """The records of a game; the state at one of them is kept."""

    def __init__(self, trial: Trial, number: int) -> None:
        super().__init__()
        self._codec, self._board = trial.ruleset.codec, trial.prepared.board
        self._number = number
        self.game = trial.new_game()
        self.game.records = self.game.trail = self
        self.state = self.game.state

    def append(self, record: Any) -> None:
        """Add ``record``; if it is the requested one, keep the state."""
        super().append(record)
        if record.n == self._number:
            self.state = self._codec.from_bytes(self._codec.to_bytes(self.game.state), self._board)


def _state_at(trial: Trial, number: int) -> State:
    """Return the state of the rules when record ``number`` was made."""
    watch = _Watch(trial, number)
    watch.game.start()
    for seat, order, at in trial.played.given:
        if at > number:
            break
        watch.game.submit(order, seat)
    return watch.state


def check_looking(bench: Harness) -> str:
    """View the game as every side and with every display hook, and change the views: the game must not change."""
    views = 0
    drawn: list[_Drawn] = []
    for trial in bench.whole(max(2, bench.games // LOOKED_AT)):
        codec, board = trial.ruleset.codec, trial.prepared.board
        narrate = trial.prepared.installed.ui.narrate or nothing
        for turning in islice(trial.replay(), 0, None, max(1, len(trial.played.given) // MAX_LOOKS)):
            game = turning.game.fork()
            before = codec.to_bytes(game.state)
            for side in (*trial.ruleset.viewers, PUBLIC):
                views += 1
                problem = _ill_seen(trial, game, side, drawn)
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: {problem}")
                if codec.to_bytes(game.state) != before:
                    difference = parting(codec.from_bytes(before, None), game.state)
                    raise FaultError(
                        f"{trial.name}, {turning.place}: viewing the state as {side}, or changing the view, "
                        f"changed it ({difference}): a view must consist of copies"
                    )
        for record in trial.records:
            sentence: object = narrate(record, board)
            if sentence is not None and (not isinstance(sentence, str) or "\n" in sentence):
                raise FaultError(
                    f"{trial.name}, record {record.n}: narrate returns {sentence!r}: it must be one line, or None"
                )
    for each in drawn:
        if each.trial.prepared.installed.draw(each.seen, each.trial.prepared.board, each.style) != each.drawing:
            raise FaultError(
                f"{each.trial.name}: repeated after other games, its drawing as {each.style} differs: "
                "it depends on something other than the view"
            )
    return f"{views} views changed nothing"


STRANGERS = ("nobody", "")
"""Names that do not belong to any viewer."""


def _shown_to_strangers(trial: Trial, game: Game) -> str:
    """Return the problem that a nonexistent viewer gets a view, or sees more than spectators, or "".

    The kernel refuses such a viewer. A view that treats an unknown name as the umpire would show everything elsewhere.
    """
    view = trial.prepared.installed.hook.ruleset_parts(
        scenario=trial.prepared.scenario, options=game.state.options
    ).view
    for name in STRANGERS:
        try:
            game.view(name)
        except PlayError:
            pass
        else:
            return f"{name!r} is not a viewer, but gets a view"
        if view is None or not trial.prepared.installed.manifest.hidden:
            continue
        try:
            seen = msgspec.to_builtins(view(game.state, name))
        except Exception:  # noqa: BLE001, S112 - a view may refuse it in any way
            continue
        shown = msgspec.to_builtins(view(game.state, PUBLIC))
        for where, one, other in differences(_as_spectator(seen, shown, name), shown):
            return f"view shows {name!r}, not a viewer, what it hides from {PUBLIC!r}: {where}: {one}, not {other}"
    return ""


def _as_spectator(seen: Any, shown: Any, name: str) -> Any:
    """Return the view ``seen`` with PUBLIC instead of ``name`` wherever the spectators' view has PUBLIC."""
    if isinstance(seen, dict) and isinstance(shown, dict):
        return {key: _as_spectator(each, shown.get(key), name) for key, each in seen.items()}
    return PUBLIC if seen == name and shown == PUBLIC else seen


class _Drawn(NamedTuple):
    """A drawing, and the view that it was made from."""

    trial: Trial
    seen: Any
    style: str
    drawing: str | None


def _ill_seen(trial: Trial, game: Game, side: str, drawings: list[_Drawn]) -> str:
    """View, draw and then change what ``side`` sees; return the first problem, or ""."""
    stranger = _shown_to_strangers(trial, game) if side == PUBLIC else ""
    if stranger:
        return stranger
    seen = game.view(side)
    try:
        msgspec.json.encode(seen)
    except (TypeError, ValueError) as error:
        return f"the view of {side} is not plain data: {error}"
    for where in _odd_values(seen, f"the view of {side}"):
        return where
    for style in ("text", "svg"):
        drawn = trial.prepared.installed.draw(seen, trial.prepared.board, style)
        if drawn is not None and not isinstance(drawn, str):
            return f"draw({style}) returns {type(drawn).__name__}, not text"
        if len(drawings) < MAX_REDRAWN:
            drawings.append(_Drawn(trial, deepcopy(seen), style, drawn))
    _spoil(seen)
    return ""


def _spoil(value: Any) -> None:
    """Change every list and dict within ``value``, and each field of a mutable struct."""
    if isinstance(value, dict):
        for each in value.values():
            _spoil(each)
        value["spoilt"] = None
    elif isinstance(value, list):
        for each in value:
            _spoil(each)
        value.append(None)
    elif hasattr(value, "__struct_fields__"):
        for name in value.__struct_fields__:
            _spoil(getattr(value, name))
            if not value.__struct_config__.frozen:
                setattr(value, name, None)
