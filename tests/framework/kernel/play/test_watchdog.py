"""Rules that run too long without a question are stopped and located; rules that ask are not."""

from collections.abc import Callable
from typing import Any

import pytest

from sandtable.errors import RulesetError, RulesetLoops
from sandtable.kernel.decisions import Decision, EnterDice, Order, Roll, Sealed
from sandtable.kernel.dice import ChanceDice, KeyedDice, ManualDice, Stream
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.handlers import reacts
from sandtable.kernel.play import watchdog
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game, scratch_rules

RUN = 300


@pytest.fixture(autouse=True)
def _short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "RUN", RUN)


class Speaker:
    """A player that says the first available word and rolls a one."""

    def choose(self, decision: Decision, view: View) -> Order:
        order: Order = decision.options.sample(Stream(b"x"))
        return EnterDice([1]) if isinstance(order, EnterDice) else order


def talks_on(_: Any) -> Procedure:
    while True:
        yield Said("and")


def rolls_on(_: Any) -> Procedure:
    while True:
        yield Roll(1, 6, "again", "X-6")


def opens_nothing(_: Any) -> Procedure:
    while True:
        yield Sealed(())


def calls_others(_: Any) -> Procedure:
    while True:
        yield nothing(_)


def goes_deeper(_: Any) -> Procedure:
    yield goes_deeper(_)


def nothing(_: Any) -> Procedure:
    yield from ()


@reacts(Said)
def echo(_: Any, event: Said) -> Procedure:
    yield Said(event.word)


def asks_first(procedure: Callable[[Any], Procedure]) -> Callable[[Any], Procedure]:
    def asked(state: Any) -> Procedure:
        yield ask("red", "a")
        yield from procedure(state)

    return asked


@pytest.mark.parametrize(
    ("procedure", "expected"),
    [
        (talks_on, r"in talks_on < asked < walk, last Said \(X-1\)"),
        (rolls_on, r"in rolls_on < asked < walk, last the roll 1/p/again/\d+ \(X-6\)"),
        (opens_nothing, "in opens_nothing < asked < walk"),
        (calls_others, "in (nothing < )?calls_others < asked < walk"),
        (goes_deeper, "in goes_deeper( < goes_deeper){5}"),
    ],
)
def test_loop_is_reported_with_phase_rule_and_procedure(procedure: Callable[[Any], Procedure], expected: str) -> None:
    game = scratch_game(Phase("p", asks_first(procedure), rule="X-9"))
    where = r"since the answer in record 3: turn 1, phase p \(X-9\)"
    with pytest.raises(
        RulesetLoops,
        match=rf"^scratch: no question in 300 steps, \d+ records {where}, {expected}: the rules loop there$",
    ):
        game.submit(Say("a"))
    assert game.broken
    assert len(game.records) <= 2 * RUN + 3


def test_endless_reactions_are_a_loop() -> None:
    game = scratch_game(asks_first(talks_on), functions=(echo,))
    with pytest.raises(RulesetLoops, match=r"in echo( < echo){5}, last Said"):
        game.submit(Say("a"))


def test_endlessly_repeated_phase_is_a_loop() -> None:
    with pytest.raises(RulesetLoops, match=r"2 records since the game began: turn 1, phase idle \(X-8\), in .*walk"):
        scratch_game(Phase("idle", nothing, rule="X-8", repeats=True))


def test_turns_without_a_question_are_a_loop() -> None:
    with pytest.raises(RulesetLoops, match=r"last (PhaseEnded|PhaseBegan|TurnBegan)"):
        scratch_game(nothing)


def test_error_in_a_reaction_names_only_the_reaction() -> None:
    @reacts(Said)
    def stumble(state: Any, event: Said) -> Procedure:
        yield Said(state.nothing_of_the_kind)

    game = scratch_game(asks_first(talks_on), functions=(stumble,))
    with pytest.raises(RulesetError, match="in stumble < talks_on < asked < walk: AttributeError"):
        game.submit(Say("a"))


def chatty(_: Any) -> Procedure:
    """Say much, but never for a whole run before the next question."""
    for _each in range(40):
        for _word in range(RUN // 2):
            yield Said("well")
        yield ask("red", "a")


def test_rules_that_ask_occasionally_may_continue() -> None:
    rules = scratch_rules(chatty, Phase("end", talks_on))
    for after in (None, lambda: None):  # asked within the loop, and outside it
        game = Game(rules, rules.state_type(), KeyedDice(bytes(32)))
        with pytest.raises(RulesetLoops, match="phase end"):
            game.play({"red": Speaker()}, after=after)
        assert game.number > 40 * RUN // 2


def test_undo_and_fork_begin_a_new_run() -> None:
    game = scratch_game(chatty)
    for _ in range(12):
        game.submit(Say("a"))
        game.undo()
        game.fork().submit(Say("a"))
        game.submit(Say("a"))
    assert said(game).count("well") == 13 * (RUN // 2)


def test_dice_from_any_source_are_not_answers() -> None:
    rules = scratch_rules(asks_first(rolls_on))
    for dice in (KeyedDice(bytes(32)), ManualDice(bytes(32))):
        game = Game(rules, rules.state_type(), dice)
        with pytest.raises(RulesetLoops, match="rolls_on"):
            game.play({"red": Speaker(), "umpire": Speaker()})
        assert len(game.records) <= 2 * RUN + 3


def fall_on(game: Game, times: int) -> None:
    for _ in range(times):
        game.resolve_roll((1,))


def test_run_is_counted_across_rolls_without_dice_source() -> None:
    game = scratch_game(asks_first(rolls_on), dice=ChanceDice())
    game.submit(Say("a"))
    with pytest.raises(RulesetLoops, match="rolls_on"):
        fall_on(game, 2 * RUN)


def test_simulated_game_is_watched() -> None:
    game = scratch_game(asks_first(rolls_on), hidden=False)
    twin = game.simulator(game.waiting()[0]).deal(Stream(b"x"))
    twin.flow()
    with pytest.raises(RulesetLoops, match="rolls_on"):
        twin.submit(Say("a"))
    assert not game.broken


def test_a_ruling_begins_a_new_run() -> None:
    game = scratch_game(Phase("p", asks_after_much, repeats=True))
    for _ in range(20):
        game.rule(Said("the umpire speaks"), "why not")
    assert said(game).count("the umpire speaks") == 20


def asks_after_much(state: Any) -> Procedure:
    """Take many steps without a record, then ask; in the log, the activation has not begun."""
    for _each in range(RUN // 4):
        yield nothing(state)
    yield ask("red", "a")


def test_run_has_fifty_thousand_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    taken = []

    def counts(state: Any) -> Procedure:
        while True:
            taken.append(1)
            yield nothing(state)

    expected = "scratch: no question in 50,000 steps, 2 records since the game began: turn 1, phase counts (X-0), in "
    with pytest.raises(RulesetLoops) as caught:
        scratch_game(counts)
    assert str(caught.value).startswith(expected)
    assert (
        len(taken) == (50_000 - 3) // 2 + 1
    )  # two steps each, the yielded value and its end; before that turn, phase, procedure


def test_loop_between_two_phases_is_reported() -> None:
    @reacts(TurnBegan)
    def weather(state: Any, event: TurnBegan) -> Procedure:
        yield from calls_others(state)

    expected = (
        r"1 records since the game began: turn 1, between two phases, in .*weather < walk, last TurnBegan: the rules"
    )
    with pytest.raises(RulesetLoops, match=expected):
        scratch_game(nothing, functions=(weather,))


def test_records_are_counted_from_the_newest_answer() -> None:
    twin = scratch_game(asks_first(calls_others)).fork()
    with pytest.raises(RulesetLoops, match="steps, 0 records since the answer in record 3: turn 1, phase asked"):
        twin.submit(Say("a"))


def test_last_event_without_a_rule_cites_none() -> None:
    def once(state: Any) -> Procedure:
        yield ask("red", "a")
        yield Said("b", "")

    game = scratch_game(once, Phase("on", calls_others))
    with pytest.raises(RulesetLoops, match=r"4 records since the answer in record 3: .*, last PhaseBegan: the rules"):
        game.submit(Say("a"))

    def silent(state: Any) -> Procedure:
        yield ask("red", "a")
        yield Said("b", "")
        yield from calls_others(state)

    game = scratch_game(silent)
    with pytest.raises(RulesetLoops, match=r"1 records since the answer in record 3: .*, last Said: the rules"):
        game.submit(Say("a"))
