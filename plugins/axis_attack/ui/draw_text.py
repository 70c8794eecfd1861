"""The track as text: a column for each sector, a line for each turn."""

from collections.abc import Iterator

from axis_attack.fog.views import SideView
from axis_attack.model.cards import SIDES, Board
from axis_attack.model.state import Battle
from axis_attack.ui.terms import mission_words
from sandtable.pictures import room_for

MARGIN, MOST = 9, 100
CODES = {
    "breakthrough": "BR",
    "encounter": "EN",
    "cauldron": "CA",
    "fighting_withdrawal": "FW",
    "hold_the_line": "HL",
    "trench_fight": "TF",
}


def track_text(view: SideView, board: Board) -> Iterator[str]:
    """Yield the track: titles of sectors, a line for each battle in its sector's column, and the front."""
    width = max(9, min(13, (room_for(MOST) - MARGIN) // len(board.sectors)))
    yield " " * MARGIN + "".join(str(sector.number).center(width) for sector in board.sectors)
    titles = [_two_lines(sector.title, width - 1) for sector in board.sectors]
    for place in (0, 1):
        yield " " * MARGIN + "".join(title[place].center(width) for title in titles)
    yield " " * MARGIN + "".join(_home(number, board).center(width, "-") for number in range(1, len(titles) + 1))
    for battle in view.track:
        yield f"turn {battle.turn:<4}" + " " * width * (battle.sector - 1) + _chip(battle, view, board).center(width)
    front = view.sector or board.start_sector
    yield f"{'end' if view.outcome else 'front':<{MARGIN}}" + " " * width * (front - 1) + "^^^".center(width)
    used = [each for each in CODES if any(battle.mission == each for battle in view.track)]
    if used:
        marks = ", ".join(f"{CODES[each]} {mission_words(each, board)}" for each in used)
        letters = ", ".join(f"{_letter(side, board)} {board.sides[side]}" for side in SIDES)
        yield f"({marks};"
        yield f" winner and points: {letters}; > and < the front moves)"


def _home(number: int, board: Board) -> str:
    side = next((side for side in SIDES if board.home[side] == number), "")
    return f" {board.sides[side][:8]} " if side else ""


def _two_lines(title: str, width: int) -> tuple[str, str]:
    """Return a title on two lines, cut to ``width`` if it is too long."""
    words, first = title.split(), ""
    while words and len(first) + len(words[0]) < width:
        first = f"{first} {words.pop(0)}".strip()
    return (first or title[:width]), " ".join(words)[:width]


def _letter(side: str, board: Board) -> str:
    first, second = (board.sides[each] for each in SIDES)
    short = board.sides[side][:1].upper()
    return short if first[:1] != second[:1] else side[:1].upper()


def _chip(battle: Battle, view: SideView, board: Board) -> str:
    """Return a battle such as "EN G5-2>": mission, winner, points, and an arrow for each sector of movement."""
    place = view.track.index(battle)
    after = view.track[place + 1].sector if place + 1 < len(view.track) else view.sector
    arrow = ">" * (after - battle.sector) or "<" * (battle.sector - after)
    code = CODES.get(battle.mission, "??")
    who = _letter(battle.winner, board) if battle.winner in board.sides else "="
    points = [battle.points.get(side, 0) for side in SIDES]
    if battle.winner in SIDES and battle.winner != SIDES[0]:
        points.reverse()
    return f"{code} {who}{'-'.join(map(str, points))}{arrow}"
