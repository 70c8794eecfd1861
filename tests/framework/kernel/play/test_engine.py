"""The loop: nested procedures, and errors of rules with record, procedures, file and line."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.errors import RulesetError
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.records import CloseRecord, EventRecord
from sandtable.kernel.sequence import Phase, PlayerTurn, Procedure
from sandtable.testing.scratch import Said, Say, Shown, ask, said, scratch_game


def test_game_ends_inside_nested_procedures() -> None:
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


def nested(procedure: Callable[[Any], Procedure]) -> Callable[[Any], Procedure]:
    def phase(state: Any) -> Procedure:
        yield procedure(state)

    return phase


@pytest.mark.parametrize("rubbish", [42, None, "event", (1, 2), Said, object])
def test_invalid_yield_names_procedure_or_reaction(rubbish: Any) -> None:
    def nonsense(_: Any, _event: Any = None) -> Procedure:
        yield rubbish

    def says(_: Any) -> Procedure:
        yield Said("x")

    expected = f"^nonsense yielded {re.escape(repr(rubbish))}: yield only events, rolls, claims and decisions$"
    for phase, functions in ((nonsense, ()), (nested(nonsense), ()), (says, (reacts(Said)(nonsense),))):
        with pytest.raises(RulesetError, match=expected):
            scratch_game(phase, functions=functions)


def test_event_without_handler_has_its_own_error() -> None:
    class Lost(Event, frozen=True):
        rule: str = "X-5"

    def lose(_: Any) -> Procedure:
        yield Lost()

    for phase in (lose, nested(lose)):
        with pytest.raises(RulesetError, match=r"^lose yielded Lost, which has no handler: add it to the events$"):
            scratch_game(phase)


def test_broken_game_refuses_to_continue() -> None:
    def fail(_: Any) -> Procedure:
        yield ask("red", "go")
        raise ZeroDivisionError("odds")

    game = scratch_game(fail)
    with pytest.raises(RulesetError, match="ZeroDivisionError"):
        game.submit(Say("go"))
    assert game.broken
    for act in (lambda: game.submit(Say("go")), game.fork, game.undo):
        with pytest.raises(Exception, match=r"no order is expected|can be forked|is over"):
            act()


def failing(_: Any) -> Procedure:
    yield Said("charge")
    raise KeyError("1/A")


def delegates(state: Any) -> Procedure:
    yield from failing(state)


def reckon() -> int:
    return 1 // 0


def calls(_: Any) -> Procedure:
    yield Said(str(reckon()))


def plain(state: Any) -> Any:
    return state.nothing


class Vanished(Event, frozen=True):
    unit: str
    rule: str = "X-5"


@evolves(Vanished)
def vanished(state: Any, event: Vanished) -> None:
    state.said.remove(event.unit)


def vanishes(_: Any) -> Procedure:
    yield Vanished("ghost")


@pytest.mark.parametrize(
    ("procedure", "expected"),
    [
        (
            nested(failing),
            r"after record 3 in failing < phase < walk: KeyError: '1/A' \(test_engine.py:\d+, in failing\)$",
        ),
        (delegates, r"after record 3 in (failing < )?delegates < walk: KeyError: '1/A'"),
        (calls, r"after record 2 in reckon < calls < walk: ZeroDivisionError: integer"),
        (plain, r"after record 2 in plain < walk: AttributeError: .* \(test_engine.py:\d+, in"),
        (vanishes, r"after record 2 in vanished < vanishes < walk: ValueError"),
    ],
)
def test_error_of_rules_is_reported_in_one_line(procedure: Any, expected: str) -> None:
    with pytest.raises(RulesetError, match=rf"^scratch failed {expected}") as caught:
        scratch_game(procedure, functions=(vanished,), events=(Vanished,))
    assert type(caught.value.__cause__).__name__ in expected


def test_phase_without_generator_names_procedure_phase_and_rule() -> None:
    def plain(_: Any) -> Any:
        return None

    expected = (
        r"^scratch: plain, the procedure of the phase red.march \(X-4\), gave None: "
        r"it is not a generator; a procedure yields events, rolls and decisions$"
    )
    with pytest.raises(RulesetError, match=expected):
        scratch_game(PlayerTurn("red", "red", (Phase("march", plain, rule="X-4"),)))
