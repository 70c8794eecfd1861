"""What arena and bot say to each other: one JSON object a line, UTF-8, told apart by ``type`` (``docs/bots.md``).

What a bot says is decoded strictly: an unknown field, a wrong type, too deep a nesting or too long a number is a fault.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from sandtable.errors import IllegalOrder, LogError
from sandtable.journal.format.limits import check_line
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import Refusal
from sandtable.quoting import plain

VERSION = 1
"""The version of the protocol: told in ``hello``, and said again in ``ready``."""

MOST_AT_ONCE = 256
"""So many orders are sampled, or listed, for one request."""

MOST_LISTED = 10_000
"""A list is asked for up to here."""

MOST_REQUESTS = 1_000
"""So many requests are answered in one decision."""


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """The first line to a bot: what is played and by whom. ``seed`` is for its own chance; the dice are not in it."""

    protocol: int
    framework: str
    ruleset: str
    ruleset_version: str
    variants: tuple[str, ...]
    scenario: str
    options: dict[str, str]
    sides: tuple[str, ...]
    side: str
    seats: tuple[str, ...]
    seed: int
    limits: dict[str, int]


class Question(Struct, frozen=True, tag="decision", tag_field="type"):
    """A decision: ``id`` counts from 1, ``options`` is a description, ``done`` the order that ends a repeated one."""

    id: int
    side: str
    seat: str
    prompt: str
    rule: str
    options: dict[str, Any]
    done: Any
    view: Any


class Orders(Struct, frozen=True, tag="orders", tag_field="type"):
    """The answer to ``sample`` and ``list``; ``more`` tells that the list goes on."""

    id: int
    orders: list[Any]
    more: bool = False


class Judged(Struct, frozen=True, tag="judged", tag_field="type"):
    """The answer to ``judge``: whether an order may be given, and if not, the rule and the reason."""

    id: int
    legal: bool
    rule: str = ""
    reason: str = ""


class End(Struct, frozen=True, tag="end", tag_field="type"):
    """The last line to a bot: who won ("draw": nobody; "": nobody yet) and how the game ended. It should leave now."""

    outcome: str
    ending: str


class Ready(Struct, frozen=True, tag="ready", tag_field="type", forbid_unknown_fields=True):
    """The first line of a bot."""

    protocol: int
    name: str = ""


class Reply(Struct, frozen=True, tag="answer", tag_field="type", forbid_unknown_fields=True):
    """The order for decision ``id``."""

    id: int
    order: Raw


class Sample(Struct, frozen=True, tag="sample", tag_field="type", forbid_unknown_fields=True):
    """A request for ``count`` legal orders, drawn at random."""

    id: int
    count: int = 1


class ListOrders(Struct, frozen=True, tag="list", tag_field="type", forbid_unknown_fields=True):
    """A request for ``count`` legal orders in their fixed order, from number ``start`` (from 0) on."""

    id: int
    start: int = 0
    count: int = MOST_AT_ONCE


class Judge(Struct, frozen=True, tag="judge", tag_field="type", forbid_unknown_fields=True):
    """A question whether ``order`` may be given."""

    id: int
    order: Raw


Said = Ready | Reply | Sample | ListOrders | Judge
"""Whatever a bot may say."""

ENCODER = msgspec.json.Encoder()
_SAID: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError, MemoryError)
"""What decoding hostile bytes may raise."""


def encode(message: Struct) -> bytes:
    """Return the line of ``message``, its end included."""
    return ENCODER.encode(message) + b"\n"


def decode(line: bytes) -> Said:
    """Return what a bot said; raises ValueError with the reason in one line when that is no message."""
    try:
        check_line(line, 1, "")
    except LogError:
        raise ValueError("is nested too deep, too long, or holds too long a number") from None
    try:
        return _SAID.decode(line)
    except UNREADABLE as error:
        raise ValueError(reason_of(error)) from None


def try_order(decision: Decision, order: Any) -> Refusal | None:
    """Return why a bot's ``order`` is illegal, or None. An order on which the rules fail is illegal, too."""
    try:
        return decision.why_not(order)
    except IllegalOrder as error:
        return Refusal(error.rule or decision.rule, error.reason)
    except Exception as error:  # noqa: BLE001 - a strange order must not end a tournament, whichever code fails on it
        return Refusal("", f"the rules cannot judge this order: {type(error).__name__}: {reason_of(error)}")


def reason_of(error: BaseException) -> str:
    """Return what a decoder complained of, in one line of moderate length."""
    text = " ".join(str(error).split()) or type(error).__name__
    return plain(text[:200])
