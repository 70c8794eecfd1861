"""A brief as one page of HTML that prints on A4, for people at a table, with a form to fill in by pencil."""

from collections.abc import Iterable, Iterator

from sandtable.tabletop.brief import Brief, Company, Platoon
from sandtable.tabletop.report import page
from sandtable.tabletop.terms import ARMOR

STYLE = """
@page { size: A4; margin: 12mm; }
body { font: 10pt/1.3 Helvetica, Arial, sans-serif; color: #111; max-width: 186mm; margin: 0 auto; }
h1 { font-size: 17pt; margin: 0 0 2mm; border-bottom: 1.5pt solid #111; }
h2 { font-size: 12pt; margin: 5mm 0 1mm; }
h3 { font-size: 10pt; margin: 3mm 0 0; }
p { margin: 0 0 1mm; }
dl { display: grid; grid-template-columns: 27mm 1fr; margin: 0; }
dt { font-weight: bold; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin-top: 1mm; }
th, td { border: 0.4pt solid #888; padding: 0.5mm 1.2mm; text-align: left; overflow-wrap: anywhere; }
th { background: #eee; font-size: 8pt; white-space: nowrap; }
td.n { text-align: right; white-space: nowrap; } td.x { width: 11mm; }
td.no { background: #ddd; }
.box { display: inline-block; width: 4mm; height: 4mm; border: 0.5pt solid #111; }
.box { margin: 0 1mm; vertical-align: -0.8mm; }
.line { display: inline-block; border-bottom: 0.5pt solid #111; width: 80mm; height: 4mm; }
.form { border: 1pt solid #111; padding: 2mm 3mm; margin-top: 5mm; }
.form h2 { margin-top: 0; }
.form p { margin-bottom: 2mm; }
tr, .form { break-inside: avoid; }
"""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
BOX = '<span class="box"></span>'
LINE = '<span class="line"></span>'
LOSSES = ("destroyed", "routed", "bailed", "transports", "lost")
MAX_BOXES = 40


def escape(text: str) -> str:
    """Return text escaped for content and attributes; unprintable characters become question marks."""
    return "".join(_ENTITIES.get(letter, letter) for letter in page.clean(text))


def as_html(brief: Brief, *, attrition: bool = True) -> str:
    """Return the brief as one self-contained page: no script, no external resources, all text escaped.

    Without ``attrition``, its form leaves out the fields of campaigns that count attrition.
    """
    name = escape(page.title(brief))
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{name}</title><style>{STYLE}</style></head><body>",
        f"<h1>{name}</h1>",
        _facts(page.brief_rows(brief)),
        *(f"<p>{escape(note)}</p>" for note in brief.notes),
    ]
    for side in brief.sides:
        party = brief.parties[side]
        parts += [f"<h2>{escape(party.title)}</h2>", _facts(page.party_rows(party))]
        parts += [part for company in party.companies for part in _company(company)]
    parts += [*_form(brief, attrition=attrition), "</body></html>"]
    return "\n".join(parts) + "\n"


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in facts)
    return f"<dl>{rows}</dl>"


def _company(company: Company) -> Iterator[str]:
    yield f"<h3>{escape(page.company_title(company))}</h3><p>{escape(page.company_state(company))}</p>"
    if not company.platoons:
        return
    heads = ("platoon", "kind", "teams", "points", "", *LOSSES)
    yield f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"
    yield from map(_row, company.platoons)
    yield "</table>"


def _row(platoon: Platoon) -> str:
    """Return the row of a platoon: its facts, then the boxes for its losses; inapplicable boxes are gray."""
    filled = {
        "destroyed": True,
        "routed": not platoon.independent,
        "bailed": platoon.kind in ARMOR,
        "transports": bool(platoon.transports),
        "lost": not platoon.independent,
    }
    cells = "".join(f'<td class="{"x" if filled[name] else "x no"}"></td>' for name in LOSSES)
    return (
        f"<tr><td>{escape(platoon.title)} ({escape(platoon.id)})</td><td>{page.KINDS[platoon.kind]}</td>"
        f'<td class="n">{page.deployed(platoon)}</td><td class="n">{platoon.points}</td>'
        f"<td>{escape(page.traits(platoon))}</td>{cells}</tr>"
    )


def _form(brief: Brief, *, attrition: bool) -> Iterator[str]:
    names = [escape(brief.parties[side].title) for side in brief.sides]
    yield '<div class="form"><h2>Result</h2>'
    yield f"<p>Winner: {' '.join(f'{BOX}{name}' for name in (*names, 'draw'))}</p>"
    points = " ".join(f"{BOX}{pair}" for pair in ("6-1", "5-2", "4-3", "draw"))
    yield f"<p>Victory points, the winner's first: {points} {BOX}-{BOX} &nbsp; Table turns played: {BOX}</p>"
    yield "<p>Losses: write teams destroyed, routed and bailed out into the tables above; tick platoons that count as"
    yield " lost.</p>"
    for side, name in zip(brief.sides, names, strict=True):
        party = brief.parties[side]
        armor = sum(each.fielded for each in brief.platoons(side).values() if each.kind in ARMOR)
        if armor and attrition:
            boxes = BOX * min(armor, MAX_BOXES)
            yield f"<p>{name}, recovery dice, one for each armored vehicle lost: {boxes}</p>"
        if party.characters:
            hit = " ".join(f"{BOX}{escape(each)}" for each in party.characters)
            yield f"<p>{name}, characters hit: {hit}</p>"
        recon = [each.title for each in brief.platoons(side).values() if each.recon]
        if recon:
            yield f"<p>{name}, in the enemy's half at the end: {' '.join(f'{BOX}{escape(each)}' for each in recon)}</p>"
    heroic = f"<p>Heroic acts, by player: {LINE}</p>" if attrition else ""
    yield f"{heroic}<p>Remarks: {LINE}</p></div>"
