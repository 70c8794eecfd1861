"""Games that people end: resignation, agreed draw, adjudication and abandonment, with two and with three sides."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.events import GameEnded
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.endings import BY_PEOPLE, WHOLE, equal_shares, exact_shares, leading, shares_of, wrong_shares
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, EndRecord, OrderRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ScratchState, scratch_game

THREE = ("red", "blue", "green")


def sealed(state: ScratchState) -> Procedure:
    """Ask both sides at once, in an endless loop."""
    space = OneOf([Say("left"), Say("right")])
    given = yield Sealed(tuple(Decision(side, "left or right?", space, "X-1") for side in ("red", "blue")))
    yield Said(" ".join(order.word for order in given.values()))


def game_of(sides: tuple[str, ...] = ("red", "blue")) -> Game:
    return scratch_game(sealed, sides=sides)


def end(game: Game, by: str, how: str, outcome: str, *facts: Any) -> None:
    game.end(EndRecord(game.number + 1, by, how, outcome, *facts))


@pytest.mark.parametrize("answered", [(), ("red",), ("blue",)])
@pytest.mark.parametrize("facts", [
    ("red", "resignation", "blue", "", ("red",)),
    ("blue", "resignation", "red", "", ("blue",)),
    ("umpire", "agreed_draw", "draw", "", ("blue", "red")),
    ("red", "agreed_draw", "draw", "", ("red", "blue"), {"red": 500, "blue": 500}),
    ("umpire", "adjudication", "red", "supply is cut"),
    ("umpire", "adjudication", "draw", "nobody can win"),
    ("umpire", "abandonment", "blue", "", ("red",)),
    ("umpire", "abandonment", "draw", "", ("red", "blue")),
])  # fmt: skip
def test_game_can_be_ended_while_a_group_is_half_answered(facts: tuple[Any, ...], answered: tuple[str, ...]) -> None:
    game = game_of()
    for seat in answered:
        game.submit(Say("left"), seat)
    end(game, *facts)
    last, close = game.records[-2:]
    assert isinstance(last, EndRecord)
    assert isinstance(close, CloseRecord)
    assert (close.outcome, close.ending) == (game.state.outcome, game.state.ending) == (facts[2], facts[1])
    assert (game.is_over, game.pending, game.waiting()) == (True, None, ())
    assert [each.missing for each in game.records if isinstance(each, OrderRecord)] == [2] * len(answered)
    with pytest.raises(PlayError, match="the game is over"):
        game.submit(Say("left"), "red")
    with pytest.raises(PlayError, match="in progress"):
        end(game, *facts)


@pytest.mark.parametrize(("facts", "why"), [
    (("red", "resignation", "red", "", ("red",)), "blue wins"),
    (("red", "resignation", "blue", "", ("blue",)), "blue wins"),
    (("red", "resignation", "blue"), "blue wins"),
    (("red", "resignation", "draw"), "blue wins"),
    (("umpire", "resignation", "red"), "not a seat"),
    (("green", "resignation", "red"), "not a seat"),
    (("umpire", "agreed_draw", "draw", "", ("red",)), "missing: blue"),
    (("umpire", "agreed_draw", "draw", "", ("red", "blue", "blue")), "each once"),
    (("green", "agreed_draw", "draw", "", ("red", "blue")), "neither"),
    (("umpire", "agreed_draw", "red", "", ("red", "blue")), "is draw"),
    (("red", "adjudication", "red", "I say so"), "only the umpire"),
    (("umpire", "adjudication", "red"), "reason"),
    (("umpire", "adjudication", "green", "so"), "neither a side"),
    (("umpire", "adjudication", "red", "so", (), {"red": 400, "blue": 600}), "largest share"),
    (("umpire", "adjudication", "red", "so", (), {"red": 600, "blue": 300}), "add up"),
    (("umpire", "adjudication", "red", "so", (), {"red": 1100, "blue": -100}), "add up"),
    (("umpire", "adjudication", "red", "so", (), {"red": 900, "green": 100}), "not a side"),
    (("umpire", "abandonment", "red", "", ("red",)), "cannot win or receive a share"),
    (("umpire", "abandonment", "blue", "", ()), "must name the sides"),
    (("blue", "abandonment", "blue", "", ("red",)), "only the umpire"),
    (("umpire", "time_limit", "red"), "not an ending that people make"),
])  # fmt: skip
def test_ending_that_people_cannot_make_is_refused(facts: tuple[Any, ...], why: str) -> None:
    game = game_of()
    with pytest.raises(PlayError, match=why):
        end(game, *facts)
    assert not game.is_over
    assert len(game.waiting()) == 2
    assert not any(isinstance(each, EndRecord) for each in game.records)


def test_resignation_of_one_of_three_sides_does_not_end_the_game() -> None:
    game = game_of(THREE)
    with pytest.raises(PlayError, match="2 other sides continue to play"):
        end(game, "red", "resignation", "blue")
    assert not game.is_over


def test_draw_among_two_of_three_sides_gives_them_shares() -> None:
    game = game_of(THREE)
    end(game, "umpire", "agreed_draw", "draw", "", THREE, {"red": 500, "green": 500})
    assert game.records[-1].shares == {"red": 500, "green": 500}
    assert shares_of("draw", game.records[-1].shares, THREE) == {"red": 500, "blue": 0, "green": 500}


def test_rules_that_end_a_game_by_points_state_the_shares_at_the_close() -> None:
    points = {"red": 200, "blue": 700, "green": 100}

    def count(_: ScratchState) -> Procedure:
        yield GameEnded("blue", "by_points", "X-9", shares=points)

    game = scratch_game(count, sides=THREE)
    assert game.records[-1].shares == points


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, unique=True), st.data())
def test_equal_shares_add_up_and_differ_by_one_at_most(sides: list[str], data: st.DataObject) -> None:
    among = data.draw(st.lists(st.sampled_from(sides), min_size=1, unique=True))
    found = equal_shares(among, sides)
    assert list(found) == sides
    assert sum(found.values()) == WHOLE
    parts = [found[side] for side in among]
    assert max(parts) - min(parts) <= 1
    assert all(found[side] == 0 for side in sides if side not in among)


@given(st.lists(st.sampled_from("abcdefg"), min_size=2, unique=True), st.data())
def test_shares_computed_from_the_outcome_are_accepted(sides: list[str], data: st.DataObject) -> None:
    winner = data.draw(st.sampled_from(sides))
    assert wrong_shares(winner, shares_of(winner, {}, sides), sides) == ""
    assert wrong_shares("draw", shares_of("draw", {}, sides), sides) == ""


@given(st.lists(st.sampled_from("abcdefg"), min_size=2, unique=True), st.data())
def test_survivors_of_a_draw_have_exactly_equal_parts(sides: list[str], data: st.DataObject) -> None:
    among = data.draw(st.lists(st.sampled_from(sides), min_size=2, unique=True))
    stated = equal_shares(among, sides)
    assert wrong_shares("draw", stated, sides) == ""
    assert exact_shares("draw", stated, sides) == {side: Fraction(side in among, len(among)) for side in sides}


def test_draw_with_one_largest_share_is_refused() -> None:
    assert "largest share is that of red" in wrong_shares("draw", {"red": 335, "blue": 333, "green": 332}, THREE)


def test_shares_by_points_stay_in_thousandths() -> None:
    points = {"red": 200, "blue": 700, "green": 100}
    assert exact_shares("blue", points, THREE) == {side: Fraction(each, WHOLE) for side, each in points.items()}
    drawn = {"red": 400, "blue": 400, "green": 200}
    assert exact_shares("draw", drawn, THREE)["green"] == Fraction(1, 5)
    assert leading(drawn) == ["red", "blue"]


def test_endings_by_people_are_reserved_names() -> None:
    assert BY_PEOPLE == ("resignation", "agreed_draw", "adjudication", "abandonment")
