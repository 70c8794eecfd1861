"""How two games on a page differ: where they part, phase by phase, in their dice, in their ends."""

from collections.abc import Sequence
from typing import Any

from sandtable.journal.branching.compare import Section, parting, rolls, sections
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.viewer.narrate import capital, in_words
from sandtable.viewer.page.telling import ToldGame

MOST_SECTIONS = 60


def compared(game: ToldGame, other: ToldGame) -> dict[str, Any]:
    """Return what the page tells of two games, as plain data.

    ``first`` is the first record of the first game that is another in the other, 0 where there is none.
    """
    place = parting(game.records, other.records)
    same = place == len(game.records) == len(other.records)
    first = 0 if same else game.records[place].n if place < len(game.records) else game.last
    counted = rolls(game.records, other.records)
    return {
        "first": first,
        "rolls": {"same": counted.same, "changed": len(counted.changed), "gone": counted.gone, "fresh": counted.new},
        "sections": [_told(each) for each in _different(game.records, other.records)][:MOST_SECTIONS],
        "ends": [game.result.rstrip("."), other.result.rstrip(".")],
    }


def _different(a: Sequence[Any], b: Sequence[Any]) -> list[Section]:
    return [each for each in sections(a, b) if not each.is_same]


def _told(each: Section) -> dict[str, Any]:
    return {
        "turn": each.turn,
        "phase": each.phase,
        "a": each.first_a.n if each.first_a is not None else 0,
        "b": each.first_b.n if each.first_b is not None else 0,
        "wordsA": _words(each.first_a),
        "wordsB": _words(each.first_b),
    }


def _words(record: Any) -> str:
    """Return a record in a few words."""
    if record is None:
        return "nothing"
    if isinstance(record, EventRecord):
        return type(record.event).__name__
    if isinstance(record, OrderRecord):
        return f"{capital(in_words(record.by))} orders {type(record.order).__name__}"
    if isinstance(record, RollRecord):
        return f"roll {record.label}: {' '.join(map(str, record.dice))}"
    return type(record).__name__.removesuffix("Record").lower()
