"""The odds of a recorded game: of a roll in it, or of the dice that an order would bring about."""

from typing import Any

import click

from sandtable.cli.context import CliContext
from sandtable.cli.inputs import open_log
from sandtable.cli.output import say, show, show_json, show_sentence, table
from sandtable.journal.branching.chances import chance_rows, node_of
from sandtable.journal.file.log import Log
from sandtable.journal.positions import game_at
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import ChanceDice
from sandtable.kernel.play.game import Game
from sandtable.players import odds
from sandtable.players.odds import interval, likelihood, method, no_dice
from sandtable.plugin.manager import Prepared
from sandtable.rules.chance.rolls import Chances, chances
from sandtable.terminal.menu import read_typed


def odds_at(
    context: CliContext, path: str, number: int | None, order: str | None, *, to_question: bool, as_json: bool
) -> None:
    """Tell what the roll in record ``number``, or after it, may come to; or the dice of an order given after it."""
    if number is None:
        raise click.UsageError("Missing option '--at': the odds of a log are those of a roll in it")
    read, prepared = open_log(context, path, number)
    if order is not None:
        found = odds_of_order(context, read, prepared, number, order, to_question=to_question)
        head = ""
    else:
        game, roll = node_of(read, number, context.rulesets)
        found = chances(lambda: game.fork(ChanceDice()), to_question=to_question)
        needs = f", needing {' '.join(map(str, roll.needs))}" if roll.needs else ""
        fell = f"{len(roll.dice)}d{roll.sides} {roll.label}{needs}, fell {' '.join(map(str, roll.dice))}"
        head = f"record {roll.n}: {fell}" + (f" ({roll.rule})" if roll.rule else "")
    if as_json:
        show_json(_document(prepared, found))
        return
    if head:
        show_sentence(head)
    _tell(prepared, found)


def odds_of_order(
    context: CliContext,
    log: Log,
    prepared: Prepared,
    number: int,
    text: str,
    *,
    to_question: bool = False,
    side: str = "",
) -> Chances:
    """Return what the dice of ``SEAT: ORDER`` may come to, given after record ``number``; BadParameter, IllegalOrder.

    Without a ``side`` they are the umpire's odds: from all that there is, not from what the seat may know.
    """
    game = game_at(log, number, context.rulesets, goes_on=True)
    decision, typed = _asked(game, text)
    order = read_typed(prepared, decision, typed)
    decision.check(order)
    if side:
        return odds.odds_of_order(prepared, game.seat_view(side), decision, order)

    def again() -> Game:
        twin = game.fork(ChanceDice())
        twin.submit(order, decision.seat)
        return twin

    return chances(again, to_question=to_question)


def _asked(game: Game, text: str) -> tuple[Decision, str]:
    """Return the open question of the seat that ``SEAT: ORDER`` names, and the order as typed."""
    seat, colon, typed = text.partition(":")
    waiting = {each.seat: each for each in game.waiting()}
    if not colon or seat.strip() not in waiting:
        asked = " and ".join(waiting) or "nobody"
        raise click.BadParameter(f"write SEAT: ORDER; after record {game.number} {asked} is asked")
    return waiting[seat.strip()], typed.strip()


def _document(prepared: Prepared, found: Chances) -> dict[str, Any]:

    rows = []
    for each in chance_rows(prepared, found):
        low, high = interval(each.chance, found)
        rows.append({"chance": float(each.chance), "low": low, "high": high, "faces": each.faces, "told": each.told})
    return {"method": method(found), "results": rows}


def _tell(prepared: Prepared, found: Chances) -> None:

    rows = [(likelihood(each.chance, found), each.faces, each.told) for each in chance_rows(prepared, found)]
    if not rows:
        show(no_dice(found))
        return
    show(table(("likelihood", "faces", "what comes of it"), rows))
    say(f"method: {method(found)}")
