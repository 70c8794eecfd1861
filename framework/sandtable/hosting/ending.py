"""Endings that people make, applied to a game in progress and signed if the header names keys."""

from collections.abc import Sequence

from sandtable.journal.anchors.endings import sign_ending, signers
from sandtable.journal.epochs.links_file import drop_secrets
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.kernel.play.endings import check_ending
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EndRecord, unsigned


def end_game(
    game: Game, writer: LogWriter, hands: Hands, key: bytes, record: EndRecord, signing: Sequence[SeatKey] = ()
) -> None:
    """End ``game`` with ``record``, which gets the next number, and write it to the log.

    The keys of ``hands`` and those in ``signing`` sign it and the orders that are not signed yet. The secrets next to
    the log, with the dice ``key``, are removed if the close shows it. Raises PlayError if people cannot end the game
    in this way, or if a required signature is missing; then only such hands were added to the log.
    """
    check_ending(record, game.ruleset)
    open_keys = {hands.cover.keys[seat] for seat in hands.cover.open}
    closing = [key for key in signing if key.public in open_keys]
    hands.add(closing)
    hands.end(game)
    hands.check_closed()
    keys = [*(key for key in signing if key not in closing), *hands.signers_of(signers(record, hands.cover.keys))]
    record = unsigned(record, game.number + 1)
    game.end(sign_ending(record, writer.head.hex(), [key.signing for key in keys], hands.cover.keys))
    hands.store(game)
    if game.dice.shown_key():
        drop_secrets(writer.path, key)
