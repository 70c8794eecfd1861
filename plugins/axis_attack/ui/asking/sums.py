"""Calculations for events that store none: roll-offs."""

from collections.abc import Sequence
from typing import Any

from axis_attack.model.events import ChoiceRolled, RolesRolled
from sandtable import Calculation


def sums(records: Sequence[Any], _board: Any) -> Sequence[Calculation]:
    """Return the deciding die of each side if the last of ``records`` is a roll-off, otherwise ()."""
    event = records[-1].event
    if not isinstance(event, ChoiceRolled | RolesRolled):
        return ()
    found = []
    for side, dice in event.dice.items():
        ties = len(dice) - 1
        label = f"die after {ties} tie{'s' if ties > 1 else ''}" if ties else "die"
        found.append(Calculation(f"dice.{side}", ((label, dice[-1], event.rule),)))
    return found
