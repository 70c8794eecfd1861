"""Positions of units, and the small map with its board and state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from msgspec import json

import damos
from damos.model.state import ON_MAP, DamosState, Unit
from damos.setup.opening import build_board, opening_state
from damos.setup.reading import Sheet, UnitSheet, read_sheet
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import Scenario, merged, scenario_of

GERMAN, SOVIET = SIDES = ("german", "soviet")
ROWS, COLUMNS = (20, 39), (1, 30)
RAILWAY = 28
"""The row of the only railway of the small map."""

TYPES = {
    "a": ("armor", "division", 6),
    "m": ("mechanized", "division", 6),
    "t": ("motorized", "division", 6),
    "c": ("cavalry", "division", 5),
    "i": ("infantry", "division", 4),
    "b": ("infantry", "brigade", 4),
    "r": ("infantry", "regiment", 4),
    "n": ("infantry", "regiment", 4),
    "h": ("infantry", "division", 4),
    "q": ("infantry", "regiment", 4),
    "d": ("armor", "brigade", 5),
}
"""Type, size and movement by first letter. ``n`` are NKVD, ``h`` and ``q`` are allies of the Germans."""

SPARES = {GERMAN: ("A99", "2829"), SOVIET: ("a99", "2802")}
"""A force of each side far away from the others. It is always fresh."""

MOSCOW, SMOLENSK = "2102", "3902"
"""The hexes of Moscow and Smolensk on the small map, far from the usual positions."""
FRONT, BORDER = 16, 21
"""The last German column at the start of a case, and the last column on the German side of the frontier."""

TERRAIN = {"forest": "forest", "marsh": "marsh", "town": "town", "city": "city", "major": "major_city"}


class Placed(NamedTuple):
    """A unit in a position text: "A1:5/7!~" has 5 of 7 points, is demoralized and spent."""

    unit_id: str
    hex: str
    sp: int
    printed: int
    demoralized: bool
    spent: bool


_UNIT = re.compile(r"([A-Za-z][\w-]*?)(?::(\d+)(?:/(\d+))?)?(!?)(~?)")


def position(text: str) -> dict[str, Placed]:
    """Parse "2816 A1:7 I1:6/8!; 2817 I2:5~". Without a number, the strength is the printed one.

    Instead of a hex, "pool", "eliminated" and "surrendered" mean units off the map.
    """
    found = {}
    for group in filter(None, map(str.strip, text.split(";"))):
        hex_, *words = group.split()
        for word in words:
            match = _UNIT.fullmatch(word)
            assert match, word
            name, sp, printed, demoralized, spent = match.groups()
            assert name not in found, name
            found[name] = Placed(name, hex_, int(sp or 0), int(printed or sp or 0), demoralized == "!", spent == "~")
    return found


@cache
def installed() -> Installed:
    return Installed("damos", damos, "the casebook")


@cache
def shipped(scenario: str = "agc", options: tuple[tuple[str, str], ...] = ()) -> Prepared:
    return installed().prepare(scenario, dict(options))


# --- the small map ---


def column(hex_: str) -> int:
    return int(hex_[2:])


def row(number: int, first: int = COLUMNS[1], last: int = COLUMNS[0]) -> list[str]:
    """Return the hexes of a row from west to east."""
    return [f"{number}{each:02}" for each in range(first, last - 1, -1)]


def map_tables(features: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of the small map: terrain "2815 2814", rivers "2816/2815", rails "2815 2915, ..."."""
    everything = [f"{number}01-{number}30" for number in range(ROWS[0], ROWS[1] + 1)]
    terrain: dict[str, Any] = {kind: [features[name]] for name, kind in TERRAIN.items() if name in features}
    moscow = features.get("moscow", MOSCOW)
    terrain["major_city"] = [*terrain.get("major_city", []), moscow]
    smolensk = features.get("smolensk", SMOLENSK)
    terrain["city"] = [*terrain.get("city", []), smolensk]
    rails = features.get("rails", " ".join(row(RAILWAY)))
    return {
        "map": {"id": "table", "title": "The table", "provenance": "invented", "reason": "for the casebook"},
        "grid": {
            "layout": "rows",
            "columns": COLUMNS[1],
            "rows": ROWS[1] - ROWS[0] + 1,
            "first_row": ROWS[0],
            "columns_grow": "west",
            "eastern_rows": "odd",
        },
        "terrain": {"default": "clear", **terrain},
        "hexsides": {"river": [features["river"]]} if "river" in features else {},
        "places": {"Moscow": [moscow], "Smolensk": [smolensk]},
        "rails": {f"line {number}": line for number, line in enumerate(rails.split(","))},
        "theater": {
            "area": everything,
            "home": [f"{number}{BORDER:02}-{number}30" for number in range(ROWS[0], ROWS[1] + 1)],
            "frontier": [f"{number}{BORDER - 1:02}" for number in range(25, 33)],
            "set_up": [f"{number}{BORDER:02}-{number}30" for number in range(25, 33)],
        },
    }


def sheet_of(unit: Placed, side: str, movement: Mapping[str, int]) -> UnitSheet:
    kind, size, allowance = TYPES[unit.unit_id[0].lower()]
    nation = "hungarian" if unit.unit_id[0] in "HQ" else side
    return UnitSheet(
        key=unit.unit_id,
        side=side,
        name=unit.unit_id,
        nation=nation,
        type=kind,
        size=size,
        sp=unit.printed or 1,
        ma=movement.get(unit.unit_id, allowance),
        corps="",
        army="",
        arrives=0,
        posts=(),
        traits=("nkvd",) if unit.unit_id[0] == "n" else (),
    )


def sides_of(german: str, soviet: str) -> dict[str, dict[str, Placed]]:
    """Parse the positions of both sides, and add the spare forces."""
    texts = {GERMAN: german, SOVIET: soviet}
    return {side: position(f"{text}; {SPARES[side][1]} {SPARES[side][0]}:1") for side, text in texts.items()}


@lru_cache(maxsize=64)
def _shared_parts(features: bytes, chosen: tuple[tuple[str, str], ...]) -> tuple[Prepared, Scenario, Sheet]:
    """Return a shipped game, its scenario with the map of ``features``, and the data read from it (cached)."""
    base, given = shipped("agc", chosen), json.decode(features)
    tables = merged(base.scenario.data | {"map": map_tables(given)}, {"aid": given.get("aid", {})})
    scenario = scenario_of(tables, "table.toml", own=True)
    return base, scenario, read_sheet(scenario, base.options)


def prepared_for(
    german: str, soviet: str, features: Mapping[str, Any], chosen: Mapping[str, str], turns: int = 12
) -> Prepared:
    """Return the ruleset prepared for a position: the parts of a shipped game on a separate board."""
    movement = dict(features.get("movement", {}))
    unknown = set(features) - {*TERRAIN, "river", "rails", "moscow", "smolensk", "movement", "aid"}
    assert not unknown, unknown
    base, scenario, ground = _shared_parts(json.encode(features), tuple(sorted(chosen.items())))
    placed = sides_of(german, soviet)
    units = {
        unit_id: sheet_of(unit, side, movement) for side, force in placed.items() for unit_id, unit in force.items()
    }
    sheet = ground._replace(units=units)
    board = build_board("agc", "The table", sheet, base.options)
    first = opening_state(board, base.options)
    first.control = {hex_: GERMAN if column(hex_) >= FRONT else SOVIET for hex_ in first.control}
    first.converted = sorted(hex_ for hex_ in board.rail_around if column(hex_) >= FRONT)
    return replace(base, board=board, first_state=base.ruleset.codec.to_bytes(first), scenario=scenario)


# --- the position ---


def set_position(
    state: DamosState,
    prepared: Prepared,
    forces: tuple[str, str],
    when: tuple[str, int, str],
    control: Mapping[str, str],
    replacements: Mapping[str, int],
) -> None:
    """Put the units of ``forces`` into a state at the beginning of the phase ``when``: side, turn, name."""
    side, turn, phase = when
    small = SPARES[GERMAN][0] in state.units
    placed = sides_of(*forces) if small else {each: position(text) for each, text in zip(SIDES, forces, strict=True)}
    named = {unit_id: unit for force in placed.values() for unit_id, unit in force.items()}
    state.units = {unit_id: unit for unit_id, unit in state.units.items() if unit_id in named}
    assert set(state.units) == set(named), set(named) - set(state.units)
    for unit_id, placed_unit in named.items():
        place(state.units[unit_id], placed_unit)
        if placed_unit.hex.isdigit():
            state.control[placed_unit.hex] = state.units[unit_id].side
    for holder, hexes in control.items():
        state.control.update(dict.fromkeys(hexes.split(), holder))
    state.replacements |= replacements
    sequence = prepared.ruleset.sequence
    names = [step.name for step in sequence.steps]
    state.position = names.index(phase if phase in names else f"{side}.{phase}")
    state.turn = turn - (state.position == sequence.first)


def place(unit: Unit, placed_unit: Placed) -> None:
    on_map = placed_unit.hex.isdigit()
    unit.hex, unit.standing = (placed_unit.hex, ON_MAP) if on_map else ("", placed_unit.hex)
    unit.sp = (placed_unit.sp or unit.sp) if placed_unit.hex in {"pool"} or on_map else 0
    unit.demoralized, unit.spent, unit.arrives = placed_unit.demoralized, placed_unit.spent, 0
