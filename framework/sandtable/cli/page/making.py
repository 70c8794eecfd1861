"""Make the replay page of a log, for ``sandtable log page`` and ``--check``, galleries and tournaments."""

from sandtable.cli.context import CliContext
from sandtable.cli.inputs import own_part, prepare_for_viewing, verify_and_say
from sandtable.cli.output import say
from sandtable.files.writing import write_new
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.luck.ledger import luck_of_rolls
from sandtable.viewer.page.comparing import compared
from sandtable.viewer.page.document import page_of
from sandtable.viewer.page.page_data import GameData, tell


def game_data(context: CliContext, log: Log, side: str, beside: GameData | None = None) -> GameData:
    """Return the game in ``log``, ready for a page. Raises UsageError for a side that it does not show, and LogError.

    ``beside`` is the game to compare it with.
    """
    prepared = prepare_for_viewing(context, log)
    own = own_part(log, prepared, side or None)
    verify_and_say(log, prepared, own.side if own else "")
    return tell(log, prepared, side, luck_of_rolls, beside)


def page_bytes(context: CliContext, log: Log, side: str, other: Log | None = None) -> bytes:
    """Return the page of ``log``; with ``other``, a page with both games side by side."""
    games = [game_data(context, log, side)]
    if other is None:
        return page_of(games)

    games.append(game_data(context, other, side, games[0]))
    return page_of(games, compared(games[0], games[1]))


def write_page(context: CliContext, path: str, out: str, side: str, compare: str | None, *, force: bool) -> None:
    """Write the page of the log in ``path``, and print its name."""
    log, other = read_log(path), read_log(compare) if compare else None
    page = page_bytes(context, log, side, other)
    write_new(out, page, force=force, sources=(path, *([compare] if compare else [])))
    if not side and any(each.beside for each in (log, other) if each):
        say(f"{out}: contains the secrets of an unfinished game; for a player, write one with --side")
    say(f"{out}: written, {len(page) / 1_000_000:.1f} MB; open it in any browser")
