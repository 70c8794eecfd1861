"""``sandtable replay``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandtable.cli.context import CliContext, check_record, pass_setting, prepare_to_look, say_doubts
from sandtable.cli.output import paper_width, show, show_drawing, show_sentence

if TYPE_CHECKING:
    from sandtable.journal.file.log import Log
    from sandtable.plugin.manager import Prepared


class _Wanted(NamedTuple):
    """What is to be told: to a record, of a turn, whether in brief, and with the numbers of records."""

    upto: int | None
    turn: int | None
    brief: bool
    numbers: bool

    def of(self, records: Sequence[Any]) -> list[Any]:
        """Return the records that are to be told."""
        from sandtable.kernel.events import TurnBegan  # noqa: PLC0415

        now, kept = 0, []
        for record in records:
            event = getattr(record, "event", None)
            if isinstance(event, TurnBegan):
                now = event.turn
            if (self.upto is None or record.n <= self.upto) and (self.turn is None or now == self.turn):
                kept.append(record)
        return kept


@click.command()
@click.argument("log", type=click.Path(), required=False)
@click.option("--to", "upto", type=click.IntRange(0), metavar="N", help="Stop after record N.")
@click.option("--turn", type=click.IntRange(0), metavar="T", help="Tell turn T only (0: what came before the first).")
@click.option("--side", help="Tell what this side saw.")
@click.option("--brief/--full", default=True, help="Tell together what belongs together, or step by step.")
@click.option("--numbers", is_flag=True, help="Show the record of each sentence: for explain, ask, whatif, dispute.")
@click.option("--board", is_flag=True, help="Draw the board at the end.")
@click.option("--watch", is_flag=True, help="Walk through it here, step by step, by the keys of the page.")
@click.option("--html", "page", metavar="FILE", help="Write one page instead: the game to watch, question and send.")
@click.option("--compare", type=click.Path(), metavar="LOG", help="With --html: another game, or a branch, beside it.")
@click.option("--force", is_flag=True, help="Overwrite the page.")
@click.option("--check", "checked", type=click.Path(exists=True), metavar="FILE", help="Make a page again: is it true?")
@pass_setting
def replay(
    setting: CliContext,
    *,
    log: str | None,
    upto: int | None,
    turn: int | None,
    side: str | None,
    brief: bool,
    numbers: bool,
    board: bool,
    watch: bool,
    page: str | None,
    compare: str | None,
    force: bool,
    checked: str | None,
) -> int:
    """Tell the game in LOG in sentences, by turn and phase; or write it as a page (--html).

    Exit code with --check: 0 the page is what its log makes, 1 it is not. A side's page is made again from the slice in
    it, words and pictures; name the whole LOG too, and what that side was asked is proven as well.
    """
    if checked or page:
        return _page(
            setting,
            log,
            checked,
            page,
            side,
            compare,
            plain=not (board or watch or upto or turn or numbers),
            force=force,
        )
    if log is None:
        raise click.UsageError("name a LOG")
    if compare or force:
        raise click.UsageError("--compare and --force are for pages: --html FILE")
    if watch:
        _watch(setting, log, side, plain=not (board or upto or turn or numbers))
    else:
        _tell_log(setting, log, _Wanted(upto, turn, brief, numbers), side, board=board)
    return 0


def _page(
    setting: CliContext,
    log: str | None,
    checked: str | None,
    page: str | None,
    side: str | None,
    compare: str | None,
    *,
    plain: bool,
    force: bool,
) -> int:
    """Write a page, or check one."""
    from sandtable.cli.game.page import write_page  # noqa: PLC0415 - so that --help stays quick
    from sandtable.cli.game.page_check import check_page  # noqa: PLC0415

    if not plain:
        raise click.UsageError("a page holds the whole game: --to, --turn and --board are for telling it here")
    if checked:
        if page or compare or side or force:
            raise click.UsageError("--check takes a page, and a side's page its LOG, nothing else")
        return check_page(setting, checked, log)
    if log is None or page is None:
        raise click.UsageError("name a LOG")
    write_page(setting, log, page, side or "", compare, force=force)
    return 0


def _watch(setting: CliContext, path: str, side: str | None, *, plain: bool) -> None:
    """Walk through a log in the terminal."""
    from sandtable.cli.game.page import whole_log  # noqa: PLC0415 - so that --help stays quick
    from sandtable.cli.game.pager import watch  # noqa: PLC0415
    from sandtable.journal.file.log import read_bytes  # noqa: PLC0415
    from sandtable.journal.fold import read_records  # noqa: PLC0415
    from sandtable.viewer.page.timeline import story_of  # noqa: PLC0415

    if not plain:
        raise click.UsageError("--watch goes through the whole game: --to, --turn and --board are for telling it")
    log, prepared = whole_log(setting, read_bytes(path), path, side or "")
    say_doubts(log, prepared)
    known, lines = story_of(read_records(log, prepared.ruleset), prepared, side or "", path)
    watch(prepared, log, known, lines, side)


def _tell_log(setting: CliContext, log: str, wanted: _Wanted, side: str | None, *, board: bool) -> None:
    """Tell a log, or a slice of one."""
    from sandtable.journal.file.log import kept_lines, parse_log, read_bytes  # noqa: PLC0415
    from sandtable.journal.sides.slices import count_closed, shown_records, sliced_for  # noqa: PLC0415 - --help stays quick
    from sandtable.journal.sides.slices_v1 import is_slice_v1, read_slice_v1  # noqa: PLC0415

    data = read_bytes(log)
    if is_slice_v1(data):
        head, prepared, records = read_slice_v1(data, log, setting.rulesets)
        _check_slice_options(log, head.side, side, board=board)
        check_record(data.count(b"\n") - 2, wanted.upto, "--to")  # without its header and its last line
        _tell(prepared, records, log, wanted)
        return
    whole = parse_log(data, log, kept_lines(log))
    prepared = prepare_to_look(setting, whole)
    if count_closed(whole, prepared.ruleset):
        _check_slice_options(log, sliced_for(whole), side, board=board)
        check_record(whole.records, wanted.upto, "--to")
        _tell(prepared, shown_records(whole, prepared), log, wanted)
        return
    _replay_whole(prepared, whole, wanted, side, board=board)


def _check_slice_options(log: str, own: str, side: str | None, *, board: bool) -> None:
    """Raise UsageError where a slice, of what the side ``own`` saw, cannot tell what is wanted."""
    if side not in {None, own}:
        raise click.UsageError(f"{log} is what {own or 'all'} saw: it cannot tell what {side} saw")
    if board:
        raise click.UsageError(f"{log} is a slice: a board cannot be drawn from it, only from the whole log")


def _replay_whole(prepared: "Prepared", log: "Log", wanted: _Wanted, side: str | None, *, board: bool) -> None:
    from sandtable.journal.fold import effective, fitting, read_records  # noqa: PLC0415
    from sandtable.journal.sides.slices import seen_records  # noqa: PLC0415

    say_doubts(log, prepared)
    sides = prepared.ruleset.viewers
    if side is not None and side not in sides:
        raise click.BadParameter(f"no such side: {side!r}; there are {' and '.join(sides)}", param_hint="--side")
    check_record(log.records, wanted.upto, "--to")
    records = read_records(log, prepared.ruleset)
    if side is not None:
        with fitting(log.name, f"what {side} saw cannot be told"):
            records = seen_records(records, prepared, side)
    records = effective(records)
    _tell(prepared, records, log.name, wanted)
    if board:
        last = max((record.n for record in wanted.of(records)), default=0)
        _draw(prepared, log, last, side)


def _tell(prepared: "Prepared", records: Sequence[Any], name: str, wanted: _Wanted) -> None:
    from sandtable.journal.fold import fitting  # noqa: PLC0415
    from sandtable.plugin.groups import nothing  # noqa: PLC0415
    from sandtable.viewer.narrate import narrate  # noqa: PLC0415

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


def _draw(prepared: "Prepared", log: "Log", last: int, side: str | None) -> None:
    from sandtable.cli.game.board import drawn  # noqa: PLC0415
    from sandtable.journal.fold import fitting, fold_log  # noqa: PLC0415

    state = fold_log(log, prepared, last)
    with fitting(log.name, f"the state after record {last} cannot be drawn"):
        drawing = drawn(prepared, state, side, columns=paper_width())
    show()
    show_drawing(drawing if drawing is not None else f"{prepared.ruleset.id} has no board to draw")
