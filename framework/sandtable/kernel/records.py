"""The lines of a log, as the kernel makes them; the journal writes and reads them (log format, section 4).

``n`` counts from 1; the header is line 0. ``hash`` is empty, except in a record that was read from the last line of a
stretch.
"""

from typing import Any, Generic, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from sandtable.kernel.events import GameEnded


class Line(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """The common base of all records: a line with its number."""

    n: int


O = TypeVar("O")  # noqa: E741 - O for order
E = TypeVar("E")
L = TypeVar("L", bound=Line)


class OrderRecord(Line, Generic[O], frozen=True, tag="order"):
    """An order was given by the seat ``by``.

    ``missing`` counts down in a sealed group: it is the number of orders that were still missing before this one, and
    the order with 1 opens them all. It is 0 for an order that was not sealed. ``secret`` orders are never shown to
    other sides. ``asked`` is the question that the order answers (see ``questions``).

    ``own_salt`` is that of the seat's own commitment to a sealed or secret order, and ``own`` is that commitment, which
    the journal computes (log format, section 8). Both are empty for a seat without a key.

    ``standing`` is the standing order that names the question, if any. It gave this answer, or did not because of
    ``refused``, one of the journal's reasons (log format, section 4).
    """

    by: str
    order: O
    missing: int = 0
    secret: bool = False
    asked: str = ""
    own: str = ""
    own_salt: str = ""
    standing: int = 0
    refused: str = ""
    hash: str = ""


class EventRecord(Line, Generic[E], frozen=True, tag="event"):
    """An event happened."""

    event: E
    hash: str = ""


class RollRecord(Line, frozen=True, tag="roll"):
    """Dice were rolled under ``label``. ``by`` names their source if they did not come from the key.

    If ``side`` is set, only that side may know of the roll. ``units`` names the unit behind each die.
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


class ClaimRecord(Line, frozen=True, tag="claim"):
    """The side ``by`` stated a fact that follows from its secrets, for ``purpose``; only in games without a keeper.

    ``fact`` is as in Claim.
    """

    by: str
    purpose: str
    value: Any
    rule: str = ""
    fact: str = ""
    hash: str = ""


class RulingRecord(Line, Generic[E], frozen=True, tag="ruling"):
    """The umpire made a ruling, for ``reason``; every side sees it.

    Either ``event`` happened outside the rules, or the order in record ``amends`` is replaced: that order and the
    records after it no longer count, and the same question is pending again. Or the ruling in record ``withdraws`` is
    taken back: if it was an event, it and the records after it no longer count; if it replaced an order, ``amends``
    names the order that replaced it, and the original order follows. ``disputed`` is the record that the ruling
    is about, ``claim`` the claim, and ``rule`` the rule id that decides. ``signature`` is the umpire's (log format,
    section 9).
    """

    by: str
    reason: str
    event: E | None = None
    amends: int = 0
    withdraws: int = 0
    disputed: int = 0
    claim: str = ""
    rule: str = ""
    signature: str = ""
    hash: str = ""


class UndoRecord(Line, frozen=True, tag="undo"):
    """The seat ``by`` took back its order in record ``to``: that record and those after it no longer count."""

    by: str
    to: int
    hash: str = ""


class EndRecord(Line, frozen=True, tag="end"):
    """People ended the game, not its rules: see ``endings``, which states who may end it, and with which outcome.

    ``by`` is the seat that resigned, or the umpire. ``how`` is one of ``endings.BY_PEOPLE``. ``outcome`` and ``shares``
    are as in GameEnded. ``sides`` are the sides that agreed to a draw, the side that resigned, or those that left.
    ``signatures`` are those of the seats whose keys are in the header (log format, section 9).
    """

    by: str
    how: str
    outcome: str
    reason: str = ""
    sides: tuple[str, ...] = ()
    shares: dict[str, int] = {}
    signatures: dict[str, str] = {}
    hash: str = ""

    @property
    def event(self) -> GameEnded:
        """The event that ends the game; it is not a record of its own."""
        return GameEnded(self.outcome, self.how, shares=self.shares or UNSET)


class SharesRecord(Line, frozen=True, tag="shares"):
    """All sides shared in the dice of ``epoch``: ``links``, in hex by name, are the next of their chains.

    ``at`` is the record of the answer to which the key of the epoch is bound, or 0 for the header (log format,
    section 5).
    """

    epoch: int
    at: int
    links: dict[str, str]
    hash: str = ""


class BurntRecord(Line, frozen=True, tag="burnt"):
    """Links of ``epoch`` were given for a sealed group after which nothing was rolled: the epoch is passed over."""

    epoch: int
    hash: str = ""


class ChainRecord(Line, frozen=True, tag="chain"):
    """``by`` announced a new chain, with its ``tip`` and number of ``links``, which continues its old one.

    ``link`` is the next link of the old chain: only its owner knows it.
    """

    by: str
    tip: str
    links: int
    link: str
    hash: str = ""


class HandRecord(Line, frozen=True, tag="hand", rename={"start": "from"}):
    """The seat ``by`` signed its orders and undos since its previous hand (log format, section 9).

    ``start`` is the record before the first question of the hand. ``items`` is the digest of the signed items, in hex.
    """

    by: str
    start: int
    items: str
    signature: str
    hash: str = ""


class KeyRecord(Line, frozen=True, tag="key"):
    """The seat ``by`` has the public ``key`` from here on (log format, section 9).

    ``proof`` is a signature by the new key. ``signatures`` are by the old key, or by the umpire or all other seats
    with keys if the old key was lost for ``reason``.
    """

    by: str
    key: str
    proof: str = ""
    reason: str = ""
    signatures: dict[str, str] = {}
    hash: str = ""


class StandingRecord(Line, Generic[O], frozen=True, tag="standing"):
    """The seat ``by`` gives a standing order, or takes back the one in record ``withdraws`` (log format, section 4).

    It answers questions whose purposes begin with one of ``purposes``, up to and including turn ``until`` (0: always),
    with ``answer`` or with the choice of the ruleset's bot ``policy``.
    """

    by: str
    purposes: tuple[str, ...] = ()
    policy: str = ""
    answer: O | None = None
    until: int = 0
    withdraws: int = 0
    hash: str = ""


class SealRecord(Line, frozen=True, tag="seal"):
    """A phase ended; ``digest`` is that of the state at this point."""

    digest: str
    hash: str = ""


class CloseRecord(Line, frozen=True, tag="close"):
    """The game is over: winner, kind of ending, final digest, and the key if the header had only its commitment.

    ``shares`` are those of GameEnded, or empty if they follow from ``outcome``.
    """

    outcome: str
    ending: str
    digest: str
    key: str = ""
    shares: dict[str, int] = {}
    hash: str = ""


OUTSIDE = (RulingRecord, EndRecord)
"""Kinds of records with an event that the rules did not cause."""
NOTES = (HandRecord, KeyRecord, StandingRecord)
"""Kinds of records that come from outside and change nothing in the game."""
WITH_EVENT = (EventRecord, *OUTSIDE)
"""Kinds of records with an event; that of a ruling may be None."""
OF_CHAINS = (SharesRecord, BurntRecord, ChainRecord)
"""Kinds of records of shared dice. No procedure makes them, so that running it again does not repeat them."""


def unsigned(record: L, number: int = 0) -> L:
    """Return a ruling, ending or key record without signatures and hash, numbered ``number`` unless that is 0."""
    bare: dict[str, Any] = {"signatures": {}} if isinstance(record, EndRecord | KeyRecord) else {"signature": ""}
    bare |= {"proof": ""} if isinstance(record, KeyRecord) else {}
    return replace(record, n=number or record.n, hash="", **bare)


def first_undone(record: object) -> int:
    """Return the number of the first record that no longer counts because of ``record``, or 0 if all still count."""
    if isinstance(record, UndoRecord):
        return record.to
    return (record.amends or record.withdraws) if isinstance(record, RulingRecord) else 0


Record = (
    OrderRecord[O]
    | EventRecord[E]
    | RollRecord
    | ClaimRecord
    | RulingRecord[E]
    | UndoRecord
    | SharesRecord
    | BurntRecord
    | ChainRecord
    | HandRecord
    | KeyRecord
    | StandingRecord[O]
    | SealRecord
    | EndRecord
    | CloseRecord
)
"""Any record that the kernel makes; generic in the ruleset's orders and events."""
