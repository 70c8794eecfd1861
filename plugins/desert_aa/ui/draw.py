"""The picture of the desert as one side sees it, made from the view and the board.

Only the view is drawn, so a minefield that the side does not know is never shown (DAA-8.03).
"""

from collections.abc import Iterator
from typing import NamedTuple

from desert_aa.fog.views import MinefieldSeen, PlanSeen, SideView
from desert_aa.model.board import Board
from desert_aa.model.state import ADVANCED, CONDITIONS, CUT, EXTENDED, READY
from desert_aa.model.tables import (
    ARMOR,
    ARTILLERY,
    BOMBER,
    CLOSED_LAND,
    ENGLAND,
    FIGHTER,
    FLAK,
    GERMANY,
    INFANTRY,
    ITALY,
    KIND_NAMES,
    KINDS,
    OPEN,
    PLANES,
    POWER_NAMES,
    POWERS,
    SIDE_NAMES,
)
from sandtable import PhaseBegan
from sandtable.pictures import (
    AreaLayout,
    Badge,
    Caption,
    Counter,
    Ground,
    LegendEntry,
    Link,
    Move,
    Picture,
    Place,
    Power,
    areas_svg,
    areas_text,
    ended_sentence,
    land_south_of,
    phase_heading,
    positions,
    spread_positions,
)

# The coast is stretched where the fighting is, so that each road space has room for its name and counters.
LAYOUTS = {
    "western_desert": AreaLayout(
        3200,
        1330,
        positions(
            "TRI 110 259, HOM 326 333, BUE 434 449, SIR 513 567, NOF 717 617, AGH 809 731, BRE 1000 690, AGE 1074 552,"
            "BEN 1057 380, BAR 1148 264, DER 1439 214, TMI 1632 303, TOB 1846 317, BDI 1993 431, BUQ 2095 545,"
            "SIB 2271 431, MAT 2470 439, FUK 2572 599, ALA 2676 485, ALX 2880 484, CAI 3084 603, SUE 3085 415,"
            "ANT 1268 446, BUN 319 741, FAY 2986 1026, GIA 1342 868, GIR 1856 1010, GSA 1879 699, GUB 1734 559,"
            "HAB 2192 713, HAC 1652 417, HUN 496 939, MAR 744 870, MEK 1461 419, MIN 2415 716, NAT 2853 795,"
            "RUW 2644 739, SIW 2187 930, TEN 1540 577, DEH 130 860, GSS 1726 1200, JEB 1344 355, QAT 2517 919"
        ),
        land_south_of(
            "-9 190, 103 180, 241 200, 361 250, 430 340, 533 440, 688 530, 826 590, 929 600, 989 540, 989 420, 963 320,"
            "1026 210, 1177 130, 1361 100, 1534 110, 1610 190, 1686 250, 1859 240, 1989 290, 2064 380, 2162 370,"
            "2313 350, 2508 370, 2681 420, 2821 440, 2908 370, 3005 330, 3211 340",
            3200,
            1330,
        ),
        (Caption(2250, 200, "Mediterranean Sea", 64), Caption(720, 390, "Gulf of Sirte", 38)),
    ),
    "frontier": AreaLayout(
        1800,
        1060,
        positions(
            "MGH 258 370, TEL 617 484, BTR 900 386, RAS 1183 484, MSH 1542 370, WAZ 387 796, OAS 900 833, KHA 1413 796,"
            "SHO 900 581"
        ),
        land_south_of("-9 240, 150 215, 330 170, 560 230, 780 150, 1010 165, 1240 235, 1470 175, 1810 220", 1800, 1060),
        (Caption(900, 80, "The Sea", 48),),
    ),
}
SPREAD_WIDTH = 1600

LETTERS = {INFANTRY: "i", ARTILLERY: "a", ARMOR: "t", FIGHTER: "f", BOMBER: "b", FLAK: "g"}


class Mark(NamedTuple):
    """The marks of a unit's condition: on its counter, after its letter, and in words."""

    sign: str
    letter: str
    words: str
    lies: bool
    rule: str = ""


MARKS = {
    READY: Mark("", "", "", lies=False),
    ADVANCED: Mark("A", ">", "far ahead on the road", lies=False, rule="DAA-6.02"),
    EXTENDED: Mark("F", "_", "laid down, out of fuel", lies=True, rule="DAA-4.08"),
    CUT: Mark("C", "-", "laid down, supply cut", lies=True, rule="DAA-6.04"),
}
GROUND: dict[str, Ground] = {OPEN: "open", CLOSED_LAND: "no_land"}

# Yellow, khaki, gray: DAA-1.01, DAA-1.02.
DRAWN_POWERS = (
    Power(ITALY, POWER_NAMES[ITALY], "I", "#f2cf3b", "#f3e08a"),
    Power(ENGLAND, POWER_NAMES[ENGLAND], "E", "#a9a468", "#c6bf8f"),
    Power(GERMANY, POWER_NAMES[GERMANY], "G", "#9aa0a6", "#cfcdc6"),
)
MAX_TRACKS = 16
"""Maximum number of desert tracks that are listed under a text map."""
LEGEND = (
    *(LegendEntry("counter", kind, KIND_NAMES[kind], LETTERS[kind]) for kind in KINDS),
    *(
        LegendEntry("down" if mark.lies else "counter", INFANTRY, mark.words, mark.letter, mark.sign)
        for mark in MARKS.values()
        if mark.sign
    ),
    LegendEntry("badge", "capital", "capital", "#"),
    LegendEntry("badge", "city", "city", "*"),
    LegendEntry("badge", "zone", "reinforcement zone", "^", "RZ"),
    LegendEntry("badge", "mine", "minefield, hidden", "m", "M"),
    LegendEntry("badge", "mine_known", "minefield, known to all", "M", "M"),
    LegendEntry("badge", "battle", "battle or raid", "!"),
    LegendEntry("ground", "no_land", "planes only", "///"),
    LegendEntry("ground", "closed", "closed to all", "XXX"),
    LegendEntry("link", "road", "coastal road"),
    LegendEntry("link", "desert", "desert track"),
    LegendEntry("border", "", "no crossing"),
)


def draw(view: SideView, board: Board, style: str) -> str | None:
    """Return the map in ``style`` "svg" or "text", or None for any other style."""
    if style == "svg":
        return areas_svg(picture_of(view, board), board.map.id)
    return f"{areas_text(picture_of(view, board)).rstrip()}\n{_desert_tracks(board)}\n" if style == "text" else None


def _desert_tracks(board: Board) -> str:
    """Return a line with the desert tracks, which a text map does not show, or with the command that lists them."""
    pairs = sorted({"-".join(sorted((space, near))) for space in board.spaces for near in board.land[space]})
    pairs = [pair for pair in pairs if pair.partition("-")[2] not in board.road_next.get(pair.partition("-")[0], ())]
    return f"Desert tracks: {', '.join(pairs) if len(pairs) <= MAX_TRACKS else 'type view SPACE for those of a space'}"


def picture_of(view: SideView, board: Board) -> Picture:
    """Return the picture of ``view``."""
    sheet = sheet_of(board)
    counters = _counters(view)
    places = (
        Place(
            id=area.id,
            x=sheet.at[area.id][0],
            y=sheet.at[area.id][1],
            label=area.name,
            sublabel=area.id,
            owner=view.control.get(area.id, ""),
            value=board.value.get(area.id, 0),
            ground=GROUND.get(area.terrain, "closed"),
            badges=tuple(_badges(area.id, view, board)),
            counters=tuple(counters.get(area.id, ())),
        )
        for area in board.map.areas
    )
    return Picture(
        title=board.title,
        subtitle=_moment(view),
        width=sheet.width,
        height=sheet.height,
        places=tuple(places),
        links=tuple(Link(link.a, link.b, link.kind) for link in board.map.connectors),
        powers=DRAWN_POWERS,
        coast=sheet.coast,
        captions=sheet.captions,
        moves=tuple(Move(view.phasing_power, plan.path) for plan in view.plans),
        legend=LEGEND,
        notes=tuple(_notes(view, board)),
        value_word="IPC",
    )


def sheet_of(board: Board) -> AreaLayout:
    """Return the layout of a map: a hand-made one if the map is known, otherwise from longitude and latitude."""
    known = LAYOUTS.get(board.map.id)
    if known and all(area in known.at for area in board.map.ids):
        return known
    # A degree of latitude is about a seventh longer than one of longitude in these parts; north is up.
    points = [(area.lon_milli or 0, -(area.lat_milli or 0) * 8 // 7) for area in board.map.areas]
    at, height = spread_positions(points, SPREAD_WIDTH)
    return AreaLayout(SPREAD_WIDTH, height, dict(zip(board.map.ids, at, strict=True)))


def _counters(view: SideView) -> dict[str, list[Counter]]:
    """Return the counters by space, one for all like units of a power, in the order of the price list."""
    stacks: dict[tuple[str, int, int, int], int] = {}
    for unit in view.units.values():
        condition = CONDITIONS.index(unit.condition)
        key = (unit.space, POWERS.index(unit.power), KINDS.index(unit.kind), condition)
        stacks[key] = stacks.get(key, 0) + 1
    found: dict[str, list[Counter]] = {}
    for (space, power, number, condition), count in sorted(stacks.items()):
        kind, mark = KINDS[number], MARKS[CONDITIONS[condition]]
        letter, name = LETTERS[kind] + mark.letter, KIND_NAMES[kind]
        noun = f"{name}s" if kind in PLANES and count != 1 else name
        found.setdefault(space, []).append(
            Counter(kind, POWERS[power], count, letter, noun, mark.sign, mark.words, mark.lies, mark.rule)
        )
    return found


def _badges(space: str, view: SideView, board: Board) -> Iterator[Badge]:
    if space in board.capital_of:
        yield Badge("capital", letter="#", note=f"capital of {SIDE_NAMES[board.capital_of[space]]}", rule="DAA-1.04")
    elif space in board.cities:
        yield Badge("city", letter="*", note="city", rule="DAA-8.07")
    if space in board.zones:
        yield Badge("zone", "RZ", "^", "reinforcement zone", "DAA-3.09")
    mine = view.minefields.get(space)
    if mine:
        kind, letter = ("mine_known", "M") if mine.known else ("mine", "m")
        yield Badge(kind, "M", letter, _mine_words(mine), "DAA-8.01")
    battle = view.battle.space if view.battle else ""
    if space == battle or space in view.combats:
        yield Badge("battle", letter="!", note="battle", rule="DAA-17.01")
    elif space in view.raids:
        yield Badge("battle", letter="!", note="raid", rule="DAA-13.01")


def _mine_words(mine: MinefieldSeen) -> str:
    state = "known to all" if mine.known else "hidden"
    entered = ", entered before" if mine.entries else ""
    return f"{POWER_NAMES[mine.power]}'s minefield ({state}{entered})"


def _moment(view: SideView) -> str:
    """Return the turn and phase, or that the game is over, and the side that sees the picture."""
    where = phase_heading(PhaseBegan(view.phase, view.phasing_side, view.phasing_power), view.turn)
    now = where if not view.outcome else f"Turn {view.turn} — the game is over"
    return f"{now} (seen by {SIDE_NAMES.get(view.side, 'the ' + view.side)})"


def _notes(view: SideView, board: Board) -> Iterator[str]:
    """Yield the result, money, income, ordered moves, and units that wait off the map."""
    if view.outcome:
        yield ended_sentence(SIDE_NAMES.get(view.outcome, view.outcome), view.ending)
    income = ", ".join(f"{POWER_NAMES[power]} {board.worth(view.control, power)}" for power in POWERS)
    purses = ", ".join(f"{_purse_name(purse)} {cash}" for purse, cash in view.cash.items())
    yield f"IPC in hand: {purses}"
    yield f"IPC a turn: {income}"
    mines = [f"{POWER_NAMES[power]} {laid} laid" for power, laid in view.mines_laid.items() if laid]
    mines += [f"{POWER_NAMES[power]} {count} to lay" for power, count in view.mines_waiting.items() if count]
    if mines:
        yield f"Minefields: {', '.join(mines)}"
    if view.plans:
        yield f"Ordered: {', '.join(_plan_words(plan) for plan in view.plans)}"
    for power, units in view.waiting.items():
        waiting = ", ".join(f"{count} {KIND_NAMES[kind]}" for kind, count in units.items() if count)
        if waiting:
            yield f"{POWER_NAMES[power]} will place: {waiting}"


def _plan_words(plan: PlanSeen) -> str:
    kind = "raid by " if plan.raid else ""
    return f"{kind}{len(plan.units)} {'units' if len(plan.units) != 1 else 'unit'} {'-'.join(plan.path)}"


def _purse_name(purse: str) -> str:
    return POWER_NAMES.get(purse) or SIDE_NAMES[purse].removeprefix("the ")
