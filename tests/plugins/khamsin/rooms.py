"""Single rooms at work: a state with pieces where the test wants them, and a procedure run by hand with told dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from tests.plugins.khamsin.falling import FATES, dice_for, single
from tests.plugins.khamsin.modules import USUAL, board
from tests.plugins.khamsin.positions import shipped

from khamsin.model import battle_events, battle_handlers, events, handlers
from khamsin.model.state import ON_MAP, KhamsinState, Sheet
from khamsin.setup.reading import opening_state
from sandtable.kernel.decisions import Decision, Roll, Sealed
from sandtable.kernel.events import UNSET, Event
from sandtable.kernel.handlers import compile_table, functions_of
from sandtable.kernel.play.hidden_step import carry_out
from sandtable.kernel.sequence import HiddenStep

EVENTS = (*events.EVENTS, *battle_events.EVENTS)
RULES = shipped("teaching").ruleset
TABLE = compile_table(functions_of([handlers, battle_handlers]), EVENTS)


def position(places: Mapping[str, str], name: str = "fixture", *, turn: int = 1, **options: str) -> KhamsinState:
    """Return a state with these formations and leaders on the map and nobody else; control is the module's."""
    chosen = USUAL | options
    state = opening_state(board(name), chosen)
    state.place_board(board(name))
    state.turn = turn
    for piece, area in places.items():
        each: Any = state.formations.get(piece) or state.leaders[piece]
        each.standing, each.area = ON_MAP, area
    return state


def ordered(state: KhamsinState, side: str, **sheet: Any) -> None:
    """Hand in a side's orders as they stand, unjudged."""
    state.sheets[side] = Sheet(**sheet)


def run(
    state: KhamsinState,
    procedure: Any,
    dice: Mapping[str, list[int]] | None = None,
    answers: Any = None,
    *,
    spare: bool = False,
) -> list[Any]:
    """Run a procedure and return its events, each by itself.

    ``dice`` gives by purpose the faces that fall, all of them unless there may be ``spare`` ones; ``answers`` an order
    for each side.
    """
    happened: list[Any] = []
    left = {purpose: list(faces) for purpose, faces in (dice or {}).items()}

    def face(purpose: str) -> int:
        if not purpose or (purpose.startswith(FATES) and not left.get(purpose)):
            return 6
        assert left.get(purpose), f"nobody foresaw {purpose}"
        return left[purpose].pop(0)

    def answer(item: Any) -> Any:
        if isinstance(item, Event):
            TABLE[type(item)].handler(state, item)
            happened.extend(single([item]))
            return None
        if isinstance(item, HiddenStep):
            return play(carry_out(RULES, state, item))
        if isinstance(item, Roll):
            return tuple(map(face, dice_for(state, item.purpose, item.dice) or [item.purpose] * item.dice))
        return _answered(item, answers)

    def play(procedure: Any) -> Any:
        given: Any = None
        while True:
            try:
                given = answer(procedure.send(given))
            except StopIteration as stop:
                return stop.value

    play(procedure)
    assert spare or not any(left.values()), f"never rolled: {left}"
    return happened


def _answered(item: Any, answers: Any) -> Any:
    """Return the orders of ``answers`` for a decision, or a group of them."""
    if isinstance(item, Sealed):
        for each in item.decisions:
            each.options.check(answers[each.side])
        return {each.side: answers[each.side] for each in item.decisions}
    assert isinstance(item, Decision), item
    item.options.check(answers[item.side])
    return answers[item.side]


def of(happened: list[Any], kind: type[Any]) -> list[Any]:
    """Return the events of one kind."""
    return [each for each in happened if isinstance(each, kind)]


def facts_of(happened: list[Any], kind: type[Any]) -> list[Any]:
    """Return the events of one kind without how their figures came about."""
    return [replace(each, calculations=UNSET) for each in of(happened, kind)]
