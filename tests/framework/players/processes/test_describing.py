from typing import Any

import msgspec
import pytest

from sandtable.kernel.decisions import Order
from sandtable.kernel.options import (
    AnyOf,
    Form,
    Groups,
    ListOf,
    OneForEach,
    OneOf,
    Path,
    Range,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
    Words,
)
from sandtable.players.processes.option_schema import LISTED, can_be_listed, describe


class Send(Order, frozen=True):
    unit: str
    number: int


def test_few_orders_are_listed() -> None:
    space = Form(Send, {"unit": OneOf(["a", "b"]), "number": Range(1, 2)})
    assert describe(space) == {"kind": "list", "orders": [Send(u, n) for u in "ab" for n in (1, 2)]}
    assert describe(OneOf([]))["orders"] == []


def test_the_border_between_few_and_many() -> None:
    assert describe(Range(1, LISTED))["kind"] == "list"
    assert describe(Range(1, LISTED + 1)) == {"kind": "range", "least": 1, "most": LISTED + 1}


def many() -> Range:
    return Range(0, 999)


@pytest.mark.parametrize(
    ("space", "described"),
    [
        (OneOf(list(range(2_000))), {"kind": "one_of", "of": list(range(1_000)), "more": 1_000}),
        (SomeOf(list("abcdefgh"), 1, 7), {"kind": "some_of", "of": list("abcdefgh"), "more": 0, "least": 1, "most": 7}),
        (Words(200), {"kind": "words", "longest": 200}),
        (ListOf(many(), 2), {"kind": "list_of", "each": {"kind": "range", "least": 0, "most": 999}, "length": 2}),
        (
            ShareOut(100, {"tank": 5, "gun": 1}, {"tank": 3}),
            {
                "kind": "share_out",
                "amount": 100,
                "prices": {"tank": 5, "gun": 1},
                "caps": {"tank": 3},
                "exactly": False,
            },
        ),
        (
            Form(Send, {"unit": OneOf(["a"]), "number": lambda _: many()}),
            {
                "kind": "form",
                "order": "Send",
                "fields": {"unit": {"kind": "one_of", "of": ["a"], "more": 0}, "number": {"kind": "depends"}},
            },
        ),
        (
            AnyOf([many(), Range(1, 2)]),
            {"kind": "any_of", "spaces": [describe(many()), {"kind": "range", "least": 1, "most": 2}]},
        ),
        (OneForEach({"a": many()}), {"kind": "one_for_each", "spaces": {"a": describe(many())}}),
        (
            Sheet({"a": Range(1, 2)}, required=["a"]),
            {"kind": "sheet", "lines": {"a": {"kind": "range", "least": 1, "most": 2}}, "required": ["a"]},
        ),
        (Groups(["a", "b"]), {"kind": "groups", "of": ["a", "b"]}),
        (
            Path("a", lambda _: ["a", "b"], lambda _: None, lambda _: None, 12),
            {"kind": "path", "start": "a", "longest": 12},
        ),
    ],
)
def test_many_are_described(space: Space, described: dict[str, Any]) -> None:
    assert describe(space) == described
    assert msgspec.json.encode(described)


def test_a_space_that_only_the_rules_know_says_so() -> None:
    class Odd(Space):
        def values(self) -> Any:
            return iter(range(100))

    assert describe(Odd()) == {"kind": "other"}


def test_sheets_are_not_listed_at_any_depth() -> None:
    sheet = Form(Send, {"unit": Sheet({}), "number": many()})
    assert not can_be_listed(AnyOf([many(), sheet]))
