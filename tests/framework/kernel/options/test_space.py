"""Properties of every kind of space: samples, lists, counts, outlines, refusals."""

import gc
import re
import weakref
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import Attack, Build, attack_space, path_space

from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import (
    AnyOf,
    Form,
    Groups,
    ListOf,
    OneForEach,
    OneOf,
    Range,
    Refusal,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
)
from sandtable.testing.scratch import Say

SPACES: dict[str, Callable[[], Space]] = {
    "OneOf": lambda: OneOf(["a", "b", "c"], "O-1"),
    "OneOf orders": lambda: OneOf([Say("a"), Say("b")], "O-1"),
    "OneOf truth": lambda: OneOf([True, False], "O-1"),
    "Range": lambda: Range(-2, 5, "R-1"),
    "SomeOf": lambda: SomeOf(["a", "b", "c", "d"], 1, 3, "S-1"),
    "SomeOf any": lambda: SomeOf([1, 2, 3], rule="S-1"),
    "ListOf": lambda: ListOf(Range(1, 6, "L-1"), 2),
    "OneForEach": lambda: OneForEach({"x": Range(0, 1, "E-1"), "y": OneOf(["p", "q"], "E-2")}, "E-0"),
    "ShareOut": lambda: ShareOut(7, {"tank": 3, "gun": 2, "man": 1}, {"man": 2}, rule="H-1"),
    "ShareOut exactly": lambda: ShareOut(6, {"tank": 3, "gun": 2}, exactly=True, rule="H-1"),
    "Path": path_space,
    "Sheet": lambda: Sheet(
        {"x": Range(0, 1, "T-1"), "y": OneOf(["p", "q"], "T-2"), "z": Range(0, 1, "T-3")},
        lambda sheet: [("z", Refusal("T-4", "x and z must differ"))] if sheet.get("x") == sheet.get("z", -1) else [],
        required=("y",),
        rule="T-0",
        blanks=2,
    ),
    "Sheet of no clashes": lambda: Sheet({"x": Range(1, 3), "y": Range(1, 2)}, rule="T-0", blanks=2),
    "Groups": lambda: Groups(["a", "b", "c", "d"], rule="G-1"),
    "Groups of two": lambda: Groups(
        ["a", "b", "c"], lambda group: Refusal("G-2", "too many in one group") if len(group) > 2 else None, "G-1"
    ),
    "Form": attack_space,
    "AnyOf": lambda: AnyOf([attack_space(), Form(Build, {"share": ShareOut(2, {"gun": 1}, rule="B-1")})]),
}

STRANGERS: dict[str, list[Any]] = {
    "OneOf": ["d", "", None, 1, True, ["a"], {}, "a" * 500],
    "OneOf orders": [Say("c"), "a", None, Attack("b", [])],
    "OneOf truth": ["True", None, [True]],
    "Range": [-3, 6, "1", None, True, 1.0, 2**80, [1]],
    "SomeOf": [[], ["a", "b", "c", "d"], ["a", "a"], ["e"], "a", None, {"a": 1}, [["a"]]],
    "SomeOf any": [[4], [1, 1], [None], 1],
    "ListOf": [[1], [1, 2, 3], [0, 1], [1, 7], ["1", 1], None, 5],
    "OneForEach": [{}, {"x": 0}, {"x": 0, "y": "p", "z": 1}, {"x": 2, "y": "p"}, {"x": 0, "y": "r"}, [], None],
    "ShareOut": [{"tank": 3}, {"man": 3}, {"man": 0}, {"gun": -1}, {"plane": 1}, {"gun": "1"}, {"gun": True}, [], None],
    "ShareOut exactly": [{"tank": 1}, {}, {"tank": 2, "gun": 1}, {"gun": 2}],
    "Path": [[], ["b"], ["a", "c"], ["a", "b", "a"], ["a", "d"], ["a", "b", "c", "d", "a"], "ab", None, [None]],
    "Sheet": [
        {},
        {"x": 0},
        {"y": "r"},
        {"y": "p", "w": 1},
        {"y": "p", "x": 2},
        {"y": "p", "x": 1, "z": 1},
        {"y": "p", 1: 1},
        [],
        None,
    ],
    "Groups": [
        [],
        [["a", "b"]],
        [["a"], ["b"], ["c"], ["d"], ["a"]],
        [["a", "b", "c", "d"], []],
        [["e"]],
        "abcd",
        None,
    ],
    "Groups of two": [[["a", "b", "c"]], [["c"], ["a"]], [[1], ["a", "b", "c"]]],
    "Form": [
        Attack("b", []),
        Attack("b", ["u3"]),
        Attack("d", ["u1"]),
        Attack("c", ["u3"]),
        Attack("c", ["u2", "u3"]),
        Say("b"),
        None,
    ],
    "AnyOf": [Attack("b", []), Build({"gun": 3}), Build({"tank": 1}), Say("b"), None],
}


@pytest.mark.parametrize("name", SPACES)
def test_every_sample_belongs_to_the_space(name: str) -> None:
    space, stream = SPACES[name](), Stream(name.encode())
    for _ in range(200):
        value = space.sample(stream)
        assert space.why_not(value) is None
        assert space.is_legal(value)
        space.check(value)


@pytest.mark.parametrize("name", SPACES)
def test_near_value_belongs_to_the_space(name: str) -> None:
    space, stream = SPACES[name](), Stream(name.encode())
    for _ in range(100):
        value = space.sample(stream)
        assert space.why_not(space.near(value, stream)) is None
        assert space.is_legal(value)


@pytest.mark.parametrize("name", SPACES)
def test_values_are_legal_distinct_and_match_the_count(name: str) -> None:
    space = SPACES[name]()
    listed = list(space.values())
    assert all(space.why_not(value) is None for value in listed)
    assert all(value not in listed[:place] for place, value in enumerate(listed))
    assert space.count() == len(listed)
    assert [space.count(limit) for limit in (1, 3)] == [min(len(listed), 1), min(len(listed), 3)]
    assert list(space.values()) == listed
    assert not space.is_empty()


@pytest.mark.parametrize("name", SPACES)
def test_every_listed_value_can_be_sampled(name: str) -> None:
    space, stream = SPACES[name](), Stream(b"all of them")
    listed = list(space.values())
    seen = [space.sample(stream) for _ in range(60 * len(listed))]
    assert all(value in seen for value in listed)


@pytest.mark.parametrize(("name", "stranger"), [(name, each) for name in STRANGERS for each in STRANGERS[name]])
def test_unknown_values_are_refused_with_a_reason(name: str, stranger: Any) -> None:
    space = SPACES[name]()
    refusal = space.why_not(stranger)
    assert refusal is not None
    assert refusal.reason
    assert "\n" not in refusal.reason
    assert len(refusal.reason) < 300
    shape = name == "ListOf" and (not isinstance(stranger, list) or len(stranger) != 2)
    other_type = name in {"Form", "AnyOf"} and not isinstance(stranger, Attack | Build)
    if not shape and not other_type:
        assert re.fullmatch(r"[A-Z]-\d", refusal.rule)
    with pytest.raises(IllegalOrder) as caught:
        space.check(stranger)
    assert (caught.value.rule, caught.value.reason) == refusal


BY_HAND: dict[str, tuple[int, list[Any]]] = {
    "OneOf": (3, ["a", "b", "c"]),
    "OneOf orders": (2, [Say("a"), Say("b")]),
    "OneOf truth": (2, [True, False]),
    "Range": (8, [-2, -1, 0, 1, 2, 3, 4, 5]),
    "SomeOf": (4 + 6 + 4, [["a"], ["b"], ["c"], ["d"], ["a", "b"], ["a", "c"]]),
    "SomeOf any": (2**3, [[], [1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]]),
    "ListOf": (6 * 6, [[1, 1], [1, 2], [1, 3]]),
    "OneForEach": (2 * 2, [{"x": 0, "y": "p"}, {"x": 0, "y": "q"}, {"x": 1, "y": "p"}, {"x": 1, "y": "q"}]),
    # without a tank 3 + 3 + 3 + 2 (by guns), with one 3 + 3 + 1, with two 2
    "ShareOut": (11 + 7 + 2, [{}, {"man": 1}, {"man": 2}, {"gun": 1}]),
    "ShareOut exactly": (2, [{"gun": 3}, {"tank": 2}]),
    "Path": (5, [["a"], ["a", "b"], ["a", "b", "c"], ["a", "d", "c"], ["a", "d", "c", "b"]]),
    # x and z each blank, 0 or 1 and not equal: 9 - 2; y is p or q
    "Sheet": (7 * 2, [{"y": "p"}, {"y": "p", "z": 0}, {"y": "p", "z": 1}, {"y": "q"}]),
    "Sheet of no clashes": (4 * 3, [{}, {"y": 1}, {"y": 2}, {"x": 1}, {"x": 1, "y": 1}]),
    "Groups": (15, [[["a", "b", "c", "d"]], [["a", "b", "c"], ["d"]], [["a", "b", "d"], ["c"]]]),
    "Groups of two": (4, [[["a", "b"], ["c"]], [["a", "c"], ["b"]], [["a"], ["b", "c"]], [["a"], ["b"], ["c"]]]),
    "Form": (4, [Attack("b", ["u1"]), Attack("b", ["u2"]), Attack("b", ["u1", "u2"]), Attack("c", ["u2"])]),
    "AnyOf": (4 + 3, [Attack("b", ["u1"]), Attack("b", ["u2"]), Attack("b", ["u1", "u2"]), Attack("c", ["u2"])]),
}
"""Number of values, and the first of them."""

OUTLINES: dict[str, Any] = {
    "OneOf": ["a", "b", "c"],
    "OneOf orders": [Say("a"), Say("b")],
    "OneOf truth": [True, False],
    "Range": ["Range", -2, 5],
    "SomeOf": ["SomeOf", 1, 3, ["a", "b", "c", "d"]],
    "SomeOf any": ["SomeOf", 0, 3, [1, 2, 3]],
    "ListOf": ["ListOf", 2, ["Range", 1, 6]],
    "OneForEach": {"x": ["Range", 0, 1], "y": ["p", "q"]},
    "ShareOut": ["ShareOut", 7, {"tank": 3, "gun": 2, "man": 1}, {"man": 2}, False],
    "ShareOut exactly": ["ShareOut", 6, {"tank": 3, "gun": 2}, {}, True],
    "Path": ["Path", "a", 3],
    "Sheet": ["Sheet", {"x": ["Range", 0, 1], "y": ["p", "q"], "z": ["Range", 0, 1]}, ["y"]],
    "Sheet of no clashes": ["Sheet", {"x": ["Range", 1, 3], "y": ["Range", 1, 2]}, []],
    "Groups": ["Groups", ["a", "b", "c", "d"]],
    "Groups of two": ["Groups", ["a", "b", "c"]],
    "Form": ["Attack", {"target": ["b", "c"], "units": "?"}],
    "AnyOf": [
        "AnyOf",
        ["Attack", {"target": ["b", "c"], "units": "?"}],
        ["Build", {"share": ["ShareOut", 2, {"gun": 1}, {}, False]}],
    ],
}


@pytest.mark.parametrize("name", SPACES)
def test_space_values_match_a_manual_list_in_order(name: str) -> None:
    space, (number, first) = SPACES[name](), BY_HAND[name]
    assert space.count() == number
    assert list(islice(space.values(), len(first))) == first


@pytest.mark.parametrize("name", SPACES)
def test_outline_identifies_the_options(name: str) -> None:
    assert SPACES[name]().outline() == OUTLINES[name]


def spaces() -> st.SearchStrategy[Space]:
    """Return nested spaces, none of them empty."""
    names = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True)
    leaves: st.SearchStrategy[Space] = st.one_of(
        names.map(OneOf),
        st.tuples(st.integers(-3, 3), st.integers(0, 4)).map(lambda pair: Range(pair[0], pair[0] + pair[1])),
        names.map(SomeOf),
        st.tuples(st.integers(0, 6), st.integers(1, 3)).map(lambda pair: ShareOut(pair[0], {"x": pair[1], "y": 2})),
    )

    def grown(inner: st.SearchStrategy[Space]) -> st.SearchStrategy[Space]:
        return st.one_of(
            st.tuples(inner, st.integers(0, 2)).map(lambda pair: ListOf(*pair)),
            st.tuples(inner, inner).map(lambda pair: OneForEach({"p": pair[0], "q": pair[1]})),
            inner.map(lambda space: Form(Say, {"word": space})),
        )

    return st.recursive(leaves, grown, max_leaves=3)


@pytest.mark.full
@given(spaces(), st.binary(max_size=4))
def test_any_space_accepts_its_samples_and_values(space: Space, key: bytes) -> None:
    stream = Stream(key)
    for _ in range(3):
        assert space.why_not(space.sample(stream)) is None
    count = space.count(500)
    if count < 500:
        listed = list(space.values())
        assert len(listed) == count
        assert all(space.is_legal(value) for value in listed)
        assert space.sample(stream) in listed


ODD_VALUES: list[Any] = [
    None,
    "",
    "a",
    -1,
    10**30,
    0.5,
    [],
    {},
    (),
    {"p": None},
    [None],
    [[]],
    Say(""),
    Attack("b", []),
    "ü" * 99,
]


@given(spaces(), st.sampled_from(ODD_VALUES))
def test_any_space_judges_any_value_without_an_error(space: Space, value: Any) -> None:
    refusal = space.why_not(value)
    assert refusal is None or (isinstance(refusal.rule, str) and refusal.reason)


class _Searching(Space):
    search: Any = None

    def values(self) -> Iterator[Any]:
        found = self.search = (self for _ in range(2))
        return found


@pytest.mark.full
def test_space_and_search_are_garbage_collected_together() -> None:
    space = _Searching()
    search = weakref.ref(space.values())
    assert next(space.search)
    del space
    gc.collect(1)
    assert search() is None


class Numbers(Space):
    """The integers below ``end``, with only the required methods of a space."""

    end: int

    def values(self) -> Iterator[int]:
        return iter(range(self.end))

    def why_not(self, value: Any) -> Refusal | None:
        return Refusal("N-1", "too much") if value >= self.end else None

    def sample(self, stream: Stream) -> int:
        return stream.below(self.end)


@pytest.mark.parametrize(
    "space",
    [
        Numbers(2**20),
        OneOf(range(2**20)),
        Range(1, 2**20),
        SomeOf(range(20)),
        ListOf(Range(1, 2), 20),
        AnyOf([Range(1, 2**19), Range(1, 2**19)]),
        OneForEach({"x": Range(1, 2**10), "y": Range(1, 2**10)}),
        ShareOut(40, dict.fromkeys("abcdef", 1)),
        Sheet({key: Range(1, 1) for key in "abcdefghijklmnopqrst"}),
    ],
)
def test_count_stops_at_a_million_by_default(space: Space) -> None:
    """Each of these has at least 2 ** 20 values, which is more than a million."""
    assert space.count() == 1_000_000


def test_new_space_type_has_working_default_methods() -> None:
    space = Numbers(3)
    assert space.outline() == "Numbers"
    assert space.lists_all
    assert space.in_parts() is None
    assert {space.near(1, Stream(b"%d" % key)) for key in range(20)} == {0, 1, 2}
    assert space.wrong_alone(3) == space.all_wrong(3) == [Refusal("N-1", "too much")]
    assert space.wrong_alone(2) == space.all_wrong(2) == []
    assert (space.is_empty(), Numbers(0).is_empty()) == (False, True)


EMPTY: list[Space] = [
    OneOf([]),
    Range(3, 2),
    Range(5, 3),
    SomeOf(["a"], 2),
    ListOf(OneOf([]), 1),
    AnyOf([]),
    ShareOut(5, {"tank": 2}, exactly=True),
    ShareOut(-1, {"gun": 1}),
]


@pytest.mark.parametrize("space", EMPTY)
def test_empty_space_has_no_values_and_no_sample(space: Space) -> None:
    assert space.is_empty()
    assert space.count() == 0
    assert list(space.values()) == []
    with pytest.raises(ValueError, match=r"chosen|found|empty"):
        space.sample(Stream(b"x"))


def test_spaces_are_not_compared() -> None:
    assert Range(1, 3) != Range(1, 3)
    assert len({Range(1, 3), Range(1, 3)}) == 2
