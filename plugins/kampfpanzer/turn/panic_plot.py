"""Phase D: units that panic get another movement plot in place of their own (KP-11.2)."""

from kampfpanzer.fire.reveal import show_plots
from kampfpanzer.model.board import INFANTRY, Board
from kampfpanzer.model.events import PanicPlotted
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.terrain.targets import by_number, kind_of
from kampfpanzer.terrain.terrain import ground_of
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure

HALVES = 2
"""Half points in a movement point (R-KP-17)."""


def panic_plot(state: KampfState) -> Procedure:
    """Plot a random move for every panicked unit that had movement plotted, by identity number (KP-11.21a)."""
    running = by_number(unit_id for unit_id in state.units if _runs(state, unit_id))
    yield from show_plots(state, running)
    for unit_id in running:
        yield from _plot_panic(state, unit_id)


def _runs(state: KampfState, unit_id: str) -> bool:
    """Tell whether a unit gets a panicked plot: not if it was hit since, and not where it may not move at all.

    KP-11.12b, KP-14.7.2, R-KP-78; a passenger has no movement plot of its own (KP-12.2b).
    """
    unit = state.units[unit_id]
    if not unit.panicked or unit.standing != ON_MAP or unit.disruption or unit.pinned:
        return False
    text = state.plots.get(unit_id, "")
    board: Board = state.board
    return text != "" and parse_plot(text).is_movement and board.no_move.get(unit.side) != state.turn


def _plot_panic(state: KampfState, unit_id: str) -> Procedure:
    """Roll direction and, but for infantry on foot, points; yield the plot (KP-11.22).

    Infantry always goes one hex (KP-11.22b); others as far as full costs allow (R-KP-69); nobody off the map
    (KP-11.22d). A plot of no hex at all is "".
    """
    board: Board = state.board
    kind = kind_of(state, unit_id)
    (face,) = yield Roll(1, 6, f"scatter:{unit_id}", "KP-11.22a")
    letter = board.scatter[face]
    if kind.category == INFANTRY:
        points, hexes = 1, 1 if ground_of(state).neighbour(state.units[unit_id].hex, letter) else 0
    else:
        (die,) = yield Roll(1, 6, f"points:{unit_id}", "KP-11.22c")
        points = min(die, kind.movement)
        hexes = _hexes_reached(state, unit_id, letter, points)
    yield PanicPlotted(unit_id, letter, points, f"{letter}{hexes}" if hexes else "")


def _hexes_reached(state: KampfState, unit_id: str, letter: str, points: int) -> int:
    """Count the hexes in one direction that so many points pay for, up to the edge of the map."""
    ground, mobility = ground_of(state), kind_of(state, unit_id).mobility
    left, here, hexes = points * HALVES, state.units[unit_id].hex, 0
    while there := ground.neighbour(here, letter):
        left -= ground.step_halves(mobility, here, there)
        if left < 0:
            break
        here, hexes = there, hexes + 1
    return hexes
