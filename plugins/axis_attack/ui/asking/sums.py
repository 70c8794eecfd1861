"""How figures came about that events tell without a calculation: roll-offs."""

from collections.abc import Sequence
from typing import Any

from axis_attack.model.events import ChoiceRolled, RolesRolled
from sandtable import Calculation


def sums(records: Sequence[Any], _board: Any) -> Sequence[Calculation]:
    """Return how the figures of the last of the ``records`` came about: by side the die that decided."""
    event = records[-1].event
    if not isinstance(event, ChoiceRolled | RolesRolled):
        return ()
    found = []
    for side, dice in event.dice.items():
        ties = len(dice) - 1
        what = f"die after {ties} tie{'s' if ties > 1 else ''}" if ties else "die"
        found.append(Calculation(f"dice.{side}", ((what, dice[-1], event.rule),)))
    return found
