"""Random deals of hidden data: plots that are revealed one by one, and hidden panic rolls.

The enemy's plots are hidden by the option reveal_plots (R-KP-23), its panic by panic_roll_secret (R-KP-71).

Usually nothing is hidden between phases, because plots are written and revealed in one phase. Known data limit the
deal: a unit that has fired has not panicked, and a unit that panicked with a plotted move has a new one.
"""

from kampfpanzer.fire.indirect import falls_on
from kampfpanzer.fog.views import HIDDEN, LAZY, PANIC_IS_OPEN, SideView, UnitSeen
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import ON_MAP, Impact, KampfState, PanicRoll, Unit
from kampfpanzer.model.tables import panic_digits
from kampfpanzer.plotting.conflicts import find_conflicts
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation
from sandtable import Stream

WRITTEN = ("panic", "combat", "panic_plot", "movement")
"""The phases that begin with plots that are yet to be carried out."""
FIRE_OVER = ("panic_plot", "movement")
"""The phases that begin after all fire that panic did not prevent has been seen."""
FIRE = ("direct", "tight", "loose")


def deal(view: SideView, board: Board, stream: Stream, now: SideView | None = None) -> KampfState:
    """Return a random state that looks to ``view.side`` like ``view``.

    ``now`` is the side's view at its decision. Plots that have been revealed since are dealt unchanged.
    """
    state = KampfState(
        turn=view.turn,
        phase=view.phase,
        options=dict(view.options),
        units={unit_id: _unit(seen) for unit_id, seen in view.units.items()},
        plots=dict(view.plots),
        panic_plots=dict(view.panic_plots),
        panic={side: PanicRoll(roll.die, list(roll.digits)) for side, roll in view.panic.items()},
        impacts=[Impact(seen.firer, seen.hex, seen.pattern, list(seen.hexes)) for seen in view.impacts],
        entrenchments=dict(view.entrenchments),
        wrecks=list(view.wrecks),
        wrecks_due=list(view.wrecks_due),
        fired=list(view.fired),
        shown=list(view.shown),
        frozen=list(view.frozen),
        deployed=list(view.deployed),
        missed=list(view.missed),
    )
    state.place_board(board)
    _strike(state)
    if view.side not in board.sides:
        return state
    enemy = board.enemy_of(view.side)
    if view.options["panic_roll_secret"] == HIDDEN and view.phase not in PANIC_IS_OPEN and view.side in view.panic:
        _panic(state, board, enemy, stream)
    if view.options["reveal_plots"] == LAZY and view.phase in WRITTEN:
        _write(state, enemy, stream)
        if now is not None:
            _show(state, enemy, now)
    return state


def _unit(seen: UnitSeen) -> Unit:
    return Unit(
        seen.kind,
        seen.side,
        seen.hex,
        seen.standing,
        seen.facing,
        seen.carrier,
        seen.disruption,
        seen.pinned,
        seen.panicked,
        seen.pending,
        seen.pending_pin,
    )


def _strike(state: KampfState) -> None:
    """Record the units that each impact struck in phase C: all in its hexes, because no unit has moved since."""
    for impact in state.impacts:
        row = [(unit.hex, int(each), each) for each, unit in state.units.items() if unit.standing == ON_MAP]
        impact.struck += [each for hex_, _, each in sorted(row) if falls_on(state, each, impact, hex_)]


# --- panic (R-KP-71) ---


def _panic(state: KampfState, board: Board, side: str, stream: Stream) -> None:
    """Deal a panic roll of ``side`` that is consistent with the known actions of its units, and mark panicked units."""
    rows = [panic_digits(board.panic[side], die) for die in range(1, 7)]
    named, steady = _seen_to_panic(state, side)
    fitting = [die for die, row in enumerate(rows, start=1) if named <= {*row} and not steady & {*row}]
    die = stream.pick(fitting or range(1, 7))
    digits = rows[die - 1]
    rolls = state.panic | {side: PanicRoll(die, list(digits))}
    state.panic = {each: rolls[each] for each in board.sides if each in rolls}
    hit_since = state.phase in FIRE_OVER and stream.one_in(2)
    for unit_id, unit in state.units.items():
        if unit.side != side or unit.standing != ON_MAP or unit.hex[-1] not in digits:
            continue
        disrupted = unit.disruption > 0 and not hit_since and unit_id not in state.plots
        unit.panicked = not disrupted and not _picks_up(state, unit_id)  # KP-11.12a, KP-12.13a


def _seen_to_panic(state: KampfState, side: str) -> tuple[set[str], set[str]]:
    """Return the last digits of hexes that the roll must name, and of hexes that it cannot name.

    Before phase E, a plot to embark is revealed only if it spares its vehicle from panic.
    """
    named = [*state.panic_plots, *(each for each in state.shown if _picks_up(state, each))]
    steady = [impact.firer for impact in state.impacts]
    steady += [each for each in state.shown if parse_plot(state.plots[each]).kind in FIRE]
    return _digits(state, side, named), _digits(state, side, steady)


def _digits(state: KampfState, side: str, unit_ids: list[str]) -> set[str]:
    units = [state.units[each] for each in unit_ids]
    return {unit.hex[-1] for unit in units if unit.side == side and unit.hex}


def _picks_up(state: KampfState, unit_id: str) -> bool:
    """Return whether a vehicle has a plot to embark a unit."""
    text = state.plots.get(unit_id, "")
    return text != "" and _embarks(parse_plot(text))


def _embarks(plot: Plot) -> bool:
    """Return whether a plot is that of a vehicle that embarks a unit; such a plot names a hex (KP-5.31c)."""
    return plot.kind == "embark" and plot.hex != ""


# --- plots (R-KP-23) ---


def _write(state: KampfState, side: str, stream: Stream) -> None:
    """Deal compatible plots for the units of ``side`` whose plots have not been revealed."""
    situation = Situation(state, side)
    drawn = {each: parse_plot(text) for each, text in plot_sheet(situation).sample(stream).items()}
    plots = _boarding(situation)
    for unit_id, plot in drawn.items():
        if unit_id not in plots and unit_id not in state.shown and _may_hide(state, unit_id, plot):
            plots[unit_id] = plot
    for unit_id, _ in find_conflicts(situation, plots):
        del plots[unit_id]
    state.plots |= {unit_id: plot.text for unit_id, plot in plots.items() if unit_id not in state.plots}


def _show(state: KampfState, side: str, now: SideView) -> None:
    """Add the plots of ``side`` that ``now`` reveals, and remove those that would have been revealed but were not."""
    since = {each for each in now.shown if state.units[each].side == side and each not in state.shown}
    for unit_id, text in list(state.plots.items()):
        unit = state.units[unit_id]
        if unit.side != side or unit.panicked or unit_id in state.shown or unit_id in since:
            continue
        plot = parse_plot(text)
        if plot.kind in FIRE if state.phase == "combat" else plot.is_movement:
            del state.plots[unit_id]
    state.plots |= {each: now.plots[each] for each in now.shown if each in since}


def _boarding(situation: Situation) -> dict[str, Plot]:
    """Return the plots of vehicles that are known to embark a unit, and of these units, which must plot it too."""
    plots: dict[str, Plot] = {}
    for unit_id in situation.state.shown:
        plot = parse_plot(situation.state.plots[unit_id])
        if _embarks(plot) and situation.units[unit_id].side == situation.side and plot.hex in situation.own_at:
            plots |= {unit_id: plot, situation.own_at[plot.hex][0]: parse_plot("M")}
    return plots


def _may_hide(state: KampfState, unit_id: str, plot: Plot) -> bool:
    """Return whether a plot would still be hidden.

    All fire has been seen, except that of units that panicked. A panicked unit with a new plot is known to have had a
    move.
    """
    if state.units[unit_id].panicked:
        return not _embarks(plot) and not (plot.is_movement and state.phase == "movement")
    return plot.kind not in FIRE or state.phase not in FIRE_OVER
