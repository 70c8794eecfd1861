"""``sandtable replay``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandtable.cli.output import show, show_drawing, show_sentence
from sandtable.cli.setting import Setting, check_record, pass_setting, say_doubts

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
@click.argument("log", type=click.Path())
@click.option("--to", "upto", type=click.IntRange(0), metavar="N", help="Stop after record N.")
@click.option("--turn", type=click.IntRange(0), metavar="T", help="Tell turn T only (0: what came before the first).")
@click.option("--side", help="Tell what this side saw.")
@click.option("--brief/--full", default=True, help="Tell together what belongs together, or step by step.")
@click.option("--numbers", is_flag=True, help="Show the record of each sentence: for explain, ask, whatif, dispute.")
@click.option("--board", is_flag=True, help="Draw the board at the end.")
@pass_setting
def replay(
    setting: Setting,
    *,
    log: str,
    upto: int | None,
    turn: int | None,
    side: str | None,
    brief: bool,
    numbers: bool,
    board: bool,
) -> None:
    """Tell the game in LOG in sentences, by turn and phase."""
    from sandtable.journal.file.log import kept_lines, parse_log, read_bytes  # noqa: PLC0415
    from sandtable.journal.fold import prepare_for  # noqa: PLC0415
    from sandtable.journal.sides.slices import count_closed, read_slice, sliced_for  # noqa: PLC0415 - --help stays quick
    from sandtable.journal.sides.slices_v1 import is_slice_v1, read_slice_v1  # noqa: PLC0415

    data, wanted = read_bytes(log), _Wanted(upto, turn, brief, numbers)
    if is_slice_v1(data):
        head, prepared, records = read_slice_v1(data, log, setting.rulesets)
        _check_slice_options(log, head.side, side, board=board)
        check_record(data.count(b"\n") - 2, upto, "--to")  # without its header and its last line
        _tell(prepared, records, log, wanted)
        return
    whole = parse_log(data, log, kept_lines(log))
    if count_closed(whole, prepare_for(whole, setting.rulesets).ruleset):
        _check_slice_options(log, sliced_for(whole), side, board=board)
        check_record(whole.records, upto, "--to")
        prepared, records = read_slice(whole, setting.rulesets)
        _tell(prepared, records, log, wanted)
        return
    _replay_whole(setting, whole, wanted, side, board=board)


def _check_slice_options(log: str, own: str, side: str | None, *, board: bool) -> None:
    """Raise UsageError where a slice, of what the side ``own`` saw, cannot tell what is wanted."""
    if side not in {None, own}:
        raise click.UsageError(f"{log} is what {own or 'all'} saw: it cannot tell what {side} saw")
    if board:
        raise click.UsageError(f"{log} is a slice: a board cannot be drawn from it, only from the whole log")


def _replay_whole(setting: Setting, log: "Log", wanted: _Wanted, side: str | None, *, board: bool) -> None:
    from sandtable.journal.fold import effective, fitting, prepare_for, read_records  # noqa: PLC0415
    from sandtable.journal.sides.slices import seen_records  # noqa: PLC0415

    prepared = prepare_for(log, setting.rulesets)
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
    from sandtable.viewer.narrate import narrate  # noqa: PLC0415

    hook = prepared.installed.hook.ruleset_narrate
    digest: Mapping[int, str] | None = None
    if wanted.brief:
        with fitting(name, "it cannot be told in brief: --full tells it step by step"):
            digest = prepared.installed.hook.ruleset_digest(records=records, board=prepared.board)

    def sentence_of(record: Any) -> str | None:
        with fitting(name, f"record {record.n} cannot be told"):
            sentence: str | None = hook(record=record, board=prepared.board)
            return sentence

    tell = sentence_of if hook.get_hookimpls() else None
    for line in narrate(wanted.of(records), tell, digest=digest, numbers=wanted.numbers):
        show_sentence(line)


def _draw(prepared: "Prepared", log: "Log", last: int, side: str | None) -> None:
    from sandtable.cli.game.board import drawn  # noqa: PLC0415
    from sandtable.journal.fold import fitting, fold_log  # noqa: PLC0415

    state = fold_log(log, prepared, last)
    with fitting(log.name, f"the state after record {last} cannot be drawn"):
        drawing = drawn(prepared, state, side)
    show()
    show_drawing(drawing if drawing is not None else f"{prepared.ruleset.id} has no board to draw")
