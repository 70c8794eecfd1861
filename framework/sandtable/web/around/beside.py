"""Agreements and notes beside the game: claims on time, pauses by consent, and private notes."""

import time

from sandtable.errors import PlayError
from sandtable.kernel.decisions import UMPIRE
from sandtable.web.around.branches import people_of
from sandtable.web.live.clock import GameClock
from sandtable.web.live.games import Answer, Visit
from sandtable.web.live.table import NOTE, GameTable
from sandtable.web.messages import ClaimTime, Pause, WriteNote
from sandtable.web.store import SeatLink


async def claim_time(visit: Visit, message: ClaimTime) -> None:
    """Claim the game from a side without time. If all others do, it ends as abandoned. Raises PlayError."""
    table, live = visit.table, visit.table.live
    clock, side_of = _clock_of(table), live.prepared.ruleset.side_of
    mine = _own_sides(visit)
    if message.seat not in clock.out_of_time(time.monotonic()):
        raise PlayError("that seat has time left: a claim is possible when its clock shows zero")
    side = side_of(message.seat)
    if side in mine:
        raise PlayError("you cannot claim the game from your own side")
    claims = table.claims.setdefault(side, set())
    claims |= mine
    needed = {side_of(seat) for seat in people_of(live)} - {side}
    if claims < needed:
        left = " and ".join(sorted(needed - claims))
        table.store.say(SeatLink(live.ident, (), "clock"), f"{side} is out of time; {left} can claim the game, too")
        await table.broadcast({"t": "chat", "name": "clock", "words": f"{left} can claim the game from {side}, too"})
        return
    await table.change(lambda: live.abandon(side, f"the time of {message.seat} ran out"))


async def pause(visit: Visit, message: Pause) -> None:
    """Stop the clock if all people agree; any of them can start it again. Raises PlayError without a clock."""
    table, live = visit.table, visit.table.live
    clock, side_of = _clock_of(table), live.prepared.ruleset.side_of
    mine = _own_sides(visit)
    if message.on and not clock.is_paused:
        table.pause_offers |= mine
        if table.pause_offers >= {side_of(seat) for seat in people_of(live)}:
            clock.pause(time.monotonic(), is_on=True)
    elif not message.on:
        clock.pause(time.monotonic(), is_on=False)
    if clock.is_paused or not message.on:
        table.pause_offers.clear()
    await table.tell_clock()


async def write_note(visit: Visit, message: WriteNote) -> None:
    """Keep the private note of the holder of a seat, and show it on their other pages."""
    table, looker = visit.table, visit.looker
    if not looker.link.seats:
        raise PlayError("only players and the umpire have private notes")
    table.store.keep(table.live.ident, NOTE, message.text, looker.link.seats)
    for each in list(table.lookers):
        if each.link == looker.link and each is not looker:
            await each.send({"t": "note", "text": message.text})


def _clock_of(table: GameTable) -> GameClock:
    if table.clock is None or table.live.game.is_over:
        raise PlayError("no clock runs in this game")
    return table.clock


def _own_sides(visit: Visit) -> set[str]:
    """Return the sides of the looker's seats. Raises PlayError for a spectator or the umpire."""
    side_of = visit.table.live.prepared.ruleset.side_of
    found = {side_of(seat) for seat in visit.looker.link.seats} - {UMPIRE}
    if not found:
        raise PlayError("only players can do this")
    return found


BESIDE: dict[type, Answer] = {ClaimTime: claim_time, Pause: pause, WriteNote: write_note}
"""The function that answers each kind of message."""
