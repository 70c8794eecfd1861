"""The referee's table: units put on a small map, plots for both sides, dice that fall as they are told.

A case reads: who stands where, what both sides plot, which dice fall, and then what has happened.

    case = lay(french="38 0708 A entrenched", germans="94 0703", dice={"fire:0706:94": "3"})
    case.turn(french="38 P 0706", germans="94 D3")
    assert case.level("94") == 1

The map is clear, 16 columns of 24 hexes, unless a case says otherwise; identity numbers are those of the counters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.kampfpanzer.cases import Case, TableDice
from tests.plugins.kampfpanzer.positions import installed, position, prepared_for, shipped, stand

from kampfpanzer.model.state import DESTROYED, EXITED, KampfState
from sandtable.plugin.manager import Prepared

Lay = Callable[..., Case]
Stage = Callable[..., Case]
Prepare = Callable[..., Prepared]


def option_names() -> list[str]:
    return [option.name for option in installed().manifest.options]


@pytest.fixture
def prepare() -> Prepare:
    """Make a shipped scenario ready: ``prepare("spain", bt7_13="12_only")``."""
    return lambda scenario, **options: shipped(scenario, tuple(sorted(options.items())))


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Set up a case on the small map, before the plots of a turn.

    ``french`` and ``germans`` say who stands where; ``dice`` what falls, by purpose. ``woods="0405"`` and the like are
    features of the map, ``more`` are tables of the scenario; ``wrecks`` lie already; the rest are options of the
    ruleset. In the end all dice that were told must have fallen.
    """
    laid: list[Case] = []

    def set_the_table(
        *,
        french: str = "",
        germans: str = "",
        dice: Mapping[str, str] | None = None,
        wrecks: str = "",
        turn: int = 1,
        more: Mapping[str, Any] | None = None,
        tweak: Callable[[KampfState], object] = lambda state: None,
        **rest: str,
    ) -> Case:
        options = {name: rest.pop(name) for name in option_names() if name in rest}
        units = position(french=french, germans=germans)
        prepared = prepared_for(units, rest, more or {}, options)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        stand(state, units, wrecks, turn, prepared.ruleset.sequence.first)
        tweak(state)
        laid.append(Case(prepared, state, TableDice(dice or {})))
        return laid[-1]

    yield set_the_table
    for case in laid:
        case.dice.assert_all_used()


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Set up a shipped scenario in the middle: ``stage("arras", british="63 2341", germans="", turn=15)``.

    Only the units named are on the map; those after ``lost`` are destroyed and those after ``out`` have left it.
    """
    staged: list[Case] = []

    def set_the_stage(
        scenario: str,
        *,
        turn: int = 1,
        dice: Mapping[str, str] | None = None,
        lost: str = "",
        out: str = "",
        **rest: str,
    ) -> Case:
        options = {name: rest.pop(name) for name in option_names() if name in rest}
        prepared = shipped(scenario, tuple(sorted(options.items())))
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        gone = dict.fromkeys(lost.split(), DESTROYED) | dict.fromkeys(out.split(), EXITED)
        units = {unit_id: state.units[unit_id] for unit_id in gone}
        for unit_id, standing in gone.items():
            units[unit_id].standing = standing
        stand(state, position(**rest), turn=turn, first=prepared.ruleset.sequence.first)
        state.units |= units
        staged.append(Case(prepared, state, TableDice(dice or {})))
        return staged[-1]

    yield set_the_stage
    for case in staged:
        case.dice.assert_all_used()
