"""States with pieces in given areas, and single procedures run with loaded dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as with_changes
from typing import Any

from msgspec.structs import replace
from tests.plugins.khamsin.modules import DEFAULTS, board
from tests.plugins.khamsin.positions import FATES, dice_for, shipped, single

from khamsin.model import battle_events, battle_handlers, events, handlers
from khamsin.model.cards import Change
from khamsin.model.state import ON_MAP, Action, Engagement, KhamsinState, Report, Sheet
from khamsin.movement.orders_sheet import orders_space
from khamsin.setup.reading import opening_state
from khamsin.ui.parsing import read_order
from sandtable.kernel.decisions import Decision, Roll, Sealed
from sandtable.kernel.events import UNSET, Event
from sandtable.kernel.handlers import compile_table, functions_of
from sandtable.kernel.options import Space
from sandtable.kernel.play.hidden_step import carry_out
from sandtable.kernel.sequence import HiddenStep
from sandtable.players.courses import only_empty_order

EVENTS = (*events.EVENTS, *battle_events.EVENTS)
RULES = shipped("teaching").ruleset
TABLE = compile_table(functions_of([handlers, battle_handlers]), EVENTS)


def position(places: Mapping[str, str], name: str = "fixture", *, turn: int = 1, **options: Any) -> KhamsinState:
    """Return a state in which only the given formations and leaders are on the map; the module sets control."""
    chosen = DEFAULTS | options
    state = opening_state(board(name), chosen)
    state.place_board(board(name))
    state.turn = turn
    for piece, area in places.items():
        each: Any = state.formations.get(piece) or state.leaders[piece]
        each.standing, each.area = ON_MAP, area
    return state


def ordered(state: KhamsinState, side: str, **sheet: Any) -> None:
    """Store a side's orders without a check of legality."""
    state.sheets[side] = Sheet(**sheet)


def run(
    state: KhamsinState,
    procedure: Any,
    dice: Mapping[str, list[int]] | None = None,
    answers: Any = None,
    *,
    spare: bool = False,
) -> list[Any]:
    """Run a procedure, and return its single events.

    ``dice`` are faces by purpose; all must be used unless ``spare`` is true. ``answers`` has an order for each side.
    """
    happened: list[Any] = []
    left = {purpose: list(faces) for purpose, faces in (dice or {}).items()}

    def face(purpose: str) -> int:
        if not purpose or (purpose.startswith((*FATES, "surrender")) and not left.get(purpose)):
            return 6
        assert left.get(purpose), f"no die is loaded for {purpose}"
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
    assert spare or not any(left.values()), f"dice not rolled: {left}"
    return happened


def _answered(item: Any, answers: Any) -> Any:
    """Return the order of ``answers`` for a decision, or the orders for a group of decisions."""
    if isinstance(item, Sealed):
        return {each.side: _answered(each, answers) for each in item.decisions}
    assert isinstance(item, Decision), item
    order = only_empty_order(item) or answers[item.side]
    item.options.check(order)
    return order


def of(happened: list[Any], kind: type[Any]) -> list[Any]:
    """Return the events of one kind."""
    return [each for each in happened if isinstance(each, kind)]


def facts_of(happened: list[Any], kind: type[Any]) -> list[Any]:
    """Return the events of one kind without their calculations."""
    return [replace(each, calculations=UNSET) for each in of(happened, kind)]


# --- engagements ---

AXIS, ALLIES = "axis", "allies"
HERE = "sidi_rezegh"
BOTH = {"15_pz_div": HERE, "7_armd_bde": HERE}
WITH_ROMMEL = BOTH | {"rommel": HERE}
GERMANS, BRITISH = ["15_pz_div", "21_pz_div"], ["7_armd_bde", "recon_cw"]


def engaged(**facts: Any) -> Engagement:
    """Return an engagement in Sidi Rezegh with two formations on each side."""
    found: dict[str, Any] = {
        "id": "sidi_rezegh",
        "area": "sidi_rezegh",
        "forces": {AXIS: list(GERMANS), ALLIES: list(BRITISH)},
        "holder": AXIS,
    }
    return Engagement(**(found | facts))


def tables(*winners: str, points: dict[str, tuple[int, int]] | None = None) -> list[Action]:
    """Return one action per winner, each won 5-2; "" is a draw of 1-1."""
    scores = {AXIS: (5, 2), ALLIES: (2, 5), "": (1, 1), **(points or {})}
    return [
        Action(number, dict(zip((AXIS, ALLIES), scores[winner], strict=True)), winner)
        for number, winner in enumerate(winners, 1)
    ]


def duel(**facts: Any) -> Engagement:
    """Return an engagement in Sidi Rezegh with one formation on each side."""
    return engaged(**({"forces": {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]}} | facts))


def first_decision(procedure: Any) -> Any:
    """Return the first item that a procedure yields, or None if it yields nothing."""
    return next(procedure, None)


def scheduled(state: KhamsinState, *changes: Change) -> KhamsinState:
    """Schedule changes of one turn."""
    state.place_board(with_changes(state.board, events={changes[0].turn: changes}))
    return state


# --- views and typed orders ---


def desert(module: str = "crusader", /, **where: str) -> KhamsinState:
    """Return a state with only these formations on the map, and empty reports of both sides."""
    state = position(where, module)
    state.reports = {side: Report() for side in (AXIS, ALLIES)}
    return state


def wells(**where: str) -> KhamsinState:
    """Return the teaching module with only these formations on the map, and empty reports."""
    return desert("teaching", **where)


def typed(state: KhamsinState, text: str, side: str = AXIS, space: Space | None = None) -> Any:
    """Parse a typed order; the default space is that of the orders of a turn."""
    return read_order(Decision(side, "?", space or orders_space(state, side), "KH-3.06"), text, state.board)
