"""Rulings of the umpire: an event outside the rules, or an order that replaces another, at any question."""

from typing import Any

import pytest

from sandtable.errors import IllegalOrder, PlayError, RulesetError
from sandtable.kernel.decisions import Decision, EnterDice, Roll, Sealed
from sandtable.kernel.dice import ManualDice
from sandtable.kernel.events import Event, GameEnded, OptionSet
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, RulingRecord, UndoRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing.scratch import Said, Say, Shown, Whispered, ask, said, scratch_game


def question(word: str) -> Decision:
    return ask("red", word, word + word)


def test_ruling_after_an_order_still_delivers_the_order() -> None:
    def activation(_: Any) -> Procedure:
        first = yield question("a")
        second = yield question("b")  # the order before it is the newest record
        both = yield Sealed((ask("red", "left", "right"), ask("blue", "up", "down")))
        third = yield question("c")  # the opening is
        again = yield Sealed((ask("blue", "up", "down"), ask("red", "left", "right")))
        words = [each.word for each in (first, second, *both.values(), third, *again.values())]
        yield Said(" ".join(words))
        yield ask("red", "end")

    game = scratch_game(activation)
    for seat, word in (("red", "a"), ("red", "b"), ("blue", "down"), ("red", "left"), ("red", "cc")):
        game.submit(Say(word), seat)
        if not game._given:
            game.rule(Said(f"rain after {word}"), "now")
    game.submit(Say("right"), "red")
    game.submit(Say("up"), "blue")
    assert said(game) == [
        *[f"rain after {word}" for word in ("a", "b", "left", "cc")],
        "a b left down cc up right",
    ]
    twin = game.fork()
    assert (said(twin), twin.waiting()[0].seat) == (said(game), "red")


def test_ruling_after_undo_keeps_log_and_trail_separate() -> None:
    game = scratch_game(two_words)
    for word in ("a", "b"):
        game.submit(Say(word))
    game.undo()
    game.rule(Said("rain"), "now")
    game.submit(Say("bb"))
    assert [each.n for each in game.records] == list(range(1, len(game.records) + 1))
    kinds = [type(each) for each in game.records[2:]]
    assert kinds[:5] == [OrderRecord, OrderRecord, EventRecord, UndoRecord, RulingRecord]
    assert [each.n for each in game.trail] == [1, 2, 3, *range(7, len(game.records) + 1)]
    assert said(game) == ["rain", "a bb"]


def two_words(_: Any) -> Procedure:
    first = yield question("a")
    second = yield question("b")
    yield Said(f"{first.word} {second.word}")
    yield ask("red", "end")


def test_sealed_order_is_replaced_for_the_same_seat() -> None:
    def plots(_: Any) -> Procedure:
        orders = yield Sealed((ask("red", "left", "right"), ask("blue", "up", "down")))
        yield Said(" ".join(f"{seat}:{order.word}" for seat, order in orders.items()))
        yield ask("red", "end")

    game = scratch_game(plots)
    game.submit(Say("up"), "blue")
    for wrong in ("left", "sideways"):
        with pytest.raises(IllegalOrder):
            game.amend(3, Say(wrong), "no word of blue's")
    assert game.number == 3
    game.amend(3, Say("down"), "he meant down")
    assert [each.seat for each in game.waiting()] == ["red"]
    game.submit(Say("left"), "red")
    assert said(game) == ["red:left blue:down"]


def activation(_: Any) -> Procedure:
    """Take one word of red; "pass" ends the phase."""
    order: Say = yield ask("red", "attack", "march", "pass", done=Say("pass"))
    yield Said(order.word)
    return order.word == "pass"


@reacts(Said)
def heckle(_: Any, event: Said) -> Procedure:
    if event.word == "attack":
        order: Say = yield ask("blue", "fire", "hold")
        yield Shown(order.word)


def plots(_: Any) -> Procedure:
    yield Sealed((ask("red", "left", "right"), ask("blue", "left", "right")))


def campaign() -> Game:
    return scratch_game(Phase("activation", activation, repeats=True), Phase("plots", plots), functions=(heckle,))


def test_ruling_applies_its_event_and_asks_again() -> None:
    game = campaign()
    game.rule(Said("rain"), "we forgot the rain")
    assert said(game) == ["rain"]
    assert game.records[-1] == RulingRecord(3, "umpire", "we forgot the rain", Said("rain"), amends=0, disputed=0)
    assert game.waiting()[0].seat == "red"
    game.submit(Say("march"))
    assert said(game) == ["rain", "march"]


def test_ruling_within_an_activation_precedes_the_open_question() -> None:
    game = campaign()
    game.submit(Say("attack"))
    game.rule(Said("rain"), "now", disputed=2, claim="it had begun to rain", rule="X-1")
    assert said(game) == ["attack", "rain"]
    assert [each.seat for each in game.waiting()] == ["blue"]
    ruling = game.records[-1]
    assert (ruling.n, ruling.disputed, ruling.claim, ruling.rule) == (5, 2, "it had begun to rain", "X-1")
    game.submit(Say("hold"), "blue")
    assert said(game) == ["attack", "rain", "hold"]
    assert [record.n for record in game.records] == list(range(1, len(game.records) + 1))


def test_question_after_a_ruling_uses_the_new_state() -> None:
    def count(state: Any) -> Procedure:
        yield Said("begin")
        order: Say = yield ask("red", *[str(number) for number in range(len(state.said) + 1)])
        yield Said(f"{order.word} of {len(state.said)}")
        yield ask("red", "end")

    game = scratch_game(count)
    assert game.waiting()[0].options.count() == 2
    game.rule(Said("more"), "there was more")
    game.rule(Said("and more"), "and more still")
    assert game.waiting()[0].options.count() == 4
    game.submit(Say("3"))
    assert said(game) == ["begin", "more", "and more", "3 of 3"]


def test_ruling_after_a_roll_keeps_the_dice() -> None:
    def volley(_: Any) -> Procedure:
        order: Say = yield ask("red", "fire", "hold")
        first = yield Roll(2, 6, "volley", "X-6")
        yield ask("blue", "reply", "hold")
        second = yield Roll(2, 6, "volley", "X-6")
        yield Said(f"{order.word} {first} {second}")
        yield ask("red", "end")

    plain, ruled = scratch_game(volley), scratch_game(volley)
    for game in (plain, ruled):
        game.submit(Say("fire"))
    ruled.rule(Said("rain"), "a cocked die")
    for game in (plain, ruled):
        game.submit(Say("reply"), "blue")
    assert said(ruled) == ["rain", *said(plain)]
    assert [r.label for r in ruled.records if isinstance(r, RollRecord)] == ["1/volley/volley/1", "1/volley/volley/2"]


def test_undo_and_fork_are_possible_after_a_ruling() -> None:
    game = campaign()
    game.submit(Say("attack"))
    game.rule(Said("rain"), "now")
    game.submit(Say("hold"), "blue")
    game.submit(Say("march"))
    game.undo()
    twin = game.fork()
    for table in (game, twin):
        table.submit(Say("attack"))
        table.rule(Said("hail"), "again")
        table.submit(Say("hold"), "blue")
    assert said(game) == said(twin) == ["attack", "rain", "hold", "attack", "hail", "hold"]


def test_ruling_after_a_secret_event_lets_reactions_run() -> None:
    @reacts(Whispered)
    def overheard(_: Any, event: Whispered) -> Procedure:
        order: Say = yield ask("blue", "listen", "ignore")
        yield Said(f"{order.word} {event.word}")

    def whisper(_: Any) -> Procedure:
        yield Whispered("red", "now")
        yield ask("red", "end")

    game = scratch_game(whisper, functions=(overheard,))
    game.rule(Said("rain"), "now")
    game.submit(Say("listen"), "blue")
    assert said(game) == ["now", "rain", "listen now"]


def test_amended_order_voids_later_records() -> None:
    game = campaign()
    game.submit(Say("attack"))
    wrong = game.number - 1
    game.submit(Say("hold"), "blue")
    game.submit(Say("attack"))
    assert isinstance(game.records[wrong - 1], OrderRecord)
    game.amend(wrong, Say("march"), "he had written march", disputed=wrong)
    assert said(game) == ["march"]
    ruling = next(record for record in game.records if isinstance(record, RulingRecord))
    assert (ruling.amends, ruling.event, ruling.reason) == (wrong, None, "he had written march")
    given = game.records[ruling.n]
    assert (given.by, given.order) == ("red", Say("march"))
    assert [record.n for record in game.records] == list(range(1, len(game.records) + 1))
    with pytest.raises(PlayError, match="not an order, or was undone"):
        game.amend(wrong, Say("attack"), "no, attack")
    game.amend(given.n, Say("attack"), "attack after all")
    assert said(game) == ["attack"]


def test_amended_order_must_be_legal_at_its_position() -> None:
    game = campaign()
    game.submit(Say("attack"))
    before = list(game.records)
    with pytest.raises(IllegalOrder):
        game.amend(game.number - 1, Say("fire"), "that was no word for red")
    assert game.records == before
    assert game.waiting()[0].seat == "blue"


def test_mistyped_dice_are_amended() -> None:
    def volley(_: Any) -> Procedure:
        dice = yield Roll(1, 6, "volley", "X-6")
        yield Said(f"fell {dice[0]}")
        yield ask("red", "end")

    game = scratch_game(volley, dice=ManualDice(bytes(32)))
    game.submit(EnterDice([3]), "umpire")
    game.amend(3, EnterDice([5]), "it was a five")
    assert said(game) == ["fell 5"]


def test_a_ruling_is_possible_again_after_undo_and_in_a_fork() -> None:
    game = campaign()
    game.submit(Say("march"))
    game.undo()
    game.submit(Say("march"))
    twin = game.fork()
    for table in (game, twin):
        table.rule(Said("rain"), "now")
        table.submit(Say("march"))
        table.rule(Said("more rain"), "again")
        assert said(table) == ["march", "rain", "march", "more rain"]


def test_ruling_in_a_half_answered_group_is_refused() -> None:
    game = campaign()
    game.submit(Say("pass"))
    game.rule(Said("rain"), "in time")
    game.submit(Say("left"), "red")
    with pytest.raises(PlayError, match="must wait until all sealed orders"):
        game.rule(Said("rain"), "too late")


def test_ruling_that_would_end_the_game_is_refused() -> None:
    game = campaign()
    with pytest.raises(PlayError, match="adjudicate"):
        game.rule(GameEnded("red", "time"), "it is late")
    assert game.waiting()


def test_a_ruling_must_be_an_event_of_the_game() -> None:
    class Strange(Event, frozen=True):
        rule: str = "X-5"

    with pytest.raises(PlayError, match="Strange is not an event of scratch"):
        campaign().rule(Strange(), "why not")


def test_forks_and_undo_after_a_ruling_include_it() -> None:
    game = campaign()
    game.submit(Say("march"))
    game.rule(Said("rain"), "now")
    game.submit(Say("march"))
    twin = game.fork()
    twin.submit(Say("pass"))
    assert said(twin) == ["march", "rain", "march", "pass"]
    game.undo()
    assert said(game) == ["march", "rain"]


@evolves(Shown)
def careless(state: Any, event: Shown) -> None:
    state.said.append(event.word)
    if event.word == "nonsense":
        raise KeyError(event.word)


def test_failed_ruling_changes_nothing() -> None:
    game = scratch_game(Phase("activation", activation, repeats=True), functions=(careless,))
    before = game.ruleset.codec.digest(game.state)
    with pytest.raises(PlayError, match=r"^Shown cannot happen here: KeyError: 'nonsense'$"):
        game.rule(Shown("nonsense"), "by mistake")
    assert game.ruleset.codec.digest(game.state) == before


def test_withdrawn_event_is_void_and_its_question_is_pending_again() -> None:
    game = scratch_game(two_words)
    game.submit(Say("a"))
    before = game.waiting()[0].prompt
    game.rule(Said("rain"), "now")
    ruling = game.number
    game.submit(Say("bb"))
    assert said(game)[0] == "rain"
    game.apply(RulingRecord(game.number + 1, "umpire", "it was dry", withdraws=ruling))
    assert said(game) == []
    assert game.waiting()[0].prompt == before
    game.submit(Say("bb"))
    assert said(game) == ["a bb"]
    assert [each.n for each in game.records] == list(range(1, len(game.records) + 1))
    assert said(game.fork()) == ["a bb"]


def test_withdrawal_of_anything_but_a_ruling_that_counts_is_refused() -> None:
    game = scratch_game(two_words)
    game.submit(Say("a"))
    order = game.number
    game.rule(Said("rain"), "now")
    ruling = game.number
    game.amend(order, Say("aa"), "read again")
    amendment = game.number - 1

    def withdraw(withdraws: int = 0, amends: int = 0) -> None:
        game.apply(RulingRecord(game.number + 1, "umpire", "no", withdraws=withdraws, amends=amends))

    for facts in (
        {"withdraws": order},
        {"withdraws": 99},
        {"withdraws": ruling},
        {"withdraws": amendment},
        {"withdraws": amendment, "amends": order},
        {},
    ):
        with pytest.raises(PlayError):
            withdraw(**facts)
    assert said(game) == []


def test_rules_without_a_plugin_set_no_option() -> None:
    game = scratch_game(two_words)
    with pytest.raises(PlayError, match="not loaded as a plugin"):
        game.rule(OptionSet("fog", "on"), "now")


def test_rules_that_yield_a_setting_are_refused() -> None:
    def activation(_: Any) -> Procedure:
        yield OptionSet("money", "12")

    class AllowAll:
        def check(self, *_: Any) -> None:
            """Allow everything."""

        def board(self, _: Any) -> None:
            """Return no board."""

    with pytest.raises(RulesetError, match="only a ruling sets an option"):
        scratch_game(activation, settings=AllowAll())
