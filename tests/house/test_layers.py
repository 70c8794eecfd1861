"""The import contracts are exhaustive: any upward import, and a package that is in no layer, breaks them.

The imports are planted in the import graph, not in files, so that all pairs of adjacent layers can be tried.
"""

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.application.use_cases import _register_built_in_contract_types, read_user_options
from importlinter.configuration import configure
from importlinter.domain.contract import Contract, registry

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[2]
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
LAYERED = [each for each in SETTINGS["contracts"] if each["type"] == "layers"]
REVIEWED = (
    ("sandtable.kernel.state", "sandtable.files.words"),
    ("sandtable.board.control", "sandtable.scaffold.secrets"),
    ("sandtable.viewer.svg", "sandtable.players.players"),
    ("sandtable.testing.scratch", "sandtable.lab.search.tree"),
    ("sandtable.cli.game.play", "sandtable.lab.search.tree"),
    ("sandtable.players.players", "sandtable.lab.search.player"),
    ("sandtable.tabletop.brief", "sandtable.plugin.manager"),
    ("sandtable.quoting", "sandtable.errors"),
    ("khamsin.turn.sequence", "sandtable.kernel.state"),
    ("damos.turn.sequence", "khamsin.turn.sequence"),
    ("sandtable.kernel.state", "damos.turn.sequence"),
)
"""Imports that the contracts once let pass, or that must never come in."""


@cache
def graph() -> Any:
    return grimp.build_graph(*SETTINGS["root_packages"], cache_dir=None)


@cache
def contracts() -> list[Contract]:
    configure()
    _register_built_in_contract_types()
    options = read_user_options(str(ROOT / "pyproject.toml"))
    return [
        registry.get_contract_class(each["type"])(
            name=each["name"], session_options=options.session_options, contract_options=each
        )
        for each in options.contracts_options
    ]


def broken_with(*, imports: tuple[tuple[str, str], ...] = (), modules: tuple[str, ...] = ()) -> list[str]:
    """Return the names of the contracts that break if these imports and modules are planted."""
    planted = deepcopy(graph())
    for module in modules:
        planted.add_module(module)
    for importer, imported in imports:
        assert {importer, imported} <= planted.modules
        planted.add_import(importer=importer, imported=imported, line_number=1, line_contents="planted")
    return [each.name for each in contracts() if not each.check(deepcopy(planted), verbose=False).kept]


def a_module_of(package: str) -> str:
    """Return the first module in ``package`` that is not a package itself."""
    inside = (str(name) for name in graph().modules if f"{name}.".startswith(f"{package}."))
    return min(name for name in inside if not graph().find_children(name))


def upward() -> Iterator[tuple[str, str]]:
    """Yield an import for each package of a layer from each of the layer above, and from each beside it."""
    for contract in LAYERED:
        for container in contract["containers"]:
            layers = [[f"{container}.{each.strip()}" for each in layer.split("|")] for layer in contract["layers"]]
            for above, below in pairwise(layers):
                yield from ((low, high) for low in below for high in above)
            for layer in layers:
                yield from ((one, other) for one in layer for other in layer if one != other)


def test_import_contracts_hold_for_unchanged_code() -> None:
    assert broken_with() == []


@pytest.mark.parametrize(("importer", "imported"), [*upward()])
def test_import_from_the_layer_above_breaks_a_contract(importer: str, imported: str) -> None:
    assert broken_with(imports=((a_module_of(importer), a_module_of(imported)),))


@pytest.mark.parametrize(("importer", "imported"), REVIEWED)
def test_reviewed_import_breaks_a_contract(importer: str, imported: str) -> None:
    assert broken_with(imports=((importer, imported),))


@pytest.mark.parametrize("container", [container for each in LAYERED for container in each["containers"]])
def test_package_in_no_layer_breaks_a_contract(container: str) -> None:
    assert broken_with(modules=(f"{container}.unplaced",))
