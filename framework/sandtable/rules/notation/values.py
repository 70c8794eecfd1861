"""Values of any space as typed text: how they are parsed from a line if a ruleset has no notation of its own.

Words remain words: a hex "0804" is not a number. A word that names no option is passed on as typed, so that the space
refuses it and cites its rule.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import structs

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
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
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.notation.line import OrderQuestion, TypedLine
from sandtable.rules.notation.names import NOTHING, named, typed
from sandtable.rules.notation.tokens import Once, TypedPart, parts_of, read_sheet

LISTED = 200
"""Maximum number of values of an unknown kind of space that are listed to match them with a typed text."""
ALL = "all"


def whole_number(text: str) -> int | None:
    """Return the whole number of up to 18 digits that a text consists of, with "-" if negative, or None."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else None


def read_value(line: TypedLine, space: Space) -> Any:
    """Take a value of ``space`` from a line. Raises IllegalOrder, with the position, for text that cannot be parsed."""
    for kind, read in _READERS.items():
        if isinstance(space, kind):
            return read(line, space)
    return _unknown(line, space)


def _unknown(line: TypedLine, space: Space) -> Any:
    """Take a value of an unknown kind of space: the typed text, or the listed value that is typed that way."""
    text = line.rest()
    number = whole_number(text)
    if number is not None and space.is_legal(number):
        return number
    listed = list(islice(space.values(), LISTED + 1)) if space.lists_all and not space.is_legal(text) else []
    by_words = {typed(each).lower(): each for each in listed} if len(listed) <= LISTED else {}
    return by_words.get(text.lower(), text)


def read_fields(line: TypedLine) -> Any:
    """Take the fields of an order of the asked type. Raises IllegalOrder."""
    space = line.asked.space
    if isinstance(space, Form):
        return read_form(line, space)
    listed = [each for each in space.of if type(each) is line.asked.kind] if isinstance(space, OneOf) else []
    order = _listed(line, listed) if listed else read_value(line, space)
    if not isinstance(order, Order):
        raise line.asked.refuse(
            f"{shown(order)} cannot be typed like this: type an order as JSON, or choose it by its number"
        )
    return order


def _listed(line: TypedLine, orders: Sequence[Any]) -> Any:
    """Take an order from a list. An order of unlisted fields is built as well, so that the space refuses it."""
    by_words = {typed(each).lower(): each for each in orders}
    words = line.words[line.place :]
    typed_ = " ".join(words).lower()
    near = [typed_] if typed_ in by_words else [each for each in by_words if typed_ and each.startswith(typed_)]
    if len(near) == 1 or (not typed_ and len(by_words) == 1):
        line.place = len(line.words)
        return by_words[near[0]] if near else orders[0]
    fields = structs.astuple(orders[0])
    made = [whole_number(word) if type(each) is int else word for each, word in zip(fields, words, strict=False)]
    if len(fields) != len(words) or None in made or not all(type(each) in {int, str} for each in fields):
        raise line.wrong(f"expected one of {listing(list(by_words))}")
    line.place = len(line.words)
    return type(orders[0])(*made)


def read_text(text: str, space: Space, rule: str = "") -> Any:
    """Return the value of ``space`` that a whole text means; a text that cannot be parsed is refused with ``rule``."""
    line = TypedLine(text, OrderQuestion(Decision("", "", space, rule), Order, space, None))
    value = None
    with line.wrongs.part():
        value = read_value(line, space)
        line.end()
    line.wrongs.refuse()
    return value


def read_form(line: TypedLine, form: Form) -> Any:
    """Take the fields of an order, one after another; a field with only one value may be left out.

    Raises IllegalOrder for a value that cannot be read, or that its space refuses.
    """
    before: list[Any] = []
    for number, name in enumerate(form.fields, 1):
        space = form.space_of(name, before)
        line.is_last = number == len(form.fields)
        if only_value(space):
            value = next(space.values())
            found, words = line.find({typed(value).lower(): True})
            line.place += words if found else 0
        else:
            value = read_value(line, space)
            refusal = space.why_not(value) if callable(form.fields.get(name)) or len(form.fields) > 1 else None
            if refusal is not None:
                raise IllegalOrder(refusal.rule or line.asked.rule, refusal.reason)
        before.append(value)
    return form.order(**dict(zip(form.fields, before, strict=True)))


def only_value(space: Space) -> bool:
    """Return whether a space has exactly one value; False for Words and for a Sheet, which are typed in any case."""
    return not isinstance(space, Words | Sheet) and space.count(2) == 1


def _one_of(line: TypedLine, values: Sequence[Any]) -> Any:
    by_words = {typed(each).lower(): each for each in values}
    if not line.word:
        raise line.wrong(f"expected one of {listing(list(by_words))}")
    found, words = line.find({key: (key,) for key in by_words})
    if found is not None:
        line.place += words
        return by_words[found[0]]
    key = named(line.word, by_words)
    number = whole_number(line.word) if all(type(each) is int for each in values) else None
    line.place += 1
    return by_words[key] if key else line.words[line.place - 1] if number is None else number


def _range(line: TypedLine, space: Range) -> int:
    number = whole_number(line.word)
    if number is None:
        raise line.wrong(f"expected a whole number from {space.least} to {space.most}")
    line.place += 1
    return number


def _some(line: TypedLine, space: SomeOf) -> list[Any]:
    if line.takes(ALL):
        return list(space.of)
    found: list[Any] = []
    if line.says_nothing():
        return found
    by_words = [typed(each) for each in space.of]
    while line.word and (line.is_last or named(line.word, by_words)):
        found.append(_one_of(line, space.of))
    return found


def _row(line: TypedLine, space: ListOf) -> list[Any]:
    row: list[Any] = []
    for place in range(space.length):
        if place and not line.word:
            raise line.wrong(f"expected {space.length} values")
        with line.part(1):
            row.append(read_value(line, space.each))
    return row


def _share(line: TypedLine, space: ShareOut) -> dict[str, int]:
    """Parse "infantry=3 guns=1", "3 infantry 1 guns" or "infantry 3 guns 1"."""
    line.words[line.place :] = " ".join(line.words[line.place :]).replace("=", " ").split()
    share = Once(space.rule or line.asked.rule)
    if line.says_nothing():
        return share.found
    while line.word:
        number = whole_number(line.word)
        if number is None and not line.is_last and not named(line.word, space.prices):
            break
        line.place += number is not None
        if not line.word:
            raise line.wrong(f"expected a name: {listing(list(space.prices))}")
        place, name = line.place, line.words[line.place]
        line.place += 1
        if number is None:
            number = whole_number(line.word)
            if number is None:
                line.place = place
                raise line.wrong(f"type a number and a name, such as 1 {next(iter(space.prices), 'name')}")
            line.place += 1
        share.put(named(name, space.prices) or name, number)
    return {name: number for name, number in share.found.items() if number}


def _path(line: TypedLine, space: Path) -> list[str]:
    """Parse the spaces of a path, to the end; its start may be left out."""
    path = [space.start]
    first = True
    while line.word:
        steps = {each.lower(): each for each in (*space.steps(path), space.start)}
        step, words = line.find(steps)
        if step is None and not line.is_last:
            break
        line.place += words or 1
        step = step or line.words[line.place - 1]
        path += [] if first and step == space.start else [step]
        first = False
    return path


def _each(line: TypedLine, space: OneForEach) -> dict[str, Any]:
    rule = line.asked.rule
    return _by_key(line, space.spaces, lambda key, text: read_text(text, space.spaces[key], rule), {})


def _sheet(line: TypedLine, space: Sheet) -> dict[str, Any]:
    rule = space.rule or line.asked.rule

    def read(key: str, text: str) -> Any:
        if space.read is not None:
            return space.read(key, text)
        return None if text.lower() in NOTHING else read_text(text, space.lines[key], rule)

    return _by_key(line, space.lines, read, space.titles, space.key_of)


def _by_key(
    line: TypedLine,
    lines: Mapping[str, Space],
    read: Callable[[str, str], Any],
    titles: Mapping[str, str],
    key_of: Callable[[str], str] | None = None,
) -> dict[str, Any]:
    """Parse "b1: 0804; b2: 0805" to the end; a line without an order is left out."""
    rule = line.asked.rule
    known = {key: titles.get(key, "") for key in lines}

    def key(part: TypedPart) -> str:
        name = part.headed[0]
        return (key_of(name) if key_of else "") or part.chosen(name, known, "line of this sheet", rule)

    text = line.rest()
    return {} if text.lower() in NOTHING else read_sheet(parts_of(text, rule), key, read, rule)


def _groups(line: TypedLine, space: Groups) -> list[list[str]]:
    """Parse "10 8 / 20": groups separated by slashes; "all" is one group of all, "each" is one group for each."""
    text = line.rest()
    if text.lower() in {ALL, "each"}:
        return [list(space.of)] if text.lower() == ALL else [[each] for each in space.of]
    return [group.replace(",", " ").split() for group in text.split("/")]


def _own_words(line: TypedLine, _: Words) -> str:
    text = line.rest()
    return "" if text.lower() in NOTHING else text


def _any(line: TypedLine, space: AnyOf) -> Any:
    """Take a value of the first space that allows the typed text, or else of the first that can parse it."""
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


_READERS: Mapping[type[Space], Callable[[TypedLine, Any], Any]] = {
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
