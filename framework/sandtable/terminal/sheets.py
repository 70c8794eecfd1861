"""Write an order sheet at the terminal: line by line, or from a file.

A typed line is accepted or refused as a whole. If a part of it is wrong, every error is shown and the sheet does not
change. Only the lines of a file are accepted one by one.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sandtable.errors import DataError, IllegalOrder, RefusalCollector
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Sheet
from sandtable.rules.notation.values import read_text
from sandtable.rules.notation.wording import described
from sandtable.terminal.drafts import Draft, as_written, lines_that_fit, order_lines, save_orders
from sandtable.terminal.prompt import BACK, UNDO, Instead, Prompter, as_typed, refuse_all, say_lines

TRIES = 50
"""Maximum number of attempts to draw a line before it stays blank."""
MAX_KEYS = 8
"""Maximum number of keys that are named for lines refused for the same reason."""

HELP = """\
      KEY: ORDER      write a line, or several separated by ; (KEY alone or "KEY: -" blanks it)
      KEY, KEY: ORDER write the same line for each of them
      @FILE           read lines from a file; # begins a comment, a head "# turn 3" names its turn; @ alone:
                      the file of an unfinished order
      save FILE       write such a file with the lines of the sheet, for others to fill in
      show            show the sheet, its blank lines, and the other parts of the order
      rest            fill blank lines at random
      draft           let the staff (the best bot) fill blank lines; you may change them
      undo            undo the last change; back: blank the sheet
      done            hand in the sheet; "done all": also leave the following parts blank"""
BRIEFLY = "      KEY: ORDER, or @FILE, save FILE, show, rest, draft, undo, done; type help for details"


def write_sheet(
    space: Sheet,
    name: str,
    asker: Prompter,
    before: dict[str, Any] | None = None,
    draft: Draft | None = None,
    field: str = "",
) -> Any:
    """Return a legal sheet as written by the person; ``before`` holds the lines that are already on it.

    With a ``draft``, the sheet is the ``field`` of an order with several fields, and a typed line may be about the
    others as well.
    """
    page = _Page(space, name, asker, draft, field)
    say_lines(asker, HELP if asker.is_new(HELP) else BRIEFLY)
    page.begin(before or {})
    asker.words_of_sheets = HELP
    try:
        return _written(page, space, name, asker)
    finally:
        asker.words_of_sheets = ""


def _written(page: "_Page", space: Sheet, name: str, asker: Prompter) -> Any:
    """Let the person write a page until it is handed in."""
    while True:
        prompt = f"{name}, {len(page.sheet)} of {len(space.lines)} written"
        text = asker.ask(prompt, again=page.show, own_words=True, undo=page.may_go_back)
        if text in {UNDO, BACK} and page.may_go_back:
            (page.go_back if text == UNDO else page.blank)()
        elif text == "show":
            page.show()
        elif text == "rest":
            page.write_rest()
        elif text == "draft" and text not in space.lines:
            page.write_draft()
        elif text.startswith("@"):
            page.take_file(text[1:].strip())
        elif text.startswith("save ") and "save" not in space.lines:
            page.save(text[5:].strip())
        elif text not in {"done", "done all"}:
            page.take_text(text)
        elif page.is_complete() and page.is_sound():
            asker.leaves_rest = text == "done all"
            return page.sheet


class _Page:
    """A sheet that is being written, with its earlier versions."""

    def __init__(self, space: Sheet, name: str, asker: Prompter, draft: Draft | None, field: str) -> None:
        self.sheet: dict[str, Any] = {}
        self._space, self._name, self._asker = space, name, asker
        self._draft, self._field = draft, field
        self._older: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._missing = False  # the last typed lines were refused and are not on the sheet

    def begin(self, before: dict[str, Any]) -> None:
        """Write the lines in ``before``, and the lines of the unfinished draft for this field."""
        values = before | (self._draft.fields.get(self._field, {}) if self._draft else {})
        self._asker.written[self._name] = (self._space, self.sheet)
        refusals = self._space.refusals_alone(values)
        for key, value in values.items():
            if key in refusals:
                what = f"{key}: {as_written(value)}: {refusals[key].reason}"
                self._asker.refuse(Refusal(refusals[key].rule or self._space.rule, what))
            else:
                self._write(key, value)

    # ------------------------------------------------------------------ going back

    @property
    def may_go_back(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._older)

    def go_back(self) -> None:
        """Undo the last change."""
        sheet, others = self._older.pop()
        changed = [key for key in {**self.sheet, **sheet} if self.sheet.get(key) != sheet.get(key)]
        self._set(sheet)
        if self._draft is not None:
            self._draft.restore(others)
        for key in changed:
            self._show_line(key)

    def blank(self) -> None:
        """Blank the sheet, so that undo restores it. If it is blank already, begin the order again."""
        if not self.sheet:
            raise Instead(None)
        old = self._keep()
        self._set({})
        self._changed_from(old)
        self._asker.say("      the sheet is blank: type undo to restore its lines, or back to start the order over")

    def _set(self, sheet: dict[str, Any]) -> None:
        self.sheet.clear()
        self.sheet.update(sheet)

    def _keep(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return dict(self.sheet), dict(self._draft.fields) if self._draft else {}

    def _changed_from(self, old: tuple[dict[str, Any], dict[str, Any]]) -> None:
        if old != self._keep():
            self._older.append(old)

    # ------------------------------------------------------------------ showing

    def show(self) -> None:
        """Show all lines, and the other parts of the order."""
        for key in self._space.lines:
            self._show_line(key)
        for name, (_, value) in self._asker.written.items():
            if name != self._name and value:
                self._asker.say(f"      {name}: {described(value)}")

    def _show_line(self, key: str) -> None:
        written = as_written(self.sheet[key]) if key in self.sheet else "-"
        title = f"   ({self._space.titles[key]})" if key in self._space.titles else ""
        echo = self._space.echo(key, self.sheet) if self._space.echo and key in self.sheet else ""
        self._asker.say(f"      {key}: {written}{title}{echo and ': '}{echo}")

    # ------------------------------------------------------------------ writing

    def _write(self, key: str, value: Any) -> None:
        """Write a line, or blank it if ``value`` is None."""
        if value is None:
            self.sheet.pop(key, None)
            self._asker.say(f"      {key}: blank")
        else:
            self.sheet[key] = value
            self._show_line(key)

    def write_rest(self) -> None:
        """Fill the blank lines at random: a whole sheet at once, or line by line to fit the lines already written."""
        space, old = self._space, self._keep()
        stream = Stream.for_player(b"rest", repr(self.sheet))
        with suppress(ValueError):
            if not self.sheet:
                self._set(space.sample(stream))
        for key in [each for each in space.lines if each not in self.sheet]:
            self._draw(key, stream)
        self._changed_from(old)
        self.show()

    def _draw(self, key: str, stream: Stream) -> None:
        """Draw a line at random; it stays blank if none is found that fits the others."""
        space = self._space
        for _ in range(TRIES):
            with suppress(ValueError):
                tried = {**self.sheet, key: space.lines[key].sample(stream)}
                if key not in space.refusals(tried):
                    self.sheet[key] = tried[key]
                    return

    def write_draft(self) -> None:
        """Fill blank lines with the best bot's lines if they fit the written ones; report the others."""
        drafted = self._asker.draft(self._name)
        if drafted is None:
            self._asker.refuse(Refusal("", "no draft is available here: type rest to fill it at random"))
            return
        space, old, own = self._space, self._keep(), dict(self.sheet)
        fits = lines_that_fit(space, own, drafted)
        self.sheet.update(fits)
        left = [key for key in space.lines if key in drafted and key not in self.sheet]
        stream = Stream.for_player(b"draft", repr(self.sheet))
        for key in space.refusals(self.sheet):
            if key not in self.sheet:  # a line that may not be blank
                self._draw(key, stream)
        self._changed_from(old)
        self.show()
        self._report_draft(fits, left)

    def _report_draft(self, fits: dict[str, Any], left: list[str]) -> None:
        drawn = [key for key in left if key in self.sheet]
        blank = [key for key in left if key not in self.sheet]
        if drawn:
            self._asker.say(f"      the draft's lines for {_some(drawn)} conflict with yours: random lines instead")
        if blank:
            todo = "they stay blank; write them or type rest"
            self._asker.say(f"      the draft's lines for {_some(blank)} conflict with yours: {todo}")
        if not fits and not left:
            self._asker.say("      the draft adds no line: the staff would give no other order here")

    def take_text(self, text: str) -> None:
        """Write the lines of ``text``, separated by ";", all or none; show every error.

        From the first line that is not of this sheet, the text is read in the game's notation.
        """
        if self._draft is None and not self.sheet and self._is_whole_order(text):
            return
        wrong = RefusalCollector()
        change: dict[str, Any] = {}
        others: dict[str, Any] = {}
        lines, is_meant_elsewhere = [part for line in text.split(";") for part in self._parts(line)], False
        for place, line in enumerate(lines):
            key = self._split(line)[0]
            if self._draft is not None and key and key not in self._space.lines:
                is_meant_elsewhere = True
                values = self._draft.read(";".join(lines[place:]).strip(), self._field, wrong)
                if values is not None:
                    own, others = values
                    self._note(change, own, wrong)
                    break
            if line.strip() or len(lines) == 1:
                with wrong.part():
                    self._note(change, dict([self._read(line)]), wrong)
        if wrong.found:
            # All lines of a batch are lost. Lines meant for other sheets are requested there.
            is_batch = len(lines) > 1 and (";" in text or self._space.parts is not None)
            self._missing = self._missing or (is_batch and not is_meant_elsewhere)
            self._refuse(wrong, is_long=len(lines) > 1)
            return
        old, self._missing = self._keep(), False
        for key, value in change.items():
            self._write(key, value)
        if self._draft is not None:
            self._draft.write(others)
        self._changed_from(old)

    def _is_whole_order(self, text: str) -> bool:
        """Return whether a text that names no line, such as "none", is a complete order, which is then handed in."""
        if ":" in text or not text.strip() or self._split(text)[0] in self._space.lines:
            return False
        with suppress(IllegalOrder):
            order = self._asker.read_order(text)
            if order is not None:
                self._asker.submit_whole(order)
                return True
        return False

    def _parts(self, line: str) -> Sequence[str]:
        """Return the lines that a typed line means: several if it names several keys."""
        if self._space.parts is not None and line.strip():
            return self._space.parts(line)
        keys, colon, value = line.partition(":")
        keys_named = [self._split(f"{each}:")[0] for each in keys.split(",")]
        together = colon and len(keys_named) > 1 and any(each in self._space.lines for each in keys_named)
        return [f"{each}:{value}" for each in keys_named] if together else [line]

    def _note(self, change: dict[str, Any], values: dict[str, Any], wrong: RefusalCollector, where: str = "") -> None:
        """Add values to a change, or their errors to ``wrong``."""
        space = self._space
        refusals = space.refusals_alone({key: value for key, value in values.items() if value is not None})
        for key, value in values.items():
            if key in refusals:
                wrong.add(IllegalOrder(refusals[key].rule or space.rule, f"{where}{key}: {refusals[key].reason}"))
            elif key in change:
                wrong.add(IllegalOrder(space.rule, f"{where}{key} is written twice: each key has one line"))
            else:
                change[key] = value

    def _read(self, text: str, where: str = "") -> tuple[str, Any]:
        """Return the key and value of a line; the value is None to blank it. Raises IllegalOrder."""
        space = self._space
        key, value = self._split(text)
        if not key:
            keys = ", ".join(list(space.lines)[:8])
            more = " …" if len(self._space.lines) > 8 else ""
            raise IllegalOrder("", f"{where}a line is KEY: ORDER; the keys are {keys}{more}")
        if key not in space.lines:
            return key, as_typed(value)
        if value in {"", "-"}:
            return key, None
        try:
            return key, space.read(key, value) if space.read else read_text(value, space.lines[key], space.rule)
        except IllegalOrder as error:
            raise IllegalOrder(error.rule, f"{where}{key}: {error.reason}") from error

    def _split(self, text: str) -> tuple[str, str]:
        """Return the key and the order of a typed line: "94: D5", or "94 D5"."""
        key, _, value = text.strip().partition(":" if ":" in text else " ")
        key = key.strip()
        if key not in self._space.lines and self._space.key_of is not None:
            key = self._space.key_of(key) or key
        return key, value.strip()

    def _refuse(self, wrong: RefusalCollector, *, is_long: bool = False) -> None:
        refuse_all(self._asker, [Refusal(each.rule, each.reason) for each in wrong.found])
        if is_long:
            self._asker.say("      none of these lines was written: correct them and type them again")

    # ------------------------------------------------------------------ files

    def take_file(self, file: str) -> None:
        """Write the lines of a file. Each refused line is reported with its number, as is a second line for a key.

        Without a name, the file of the last unfinished order is read.
        """
        if not file and not self._asker.left:
            self._asker.refuse(Refusal("", "name the file, such as @orders.txt"))
            return
        file = file or self._asker.left[-1]
        try:
            lines = order_lines(file, self._asker.turn, self._name)
        except DataError as error:
            self._asker.refuse(Refusal(self._space.rule, str(error)))
            return
        old, first, wrong = self._keep(), dict[str, int](), RefusalCollector()
        for number, text in lines:
            key, where = self._split(text)[0], f"{file}, line {number}: "
            if key in first:
                problem = f"already has an order in line {first[key]}: this one is ignored"
                wrong.add(IllegalOrder(self._space.rule, f"{where}{key}: {problem}"))
                continue
            first[key] = number
            change: dict[str, Any] = {}
            with wrong.part():
                self._note(change, dict([self._read(text, where)]), wrong, where)
            for each, value in change.items():
                self._write(each, value)
        self._refuse(wrong)
        self._changed_from(old)

    def save(self, file: str) -> None:
        """Write the sheet as a file to fill in and read again."""
        try:
            save_orders(file, self._space, self.sheet, self._name, self._asker.turn)
        except DataError as error:
            self._asker.refuse(Refusal("", str(error)))
        else:
            self._asker.say(f"      {file}: written")

    # ------------------------------------------------------------------ handing in

    def is_complete(self) -> bool:
        """Return whether the last typed lines are on the sheet; if they are not, show a message once."""
        missing, self._missing = self._missing, False
        if missing:
            self._asker.say(
                "      your last lines were refused and are not on the sheet: type done again to hand it in anyway"
            )
        return not missing

    def is_sound(self) -> bool:
        """Return whether the sheet may be handed in. Lines that conflict are reported, and stay."""
        refusals = self._space.refusals(self.sheet)
        keys: dict[Refusal, list[str]] = {}
        for key, refusal in refusals.items():
            keys.setdefault(Refusal(refusal.rule or self._space.rule, refusal.reason), []).append(key)
        for refusal, keys_refused in keys.items():
            self._asker.refuse(Refusal(refusal.rule, f"{_some(keys_refused)}: {refusal.reason}"))
        if any(key in self.sheet for key in refusals):
            self._asker.say("      the sheet is unchanged: rewrite these lines, or blank them with KEY: -")
        return not refusals


def _some(keys: list[str]) -> str:
    """Return the first keys, and the number of the others."""
    more = f" and {len(keys) - MAX_KEYS} more" if len(keys) > MAX_KEYS else ""
    return ", ".join(keys[:MAX_KEYS]) + more
