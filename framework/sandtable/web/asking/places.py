"""Positions of the things in orders: the counters and places of a board that an option mentions.

Films have a key for every counter and place, and their ids are those in orders. Units without a counter, as on a map of
areas, are found in the view: an id with a field that holds a place.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from sandtable.kernel.options import Space

PLACE_FIELDS = ("hex", "space", "place", "area", "at")
"""Fields of a unit in a view that hold its place."""
MAX_DEPTH = 5
_SEPARATORS = re.compile(r"[\s/,:;]+")


class Whereabouts:
    """The ``known`` counters and places of a board, and the places of units in a ``view``."""

    def __init__(self, known: Collection[str], places: Collection[str], view: Any) -> None:
        self._known = known
        self._at = dict(_units(view, places, 0))

    def of(self, value: Any) -> list[str]:
        """Return the counters and places that ``value`` mentions, in its order, each once."""
        found = (each if each in self._known else self._at.get(each, "") for each in _texts(value))
        return list(dict.fromkeys(filter(None, found)))

    def units_at(self, place: str) -> list[str]:
        """Return the units of the view that are at ``place``."""
        return [unit for unit, at in self._at.items() if at == place]

    def __contains__(self, ident: object) -> bool:
        """Return whether ``ident`` is a counter or place of the board, or a unit of the view."""
        return ident in self._known or ident in self._at


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value, and their words."""
    if isinstance(value, str):
        yield value
        words = [each for each in _SEPARATORS.split(value) if each]
        if words != [value]:
            yield from words
    elif isinstance(value, Space):
        return
    elif isinstance(value, Struct):
        yield from _texts(structs.astuple(value))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts(key)
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _units(view: Any, places: Collection[str], depth: int) -> Iterator[tuple[str, str]]:
    """Yield the id and the place of each unit in ``view``: a key or field ``id``, and a field that holds a place."""
    if depth > MAX_DEPTH:
        return
    for key, each in _members(view):
        if isinstance(each, Struct | Mapping):
            fields = dict(_members(each))
            place = next((fields[name] for name in PLACE_FIELDS if _is_place(fields.get(name), places)), None)
            ident = fields.get("id", key)
            if place is not None and isinstance(ident, str):
                yield ident, place
        if isinstance(each, Struct | Mapping | list | tuple):
            yield from _units(each, places, depth + 1)


def _is_place(value: Any, places: Collection[str]) -> bool:
    return isinstance(value, str) and value in places


def _members(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, Struct):
        yield from ((name, getattr(value, name)) for name in value.__struct_fields__)
    elif isinstance(value, list | tuple):
        yield from ((None, each) for each in value)
