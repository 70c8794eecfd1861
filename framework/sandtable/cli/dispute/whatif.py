"""The command ``sandtable dispute whatif``."""

from collections.abc import Callable
from functools import partial
from typing import Any

import click
from msgspec import MsgspecError

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import change_made, filler, order_instead, original_game, swing_of
from sandtable.cli.dispute.differences import document, tell_branch
from sandtable.cli.inputs import check_record, pairs
from sandtable.cli.output import say, show_json
from sandtable.files.writing import write_new
from sandtable.journal.battles import battle_lines
from sandtable.journal.branching.branch import Branch, Original, branch
from sandtable.journal.branching.changes import Changes
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.record import log_bytes

STOP, SAME, BOTS = "stop", "same", "bots"


@click.command()
@arguments.log
@click.option(
    "--die", "dice", multiple=True, metavar="N:I=F", help="Die I of the roll in record N shows F (repeatable)."
)
@click.option("--order", "orders", multiple=True, metavar="N=ORDER", help="Replace the order in record N (repeatable).")
@click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="N=EVENT",
    help="Insert EVENT before the order in record N (repeatable).",
)
@click.option(
    "--option",
    "readings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Use another value of a rule option (repeatable).",
)
@click.option(
    "--then",
    default=SAME,
    show_default=True,
    metavar="HOW",
    help="Continuation after the change: stop, same, bots, or a player's name.",
)
@arguments.playouts("Count the wins from there in K bot games.")
@arguments.seed("what if")
@arguments.out("Write the branch as a log.", metavar="BRANCH")
@arguments.force
@arguments.as_json
@pass_context
def whatif(
    context: CliContext,
    *,
    log: str,
    dice: tuple[str, ...],
    orders: tuple[str, ...],
    rulings: tuple[str, ...],
    readings: tuple[str, ...],
    then: str,
    playouts: int | None,
    seed: str,
    out: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Play the game in LOG again with changes, and show the differences.

    All other dice are unchanged, because each roll is keyed by its purpose. Recorded orders are given again for as long
    as they are legal and answer the same decision. HOW says what happens then. `same` ends the branch there. `bots`
    lets the best bots answer, and a player's name lets that bot answer. `stop` ends the branch at the first decision
    after the change. Without a change, the branch is the recorded game.
    """
    of = original_game(context, log)
    changes = changes_of(context, of, dice, orders, rulings, pairs(readings, "--option"))
    if changes.first() is None and (then == STOP or playouts):
        option = "--playouts" if playouts else "--then stop"
        raise click.UsageError(f"{option} requires a change: name one with --die, --order, --ruling or --option")
    fill = None if then in {STOP, SAME} else filler(of, "" if then == BOTS else then)
    until = change_made(changes) if then == STOP else None
    made = branch(of, changes, fill, until=until)
    swing = swing_of(of, changes, playouts, seed) if playouts else None
    if out is not None:
        _write(of, made, out, force=force)
    if as_json:
        show_json(document(of, made, swing))
    else:
        tell_branch(of, made, changes, swing)
        if out is not None:
            say(f"{out}: the branch, as a log; check it: sandtable verify {out}")


def changes_of(
    context: CliContext,
    of: Original,
    dice: tuple[str, ...],
    orders: tuple[str, ...],
    rulings: tuple[str, ...],
    readings: dict[str, str],
) -> Changes:
    """Return the changes that the options describe. Raises BadParameter, DataError or IllegalOrder."""
    faces: dict[int, dict[int, int]] = {}
    for word in dice:
        number, place, face = _numbers(word)
        check_record(of.log.records, number, "--die")
        faces.setdefault(number, {})[place] = face
    return Changes(
        faces,
        _by_record(of, orders, "--order", partial(order_instead, context, of.log, of.prepared)),
        _by_record(of, rulings, "--ruling", lambda _, text: _event(of, text)),
        readings,
    )


def _numbers(word: str) -> tuple[int, int, int]:
    record, colon, rest = word.partition(":")
    place, equals, face = rest.partition("=")
    parts = (record, place, face)
    if not (colon and equals and all(each.isascii() and each.isdigit() and len(each) < 9 for each in parts)):
        raise click.BadParameter(f"{word!r} is not of the form N:I=F (record, die, face)", param_hint="--die")
    return int(record), int(place), int(face)


def _by_record(of: Original, words: tuple[str, ...], option: str, read: Callable[[int, str], Any]) -> dict[int, Any]:
    found = {}
    for word in words:
        number, equals, text = word.partition("=")
        if not (equals and number.isascii() and number.isdigit() and len(number) < 9):
            raise click.BadParameter(f"{word!r} does not begin with a record number: N=...", param_hint=option)
        check_record(of.log.records, int(number), option)
        found[int(number)] = read(int(number), text.strip())
    return found


def _event(of: Original, text: str) -> Any:

    try:
        return RecordCodec.of(of.prepared.ruleset).event.decode(text)
    except (MsgspecError, ValueError, RecursionError) as error:
        raise click.BadParameter(
            f"is not an event of {of.prepared.ruleset.id}: {error}", param_hint="--ruling"
        ) from error


def _write(of: Original, made: Branch, out: str, *, force: bool) -> None:

    data, _ = log_bytes(made.header, made.game, battle_lines(of.log))
    write_new(out, data, force=force, sources=(of.log.name,))
