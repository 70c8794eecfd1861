"""Details of one thing: a formation with its companies and reach, a leader, or an area with its connectors."""

from collections.abc import Iterator

from khamsin.fog.views import FormationSeen, SideView
from khamsin.model.cards import ENEMY, LEG, Board
from khamsin.model.forces import points_between
from khamsin.model.state import ON_MAP
from khamsin.model.tables import ALLOWANCE
from khamsin.ui.report import ledger
from khamsin.ui.terms import (
    MOBILITY_WORDS,
    area_words,
    at_words,
    burden,
    composition_words,
    piece_words,
    pieces_words,
    remarks,
    side_words,
    whole_of,
)
from sandtable import PlayError
from sandtable.notation import named
from sandtable.pictures import clean, counted


def focused(view: SideView, board: Board, focus: str) -> str:
    """Return the details of a side's own formation or leader, or of an area. Raises PlayError for any other name."""
    pieces = {key: piece_words(key, board) for key in (*view.formations, *view.leaders)}
    piece, area = named(focus, pieces), named(focus, board.names)
    if piece in view.formations:
        lines = _formation(view, board, piece)
    elif piece:
        leader = view.leaders[piece]
        where = area_words(leader.area, board) if leader.area else leader.standing
        lines = iter([f"{pieces[piece]}: {where}; activation {board.leaders[piece].bonus:+d}"])
    elif area:
        lines = _area(view, board, area)
    else:
        raise PlayError(f"{focus!r} is not an area, nor a formation or leader that this side can see in detail")
    return "\n".join(clean(line) for line in lines) + "\n"


def _formation(view: SideView, board: Board, key: str) -> Iterator[str]:
    it, book = view.formations[key], ledger(view, key)
    card = board.formations[whole_of(key, board)]
    mobility = card.mobility if it.supplied else LEG
    yield f"{piece_words(key, board)} ({key}), {side_words(it.side, board)}"
    yield f"  strength {it.strength}: {counted(it.strength, 'company', 'companies')} of {_titles(board, card.options)}"
    yield f"  {MOBILITY_WORDS[mobility]}, {ALLOWANCE[mobility]} movement points; activated on {card.activation} or more"
    yield f"  attrition {book.armor} armor + {book.general} general = {book.armor + book.general}"
    yield f"  {'in supply' if it.supplied else 'OUT OF SUPPLY: moves as leg'}"
    texts = [*remarks(key, it, board, view.turn), burden(book.armor, book.general)]
    yield from (f"  {each}" for each in texts if each)
    if it.standing == ON_MAP:
        yield from _reach(view, board, it, mobility)


def _titles(board: Board, options: tuple[str, ...]) -> str:
    return ", ".join(f"{board.companies[each].title} ({each})" for each in options) or "no companies"


def _reach(view: SideView, board: Board, it: FormationSeen, mobility: str) -> Iterator[str]:
    """Yield areas within reach this turn by open connectors, and neighboring areas that require activation."""
    enemies = set(view.reports[it.side].occupied) if it.side in view.reports else set[str]()
    spent, edge = {it.area: 0}, [it.area]
    while edge:
        here = edge.pop(0)
        for near in board.neighbors[here]:
            cost = spent[here] + points_between(board, view.weather, mobility, (here, near))
            fits = cost <= ALLOWANCE[mobility] or here == it.area
            if fits and near not in enemies and cost < spent.get(near, 10**6):
                spent[near] = cost
                edge.append(near)
    ends = [f"{area_words(area, board)} {cost}" for area, cost in spent.items() if area != it.area]
    yield f"  at {area_words(it.area, board)}; within reach, with movement points: {', '.join(ends) or 'none'}"
    fought = [area_words(near, board) for near in board.neighbors[it.area] if near in enemies]
    if fought:
        yield f"  neighboring areas with reported enemies (activation required): {', '.join(fought)}"


def _area(view: SideView, board: Board, area: str) -> Iterator[str]:
    yield f"{area_words(area, board)} ({area}): controlled by {side_words(view.control[area], board)}"
    worth = board.victory.score.get(area, 0)
    ground = [board.terrain.get(area, ""), f"{counted(worth, 'point')} at the end" if worth else ""]
    works = board.fortified.get(area) or board.fortress.get(area)
    ground += [f"fortifications of {side_words(works, board)}"] if works else []
    yield f"  {', '.join(each for each in ground if each) or 'open ground'}"
    here = [key for key, it in view.formations.items() if it.standing == ON_MAP and it.area == area]
    here += [key for key, it in view.leaders.items() if it.standing == ON_MAP and it.area == area]
    yield f"  here: {pieces_words(here, board)}"
    for side, report in view.reports.items():
        if area in report.occupied or area in report.seen:
            seen = composition_words(report.seen[area]) if area in report.seen else "enemy formations"
            yield f"  {side_words(ENEMY[side], board)}, as reported in turn {report.turn}: {seen}"
    for it in view.engagements.values():
        if area in (it.area, it.other) and not it.over:
            met = [f"{side_words(side, board)} {composition_words(it.companies[side])}" for side in it.companies]
            yield f"  engagement {at_words(it.id, board)}: {' against '.join(met) or 'companies unknown'}"
    for near in board.neighbors[area]:
        kind = board.kind_between[area, near]
        points = {name: points_between(board, view.weather, name, (area, near)) for name in ALLOWANCE}
        costs = ", ".join(f"{MOBILITY_WORDS[name]} {cost}" for name, cost in points.items())
        yield f"  to {area_words(near, board)}: {kind}, movement points: {costs}"
