"""Rulings as people make them: an event or an order as JSON, applied to a resumed game, optionally signed."""

from typing import Any, NamedTuple

import msgspec  # noqa: TC002 - a type of an argument, also at run time

from sandtable.errors import DataError, PlayError
from sandtable.journal.anchors.rulings import signed
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import UNREADABLE
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.resume import Resumed
from sandtable.journal.verification.ruled import unknown_rule
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import RulingRecord


class Ruling(NamedTuple):
    """An umpire's ruling: an ``event``, or the ``order`` that replaces the one in record ``amends``; both as JSON."""

    event: str | None
    amends: int
    order: str | None
    reason: str
    disputed: int
    claim: str
    rule: str


def make_ruling(resumed: Resumed, request: Ruling, key: SigningKey | None) -> int:
    """Apply the ruling to the game and write it; return the number of its record.

    Raises DataError for JSON that is not an event or order of the ruleset. Raises PlayError or IllegalOrder if the
    ruling cannot be made, or is not signed with the key in the header. After an error the log is unchanged.
    """
    game, writer = resumed.game, resumed.writer
    unknown = unknown_rule(request.rule, resumed.prepared)
    if unknown:
        raise PlayError(f"{unknown}: cite an existing one (`sandtable ruleset rules`), or omit --rule")
    codec = RecordCodec.of(game.ruleset)
    event = None if request.event is None else _decoded(codec.event, request.event, "--event")
    order = None if request.order is None else _decoded(codec.order, request.order, "--order")
    facts = (request.amends, request.disputed, request.claim, request.rule)
    ruling: RulingRecord[Any] = RulingRecord(game.number + 1, UMPIRE, request.reason, event, *facts)
    if key is not None:
        ruling = signed(ruling, writer.head.hex(), key, resumed.header.keys)
    elif UMPIRE in resumed.header.keys:
        raise PlayError("the header names the umpire's key: sign the ruling with it (--sign KEY)")
    if order is None:
        game.apply(ruling)
    else:
        game.replace_order(ruling, order)
    writer.put(game.records)
    return ruling.n


def _decoded(decoder: "msgspec.json.Decoder[Any]", text: str, where: str) -> Any:
    try:
        return decoder.decode(text)
    except UNREADABLE as error:
        raise DataError(where, "", f"is not in the ruleset: {error}") from error
