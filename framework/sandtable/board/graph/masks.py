"""Flags: one byte for each space of a map, 1 or 0, for a property; fast to compare and to combine."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress
from typing import TypeAlias

from sandtable.board.graph.paths import SpaceTest
from sandtable.errors import RulesetError

Flags: TypeAlias = bytes
"""For each space 1 or 0."""


def mask_of(spaces: SpaceTest | Flags | None, size: int) -> Flags:
    """Return the flags of spaces given in any form; None marks no space.

    Raises RulesetError if the given flags are not for a map of ``size`` spaces.
    """
    if spaces is None:
        return bytes(size)
    if isinstance(spaces, AbstractSet):
        return flags_at(spaces, size)
    if not isinstance(spaces, Sequence):
        return bytes(map(bool, map(spaces, range(size))))
    if len(spaces) != size:
        raise RulesetError(f"{len(spaces)} flags for a map of {size} spaces; give one for each")
    return spaces if isinstance(spaces, bytes) else bytes(map(bool, spaces))


def flags_at(spaces: Iterable[int], size: int) -> Flags:
    """Return the flags of the spaces with these numbers. Raises RulesetError if one of them is not on the map."""
    flags = bytearray(size)
    for space in spaces:
        if not 0 <= space < size:
            raise RulesetError(f"space {space} is not on the map; its spaces are numbered 0 to {size - 1}")
        flags[space] = 1
    return bytes(flags)


def places_of(flags: Flags) -> list[int]:
    """Return the numbers of the spaces that have a flag, in ascending order."""
    return list(compress(range(len(flags)), flags))


def differing(a: Flags, b: Flags) -> list[int]:
    """Return the numbers of the spaces whose flags differ, in ascending order."""
    if a == b:
        return []
    other = int.from_bytes(a, "little") ^ int.from_bytes(b, "little")
    return places_of(other.to_bytes(len(a), "little"))


def joined_flags(*flags: Flags) -> Flags:
    """Return the flags of the spaces that are set in any of ``flags``: one or more, all for the same map."""
    found = 0
    for each in flags:
        found |= int.from_bytes(each, "little")
    return found.to_bytes(len(flags[0]), "little")
