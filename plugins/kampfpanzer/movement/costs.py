"""What a unit on its way has spent, step by step, for the events that tell of it (KP-10.0, KP-5.1e, KP-9.6d)."""

from kampfpanzer.movement.march import March, Mover
from kampfpanzer.terrain.terrain import Toll
from kampfpanzer.terrain.zones import kind_of
from sandtable.kernel.events import Calculation

HALVES = 2
"""Half points in a point of a halt."""


def spent(march: March, mover: Mover) -> Calculation:
    """Return the half points that a unit will have spent with its next step: those before, of a halt, of the step."""
    step = mover.steps[mover.place]
    steps: list[Toll] = []
    before = waited = 0
    if mover.place:
        last = mover.steps[mover.place - 1]
        before, waited = last.spent, last.waited
        steps.append(("before", before, "KP-6.0c"))
    if step.waited > waited:
        steps.append(("halt", HALVES * (step.waited - waited), "KP-5.1d"))
    mobility = kind_of(march.state, mover.unit_id).mobility
    if step.hex:
        steps.append(march.ground.toll(mobility, mover.hex, step.hex))
    else:
        steps.append(("off the map", march.ground.exit_halves(mobility), "R-KP-21"))
    beyond = step.spent - sum([cost for _, cost, _ in steps])
    if beyond:
        steps.append(("overrun", beyond, "KP-9.6d"))
    return Calculation(f"spent.{mover.unit_id}", tuple(steps))
