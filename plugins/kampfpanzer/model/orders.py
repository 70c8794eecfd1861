"""Orders: the answers to decisions. Units are named by identity number, hexes by printed number."""

from typing import Any

from msgspec import field

from sandtable import Form, Order, Refusal


class InPhase(Form):
    """A form for the order of one phase; an order of another phase is refused by KP-4.0b."""

    def why_not(self, value: Any) -> Refusal | None:
        """Return the refusal of the form, with rule KP-4.0b if it cites none, or None if the value is legal."""
        refusal = super().why_not(value)
        return Refusal("KP-4.0b", refusal.reason) if refusal is not None and not refusal.rule else refusal


class Deploy(Order, frozen=True):
    """Set up a side's force by the line of each unit (KP-14.0a).

    Examples of lines are "2138", "2138 A" (a gun's facing), "2138 A entrenched", "aboard 146". A unit that enters later
    has a line only if it starts aboard.
    """

    lines: dict[str, str] = field(default_factory=dict)


class HandInPlots(Order, frozen=True):
    """Hand in the text of each unit's plot for this turn; a unit without a plot does nothing (KP-5.0i)."""

    plots: dict[str, str] = field(default_factory=dict)


class GroupFire(Order, frozen=True):
    """Fire at one target in these groups, each of which is one combined attack (KP-9.11a, KP-9.24b)."""

    groups: list[list[str]]


class ChooseTarget(Order, frozen=True):
    """Choose the target of opportunity fire among enemies that pass at the same moment and range (R-KP-36)."""

    unit: str


class Counterattack(Order, frozen=True):
    """Counterattack ``target``, which overruns this unit (KP-9.68a)."""

    target: str


class DeclineCounterattack(Order, frozen=True):
    """Decline to counterattack with a unit that is overrun."""


class ChooseFacing(Order, frozen=True):
    """Choose the facing of a gun that has just debarked (R-KP-34, option debark_facing)."""

    facing: str


class BackUp(Order, frozen=True):
    """Choose the unit that backs up from an overstacked hex (R-KP-15, option end_overstack)."""

    unit: str


ORDERS: tuple[type[Order], ...] = (
    Deploy,
    HandInPlots,
    GroupFire,
    ChooseTarget,
    Counterattack,
    DeclineCounterattack,
    ChooseFacing,
    BackUp,
)
