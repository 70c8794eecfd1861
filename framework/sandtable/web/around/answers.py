"""Answers to messages of a page that neither answer a question nor change a game."""

from sandtable.web.around.after import AFTER
from sandtable.web.around.beside import BESIDE
from sandtable.web.around.notices import NOTICES
from sandtable.web.around.planning import PLANNING
from sandtable.web.live.dice import dice_of_line
from sandtable.web.live.games import Answer, Visit
from sandtable.web.messages import CheckDice, Ping


async def check_dice(visit: Visit, message: CheckDice) -> None:
    """Send the dice of a line of the story. Raises PlayError if there is no such line."""
    found = dice_of_line(visit.table.live, visit.looker.viewer, message.record)
    await visit.looker.send({"t": "dice", "id": message.id, "dice": found})


async def ping(visit: Visit, message: Ping) -> None:
    """Send the number of the last record, as a sign of life."""
    await visit.looker.send({"t": "pong", "id": message.id, "last": visit.table.live.game.number})


AROUND: dict[type, Answer] = {CheckDice: check_dice, Ping: ping, **AFTER, **PLANNING, **BESIDE, **NOTICES}
"""The function that answers each kind of message."""
