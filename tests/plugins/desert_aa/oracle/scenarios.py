"""An independent reader of scenario files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[4] / "plugins" / "desert_aa"
SIDES = {"italy": "axis", "england": "allies", "germany": "axis"}
Table = dict[str, Any]


def read(name: str) -> Table:
    return tomllib.loads((HOME / name).read_text(encoding="utf-8"))


def read_scenario(name: str) -> Table:
    """Return a scenario. If it has a base, its sections change those of the base."""
    given = read(f"scenarios/{name}.toml")
    base = given["scenario"].get("base")
    if base is None:
        return given
    whole = read_scenario(base)
    for section, content in given.items():
        whole[section] = whole[section] | content
    return whole


def joined(scenario: Table, kind: str | None = None) -> dict[str, set[str]]:
    """Return the neighbors of each area over all connectors, or those of one kind."""
    neighbors: dict[str, set[str]] = {area: set() for area in scenario["areas"]}
    for connector in scenario["connectors"]:
        if kind in (None, connector["kind"]):
            first, second = connector["between"]
            neighbors[first].add(second)
            neighbors[second].add(first)
    return neighbors


def spaces_away(neighbors: dict[str, set[str]], start: str, allowed: set[str]) -> dict[str, int]:
    distance = {start: 0}
    edge = [start]
    for area in edge:
        for other in sorted(neighbors[area] & allowed):
            if other not in distance:
                distance[other] = distance[area] + 1
                edge.append(other)
    return distance
