"""The check of outlines, whose digests the log stores: they contain types, ids, numbers and values, and no prose."""

import re
from collections.abc import Iterable, Iterator
from inspect import isclass
from itertools import islice
from typing import Any, get_args

from msgspec import Struct, structs, to_builtins

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Space
from sandtable.testing.checks.bench import DecisionPoint, FaultError, Harness, Trial, listed
from sandtable.testing.fuzz import draw

MAX_DECISIONS = 150
"""Maximum number of decisions of a game whose outlines are checked."""
SAMPLES = 4
MAX_LISTED = 150
_ID = re.compile(r"[a-z0-9?][a-z0-9_.:~-]*|")
"""An id, or the outline of a field whose space depends on other fields."""


def check_outlines(bench: Harness) -> str:
    """Check that labels and titles can be reworded without changing any log.

    Each text in an outline must be an id, the name of a type or field, a key of the scenario's tables, or a value in
    the state or in an option. Any other text is prose, such as a title or the label of an option.
    """
    checked = 0
    for trial in bench.whole(4):
        known = {*_type_names(trial), *_keys(trial.prepared.scenario.data)}
        stream = trial.stream("outlines")
        for turning in islice(trial.replay(), MAX_DECISIONS):
            unknown = {each for each in _texts(turning.decision.options.outline()) if not _ID.fullmatch(each)} - known
            for value in _values(turning, stream) if unknown else ():
                found = set(_texts(value))
                known |= found
                unknown -= found
                if not unknown:
                    break
            if unknown:
                raise FaultError(
                    f"{trial.name}, {turning.place}: the outline of the options contains {min(unknown)!r}, which is "
                    "not a value in the state or in an option: leave prose out, so that it can be reworded"
                )
            checked += 1
    return f"the outlines of {checked} decisions contain no prose"


def _values(turning: DecisionPoint, stream: Stream) -> Iterator[Any]:
    """Yield the given order, the state, and other options."""
    options = turning.decision.options
    yield turning.order
    yield turning.game.state
    for _ in range(SAMPLES):
        yield draw(options, stream)
    yield from listed(options, MAX_LISTED) or ()


def _type_names(trial: Trial) -> Iterator[str]:
    """Yield the names of the spaces, and of the orders with their fields and the types of these."""
    kinds: list[type[Any]] = [Space, *trial.ruleset.all_orders]
    for kind in kinds:
        yield kind.__name__
        if issubclass(kind, Space):
            kinds += kind.__subclasses__()
            continue
        for each in structs.fields(kind):
            yield each.name
            kinds += [inner for inner in _structs_in(each.type) if inner not in kinds]


def _structs_in(hint: Any) -> Iterator[type[Struct]]:
    if isclass(hint) and issubclass(hint, Struct):
        yield hint
    for each in get_args(hint):
        yield from _structs_in(each)


def _keys(table: Any) -> Iterator[str]:
    if isinstance(table, dict):
        for key, value in table.items():
            yield str(key)
            yield from _keys(value)
    elif isinstance(table, list | tuple):
        for each in table:
            yield from _keys(each)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in ``value``, with keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        yield from _texts(to_builtins(value))
    elif isinstance(value, dict):
        yield from _texts(list(value))
        yield from _texts(list(value.values()))
    elif isinstance(value, Iterable):
        for each in value:
            yield from _texts(each)
