"""Queries about a campaign, answered by the rules of supply, movement and activation from one side's knowledge.

Enemies are in the areas of its last report. An answer that depends on them mentions the report.
"""

from khamsin.fog.views import SideView
from khamsin.model.cards import Board
from khamsin.model.forces import card
from khamsin.model.state import ON_MAP
from khamsin.model.tables import TIRED, WORN
from khamsin.supply.supply import barriers, open_areas, sources, stocks_now, supplied_areas
from khamsin.ui.asking.paths import path, reach
from khamsin.ui.asking.scene import Scene
from khamsin.ui.report import ledger
from khamsin.ui.terms import area_words, areas_words, burden, path_words, piece_words, remarks, side_words
from sandtable import Answer
from sandtable.questions import NO, YES, Query, named, replied


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return the answer of the rules to a query, or None if the text is not a query."""
    return replied(named(QUESTIONS, _examples(view, board)), text, lambda: Scene.of(view, board), Answer)


def _examples(view: SideView, board: Board) -> dict[str, str]:
    """Return names for the examples: a formation, on the map if possible, and an area next to it."""
    there = [each for each, it in view.formations.items() if it.standing == ON_MAP]
    known = there or list(view.formations)
    formation = next((each for each in known if view.formations[each].side == view.side), next(iter(known), ""))
    area = view.formations[formation].area if there else board.areas[0]
    return {"formation": formation, "area": area, "near": next(iter(board.neighbors[area]), area)}


# --- supply ---


def _supply(scene: Scene, words: list[str]) -> Answer:
    """Return whether a formation or area is in supply now, and by which line, or what blocks every line (KH-10)."""
    text = " ".join(words)
    formation_id = scene.find_formation(text)
    is_whole = formation_id and text in (formation_id, piece_words(formation_id, scene.board).lower())
    area = "" if is_whole else scene.find_area(text)
    formation_id = "" if area else formation_id
    side = scene.view.side if not scene.knows_all else ""
    if not area:
        formation_id = formation_id or scene.formation(text)
        it = scene.state.formations[formation_id]
        if it.standing != ON_MAP:
            return Answer(NO, (f"{piece_words(formation_id, scene.board)} is not on the map",), ("KH-10.01",))
        area, side = it.area, it.side
    side = side or scene.state.control[area]
    where = area_words(area, scene.board)
    subject = f"{piece_words(formation_id, scene.board)} at {where}" if formation_id else where
    stocks = stocks_now(scene.state, side)
    if area in supplied_areas(scene.state, side, stocks):
        lines = [f"{subject}: {_line(scene, side, area, stocks)}"]
        verdict, rules = YES, ("KH-10.02", "KH-10.03")
    else:
        none = f"no line of areas of {side_words(side, scene.board)} leads to a supply area"
        lines = [f"{subject}: {none}", *_bars(scene, side, formation_id)]
        verdict, rules = NO, ("KH-10.01", "KH-11.02")
    if formation_id:
        lines += _now(scene, formation_id, verdict=verdict)
    if not scene.knows_all:
        lines.append("based on your last report: unreported enemies may block the line")
    return Answer(verdict, tuple(lines), rules)


def _line(scene: Scene, side: str, area: str, stocks: dict[str, int]) -> str:
    """Return the shortest line from an area to a supply area whose stocks are not used up."""
    board, state = scene.board, scene.state
    used = {each: n for each, n in stocks.items() if n > board.stocks.get(each, n)}
    ends = [each for each in sources(state, side) if each not in used]
    ground = open_areas(state, side)
    lines, seen = [[area]], {area}
    for line in lines:  # the list grows during the loop
        if line[-1] in ends:
            last = line[-1]
            stock = f", turn {stocks[last]} of {board.stocks[last]} on its stocks" if last in stocks else ""
            if len(line) == 1:
                return f"in a supply area{stock}"
            return f"in supply along {path_words(line, board)}{stock}"
        for near in board.neighbors[line[-1]]:
            if near not in seen and near in ground:
                seen.add(near)
                lines.append([*line, near])
    return "in supply"


def _bars(scene: Scene, side: str, formation_id: str) -> list[str]:
    """Return the areas that block every line, as the supply check reports them, or for an area the supply areas."""
    if not formation_id:
        return [f"supply areas: {areas_words(sources(scene.state, side), scene.board)}"]
    found = barriers(scene.state, side, [formation_id], stocks_now(scene.state, side))
    texts = [name for each in found for name, _, _ in each.steps]
    areas = ((name.partition(":")[0], name.partition(": ")[2]) for name in texts)
    bars = ", ".join(f"{area_words(area, scene.board)} ({why})" for area, why in areas)
    return [f"blocked by {bars}"] if bars else []


def _now(scene: Scene, formation_id: str, *, verdict: bool) -> list[str]:
    """Return the result of the last supply check if it differs, or how long the formation has been out of supply."""
    it = scene.state.formations[formation_id]
    if it.supplied == verdict:
        return [] if verdict else [f"out of supply for {it.cut} turn{'s' if it.cut != 1 else ''} so far"]
    return [f"at its last check it was {'in' if it.supplied else 'out of'} supply, which applies until the next check"]


# --- companies ---


def _companies(scene: Scene, words: list[str]) -> Answer:
    """Return the number and types of a formation's companies, and its wear with the effects (KH-22)."""
    formation_id = scene.formation(" ".join(words))
    seen, book = scene.view.formations[formation_id], ledger(scene.view, formation_id)
    its_card = card(scene.state, formation_id)
    title = piece_words(formation_id, scene.board)
    counted = f"{seen.strength} compan{'y' if seen.strength == 1 else 'ies'} of {its_card.strength}"
    supply = "in supply" if seen.supplied else "out of supply"
    lines = [f"{title}: {counted}; attrition {book.armor} armor and {book.general} general; {supply}"]
    effect = burden(book.armor, book.general)
    lines += [effect] if effect else []
    total = book.armor + book.general
    rule = "KH-22.09" if total >= WORN else "KH-22.08" if total >= TIRED else "KH-22.05"
    lines += remarks(formation_id, seen, scene.board, scene.view.turn)
    return Answer(None, tuple(lines), (rule,) if effect else ())


# --- problems ---


def _problems(scene: Scene, _: list[str]) -> Answer:
    """List formations that are out of supply, under a restriction, worn, or next to reported enemies."""
    lines = []
    for formation_id, seen in scene.view.formations.items():
        if seen.standing != ON_MAP:
            continue
        book = ledger(scene.view, formation_id)
        texts = [*remarks(formation_id, seen, scene.board, scene.view.turn)]
        effect = burden(book.armor, book.general)
        texts += [f"attrition {book.armor} armor and {book.general} general: {effect}"] if effect else []
        foes = [each for each in scene.board.neighbors[seen.area] if scene.enemies_in(seen.side, each)]
        texts += [f"enemies reported in neighboring areas: {areas_words(foes, scene.board)}"] if foes else []
        where = area_words(seen.area, scene.board)
        lines += [f"{piece_words(formation_id, scene.board)} at {where}: {'; '.join(texts)}"] if texts else []
    return Answer(None, tuple(lines) or ("no problems",))


QUESTIONS = {
    "supply": Query("{formation}", "supply of a formation or area: its line, or what blocks it", _supply),
    "path": Query("{formation} {near}", "cheapest path to an area, and probability of activation", path, 2),
    "reach": Query("{formation}", "areas that a formation can be ordered to, by movement points", reach),
    "companies": Query("{formation}", "companies, wear and supply of a formation", _companies),
    "problems": Query("", "formations out of supply, restricted, worn, or next to reported enemies", _problems, 0),
}
