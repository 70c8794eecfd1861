"""What lies behind records that hide how much happened: who each die of a common roll is for, and each single event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from khamsin.model.battle_events import SideActed
from khamsin.model.state import KhamsinState
from khamsin.movement.activation import roster
from khamsin.movement.resolution import attacks, ordered_moves

IDLE = ""
FATES = ("capture", "casualty", "wound")


def dice_for(state: KhamsinState, purpose: str, count: int) -> list[str] | None:
    """Return by die what it is for, as "activation:15_pz_div", ``IDLE`` if for nothing; None for a plain roll."""
    kind, _, rest = purpose.partition(":")
    if kind == "activation":
        rolling = attacks(state, ordered_moves(state))
        return [f"activation:{each}" if each in rolling else IDLE for each in roster(state, rest)]
    if kind == "leaders":
        people = rest.split(":")[1].split(".") if ":" in rest else []
        return [f"{fate}:{each}" for each in people for fate in FATES[-(count // len(people)) :]]
    return None


def single(happened: Iterable[Any]) -> list[Any]:
    """Return events one by one: those of a side's acts in place of the acts."""
    found: list[Any] = []
    for event in happened:
        found += event.happened if isinstance(event, SideActed) else [event]
    return found
