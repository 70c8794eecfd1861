"""When a plot of movement takes a unit where: its steps, each on the half point at which it is due (R-KP-06)."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES
from kampfpanzer.plotting.notation import STOP, Plot
from kampfpanzer.terrain.terrain import Ground

ENTER, OVERRUN, LEAVE, EXIT = "enter", "overrun", "leave", "exit"
"""Kinds of step: into a hex, into a hex to be overrun, out of that one, off the map."""

HALVES_A_STEP = 2
"""By the clock of ``hex_steps`` a hex, or a point of a halt, takes a whole point."""


class Step(NamedTuple):
    """A step into ``hex`` ("" off the map), due at ``tick``.

    ``spent`` is what the unit has spent then, in half points, and ``waited`` how many whole points of it at a halt.
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
"""What the time is when so many half points are spent, in so many hexes, with so many points at a halt (R-KP-06)."""

BEFORE_TARGET = {"in_target_hex": 0, "before_entry": OVERRUN_HALVES}
"""How much of what an overrun costs is spent before the hex overrun is entered (R-KP-91)."""


def schedule(ground: Ground, mobility: str, start: str, plot: Plot, options: Mapping[str, str]) -> list[Step]:
    """Return the steps of a plot of movement for a unit in ``start`` ("" off the map).

    The plot is carried out as it stands: what it costs was looked at when it was written.
    """
    clock = CLOCKS[options["movement_clock"]]
    steps: list[Step] = []
    here, spent, waited = start, 0, 0
    if plot.entry:
        here = plot.entry
        spent = ground.entry_halves(mobility, here)
        steps.append(Step(clock(spent, 1, 0), here, ENTER, spent, 0))
    around = ground.hexmap.around
    for letter, count in plot.legs:
        if letter == STOP:
            spent += 2 * count
            waited += count
            continue
        towards = LETTERS.index(letter)
        for _ in range(count):
            beyond = around[here][towards]
            spent += ground.step_halves(mobility, here, beyond) if beyond else ground.exit_halves(mobility)
            tick = clock(spent, len(steps) + 1, waited)
            steps.append(Step(tick, beyond, ENTER if beyond else EXIT, spent, waited))
            if not beyond:
                return steps
            here = beyond
    if plot.overrun:
        towards = LETTERS.index(plot.overrun)
        first = BEFORE_TARGET[options["overrun_points_timing"]]
        for kind, extra in ((OVERRUN, first), (LEAVE, OVERRUN_HALVES - first)):
            beyond = around[here][towards]
            spent += ground.step_halves(mobility, here, beyond) + extra
            steps.append(Step(clock(spent, len(steps) + 1, waited), beyond, kind, spent, waited))
            here = beyond
    return steps


def overrun_target(steps: list[Step]) -> str:
    """Return the hex that these steps overrun, "" for none."""
    return steps[-2].hex if len(steps) > 1 and steps[-1].kind == LEAVE else ""
