"""The check of what a person types: junk and "?" are read without a crash, examples are orders that are allowed."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Order
from sandtable.plugin.groups import nothing
from sandtable.plugin.manifest import Answer, Course
from sandtable.rules.notation.table import JOINT
from sandtable.rules.notation.usual import usual
from sandtable.rules.questions import NO_EXAMPLE
from sandtable.testing.checks.bench import FaultError, Harness, NotLookedAt, Trial, Turning

MOST_GAMES = 4
MOST_QUESTIONS = 25
JUNK = ("", " ", "?", "0", "1", "-1", "99999999999999999999", "nonsense", "a b c d e f", "'", '"', "0804", "1.5", "+",
        "é\u202e", "(", "[x", "\\", "*", "all", "x" * 400, "1 " * 60)  # fmt: skip
"""What people type by mistake."""
_EXAMPLE = re.compile(r"^\s*(.+?)(?:\s{2,}|\s\(|$)")


def check_notation(bench: Harness) -> str:
    """Type junk, "?" and the examples that it names at questions of played games; nothing may crash.

    What is read from a text is an order, a course of orders, a text for a reader, or None. An example that is read as
    an order is allowed now. A ruleset without a notation of its own is typed by the usual one.
    """
    typed = examples = 0
    for trial in bench.whole(MOST_GAMES):
        step = max(1, len(trial.played.given) // MOST_QUESTIONS)
        for turning in islice(trial.replay(), 0, None, step):
            before = trial.ruleset.codec.to_bytes(turning.game.state)
            shown = list(_examples(trial, turning))
            for text in (*JUNK, *shown):
                examples += text in shown
                typed += 1
                problem = _misread(trial, turning, text, is_example=text in shown) or _unworthy(trial, turning, text)
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: typed {text!r:.60}: {problem}")
            for text in _asked_so(trial, turning):
                examples += 1
                typed += 1
                problem = _unanswered(trial, turning, text)
                if problem:
                    raise FaultError(f"{trial.name}, {turning.place}: asked {text!r:.60}: {problem}")
            if trial.ruleset.codec.to_bytes(turning.game.state) != before:
                raise FaultError(f"{trial.name}, {turning.place}: reading what was typed changed the state")
    if not typed:
        return NotLookedAt("not looked at: nobody was asked anything")
    return f"{typed} texts were typed, {examples} of them its own examples"


def _read(trial: Trial, turning: Turning, text: str) -> Any:
    """Return what ``text`` means in the notation of the ruleset, or in the usual one where it has none."""
    read = trial.prepared.installed.ui.read_order or usual(turning.decision).read_order
    return read(turning.decision, text, trial.prepared.board)


def _examples(trial: Trial, turning: Turning) -> Iterator[str]:
    """Yield the examples of the answer to "?": what stands first on its lines, and behind each "or".

    Lines that are set in tell more, and are no examples.
    """
    told = _read(trial, turning, "?")
    for line in told.splitlines()[:12] if isinstance(told, str) else ():
        if line.startswith(" "):
            continue
        for part in line.split(JOINT):
            found = _EXAMPLE.match(part)
            if found and found.group(1)[0] != "(":
                yield found.group(1)


def _asked_so(trial: Trial, turning: Turning) -> Iterator[str]:
    """Yield the examples of questions about the position: what stands first on each line that the ruleset lists."""
    view = turning.game.view(turning.decision.side)
    told = trial.prepared.installed.answer(view, trial.prepared.board, "?")
    for line in told.lines if told is not None else ():
        if NO_EXAMPLE not in line:
            yield line.partition("   ")[0].strip()


def _unanswered(trial: Trial, turning: Turning, text: str) -> str:
    """Return why a question that the ruleset gives as an example is not answered; "" where it is."""
    try:
        told = trial.prepared.installed.answer(turning.game.view(turning.decision.side), trial.prepared.board, text)
    except SandtableError as error:
        return f"its own example is refused: {error}"
    return "" if told is not None else "its own example is no question"


def _misread(trial: Trial, turning: Turning, text: str, *, is_example: bool) -> str:
    """Return what is wrong with what ``read_order`` makes of ``text``; "" for nothing."""
    try:
        read = _read(trial, turning, text)
    except SandtableError as error:  # a refusal, in words
        return f"its own example is not read: {error}" if is_example else ""
    if read is None and is_example:
        return "its own example is no order"
    if read is None or isinstance(read, str | Course):
        return ""
    if not isinstance(read, Order):
        return f"read_order gives {read!r:.60}, which is no order, course or text"
    wrong = turning.decision.options.wrong_alone(read)
    return f"its own example is refused: {wrong[0].reason}" if wrong and is_example else ""


def _unworthy(trial: Trial, turning: Turning, text: str) -> str:
    """Return what is wrong with an answer to ``text`` as a question about the position, or with a menu; or ""."""
    installed, board = trial.prepared.installed, trial.prepared.board
    view = turning.game.view(turning.decision.side)
    if text == "?":
        for order in (turning.order, turning.decision.done):
            if order is not None:
                words = (installed.ui.words or nothing)(order, view, board)
                if words is not None and not isinstance(words, str):
                    return f"words gives {type(words).__name__} for {order}, no text"
    try:
        answer = installed.answer(view, board, text)
    except SandtableError:
        return ""
    return "" if answer is None or isinstance(answer, Answer) else f"answer gives {type(answer).__name__}"
