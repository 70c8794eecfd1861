"""Dealing again what a side does not know: plots that are shown one by one, and panic rolls that are hidden.

The enemy's plots by the option reveal_plots (R-KP-23), his panic by panic_roll_secret (R-KP-71).

Usually nothing is hidden at a boundary: plots are written and opened in one phase. What is known keeps the deal within
bounds: who has fired was not panicked, who was and had a move to make has got another.
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
"""The phases that begin with plots that are still to be carried out."""
FIRE_OVER = ("panic_plot", "movement")
"""The phases that begin when all fire that was not spoilt by panic has been seen."""
FIRE = ("direct", "tight", "loose")


def deal(view: SideView, board: Board, stream: Stream, now: SideView | None = None) -> KampfState:
    """Return a state that looks to ``view.side`` like this; the kernel puts in turn and phase.

    ``now`` is what the side sees at its question: plots that have been shown since are dealt as they are.
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
    """Note whom each impact has struck in phase C: all who stand where it falls; nobody has moved since."""
    for impact in state.impacts:
        row = [(unit.hex, int(each), each) for each, unit in state.units.items() if unit.standing == ON_MAP]
        impact.struck += [each for hex_, _, each in sorted(row) if falls_on(state, each, impact, hex_)]


# --- panic (R-KP-71) ---


def _panic(state: KampfState, board: Board, side: str, stream: Stream) -> None:
    """Deal a panic roll of ``side`` that goes with what its units have been seen to do, and who panics by it."""
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
    """Return the last digits of hexes that the roll names, and of hexes that it does not, by what has been seen.

    Before phase E a plot to embark is shown only where it spares its vehicle from panic.
    """
    named = [*state.panic_plots, *(each for each in state.shown if _picks_up(state, each))]
    steady = [impact.firer for impact in state.impacts]
    steady += [each for each in state.shown if parse_plot(state.plots[each]).kind in FIRE]
    return _digits(state, side, named), _digits(state, side, steady)


def _digits(state: KampfState, side: str, unit_ids: list[str]) -> set[str]:
    units = [state.units[each] for each in unit_ids]
    return {unit.hex[-1] for unit in units if unit.side == side and unit.hex}


def _picks_up(state: KampfState, unit_id: str) -> bool:
    """Tell whether a vehicle is plotted to embark a unit."""
    text = state.plots.get(unit_id, "")
    return text != "" and _embarks(parse_plot(text))


def _embarks(plot: Plot) -> bool:
    """Tell whether a plot is that of a vehicle which embarks a unit: the hex is in it (KP-5.31c)."""
    return plot.kind == "embark" and plot.hex != ""


# --- plots (R-KP-23) ---


def _write(state: KampfState, side: str, stream: Stream) -> None:
    """Deal plots for the units of ``side`` whose plots have not been shown, such as go together."""
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
    """Take the plots of ``side`` that are shown by ``now``, and none that would have been shown and was not."""
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
    """Return the plots of vehicles that are known to embark a unit, and of those units, which must plot it too."""
    plots: dict[str, Plot] = {}
    for unit_id in situation.state.shown:
        plot = parse_plot(situation.state.plots[unit_id])
        if _embarks(plot) and situation.units[unit_id].side == situation.side and plot.hex in situation.own_at:
            plots |= {unit_id: plot, situation.own_at[plot.hex][0]: parse_plot("M")}
    return plots


def _may_hide(state: KampfState, unit_id: str, plot: Plot) -> bool:
    """Tell whether a plot would still be hidden.

    Fire has been seen, but for that of units that panicked; what they get in place of a move shows that they had one.
    """
    if state.units[unit_id].panicked:
        return not _embarks(plot) and not (plot.is_movement and state.phase == "movement")
    return plot.kind not in FIRE or state.phase not in FIRE_OVER
