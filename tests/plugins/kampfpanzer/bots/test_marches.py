"""Marches of the captain: the best shot from a hex compared with a plain search over all enemies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.positions import FRENCH, boundaries, played

from kampfpanzer.bots.distances import FAR
from kampfpanzer.bots.marches import CLOSE, _sight
from kampfpanzer.bots.position import Position
from kampfpanzer.fog.views import view
from kampfpanzer.model.tables import attenuated

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase


def plain_sight(position: Position, unit_id: str, hex_: str) -> int:
    """Return the highest strength minus defense against any enemy in range and sight, by a plain search."""
    kind, ground, best = position.kind(unit_id), position.ground, -FAR
    for enemy in position.enemies:
        there, prey = position.units[enemy].hex, position.kind(enemy)
        range_hexes = ground.range_hexes(hex_, there)
        if range_hexes > min(kind.range_hexes, CLOSE) or (kind.weapon == "R" and prey.hard):
            continue
        if ground.sees(hex_, there, high_explosive=False):
            strength = attenuated(kind.attack, range_hexes) * (2 if kind.weapon == "M" and not prey.hard else 1)
            entrenched = there in position.view.entrenchments
            best = max(best, strength - prey.defense - ground.cover(there, [hex_], entrenched=entrenched)[0])
    return best


def test_enemy_places_list_the_enemies_on_the_map(new_case: NewCase) -> None:
    case = new_case(french="1 0808", germans="94 0812; 138 0303; 112 aboard 138; 95 enters 0101 turn 2; 35 1624 A")
    position = Position(view(case.state, FRENCH), case.state.board, FRENCH)
    assert {(hex_, kind.name) for hex_, _, _, kind in position.enemy_places} == {
        ("0812", "PzII"),
        ("0303", "Truck"),
        ("1624", "25mm"),
    }
    here_q, here_r = position.ground.hexmap.axial["0808"]
    for hex_, q, r, _ in position.enemy_places:
        steps = max(abs(q - here_q), abs(r - here_r), abs(q - here_q + r - here_r))
        assert steps == position.ground.range_hexes("0808", hex_)


@pytest.mark.full
@pytest.mark.parametrize("scenario", ["abbeville", "bain_tsagan", "summa"])
def test_best_shot_matches_a_plain_search(scenario: str) -> None:
    compared = 0
    for state in list(boundaries(played(scenario, "sight", ("captain", "captain"))))[5::9]:
        for side in state.board.sides:
            position = Position(view(state, side), state.board, side)
            for unit_id in position.mine[::3]:
                for hex_ in position.ground.hexmap.within(position.units[unit_id].hex, 2):
                    found = _sight(position, unit_id, hex_)
                    assert found == plain_sight(position, unit_id, hex_)
                    compared += found > -FAR
    assert compared > 50
