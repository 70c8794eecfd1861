"""The half points that moving units have spent, step by step, for their events (KP-10.0a, KP-5.1d, KP-9.6d)."""

from collections.abc import Iterable

from kampfpanzer.movement.march import March, Mover
from kampfpanzer.terrain.terrain import Toll
from sandtable import Calculation

HALVES = 2
"""Half points per point of a halt."""


def spent(march: March, movers: Iterable[Mover]) -> tuple[Calculation, ...]:
    """Return the half points that units will have spent after their next step: those before, a halt, the step.

    Units with the same steps share a calculation, named for example "spent.97.98".
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
    """Return the steps of a calculation; any remainder is the cost of an overrun in addition to the ground."""
    beyond = after - before - HALVES * waited - toll[1]
    return (
        *((("spent earlier", before, "KP-6.0c"),) if before else ()),
        *((("halt", HALVES * waited, "KP-5.1d"),) if waited else ()),
        toll,
        *((("overrun", beyond, "KP-9.6d"),) if beyond else ()),
    )
