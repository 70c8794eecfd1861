"""Scenarios with values changed by key, for the plugins that read their scenarios from nested tables."""

from copy import deepcopy
from typing import Any

from sandtable.plugin.scenarios import Scenario, scenario_of

TAKEN_OUT = object()
"""The value that removes a key."""


def with_changes(origin: Scenario, changes: dict[str, Any]) -> Scenario:
    """Return a scenario with changed values by key; "[2]" is the third item of a list, "[+]" a new item."""
    data = deepcopy(origin.data)
    for key, value in changes.items():
        *way, last = key.replace("[", ".[").split(".")
        place: Any = data
        for step in way:
            place = place[int(step[1:-1])] if step.startswith("[") else place.setdefault(step, {})
        if last == "[+]":
            place.append(value)
        elif value is TAKEN_OUT:
            del place[last]
        else:
            place[int(last[1:-1]) if last.startswith("[") else last] = value
    return scenario_of(data, origin.source, own=origin.own, files=origin.files)


def keys_of(table: Any, before: str = "") -> list[str]:
    """Return the keys of all values of a scenario, including tables and lists."""
    rows = enumerate(table) if isinstance(table, list) else table.items()
    found = []
    for name, value in rows:
        key = f"{before}[{name}]" if isinstance(table, list) else f"{before}.{name}".lstrip(".")
        found += [key, *(keys_of(value, key) if isinstance(value, dict | list) else [])]
    return found
