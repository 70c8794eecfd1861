"""Helpers of the dispute commands: the recorded game to branch, the players of a branch, and win counts."""

from typing import Any

import click

from sandtable.cli.context import CliContext
from sandtable.cli.inputs import open_log
from sandtable.cli.output import progress
from sandtable.errors import IllegalOrder
from sandtable.journal.branching.branch import Fill, Original, branch, original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.file.log import Log
from sandtable.journal.fold import read_records
from sandtable.journal.positions import game_at
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import best_for, name_seats, seat_bot
from sandtable.players.playouts import playouts
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened
from sandtable.terminal.menu import from_notation, read_typed


def original_game(context: CliContext, path: str) -> Original:
    """Return the game of the log in ``path``, rerun by the rules; prints doubts about it first."""
    log, prepared = open_log(context, path)
    records = read_records(log, prepared.ruleset)
    return original(prepared, log, records, dice_of(log, records))


def names_of(prepared: Prepared, name: str) -> dict[str, str]:
    """Return the player of each seat: ``name``, or the best bot available for it."""
    seats = [seat for seat in prepared.ruleset.seats if seat != UMPIRE]
    return name_seats(prepared, {seat: name or best_for(prepared.installed, seat) for seat in seats})


def filler(of: Original, name: str) -> Fill:
    """Return a function that answers where the recorded orders do not: with bot ``name``, or the best bot if ""."""
    names, seated = names_of(of.prepared, name), dict[str, Any]()

    def answer(game: Any, decision: Any) -> Any:
        seat = decision.seat
        if seat not in seated:
            seated[seat] = seat_bot(of.prepared, seat, names[seat], of.key)
        return seated[seat].choose(decision, game.seat_view(of.prepared.ruleset.side_of(seat)))

    return answer


def order_typed(prepared: Prepared, decision: Decision, text: str) -> Order:
    """Return the order typed for a decision. If the text is not an order, IllegalOrder gives an example."""
    try:
        return read_typed(prepared, decision, text)
    except IllegalOrder as error:
        if error.rule or error.also:
            raise
        hint = from_notation(prepared, decision, "?")
        how = f"; type for example: {hint}; or JSON" if isinstance(hint, str) else ""
        raise IllegalOrder("", f"{error.reason}{how}") from error


def order_instead(context: CliContext, log: Log, prepared: Prepared, number: int, text: str) -> Order:
    """Return the order that is typed to replace the one in record ``number`` of ``log``.

    Raises BadParameter if the record is not an order, and IllegalOrder, which names the decision, for other text.
    """
    record = read_records(log, prepared.ruleset)[number - 1] if 0 < number <= log.records else None
    waiting = game_at(log, number - 1, context.rulesets).waiting() if isinstance(record, OrderRecord) else ()
    decision = next((each for each in waiting if each.seat == getattr(record, "by", "")), None)
    if decision is None:
        how = f": `sandtable explain {log.name} --at {number}` names the order that decided it"
        raise click.BadParameter(f"record {number} is not an order{how if record else ''}", param_hint="--order")
    try:
        return order_typed(prepared, decision, text)
    except IllegalOrder as error:
        question = f"record {number} answers {decision.seat}: {shortened(decision.prompt)}"
        raise IllegalOrder(error.rule, f"{question}: {error.reason}") from error


def change_made(changes: Changes) -> int:
    """Return the record after which the change is made.

    For a changed die or order it is the record itself; for a changed rule option it is 0.
    """
    return max(changes.dice.keys() | changes.orders.keys() | changes.rulings.keys(), default=0)


def swing_of(of: Original, changes: Changes, games: int, seed: str) -> dict[str, dict[str, int]]:
    """Return win counts from the first decision after the change: as recorded, and with the change."""
    until = change_made(changes)
    names = names_of(of.prepared, "")
    found = {}
    with progress(2 * games) as seen:
        for index, (name, each) in enumerate((("recorded", Changes()), ("branch", changes))):
            game = branch(of, each, until=until).game
            found[name] = dict(playouts(game, of.prepared, names, games, seed).won)
            seen((index + 1) * games)
    return found
