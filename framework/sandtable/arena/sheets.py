"""Writing an order sheet at the terminal: line by line, or from a file; what is refused comes back, the rest stays."""

from contextlib import suppress
from typing import Any

from sandtable.arena.asking import Asker, as_typed
from sandtable.arena.drafts import Leaf
from sandtable.arena.orderfiles import as_written, order_lines, save_orders
from sandtable.arena.wording import plain
from sandtable.errors import DataError, IllegalOrder
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Sheet

LARGEST_FILE = 1 << 20
TRIES = 50
"""So often a line is drawn before it stays blank."""
MOST_TOLD = 8
"""So many keys of lines that are refused for one reason are named."""

HELP = """\
      KEY: ORDER      write a line, or several with ; between; KEY alone or "KEY: -" blanks it
      @FILE           take lines from a file, one a line; # begins a remark, a head "# turn 3" names its turn
      save FILE       write such a file, with what is on the sheet, for others to fill in
      show            the sheet as it stands, and who has no line yet
      rest            let chance write the lines that are blank
      done            hand the sheet in"""


def write_sheet(space: Sheet, name: str, asker: Asker, leaf: Leaf | None = None) -> Any:
    """Return a sheet that is allowed, as the person wrote it.

    With a ``leaf`` it is one of several of an order; what is typed here may be about others as well.
    """
    sheet: dict[str, Any] = {}
    asker.say(HELP)
    if leaf is not None:
        _put(space, sheet, leaf.written(), asker)
    while True:
        text = asker.ask(f"{name}, {len(sheet)} of {len(space.lines)} written", own_words=True)
        if text == "show":
            _show(space, sheet, asker)
        elif text == "rest":
            _write_rest(space, sheet, asker)
        elif text.startswith("@"):
            _take_file(space, sheet, text[1:].strip(), name, asker)
        elif text.startswith("save ") and "save" not in space.lines:
            _save(space, sheet, text[5:].strip(), name, asker)
        elif text != "done":
            _take_text(space, sheet, text, asker, leaf)
        elif _is_sound(space, sheet, asker):
            return sheet


def _show(space: Sheet, sheet: dict[str, Any], asker: Asker) -> None:
    for key in space.lines:
        written = as_written(sheet[key]) if key in sheet else "-"
        asker.say(f"      {plain(key)}: {plain(written)}{_title(space, key)}")


def _write_rest(space: Sheet, sheet: dict[str, Any], asker: Asker) -> None:
    """Write what is blank by chance: a whole sheet at once, or line by line what goes with those that are written."""
    stream = Stream.for_player(b"rest", repr(sheet))
    with suppress(ValueError):
        if not sheet:
            sheet |= space.sample(stream)
    for key in [each for each in space.lines if each not in sheet]:
        for _ in range(TRIES):
            with suppress(ValueError):
                tried = {**sheet, key: space.lines[key].sample(stream)}
                if space.together is None or key not in dict(space.together(tried)):
                    sheet[key] = tried[key]
                    break
    _show(space, sheet, asker)


def _title(space: Sheet, key: str) -> str:
    return f"   ({plain(space.titles[key])})" if key in space.titles else ""


def _take_file(space: Sheet, sheet: dict[str, Any], file: str, name: str, asker: Asker) -> None:
    """Write the lines of a file; each refused one is told with its number, so is a second one for the same key."""
    try:
        lines = order_lines(file, asker.turn, name)
    except DataError as error:
        asker.refuse(Refusal(space.rule, str(error)))
        return
    first: dict[str, int] = {}
    for number, text in lines:
        key, where = _parted(text)[0], f"{file}, line {number}: "
        if key in first:
            problem = f"has an order in line {first[key]} already: this one is left out"
            asker.refuse(Refusal(space.rule, f"{where}{key}: {problem}"))
        else:
            first[key] = number
            _take_line(space, sheet, text, asker, where)


def _save(space: Sheet, sheet: dict[str, Any], file: str, name: str, asker: Asker) -> None:
    """Write the sheet as a file, to be filled in and taken again."""
    try:
        save_orders(file, space, sheet, name, asker.turn)
    except DataError as error:
        asker.refuse(Refusal("", str(error)))
    else:
        asker.say(f"      {plain(file)}: written")


def _take_text(space: Sheet, sheet: dict[str, Any], text: str, asker: Asker, leaf: Leaf | None) -> None:
    """Write lines with ; between; from the first on that is not of this sheet they may be in the game's notation."""
    lines = text.split(";")
    for place, line in enumerate(lines):
        key = _parted(line.strip())[0]
        if leaf is not None and key and key not in space.lines:
            try:
                said = leaf.take(";".join(lines[place:]).strip())
            except IllegalOrder as error:
                asker.refuse(Refusal(error.rule, error.reason))
                return
            if said is not None:
                _put(space, sheet, said, asker)
                return
        _take_line(space, sheet, line.strip(), asker)


def _put(space: Sheet, sheet: dict[str, Any], said: dict[str, Any], asker: Asker) -> None:
    """Write what was said of this sheet on it, or tell why not."""
    refusals = space.refusals_alone(said)
    for key, value in said.items():
        if key in refusals:
            asker.refuse(Refusal(refusals[key].rule or space.rule, f"{key}: {refusals[key].reason}"))
        else:
            _write(space, sheet, key, value, asker)


def _write(space: Sheet, sheet: dict[str, Any], key: str, value: Any, asker: Asker) -> None:
    sheet[key] = value
    asker.say(f"      {plain(key)}: {as_written(value)}{_title(space, key)}")


def _take_line(space: Sheet, sheet: dict[str, Any], text: str, asker: Asker, where: str = "") -> None:
    """Write one line on the sheet, or tell why not; what stood there before stays then."""
    key, value = _parted(text)
    if not key:
        asker.refuse(Refusal("", f"{where}a line is KEY: ORDER; the keys are {', '.join(list(space.lines)[:8])} …"))
        return
    if value in {"", "-"}:
        _blank(space, sheet, key, asker, where)
        return
    try:
        read = space.read(key, value) if space.read and key in space.lines else as_typed(value)
        if read is None and space.read and key in space.lines:
            _blank(space, sheet, key, asker, where)
            return
    except IllegalOrder as error:
        asker.refuse(Refusal(error.rule, f"{where}{key}: {error.reason}"))
        return
    refusal = space.refusals_alone({key: read}).get(key)
    if refusal is not None:
        asker.refuse(Refusal(refusal.rule or space.rule, f"{where}{key}: {refusal.reason}"))
        return
    _write(space, sheet, key, read, asker)


def _blank(space: Sheet, sheet: dict[str, Any], key: str, asker: Asker, where: str) -> None:
    """Take what stands in a line off the sheet."""
    known = sheet.pop(key, None) is not None
    asker.say(f"      {where}{plain(key)}: blank" + ("" if known or key in space.lines else " (it has no line)"))


def _parted(text: str) -> tuple[str, str]:
    """Return key and order of a typed line: "94: D5", or "94 D5"."""
    if ":" in text:
        key, _, value = text.partition(":")
    else:
        key, _, value = text.partition(" ")
    return key.strip(), value.strip()


def _is_sound(space: Sheet, sheet: dict[str, Any], asker: Asker) -> bool:
    """Tell whether the sheet may be handed in; lines that do not go together are told and taken off."""
    refusals = space.refusals(sheet)
    keys: dict[Refusal, list[str]] = {}
    for key, refusal in refusals.items():
        taken_off = "; the line is taken off" if sheet.pop(key, None) is not None else ""
        alike = Refusal(refusal.rule or space.rule, f"{refusal.reason}{taken_off}")
        keys.setdefault(alike, []).append(key)
    for refusal, alike_keys in keys.items():
        asker.refuse(Refusal(refusal.rule, f"{_some(alike_keys)}: {refusal.reason}"))
    return not refusals


def _some(keys: list[str]) -> str:
    """Return the first keys, and how many more there are."""
    more = f" and {len(keys) - MOST_TOLD} more" if len(keys) > MOST_TOLD else ""
    return ", ".join(keys[:MOST_TOLD]) + more
