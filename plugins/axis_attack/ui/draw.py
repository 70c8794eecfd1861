"""The drawing of a campaign as a side sees it: the track with its battles, points, weather, and rosters over time.

The enemy's roster has the platoons that were shown. The umpire's drawing has both complete rosters.
"""

from collections.abc import Iterator

from axis_attack.fog.views import SideView
from axis_attack.model.cards import LEVEL_TITLES, SIDES, Board
from axis_attack.model.tables import MUD
from axis_attack.ui.draw_rosters import SLOTS, TINTS, rosters_svg
from axis_attack.ui.draw_rosters import height_of as roster_height
from axis_attack.ui.draw_text import track_text
from axis_attack.ui.draw_track import COLORS, TOP, track_svg
from axis_attack.ui.draw_track import height_of as track_height
from axis_attack.ui.report import focused, head, moment, report, sections
from axis_attack.ui.terms import ENDINGS, SLOT_TITLES, side_words
from sandtable.pictures import (
    ALARM,
    BORDER_INK,
    CODE_INK,
    INK,
    PAPER,
    SANS,
    SERIF,
    Svg,
    clean,
    element,
    ended_sentence,
    group,
    in_words,
    label,
    text_node,
)

WIDTH, MARGIN, LEGEND = 1230, 28, 40
MUDS = ("#e6d6a8", "#cbb27c", "#a88a55", "#7b5f3a", "#5f7f94")


def draw(view: SideView, board: Board, style: str, focus: str = "") -> str | None:
    """Return the campaign in a style, "svg", "text" (track and report) or "report", or None for any other style.

    With a ``focus`` the text describes only that platoon or type of a list. Raises PlayError if the focus is neither.

    Raises ValueError if a sector is not on the track. Only a damaged log has such a sector, and its drawing could
    exceed the memory.
    """
    strange = [each for each in (view.sector, *(it.sector for it in view.track)) if not 0 <= each <= len(board.sectors)]
    if strange:
        raise ValueError(f"there is no sector {strange[0]} on the track")
    if focus and style == "text":
        return "\n".join(map(clean, focused(view, board, focus))) + "\n"
    if style == "svg":
        return _svg(view, board)
    if style == "text":
        lines = [*head(view, board), "", *track_text(view, board), *sections(view, board)]
        return "\n".join(clean(line).rstrip() for line in lines) + "\n"
    return report(view, board) if style == "report" else None


def _svg(view: SideView, board: Board) -> str:
    top = TOP + track_height(board) + LEGEND + 24
    height = top + sum(roster_height(view, board, side) + 14 for side in SIDES) + 16
    title = f"{board.title}. {_moment(view, board)}"
    parts = [
        element("title", text_node(title)),
        element("rect", x=0, y=0, width=WIDTH, height=height, fill=PAPER),
        *_head(view, board),
        group([track_svg(view, board)], transform=f"translate(0 {TOP})"),
        *_legend(board, TOP + track_height(board) + LEGEND),
        *rosters_svg(view, board, MARGIN, top),
    ]
    frame = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {height}", "font_family": SANS}
    return element("svg", Svg("\n" + "\n".join(parts) + "\n"), **frame, width=WIDTH, height=height) + "\n"


def _moment(view: SideView, board: Board) -> str:
    sees = "see" if view.side in SIDES else "sees"
    return f"{moment(view, board)}, as {side_words(view.side, board)} {sees} it"


def _head(view: SideView, board: Board) -> Iterator[Svg]:
    start = {"text_anchor": "start"}
    yield label(board.title, (MARGIN, 42), 30, {"fill": INK, "font_family": SERIF, "font_weight": "bold", **start})
    if view.outcome:
        outcome = view.outcome if view.outcome == "draw" else side_words(view.outcome, board)
        yield label(
            ended_sentence(outcome, ENDINGS.get(view.ending, view.ending)), (MARGIN, 72), 16, {"fill": ALARM, **start}
        )
    else:
        yield label(_moment(view, board), (MARGIN, 70), 16, {"fill": CODE_INK, **start})
    sky = f"Weather: {in_words(view.weather)}"
    drawn = label(sky, (WIDTH - MARGIN, 36), 15, {"fill": INK, "text_anchor": "end"})
    yield group([element("title", text_node(f"{sky} [AOA-6.03]")), drawn])
    left = WIDTH - MARGIN - 62 * len(MUD)
    for level, name in enumerate(MUD):
        is_now = level == view.mud
        x = left + 62 * level
        stroke = {"stroke": ALARM if is_now else BORDER_INK, "stroke_width": 3 if is_now else 1}
        plate = element(
            "rect", x=x, y=50, width=58, height=22, rx=3, fill=MUDS[level], opacity="1" if is_now else "0.4", **stroke
        )
        style = {"fill": PAPER if level > 2 and is_now else INK, "font_weight": "bold" if is_now else "normal"}
        title = [element("title", text_node(f"The ground: {name} [AOA-6.14]"))] if is_now else []
        yield group([*title, plate, label(name, (x + 29, 65), 12, style)])


def _legend(board: Board, y: int) -> Iterator[Svg]:
    """Yield the legend of the colors: winners of battles, levels, slots."""
    x = MARGIN
    entries = [(COLORS[side], f"won by {side_words(side, board)}") for side in SIDES]
    entries += [(TINTS[level], LEVEL_TITLES[level]) for level in reversed(range(len(TINTS)))]
    entries += [(SLOTS[slot], SLOT_TITLES[slot]) for slot in SLOTS]
    for color, text in entries:
        yield element("rect", x=x, y=y - 11, width=13, height=13, rx=2, fill=color)
        yield label(text, (x + 18, y), 12, {"fill": CODE_INK, "text_anchor": "start"})
        x += 34 + 7 * len(text)
