"""The command ``sandtable replay``."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.game.board import drawn
from sandtable.cli.game.pager import watch as walk
from sandtable.cli.inputs import check_record, own_part, prepare_for_viewing, verify_and_say
from sandtable.cli.output import paper_width, show, show_drawing, show_sentence
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import effective, fitting, fold_log, read_records
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.state import State
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared
from sandtable.viewer.narrate import narrate
from sandtable.viewer.story import story_of


class _Selection(NamedTuple):
    """The part of a game to narrate: up to a record, or of one turn, and in which form."""

    upto: int | None
    turn: int | None
    brief: bool
    numbers: bool

    def of(self, records: Sequence[Any]) -> list[Any]:
        """Return the records to narrate."""
        now, kept = 0, []
        for record in records:
            event = getattr(record, "event", None)
            if isinstance(event, TurnBegan):
                now = event.turn
            if (self.upto is None or record.n <= self.upto) and (self.turn is None or now == self.turn):
                kept.append(record)
        return kept


@click.command()
@arguments.log
@arguments.at("Stop after this record.", least=0)
@click.option("--turn", type=click.IntRange(0), metavar="T", help="Narrate only turn T (0: the set-up before turn 1).")
@arguments.side("Narrate what this side saw.")
@click.option("--brief/--full", default=True, help="Group related events, or show every step.")
@click.option("--numbers", is_flag=True, help="Show the record number of each sentence.")
@click.option("--board", is_flag=True, help="Draw the board at the end.")
@click.option("--watch", is_flag=True, help="Walk through the game in the terminal, with the keys of the page.")
@pass_context
def replay(
    context: CliContext,
    *,
    log: str,
    at: int | None,
    turn: int | None,
    side: str | None,
    brief: bool,
    numbers: bool,
    board: bool,
    watch: bool,
) -> None:
    """Narrate the game in LOG, by turn and phase."""
    if watch:
        _watch(context, log, side, plain=not (board or at or turn or numbers))
    else:
        _narrate_log(context, log, _Selection(at, turn, brief, numbers), side, board=board)


def _watch(context: CliContext, path: str, side: str | None, *, plain: bool) -> None:
    """Walk through a log in the terminal."""
    if not plain:
        raise click.UsageError("--watch shows the whole game: omit --at, --turn, --board and --numbers")
    log = read_log(path)
    prepared = prepare_for_viewing(context, log)
    own = own_part(log, prepared, side)
    verify_and_say(log, prepared, own.side if own else "")
    if own is not None:
        known, lines = story_of(own.shown, prepared, "", path)
        walk(prepared, log, known, lines, own.side, own.state_at)
        return
    known, lines = story_of(read_records(log, prepared.ruleset), prepared, side or "", path)
    walk(prepared, log, known, lines, side, partial(fold_log, log, prepared))


def _narrate_log(context: CliContext, path: str, selection: _Selection, side: str | None, *, board: bool) -> None:
    """Narrate a log: all of it, or what one side saw."""
    log = read_log(path)
    prepared = prepare_for_viewing(context, log)
    own = own_part(log, prepared, side)
    check_record(log.records, selection.upto)
    verify_and_say(log, prepared, own.side if own else "")
    records = effective(_seen(log, prepared, side) if own is None else own.shown)
    _narrate(prepared, records, path, selection)
    if board:
        last = max((record.n for record in selection.of(records)), default=0)
        state = fold_log(log, prepared, last) if own is None else own.state_at(last)
        _draw(prepared, path, state, last, own.side if own else side)


def _seen(log: Log, prepared: Prepared, side: str | None) -> list[Any]:
    """Return the records of a complete log that ``side`` (None: the umpire) saw."""
    records = read_records(log, prepared.ruleset)
    if side in (None, UMPIRE):
        return records
    with fitting(log.name, f"what {side} saw cannot be narrated"):
        return seen_records(records, prepared, side)


def _narrate(prepared: Prepared, records: Sequence[Any], name: str, selection: _Selection) -> None:

    ui = prepared.installed.ui
    digest: Mapping[int, str] | None = None
    if selection.brief:
        with fitting(name, "it cannot be narrated in brief: use --full"):
            digest = (ui.digest or nothing)(records, prepared.board)

    def sentence_of(record: Any) -> str | None:
        with fitting(name, f"record {record.n} cannot be narrated"):
            return (ui.narrate or nothing)(record, prepared.board)

    narrator = sentence_of if ui.narrate else None
    for line in narrate(selection.of(records), narrator, digest=digest, numbers=selection.numbers):
        show_sentence(line)


def _draw(prepared: Prepared, name: str, state: State, last: int, side: str | None) -> None:

    with fitting(name, f"the state after record {last} cannot be drawn"):
        drawing = drawn(prepared, state, side, columns=paper_width())
    show()
    show_drawing(drawing if drawing is not None else f"{prepared.ruleset.id} has no board to draw")
