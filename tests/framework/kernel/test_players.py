"""Players: asked by seat or side, seeing what their side may, and never able to break a game by failing."""

from typing import Any

import pytest
from specimens import Talker, talk

from sandtable.errors import IllegalOrder, PlayError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.events import GameEnded
from sandtable.kernel.play.views import View
from sandtable.kernel.sequence import Procedure
from sandtable.plugin.manager import Installed
from sandtable.testing import tictactoe
from sandtable.testing.scratch import Said, Say, Whispered, ask, said, scratch_game


def test_players_are_asked_by_seat_or_side() -> None:
    red, blue = Talker(*["yes"] * 3), Talker(*["no"] * 3)
    game = scratch_game(talk)
    game.play({"red": red, "blue": blue})
    assert len(red.asked) == len(blue.asked) == 3
    assert said(game)[:2] == ["red yes", "blue no"]


def test_powers_are_seats_of_their_own() -> None:
    def council(_: Any) -> Procedure:
        for power in ("dak", "regio_esercito"):
            order: Say = yield ask("red", "yes", "no", power=power)
            yield Said(f"{power} {order.word}")
        yield GameEnded("red", "agreed", "X-9")

    powers = {"dak": "red", "regio_esercito": "red"}
    game = scratch_game(council, powers=powers)
    assert game.waiting()[0].seat == "dak"
    assert game.ruleset.side_of("dak") == "red"
    assert set(game.ruleset.seats) == {"dak", "regio_esercito", "blue", "umpire"}
    with pytest.raises(PlayError, match="regio_esercito is not asked now"):
        game.submit(Say("yes"), "regio_esercito")
    game.play({"dak": Talker("yes"), "red": Talker("no")})
    assert said(game) == ["dak yes", "regio_esercito no"]


def test_a_seat_that_nobody_plays_is_named() -> None:
    with pytest.raises(PlayError, match="nobody plays blue"):
        scratch_game(talk).play({"red": Talker("yes")})


@pytest.mark.parametrize("error", [RuntimeError("bot"), KeyboardInterrupt(), IllegalOrder("X-1", "no")])
@pytest.mark.parametrize("stepwise", [False, True])
def test_a_player_that_fails_leaves_the_question_standing(error: BaseException, stepwise: bool) -> None:
    game = scratch_game(talk)
    after = (lambda: None) if stepwise else None
    with pytest.raises(type(error)):
        game.play({"red": Talker("yes", "yes"), "blue": Talker(error)}, after)
    assert not game.broken
    assert [each.seat for each in game.waiting()] == ["blue"]
    assert said(game) == ["red yes"]
    game.play({"red": Talker(*["yes"] * 2), "blue": Talker(*["no"] * 3)})
    assert game.is_over
    assert [record.n for record in game.records] == list(range(1, len(game.records) + 1))


def test_a_player_whose_order_is_refused_is_told_and_the_question_stands() -> None:
    game = scratch_game(talk)
    with pytest.raises(IllegalOrder, match="maybe"):
        game.play({"red": Talker("maybe"), "blue": Talker("no")})
    assert [each.seat for each in game.waiting()] == ["red"]
    assert len(game.records) == 2


def test_after_runs_before_every_question_and_at_the_end() -> None:
    lengths: list[int] = []
    game = scratch_game(talk)
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)}, lambda: lengths.append(len(game.records)))
    assert len(lengths) == 7
    assert lengths == sorted(lengths)
    assert lengths[-1] == len(game.records)


def test_stepwise_and_at_one_go_make_the_same_records() -> None:
    games = [scratch_game(talk) for _ in range(2)]
    for game, after in zip(games, (None, lambda: None), strict=True):
        game.play({"red": Talker("yes", "no", "yes"), "blue": Talker(*["no"] * 3)}, after)
    assert games[0].records == games[1].records


def test_secret_orders_are_recorded_as_such() -> None:
    def plot(_: Any) -> Procedure:
        order: Say = yield ask("red", "left", "right", secret=True)
        yield Whispered("red", order.word)
        yield ask("red", "end")

    for game in (scratch_game(plot), scratch_game(plot)):
        game.submit(Say("left"))
        order, event = game.records[2:4]
        assert order.secret
        assert game.ruleset.visible(event.event, "blue") is None


def test_players_see_through_their_view_only() -> None:
    seen: list[Any] = []

    class Watcher(Talker):
        def choose(self, decision: Decision, view: View) -> Order:
            seen.append((view.side, view()))
            return super().choose(decision, view)

    scratch_game(talk).play({"red": Watcher(*["yes"] * 3), "blue": Watcher(*["no"] * 3)})
    assert seen[0] == ("red", {"turn": 1, "count": 0})
    assert seen[1] == ("blue", {"turn": 1, "count": 1})


def test_what_a_player_does_to_its_view_leaves_the_game_alone() -> None:
    prepared = Installed("tictactoe", tictactoe, "").prepare()
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.start()
    before = game.ruleset.codec.digest(game.state)
    game.view("x").cells[0] = "o"
    assert game.ruleset.codec.digest(game.state) == before
