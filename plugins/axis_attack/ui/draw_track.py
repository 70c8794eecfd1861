"""The drawing of the track: sectors from west to east, and a row for each turn with its battle and points."""

from collections.abc import Iterator

from axis_attack.fog.views import SideView
from axis_attack.model.cards import SIDES, Board
from axis_attack.model.state import Battle
from axis_attack.ui.terms import corner_words, mission_words, result_words, roles_words, side_words
from sandtable.pictures import (
    ALARM,
    BORDER_INK,
    CODE_INK,
    INK,
    PAPER,
    Attribute,
    Svg,
    element,
    group,
    in_words,
    joined,
    label,
    mixed,
    text_node,
)

COLORS = {"german": "#71828c", "soviet": "#b0553f"}
LANDS = {"german": "#c9d0cd", "soviet": "#ecc7ad"}
DRAWN = "#d8c48e"
LEFT, RIGHT, TOP = 150, 900, 96
HEAD, ROW = 76, 44
BARS, POINT = 1060, 14
"""The center of the bars of points, and the width of a point."""


def height_of(board: Board) -> int:
    """Return the height of the track with all its turns."""
    return HEAD + ROW * (board.turns + 1)


def track_svg(view: SideView, board: Board) -> Svg:
    """Return the track with its top left corner at (0, 0)."""
    return joined(
        [
            *_sectors(board),
            *_rows(view, board),
            _front_path(view, board),
            *(_battle(it, view, board) for it in view.track),
            _front(view, board),
            *_bars(view, board),
        ]
    )


def _column(number: int, board: Board) -> tuple[int, int]:
    """Return the left edge and the width of a sector's column."""
    width = (RIGHT - LEFT) // len(board.sectors)
    return LEFT + width * (number - 1), width


def _middle(number: int, board: Board) -> int:
    left, width = _column(number, board)
    return left + width // 2


def _row(turn: int) -> int:
    return HEAD + ROW * (turn - 1) + ROW // 2


def _land(number: int, board: Board) -> str:
    last = max(1, len(board.sectors) - 1)
    return mixed(LANDS["german"], LANDS["soviet"], (number - 1) * 100 // last)


# --- ground ---


def _sectors(board: Board) -> Iterator[Svg]:
    depth = height_of(board) - HEAD
    for sector in board.sectors:
        left, width = _column(sector.number, board)
        home = next((side for side in SIDES if board.home[side] == sector.number), "")
        fill = COLORS[home] if home else _land(sector.number, board)
        ink = PAPER if home else INK
        yield element(
            "rect", x=left, y=HEAD, width=width, height=depth, fill=_land(sector.number, board), opacity="0.45"
        )
        title = element("title", text_node(f"{sector.title}: {sector.terrain} [AOA-2.02]"))
        place: dict[str, Attribute] = {"x": left + 1, "y": 0, "width": width - 2, "height": HEAD - 6, "rx": 4}
        yield group(
            [
                element("rect", title, **place, fill=fill, stroke=BORDER_INK),
                *_title(sector.number, sector.title, left + width // 2, ink),
            ]
        )


def _title(number: int, title: str, x: int, ink: str) -> Iterator[Svg]:
    yield label(str(number), (x, 24), 20, {"fill": ink, "font_weight": "bold"})
    for place, line in enumerate(wrapped(title, 12)[:2]):
        yield label(line, (x, 43 + 16 * place), 13, {"fill": ink})


def wrapped(text: str, most: int) -> list[str]:
    """Return a text in lines of up to ``most`` characters; longer words are cut."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line if len(line) <= most else f"{line[: most - 1]}…" for line in lines]


def _rows(view: SideView, board: Board) -> Iterator[Svg]:
    weather = {it.turn: it.weather for it in view.track}
    if view.turn and not view.outcome:
        weather.setdefault(view.turn, "")
    for turn in range(1, board.turns + 1):
        y = _row(turn)
        line = HEAD + ROW * turn
        yield element(
            "line", x1=LEFT - 120, y1=line, x2=RIGHT, y2=line, stroke=BORDER_INK, stroke_width=1, opacity="0.35"
        )
        ink = INK if turn in weather else BORDER_INK
        yield label(str(turn), (LEFT - 122, y + 5), 16, {"fill": ink, "font_weight": "bold", "text_anchor": "start"})
        sky = weather.get(turn, "")
        if sky:
            yield label(in_words(sky), (LEFT - 14, y + 4), 11, {"fill": CODE_INK, "text_anchor": "end"})


# --- battles ---


def _stops(view: SideView, board: Board) -> list[tuple[int, int]]:
    """Return the turn and sector of each battle, then of the next battle, or of the front after the end."""
    stops = [(it.turn, it.sector) for it in view.track]
    after = stops[-1][0] + 1 if stops else max(1, view.turn)
    return [*stops, (after, view.sector or board.start_sector)]


def _front_path(view: SideView, board: Board) -> Svg:
    """Return the path of the front as a line."""
    stops = [(_middle(sector, board), _row(turn)) for turn, sector in _stops(view, board)]
    if len(stops) < 2:
        return Svg("")
    path = "M" + "L".join(f"{x} {y}" for x, y in stops)
    return element(
        "path", d=path, fill="none", stroke=CODE_INK, stroke_width=5, stroke_linejoin="round", opacity="0.55"
    )


def _box(left: int, y: int, width: int, fill: str, stroke: str) -> dict[str, Attribute]:
    """Return the rectangle of a battle in a column."""
    return {"x": left + 4, "y": y - 17, "width": width - 8, "height": 34, "rx": 5, "fill": fill, "stroke": stroke}


def _battle(it: Battle, view: SideView, board: Board) -> Svg:
    left, width = _column(it.sector, board)
    y = _row(it.turn)
    fill = COLORS.get(it.winner, DRAWN)
    ink = PAPER if it.winner in COLORS else INK
    after = dict(_stops(view, board)).get(it.turn + 1, view.sector)
    arrow = " ▸" * (after - it.sector) or " ◂" * (it.sector - after)
    roles = roles_words(it.mission, it.attacker, board)
    score = result_words(it.points, it.winner, board)
    conceded = "; conceded [AOA-5.22]" if it.conceded else ""
    about = f"Turn {it.turn}: {mission_words(it.mission, board)}, {roles} [AOA-8.07]; {score}, {it.result} [AOA-7.01]"
    title = element("title", text_node(f"{about}{conceded}"))
    box = _box(left, y, width, fill, INK)
    more = {"stroke_dasharray": "4 3"} if it.conceded else {}
    lines = [
        label(
            _short(mission_words(it.mission, board)),
            (left + width // 2, y - 3),
            11,
            {"fill": ink, "font_weight": "bold"},
        ),
        label(f"{score}{arrow}", (left + width // 2, y + 12), 11, {"fill": ink}),
    ]
    return group([element("rect", title, **box, **more), *lines], data_turn=it.turn, data_sector=it.sector)


def _short(title: str) -> str:
    return title if len(title) < 17 else title.replace("Fighting", "F.")[:16]


def _front(view: SideView, board: Board) -> Svg:
    """Return the next battle, or after the end a flag in the sector of the front."""
    turn, sector = _stops(view, board)[-1]
    left, width = _column(sector, board)
    x, y = left + width // 2, _row(turn)
    if view.outcome or turn > board.turns:
        pole = element("line", x1=x, y1=y - 18, x2=x, y2=y + 16, stroke=INK, stroke_width=3)
        flag = element("path", d=f"M{x} {y - 18}l30 8l-30 8Z", fill=COLORS.get(view.outcome, DRAWN), stroke=INK)
        return group([pole, flag], data_front=sector)
    chosen = view.phase not in {"", "selection"} and view.turn == turn
    heading = mission_words(view.mission, board) if chosen else "next battle"
    box = _box(left, y, width, PAPER, ALARM)
    under = (
        f"{side_words(view.attacker, board).removeprefix('the ')} attack" if chosen and view.attacker else "the front"
    )
    if chosen and not board.missions[view.mission].defender:
        under = "both attack"
    title = element("title", text_node(f"The table: {corner_words(view.corner[0], view.corner[1])} [AOA-8.21]"))
    return group(
        [
            element("rect", title, **box, stroke_width=2, stroke_dasharray="6 3"),
            label(_short(heading), (x, y - 3), 11, {"fill": ALARM, "font_weight": "bold"}),
            label(under, (x, y + 12), 11, {"fill": INK}),
        ],
        data_front=sector,
    )


# --- points ---


def _bars(view: SideView, board: Board) -> Iterator[Svg]:
    yield label("Victory points of each game", (BARS, 18), 13, {"fill": INK, "font_weight": "bold"})
    for place, side in enumerate(SIDES):
        x = BARS - 75 + 150 * place
        yield label(board.sides[side], (x, 38), 13, {"fill": COLORS[side], "font_weight": "bold"})
        purse = f"{view.balance.get(side, 0)} to spend, {view.earned.get(side, 0)} won"
        yield label(purse, (x, 56), 12, {"fill": INK})
    bottom = HEAD + ROW * board.turns
    yield element("line", x1=BARS, y1=HEAD, x2=BARS, y2=bottom, stroke=BORDER_INK, stroke_width=1)
    for it in view.track:
        for side, sign in zip(SIDES, (-1, 1), strict=True):
            points = it.points.get(side, 0)
            width, y = min(points, 9) * POINT, _row(it.turn)
            x = BARS - width if sign < 0 else BARS
            yield element("rect", x=x, y=y - 9, width=width, height=18, fill=COLORS[side], opacity="0.85")
            yield label(str(points), (BARS + sign * (width + 10), y + 5), 13, {"fill": INK})
