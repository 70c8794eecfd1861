"""One play: who is asked, what is refused, what is recorded, and what happens when somebody fails."""

from typing import Any

import pytest
from specimens import Talker, talk

from sandtable.errors import IllegalOrder, PlayError, RulesetError
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import Decision, EnterDice, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe
from sandtable.testing.reference_loop import play_bare
from sandtable.testing.scratch import Said, Say, Shown, ask, said, scratch_game, scratch_rules, word_options


def test_orders_are_taken_one_after_the_other() -> None:
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


def test_orders_of_a_seat_that_is_not_asked_are_refused() -> None:
    game = scratch_game(talk)
    for seat in ("blue", "umpire", "nobody", ""):
        with pytest.raises(PlayError, match=f"{seat} is not asked now: red must decide"):
            game.submit(Say("yes"), seat)
    assert len(game.records) == 2


def test_nothing_can_be_ordered_before_the_beginning_or_after_the_end() -> None:
    rules = scratch_rules(talk)
    game = Game(rules, rules.state_type(), KeyedDice(bytes(32)))
    with pytest.raises(PlayError, match="waits for no order"):
        game.submit(Say("yes"))
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)})
    assert game.is_over
    with pytest.raises(PlayError, match=r"the game is over \(talked_out\)"):
        game.submit(Say("yes"))
    with pytest.raises(PlayError, match="over"):
        game.submit(Say("yes"), "red")


def test_a_game_begins_once() -> None:
    game = scratch_game(talk)
    with pytest.raises(PlayError, match="has begun already"):
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


def test_the_game_ends_in_the_middle_of_nested_procedures() -> None:
    after: list[str] = []

    @reacts(Said)
    def collapse(state: Any, event: Said) -> Procedure:
        yield from deeper(state)
        after.append("the reaction")

    def deeper(_: Any) -> Procedure:
        yield Shown("the end is near")
        yield GameEnded("blue", "collapse", "X-9")
        after.append("the procedure")

    def phase(_: Any) -> Procedure:
        yield Said("a shot")
        after.append("the phase")

    game = scratch_game(phase, functions=(collapse,))
    assert game.is_over
    assert [type(record) for record in game.records[-3:]] == [EventRecord, EventRecord, CloseRecord]
    assert after == []
    assert game.procedures() == []


def test_a_procedure_may_hand_over_to_another() -> None:
    def assault(_: Any) -> Procedure:
        order: Say = yield ask("blue", "stand", "run")
        return order.word

    def phase(_: Any) -> Procedure:
        yield Said((yield from assault(_)))
        yield ask("red", "end")

    game = scratch_game(phase)
    assert [name for name, _ in game.procedures()] == ["walk", "phase", "assault"]
    game.submit(Say("run"))
    assert said(game) == ["run"]


# ---------------------------------------------------------------- what rules do wrong


@pytest.mark.parametrize("rubbish", [42, None, "event", (1, 2), Said, object])
def test_a_procedure_that_yields_rubbish_is_told_what_it_yielded(rubbish: Any) -> None:
    def nonsense(_: Any) -> Procedure:
        yield rubbish

    with pytest.raises(RulesetError) as caught:
        scratch_game(nonsense)
    assert f"yielded {rubbish!r}" in str(caught.value)


def test_a_procedure_that_yields_rubbish_is_named() -> None:
    def nonsense(_: Any) -> Procedure:
        yield 42  # type: ignore[misc]  # rubbish on purpose

    def phase(_: Any) -> Procedure:
        yield nonsense(_)

    for outermost in (nonsense, phase):
        with pytest.raises(RulesetError, match=r"^nonsense yielded 42: only events, rolls and decisions"):
            scratch_game(outermost)


def test_an_event_without_handler_is_told_from_rubbish() -> None:
    class Lost(Event, frozen=True):
        rule: str = "X-5"

    def lose(_: Any) -> Procedure:
        yield Lost()

    def phase(_: Any) -> Procedure:
        yield lose(_)

    for outermost in (lose, phase):
        with pytest.raises(RulesetError, match=r"^lose yielded Lost, which has no handler"):
            scratch_game(outermost)


def test_rules_that_fail_are_named_with_record_and_procedures() -> None:
    def assault(_: Any) -> Procedure:
        yield Said("charge")
        raise KeyError("1/A")

    def combat(state: Any) -> Procedure:
        yield from assault(state)

    with pytest.raises(
        RulesetError, match=r"scratch failed after record 3 in (assault < )?combat < walk: KeyError: '1/A'"
    ):
        scratch_game(combat)


def test_a_broken_game_goes_no_further() -> None:
    def fail(_: Any) -> Procedure:
        yield ask("red", "go")
        raise ZeroDivisionError("odds")

    game = scratch_game(fail)
    with pytest.raises(RulesetError, match="ZeroDivisionError"):
        game.submit(Say("go"))
    assert game.broken
    for act in (lambda: game.submit(Say("go")), game.fork, game.undo):
        with pytest.raises(Exception, match=r"waits for no order|can be forked|is over"):
            act()


def test_a_handler_that_fails_is_told_like_a_procedure() -> None:
    class Vanished(Event, frozen=True):
        unit: str
        rule: str = "X-5"

    @evolves(Vanished)
    def vanished(state: Any, event: Vanished) -> None:
        state.said.remove(event.unit)

    def phase(_: Any) -> Procedure:
        yield Vanished("ghost")

    with pytest.raises(RulesetError, match="in vanished < phase < walk: ValueError"):
        scratch_game(phase, functions=(vanished,), events=(Vanished,))


def test_a_phase_that_is_no_procedure_is_told() -> None:
    def plain(_: Any) -> Any:
        return None

    with pytest.raises(RulesetError):
        scratch_game(Phase("plain", plain))


# ---------------------------------------------------------------- against another program


@pytest.mark.parametrize("number", range(30))
def test_tic_tac_toe_of_the_kernel_is_that_of_a_bare_loop_byte_for_byte(number: int) -> None:
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


def test_words_are_options() -> None:
    assert word_options("a").is_legal(Say("a"))
