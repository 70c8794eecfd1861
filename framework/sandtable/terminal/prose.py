"""Orders and values as a person reads them."""

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
  view            draw the board as your side sees it; view whole: all of a large one; view UNIT: more of that
  odds ORDER      what the dice that an order brings about may come to, as far as your side may know
  why             the rule behind the last refusal, or behind this question
  staff           let the staff, the best bot there is, answer this for you
  staff phase     let it answer all of this phase; staff phase but UNIT ..: without orders to these units
  back            begin this order again
  undo            take back the last line of a sheet or a path, else your last order (not over a roll or a reveal)
  quit            leave; the log stays, and `sandtable resume` goes on with it; an unfinished sheet is kept in a file
  help            this list; help WORD: of one of these"""
"""What can be typed at every question."""


def help_on(word: str, questions: Mapping[str, str], sheets: str, orders: str = "") -> str:
    """Return what can be typed at a question: all of it, or what begins with ``word``.

    ``questions`` are those that the ruleset answers, ``sheets`` the words of the sheet that is open, "" at none.
    ``orders`` shows how orders are typed here: a ``word`` that begins one of these examples is explained by them.
    """
    lines = [*HELP.splitlines(), *sheets.splitlines(), *(f"  {each}" for each in questions.values())]
    near = [line for line in lines if word and line.split()[0].lower() == word.lower()]
    if examples := examples_of(word, orders):
        near.append(f"  {word.lower():<15} begins an order at this question, for example: {', or: '.join(examples)}")
    if word and not near:
        return f"  {word} is no word of its own here; help tells all there are"
    return "\n".join(near or lines)


def examples_of(word: str, hint: str) -> list[str]:
    """Return the examples that begin with ``word`` in the ``hint`` by which a ruleset shows how orders are typed.

    An example is "move 1" in "move 1, or: end  (1 left)".
    """
    parts = [part.strip() for line in hint.splitlines() for part in line.partition("  (")[0].split(", or: ")]
    return [part for part in parts if word and part.lower().split()[:1] == [word.lower()]]


HIGHEST_NUMBER = 1_000_000
"""Below it a line of a menu may be numbered by the number in its order."""
MOST_PICKS = 4
"""So many picks have a line each in a menu of other orders."""


def headline(decision: Decision, state: Any) -> str:
    """Return the line above a question: when it is, who is asked what, by which rule."""
    turn = f"turn {state.turn}" if state and state.turn else "set-up"
    when = f"{turn}, {name_words(state.phase)}, " if state and state.phase else ""
    cited = f" ({decision.rule})" if decision.rule else ""
    return f"{when}{decision.seat}: {decision.prompt}{cited}"


def answer_lines(told: Answer) -> list[str]:
    """Return what the rules say to a question, the verdict first."""
    verdict = {True: "yes: ", False: "no: ", None: ""}[told.yes]
    return [f"  {verdict if place == 0 else ''}{line}" for place, line in enumerate(told.lines)]


def sheet_of(order: Order, name: str) -> dict[str, Any] | None:
    """Return what the field of ``order`` that is called ``name`` holds, if it is a sheet."""
    part = next((getattr(order, each) for each in order.__struct_fields__ if name_words(each) == name), None)
    return part if isinstance(part, dict) else None


def examples_as_json(decision: Decision) -> str:
    """Return one or two legal orders as they stand in a log, other than the one that ends the question."""
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
    """Return whether a pick of several things would fill a menu in which other orders stand, too."""
    if not isinstance(space, Form) or len(space.fields) != 1:
        return False
    field = next(iter(space.fields.values()))
    lists = isinstance(field, Space) and isinstance(next(field.values(), None), list)
    return lists and space.count(MOST_PICKS + 1) > MOST_PICKS


def picks(space: Space) -> bool:
    """Return whether an order only picks some of several things, such as units: many of them may be alike."""
    return isinstance(space, Form) and all(isinstance(each, SomeOf) for each in space.fields.values())


def disambiguated(space: Space, words: Callable[[Any], str], most: int | None = None) -> dict[str, Any]:
    """Return the values of ``space`` by their words, of those with the same the first; no more than one above most.

    Values without words have no line.
    """
    lines: dict[str, Any] = {}
    for value in space.values():
        if told := words(value):
            lines.setdefault(told, value)
        if most is not None and len(lines) > most:
            break
    return lines


def numbers_of(lines: Sequence[tuple[str, Any]], read: Callable[[str], Any] | None) -> list[int]:
    """Return the numbers of the lines of a menu: from 1, or those in the orders, where they tell the orders apart.

    So line 3 is column 3, though column 1 is full and has no line. ``read`` is the ruleset's own notation, None where
    there is none: where it reads a number as something else, the lines are counted.
    """
    own = [numbers[0] if len(numbers := _numbers_in(value)) == 1 else -1 for _, value in lines]
    if own and min(own) >= 0 and max(own) < HIGHEST_NUMBER and len(set(own)) == len(own):
        with suppress(IllegalOrder):
            if read is None or read(str(own[0])) == lines[0][1]:
                return own
    return list(range(1, len(lines) + 1))


def _numbers_in(value: Any) -> list[int]:
    """Return the fields of an order, if they are numbers."""
    fields = structs.astuple(value) if isinstance(value, Order) else ()
    return [each for each in fields if type(each) is int] if len(fields) == 1 else []


def numbered(labels: Sequence[str], width: int = 100, numbers: Sequence[int] = ()) -> list[str]:
    """Return ``labels`` as lines with ``numbers``, or from 1, in columns (read downwards) where short and many."""
    cells = [f"{number:>4}  {label}" for number, label in zip(numbers or count(1), labels, strict=False)]
    widest = max(map(len, cells), default=0) + 2
    columns = max(1, min(4, width // widest)) if len(cells) > 10 else 1
    rows = -(-len(cells) // columns)
    return ["".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip() for row in range(rows)]


def line_meant(
    text: str, labels: list[str], numbers: Sequence[int] = (), *, within: bool = True, whole: Collection[int] = ()
) -> int | None:
    """Return the place of the menu line that ``text`` names by its number, its words, or some of them.

    These are the first, or, ``within`` a line that begins otherwise, any; of the lines at the places ``whole``, such as
    the one that ends a phase, the first alone.
    """
    numbers = numbers or range(1, len(labels) + 1)
    if text.isascii() and text.isdigit() and len(text) < 7 and int(text) in numbers:
        return numbers.index(int(text))
    typed, labels = text.lower(), [label.lower() for label in labels]
    if typed in labels:
        return labels.index(typed)

    def may_be_within(place: int) -> bool:
        return within and len(typed) > 2 and place not in whole

    near = [place for place, label in enumerate(labels) if typed and label.startswith(typed)]
    near = near or [place for place, label in enumerate(labels) if may_be_within(place) and typed in label]
    return near[0] if len(near) == 1 else None
