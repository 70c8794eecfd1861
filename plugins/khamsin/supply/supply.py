"""Supply: where a side's formations are in supply, and who of them is cut off (KH-10)."""

from collections.abc import Collection, Iterable

from khamsin.model.cards import ENEMY, Board
from khamsin.model.forces import areas_of, occupied_by, on_map
from khamsin.model.state import KhamsinState
from sandtable import Calculation


def sources(state: KhamsinState, side: str) -> list[str]:
    """Return the supply areas of a side as events have left them, whoever controls them now (KH-10.04), sorted."""
    board: Board = state.board
    of_module = {area for area, sides in board.supply.items() if side in sides}
    return sorted((of_module | _named(state.supply_on, side)) - _named(state.supply_off, side))


def _named(entries: Iterable[str], side: str) -> set[str]:
    return {area for owner, _, area in (entry.partition(":") for entry in entries) if owner == side}


def open_areas(state: KhamsinState, side: str) -> set[str]:
    """Return the areas through which a side's supply may run (KH-11.02): those that it controls.

    Without enemies who could fight in them, unless control alone counts (KH-R90).
    """
    mine = {area for area, owner in state.control.items() if owner == side}
    return mine if state.options["supply_trace"] == "control_only" else mine - occupied_by(state, ENEMY[side])


def supplied_areas(state: KhamsinState, side: str, stocks: dict[str, int] | None = None) -> frozenset[str]:
    """Return the areas in which a formation of a side would be in supply now.

    It is in a supply area (KH-10.02), or next to where a line of open areas leads to one; its own area need not be open
    (KH-10.03, KH-R90). ``stocks`` are turns already lived on, by area (None: as the state has them); a supply area that
    has no stocks left supplies nobody.
    """
    board: Board = state.board
    used = _stocks_of(state, side) if stocks is None else stocks
    lasting = [each for each in sources(state, side) if used.get(each, 0) <= board.stocks.get(each, used.get(each, 0))]
    ground = open_areas(state, side)
    reached = _reach(board, lasting, ground)
    touching = {near for each in reached for near in board.neighbours[each]}
    return frozenset(reached | touching | set(lasting))


def _stocks_of(state: KhamsinState, side: str) -> dict[str, int]:
    return {area: state.stocks[f"{side}:{area}"] for area in _named(state.stocks, side)}


def stocks_now(state: KhamsinState, side: str) -> dict[str, int]:
    """Return, by supply area with limited stocks, the turns on them including the one that begins now.

    Those are left out that a line of open areas joins to a supply area without such a limit.
    """
    board: Board = state.board
    mine = sources(state, side)
    limited = [each for each in mine if each in board.stocks]
    joined = _reach(board, [each for each in mine if each not in board.stocks], open_areas(state, side))
    before = _stocks_of(state, side)
    return {each: before.get(each, 0) + 1 for each in limited if each not in joined}


def cut_off(state: KhamsinState, side: str, stocks: dict[str, int]) -> list[str]:
    """Return the formations of a side on the map that are out of supply (KH-10.01), sorted."""
    supplied = supplied_areas(state, side, stocks)
    return [each for each in on_map(state, side) if state.formations[each].area not in supplied]


def barriers(state: KhamsinState, side: str, cut: list[str], stocks: dict[str, int]) -> list[Calculation]:
    """Return what bars every supply line of each formation in ``cut``, area by area; nothing where nothing is known.

    Their owner reads it: enemies are named only where his last report has them, or his own formations stand.
    """
    if not cut:
        return []
    ground, report = open_areas(state, side), state.reports.get(side)
    known = {*(report.occupied if report else ()), *areas_of(state, side)}
    used_up = {each for each in sources(state, side) if each in stocks}
    steps: dict[str, tuple[tuple[str, int, str], ...]] = {}
    for area in {state.formations[each].area for each in cut}:
        inside = {area, *_reach(state.board, state.board.neighbours[area], ground)}
        around = {near for each in inside for near in state.board.neighbours[each]} - inside
        bars = [
            (each, *_barrier(state, side, each))
            for each in sorted(around)
            if state.control[each] != side or each in known
        ]
        bars += [(each, "its stocks are used up", "KH-10.04") for each in sorted(used_up & inside)]
        steps[area] = tuple((f"{each}: {why}", 1, rule) for each, why, rule in bars)
    found = [Calculation(f"bars.{each}", steps[state.formations[each].area]) for each in cut]
    return [each for each in found if each.steps]


def _barrier(state: KhamsinState, side: str, area: str) -> tuple[str, str]:
    if state.control[area] != side:
        return "the enemy's", "KH-11.02"
    return "enemies are there", "KH-R90"


def _reach(board: Board, begin: Iterable[str], ground: Collection[str]) -> set[str]:
    """Return the areas of ``ground`` that a line over it joins to those of ``begin`` that are in it."""
    reached = {each for each in begin if each in ground}
    waiting = sorted(reached)
    while waiting:
        for near in board.neighbours[waiting.pop()]:
            if near in ground and near not in reached:
                reached.add(near)
                waiting.append(near)
    return reached
