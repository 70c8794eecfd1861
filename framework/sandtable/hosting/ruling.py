"""Rulings as people make them: an event or an order as JSON, put into a game that was taken up, signed if wanted."""

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
    """What the umpire rules: an ``event``, or the ``order`` in the place of that in record ``amends``; both as JSON."""

    event: str | None
    amends: int
    order: str | None
    reason: str
    disputed: int
    claim: str
    rule: str


def make_ruling(resumed: Resumed, told: Ruling, key: SigningKey | None) -> int:
    """Apply the ruling to the game and write it; return the number of its record.

    Raises DataError for JSON that is no event or order of the ruleset, PlayError or IllegalOrder where it cannot be
    made or is not signed as the header wants it: the log stays as it was then.
    """
    game, writer = resumed.game, resumed.writer
    unknown = unknown_rule(told.rule, resumed.prepared)
    if unknown:
        raise PlayError(f"{unknown}: cite one that it has (`sandtable ruleset rules`), or leave --rule out")
    codec = RecordCodec.of(game.ruleset)
    event = None if told.event is None else _decoded(codec.event, told.event, "--event")
    order = None if told.order is None else _decoded(codec.order, told.order, "--order")
    facts = (told.amends, told.disputed, told.claim, told.rule)
    ruling: RulingRecord[Any] = RulingRecord(game.number + 1, UMPIRE, told.reason, event, *facts)
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
        raise DataError(where, "", f"is none of the ruleset's: {error}") from error
