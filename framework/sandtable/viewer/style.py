"""Styles that all drawings share: the colors and fonts of a desert map on old paper, and the width of texts.

Colors are ``#rrggbb``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

INK, PAPER, ALARM = "#1d1a14", "#fbf6e6", "#b3261e"
"""Colors of text and lines, of the background, and of warnings."""
SEA, SEA_INK = "#8fb7c4", "#2c5a70"
SHOALS = (("#9ac0cb", 90), ("#a8cad3", 56), ("#bad7dc", 26))
"""Bands of shallow water along the coast: color and width, the widest first."""
DESERT, WASTE, HATCH_INK = "#ecdcb2", "#dcc592", "#b0925a"
COAST_INK, BORDER_INK, BARRIER_INK = "#5b4a2e", "#8d7746", "#6d4526"
"""Colors of lines: the coast, borders between areas, and barriers."""
ROAD_EDGE, ROAD_BED, TRACK_INK = "#3b2a1a", "#f3d9a0", "#7d6538"
HALO, CODE_INK, WASTE_INK, ZONE = "#f7ecd0", "#4a3c20", "#5d4a26", "#1f3f66"
"""Colors of outlines of text, of the codes of places, of waste, and of zones."""
FLAME, FLAME_EDGE = "#e0402f", "#ffd23e"

SANS = "'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
"""The fonts of labels, from the preferred one to the fallback."""
SERIF = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"
"""The fonts of titles and names, from the preferred one to the fallback."""


def night(color: str) -> str:
    """Return the dark-mode version of a color: its brightness inverted, slightly paler, and never fully black."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    bright = (30 * red + 59 * green + 11 * blue) // 100
    now = (26 + (255 - bright) * 4 // 5 + (each - bright) * 4 // 5 for each in (red, green, blue))
    return "#" + "".join(f"{max(0, min(255, each)):02x}" for each in now)


NARROWEST = 60
"""Minimum width of a drawing in columns."""

_paper: ContextVar[int] = ContextVar("paper", default=0)


@contextmanager
def paper(columns: int) -> Iterator[None]:
    """Limit the width of drawings to ``columns`` within this block; 0 sets no limit."""
    token = _paper.set(columns)
    try:
        yield
    finally:
        _paper.reset(token)


def room_for(usual: int) -> int:
    """Return the width of a drawing whose usual width is ``usual`` columns."""
    room = _paper.get()
    return min(usual, max(room, NARROWEST)) if room else usual
