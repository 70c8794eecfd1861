"""The messages of the umpire's page, and of players who file a dispute, as JSON with the kind in ``t``."""

from typing import Annotated

from msgspec import Meta, Struct

MAX_REASON = 1_000
"""Maximum number of characters of a reason or claim; all of them are written into a log or a dispute file."""
MAX_SHORT = 200
"""Maximum number of characters of a name: a rule, an option, a seat, a player."""
MAX_JSON = 20_000
"""Maximum number of characters of an event or an order."""
LAST_RECORD = 1 << 31

Reason = Annotated[str, Meta(max_length=MAX_REASON)]
Short = Annotated[str, Meta(max_length=MAX_SHORT)]
Text = Annotated[str, Meta(max_length=MAX_JSON)]
Number = Annotated[int, Meta(ge=0, le=LAST_RECORD)]


class Request(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """A message about rulings or disputes; the reply has the same ``id``."""

    id: int = 0


class OpenDesk(Request, frozen=True, tag="desk"):
    """Ask for the material of the umpire's forms."""


class Rule(Request, frozen=True, tag="rule"):
    """Make a ruling: one of ``event``, ``amends`` with ``order``, ``option`` with ``value``, and ``withdraws``.

    ``event`` is JSON, and ``order`` is typed, in the ruleset's notation or as JSON. ``about`` is the record in
    question. ``dispute`` is the number of the dispute that it upholds, or 0.
    """

    reason: Reason = ""
    event: Text = ""
    amends: Number = 0
    order: Text = ""
    keeps_later: bool = False
    option: Short = ""
    value: Short = ""
    withdraws: Number = 0
    about: Number = 0
    claim: Reason = ""
    rule: Short = ""
    dispute: Number = 0


class Adjudicate(Request, frozen=True, tag="adjudicate"):
    """End the game with ``outcome``, a side or "draw", and the ``shares`` of the sides in thousandths, if given."""

    outcome: Short = ""
    reason: Reason = ""
    shares: dict[Short, Number] = {}


class Reseat(Request, frozen=True, tag="reseat"):
    """Give ``seat`` to ``player``: a bot, or "human" for a person with a new link."""

    seat: Short = ""
    player: Short = ""


class Explain(Request, frozen=True, tag="explain"):
    """Ask why ``record`` happened."""

    record: Number = 0


class AskChances(Request, frozen=True, tag="chances"):
    """Ask for the odds of the roll in ``record``, or of the first roll after it."""

    record: Number = 0


class WhatIf(Request, frozen=True, tag="what_if"):
    """Ask for the game with changes.

    ``faces`` are those of the roll in ``record``. ``order`` (typed) replaces the order in ``record``; ``event`` (JSON)
    happens before it. Or ``option`` has another ``value`` from the beginning. With ``bots``, bots answer where the
    recorded orders do not.
    """

    record: Number = 0
    faces: Annotated[tuple[int, ...], Meta(max_length=200)] = ()
    order: Text = ""
    event: Text = ""
    option: Short = ""
    value: Short = ""
    bots: bool = False


class Estimate(Request, frozen=True, tag="estimate"):
    """Ask how bots would end the game from its current position."""


class FileDispute(Request, frozen=True, tag="dispute"):
    """Dispute ``record`` with a sentence, and the ``rule`` in dispute, if known."""

    record: Number = 0
    claim: Reason = ""
    rule: Short = ""


class AnswerDispute(Request, frozen=True, tag="answer"):
    """Uphold or reject the dispute ``dispute``, with the reason ``text`` and the ``rule`` that decides."""

    dispute: Number = 0
    upheld: bool = False
    text: Reason = ""
    rule: Short = ""


class GetDispute(Request, frozen=True, tag="dispute_file"):
    """Ask for the file of the dispute ``dispute``."""

    dispute: Number = 0


Requests = (
    OpenDesk
    | Rule
    | Adjudicate
    | Reseat
    | Explain
    | AskChances
    | WhatIf
    | Estimate
    | FileDispute
    | AnswerDispute
    | GetDispute
)
