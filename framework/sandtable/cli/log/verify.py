"""``sandtable verify``."""

from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import count, picked, say, show, show_json, table
from sandtable.journal.anchors.anchors import CODE_DIGITS, read_seals, sealed_by_code
from sandtable.journal.file.log import read_log
from sandtable.journal.verification.one_game import same_games
from sandtable.journal.verification.verify import SAME, Anchor, Verdict, verify_log

WORST_FIRST = (3, 4, 1, 0)


@click.command()
@arguments.logs
@click.option("--anchor", "anchors", multiple=True, metavar="FILE|WORDS", help="An anchor that must fit (repeatable).")
@click.option("--deep", is_flag=True, help="Fold the events to every seal, and check each side's slice, too.")
@arguments.as_json
@pass_context
def verify(context: CliContext, logs: tuple[str, ...], anchors: tuple[str, ...], deep: bool, as_json: bool) -> int:
    """Run LOGS again from their orders and compare every record.

    A log proves its rules and its dice. That it is the game that was played, only an anchor proves that both sides had
    (`sandtable log anchor`): without one the verdict is "unanchored".

    Exit code: 0 all are the same, 1 one differs (the first difference is named), 3 one cannot be read, 4 its ruleset is
    missing or of another version, or its files were edited since and the difference may come of that; or a signature
    cannot be checked because sandtable[keys] is not installed, and nothing else differs.
    """
    verdicts = [verify_log(log, context.rulesets, deep=deep, seals=_anchors(anchors, log)) for log in logs]
    if as_json:
        first, last = "log verdict records first_difference other_files", "game head anchor closed note"
        show_json(
            [
                picked(each, first)
                | {"files": {"played_with": each.played_with, "here": each.files_here}}
                | picked(each, last)
                for each in verdicts
            ]
        )
    else:
        rows = [(v.log, v.records, _told(v), v.head[:16]) for v in verdicts]
        show(table(("log", "records", "verdict", "head"), rows, right=(1,)))
        for verdict in verdicts:
            found = verdict.first_difference
            if found is not None and found.edited:
                say(f"{verdict.verdict}: {verdict.log}: {found.edited}:")
            if found is not None:
                say(f"{found.kind}: {found.text}")
            if verdict.note:
                say(f"{verdict.log}: {verdict.note}")
        for line in same_games(logs, verdicts):
            say(line)
        good = sum(verdict.verdict == SAME for verdict in verdicts)
        say(f"{good} of {count(len(verdicts), 'log')} verified{_edited(verdicts)}")
    codes = {verdict.exit_code for verdict in verdicts}
    return next(code for code in WORST_FIRST if code in codes)


def _told(verdict: Verdict) -> str:
    """Return the verdict, and what anchors the log."""
    if verdict.exit_code:
        return verdict.verdict
    return f"{verdict.verdict}, {verdict.anchor or 'unanchored'}"


def _anchors(given: tuple[str, ...], log: str) -> list[Anchor]:
    """Return the seals that are named: in files, or by their codes in ``log``."""
    found: list[Anchor] = []
    for each in given:
        is_code = " " in each.strip() or len(each.strip()) == CODE_DIGITS
        if is_code and not Path(each).exists():
            found.append((sealed_by_code(each, read_log(log)), "the code"))
        else:
            found += [(seal, each) for seal in read_seals(each)]
    return found


def _edited(verdicts: list[Verdict]) -> str:
    """Return how many logs were played before the files of their ruleset were changed, "" for none."""
    number = sum(verdict.other_files and not verdict.first_difference for verdict in verdicts)
    return f"; {number} played before the ruleset's files were edited, and the same with these" if number else ""
