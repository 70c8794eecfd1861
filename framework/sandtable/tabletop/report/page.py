"""A brief as plain text of 80 columns, for people at a table."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from textwrap import wrap

from sandtable.tabletop.brief import Brief, Company, Party, Platoon

WIDTH = 80
KINDS = {
    "afv": "armor",
    "light_afv": "light armor",
    "infantry": "foot",
    "gun": "guns",
    "artillery": "artillery",
}
"""Printed names of the kinds of platoon."""


def as_text(brief: Brief) -> str:
    """Return the brief as printable text for people; no line is longer than ``WIDTH``."""
    lines = [f"{title(brief)}", "=" * min(WIDTH, len(title(brief)))]
    for label, text in brief_rows(brief):
        lines += _labelled(label, text)
    for side in brief.sides:
        lines += ["", *_party(brief, side)]
    if brief.notes:
        lines += ["", "Notes"]
        for note in brief.notes:
            lines += _labelled("", note)
    return "\n".join(clean(line) for line in lines) + "\n"


def clean(text: str) -> str:
    """Return text on one line without characters that a terminal might interpret."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def title(brief: Brief) -> str:
    """Return the heading, cut to the width of a page."""
    text = clean(f"{brief.mission} at {brief.place_title or brief.place}")
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def brief_rows(brief: Brief) -> Iterator[tuple[str, str]]:
    """Yield the facts about both sides as (label, text), without empty ones."""
    yield "Battle", f"{brief.id}, turn {brief.turn}, action {brief.action} of {brief.actions}"
    if brief.mode != "ordinary":
        yield "Mode", {"total_war": "Total War", "linked": "linked tables"}[brief.mode]
    names = {side: brief.parties[side].title for side in brief.sides}
    if brief.attacker or brief.defender:
        roles = (("attacker", brief.attacker), ("defender", brief.defender))
        yield "Roles", ", ".join(f"{role} {names.get(side, side)}" for role, side in roles if side)
    else:
        yield "Roles", "as the mission says"
    if brief.withdrawing:
        yield "Withdrawing", names.get(brief.withdrawing, brief.withdrawing)
    if brief.objectives:
        yield "Objectives", str(brief.objectives)
    if brief.flags:
        yield "Special rules", ", ".join(flag.replace("_", " ") for flag in brief.flags)
    yield "Table", "; ".join(_table(brief))
    weather = [brief.weather.replace("_", " "), f"mud {brief.mud} of 4" if brief.mud else "", *brief.effects]
    if any(weather):
        yield "Weather", "; ".join(part for part in weather if part)
    if brief.rules:
        yield "Rules", ", ".join(brief.rules)


def _table(brief: Brief) -> Iterator[str]:
    table = brief.table
    yield f"{table.depth} x {table.width} feet{' (small table)' if table.small else ''}"
    if table.number:
        near = f", near {', '.join(map(str, table.near))}" if table.near else ""
        yield f"table {table.number}{near}"
    if table.terrain:
        yield table.terrain
    if table.guide:
        yield f"terrain guide {table.guide}"
    if table.road:
        yield "the defender places a road across it as the last step"
    if table.fortified:
        side = brief.parties.get(table.fortified)
        yield f"fortifications of {side.title if side else table.fortified}"


def party_rows(party: Party) -> Iterator[tuple[str, str]]:
    """Yield the facts about one side as (label, text), without empty ones."""
    own = ", leads troops of their own formation" if party.own_troops else ""
    if party.player:
        yield "Player", f"{party.player}{own}"
    yield "Points", f"{party.points}{', did not move this turn' if party.stationary else ''}"
    if party.rerolls:
        traded = "traded for a full move before the game" if party.traded else "may be traded for a full move before it"
        yield "Re-rolls", f"{party.rerolls}, {traded}"
    if party.air != "none" or party.flights:
        flights = f", {party.flights} flights" if party.flights else ""
        yield "Air support", f"{party.air}{flights}"
    if party.command:
        yield "Command", ", ".join(party.command)
    if party.characters:
        yield "Characters", ", ".join(party.characters)
    if party.stratagems:
        yield "Stratagems", party.stratagems
    if party.extras:
        yield "Bought", ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in party.extras.items())
    for note in party.notes:
        yield "Note", note


def company_title(company: Company) -> str:
    """Return the kind of a company and its parent formation."""
    nation = f"{company.nation} " if company.nation else ""
    kind = company.type.replace("_", " ")
    parent = company.parent_title or company.parent
    return f"{nation}{kind} company{parent and f' of {parent}'}"


def company_state(company: Company) -> str:
    """Return the points and quality of a company, and its shortages."""
    points = [f"{company.points} points"] if company.points else []  # a brief for the other side has no points
    parts = [*points, f"{company.motivation} {company.skill}"]
    if not company.supplied:
        parts.append("out of supply")
    if company.stand_less:
        parts.append("each platoon deploys a stand less, which counts as lost already")
    elif company.afv_less:
        parts.append(f"armored platoons {company.afv_less} below their maximum")
    return "; ".join(parts)


def traits(platoon: Platoon) -> str:
    """Return the special traits of a platoon, in a few words."""
    found = [platoon.level] if platoon.level else []
    found += ["independent"] if platoon.independent else []
    found += ["recon"] if platoon.recon else []
    found += ["off table"] if platoon.off_table else []
    found += [f"{platoon.transports} transports"] if platoon.transports else []
    found += [f"{platoon.upgrades} upgrades"] if platoon.upgrades else []
    return ", ".join(found)


def deployed(platoon: Platoon) -> str:
    """Return the number of deployed teams, and the full number if that is different."""
    return str(platoon.fielded) if platoon.fielded == platoon.teams else f"{platoon.fielded} of {platoon.teams}"


def _party(brief: Brief, side: str) -> Iterator[str]:
    party = brief.parties[side]
    yield clean(party.title.upper())[:WIDTH]
    yield "-" * WIDTH
    for label, text in party_rows(party):
        yield from _labelled(label, text)
    for company in party.companies:
        yield ""
        yield from wrap(clean(company_title(company)), WIDTH)
        yield from wrap(clean(company_state(company)), WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield from _rows(company.platoons)


def _rows(platoons: Iterable[Platoon]) -> Iterator[str]:
    rows = [
        (each.id, each.title, KINDS[each.kind], deployed(each), str(each.points), traits(each)) for each in platoons
    ]
    if not rows:
        return
    widths = (9, 24, 12, 7, 6)
    rest_width = WIDTH - 2 - sum(widths) - len(widths) - 1
    for row in (("", "platoon", "kind", "teams", "points", ""), *rows):
        cells = [_cut(clean(text), width) for text, width in zip(row, widths, strict=False)]
        more = wrap(clean(row[5]), rest_width)
        for name, said in zip_longest(wrap(clean(row[1]), widths[1]), more, fillvalue=""):
            first = f"  {cells[0]:<9} {name:<24} {cells[2]:<12} {cells[3]:>7} {cells[4]:>6}"
            yield f"{first}  {said}".rstrip()
            cells = [""] * len(widths)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _labelled(label: str, text: str) -> list[str]:
    """Return text after its label, wrapped to the width of the page."""
    return wrap(f"{label + ':' if label else '':<15}{clean(text)}", WIDTH, subsequent_indent=" " * 15) or [""]
