"""Calculations of figures that events report without one: loss points, and units that do not return."""

from collections.abc import Sequence
from typing import Any

from damos.combat.losses import COMBAT, COUNTERATTACK
from damos.model.board import Board
from damos.model.combat_events import CombatResolved, CounterattackResolved, LossesTaken
from damos.model.events import UndyingRolled
from damos.model.tables import lp_number
from damos.turn.reinforcement import UNDYING_FROM
from sandtable import Calculation, PhaseBegan

FROM = {COMBAT.why: CombatResolved, COUNTERATTACK.why: CounterattackResolved}
"""The event that reports the number of loss points, by their cause."""


def sums(records: Sequence[Any], board: Board) -> Sequence[Calculation]:
    """Return the calculations of the last of the ``records``, using the records before it."""
    event = records[-1].event
    if isinstance(event, LossesTaken):
        return _losses(event, [each.event for each in records[:-1] if hasattr(each, "event")], board)
    if isinstance(event, UndyingRolled):
        steps = (("die", event.die, event.rule), (f"returns on {UNDYING_FROM} or more", -UNDYING_FROM, event.rule))
        return (Calculation("over needs", steps),)
    return ()


def _losses(event: LossesTaken, before: Sequence[Any], board: Board) -> Sequence[Calculation]:
    """Return the source of loss points, and the units that take them, which the enemy does not see (DM-2.4c)."""
    source = FROM.get(event.why)
    fought = next((each for each in reversed(before) if source and isinstance(each, source)), None)
    phasing = next((each.side for each in reversed(before) if isinstance(each, PhaseBegan)), "")
    role = "attacker" if event.side == phasing else "defender"
    token = str(getattr(fought, f"on_{role}", "")) if fought and fought.hex == event.hex else ""
    what = f"{event.why}: {token} on the {role}" if token and lp_number(token) == event.points else event.why
    paid = [(board.counters[each].name, lost, event.rule) for each, lost in event.losses.items()]
    paid += [("replacements", event.replacements, "AGC-4.5.1a")] if event.replacements else []
    paid += [("more than the units have", event.surplus, "DM-8.8d")] if event.surplus else []
    how = (Calculation("points", ((what, event.points, event.rule),)),)
    return (*how, Calculation("paid", tuple(paid))) if event.losses else how
