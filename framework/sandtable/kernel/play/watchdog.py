"""The watchdog, which stops rules that run too long without a question.

It sees only what procedures yield. A loop that yields nothing (in a procedure, a handler, an option or a view) never
returns to the kernel, and nothing here can stop it.
"""

from collections.abc import Sequence
from typing import Any

from sandtable.errors import RulesetLoops
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Procedure
from sandtable.kernel.state import State

RUN = 50_000
"""Number of steps without a question after which rules are considered endless.

A step is one value that a procedure yields, or its end. The loop counts steps in runs, which costs almost nothing, and
checks only between two runs. Rules that ask no question therefore take at least one run and at most two.
"""

MAX_NAMED = 6
"""Maximum number of live procedures named in the message, counted from the innermost."""


def look(
    ruleset: Ruleset, state: State, trail: Sequence[Any], start: int, procedures: Sequence[tuple[str, Procedure]]
) -> None:
    """Raise RulesetLoops if ``trail`` contains no answer since ``start``, where the run began.

    ``procedures`` are the live ones with their names, outermost first.
    """
    if not any(map(_is_answer, trail[start:])):
        raise RulesetLoops(_loop_message(ruleset, state, trail, [name for name, _ in procedures]))


def _is_answer(record: Any) -> bool:
    """Return whether ``record`` answers a question; dice that the umpire enters are random and not an answer."""
    return record.__class__ is OrderRecord and record.order.__class__ is not EnterDice


def _loop_message(ruleset: Ruleset, state: State, trail: Sequence[Any], procedures: Sequence[str]) -> str:
    """Return the message for endless rules: since when, where they are, and their last event or roll."""
    answer = next((place for place in range(len(trail) - 1, -1, -1) if _is_answer(trail[place])), -1)
    since = f"since the answer in record {trail[answer].n}" if answer >= 0 else "since the game began"
    made = trail[answer + 1 :]
    phase = ruleset.sequence.steps[state.position]
    where = f"phase {state.phase}{_cited(phase.rule)}" if state.in_phase else "between two phases"
    inmost = " < ".join(reversed(procedures[-MAX_NAMED:])) or "the sequence of play"
    return (
        f"{ruleset.id}: no question in {RUN:,} steps, {len(made):,} records {since}: turn {state.turn}, {where}, "
        f"in {inmost}{_last(made)}: the rules loop there"
    )


def _last(made: Sequence[Any]) -> str:
    """Return the newest event or roll in ``made`` with its rule, as the end of a clause, or ""."""
    for record in reversed(made):
        event = getattr(record, "event", None)
        if event is not None:
            return f", last {type(event).__name__}{_cited(getattr(event, 'rule', ''))}"
        label = getattr(record, "label", "")
        if label:
            return f", last the roll {label}{_cited(record.rule)}"
    return ""


def _cited(rule: str) -> str:
    return f" ({rule})" if rule else ""
