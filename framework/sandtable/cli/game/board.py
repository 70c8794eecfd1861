"""The command ``sandtable board``."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.inputs import check_record, check_side, own_part, prepare, prepare_for_viewing, verify_and_say
from sandtable.cli.output import paper_width, say, show_drawing
from sandtable.errors import PlayError
from sandtable.files.writing import write_new
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import fitting, fold_log, read_records
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.events import TurnBegan
from sandtable.plugin.manager import Prepared
from sandtable.viewer.style import paper

SVG, TEXT = "svg", "text"
STYLES = {
    (SVG, ""): ("svg",),
    (SVG, "whole"): ("svg_whole", "svg"),
    (SVG, "part"): ("svg_part", "svg"),
    (TEXT, ""): ("text",),
    (TEXT, "whole"): ("text_whole", "text"),
    (TEXT, "part"): ("text_part", "text"),
}
"""Styles to request from a ruleset, in order of preference, by format and extent of the map."""


@click.command()
@click.argument("what", metavar="LOG|RULESET")
@arguments.at("After this record of the log (default: the last).", least=0)
@arguments.side("Draw the board as this side sees it (default: everything).")
@click.option("--each-side", is_flag=True, help="Draw each side's view in turn; --out names a folder.")
@click.option("--turn", type=click.IntRange(1), metavar="T", help="Draw the end of turn T of the log.")
@arguments.scenario
@arguments.options
@click.option("--whole", "extent", flag_value="whole", help="Draw the whole map.")
@click.option("--part", "extent", flag_value="part", help="Draw only the part with units, if the ruleset can.")
@click.option("--focus", default="", metavar="UNIT", help="Show more of this unit or space, if the ruleset can.")
@arguments.out("Write an SVG (default: text to stdout).")
@arguments.force
@pass_context
def board(
    context: CliContext,
    *,
    what: str,
    at: int | None,
    side: str | None,
    each_side: bool,
    turn: int | None,
    scenario: str,
    options: tuple[str, ...],
    extent: str | None,
    focus: str,
    out: str | None,
    force: bool,
) -> None:
    """Draw the board of the game in LOG after a record, or of RULESET before the first move."""
    guard: AbstractContextManager[None]
    if Path(what).is_file() and not ((scenario or options) and context.rulesets.knows(what)):
        if scenario or options:
            raise click.UsageError("--scenario and --option need a RULESET: a log has its own")
        prepared, state, side = _of_log(context, what, at, turn, side, each_side=each_side)
        guard = fitting(what, "the state cannot be drawn")
    else:
        if not context.rulesets.knows(what):
            raise click.BadParameter(f"{what!r} is neither a file nor an installed ruleset", param_hint="LOG|RULESET")
        if at is not None or turn is not None:
            raise click.UsageError(f"--{'turn' if at is None else 'at'} needs a LOG: a ruleset has no records")
        prepared = prepare(context.rulesets.load(what), scenario, options)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        guard = nullcontext()
        check_side(prepared, None if side == UMPIRE else side, PUBLIC)
    viewers = prepared.ruleset.viewers
    if each_side:
        with guard:
            styles, columns = STYLES[TEXT, extent or ""], 0 if out else paper_width()
            drawings = {each: drawn(prepared, state, each, styles, focus, columns=columns) for each in viewers}
        _reports(prepared.ruleset.id, drawings, state.turn, out, force=force)
        return
    with guard:
        styles = STYLES[SVG if out else TEXT, extent or ""]
        drawing = drawn(prepared, state, side, styles, focus, columns=paper_width())
    if drawing is None:
        raise PlayError(f"{prepared.ruleset.id} draws no board as {'an SVG' if out else 'text'}")
    if out is None:
        show_drawing(drawing)
        return
    write_new(out, drawing.encode(), force=force, sources=(what, *prepared.sources()))
    say(f"{out}: written; open it in any browser")


def _reports(ruleset: str, drawings: dict[str, str | None], turn: int, folder: str | None, *, force: bool) -> None:
    """Show each side's view. With a folder, write a file for each, to send to its players."""
    for side, drawing in drawings.items():
        if drawing is None:
            raise PlayError(f"{ruleset} draws no board as text")
        if folder is None:
            show_drawing(drawing)
            continue
        Path(folder).mkdir(parents=True, exist_ok=True)
        file = str(Path(folder) / f"turn-{turn}-{side}.txt")
        write_new(file, drawing.encode(), force=force)
        say(f"{file}: written")


def _of_log(
    context: CliContext, path: str, upto: int | None, turn: int | None, side: str | None, *, each_side: bool
) -> tuple[Prepared, Any, str | None]:
    """Return the ruleset of a log, its state after a record or at the end of a turn, and the side that sees it.

    A slice gives a state that only its own side may look at.
    """
    log = read_log(path)
    check_record(log.records, upto)
    prepared = prepare_for_viewing(context, log)
    own = own_part(log, prepared, side)
    if own is not None and each_side:
        raise click.UsageError(f"{path} is redacted for {own.side}: it does not show what each side saw")
    if turn is not None:
        if upto is not None:
            raise click.UsageError("--at and --turn both choose a position: use only one")
        upto = _end_of(read_records(log, prepared.ruleset) if own is None else own.known, turn, log.records)
    state = fold_log(log, prepared, upto) if own is None else own.state_at(upto)
    verify_and_say(log, prepared, own.side if own else "")
    return prepared, state, own.side if own else side


def _end_of(records: list[Any], turn: int, last: int) -> int:
    """Return the last record of ``turn``, ``last`` for the last turn. Raises BadParameter without that turn."""
    begun: dict[int, int] = {
        event.turn: each.n for each in records if isinstance(event := getattr(each, "event", None), TurnBegan)
    }
    if turn not in begun:
        raise click.BadParameter(
            f"turn {turn} is not in the log: the last is {max(begun, default=0)}", param_hint="--turn"
        )
    return begun[turn + 1] - 1 if turn + 1 in begun else last


def drawn(
    prepared: Prepared,
    state: Any,
    side: str | None,
    styles: tuple[str, ...] = STYLES[TEXT, ""],
    focus: str = "",
    *,
    columns: int = 0,
) -> str | None:
    """Return the drawing of ``side``'s view (None: the umpire's) in the first of ``styles`` that the ruleset knows.

    A text drawing is at most ``columns`` wide if that is not 0.
    """
    view = prepared.ruleset.view(state, side or UMPIRE)
    with paper(columns):
        drawings = (prepared.installed.draw(view, state.board, style, focus) for style in styles)
        return next((drawing for drawing in drawings if drawing is not None), None)
