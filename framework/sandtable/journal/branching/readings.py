"""Each ruling of a game's rulebook tried in its other readings: did it matter, where, and who won then."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from sandtable.errors import SandtableError
from sandtable.journal.branching.branch import Original, branch
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.compare import parting
from sandtable.plugin.manifest import Option


class Reading(Struct, frozen=True):
    """What came of a game with ``option`` read as ``value``.

    ``record`` is the first that is otherwise, None where none is. ``outcome`` is who won then, with the recorded orders
    alone: "" where they do not answer all that is asked; ``question`` tells which they do not. ``problem`` tells why
    the rules could not be run so.
    """

    option: str
    ruling: str
    value: str
    record: int | None
    outcome: str = ""
    question: str = ""
    problem: str = ""


def other_readings(options: tuple[Option, ...], rule: str = "") -> list[tuple[Option, str]]:
    """Return each option with each value that it may have, those of the ruling ``rule`` only, if one is named."""
    return [(each, value) for each in options if rule in {"", each.ruling} for value in each.values]


def try_readings(of: Original, rule: str = "") -> Iterator[Reading]:
    """Yield what came of the game of ``of`` with each other reading of its rulings, one after the other."""
    played = of.log.header.options
    for option, value in other_readings(of.prepared.installed.manifest.options, rule):
        if value == played.get(option.name, option.default):
            continue
        try:
            made = branch(of, Changes(readings={option.name: value}))
        except SandtableError as error:
            yield Reading(option.name, option.ruling, value, None, problem=str(error))
            continue
        question = f"{made.partings[0].seat}: {made.partings[0].prompt}" if made.partings else ""
        outcome = made.game.state.outcome if made.is_whole else ""
        yield Reading(option.name, option.ruling, value, _first(of, list(made.game.trail)), outcome, question)


def _first(of: Original, records: list[Any]) -> int | None:
    """Return the first record of the recorded game that the branch has not."""
    mine = of.made
    place = parting(mine, records)
    return int(mine[place].n) if place < len(mine) else None
