"""Hidden steps: one roll and one group of events for each side, whatever happens.

The enemy has the same chain of records. Their number must therefore not depend on the actions or losses of a side
(KH-6.08).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from khamsin.model.battle_events import records_by_side
from khamsin.model.cards import SIDES
from khamsin.model.state import KhamsinState
from sandtable import Event, HiddenStep, Procedure, Roll

Step = Callable[[KhamsinState], Procedure]

MAX_DICE = {"casualty": 2}
"""Face that causes the most further rolls, by the first word of a roll's purpose (default: 1)."""


def out_of_sight(step: Step, name: str, rule: str) -> Procedure:
    """Carry out a step with one roll and one group of events per side, and return the step's result.

    A rehearsal on a copy finds the dice that the step can need. They are rolled together, so dice that turn out not to
    be needed are rolled, too. If no dice are needed, the events of the rehearsal are used.
    """
    happened: list[Event] = []
    rehearsed: Rehearsed = yield HiddenStep(lambda work: _rehearse(step(work)), lambda events: _keep(events, happened))
    faces: dict[str, list[int]] = {}
    for side in SIDES:
        mine = [roll for roll in rehearsed.wanted if roll.side == side]
        dice: Sequence[int] = yield _together(mine, name, side, rule)
        fallen = iter(dice)
        for roll in mine:
            faces.setdefault(roll.purpose, []).extend(next(fallen) for _ in range(roll.dice))
    if rehearsed.wanted:

        def rolled(roll: Roll) -> tuple[int, ...]:
            return tuple(faces[roll.purpose].pop(0) for _ in range(roll.dice))

        return (yield HiddenStep(lambda work: _with_dice(step(work), rolled), records_by_side))
    yield from records_by_side(happened)
    return rehearsed.result


def _keep(events: list[Event], happened: list[Event]) -> tuple[Event, ...]:
    """Collect the events of a rehearsal, and record none of them."""
    happened += events
    return ()


def _together(rolls: Sequence[Roll], name: str, side: str, rule: str) -> Roll:
    """Combine rolls into one. Its purpose has each purpose and number of dice: "capture:axis:capture-rommel-1"."""
    uses = ".".join(f"{roll.purpose.replace(':', '-')}-{roll.dice}" for roll in rolls)
    favors = {roll.favors for roll in rolls}
    return Roll(
        sum(roll.dice for roll in rolls),
        6,
        f"{name}:{side}:{uses}" if uses else f"{name}:{side}",
        rule,
        side=side,
        favors=favors.pop() if len(favors) == 1 else "",
        units=tuple(unit for roll in rolls for unit in roll.units),
    )


class Rehearsed(NamedTuple):
    """The rolls of a rehearsed step, and its result."""

    wanted: list[Roll]
    result: Any


def _rehearse(step: Procedure) -> Procedure:
    """Run a step with the faces that need the most dice, and return its rolls and its result."""
    wanted: list[Roll] = []

    def most(roll: Roll) -> tuple[int, ...]:
        wanted.append(roll)
        return (MAX_DICE.get(roll.purpose.partition(":")[0], 1),) * roll.dice

    result = yield from _with_dice(step, most)
    return Rehearsed(wanted, result)


def _with_dice(step: Procedure, faces_of: Callable[[Roll], tuple[int, ...]]) -> Procedure:
    """Run a step with the faces that ``faces_of`` returns for each roll, and return its result."""
    answer: Any = None
    while True:
        try:
            item = step.send(answer)
        except StopIteration as stop:
            return stop.value
        answer = faces_of(item) if isinstance(item, Roll) else (yield item)
