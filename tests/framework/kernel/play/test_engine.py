"""The loop: nested procedures, and errors of rules with record, procedures, file and line."""

from typing import Any

import pytest

from sandtable.errors import RulesetError
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.records import CloseRecord, EventRecord
from sandtable.kernel.sequence import Phase, PlayerTurn, Procedure
from sandtable.testing.scratch import Said, Say, Shown, ask, said, scratch_game


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


@pytest.mark.parametrize("rubbish", [42, None, "event", (1, 2), Said, object])
def test_a_procedure_that_yields_rubbish_is_told_what_it_yielded(rubbish: Any) -> None:
    def nonsense(_: Any) -> Procedure:
        yield rubbish

    with pytest.raises(RulesetError) as caught:
        scratch_game(nonsense)
    assert f"yielded {rubbish!r}" in str(caught.value)


def test_a_procedure_that_yields_rubbish_is_named() -> None:
    def nonsense(_: Any) -> Procedure:
        yield 42  # type: ignore[misc]

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


def failing(_: Any) -> Procedure:
    yield Said("charge")
    raise KeyError("1/A")


def assault(state: Any) -> Procedure:
    yield failing(state)


def test_a_failure_is_told_in_one_line_with_all_that_is_known() -> None:
    told = (
        r"^scratch failed after record 3 in failing < assault < walk: KeyError: '1/A' "
        r"\(test_engine.py:\d+, in failing\)$"
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
        RulesetError, match=r"after record 2 in plain < walk: AttributeError: .* \(test_engine.py:\d+, in"
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
        yield None  # type: ignore[misc]

    def says(_: Any) -> Procedure:
        yield Said("x")

    @reacts(Said)
    def react(_: Any, event: Said) -> Procedure:
        yield None  # type: ignore[misc]

    for phase, functions, name in ((empty, (), "empty"), (says, (react,), "react")):
        told = rf"^{name} yielded None: only events, rolls and decisions may be yielded$"
        with pytest.raises(RulesetError, match=told):
            scratch_game(phase, functions=functions)


def test_an_unknown_event_is_told_what_to_do() -> None:
    class Lost(Event, frozen=True):
        rule: str = "X-5"

    def lose(_: Any) -> Procedure:
        yield Lost()

    with pytest.raises(RulesetError, match=r"^lose yielded Lost, which has no handler: add it to the events$"):
        scratch_game(lose)
