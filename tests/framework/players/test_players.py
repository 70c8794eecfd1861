from typing import Any

import pytest

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Form, OneOf, Refusal
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import (
    FirstPlayer,
    RandomPlayer,
    ScriptPlayer,
    ask_again,
    first_order,
    makers,
    name_seats,
    seat_players,
)
from sandtable.plugin.manager import Prepared

KEY = key_from_seed("players")
VIEW = View("red", lambda side: None)


def stream() -> Stream:
    return Stream.for_player(KEY, "red")


def test_random_player_ends_repeated_questions(orders: Any) -> None:
    stay = orders.Stay()
    others = [orders.March([], number) for number in range(3)]
    player = RandomPlayer(stream())
    decision = Decision("red", "march", OneOf([stay, *others]), done=stay)
    ended = sum(player.choose(decision, VIEW) is stay for _ in range(4_000))
    assert 0.40 < ended / 4_000 < 0.475  # 1/4 + 3/4 * 1/4


def test_random_player_ends_if_no_order_is_found(orders: Any) -> None:
    form = Form(orders.March, {"path": OneOf([["a"]]), "speed": OneOf([1])}, also=lambda order: Refusal("X-1", "no"))
    stay = orders.Stay()
    assert RandomPlayer(stream()).choose(Decision("red", "march", form, done=stay), VIEW) is stay
    with pytest.raises(PlayError, match="red must decide"):
        RandomPlayer(stream()).choose(Decision("red", "march", form), VIEW)


def test_random_player_is_deterministic(prepared: Prepared) -> None:
    assert _played(prepared, {}) == _played(prepared, {})
    assert _played(prepared, {"red": "brave"}) != _played(prepared, {})


def _played(prepared: Prepared, names: dict[str, str]) -> list[Order]:
    game = prepared.new_game(KeyedDice(KEY))
    game.play(seat_players(prepared, names, KEY))
    return [record.order for record in game.records if isinstance(record, OrderRecord)]


def test_first_player_takes_the_first_order(orders: Any) -> None:
    decision = Decision("red", "?", OneOf([orders.Press(on=True), orders.Press(on=False)]))
    assert FirstPlayer().choose(decision, VIEW) == first_order(decision) == orders.Press(on=True)


def test_script_player_gives_its_orders_and_then_fails(orders: Any) -> None:
    player = ScriptPlayer([orders.Stay()])
    decision = Decision("red", "march", OneOf([orders.Stay()]))
    assert player.choose(decision, VIEW) == orders.Stay()
    with pytest.raises(PlayError, match="the script of red has no order left for 'march'"):
        player.choose(decision, VIEW)


def test_every_seat_has_a_default_player(prepared: Prepared) -> None:
    assert name_seats(prepared, {}) == {"red": "random", "blue": "random", "umpire": "random"}
    assert name_seats(prepared, {"blue": "brave"})["blue"] == "brave"
    assert list(makers(prepared.installed)) == ["brave", "random", "first", "search"], "its own bots come first"


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"green": "random"}, "has no side or seat 'green': it has red, blue, umpire"),
        ({"red": "caesar"}, "has no player 'caesar': choose brave, random, first, search, human$"),
        ({"red": "clever:Middle"}, "human; a class is imported only if you name it: --player red=clever:Middle"),
    ],
)
def test_unknown_seat_and_player_names_are_refused(prepared: Prepared, named: dict[str, str], message: str) -> None:
    with pytest.raises(PlayError, match=message):
        name_seats(prepared, named)


def test_person_without_a_console_is_refused(prepared: Prepared) -> None:
    with pytest.raises(PlayError, match="red: no person can play here"):
        seat_players(prepared, {"red": "human"}, KEY)
    made: list[str] = []

    def sit(seat: str) -> Player:
        made.append(seat)
        return FirstPlayer()

    seat_players(prepared, {"red": "human", "blue": "human"}, KEY, sit)
    assert made == ["red", "blue"]


def test_bots_recalled_in_a_replay_continue_identically(prepared: Prepared) -> None:
    complete = prepared.new_game(KeyedDice(KEY))
    complete.play(seat_players(prepared, {}, KEY))
    orders = [record for record in complete.records if isinstance(record, OrderRecord)]
    half = len(orders) // 2
    game = prepared.new_game(KeyedDice(KEY))
    players = seat_players(prepared, {}, KEY)
    again = ask_again(prepared, players, game.view)
    game.start()
    for record in orders[:half]:
        again(next(each for each in game.waiting() if each.seat == record.by))
        game.submit(record.order, record.by)
    game.play(players)
    assert game.records == complete.records
