"""Modules for tests: shipped modules, the fixture, and variants with a few changed values.

board("crusader")
changed({"calendar.turns": 3, "forces.formations.armd_bde.nation": TAKEN_OUT}, "teaching")
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from changing import with_changes

from khamsin.model.cards import Board
from khamsin.setup.reading import read_board
from sandtable.errors import DataError
from sandtable.plugin.options.rulefiles import read_options
from sandtable.plugin.scenarios import Scenario, load_scenario

HOME = Path(__file__).parents[3] / "plugins" / "khamsin"
SHIPPED = {name: HOME / "scenarios" / f"{name}.toml" for name in ("crusader", "crusader_full", "teaching")}
FIXTURE = Path(__file__).parent / "fixture.toml"
DEFAULTS = {option.name: option.default for option in read_options(HOME / "rulings.toml")}

APART: dict[str, Any] = {
    "coordination": {"apart": [["german", "italian"]]},
    "forces.nations.italian": {"title": "Italian", "side": "axis"},
    "forces.formations.afrika_div.nation": "italian",
    "replacements.german.nations": ["german", "italian"],
}
"""Changes of the fixture that make the Afrika Division Italian, and keep it apart from Germans."""


@cache
def scenario(name: str) -> Scenario:
    """Return a shipped module, or the fixture."""
    return load_scenario(str(FIXTURE) if name == "fixture" else name, SHIPPED)


@cache
def board(name: str = "crusader", **chosen: str) -> Board:
    return read_board(scenario(name), DEFAULTS | chosen)


def changed(changes: dict[str, Any], name: str = "teaching") -> Scenario:
    return with_changes(scenario(name), changes)


def built(changes: dict[str, Any], name: str = "teaching") -> Board:
    return read_board(changed(changes, name), DEFAULTS)


def refusals(changes: dict[str, Any], name: str = "teaching") -> list[DataError]:
    """Return all errors of a changed module."""
    try:
        built(changes, name)
    except DataError as found:
        return [found, *found.also]
    return []
