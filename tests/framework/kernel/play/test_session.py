"""Orders and players: pending seats, refusals, records, and players that fail."""

from typing import Any

import pytest
from specimens import Talker, talk

from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import Decision, EnterDice, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import GameEnded
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, OrderRecord
from sandtable.kernel.sequence import Procedure
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe
from sandtable.testing.reference_loop import play_bare
from sandtable.testing.scratch import Said, Say, Whispered, ask, said, scratch_game, scratch_rules


def test_play_of_a_finished_game_only_runs_the_after_callback() -> None:
    def over(_: Any) -> Procedure:
        yield GameEnded("red", "time", "X-9")

    game, calls = scratch_game(over), []
    before = list(game.records)
    game.play({}, lambda: calls.append(len(game.records)))
    assert (game.records, calls) == (before, [len(before)])


def test_orders_are_accepted_one_after_another() -> None:
    game = scratch_game(talk)
    assert [each.seat for each in game.waiting()] == ["red"]
    game.submit(Say("yes"))
    assert [each.seat for each in game.waiting()] == ["blue"]
    game.submit(Say("no"), "blue")
    assert said(game) == ["red yes", "blue no"]
    assert [type(record).__name__ for record in game.records] == [
        *["EventRecord"] * 2,
        *["OrderRecord", "EventRecord"] * 2,
        *["EventRecord", "SealRecord"],
        *["EventRecord"] * 2,
    ]
    assert [record.n for record in game.records] == list(range(1, 11))
    assert game.number == 10


@pytest.mark.parametrize("order", [Say("perhaps"), Say(""), None, "yes", 7, EnterDice([1]), GameEnded("red", "mine")])
def test_an_illegal_order_changes_nothing(order: Any) -> None:
    game = scratch_game(talk)
    before, pending, digest = list(game.records), game.pending, game.ruleset.codec.digest(game.state)
    with pytest.raises(IllegalOrder) as caught:
        game.submit(order)
    assert caught.value.rule == "X-1"
    assert "yes" in caught.value.reason
    assert (game.records, game.pending, game.ruleset.codec.digest(game.state)) == (before, pending, digest)
    assert not game.broken
    game.submit(Say("yes"))
    assert said(game) == ["red yes"]


def test_order_of_a_seat_without_a_decision_is_refused() -> None:
    game = scratch_game(talk)
    for seat in ("blue", "umpire", "nobody", ""):
        with pytest.raises(PlayError, match=f"{seat} has no pending decision: red must decide"):
            game.submit(Say("yes"), seat)
    assert len(game.records) == 2


def test_order_before_the_start_or_after_the_end_is_refused() -> None:
    rules = scratch_rules(talk)
    game = Game(rules, rules.state_type(), KeyedDice(bytes(32)))
    with pytest.raises(PlayError, match="no order is expected"):
        game.submit(Say("yes"))
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)})
    assert game.is_over
    with pytest.raises(PlayError, match=r"the game is over \(talked_out\)"):
        game.submit(Say("yes"))
    with pytest.raises(PlayError, match="over"):
        game.submit(Say("yes"), "red")


def test_game_cannot_begin_twice() -> None:
    game = scratch_game(talk)
    with pytest.raises(PlayError, match="has already begun"):
        game.start()


def test_the_last_record_is_the_close() -> None:
    game = scratch_game(talk)
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)})
    close = game.records[-1]
    assert close == CloseRecord(len(game.records), "red", "talked_out", game.ruleset.codec.digest(game.state))
    assert game.records[-2].event == GameEnded("red", "talked_out", "X-9")
    assert game.pending is None
    assert game.waiting() == ()


def test_a_host_game_shows_its_key_at_the_close() -> None:
    game = scratch_game(talk, dice=KeyedDice(bytes(range(32)), "host"))
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)})
    assert game.records[-1].key == bytes(range(32)).hex()


@pytest.mark.parametrize("number", range(30))
def test_tic_tac_toe_matches_a_bare_loop_byte_for_byte(number: int) -> None:
    prepared: Prepared = Installed("tictactoe", tictactoe, "").prepare()
    key = key_from_seed(str(number))

    class Sampler:
        def __init__(self, seat: str) -> None:
            self.stream = Stream.for_player(key, seat)

        def choose(self, decision: Decision, view: View) -> Order:
            assert isinstance(decision.options, OneOf)
            order: Order = decision.options.sample(self.stream)
            return order

    game = prepared.new_game(KeyedDice(key))
    game.play({seat: Sampler(seat) for seat in ("x", "o")})
    mine, _ = chain(LineForm(game.ruleset, KeyedSalts(key)).encode(game.records).bodies, START)
    bare, state = play_bare({seat: Stream.for_player(key, seat) for seat in ("x", "o")}, START)
    assert mine == bare
    assert game.state == state


def test_records_are_immutable() -> None:
    game = scratch_game(talk)
    game.submit(Say("yes"))
    with pytest.raises(AttributeError):
        game.records[0].n = 7
    with pytest.raises(AttributeError):
        game.records[3].event.word = "no"
    assert isinstance(game.records[2], OrderRecord)


def test_players_answer_by_seat_or_side() -> None:
    red, blue = Talker(*["yes"] * 3), Talker(*["no"] * 3)
    game = scratch_game(talk)
    game.play({"red": red, "blue": blue})
    assert len(red.asked) == len(blue.asked) == 3
    assert said(game)[:2] == ["red yes", "blue no"]


def test_powers_are_separate_seats() -> None:
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
    with pytest.raises(PlayError, match="regio_esercito has no pending decision"):
        game.submit(Say("yes"), "regio_esercito")
    with pytest.raises(PlayError, match=r"^regio_esercito has no player: name one$"):
        game.play({"dak": Talker("yes")})
    game.play({"red": Talker("no")})
    assert said(game) == ["dak yes", "regio_esercito no"]


def test_seat_without_a_player_is_named() -> None:
    with pytest.raises(PlayError, match=r"^blue has no player: name one$"):
        scratch_game(talk).play({"red": Talker("yes")})


@pytest.mark.parametrize("error", [RuntimeError("bot"), KeyboardInterrupt(), IllegalOrder("X-1", "no")])
@pytest.mark.parametrize("stepwise", [False, True])
def test_failing_player_leaves_the_decision_pending(error: BaseException, stepwise: bool) -> None:
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


def test_refused_player_order_leaves_the_decision_pending() -> None:
    game = scratch_game(talk)
    with pytest.raises(IllegalOrder, match="maybe"):
        game.play({"red": Talker("maybe"), "blue": Talker("no")})
    assert [each.seat for each in game.waiting()] == ["red"]
    assert len(game.records) == 2


def test_after_callback_runs_before_each_decision_and_at_the_end() -> None:
    lengths: list[int] = []
    game = scratch_game(talk)
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)}, lambda: lengths.append(len(game.records)))
    assert len(lengths) == 7
    assert lengths == sorted(lengths)
    assert lengths[-1] == len(game.records)


def test_stepwise_and_continuous_play_make_the_same_records() -> None:
    games = [scratch_game(talk) for _ in range(2)]
    for game, after in zip(games, (None, lambda: None), strict=True):
        game.play({"red": Talker("yes", "no", "yes"), "blue": Talker(*["no"] * 3)}, after)
    assert games[0].records == games[1].records


def test_secret_orders_are_recorded_as_secret() -> None:
    def plot(_: Any) -> Procedure:
        order: Say = yield ask("red", "left", "right", secret=True)
        yield Whispered("red", order.word)
        yield ask("red", "end")

    for game in (scratch_game(plot), scratch_game(plot)):
        game.submit(Say("left"))
        order, event = game.records[2:4]
        assert order.secret
        assert game.ruleset.visible(event.event, "blue") is None


def test_players_see_only_their_view() -> None:
    seen: list[Any] = []

    class Watcher(Talker):
        def choose(self, decision: Decision, view: View) -> Order:
            seen.append((view.side, view()))
            return super().choose(decision, view)

    scratch_game(talk).play({"red": Watcher(*["yes"] * 3), "blue": Watcher(*["no"] * 3)})
    assert seen[0] == ("red", {"turn": 1, "count": 0})
    assert seen[1] == ("blue", {"turn": 1, "count": 1})


def test_change_of_a_view_does_not_change_the_game() -> None:
    prepared = Installed("tictactoe", tictactoe, "").prepare()
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.start()
    before = game.ruleset.codec.digest(game.state)
    game.view("x").cells[0] = "o"
    assert game.ruleset.codec.digest(game.state) == before


def test_play_starts_a_game_if_needed() -> None:
    def once(_: Any) -> Procedure:
        yield ask("red", "go")
        yield Said("gone")

    class Goer:
        def choose(self, decision: Any, view: Any) -> Say:
            if view()["turn"] == 3:
                raise PlayError("enough")
            return Say("go")

    rules = scratch_rules(once)
    games = [Game(rules, rules.state_type(), KeyedDice(bytes(32))) for _ in range(2)]
    games[0].start()
    for game in games:
        with pytest.raises(PlayError, match="enough"):
            game.play({"red": Goer()})
        assert not game.broken
    assert games[0].records == games[1].records
    assert said(games[0]) == ["gone", "gone"]
