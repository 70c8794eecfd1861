"""Events: facts in the past tense, and the kernel's own."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Event(Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """A fact of the game. Subclass it once for each kind of fact, in the past tense.

    An event is self-sufficient: it carries all that its handler needs (full paths, the modifiers of a total, the table
    row). Fields are plain data. Every subclass ends with ``rule: str = "<rule id>"``, the rule that made it happen;
    where its figures come out of a sum or a table, ``calculations: Calculations = UNSET`` follows.

    A field that may be UNSET is left out of the log when it is.
    """


class Calculation(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """How a figure of an event came about: ``steps`` that add up, then the cell of a table that it was looked up in.

    ``name`` says which figure: "superiority", "attack". A step is (what, amount, rule id): a unit and its strength, a
    modifier, a column shift; the figure is the sum of all amounts, so a doubling adds as much again. ``table`` is (id
    of the table, row, column) as the table prints them; () where none was used.
    """

    name: str
    steps: tuple[tuple[str, int, str], ...] = ()
    table: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The figure: the sum of all steps."""
        return sum(amount for _, amount, _ in self.steps)


Calculations = tuple[Calculation, ...] | UnsetType
"""The type of an event's field ``calculations``; its default is ``UNSET``."""

__all__ = [
    "KERNEL_EVENTS",
    "UNSET",
    "Calculation",
    "Calculations",
    "Event",
    "EventGroup",
    "GameEnded",
    "PhaseBegan",
    "PhaseEnded",
    "TurnBegan",
]


class EventGroup(Event, frozen=True):
    """Several events in one record. A subclass has a field ``happened``, a list of the events that it may hold.

    Its handler is the kernel's: each of them happens, by its own handler. What a side sees of a group, ``visible``
    tells as of any event.
    """


class TurnBegan(Event, frozen=True):
    """A game-turn began."""

    turn: int
    rule: str = ""


class PhaseBegan(Event, frozen=True):
    """A phase began. ``phase`` is its path in the sequence of play, ``side`` and ``power`` who is on move there."""

    phase: str
    side: str = ""
    power: str = ""
    rule: str = ""


class PhaseEnded(Event, frozen=True):
    """A phase ended; the phase in place ``next`` of the sequence of play comes after it."""

    phase: str
    next: int
    rule: str = ""


class GameEnded(Event, frozen=True):
    """The game is over. ``outcome`` is the winning side or "draw"; ``ending`` a token for how it came about.

    ``margin`` is by how much, by side: what each has won or lost, in points. Where it is told, matches add it up, and
    players who try things out prefer, of two wins, or of two defeats, the one with more. Ratings count wins.
    """

    outcome: str
    ending: str
    rule: str = ""
    margin: dict[str, int] | UnsetType = UNSET


def margin_in(records: Sequence[Any]) -> dict[str, int]:
    """Return by how much each side won or lost the game of ``records``, in points; {} where its rules do not tell."""
    for record in reversed(records):
        ended = getattr(record, "event", None)
        if isinstance(ended, GameEnded):
            return ended.margin if isinstance(ended.margin, dict) else {}
    return {}


KERNEL_EVENTS: tuple[type[Event], ...] = (TurnBegan, PhaseBegan, PhaseEnded, GameEnded)
