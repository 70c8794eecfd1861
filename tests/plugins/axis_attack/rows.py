"""A case as a row of a table: a position, answers and results, and the expected outcome."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from tests.plugins.axis_attack.cases import Answer, Case, Lay

from axis_attack.model.events import FrontMoved, MobilityAssessed


class Row(NamedTuple):
    """A case: its position, answers to check at ``until`` (``wrong``, ``legal``), and ``answers`` to play."""

    position: dict[str, Any]
    answers: Sequence[Any]
    until: Any
    wrong: Sequence[tuple[Answer, Any]]
    legal: Sequence[Answer]
    expected: dict[str, Any]


def row(rules: str, name: str, *answers: Any, until: Any = None, wrong: Any = (), legal: Any = (), **words: Any) -> Any:
    """Return a parameter: rule ids without their prefix, a name, and the answers and results that are played.

    Each of ``wrong`` is an answer, or a pair of an answer and its rules; without rules any rule is accepted. Keywords
    in ``OBSERVED`` are expectations; the others set up the position.
    """
    expected = {word: words.pop(word) for word in [*words] if word in OBSERVED}
    refused = [each if isinstance(each[0], tuple) else (each, "") for each in wrong]
    marks = pytest.mark.rule(*(f"AOA-{each}" for each in rules.split())) if rules else ()
    return pytest.param(Row({"at": "battle", **words}, answers, until, refused, legal, expected), marks=marks, id=name)


def play(lay: Lay, row: Row) -> Case:
    """Play a row: check refused and legal answers, play the answers, and compare the outcome."""
    case = lay(**row.position)
    if row.wrong or row.legal:
        case.play(until=row.until)
        for answer, rules in row.wrong:
            found = case.why_not(answer)
            assert found in {f"AOA-{each}" for each in rules.split()} if rules else found, (answer, found)
        for answer in row.legal:
            assert case.allows(answer), answer
    if row.answers or not (row.wrong or row.legal):
        case.play(*row.answers, until=None if row.wrong or row.legal else row.until)
    for name, value in row.expected.items():
        assert OBSERVED[name](case, value) == value, name
    return case


def _levels(case: Case, value: str) -> str:
    return "; ".join(f"{name} {case.level(name)}" for name, *_ in map(str.split, value.split("; ")))


def _each(case: Case, value: dict[type[Any], list[dict[str, Any]]]) -> dict[type[Any], list[dict[str, Any]]]:
    """Return, for each type of event, the named fields of the events of the turn."""
    return {
        kind: [{name: getattr(event, name) for name in (rows[0] if rows else ())} for event in case.events(kind)]
        for kind, rows in value.items()
    }


OBSERVED: dict[str, Callable[[Case, Any], Any]] = {
    "levels": _levels,
    "left": lambda case, _: case.balance(),
    "front": lambda case, _: case.state.sector,
    "bound": lambda case, _: case.state.bound,
    "ended": lambda case, _: case.ended() if case.game.is_over else None,
    "roles": lambda case, _: case.roles(),
    "totals": lambda case, _: case.totals(),
    "immobile": lambda case, _: case.immobile(),
    "asked": lambda case, _: [each.side for each in case.pending],
    "corner": lambda case, _: case.state.corner,
    "assessed": lambda case, _: [it for e in case.events(MobilityAssessed, side="german") for it in e.immobile],
    "moved": lambda case, _: [(it.was, it.sector, it.winner) for it in case.events(FrontMoved)],
    "transports": lambda case, value: {name: case.platoon(name).transports for name in value},
    "each": _each,
}
"""Functions that return the observed value, by the name of the expectation."""
