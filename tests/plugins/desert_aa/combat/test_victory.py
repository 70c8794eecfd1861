"""Ends of a game: DAA-1.04 and the rulings on victory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.model.orders import EndMoves, Retreat, TakeLosses
from sandtable.kernel.events import GameEnded

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Changed, Lay, Opening


def end(case: Case) -> tuple[str, str]:
    return case.state.outcome, case.state.ending


@pytest.mark.rule("DAA-1.04", "DAA-R61", "DAA-R62")
@pytest.mark.parametrize(
    ("power", "unit", "path", "winner"),
    [
        ("england", "uk-inf-1", "HOM TRI", "allies"),
        ("germany", "de-inf-1", "ALX CAI", "axis"),
        ("italy", "it-arm-1", "ALX CAI", "axis"),
    ],
)
def test_taking_the_enemy_capital_wins(lay: Lay, power: str, unit: str, path: str, winner: str) -> None:
    case = lay(f"{path.split(maxsplit=1)[0]} {unit}", power).attack(unit, path).fight()
    assert end(case) == (winner, "capital_captured")
    assert case.phase == "combat"


@pytest.mark.rule("DAA-1.04", "DAA-R61")
def test_the_capital_must_fall_not_merely_be_attacked(lay: Lay) -> None:
    case = lay("HOM uk-inf-1 uk-ftr-1; TRI it-inf-1", dice="6 3, 1")
    case.attack("uk-inf-1 uk-ftr-1", "HOM TRI").to_phase("combat_move").submit(EndMoves())
    case.fight(TakeLosses(["uk-inf-1"]))
    assert case.at("TRI") == "uk-ftr-1"  # planes take no ground
    assert not case.game.is_over


@pytest.mark.rule("DAA-R61")
def test_victory_is_looked_for_when_the_combat_phase_is_over(lay: Lay) -> None:
    # Tripoli is empty and falls as moves are made; the battle at Sirte is still fought.
    case = lay("HOM uk-inf-1; BUE uk-inf-2; SIR it-inf-1", dice="6, 6").attack("uk-inf-1", "HOM TRI")
    case.attack("uk-inf-2", "BUE SIR").submit(EndMoves())
    assert (case.holder("TRI"), case.game.is_over) == ("england", False)
    case.go(Retreat("BUE"))
    assert end(case) == ("allies", "capital_captured")


@pytest.mark.rule("DAA-R61")
def test_by_option_the_capital_must_be_held_for_a_round(lay: Lay) -> None:
    case = lay("HOM uk-inf-1", victory_time="hold_one_round").attack("uk-inf-1", "HOM TRI").to_turn("germany")
    case.to_turn("italy").to_turn("england")
    assert not case.game.is_over
    case.until(lambda case: case.game.is_over)
    assert end(case) == ("allies", "capital_captured")
    assert case.now() == (3, 1)


@pytest.mark.rule("DAA-R61")
def test_by_option_a_capital_won_back_in_time_saves_the_game(lay: Lay) -> None:
    # England walks into Tripoli; a German tank (3) throws its infantry (2) out again, and a round later nothing ends.
    case = lay("HOM uk-inf-1; BUE de-arm-1", dice="3, 6", victory_time="hold_one_round")
    case.attack("uk-inf-1", "HOM TRI").to_turn("germany").attack("de-arm-1", "BUE HOM TRI").fight()
    assert case.holder("TRI") == "italy"
    case.to_turn("england").to_turn("germany")
    assert not case.game.is_over


@pytest.mark.rule("DAA-R62")
def test_the_scenario_names_the_capitals(lay: Lay, changed: Changed) -> None:
    sirte = changed({"areas": {"TRI": {"capital": ""}, "SIR": {"capital": "axis"}}})
    case = lay("HOM uk-inf-1; BUN uk-inf-2", scenario=sirte).attack("uk-inf-1", "HOM TRI").fight()
    assert (case.holder("TRI"), case.game.is_over) == ("england", False)
    case.to_turn("england").attack("uk-inf-2", "BUN SIR").fight()
    assert end(case) == ("allies", "capital_captured")


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize(
    ("scenario", "option", "last"),
    [("western_desert", "scenario", 12), ("frontier", "scenario", 6), ("western_desert", "2", 2)],
)
def test_a_game_may_have_a_last_round(opening: Opening, scenario: str, option: str, last: int) -> None:
    case = opening(scenario, round_limit=option).until(lambda case: case.game.is_over)
    assert case.state.ending == "round_limit"
    assert (case.state.turn, case.state.phasing_power) == (last, "germany")


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize(("scenario", "option"), [("western_desert", "none"), ("to_the_finish", "scenario")])
def test_a_game_may_have_no_last_round(opening: Opening, scenario: str, option: str) -> None:
    case = opening(scenario, round_limit=option).until(lambda case: case.state.turn == 14)
    assert not case.events(GameEnded)


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize(
    ("control", "winner"),
    [
        ({}, "allies"),  # 22 to 24
        ({"germany": "SIB"}, "draw"),  # 23 to 23
        ({"germany": "MAT"}, "axis"),  # 25 to 21
    ],
)
def test_after_the_last_round_the_richer_income_wins(lay: Lay, control: dict[str, str], winner: str) -> None:
    case = lay("", "germany", round_=12, control=control).until(lambda case: case.game.is_over)
    assert end(case) == (winner, "round_limit")
