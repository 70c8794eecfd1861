"""Orders in steps: any space of options as a sequence of small choices, each from a list.

``in_steps(space, chance)`` is a generator. It yields a ``Choice``, is sent the index of the picked option, and finally
returns a value. Steps without a choice are skipped. The steps of each kind of space:

============  ==================================================================================================
OneOf, Range  one choice
AnyOf         which of the spaces (members of lists among them directly), then the steps of that space
Form          field by field, in the order of the fields
OneForEach    key by key
Sheet         line by line: leave all the rest blank, leave it blank, or one of the line's values
Path          step by step: the next space, or stop if it may end
SomeOf        member by member, in the order of the list, or no more
ListOf        one after another
ShareOut      the number of each, one after another
Groups        for each member: a separate group, or an earlier group
Words         no step: the empty text
others        the steps of its own ``in_parts``, with a list or a space for each part. Without these: if up to LISTED
              values are listed, part by part of these; if not, one of DRAWN values drawn at random
============  ==================================================================================================

A form whose fields have no joint value, or a sheet with a required line that stays open, leads to ``Stuck``.
"""

from collections.abc import Generator, Sequence
from functools import singledispatch
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import (
    AnyOf,
    Form,
    Groups,
    ListOf,
    OneForEach,
    OneOf,
    Path,
    Range,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
    Words,
)
from sandtable.kernel.options.choices import shown
from sandtable.kernel.options.space import Asking

LISTED, LISTED_FOR_PEOPLE = 600, 2_000
DRAWN = 24
FEW = 64
"""Maximum number of orders at which a form with dependent fields is listed, so that no choice leads to a dead end."""


class Remark(NamedTuple):
    """An option that is not a value: ``words`` describes the effect of picking it."""

    words: str


REST_BLANK, BLANK, STOP, NO_MORE, ALONE = map(Remark, ("rest blank", "blank", "stop", "no more", "alone"))


class Choice(NamedTuple):
    """A list from which one option must be picked; ``part`` names its purpose: a field, a line, a key.

    With a ``space`` there are no options: a value of the space is sent, not an index.
    """

    part: str
    options: Sequence[Any]
    space: Space | None = None

    def label(self, place: int) -> str:
        """Return the option at index ``place`` in words."""
        option = self.options[place]
        if isinstance(option, Remark):
            return option.words
        if isinstance(option, Form):
            return option.order.__name__
        if isinstance(option, Space):
            return type(option).__name__
        words = getattr(option, "in_words", None)
        return (words() if words else "") or shown(option)


class Stuck(ValueError):
    """The picks lead to no value that may be chosen."""


Steps = Generator[Choice, Any, Any]


class _Asking(NamedTuple):
    """Settings of the steps: the stream that draws, the maximum number of listed values, kinds that are one choice."""

    chance: Stream
    listed: int
    whole: tuple[type[Space], ...]


def pick(part: str, options: Sequence[Any]) -> Steps:
    """Ask for one of ``options``; a single option is taken without asking. Raises Stuck if there are none."""
    if not options:
        raise Stuck(f"{part}: nothing can be chosen")
    if len(options) == 1:
        return options[0]
    place = yield Choice(part, options)
    return options[place]


def in_steps(
    space: Space,
    chance: Stream,
    part: str = "order",
    listed: int = LISTED,
    whole: tuple[type[Space], ...] = (),
) -> Steps:
    """Ask step by step for a value of ``space``; ``chance`` draws values if they can be neither split nor listed.

    Up to ``listed`` values are listed: ``LISTED`` for learners, ``LISTED_FOR_PEOPLE`` if a person reads them. Spaces of
    the kinds in ``whole`` are one choice each, to be answered with a value: a page lets people click the members of a
    SomeOf on a map. Raises IllegalOrder if that value is not in the space.
    """
    return _ask(space, part, _Asking(chance, listed, whole))


def _ask(space: Space, part: str, how: _Asking) -> Steps:
    if not isinstance(space, how.whole):
        return (yield from _steps(space, part, how))
    value = yield Choice(part, (), space)
    space.check(value)
    return value


@singledispatch
def _steps(space: Any, part: str, how: _Asking) -> Steps:
    own = space.in_parts()
    if own is not None:
        return (yield from _own_parts(own, how))
    if space.lists_all:
        listed = list(islice(space.values(), how.listed + 1))
        if len(listed) <= how.listed:
            return (yield from by_parts(part, listed))
    return (yield from pick(part, drawn(space, how.chance)))


def _own_parts(asking: Asking, how: _Asking) -> Steps:
    picked = None
    while True:
        try:
            part, options = asking.send(picked)
        except StopIteration as end:
            return end.value
        picked = yield from (_ask(options, part, how) if isinstance(options, Space) else pick(part, options))


def drawn(space: Space, chance: Stream) -> list[Any]:
    """Return up to DRAWN different values of ``space``, drawn at random."""
    found: dict[bytes, Any] = {}
    for _ in range(DRAWN):
        try:
            value = space.sample(chance)
        except ValueError:
            continue
        found.setdefault(_bytes(value), value)
    return list(found.values())


_bytes = msgspec.json.Encoder(order="deterministic").encode


def by_parts(part: str, values: Sequence[Any]) -> Steps:
    """Ask for one of ``values``: orders with several fields are chosen field by field, for the fields that differ."""
    left = list(values)
    if left and isinstance(left[0], msgspec.Struct):
        kinds = list(dict.fromkeys(map(type, left)))
        if len(kinds) > 1 and len(left) > len(kinds):
            heads = [Remark(kind.__name__) for kind in kinds]
            chosen = yield from pick(part, heads)
            left = [each for each in left if type(each).__name__ == chosen.words]
        for name in left[0].__struct_fields__:
            by_value: dict[bytes, list[Any]] = {}
            for each in left:
                by_value.setdefault(_bytes(getattr(each, name)), []).append(each)
            groups = list(by_value.values())
            taken = yield from pick(name, [getattr(group[0], name) for group in groups])
            left = by_value[_bytes(taken)]
        return left[0]
    return (yield from pick(part, left))


@_steps.register
def _(space: OneOf, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    return (yield from pick(part, space.of))


@_steps.register
def _(space: Range, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    return (yield from pick(part, range(space.least, space.most + 1)))


@_steps.register
def _(space: Words, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    return ""
    yield  # pragma: no cover - makes this a generator without choices


def _heads(spaces: Sequence[Space]) -> list[Any]:
    """Return the first options of an AnyOf: the members of its lists, and its other spaces."""
    heads: list[Any] = []
    for space in spaces:
        if isinstance(space, AnyOf):
            heads += _heads(space.spaces)
        elif isinstance(space, OneOf):
            heads += space.of
        elif not space.is_empty():
            heads.append(space)
    return heads


@_steps.register
def _(space: AnyOf, part: str, how: _Asking) -> Steps:
    head = yield from pick(part, _heads(space.spaces))
    if isinstance(head, Space):
        return (yield from _ask(head, part, how))
    return head


@_steps.register
def _(space: Form, part: str, how: _Asking) -> Steps:
    fields = space.fields
    is_dependent = space.also is not None or not all(isinstance(each, Space) for each in fields.values())
    if is_dependent and not any(isinstance(each, Sheet) for each in fields.values()):
        few = list(islice(space.values(), FEW + 1))
        if len(few) <= FEW:
            return (yield from by_parts(part, few))
    before: list[Any] = []
    for name in fields:
        try:
            field = space.space_of(name, before)
        except ValueError:
            raise Stuck(f"{name}: no value fits the earlier picks") from None
        before.append((yield from _ask(field, name, how)))
    return space.order(**dict(zip(fields, before, strict=True)))


@_steps.register
def _(space: OneForEach, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    chosen = {}
    for key, each in space.spaces.items():
        chosen[key] = yield from _ask(each, key, how)
    return chosen


@_steps.register
def _(space: ListOf, part: str, how: _Asking) -> Steps:
    row: list[Any] = []
    while len(row) < space.length:
        each = yield from _ask(space.each, f"{part} {len(row) + 1}", how)
        row.append(each)
    return row


@_steps.register
def _(space: SomeOf, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    of = space.of
    taken: list[Any] = []
    first = 0
    while len(taken) < space.most:
        last = len(of) - (space.least - len(taken) if len(taken) < space.least else 1)
        options = [*([] if len(taken) < space.least else [NO_MORE]), *of[first : last + 1]]
        if options == [NO_MORE]:
            break
        place = 0
        if len(options) > 1:
            place = yield Choice(part, options)
        if options[place] is NO_MORE:
            break
        place -= options[0] is NO_MORE
        taken.append(of[first + place])
        first += place + 1
    return taken


@_steps.register
def _(space: ShareOut, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    share = {}
    left = space.amount
    names = list(space.prices)
    for place, name in enumerate(names):
        price = space.prices[name]
        rest = {other: space.prices[other] for other in names[place + 1 :]}
        most = min(left // price, space.caps.get(name, left))
        fits = [
            number
            for number in range(most + 1)
            if not space.exactly or ShareOut(left - number * price, rest, space.caps, exactly=True).count(1)
        ]
        number = yield from pick(name, fits)
        if number:
            share[name] = number
            left -= number * price
    return share


@_steps.register
def _(space: Groups, part: str, how: _Asking) -> Steps:
    if space.why_not_group is not None:
        listed = list(islice(space.values(), FEW + 1))
        groups = listed if len(listed) <= FEW else drawn(space, how.chance)
        return (yield from pick(part, groups))
    made: list[list[str]] = []
    for each in space.of:
        head = yield from pick(each, [ALONE, *range(len(made))])
        if head is ALONE:
            made.append([each])
        else:
            made[head].append(each)
    return made


@_steps.register
def _(space: Path, part: str, how: _Asking) -> Steps:  # noqa: ARG001 - dispatched signature
    path = [space.start]
    while True:
        may_end = space.why_no_end(path) is None
        onwards = [each for each in space.ways_on(path) if space.leads_on(each)]
        options = [*([STOP] if may_end else []), *(each[-1] for each in onwards)]
        head = yield from pick(part, options)
        if head is STOP:
            return path
        path = [*path, head]


@_steps.register
def _(space: Sheet, part: str, how: _Asking) -> Steps:
    sheet: dict[str, Any] = {}
    required = [key for key in space.lines if key in space.required]
    last = next(reversed(list(space.lines)), "")
    for key, line in space.lines.items():
        if key in space.required:
            sheet[key] = yield from _ask(line, key, how)
        else:
            rest = [] if key == last or any(each not in sheet for each in required) else [REST_BLANK]
            heads = [*rest, BLANK, *_line_heads(line, how)]
            head = yield from pick(key, heads)
            if head is REST_BLANK:
                break
            if head is BLANK:
                continue
            sheet[key] = (yield from _ask(head, key, how)) if isinstance(head, Space) else head
        _keep_sound(space, sheet)
    if space.together is not None and next(iter(space.together(sheet)), None):
        raise Stuck(f"{part}: a required line conflicts with the others")
    return sheet


def _line_heads(line: Space, how: _Asking) -> Sequence[Any]:
    """Return the immediate options of a line: its values if they are a list, or the line itself.

    For a ruleset's own space, learners get DRAWN values, and people get all of them if they can be listed.
    """
    if isinstance(line, OneOf):
        return line.of
    if isinstance(line, Form | Path | SomeOf | ShareOut | OneForEach | Sheet | AnyOf) or line.in_parts() is not None:
        return [] if line.is_empty() else [line]
    if how.listed > LISTED and line.lists_all and line.count(how.listed + 1) <= how.listed:
        return list(line.values())
    return drawn(line, how.chance)


def _keep_sound(space: Sheet, sheet: dict[str, Any]) -> None:
    """Remove lines from ``sheet`` that conflict with others; required lines are never removed."""
    if space.together is None:
        return
    while clashes := [key for key, _ in space.together(sheet) if key in sheet and key not in space.required]:
        for key in clashes:
            sheet.pop(key, None)
