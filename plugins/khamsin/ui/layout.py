"""Positions of areas on drawn maps, and costs of the next moves of own formations on text maps (KH-8.09)."""

import textwrap
from collections.abc import Iterator
from math import isqrt

from khamsin.fog.views import SideView
from khamsin.model.cards import LEG, Board
from khamsin.model.forces import points_between
from khamsin.model.state import ON_MAP
from khamsin.model.tables import ALLOWANCE
from khamsin.ui.terms import MOBILITY_WORDS, area_words, side_words
from sandtable.areas import AreaMap
from sandtable.pictures import AreaLayout, Caption, Point, land_south_of, positions, spread_positions

SPREAD_WIDTH = 1800
GRID = 300


# The map is stretched around Sidi Rezegh and the frontier, the center of the fighting, which makes space for counters.
LAYOUTS = {
    "crusader": AreaLayout(
        3000,
        1600,
        positions(
            "tmimi 330 290, mechili 150 560, gazala 640 380, acroma 880 500, tobruk 1150 350, bir_tengeder 420 900,"
            "bir_hacheim 760 800, el_adem 1050 640, ed_duda 1280 560, belhamed 1510 520, sidi_rezegh 1410 760,"
            "bir_el_gubi 1100 960, gambut 1770 430, gasr_el_arid 1700 680, gabr_saleh 1560 990, bardia 2170 440,"
            "sidi_azeiz 1950 660, fort_capuzzo 2210 680, sollum 2440 600, halfaya 2570 780, sidi_suleiman 2400 960,"
            "sidi_omar 2130 890, bir_sceferzen 2130 1130, bir_reghem 1740 1240, maddalena 1960 1420,"
            "assembly_area 2740 1190, sidi_barrani 2830 720, giarabub 1300 1440"
        ),
        land_south_of(
            "-9 190, 160 150, 330 180, 470 240, 620 265, 760 290, 900 320, 1010 280, 1080 225, 1200 215, 1300 275,"
            "1480 320, 1700 325, 1900 315, 2080 335, 2200 325, 2275 375, 2295 460, 2420 490, 2540 570, 2680 605,"
            "2830 600, 3011 560",
            3000,
            1600,
        ),
        (Caption(1900, 170, "Mediterranean Sea", 64), Caption(2660, 470, "Gulf of Sollum", 34)),
    )
}


def layout_of(area_map: AreaMap) -> AreaLayout:
    """Return the positions of the areas of a map."""
    known = LAYOUTS.get(area_map.id)
    if known and all(area in known.at for area in area_map.ids):
        return known
    points = [_point(area_map, number) for number in range(len(area_map.areas))]
    at, height = spread_positions(points, SPREAD_WIDTH)
    used = max(x for x, _ in at) + min(x for x, _ in at)
    wide = [(x * SPREAD_WIDTH // used, y) for x, y in at]  # a narrow map is stretched to the full width
    return AreaLayout(SPREAD_WIDTH, height, dict(zip(area_map.ids, wide, strict=True)))


def _point(area_map: AreaMap, number: int) -> Point:
    """Return an area's position in the module's own unit, y downward; areas without coordinates are placed in rows."""
    area = area_map.areas[number]
    if area.x is not None and area.y is not None:
        return area.x, area.y
    if area.lon_milli is not None and area.lat_milli is not None:
        # In this region a degree of latitude is about one seventh longer than a degree of longitude; north is up.
        return area.lon_milli, -area.lat_milli * 8 // 7
    across = isqrt(2 * len(area_map.areas) - 1) + 1
    return GRID * (number % across), GRID * (number // across) + GRID // 3 * (number % 2)


def movement_lines(view: SideView, board: Board, width: int) -> Iterator[str]:
    """Yield, for each side whose formations are seen, a line per area and class of mobility.

    The numbers are movement points in the weather of this turn, including interdiction.
    """
    seen = [it for it in view.formations.values() if it.standing == ON_MAP]
    sides = sorted({it.side for it in seen}, key=list(board.sides).index)
    for side in sides:
        suffix = f" of {side_words(side, board)}" if len(sides) > 1 else ""
        title = f"Movement costs{suffix} in this turn, in movement points"
        yield from ("", title, "-" * len(title))
        groups = {
            (it.area, board.formations[it.parent or key].mobility if it.supplied else LEG)
            for key, it in view.formations.items()
            if it.standing == ON_MAP and it.side == side
        }
        for area, mobility in sorted(groups):
            head = f"  {area_words(area, board)}, {MOBILITY_WORDS[mobility]} {ALLOWANCE[mobility]}: "
            text = _onward(view, board, area, mobility)
            yield from textwrap.wrap(text, width, initial_indent=head, subsequent_indent="      ")


def _onward(view: SideView, board: Board, area: str, mobility: str) -> str:
    """Return the costs from an area to its neighbors in words, such as "Gambut 1 (road), Sollum 2 (track)"."""
    texts = []
    for near in board.neighbors[area]:
        points = points_between(board, view.weather, mobility, (area, near), view.interdicted)
        texts.append(f"{area_words(near, board)} {points} ({board.kind_between[area, near]})")
    return ", ".join(texts)
