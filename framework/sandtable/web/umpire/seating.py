"""Seats that change hands: the umpire gives a seat to a person or a bot, and the log notes it in an annex."""

from typing import Any

from sandtable.errors import PlayError
from sandtable.kernel.decisions import UMPIRE
from sandtable.players.players import HUMAN, holders
from sandtable.quoting import shortened
from sandtable.web.live.game import LiveGame
from sandtable.web.store import SeatLink, TableStore


def seats_of(live: LiveGame) -> list[dict[str, Any]]:
    """Return the seats that can change hands, with their players and those that may replace them."""
    installed, seats = live.prepared.installed, live.prepared.ruleset.seats
    return [
        {"seat": seat, "side": side, "player": live.names[seat], "players": [HUMAN, *holders(installed, seat)]}
        for seat, side in seats.items()
        if seat != UMPIRE
    ]


def reseat(live: LiveGame, store: TableStore, seat: str, player: str) -> str:
    """Give ``seat`` to ``player``, and note that in the log; return the secret of a person's new link, or "".

    Links that opened the seat no longer do. Raises PlayError for an unknown seat or player.
    """
    if seat not in live.prepared.ruleset.seats or seat == UMPIRE:
        raise PlayError(f"{shortened(seat)!r} is not a seat that can be given to another player")
    if live.game.is_over:
        raise PlayError("the game is over")
    live.seat(seat, player)
    live.writer.annex(players=live.names)
    store.free(live.ident, seat)
    return store.new_link(live.ident, [seat], seat) if player == HUMAN else ""


def left_over(link: SeatLink, seat: str, spectator: str) -> SeatLink:
    """Return a link after it lost ``seat``: with its other seats, or with the view of a spectator."""
    rest = tuple(each for each in link.seats if each != seat)
    return link._replace(seats=rest, name=link.name if rest else spectator)
