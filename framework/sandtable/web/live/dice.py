"""The dice of a line of the story: labels, faces, needs and rules, and the key with which a page checks them.

A line's rolls are those since the previous line of the same story, so that every roll belongs to one line.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from sandtable.errors import PlayError
from sandtable.kernel.records import RollRecord
from sandtable.viewer.narrate import roll_sentence
from sandtable.viewer.story import LiveStory
from sandtable.web.live.game import LiveGame

MAX_ROLLS = 100
"""Maximum number of rolls in one reply."""


class ShownRoll(Struct, frozen=True):
    """A roll as a page shows it. ``needs`` are the highest faces that hit, by die; ``by`` rolled the real dice."""

    record: int
    label: str
    words: str
    dice: tuple[int, ...]
    sides: int
    needs: tuple[int, ...]
    rule: str
    rule_text: str
    by: str


class ShownDice(Struct, frozen=True):
    """The rolls of a line. ``key`` is "" while it is secret; ``more`` rolls were left out.

    ``faces`` are those that were set when a branch was made, by label.
    """

    record: int
    mode: str
    key: str
    commitment: str
    faces: dict[str, tuple[int, ...]]
    rolls: tuple[ShownRoll, ...]
    more: int = 0


def lines_with_dice(story: LiveStory, kept: int = 0) -> list[list[Any]]:
    """Return the lines of ``story`` after the first ``kept``: kind, text, record, and the number of its rolls."""
    rolls = [each.n for each in _rolls(story)]
    before = max((line.number for line in story.lines[:kept] if line.kind == "sentence"), default=0)
    found: list[list[Any]] = []
    for line in story.lines[kept:]:
        count = 0
        if line.kind == "sentence" and line.number > before:
            count = bisect_right(rolls, line.number) - bisect_right(rolls, before)
            before = line.number
        found.append([*line, count])
    return found


def dice_of_line(live: LiveGame, viewer: str, record: int) -> ShownDice:
    """Return the rolls of the line with the number ``record``, as ``viewer`` saw them.

    Raises PlayError if the viewer's story has no line there.
    """
    story = live.story(viewer)
    numbers = [line.number for line in story.lines if line.kind == "sentence"]
    place = bisect_left(numbers, record)
    if place == len(numbers) or numbers[place] != record:
        raise PlayError(f"your story has no line for record {record}: choose dice beside a line of the story")
    before = numbers[place - 1] if place else 0
    found = [each for each in _rolls(story) if before < each.n <= record]
    header, game = live.header, live.game
    is_known = game.is_over or (header.dice == "open" and not header.root)
    return ShownDice(
        record=record,
        mode=header.dice,
        key=live.key.hex() if is_known and header.has_dice_key else "",
        commitment=header.commitment if header.has_dice_key else "",
        faces={each.label: header.dice_set[each.label] for each in found if each.label in header.dice_set},
        rolls=tuple(_shown(each, live.rules, live.place_names(viewer)) for each in found[:MAX_ROLLS]),
        more=max(0, len(found) - MAX_ROLLS),
    )


def _rolls(story: LiveStory) -> Sequence[RollRecord]:
    return [each for each in story.known if isinstance(each, RollRecord) and each.dice]


def _shown(roll: RollRecord, rules: Mapping[str, str], names: Mapping[str, str]) -> ShownRoll:
    return ShownRoll(
        roll.n,
        roll.label,
        roll_sentence(roll, {each: name for each, name in names.items() if name}),
        roll.dice,
        roll.sides,
        roll.needs,
        roll.rule,
        rules.get(roll.rule, ""),
        roll.by,
    )
