"""Questions: the label of the question that an order answers, and a digest of its options.

The label of a question is made like that of a roll: ``<turn>/<phase>/<purpose>/<k>``. Here k counts, from 1, the
questions with that purpose that were answered in that phase of that turn. A decision without a purpose uses its seat
instead.

Label and digest are stored in the log: an order that was given to one question does not answer another, even if it is
legal there. The digest covers the label, the seat, the rule and the outline of the options. It covers no prose, so
prompts may be reworded.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import Struct, json, structs

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import PURPOSE, Decision

NO_PHASE = "-"
"""The phase in a label between two phases."""

DIGEST_DIGITS = 16
MARK = "#"
"""The separator between label and digest in the log."""

_encode = json.Encoder(order="deterministic").encode


class AnsweredQuestion(Struct, eq=False, gc=False):
    """The question that an order answered; its text is made only on demand, to keep the hot loop fast.

    ``place`` is phase (empty between two phases) and purpose, joined by a slash; ``count`` is the k of the label.
    """

    turn: int
    place: str
    count: int
    decision: Decision

    def __eq__(self, other: object) -> bool:
        return text_of(self) == (text_of(other) if isinstance(other, AnsweredQuestion) else other)

    def __hash__(self) -> int:
        return hash((self.turn, self.place, self.count))


def label_of(asked: Any) -> str:
    """Return the label of the question; raises RulesetError if the purpose contains invalid characters."""
    return f"{asked.turn}/{_place_in_label(asked.place)}/{asked.count}"


@lru_cache(maxsize=4096)
def _place_in_label(place: str) -> str:
    if not PURPOSE.fullmatch(place.rpartition("/")[2]):
        raise RulesetError(f"{place!r} is not a valid purpose of a question: use letters, digits and . _ : -")
    return place if place[0] != "/" else NO_PHASE + place


def place_of(asked: Any) -> str:
    """Return the phase and purpose in the form of ``AnsweredQuestion.place``; ``asked`` may be the text in the log."""
    if asked.__class__ is AnsweredQuestion:
        return str(asked.place)
    place: str = asked.partition("/")[2].rpartition("/")[0]
    return place.removeprefix(NO_PHASE)


def settled(record: Any) -> Any:
    """Return an order record with its question as text; any other record is returned unchanged."""
    asked = getattr(record, "asked", None)
    return structs.replace(record, asked=text_of(asked)) if isinstance(asked, AnsweredQuestion) else record


def text_of(asked: AnsweredQuestion, salt: bytes = b"") -> str:
    """Return the label and digest as they are stored in the log.

    In games with secrets a ``salt`` is put before the hashed data, because the options of a side can reveal secrets.
    """
    label, decision = f"{asked.turn}/{_place_in_label(asked.place)}/{asked.count}", asked.decision
    content = _encode((label, decision.power or decision.side, decision.rule, decision.options.outline()))
    return f"{label}{MARK}{sha256(salt + content if salt else content).hexdigest()[:DIGEST_DIGITS]}"
