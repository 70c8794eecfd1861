"""What a person may type for an order: lines of a sheet such as "94 D5 VD" or "38: 2138 A entrenched", and a few words.

Several lines stand one below the other, or with ; between them.
"""

from collections.abc import Callable

from kampfpanzer.model import orders
from kampfpanzer.model.board import Board
from kampfpanzer.plotting.deployment import parse_place
from kampfpanzer.plotting.notation import LETTERS, parse_plot
from kampfpanzer.ui.hints import asked, hint
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options.choices import shown

MOST_LINES = 500


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:  # noqa: ARG001 - the hook's shape
    """Return the order that ``text`` means for ``decision``, None if it is not in this notation.

    For "?" return what can be typed. Raises IllegalOrder with the line that cannot be read, or when the word is not
    asked for now.
    """
    kinds = asked(decision.options)
    if text.strip() == "?":
        return hint(decision)
    for sheet, read in SHEETS.items():
        if sheet in kinds and text.strip()[:1].isdigit():
            return sheet(read_lines(text, read))
    words = text.lower().split()
    found = VERBS.get(words[0]) if words else None
    if found is None:
        return None
    kind, order_of = found
    if kind not in kinds:
        problem = f"that is not asked now: {decision.prompt}; type for example: {hint(decision)}"
        raise IllegalOrder(decision.rule, problem)
    order = order_of(words[1:])
    if order is None:
        raise IllegalOrder(decision.rule, f"{shown(text)} cannot be read: type for example {hint(decision)}")
    return order


def read_lines(text: str, read: Callable[[str], str]) -> dict[str, str]:
    """Return unit and canonical text of each line; a line with a unit alone says nothing and is left out.

    Raises IllegalOrder with all, by unit, that ``read`` refuses, lines without a number, and units written twice.
    """
    found: dict[str, str] = {}
    wrong = Wrongs()
    seen: set[str] = set()
    lines = [line for line in text.replace(";", "\n").splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        raise IllegalOrder("KP-5.0h", f"{len(lines)} lines are more than any force has units")
    for line in lines:
        with wrong.part():
            number, rest = _parted(line)
            if number in seen:
                raise IllegalOrder("KP-5.0b", f"{number} is written twice: a unit has one line")
            seen.add(number)
            if rest:
                found[number] = _read_line(number, rest, read)
    wrong.refuse()
    return found


def _read_line(number: str, text: str, read: Callable[[str], str]) -> str:
    try:
        return read(text)
    except IllegalOrder as error:
        raise IllegalOrder(error.rule, f"{number}: {error.reason}") from error


def _parted(line: str) -> tuple[str, str]:
    """Return the identity number at the head of a line, and what follows it."""
    bare = line.strip()
    head = bare.replace(":", " ", 1).split(None, 1)[0] if bare.strip(": ") else ""
    if not (head.isascii() and head.isdigit() and len(head) < 7):
        raise IllegalOrder("KP-5.0h", f"{shown(bare)}: a line begins with the number of its unit, such as 94 D5 VD")
    return str(int(head)), bare[len(head) :].strip().removeprefix(":").strip()


SHEETS: dict[type[orders.Deploy] | type[orders.HandInPlots], Callable[[str], str]] = {
    orders.HandInPlots: lambda text: parse_plot(text).text,
    orders.Deploy: lambda text: parse_place(text).text,
}
"""What is written line by line, and how a line of it is read."""


# --- the words ---


def _fire(words: list[str]) -> Order | None:
    groups = [word.split("+") for word in words]
    return orders.GroupFire(groups) if groups and all(each.isdigit() for row in groups for each in row) else None


def _with_unit(order: Callable[[str], Order]) -> Callable[[list[str]], Order | None]:
    return lambda words: order(words[0]) if len(words) == 1 and words[0].isdigit() else None


def _face(words: list[str]) -> Order | None:
    letter = words[0].upper() if len(words) == 1 else ""
    return orders.ChooseFacing(letter) if letter and letter in LETTERS else None


VERBS: dict[str, tuple[type[Order], Callable[[list[str]], Order | None]]] = {
    "fire": (orders.GroupFire, _fire),
    "hit": (orders.ChooseTarget, _with_unit(orders.ChooseTarget)),
    "counter": (orders.Counterattack, _with_unit(orders.Counterattack)),
    "decline": (orders.DeclineCounterattack, lambda words: None if words else orders.DeclineCounterattack()),
    "face": (orders.ChooseFacing, _face),
    "withdraw": (orders.BackUp, _with_unit(orders.BackUp)),
}
"""The words of the other orders, and what follows them."""
