"""Shipped rulesets are registered: every ruleset that is not a draft has its entry point."""

import tomllib
from pathlib import Path

import pytest
from shipped import stages

pytestmark = pytest.mark.full

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_ruleset_except_drafts_is_registered_and_packaged() -> None:
    wanted = [name for name, stage in stages().items() if stage != "draft"]
    assert sorted(PROJECT["project"]["entry-points"]["sandtable.rulesets"]) == wanted
    packed = PROJECT["tool"]["hatch"]["build"]["only-include"]
    assert sorted(packed) == sorted(["framework/sandtable", *(f"plugins/{name}" for name in wanted)])


def test_import_contracts_list_every_packaged_ruleset() -> None:
    wanted = ["sandtable", *sorted(PROJECT["project"]["entry-points"]["sandtable.rulesets"])]
    linter = PROJECT["tool"]["importlinter"]
    assert linter["root_packages"] == wanted
    by_name = {contract["name"]: contract for contract in linter["contracts"]}
    assert by_name["the framework imports no game"]["forbidden_modules"] == wanted[1:]
    assert by_name["no game imports another"]["modules"] == wanted[1:]
