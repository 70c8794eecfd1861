"""A tournament as one HTML page without scripts or external resources, for phones, screen readers and printers."""

from collections.abc import Callable, Iterator
from importlib.resources import files

from sandtable.journal.luck.tables import TableSheet
from sandtable.lab.plan import Forfeit
from sandtable.lab.ratings.findings import ContestFindings, Findings
from sandtable.lab.reports import tables
from sandtable.lab.reports.cross import cross_table
from sandtable.lab.reports.figures import number, percent
from sandtable.lab.reports.markup import Markup, element, joined, text_node
from sandtable.lab.reports.plots import (
    PlotRow,
    Scale,
    axis,
    balance_plot,
    ended_words,
    ratings_plot,
    stacked,
    whisker,
)
from sandtable.lab.reports.tables import Scored

Link = Callable[[int], str | None]
"""A function that returns the address of a game's page or log relative to the report, or None if there is none."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SIDE_COLORS = 8

_SCORE = (
    "points a game: a win counts 1, a draw of n sides 1/n each, and a result by points the share of the side. Its 95 % "
    "interval has one of two sources. From pairs, or sets: computed from the spread of pairs of games with the same "
    "dice and the sides swapped, or of sets in which every player has every side once. From games: Wilson's interval "
    "of single games, used if there are too few complete pairs or sets, or if all are equal."
)
_ELO = (
    "a difference of 100 is an expected score of 64 %, one of 200 of 76 %. With more than two sides it is the expected "
    "proportion of two shares. Its interval comes from pairs or sets; the interval of a difference is longer on its "
    "far side. A player that won or lost everything has no Elo: n/a."
)
_POOLED = (
    "games of different contests in one table. Each contest is weighted by its number of games; a player's strength in "
    "one contest is in the table of that contest."
)
_CLOCK = "processor time, measured on the machines that played. It depends on them; no result depends on it."
_STRONGER = "the likelihood that the first player is the stronger one."
_PAIRS = "number of pairs with 0, 1, 2, 3 and 4 half points for the first player."
_TEST = (
    "a sequential test of normalized Elo on pairs, by its log-likelihood ratio (LLR): the lower Elo (elo0) or the "
    "higher one (elo1) is accepted when the ratio reaches its bound."
)
_LUCK = (
    "the score minus the effect of the dice: surplus hits, own minus the opponent's, times the value of a hit in games "
    "of these two."
)


def as_html(found: Findings, link: Link | None = None) -> str:
    """Return the page. ``link`` returns the addresses of notable games."""
    several = len(found.contests) > 1
    sections = [_contest(found, own, index) for index, own in enumerate(tables.scored(found), start=1)]
    sections += [
        _section("decisions", "Decisions", _sheet(tables.efforts(found), first_word=1)),
        _section("forfeits", "Forfeits", _forfeits(found)),
        _section("games", "Notable games", _games(found, link)),
        _section("origin", "Origin", _origin(found)),
        _section("words", "How to read this", _words(found, several=several)),
    ]
    style = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
    head = joined(
        [
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("title", text_node(found.title)),
            Markup(f"<style>\n{style}</style>"),
        ]
    )
    shown = [(ident, heading, part) for ident, heading, part in sections if part]
    entries = [element("li", element("a", text_node(heading), href=f"#{ident}")) for ident, heading, _ in shown]
    menu = element("nav", element("ul", *entries), aria_label="sections")
    body = element("body", _head(found), menu, element("main", joined(part for *_, part in shown)))
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n{body}\n</html>\n'


def _contest(found: Findings, own: Scored, index: int) -> tuple[str, str, Markup]:
    """Return the section of one contest, or of all games pooled."""
    parts: list[tuple[str, list[Markup]]] = [
        ("Standings", [*_sheet(tables.standings(own), first_word=1), *_luck(own)]),
        ("Ratings", _ratings(own)),
        ("Cross table", cross_table(own)),
        ("Each against each", _sheet(tables.encounters(own))),
        ("Sequential test", _sheet(tables.tests(own))),
    ]
    if own.contest is None:
        ident, heading = "pooled", "All games, pooled"
        parts[0][1].insert(0, element("p", text_node(f"These are {_POOLED}"), class_="note"))
    else:
        ident, heading = f"contest-{index}", own.title if len(found.contests) > 1 else "Results"
        parts += [
            ("Balance of sides", list(_balance(own.contest))),
            ("How the games ended", list(_endings(own.contest))),
        ]
    inside = [piece for name, made in parts if made for piece in (element("h3", text_node(name)), *made)]
    return _section(ident, heading, inside)


def _section(ident: str, heading: str, parts: list[Markup]) -> tuple[str, str, Markup]:
    """Return a section with its id and heading, empty if it has no parts."""
    inside = joined(parts)
    if not inside:
        return ident, heading, Markup("")
    title = element("h2", text_node(heading), id=f"{ident}-title")
    return ident, heading, element("section", title, inside, id=ident, aria_labelledby=f"{ident}-title")


def _head(found: Findings) -> Markup:
    facts = [("games", number(found.games)), ("players", number(len(found.standings)))]
    facts += [("played", "; ".join(each.title for each in found.contests))]
    facts += [("when", f"{found.annex.began} to {found.annex.last}" if found.annex.began else "")]
    facts += [("seed", found.seed), ("manifest", found.digest)]
    pairs = [part for name, value in facts if value for part in (element("dt", text_node(name)), _value(name, value))]
    notes = [element("p", text_node(f"{note}."), class_="note") for note in found.notes]
    if not found.games:
        notes.append(element("p", text_node("No game has been played yet."), class_="note"))
    return element("header", element("h1", text_node(found.title)), element("dl", *pairs), *notes)


def _value(name: str, value: str) -> Markup:
    return element("dd", element("code", text_node(value)) if name in {"seed", "manifest"} else text_node(value))


def _sheet(sheet: TableSheet, *, first_word: int = 0) -> list[Markup]:
    return [_table(sheet, first_word=first_word)] if sheet.rows else []


def _table(sheet: TableSheet, *, first_word: int = 0) -> Markup:
    """Return a sheet as a table. Column ``first_word`` holds the row headers."""
    right = set(sheet.right)
    heads = []
    for index, heading in enumerate(sheet.headings):
        style = {"class_": "n"} if index in right else {}
        heads.append(element("th", text_node(heading), scope="col", **style) if heading else element("td"))
    rows = []
    for cells in sheet.rows:
        parts = []
        for index, cell in enumerate(cells):
            style = {"class_": "n"} if index in right else {}
            head = index == first_word
            parts.append(
                element("th", text_node(cell), scope="row") if head else element("td", text_node(cell), **style)
            )
        rows.append(element("tr", *parts))
    return wide(_table_element(Markup("".join(heads)), rows, "stick"), sheet.title)


def _table_element(heads: Markup, rows: list[Markup], kind: str) -> Markup:
    return element("table", element("thead", element("tr", heads)), element("tbody", joined(rows)), class_=kind)


def wide(table: Markup, title: str) -> Markup:
    """Return ``table`` in a frame that scrolls horizontally on narrow screens, also by keyboard."""
    return element("div", table, class_="wide", role="region", aria_label=title, tabindex=0)


def _luck(own: Scored) -> list[Markup]:
    shares = [each.adjusted.explained for each in own.standings if each.adjusted]
    if not shares:
        return []
    text = (
        f"Luck of the dice explains {percent(min(shares), 0)} to {percent(max(shares), 0)} of the variance of scores."
    )
    return [element("p", text_node(text), class_="soft")]


def _plot(
    rows: Iterator[tuple[str, Markup, str]],
    on: Scale,
    labels: list[str],
    heads: tuple[str, str],
    words: tuple[str, str],
) -> Markup:
    """Return a plot as a figure. ``words`` are the label of its axis and its caption."""
    lines = [
        element(
            "tr",
            element("th", text_node(name), scope="row"),
            element("td", drawing, class_="room"),
            element("td", text_node(text), class_="n"),
        )
        for name, drawing, text in rows
    ]
    foot = element("tr", element("td"), element("td", axis(on, labels), class_="room"), element("td"), class_="axis")
    shown = element("td", text_node(words[0]), class_="what")
    heading = [element("th", text_node(heads[0]), scope="col"), element("td")]
    heading.append(element("th", text_node(heads[1]), scope="col", class_="n"))
    plot = _table_element(
        Markup("".join(heading)), [*lines, foot, element("tr", element("td"), shown, element("td"))], "plot"
    )
    return element("figure", plot, element("figcaption", text_node(words[1])))


def _ratings(own: Scored) -> list[Markup]:
    """Return the plot of ratings, the best first, or of scores if there are no ratings."""
    shown = ratings_plot(own)
    return [] if shown is None else [_plot(map(_whiskered(shown.on), shown.rows), *shown[1:])]


def _whiskered(on: Scale) -> Callable[[PlotRow], tuple[str, Markup, str]]:
    return lambda row: (row.name, whisker(on, row.value, row.low, row.high), row.text)


def _balance(each: ContestFindings) -> Iterator[Markup]:
    if each.games:
        shown = balance_plot(each)
        yield _plot(map(_whiskered(shown.on), shown.rows), *shown[1:])


def _endings(each: ContestFindings) -> Iterator[Markup]:
    if not each.games:
        return
    outcomes = tables.outcomes_of(each)
    colors = {name: _color_class(each, name) for name in outcomes}
    sheet = tables.endings(each)
    most = max(sum(by_outcome.values()) for by_outcome in each.endings.values())
    heads = [
        element("th", text_node("ending"), scope="col"),
        element("th", text_node("games"), scope="col", class_="n"),
    ]
    heads += [element("th", text_node("share"), scope="col", class_="n"), element("td")]
    heads += [element("th", _key(tables.worded(name), colors[name]), scope="col", class_="n") for name in outcomes]
    rows = []
    for (ending, total, share, *counts), by_outcome in zip(sheet.rows, each.endings.values(), strict=True):
        whole = sum(by_outcome.values())
        bar = stacked([(colors[name], by_outcome.get(name, 0) / whole) for name in outcomes], whole / most)
        cells = [element("th", text_node(ending), scope="row")]
        cells += [element("td", text_node(text), class_="n") for text in (total, share)]
        cells += [element("td", bar, class_="room")]
        cells += [element("td", text_node(text), class_="n") for text in counts]
        rows.append(element("tr", *cells))
    yield wide(_table_element(Markup("".join(heads)), rows, "plot"), sheet.title)
    yield element("p", text_node(ended_words(each)), class_="soft")


def _color_class(each: ContestFindings, outcome: str) -> str:
    sides = [side.side for side in each.sides]
    return f"s{sides.index(outcome) % _SIDE_COLORS}" if outcome in sides else "draw"


def _key(text: str, color: str) -> Markup:
    box = element("rect", class_=color, x=0, y=0, width=12, height=12)
    return element("span", element("svg", box, width=12, height=12, aria_hidden="true"), text_node(text), class_="key")


def _games(found: Findings, link: Link | None) -> list[Markup]:
    if not found.examples:
        return []
    heads = ("game", "played", "seats", "outcome", "ending", "why")
    rows = []
    for each in found.examples:
        where = link(each.game) if link else None
        name = text_node(str(each.game))
        seats = ", ".join(f"{side}: {who}" for side, who in each.lineup.items())
        texts = (each.contest, seats, tables.outcome_of(each), tables.worded(each.ending), each.why)
        shown = element("a", name, href=where, aria_label=f"look at game {each.game}") if where else name
        first = element("th", shown, scope="row", class_="n")
        rows.append(element("tr", first, *(element("td", text_node(text)) for text in texts)))
    cells = [
        element("th", text_node(head), scope="col", **({} if index else {"class_": "n"}))
        for index, head in enumerate(heads)
    ]
    return [wide(_table_element(Markup("".join(cells)), rows, "stick"), "notable games")]


def _forfeits(found: Findings) -> list[Markup]:
    """Return the reasons of forfeits, and the last lines of the program for the first forfeit with each reason."""
    parts = _sheet(tables.reasons(found))
    by_reason: dict[tuple[str, str, str], list[Forfeit]] = {}
    for each in found.annex.faults:
        if each.tail:
            by_reason.setdefault((each.entrant, each.verdict, each.reason), []).append(each)
    for (entrant, verdict, reason), (first, *others) in by_reason.items():
        head = f"game {first.game}: {entrant} ({first.side}): {verdict}: {reason}"
        if others:
            head += f" (also in {', '.join(str(each.game) for each in others)})"
        lines = [element("code", text_node(line)) for line in first.tail.splitlines()]
        parts.append(element("details", element("summary", text_node(head)), element("pre", joined(lines))))
    return parts


def _origin(found: Findings) -> list[Markup]:
    sheet = tables.origin(found)
    if not sheet.rows:
        return []
    manifest_lines = [element("code", text_node(line)) for line in found.annex.manifest.splitlines()]
    text = element("summary", text_node("The manifest: save it as manifest.toml to replay the tournament"))
    return [_table(sheet), element("details", text, element("pre", joined(manifest_lines)))]


def _words(found: Findings, *, several: bool) -> list[Markup]:
    texts = [("Score", _SCORE), ("Elo", _ELO), ("Stronger", _STRONGER), ("Pairs", _PAIRS)]
    if several:
        texts.append(("All games, pooled", _POOLED))
    if found.annex.clocks:
        texts.append(("Processor", _CLOCK))
    if any(each.test for each in found.encounters):
        texts.append(("Test", _TEST))
    if any(each.adjusted for each in found.standings):
        texts.append(("Score without luck", _LUCK))
    pairs = [part for name, text in texts for part in (element("dt", text_node(name)), element("dd", text_node(text)))]
    return [element("dl", *pairs)]
