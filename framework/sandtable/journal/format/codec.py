"""Encoding records as lines and decoding lines as records."""

from functools import reduce
from operator import or_
from typing import Any, ClassVar

from msgspec import json

from sandtable.journal.format.chain import bodies_of
from sandtable.kernel.events import OptionSet
from sandtable.kernel.records import (
    BurntRecord,
    ChainRecord,
    ClaimRecord,
    CloseRecord,
    EndRecord,
    EventRecord,
    HandRecord,
    KeyRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
    SealRecord,
    SharesRecord,
    StandingRecord,
    UndoRecord,
)
from sandtable.kernel.ruleset import Ruleset

ENCODER = json.Encoder()


def encode_bodies(records: list[Any]) -> list[bytes]:
    """Return the bodies of ``records``, without the hash field."""
    return bodies_of(ENCODER.encode_lines(records))


class RecordCodec:
    """Decoders for the records in the logs of one ruleset."""

    _known: ClassVar[dict[tuple[Any, ...], "RecordCodec"]] = {}

    @classmethod
    def of(cls, ruleset: Ruleset) -> "RecordCodec":
        """Return the codec of ``ruleset``; rulesets with the same messages share one."""
        key = (ruleset.orders, ruleset.events)
        if key not in cls._known:
            cls._known[key] = cls(ruleset)
        return cls._known[key]

    def __init__(self, ruleset: Ruleset) -> None:
        orders: Any = reduce(or_, ruleset.all_orders)
        events: Any = reduce(or_, ruleset.all_events)
        ruled: Any = events | OptionSet
        others: Any = RollRecord | ClaimRecord | UndoRecord | SealRecord | EndRecord | CloseRecord
        others |= SharesRecord | BurntRecord | ChainRecord | HandRecord | KeyRecord | StandingRecord[orders]
        self.any: json.Decoder[Any] = json.Decoder(
            OrderRecord[orders] | EventRecord[events] | RulingRecord[ruled] | others
        )
        self.events: json.Decoder[Any] = json.Decoder(list[EventRecord[events]])
        self.orders: json.Decoder[Any] = json.Decoder(list[OrderRecord[orders]])
        self.event: json.Decoder[Any] = json.Decoder(ruled)
        self.order: json.Decoder[Any] = json.Decoder(orders)
