"""The lines of a log, as the kernel makes them; the journal writes and reads them (log format, section 4).

``n`` counts from 1; the header is line 0. ``hash`` is empty until the journal chains the line.
"""

from typing import Generic, TypeVar

from msgspec import Struct


class Line(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What every record has: its number."""

    n: int


O = TypeVar("O")  # noqa: E741 - O for order
E = TypeVar("E")


class OrderRecord(Line, Generic[O], frozen=True, tag="order"):
    """An order was given by the seat ``by``.

    In a sealed group ``missing`` counts down: how many orders were wanting before this one; the one with 1 opens them
    all. 0 stands for an order that was not sealed. ``secret`` orders are never opened to other sides. ``asked`` is the
    question that it answers (see ``questions``).
    """

    by: str
    order: O
    missing: int = 0
    secret: bool = False
    asked: str = ""
    hash: str = ""


class EventRecord(Line, Generic[E], frozen=True, tag="event"):
    """An event happened."""

    event: E
    hash: str = ""


class RollRecord(Line, frozen=True, tag="roll"):
    """Dice fell under ``label``. ``by`` names who supplied them where that was not the key.

    Where a ``side`` is named, it alone may know of the roll. ``units`` names the unit behind each die.
    """

    label: str
    sides: int
    dice: tuple[int, ...]
    rule: str = ""
    needs: tuple[int, ...] = ()
    by: str = ""
    side: str = ""
    units: tuple[str, ...] = ()
    hash: str = ""


class RulingRecord(Line, Generic[E], frozen=True, tag="ruling"):
    """The umpire ruled, for ``reason``; every side sees it.

    Either ``event`` happened outside the rules, or (``amends``) the order in record ``amends`` is replaced: it and what
    followed count no more, and the same question is asked again. ``disputed`` is the record that the ruling is about,
    ``claim`` what was claimed, ``rule`` the rule id that decides. ``signature`` is the umpire's (log format,
    section 9).
    """

    by: str
    reason: str
    event: E | None = None
    amends: int = 0
    disputed: int = 0
    claim: str = ""
    rule: str = ""
    signature: str = ""
    hash: str = ""


class UndoRecord(Line, frozen=True, tag="undo"):
    """The seat ``by`` took back its order in record ``to``: that record and those after it count no more."""

    by: str
    to: int
    hash: str = ""


class SealRecord(Line, frozen=True, tag="seal"):
    """A phase ended with the state whose digest this is."""

    digest: str
    hash: str = ""


class CloseRecord(Line, frozen=True, tag="close"):
    """The game is over: who won, how, the final digest, and the key where the header only had its commitment."""

    outcome: str
    ending: str
    digest: str
    key: str = ""
    hash: str = ""


Record = OrderRecord[O] | EventRecord[E] | RollRecord | RulingRecord[E] | UndoRecord | SealRecord | CloseRecord
"""Any record that the kernel makes; generic in the ruleset's orders and events."""
