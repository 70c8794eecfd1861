"""Counters of platoons: the types and numbers of each side of a brief, and their figures."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from kampfpanzer.model.forces import AFV, ARTILLERY, INFANTRY, TRUCK
from kampfpanzer.model.tables import PANIC_LEVELS
from kampfpanzer.tabletop.mapping import bridge, by_word, counter, year_of
from sandtable.tabletop import Brief, Company, Party, Platoon

CATEGORY = {
    "afv": AFV,
    "light_afv": AFV,
    "infantry": INFANTRY,
    "gun": ARTILLERY,
    "artillery": ARTILLERY,
    "truck": TRUCK,
    "air": ARTILLERY,
}
MAX_MUD = 6
"""Number of grades of mud that would stop all movement; each grade takes an equal part of it."""


class Squad(NamedTuple):
    """Counters of one type: ``number`` of the type ``name``, with the figures ``row``.

    ``platoon`` is the id of the platoon that they represent or carry, or "" for aircraft. ``what`` is a kind of
    platoon, "truck" or "air".
    """

    name: str
    number: int
    row: dict[str, Any]
    platoon: str
    what: str

    @property
    def fights(self) -> bool:
        """Whether it is a platoon itself, not its trucks or aircraft."""
        return bool(self.platoon) and self.what != "truck"


def squads(brief: Brief) -> dict[str, list[Squad]]:
    """Return the counters of each side; every platoon with teams in the field has its own type."""
    identity = iter(range(1, 10_000))
    found: dict[str, list[Squad]] = {}
    for side in brief.sides:
        party = brief.parties[side]
        found[side] = []
        for what, name, number, platoon, row in _rows(brief, party):
            first = next(identity)
            last = first
            for _ in range(number - 1):
                last = next(identity)
            unique = f"{row.pop('name')}.{side}.{name}"
            found[side].append(Squad(unique, number, row | {"ids": [[first, last]]}, platoon, what))
    return found


def _rows(brief: Brief, party: Party) -> Iterator[tuple[str, str, int, str, dict[str, Any]]]:
    """Yield the kind, name, number, platoon and figures of each type."""
    for company in party.companies:
        for platoon in company.platoons:
            if platoon.fielded:
                number, step = _number(platoon)
                yield platoon.kind, platoon.id, number, platoon.id, _platoon(brief, company, platoon, step)
                if platoon.transports and not platoon.off_table and CATEGORY[platoon.kind] != AFV:
                    truck = _figures(brief, company, "truck")
                    yield "truck", f"{platoon.id}.t", number, platoon.id, truck
    flights = bridge()["air"].get(party.air, 0)
    if party.air != "none" and party.flights:
        flights = party.flights
    if flights:
        yield "air", "air", flights, "", _figures(brief, party.companies[0], "air")


def _number(platoon: Platoon) -> tuple[int, int]:
    """Return the number of counters for a platoon's points, and the change of attack for the remainder, -1 to 2."""
    points = bridge()["points"]
    price, step = points[platoon.kind], points["step"]
    number = max(1, min(points["most_counters"], (2 * platoon.points + price) // (2 * price)))
    over = platoon.points - number * price
    return number, max(-1, min(2, over // (step * number) if over >= 0 else -(-over // (step * number))))


def _platoon(brief: Brief, company: Company, platoon: Platoon, step: int) -> dict[str, Any]:
    """Return the figures of a platoon; attack depends on missing teams, supply and the remainder of points."""
    row = _figures(brief, company, platoon.kind)
    if row["attack"]:
        paid = max(1, platoon.teams)
        attack = (row["attack"] * min(platoon.fielded, paid) + paid - 1) // paid + step
        row["attack"] = max(1, attack - (not company.supplied))
    return row


def _figures(brief: Brief, company: Company, what: str) -> dict[str, Any]:
    """Return the figures of a kind, adjusted for weather and supply, with its category and nation."""
    row = dict(counter(what, company.nation, year_of(brief)))
    row["category"] = CATEGORY[what]
    row["nation"] = company.nation or "any"
    if row["movement"] > 1:
        row["movement"] = max(1, row["movement"] * (MAX_MUD - brief.mud) // MAX_MUD)
        if not company.supplied:
            row["movement"] = max(1, row["movement"] // 2)
    sight = by_word(bridge()["sight"], brief.weather)
    if sight and row["weapon"] != "H":
        row["range_hexes"] = min(row["range_hexes"], sight)
    return row


def panic_level(party: Party) -> int:
    """Return the panic level of a side: that of its worst company, one lower for each re-roll kept."""
    levels = bridge()["panic"]
    found = [
        levels.get(f"{each.motivation} {each.skill}", levels.get(each.skill, PANIC_LEVELS[1]))
        for each in party.companies
    ]
    kept = 0 if party.traded else party.rerolls
    return max(PANIC_LEVELS[0], min(PANIC_LEVELS[-1], max(found, default=PANIC_LEVELS[1]) - kept))
