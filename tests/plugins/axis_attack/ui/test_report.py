"""The report of rosters and the end of the campaign."""

from typing import Any

from tests.plugins.axis_attack.cases import Lay
from transcripts import Transcript

from axis_attack.fog.views import view
from axis_attack.ui.draw import draw


def drawn(state: Any, board: Any, side: str, style: str = "svg") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def test_report_of_a_force(lay: Lay, transcript: Transcript) -> None:
    state = lay("forces", german="pg1 pg full light_mortar=1; pak40 pak40 depleted immobile bought=under").state
    transcript(drawn(state, state.board, "german", "report"))
