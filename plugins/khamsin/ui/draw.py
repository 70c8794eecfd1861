"""Drawing of the campaign as one side sees it: a picture for the viewer, made from the view and the board.

It shows own formations, and enemies as far as reports and contact reveal them (KH-6, KH-R59): companies by class, or
only their presence. Counters show strength in companies.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from khamsin.fog.views import FormationSeen, SideView
from khamsin.model.cards import ENEMY, INTEL_CLASSES, RECON, SIDES, Board
from khamsin.model.state import ON_MAP, WAITING
from khamsin.model.tables import TIRED
from khamsin.ui.focus import focused
from khamsin.ui.layout import layout_of, movement_lines
from khamsin.ui.report import WIDTH, ledger, moment, report, sections
from khamsin.ui.terms import (
    area_words,
    burden,
    composition_words,
    outcome_words,
    piece_words,
    place_words,
    remarks,
    side_words,
    state_words,
)
from sandtable.pictures import (
    Badge,
    Counter,
    LegendEntry,
    Link,
    Move,
    Picture,
    Place,
    Power,
    areas_svg,
    areas_text,
    capital,
    clean,
    counted,
    room_for,
)

GUNS, LEADER = "artillery", "headquarters"
LETTERS = {"infantry": "i", "mechanized": "m", "armor": "t", RECON: "r", GUNS: "g", LEADER: "L"}
WORDS = {GUNS: "guns, no companies", LEADER: "leader"}
COLORS = {"axis": ("#9aa6ad", "#cdd0cb"), "allies": ("#c2a45c", "#e6d29b")}
"""Colors of the counters and land of each side: field gray, khaki."""

SEEN = "?"
"""Mark of pieces that are only reported."""

LINE_STYLES = {"road": ("road", "road"), "track": ("trail", "track"), "escarpment": ("steep", "escarpment")}
"""Line styles of known kinds of connector, and their names. All other kinds are dotted."""


class Mark(NamedTuple):
    """Signs for the condition of a formation: on its counter, after its letter, in words."""

    sign: str
    letter: str
    words: str
    rule: str = ""


CUT = Mark("C", "-", "out of supply", "KH-8.12")
REST = Mark("R", "_", "must rest", "KH-20.05")
WEARY = Mark("W", "~", "attrition 40 or more", "KH-22.08")

BADGES = {
    "base": ("BASE", "&", "base", "KH-22.14"),
    "supply": ("S", "$", "supply area", "KH-10.02"),
    "entry": ("IN", ">", "entry area", "KH-4.04"),
    "fortress": ("FORT", "#", "fortress", "KH-7.02"),
    "works": ("W", "+", "field works", "KH-R26"),
    "interdicted": ("AIR", "%", "interdicted by air", "KH-7.07"),
    "seen": (SEEN, "?", "enemies reported", "KH-6.01"),
}
"""Badges: text on the map, letter on the text map, words, rule."""


def draw(view: SideView, board: Board, style: str, focus: str = "") -> str | None:
    """Return the map as "svg", as "text" with the report below it, or the "report" alone, or None for any other style.

    With a ``focus`` the text is about that formation, leader or area alone. Raises PlayError for an unknown name.
    """
    if focus and style == "text":
        return focused(view, board, focus)
    if style == "svg":
        return areas_svg(picture_of(view, board), board.map.id)
    if style == "text":
        below = [
            clean(line).rstrip() for line in (*sections(view, board), *movement_lines(view, board, room_for(WIDTH)))
        ]
        picture = replace(picture_of(view, board), notes=tuple(_now(view, board)))
        return areas_text(picture) + "\n".join(below) + "\n"
    return report(view, board) if style == "report" else None


def picture_of(view: SideView, board: Board) -> Picture:
    """Return the picture of ``view``, ready to be drawn."""
    layout = layout_of(board.map)
    counters = _counters(view, board)
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    places = (
        Place(
            id=area,
            x=layout.at[area][0],
            y=layout.at[area][1],
            label=board.names[area],
            owner=view.control[area],
            value=worth.get(area, 0),
            badges=tuple(_badges(area, view, board)),
            counters=tuple(counters.get(area, ())),
        )
        for area in board.areas
    )
    kinds = [kind for kind in board.kinds if kind in set(board.kind_between.values())]
    return Picture(
        title=board.title,
        subtitle=f"{moment(view, board)}, as {side_words(view.side, board)} sees it",
        width=layout.width,
        height=layout.height,
        places=tuple(places),
        links=tuple(Link(link.a, link.b, LINE_STYLES.get(link.kind, (link.kind,))[0]) for link in board.map.connectors),
        powers=tuple(_powers(board)),
        coast=layout.coast,
        captions=layout.captions,
        moves=tuple(dict.fromkeys(_moves(view))),
        legend=tuple(_legend(kinds)),
        notes=tuple(_notes(view, board)),
        value_word="points",
    )


def _powers(board: Board) -> Iterator[Power]:
    """Yield the sides with distinct letters."""
    taken = ""
    for side, title in board.sides.items():
        letter = next((each for each in title.upper() if each.isalpha() and each not in taken), "?")
        taken += letter
        yield Power(side, title, letter, *COLORS[side])


def _legend(kinds: list[str]) -> Iterator[LegendEntry]:
    for symbol, letter in LETTERS.items():
        yield LegendEntry("counter", symbol, WORDS.get(symbol, symbol), letter)
    for mark in (CUT, REST, WEARY):
        yield LegendEntry("counter", "infantry", mark.words, mark.letter, mark.sign)
    yield LegendEntry("counter", "infantry", "enemy, as reported", SEEN, SEEN)
    for kind, (text, letter, words_of, _) in BADGES.items():
        yield LegendEntry("badge", kind, words_of, letter, text)
    yield LegendEntry("badge", "battle", "engagement", "!")
    for kind in kinds:
        drawn, name = LINE_STYLES.get(kind, (kind, kind.replace("_", " ")))
        yield LegendEntry("link", drawn, name)
    yield LegendEntry("border", "", "no connector")


# --- counters ---


def _counters(view: SideView, board: Board) -> dict[str, list[Counter]]:
    """Return the counters by area: own formations by id, own leaders, then known enemies."""
    found: dict[str, list[Counter]] = {}
    for key, it in view.formations.items():
        if it.standing == ON_MAP:
            found.setdefault(it.area, []).append(_counter(key, it, view, board))
    for key, leader in view.leaders.items():
        if leader.standing == ON_MAP:
            card = board.leaders[key]
            name = f"leader ({card.title}), activation {card.bonus:+d}"
            counter = Counter(LEADER, leader.side, 1, LETTERS[LEADER], name, rule="KH-9.02")
            found.setdefault(leader.area, []).append(counter)
    for area, enemies in _enemies(view).items():
        found.setdefault(area, []).extend(enemies)
    return {area: sorted(stack, key=lambda each: SIDES.index(each.owner)) for area, stack in found.items()}


def _counter(key: str, it: FormationSeen, view: SideView, board: Board) -> Counter:
    card, book = board.formations[it.parent or key], ledger(view, key)
    symbol = GUNS if card.bombards else RECON if card.mobility == RECON else card.intel
    mark = next(_marks(it, book.armor + book.general), Mark("", "", ""))
    texts = [*remarks(key, it, board, view.turn), burden(book.armor, book.general)]
    of = f"{'company' if it.strength == 1 else 'companies'} of {piece_words(key, board)}"
    note = "; ".join(each for each in texts if each)
    return Counter(symbol, it.side, it.strength, LETTERS[symbol] + mark.letter, of, mark.sign, note, rule=mark.rule)


def _marks(it: FormationSeen, attrition: int) -> Iterator[Mark]:
    if not it.supplied:
        yield CUT
    if it.regroup or it.doctrine:
        yield REST
    if attrition >= TIRED:
        yield WEARY


def _enemies(view: SideView) -> dict[str, list[Counter]]:
    """Return the enemy's companies by area, as known from contact or, failing that, from the last report."""
    found: dict[str, list[Counter]] = {}
    enemy = ENEMY.get(view.side, "")
    if not enemy:
        return found
    for it in view.engagements.values():
        if not it.settled and not it.other and it.companies.get(enemy):
            found[it.area] = list(_companies(it.companies[enemy], enemy, "at contact"))
    latest = view.reports[view.side]
    for area, classes in latest.seen.items():
        if area not in found:
            found[area] = list(_companies(classes, enemy, f"reported at the end of turn {latest.turn}"))
    return found


def _companies(classes: dict[str, int], enemy: str, how: str) -> Iterator[Counter]:
    for symbol in INTEL_CLASSES:
        if classes.get(symbol):
            name = f"{symbol} {'company' if classes[symbol] == 1 else 'companies'}"
            yield Counter(symbol, enemy, classes[symbol], LETTERS[symbol] + SEEN, name, SEEN, how, rule="KH-6.01")


# --- signs ---


def _badges(area: str, view: SideView, board: Board) -> Iterator[Badge]:
    for side in SIDES:
        who = side_words(side, board)
        is_fortress = board.fortress.get(area) == side
        there = {
            "base": board.base[side] == area,
            "supply": area in _supply_areas(view, board, side),
            "entry": area in board.entries.get(side, ()),
            "fortress": is_fortress,
            "works": board.fortified.get(area) == side and not is_fortress,
        }
        yield from (_badge(kind, f"{BADGES[kind][2]} of {who}") for kind, applies in there.items() if applies)
    if area in view.interdicted:
        yield _badge("interdicted", f"interdicted by {side_words(view.interdicted[area], board)}")
    latest = view.reports.get(view.side)
    if latest and area in latest.occupied and not latest.seen.get(area):
        yield _badge("seen", f"enemies reported at the end of turn {latest.turn}")
    for key, it in view.engagements.items():
        if area in (it.area, it.other):
            where = f" on {place_words(key, board)}" if it.other else ""
            yield Badge("battle", "", "!", f"engagement{where}: {state_words(it, board)}", "KH-2.10")


def _badge(kind: str, note: str) -> Badge:
    text, letter, _, rule = BADGES[kind]
    return Badge(kind, text, letter, note, rule)


def _supply_areas(view: SideView, board: Board, side: str) -> set[str]:
    """Return the supply areas of a side, including changes by events (KH-2.04, KH-10.04)."""
    of_module = {area for area, sides in board.supply.items() if side in sides}
    opened, closed = (
        {area for owner, _, area in (entry.partition(":") for entry in entries) if owner == side}
        for entries in (view.supply_on, view.supply_off)
    )
    return (of_module | opened) - closed


def _moves(view: SideView) -> Iterator[Move]:
    """Yield the orders of this turn as arrows."""
    for side, sheet in view.sheets.items():
        for path in (*sheet.moves.values(), *sheet.leaders.values()):
            if len(path) > 1:
                yield Move(side, path)


def _now(view: SideView, board: Board) -> Iterator[str]:
    """Yield the result and the weather."""
    if view.outcome:
        yield outcome_words(view, board)
    if view.weather in board.weather.cards:
        yield f"Weather: {board.weather.cards[view.weather].title}"


def _notes(view: SideView, board: Board) -> Iterator[str]:
    """Yield information beside the map: result, weather, engagements, formations off the map."""
    yield from _now(view, board)
    for key, it in view.engagements.items():
        yield f"{capital(place_words(key, board))}: {state_words(it, board)}"
        enemy = ENEMY.get(view.side, "")
        if it.other and it.companies.get(enemy):
            yield f"Enemy there: {composition_words(it.companies[enemy])}"
    for side in SIDES:
        waiting = sorted(
            (board.formations[it.parent or key].enters, key)
            for key, it in view.formations.items()
            if it.side == side and it.standing == WAITING
        )
        for turn, key in waiting[:MAX_WAITING]:
            when = f"turn {turn}" if turn else "set-up"
            entries = board.formations[key].entries
            at = f", {area_words(entries[0], board)}" if entries else ""
            yield f"To come, {when}{at}: {piece_words(key, board)}"
        if len(waiting) > MAX_WAITING:
            yield f"Also to come: {counted(len(waiting) - MAX_WAITING, 'formation')} of {side_words(side, board)}"


MAX_WAITING = 6
"""Maximum number of formations to come that are named on the map."""
