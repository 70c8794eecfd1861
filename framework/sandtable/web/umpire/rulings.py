"""Rulings on a game in progress, and the material of the forms in which the umpire makes them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.errors import IllegalOrder, PlayError
from sandtable.hosting.ruling import Ruled, Ruling, example_events, make_ruling
from sandtable.journal.file.log import UNREADABLE
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.lines import LineForm
from sandtable.journal.hands.writing import Hands
from sandtable.journal.resume import Resumed
from sandtable.kernel.decisions import UMPIRE, EnterDice, Order
from sandtable.kernel.dice import ChanceDice
from sandtable.kernel.events import KERNEL_EVENTS, Event, OptionSet
from sandtable.kernel.play.endings import adjudication
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RulingRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.players.playouts import standing
from sandtable.plugin.manager import Prepared
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.menu import from_notation, order_of_json, read_typed
from sandtable.viewer.story import story_of
from sandtable.web.asking.dice import typed_dice
from sandtable.web.live.game import LiveGame
from sandtable.web.umpire.requests import MAX_JSON, Rule

MAX_ORDERS = 60
"""Maximum number of recent orders that the form for a replaced order lists."""
MAX_RULINGS = 100
LONGEST = 240


class Unwritten:
    """A destination of records that writes nothing: a table stores new records after each change, outside its loop."""

    form: LineForm | None = None
    count = 0
    head = b""

    def put(self, records: Sequence[Any]) -> None:
        """Do nothing."""


def make(live: LiveGame, request: Rule) -> Ruled:
    """Make a ruling on ``live``, with the functions of ``sandtable log rule``; the caller stores it.

    Raises PlayError, DataError or IllegalOrder, and then the game is unchanged.
    """
    reason = request.reason.strip()
    if not reason:
        raise PlayError("a ruling needs a reason: all players read it")
    given = [request.event, request.amends, request.option, request.withdraws]
    if sum(map(bool, given)) != 1:
        raise PlayError(
            "a ruling is an event, an order that replaces another, an option, or the withdrawal of a ruling"
        )
    order = None
    if request.amends:
        order = msgspec.json.encode(typed_order(live.prepared, live.game, request.amends, request.order)).decode()
    setting = (request.option, request.value) if request.option else None
    about = request.about or request.amends or request.withdraws
    if about > live.game.number:
        raise PlayError(f"record {about} does not exist: the last record is {live.game.number}")
    if request.event:
        _try(live, request.event)
    ruling = Ruling(
        request.event or None,
        request.amends,
        order,
        reason,
        about,
        request.claim.strip(),
        request.rule.strip(),
        request.withdraws,
        request.keeps_later,
        setting,
    )
    hands = Hands(live.header, Unwritten())
    ruled = make_ruling(Resumed(live.game, live.writer, live.header, live.prepared, live.key, hands), ruling, None)
    live.after_ruling()
    return ruled


def event_of(ruleset: Ruleset, text: str) -> Event:
    """Return the event in the JSON ``text``. Raises PlayError for another text, and for an event of the kernel."""
    try:
        event: Event = RecordCodec.of(ruleset).event.decode(text)
    except UNREADABLE as error:
        raise PlayError(f"this is not an event of {ruleset.id}: {error}") from error
    if isinstance(event, (*KERNEL_EVENTS, OptionSet)):
        raise PlayError(f"{type(event).__name__} belongs to the sequence of play: a ruling cannot make it happen")
    return event


def _try(live: LiveGame, text: str) -> None:
    """Raise PlayError if the ruleset fails after an event: it is first tried on a copy of the game."""
    event = event_of(live.prepared.ruleset, text)
    twin = live.game.fork(ChanceDice())
    record: RulingRecord[Any] = RulingRecord(live.game.number + 1, UMPIRE, "trial", event)
    try:
        twin.apply(record)
        live.try_out(twin)
        story_of([*live.game.trail, record], live.prepared, UMPIRE, "the game")
    except PlayError:
        raise
    except Exception as error:
        raise PlayError(f"the ruleset fails after this event: {type(error).__name__}: {error}") from error


def typed_order(prepared: Prepared, game: Game, number: int, text: str) -> Order:
    """Return the order that ``text`` means, in the notation or as JSON, at the question that record ``number`` answers.

    Raises PlayError if the record is not an order that still counts, IllegalOrder if the text is not an order.
    """
    before = game.before(number)
    record = next(each for each in game.trail if each.n == number)
    if isinstance(record, OrderRecord) and isinstance(record.order, EnterDice):
        dice = typed_dice(text, len(record.order.dice))
        return dice if dice is not None else order_of_json(prepared, text)
    decision = next((each for each in before.waiting() if each.seat == getattr(record, "by", "")), None)
    if decision is None or not isinstance(record, OrderRecord):
        raise PlayError(f"record {number} is not an order")
    prepared = prepared.at(before.state)
    try:
        return read_typed(prepared, decision, text.strip())
    except IllegalOrder as error:
        hint = from_notation(prepared, decision, "?")
        if error.rule or error.also or not isinstance(hint, str):
            raise
        first = hint.strip().split("\n")[0]
        raise IllegalOrder("", f"{error.reason}; for example: {first}") from error


def end(live: LiveGame, outcome: str, reason: str, shares: dict[str, int]) -> None:
    """End the game by the umpire's decision. Raises PlayError if this is impossible."""
    if not reason.strip():
        raise PlayError("an adjudication needs a reason: all players read it")
    live.game.end(adjudication(live.game.number + 1, outcome, reason.strip(), shares))


# --- the material of the forms ---


def material(live: LiveGame) -> dict[str, Any]:
    """Return events with examples, options, recent orders, earlier rulings and pending questions, as plain data."""
    game, ruleset = live.game, live.prepared.ruleset
    orders = [each for each in game.trail if isinstance(each, OrderRecord)]
    return {
        "events": _events(live),
        "options": _options(live),
        "orders": [_order(each) for each in orders[-MAX_ORDERS:]],
        "rulings": _rulings(game),
        "waiting": [{"seat": each.seat, "prompt": each.prompt[:LONGEST]} for each in game.waiting()],
        "sides": list(ruleset.viewers),
        "standing": standing(game, live.prepared),
    }


def _events(live: LiveGame) -> list[dict[str, Any]]:
    """Return the ruleset's own events: type, meaning, an example, and whether the rules keep it secret."""
    ruleset = live.prepared.ruleset
    found = []
    for kind, example in zip(ruleset.events, example_events(ruleset, live.game.records), strict=True):
        if kind in (*KERNEL_EVENTS, OptionSet) or len(example) > MAX_JSON:
            continue
        about = (kind.__doc__ or "").strip().split("\n")[0].replace("``", "")
        row = {"type": kind.__name__, "words": name_words(kind.__name__), "about": about}
        found.append(
            {**row, "example": msgspec.Raw(example.encode()), "secret": issubclass(kind, ruleset.secret_events)}
        )
    return found


def _options(live: LiveGame) -> list[dict[str, Any]]:
    """Return the options that may be set in play, as far as the manifest says, with their current values."""
    now = live.game.state.options
    return [
        {"name": each.name, "value": now.get(each.name, ""), "values": list(each.values), "text": each.text}
        for each in live.prepared.installed.manifest.options
        if not (each.fixed or each.bid) and len(each.values) > 1
    ]


def _order(record: OrderRecord[Any]) -> dict[str, Any]:
    text = msgspec.json.encode(record.order).decode()
    words = described(record.order)[:LONGEST]
    return {"n": record.n, "by": record.by, "words": words, "text": text if len(text) <= MAX_JSON else ""}


def _rulings(game: Game) -> list[dict[str, Any]]:
    """Return the rulings that can be withdrawn."""
    rulings = [each for each in game.records if isinstance(each, RulingRecord)]
    withdrawn = {each.withdraws for each in rulings}
    left = [each for each in rulings if not each.withdraws and each.n not in withdrawn]
    return [{"n": each.n, "reason": each.reason[:LONGEST]} for each in left][-MAX_RULINGS:]
