"""The messages of a game by mail: an invitation, an answer to it, and packets of orders and links.

Each is JSON with exact fields, signed by the side that sends it, and travels as a block of text (``armor``). Events and
rolls are not sent: the rules of each program make them, and the running hash at the end of a packet proves it.
"""

from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from sandtable.errors import DataError
from sandtable.journal.anchors.signing import is_signed
from sandtable.journal.hands.seeds import SeatKey
from sandtable.mail.armor import armored, unarmored

FORMAT = 1
MAX_ITEMS = 2_000
"""Maximum number of items in a packet."""
_encode = msgspec.json.Encoder(order="deterministic").encode


class JoinedSide(Struct, frozen=True, forbid_unknown_fields=True):
    """A side of a game: its public key, and tip and number of links of its chain for the dice."""

    side: str
    key: str
    tip: str
    links: int


class Signed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"):
    """A message with the ``signature`` of its sender."""

    signature: str = ""


class Invitation(Signed, frozen=True, tag="invitation", forbid_unknown_fields=True):
    """An invitation to a game; ``nonce`` are 64 hex digits that make it unique."""

    format: int
    ruleset: str
    ruleset_version: str
    ruleset_hash: str
    scenario: str
    scenario_hash: str
    options: dict[str, str]
    nonce: str
    party: JoinedSide


class Joining(Signed, frozen=True, tag="joining", forbid_unknown_fields=True):
    """The answer of a side that accepts an ``invitation``, which is named by its digest."""

    invitation: str
    party: JoinedSide


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The beginning of a game: the answers of all other sides to the invitation, by side.

    The header of the log follows from them, except for the version of the ``framework`` that it names.
    """

    framework: str
    joined: list[Joining]


class SentLink(Struct, frozen=True, tag="link", tag_field="is", forbid_unknown_fields=True):
    """The sender's link of ``epoch``, 64 hex digits."""

    epoch: int
    link: str


class SentOrder(Struct, frozen=True, tag="order", tag_field="is", forbid_unknown_fields=True):
    """An order of ``seat``; ``signature`` is that of the seat's hand up to here (log format, section 9)."""

    seat: str
    asked: str
    order: Raw
    signature: str


class SealedCommitment(Struct, frozen=True, tag="sealed", tag_field="is", forbid_unknown_fields=True):
    """A sealed order of ``seat`` as the seat's own commitment; ``signature`` as in ``SentOrder``."""

    seat: str
    asked: str
    own: str
    signature: str


class OpenedOrder(Struct, frozen=True, tag="opened", tag_field="is", forbid_unknown_fields=True):
    """The order and the salt of a SealedCommitment, sent when every seat of the group has one."""

    seat: str
    order: Raw
    salt: str


Item = SentLink | SentOrder | SealedCommitment | OpenedOrder


class LogPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A place in the log: a record, and the running hash after it."""

    record: int
    head: str


class Packet(Signed, frozen=True, tag="packet", forbid_unknown_fields=True):
    """Packet ``number`` (from 1) of side ``by``, which extends the log from ``start`` to ``end``.

    ``seen`` counts the packets of the other sides that its sender had taken. The first packet of the side that invited
    begins the game and has ``first``.
    """

    game: str
    by: str
    number: int
    start: LogPlace
    items: list[Item]
    end: LogPlace
    seen: dict[str, int] = {}
    first: Start | None = None


Message = Invitation | Joining | Packet
_Kind = TypeVar("_Kind", Invitation, Joining, Packet)
_decoder = msgspec.json.Decoder(Message)


def encoded(message: Any) -> bytes:
    """Return a message, or a part of one, in its canonical form."""
    return _encode(message)


def _signed_text(message: Message) -> bytes:
    return b"sandtable mail\n" + _encode(replace(message, signature=""))


def sign(message: _Kind, key: SeatKey) -> _Kind:
    """Return ``message`` with the signature of ``key``."""
    return replace(message, signature=key.sign(_signed_text(message)))


def is_from(message: Message, key: str) -> bool:
    """Return whether the owner of the public ``key`` signed ``message``. Raises SignaturesUnchecked."""
    return is_signed(key, _signed_text(message), message.signature)


def digest_of(message: Message) -> str:
    """Return the digest of a message, 64 hex digits."""
    return sha256(_encode(message)).hexdigest()


def title_of(message: Message) -> str:
    """Return the line for people before a block."""
    if isinstance(message, Invitation):
        return f"Sandtable: invitation to {message.ruleset}, {message.scenario}, from {message.party.side}"
    if isinstance(message, Joining):
        return f"Sandtable: answer of {message.party.side} to the invitation"
    return f"Sandtable: game {message.game}, packet {message.number} from {message.by}"


def text_of(message: Message) -> str:
    """Return a message as a block of text."""
    return armored(_encode(message), title_of(message))


def read_message(text: str, name: str) -> Message:
    """Return the message in ``text``; ``name`` names its source. Raises DataError."""
    try:
        message: Message = _decoder.decode(unarmored(text, name))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DataError(name, "", f"is not a message of `sandtable mail`: {error}") from error
    if isinstance(message, Packet) and len(message.items) > MAX_ITEMS:
        raise DataError(name, "", f"holds more than {MAX_ITEMS:,} items")
    if isinstance(message, Invitation) and message.format != FORMAT:
        raise DataError(name, "", f"has format {message.format}; this program reads format {FORMAT}")
    return message


def by_side(parties: list[JoinedSide]) -> dict[str, JoinedSide]:
    """Return parties by the name of their side, in ascending order."""
    return {each.side: each for each in sorted(parties, key=lambda party: party.side)}
