"""The walk through a question: from picks, a list of texts, to the next choice or to a value.

A walk is a pure function of the space and the picks, and nothing is kept between two clicks: back is one pick less, and
a restart of the server loses nothing. A pick is a text:

==========================  =====================================================================================
the option as JSON          an option that is a value: ``"2525"``, ``3``, ``["g-5","g-7"]``
``~`` and a name            a remark or a separate space: ``~stop``, ``~MoveStrategically``
a list of values as JSON    the members of a SomeOf
a text as JSON              the text of a Words
``=`` and lines as JSON     a Sheet: the line of each key, see ``SheetLine``
==========================  =====================================================================================
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import IllegalOrder, RefusalCollector
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, Refusal, Sheet, SomeOf, Space, Words
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.notation.values import read_text
from sandtable.rules.steps.choices import LISTED_FOR_PEOPLE, Choice, Remark, Stuck, in_steps

WHOLE = (SomeOf, Sheet, Words)
"""Spaces that a page asks for in one step: members to toggle, a table of lines, a text."""
MAX_PICKS = 400
SHEET = "="
HEAD = "~"

_encode = msgspec.json.Encoder(order="deterministic").encode


class SheetLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A written line of a sheet: the ``picks`` of its walk, or a typed ``text``, or its ``value``."""

    picks: tuple[str, ...] = ()
    text: str = ""
    value: Any = None


_lines = msgspec.json.Decoder(dict[str, SheetLine])


class WalkError(ValueError):
    """Picks that do not fit the question: it has changed, or the page invented them."""


def pick_of(option: Any) -> str:
    """Return the pick of an option: a text that does not depend on its place in a list."""
    if isinstance(option, Remark):
        return HEAD + option.words
    if isinstance(option, Form):
        return HEAD + option.order.__name__
    if isinstance(option, Space):
        return HEAD + type(option).__name__
    return _encode(option).decode()


class PickWalk:
    """A walk along ``picks``. It ends at a ``choice``, or with a ``value`` if ``is_done``, or is ``stuck``.

    ``said`` lists the picked options with the part of the order that each is for. ``wrong`` holds the refusals of a
    set, a text or a sheet; the walk then ends at its choice. Raises WalkError for picks that do not exist.
    """

    def __init__(self, space: Space, label: str, picks: Sequence[str]) -> None:
        self.choice: Choice | None = None
        self.value: Any = None
        self.is_done = False
        self.stuck = ""
        self.said: list[tuple[str, Any]] = []
        self.wrong: list[Refusal] = []
        self._label = label
        if len(picks) > MAX_PICKS:
            raise WalkError(f"more than {MAX_PICKS} picks")
        try:
            self._go(space, list(picks))
        except Stuck as error:
            self.choice, self.stuck = None, str(error)

    def _go(self, space: Space, picks: list[str]) -> None:
        stream = Stream.for_player(b"web", self._label)
        steps = in_steps(space, stream, listed=LISTED_FOR_PEOPLE, whole=WHOLE)
        answer: Any = None
        try:
            while True:
                self.choice = choice = steps.send(answer)
                if not picks:
                    return
                answer = self._picked(choice, picks.pop(0))
                if self.wrong:
                    return
        except StopIteration as end:
            self.choice, self.value, self.is_done = None, end.value, True
        if picks:
            raise WalkError("there are more picks than choices")

    def _picked(self, choice: Choice, pick: str) -> Any:
        """Return the answer to send for ``pick``: an index, or a value of the choice's space."""
        if choice.space is None:
            place = next((index for index, each in enumerate(choice.options) if pick_of(each) == pick), None)
            if place is None:
                raise WalkError(f"{shown(pick)} cannot be picked for {choice.part}")
            self.said.append((choice.part, choice.options[place]))
            return place
        value = self._whole(choice.space, choice.part, pick)
        self.wrong += choice.space.all_wrong(value) if not self.wrong else []
        self.said.append((choice.part, value))
        return value

    def _whole(self, space: Space, part: str, pick: str) -> Any:
        if isinstance(space, Sheet):
            if not pick.startswith(SHEET):
                raise WalkError(f"{part} is a sheet")
            sheet, self.wrong = read_lines(space, lines_of(pick), f"{self._label}/{part}")
            return sheet
        try:
            value = msgspec.json.decode(pick)
        except (msgspec.DecodeError, RecursionError) as error:
            raise WalkError(f"{shown(pick)} is not JSON") from error
        if not isinstance(space, SomeOf):
            return value
        if not isinstance(value, list):
            raise WalkError(f"{part} is a list")
        members = {_encode(each): each for each in space.of}
        return [members.get(_encode(each), each) for each in value]


def lines_of(pick: str) -> dict[str, SheetLine]:
    """Return the lines in the pick of a sheet. Raises WalkError."""
    try:
        return _lines.decode(pick.removeprefix(SHEET))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise WalkError(f"these are not lines of a sheet: {error}") from error


def read_lines(space: Sheet, lines: Mapping[str, SheetLine], label: str) -> tuple[dict[str, Any], list[Refusal]]:
    """Return the values of the ``lines``, and the refusals of lines without a value."""
    sheet: dict[str, Any] = {}
    wrong: list[Refusal] = []
    for key, line in lines.items():
        try:
            sheet[key] = read_line(space, key, line, label)
        except IllegalOrder as error:
            wrong.append(Refusal(error.rule or space.rule, f"{key}: {error.reason}"))
    return {key: sheet[key] for key in space.lines if key in sheet}, wrong


def read_line(space: Sheet, key: str, line: SheetLine, label: str) -> Any:
    """Return the value of a line. Raises IllegalOrder for a line without one, WalkError for picks that do not exist."""
    if key not in space.lines:
        raise IllegalOrder(space.rule, f"has no line here: the keys are {listing(list(space.lines))}")
    if line.text:
        return space.read(key, line.text) if space.read else read_text(line.text, space.lines[key], space.rule)
    if line.value is not None:
        return _like(space.lines[key], line.value)
    walk = PickWalk(space.lines[key], f"{label}/{key}", line.picks)
    if walk.wrong:
        raise IllegalOrder(*walk.wrong[0])
    if not walk.is_done:
        raise IllegalOrder(space.rule, walk.stuck or "this line is not finished")
    return walk.value


def _like(space: Space, value: Any) -> Any:
    """Return a decoded ``value`` in the type of the values of ``space``."""
    first = next(iter(space.values()), None)
    if not isinstance(first, Struct):
        return value
    try:
        return msgspec.convert(value, type(first))
    except msgspec.ValidationError as error:
        raise IllegalOrder("", f"{shown(value)} is not a value of this line") from error


def _check_line(space: Sheet, key: str, line: SheetLine) -> None:
    """Raise IllegalOrder, with the key, for a typed line that is not allowed by itself."""
    if line.text in {"", "-"} and key in space.lines:
        return
    try:
        value = read_line(space, key, line, "")
        space.lines[key].check(value)
    except IllegalOrder as error:
        raise IllegalOrder(error.rule or space.rule, f"{key}: {error.reason}") from error


def typed_lines(space: Sheet, text: str) -> dict[str, SheetLine]:
    """Return the lines that a typed text means: "KEY: ORDER", several separated by ";". Raises IllegalOrder.

    All lines must be in the sheet's notation; every error is in the exception.
    """
    found: dict[str, SheetLine] = {}
    wrong = RefusalCollector()
    for each in filter(str.strip, text.split(";")):
        for part in space.parts(each) if space.parts is not None else [each]:
            key, _, value = part.strip().partition(":" if ":" in part else " ")
            key = key.strip()
            if key not in space.lines and space.key_of is not None:
                key = space.key_of(key) or key
            line = SheetLine(text=value.strip())
            with wrong.part():
                _check_line(space, key, line)
            found[key] = line
    wrong.refuse()
    return found
