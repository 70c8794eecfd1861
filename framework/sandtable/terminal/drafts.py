"""Unfinished orders: the draft of an order, and files of orders and results to fill in.

A file of orders has a line for each key, ``KEY: ORDER``; ``#`` begins a comment. A head ``# turn 3`` (or ``turn = 3``)
names its turn; the file is refused in any other turn. If a side writes several sheets, one file may hold them all: the
lines after ``[leaders]`` are only for the sheet of that name.
"""

import glob
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandtable.errors import DataError, IllegalOrder, LogExists, LogWriteFailed, RefusalCollector
from sandtable.files.reading import read_file
from sandtable.files.writing import write_new, write_whole
from sandtable.kernel.options import Form, Refusal, Sheet, Space
from sandtable.quoting import plain
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.prompt import Prompter, say_lines

LARGEST_FILE = 1 << 20
_SECTION = re.compile(r"\[([^\]]{1,80})\]")
_TURN = re.compile(r"#?\s*turn\s*[:=]?\s*([0-9]{1,6})\b.*", re.ASCII | re.IGNORECASE)


def read_text(name: str) -> str:
    """Return the text of a file. Raises DataError with its name if it is missing, too large or not UTF-8."""
    try:
        data = read_file(name, LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise DataError(name, "", f"cannot be read: is larger than {LARGEST_FILE} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(name, "", "is not UTF-8 text") from error


def write_text(name: str, text: str) -> None:
    """Write a new file. Raises DataError if it exists already or cannot be written."""
    try:
        write_new(name, text.encode())
    except LogExists as error:
        raise DataError(name, "", "already exists: name another file") from error
    except LogWriteFailed as error:
        raise DataError(name, "", str(error).removeprefix(f"{name}: ")) from error
    except ValueError as error:
        raise DataError(name, "", f"cannot be written: {error}") from error


def write_beside(name: Path, text: str) -> Path:
    """Write a new file with this name, or with a number added if it exists, and return its name.

    Raises DataError if it cannot be written.
    """
    file, number = name, 1
    while file.exists():
        number += 1
        file = name.with_stem(f"{name.stem}-{number}")
    write_text(str(file), text)
    return file


def order_lines(name: str, turn: int, sheet: str) -> list[tuple[int, str]]:
    """Return the lines of a file of orders that are for ``sheet``, with their numbers but without comments.

    Raises DataError if the file cannot be read, and if its head names a turn other than ``turn``.
    """
    found = []
    section = sheet
    for number, line in enumerate(read_text(name).splitlines(), start=1):
        head = _TURN.fullmatch(line.strip())
        if head is not None:
            if int(head[1]) != turn:
                raise DataError(
                    name, f"line {number}", f"is for turn {int(head[1])}, but this is turn {turn}: no line was used"
                )
            continue
        text = line.partition("#")[0].strip()
        begun = _SECTION.fullmatch(text)
        if begun is not None:
            section = begun[1].strip()
        elif text and section == sheet:
            found.append((number, text))
    return found


def as_written(value: Any) -> str:
    """Return a value of a sheet as it can be typed."""
    return plain(" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def save_orders(file: str, space: Sheet, written: Mapping[str, Any], name: str, turn: int) -> None:
    """Write a file of orders to fill in, or add this sheet to a file of other sheets for this turn.

    Raises DataError if the file already has this sheet or is of another kind, or if it cannot be written.
    """
    text = order_template(space, written, name, turn)
    if not Path(file).is_file():
        write_text(file, text)
        return
    before = read_text(file)
    head = _TURN.fullmatch(before.lstrip().partition("\n")[0].strip())
    is_ours = head is not None and int(head[1]) == turn
    if not is_ours or not _SECTION.search(before) or f"[{name}]" in before:
        raise DataError(file, "", "already exists: name another file")
    try:
        write_whole(file, "\n".join((before, text.partition("\n")[2])).encode())
    except LogWriteFailed as error:
        raise DataError(file, "", str(error).removeprefix(f"{file}: ")) from error


def unfinished_orders(written: Mapping[str, tuple[Space | None, Any]], turn: int) -> str:
    """Return a file of orders with the sheets of an unfinished order, and its other parts as comments.

    Returns "" if nothing is written on any sheet.
    """
    sheets = [
        order_template(space, value, name, turn).partition("\n")[2]
        for name, (space, value) in written.items()
        if isinstance(space, Sheet) and value
    ]
    others = [
        f"# {name}: {plain(described(value))}\n"
        for name, (space, value) in written.items()
        if not isinstance(space, Sheet)
    ]
    return f"# turn {turn}\n{''.join(others)}" + "\n".join(sheets) if sheets else ""


def lines_that_fit(space: Sheet, own: Mapping[str, Any], drafted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``drafted`` lines that fit a sheet on which ``own`` lines are written: they cause no new refusal.

    Lines that need each other, such as a vehicle and its passenger, are kept or dropped together.
    """

    def refused(sheet: Mapping[str, Any]) -> set[str]:
        return space.refusals(sheet).keys() & sheet.keys() - known

    known = space.refusals(own).keys() & own.keys()
    fits = {key: drafted[key] for key in space.lines if key in drafted and key not in own}
    while found := refused({**own, **fits}):
        wrong = found - own.keys()
        if not wrong:  # an own line is refused because of drafted ones, which the sheet does not name
            without = {each: {key: value for key, value in fits.items() if key != each} for each in fits}
            wrong = {each for each, rest in without.items() if len(refused({**own, **rest})) < len(found)} or set(fits)
        fits = {key: value for key, value in fits.items() if key not in wrong}
    return fits


def order_template(space: Sheet, written: Mapping[str, Any], name: str, turn: int) -> str:
    """Return a file of orders to fill in, with a line for each key; keys that are not ``written`` are comments."""
    lines = [f"# turn {turn}", f"[{name}]   # a line is KEY: ORDER; text after # is a comment"]
    for key in space.lines:
        title = f"   # {plain(space.titles[key])}" if key in space.titles else ""
        lines.append(f"{key}: {as_written(written[key])}{title}" if key in written else f"# {key}:{title}")
    return "\n".join(lines) + "\n"


class DraftFile:
    """The file that keeps the sheets of an unfinished order, line by line, so that nothing is lost if the program dies.

    It has the given ``name``, with a number added if that file exists. Without a name nothing is kept.
    """

    def __init__(self, name: Path | None) -> None:
        self._name = name
        self._file: Path | None = None
        self._text = ""

    def keep(self, written: Mapping[str, tuple[Space | None, Any]], turn: int) -> Path | None:
        """Store ``written`` and return the file, or None if nothing is written or it cannot be stored."""
        text = unfinished_orders(written, turn)
        if not text:
            self.drop()
        if self._name is None or not text:
            return None
        try:
            if self._file is None:
                self._file = write_beside(self._name, text)
            elif text != self._text:
                write_whole(self._file, text.encode())
        except (DataError, LogWriteFailed):
            return None
        self._text = text
        return self._file

    def drop(self) -> None:
        """Remove the file, because nothing is unfinished."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
        self._file, self._text = None, ""


def left_unfinished(name: Path, turn: int) -> list[Path]:
    """Return the files in which a ``DraftFile`` of this name kept an order of ``turn``, the newest last.

    Files of earlier turns are left out: in those turns an order has been given since.
    """
    found = [name, *name.parent.glob(f"{glob.escape(name.stem)}-*{name.suffix}")]
    head = f"# turn {turn}\n".encode()
    return [each for each in found if each.is_file() and read_file(each, len(head)).startswith(head)]


def put_aside(asker: Prompter, draft: DraftFile) -> None:
    """Report where the sheets of an unfinished order are kept; if they are not, show them."""
    text = unfinished_orders(asker.written, asker.turn)
    if not text:
        return
    asker.say("")
    file = draft.keep(asker.written, asker.turn)
    if file is not None:
        asker.say(f"the unfinished order is kept in {file}: after resume, type @ at its sheet to restore it")
    else:
        say_lines(asker, f"the unfinished order:\n{text}")


class Draft:
    """The ``fields`` of an order that are written so far, as read in the ruleset's notation."""

    def __init__(self, form: Form, asker: Prompter) -> None:
        self.fields: dict[str, Any] = {}
        self._form = form
        self._asker = asker

    def read(self, text: str, field: str, wrong: RefusalCollector) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return the values that ``text`` gives to ``field`` and to later fields.

        Returns None if the text is not in the notation, or gives no value. Text that cannot be parsed, values that are
        illegal in a later field, and values for a field that was handed in already are added to ``wrong``.
        """
        form, names = self._form, list(self._form.fields)
        try:
            order = self._asker.read_order(text)
        except IllegalOrder as error:
            wrong.add(error)
            return {}, {}
        values = {name: getattr(order, name) for name in names} if isinstance(order, form.order) else {}
        values = {name: value for name, value in values.items() if value}
        if not values:
            return self._whole(order, wrong)
        own: dict[str, Any] = values.pop(field, {})
        for name, value in values.items():
            if names.index(name) < names.index(field):
                handed_in = f"{name_words(name)}: already handed in; type back to begin this order again"
                wrong.add(IllegalOrder("", handed_in))
                continue
            space = form.fields[name]
            for refusal in (
                space.wrong_alone(value) if isinstance(space, Space) else ()
            ):  # any other field is judged later
                wrong.add(IllegalOrder(refusal.rule, f"{name_words(name)}: {refusal.reason}"))
        return own, values

    def _whole(self, order: Any, wrong: RefusalCollector) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Hand in an order without values, such as "hold", if nothing is written yet."""
        if not isinstance(order, self._form.order):
            return None
        if any(value for _, value in self._asker.written.values()):
            wrong.add(
                IllegalOrder("", "the sheet has entries: type done to hand it in, or back to begin the order again")
            )
        else:
            self._asker.submit_whole(order)
        return {}, {}

    def write(self, values: dict[str, Any]) -> None:
        """Store values for other fields, and show them."""
        for name, value in values.items():
            old = self.fields.get(name)
            self._put(name, {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value)
            self._asker.say(f"      {name_words(name)}: {described(value)}")

    def restore(self, fields: dict[str, Any]) -> None:
        """Replace all written parts with ``fields``."""
        for name in [each for each in self.fields if each not in fields]:
            self._forget(name)
        for name, value in fields.items():
            if self.fields.get(name) != value:
                self._put(name, value)

    def _put(self, name: str, value: Any) -> None:
        space = self._form.fields[name]
        self.fields[name] = value
        self._asker.written[name_words(name)] = (space if isinstance(space, Space) else None, value)

    def _forget(self, name: str) -> None:
        del self.fields[name]
        del self._asker.written[name_words(name)]

    def is_settled(self, field: str, space: Space) -> bool:
        """Return whether the value of a field that is not a sheet is legal. An illegal one is refused and forgotten."""
        if field not in self.fields or isinstance(space, Sheet):
            return False
        value = self.fields[field]
        wrong = space.all_wrong(value)
        for refusal in wrong:
            self._asker.refuse(Refusal(refusal.rule, f"{name_words(field)}: {described(value)}: {refusal.reason}"))
        if wrong:
            self._forget(field)
        return not wrong
