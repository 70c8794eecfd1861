"""The messages of a page, as JSON with the kind in ``t``, and limits on them. Unknown kinds and fields are refused."""

import time
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.web.asking.walk import SheetLine
from sandtable.web.umpire.requests import Requests

MAX_MESSAGE = 65_536
"""Maximum number of bytes of a message."""
RATE, BURST = 20.0, 60.0
"""Maximum number of messages per second on average, and in one burst."""
MAX_SOCKETS = 12
"""Maximum number of open pages for one link."""
MAX_AT_TABLE = 120
MAX_UNSENT = 256
"""Maximum number of messages that wait for a slow page."""
JOIN_SECONDS = 5.0
SEND_SECONDS = 5.0
MAX_TEXT = 20_000
"""Maximum number of characters of a typed text."""
MAX_CHAT = 2_000


class Message(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """A message of a page; the reply has the same ``id``."""

    id: int = 0


class Join(Message, frozen=True, tag="join"):
    """The first message: the secret of a link; with ``plan``, for a planning board."""

    token: str = ""
    plan: bool = False


class Asked(Message, frozen=True):
    """A message about the question with the label ``q``."""

    q: str = ""


class Expand(Asked, frozen=True, tag="expand"):
    """Ask for the next step after ``picks``; with ``line``, of that line of the sheet there, after ``within``."""

    picks: tuple[str, ...] = ()
    line: str = ""
    within: tuple[str, ...] = ()
    lines: dict[str, SheetLine] = {}


class Give(Asked, frozen=True, tag="give"):
    """Give the order that ``picks`` lead to."""

    picks: tuple[str, ...] = ()


class Typed(Asked, frozen=True, tag="typed"):
    """Give the order that ``text`` means, in the ruleset's notation or as JSON."""

    text: str = ""


class WriteLines(Asked, frozen=True, tag="write"):
    """Read typed lines for the sheet after ``picks``."""

    picks: tuple[str, ...] = ()
    text: str = ""


class Staff(Asked, frozen=True, tag="staff"):
    """Ask the staff for an order or, for the sheet after ``picks``, for its blank lines."""

    picks: tuple[str, ...] = ()
    lines: dict[str, SheetLine] = {}


class Keep(Asked, frozen=True, tag="keep"):
    """Keep an unfinished order for the next visit: the picks and the lines of a sheet."""

    picks: tuple[str, ...] = ()
    lines: dict[str, SheetLine] = {}


class AskOdds(Asked, frozen=True, tag="odds"):
    """Ask for the odds of the order that ``picks`` lead to."""

    picks: tuple[str, ...] = ()


class AskRules(Asked, frozen=True, tag="query"):
    """Ask the ruleset: ``text`` is a query as for the command ``ask``."""

    text: str = ""


class LookAt(Message, frozen=True, tag="look"):
    """Look at a counter or place of the board; with ``other``, at the line of sight between them."""

    what: str = ""
    other: str = ""


class Undo(Message, frozen=True, tag="undo"):
    """Take back my last order."""


class Resign(Message, frozen=True, tag="resign"):
    """Resign for the side of my seat."""


class OfferDraw(Message, frozen=True, tag="draw"):
    """Offer a draw, or agree to the draw that was offered."""


class SayWords(Message, frozen=True, tag="say"):
    """Send a line of chat to all at the table."""

    words: str = ""


class CheckDice(Message, frozen=True, tag="dice"):
    """Ask for the rolls of the line of the story that has the number ``record``."""

    record: int = 0


class Ping(Message, frozen=True, tag="ping"):
    """Ask whether the connection is alive."""


class AskReview(Message, frozen=True, tag="review"):
    """Ask for the review of a finished game; the page then sees everything."""


class Lead(Message, frozen=True, tag="lead"):
    """Show the others who look together the record that I look at."""

    record: int = 0


class TryOrder(Message, frozen=True, tag="branch"):
    """Ask for a branch of a finished game in which the order in ``record`` is still to be given."""

    record: int = 0


class Rematch(Message, frozen=True, tag="rematch"):
    """Agree to play again; with ``swap``, the players change sides."""

    swap: bool = False


class ClaimTime(Message, frozen=True, tag="claim"):
    """Claim the game because the time of ``seat`` ran out."""

    seat: str = ""


class Pause(Message, frozen=True, tag="pause"):
    """Agree to stop the clock, or let it run again."""

    on: bool = True


class WriteNote(Message, frozen=True, tag="note"):
    """Keep a private note of my seat."""

    text: str = ""


class SetWebhook(Message, frozen=True, tag="webhook"):
    """Post notices of my seat to ``url``, or to none."""

    url: str = ""


class SetPlan(Message, frozen=True, tag="plan"):
    """Choose dice and opponents of a plan, and with ``deal`` another position."""

    dice: str = "expected"
    others: str = "bot"
    deal: bool = False


class PlanFaces(Message, frozen=True, tag="faces"):
    """The faces of the pending roll of a plan."""

    faces: tuple[int, ...] = ()


AtAnyTime = (
    Undo
    | Resign
    | OfferDraw
    | SayWords
    | CheckDice
    | Ping
    | AskReview
    | Lead
    | TryOrder
    | Rematch
    | SetPlan
    | PlanFaces
    | ClaimTime
    | Pause
    | WriteNote
    | SetWebhook
)
Incoming = Join | Expand | Give | Typed | WriteLines | Staff | Keep | AskOdds | AskRules | LookAt | AtAnyTime

decoder: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(Incoming | Requests)
encode = msgspec.json.Encoder().encode


class BadMessage(ValueError):
    """A message that is not one of ours."""


def read_message(text: str) -> Any:
    """Return the message in ``text``. Raises BadMessage."""
    try:
        message = decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BadMessage(str(error)) from error
    if len(getattr(message, "text", "")) > MAX_TEXT or len(getattr(message, "words", "")) > MAX_CHAT:
        raise BadMessage("the text is too long")
    return message


class Bucket:
    """A budget of messages that refills with time."""

    def __init__(self) -> None:
        self._left, self._at = BURST, time.monotonic()

    def take(self) -> bool:
        """Take one message; return whether there was one left."""
        now = time.monotonic()
        self._left, self._at = min(BURST, self._left + RATE * (now - self._at)), now
        self._left -= 1
        return self._left >= 0
