"""What units on their way have spent, step by step, for the events that tell of it (KP-10.0, KP-5.1d, KP-9.6d)."""

from collections.abc import Iterable

from kampfpanzer.movement.march import March, Mover
from kampfpanzer.terrain.terrain import Toll
from sandtable import Calculation

HALVES = 2
"""Half points in a point of a halt."""


def spent(march: March, movers: Iterable[Mover]) -> tuple[Calculation, ...]:
    """Return the half points that units will have spent with their next step: those before, of a halt, of the step.

    Units with the same steps share a calculation, named "spent.97.98".
    """
    ground, paid = march.ground, dict[tuple[int, int, Toll, int], list[str]]()
    for mover in movers:
        step = mover.steps[mover.place]
        before = waited = 0
        if mover.place:
            last = mover.steps[mover.place - 1]
            before, waited = last.spent, last.waited
        if step.hex:
            toll = ground.toll(mover.mobility, mover.hex, step.hex)
        else:
            toll = ("off the map", ground.exit_halves(mover.mobility), "R-KP-21")
        paid.setdefault((before, step.waited - waited, toll, step.spent), []).append(mover.unit_id)
    return tuple(Calculation(f"spent.{'.'.join(units)}", _steps(*key)) for key, units in paid.items())


def _steps(before: int, waited: int, toll: Toll, after: int) -> tuple[Toll, ...]:
    """Return the steps of a sum; what is left of it is what an overrun costs beyond the ground."""
    beyond = after - before - HALVES * waited - toll[1]
    return (
        *((("before", before, "KP-6.0c"),) if before else ()),
        *((("halt", HALVES * waited, "KP-5.1d"),) if waited else ()),
        toll,
        *((("overrun", beyond, "KP-9.6d"),) if beyond else ()),
    )
