"""``sandtable whatif``."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from sandtable.cli.context import CliContext, check_record, pairs, pass_setting
from sandtable.cli.desk.branches import change_made, filler, order_typed, original_game, swing_of
from sandtable.cli.desk.differences import document, tell_branch
from sandtable.cli.output import say, show_json
from sandtable.quoting import shortened

if TYPE_CHECKING:
    from sandtable.journal.branching.branch import Branch, Original
    from sandtable.journal.branching.changes import Changes

STOP, SAME, BOTS = "stop", "same", "bots"


@click.command()
@click.argument("log", type=click.Path())
@click.option("--die", "dice", multiple=True, metavar="N:I=F", help="Die I of the roll in record N shows F; repeat.")
@click.option("--order", "orders", multiple=True, metavar="N=ORDER", help="The order in record N is another; repeat.")
@click.option("--ruling", "rulings", multiple=True, metavar="N=EVENT", help="Before the order in record N an event is.")
@click.option("--reading", "readings", multiple=True, metavar="OPTION=VALUE", help="A rule is read otherwise; repeat.")
@click.option("--then", default=SAME, show_default=True, metavar="HOW", help="stop, same, bots, or a player's name.")
@click.option(
    "--playouts", type=click.IntRange(1, 100_000), metavar="K", help="Who wins from there, in K games of bots."
)
@click.option(
    "--seed", default="what if", show_default=True, metavar="TEXT", help="Where the chance of playouts is from."
)
@click.option("--out", type=click.Path(), metavar="BRANCH", help="Write the branch as a log of its own.")
@click.option("--force", is_flag=True, help="Write over BRANCH if it is there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def whatif(
    setting: CliContext,
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
    """Play the game in LOG again with one thing otherwise, and tell what differs.

    All other dice are as they fell: they are kept by what they are for. The recorded orders go on for as long as they
    answer the same question, as it was put, and are legal. HOW says what happens then: `same` ends the branch there,
    `bots` lets the best bots answer, a name that bot; `stop` ends it at the first question after the change. With
    nothing otherwise the branch is the game.
    """
    from sandtable.journal.branching.branch import branch  # noqa: PLC0415 - so that --help stays quick

    of = original_game(setting, log)
    changes = changes_of(setting, of, dice, orders, rulings, pairs(readings, "--reading"))
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
            say(f"{out}: the branch, a log like any other: sandtable verify {out}")


def changes_of(
    setting: CliContext,
    of: "Original",
    dice: tuple[str, ...],
    orders: tuple[str, ...],
    rulings: tuple[str, ...],
    readings: dict[str, str],
) -> "Changes":
    """Return what the words of the options say is otherwise; raises BadParameter, DataError, IllegalOrder."""
    from sandtable.journal.branching.changes import Changes  # noqa: PLC0415

    faces: dict[int, dict[int, int]] = {}
    for word in dice:
        number, place, face = _numbers(word)
        check_record(of.log.records, number, "--die")
        faces.setdefault(number, {})[place] = face
    return Changes(
        faces,
        _by_record(of, orders, "--order", lambda number, text: _order(setting, of, number, text)),
        _by_record(of, rulings, "--ruling", lambda _, text: _event(of, text)),
        readings,
    )


def _numbers(word: str) -> tuple[int, int, int]:
    record, colon, rest = word.partition(":")
    place, equals, face = rest.partition("=")
    parts = (record, place, face)
    if not (colon and equals and all(each.isascii() and each.isdigit() and len(each) < 9 for each in parts)):
        raise click.BadParameter(f"{word!r} is not of the form N:I=F: record, die, face", param_hint="--die")
    return int(record), int(place), int(face)


def _by_record(of: "Original", words: tuple[str, ...], option: str, read: Callable[[int, str], Any]) -> dict[int, Any]:
    found = {}
    for word in words:
        number, equals, text = word.partition("=")
        if not (equals and number.isascii() and number.isdigit() and len(number) < 9):
            raise click.BadParameter(f"{word!r} does not begin with a record: N=..", param_hint=option)
        check_record(of.log.records, int(number), option)
        found[int(number)] = read(int(number), text.strip())
    return found


def _order(setting: CliContext, of: "Original", number: int, text: str) -> Any:
    """Return the order typed for the question that record ``number`` answers; IllegalOrder tells the question."""
    from sandtable.errors import IllegalOrder  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.positions import game_at  # noqa: PLC0415

    record = of.records[number - 1] if number else None
    waiting = game_at(of.log, number - 1, setting.rulesets).waiting() if number else ()
    decision = next((each for each in waiting if each.seat == getattr(record, "by", "")), None)
    if decision is None:
        raise click.BadParameter(f"record {number} is no order", param_hint="--order")
    try:
        return order_typed(of.prepared, decision, text)
    except IllegalOrder as error:
        asked = f"record {number} answers {decision.seat}: {shortened(decision.prompt)}"
        raise IllegalOrder(error.rule, f"{asked}: {error.reason}") from error


def _event(of: "Original", text: str) -> Any:
    from msgspec import MsgspecError  # noqa: PLC0415

    from sandtable.journal.format.codec import RecordCodec  # noqa: PLC0415 - so that --help stays quick

    try:
        return RecordCodec.of(of.prepared.ruleset).event.decode(text)
    except (MsgspecError, ValueError, RecursionError) as error:
        raise click.BadParameter(f"is no event of {of.prepared.ruleset.id}: {error}", param_hint="--ruling") from error


def _write(of: "Original", made: "Branch", out: str, *, force: bool) -> None:
    from sandtable.files.writing import write_new  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.battles import read_battles  # noqa: PLC0415
    from sandtable.journal.record import log_bytes  # noqa: PLC0415

    data, _ = log_bytes(made.header, made.game, read_battles(of.log))
    write_new(out, data, force=force, sources=(of.log.name,))
