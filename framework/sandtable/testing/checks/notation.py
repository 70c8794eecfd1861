"""The check of typed input: junk and "?" cause no crash, and examples are legal orders."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Order
from sandtable.kernel.options import Refusal
from sandtable.plugin.groups import nothing
from sandtable.plugin.manifest import Answer, Course
from sandtable.rules.notation.table import JOINT
from sandtable.rules.notation.usual import usual
from sandtable.rules.questions import NO_EXAMPLE
from sandtable.testing.checks.bench import DecisionPoint, FaultError, Harness, NotChecked, Trial

MAX_GAMES = 4
MAX_QUESTIONS = 25
JUNK = ("", " ", "?", "0", "1", "-1", "99999999999999999999", "nonsense", "a b c d e f", "'", '"', "0804", "1.5", "+",
        "é\u202e", "(", "[x", "\\", "*", "all", "x" * 400, "1 " * 60)  # fmt: skip
"""Input that people type by mistake."""
_EXAMPLE = re.compile(r"^\s*(.+?)(?:\s{2,}|\s\(|$)")


def check_notation(bench: Harness) -> str:
    """Type junk, "?" and the ruleset's examples at decisions of played games. They must not crash.

    The result of reading a text must be an order, a course of orders, a text for the reader, or None. An example that
    is an order must be legal. A ruleset without its own notation is tested with the usual one.
    """
    typed = examples = 0
    for trial in bench.whole(MAX_GAMES):
        step = max(1, len(trial.played.given) // MAX_QUESTIONS)
        for turning in islice(trial.replay(), 0, None, step):
            before = trial.ruleset.codec.to_bytes(turning.game.state)
            shown = list(_examples(trial, turning))
            for text in (*JUNK, *shown):
                examples += text in shown
                typed += 1
                problem = _misread(trial, turning, text, is_example=text in shown) or _ill_answered(
                    trial, turning, text
                )
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: typed {text!r:.60}: {problem}")
            for text in _example_queries(trial, turning):
                examples += 1
                typed += 1
                problem = _unanswered(trial, turning, text)
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: query {text!r:.60}: {problem}")
            if trial.ruleset.codec.to_bytes(turning.game.state) != before:
                raise FaultError(f"{trial.name}, {turning.place}: reading typed text changed the state")
    if not typed:
        return NotChecked("not checked: there was no decision")
    return f"{typed} texts were typed, including {examples} of its own examples"


def _read(trial: Trial, turning: DecisionPoint, text: str) -> Any:
    """Return what ``text`` means in the notation of the ruleset, or in the usual one if it has no notation."""
    read = trial.prepared.installed.ui.read_order or usual(turning.decision).read_order
    return read(turning.decision, text, trial.prepared.board)


def _examples(trial: Trial, turning: DecisionPoint) -> Iterator[str]:
    """Yield the examples in the answer to "?": the text at the start of a line, and after each "or".

    Indented lines are explanations, not examples.
    """
    answer = _read(trial, turning, "?")
    for line in answer.splitlines()[:12] if isinstance(answer, str) else ():
        if line.startswith(" "):
            continue
        for part in line.split(JOINT):
            found = _EXAMPLE.match(part)
            if found and found.group(1)[0] != "(":
                yield found.group(1)


def _example_queries(trial: Trial, turning: DecisionPoint) -> Iterator[str]:
    """Yield the examples of queries about the position: the start of each line that the ruleset lists."""
    view = turning.game.view(turning.decision.side)
    answer = trial.prepared.installed.answer(view, trial.prepared.board, "?")
    for line in answer.lines if answer is not None else ():
        if NO_EXAMPLE not in line:
            yield line.partition("   ")[0].strip()


def _unanswered(trial: Trial, turning: DecisionPoint, text: str) -> str:
    """Return why a query that the ruleset gives as an example is not answered, or ""."""
    try:
        answer = trial.prepared.installed.answer(turning.game.view(turning.decision.side), trial.prepared.board, text)
    except SandtableError as error:
        return f"its own example is refused: {error}"
    return "" if answer is not None else "its own example is not a query"


def _misread(trial: Trial, turning: DecisionPoint, text: str, *, is_example: bool) -> str:
    """Return the problem with the result of ``read_order`` for ``text``, or ""."""
    try:
        read = _read(trial, turning, text)
    except SandtableError as error:  # a refusal, in words
        return f"its own example cannot be parsed: {error}" if is_example else ""
    if read is None and is_example:
        return "its own example is not an order"
    if read is None or isinstance(read, str | Refusal | Course):
        return ""
    if not isinstance(read, Order):
        return f"read_order gives {read!r:.60}, which is not an order, course, refusal or text"
    wrong = turning.decision.options.wrong_alone(read)
    return f"its own example is refused: {wrong[0].reason}" if wrong and is_example else ""


def _ill_answered(trial: Trial, turning: DecisionPoint, text: str) -> str:
    """Return the problem with the answer to ``text`` as a query, or with the words of orders, or ""."""
    installed, board = trial.prepared.installed, trial.prepared.board
    view = turning.game.view(turning.decision.side)
    if text == "?":
        for order in (turning.order, turning.decision.done):
            if order is not None:
                words = (installed.ui.words or nothing)(order, view, board)
                if words is not None and not isinstance(words, str):
                    return f"words gives {type(words).__name__} for {order}, not text"
    try:
        answer = installed.answer(view, board, text)
    except SandtableError:
        return ""
    return "" if answer is None or isinstance(answer, Answer) else f"answer gives {type(answer).__name__}"
