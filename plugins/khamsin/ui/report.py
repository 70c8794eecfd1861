"""The situation report that a player receives from the umpire, at most 100 columns wide (KH-3.14, KH-6).

It is made from a view and the board alone. The umpire's report has both sides, each under its own heading.
"""

import textwrap
from collections.abc import Iterable, Iterator

from khamsin.fog.views import EngagementSeen, FormationSeen, ReportSeen, SideView
from khamsin.model.cards import SIDES, Board
from khamsin.model.state import IN_BASE, LOST, ON_MAP, WAITING, Summary
from khamsin.ui.terms import (
    MOBILITY_WORDS,
    SCALE_WORDS,
    area_words,
    areas_words,
    burden,
    composition_words,
    outcome_words,
    path_words,
    piece_words,
    place_words,
    remarks,
    score_words,
    side_words,
    state_words,
    whole_of,
)
from sandtable.pictures import clean, counted, in_words, room_for

WIDTH = 100


def report(view: SideView, board: Board) -> str:
    """Return the complete report."""
    lines = [*_head(view, board), *sections(view, board), *_block("Control", _control(view, board))]
    return "\n".join(clean(line).rstrip() for line in lines) + "\n"


def sections(view: SideView, board: Board) -> Iterator[str]:
    """Yield the lines of a report without its head and its control section, which a map already shows."""
    known = [side for side in SIDES if side in view.reports]
    for side in known:
        suffix = f" of {side_words(side, board)}" if len(known) > 1 else ""
        yield from _block(f"Formations{suffix}", _formations(view, board, side))
        yield from _block(f"Off the map{suffix}", _off_map(view, board, side))
        yield from _block(f"Leaders{suffix}", _leaders(view, board, side))
        yield from _block(f"Orders of this turn{suffix}", _orders(view, board, side))
        yield from _block(f"Intelligence{suffix}", _intelligence(view.reports[side], board))
        yield from _block(f"Air{suffix}", _air(view, board, side))
    yield from _block("Engagements of this turn", _engagements(view, board))
    yield from _block("Honor", _honor(view, board))
    yield from _block("Victory", _victory(view, board))


def moment(view: SideView, board: Board) -> str:
    """Return the turn, the day, and the current phase, if there is one."""
    if not view.turn:
        return "Set-up"
    when = board.label(view.turn)
    day = "" if when == f"turn {view.turn}" else f", {when}"
    phase = f" ({in_words(view.phase.rpartition('.')[2])})" if view.phase and not view.outcome else ""
    return f"Turn {view.turn} of {board.turns}{day}{phase}"


def _head(view: SideView, board: Board) -> Iterator[str]:
    reader = f"for {side_words(view.side, board)}"
    yield f"{board.title}: situation report{reader:>{max(len(reader) + 2, room_for(WIDTH) - len(board.title) - 18)}}"
    yield "=" * room_for(WIDTH)
    weather = board.weather.cards.get(view.weather)
    sky = f"Weather: {weather.title}." if weather else ""
    now = f"{moment(view, board)}."
    yield f"{now}{sky:>{max(len(sky) + 2, room_for(WIDTH) - len(now))}}"
    for effect in weather.effects if weather else ():
        yield from _filled(effect, "  ")
    if view.outcome:
        yield outcome_words(view, board)


def _block(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines under a heading, or nothing if there are no lines."""
    body = list(lines)
    if body:
        yield from ("", title, "-" * len(title), *body)


def _filled(text: str, head: str, hang: int | None = None) -> list[str]:
    """Return text after ``head``, wrapped to the width; further lines are indented to column ``hang``."""
    after = " " * (len(head) if hang is None else hang)
    return textwrap.wrap(
        text,
        room_for(WIDTH),
        initial_indent=head,
        subsequent_indent=after,
        break_on_hyphens=False,
        drop_whitespace=True,
    ) or [head.rstrip()]


# --- own pieces ---


def _formations(view: SideView, board: Board, side: str) -> Iterator[str]:
    here = {key: it for key, it in view.formations.items() if it.side == side and it.standing == ON_MAP}
    if here:
        wide = max(map(len, here))
        area = max(4, *(len(area_words(it.area, board)) for it in here.values()))
        yield f"  {'id':{wide}}  {'area':{area}}  str  {'moves':10}  armor + general"
        for key in here:
            yield from _formation(view, board, key, (wide, area))


def _off_map(view: SideView, board: Board, side: str) -> Iterator[str]:
    """Yield pieces that wait to enter, by turn, then pieces in the base, then lost pieces."""
    for standing in (WAITING, IN_BASE, LOST):
        absent = [key for key, it in view.formations.items() if it.side == side and it.standing == standing]
        for key in sorted(absent, key=lambda each: (board.formations[whole_of(each, board)].enters, each)):
            it, book = view.formations[key], ledger(view, key)
            texts = remarks(key, it, board, view.turn)
            if standing == IN_BASE:
                texts.append(f"attrition {book.armor} + {book.general} = {book.armor + book.general}")
            yield from _filled(
                f"{piece_words(key, board)}, strength {it.strength}: {'; '.join(texts)}", f"  {key}: ", 6
            )


def _formation(view: SideView, board: Board, key: str, widths: tuple[int, int]) -> Iterator[str]:
    """Yield a row of the table, then title, remarks and effects of attrition below it."""
    it = view.formations[key]
    card, book = board.formations[it.parent or key], ledger(view, key)
    (wide, area), total = widths, book.armor + book.general
    moves = MOBILITY_WORDS["leg" if not it.supplied else card.mobility]
    loss = f"{book.armor:>5} + {book.general:<3} = {total}" if total else "    -"
    yield f"  {key:{wide}}  {area_words(it.area, board):{area}}  {it.strength:>3}  {moves:10}  {loss}"
    texts = [*remarks(key, it, board, view.turn)]
    texts += [effect for effect in (burden(book.armor, book.general),) if effect]
    title = f"{piece_words(key, board)}, {card.commander}" if card.commander else piece_words(key, board)
    yield from _filled("; ".join([title, *texts]), "      ", 8)


def ledger(view: SideView, key: str) -> FormationSeen:
    """Return the formation that records a formation's attrition: itself, or the one that it is a part of (KH-R117)."""
    it = view.formations[key]
    return view.formations.get(it.parent, it)


def _leaders(view: SideView, board: Board, side: str) -> Iterator[str]:
    for key, it in view.leaders.items():
        if it.side != side:
            continue
        card = board.leaders[key]
        where = area_words(it.area, board) if it.standing == ON_MAP else in_words(it.standing)
        if it.standing == "wounded":
            where = f"wounded, returns on {board.label(it.returns)}"
        corps = f" for {in_words(card.corps)}" if card.corps else ""
        yield from _filled(f"{card.title}: {where}; activation {card.bonus:+d}{corps}", f"  {key}: ", 6)


def _orders(view: SideView, board: Board, side: str) -> Iterator[str]:
    sheet = view.sheets.get(side)
    if sheet is None:
        return
    for key, path in {**sheet.moves, **sheet.leaders}.items():
        if len(path) > 1 or (path and key in view.formations and view.formations[key].standing == WAITING):
            yield from _filled(path_words(path, board), f"  {key}: ", 6)
    for key, number in sheet.detach.items():
        yield f"  {key}: leaves {counted(number, 'company', 'companies')} in its fortress"
    if sheet.interdict:
        yield from _filled(areas_words(sheet.interdict, board), "  air interdiction: ", 6)
    for line in sheet.plan.splitlines():
        yield from _filled(line, "  plan: ", 6)


# --- information that the side received ---


def _intelligence(latest: ReportSeen, board: Board) -> Iterator[str]:
    if not latest.turn:
        return
    yield f"  As of the end of turn {latest.turn}, in areas next to own formations:"
    for area in sorted({*latest.occupied, *latest.seen}):
        seen = composition_words(latest.seen[area]) if area in latest.seen else "enemy formations (no reconnaissance)"
        yield from _filled(seen, f"  {area_words(area, board)}: ", 6)
    if not latest.occupied and not latest.seen:
        yield "  no enemies"
    for each in latest.fought:
        yield from _filled(summary_words(each, board), f"  {place_words(each.engagement, board)}: ", 6)


def summary_words(it: Summary, board: Board) -> str:
    """Return the result of an engagement (KH-6.02)."""
    if not it.scale:
        return "engagement that ended without a fight"
    won = f"won by {side_words(it.winner, board)}, {SCALE_WORDS[it.scale]}" if it.winner else "even"
    return f"engagement, {won} ({score_words(it.points, board)})"


def _air(view: SideView, board: Board, side: str) -> Iterator[str]:
    card = board.air[side]
    level = view.air_level.get(side, card.level)
    if level == "none" and not card.interdictions:
        return
    used = f"{view.air_used[side]} of {card.engagements} used this turn" if side in view.air_used else card.engagements
    yield f"  support {level}: engagements {used}; interdiction: {card.interdictions}"
    mine = [area for area, by in view.interdicted.items() if by == side]
    if mine:
        yield from _filled(areas_words(mine, board), "  interdicted: ", 6)


def _engagements(view: SideView, board: Board) -> Iterator[str]:
    for key, it in view.engagements.items():
        yield from _filled(state_words(it, board), f"  {place_words(key, board)}: ", 6)
        for side in SIDES:
            yield from _filled(_force(it, board, side), f"      {board.sides[side]}: ", 10)
        for action in it.actions:
            lost = [
                f"{piece_words(each, board)} {by.armor} + {by.general}" for each, by in sorted(action.attrition.items())
            ]
            losses = f"; attrition: {', '.join(lost)}" if lost else ""
            yield from _filled(f"{score_words(action.points, board)}{losses}", f"      action {action.number}: ", 10)


def _force(it: EngagementSeen, board: Board, side: str) -> str:
    texts = [piece_words(each, board) for each in it.forces.get(side, ())]
    if side in it.companies:
        texts.append(f"{composition_words(it.companies[side])} at contact")
    how = it.withdrawing.get(side)
    if how == "fighting":
        texts.append("withdraws fighting")
    return "; ".join(texts) or "not known"


def _honor(view: SideView, board: Board) -> Iterator[str]:
    for side in SIDES:
        players = ", ".join(f"{name} {view.honor.get(name, 0)}" for name in board.commanders[side])
        yield from _filled(players, f"  {board.sides[side]}: ", 6)


def _victory(view: SideView, board: Board) -> Iterator[str]:
    for number, condition in enumerate(board.victory.conditions):
        turns = getattr(condition, "turns", 1)
        held = view.held.get(str(number), 0)
        so_far = f" ({held} of {turns} turns)" if held and turns > 1 else ""
        yield from _filled(f"{condition.text}{so_far}", f"  {board.sides[condition.side]}: ", 6)
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    texts = ", ".join(f"{area_words(area, board)} {number}" for area, number in worth.items())
    yield from _filled(f"{texts}; points now by area: {score_words(by_area(view, board), board)}", "  At the end: ", 6)


def by_area(view: SideView, board: Board) -> dict[str, int]:
    """Return each side's present points for areas. Points for broken formations are left out: they are not public."""
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    return {side: sum(n for area, n in worth.items() if view.control[area] == side) for side in SIDES}


def _control(view: SideView, board: Board) -> Iterator[str]:
    for side in SIDES:
        held = [area_words(area, board) for area in board.areas if view.control[area] == side]
        yield from _filled(", ".join(held) or "no area", f"  {board.sides[side]}: ", 6)
