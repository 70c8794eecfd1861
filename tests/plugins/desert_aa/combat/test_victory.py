"""Ends of a game: DAA-1.04 and the rulings on victory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.conftest import changed_scenario
from tests.plugins.desert_aa.rows import Row, play, row

from sandtable.kernel.events import GameEnded

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay, Opening


SIRTE = changed_scenario({"areas": {"TRI": {"capital": ""}, "SIR": {"capital": "axis"}}})
LATER = {"victory_time": "hold_one_round"}
ENDS = [
    *(row("DAA-1.04 DAA-R61 DAA-R62", f"{unit} takes the enemy capital", f"{path[:3]} {unit}", f"attack {unit}: {path}",
          "fight", f"over = {winner} capital_captured", "moment = combat")
      for unit, path, winner in (
          ("uk-inf-1", "HOM TRI", "allies"), ("de-inf-1", "ALX CAI", "axis"), ("it-arm-1", "ALX CAI", "axis"),
      )),
    row("DAA-1.04 DAA-R61", "the capital must fall: planes take no ground", "HOM uk-inf-1 uk-ftr-1; TRI it-inf-1",
        "attack uk-inf-1 uk-ftr-1: HOM TRI", "end", "fight lose uk-inf-1", "at TRI = uk-ftr-1", "over = -",
        dice="6 3, 1"),
    # Tripoli is empty and falls when moves are made. The battle at Sirte is still fought.
    row("DAA-R61", "victory is tested when the combat phase is over", "HOM uk-inf-1; BUE uk-inf-2; SIR it-inf-1",
        "attack uk-inf-1: HOM TRI; uk-inf-2: BUE SIR", "end", "holder TRI = england", "over = -", "go retreat BUE",
        "over = allies capital_captured", dice="6, 6"),
    row("DAA-R61", "by option the capital must be held for a round", "HOM uk-inf-1", "attack uk-inf-1: HOM TRI",
        "turn germany italy england", "over = -", "played", "over = allies capital_captured", "now = 3 england",
        **LATER),
    # England enters Tripoli; a German tank (3) retakes it from infantry (2), so the game continues.
    row("DAA-R61", "by option a capital won back in time saves the game", "HOM uk-inf-1; BUE de-arm-1",
        "attack uk-inf-1: HOM TRI", "turn germany", "attack de-arm-1: BUE HOM TRI", "fight", "holder TRI = italy",
        "turn england germany", "over = -", dice="3, 6", **LATER),
    row("DAA-R62", "the scenario names the capitals", "HOM uk-inf-1; BUN uk-inf-2", "attack uk-inf-1: HOM TRI", "fight",
        "holder TRI = england", "over = -", "turn england", "attack uk-inf-2: BUN SIR", "fight",
        "over = allies capital_captured", scenario=SIRTE),
    # 22 to 24; 23 to 23; 25 to 21.
    *(row("DAA-R63", f"the richer income wins after the last round: {winner}", "", "played",
          f"over = {winner} round_limit", power="germany", round_=12, control=control)
      for control, winner in (({}, "allies"), ({"germany": "SIB"}, "draw"), ({"germany": "MAT"}, "axis"))),
]  # fmt: skip


@pytest.mark.rule("DAA-1.04", "DAA-R61", "DAA-R62", "DAA-R63")
@pytest.mark.parametrize("row", ENDS)
def test_end_of_the_game_follows_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize(
    ("scenario", "option", "last"),
    [("western_desert", "scenario", 12), ("frontier", "scenario", 6), ("western_desert", "2", 2)],
)
def test_game_ends_after_its_last_round(opening: Opening, scenario: str, option: str, last: int) -> None:
    case = opening(scenario, round_limit=option).until(lambda case: case.game.is_over)
    assert case.state.ending == "round_limit"
    assert (case.state.turn, case.state.phasing_power) == (last, "germany")


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize(("scenario", "option"), [("western_desert", "none"), ("to_the_finish", "scenario")])
def test_game_without_a_last_round_continues(opening: Opening, scenario: str, option: str) -> None:
    case = opening(scenario, round_limit=option).until(lambda case: case.state.turn == 14)
    assert not case.events(GameEnded)
