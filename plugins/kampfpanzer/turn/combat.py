"""Phase C: direct fire of both sides, and high explosive fire at current positions (KP-4.1c, KP-9.11a, KP-9.32b).

All impacts are placed and all fire is grouped before any die is rolled (R-KP-25). The side that sets up first then
rolls, then the other side (R-KP-90). Each side rolls for high explosive fire by hex and firer, on units by hex and
number, then for direct fire by hex and firer. Results take effect at the end of the phase (KP-5.0e).
"""

from kampfpanzer.fire.damage import apply_results, show_plots
from kampfpanzer.fire.direct import Attack, Volley, form_groups, resolve
from kampfpanzer.fire.indirect import LOOSE, TIGHT, falls_on, shell
from kampfpanzer.model.board import Board
from kampfpanzer.model.events import ImpactPlaced
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.terrain.terrain import ground_of
from kampfpanzer.terrain.zones import by_number, targets_in
from sandtable import Procedure

DIRECT = "direct"
PATTERNS = {"tight": TIGHT, "loose": LOOSE}


def combat(state: KampfState) -> Procedure:
    """Carry out all direct and high explosive fire; results take effect at the end (KP-9.81a)."""
    board: Board = state.board
    firing = _firing(state)
    yield from show_plots(state, firing)
    for side in board.sides:
        yield from _place_impacts(state, side, firing)
    attacks: dict[str, list[Attack]] = {side: [] for side in board.sides}
    for side in board.sides:
        for volley in _volleys(state, side, firing):
            attacks[side] += yield from form_groups(state, volley)
    for side in board.sides:
        yield from _shell_standing(state, side)
        for attack in attacks[side]:
            yield from resolve(state, attack, opportunity=False)
    yield from apply_results(state, pins=True, rule="KP-9.81a")


def _firing(state: KampfState) -> dict[str, Plot]:
    """Return the fire plots to carry out, by identity number; panicked units do nothing (KP-11.0c)."""
    units = state.units
    able = [each for each in state.plots if units[each].standing == ON_MAP and not units[each].panicked]
    plots = {each: parse_plot(state.plots[each]) for each in by_number(able)}
    return {each: plot for each, plot in plots.items() if plot.kind == DIRECT or plot.kind in PATTERNS}


def _place_impacts(state: KampfState, side: str, firing: dict[str, Plot]) -> Procedure:
    """Place a side's impact markers by hex and firer; they remain until phase E ends (KP-9.32d)."""
    placed = [
        (plot.hex, int(each), each)
        for each, plot in firing.items()
        if plot.kind != DIRECT and _is_of(state, each, side)
    ]
    for hex_, _, unit_id in sorted(placed):
        pattern = PATTERNS[firing[unit_id].kind]
        around = [each for each in ground_of(state).around(hex_) if each] if pattern == LOOSE else []
        yield ImpactPlaced(unit_id, hex_, pattern, sorted([hex_, *around]))


def _volleys(state: KampfState, side: str, firing: dict[str, Plot]) -> list[Volley]:
    """Return a side's direct fire by hex; a plot that names no unit targets all enemies there (KP-5.21e).

    Fire at a hex without an enemy is wasted (R-KP-26).
    """
    enemy = state.board.enemy_of(side)
    aims: dict[str, dict[str, tuple[str, ...]]] = {}
    for unit_id, plot in firing.items():
        if plot.kind == DIRECT and _is_of(state, unit_id, side):
            there = targets_in(state, plot.hex, enemy)
            targets = tuple(each for each in there if plot.target in ("", each))
            if targets:
                aims.setdefault(plot.hex, {})[unit_id] = targets
    return [Volley(hex_, aims[hex_]) for hex_ in sorted(aims)]


def _shell_standing(state: KampfState, side: str) -> Procedure:
    """Attack every unit in a hex that is affected by an impact of ``side`` (KP-9.32b)."""
    standing = sorted((unit.hex, int(each), each) for each, unit in state.units.items() if unit.standing == ON_MAP)
    for impact in list(state.impacts):
        if _is_of(state, impact.firer, side):
            for hex_, _, unit_id in standing:
                if falls_on(state, unit_id, impact, hex_):
                    yield from shell(state, unit_id, impact, hex_)


def _is_of(state: KampfState, unit_id: str, side: str) -> bool:
    return state.units[unit_id].side == side
