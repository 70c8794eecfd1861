from typing import Any

import msgspec
from transcripts import Transcript

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


def test_description_lists_up_to_its_limit() -> None:
    space = Form(Send, {"unit": OneOf(["a", "b"]), "number": Range(1, 2)})
    assert describe(space) == {"kind": "list", "orders": [Send(u, n) for u in "ab" for n in (1, 2)]}
    assert describe(OneOf([]))["orders"] == []
    assert describe(Range(1, LISTED))["kind"] == "list"
    assert describe(Range(1, LISTED + 1)) == {"kind": "range", "least": 1, "most": LISTED + 1}
    sheet = Form(Send, {"unit": Sheet({}), "number": many()})
    assert not can_be_listed(AnyOf([many(), sheet])), "a sheet is not listed at any depth"


def many() -> Range:
    return Range(0, 999)


SPACES: list[Space] = [
    OneOf(list(range(1_010))),
    SomeOf(list("abcdefgh"), 1, 7),
    Words(200),
    ListOf(many(), 2),
    ShareOut(100, {"tank": 5, "gun": 1}, {"tank": 3}),
    Form(Send, {"unit": OneOf(["a"]), "number": lambda _: many()}),
    AnyOf([many(), Range(1, 2)]),
    OneForEach({"a": many()}),
    Sheet({"a": Range(1, 2)}, required=["a"]),
    Groups(["a", "b"]),
    Path("a", lambda _: ["a", "b"], lambda _: None, lambda _: None, 12),
]


def test_large_spaces_are_described(transcript: Transcript) -> None:
    transcript("\n".join(msgspec.json.encode(describe(space)).decode() for space in SPACES))


def test_unknown_space_is_described_as_other() -> None:
    class Odd(Space):
        def values(self) -> Any:
            return iter(range(100))

    assert describe(Odd()) == {"kind": "other"}
