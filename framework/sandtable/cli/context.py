"""What all commands share: where rulesets come from, and how arguments name games, players and options."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import click

from sandtable.cli.output import say
from sandtable.errors import DataError, IllegalOrder, PlayError

if TYPE_CHECKING:
    from sandtable.journal.file.log import Log
    from sandtable.plugin.manager import Installed, Prepared, Rulesets

LONGEST_SEED = 200


@dataclass
class CliContext:
    """The object of the click context: what was said before, or beside, a command's own arguments."""

    plugins_dir: str | None = None

    @cached_property
    def rulesets(self) -> "Rulesets":
        """The rulesets of this machine and of ``--plugins-dir``."""
        from sandtable.plugin.manager import Rulesets  # noqa: PLC0415 - so that --help stays quick

        return Rulesets(self.plugins_dir)

    @property
    def plugins_words(self) -> str:
        """What a command line that is to be repeated must say besides."""
        return f" --plugins-dir {self.plugins_dir}" if self.plugins_dir else ""


pass_context = click.make_pass_decorator(CliContext, ensure=True)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Make what is wrong with arguments a usage error (exit 2)."""
    try:
        yield
    except (PlayError, DataError, IllegalOrder) as error:
        raise click.UsageError(str(error), click.get_current_context(silent=True)) from error


def pairs(words: Iterable[str], option: str) -> dict[str, str]:
    """Return the table that repeated ``NAME=VALUE`` words make; UsageError for another shape, or a name twice."""
    table: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"{word!r} is not of the form NAME=VALUE", param_hint=option)
        if name in table:
            raise click.BadParameter(f"{name} is named twice", param_hint=option)
        table[name] = value
    return table


def prepare(installed: "Installed", scenario: str, options: Iterable[str]) -> "Prepared":
    """Return ``installed`` made ready; a scenario or option that does not exist is a usage error."""
    from pathlib import Path  # noqa: PLC0415 - so that --help stays quick

    chosen = pairs(options, "--option")
    shipped = installed.scenario_ids()
    if scenario and scenario not in shipped and not scenario.endswith(".toml") and not Path(scenario).exists():
        known = ", ".join(shipped) or "none"
        problem = f"no such scenario: {scenario!r}; {installed.manifest.id} has {known}, or name a .toml file"
        raise click.BadParameter(problem, param_hint="--scenario")
    with usage_errors():
        installed.full_options(chosen)
    return installed.prepare(scenario, chosen)


def check_record(records: int, number: int | None, argument: str) -> None:
    """Raise BadParameter (exit 2) where a log of so many ``records`` has no record ``number``, said as ``argument``.

    Every command says so in the same way: nothing is wrong with the log. None, for not said, is right.
    """
    if number is not None and number > records:
        raise click.BadParameter(f"the log has {records} records, no {number}", param_hint=argument)


def seed_or_fresh(seed: str | None) -> tuple[str, bool]:
    """Return the seed, and whether it is a fresh one; raises UsageError for one that nobody could type again."""
    if seed is None:
        import secrets  # noqa: PLC0415 - only here

        return secrets.token_hex(8), True
    if not seed or len(seed) > LONGEST_SEED or not seed.isprintable():
        raise click.BadParameter(f"must be 1 to {LONGEST_SEED} printable characters", param_hint="--seed")
    return seed, False


def prepare_to_look(context: CliContext, log: "Log") -> "Prepared":
    """Return the ruleset of ``log`` to look at it with, of another version where that which was played is not here.

    That is said then: the records are told as they stand, and no rules are run.
    """
    from sandtable.journal.fold import other_version, prepare_for  # noqa: PLC0415 - so that --help stays quick

    prepared = prepare_for(log, context.rulesets, any_version=True)
    if told := other_version(log, prepared.ruleset):
        say(f"{told}, by its records alone: nothing is verified")
    return prepared


def say_doubts(log: "Log", prepared: "Prepared") -> None:
    """Verify ``log`` and say, before anything is told of it, what is wrong or unproven; nothing where all is well.

    What another version of the rules made is not run again.
    """
    from sandtable.journal.verification.verify import IN_PART, SAME, UNFINISHED, verify  # noqa: PLC0415 - --help

    if log.header.ruleset_version != prepared.ruleset.version:
        return
    verdict = verify(log, prepared)
    if verdict.verdict not in {SAME, IN_PART, *UNFINISHED}:
        say(f"not verified: {verdict.verdict}: {verdict.first_difference}: what follows may be untrue")
    elif verdict.verdict != IN_PART and verdict.note:
        say(f"{log.name}: {verdict.note}")


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
