"""Orders and values in words."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec
from msgspec import structs

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, SomeOf, Space
from sandtable.plugin.manifest import Answer
from sandtable.rules.notation.names import name_words

HELP = """\
  a number        choose that line of the menu
  an order        in the ruleset's own notation, or as JSON: {"type": "...", ...}
  options         show the menu again
  view            draw the board as your side sees it; view whole: all of a large map; view UNIT: details
  odds ORDER      the possible results of an order's dice, as far as your side may know
  why             the rule behind the last refusal or the current decision
  staff           let the staff (the best bot) make this decision for you
  staff phase     let it play the rest of this phase; staff phase but UNIT ..: except for these units
  back            begin this order again
  undo            undo the last line of a sheet or path, or your last order (not past a roll or a reveal)
  standing        list your standing orders: they answer open questions of a kind for you, and all sides see them
  standing by BOT let a bot (staff: the best one) answer questions like this; standing answer ORDER: give this order
  standing off    take a standing order back; standing off N: one of several
  resign          resign the game, after a confirmation
  draw            offer a draw; the game ends if every other side agrees
  quit            leave; `sandtable resume` continues the game, and an unfinished sheet is kept in a file
  help            show this list; help WORD: explain one of these"""
"""Help on the input that is accepted at every decision."""


def help_on(word: str, questions: Mapping[str, str], sheets: str, orders: str = "") -> str:
    """Return help on what can be typed at a decision: everything, or only lines that begin with ``word``.

    ``questions`` are the queries that the ruleset answers. ``sheets`` is the help of the open sheet, or "". ``orders``
    shows how orders are typed here; a ``word`` that begins one of these examples is explained by them.
    """
    lines = [*HELP.splitlines(), *sheets.splitlines(), *(f"  {each}" for each in questions.values())]
    matches = [line for line in lines if word and line.split()[0].lower() == word.lower()]
    if examples := examples_of(word, orders):
        matches.append(f"  {word.lower():<15} begins an order here, for example: {', or: '.join(examples)}")
    if word and not matches:
        return f"  no help for {word!r}: type help for a list"
    return "\n".join(matches or lines)


def examples_of(word: str, hint: str) -> list[str]:
    """Return the examples that begin with ``word`` in ``hint``, the ruleset's description of its orders.

    An example is "move 1" in "move 1, or: end  (1 left)".
    """
    parts = [part.strip() for line in hint.splitlines() for part in line.partition("  (")[0].split(", or: ")]
    return [part for part in parts if word and part.lower().split()[:1] == [word.lower()]]


HIGHEST_NUMBER = 1_000_000
"""Upper bound below which a menu line may be numbered by the number in its order."""
MAX_PICKS = 4
"""Maximum number of picks that each have a line in a menu of other orders."""


def headline(decision: Decision, state: Any) -> str:
    """Return the line above a decision: the turn and phase, the seat, the prompt and the rule."""
    turn = f"turn {state.turn}" if state and state.turn else "set-up"
    when = f"{turn}, {name_words(state.phase)}, " if state and state.phase else ""
    cited = f" ({decision.rule})" if decision.rule else ""
    return f"{when}{decision.seat}: {decision.prompt}{cited}"


def answer_lines(answer: Answer) -> list[str]:
    """Return the answer of the rules to a query, the verdict first."""
    verdict = {True: "yes: ", False: "no: ", None: ""}[answer.yes]
    return [f"  {verdict if index == 0 else ''}{line}" for index, line in enumerate(answer.lines)]


def sheet_of(order: Order, name: str) -> dict[str, Any] | None:
    """Return the sheet in the field ``name`` of ``order``, or None if the field is not a sheet."""
    part = next((getattr(order, each) for each in order.__struct_fields__ if name_words(each) == name), None)
    return part if isinstance(part, dict) else None


def examples_as_json(decision: Decision) -> str:
    """Return one or two legal orders as stored in a log, other than the order that ends the decision."""
    stream = Stream.for_player(b"examples", decision.seat)
    shown: list[Any] = [decision.done]
    with suppress(ValueError):
        for _ in range(8):
            order = decision.options.sample(stream)
            if order not in shown and len(shown) < 3:
                shown.append(order)
    lines = (f"      {msgspec.json.encode(order).decode()}" for order in shown[1:])
    return "\n".join(["  type an order; for example", *lines])


def crowds(space: Space) -> bool:
    """Return whether a pick of several things would fill a menu that also has other orders."""
    if not isinstance(space, Form) or len(space.fields) != 1:
        return False
    field = next(iter(space.fields.values()))
    lists = isinstance(field, Space) and isinstance(next(field.values(), None), list)
    return lists and space.count(MAX_PICKS + 1) > MAX_PICKS


def picks(space: Space) -> bool:
    """Return whether an order only picks some of several things, such as units, so that many picks may look alike."""
    return isinstance(space, Form) and all(isinstance(each, SomeOf) for each in space.fields.values())


def disambiguated(space: Space, words: Callable[[Any], str], most: int | None = None) -> dict[str, Any]:
    """Return the values of ``space`` by their words; of values with the same words, the first.

    At most ``most`` + 1 values are returned. Values without words are left out.
    """
    lines: dict[str, Any] = {}
    for value in space.values():
        if answer := words(value):
            lines.setdefault(answer, value)
        if most is not None and len(lines) > most:
            break
    return lines


def numbers_of(lines: Sequence[tuple[str, Any]], read: Callable[[str], Any] | None) -> list[int]:
    """Return the numbers of menu lines: the numbers in their orders if these are unique, or 1, 2, 3 and so on.

    For example, line 3 is column 3 even if column 1 is full and has no line. ``read`` is the ruleset's own notation, or
    None. If the notation reads such a number as something else, the lines are counted.
    """
    own = [numbers[0] if len(numbers := _numbers_in(value)) == 1 else -1 for _, value in lines]
    if own and min(own) >= 0 and max(own) < HIGHEST_NUMBER and len(set(own)) == len(own):
        with suppress(IllegalOrder):
            if read is None or read(str(own[0])) == lines[0][1]:
                return own
    return list(range(1, len(lines) + 1))


def _numbers_in(value: Any) -> list[int]:
    """Return the number in an order with a single integer field, as a list; [] for any other order."""
    fields = structs.astuple(value) if isinstance(value, Order) else ()
    return [each for each in fields if type(each) is int] if len(fields) == 1 else []


def numbered(labels: Sequence[str], width: int = 100, numbers: Sequence[int] = ()) -> list[str]:
    """Return ``labels`` as lines with ``numbers`` (or counted from 1), in columns if they are short and many."""
    cells = [f"{number:>4}  {label}" for number, label in zip(numbers or count(1), labels, strict=False)]
    widest = max(map(len, cells), default=0) + 2
    columns = max(1, min(4, width // widest)) if len(cells) > 10 else 1
    rows = -(-len(cells) // columns)
    return ["".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip() for row in range(rows)]


def line_meant(
    text: str, labels: list[str], numbers: Sequence[int] = (), *, within: bool = True, whole: Collection[int] = ()
) -> int | None:
    """Return the index of the menu line that ``text`` names by its number, its words or some of them, or None.

    Some words match the beginning of a line. With ``within`` they also match inside a line, except in the lines with
    the indexes ``whole``, such as the one that ends a phase.
    """
    numbers = numbers or range(1, len(labels) + 1)
    if text.isascii() and text.isdigit() and len(text) < 7 and int(text) in numbers:
        return numbers.index(int(text))
    typed, labels = text.lower(), [label.lower() for label in labels]
    if typed in labels:
        return labels.index(typed)

    def matches_within(index: int) -> bool:
        return within and len(typed) > 2 and index not in whole

    matches = [index for index, label in enumerate(labels) if typed and label.startswith(typed)]
    matches = matches or [index for index, label in enumerate(labels) if matches_within(index) and typed in label]
    return matches[0] if len(matches) == 1 else None
