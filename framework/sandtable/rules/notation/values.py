"""How a value of any space is typed, and read from a typed line: what a ruleset without a notation of its own has.

Words stay words: a hex "0804" is no number. What names nothing that may be chosen is handed on as it was typed, so that
the space refuses it by its rule.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct, structs

from sandtable.errors import IllegalOrder
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
from sandtable.kernel.options.choices import listing
from sandtable.rules.notation.line import Line
from sandtable.rules.notation.names import NOTHING, named, typed
from sandtable.rules.notation.parts import Once, Part, parts_of, read_sheet

LISTED = 200
"""So many values of a space of a kind that is not known are listed, to find one by what is typed for it."""
ALL = "all"


def whole_number(text: str) -> int | None:
    """Return the whole number that a text is, None for any other text."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else None


def words_of(value: Any) -> str:
    """Return a value as it can be typed, an order or another struct by its fields."""
    if isinstance(value, Struct):
        return " ".join(filter(None, (words_of(each) for each in structs.astuple(value) if each != "")))
    return typed(value)


def read_value(line: Line, space: Space) -> Any:
    """Take a value of ``space`` from a line. Raises IllegalOrder, with the place, for what makes no sense."""
    for kind, read in _READERS.items():
        if isinstance(space, kind):
            return read(line, space)
    listed = list(islice(space.values(), LISTED + 1)) if space.lists_all else []
    if not listed or len(listed) > LISTED:
        raise line.wrong("this cannot be typed in words: type it as JSON")
    return _one_of(line, listed)


def read_text(text: str, space: Space, line: Line) -> Any:
    """Return the value of ``space`` that a whole text means; what is asked, and what parts words, is as in ``line``."""
    inner = type(line)(text, line.asked)
    value = read_value(inner, space)
    inner.end()
    return value


def read_form(line: Line, form: Form) -> Any:
    """Take the fields of an order, one after the other; a field that has one value only may be left out."""
    before: list[Any] = []
    for name in form.fields:
        space = form.space_of(name, before)
        if only_value(space):
            value = next(space.values())
            found, words = line.find({words_of(value).lower(): True})
            line.place += words if found else 0
        else:
            value = read_value(line, space)
            refusal = space.why_not(value) if callable(form.fields.get(name)) or len(form.fields) > 1 else None
            if refusal is not None:
                raise IllegalOrder(refusal.rule or line.asked.rule, refusal.reason)
        before.append(value)
    return form.order(**dict(zip(form.fields, before, strict=True)))


def only_value(space: Space) -> bool:
    """Tell whether a space leaves no choice."""
    return not isinstance(space, Words | Sheet) and space.count(2) == 1


def _one_of(line: Line, values: Sequence[Any]) -> Any:
    by_words = {words_of(each).lower(): each for each in values}
    if not line.word:
        raise line.wrong(f"one of these is wanted: {listing(list(by_words))}")
    found, words = line.find({key: (key,) for key in by_words})
    if found is not None:
        line.place += words
        return by_words[found[0]]
    key = named(line.word, by_words)
    number = whole_number(line.word) if all(type(each) is int for each in values) else None
    line.place += 1
    return by_words[key] if key else line.words[line.place - 1] if number is None else number


def _range(line: Line, space: Range) -> int:
    number = whole_number(line.word)
    if number is None:
        raise line.wrong(f"a whole number from {space.least} to {space.most} is wanted")
    line.place += 1
    return number


def _some(line: Line, space: SomeOf) -> list[Any]:
    if line.takes(ALL):
        return list(space.of)
    found: list[Any] = []
    if line.says_nothing():
        return found
    while line.word:
        found.append(_one_of(line, space.of))
    return found


def _row(line: Line, space: ListOf) -> list[Any]:
    return [read_value(line, space.each) for _ in range(space.length)]


def _share(line: Line, space: ShareOut) -> dict[str, int]:
    """Read "infantry=3 guns=1", "3 infantry 1 guns" or "infantry 3 guns 1"."""
    line.words[line.place :] = " ".join(line.words[line.place :]).replace("=", " ").split()
    share = Once(space.rule or line.asked.rule)
    if line.says_nothing():
        return share.found
    while line.word:
        number = whole_number(line.word)
        line.place += number is not None
        if not line.word:
            raise line.wrong(f"say what: {listing(list(space.prices))}")
        place, name = line.place, line.words[line.place]
        line.place += 1
        if number is None:
            number = whole_number(line.word)
            if number is None:
                line.place = place
                raise line.wrong(f"write a number and a name, such as 1 {next(iter(space.prices), 'name')}")
            line.place += 1
        share.put(named(name, space.prices) or name, number)
    return {name: number for name, number in share.found.items() if number}


def _path(line: Line, space: Path) -> list[str]:
    """Read the spaces of a path, to the end; its start may be left out."""
    path = [space.start]
    first = True
    while line.word:
        steps = {each.lower(): each for each in (*space.steps(path), space.start)}
        step, words = line.find(steps)
        line.place += words or 1
        step = step or line.words[line.place - 1]
        path += [] if first and step == space.start else [step]
        first = False
    return path


def _each(line: Line, space: OneForEach) -> dict[str, Any]:
    return _by_key(line, space.spaces, lambda key, text: read_text(text, space.spaces[key], line), {})


def _sheet(line: Line, space: Sheet) -> dict[str, Any]:
    def read(key: str, text: str) -> Any:
        if space.read is not None:
            return space.read(key, text)
        return None if text.lower() in NOTHING else read_text(text, space.lines[key], line)

    return _by_key(line, space.lines, read, space.titles, space.key_of)


def _by_key(
    line: Line,
    lines: Mapping[str, Space],
    read: Callable[[str, str], Any],
    titles: Mapping[str, str],
    key_of: Callable[[str], str] | None = None,
) -> dict[str, Any]:
    """Read "b1: 0804; b2: 0805" to the end; a line that says nothing is left out."""
    rule = line.asked.rule
    known = {key: titles.get(key, "") for key in lines}

    def key(part: Part) -> str:
        name = part.headed[0]
        return (key_of(name) if key_of else "") or part.chosen(name, known, "line of this sheet", rule)

    text = line.rest()
    return {} if text.lower() in NOTHING else read_sheet(parts_of(text, rule), key, read, rule)


def _groups(line: Line, space: Groups) -> list[list[str]]:
    """Read "10 8 / 20": groups parted by strokes; "all" is one group of all, "each" one for each."""
    text = line.rest()
    if text.lower() in {ALL, "each"}:
        return [list(space.of)] if text.lower() == ALL else [[each] for each in space.of]
    return [group.replace(",", " ").split() for group in text.split("/")]


def _own_words(line: Line, _: Words) -> str:
    text = line.rest()
    return "" if text.lower() in NOTHING else text


def _any(line: Line, space: AnyOf) -> Any:
    """Take a value of the first of the spaces that allows what is typed, else of the first that can read it."""
    begin, read, errors = line.place, list[tuple[Any, int]](), list[IllegalOrder]()
    for each in space.spaces:
        line.place = begin
        try:
            value = read_value(line, each)
        except IllegalOrder as error:
            errors.append(error)
            continue
        if each.is_legal(value):
            return value
        read.append((value, line.place))
    if not read:
        raise errors[0] if errors else line.wrong("nothing can be chosen")
    value, line.place = read[0]
    return value


_READERS: Mapping[type[Space], Callable[[Line, Any], Any]] = {
    Form: read_form,
    OneOf: lambda line, space: _one_of(line, space.of),
    Range: _range,
    SomeOf: _some,
    ListOf: _row,
    ShareOut: _share,
    Path: _path,
    OneForEach: _each,
    Sheet: _sheet,
    Groups: _groups,
    Words: _own_words,
    AnyOf: _any,
}
