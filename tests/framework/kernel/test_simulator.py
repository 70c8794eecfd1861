"""What a player may try things out in holds what his side may know, and nothing else."""

import gc
from typing import Any

import pytest

from sandtable.errors import NoDeal, PlayError
from sandtable.kernel.decisions import Decision, Roll
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.play.simulator import TRIES, Deal, Simulator, _Given
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe
from sandtable.testing.toy import ROAD, Commit, Ford, LayAmbush

KEY = key_from_seed("simulator")


def anew(toy: Installed) -> Deal:
    assert toy.bots.deal is not None
    return toy.bots.deal


def begun(ford: Prepared, *orders: Any) -> Game:
    game = ford.new_game(KeyedDice(KEY))
    game.start()
    for order in orders:
        game.submit(order)
    return game


def simulator(game: Game, seat: str) -> Simulator:
    return game.simulator(next(each for each in game.waiting() if each.seat == seat))


def ambush_of(game: AnsweringGame, side: str) -> int:
    state = game.state
    assert isinstance(state, Ford)
    return state.ambush[side]


def test_a_secret_order_of_this_very_activation_is_dealt_anew(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2))
    dealer, stream = simulator(game, "south"), Stream(b"1")
    dealt = [dealer.deal(stream, anew(toy)) for _ in range(80)]
    assert {ambush_of(twin, "north") for twin in dealt} == set(ROAD)
    assert {twin.waiting()[0].seat for twin in dealt} == {"south"}


def test_an_older_secret_is_dealt_anew_and_ones_own_is_kept(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))
    dealer, stream = simulator(game, "south"), Stream(b"2")
    dealt = [dealer.deal(stream, anew(toy)) for _ in range(80)]
    assert {ambush_of(twin, "north") for twin in dealt} == set(ROAD)
    assert {ambush_of(twin, "south") for twin in dealt} == {4}


def test_a_sealed_order_that_is_not_opened_is_not_there(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4), Commit(3))
    twin = simulator(game, "south").deal(Stream(b"3"), anew(toy))
    assert [each.seat for each in twin.waiting()] == ["north", "south"]
    assert not any(isinstance(record, OrderRecord) for record in twin.trail)


@pytest.mark.parametrize("orders", [(2,), (2, 4)])
def test_what_a_side_may_not_know_changes_no_deal(ford: Prepared, toy: Installed, orders: tuple[int, ...]) -> None:
    states = []
    for hidden in ROAD:
        game = begun(ford, LayAmbush(hidden), *map(LayAmbush, orders[1:]))
        stream = Stream(b"same")
        dealer = simulator(game, "south")
        states.append([dealer.deal(stream, anew(toy)).state for _ in range(5)])
    assert states == [states[0]] * len(ROAD)


def test_nothing_in_a_simulator_or_a_deal_leads_to_the_game_or_its_key(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))
    dealer = simulator(game, "south")
    for start in (dealer, dealer.deal(Stream(b"5"), anew(toy))):
        seen: dict[int, Any] = {id(start): start}
        edge: list[Any] = [start]
        while edge:
            one = edge.pop()
            if isinstance(one, type) or callable(one):
                continue
            for each in gc.get_referents(one):
                if id(each) not in seen and not isinstance(each, type(gc)):
                    seen[id(each)] = each
                    edge.append(each)
        found = list(seen.values())
        assert game not in [each for each in found if isinstance(each, Game)]
        assert KEY not in [each for each in found if isinstance(each, bytes)]


def test_a_simulated_game_stops_at_rolls_until_it_is_let_flow_and_leaves_the_game_alone(
    ford: Prepared, toy: Installed
) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))
    before = list(game.records)
    twin = simulator(game, "north").deal(Stream(b"6"), anew(toy))
    twin.submit(Commit(2), "north")
    twin.submit(Commit(1), "south")
    assert isinstance(twin.pending, Roll)
    assert twin.pending.dice == 2
    twin.flow()
    twin.fall((1, 1))
    assert [each.seat for each in twin.waiting()] == ["north", "south"]
    assert twin.state.turn == 2
    assert (game.records, game.state.turn, game.view("north")["troops"]["north"]) == (before, 1, 12)


def test_dice_that_fell_in_this_activation_are_kept() -> None:
    prepared = Installed("tictactoe", tictactoe, "").prepare()
    game = prepared.new_game(KeyedDice(KEY))
    game.start()
    for cell in (0, 4, 8):
        game.submit(tictactoe.Mark(cell))
    twin = game.simulator(game.waiting()[0]).deal(Stream(b""))
    assert twin.state == game.state
    assert twin.state is not game.state


def test_secrets_want_a_hook(ford: Prepared) -> None:
    game = begun(ford, LayAmbush(2))
    with pytest.raises(PlayError, match="toy has secrets, and its ruleset_bots has no deal: it cannot be simulated"):
        simulator(game, "south").deal(Stream(b""))


def test_a_deal_that_looks_otherwise_is_thrown_away_as_often_as_is_said(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))

    dealt = []

    def wrong(view: Any, side: str, board: Any, stream: Stream, now: Any) -> Ford:
        dealt.append(Ford(troops={"north": 1, "south": 1}, ambush={side: view["ambush"]}))
        return dealt[-1]

    with pytest.raises(NoDeal, match="toy: no state was found that looks to south as this one does"):
        simulator(game, "south").deal(Stream(b""), wrong)
    assert len(dealt) == TRIES

    def right_at_last(view: Any, side: str, board: Any, stream: Stream, now: Any) -> Ford:
        if len(dealt) < TRIES - 1:
            return wrong(view, side, board, stream, now)
        found = anew(toy)(view, side, board, stream, now)
        assert isinstance(found, Ford)
        return found

    dealt.clear()
    assert ambush_of(simulator(game, "south").deal(Stream(b""), right_at_last), "south") == 4


def test_a_deal_in_which_nobody_asks_who_has_answered_is_thrown_away(ford: Prepared, toy: Installed) -> None:
    tried = simulator(begun(ford, LayAmbush(2)), "south")
    tried._steps = [each._replace(by="umpire") for each in tried._steps if isinstance(each, _Given)]
    with pytest.raises(NoDeal):
        tried.deal(Stream(b""), anew(toy))


def test_a_view_without_a_game_has_no_simulator(ford: Prepared) -> None:
    decision: Decision = begun(ford).waiting()[0]
    with pytest.raises(PlayError, match="north: there is no game here to try things out in"):
        View("north", lambda side: None).simulator(decision)


def test_a_game_that_is_over_cannot_be_simulated(ford: Prepared) -> None:
    game = ford.new_game(KeyedDice(KEY))
    decision = begun(ford).waiting()[0]
    with pytest.raises(PlayError, match="only a game that is being played can be simulated"):
        game.simulator(decision)
