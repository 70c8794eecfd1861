"""Seats of people at one console: questions that are put only so that the enemy learns nothing."""

import pytest

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, OneForEach, OneOf
from sandtable.players.courses import only_empty_order


class Enter(Order, frozen=True):
    """Name an entry for each unit."""

    areas: dict[str, str] = {}


class Wait(Order, frozen=True):
    """Do nothing: an order without fields."""


def entries(**units: OneOf) -> Form:
    return Form(Enter, {"areas": OneForEach(units, "R-1")})


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Decision("red", "enter", entries(), "R-1", secret=True), Enter()),
        (Decision("red", "enter", entries(), "R-1"), None),
        (Decision("red", "enter", entries(a=OneOf(("x",), "R-1")), "R-1", secret=True), None),
        (Decision("red", "enter", entries(a=OneOf(("x", "y"), "R-1")), "R-1", secret=True), None),
        (Decision("red", "wait", OneOf((Wait(),), "R-1"), "R-1", secret=True), None),
    ],
    ids=["secret and empty", "open", "one unit with one entry", "a choice", "an order without fields"],
)
def test_secret_question_with_nothing_to_choose_is_answered(decision: Decision, expected: Order | None) -> None:
    assert only_empty_order(decision) == expected
