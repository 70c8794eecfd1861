"""The running movement phase: moving units, and the half point at which each step is due (R-KP-06)."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from kampfpanzer.model.board import Board
from kampfpanzer.model.events import PlotShown, UnitStopped
from kampfpanzer.model.state import ON_MAP, WAITING, KampfState
from kampfpanzer.model.tables import FOOT, LETTERS, OVERRUN_HALVES
from kampfpanzer.movement.positions import Positions
from kampfpanzer.plotting.notation import STOP, Plot, parse_plot
from kampfpanzer.terrain.terrain import Ground, ground_of
from kampfpanzer.terrain.zones import kind_of
from sandtable import Procedure

ENTER, OVERRUN, LEAVE, EXIT = "enter", "overrun", "leave", "exit"
"""Kinds of step: into a hex, into a hex to be overrun, out of that hex, off the map."""

HALVES_A_STEP = 2
"""Half points per hex, or per point of a halt, on the clock ``hex_steps``: a whole point."""


class Step(NamedTuple):
    """A step into ``hex`` ("" for off the map), due at ``tick``.

    ``spent`` is the number of half points that the unit has spent by then, including ``waited`` whole points in halts.
    """

    tick: int
    hex: str
    kind: str
    spent: int
    waited: int


Clock = Callable[[int, int, int], int]

CLOCKS: dict[str, Clock] = {
    "mp_ticks": lambda spent, _hexes, _waited: spent,
    "hex_steps": lambda _spent, hexes, waited: HALVES_A_STEP * (hexes + waited),
}
"""By value of the option, the tick of a step, from half points spent, hexes entered and points in halts (R-KP-06)."""

BEFORE_TARGET = {"in_target_hex": 0, "before_entry": OVERRUN_HALVES}
"""By value of the option, the half points of an overrun that are spent before the target is entered (R-KP-91)."""


def schedule(ground: Ground, mobility: str, start: str, plot: Plot, options: Mapping[str, str]) -> list[Step]:
    """Return the steps of a movement plot for a unit in ``start`` ("" for off the map).

    The plot is carried out as written; its cost was checked when it was written.
    """
    clock = CLOCKS[options["movement_clock"]]
    steps: list[Step] = []
    here, spent, waited = start, 0, 0
    if plot.entry:
        here = plot.entry
        spent = ground.entry_halves(mobility, here)
        steps.append(Step(clock(spent, 1, 0), here, ENTER, spent, 0))
    six_steps = ground.six_steps
    for letter, count in plot.legs:
        if letter == STOP:
            spent += 2 * count
            waited += count
            continue
        towards = LETTERS.index(letter)
        for _ in range(count):
            beyond, cost = six_steps(mobility, here)[towards]
            spent += cost if beyond else ground.exit_halves(mobility)
            tick = clock(spent, len(steps) + 1, waited)
            steps.append(Step(tick, beyond, ENTER if beyond else EXIT, spent, waited))
            if not beyond:
                return steps
            here = beyond
    if plot.overrun:
        towards = LETTERS.index(plot.overrun)
        first = BEFORE_TARGET[options["overrun_points_timing"]]
        for kind, extra in ((OVERRUN, first), (LEAVE, OVERRUN_HALVES - first)):
            beyond, cost = six_steps(mobility, here)[towards]
            spent += cost + extra
            steps.append(Step(clock(spent, len(steps) + 1, waited), beyond, kind, spent, waited))
            here = beyond
    return steps


def overrun_target(steps: list[Step]) -> str:
    """Return the hex that these steps overrun, or ""."""
    return steps[-2].hex if len(steps) > 1 and steps[-1].kind == LEAVE else ""


class Mover:
    """A unit that carries out a movement plot, alone or as a vehicle with its passengers.

    ``steps`` is its schedule and ``place`` the number of steps done: hexes entered, or left by an exit. ``path`` are
    the hexes to which it may back up, each with the half point at which it came there. Its start is first; the hex that
    it overruns is never included. ``target`` is the hex that it is to overrun, even if the overrun is lost
    (``is_lost``). ``is_inside`` is true while it is in that hex. ``entry`` is the hex by which it enters the map, or ""
    if it starts on the map.
    """

    __slots__ = (
        "allowance",
        "entry",
        "hex",
        "is_inside",
        "is_lost",
        "mobility",
        "number",
        "panicked",
        "path",
        "place",
        "side",
        "steps",
        "stopped",
        "target",
        "unit_id",
    )

    def __init__(self, unit_id: str, side: str, start: str, steps: list[Step]) -> None:
        self.unit_id = unit_id
        self.number = int(unit_id)
        self.side = side
        self.hex = start
        self.steps = steps
        self.place = 0
        self.path = [(start, 0)]
        self.target = overrun_target(steps)
        self.is_lost = False
        self.is_inside = False
        self.stopped = False
        self.panicked = False
        self.allowance = 0
        self.mobility = FOOT
        self.entry = "" if start else steps[0].hex

    @property
    def next(self) -> Step:
        """The step that is due next. Raises IndexError if no step is left."""
        return self.steps[self.place]

    @property
    def is_moving(self) -> bool:
        """Whether it has steps left that it may carry out (R-KP-08)."""
        return not self.stopped and self.place < len(self.steps)

    @property
    def is_coming(self) -> bool:
        """Whether it has yet to enter the hex that it overruns (R-KP-52)."""
        return self.target != "" and not self.stopped and not self.is_lost and self.place < len(self.steps) - 1

    def ignores(self, hex_: str) -> bool:
        """Return whether it ignores zones of enemies in ``hex_``, as in its target, or anywhere while it is inside.

        It does so by KP-8.1a and KP-8.1b, even after it has lost its overrun, because it still moves up to the hex in
        front of the target (KP-9.65a).
        """
        return self.is_inside or (self.target != "" and hex_ == self.target)

    def go(self, tick: int) -> None:
        """Carry out the next step."""
        step = self.steps[self.place]
        self.hex = step.hex
        self.place += 1
        self.is_inside = step.kind == OVERRUN
        if not self.is_inside:
            self.path.append((self.hex, tick))

    def lose_overrun(self) -> None:
        """Remove the overrun, so that it goes no further than the hex in front of the target (KP-9.65a)."""
        if self.is_coming:
            self.is_lost = True
            del self.steps[-2:]


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
"""By reason of a stop, the rule that requires it."""


class Halt(NamedTuple):
    """A unit that may not carry out its next step, the reason, and the enemy that causes it, or ""."""

    mover: Mover
    why: str
    by: str = ""


class Moved(NamedTuple):
    """A unit that has moved from ``before`` ("" for off the map) to its current hex."""

    mover: Mover
    before: str


class March:
    """The data that the procedures of phase E share. It follows the state, which only their events change.

    ``movers`` are the units that carry out a movement plot, by id in the order of their numbers. ``heading`` are the
    units that will overrun a hex, by hex. ``attacks`` are the units that have entered it and wait for the attack to be
    resolved (R-KP-52). ``barred`` are the units that could not leave it in this tick (R-KP-53). ``won`` are the units
    that won a contest in this tick. ``kept_off`` are the units that could not enter the map. ``start`` are the
    positions at the start of the phase if zoc_to_zoc is "start_positions". With other values it is the same object as
    ``positions``.
    """

    def __init__(self, state: KampfState) -> None:
        self.state = state
        self.board: Board = state.board
        self.ground = ground_of(state)
        self.positions = Positions(state)
        self.start = Positions(state) if state.options["zoc_to_zoc"] == "start_positions" else self.positions
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
        """Return the units that move: those not pinned or disrupted (KP-6.0a).

        Panicked units move by their new plots (KP-11.21a). Units that an overrun plot holds in place are still included
        (KP-9.67a).
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
        """Return the mover of a unit with a movement plot, or None if it can take no step."""
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
        mover.panicked, mover.allowance, mover.mobility = unit.panicked, kind.movement, kind.mobility
        return mover

    def stop(self, mover: Mover, why: str, by: str = "") -> Procedure:
        """End a unit's move in its current hex; a unit that could not enter the map stays off it."""
        mover.stopped = True
        if not mover.hex:
            self.kept_off.append(mover.unit_id)
        if self.is_lazy:
            yield from self.show(mover.unit_id)
        yield UnitStopped(self.tick, mover.unit_id, mover.hex or mover.entry, why, by, STOP_RULES[why])

    def note_losses(self, unit_ids: Iterable[str]) -> None:
        """Remove those of these units that are no longer on the map in the state."""
        for unit_id in unit_ids:
            if self.state.units[unit_id].standing != ON_MAP:
                self.positions.remove(unit_id)
                if unit_id in self.movers:
                    self.movers[unit_id].stopped = True

    def show(self, unit_id: str) -> Procedure:
        """Reveal a unit's plot if plots are revealed one by one (R-KP-23)."""
        state = self.state
        if self.is_lazy and unit_id in state.plots and unit_id not in (*state.shown, *state.panic_plots):
            yield PlotShown(unit_id, state.plots[unit_id])
