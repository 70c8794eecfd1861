"""Records to lines and lines to records."""

from functools import reduce
from operator import or_
from typing import Any

from msgspec import json

from sandtable.journal.chain import bodies_of
from sandtable.kernel.records import (
    CloseRecord,
    EventRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
    SealRecord,
    UndoRecord,
)
from sandtable.kernel.ruleset import Ruleset

ENCODER = json.Encoder()


def encode_bodies(records: list[Any]) -> list[bytes]:
    """Return the bodies (no hash field yet) of ``records``."""
    return bodies_of(ENCODER.encode_lines(records))


class RecordCodec:
    """Reads the records of one ruleset's logs."""

    def __init__(self, ruleset: Ruleset) -> None:
        orders: Any = reduce(or_, ruleset.all_orders)
        events: Any = reduce(or_, ruleset.all_events)
        others: Any = RollRecord | UndoRecord | SealRecord | CloseRecord
        self.any: json.Decoder[Any] = json.Decoder(
            OrderRecord[orders] | EventRecord[events] | RulingRecord[events] | others
        )
        self.events: json.Decoder[Any] = json.Decoder(list[EventRecord[events]])
        self.event: json.Decoder[Any] = json.Decoder(events)
        self.order: json.Decoder[Any] = json.Decoder(orders)
