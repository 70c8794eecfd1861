"""Calculations for events that store none: the opening grant."""

from collections.abc import Sequence
from typing import Any

from desert_aa.model.events import GrantReceived
from sandtable import Calculation


def sums(records: Sequence[Any], _board: Any) -> Sequence[Calculation]:
    """Return the calculations of the last of ``records``, or () for other events."""
    event = records[-1].event
    if isinstance(event, GrantReceived):
        return (Calculation("amount", (("the opening grant of the scenario", event.amount, event.rule),)),)
    return ()
