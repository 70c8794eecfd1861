"""Joint actions after a game: to review it on one board, to try another order, and to play again."""

import asyncio

from sandtable.errors import PlayError
from sandtable.web.around.branches import people_of, rematch_of, write_branch
from sandtable.web.around.review import review_of
from sandtable.web.live.games import SPECTATOR, Answer, Visit
from sandtable.web.live.table import GameTable
from sandtable.web.messages import AskReview, Lead, Rematch, TryOrder

MAX_BRANCHES = 20
"""Maximum number of branches that are made from one game while the server runs."""


async def review(visit: Visit, message: AskReview) -> None:
    """Show everything to the looker, and send the review. Raises PlayError while the game is in progress."""
    table, looker = visit.table, visit.looker
    _require_end(visit)
    if not looker.sees_all:
        looker.sees_all = True
        await table.greet(looker)
    found = await asyncio.to_thread(review_of, table.live.game, table.live.origin)
    await looker.send({"t": "review", "id": message.id, "review": found})


async def lead(visit: Visit, message: Lead) -> None:
    """Show the record on the looker's board to the others who look together."""
    _require_end(visit)
    record = max(0, min(message.record, visit.table.live.game.number))
    led = {"t": "led", "name": visit.looker.link.name, "record": record}
    for each in list(visit.table.lookers):
        if each is not visit.looker:
            await each.send(led)


async def try_order(visit: Visit, message: TryOrder) -> None:
    """Make a branch in which another order can be given, and send its link. Raises SandtableError."""
    table = visit.table
    if not visit.looker.link.seats:
        raise PlayError("only players can try another order")
    _require_end(visit)
    if table.after.branches >= MAX_BRANCHES:
        raise PlayError(f"{MAX_BRANCHES} branches were made of this game: use `sandtable log whatif` for more")
    table.after.branches += 1
    name = await asyncio.to_thread(write_branch, table.live, message.record)
    made = await visit.games.adopt(name, hot_seat=True)
    token = next(iter(made.links.values()))
    await visit.looker.send({"t": "link", "id": message.id, "what": "branch", "link": f"/g/{made.ident}#{token}"})


async def rematch(visit: Visit, message: Rematch) -> None:
    """Agree to a rematch. When all people have agreed, the new game is made and each person gets a link."""
    table, link = visit.table, visit.looker.link
    _require_end(visit)
    if not link.seats:
        raise PlayError("only players can agree to a rematch")
    after, live = table.after, table.live
    if not after.links:
        pace = table.clock.text if table.clock else ""
        wish = rematch_of(live, is_swapped=message.swap, hot_seat=link.name == "all seats", pace=pace)
        if after.agreed and after.is_swapped != message.swap:
            after.agreed.clear()
        after.is_swapped = message.swap
        after.agreed |= set(link.seats)
        if after.agreed < people_of(live):
            offered = sorted({live.prepared.ruleset.side_of(seat) for seat in after.agreed})
            await table.broadcast({"t": "rematch", "offered": offered, "swap": after.is_swapped})
            return
        made = await visit.games.make(wish)
        after.links = {name: f"/g/{made.ident}#{token}" for name, token in made.links.items()}
    for each in list(table.lookers):
        await each.send({"t": "link", "what": "rematch", "link": _next_link(table, each.link.name)})


def _next_link(table: GameTable, name: str) -> str:
    """Return the link of the rematch for the holder of the link ``name`` of this game."""
    sides = list(table.live.prepared.ruleset.viewers)
    if table.after.is_swapped and name in sides:
        name = sides[1 - sides.index(name)]
    return table.after.links.get(name) or table.after.links[SPECTATOR]


def _require_end(visit: Visit) -> None:
    if not visit.table.live.game.is_over:
        raise PlayError("this is possible when the game is over")


AFTER: dict[type, Answer] = {AskReview: review, Lead: lead, TryOrder: try_order, Rematch: rematch}
