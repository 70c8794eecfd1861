"""The state: cloned by its bytes, the same digest for the same content, plain data only."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import MsgspecError, Struct, defstruct, field, msgpack

from sandtable.errors import RulesetError
from sandtable.kernel.state import State, StateCodec


class Unit(Struct):
    steps: int
    conditions: list[str]


class Field(State, kw_only=True):
    units: dict[str, Unit] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[int, int]] = field(default_factory=list)


CODEC = StateCodec(Field, "field 1")
PLAIN = st.dictionaries(st.text(max_size=5), st.integers(-(2**60), 2**60), max_size=6)


def filled(**facts: Any) -> Field:
    return Field(units={"1/A": Unit(2, ["spent"])}, pairs=[(1, 2)], **facts)


def test_a_clone_is_equal_and_shares_nothing() -> None:
    state = filled(words={"a": 1})
    clone = CODEC.from_bytes(CODEC.to_bytes(state), None)
    assert clone == state
    before = CODEC.digest(state)
    clone.units["1/A"].conditions.append("routed")
    clone.units["2/B"] = Unit(1, [])
    clone.words.clear()
    clone.pairs.append((3, 4))
    assert CODEC.digest(state) == before
    assert CODEC.digest(clone) != before


class Report(Struct, frozen=True):
    turn: int
    seen: dict[str, list[int]]


class Order(Struct, frozen=True):
    route: tuple[str, ...]


class Tree(Struct):
    name: str
    parts: list["Tree"] = field(default_factory=list)


class Everything(State, kw_only=True):
    unit: Unit
    chosen: Unit | None
    either: int | str
    report: Report
    order: Order
    rows: dict[str, list[tuple[int, str]]]
    groups: tuple[list[int], ...]
    tree: Tree
    free: Any


def test_copy_equals_the_decoded_bytes_and_shares_no_mutable_value() -> None:
    codec = StateCodec(Everything, "everything 1")
    state = Everything(
        unit=Unit(2, ["spent"]), chosen=Unit(1, []), either="x", report=Report(1, {"axis": [1]}),
        order=Order(("a", "b")), rows={"a": [(1, "x")]}, groups=([1], [2, 3]),
        tree=Tree("a", [Tree("b", [Tree("c")])]), free={"x": [{"y": [1]}]}, options={"tie": "stay"},
    )  # fmt: skip
    state.place_board("board")
    copy = codec.copy(state)
    assert copy == state
    assert copy.board == "board"
    assert codec.to_bytes(copy) == codec.to_bytes(state)
    found = [dict(_mutable(each)) for each in (state, copy)]
    assert len(found[0]) == len(found[1]) == 22
    assert found[0].keys().isdisjoint(found[1])
    assert copy.order is state.order


def _mutable(value: Any) -> Iterator[tuple[int, Any]]:
    """Yield each list, dict and struct in ``value`` that can change, by its identity."""
    if isinstance(value, Struct):
        if not value.__struct_config__.frozen:
            yield id(value), value
        parts: Iterable[Any] = [getattr(value, name) for name in value.__struct_fields__]
    elif isinstance(value, dict | list):
        yield id(value), value
        parts = value.values() if isinstance(value, dict) else value
    else:
        parts = value if isinstance(value, tuple) else ()
    for part in parts:
        yield from _mutable(part)


@given(PLAIN)
def test_key_order_does_not_change_the_digest(words: dict[str, int]) -> None:
    backwards = dict(reversed(list(words.items())))
    assert CODEC.digest(filled(words=words)) == CODEC.digest(filled(words=backwards))
    assert CODEC.canonical(filled(words=words)) == CODEC.canonical(filled(words=backwards))


@pytest.mark.full
@given(PLAIN, PLAIN)
def test_different_content_has_a_different_digest(one: dict[str, int], other: dict[str, int]) -> None:
    assert (CODEC.digest(filled(words=one)) == CODEC.digest(filled(words=other))) == (one == other)


@given(PLAIN)
def test_encoding_a_decoded_state_gives_the_same_bytes(words: dict[str, int]) -> None:
    data = CODEC.to_bytes(filled(words=words))
    assert CODEC.to_bytes(CODEC.from_bytes(data, None)) == data


def test_the_digest_depends_on_ruleset_and_version() -> None:
    assert StateCodec(Field, "field 2").digest(filled()) != CODEC.digest(filled())


def test_every_field_of_the_state_is_in_the_digest() -> None:
    state = filled()
    digests = {CODEC.digest(state)}
    for name, value in [("turn", 1), ("phase", "x"), ("phasing_side", "x"), ("position", 3), ("in_phase", True)]:
        setattr(state, name, value)
        digests.add(CODEC.digest(state))
    assert len(digests) == 6


def test_board_is_not_in_the_bytes_and_is_passed_on() -> None:
    board = {"map": "desert"}
    state = filled()
    bare = CODEC.to_bytes(state)
    state.place_board(board)
    assert state.board is board
    assert CODEC.to_bytes(state) == bare
    assert CODEC.from_bytes(bare, board).board is board
    assert Field().board is None


@pytest.mark.parametrize("words", [{1: 1}, *({"a": value} for value in (object(), 0.5, {1, 2}, frozenset("ab")))])
def test_state_that_is_not_plain_data_is_refused(words: Any) -> None:
    with pytest.raises(RulesetError, match=r"^the state of field 1 contains data that is not plain"):
        CODEC.digest(filled(words=words))


class Node(Struct):
    nodes: list["Node"]
    depth: int


class Odd(Struct):
    first: int
    share: float


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (float, "a float"),
        (set[str], "a set"),
        (list[float], "a float"),
        (dict[str, float], "a float"),
        (tuple[int, float], "a float"),
        (tuple[float, ...], "a float"),
        (int | float, "a float"),
        (list[dict[str, set[int]]], "a set"),
        (Decimal, "a decimal"),
        *((each, "a float") for each in (Odd, list[Odd], dict[str, tuple[int, Odd]], Odd | None)),
    ],
)
def test_state_type_that_allows_more_than_plain_data_is_refused(kind: Any, expected: str) -> None:
    path = "odds: share" if "Odd" in str(kind) else "odds"
    bad: Any = defstruct("Bad", [("root", Node, None), ("odds", kind, None)], bases=(State,), kw_only=True)
    with pytest.raises(RulesetError, match=rf"^the state of bad 1: {path} may contain {expected}: use only plain data"):
        StateCodec(bad, "bad 1")


def test_bytes_of_another_state_are_refused() -> None:
    with pytest.raises(MsgspecError):
        CODEC.from_bytes(b"\x81\xa1x\x01", None)


def test_digest_can_be_recomputed() -> None:
    """The label, then MessagePack: structures with their fields as declared, tables with their keys sorted."""
    state = filled(turn=3, options={"b": "1", "a": "2"}, words={"z": 1, "y": 2})
    clock = {"turn": 3, "phase": "", "phasing_side": "", "phasing_power": "", "position": 0, "in_phase": False}
    end = {"outcome": "", "ending": "", "options": {"a": "2", "b": "1"}}
    units = {"1/A": {"steps": 2, "conditions": ["spent"]}}
    facts = {**clock, **end, "units": units, "words": {"y": 2, "z": 1}, "pairs": [[1, 2]]}
    digest = sha256(b"sandtable state\nfield 1\n" + msgpack.encode(facts)).hexdigest()
    assert CODEC.digest(state) == CODEC.quick_digest(state) == digest


def test_recursive_state_type_is_accepted() -> None:
    fine: Any = defstruct("Fine", [("root", Node, None)], bases=(State,), kw_only=True)
    StateCodec(fine, "fine 1")
