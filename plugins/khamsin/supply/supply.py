"""Supply: the areas in which a side's formations are in supply, and the formations that are cut off (KH-10)."""

from collections.abc import Collection, Iterable

from khamsin.model.cards import ENEMY, Board
from khamsin.model.forces import areas_of, occupied_by, on_map
from khamsin.model.state import KhamsinState
from sandtable import Calculation


def sources(state: KhamsinState, side: str) -> list[str]:
    """Return the supply areas of a side, sorted, with changes by events, under any control (KH-10.04)."""
    board: Board = state.board
    of_module = {area for area, sides in board.supply.items() if side in sides}
    return sorted((of_module | _named(state.supply_on, side)) - _named(state.supply_off, side))


def _named(entries: Iterable[str], side: str) -> set[str]:
    return {area for owner, _, area in (entry.partition(":") for entry in entries) if owner == side}


def open_areas(state: KhamsinState, side: str) -> set[str]:
    """Return the areas through which a side's supply lines may run: areas that it controls (KH-11.02).

    Areas with enemies that can fight are excluded, unless control alone counts (KH-R90).
    """
    mine = {area for area, owner in state.control.items() if owner == side}
    return mine if state.options["supply_trace"] == "control_only" else mine - occupied_by(state, ENEMY[side])


def supplied_areas(state: KhamsinState, side: str, stocks: dict[str, int] | None = None) -> frozenset[str]:
    """Return the areas in which a formation of a side would be in supply now.

    They are the supply areas (KH-10.02), and the areas in or next to a line of open areas that leads to a supply area.
    The formation's own area need not be open (KH-10.03, KH-R90). ``stocks`` are the turns for which areas have used
    their stocks, by default those in the state. A supply area without stocks left supplies no formation.
    """
    board: Board = state.board
    used = _stocks_of(state, side) if stocks is None else stocks
    lasting = [each for each in sources(state, side) if used.get(each, 0) <= board.stocks.get(each, used.get(each, 0))]
    ground = open_areas(state, side)
    reached = _reach(board, lasting, ground)
    touching = {near for each in reached for near in board.neighbors[each]}
    return frozenset(reached | touching | set(lasting))


def _stocks_of(state: KhamsinState, side: str) -> dict[str, int]:
    return {area: state.stocks[f"{side}:{area}"] for area in _named(state.stocks, side)}


def stocks_now(state: KhamsinState, side: str) -> dict[str, int]:
    """Return, for limited supply areas, the number of turns on their stocks, including the turn that begins now.

    Areas joined by a line of open areas to an unlimited supply area are omitted.
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
    """Return, for each formation in ``cut``, the areas that block its supply lines.

    Used-up supply areas are included. A formation is omitted if no block is known. The owner of the formations reads
    the result. It names enemies only in areas of the owner's last report, and in areas with the owner's formations.
    """
    if not cut:
        return []
    ground, report = open_areas(state, side), state.reports.get(side)
    known = {*(report.occupied if report else ()), *areas_of(state, side)}
    used_up = {each for each in sources(state, side) if each in stocks}
    steps: dict[str, tuple[tuple[str, int, str], ...]] = {}
    for area in {state.formations[each].area for each in cut}:
        inside = {area, *_reach(state.board, state.board.neighbors[area], ground)}
        around = {near for each in inside for near in state.board.neighbors[each]} - inside
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
        return "controlled by the enemy", "KH-11.02"
    return "occupied by enemies", "KH-R90"


def _reach(board: Board, begin: Iterable[str], ground: Collection[str]) -> set[str]:
    """Return the areas of ``ground`` that are connected, within ``ground``, to areas of ``begin`` in it."""
    reached = {each for each in begin if each in ground}
    waiting = sorted(reached)
    while waiting:
        for near in board.neighbors[waiting.pop()]:
            if near in ground and near not in reached:
                reached.add(near)
                waiting.append(near)
    return reached
