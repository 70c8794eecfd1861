"""The orders sheet of a side for a turn (KH-3.06)."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from khamsin.model.cards import Board
from khamsin.model.forces import allowance, card, crossing, mobility, why_no_orders
from khamsin.model.notation import NOTHING, key_of
from khamsin.model.orders import WriteOrders
from khamsin.model.state import ON_MAP, WAITING, KhamsinState
from khamsin.movement.paths import PricedPath, formation_path, leader_path, path_typed
from sandtable import Form, Range, Refusal, Sheet, SomeOf, Space, Words

LONGEST_PLAN = 2_000
"""Maximum number of characters of a general plan."""

COMMANDER_IN_CHIEF = ""
"""Value of ``commander`` that selects all the orders of a side."""


def orders_space(state: KhamsinState, side: str, commander: str = COMMANDER_IN_CHIEF, *, first: bool = True) -> Form:
    """Return the space of a side's orders, or of the orders of one ``commander`` (KH-3.06, KH-3.07).

    Leaders, interdiction and the general plan belong to the ``first`` sheet, which the commander in chief writes.
    """
    moves = _moves(state, side, commander)
    leaders = [each for each, it in sorted(state.leaders.items()) if it.side == side and it.standing == ON_MAP]
    leader_lines = {each: leader_path(state, each) for each in leaders if first}
    leader_sheet = Sheet(
        leader_lines,
        rule="KH-8.15",
        stranger=_unknown_leader,
        key_of=key_of({each: state.board.leaders[each].title for each in leader_lines}),
        read=_reader(state, leader_lines),
    )

    def detach(ordered: dict[str, list[str]], *_: Any) -> Sheet:
        return _detachments(state, side, ordered)

    fields: dict[str, Space | Callable[..., Space]] = {
        "moves": moves,
        "leaders": leader_sheet,
        "interdict": SomeOf(state.board.areas, 0, interdictions(state, side) if first else 0, "KH-7.06"),
        "detach": detach,
        "plan": Words(LONGEST_PLAN if first else 0, "KH-3.05"),
    }
    return Form(WriteOrders, fields)


def movers(state: KhamsinState, side: str, commander: str = COMMANDER_IN_CHIEF) -> list[str]:
    """Return the formations of a side that can receive orders, sorted; with ``commander`` only those of this commander.

    They are the formations on the map and delayed reinforcements (KH-4.07).
    """
    able = [
        each
        for each, it in state.formations.items()
        if it.side == side and (it.standing == ON_MAP or (it.standing == WAITING and may_assault(state, each)))
    ]
    return sorted(each for each in able if not commander or commander == _commander(state, side, each))


def _commander(state: KhamsinState, side: str, formation_id: str) -> str:
    """Return the commander of a formation: the one on its card, or the commander in chief."""
    board: Board = state.board
    return card(state, formation_id).commander or next(iter(board.commanders.get(side, ())), "")


def may_assault(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a reinforcement has waited for a turn and may enter by force (KH-4.06, KH-4.07)."""
    its_card = card(state, formation_id)
    waits = state.formations[formation_id].delayed and its_card.enters < state.turn
    return waits and bool(its_card.entries)


def interdictions(state: KhamsinState, side: str) -> int:
    """Return the number of areas that a side may interdict this turn (KH-7.06)."""
    board: Board = state.board
    weather = board.weather.cards.get(state.weather)
    if side not in board.air or (weather is not None and not weather.interdiction):
        return 0
    return board.air[side].interdictions


def _moves(state: KhamsinState, side: str, commander: str) -> Sheet:
    lines = {each: formation_path(state, each) for each in movers(state, side, commander)}
    board: Board = state.board

    def together(sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
        return _why_not_together(state, side, sheet) if board.apart else ()

    titles = {each: card(state, each).title for each in lines}
    return Sheet(
        lines,
        together,
        stranger=lambda key: why_no_orders(state, side, key),
        rule="KH-3.06",
        titles={each: f"{title}, {_where(state, each)}" for each, title in titles.items()},
        key_of=key_of(titles),
        read=_reader(state, lines, leaves_out=True),
        echo=lambda key, sheet: _echo(state, key, sheet[key]),
    )


def _where(state: KhamsinState, formation_id: str) -> str:
    formation, names = state.formations[formation_id], state.board.names
    return f"at {names.get(formation.area, formation.area)}" if formation.standing == ON_MAP else "delayed"


def _echo(state: KhamsinState, formation_id: str, path: list[str]) -> str:
    """Return where a path ends, its cost, and whether it leads to reported enemies (KH-8.10, KH-9.01).

    Returns "" for a path without a step, and for a formation that is not on the map.
    """
    formation, board = state.formations[formation_id], state.board
    if len(path) < 2 or formation.standing != ON_MAP:
        return ""
    moves = mobility(state, formation_id)
    cost = sum(crossing(state, moves, here, there) for here, there in pairwise(path))
    points = allowance(state, formation_id)
    text = f"ends in {board.names[path[-1]]}, {cost} of {points} points"
    text += " (one connector can always be crossed)" if cost > points else ""
    report = state.reports.get(formation.side)
    if report is not None and path[1] in report.occupied:
        needs = card(state, formation_id).activation
        text += f"; enemies reported in {board.names[path[1]]}: activated on {needs} or more"
        text += ", and stops there" if len(path) > 2 else ""
    return text


def _reader(
    state: KhamsinState, lines: Mapping[str, PricedPath], *, leaves_out: bool = False
) -> Callable[[str, str], list[str] | None]:
    """Return a function that parses a typed path. The first area of the path may be omitted.

    With ``leaves_out`` a formation that holds has no line, because a path of only its own area is an assault (KH-R25).
    """
    names: dict[str, str] = state.board.names

    def read(key: str, text: str) -> list[str] | None:
        if leaves_out and text.strip().lower() in NOTHING:
            return None
        return path_typed(text, lines[key], names, "KH-3.06")

    return read


def _unknown_leader(_: str) -> Refusal:
    return Refusal("KH-8.15", "no leader of this side on the map has this name")


def _why_not_together(state: KhamsinState, side: str, sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
    """Refuse moves that end in the same area as a nation that may not share it (KH-7.03)."""
    board: Board = state.board
    ends = {each: sheet.get(each, [state.formations[each].area])[-1] for each in movers(state, side)}
    by_area: dict[str, list[str]] = {}
    for each in sorted(ends, key=lambda one: (one in sheet and len(sheet[one]) > 1, one)):  # holding formations first
        if not ends[each]:
            continue
        there = by_area.setdefault(ends[each], [])
        if each in sheet and len(sheet[each]) > 1:
            clash = next((one for one in there if are_apart(state, each, one)), None)
            if clash is not None:
                titles = f"{card(state, each).title} may not share {board.names[ends[each]]} with"
                yield each, Refusal("KH-7.03", f"{titles} {card(state, clash).title}: send one of them elsewhere")
                continue
        there.append(each)


def are_apart(state: KhamsinState, one: str, other: str) -> bool:
    """Return whether the nations of two formations may not share an area (KH-7.03)."""
    board: Board = state.board
    pair = card(state, one).nation, card(state, other).nation
    return pair in board.apart or pair[::-1] in board.apart


# --- fortresses (KH-7.02, KH-R117) ---


def _detachments(state: KhamsinState, side: str, ordered: dict[str, list[str]]) -> Sheet:
    """Return the sheet for the strength that formations leave behind in their fortress."""
    board: Board = state.board
    lines: dict[str, Space] = {}
    for each in movers(state, side):
        formation = state.formations[each]
        leaves = len(ordered.get(each, ())) > 1
        at_home = board.fortress.get(formation.area) == side
        if leaves and at_home and not formation.parent and formation.strength > 1:
            lines[each] = Range(1, formation.strength - 1, "KH-R117")
    return Sheet(lines, stranger=lambda _: _NO_PART, rule="KH-R117", blanks=2)


_NO_PART = Refusal(
    "KH-7.02", "only a formation of strength 2 or more that is ordered out of its fortress leaves a part behind"
)


def piece_name(state: KhamsinState, formation_id: str) -> str:
    """Return the id for a new part of a formation."""
    number = 2
    while f"{formation_id}_{number}" in state.formations or f"{formation_id}_{number}" in state.board.formations:
        number += 1
    return f"{formation_id}_{number}"
