"""An imagined game keeps what the side may know, deals anew what it may not, and lets dice fall as real ones do."""

from typing import Any

import pytest
from msgspec import structs

from sandtable.errors import NoDeal, RulesetLoops
from sandtable.kernel.decisions import EnterDice, Roll, Sealed
from sandtable.kernel.dice import KeyedDice, ManualDice, Stream
from sandtable.kernel.events import GameEnded
from sandtable.kernel.play import watchdog
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.simulator import Simulator
from sandtable.kernel.records import CloseRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ScratchState, Whispered, ask, said, scratch_game, scratch_rules

SIDES = ("left", "middle", "right")


def council(_: Any) -> Procedure:
    """Let red plan in secret and roll in secret, plots be opened, all see the weather; then ask everybody."""
    plan: Say = yield ask("red", *SIDES, secret=True)
    yield Whispered("red", plan.word)
    (die,) = yield Roll(1, 6, "panic", "X-6", side="red")
    yield Whispered("red", f"panic {die}")
    plots = yield Sealed((ask("red", *SIDES, secret=True), ask("blue", *SIDES)))
    yield Whispered("red", plots["red"].word)
    yield Said(plots["blue"].word)
    yield Roll(0, 6, "nothing", "X-6")
    (die,) = yield Roll(1, 6, "weather", "X-6")
    yield Said(f"weather {die}")
    for seat in ("red", "blue", "umpire"):
        yield ask(seat, "go", "stay")
    dice = yield Roll(4, 6, "march", "X-6")
    yield Said(f"march {dice}")
    yield GameEnded("red", "time", "X-9")


def blank(seen: Any, side: str, board: Any, stream: Stream, now: Any) -> ScratchState:
    """Deal a state of as many words as the side sees, none of them known."""
    return ScratchState(said=["?"] * seen["count"])


def until(seat: str, dice: Any = None, **facts: Any) -> Game:
    game = scratch_game(council, dice=dice or KeyedDice(b"k" * 32), **facts)
    for by, word in (("red", "left"), ("blue", "right"), ("red", "middle")):
        game.submit(Say(word), by)
    while game.waiting()[0].seat != seat:
        game.submit(Say("go"))
    return game


def simulator(game: Game) -> Simulator:
    return game.simulator(game.waiting()[0])


def test_who_may_not_know_is_dealt_any_order_and_any_face_and_all_else_as_it_was() -> None:
    game = until("blue")
    dealer, stream = simulator(game), Stream(b"1")
    twins = [dealer.deal(stream, blank) for _ in range(150)]
    words = [said(twin) for twin in twins]
    assert {each[0] for each in words} == {each[2] for each in words} == set(SIDES)
    assert {each[1] for each in words} == {f"panic {face}" for face in range(1, 7)}
    assert {tuple(each[3:]) for each in words} == {tuple(said(game)[3:])}
    assert {twin.waiting()[0].seat for twin in twins} == {"blue"}
    assert [dealer.hidden, dealer.turn, dealer.side] == [True, 1, "blue"]


@pytest.mark.parametrize("seat", ["red", "umpire"])
def test_who_may_know_all_is_dealt_the_game_as_it_is(seat: str) -> None:
    game = until(seat)
    dealer = simulator(game)
    assert dealer.hidden == (seat == "red")
    for number in range(12):
        twin = dealer.deal(Stream(b"%d" % number), blank)
        assert twin.state == game.state
        assert twin.state is not game.state


def test_what_the_umpire_typed_is_a_roll_and_no_order_of_an_imagined_game() -> None:
    game = scratch_game(council, dice=ManualDice(b"k" * 32))
    game.submit(Say("left"), "red")
    for number, (by, word) in enumerate((("", ""), ("blue", "right"), ("red", "middle"), ("", ""))):
        game.submit(Say(word) if by else EnterDice([number + 1]), by or "umpire")
    assert said(game) == ["left", "panic 1", "middle", "right", "weather 4"]
    assert simulator(game).deal(Stream(b""), blank).state == game.state


def test_of_a_game_without_secrets_the_state_is_taken_and_none_is_dealt() -> None:
    def boom(*_: Any) -> Any:
        raise AssertionError("asked for a deal")

    game = until("blue", hidden=False)
    dealer = simulator(game)
    for deal in (None, boom):
        state = dealer.start(Stream(b""), deal)
        assert (state.turn, state.phase, state.in_phase) == (1, "council", True)
    assert {said(dealer.deal(Stream(b"%d" % key), boom))[0] for key in range(30)} == set(SIDES)


def test_a_dealt_state_has_the_clock_and_the_options_of_the_game_and_each_its_own() -> None:
    rules = scratch_rules(council)
    game = Game(rules, ScratchState(options={"fog": "on"}), KeyedDice(b"k" * 32))
    game.start()
    dealer = simulator(game)
    one, other = (dealer.start(Stream(b""), blank) for _ in range(2))
    assert one == game.state
    one.options["fog"] = "off"
    assert (other.options, game.state.options) == ({"fog": "on"}, {"fog": "on"})


def played_on(key: bytes, *words: str, flows: bool = True) -> Any:
    game = until("red")
    twin = simulator(game).deal(Stream(key), blank)
    if flows:
        twin.flow()
    for word in words:
        twin.submit(Say(word))
    return twin


def test_dice_let_flow_fall_from_one_to_their_sides_and_alike_whatever_else_is_ordered() -> None:
    faces = set()
    for number in range(40):
        twin = played_on(b"%d" % number, "go", "go", "go")
        other = played_on(b"%d" % number, "go", "stay", "go")
        fell = [[each.dice for each in table.records if isinstance(each, RollRecord)][-1] for table in (twin, other)]
        assert fell[0] == fell[1]
        faces |= set(fell[0])
    assert faces == {1, 2, 3, 4, 5, 6}


def test_an_imagined_game_stops_at_a_roll_ends_without_seals_and_shows_no_key() -> None:
    twin = played_on(b"x", "go", "go", "go", flows=False)
    assert isinstance(twin.pending, Roll)
    twin.fall((1, 2, 3, 4))
    assert twin.is_over
    assert twin.pending is None
    assert twin.procedures() == []
    assert said(twin)[-1] == "march (1, 2, 3, 4)"
    assert not [each for each in twin.records if isinstance(each, SealRecord | CloseRecord)]
    assert twin.dice.shown_key() == ""


# ---------------------------------------------------------------- deals that contradict what was seen


def guarded(state: Any) -> Procedure:
    """Let the next question hang on a secret: where it is asked, what it says, what there is to say."""
    plan: Say = yield ask("red", *"abcdefgh", secret=True)
    if plan.word == "b":
        yield Roll(1, 6, "luck", "X-6")
    yield ask("red" if plan.word == "c" else "blue", *("stay" if plan.word == "d" else "go", "halt"))
    if plan.word == "e":
        yield Roll(1, 6, "luck", "X-6", side="red")
    yield ask("blue", "end", *(["more"] if plan.word == "f" else []))


@pytest.mark.parametrize("word", ["a", "b"])
def test_a_secret_order_is_dealt_as_one_that_leads_to_what_was_seen(word: str) -> None:
    for hidden in (True, False):
        game = scratch_game(guarded, hidden=hidden)
        game.submit(Say(word))
        game.submit(Say("go"))
        dealer = simulator(game)
        twins = [dealer.deal(Stream(b"%d" % key), blank) for key in range(60)]
        given = {next(each.order.word for each in twin.trail if isinstance(each, OrderRecord)) for twin in twins}
        assert given == ({*"afgh"} if word == "a" else {"b"})


def test_a_deal_that_asks_the_seat_another_question_is_taken_only_where_any_will_do() -> None:
    def reminded(state: Any) -> Procedure:
        yield structs.replace(ask("blue", "go"), prompt=f"{state.said[:1]}")

    rules = scratch_rules(reminded)
    game = Game(rules, ScratchState(said=["secret"]), KeyedDice(bytes(32)))
    game.start()
    dealer = simulator(game)
    with pytest.raises(NoDeal):
        dealer.deal(Stream(b""), blank)
    twin = dealer.deal(Stream(b""), blank, any_prompt=True)
    assert twin.waiting()[0].prompt == "['?']"


def test_a_deal_that_looks_otherwise_in_events_or_at_the_question_is_thrown_away() -> None:
    def tells(state: Any) -> Procedure:
        yield Said(state.said[0])
        yield ask("blue", "go")

    def knows(state: Any, side: str) -> Any:
        return {"count": len(state.said), "first": state.said[0] == "secret"}

    for rules in (scratch_rules(tells), scratch_rules(tells, view=knows)):
        game = Game(rules, ScratchState(said=["secret"]), KeyedDice(bytes(32)))
        game.start()
        with pytest.raises(NoDeal, match="scratch: no state was found that looks to blue as this one does"):
            simulator(game).deal(Stream(b""), blank)
        right = simulator(game).deal(Stream(b""), lambda *_: ScratchState(said=["secret"]))
        assert said(right) == said(game)


def test_rules_that_run_on_for_ever_from_what_was_dealt_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def loops(state: Any) -> Procedure:
        while state.said[0] == "?":
            yield Whispered("red", "again")
        yield ask("blue", "go")

    rules = scratch_rules(loops)
    game = Game(rules, ScratchState(said=["secret"]), KeyedDice(bytes(32)))
    game.start()
    monkeypatch.setattr(watchdog, "RUN", 100)
    with pytest.raises(RulesetLoops):
        simulator(game).deal(Stream(b""), blank)
