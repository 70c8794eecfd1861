"""The odds of a recorded game: of a roll in it, or of the dice that an order would cause."""

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
from sandtable.players.odds import interval, likelihood, method, no_dice
from sandtable.plugin.manager import Prepared
from sandtable.rules.chance.rolls import Chances, chances
from sandtable.terminal.menu import read_typed


def odds_at(
    context: CliContext, path: str, number: int | None, order: str | None, *, to_question: bool, as_json: bool
) -> None:
    """Print the odds of the roll in or after record ``number``, or of the dice of an ``order`` given after it."""
    if number is None:
        raise click.UsageError("Missing option '--at': name the record of the roll")
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
) -> Chances:
    """Return the odds of the dice of ``SEAT: ORDER``, given after record ``number``. Raises BadParameter, IllegalOrder.

    They are the umpire's odds: they use all information, not only what the seat may know.
    """
    game = game_at(log, number, context.rulesets, goes_on=True)
    decision, typed = _pending(game, text)
    order = read_typed(prepared.at(game.state), decision, typed)
    decision.check(order)

    def again() -> Game:
        twin = game.fork(ChanceDice())
        twin.submit(order, decision.seat)
        return twin

    return chances(again, to_question=to_question)


def _pending(game: Game, text: str) -> tuple[Decision, str]:
    """Return the pending decision of the seat in ``SEAT: ORDER``, and the order as typed."""
    seat, colon, typed = text.partition(":")
    waiting = {each.seat: each for each in game.waiting()}
    if not colon or seat.strip() not in waiting:
        asked = " and ".join(waiting) or "no seat"
        raise click.BadParameter(f"write SEAT: ORDER; after record {game.number}, {asked} has a decision to make")
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
    show(table(("likelihood", "faces", "result"), rows))
    say(f"method: {method(found)}")
