"""Orders in steps: every sequence of choices leads to a legal order, and every order can be reached."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec import Struct

import sandtable as st
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.options.space import Space
from sandtable.lab.rl.episode import IllegalAction, Picking
from sandtable.rules.steps.choices import Choice, in_steps

LETTERS = ["a", "b", "c", "d"]


class Send(Struct, frozen=True):
    what: str
    many: int


def all_ways(space: Space) -> list[Any]:
    """Return the result of every sequence of picks."""
    found: list[Any] = []
    rows: list[list[int]] = [[]]
    while rows:
        row = rows.pop(0)
        steps = in_steps(space, Stream(b"ways"))
        try:
            choice: Choice = next(steps)
            for place in row:
                choice = steps.send(place)
        except StopIteration as end:
            found.append(end.value)
            continue
        rows += [[*row, place] for place in range(len(choice.options))]
    return found


def neighbors(path: Any) -> list[str]:
    return [each for each in LETTERS if abs(ord(each) - ord(path[-1])) == 1]


SPACES = [
    st.OneOf(LETTERS),
    st.Range(2, 5),
    st.SomeOf(LETTERS, 1, 3),
    st.SomeOf(LETTERS, 4),
    st.ListOf(st.OneOf(LETTERS[:2]), 3),
    st.ShareOut(5, {"gun": 2, "man": 1}, {"gun": 1}, exactly=True),
    st.ShareOut(4, {"gun": 2, "man": 1}),
    st.Groups(LETTERS),
    st.Groups(LETTERS, lambda group: st.Refusal("R", "too many") if len(group) > 2 else None),
    st.OneForEach({"x": st.OneOf(LETTERS), "y": st.Range(0, 1)}),
    st.Path("a", neighbors, lambda path: None, lambda path: st.Refusal("R", "not yet") if len(path) < 3 else None, 3),
    st.Form(Send, {"what": st.OneOf(LETTERS), "many": lambda what: st.Range(0, LETTERS.index(what))}),
    st.Form(
        Send,
        {"what": st.OneOf(LETTERS), "many": st.Range(0, 3)},
        lambda order: st.Refusal("R", "odd") if order.many % 2 else None,
    ),
    st.AnyOf([st.OneOf([Send("a", 9)]), st.Form(Send, {"what": st.OneOf(LETTERS[1:]), "many": st.Range(0, 0)})]),
    st.Sheet({"x": st.OneOf(LETTERS[:2]), "y": st.Range(0, 1), "z": st.SomeOf(LETTERS[:2])}, required=("y",)),
]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: type(space).__name__)
def test_steps_lead_to_exactly_all_values(space: Space) -> None:
    """The oracle is the space's own listing."""
    reached, listed = all_ways(space), list(space.values())
    assert all(space.is_legal(value) for value in reached)
    assert {*map(repr, reached)} == {*map(repr, listed)}
    assert len(reached) == len(listed) or isinstance(space, st.Sheet)  # its last lines may be left blank one by one


def test_incompatible_lines_are_left_blank() -> None:
    def at_most_one(sheet: dict[str, Any]) -> list[tuple[str, st.Refusal]]:
        return [(key, st.Refusal("R", "one alone")) for key in list(sheet)[1:]]

    space = st.Sheet({"x": st.Range(0, 1), "y": st.Range(0, 1)}, at_most_one)
    assert all(space.is_legal(sheet) for sheet in all_ways(space))
    assert {"x": 0} in all_ways(space)


@given(some.integers(1, 500), some.integers(2, 9), some.data())
def test_many_options_are_picked_in_blocks(many: int, actions: int, data: some.DataObject) -> None:
    """With few actions each of many options can be reached, by picks that are all available."""
    wanted = data.draw(some.integers(0, many - 1))
    picking = Picking(Decision("red", "choose", st.Range(0, many - 1)), b"key", 1, actions)
    while picking.count:
        assert picking.count <= actions
        labels = picking.labels()
        assert len(labels) == picking.count
        starts = [int(label.split(" to ")[0]) for label in labels]
        picking.pick(max(place for place, start in enumerate(starts) if start <= wanted))
    assert picking.order == wanted


def test_unavailable_action_changes_nothing() -> None:
    picking = Picking(Decision("red", "choose", st.OneOf(LETTERS)), b"key", 1, 8)
    with pytest.raises(IllegalAction, match="action 4 does not exist: order has 4 actions"):
        picking.pick(4)
    assert (picking.count, picking.picks) == (4, [])


def test_choices_without_an_order_are_replaced() -> None:
    """A form of many orders whose fields conflict is replaced with the order that ends the question."""
    fields: dict[str, Any] = {"what": st.OneOf(LETTERS), "many": st.Range(0, 99)}
    even = st.Form(Send, fields, lambda order: st.Refusal("R", "odd") if order.many % 2 else None)
    pass_ = Send("a", 0)
    picking = Picking(Decision("red", "send", even, done=pass_), b"key", 1, 128)  # type: ignore[arg-type]  # a form of orders of a test
    picking.pick(1)
    picking.pick(5)
    assert (picking.order, picking.replaced) == (pass_, True)


class Sending(Space):
    """A space with its own parts: a list, a set, a path, a form; its values are texts."""

    def in_parts(self) -> st.Asking:
        what = yield "what", ["all", "some"]
        if what == "all":
            return "all"
        units = yield "units", st.SomeOf(LETTERS[:3], 1)
        end = yield "to", st.Path(units[0], neighbors, lambda path: None, lambda path: None, 2)
        order = yield "order", st.Form(Send, {"what": st.OneOf(LETTERS[:1]), "many": st.Range(0, 1)})
        return f"{''.join(units)} {''.join(end)} {order.what}{order.many}"


def test_parts_may_be_spaces() -> None:
    reached = all_ways(Sending())
    assert len(set(reached)) == len(reached)
    assert {"all", "a a a0", "a ab a1", "abc a a0", "bc ba a0", "c cd a1"} < set(reached)
    chosen = {tuple(each) for each in st.SomeOf(LETTERS[:3], 1).values()}
    assert {tuple(each.split(" ")[0]) for each in reached if each != "all"} == chosen


def test_space_chosen_in_one_step_accepts_a_value() -> None:
    steps = in_steps(Sending(), Stream(b"whole"), whole=(st.SomeOf, st.Path))
    assert next(steps) == Choice("what", ["all", "some"])
    choice = steps.send(1)
    assert (choice.part, choice.options) == ("units", ())
    assert choice.space is not None
    assert choice.space.count() == 7
    choice = steps.send(["a", "c"])
    assert choice.part == "to"
    assert steps.send(["a", "b"]) == Choice("many", range(2))
    with pytest.raises(StopIteration) as ended:
        steps.send(1)
    assert ended.value.value == "ac ab a1"


@pytest.mark.parametrize("value", [[], ["d"], "a", None])
def test_value_outside_a_whole_space_is_refused(value: Any) -> None:
    steps = in_steps(st.Sheet({"x": st.SomeOf(LETTERS[:2], 1)}, required=("x",)), Stream(b"whole"), whole=(st.SomeOf,))
    next(steps)
    with pytest.raises(IllegalOrder):
        steps.send(value)
