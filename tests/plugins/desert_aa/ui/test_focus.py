"""The view of a single space or unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.ui.typed import look

from desert_aa.model import orders
from desert_aa.model.state import Minefield
from sandtable.errors import PlayError

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


@pytest.mark.rule("DAA-8.03")
def test_focus_describes_a_space(lay: Lay, transcript: Transcript) -> None:
    """It has neighbors, road, units and value, and a minefield only for a side that knows it."""
    case = lay("SIB uk-inf-1..2; BUQ de-arm-1; TOB de-inf-1; MAT uk-ftr-1", "england", mines={"HAB": "england"})
    assert "mined" not in look(case, "axis", "SIB")
    transcript(look(case, "allies", "sidi barrani"))


def test_focus_describes_units_minefields_and_closed_ground(lay: Lay, transcript: Transcript) -> None:
    case = lay("SIB uk-inf-1", "england", state={"minefields": {"GUB": Minefield("england", known=True)}})
    with pytest.raises(PlayError, match="neither a space nor a unit"):
        look(case, "axis", "moon")
    transcript(look(case, "axis", "uk-inf-1", "GUB", "gss"))


def test_focus_on_a_battle_names_each_power_once(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 it-inf-1..2; BUQ uk-inf-1", "england", dice="6, 6 6 6")
    case.attack("uk-arm-1", "HAB GSA").submit(orders.EndMoves()).to(orders.PressOn)
    transcript(look(case, "allies", "GSA"))
