"""Fixtures for test cases: units on a small map, scripted orders and loaded dice.

A case sets up a position, gives orders, loads dice and checks the result.

    case = lay("2816 A1:7 I1:6; 2815 i1:5", dice="attack 66; defense 1")
    case.attack("A1 I1", "2815", plan="standard")
    assert case.demoralized("i1") == [True]

German units have capital letters, Soviet units small letters. The first letter is the type (``positions.TYPES``). The
map is clear, with one railway along row 28. It is German from column 30 to 16, and Soviet further east, unless the case
changes this. A spare force of each side far away keeps each phase open until the case ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.damos.cases import Case, TableDice
from tests.plugins.damos.positions import installed, prepared_for, set_position, shipped

from damos.model.state import DamosState
from sandtable.plugin.manager import Prepared

Lay = Callable[..., Case]
Stage = Callable[..., Case]
Prepare = Callable[..., Prepared]


def options_in(keywords: dict[str, Any]) -> dict[str, str]:
    """Remove the options of the ruleset from the keywords, and return them."""
    names = [option.name for option in installed().manifest.options]
    return {name: keywords.pop(name) for name in names if name in keywords}


@pytest.fixture
def prepare() -> Prepare:
    """Return a function that prepares a shipped scenario: ``prepare("agc", calendar="t1_22_june")``."""
    return lambda scenario="agc", **options: shipped(scenario, tuple(sorted(options.items())))


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Set up a case on the small map, by default in the operations of ``side`` on ``turn``.

    ``units`` are the units of both sides by hex, ``german`` and ``soviet`` those of one side. ``dice`` are faces by
    purpose. ``forest="2815"`` and the like are features of the map. ``control`` (hexes by side), ``replacements``
    (points by side) and ``tweak`` change the opening. Other keywords are options of the ruleset. After the test
    the open activation is played quietly to its end. No loaded die may be left then.
    """

    def prepared(forces: tuple[str, str], rest: dict[str, Any]) -> Prepared:
        options = options_in(rest)
        return prepared_for(*forces, rest, options)

    yield from table(prepared)


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Set up a case on the map of Army Group Center: ``stage("2816 g-3pz; 2811 s-13mc:2")``.

    Only the named units are on the map. The keywords are those of ``lay``, except the features of the map.
    """

    def prepared(forces: tuple[str, str], rest: dict[str, Any]) -> Prepared:
        scenario, options = rest.pop("scenario", "agc"), options_in(rest)
        assert not rest, rest
        return shipped(scenario, tuple(sorted(options.items())))

    yield from table(prepared)


def table(prepare: Callable[[tuple[str, str], dict[str, Any]], Prepared]) -> Iterator[Callable[..., Case]]:
    """Yield the function that sets up cases of games that ``prepare`` makes from forces and keywords."""
    cases: list[Case] = []

    def set_up(
        units: str = "",
        *,
        german: str = "",
        soviet: str = "",
        dice: Mapping[str, str] | str = "",
        side: str = "german",
        turn: int = 3,
        phase: str = "operations",
        control: Mapping[str, str] | None = None,
        replacements: Mapping[str, int] | None = None,
        tweak: Callable[[DamosState], object] = lambda state: None,
        **rest: Any,
    ) -> Case:
        forces_by_side = sides_in(units)
        forces = (f"{german}; {forces_by_side[0]}", f"{soviet}; {forces_by_side[1]}")
        prepared = prepare(forces, rest)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        set_position(state, prepared, forces, (side, turn, phase), control or {}, replacements or {})
        tweak(state)
        faces = dict(each.split() for each in dice.split(";") if each) if isinstance(dice, str) else dice
        cases.append(Case(prepared, state, TableDice(faces)))
        return cases[-1]

    yield set_up
    for case in cases:
        if (case.state.active or case.state.attack_target) and not case.game.is_over:
            case.rest()
        case.dice.assert_all_used()


def sides_in(units: str) -> tuple[str, str]:
    """Return the forces of a position by side. A force is German if its first unit has a German name."""
    groups = [group.split() for group in units.split(";")]
    german = [" ".join(words) for words in groups if words[1:] and (words[1][0].isupper() or words[1][:2] == "g-")]
    soviet = [" ".join(words) for words in groups if words[1:] and " ".join(words) not in german]
    return "; ".join(german), "; ".join(soviet)
