"""Which question an order answers: its label, and a digest of what was put before the player.

The label of a question is made like that of a roll: ``<turn>/<phase>/<purpose>/<k>``, k counting from 1 the questions
for that purpose that were answered in that phase of that turn. Where a decision has no purpose, the seat stands for it.
Label and digest stand in the log: an order that was given to one question is no answer to another, legal or not.
"""

from hashlib import sha256
from typing import Any

from msgspec import Struct, json

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import PURPOSE, Decision

NO_PHASE = "-"
"""Stands in a label between two phases."""

DIGEST_DIGITS = 16
MARK = "#"
"""Stands between label and digest in the log."""

_encode = json.Encoder(order="deterministic").encode


class Question(Struct, gc=False):
    """The question that an order answered, until its text is wanted: making that in the hot loop would be felt.

    ``place`` is phase (none between two phases) and purpose, with a stroke between them; ``count`` the k of the label.
    """

    turn: int
    place: str
    count: int
    decision: Decision


def label_of(asked: Question) -> str:
    """Return the label of the question; raises RulesetError for a purpose that makes none."""
    if not PURPOSE.fullmatch(asked.place.rpartition("/")[2]):
        raise RulesetError(f"{asked.place!r}: no purpose of a question: letters, digits and . _ : - make one")
    return f"{asked.turn}/{asked.place if asked.place[0] != '/' else NO_PHASE + asked.place}/{asked.count}"


def place_of(asked: Any) -> str:
    """Return phase and purpose of a question, as ``Question.place`` has them; ``asked`` may be the text in the log."""
    if asked.__class__ is Question:
        return str(asked.place)
    place: str = asked.partition("/")[2].rpartition("/")[0]
    return place.removeprefix(NO_PHASE)


def outline(decision: Decision) -> bytes:
    """Return what was put before the player, as JSON: who was asked, what, by which rule, and the options."""
    told = [decision.seat, decision.prompt, decision.rule, decision.options.outline()]
    return _encode(told)


def text_of(asked: Question, salt: bytes = b"") -> str:
    """Return label and digest as they stand in the log.

    In games with secrets a ``salt`` goes before what is hashed: what is put before a side may tell of them.
    """
    label = label_of(asked)
    told = sha256(salt + label.encode() + outline(asked.decision)).hexdigest()
    return f"{label}{MARK}{told[:DIGEST_DIGITS]}"
