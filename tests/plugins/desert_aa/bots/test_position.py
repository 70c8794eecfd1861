"""The commander's searches compared with plain searches."""

from __future__ import annotations

import pytest
from tests.plugins.desert_aa.oracle.searches import plain_paths_to, questions

from desert_aa.bots.position import Position

MAPS = ("western_desert", "frontier")


@pytest.mark.full
@pytest.mark.parametrize("scenario", MAPS)
@pytest.mark.parametrize("bot", ["commander", "random"])
def test_paths_to_a_target_match_a_plain_search(scenario: str, bot: str) -> None:
    compared = 0
    for game, decision in questions(scenario, bot):
        position = Position(game.view(decision.side), game.state.board, decision.power)
        free = dict.fromkeys(position.able_to_attack(), True)
        for target in position.hostile if game.state.turn % 3 == 1 else ():
            found = position.paths_to(target, free, is_defended=bool(position.defense_in(target)))
            assert found == plain_paths_to(position, target, free)
            compared += len(found)
    assert compared > 20
