"""Events: facts in the past tense, including those of the kernel."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Event(Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """A fact of the game. Define one subclass for each kind of fact, named in the past tense.

    An event is self-sufficient: it contains all the data that its handler needs (full paths, the modifiers of a total,
    the table row). Fields are plain data. Every subclass ends with ``rule: str = "<rule id>"``, the rule that caused
    the event. If its figures result from a sum or a table, ``calculations: Calculations = UNSET`` follows.

    A field that may be UNSET is left out of the log when it is.
    """


class Calculation(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """The calculation of one figure of an event: ``steps`` that add up, then the table cell that was looked up.

    ``name`` identifies the figure: "superiority", "attack". A step is (what, amount, rule id): a unit and its strength,
    a modifier, or a column shift. The figure is the sum of all amounts, so a doubling adds the same amount again.
    ``table`` is (table id, row, column) as printed, or () if no table was used.
    """

    name: str
    steps: tuple[tuple[str, int, str], ...] = ()
    table: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The figure: the sum of the amounts of all steps."""
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
    "OptionSet",
    "PhaseBegan",
    "PhaseEnded",
    "SideEliminated",
    "TurnBegan",
]


class EventGroup(Event, frozen=True):
    """Several events in one record. A subclass has a field ``happened`` that lists the events it may contain.

    The kernel handles the group by calling the handler of each event. ``visible`` decides what a side sees of a group,
    as for any other event.
    """


class SideEliminated(Event, frozen=True):
    """A side is out of the game. A subclass has a field ``side`` that names it.

    The side shares nothing of the result: a draw after an elimination states its ``shares`` (see GameEnded).
    """


class TurnBegan(Event, frozen=True):
    """A game-turn began."""

    turn: int
    rule: str = ""


class PhaseBegan(Event, frozen=True):
    """A phase began. ``phase`` is its path in the sequence of play; ``side`` and ``power`` name the one on move."""

    phase: str
    side: str = ""
    power: str = ""
    rule: str = ""


class PhaseEnded(Event, frozen=True):
    """A phase ended. The phase at index ``next`` of the sequence of play follows."""

    phase: str
    next: int
    rule: str = ""


class GameEnded(Event, frozen=True):
    """The game is over. ``outcome`` is the winning side or "draw"; ``ending`` is a token for the kind of ending.

    ``margin`` gives the points that each side won or lost by. If it is set, matches add it up, and players that search
    prefer the larger margin among equal results. Ratings count shares, not margins.

    ``shares`` gives each side's share of the game in thousandths; they add up to 1,000. Set it if ``outcome`` alone
    does not define the shares: a draw among some of several sides, or a game scored by points. Without it a winner gets
    everything, and a draw is shared equally by all sides. ``equal_shares`` makes the shares of survivors.
    """

    outcome: str
    ending: str
    rule: str = ""
    margin: dict[str, int] | UnsetType = UNSET
    shares: dict[str, int] | UnsetType = UNSET


class OptionSet(Event, frozen=True):
    """An option of the ruleset got another value, from here on. Only a ruling sets one; the rules do not yield it."""

    option: str
    value: str
    rule: str = ""


def margin_in(records: Sequence[Any]) -> dict[str, int]:
    """Return the points by which each side won or lost the game of ``records``, or {} if the rules report no margin."""
    ended = _ending_in(records)
    return ended.margin if ended and ended.margin else {}


def shares_in(records: Sequence[Any]) -> dict[str, int]:
    """Return the shares that the end of ``records`` states, or {} if it states none or the game is not over."""
    ended = _ending_in(records)
    return ended.shares if ended and ended.shares else {}


def _ending_in(records: Sequence[Any]) -> GameEnded | None:
    events = (getattr(record, "event", None) for record in reversed(records))
    return next((event for event in events if isinstance(event, GameEnded)), None)


KERNEL_EVENTS: tuple[type[Event], ...] = (TurnBegan, PhaseBegan, PhaseEnded, GameEnded)
