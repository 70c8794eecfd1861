"""The pytest plugin: it registers the mark ``rule``, and adds the contract suite of a ruleset to any test run.

pytest finds it by its entry point wherever Sandtable is installed, even in unrelated projects. So it loads nothing of
the framework until ``--sandtable-ruleset`` is given.
"""

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

    from sandtable.plugin.manager import Installed

OPTION = "--sandtable-ruleset"
MARK = "rule(*ids): the ids of the rules that this test covers"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that selects rulesets for the contract suite."""
    parser.getgroup("sandtable").addoption(
        OPTION,
        dest="sandtable_rulesets",
        action="append",
        default=[],
        metavar="NAME",
        help="add the contract suite of NAME, an installed ruleset or an importable module (repeatable)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, so that ``--strict-markers`` accepts it."""
    config.addinivalue_line("markers", MARK)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add the requested contracts after all other collected tests."""
    report = yield
    if isinstance(collector, pytest.Session) and report.passed:
        names = dict.fromkeys(collector.config.getoption("sandtable_rulesets"))
        contracts = (Contract.from_parent(collector, name=name, nodeid=f"contract[{name}]") for name in names)
        report.result = [*report.result, *contracts]
    return report


class Contract(pytest.Collector):
    """The contract suite of the ruleset ``name``, with one item per check, in the order in which to fix problems."""

    def collect(self) -> Iterator[pytest.Item]:
        """Load the ruleset, and yield the items. Raises CollectError, one line, if ``name`` is not a ruleset."""
        from sandtable.testing.contract import CHECKS  # noqa: PLC0415 - other users of pytest need not wait for it

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
            raise self.CollectError(
                f"{OPTION} {self.name}: the module is not a ruleset: it has no hook ruleset_manifest"
            )
        return module


class ContractItem(pytest.Item):
    """One check of the contract suite, on random games that all checks of a ruleset share."""

    def __init__(self, *, ruleset: "Installed", **node: Any) -> None:
        super().__init__(**node)
        self.ruleset = ruleset

    def runtest(self) -> None:
        """Run the check. It is skipped if it had nothing to check, and fails with the problem and its game."""
        from sandtable.testing.contract import shared_finding  # noqa: PLC0415 - as above

        finding = shared_finding(self.ruleset, self.name)
        if finding.skipped or not finding.looked:
            pytest.skip(finding.detail)
        if not finding.ok:
            pytest.fail(finding.detail, pytrace=False)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the name of the item for pytest's report."""
        return str(self.path), None, f"contract of {self.ruleset.name}: {self.name}"
