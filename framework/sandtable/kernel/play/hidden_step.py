"""Hidden steps: a step of play on a copy of the state, whose results are then recorded in separate records.

A side can count the records in its slice of the log, including those that it may not read. If each secret move were a
record, the number of records would reveal the number of moves.
"""

from types import GeneratorType
from typing import Any

from sandtable.errors import RulesetError, RulesetLoops
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import Event
from sandtable.kernel.play import watchdog
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import HiddenStep, Procedure, aside
from sandtable.kernel.state import State


def carry_out(ruleset: Ruleset, state: State, unseen: HiddenStep) -> Procedure:
    """Run the step on a copy of ``state``, yield its rolls, then the reported events; return the result of the step.

    Raises RulesetError if the step asks a question, and RulesetLoops if it does not end.
    """
    copy = ruleset.codec.copy(state)
    happened: list[Event] = []
    stack, answer = [unseen.step(copy)], None
    for _ in range(watchdog.RUN):
        try:
            item: Any = stack[-1].send(answer)
        except StopIteration as stop:
            answer = stop.value
            stack.pop()
            if stack:
                continue
            yield from unseen.tell(happened)
            return answer
        answer = None
        entry = ruleset.table.get(item.__class__)
        if entry is not None:
            entry.handler(copy, item)
            happened.append(item)
            reactions = entry.special.reactions if entry.special else ()
            stack += [aside(reaction(copy, item)) for reaction in reversed(reactions)]
        elif isinstance(item, Roll):
            answer = yield item
        elif isinstance(item, GeneratorType):
            stack.append(item)
        else:
            raise RulesetError(f"{unseen.step.__name__} yielded {item!r}: a hidden step cannot ask a question")
    raise RulesetLoops(
        f"{ruleset.id}: the hidden step {unseen.step.__name__} does not end after {watchdog.RUN:,} actions"
    )
