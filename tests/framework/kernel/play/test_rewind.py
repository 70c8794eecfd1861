"""Forks, undo, and the folding of records into a state."""

from collections.abc import Callable
from typing import Any

import pytest
from growth import growth_faults
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.errors import NothingToUndo, RulesetError
from sandtable.kernel.decisions import Roll, Sealed
from sandtable.kernel.dice import ChanceDice, KeyedDice, Stream
from sandtable.kernel.events import GameEnded
from sandtable.kernel.handlers import reacts
from sandtable.kernel.play import game as playing
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import DiceAgain, StopAtRecord, fold
from sandtable.kernel.play.rewind import Reached as Stopped
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord, UndoRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing.scratch import Said, Say, Shown, ask, said, scratch_game


def test_recorded_dice_are_repeated_before_new_ones() -> None:
    rolls = [RollRecord(n, f"1/p/x/{n}", 6, dice) for n, dice in enumerate(((1, 2), (), (3,)), start=1)]
    dice = DiceAgain([EventRecord(9, Said("x")), *rolls], ChanceDice())
    assert dice.mode == "chance"
    assert [dice.roll("any", 1, 6) for _ in range(3)] == [(1, 2), (3,), None]
    assert dice.shown_key() == ""
    key = KeyedDice(bytes(32), "host")
    assert (DiceAgain([], key).roll("x", 2, 6), DiceAgain([], key).shown_key()) == (key.roll("x", 2, 6), "")


def test_trail_raises_at_a_stop_length() -> None:
    trail = StopAtRecord()
    trail.stops = frozenset((2,))
    trail.append("a")
    with pytest.raises(Stopped):
        trail.append("b")
    trail.append("c")
    assert trail == ["a", "b", "c"]


def test_fork_repeats_several_rolls_before_a_question() -> None:
    def volley(_: Any) -> Procedure:
        for number in range(5):
            dice = yield Roll(number, 6, "volley", "X-6")
            yield Said(f"{number}: {dice}")
        yield ask("red", "go")

    game = scratch_game(volley)
    assert said(game.fork(KeyedDice(b"x" * 32))) == said(game)


def test_fold_counts_rolls_and_questions_of_the_turn() -> None:
    def volley(_: Any) -> Procedure:
        yield Roll(1, 6, "volley", "X-6")
        yield Roll(1, 6, "volley", "X-6")
        yield ask("red", "go")
        yield Roll(1, 6, "rally", "X-6")
        yield ask("red", "go", purpose="more")
        yield ask("red", "go")

    game = scratch_game(volley)
    for _ in range(2):
        game.submit(Say("go"))
    state, snapshot = fold(game.ruleset, game.base, game.trail)
    assert state == game.state
    assert snapshot.counts == {"1/volley/volley": 2, "1/volley/rally": 1}
    assert snapshot.asked == {"volley/red": 1, "volley/more": 1}
    assert (snapshot.length, snapshot.data) == (len(game.trail), game.ruleset.codec.to_bytes(game.state))
    game.submit(Say("go"))
    _, later = fold(game.ruleset, snapshot, game.trail[snapshot.length :])
    assert (later.length, later.asked) == (len(game.trail), {})
    assert later.counts == {"2/volley/volley": 2}


@reacts(Said)
def heckle(state: Any, event: Said) -> Procedure:
    """Let blue say a word, and perhaps roll a die, after red said that it attacks."""
    if event.word == "attack":
        order: Say = yield ask("blue", "fire", "hold")
        if order.word == "fire":
            (die,) = yield Roll(1, 6, "fire", "X-6")
            yield Said(f"hit {die}")


def activation(state: Any) -> Procedure:
    """Take one word of red; "pass" ends the phase."""
    order: Say = yield ask("red", "attack", "march", "pass", done=Say("pass"))
    yield Said(order.word)
    return order.word == "pass"


def plots(state: Any) -> Procedure:
    orders = yield Sealed((ask("red", "left", "right"), ask("blue", "left", "right", secret=True)))
    (die,) = yield Roll(1, 6, "meeting", "X-6")
    yield Said(f"{orders['red'].word} {orders['blue'].word} {die}")
    if state.turn == 4:
        yield GameEnded("draw", "time", "X-9")


def campaign() -> Game:
    return scratch_game(Phase("activation", activation, repeats=True), Phase("plots", plots), functions=(heckle,))


def play_at_random(game: Game, stream: Stream, orders: int = 10_000) -> None:
    for _ in range(orders):
        if not game.waiting():
            return
        decision = stream.pick(game.waiting())
        done = decision.done
        game.submit(done if done is not None and stream.one_in(3) else decision.options.sample(stream), decision.seat)


@pytest.mark.full
@settings(max_examples=40)
@given(st.binary(max_size=6))
def test_fork_at_any_decision_continues_identically(key: bytes) -> None:
    whole = campaign()
    play_at_random(whole, Stream(key))
    game, stream = campaign(), Stream(key)
    while game.waiting():
        twin, twin_stream = game.fork(), Stream(b"")
        twin_stream._block, twin_stream._key, twin_stream._words = stream._block, stream._key, list(stream._words)
        play_at_random(twin, twin_stream)
        assert twin.records == whole.records[len(whole.records) - len(twin.records) :]
        assert twin.state == whole.state
        play_at_random(game, stream, 1)
    assert game.records == whole.records


def test_fork_of_a_fork_continues_identically() -> None:
    whole, chained = campaign(), campaign()
    stream = Stream(b"chain")
    orders = []
    while whole.waiting():
        decision = whole.waiting()[0]
        orders.append((decision.seat, decision.options.sample(stream)))
        whole.submit(orders[-1][1], decision.seat)
    for seat, order in orders:
        chained = chained.fork()
        chained.submit(order, seat)
    assert chained.records == whole.records[-len(chained.records) :]
    assert chained.number == whole.number


def test_fork_uses_given_dice() -> None:
    game = campaign()
    game.submit(Say("attack"))
    twins = [game.fork(KeyedDice(bytes([number]) * 32)) for number in range(12)]
    for twin in twins:
        twin.submit(Say("fire"), "blue")
    assert len({tuple(said(twin)) for twin in twins}) > 1
    assert said(game) == ["attack"]


def test_fork_keeps_earlier_dice() -> None:
    def two_rolls(_: Any) -> Procedure:
        (first,) = yield Roll(1, 6, "x", "X-6")
        yield ask("red", "go")
        (second,) = yield Roll(1, 6, "x", "X-6")
        yield Said(f"{first} then {second}")
        yield ask("red", "end")

    game = scratch_game(two_rolls)
    first = game.records[2].dice[0]
    for number in range(8):
        twin = game.fork(KeyedDice(bytes([number]) * 32))
        twin.submit(Say("go"))
        assert said(twin)[0].startswith(f"{first} then")
        assert [record.label for record in twin.records if isinstance(record, RollRecord)][1] == "1/two_rolls/x/2"


def test_roll_of_zero_dice_before_a_fork_is_skipped() -> None:
    """A roll of zero dice is recorded but has no faces, and must not take those of the next roll."""

    def two_rolls(_: Any) -> Procedure:
        yield Roll(0, 6, "none", "X-6")
        (first,) = yield Roll(1, 6, "x", "X-6")
        yield ask("red", "go")
        (second,) = yield Roll(1, 6, "x", "X-6")
        yield Said(f"{first} then {second}")
        yield ask("red", "end")

    game = scratch_game(two_rolls)
    first = next(record.dice[0] for record in game.records if isinstance(record, RollRecord) and record.dice)
    twin = game.fork()
    twin.submit(Say("go"))
    game.submit(Say("go"))
    assert said(twin) == said(game)
    assert said(twin)[0].startswith(f"{first} then")


def test_fork_does_not_change_the_game() -> None:
    game = campaign()
    game.submit(Say("march"))
    before = list(game.records), game.boundaries[:], game.number, game.ruleset.codec.digest(game.state)
    twin = game.fork()
    play_at_random(twin, Stream(b"y"))
    assert (list(game.records), game.boundaries, game.number, game.ruleset.codec.digest(game.state)) == before


def test_undo_takes_back_the_last_order_and_keeps_the_record() -> None:
    game = campaign()
    before = game.ruleset.codec.digest(game.state)
    game.submit(Say("march"))
    game.undo("red")
    assert game.ruleset.codec.digest(game.state) == before
    assert game.records[-1] == UndoRecord(5, "red", 3)
    assert [record.n for record in game.records] == [1, 2, 3, 4, 5]
    assert len(game.trail) == 2
    game.submit(Say("pass"))
    assert said(game) == ["pass"]
    assert game.records[5].n == 6


def test_orders_are_undone_one_by_one_to_the_beginning() -> None:
    game = campaign()
    digests = [game.ruleset.codec.digest(game.state)]
    for _ in range(4):
        game.submit(Say("march"))
        digests.append(game.ruleset.codec.digest(game.state))
    for count in range(4, 0, -1):
        assert game.ruleset.codec.digest(game.state) == digests[count]
        game.undo()
    assert game.ruleset.codec.digest(game.state) == digests[0]
    with pytest.raises(NothingToUndo, match="no order has been given yet"):
        game.undo()


def test_undo_crosses_the_end_of_a_phase() -> None:
    game = campaign()
    game.submit(Say("pass"))
    assert any(isinstance(record, SealRecord) for record in game.records)
    assert game.state.phase == "plots"
    game.undo()
    assert game.state.phase == "activation"
    game.submit(Say("pass"))
    assert game.state.phase == "plots"


def show(_: Any) -> Procedure:
    yield ask("red", "look")
    yield Shown("an ambush")
    yield ask("red", "end")


def open_up(_: Any) -> Procedure:
    yield Sealed((ask("red", "left"), ask("blue", "right")))
    yield ask("red", "on")
    yield ask("red", "end")


@pytest.mark.parametrize(
    ("made", "words", "undone", "expected"),
    [
        (campaign, ("attack", "fire"), 0, "dice were rolled in record 6"),
        (lambda: scratch_game(show), ("look",), 0, "record 4 revealed something"),
        (lambda: scratch_game(open_up), ("left", "right", "on"), 1, "sealed orders were opened at record 4"),
    ],
)
def test_undo_past_a_disclosure_is_refused(
    made: Callable[[], Game], words: tuple[str, ...], undone: int, expected: str
) -> None:
    game = made()
    for word in words:
        game.submit(Say(word))
    for _ in range(undone):
        game.undo("red")
    for by in (None, "red"):
        with pytest.raises(NothingToUndo, match=expected):
            game.undo(by)


class Watched(list[Any]):
    """A list that notes how many elements were copied from it."""

    copied = 0

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        self.copied += len(found) if isinstance(index, slice) else 0
        return found


@pytest.mark.parametrize("rounds", [50, 100, 200])
def test_undo_copies_only_the_records_since_its_boundary(rounds: int) -> None:
    def talk(_: Any) -> Procedure:
        word = yield ask("red", "go")
        yield Said(word.word)

    game = scratch_game(talk)
    for _ in range(rounds):
        game.submit(Say("go"))
    game.undo()
    game.submit(Say("go"))
    before, trail = list(game.trail), game.trail
    lists = [Watched(each) for each in (trail, game.boundaries, game.records)]
    game.trail, game.boundaries, game.records = lists
    game.undo()
    assert sum(each.copied for each in lists) < 20
    assert game.trail == before[: len(game.trail)]
    assert said(game) == ["go"] * (rounds - 1)
    game.submit(Say("go"))
    assert len(game.trail) == len(before)


@pytest.mark.full
def test_undoing_one_order_after_the_other_takes_near_linear_time() -> None:
    def march(_: Any) -> Procedure:  # says nothing, so that the state does not grow with the game
        yield ask("red", "go")

    def undo_all(orders: range) -> None:
        game = scratch_game(march)
        for _ in orders:
            game.submit(Say("go"))
        for _ in orders:
            game.undo()
        assert not any(isinstance(each, OrderRecord) for each in game.trail)

    assert not list(growth_faults(range, undo_all, 500))


def test_game_has_at_most_as_many_undos_as_a_log_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def talk(_: Any) -> Procedure:
        yield ask("red", "go")
        yield ask("red", "go")

    monkeypatch.setattr(playing, "MAX_UNDOS", 3)
    game = scratch_game(talk)
    for _ in range(3):
        game.submit(Say("go"))
        game.undo()
    game.submit(Say("go"))
    records = list(game.records)
    with pytest.raises(NothingToUndo, match="3 orders were taken back"):
        game.undo()
    assert game.records == records
    game.submit(Say("go"))  # the game continues


def test_undo_past_a_ruling_is_refused() -> None:
    game = campaign()
    game.submit(Say("march"))
    game.rule(Said("a sandstorm"), "the weather is foul")
    with pytest.raises(NothingToUndo, match="ruling"):
        game.undo()
    game.submit(Say("march"))
    game.undo()
    assert said(game) == ["march", "a sandstorm"]


def test_undo_of_another_sides_order_is_refused() -> None:
    game = campaign()
    game.submit(Say("attack"))
    game.submit(Say("hold"), "blue")
    with pytest.raises(NothingToUndo, match="the last order, record 5, is from blue"):
        game.undo("red")
    game.undo("blue")
    assert game.waiting()[0].seat == "blue"
    game.undo("red")
    assert game.waiting()[0].seat == "red"
    assert said(game) == []


def test_undo_after_the_end_is_refused() -> None:
    game = campaign()
    play_at_random(game, Stream(b"end"))
    with pytest.raises(NothingToUndo, match="over"):
        game.undo()


def test_a_new_order_after_undo_can_be_undone_in_turn() -> None:
    game = campaign()
    for word in ("march", "attack", "march"):
        game.submit(Say(word), "red")
        if game.waiting()[0].seat == "blue":
            game.submit(Say("hold"), "blue")
            game.undo("blue")
        game.undo("red")
    assert said(game) == []
    undone = [record for record in game.records if isinstance(record, UndoRecord)]
    assert [record.by for record in undone] == ["red", "blue", "red", "red"]
    assert [record.n for record in game.records] == list(range(1, len(game.records) + 1))


@settings(max_examples=40)
@given(st.binary(max_size=6), st.integers(2, 5))
def test_game_with_undone_orders_ends_as_without_them(key: bytes, often: int) -> None:
    plain, wavering = campaign(), campaign()
    stream = Stream(key)
    for number in range(10_000):
        if not plain.waiting():
            break
        decision = plain.waiting()[0]
        done = decision.done
        order = done if done is not None and stream.one_in(3) else decision.options.sample(stream)
        for game in (plain, wavering):
            game.submit(order, decision.seat)
        if number % often == 0:
            try:
                wavering.undo(decision.seat)
            except NothingToUndo:
                continue
            wavering.submit(order, decision.seat)
    assert wavering.state == plain.state
    assert [getattr(r, "event", None) for r in wavering.trail] == [getattr(r, "event", None) for r in plain.trail]
    assert [r.dice for r in wavering.trail if isinstance(r, RollRecord)] == [
        r.dice for r in plain.trail if isinstance(r, RollRecord)
    ]


def test_undo_in_a_fork_stops_at_its_boundary() -> None:
    game = campaign()
    game.submit(Say("march"))
    game.submit(Say("attack"))
    twin = game.fork()
    twin.undo("red")
    assert said(twin) == ["march"]
    with pytest.raises(NothingToUndo, match="no order has been given yet"):
        twin.undo("red")
    assert said(game) == ["march", "attack"]


def test_fold_gives_the_state_at_each_boundary() -> None:
    game = campaign()
    states: list[tuple[int, Any]] = []
    stream = Stream(b"fold")
    while game.waiting():
        if game.boundaries[-1] == len(game.trail):
            states.append((len(game.trail), game.ruleset.codec.digest(game.state)))
        play_at_random(game, stream, 1)
    assert len(states) > 5
    for length, digest in states:
        state, snapshot = fold(game.ruleset, game.base, game.trail[:length])
        assert game.ruleset.codec.digest(state) == digest
        assert snapshot.length == length


def test_rules_that_fail_on_rerun_are_reported() -> None:
    """A value that a procedure stores outside the state is detected when the game is forked."""
    memory: list[str] = []

    def forgetful(_: Any) -> Procedure:
        yield ask("red", "go")
        memory.append("once")
        if len(memory) > 1:
            raise ValueError("I was here before")
        yield ask("red", "on")

    game = scratch_game(forgetful)
    game.submit(Say("go"))
    with pytest.raises(RulesetError, match="I was here before"):
        game.fork()
