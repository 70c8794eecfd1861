"""The command ``sandtable verify``."""

from pathlib import Path
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.output import picked, say, show, show_json, table
from sandtable.journal.anchors.anchors import CODE_DIGITS, anchor_by_code, read_anchors
from sandtable.journal.file.reading import read_log
from sandtable.journal.verification.one_game import same_games
from sandtable.journal.verification.verdicts import HOLDS, SO_FAR, VERIFIED, Verdict, worst
from sandtable.journal.verification.verify import LocatedAnchor, verify_log
from sandtable.quoting import count


@click.command()
@arguments.logs
@click.option("--anchor", "anchors", multiple=True, metavar="FILE|WORDS", help="An anchor that must fit (repeatable).")
@click.option("--deep", is_flag=True, help="Also fold the events to every seal, and check each side's slice.")
@arguments.judged_as
@arguments.as_json
@pass_context
def verify(
    context: CliContext, logs: tuple[str, ...], anchors: tuple[str, ...], deep: bool, judged_as: str, as_json: bool
) -> int:
    """Rerun LOGS from their orders and compare every record.

    A log proves its rules and its dice. Only an anchor that both sides have (`sandtable log anchor`) proves that it is
    the game that was played. Without one the verdict is "unanchored".

    The verdict "verified so far" lists what is pending in an unfinished game. "Not proven" lists the missing parts that
    should prove the log. A slice is not proven by itself; with --as, its own closed parts count as pending.

    Exit status: 0 verified or verified so far, 1 false (the first difference is named), 3 unreadable, 4 the ruleset is
    missing or broken or of another version or edited so that a difference may result or a signature requires
    sandtable[keys], 5 not proven. For several logs, the first of 3, 4, 1, 5, 0 that occurs.
    """
    given = [_anchors(anchors, log) for log in logs]
    with usage_errors():
        verdicts = [
            verify_log(log, context.rulesets, deep=deep, anchors=own, side=judged_as)
            for log, own in zip(logs, given, strict=True)
        ]
    if as_json:
        show_json([verdict_document(each) for each in verdicts])
    else:
        rows = [(v.log, v.records, verdict_words(v), v.head[:16]) for v in verdicts]
        show(table(("log", "records", "verdict", "head"), rows, right=(1,)))
        for verdict in verdicts:
            if verdict.needs_words:
                say(f"{verdict.log}: {verdict.text}")
        for line in same_games(logs, verdicts):
            say(line)
        good = sum(verdict.verdict == VERIFIED for verdict in verdicts)
        so_far = sum(verdict.verdict == SO_FAR for verdict in verdicts)
        more = f", {so_far} so far" if so_far else ""
        say(f"{good} of {count(len(verdicts), 'log')} verified{more}{_edited(verdicts)}")
    return worst([verdict.exit_code for verdict in verdicts])


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as the JSON document that commands print."""
    first, last = "log verdict records first_difference other_files", "game head anchor closed note"
    lists = "missing pending rulings ended"
    files = {"files": {"played_with": verdict.played_with, "here": verdict.files_here}}
    return picked(verdict, first) | files | picked(verdict, last) | picked(verdict, lists)


def verdict_words(verdict: Verdict) -> str:
    """Return the verdict, the number of rulings and, unless a difference was found, what anchors the log."""
    if verdict.verdict not in HOLDS:
        return verdict.verdict
    rulings = f", with {count(len(verdict.rulings), 'ruling')}" if verdict.rulings else ""
    ended = ", ended by people" if verdict.ended else ""
    return f"{verdict.verdict}{rulings}{ended}, {verdict.anchor or 'unanchored'}"


def _anchors(given: tuple[str, ...], log: str) -> list[LocatedAnchor]:
    """Return the named anchors: from files, or from codes for ``log``."""
    found: list[LocatedAnchor] = []
    for each in given:
        is_code = " " in each.strip() or len(each.strip()) == CODE_DIGITS
        if is_code and not Path(each).exists():
            found.append((anchor_by_code(each, read_log(log)), "the code"))
        else:
            found += [(anchor, each) for anchor in read_anchors(each)]
    return found


def _edited(verdicts: list[Verdict]) -> str:
    """Return a note on the logs that were played before their ruleset's files were edited, or ""."""
    number = sum(verdict.other_files and not verdict.first_difference for verdict in verdicts)
    return f"; {number} played before the ruleset's files were edited, with the same result" if number else ""
