"""The cross table: the scores of all players against each other, by rows."""

from sandtable.lab.ratings.scores import Encounter
from sandtable.lab.reports.figures import percent
from sandtable.lab.reports.markup import Markup, element, text_node
from sandtable.lab.reports.tables import Scored

HOTTEST = 45
"""Percentage of background color at a score of 0 or 1, at which text stays legible."""


def cross_table(own: Scored) -> list[Markup]:
    """Return the cross table with players in the order of the standings, or [] without encounters."""
    if not own.encounters:
        return []
    met = {frozenset((each.first, each.second)): each for each in own.encounters}
    seen = {name for pair in met for name in pair}
    names = [each.name for each in own.standings if each.name in seen]
    numbers = [element("th", text_node(str(position)), scope="col") for position in range(1, len(names) + 1)]
    rows = []
    for position, name in enumerate(names, start=1):
        cells = [element("th", text_node(f"{position} {name}"), scope="row")]
        cells += [_cell(name, met.get(frozenset((name, other)))) if other != name else _self() for other in names]
        rows.append(element("tr", *cells))
    head = element("thead", element("tr", element("th", text_node("player"), scope="col"), *numbers))
    table = element("table", head, element("tbody", *rows), class_="cross stick")
    text = "Read by rows: the score of the player on the left against each other, and games won, drawn, lost."
    frame = element("div", table, class_="wide", role="region", aria_label=f"cross table, {own.title}", tabindex=0)
    return [frame, element("p", text_node(text), class_="soft")]


def _self() -> Markup:
    return element("td", element("span", text_node("\N{MIDDLE DOT}"), aria_hidden="true"), class_="self")


def _cell(name: str, each: Encounter | None) -> Markup:
    if each is None:
        return element("td")
    first = each.first == name
    score = each.score if first else 1 - each.score
    wins, losses = (each.wins, each.losses) if first else (each.losses, each.wins)
    heat = f"--heat:{2 * HOTTEST * abs(score - 0.5):.0f}%"
    small = element("small", text_node(f"{wins}-{each.draws}-{losses}"))
    return element("td", text_node(percent(score)), small, class_="won" if score > 0.5 else "lost", style=heat)
