"""The referee's table: units put on a small map, orders by a script, dice that fall as they are told.

A case reads: who stands where, what both sides order, which dice fall, and then what has happened.

    case = lay(german="2816 A1:7 I1:6", soviet="2815 i1:5", dice={"attack": "66", "defence": "1"})
    case.attack("A1 I1", "2815", plan="standard")
    assert case.demoralized("i1") == [True]

German units are written in capitals, Soviet ones small; the first letter tells the type (``positions.TYPES``). The map
is clear, with one railway along row 28, German from column 30 to 16 and Soviet from there eastwards, unless a case says
otherwise. A spare force of each side stands far away, so that a phase always asks and ends when it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.damos.cases import Case, TableDice
from tests.plugins.damos.positions import installed, prepared_for, shipped, stand

from damos.model.state import DamosState
from sandtable.plugin.manager import Prepared

Lay = Callable[..., Case]
Stage = Callable[..., Case]
Prepare = Callable[..., Prepared]


def options_in(keywords: dict[str, Any]) -> dict[str, str]:
    """Take the options of the ruleset out of the keywords."""
    names = [option.name for option in installed().manifest.options]
    return {name: keywords.pop(name) for name in names if name in keywords}


@pytest.fixture
def prepare() -> Prepare:
    """Make a shipped scenario ready: ``prepare("agc", calendar="t1_22_june")``."""
    return lambda scenario="agc", **options: shipped(scenario, tuple(sorted(options.items())))


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Set up a case on the small map, in the operations of ``side`` on ``turn`` unless ``phase`` says otherwise.

    ``german`` and ``soviet`` say who stands where; ``dice`` what falls, by purpose. ``forest="2815"`` and the like are
    features of the map. ``control`` (side: hexes), ``replacements`` (side: points) and ``fields`` (of the state) change
    the opening; the rest are options of the ruleset. In the end all dice that were told must have fallen.
    """
    laid: list[Case] = []

    def set_the_table(
        *,
        german: str = "",
        soviet: str = "",
        dice: Mapping[str, str] | None = None,
        side: str = "german",
        turn: int = 3,
        phase: str = "operations",
        control: Mapping[str, str] | None = None,
        replacements: Mapping[str, int] | None = None,
        tweak: Callable[[DamosState], object] = lambda state: None,
        **rest: Any,
    ) -> Case:
        options = options_in(rest)
        prepared = prepared_for(german, soviet, rest, options)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        stand(state, prepared, (german, soviet), (side, turn, phase), control or {}, replacements or {})
        tweak(state)
        laid.append(Case(prepared, state, TableDice(dice or {})))
        return laid[-1]

    yield set_the_table
    for case in laid:
        case.dice.assert_all_used()


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Set up a case on the map of Army Group Center: ``stage(german="2816 g-3pz", soviet="2811 s-13mc:2")``.

    Only the units named are on the map; keywords are those of ``lay``, the features of the map aside.
    """
    staged: list[Case] = []

    def set_the_stage(
        *,
        german: str = "",
        soviet: str = "",
        dice: Mapping[str, str] | None = None,
        scenario: str = "agc",
        side: str = "german",
        turn: int = 3,
        phase: str = "operations",
        control: Mapping[str, str] | None = None,
        replacements: Mapping[str, int] | None = None,
        tweak: Callable[[DamosState], object] = lambda state: None,
        **rest: str,
    ) -> Case:
        options = options_in(rest)
        assert not rest, rest
        prepared = shipped(scenario, tuple(sorted(options.items())))
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        stand(state, prepared, (german, soviet), (side, turn, phase), control or {}, replacements or {})
        tweak(state)
        staged.append(Case(prepared, state, TableDice(dice or {})))
        return staged[-1]

    yield set_the_stage
    for case in staged:
        case.dice.assert_all_used()
