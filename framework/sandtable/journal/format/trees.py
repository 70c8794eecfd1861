"""The commitment of a closed step: the root of a tree with a leaf for each side and the umpire (log format, section 8).

The umpire's leaf and the tree of the sides' leaves are the two children of the root. The sides' leaves are in the order
of their names; the tree is filled up to a power of two with zero hashes.
"""

from collections.abc import Sequence
from hashlib import sha256

_SIZE = 32
_EMPTY = bytes(_SIZE)


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\0" + leaf).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


class Tree:
    """The tree over the ``umpire``'s leaf and the ``sides``' leaves, given as hashes."""

    def __init__(self, umpire: bytes, sides: Sequence[bytes]) -> None:
        self._umpire = umpire
        level = [*sides] or [_EMPTY]
        level += [_EMPTY] * ((1 << (len(level) - 1).bit_length()) - len(level))
        self._levels = [level]
        while len(level) > 1:
            level = [_node(*level[at : at + 2]) for at in range(0, len(level), 2)]
            self._levels.append(level)

    def root(self) -> bytes:
        """Return the root."""
        return _node(self._umpire, self._levels[-1][0])

    def path(self, index: int | None) -> bytes:
        """Return the hashes that lead to the root from the leaf of side ``index`` (None: of the umpire), from below."""
        if index is None:
            return self._levels[-1][0]
        return b"".join(level[(index >> depth) ^ 1] for depth, level in enumerate(self._levels[:-1])) + self._umpire


def place_in(sides: Sequence[str], side: str) -> tuple[int, int]:
    """Return the index of the leaf of ``side`` among ``sides``, in ascending order, and the length of its path."""
    return sides.index(side), 1 + (max(len(sides), 1) - 1).bit_length()


def root_from(leaf: bytes, index: int | None, path: bytes) -> bytes | None:
    """Return the root to which ``path`` leads from a leaf's hash, or None if it is not a path of such a leaf."""
    hashes = [path[at : at + _SIZE] for at in range(0, len(path), _SIZE)]
    if not hashes or len(path) % _SIZE or (index is None and len(hashes) > 1):
        return None
    if index is None:
        return _node(leaf, hashes[0])
    *inner, umpire = hashes
    if index >> len(inner):
        return None
    for depth, other in enumerate(inner):
        leaf = _node(other, leaf) if index >> depth & 1 else _node(leaf, other)
    return _node(umpire, leaf)
