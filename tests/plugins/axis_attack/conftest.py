"""Cases that are set up by hand: rosters, forces, the last game, and loaded dice.

case = lay(at="battle", german="pg1 pg full; pg2 pg full", forces={"german": "pg1 7; pg2 7"})
case.play(result("german", "5-2", german={"pg1": "3d"}))
assert case.level("pg1") == "gutted"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Case, Lay, TableDice
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import (
    FORCES,
    ROSTERS,
    full_options,
    installed,
    lay_forces,
    lay_last,
    roster,
    ruleset,
)

from axis_attack.model.cards import SIDES
from axis_attack.model.state import AxisState
from axis_attack.turn.sequence import SEQUENCE


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Set up a case at the beginning of a phase: "selection", "table", "forces", "weather" or "battle".

    ``german`` and ``soviet`` are rosters. ``forces`` are the game forces (from "weather" on), with their ``points``.
    ``last`` is the last game (at "selection"), ``mission`` the next one with its ``attacker``. ``balance`` has the
    victory points of both sides, German first. ``changes`` replace parts of the board. Other keywords are options.
    """
    cases: list[Case] = []

    def set_up(
        at: str,
        *,
        german: str = ROSTERS["german"],
        soviet: str = ROSTERS["soviet"],
        forces: Mapping[str, str] | None = None,
        points: tuple[int, int] = (1500, 1500),
        last: str = "",
        mission: str = "encounter",
        attacker: str = "german",
        balance: tuple[int, int] = (0, 0),
        sector: int = 4,
        turn: int = 2,
        dice: Mapping[str, str] | None = None,
        changes: Mapping[str, Any] | None = None,
        tweak: Callable[[AxisState], object] = lambda state: None,
        **options: str,
    ) -> Case:
        names = {option.name for option in installed().manifest.options}
        assert not set(options) - names, set(options) - names
        board = the_board(**(changes or {}))
        state = AxisState(options=full_options(options), sector=sector, turn=turn)
        state.place_board(board)
        state.position = [step.name for step in SEQUENCE.steps].index(at)
        if at == "selection":
            state.turn = turn - 1
        if at == "setup.company":
            state.turn = 0
        state.rosters = {"german": roster(board, "german", german), "soviet": roster(board, "soviet", soviet)}
        state.ladder = {
            side: {name: [each.level] for name, each in platoons.items()} for side, platoons in state.rosters.items()
        }
        state.aircraft = {side: {} for side in SIDES}
        state.balance = dict(zip(SIDES, balance, strict=True))
        state.earned = dict(state.balance)
        state.raw = dict.fromkeys(SIDES, 0)
        state.claims = {side: [] for side in SIDES}
        state.mission = mission
        state.attacker, state.defender = attacker, {"german": "soviet", "soviet": "german"}.get(attacker, "")
        if last:
            lay_last(state, last)
        if at in {"weather", "battle"}:
            lay_forces(state, board, {**FORCES, **(forces or {})}, dict(zip(SIDES, points, strict=True)))
        tweak(state)
        first = ruleset(options.get("roster_visibility", "own"))
        cases.append(Case(first, state, TableDice(dice or {})))
        return cases[-1]

    yield set_up
    for case in cases:
        case.dice.assert_all_used()
