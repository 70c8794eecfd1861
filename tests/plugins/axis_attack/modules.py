"""Scenarios for tests: the shipped ones, and copies with changed values.

board("armoured_clash")
changed({"campaign.turns": 3, "german.types.pak40.towed": TAKEN_OUT})
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from changing import with_changes

from axis_attack.model.cards import Board
from axis_attack.setup.reading import read_board
from sandtable.errors import DataError
from sandtable.plugin.options.rulefiles import read_options
from sandtable.plugin.scenarios import Scenario, load_scenario

HOME = Path(__file__).parents[3] / "plugins" / "axis_attack"
SHIPPED = {name: HOME / "scenarios" / f"{name}.toml" for name in ("eastern_front", "armoured_clash")}
USUAL = {option.name: option.default for option in read_options(HOME / "rulings.toml")}


@cache
def scenario(name: str) -> Scenario:
    """Return a shipped scenario."""
    return load_scenario(name, SHIPPED)


@cache
def board(name: str = "eastern_front", **chosen: str) -> Board:
    return read_board(scenario(name), USUAL | chosen)


def changed(changes: dict[str, Any], name: str = "eastern_front") -> Scenario:
    return with_changes(scenario(name), changes)


def built(changes: dict[str, Any], name: str = "eastern_front", **chosen: str) -> Board:
    return read_board(changed(changes, name), USUAL | chosen)


def refusals(changes: dict[str, Any], name: str = "eastern_front", **chosen: str) -> list[DataError]:
    """Return all errors of a changed scenario and of the options."""
    try:
        built(changes, name, **chosen)
    except DataError as found:
        return [found, *found.also]
    return []
