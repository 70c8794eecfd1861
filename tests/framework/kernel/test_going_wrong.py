"""What is told of rules that go wrong: in full, with record, procedures, file and line; and small print of the loop."""

from typing import Any

import pytest

from sandtable.errors import PlayError, RulesetError
from sandtable.kernel.decisions import Roll, Sealed
from sandtable.kernel.dice import ChanceDice, KeyedDice
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import Special, compile_table, evolves, reacts
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import DiceAgain, StopAtRecord, fold
from sandtable.kernel.play.rewind import Reached as Stopped
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.kernel.sequence import HiddenStep, Phase, PlayerTurn, Procedure
from sandtable.testing.scratch import Said, Say, Shown, Whispered, ask, note, said, scratch_game, scratch_rules


def failing(_: Any) -> Procedure:
    yield Said("charge")
    raise KeyError("1/A")


def assault(state: Any) -> Procedure:
    yield failing(state)


def test_a_failure_is_told_in_one_line_with_all_that_is_known() -> None:
    told = (
        r"^scratch failed after record 3 in failing < assault < walk: KeyError: '1/A' "
        r"\(test_going_wrong.py:\d+, in failing\)$"
    )
    with pytest.raises(RulesetError, match=told) as caught:
        scratch_game(assault)
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_failure_of_a_function_below_the_procedures_is_told_with_the_function_once() -> None:
    def reckon() -> int:
        return 1 // 0

    def combat(_: Any) -> Procedure:
        yield Said(str(reckon()))

    with pytest.raises(RulesetError, match=r"after record 2 in reckon < combat < walk: ZeroDivisionError: integer"):
        scratch_game(combat)


def test_a_failure_before_there_is_a_procedure_is_told_like_any_other() -> None:
    def plain(state: Any) -> Any:
        return state.nothing

    with pytest.raises(
        RulesetError, match=r"after record 2 in plain < walk: AttributeError: .* \(test_going_wrong.py:\d+, in"
    ):
        scratch_game(Phase("plain", plain))


def test_a_phase_that_is_no_generator_is_told_by_procedure_phase_and_rule() -> None:
    def plain(_: Any) -> Any:
        return None

    told = (
        r"^scratch: plain, the procedure of the phase red.march \(X-4\), gave None: "
        r"it is no generator; a procedure yields what happens$"
    )
    with pytest.raises(RulesetError, match=told):
        scratch_game(PlayerTurn("red", "red", (Phase("march", plain, rule="X-4"),)))


def test_none_is_rubbish_in_a_procedure_and_in_a_reaction() -> None:
    def empty(_: Any) -> Procedure:
        yield None  # type: ignore[misc]  # rubbish on purpose

    def says(_: Any) -> Procedure:
        yield Said("x")

    @reacts(Said)
    def react(_: Any, event: Said) -> Procedure:
        yield None  # type: ignore[misc]  # rubbish on purpose

    for phase, functions, name in ((empty, (), "empty"), (says, (react,), "react")):
        told = rf"^{name} yielded None: only events, rolls and decisions may be yielded$"
        with pytest.raises(RulesetError, match=told):
            scratch_game(phase, functions=functions)


def test_a_seat_asked_twice_in_a_group_is_told_with_the_others() -> None:
    def plots(_: Any) -> Procedure:
        yield Sealed((ask("red", "a"), ask("blue", "a"), ask("red", "a", power="dak"), ask("blue", "b")))

    told = "^a sealed group asks one seat twice: red, blue, dak, blue; each may be asked once$"
    with pytest.raises(RulesetError, match=told):
        scratch_game(plots, powers={"dak": "red"})


def test_a_purpose_is_refused_by_its_words() -> None:
    def odd(_: Any) -> Procedure:
        yield Roll(1, 6, "two words")

    told = r"^'two words' is no purpose of a roll: letters, digits and \. _ : - make one$"
    with pytest.raises(RulesetError, match=told):
        scratch_game(odd)


def test_an_unknown_event_is_told_what_to_do() -> None:
    class Lost(Event, frozen=True):
        rule: str = "X-5"

    def lose(_: Any) -> Procedure:
        yield Lost()

    with pytest.raises(RulesetError, match=r"^lose yielded Lost, which has no handler: add it to the events$"):
        scratch_game(lose)


# ---------------------------------------------------------------- running again


def test_dice_fall_again_in_their_order_and_then_as_others_do() -> None:
    rolls = [RollRecord(n, f"1/p/x/{n}", 6, dice) for n, dice in enumerate(((1, 2), (), (3,)), start=1)]
    dice = DiceAgain([EventRecord(9, Said("x")), *rolls], ChanceDice())
    assert dice.mode == "chance"
    assert [dice.roll("any", 1, 6) for _ in range(3)] == [(1, 2), (3,), None]
    assert dice.shown_key() == ""
    key = KeyedDice(bytes(32), "host")
    assert (DiceAgain([], key).roll("x", 2, 6), DiceAgain([], key).shown_key()) == (key.roll("x", 2, 6), "")


def test_a_trail_stops_whoever_makes_it_as_long_as_was_said() -> None:
    trail = StopAtRecord([2])
    trail.append("a")
    with pytest.raises(Stopped):
        trail.append("b")
    trail.append("c")
    assert trail == ["a", "b", "c"]


def test_several_dice_before_a_question_are_those_that_fell_in_a_fork() -> None:
    def volley(_: Any) -> Procedure:
        for number in range(5):
            dice = yield Roll(number, 6, "volley", "X-6")
            yield Said(f"{number}: {dice}")
        yield ask("red", "go")

    game = scratch_game(volley)
    assert said(game.fork(KeyedDice(b"x" * 32))) == said(game)


def test_what_is_folded_counts_rolls_and_questions_of_the_turn() -> None:
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
    state, snapshot = fold(game.ruleset, game.base, game.trail, None)
    assert state == game.state
    assert snapshot.counts == {"1/volley/volley": 2, "1/volley/rally": 1}
    assert snapshot.asked == {"volley/red": 1, "volley/more": 1}
    assert (snapshot.length, snapshot.data) == (len(game.trail), game.ruleset.codec.to_bytes(game.state))
    game.submit(Say("go"))
    _, later = fold(game.ruleset, snapshot, game.trail[snapshot.length :], None)
    assert (later.length, later.asked) == (len(game.trail), {})
    assert later.counts == {"2/volley/volley": 2}


# ---------------------------------------------------------------- reactions


class Heard(Event, frozen=True):
    word: str
    rule: str = "X-4"


@evolves(Heard)
def heard(state: Any, event: Heard) -> None:
    state.said.append(f"heard {event.word}")


def reaction(name: str) -> Any:
    @reacts(Said, Whispered)
    def react(_: Any, event: Any) -> Procedure:
        if len(event.word) < 2:
            yield Heard(f"{name} {event.word}")

    return react


def test_several_reactions_out_of_sight_come_in_their_order_and_before_what_follows() -> None:
    def step(_: Any) -> Procedure:
        yield Whispered("red", "a")
        yield Whispered("red", "b")
        return "done"

    def play(_: Any) -> Procedure:
        answer = yield HiddenStep(step, lambda happened: happened)
        yield Said(f"{answer} and told")
        yield ask("red", "end")

    plain = [each for word in "ab" for each in (word, f"heard one {word}", f"heard two {word}")]
    told: list[str] = []

    def tell(happened: list[Event]) -> list[Event]:
        told.extend(getattr(each, "word", "") for each in happened)
        return [Shown(str(len(happened)))]

    def quietly(_: Any) -> Procedure:
        yield HiddenStep(step, tell)
        yield ask("red", "end")

    facts: dict[str, Any] = {"functions": (heard, reaction("one"), reaction("two")), "events": (Heard,)}
    assert said(scratch_game(quietly, **facts)) == ["6"]
    assert told == [each.removeprefix("heard ") for each in plain]
    game = scratch_game(play, functions=(heard,), events=(Heard,))
    assert said(game) == ["a", "b", "done and told"]


def test_the_table_says_of_an_event_what_it_is_besides() -> None:
    react = reaction("one")
    table = compile_table([note, heard, react], [Said, Whispered, Shown, Heard], (Shown, Said))
    assert table[Heard].special is None
    assert table[Said].special == Special((react,), False, True)
    assert table[Whispered].special == Special((react,), False, False)
    assert table[Shown].special == Special((), False, True)
    assert Special((), True).unsaid is False


# ---------------------------------------------------------------- asking


def test_a_game_is_the_same_whether_it_has_begun_or_is_begun_by_playing() -> None:
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


def test_a_sealed_group_is_given_order_by_order_with_or_without_a_name() -> None:
    def plots(_: Any) -> Procedure:
        orders = yield Sealed((ask("red", "left"), ask("blue", "right")))
        yield Said(" ".join(orders))
        yield ask("red", "end")

    game = scratch_game(plots)
    with pytest.raises(PlayError, match=r"^green is not asked now: red and blue must decide$"):
        game.submit(Say("left"), "green")
    game.submit(Say("right"), "blue")
    with pytest.raises(PlayError, match=r"^blue is not asked now: red must decide$"):
        game.submit(Say("right"), "blue")
    game.submit(Say("left"))
    assert said(game) == ["red blue"]
    assert game.waiting()[0].seat == "red"
