"""Where a movement plot leads, hex by hex, and what it costs, as far as the ground alone decides."""

from collections.abc import Sequence
from typing import NamedTuple

from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES
from kampfpanzer.plotting.notation import STOP, Plot
from kampfpanzer.terrain.terrain import Ground


class Walk(NamedTuple):
    """The hexes entered, in order, the entry hex included, and the half points they cost with all halts.

    ``lost`` is the hex from which the plot leads off the map where no unit may leave, ``left`` that by which it leaves
    the map, both "" otherwise; ``extra`` tells that the plot goes on though the unit has left. ``overrun`` is the hex
    overrun, the last but one of the hexes; ``barred`` tells that the map ends before an overrun does. ``spent`` are the
    half points up to each hex.
    """

    hexes: tuple[str, ...]
    halves: int
    spent: tuple[int, ...]
    lost: str = ""
    left: str = ""
    extra: bool = False
    overrun: str = ""
    barred: bool = False

    def end(self, start: str) -> str:
        """Return the hex in which the move of a unit from ``start`` ends, "" off the map."""
        if self.left:
            return ""
        return self.hexes[-1] if self.hexes else start


def follow(ground: Ground, mobility: str, start: str, plot: Plot, exits: Sequence[str]) -> Walk:
    """Follow a movement plot from ``start``, or from its entry hex, over the ground as it is.

    It may leave the map from one of ``exits``. Enemies and the allowance play no part.
    """
    here, halves = start, 0
    hexes: list[str] = []
    spent: list[int] = []
    if plot.entry:
        here, halves = plot.entry, ground.entry_halves(mobility, plot.entry)
        hexes.append(here)
        spent.append(halves)
    legs = plot.legs
    for number, (letter, count) in enumerate(legs):
        if letter == STOP:
            halves += 2 * count
            continue
        place = LETTERS.index(letter)
        for step in range(count):
            there = ground.around(here)[place]
            if not there:
                if here not in exits:
                    return Walk(tuple(hexes), halves, tuple(spent), lost=here)
                halves += ground.exit_halves(mobility)
                more = step + 1 < count or number + 1 < len(legs) or bool(plot.overrun)
                return Walk(tuple(hexes), halves, tuple(spent), left=here, extra=more)
            halves += ground.step_halves(mobility, here, there)
            here = there
            hexes.append(here)
            spent.append(halves)
    if not plot.overrun:
        return Walk(tuple(hexes), halves, tuple(spent))
    return _overrun(ground, mobility, plot.overrun, Walk(tuple(hexes), halves, tuple(spent)), here)


def _overrun(ground: Ground, mobility: str, letter: str, approach: Walk, here: str) -> Walk:
    """Add the hex overrun and the one behind it, in which the unit ends (KP-9.62a, KP-9.6d)."""
    hexes, spent, halves = list(approach.hexes), list(approach.spent), approach.halves
    for extra in (0, OVERRUN_HALVES):
        there = ground.neighbour(here, letter)
        if not there:
            return Walk(tuple(hexes), halves, tuple(spent), lost=here, barred=True)
        halves += extra + ground.step_halves(mobility, here, there)
        here = there
        hexes.append(here)
        spent.append(halves)
    return Walk(tuple(hexes), halves, tuple(spent), overrun=hexes[-2])


def points(halves: int) -> str:
    """Return half points as a person reads them: 7, or 7½."""
    return f"{halves // 2 or ''}½" if halves % 2 else str(halves // 2)
