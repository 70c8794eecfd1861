"""Rulings as people make them: an event or an order as JSON, applied to a resumed game, optionally signed."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, get_origin

import msgspec

from sandtable.errors import DataError, IllegalOrder, PlayError
from sandtable.journal.anchors.rulings import signed
from sandtable.journal.file.log import UNREADABLE
from sandtable.journal.fold import effective
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.resume import Resumed
from sandtable.journal.standing.answers import is_answered
from sandtable.journal.verification.ruled import unknown_rule
from sandtable.kernel.decisions import UMPIRE, Order, Roll
from sandtable.kernel.events import Event, OptionSet
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import EventRecord, OrderRecord, RulingRecord
from sandtable.kernel.ruleset import Ruleset


class Ruling(NamedTuple):
    """A ruling of the umpire.

    Either ``event`` happens, or ``order`` replaces the order in record ``amends``; both are JSON. Or the option
    ``sets`` (name and value) has another value from here on. Or the ruling in record ``withdraws`` is taken back. If
    ``keeps_later``, the orders after the replaced one are given again as long as they answer the same questions.
    """

    event: str | None
    amends: int
    order: str | None
    reason: str
    disputed: int
    claim: str
    rule: str
    withdraws: int = 0
    keeps_later: bool = False
    sets: tuple[str, str] | None = None


class Ruled(NamedTuple):
    """The ``record`` of a ruling, and how many of the ``later`` orders were ``kept``."""

    record: int
    kept: int = 0
    later: int = 0


def make_ruling(resumed: Resumed, request: Ruling, key: SeatKey | None) -> Ruled:
    """Apply the ruling to the game and write it, with the umpire's hand over an order that it replaces.

    Raises DataError for JSON that is not an event or order of the ruleset. Raises PlayError or IllegalOrder if the
    ruling cannot be made, or is not signed with the key in the header. After an error the log is unchanged.
    """
    game, writer, hands = resumed.game, resumed.writer, resumed.hands
    unknown = unknown_rule(request.rule, resumed.prepared)
    if unknown:
        raise PlayError(f"{unknown}: cite an existing one (`sandtable ruleset rules`), or omit --rule")
    hands.add([key] if key is not None else [])
    hands.end(game)
    hands.check_closed()
    codec = RecordCodec.of(game.ruleset)
    event = None if request.event is None else _decoded(codec.event, request.event, "--event")
    if request.sets is not None:
        event = OptionSet(*request.sets)
    order = None if request.order is None else _decoded(codec.order, request.order, "--order")
    amends, later = request.amends, _orders_after(game.trail, request.amends or request.withdraws)
    if request.withdraws:
        amends, order, later = _before_ruling(game, request.withdraws, later)
    facts = (amends, request.withdraws, request.disputed, request.claim, request.rule)
    ruling: RulingRecord[Any] = RulingRecord(game.number + 1, UMPIRE, request.reason, event, *facts)
    if key is not None:
        ruling = signed(ruling, writer.head.hex(), key.signing, hands.cover.keys)
    elif UMPIRE in hands.cover.keys:
        raise PlayError("the header names the umpire's key: sign the ruling with it (--sign KEY)")
    if order is None:
        game.apply(ruling)
    else:
        game.replace_order(ruling, order)
    _store(resumed)
    kept = _give_again(resumed, later) if request.keeps_later or request.withdraws else 0
    _store(resumed)
    return Ruled(ruling.n, kept, len(later))


def example_events(ruleset: Ruleset, records: Sequence[Any]) -> Iterator[str]:
    """Yield an example of each event of ``ruleset`` as JSON: the last one in ``records``, or one with empty fields."""
    happened = {type(each.event): each.event for each in records if isinstance(each, EventRecord)}
    for kind in ruleset.events:
        event = happened.get(kind)
        example = {"type": kind.__name__, **_empty_fields(kind)} if event is None else event
        yield msgspec.json.encode(example).decode()


_EMPTY = {int: 0, bool: False, dict: {}, list: [], tuple: []}


def _empty_fields(kind: type[Event]) -> dict[str, Any]:
    """Return an empty value for each field of ``kind`` that has no default."""
    fields = [each for each in msgspec.structs.fields(kind) if each.required]
    return {each.name: _EMPTY.get(get_origin(each.type) or each.type, "") for each in fields}


def _orders_after(trail: Sequence[Any], number: int) -> list[OrderRecord[Any]]:
    """Return the orders in ``trail`` after record ``number``; [] without a number."""
    return [each for each in trail if number and each.n > number and isinstance(each, OrderRecord)]


def _before_ruling(
    game: Game, number: int, later: list[OrderRecord[Any]]
) -> tuple[int, Order | None, list[OrderRecord[Any]]]:
    """Return how to undo the ruling in record ``number``: the order to amend, its original, and the orders after that.

    An event is withdrawn without amending an order, and the orders after it are ``later``.
    """
    record = game.records[number - 1] if 0 < number <= len(game.records) else None
    if not isinstance(record, RulingRecord) or record.event is not None or not record.amends:
        return 0, None, later
    former = effective(game.records[: number - 1])
    original = next(each for each in former if each.n == record.amends)
    return number + 1, original.order, _orders_after(former, record.amends)


def _store(resumed: Resumed) -> None:
    """Write the new records, and those of rolls that wait for the shares of an epoch, up to the next question."""
    game, hands = resumed.game, resumed.hands
    game.proceed({}, after=lambda: hands.store(game))


def _give_again(resumed: Resumed, later: Sequence[OrderRecord[Any]]) -> int:
    """Give the orders of ``later`` again, up to the first that does not answer the same question; return their number.

    A standing order in force then answers for its seat, and one that no longer is does not. The seats must order the
    rest again.
    """
    game = resumed.game
    for kept, record in enumerate(later):
        if isinstance(game.pending, Roll):
            _store(resumed)
        asked = next((each for each in game.waiting() if each.seat == record.by), None)
        if asked is None or text_of(game.question_of(asked)) != text_of(record.asked):  # type: ignore[arg-type]  # live
            return kept
        answer = game.standing.answer(asked) if game.standing is not None else None
        if answer != record.order if answer is not None else is_answered(record):
            return kept
        try:
            resumed.hands.repeat(game, record)
        except IllegalOrder:
            return kept
    return len(later)


def _decoded(decoder: "msgspec.json.Decoder[Any]", text: str, where: str) -> Any:
    try:
        return decoder.decode(text)
    except UNREADABLE as error:
        hint = "; --event ? lists the events" if where == "--event" else ""
        raise DataError(where, "", f"does not fit the ruleset: {error}{hint}") from error
