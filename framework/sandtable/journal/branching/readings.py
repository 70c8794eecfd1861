"""Trying every ruling of a game's rulebook in its other interpretations: the first difference and the winner."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from sandtable.errors import SandtableError
from sandtable.journal.branching.branch import Original, branch
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.compare import parting
from sandtable.plugin.manifest import Option


class Reading(Struct, frozen=True):
    """The result of a game with ``option`` set to ``value``.

    ``record`` is the first that differs, or None. ``outcome`` is the result with the recorded orders alone, "" if they
    do not answer every question; ``question`` is the first that they do not answer. ``problem`` is the reason why the
    rules could not be run with that value.
    """

    option: str
    ruling: str
    value: str
    record: int | None
    outcome: str = ""
    question: str = ""
    problem: str = ""


def other_readings(options: tuple[Option, ...], rule: str = "") -> list[tuple[Option, str]]:
    """Return each option with each of its values, or only the options of the ruling ``rule``."""
    return [(each, value) for each in options if rule in {"", each.ruling} for value in each.values]


def try_readings(of: Original, rule: str = "") -> Iterator[Reading]:
    """Yield the results of the game ``of`` under every other interpretation of its rulings."""
    played = of.log.header.options
    for option, value in other_readings(of.prepared.installed.manifest.options, rule):
        if value == played.get(option.name, option.default):
            continue
        try:
            made = branch(of, Changes(readings={option.name: value}))
        except SandtableError as error:
            yield Reading(option.name, option.ruling, value, None, problem=str(error))
            continue
        question = f"{made.open_questions[0].seat}: {made.open_questions[0].prompt}" if made.open_questions else ""
        outcome = made.game.state.outcome if made.is_whole else ""
        yield Reading(option.name, option.ruling, value, _first(of, list(made.game.trail)), outcome, question)


def _first(of: Original, records: list[Any]) -> int | None:
    """Return the first record of the recorded game that the branch does not have, or None."""
    mine = of.made
    index = parting(mine, records)
    return int(mine[index].n) if index < len(mine) else None
