"""One turn as a row of a table: the position, both sheets of plots, the dice, and the expected outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.plugins.kampfpanzer.positions import lines

from kampfpanzer.model import events

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Answer, Case


class Row(NamedTuple):
    """A turn: ``setup`` is the position, ``sheets`` and ``reply`` play it, and ``expected`` is compared by name."""

    setup: dict[str, Any]
    refused: dict[str, Any]
    sheets: dict[str, str]
    reply: Sequence[Answer]
    expected: dict[str, Any]


def row(
    rules: str,
    name: str,
    *positions: str,
    f: Any = "",
    g: Any = "",
    dice: Any = "",
    reply: Any = (),
    refused: Any = None,
    **words: Any,
) -> Any:
    """Return a test parameter with rule ids, a name, and the positions of the French and the Germans.

    ``f`` and ``g`` are their plots, and ``reply`` has answers to decisions. ``dice="fire:0808:94 6 5; overrun:0808 1"``
    are faces by purpose. ``refused`` maps a sheet to its rule, to "" if it is legal, or to True for any rule. Keywords
    in ``OBSERVED`` are expectations; all others set up the position.
    """
    expected = {word: words.pop(word) for word in [*words] if word in OBSERVED}
    setup = {**dict(zip(("french", "germans"), positions, strict=False)), **words, "dice": lines(dice)}
    found = Row(setup, refused or {}, {"french": f, "germans": g}, reply, expected)
    return pytest.param(found, marks=pytest.mark.rule(*rules.split()) if rules else (), id=name)


def play(new_case: Callable[..., Case], row: Row) -> Case:
    """Set up the position of a row, check its refusals, and play and compare its turn if it has expectations."""
    case = new_case(**row.setup)
    for sheet, rule in row.refused.items():
        found = case.refused(sheet)
        assert found == rule or (rule is True and found), f"{sheet}: {found!r}"
    if row.expected:
        case.turn(*row.reply, **row.sheets)
    for name, value in row.expected.items():
        found = OBSERVED[name](case, value)
        assert found == (lines(value) if isinstance(found, dict) and isinstance(value, str) else value), name
    return case


def _by_unit(look: Callable[[Case, str], object]) -> Callable[[Case, Any], Any]:
    return lambda case, value: {unit: str(look(case, unit)) for unit in lines(value)}


def _each(kind: type[Any], text_of: Callable[[Any], str]) -> Callable[[Case, Any], Any]:
    return lambda case, _: "; ".join(text_of(event).strip() for event in case.events(kind))


def _plus(units: list[str]) -> str:
    return "+".join(sorted(units, key=int))


def _fields(case: Case, value: tuple[type[Any], dict[str, Any]]) -> tuple[type[Any], dict[str, Any]]:
    event = case.one(value[0])
    return value[0], {name: getattr(event, name) for name in value[1]}


OBSERVED: dict[str, Callable[[Case, Any], Any]] = {
    "at": _by_unit(lambda case, unit: case.at(unit)),
    "levels": _by_unit(lambda case, unit: case.level(unit)),
    "hexes": _by_unit(lambda case, unit: case.hexes(unit)),
    "track": _by_unit(lambda case, unit: " ".join(f"{tick}:{hex_}" for tick, hex_ in case.track(unit))),
    "aboard": _by_unit(lambda case, unit: case.state.units[unit].carrier or "-"),
    "facing": _by_unit(lambda case, unit: case.state.units[unit].facing or "-"),
    "standing": _by_unit(lambda case, unit: case.state.units[unit].standing),
    "stops": lambda case, _: {unit: " ".join(stop) for unit, stop in case.stops().items()},
    "shown": lambda case, _: {event.unit: event.plot for event in case.events(events.PlotShown)},
    "failed": lambda case, _: case.failed(),
    "pinned": lambda case, _: " ".join(case.pinned()),
    "wrecked": lambda case, _: " ".join(case.state.wrecks),
    "trenches": lambda case, _: case.state.entrenchments,
    "rolls": lambda case, _: len(case.rolls()),
    "fire": lambda case, _: "; ".join(
        sorted(f"{_plus(e.firers)}>{_plus(e.targets)} {e.superiority}" for e in case.events(events.FireResolved))
    ),
    "withheld": _each(events.FireWithheld, lambda e: f"{_plus(e.firers)} {e.superiority}"),
    "triggered": _each(events.FireTriggered, lambda e: f"{_plus(e.firers)}>{e.target} {e.hex} {e.tick}"),
    "shelled": _each(events.UnitShelled, lambda e: f"{e.unit} {e.hex} {e.column} {e.result}"),
    "overrun": _each(
        events.OverrunResolved, lambda e: f"{_plus(e.attackers)}>{_plus(e.defenders)} {e.counted} {e.superiority}"
    ),
    "countered": _each(events.CounterattackResolved, lambda e: f"{e.unit}>{e.target} {e.superiority}"),
    "contest": _each(events.ContestDecided, lambda e: f"{e.hex} {_plus(e.winners)}>{_plus(e.losers)} {e.by}"),
    "back": _each(events.UnitBackedUp, lambda e: f"{e.unit} {e.start} {e.hex} {e.why}"),
    "one": _fields,
    "never": lambda case, kinds: kinds if case.never(*kinds) else case.all_events(),
}
"""Expectations by name. Expectations by unit are compared only for the units in the row."""
