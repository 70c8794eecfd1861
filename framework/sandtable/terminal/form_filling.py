"""Choose a value from a space of options step by step, by typing lines."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

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
    Refusal,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
    Words,
)
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.values import read_text
from sandtable.rules.notation.wording import described
from sandtable.tabletop.checking import Results, results_in
from sandtable.terminal.drafts import Draft
from sandtable.terminal.prompt import UNDO, Prompter, refusals_in, refuse_all
from sandtable.terminal.prose import crowds, disambiguated, numbered, picks
from sandtable.terminal.reports import write_result
from sandtable.terminal.sheets import write_sheet

FEW = 30
"""Maximum number of values that are listed with numbers."""

MANY = 1_000
"""Maximum number of picks that are searched for different ones."""

NOTHING = {"-", "none", "nothing"}


def is_few(space: Space) -> bool:
    """Return whether the values of ``space`` are few enough to be listed.

    Sheets and results of a battle are never listed, because they may come from a file.
    """
    if isinstance(space, Results) or results_in(space) is not None or (is_sheet(space) and space.count(2) > 1):
        return False
    return space.count(FEW + 1) <= FEW


def is_sheet(space: Space) -> bool:
    """Return whether an order is written line by line."""
    return isinstance(space, Form) and any(isinstance(field, Sheet) for field in space.fields.values())


def entries(space: Space, words: Callable[[Any], str] = described) -> list[tuple[str, Any]]:
    """Return the lines of a menu for ``space``: a text, and a value or a Space that is still to be filled in.

    Values with the same ``words`` share one line, which gives the first of them.
    """
    if isinstance(space, AnyOf) and (not is_few(space) or any(map(crowds, space.spaces))):
        return [entry for each in space.spaces for entry in (_closed(each) if crowds(each) else entries(each, words))]
    if is_few(space) or isinstance(space, OneOf):
        return list(disambiguated(space, words).items())
    if picks(space) and space.count(MANY + 1) <= MANY and len(alike := disambiguated(space, words, FEW)) <= FEW:
        return list(alike.items())
    return _closed(space)


def hides_sheet(space: Space) -> bool:
    """Return whether a menu line for ``space`` leads to a sheet, so that the menu should show how orders are typed."""
    return isinstance(space, AnyOf) and any(is_sheet(each) and not is_few(each) for each in space.spaces)


def _closed(space: Space) -> list[tuple[str, Any]]:
    """Return the single line that leads to filling in a space."""
    return [(f"{name_words(space.order.__name__)} …" if isinstance(space, Form) else "fill in …", space)]


def wants_notation(space: Space, is_typed: Callable[[], bool]) -> bool:
    """Return whether a complete order must be typed, because step-by-step entry is impossible or requires JSON.

    ``is_typed`` returns whether the ruleset describes its notation.
    """
    return is_strange(space) or (has_strange(space) and is_typed())


def is_strange(space: Space) -> bool:
    """Return whether ``space`` is of an unknown kind that cannot be filled in step by step."""
    return _filler(space) is _json


def has_strange(space: Space) -> bool:
    """Return whether a field of ``space``, or of the only form it offers, is of an unknown kind."""
    if isinstance(space, AnyOf) and len(space.spaces) == 1:
        return has_strange(space.spaces[0])
    fields = space.fields.values() if isinstance(space, Form) else ()
    return any(isinstance(field, Space) and is_strange(field) for field in fields)


def fill(space: Space, name: str, asker: Prompter) -> Any:
    """Return a legal value of ``space`` that the person chose, with ``name`` in the prompts.

    If a value is refused after its parts were chosen, it is requested again, and each part may be kept.
    """
    before = asker.asked
    value = _filler(space)(space, name, asker)
    while wrong := space.all_wrong(value):
        refuse_all(asker, wrong)
        if asker.asked == before:  # nothing was typed, so there was no choice: avoid an endless loop
            asker.ask(f"{name}: no possible choice is legal; type back")
        before = asker.asked
        value = _fill_again(space, name, asker, value)
    return value


def _fill_again(space: Space, name: str, asker: Prompter, old: Any) -> Any:
    """Return a new value of ``space`` instead of ``old``; each part of the old one may be kept."""
    if isinstance(space, Form):
        return _form(space, name, asker, old)
    if isinstance(space, OneForEach):
        return _each(space, name, asker, old)
    if isinstance(space, Sheet):
        return write_sheet(space, name, asker, before=old)
    return _filler(space)(space, name, asker)


def _keep_or_fill(space: Space, name: str, asker: Prompter, old: Any) -> Any:
    """Return ``old``, or the value that the person chose instead."""
    if isinstance(space, Form | OneForEach | Sheet):
        return _fill_again(space, name, asker, old)
    if not space.is_legal(old):
        return fill(space, name, asker)
    prompt = f"{name}: {described(old)} (Enter keeps it, new changes it)"
    while (text := asker.ask(prompt, own_words=True, keeps=True)) not in {"", "new"}:
        asker.refuse(Refusal("", f"{text!r} is neither: press Enter, or type new"))
    return old if text == "" else fill(space, name, asker)


def _filler(space: Space) -> Callable[[Any, str, Prompter], Any]:
    for kind, filler in _FILLERS.items():
        if isinstance(space, kind):
            return filler
    return _one if is_few(space) else _json


def _form(space: Form, name: str, asker: Prompter, old: Any = None) -> Any:  # noqa: ARG001 - the fields have names
    before: list[Any] = []
    draft = Draft(space, asker)
    asker.leaves_rest = False
    for field in space.fields:
        inner, called, lines = space.space_of(field, before), name_words(field), asker.asked
        if draft.is_settled(field, inner):
            value = draft.fields[field]
        elif asker.leaves_rest and (blank := _blank(inner, draft.fields.get(field))) is not None:
            value = blank
        elif inner.count(2) == 1 and not (isinstance(inner, Words) and inner.longest):
            value = next(inner.values())
        elif isinstance(inner, Sheet) and len(space.fields) > 1:
            value = write_sheet(inner, called, asker, getattr(old, field, None), draft, field)
        elif old is not None:
            value = _keep_or_fill(inner, called, asker, getattr(old, field))
        else:
            value = fill(inner, called, asker)
        before.append(value)
        if asker.asked > lines:
            asker.written[called] = (inner, value)
    return space.order(**dict(zip(space.fields, before, strict=True)))


def _blank(space: Space, written: Any) -> Any:
    """Return the value of a skipped part: the written or an empty value, or None if neither is legal."""
    blanks: tuple[Any, ...] = (written, {}, [], "")
    return next((each for each in blanks if each is not None and space.is_legal(each)), None)


def _menu(space: Space, name: str, asker: Prompter) -> Any:
    """Let the person choose a line of the menu, and fill in the space it leads to."""
    lines = entries(space, asker.words)
    chosen = _choose([label for label, _ in lines], name, asker)
    value = lines[chosen][1]
    return fill(value, name, asker) if isinstance(value, Space) else value


def _one(space: Space, name: str, asker: Prompter) -> Any:
    values = list(space.values())
    return values[_choose([described(value) for value in values], name, asker)]


def _choose(labels: list[str], name: str, asker: Prompter) -> int:
    """Return the index of the label that was named, or whose number was typed."""
    if not labels:
        asker.refuse(Refusal("", f"nothing can be chosen for {name}: type back"))
    _show(labels, asker)
    while True:
        index = _index_of(asker.ask(name, again=partial(_show, labels, asker), choices=labels), labels)
        if isinstance(index, int):
            return index
        asker.refuse(index)


def _show(labels: Sequence[str], asker: Prompter) -> None:
    for line in numbered(labels):
        asker.say(line)


def _index_of(text: str, labels: list[str]) -> int | Refusal:
    """Return the index of the label that ``text`` means: by number, in full, or by an unambiguous beginning."""
    if text.isascii() and text.isdigit() and len(text) < 7:
        if 1 <= int(text) <= len(labels) and text not in labels:
            return int(text) - 1
        if text not in labels:
            return Refusal("", f"there is no number {text}: choose 1 to {len(labels)}")
    if text in labels:
        return labels.index(text)
    near = [index for index, label in enumerate(labels) if label.startswith(text.lower())] if text else []
    if len(near) == 1:
        return near[0]
    return Refusal(
        "", f"{text!r} matches more than one" if near else f"{text!r} is not in the list: type a name or a number"
    )


def _typed(space: Any, asker: Prompter, prompt: str, again: Callable[[], None] | None = None) -> Any:
    """Return the value of a typed line in the notation of its space; asks again if it cannot be parsed."""
    while True:
        try:
            return read_text(asker.ask(prompt, again=again), space, getattr(space, "rule", ""))
        except IllegalOrder as error:
            refuse_all(asker, refusals_in(error))


def _range(space: Range, name: str, asker: Prompter) -> Any:
    return _typed(space, asker, f"{name} ({space.least} to {space.most})")


def _some(space: SomeOf, name: str, asker: Prompter) -> Any:
    labels, ids = [asker.words(value) for value in space.of], [str(value) for value in space.of]
    _show(labels, asker)
    number = f"{space.least}" if space.least == space.most else f"{space.least} to {space.most}"
    while True:
        prompt = f"{name} ({number} of them: names or numbers separated by spaces; all; - or done for none)"
        text = asker.ask(prompt, again=partial(_show, labels, asker), choices=labels)
        if text == "all":
            return list(space.of)
        if text in NOTHING or text == "done":
            return []
        places = [ids.index(each) if each in ids else _index_of(each, labels) for each in _names_in(text, labels)]
        wrong = [index for index in places if isinstance(index, Refusal)]
        if not wrong:
            return [space.of[index] for index in places if isinstance(index, int)]
        refuse_all(asker, wrong)


def _names_in(text: str, labels: list[str]) -> list[str]:
    """Return the words of a text. Words that together name a label count as one: "Sidi Rezegh" is sidi_rezegh."""
    words, found = text.replace(",", " ").split(), list[str]()
    while words:
        joined = ["_".join(words[:size]).lower() for size in range(len(words), 0, -1)]
        whole = next((each for each in joined if each in labels), "")
        taken = len(words) - joined.index(whole) if whole else 1
        found.append(whole or words[0])
        words = words[taken:]
    return found


def _row(space: ListOf, name: str, asker: Prompter) -> Any:
    each = space.each
    inner = f" from {each.least} to {each.most}" if isinstance(each, Range) else ""
    return _typed(space, asker, f"{name} ({space.length} values{inner}, separated by spaces)")


def _share(space: ShareOut, name: str, asker: Prompter) -> Any:
    """Read "infantry=3 guns=1"; "3 infantry 1 guns" and "infantry 3 guns 1" are accepted as well."""
    _show_prices(space, asker)
    must, nothing = ("exactly", "") if space.exactly else ("up to", ", or - for none")
    prompt = f"{name} ({must} {space.amount} {space.what}; for example {next(iter(space.prices), 'name')}=1{nothing})"
    return _typed(space, asker, prompt, partial(_show_prices, space, asker))


def _show_prices(space: ShareOut, asker: Prompter) -> None:
    for thing, price in space.prices.items():
        most = f", up to {space.caps[thing]}" if thing in space.caps else ""
        asker.say(f"      {thing}: {price} {space.what} each{most}")


def _path(space: Path, name: str, asker: Prompter) -> Any:
    """Build a path step by step. Several steps may be typed at once; a full stop ends the path if it may end."""
    path = [space.start]
    older: list[list[str]] = []
    while True:
        choices = _ways_on(space, path)
        if not choices:
            refusal = space.why_no_end(path)
            if refusal is None or not older:
                return path
            asker.refuse(refusal)
            path = older.pop()
            continue
        _show(choices, asker)
        shows = partial(_show, choices, asker)
        text = asker.ask(f"{name}: {' > '.join(path)} > (. ends it)", again=shows, undo=bool(older))
        if text == UNDO and older:
            path = older.pop()
        elif text != ".":
            longer = _steps_typed(space, path, text, asker)
            if longer is not None:
                older.append(path)
                path = longer
        elif (refusal := space.why_no_end(path)) is None:
            return path
        else:
            asker.refuse(refusal)


def _steps_typed(space: Path, path: list[str], text: str, asker: Prompter) -> list[str] | None:
    """Return ``path`` with the typed steps added. If a step is illegal, show why and return None."""
    longer = list(path)
    for word in text.replace(">", " ").split():
        choices = _ways_on(space, longer)
        index = _index_of(word, choices)
        step = choices[index] if isinstance(index, int) else word
        refusal = space.why_not([*longer, step]) if step not in choices else None
        if refusal is not None:
            asker.refuse(refusal)
            return None
        longer.append(step)
    return longer


def _ways_on(space: Path, path: list[str]) -> list[str]:
    return [longer[-1] for longer in space.ways_on(path)]


def _each(space: OneForEach, name: str, asker: Prompter, old: Mapping[str, Any] | None = None) -> Any:
    found = {}
    for key, each in space.spaces.items():
        called = f"{name}, {key}"
        found[key] = fill(each, called, asker) if old is None else _keep_or_fill(each, called, asker, old[key])
        asker.written[called] = (each, found[key])
    return found


def _groups(space: Groups, name: str, asker: Prompter) -> Any:
    """Read "10 8 / 20": groups separated by slashes; "all" is one group of all, "each" one group for each."""
    return _typed(
        space, asker, f"{name} (group {' '.join(space.of)}: slashes between groups, for example 1 2 / 3; all; each)"
    )


def _own_words(space: Words, name: str, asker: Prompter) -> str:
    text = asker.ask(f"{name} (in your own words, up to {space.longest} characters; - for none)", own_words=True)
    return "" if text.lower() in NOTHING else text


def _json(space: Space, name: str, asker: Prompter) -> Any:  # noqa: ARG001 - nothing is known of this space
    while True:
        try:
            return msgspec.json.decode(asker.ask(f"{name} (as JSON)"))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            asker.refuse(Refusal("", f"that is not JSON: {error}"))


_FILLERS: Mapping[type[Space], Callable[[Any, str, Prompter], Any]] = {
    Form: _form,
    AnyOf: _menu,
    OneOf: _one,
    Range: _range,
    SomeOf: _some,
    ListOf: _row,
    ShareOut: _share,
    Path: _path,
    OneForEach: _each,
    Groups: _groups,
    Sheet: write_sheet,
    Results: write_result,
    Words: _own_words,
}


def how_filled(space: Space) -> str:
    """Return the instructions for filling in a form."""
    if results_in(space) is not None:
        return "type the result, or name a file"
    return "write it line by line" if is_sheet(space) else "choose its parts one by one"
