"""The watchdog: rules that run on and ask nobody are stopped.

It sees what the kernel sees: procedures that yield. A loop that yields nothing (in a procedure, a handler, an option, a
view) never comes back to the kernel, and nothing here can stop it.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from sandtable.errors import RulesetLoops
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Procedure, live_procedures
from sandtable.kernel.state import State

RUN = 50_000
"""Rules that ask nobody in a run of so many steps are taken for endless."""

MOST_NAMED = 6
"""So many live procedures are named, the inmost."""


def steps(ruleset: Ruleset, state: State, trail: Sequence[Any], stack: Sequence[Procedure]) -> Iterator[None]:
    """Yield None for each step that the rules may take: for whatever a procedure yields, and for its end.

    They are counted off in runs, so that counting costs the loop next to nothing: rules that ask nobody are stopped
    after one run at least, and two at most, by RulesetLoops.
    """
    return chain.from_iterable(_runs(ruleset, state, trail, stack))


def _runs(ruleset: Ruleset, state: State, trail: Sequence[Any], stack: Sequence[Procedure]) -> Iterator[Iterator[None]]:
    while True:
        start = len(trail)
        yield repeat(None, RUN)
        if not any(map(_is_answer, trail[start:])):
            raise RulesetLoops(_told(ruleset, state, trail, [name for name, _ in live_procedures(stack)]))


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
