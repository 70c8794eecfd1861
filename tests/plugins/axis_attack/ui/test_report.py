"""The report of rosters and the end of the campaign."""

from typing import Any

from tests.plugins.axis_attack.cases import Lay

from axis_attack.fog.views import view
from axis_attack.ui.draw import draw


def drawn(state: Any, board: Any, side: str, style: str = "svg") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def test_the_report_shows_sizes_upgrades_and_what_bars_a_platoon(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full light_mortar=1; pak40 pak40 depleted immobile bought=under").state
    text = drawn(state, state.board, "german", "report")
    assert "pg1 (pg): full strength; teams (points) 5 (145), 7 (205); light_mortar (+15)" in text
    assert "pak40 (pak40): depleted; teams (points) 2 (185); never above under strength; IMMOBILE" in text
