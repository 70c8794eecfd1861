"""Scenario files as data that can be changed, and their errors."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.plugins.desert_aa.conftest import installed, ready

from sandtable.errors import DataError
from sandtable.plugin.scenarios import scenario_of

if TYPE_CHECKING:
    from sandtable.plugin.manager import Prepared

Data = dict[str, Any]


def shipped(scenario: str = "frontier") -> Data:
    data = deepcopy(dict(installed().scenario(scenario).data))
    data["scenario"]["id"] = "changed"
    return data


def prepared(data: Data, **options: str) -> Prepared:
    return ready(scenario_of(data, "changed.toml", own=True), **options)


def problems(data: Data, **options: str) -> dict[str, str]:
    """Return the errors of a scenario, by key."""
    try:
        prepared(data, **options)
    except DataError as error:
        return {each.key: each.problem for each in (error, *error.also)}
    return {}
