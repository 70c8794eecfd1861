"""Phase B: each side finds out which of its units panic (KP-11.1)."""

from kampfpanzer.fire.reveal import show_plots
from kampfpanzer.model.board import Board
from kampfpanzer.model.events import PanicRolled
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.model.tables import panic_digits
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.terrain.targets import by_number
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure

HIDDEN = "hidden"
"""The value of the option panic_roll_secret by which each side rolls for itself (R-KP-71)."""


def panic(state: KampfState) -> Procedure:
    """Roll once for each side (KP-11.11b); hidden rolls are the side's own affair (R-KP-71)."""
    board: Board = state.board
    hidden = state.options["panic_roll_secret"] == HIDDEN
    for side in board.sides:
        (die,) = yield Roll(1, 6, f"panic:{side}", "KP-11.11b", side=side if hidden else "")
        level = board.panic[side]
        digits = panic_digits(level, die)
        named = by_number(unit_id for unit_id in state.units if _is_named(state, unit_id, side, digits))
        spared = [unit_id for unit_id in named if _picks_up(state.plots.get(unit_id, ""))]  # KP-12.13a
        yield from show_plots(state, spared)
        yield PanicRolled(side, level, die, list(digits), [unit_id for unit_id in named if unit_id not in spared])


def _is_named(state: KampfState, unit_id: str, side: str, digits: tuple[str, ...]) -> bool:
    """Tell whether a unit stands on a digit named and may panic at all; passengers do with their vehicle (R-KP-67).

    Not those that are disrupted (KP-11.12a), or off the map still, about to enter it (KP-14.0e).
    """
    unit = state.units[unit_id]
    return unit.side == side and unit.standing == ON_MAP and unit.hex[-1] in digits and not unit.disruption


def _picks_up(text: str) -> bool:
    """Tell whether a plot is that of a vehicle about to embark a unit: the hex is in it (KP-5.31c)."""
    plot = parse_plot(text) if text else None
    return plot is not None and plot.kind == "embark" and plot.hex != ""
