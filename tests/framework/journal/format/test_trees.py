"""Trees of leaves for the umpire and the sides: roots against a slow reference, and paths (section 8)."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.journal.format.trees import Tree, leaf_hash, root_from


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def slow_root(leaves: list[bytes]) -> bytes:
    """Return the root of a tree by halving, filled up with zero hashes."""
    size = 1
    while size < len(leaves):
        size *= 2
    filled = leaves + [bytes(32)] * (size - len(leaves))
    return filled[0] if size == 1 else node(slow_root(filled[: size // 2]), slow_root(filled[size // 2 :]))


@given(st.integers(0, 9))
def test_every_leaf_leads_to_the_root_of_the_slow_reference(sides: int) -> None:
    leaves = [leaf_hash(b"side %d" % number) for number in range(sides)]
    umpire = leaf_hash(b"umpire")
    tree = Tree(umpire, leaves)
    assert tree.root() == node(umpire, slow_root(leaves or [bytes(32)]))
    assert root_from(umpire, None, tree.path(None)) == tree.root()
    for index, leaf in enumerate(leaves):
        assert root_from(leaf, index, tree.path(index)) == tree.root()
        for other in range(sides):
            if other != index:
                assert root_from(leaf, other, tree.path(index)) != tree.root()


@pytest.mark.parametrize(
    ("index", "path"), [(None, b""), (None, bytes(64)), (0, b""), (0, bytes(33)), (1, bytes(32)), (4, bytes(96))]
)
def test_impossible_leaf_path_has_no_root(index: int | None, path: bytes) -> None:
    assert root_from(bytes(32), index, path) is None


def test_leaf_hash_differs_from_nodes_and_other_leaves() -> None:
    assert leaf_hash(b"a") == hashlib.sha256(b"\0a").digest()
    assert len({leaf_hash(b""), leaf_hash(b"\0"), node(b"", b""), hashlib.sha256(b"").digest()}) == 4
