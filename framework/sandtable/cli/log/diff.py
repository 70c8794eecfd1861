"""The command ``sandtable log diff``."""

import click
from msgspec import json

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.differences import record_text
from sandtable.cli.inputs import say_verdict_of
from sandtable.cli.output import say, show, show_json, show_sentence, table, won_by
from sandtable.errors import SandtableError
from sandtable.journal.branching.trees import Fork, tree_of
from sandtable.journal.diff import LogDifference, diff_logs
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.quoting import disambiguated, shortened

MAX_ROWS = 20
MAX_SHOWN = 120
"""Maximum number of characters of a record in a tree."""


@click.command()
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@click.argument("more", nargs=-1, type=click.Path())
@arguments.as_json
@pass_context
def diff(context: CliContext, a: str, b: str, more: tuple[str, ...], as_json: bool) -> int:
    """Find the first record in which the logs A and B differ, and the differences of the state after it.

    Slices are compared by their visible content. With MORE logs, such as branches of one game, the output is their
    tree, with the result of each.

    Exit status: 0 the records are the same, 1 they differ.
    """
    if more:
        return _tree(context, (a, b, *more), as_json=as_json)
    found = diff_logs(read_log(a), read_log(b), context.rulesets)
    for name in (a, b):
        say_verdict_of(context, name)
    if as_json:
        show_json(found)
        return 0 if found.record is None else 1
    _show(found)
    return 0 if found.record is None else 1


def _tree(context: CliContext, names: tuple[str, ...], *, as_json: bool) -> int:
    """Show how several logs diverge."""
    if len(dict.fromkeys(names)) < len(names):
        raise click.UsageError("a log is named twice")
    logs = {name: read_log(name) for name in names}
    tree = tree_of(list(logs.values()))
    for name in logs:
        say_verdict_of(context, name)
    if as_json:
        show_json(tree)
    else:
        _show_fork(context, tree, logs, "")
    return 1 if tree.ways else 0


def _show_fork(context: CliContext, fork: Fork, logs: dict[str, Log], indent: str) -> None:
    """Print the common part of the logs of a fork and the record where they diverge, then each branch."""
    end = f"{fork.since} to {fork.record - 1}" if fork.record - 1 > fork.since else str(fork.since)
    if fork.record > fork.since:
        show_sentence(f"{indent}records {end}: {_begins(context, fork, logs[fork.logs[0]])}")
    for way in fork.ways:
        _show_fork(context, way, logs, f"{indent}  ")
    if not fork.ways:
        for name in fork.logs:
            parent = logs[name].header.parent
            branch = f", a branch from record {parent.record} on" if parent is not None else ""
            show_sentence(f"{indent}  {name}: {_end_of(logs[name])}{branch}")


def _begins(context: CliContext, fork: Fork, log: Log) -> str:
    """Return the first record of a fork as narrated, or as stored in the chain if it cannot be read here."""
    if fork.since == 1:
        return "the same in all"
    try:
        prepared = prepare_for(log, context.rulesets, any_version=True)
        return record_text(prepared, read_records(log, prepared.ruleset, fork.since)[-1])
    except SandtableError:
        return shortened(fork.first, MAX_SHOWN)


def _end_of(log: Log) -> str:
    """Return the outcome and the number of records of a log in words, from its last line."""
    last = json.decode(log.lines[-1]) if log.records else {}
    if last.get("kind") != "close":
        return f"not finished, {log.records} records"
    return f"{won_by(last['outcome'])}: {last['ending'].replace('_', ' ')}, {log.records} records"


def _show(found: LogDifference) -> None:
    a, b = found.a, found.b
    if found.record is None:
        show("the records are the same" + ("; the headers differ:" if found.header else ""))
        if found.note:
            show_sentence(found.note)
    else:
        where = f", turn {found.turn}, {found.phase or 'between phases'}" if found.turn else ""
        show(f"the logs first differ in record {found.record}{where}" + (f": {found.note}" if found.note else ""))
        for name, told in zip((a, b), found.told, strict=True):
            if told:
                show_sentence(f"  {name}: {told}")
    for title, fields in (
        ("in the header", found.header),
        ("in that record", found.in_record),
        ("in the state after it", found.state),
    ):
        if fields:
            show()
            show(title)
            show(table(("field", "a", "b"), [(each.field, *disambiguated(each.a, each.b)) for each in fields]))
    _show_sections(found)
    if found.record:
        say(f"why: sandtable explain {a} --at {found.record}")


def _show_sections(found: LogDifference) -> None:
    """Print the phases that differ, and who won."""
    if not found.sections:
        return
    show()
    show("what follows, by phase")
    rows = [(each.turn or "", each.phase or "between phases", each.a, each.b) for each in found.sections]
    show(table(("turn", "phase", "records of a", "of b"), rows[:MAX_ROWS], right=(0, 2, 3)))
    if len(rows) > MAX_ROWS:
        show(f"and {len(rows) - MAX_ROWS} more phases")
    for name, outcome in zip((found.a, found.b), found.outcomes, strict=True):
        show(f"{name}: {won_by(outcome)}")
