"""The closer look at a space or unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.fog.views import view
from desert_aa.model import orders
from desert_aa.model.state import Minefield
from desert_aa.ui.focus import shown
from sandtable.errors import PlayError

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


@pytest.mark.rule("DAA-8.03")
def test_view_of_a_space_tells_neighbours_road_cost_who_is_there_and_what_it_pays(lay: Lay) -> None:
    case = lay("SIB uk-inf-1..2; BUQ de-arm-1; TOB de-inf-1; MAT uk-ftr-1", "england", mines={"HAB": "england"})
    told = shown(view(case.state, "allies"), case.prepared.board, "sidi barrani")
    assert told.startswith("Sidi Barrani (SIB), held by England: city, on the road, pays 1 IPC\n  here: England 2 inf")
    assert "BUQ  Buq Buq                  road    Germany: Germany 1 armour" in told
    assert "HAB  Bir Habata               desert  England, mined: nobody" in told
    assert "free along the road" in told
    assert "the Axis, Germany 1 armour" in told
    assert "the Allies, England 1 fighter" in told
    assert "mined" not in shown(view(case.state, "axis"), case.prepared.board, "SIB")


def test_view_of_a_unit_tells_its_figures_and_its_space(lay: Lay) -> None:
    case = lay("SIB uk-inf-1", "england", state={"minefields": {"GUB": Minefield("england", known=True)}})
    seen, board = view(case.state, "axis"), case.prepared.board
    told = shown(seen, board, "uk-inf-1")
    assert told.startswith("uk-inf-1: infantry of England in Sidi Barrani, ready; attacks at 1, defends at 2, moves 1")
    assert "minefield of England, known to all" in shown(seen, board, "GUB")
    assert shown(seen, board, "gss").endswith("closed ground; nothing may cross it")
    with pytest.raises(PlayError, match="neither a space nor a unit"):
        shown(seen, board, "moon")


def test_a_closer_look_names_the_power_once(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 it-inf-1..2; BUQ uk-inf-1", "england", dice="6, 6 6 6")
    case.attack("uk-arm-1", "HAB GSA").submit(orders.EndMoves()).to(orders.PressOn)
    told = shown(view(case.state, "allies"), case.prepared.board, "GSA")
    assert "Germany 1 infantry; Italy 2 infantry" in told
    assert told.count("in reach of here") == 1
