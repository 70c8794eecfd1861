"""Parse the arguments that name logs, games, players and options."""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import click

from sandtable.cli.context import CliContext, usage_errors
from sandtable.cli.output import say, show_file
from sandtable.errors import RulesetError
from sandtable.files.writing import write_new
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import private_file, read_log
from sandtable.journal.fold import other_version, prepare_for
from sandtable.journal.sides.side_log import SideLog, side_log
from sandtable.journal.sides.slices import sliced_for
from sandtable.journal.verification.verdicts import VERIFIED, Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.plugin.manager import Installed, Prepared

LONGEST_SEED = 200


def pairs(words: Iterable[str], option: str) -> dict[str, str]:
    """Return the table of repeated ``NAME=VALUE`` arguments. Raises UsageError for another form or a repeated name."""
    table: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"{word!r} is not of the form NAME=VALUE", param_hint=option)
        if name in table:
            raise click.BadParameter(f"{name} is named twice", param_hint=option)
        table[name] = value
    return table


def prepare(installed: Installed, scenario: str, options: Iterable[str]) -> Prepared:
    """Return ``installed``, prepared for play. An unknown scenario or option is a usage error."""
    chosen = pairs(options, "--option")
    shipped = installed.scenario_ids()
    if scenario and scenario not in shipped and not scenario.endswith(".toml") and not Path(scenario).exists():
        known = ", ".join(shipped) or "none"
        problem = f"no such scenario: {scenario!r}; {installed.manifest.id} has {known}, or name a .toml file"
        raise click.BadParameter(problem, param_hint="--scenario")
    with usage_errors():
        installed.full_options(chosen)
    return installed.prepare(scenario, chosen)


def check_record(records: int, number: int | None, argument: str = "--at") -> None:
    """Raise BadParameter (exit status 2) if a log of ``records`` records has no record ``number``.

    ``argument`` is the option to blame. ``number`` is None if the option was omitted, which is valid.
    """
    if number is not None and number > records:
        raise click.BadParameter(f"the log has {records} records: there is no record {number}", param_hint=argument)


def check_side(prepared: Prepared, side: str | None, *also: str) -> None:
    """Raise BadParameter if ``side`` is neither None nor a side of the game, nor one of ``also``."""
    sides = (*prepared.ruleset.viewers, *also)
    if side is not None and side not in sides:
        raise click.BadParameter(f"no such side: {side!r}; choose from {', '.join(sides)}", param_hint="--side")


def own_part(log: Log, prepared: Prepared, side: str | None) -> SideLog | None:
    """Return the game in a slice as its side knows it, or None for a complete ``log``.

    Raises UsageError if ``side`` is not a side of the game, nor PUBLIC, or if the file does not show what it saw.
    """
    check_side(prepared, None if side == UMPIRE else side, PUBLIC)
    with usage_errors():
        own = side_log(log, prepared, side)
    if own is not None and side is None and not sliced_for(log):
        kept = private_file(log.name).name
        say(f"{log.name}: shown as spectators see it: the rest is in {kept}, which only the host of the game has")
    return own


def open_log(context: CliContext, path: str, at: int | None = None, *, doubts: bool = True) -> tuple[Log, Prepared]:
    """Return a log that has record ``at``, and the ruleset that it was played with; prints ``doubts``."""
    log = read_log(path)
    check_record(log.records, at)
    prepared = prepare_for(log, context.rulesets)
    if doubts:
        verify_and_say(log, prepared)
    return log, prepared


def open_part(context: CliContext, path: str, at: int | None, side: str | None) -> tuple[Log, Prepared, SideLog | None]:
    """Return what ``open_log`` and ``own_part`` return; prints doubts about the log, or about the slice of its side."""
    log, prepared = open_log(context, path, at, doubts=False)
    own = own_part(log, prepared, side)
    verify_and_say(log, prepared, own.side if own else "")
    return log, prepared, own


def write_or_show(data: bytes, out: str | None, done: str, *, force: bool, sources: Iterable[str | Path]) -> None:
    """Write ``data`` to the file ``out`` and print what is ``done``; without a file, print the data."""
    if out is None:
        show_file(data)
        return
    write_new(out, data, force=force, sources=tuple(sources))
    say(f"{out}: {done}")


def seed_or_fresh(seed: str | None) -> str:
    """Return the seed, or a fresh one, which is shown; raises BadParameter if the seed cannot be typed again."""
    if seed is None:
        seed = secrets.token_hex(8)
        say(f"seed: {seed}")
    if not seed or len(seed) > LONGEST_SEED or not seed.isprintable():
        raise click.BadParameter(f"must be 1 to {LONGEST_SEED} printable characters", param_hint="--seed")
    return seed


def prepare_for_viewing(context: CliContext, log: Log) -> Prepared:
    """Return the ruleset to show ``log`` with: the played version or, if it is missing, another one.

    If another version is used, that is printed. Then the records are shown as stored, and no rules are run.
    """
    prepared = prepare_for(log, context.rulesets, any_version=True)
    if other := other_version(log, prepared.ruleset):
        say(f"{other}, shown from its records only: nothing is verified")
    return prepared


def verify_and_say(log: Log, prepared: Prepared, side: str = "") -> None:
    """Verify ``log`` and print its verdict on stderr before the log is shown. A verified log prints nothing.

    A branch, or a log with typed dice, prints its note. With a ``side``, the log is judged as its slice. Records of
    another version of the rules are not rerun.
    """
    if log.header.ruleset_version == prepared.ruleset.version:
        say_verdict(verify(log, prepared, side=side))


def say_verdict(verdict: Verdict) -> None:
    """Print what ``verify_and_say`` prints for a verdict that is known already."""
    if verdict.verdict != VERIFIED:
        say(f"{verdict.log}: {verdict.text}{_consequence(verdict)}")
    elif verdict.note:
        say(f"{verdict.log}: {verdict.note}")


def say_verdict_of(context: CliContext, path: str) -> None:
    """Print what ``verify_and_say`` prints of the log in ``path``, which a command has already read.

    Nothing is verified if no fitting version of its ruleset is installed.
    """
    log = read_log(path)
    with suppress(RulesetError):
        verify_and_say(log, prepare_for(log, context.rulesets, any_version=True))


def _consequence(verdict: Verdict) -> str:
    """Return the warning that a verdict with an exit status other than 0 gives to readers of the game."""
    return ": the output below may be wrong" if verdict.exit_code else ""
