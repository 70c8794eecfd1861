"""Where own formations can go next, and at what cost: what a text map cannot show of roads and tracks (KH-8.09)."""

import textwrap
from collections.abc import Iterator

from khamsin.fog.views import SideView
from khamsin.model.board import Board
from khamsin.model.cards import LEG
from khamsin.model.costs import points_between
from khamsin.model.state import ON_MAP
from khamsin.model.tables import ALLOWANCE
from khamsin.ui.terms import MOBILITY_WORDS, area_words, side_words


def ways(view: SideView, board: Board, width: int) -> Iterator[str]:
    """Yield, for each side whose formations are seen, a line for each area and class of mobility of theirs.

    The numbers are movement points in the weather of this turn, interdiction included.
    """
    seen = [it for it in view.formations.values() if it.standing == ON_MAP]
    sides = sorted({it.side for it in seen}, key=list(board.sides).index)
    for side in sides:
        whose = f" of {side_words(side, board)}" if len(sides) > 1 else ""
        title = f"Ways on{whose}, in movement points of this turn"
        yield from ("", title, "-" * len(title))
        stands = {
            (it.area, board.formations[it.parent or key].mobility if it.supplied else LEG)
            for key, it in view.formations.items()
            if it.standing == ON_MAP and it.side == side
        }
        for area, mobility in sorted(stands):
            head = f"  {area_words(area, board)}, {MOBILITY_WORDS[mobility]} {ALLOWANCE[mobility]}: "
            text = _onward(view, board, area, mobility)
            yield from textwrap.wrap(text, width, initial_indent=head, subsequent_indent="      ")


def _onward(view: SideView, board: Board, area: str, mobility: str) -> str:
    """Return "Gambut 1 (road), Sollum 2 (track)"."""
    told = []
    for near in board.neighbours[area]:
        points = points_between(board, view.weather, mobility, (area, near), view.interdicted)
        told.append(f"{area_words(near, board)} {points} ({board.kind_between[area, near]})")
    return ", ".join(told)
