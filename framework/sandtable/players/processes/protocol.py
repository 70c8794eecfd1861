"""The messages between framework and bot: one JSON object per line, in UTF-8, distinguished by ``type``.

They are documented in ``docs/bots.md``. Messages of a bot are decoded strictly: an unknown field, a wrong type,
excessive nesting or a number with too many digits is a fault.
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
"""Version of the protocol, sent in ``hello`` and repeated in ``ready``."""

MAX_AT_ONCE = 256
"""Maximum number of orders per request."""

MAX_LISTED = 10_000
"""Largest start index of a list request."""

MAX_REQUESTS = 1_000
"""Maximum number of requests that are answered in one decision."""


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """The first line to a bot: the game and its players. ``seed`` is for its own random choices, not for the dice."""

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
    """The answer to ``sample`` and ``list``. ``more`` means that the list continues."""

    id: int
    orders: list[Any]
    more: bool = False


class Judged(Struct, frozen=True, tag="judged", tag_field="type"):
    """The answer to ``judge``: whether an order is legal, and if not, the rule and the reason."""

    id: int
    legal: bool
    rule: str = ""
    reason: str = ""


class End(Struct, frozen=True, tag="end", tag_field="type"):
    """The last line to a bot: the winner ("draw", or "" if undecided) and the ending. The bot should exit now."""

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
    """A request for ``count`` random legal orders."""

    id: int
    count: int = 1


class ListOrders(Struct, frozen=True, tag="list", tag_field="type", forbid_unknown_fields=True):
    """A request for ``count`` legal orders in their fixed order, starting with number ``start`` (from 0)."""

    id: int
    start: int = 0
    count: int = MAX_AT_ONCE


class Judge(Struct, frozen=True, tag="judge", tag_field="type", forbid_unknown_fields=True):
    """A request to check whether ``order`` is legal."""

    id: int
    order: Raw


BotMessage = Ready | Reply | Sample | ListOrders | Judge
"""All messages of a bot."""

ENCODER = msgspec.json.Encoder()
_BOT_MESSAGE: msgspec.json.Decoder[BotMessage] = msgspec.json.Decoder(BotMessage)
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError, MemoryError)
"""Exceptions that decoding hostile bytes may raise."""


def encode(message: Struct) -> bytes:
    """Return the line of ``message``, including its end."""
    return ENCODER.encode(message) + b"\n"


def decode(line: bytes) -> BotMessage:
    """Return a bot's message. Raises ValueError with the reason in one line if it is invalid."""
    try:
        check_line(line, 1, "")
    except LogError:
        raise ValueError("is nested too deeply, is too long, or contains a number with too many digits") from None
    try:
        return _BOT_MESSAGE.decode(line)
    except UNREADABLE as error:
        raise ValueError(reason_of(error)) from None


def try_order(decision: Decision, order: Any) -> Refusal | None:
    """Return why a bot's ``order`` is illegal, or None. An order on which the rules fail is illegal as well."""
    try:
        return decision.why_not(order)
    except IllegalOrder as error:
        return Refusal(error.rule or decision.rule, error.reason)
    except Exception as error:  # noqa: BLE001 - a strange order must not end a tournament, whichever code fails on it
        return Refusal("", f"the rules cannot judge this order: {type(error).__name__}: {reason_of(error)}")


def reason_of(error: BaseException) -> str:
    """Return a decoder's complaint in one line of at most 200 characters."""
    text = " ".join(str(error).split()) or type(error).__name__
    return plain(text[:200])
