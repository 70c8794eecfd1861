"""The watchdog: rules that run on and ask nobody are stopped.

It sees what the kernel sees: procedures that yield. A loop that yields nothing (in a procedure, a handler, an option, a
view) never comes back to the kernel, and nothing here can stop it.
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
"""Rules that ask nobody in a run of so many steps are taken for endless.

A step is whatever a procedure yields, or its end. The loop counts steps off in runs, so that counting costs it next to
nothing, and looks around only between two of them: rules that ask nobody take one run at least, and two at most.
"""

MOST_NAMED = 6
"""So many live procedures are named, the inmost."""


def look(
    ruleset: Ruleset, state: State, trail: Sequence[Any], start: int, procedures: Sequence[tuple[str, Procedure]]
) -> None:
    """Raise RulesetLoops when nobody has answered anything in ``trail`` from ``start`` on, where the run began.

    ``procedures`` are the live ones with their names, the outermost first.
    """
    if not any(map(_is_answer, trail[start:])):
        raise RulesetLoops(_told(ruleset, state, trail, [name for name, _ in procedures]))


def _is_answer(record: Any) -> bool:
    """Tell whether ``record`` answers a question; dice that the umpire enters are chance, and no answer."""
    return record.__class__ is OrderRecord and record.order.__class__ is not EnterDice


def _told(ruleset: Ruleset, state: State, trail: Sequence[Any], procedures: Sequence[str]) -> str:
    """Return what is said of rules that loop: since when, where they are, and what they did last."""
    answer = next((place for place in range(len(trail) - 1, -1, -1) if _is_answer(trail[place])), -1)
    since = f"since the answer in record {trail[answer].n}" if answer >= 0 else "since the game began"
    made = trail[answer + 1 :]
    phase = ruleset.sequence.steps[state.position]
    where = f"phase {state.phase}{_cited(phase.rule)}" if state.in_phase else "between two phases"
    inmost = " < ".join(reversed(procedures[-MOST_NAMED:])) or "the sequence of play"
    return (
        f"{ruleset.id}: no question in {RUN:,} steps, {len(made):,} records {since}: turn {state.turn}, {where}, "
        f"in {inmost}{_last(made)}: the rules loop there"
    )


def _last(made: Sequence[Any]) -> str:
    """Return the newest event or roll of ``made``, with its rule, for the end of a clause."""
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
