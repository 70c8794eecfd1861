"""Decisions and orders: who is asked what, and the answer."""

import re
from typing import Any

from msgspec import Struct

from sandtable.errors import IllegalOrder
from sandtable.kernel.options import Form, ListOf, Range
from sandtable.kernel.options.space import Refusal, Space

UMPIRE = "umpire"
PUBLIC = "public"
"""The viewer that sees only what no side keeps secret: a spectator."""
PURPOSE = re.compile(r"[A-Za-z0-9._:\-]+", re.ASCII)


class Order(Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """An answer to a decision. Subclass it once for each kind of order, in the imperative; fields are plain data."""

    def in_words(self) -> str:
        """Return what a menu says for it; "" lets its fields be told one by one."""
        return ""


class EnterDice(Order, frozen=True):
    """The umpire enters the faces of physical dice (dice mode ``manual``)."""

    dice: list[int]


KERNEL_ORDERS: tuple[type[Order], ...] = (EnterDice,)


class Decision(Struct, frozen=True, gc=False):
    """A question put to a side.

    ``options`` is the space of legal orders, ``rule`` the rule that asks. ``power`` names which of the side's powers
    must choose, where it has several. ``done`` is the order that ends a repeated question (pass, end of moves): it is
    one of the options, and players who play at random are drawn to it, so that games end. ``secret`` orders stay with
    the side that gave them. ``purpose`` says what for, as that of a Roll does: it makes the label of the question
    (see ``questions``), which every side sees unless the order is sealed or secret. ``tells`` is the rule by which the
    question itself, its options or its prompt, lets the side know something of what is hidden: that a way is barred,
    say; the contract suite does not take that for a leak. No log holds it.
    """

    side: str
    prompt: str
    options: Space
    rule: str = ""
    power: str = ""
    done: Order | None = None
    secret: bool = False
    purpose: str = ""
    tells: str = ""

    @property
    def seat(self) -> str:
        """Who answers: the power where one is named, otherwise the side."""
        return self.power or self.side

    def why_not(self, order: Any) -> Refusal | None:
        """Return why ``order`` may not be given, or None; a refusal without a rule is by the rule that asks."""
        refusal = self.options.why_not(order)
        if refusal is None or refusal.rule or not self.rule:
            return refusal
        return Refusal(self.rule, refusal.reason)

    def all_wrong(self, order: Any) -> list[Refusal]:
        """Return all that is wrong with ``order``, part by part, for people; nothing when it may be given."""
        return [each if each.rule else Refusal(self.rule, each.reason) for each in self.options.all_wrong(order)]

    def check(self, order: Any) -> None:
        """Raise IllegalOrder where ``order`` may not be given: the one judgement that engine and players go by."""
        try:
            self.options.check(order)
        except IllegalOrder as error:
            if error.rule or not self.rule:
                raise
            raise IllegalOrder(self.rule, error.reason) from None


class Sealed(Struct, frozen=True, gc=False):
    """Decisions that are answered without knowledge of each other and opened together.

    The procedure that yields it gets a dict: seat to order. The seats must differ.
    """

    decisions: tuple[Decision, ...]


class Roll(Struct, frozen=True, gc=False):
    """Chance: ``dice`` dice of ``sides`` faces. The procedure that yields it gets their faces as a tuple.

    ``purpose`` says what for: letters, digits and ``. _ : -`` only; with turn, phase and a running number it makes the
    label of the dice. ``needs`` tells how they are read, where they are read one by one: die i hits at ``needs[i]`` or
    less. With ``pooled`` only the number of hits matters, not which die made them. Odds and luck are computed from it.
    With ``side`` the roll is secret: only that side, and the umpire, sees it. ``favours`` names the side for which more
    hits are good or, without ``needs``, higher faces, where that is plain: the luck ledger reads it, no log holds it.
    ``units`` names the unit behind each die, in their order, where each die is one's.
    """

    dice: int
    sides: int
    purpose: str
    rule: str = ""
    needs: tuple[int, ...] = ()
    pooled: bool = False
    side: str = ""
    favours: str = ""
    units: tuple[str, ...] = ()

    def hits(self, faces: tuple[int, ...]) -> int:
        """Return how many of ``faces`` are hits by ``needs``."""
        return sum(map(int.__le__, faces, self.needs))


def dice_decision(roll: Roll, label: str) -> Decision:
    """Return the question to the umpire that stands for ``roll`` in dice mode ``manual``."""
    space: Any = Form(EnterDice, {"dice": ListOf(Range(1, roll.sides), roll.dice)})
    prompt = f"roll {roll.dice}d{roll.sides} for {label}"
    return Decision(UMPIRE, prompt, space, roll.rule, secret=bool(roll.side), purpose=roll.purpose)
