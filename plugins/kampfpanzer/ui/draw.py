"""The battlefield as one side sees it: a picture made from the view and the board, for the viewer to draw.

Only the contents of the view are drawn. Plots that are hidden from the side are not in its view (R-KP-23).
"""

from collections.abc import Callable, Iterator

from msgspec import structs

from kampfpanzer.fog.views import SideView, UnitSeen
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import AFV, APC, ARTILLERY, INFANTRY, TRUCK, Group, Kind
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP, WAITING
from kampfpanzer.plotting.deployment import FEW_HEXES, area_words
from kampfpanzer.plotting.notation import LETTERS, STOP, parse_plot
from kampfpanzer.ui.aims import aims
from kampfpanzer.ui.focus import look_closer
from sandtable import IllegalOrder, PhaseBegan
from sandtable.pictures import (
    WIDTH,
    HexArea,
    HexArrow,
    HexCounter,
    HexEntry,
    HexMark,
    HexPicture,
    HexTray,
    Power,
    Tab,
    ended_sentence,
    hexes_svg,
    hexes_text,
    part_around,
    phase_heading,
    room_for,
    strips_of,
)

SYMBOLS = {AFV: "tank", APC: "apc", TRUCK: "truck", INFANTRY: "infantry", ARTILLERY: "gun"}
TYPE_LETTERS = {AFV: "t", APC: "a", TRUCK: "k", INFANTRY: "i", ARTILLERY: "g"}
HOWITZER, HOWITZER_LETTER = "howitzer", "h"
CATEGORY_WORDS = {AFV: "tank", APC: "carrier", TRUCK: "truck", INFANTRY: "infantry", ARTILLERY: "gun"}

COLORS = {
    "germans": "#a3ab9b",
    "french": "#93b4d4",
    "british": "#d6bd85",
    "russians": "#dd9572",
    "czechs": "#c2a9c9",
    "japanese": "#ecd46e",
    "poles": "#e3a3a3",
    "finns": "#dce8ee",
    "nationalists": "#e3bd62",
    "republicans": "#c591b0",
}
"""Counter colors by side: German field gray, French blue, British khaki, Russian rust, and so on."""
OTHER_COLORS = ("#a9c48d", "#d9a0a8")
"""Counter colors of sides in user scenarios."""

CORNER_WORDS = ("attack strength and weapon", "range", "defense strength, [ ] hard target", "movement allowance")
PINNED = Tab("P", "pinned", "warning", "KP-9.71a")
PANICKED = Tab("!", "panicked", "calm", "KP-4.1b")
LEGEND = (
    HexEntry(Tab("D2", "disrupted"), "disrupted, level 1 to 3"),
    HexEntry(PINNED, "pinned"),
    HexEntry(PANICKED, "panicked this turn"),
    HexEntry("facing", "facing of a gun"),
    HexEntry(HexMark("entrenchment", ""), "entrenchment"),
    HexEntry(HexMark("wreck", ""), "wreck"),
    HexEntry(HexMark("impact", "", letter="L"), "impact, Tight or Loose"),
    HexEntry("move", "movement plotted"),
    HexEntry("fire", "fire plotted"),
    HexEntry("watch", "opportunity fire plotted"),
    HexEntry("set_up", "where a side sets up"),
    HexEntry("leave", "where a side may leave the map"),
    HexEntry("goal", "objective"),
)
BEFORE_FIRE, BEFORE_MOVEMENT = ("plot", "panic"), ("plot", "panic", "combat", "panic_plot")
BEFORE_THE_END = (*BEFORE_MOVEMENT, "movement")
"""The phases in which plotted fire, plotted movement and opportunity fire are yet to be carried out."""


def draw(view: SideView, board: Board, style: str, focus: str = "") -> str | None:
    """Return the map in ``style``, or None if the style is unknown.

    "svg" and "text_whole" show the whole map, "svg_part" and "text" the part with units. With a hex, a unit or a place
    as ``focus``, the text styles show it in detail instead. Raises PlayError if ``focus`` is unknown.
    """
    if focus:
        detail = look_closer(view, board, focus)
        if style in TEXTS:
            return detail
    painter, picture = STYLES.get(style), picture_of(view, board)
    return painter(_as_text(picture, view, board) if style in TEXTS else picture, board) if painter else None


TEXTS = ("text", "text_whole")
FIGURES = (
    "Figures: attack and weapon (A against armor, R small arms: not at hard targets, M mixed: twice at soft ones, "
    "H high explosive), range, defense ([ ] hard), movement"
)
MARGINS = (2, 1, 0)
"""Numbers of hexes shown around the units; the largest one that needs no additional strip is used."""


def _as_text(picture: HexPicture, view: SideView, board: Board) -> HexPicture:
    """Return a picture with details for text only: entrenched units, the victory condition, the meaning of figures."""
    counters = (
        structs.replace(each, note=", ".join(filter(None, ("entrenched", each.note))))
        if view.entrenchments.get(each.hex) == each.owner
        else each
        for each in picture.counters
    )
    return structs.replace(picture, counters=tuple(counters), notes=(*aims(view, board), *picture.notes, FIGURES))


def _text_part(picture: HexPicture) -> HexPicture:
    """Return the part that text shows: the units on the map, and the areas that are yet to be set up."""
    areas = (HexArrow("move", area.owner, area.hexes) for area in picture.areas if area.kind == "set_up")
    held = structs.replace(picture, arrows=(*picture.arrows, *areas))
    parts = [structs.replace(picture, part=part_around(held, margin)) for margin in MARGINS]
    strips = [len(list(strips_of(each, room_for(WIDTH)))) for each in parts]
    return parts[strips.index(min(strips))]


def _parted(picture: HexPicture) -> HexPicture:
    return structs.replace(picture, part=part_around(picture))


STYLES: dict[str, Callable[[HexPicture, Board], str]] = {
    "svg": lambda picture, board: hexes_svg(picture, board.hexmap.id),
    "svg_part": lambda picture, board: hexes_svg(_parted(picture), board.hexmap.id),
    "text": lambda picture, _: hexes_text(_text_part(picture)),
    "text_whole": lambda picture, _: hexes_text(picture),
}


def picture_of(view: SideView, board: Board) -> HexPicture:
    """Return the picture of the whole map in ``view``."""
    return HexPicture(
        title=f"KampfPanzer: {board.title}",
        subtitle=_moment(view, board),
        ground=board.hexmap,
        powers=powers_of(board),
        counters=tuple(
            counter_of(unit_id, unit, view, board) for unit_id, unit in view.units.items() if unit.standing == ON_MAP
        ),
        marks=tuple(_marks(view, board)),
        arrows=tuple(_arrows(view, board)),
        areas=tuple(_areas(view, board)),
        trays=tuple(_trays(view, board)),
        legend=LEGEND,
        corner_words=CORNER_WORDS,
        notes=tuple(_notes(view, board)),
    )


def powers_of(board: Board) -> tuple[Power, ...]:
    """Return the two sides with different letters."""
    found: list[Power] = []
    for side, other in zip(board.sides, OTHER_COLORS, strict=True):
        title = board.titles[side]
        taken = {power.letter for power in found}
        letter = next((each for each in title.upper() if each.isalpha() and each not in taken), "?")
        color = COLORS.get(side, other)
        found.append(Power(side, title, letter, color, color))
    return tuple(found)


# --- units ---


def counter_of(unit_id: str, unit: UnitSeen, view: SideView, board: Board) -> HexCounter:
    """Return the counter of a unit."""
    kind = board.kinds[unit.kind]
    is_howitzer = kind.category == ARTILLERY and kind.weapon == "H"
    notes = list(_notes_of(unit_id, unit, view))
    return HexCounter(
        id=unit_id,
        owner=unit.side,
        hex=unit.hex,
        symbol=HOWITZER if is_howitzer else SYMBOLS[kind.category],
        name="Inf" if kind.category == INFANTRY else kind.name,
        letter=HOWITZER_LETTER if is_howitzer else TYPE_LETTERS[kind.category],
        corners=corners_of(kind),
        facing=unit.facing,
        tabs=tuple(_tabs(unit)),
        aboard=unit.carrier,
        order=view.panic_plots.get(unit_id, view.plots.get(unit_id, "")),
        note=", ".join(words for words, _ in notes),
        note_rules=tuple(dict.fromkeys(rule for _, rule in notes)),
        type_words=HOWITZER if is_howitzer else CATEGORY_WORDS[kind.category],
    )


def corners_of(kind: Kind) -> tuple[str, str, str, str]:
    """Return the figures of a type: attack and weapon, range, defense, movement; a missing figure is ""."""
    attack = f"{kind.attack or ''}{kind.weapon}"
    defense = f"[{kind.defense}]" if kind.hard else str(kind.defense)
    return attack, str(kind.range_hexes or ""), defense, str(kind.movement or "")


def _tabs(unit: UnitSeen) -> Iterator[Tab]:
    if unit.disruption:
        yield Tab(f"D{unit.disruption}", f"disrupted, level {unit.disruption}", rule="KP-9.71c")
    if unit.pinned:
        yield PINNED
    if unit.panicked:
        yield PANICKED


def _notes_of(unit_id: str, unit: UnitSeen, view: SideView) -> Iterator[tuple[str, str]]:
    """Yield pending results and restrictions of a unit for this turn, each with its rule."""
    if unit.pending:
        yield f"to suffer D{unit.pending}", "KP-5.0e"
    if unit.pending_pin:
        yield "to be pinned", "KP-5.0e"
    if unit_id in view.fired:
        yield "has fired", "KP-9.22a"
    if unit_id in view.frozen:
        yield "will be overrun", "KP-9.67a"


def _trays(view: SideView, board: Board) -> Iterator[HexTray]:
    """Yield the units off the map: those yet to come by group, then each side's losses and exited units."""
    for group in board.groups:
        waiting = [each for each in group.units if view.units[each].standing == WAITING]
        if waiting:
            yield _tray(f"{board.titles[group.side]} {_when(group, view)}", waiting, view, board)
    for side in board.sides:
        for standing, words in ((DESTROYED, "destroyed"), (EXITED, "that have left the map")):
            gone = [each for each, unit in view.units.items() if (unit.side, unit.standing) == (side, standing)]
            if gone:
                yield _tray(f"{board.titles[side]} {words}", gone, view, board)


def _tray(title: str, ids: list[str], view: SideView, board: Board) -> HexTray:
    return HexTray(title, tuple(counter_of(each, view.units[each], view, board) for each in ids))


def _when(group: Group, view: SideView) -> str:
    if not group.enters:
        return "to set up"
    gate = group.entries[0] if len(group.entries) == 1 else f"{group.entries[0]} to {group.entries[-1]}"
    late = " (delayed)" if view.turn > group.enters else ""
    return f"to enter at {gate} on turn {group.enters}{late}"


# --- marks on the map ---


def _marks(view: SideView, board: Board) -> Iterator[HexMark]:
    for hex_, side in view.entrenchments.items():
        yield HexMark(
            "entrenchment", hex_, side, f"entrenchment of the {board.titles.get(side, side)}", "e", rule="KP-13.0d"
        )
    yield from (HexMark("wreck", hex_, note="wreck", letter="x", rule="KP-9.91b") for hex_ in view.wrecks)
    yield from (
        HexMark("wreck", hex_, note="wreck after this phase", letter="x", rule="KP-9.92a")
        for hex_ in view.wrecks_due
        if hex_ not in view.wrecks
    )
    for impact in view.impacts:
        pattern = "loose" if impact.pattern == "L" else "tight"
        note = f"{pattern} H fire of {impact.firer}"
        rule = "KP-9.33c" if impact.pattern == "L" else "KP-9.33b"
        yield HexMark("impact", impact.hex, note=note, letter=impact.pattern, spread=impact.hexes, rule=rule)


def _areas(view: SideView, board: Board) -> Iterator[HexArea]:
    """Yield the objective, the exit hexes, and the set-up areas of a side that has not set up yet."""
    if board.victory.hexes:
        yield HexArea("goal", board.victory.hexes, note="objective", rule="KP-14.0j")
    for side, hexes in board.exits.items():
        yield HexArea("leave", hexes, side, f"the {board.titles[side]} may leave the map here", "KP-14.0i")
    if not view.turn:
        for group in board.groups:
            if group.area and group.side not in view.deployed:
                where = f", {area_words(group.area).partition(' (')[0]}" if len(group.area) > FEW_HEXES else ""
                note = f"{board.titles[group.side]} set up here{where}"
                yield HexArea("set_up", group.area, group.side, note, "R-KP-77")


def _arrows(view: SideView, board: Board) -> Iterator[HexArrow]:
    """Yield the plots that are yet to be carried out."""
    for unit_id, text in {**view.plots, **view.panic_plots}.items():
        unit = view.units[unit_id]
        try:
            plot = parse_plot(text)
        except IllegalOrder:  # "" after panic, or an invalid log
            continue
        if plot.is_movement and view.phase in BEFORE_MOVEMENT:
            yield HexArrow("move", unit.side, path_of(unit.hex, text, board))
        elif plot.kind == "opportunity" and view.phase in BEFORE_THE_END and unit_id not in view.fired:
            yield HexArrow("watch", unit.side, (unit.hex, plot.hex))
        elif plot.is_fire and plot.kind != "opportunity" and view.phase in BEFORE_FIRE:
            yield HexArrow("fire", unit.side, (unit.hex, plot.hex))


def path_of(start: str, text: str, board: Board) -> tuple[str, ...]:
    """Return the hexes of a movement plot from the unit's hex or its entry hex, as far as the map extends."""
    plot = parse_plot(text)
    steps = [letter for letter, count in plot.legs for _ in range(count) if letter != STOP] + [plot.overrun] * 2
    path = [plot.entry or start]
    around = board.hexmap.around
    for letter in steps:
        if letter and path[-1] in around and (onward := around[path[-1]][LETTERS.index(letter)]):
            path.append(onward)
    return tuple(path)


# --- words ---


def _moment(view: SideView, board: Board) -> str:
    """Return the turn and phase, or that the game is over, and the side whose view it is."""
    viewer = board.titles.get(view.side, view.side)
    seen = f"seen by the {viewer}"
    if view.outcome:
        return f"Turn {view.turn}: the game is over ({seen})"
    return f"{phase_heading(PhaseBegan(view.phase), view.turn)} ({seen})"


def _notes(view: SideView, board: Board) -> Iterator[str]:
    """Yield the result, the length of the battle, and the sides' panic levels."""
    if view.outcome:
        winner = f"the {board.titles[view.outcome]}" if view.outcome in board.titles else view.outcome
        yield ended_sentence(winner, view.ending)
    yield f"Length: {board.last_turn} turns"
    for side in board.sides:
        roll = view.panic.get(side)
        detail = f"; rolled {roll.die} this turn, hexes ending in {', '.join(roll.digits) or 'nothing'}" if roll else ""
        yield f"Panic level of the {board.titles[side]}: {board.panic[side]}{detail}"
