"""The movement phase while it runs: who moves, who stands where, what waits to be resolved."""

from collections.abc import Iterable
from typing import NamedTuple

from kampfpanzer.model.board import Board
from kampfpanzer.model.events import PlotShown, UnitStopped
from kampfpanzer.model.state import ON_MAP, WAITING, KampfState
from kampfpanzer.movement.mover import Mover
from kampfpanzer.movement.positions import Positions
from kampfpanzer.movement.schedule import schedule
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.terrain.targets import kind_of
from kampfpanzer.terrain.terrain import ground_of
from sandtable.kernel.sequence import Procedure

STOP_RULES = {
    "zone": "KP-6.3a",
    "met": "KP-6.3b",
    "zone_to_zone": "KP-8.0e",
    "contest": "KP-6.4f",
    "contest_won": "KP-6.4f",
    "enemy": "KP-7.0c",
    "swap": "R-KP-10",
    "hit": "KP-9.65a",
    "hard": "R-KP-51",
    "exit": "R-KP-53",
    "entry": "R-KP-20",
}
"""By why a unit stops, the rule that stops it."""


class Halt(NamedTuple):
    """That a unit may not do its next step, why, and by which enemy ("" for none)."""

    mover: Mover
    why: str
    by: str = ""


class Moved(NamedTuple):
    """That a unit has come from ``before`` ("" for off the map) to where it is now."""

    mover: Mover
    before: str


class March:
    """What the procedures of phase E share. The state is changed by their events alone; this follows it.

    ``movers`` are the units that carry out a plot of movement, by id and in the order of their numbers; ``heading`` are
    those that are to overrun a hex, by hex. ``attacks`` are those of them that have entered it and wait for the attack
    to be resolved (R-KP-52). ``barred`` could not leave it in this tick (R-KP-53), ``won`` won a contest in it.
    ``kept_off`` are the units that could not enter the map. ``start`` are the positions as the phase began.
    """

    def __init__(self, state: KampfState) -> None:
        self.state = state
        self.board: Board = state.board
        self.ground = ground_of(state)
        self.positions = Positions(state)
        self.start = self.positions if state.options["zoc_to_zoc"] == "evaluate_tick" else Positions(state)
        self.is_lazy = state.options["reveal_plots"] == "lazy"
        self.tick = 0
        self.plots = {unit_id: parse_plot(text) for unit_id, text in state.plots.items() if text}
        self.movers = self._muster()
        self.heading: dict[str, list[Mover]] = {}
        self.attacks: dict[str, list[Mover]] = {}
        self.barred: list[Halt] = []
        self.won: list[Halt] = []
        self.kept_off: list[str] = []
        for mover in self.movers.values():
            if mover.target:
                self.heading.setdefault(mover.target, []).append(mover)

    def _muster(self) -> dict[str, Mover]:
        """Return the units that move: not pinned, not disrupted, panicked ones by their new plots (KP-6.0a, KP-11.21a).

        Units that an overrun plot holds in place are still among them (KP-9.67a).
        """
        state, found = self.state, {}
        for unit_id in sorted(self.plots, key=int):
            unit, plot = state.units[unit_id], self.plots[unit_id]
            if not plot.is_movement or unit.disruption or unit.pinned or unit.carrier:
                continue
            if unit.panicked:
                text = state.panic_plots.get(unit_id, "")
                if not text:
                    continue
                plot = parse_plot(text)
            mover = self.mover_of(unit_id, plot)
            if mover is not None:
                found[unit_id] = mover
        return found

    def mover_of(self, unit_id: str, plot: Plot) -> Mover | None:
        """Return a unit as it would carry out a plot of movement, None if it is not there to do so."""
        unit = self.state.units[unit_id]
        is_entering = unit.standing == WAITING and plot.entry != "" and unit_id not in self.state.missed
        if unit.standing != ON_MAP and not is_entering:
            return None
        kind = kind_of(self.state, unit_id)
        steps = schedule(self.ground, kind.mobility, unit.hex, plot, self.state.options)
        if not steps:
            return None
        if is_entering:
            self.positions.expect(unit_id)
        mover = Mover(unit_id, unit.side, unit.hex, steps)
        mover.panicked, mover.allowance = unit.panicked, kind.movement
        return mover

    def stop(self, mover: Mover, why: str, by: str = "") -> Procedure:
        """End a unit's move where it is; one that could not enter the map stays off it."""
        mover.stopped = True
        if not mover.hex:
            self.kept_off.append(mover.unit_id)
        if self.is_lazy:
            yield from self.show(mover.unit_id)
        yield UnitStopped(self.tick, mover.unit_id, mover.hex or mover.entry, why, by, STOP_RULES[why])

    def note_losses(self, unit_ids: Iterable[str]) -> None:
        """Forget those of these units that the state does not have on the map any more."""
        for unit_id in unit_ids:
            if self.state.units[unit_id].standing != ON_MAP:
                self.positions.remove(unit_id)
                if unit_id in self.movers:
                    self.movers[unit_id].stopped = True

    def show(self, unit_id: str) -> Procedure:
        """Bring a unit's plot to light where plots are shown one by one (R-KP-23)."""
        state = self.state
        if self.is_lazy and unit_id in state.plots and unit_id not in (*state.shown, *state.panic_plots):
            yield PlotShown(unit_id, state.plots[unit_id])
