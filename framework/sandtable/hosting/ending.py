"""Endings that people make, applied to a resumed game and signed if the header names keys."""

from collections.abc import Sequence

from sandtable.journal.anchors.endings import sign_ending
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.epochs.links_file import drop_secrets
from sandtable.journal.resume import Resumed
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.endings import ADJUDICATION, AGREED_DRAW, DRAW, RESIGNATION, check_ending
from sandtable.kernel.records import EndRecord
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


def end_game(resumed: Resumed, record: EndRecord, signing: Sequence[SigningKey] = ()) -> None:
    """End the game with ``record`` and write it to the log.

    Raises PlayError, with the log unchanged, if people cannot end the game so, or if a required signature is missing.
    """
    game, writer = resumed.game, resumed.writer
    check_ending(record, game.ruleset)
    game.end(sign_ending(record, writer.head.hex(), signing, resumed.header.keys))
    writer.put(game.records)
    if game.dice.shown_key():
        drop_secrets(writer.path, resumed.key)
