"""Views of minefields: DAA-8.03, DAA-R37."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import entered, layer

from desert_aa.model.events import MinefieldDeclared, MinefieldsPlaced
from desert_aa.model.orders import PlaceMinefields

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay

    from sandtable.kernel.events import Event


def shown(case: Case, kind: type[Event], side: str) -> list[Event | None]:
    """Return what a side sees of the events of one type."""
    return [case.prepared.ruleset.visible(event, side) for event in case.events(kind)]


@pytest.mark.rule("DAA-8.03")
def test_space_of_a_minefield_is_visible_only_to_its_owner(lay: Lay) -> None:
    case = layer(lay, "england")
    assert case.asked.secret
    case.submit(PlaceMinefields(["HAB"]))
    assert set(case.game.view("allies").minefields) == {"HAB"}
    assert case.game.view("axis").minefields == {}
    assert shown(case, MinefieldsPlaced, "axis") == [MinefieldsPlaced("england", 1)]
    assert shown(case, MinefieldsPlaced, "allies") == [MinefieldsPlaced("england", 1, ["HAB"])]


@pytest.mark.rule("DAA-8.03", "DAA-9.01")
def test_minefield_is_visible_after_an_enemy_entry(lay: Lay) -> None:
    case = entered(lay, "uk-inf-1", "6, 6")
    assert case.game.view("allies").minefields == {}
    case.fight()
    assert set(case.game.view("allies").minefields) == {"GSA"}
    assert [event.space for event in case.events(MinefieldDeclared)] == ["GSA"]


@pytest.mark.rule("DAA-R37")
def test_number_of_minefields_is_public(lay: Lay) -> None:
    case = layer(lay, "england", 2)
    assert case.game.view("axis").mines_waiting["england"] == 2
    seen = case.submit(PlaceMinefields(["HAB", "MIN"])).game.view("axis")
    assert (seen.mines_laid["england"], seen.mines_waiting["england"]) == (2, 0)
