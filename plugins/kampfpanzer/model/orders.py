"""Orders: the answers to the decisions of the game. Units are named by identity number, hexes by printed number."""

from typing import Any

from msgspec import field

from sandtable import Form, Order, Refusal


class InPhase(Form):
    """The order that a phase asks for; what belongs to another phase is refused by the rule that keeps them apart."""

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse what a form refuses, other orders by KP-4.0b."""
        refusal = super().why_not(value)
        return Refusal("KP-4.0b", refusal.reason) if refusal is not None and not refusal.rule else refusal


class Deploy(Order, frozen=True):
    """Set up a side's force, by unit (D-KP-03).

    Lines are such as "2138", "2138 A" (a gun's facing), "2138 A entrenched", "aboard 146". Units that enter later have
    one only if they start aboard.
    """

    lines: dict[str, str] = field(default_factory=dict)


class HandInPlots(Order, frozen=True):
    """Hand in a turn's plots: by unit the text of its plot; a unit without one does nothing (KP-5.0i)."""

    plots: dict[str, str] = field(default_factory=dict)


class GroupFire(Order, frozen=True):
    """Fire at one target in these groups: each is one combined attack (KP-9.11a, KP-9.24b)."""

    groups: list[list[str]]


class ChooseTarget(Order, frozen=True):
    """Of enemies that pass at the same moment and range, let opportunity fire hit this one (R-KP-36)."""

    unit: str


class Counterattack(Order, frozen=True):
    """Let an overrun unit counterattack this one (KP-9.68a)."""

    target: str


class DeclineCounterattack(Order, frozen=True):
    """Let an overrun unit not counterattack."""


class ChooseFacing(Order, frozen=True):
    """Face a gun that has just debarked (R-KP-34, option debark_facing)."""

    facing: str


class BackUp(Order, frozen=True):
    """Of units that must not share a hex, let this one go back (R-KP-15, option end_overstack)."""

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
