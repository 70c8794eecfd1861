"""``sandtable replay``."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.game.board import drawn
from sandtable.cli.game.pager import watch as walk
from sandtable.cli.inputs import check_record, check_side, prepare_to_look, say_doubts
from sandtable.cli.output import paper_width, show, show_drawing, show_sentence
from sandtable.cli.page.making import refuse_slice, whole_log
from sandtable.journal.file.log import Log, read_log
from sandtable.journal.fold import effective, fitting, fold_log, read_records
from sandtable.journal.sides.slices import count_closed, seen_records, shown_records, sliced_for
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.events import TurnBegan
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared
from sandtable.viewer.narrate import narrate
from sandtable.viewer.story import story_of


class _Wanted(NamedTuple):
    """What is to be told: to a record, of a turn, whether in brief, and with the numbers of records."""

    upto: int | None
    turn: int | None
    brief: bool
    numbers: bool

    def of(self, records: Sequence[Any]) -> list[Any]:
        """Return the records that are to be told."""
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
@click.option("--turn", type=click.IntRange(0), metavar="T", help="Tell turn T only (0: what came before the first).")
@arguments.side("Narrate what this side saw.")
@click.option("--brief/--full", default=True, help="Tell together what belongs together, or step by step.")
@click.option("--numbers", is_flag=True, help="Show the record of each sentence: for explain, ask, whatif, dispute.")
@click.option("--board", is_flag=True, help="Draw the board at the end.")
@click.option("--watch", is_flag=True, help="Walk through it here, step by step, by the keys of the page.")
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
        _tell_log(context, log, _Wanted(at, turn, brief, numbers), side, board=board)


def _watch(context: CliContext, path: str, side: str | None, *, plain: bool) -> None:
    """Walk through a log in the terminal."""
    if not plain:
        raise click.UsageError("--watch goes through the whole game: --at, --turn and --board are for telling it")
    log = read_log(path)
    prepared = whole_log(context, log, side or "")
    say_doubts(log, prepared)
    known, lines = story_of(read_records(log, prepared.ruleset), prepared, side or "", path)
    walk(prepared, log, known, lines, side)


def _tell_log(context: CliContext, log: str, wanted: _Wanted, side: str | None, *, board: bool) -> None:
    """Tell a log, or a slice of one."""
    whole = read_log(log)
    prepared = prepare_to_look(context, whole)
    if closed := count_closed(whole, prepared.ruleset):
        own = sliced_for(whole)
        if side not in {None, own}:
            raise click.UsageError(f"{log} is what {own or 'all'} saw: it cannot tell what {side} saw")
        refuse_slice(whole, closed if board else 0)
        check_record(whole.records, wanted.upto)
        say_doubts(whole, prepared, side or "")
        _tell(prepared, shown_records(whole, prepared), log, wanted)
        return
    _replay_whole(prepared, whole, wanted, side, board=board)


def _replay_whole(prepared: Prepared, log: Log, wanted: _Wanted, side: str | None, *, board: bool) -> None:

    say_doubts(log, prepared)
    check_side(prepared, side, PUBLIC)
    check_record(log.records, wanted.upto)
    records = read_records(log, prepared.ruleset)
    if side is not None:
        with fitting(log.name, f"what {side} saw cannot be told"):
            records = seen_records(records, prepared, side)
    records = effective(records)
    _tell(prepared, records, log.name, wanted)
    if board:
        last = max((record.n for record in wanted.of(records)), default=0)
        _draw(prepared, log, last, side)


def _tell(prepared: Prepared, records: Sequence[Any], name: str, wanted: _Wanted) -> None:

    ui = prepared.installed.ui
    digest: Mapping[int, str] | None = None
    if wanted.brief:
        with fitting(name, "it cannot be told in brief: --full tells it step by step"):
            digest = (ui.digest or nothing)(records, prepared.board)

    def sentence_of(record: Any) -> str | None:
        with fitting(name, f"record {record.n} cannot be told"):
            return (ui.narrate or nothing)(record, prepared.board)

    tell = sentence_of if ui.narrate else None
    for line in narrate(wanted.of(records), tell, digest=digest, numbers=wanted.numbers):
        show_sentence(line)


def _draw(prepared: Prepared, log: Log, last: int, side: str | None) -> None:

    state = fold_log(log, prepared, last)
    with fitting(log.name, f"the state after record {last} cannot be drawn"):
        drawing = drawn(prepared, state, side, columns=paper_width())
    show()
    show_drawing(drawing if drawing is not None else f"{prepared.ruleset.id} has no board to draw")
