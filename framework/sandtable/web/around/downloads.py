"""The files of a game that can be downloaded: its log, the slice of a side, and the replay page."""

from sandtable.errors import PlayError
from sandtable.journal.file.reading import read_bytes, read_log
from sandtable.journal.luck.ledger import luck_of_rolls
from sandtable.journal.sides.slices import slice_log
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.viewer.page.document import page_of
from sandtable.viewer.page.page_data import tell
from sandtable.web.live.game import LiveGame


def may_see(live: LiveGame, viewer: str, side: str) -> str:
    """Return the side whose part of the game ``viewer`` gets: ``side``, if they may see it, or the most that they may.

    It is "" for the whole game: after the end, for the umpire, and in games without secrets. Raises PlayError for a
    side that they may not see, or that does not exist.
    """
    sees_all = live.game.is_over or viewer == UMPIRE or not live.prepared.ruleset.hidden
    if side and side != viewer and not (sees_all and side in live.prepared.ruleset.viewers):
        raise PlayError(f"this link does not show what {side[:40]} sees")
    return side or ("" if sees_all else viewer)


def log_for(live: LiveGame, side: str) -> bytes:
    """Return the log of a game, or the slice of ``side`` (PUBLIC for spectators). Raises SandtableError."""
    if not side:
        return read_bytes(live.path)
    return slice_log(read_log(live.path), live.prepared, side)


def page_for(live: LiveGame, side: str) -> bytes:
    """Return the replay page of a game, of the part that ``side`` sees if it is not "".

    It takes seconds for a long game. Raises SandtableError, also for a spectator of a game with secrets.
    """
    if side == PUBLIC:
        raise PlayError("a spectator's replay page exists when the game is over")
    return page_of([tell(read_log(live.path), live.origin, side, luck_of_rolls)])
