"""Endings that people make, applied to a resumed game and signed if the header names keys."""

from collections.abc import Sequence

from sandtable.journal.anchors.endings import sign_ending, signers
from sandtable.journal.epochs.links_file import drop_secrets
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.resume import Resumed
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.endings import (
    ABANDONMENT,
    ADJUDICATION,
    AGREED_DRAW,
    DRAW,
    RESIGNATION,
    check_ending,
    equal_shares,
)
from sandtable.kernel.records import EndRecord, unsigned
from sandtable.kernel.ruleset import Ruleset


def resignation(ruleset: Ruleset, number: int, seat: str, reason: str = "") -> EndRecord:
    """Return record ``number``: ``seat`` resigns, and the other side wins."""
    side = ruleset.side_of(seat)
    winner = next((each for each in ruleset.viewers if each != side), DRAW)
    return EndRecord(number, seat, RESIGNATION, winner, reason, (side,))


def agreed_draw(
    ruleset: Ruleset, number: int, by: str, shares: dict[str, int] | None = None, reason: str = ""
) -> EndRecord:
    """Return record ``number``: all sides agree on a draw, equal or with ``shares`` (thousandths by side)."""
    return EndRecord(number, by, AGREED_DRAW, DRAW, reason, ruleset.viewers, shares or {})


def adjudication(number: int, outcome: str, reason: str, shares: dict[str, int] | None = None) -> EndRecord:
    """Return record ``number``: the umpire adjudicates the game."""
    return EndRecord(number, UMPIRE, ADJUDICATION, outcome, reason, (), shares or {})


def abandonment(ruleset: Ruleset, number: int, side: str, reason: str) -> EndRecord:
    """Return record ``number``: ``side`` left the game, and the other side wins or the others share equally."""
    others = [each for each in ruleset.viewers if each != side]
    shares = equal_shares(others, ruleset.viewers) if len(others) > 1 else {}
    outcome = others[0] if len(others) == 1 else DRAW
    return EndRecord(number, UMPIRE, ABANDONMENT, outcome, reason, (side,), shares)


def end_game(resumed: Resumed, record: EndRecord, signing: Sequence[SeatKey] = ()) -> None:
    """End the game with ``record``, which gets the next number, and write it to the log.

    The keys in ``signing`` also sign the orders that are not signed yet. Raises PlayError if people cannot end the game
    so, or if a required signature is missing; then only such hands were added to the log.
    """
    game, writer, hands = resumed.game, resumed.writer, resumed.hands
    check_ending(record, game.ruleset)
    open_keys = {hands.cover.keys[seat] for seat in hands.cover.open}
    closing = [key for key in signing if key.public in open_keys]
    hands.add(closing)
    hands.end(game)
    hands.check_closed()
    due = {hands.cover.keys[name] for name in signers(record, hands.cover.keys)}
    left = [key.signing for key in signing if key.public in due or key not in closing]
    game.end(sign_ending(unsigned(record, game.number + 1), writer.head.hex(), left, hands.cover.keys))
    hands.store(game)
    if game.dice.shown_key():
        drop_secrets(writer.path, resumed.key)
