"""Checks of a scenario: facts of areas, the road, connected open ground, and incomes."""

from collections.abc import Iterator
from typing import NamedTuple

from desert_aa.model.tables import OPEN, POWER_NAMES, ROAD, SIDE_NAMES, SIDE_OF, SIDES
from sandtable.areas import AreaMap

Problem = tuple[str, str]
"""The key in the file, and the problem there."""


class Facts(NamedTuple):
    """The facts of an area that the game needs."""

    terrain: str
    owner: str
    value: int
    road: bool
    city: bool
    zone: bool
    capital: str


def fact_problems(facts: dict[str, Facts]) -> Iterator[Problem]:
    """Yield contradictions in one area, and missing or repeated capitals (DAA-R62)."""
    for area_id, fact in facts.items():
        key = f"areas.{area_id}"
        if fact.terrain == OPEN and not fact.owner:
            yield f"{key}.owner", "is empty: name the power that holds this open ground at the start"
        for name in ("owner", "value", "road", "city", "zone", "capital"):
            if fact.terrain != OPEN and getattr(fact, name):
                yield f"{key}.{name}", "is given for closed ground: remove it"
        if fact.capital and SIDE_OF.get(fact.owner, fact.capital) != fact.capital:
            problem = f"is of {SIDE_NAMES.get(fact.capital)}, but {POWER_NAMES[fact.owner]} holds the area"
            yield f"{key}.capital", problem
    for side in SIDES:
        found = [area_id for area_id, fact in facts.items() if fact.capital == side]
        if not found:
            yield "areas", f'no area is the capital of {SIDE_NAMES[side]}: give one capital = "{side}"'
        for area_id in found[1:]:
            yield f"areas.{area_id}.capital", f"is a second capital of {SIDE_NAMES[side]}, after {found[0]}"
        if found and not facts[found[0]].road:
            yield f"areas.{found[0]}.road", "must be true: the road to the capital is the rear of its side (DAA-R21)"


def ground_problems(area_map: AreaMap, facts: dict[str, Facts]) -> Iterator[Problem]:
    """Yield problems of the ground: the road must be one line (DAA-6.01), and open ground must be connected."""
    road: dict[str, list[str]] = {area_id: [] for area_id, fact in facts.items() if fact.road}
    land: dict[str, list[str]] = {area_id: [] for area_id, fact in facts.items() if fact.terrain == OPEN}
    for link in area_map.connectors:
        if link.a in land and link.b in land:
            land[link.a].append(link.b)
            land[link.b].append(link.a)
        if link.kind != ROAD:
            continue
        if link.a not in road or link.b not in road:
            off = link.a if link.a not in road else link.b
            yield "connectors", f'{link.a} to {link.b} is of kind "road", but {off} lacks road = true'
            continue
        road[link.a].append(link.b)
        road[link.b].append(link.a)
    yield from _road_problems(road)
    apart = sorted(land.keys() - _joined(land))
    if apart:
        yield f"areas.{apart[0]}", "cannot be reached over open ground: add a connector"


def _road_problems(road: dict[str, list[str]]) -> Iterator[Problem]:
    for area_id, ends in road.items():
        if len(ends) > 2:
            yield f"areas.{area_id}.road", f"the road branches here, to {', '.join(sorted(ends))}"
    apart = sorted(road.keys() - _joined(road))
    if apart:
        yield f"areas.{apart[0]}.road", "is not connected to the rest of the road: add a connector of kind road"
    elif all(len(ends) == 2 for ends in road.values()):
        yield "connectors", "the road is a ring: it must have two ends"


def _joined(neighbors: dict[str, list[str]]) -> set[str]:
    """Return the spaces that can be reached from the first key of ``neighbors``."""
    reached = list(neighbors)[:1]
    seen = set(reached)
    for here in reached:
        for there in neighbors[here]:
            if there not in seen:
                seen.add(there)
                reached.append(there)
    return seen


def income_problems(facts: dict[str, Facts], income: dict[str, int]) -> Iterator[Problem]:
    """Yield the incomes that differ from the values of the power's spaces, and a map without values (DAA-14.08)."""
    for power, printed in income.items():
        worth = sum(fact.value for fact in facts.values() if fact.owner == power)
        if worth != printed:
            yield f"powers.{power}.income", f"is {printed}, but the spaces of {power} pay {worth}"
    if not any(fact.value for fact in facts.values()):
        yield "areas", "no area has a value, so no power has an income"
