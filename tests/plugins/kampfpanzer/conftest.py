"""Test cases: units on a small map, plots of both sides, and loaded dice.

A case states positions, plots and dice, and then checks the outcome.

    case = new_case(french="38 0708 A entrenched", germans="94 0703", dice={"fire:0706:94": "3"})
    case.turn(french="38 P 0706", germans="94 D3")
    assert case.level("94") == 1

By default the map is clear, with 16 columns of 24 hexes. Units are named by the identity numbers of their counters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.kampfpanzer.cases import Case, TableDice
from tests.plugins.kampfpanzer.positions import installed, place_units, position, prepared_for, shipped

from kampfpanzer.model.state import DESTROYED, EXITED, KampfState
from sandtable.plugin.manager import Prepared

NewCase = Callable[..., Case]
Stage = Callable[..., Case]
Prepare = Callable[..., Prepared]


def option_names() -> list[str]:
    return [option.name for option in installed().manifest.options]


@pytest.fixture
def prepare() -> Prepare:
    """Prepare a shipped scenario: ``prepare("spain", bt7_13="12_only")``."""
    return lambda scenario, **options: shipped(scenario, tuple(sorted(options.items())))


@pytest.fixture
def new_case() -> Iterator[NewCase]:
    """Set up a case on the small map, before the plots of a turn.

    ``french`` and ``germans`` are positions, and ``dice`` are faces by purpose. Keywords such as ``woods="0405"`` are
    features of the map, ``more`` are tables of the scenario, and ``wrecks`` are hexes with wrecks. All other keywords
    are options of the ruleset. The fixture fails if loaded dice are left over.
    """
    cases: list[Case] = []

    def set_up(
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
        place_units(state, units, wrecks, turn, prepared.ruleset.sequence.first)
        tweak(state)
        cases.append(Case(prepared, state, TableDice(dice or {})))
        return cases[-1]

    yield set_up
    for case in cases:
        case.dice.assert_all_used()


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Set up a shipped scenario in mid-game: ``stage("arras", british="63 2341", germans="", turn=15)``.

    Only the named units are on the map. Units in ``lost`` are destroyed, and units in ``out`` have left the map.
    """
    cases: list[Case] = []

    def set_up(
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
        place_units(state, position(**rest), turn=turn, first=prepared.ruleset.sequence.first)
        state.units |= units
        cases.append(Case(prepared, state, TableDice(dice or {})))
        return cases[-1]

    yield set_up
    for case in cases:
        case.dice.assert_all_used()
