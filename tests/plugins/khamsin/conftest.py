"""Test cases: formations on the map of the fixture module, orders of both sides, and loaded dice.

A case states positions, orders, dice and battle results, and then checks the outcome.

    case = new_case("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:7_armd_bde": "3"})
    case.turn(result("allies", "6-1"), allies="7_armd_bde sidi_rezegh")
    assert case.control("sidi_rezegh") == "allies"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.khamsin.cases import Case, NewCase, TableDice
from tests.plugins.khamsin.positions import PHASES, option_names, place_pieces, prepared_for

from khamsin.model.state import KhamsinState


@pytest.fixture
def new_case() -> Iterator[NewCase]:
    """Set up a case in the orders phase of a turn (or in another phase: ``at="start.supply"``).

    ``dice`` are faces by purpose, ``control`` assigns areas ("axis: tobruk el_adem"), and ``changes`` are module values
    by key. All other keywords are options of the ruleset. A battle has one action by default. The fixture fails if
    loaded dice are left over.
    """
    laid: list[Case] = []

    def set_the_desk(
        where: str,
        *,
        dice: Mapping[str, str] | None = None,
        at: str = "orders",
        turn: int = 2,
        control: str = "",
        module: str = "fixture",
        changes: Mapping[str, Any] | None = None,
        tweak: Callable[[KhamsinState], object] = lambda state: None,
        **options: str,
    ) -> Case:
        assert not set(options) - set(option_names()), options
        prepared = prepared_for(module, changes or {}, {"actions_per_engagement": "1"} | options)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        state.position = PHASES.index(at)
        state.turn = turn - 1 if at == PHASES[1] else turn
        place_pieces(state, where)
        weather = prepared.board.weather
        state.weather = weather.first or weather.table[0]
        for part in filter(None, map(str.strip, control.split(";"))):
            side, _, areas = part.partition(":")
            state.control |= dict.fromkeys(areas.split(), side)
        tweak(state)
        laid.append(Case(prepared, state, TableDice(dice or {})))
        return laid[-1]

    yield set_the_desk
    for case in laid:
        case.dice.assert_all_used()
