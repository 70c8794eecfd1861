"""Games without a keeper: claims, hidden orders, and what a replica does with secrets that it lacks."""

from functools import partial
from typing import Any

import pytest

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError, RulesetError
from sandtable.kernel.decisions import Claim, Order, Roll, Secret
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.options import OneOf, Range
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import ClaimRecord
from sandtable.kernel.replicas.replica import Replica
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, Whispered, ask, said, scratch_game, scratch_rules

HIDDEN = Say("?")


def hide_and_seek(state: Any) -> Procedure:
    """Let red whisper a word in secret, then say how long it is, which red's program claims; then ask blue."""
    order: Say = yield ask("red", "owl", "raven", secret=True, purpose="whisper", stand_in=HIDDEN)
    yield Whispered("red", order.word)
    length: int = yield Claim("red", "length", Range(3, 5, "X-4"), lambda: len(state.said[-1]), "X-4", "word")
    yield Said("x" * length)
    yield ask("blue", "owl", "raven", purpose="guess")
    yield ask("red", "again", purpose="again")


def replica(rules: Ruleset, *holds: str) -> Replica:
    made = Replica(rules, rules.state_type(), KeyedDice(bytes(32)), holds=holds)
    made.start()
    return made


@pytest.fixture
def rules() -> Ruleset:
    return scratch_rules(hide_and_seek, view=lambda state, _: {"turn": state.turn, "open": state.said[1:]})


@pytest.fixture
def red(rules: Ruleset) -> Replica:
    made = replica(rules, "red")
    made.submit(Say("raven"))
    return made


@pytest.fixture
def blue(rules: Ruleset) -> Replica:
    made = replica(rules, "blue")
    made.submit_hidden("red")
    return made


def claims(game: Game) -> list[ClaimRecord]:
    return [each for each in game.records if isinstance(each, ClaimRecord)]


def test_game_with_all_secrets_computes_a_claim_without_recording_it() -> None:
    game = scratch_game(hide_and_seek)
    game.submit(Say("raven"))
    assert said(game) == ["raven", "xxxxx"]
    assert not claims(game)


def test_replica_records_the_claims_of_its_own_side(red: Replica) -> None:
    assert said(red) == ["raven", "xxxxx"]
    assert claims(red) == [ClaimRecord(red.records.index(claims(red)[0]) + 1, "red", "length", 5, "X-4", "word")]


def test_other_replica_waits_for_the_claim_without_knowing_the_secret(red: Replica, blue: Replica) -> None:
    assert isinstance(blue.pending, Claim)
    assert not blue.waiting()
    blue.resolve_claim(5)
    assert said(blue) == ["?", "xxxxx"]
    assert claims(blue) == claims(red)
    assert blue.number == red.number
    assert [each.seat for each in blue.waiting()] == ["blue"]


def test_digests_are_the_same_in_both_replicas(red: Replica, blue: Replica) -> None:
    blue.resolve_claim(5)
    for game in (red, blue):
        game.submit(Say("owl"), "blue")
        game.submit(Say("again"), "red")
    seals = [[each.digest for each in game.records if hasattr(each, "digest")] for game in (red, blue)]
    assert seals[0] == seals[1] != []


@pytest.mark.parametrize("value", [2, 6, "5", True, None, [5]])
def test_impossible_claim_is_refused_and_changes_nothing(blue: Replica, value: Any) -> None:
    before = list(blue.records)
    with pytest.raises(IllegalOrder, match=r"\(X-4\)$"):
        blue.resolve_claim(value)
    assert blue.records == before
    blue.resolve_claim(3)


def test_impossible_claim_of_own_side_is_an_error_of_the_rules() -> None:
    def claim_too_much(_: Any) -> Procedure:
        yield Claim("red", "length", Range(3, 5), lambda: 9)

    with pytest.raises(RulesetError, match=r"^scratch: the claim length of red is 9, which its options refuse: "):
        replica(scratch_rules(claim_too_much), "red")


def test_claim_is_resolved_only_if_one_is_pending(red: Replica) -> None:
    with pytest.raises(PlayError, match="no claim is pending"):
        red.resolve_claim(5)


def test_play_names_the_side_whose_claim_is_missing(blue: Replica) -> None:
    with pytest.raises(PlayError, match=r"a claim of red is pending: enter its value with resolve_claim\(\)"):
        blue.play({})


def test_secret_order_of_another_side_is_not_accepted(rules: Ruleset) -> None:
    made = replica(rules, "blue")
    with pytest.raises(PlayError, match="the order of red is secret: this replica may not hold it"):
        made.submit(Say("owl"))


def test_own_order_cannot_be_hidden(rules: Ruleset) -> None:
    with pytest.raises(PlayError, match="the order of red is not hidden: submit it"):
        replica(rules, "red").submit_hidden("red")


def test_open_order_cannot_be_hidden(red: Replica) -> None:
    with pytest.raises(PlayError, match="the order of blue is not hidden: submit it"):
        red.submit_hidden("blue")


def test_secret_decision_without_stand_in_is_an_error_of_the_rules() -> None:
    def whisper(_: Any) -> Procedure:
        yield ask("red", "owl", secret=True, purpose="whisper")

    with pytest.raises(RulesetError, match=r"the secret decision whisper \(X-1\) has no stand_in"):
        replica(scratch_rules(whisper), "blue").submit_hidden("red")


def test_other_sides_judge_an_order_by_its_outside_options() -> None:
    def secret_list(_: Any) -> Procedure:
        order: Say = yield ask("red", "owl", outside=OneOf([Say("owl"), Say("raven")], "X-1"))
        yield Said(order.word)

    rules = scratch_rules(secret_list)
    with pytest.raises(IllegalOrder):
        replica(rules, "red").submit(Say("raven"))
    blue = replica(rules, "blue")
    with pytest.raises(IllegalOrder):
        blue.submit(Say("crow"), "red")
    blue.submit(Say("raven"), "red")
    assert said(blue) == ["raven"]


def test_secret_value_is_known_to_its_side_only() -> None:
    def hide(_: Any) -> Procedure:
        yield Whispered("red", (yield Secret("red", lambda: "owl", "?")))
        yield ask("blue", "owl")

    rules = scratch_rules(hide)
    assert [said(replica(rules, side)) for side in ("red", "blue")] == [["owl"], ["?"]]
    assert said(scratch_game(hide)) == ["owl"]


def test_secret_roll_needs_a_keeper() -> None:
    def roll(_: Any) -> Procedure:
        yield Roll(1, 6, "scouts", "X-5", side="red")

    with pytest.raises(RulesetError, match=r"the roll scouts \(X-5\) is secret: without a keeper no side can make it"):
        replica(scratch_rules(roll), "blue")


def test_unknown_side_cannot_be_held(rules: Ruleset) -> None:
    with pytest.raises(PlayError, match="scratch has no side 'green': choose red, blue"):
        Replica(rules, rules.state_type(), KeyedDice(bytes(32)), holds=("green",))


def test_players_take_only_seats_of_own_sides(blue: Replica) -> None:
    class Owl:
        def choose(self, *_: Any) -> Order:
            return Say("owl")

    blue.resolve_claim(5)
    with pytest.raises(PlayError, match="red has no player"):
        blue.play({"red": Owl(), "blue": Owl()})
    assert [each.by for each in blue.records if hasattr(each, "order")] == ["red", "blue"]


# --- three sides ---


def _length(state: Any, place: int) -> int:
    return len(state.said[place])


def two_whisper(state: Any) -> Procedure:
    """Let red and blue each say a word in secret; then each program states whether its side has the longer word."""
    for side in ("red", "blue"):
        order: Say = yield ask(side, "owl", "raven", secret=True, stand_in=HIDDEN)
        yield Whispered(side, order.word)
    sizes = []
    for place, side in enumerate(("red", "blue")):
        sizes.append((yield Claim(side, "length", Range(3, 5), partial(_length, state, place), "X-4")))
    yield Said("red" if sizes[0] > sizes[1] else "blue")
    yield ask("green", "owl")


def test_third_side_takes_the_claims_of_both_others() -> None:
    rules = scratch_rules(two_whisper, sides=("red", "blue", "green"), view=lambda state, _: {"open": state.said[2:]})
    words, lengths = {"red": "raven", "blue": "owl"}, {"red": 5, "blue": 3}
    games = [replica(rules, side) for side in rules.sides]
    for game in games:
        for side, word in words.items():
            if side in game.holds:
                game.submit(Say(word), side)
            else:
                game.submit_hidden(side)
        while isinstance(game.pending, Claim):
            assert game.pending.side not in game.holds
            game.resolve_claim(lengths[game.pending.side])
    assert [said(game) for game in games] == [["raven", "?", "red"], ["?", "owl", "red"], ["?", "?", "red"]]
    assert [each.by for each in claims(games[0])] == ["red", "blue"]
    assert claims(games[0]) == claims(games[1]) == claims(games[2])
    assert {game.number for game in games} == {games[0].number}


def test_program_of_two_sides_waits_for_the_third_only() -> None:
    rules = scratch_rules(two_whisper, sides=("red", "blue", "green"))
    game = replica(rules, "blue", "green")
    game.submit_hidden("red")
    game.submit(Say("owl"), "blue")
    assert isinstance(game.pending, Claim)
    assert game.pending.side == "red"
    game.resolve_claim(5)
    assert [each.by for each in claims(game)] == ["red", "blue"]


# --- undo, forks, rulings and simulations ---


def test_undo_does_not_go_back_over_a_claim(red: Replica, blue: Replica) -> None:
    blue.resolve_claim(5)
    for game in (red, blue):
        with pytest.raises(NothingToUndo, match=r"record \d+ states a secret of red: undo does not go back over it"):
            game.undo("red")


def test_undo_after_a_claim_keeps_the_claim(blue: Replica) -> None:
    blue.resolve_claim(5)
    blue.submit(Say("owl"))
    blue.undo("blue")
    assert said(blue) == ["?", "xxxxx"]
    assert [each.seat for each in blue.waiting()] == ["blue"]


def test_fork_repeats_the_claims_and_is_a_replica(blue: Replica) -> None:
    blue.resolve_claim(4)
    twin = blue.fork()
    assert said(twin) == ["?", "xxxx"]
    assert isinstance(twin, Replica)
    assert twin.holds == blue.holds


def test_ruling_after_a_claim_keeps_the_claim(blue: Replica) -> None:
    blue.resolve_claim(4)
    blue.rule(Said("ruled"), "a test")
    assert said(blue) == ["?", "xxxx", "ruled"]
    assert [each.seat for each in blue.waiting()] == ["blue"]


def test_ruling_right_after_a_claim_continues_with_its_value() -> None:
    def claim_last(_: Any) -> Procedure:
        yield Said("begun")
        length: int = yield Claim("red", "length", Range(3, 5), lambda: 5)
        order: Say = yield ask("blue", *(["owl"] * length))
        yield Said(order.word * length)

    made = replica(scratch_rules(claim_last), "blue")
    made.resolve_claim(4)
    made.rule(Said("ruled"), "a test")
    made.submit(Say("owl"))
    assert said(made)[:3] == ["begun", "ruled", "owl" * 4]


def test_simulation_computes_claims_of_the_dealt_world(rules: Ruleset, blue: Replica) -> None:
    blue.resolve_claim(5)
    simulator = blue.simulator(blue.waiting()[0])

    def deal(*_: Any) -> Any:
        return rules.state_type()

    world = simulator.deal(Stream.for_player(bytes(32), "red"), deal)
    assert said(world) == ["raven", "xxxxx"]  # the only word that explains the claim
