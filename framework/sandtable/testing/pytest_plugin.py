"""The plugin for pytest: it knows the mark ``rule``, and adds the contract suite of a ruleset to any test run.

pytest finds it by its entry point wherever Sandtable is installed, so also where nobody thinks of Sandtable: it loads
nothing of the framework before ``--sandtable-ruleset`` is given.
"""

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

    from sandtable.plugin.manager import Installed

OPTION = "--sandtable-ruleset"
MARK = "rule(*ids): the ids of the rules that this test shows"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one option."""
    parser.getgroup("sandtable").addoption(
        OPTION,
        dest="sandtable_rulesets",
        action="append",
        default=[],
        metavar="NAME",
        help="add the contract suite of the ruleset NAME, one that is installed or a module to import (repeatable)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, so that ``--strict-markers`` lets it pass."""
    config.addinivalue_line("markers", MARK)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Put the contracts that were asked for behind all that is collected."""
    report = yield
    if isinstance(collector, pytest.Session) and report.passed:
        names = dict.fromkeys(collector.config.getoption("sandtable_rulesets"))
        contracts = (Contract.from_parent(collector, name=name, nodeid=f"contract[{name}]") for name in names)
        report.result = [*report.result, *contracts]
    return report


class Contract(pytest.Collector):
    """The contract suite of the ruleset ``name``: one item for each check, in the order in which it pays to fix."""

    def collect(self) -> Iterator[pytest.Item]:
        """Load the ruleset, and yield the items; raises CollectError, one line, where it is none."""
        from sandtable.testing.contract import CHECKS  # noqa: PLC0415 - strangers who run pytest are not to wait for it

        ruleset = self._loaded()
        for check in CHECKS:
            yield ContractItem.from_parent(self, name=check, ruleset=ruleset)

    def _loaded(self) -> "Installed":
        from sandtable.errors import SandtableError  # noqa: PLC0415 - as above
        from sandtable.plugin.manager import Rulesets  # noqa: PLC0415 - as above
        from sandtable.testing.checks.bench import installed_from  # noqa: PLC0415 - as above

        rulesets = Rulesets()
        try:
            return rulesets.load(self.name) if rulesets.knows(self.name) else installed_from(self._imported())
        except SandtableError as error:
            raise self.CollectError(f"{OPTION} {self.name}: {error}") from error

    def _imported(self) -> "ModuleType":
        from importlib import import_module  # noqa: PLC0415 - as above

        from sandtable.plugin.importing import adopt  # noqa: PLC0415 - as above

        try:
            module = import_module(self.name)
        except Exception as error:
            problem = f"no such ruleset is installed, and no such module can be imported: {error}"
            raise self.CollectError(f"{OPTION} {self.name}: {problem}") from error
        adopt(module)
        if not hasattr(module, "ruleset_manifest"):
            raise self.CollectError(f"{OPTION} {self.name}: the module is no ruleset: it has no hook ruleset_manifest")
        return module


class ContractItem(pytest.Item):
    """One check of the contract suite, on random games that all checks of a ruleset share."""

    def __init__(self, *, ruleset: "Installed", **node: Any) -> None:
        super().__init__(**node)
        self.ruleset = ruleset

    def runtest(self) -> None:
        """Run the check: skipped where it had nothing to look at, failed with what it found and in which game."""
        from sandtable.testing.contract import shared_finding  # noqa: PLC0415 - as above

        finding = shared_finding(self.ruleset, self.name)
        if finding.skipped or not finding.looked:
            pytest.skip(finding.detail)
        if not finding.ok:
            pytest.fail(finding.detail, pytrace=False)

    def reportinfo(self) -> tuple[str, None, str]:
        """Tell pytest what to call the item in its report."""
        return str(self.path), None, f"contract of {self.ruleset.name}: {self.name}"
