"""The map of a module, with the facts that the game needs about each area."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from khamsin.model.cards import SIDES
from sandtable import DataError
from sandtable.areas import Area, AreaMap, examine_tables

MAX_AREAS = 200
MAX_STOCKS = 99

Owner: TypeAlias = Literal["", "axis", "allies"]
Owners: TypeAlias = Literal["", "axis", "allies", "both"]


class AreaFacts(Struct):
    """The keys of an area apart from its name, terrain, position and neighbors.

    ``control`` is the side that controls it at the start (KH-11.04). ``supply`` (KH-10.04), ``entry`` (KH-4.03),
    ``base``, ``fortress`` (KH-7.02) and ``fortified`` (KH-R26) name the side that they are for. ``stocks`` is the
    number of turns for which the area still supplies after it is cut off (0: no limit). ``optional`` areas are left out
    unless the module has ``optional = true``.
    """

    control: Literal["axis", "allies"]
    supply: Owners = ""
    stocks: Annotated[int, Meta(ge=0, le=MAX_STOCKS)] = 0
    base: Owner = ""
    entry: Owners = ""
    fortress: Owner = ""
    fortified: Owner = ""
    optional: bool = False
    provenance: str = ""
    reason: str = ""
    note: str = ""


class Ground(NamedTuple):
    """The map as read, each area valid by itself, and the ids of areas that were left out."""

    map: AreaMap
    left_out: frozenset[str]


def read_ground(tables: Mapping[str, Any], where: str, *, optional: bool) -> tuple[Ground | None, list[DataError]]:
    """Return the map, or None, and its errors; keys are those of a separate map file."""
    left_out = frozenset() if optional else optional_ids(tables.get("areas"))
    kept = _without(tables, left_out) if left_out else dict(tables)
    rows = kept.get("areas")
    if isinstance(rows, dict) and len(rows) > MAX_AREAS:
        return None, [DataError(where, "areas", f"has {len(rows)} areas; use at most {MAX_AREAS}")]
    area_map, problems = examine_tables(kept, where, facts=AreaFacts)
    return (None if area_map is None else Ground(area_map, left_out)), problems


def optional_ids(rows: Any) -> frozenset[str]:
    """Return the ids of the rows with ``optional = true``."""
    if not isinstance(rows, dict):
        return frozenset()
    return frozenset(key for key, row in rows.items() if isinstance(row, dict) and row.get("optional") is True)


def sides_in(area: Area, fact: str) -> tuple[str, ...]:
    """Return the sides that a fact of an area names."""
    owner = area.text(fact)
    return SIDES if owner == "both" else (owner,) if owner else ()


def _without(tables: Mapping[str, Any], left_out: frozenset[str]) -> dict[str, Any]:
    """Return the tables of a map without some areas and their connectors."""
    rows = {key: _kept_neighbors(row, left_out) for key, row in tables["areas"].items() if key not in left_out}
    links = tables.get("connectors")
    if isinstance(links, list):
        links = [link for link in links if not _touches(link, left_out)]
    return {**tables, "areas": rows} | ({} if links is None else {"connectors": links})


def _kept_neighbors(row: Any, left_out: frozenset[str]) -> Any:
    if not isinstance(row, dict) or not isinstance(row.get("adjacent"), list):
        return row
    return {**row, "adjacent": [each for each in row["adjacent"] if each not in left_out]}


def _touches(link: Any, left_out: frozenset[str]) -> bool:
    ends = link.get("between") if isinstance(link, dict) else None
    return isinstance(ends, list) and any(isinstance(end, str) and end in left_out for end in ends)
