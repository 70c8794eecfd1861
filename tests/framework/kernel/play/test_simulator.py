"""A simulated game keeps what the side may know, redeals the rest, and rolls dice like a real game."""

import gc
from typing import Any

import pytest
from msgspec import structs

from sandtable.errors import NoDeal, PlayError, RulesetLoops
from sandtable.kernel.decisions import Decision, EnterDice, Roll, Sealed
from sandtable.kernel.dice import KeyedDice, ManualDice, Stream, key_from_seed
from sandtable.kernel.events import GameEnded
from sandtable.kernel.play import watchdog
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.play.simulator import TRIES, Deal, Simulator, _Given
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.sequence import Procedure
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe
from sandtable.testing.scratch import Said, Say, ScratchState, Whispered, ask, said, scratch_game, scratch_rules
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


def test_secret_order_of_the_current_activation_is_redealt(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2))
    dealer, stream = simulator(game, "south"), Stream(b"1")
    dealt = [dealer.deal(stream, anew(toy)) for _ in range(80)]
    assert {ambush_of(twin, "north") for twin in dealt} == set(ROAD)
    assert {twin.waiting()[0].seat for twin in dealt} == {"south"}


def test_older_secrets_of_others_are_redealt_and_own_are_kept(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))
    dealer, stream = simulator(game, "south"), Stream(b"2")
    dealt = [dealer.deal(stream, anew(toy)) for _ in range(80)]
    assert {ambush_of(twin, "north") for twin in dealt} == set(ROAD)
    assert {ambush_of(twin, "south") for twin in dealt} == {4}


def test_unopened_sealed_order_is_left_out_of_a_deal(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4), Commit(3))
    twin = simulator(game, "south").deal(Stream(b"3"), anew(toy))
    assert [each.seat for each in twin.waiting()] == ["north", "south"]
    assert not any(isinstance(record, OrderRecord) for record in twin.trail)


@pytest.mark.parametrize("orders", [(2,), (2, 4)])
def test_deals_do_not_depend_on_hidden_information(ford: Prepared, toy: Installed, orders: tuple[int, ...]) -> None:
    states = []
    for hidden in ROAD:
        game = begun(ford, LayAmbush(hidden), *map(LayAmbush, orders[1:]))
        stream = Stream(b"same")
        dealer = simulator(game, "south")
        states.append([dealer.deal(stream, anew(toy)).state for _ in range(5)])
    assert states == [states[0]] * len(ROAD)


def test_simulator_holds_no_reference_to_game_or_key(ford: Prepared, toy: Installed) -> None:
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


def test_simulated_game_stops_at_rolls_until_flow(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))
    before = list(game.records)
    twin = simulator(game, "north").deal(Stream(b"6"), anew(toy))
    twin.submit(Commit(2), "north")
    twin.submit(Commit(1), "south")
    assert isinstance(twin.pending, Roll)
    assert twin.pending.dice == 2
    twin.flow()
    twin.resolve_roll((1, 1))
    assert [each.seat for each in twin.waiting()] == ["north", "south"]
    assert twin.state.turn == 2
    assert (game.records, game.state.turn, game.view("north")["troops"]["north"]) == (before, 1, 12)


def test_dice_of_the_current_activation_are_kept() -> None:
    prepared = Installed("tictactoe", tictactoe, "").prepare()
    game = prepared.new_game(KeyedDice(KEY))
    game.start()
    for cell in (0, 4, 8):
        game.submit(tictactoe.Mark(cell))
    twin = game.simulator(game.waiting()[0]).deal(Stream(b""))
    assert twin.state == game.state
    assert twin.state is not game.state


def test_simulating_secrets_requires_deal(ford: Prepared) -> None:
    game = begun(ford, LayAmbush(2))
    with pytest.raises(PlayError, match="toy has secrets, but its ruleset_bots has no deal: it cannot be simulated"):
        simulator(game, "south").deal(Stream(b""))


def test_different_looking_deals_are_rejected_up_to_the_limit(ford: Prepared, toy: Installed) -> None:
    game = begun(ford, LayAmbush(2), LayAmbush(4))

    dealt = []

    def wrong(view: Any, side: str, board: Any, stream: Stream, now: Any) -> Ford:
        dealt.append(Ford(troops={"north": 1, "south": 1}, ambush={side: view["ambush"]}))
        return dealt[-1]

    with pytest.raises(NoDeal, match="toy: found no state that looks to south like this one"):
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


def test_deal_without_the_answered_question_is_rejected(ford: Prepared, toy: Installed) -> None:
    tried = simulator(begun(ford, LayAmbush(2)), "south")
    tried._steps = [each._replace(by="umpire") for each in tried._steps if isinstance(each, _Given)]
    with pytest.raises(NoDeal):
        tried.deal(Stream(b""), anew(toy))


def test_a_view_without_a_game_has_no_simulator(ford: Prepared) -> None:
    decision: Decision = begun(ford).waiting()[0]
    with pytest.raises(PlayError, match="north: no game is available here to simulate"):
        View("north", lambda side: None).simulator(decision)


SIDES = ("left", "middle", "right")


def council(_: Any) -> Procedure:
    """Let red plan and roll in secret, open plots, show all the weather; then ask every seat."""
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
    """Deal a state with as many words as the side sees, all of them unknown."""
    return ScratchState(said=["?"] * seen["count"])


def until(seat: str, dice: Any = None, **facts: Any) -> Game:
    game = scratch_game(council, dice=dice or KeyedDice(b"k" * 32), **facts)
    for by, word in (("red", "left"), ("blue", "right"), ("red", "middle")):
        game.submit(Say(word), by)
    while game.waiting()[0].seat != seat:
        game.submit(Say("go"))
    return game


def dealer_of(game: Game) -> Simulator:
    return game.simulator(game.waiting()[0])


def test_deal_randomizes_exactly_the_unknown_orders_and_dice() -> None:
    game = until("blue")
    dealer, stream = dealer_of(game), Stream(b"1")
    twins = [dealer.deal(stream, blank) for _ in range(150)]
    words = [said(twin) for twin in twins]
    assert {each[0] for each in words} == {each[2] for each in words} == set(SIDES)
    assert {each[1] for each in words} == {f"panic {face}" for face in range(1, 7)}
    assert {tuple(each[3:]) for each in words} == {tuple(said(game)[3:])}
    assert {twin.waiting()[0].seat for twin in twins} == {"blue"}
    assert [dealer.hidden, dealer.turn, dealer.side] == [True, 1, "blue"]


@pytest.mark.parametrize("seat", ["red", "umpire"])
def test_umpire_is_dealt_the_true_game(seat: str) -> None:
    game = until(seat)
    dealer = dealer_of(game)
    assert dealer.hidden == (seat == "red")
    for number in range(12):
        twin = dealer.deal(Stream(b"%d" % number), blank)
        assert twin.state == game.state
        assert twin.state is not game.state


def test_manual_dice_are_rolls_in_a_simulated_game() -> None:
    game = scratch_game(council, dice=ManualDice(b"k" * 32))
    game.submit(Say("left"), "red")
    for number, (by, word) in enumerate((("", ""), ("blue", "right"), ("red", "middle"), ("", ""))):
        game.submit(Say(word) if by else EnterDice([number + 1]), by or "umpire")
    assert said(game) == ["left", "panic 1", "middle", "right", "weather 4"]
    assert dealer_of(game).deal(Stream(b""), blank).state == game.state


def test_game_without_secrets_uses_its_state_without_a_deal() -> None:
    def boom(*_: Any) -> Any:
        raise AssertionError("asked for a deal")

    game = until("blue", hidden=False)
    dealer = dealer_of(game)
    for deal in (None, boom):
        state = dealer.start(Stream(b""), deal)
        assert (state.turn, state.phase, state.in_phase) == (1, "council", True)
    assert {said(dealer.deal(Stream(b"%d" % key), boom))[0] for key in range(30)} == set(SIDES)


def test_activation_with_a_ruling_is_not_simulated() -> None:
    game = until("blue", hidden=False)
    game.rule(Said("rain"), "now")
    with pytest.raises(NoDeal, match="a ruling was made"):
        dealer_of(game).deal(Stream(b""), blank)


def test_dealt_state_copies_clock_and_options() -> None:
    rules = scratch_rules(council)
    game = Game(rules, ScratchState(options={"fog": "on"}), KeyedDice(b"k" * 32))
    game.start()
    dealer = dealer_of(game)
    one, other = (dealer.start(Stream(b""), blank) for _ in range(2))
    assert one == game.state
    one.options["fog"] = "off"
    assert (other.options, game.state.options) == ({"fog": "on"}, {"fog": "on"})


def played_on(key: bytes, *words: str, flows: bool = True) -> Any:
    game = until("red")
    twin = dealer_of(game).deal(Stream(key), blank)
    if flows:
        twin.flow()
    for word in words:
        twin.submit(Say(word))
    return twin


def test_simulated_dice_depend_only_on_stream_and_label() -> None:
    faces = set()
    for number in range(40):
        twin = played_on(b"%d" % number, "go", "go", "go")
        other = played_on(b"%d" % number, "go", "stay", "go")
        fell = [[each.dice for each in table.records if isinstance(each, RollRecord)][-1] for table in (twin, other)]
        assert fell[0] == fell[1]
        faces |= set(fell[0])
    assert faces == {1, 2, 3, 4, 5, 6}


def test_simulated_game_has_no_seals_and_no_key() -> None:
    twin = played_on(b"x", "go", "go", "go", flows=False)
    assert isinstance(twin.pending, Roll)
    twin.resolve_roll((1, 2, 3, 4))
    assert twin.is_over
    assert twin.pending is None
    assert twin.procedures() == []
    assert said(twin)[-1] == "march (1, 2, 3, 4)"
    assert not [each for each in twin.records if isinstance(each, SealRecord | CloseRecord)]
    assert twin.dice.shown_key() == ""


def guarded(state: Any) -> Procedure:
    """Let the next question depend on a secret: its existence, its prompt, its options."""
    plan: Say = yield ask("red", *"abcdefgh", secret=True)
    if plan.word == "b":
        yield Roll(1, 6, "luck", "X-6")
    yield ask("red" if plan.word == "c" else "blue", *("stay" if plan.word == "d" else "go", "halt"))
    if plan.word == "e":
        yield Roll(1, 6, "luck", "X-6", side="red")
    yield ask("blue", "end", *(["more"] if plan.word == "f" else []))


@pytest.mark.parametrize("word", ["a", "b"])
def test_dealt_secret_order_is_consistent_with_the_view(word: str) -> None:
    for hidden in (True, False):
        game = scratch_game(guarded, hidden=hidden)
        game.submit(Say(word))
        game.submit(Say("go"))
        dealer = dealer_of(game)
        twins = [dealer.deal(Stream(b"%d" % key), blank) for key in range(60)]
        given = {next(each.order.word for each in twin.trail if isinstance(each, OrderRecord)) for twin in twins}
        assert given == ({*"afgh"} if word == "a" else {"b"})


def test_deal_with_another_prompt_requires_any_prompt() -> None:
    def reminded(state: Any) -> Procedure:
        yield structs.replace(ask("blue", "go"), prompt=f"{state.said[:1]}")

    rules = scratch_rules(reminded)
    game = Game(rules, ScratchState(said=["secret"]), KeyedDice(bytes(32)))
    game.start()
    dealer = dealer_of(game)
    with pytest.raises(NoDeal):
        dealer.deal(Stream(b""), blank)
    twin = dealer.deal(Stream(b""), blank, any_prompt=True)
    assert twin.waiting()[0].prompt == "['?']"


def test_deal_with_different_events_or_view_is_rejected() -> None:
    def discloses(state: Any) -> Procedure:
        yield Said(state.said[0])
        yield ask("blue", "go")

    def knows(state: Any, side: str) -> Any:
        return {"count": len(state.said), "first": state.said[0] == "secret"}

    for rules in (scratch_rules(discloses), scratch_rules(discloses, view=knows)):
        game = Game(rules, ScratchState(said=["secret"]), KeyedDice(bytes(32)))
        game.start()
        with pytest.raises(NoDeal, match="scratch: found no state that looks to blue like this one"):
            dealer_of(game).deal(Stream(b""), blank)
        right = dealer_of(game).deal(Stream(b""), lambda *_: ScratchState(said=["secret"]))
        assert said(right) == said(game)


def test_endless_rules_from_a_deal_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def loops(state: Any) -> Procedure:
        while state.said[0] == "?":
            yield Whispered("red", "again")
        yield ask("blue", "go")

    rules = scratch_rules(loops)
    game = Game(rules, ScratchState(said=["secret"]), KeyedDice(bytes(32)))
    game.start()
    monkeypatch.setattr(watchdog, "RUN", 100)
    with pytest.raises(RulesetLoops):
        dealer_of(game).deal(Stream(b""), blank)
