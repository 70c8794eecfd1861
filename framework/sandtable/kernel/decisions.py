"""Decisions and orders: the question that a seat must answer, and its answer; rolls and claims."""

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from sandtable.errors import IllegalOrder
from sandtable.kernel.options import Form, ListOf, Range
from sandtable.kernel.options.space import Refusal, Space

UMPIRE = "umpire"
"""The seat of the umpire, who sees everything."""
PUBLIC = "public"
"""The viewer that sees only what no side keeps secret: a spectator."""
PURPOSE = re.compile(r"[A-Za-z0-9._:\-]+", re.ASCII)


class Order(Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """An answer to a decision. Subclass it once for each kind of order, in the imperative; fields are plain data."""

    def in_words(self) -> str:
        """Return the text of the order in a menu, or "" to describe its fields one by one."""
        return ""


class EnterDice(Order, frozen=True):
    """The umpire enters the faces of physical dice (dice mode ``manual``)."""

    dice: list[int]


KERNEL_ORDERS: tuple[type[Order], ...] = (EnterDice,)


class Decision(Struct, frozen=True, gc=False):
    """A question put to a side.

    ``options`` is the space of legal orders, and ``rule`` is the rule that asks. ``power`` names the power that must
    choose, if the side has several. ``done`` is the order that ends a repeated question, such as a pass or the end of
    moves. It is one of the options, and random players prefer it, so that games end. ``secret`` orders are shown only
    to the side that gave them.

    ``purpose`` says what the question is for, like the purpose of a Roll. It becomes the label of the question (see
    ``questions``), which every side sees unless the order is sealed or secret. ``discloses`` is the rule by which the
    question itself, its options or its prompt, may reveal something hidden, for example that a route is blocked. The
    contract suite does not report that as a leak, and no log contains it.

    Two fields are for games without a keeper (see ``kernel.replicas.replica``), and no log contains them. ``stand_in``
    is the order that the rules get instead of a ``secret`` one that a replica does not know. ``outside`` are the
    options as another side can judge them, if ``options`` depend on secrets of ``side``.
    """

    side: str
    prompt: str
    options: Space
    rule: str = ""
    power: str = ""
    done: Order | None = None
    secret: bool = False
    purpose: str = ""
    discloses: str = ""
    stand_in: Order | None = None
    outside: Space | None = None

    @property
    def seat(self) -> str:
        """The seat that answers: the power if one is named, or the side."""
        return self.power or self.side

    def why_not(self, order: Any) -> Refusal | None:
        """Return why ``order`` is refused, or None; a refusal without a rule gets the rule of the decision."""
        return _under(self.rule, self.options.why_not(order))

    def all_wrong(self, order: Any) -> list[Refusal]:
        """Return all refusals of ``order``, part by part, for display, or [] if the order is legal."""
        return [each if each.rule else Refusal(self.rule, each.reason) for each in self.options.all_wrong(order)]

    def check(self, order: Any) -> None:
        """Raise IllegalOrder if ``order`` is not legal. The engine and all players rely on this check."""
        try:
            self.options.check(order)
        except IllegalOrder as error:
            if error.rule or not self.rule:
                raise
            raise IllegalOrder(self.rule, error.reason) from None


class Sealed(Struct, frozen=True, gc=False):
    """Decisions that are answered without knowledge of each other and opened together.

    The procedure that yields it gets a dict of orders by seat. The seats must differ.
    """

    decisions: tuple[Decision, ...]


class Roll(Struct, frozen=True, gc=False):
    """A request for dice: ``dice`` dice with ``sides`` faces. The procedure that yields it gets their faces as a tuple.

    ``purpose`` says what the roll is for: letters, digits and ``. _ : -`` only. Turn, phase, purpose and a running
    number make up the label of the dice. ``needs`` gives the highest face at which each die hits, if the dice are read
    one by one: die i hits at ``needs[i]`` or less. Set ``pooled`` if only the number of hits matters and not which die
    made them. Odds and luck are computed from both.

    Set ``side`` to make the roll secret: only that side and the umpire see it. ``favors`` names the side that benefits
    from more hits or, without ``needs``, from higher faces. The luck ledger reads it, and no log contains it. ``units``
    names the unit behind each die, in order, if each die belongs to one unit.
    """

    dice: int
    sides: int
    purpose: str
    rule: str = ""
    needs: tuple[int, ...] = ()
    pooled: bool = False
    side: str = ""
    favors: str = ""
    units: tuple[str, ...] = ()

    def hits(self, faces: tuple[int, ...]) -> int:
        """Return the number of ``faces`` that hit according to ``needs``."""
        return sum(map(int.__le__, faces, self.needs))


class Claim(Struct, frozen=True):
    """A fact that follows from secrets of ``side`` and that the rules need. The procedure that yields it gets the fact.

    ``value()`` computes it from the state. A game that holds the secrets of ``side`` calls it at once. A replica that
    lacks them waits for the value that the program of ``side`` states (see ``kernel.replicas.replica``). ``options``
    are the values that public facts allow, so that an impossible claim is refused. Values are plain data.

    ``purpose`` is as in Roll. ``fact`` names the secret fact of the ruleset's ``facts`` that the value equals, if it is
    one: its opening proves the claim at once. Other claims are proven when the secrets of ``side`` are opened.
    """

    side: str
    purpose: str
    options: Space
    value: Callable[[], Any]
    rule: str = ""
    fact: str = ""

    def why_not(self, value: Any) -> Refusal | None:
        """Return why public facts exclude ``value``, or None; a refusal without a rule gets the rule of the claim."""
        return _under(self.rule, self.options.why_not(value))


class Secret(Struct, frozen=True):
    """A value that only ``side`` knows. The procedure that yields it gets ``value()``.

    A replica that lacks the secrets of ``side`` gets ``stand_in``. Nothing is recorded or sent, so the value may lead
    only to what ``side`` alone sees.
    """

    side: str
    value: Callable[[], Any]
    stand_in: Any


def _under(rule: str, refusal: Refusal | None) -> Refusal | None:
    return refusal if refusal is None or refusal.rule else Refusal(rule, refusal.reason)


def dice_decision(roll: Roll, label: str) -> Decision:
    """Return the question that asks the umpire for the faces of ``roll`` in dice mode ``manual``."""
    space: Any = Form(EnterDice, {"dice": ListOf(Range(1, roll.sides), roll.dice)})
    prompt = f"roll {roll.dice}d{roll.sides} for {label}"
    return Decision(UMPIRE, prompt, space, roll.rule, secret=bool(roll.side), purpose=roll.purpose)
