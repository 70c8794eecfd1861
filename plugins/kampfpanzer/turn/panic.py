"""Phase B, which units panic (KP-11.11a), and phase D, the movement plots that panic gives them (KP-11.21a)."""

from kampfpanzer.fire.damage import show_plots
from kampfpanzer.model.board import Board
from kampfpanzer.model.events import PanicPlotted, PanicRolled
from kampfpanzer.model.forces import INFANTRY
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.model.tables import panic_digits
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.terrain.terrain import Toll, ground_of
from kampfpanzer.terrain.zones import by_number, kind_of
from sandtable import Calculation, Procedure, Roll

HIDDEN = "hidden"
"""The value of the option panic_roll_secret that hides each side's roll from the other (R-KP-71)."""


def panic(state: KampfState) -> Procedure:
    """Roll once for each side (KP-11.11b); a hidden roll is shown to its own side only (R-KP-71)."""
    board: Board = state.board
    hidden = state.options["panic_roll_secret"] == HIDDEN
    for side in board.sides:
        (die,) = yield Roll(1, 6, f"panic:{side}", "KP-11.11b", side=side if hidden else "")
        level = board.panic[side]
        digits = panic_digits(level, die)
        named = by_number(unit_id for unit_id in state.units if _is_named(state, unit_id, side, digits))
        spared = [unit_id for unit_id in named if _picks_up(state.plots.get(unit_id, ""))]  # KP-12.13a
        yield from show_plots(state, spared)
        panicked = [unit_id for unit_id in named if unit_id not in spared]
        calculations = (Calculation("digits", (), ("KP-11.3a", str(die), str(level))),)
        yield PanicRolled(side, level, die, list(digits), panicked, calculations=calculations)


def _is_named(state: KampfState, unit_id: str, side: str, digits: tuple[str, ...]) -> bool:
    """Return whether a unit is in a hex with a named digit and may panic; passengers follow their vehicle (R-KP-67).

    Disrupted units (KP-11.12a) and units that have not entered the map yet (KP-14.0e) do not panic.
    """
    unit = state.units[unit_id]
    return unit.side == side and unit.standing == ON_MAP and unit.hex[-1] in digits and not unit.disruption


def _picks_up(text: str) -> bool:
    """Return whether a plot is that of a vehicle that picks up a unit; such a plot names a hex (KP-5.31c)."""
    plot = parse_plot(text) if text else None
    return plot is not None and plot.kind == "embark" and plot.hex != ""


HALVES = 2
"""Half points per movement point (R-KP-17)."""


def panic_plot(state: KampfState) -> Procedure:
    """Plot a random move for each panicked unit that had a movement plot, by identity number (KP-11.21a)."""
    running = by_number(unit_id for unit_id in state.units if _runs(state, unit_id))
    yield from show_plots(state, running)
    for unit_id in running:
        yield from _plot_panic(state, unit_id)


def _runs(state: KampfState, unit_id: str) -> bool:
    """Return whether a unit gets a panic plot: it panicked, was not hit, and had a movement plot (KP-11.12b).

    Its side must be allowed to move (KP-14.7.2, R-KP-78). A passenger has no movement plot (KP-12.2b).
    """
    unit = state.units[unit_id]
    if not unit.panicked or unit.standing != ON_MAP or unit.disruption or unit.pinned:
        return False
    text = state.plots.get(unit_id, "")
    board: Board = state.board
    return text != "" and parse_plot(text).is_movement and board.no_move.get(unit.side) != state.turn


def _plot_panic(state: KampfState, unit_id: str) -> Procedure:
    """Roll the direction and, except for infantry on foot, the points; yield the plot (KP-11.22a).

    Infantry always moves one hex (KP-11.22b); other units move as far as full costs allow (R-KP-69). No unit leaves the
    map (KP-11.22d). The plot is "" if it takes no step.
    """
    board: Board = state.board
    kind = kind_of(state, unit_id)
    (face,) = yield Roll(1, 6, f"scatter:{unit_id}", "KP-11.22a", units=(unit_id,))
    letter = board.scatter[face]
    calculations = [Calculation("direction", (), ("KP-11.22a", str(face), letter))]
    if kind.category == INFANTRY:
        points, hexes = 1, 1 if ground_of(state).neighbor(state.units[unit_id].hex, letter) else 0
        calculations.append(Calculation("points", (("infantry on foot", points, "KP-11.22b"),)))
    else:
        (die,) = yield Roll(1, 6, f"points:{unit_id}", "KP-11.22c", units=(unit_id,))
        points = min(die, kind.movement)
        capped = (("movement allowance", points - die, "KP-3.24d"),) if points < die else ()
        tolls = _tolls(state, unit_id, letter, points)
        calculations.append(Calculation("points", (("die", die, "KP-11.22c"), *capped)))
        calculations.append(Calculation("spent", tuple(tolls)))
        hexes = len(tolls)
    yield PanicPlotted(unit_id, letter, points, f"{letter}{hexes}" if hexes else "", calculations=tuple(calculations))


def _tolls(state: KampfState, unit_id: str, letter: str, points: int) -> list[Toll]:
    """Return the costs of the hexes in one direction that ``points`` pay for, up to the edge of the map."""
    ground, mobility = ground_of(state), kind_of(state, unit_id).mobility
    left, here, tolls = points * HALVES, state.units[unit_id].hex, list[Toll]()
    while there := ground.neighbor(here, letter):
        toll = ground.toll(mobility, here, there)
        left -= toll[1]
        if left < 0:
            break
        here = there
        tolls.append(toll)
    return tolls
