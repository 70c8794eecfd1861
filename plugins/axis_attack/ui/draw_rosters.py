"""The drawing of the rosters, with a line of levels from turn to turn for each platoon."""

from collections.abc import Iterator

from axis_attack.fog.views import PlatoonSeen, SideView
from axis_attack.model.cards import COMBAT, DESTROYED, FULL, HQ, SIDES, SUPPORT, WEAPONS, Board
from axis_attack.ui.draw_track import COLORS
from axis_attack.ui.report import in_order, knows_all
from axis_attack.ui.terms import SLOT_TITLES, level_words, names_in
from sandtable.pictures import ALARM, BORDER_INK, CODE_INK, INK, Svg, counted, element, group, label, text_node

COLUMNS, WIDE, HIGH = 6, 194, 110
HEAD, STEP = 40, 11
"""The heights of a side's heading and of a level."""
TINTS = ("#8a1c1c", "#c0492f", "#d18b2c", "#8a9a3c", "#3f7d4a")
"""The colors of levels, from destroyed to full strength."""
RECON_RULE = "AOA-8.04"
SLOTS = {COMBAT: "#3b3a36", WEAPONS: "#8b6f3d", SUPPORT: "#b59c63", HQ: "#5d7c8c"}


def height_of(view: SideView, board: Board, side: str) -> int:
    """Return the height of a side's roster."""
    rows = -(-len(in_order(view, board, side)) // COLUMNS)
    return HEAD + HIGH * rows if rows else HEAD + 24


def rosters_svg(view: SideView, board: Board, left: int, top: int) -> Iterator[Svg]:
    """Yield the rosters of both sides, one below the other."""
    names = names_in(view, board)
    for side in SIDES:
        yield _heading(view, board, side, left, top)
        platoons = in_order(view, board, side)
        for place, each in enumerate(platoons):
            x, y = left + WIDE * (place % COLUMNS), top + HEAD + HIGH * (place // COLUMNS)
            yield _cell(each, names.of(side, each).removeprefix("the "), view, board, side, (x, y))
        if not platoons:
            unknown = "not built yet" if knows_all(view, side) else "nothing has been seen of them yet"
            yield label(unknown, (left, top + HEAD + 12), 13, {"fill": CODE_INK, "text_anchor": "start"})
        top += height_of(view, board, side) + 14


def _heading(view: SideView, board: Board, side: str, left: int, top: int) -> Svg:
    known = "" if knows_all(view, side) else " (as far as they have shown)"
    text = f"{board.sides[side]}: {board.lists[side].title}{known}"
    style = {"fill": COLORS[side], "font_weight": "bold", "text_anchor": "start"}
    parts = [label(text, (left, top + 20), 18, style)]
    flying = ", ".join(f"{name.replace('_', ' ')} up to {level}" for name, level in view.aircraft.get(side, {}).items())
    if flying:
        parts.append(label(f"aircraft: {flying}", (left + WIDE * COLUMNS - 10, top + 20), 12, {"text_anchor": "end"}))
    return group(parts)


def _cell(each: str, name: str, view: SideView, board: Board, side: str, at: tuple[int, int]) -> Svg:
    it = view.rosters[side][each]
    kind = board.lists[side].types[it.type]
    x, y = at
    start = {"text_anchor": "start"}
    title = name if len(name) <= 26 else f"{name[:25].rstrip()}…"
    sub = f"{SLOT_TITLES[kind.slot]}{', recon' if kind.recon else ''}"
    parts = [
        element("title", text_node(_about(name, it, view, board, side))),
        element("rect", x=x, y=y, width=4, height=HIGH - 12, fill=SLOTS[kind.slot]),
        label(title, (x + 10, y + 12), 11, {"fill": INK, "font_weight": "bold", **start}),
        label(sub, (x + 10, y + 26), 11, {"fill": CODE_INK, **start}),
        *_line(each, it, view, board, side, (x + 10, y + 37)),
    ]
    level = level_words(it.level) + (", IMMOBILE" if it.immobile else "")
    ink = ALARM if it.immobile else TINTS[it.level]
    parts.append(label(level, (x + 10, y + HIGH - 12), 11, {"fill": ink, "font_weight": "bold", **start}))
    return group(parts, data_platoon=each, data_level=it.level)


def _about(name: str, it: PlatoonSeen, view: SideView, board: Board, side: str) -> str:
    """Return a platoon's description in one line, with the rules of its level and mobility."""
    kind = board.lists[side].types[it.type]
    facts = [f"{level_words(it.level)} [AOA-10.01]"]
    if knows_all(view, side):
        facts.append(f"at most {level_words(it.bought)} [AOA-11.08]")
        facts.append(f"{counted(it.teams, 'team', 'teams')}, {counted(it.transports, 'transport', 'transports')}")
    facts += [f"recon [{RECON_RULE}]"] if kind.recon else []
    facts += ["immobile [AOA-10.17]"] if it.immobile else []
    return f"{name}, {SLOT_TITLES[kind.slot]}: {'; '.join(facts)}"


def _line(each: str, it: PlatoonSeen, view: SideView, board: Board, side: str, at: tuple[int, int]) -> Iterator[Svg]:
    """Yield the levels from turn to turn as steps, the bought level as dashes, and the current level as a dot."""
    x, y = at
    width = WIDE - 34
    for level in range(DESTROYED, FULL + 1):
        across = y + STEP * (FULL - level)
        yield element("line", x1=x, y1=across, x2=x + width, y2=across, stroke=BORDER_INK, opacity="0.25")
    record = list(view.ladder.get(side, {}).get(each, ()))
    if len(record) <= view.turn and record and not view.outcome:
        record.append(it.level)
    scale = max(1, board.turns)
    spots = [(x + width * place // scale, y + STEP * (FULL - level)) for place, level in enumerate(record)]
    if knows_all(view, side):
        top = y + STEP * (FULL - it.bought)
        dashes = {"stroke": INK, "stroke_dasharray": "2 3", "opacity": "0.6"}
        yield element("line", x1=x, y1=top, x2=x + width, y2=top, **dashes)
    if len(spots) > 1:
        path = f"M{spots[0][0]} {spots[0][1]}" + "".join(f"H{right}V{down}" for right, down in spots[1:])
        yield element("path", d=path, fill="none", stroke=COLORS[side], stroke_width=3, stroke_linejoin="round")
    now = spots[-1] if spots else (x + width * min(view.turn, scale) // scale, y + STEP * (FULL - it.level))
    yield element("circle", cx=now[0], cy=now[1], r=5, fill=TINTS[it.level], stroke=INK)
