"""Sealed decisions: answered without knowledge of each other, opened together."""

from itertools import permutations
from typing import Any

import pytest

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError, RulesetError
from sandtable.kernel.decisions import Decision, Order, Sealed
from sandtable.kernel.events import GameEnded
from sandtable.kernel.play.views import View
from sandtable.kernel.questions import label_of
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game


def test_duplicate_seat_in_a_group_is_reported_with_the_others() -> None:
    def plots(_: Any) -> Procedure:
        yield Sealed((ask("red", "a"), ask("blue", "a"), ask("red", "a", power="dak"), ask("blue", "b")))

    expected = "^a sealed group asks a seat twice: red, blue, dak, blue; ask each seat only once$"
    with pytest.raises(RulesetError, match=expected):
        scratch_game(plots, powers={"dak": "red"})


def plot(state: Any) -> Procedure:
    """Let red, blue and the umpire plot; then report all plots."""
    orders: dict[str, Say] = yield Sealed(tuple(ask(side, "left", "right") for side in ("red", "blue", "umpire")))
    yield Said(" ".join(f"{seat}:{order.word}" for seat, order in orders.items()))
    if state.turn == 2:
        yield GameEnded("draw", "plotted", "X-9")


@pytest.mark.parametrize("order", list(permutations(("red", "blue", "umpire"))))
def test_sealed_orders_arrive_in_any_order_and_open_in_the_stated_one(order: tuple[str, ...]) -> None:
    game = scratch_game(plot)
    words = {"red": "left", "blue": "right", "umpire": "left"}
    for count, seat in enumerate(order):
        assert {each.seat for each in game.waiting()} == set(words) - set(order[:count])
        assert said(game) == []
        game.submit(Say(words[seat]), seat)
    assert said(game) == ["red:left blue:right umpire:left"]
    given = [record for record in game.records if isinstance(record, OrderRecord)]
    assert [(record.by, record.missing) for record in given] == list(zip(order, (3, 2, 1), strict=True))
    assert [label_of(record.asked) for record in given] == [f"1/plot/{seat}/1" for seat in order]


def test_seat_without_an_open_question_is_refused() -> None:
    game = scratch_game(plot)
    with pytest.raises(PlayError, match=r"^green has no pending decision: red and blue and umpire must decide$"):
        game.submit(Say("left"), "green")
    for seat, left in (("red", "blue and umpire"), ("blue", "umpire")):
        game.submit(Say("left"), seat)
        with pytest.raises(PlayError, match=f"^{seat} has no pending decision: {left} must decide$"):
            game.submit(Say("right"), seat)
    game.submit(Say("left"))
    assert said(game) == ["red:left blue:left umpire:left"]
    assert game.waiting()[0].seat == "red"


def test_order_without_a_seat_answers_the_first_open_seat() -> None:
    game = scratch_game(plot)
    for word in ("left", "left", "right"):
        game.submit(Say(word))
    assert said(game) == ["red:left blue:left umpire:right"]


def test_illegal_sealed_order_keeps_the_others() -> None:
    game = scratch_game(plot)
    game.submit(Say("left"), "blue")
    with pytest.raises(IllegalOrder):
        game.submit(Say("up"), "red")
    assert [each.seat for each in game.waiting()] == ["red", "umpire"]
    assert game.records[-1].by == "blue"


def test_sealed_orders_are_hidden_until_all_are_given() -> None:
    views: list[Any] = []

    class Plotter:
        def choose(self, decision: Decision, view: View) -> Order:
            views.append((decision.seat, view(), decision.options.count()))
            return Say("left")

    game = scratch_game(plot)
    game.play(dict.fromkeys(("red", "blue", "umpire"), Plotter()))
    assert game.is_over
    assert {(view["turn"], view["count"], count) for _, view, count in views} == {(1, 0, 2), (2, 1, 2)}


def test_a_half_plotted_group_can_be_forked() -> None:
    game = scratch_game(plot)
    game.submit(Say("left"), "blue")
    twin = game.fork()
    assert [each.seat for each in twin.waiting()] == ["red", "umpire"]
    for table in (game, twin):
        table.submit(Say("right"), "umpire")
        table.submit(Say("right"), "red")
    assert game.records[-6:] == twin.records[-6:]
    assert said(twin) == ["red:right blue:left umpire:right"]


def test_sealed_order_can_be_undone_until_the_opening() -> None:
    game = scratch_game(plot)
    game.submit(Say("left"), "blue")
    game.undo("blue")
    assert [each.seat for each in game.waiting()] == ["red", "blue", "umpire"]
    game.submit(Say("right"), "blue")
    game.submit(Say("left"), "red")
    with pytest.raises(NothingToUndo, match="is from red"):
        game.undo("blue")
    game.submit(Say("left"), "umpire")
    assert said(game) == ["red:left blue:right umpire:left"]
    with pytest.raises(NothingToUndo, match="sealed orders were opened"):
        game.undo()


def test_an_empty_group_does_not_stop_the_game() -> None:
    def nobody(_: Any) -> Procedure:
        yield Sealed(())
        yield Said("on")
        yield ask("red", "end")

    assert said(scratch_game(nobody)) == ["on"]
