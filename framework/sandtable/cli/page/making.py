"""The replay page of a log, for ``sandtable log page`` and ``--check``, galleries and tournaments."""

from collections.abc import Sequence

import click

from sandtable.cli.context import CliContext
from sandtable.cli.inputs import check_side, prepare_to_look
from sandtable.cli.output import say
from sandtable.files.writing import write_new
from sandtable.journal.file.log import Log, parse_log, read_bytes
from sandtable.journal.luck.ledger import ledger, whose_luck
from sandtable.journal.sides.slices import count_closed
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared
from sandtable.viewer.page.comparing import compared
from sandtable.viewer.page.document import page_of
from sandtable.viewer.page.page_data import ToldGame, tell


def luck_of(game: Game, prepared: Prepared) -> Sequence[tuple[int, str, float, float]]:
    """Return the luck of each roll: its record, whose it was, hits above those expected, standard deviations."""
    entries = ledger(game.records, whose_luck(prepared.ruleset, game.favours))
    return [(each.record, each.side, float(each.luck), each.sigmas or 0.0) for each in entries]


def whole_log(context: CliContext, data: bytes, name: str, side: str) -> tuple[Log, Prepared]:
    """Return a log and its ruleset; raises UsageError for a slice, which has no board, and for a strange side."""
    log = parse_log(data, name)
    prepared = prepare_to_look(context, log)
    if count_closed(log, prepared.ruleset):
        raise click.UsageError(
            f"{name} is a slice: a board cannot be drawn from it, only from the whole log, with --side"
        )
    check_side(prepared, side or None, PUBLIC)
    return log, prepared


def told_game(context: CliContext, data: bytes, name: str, side: str, beside: ToldGame | None = None) -> ToldGame:
    """Return the game in a log, ready for a page; raises what ``whole_log`` raises, and LogError.

    ``beside`` is the game that it is compared with.
    """
    log, prepared = whole_log(context, data, name, side)
    told = tell(log, data, prepared, side, luck_of, beside)
    if told.fault:
        say(f"{name}: not verified: {told.fault}: what the page tells may be untrue")
    return told


def page_bytes(context: CliContext, data: bytes, name: str, side: str, other: tuple[bytes, str] | None = None) -> bytes:
    """Return the page of a log; of two, side by side, where there is an ``other``: its bytes and its name."""
    games = [told_game(context, data, name, side)]
    if other is None:
        return page_of(games)

    games.append(told_game(context, *other, side, games[0]))
    return page_of(games, compared(games[0], games[1]))


def write_page(context: CliContext, log: str, out: str, side: str, compare: str | None, *, force: bool) -> None:
    """Write the page of ``log``, and say so."""
    other = (read_bytes(compare), compare) if compare else None
    page = page_bytes(context, read_bytes(log), log, side, other)
    write_new(out, page, force=force, sources=(log, *([compare] if compare else [])))
    say(f"{out}: written, {len(page) / 1_000_000:.1f} MB; open it with any browser")
