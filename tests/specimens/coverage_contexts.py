"""The tests that reach a line, found by one run of all tests under coverage.py with a context for each test."""

from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import Any

A_FEW = 4
"""Number of tests of a file that are run first."""


class Reaching:
    """The tests of some folders in a copy of the project, and the lines of some modules that they reach.

    Run them once with the switches of ``measured``, then query. Lines that a test reaches in another process are not
    seen.
    """

    def __init__(self, copy: Path, folders: list[str], modules: tuple[str, ...]) -> None:
        self.folders = [each for each in folders if (copy / each).exists()]
        self._copy, self._modules = copy, modules
        self._data = copy / ".coverage"
        self._contexts: dict[str, dict[int, list[str]]] = {}

    def measured(self) -> list[str]:
        """Return the pytest switches that record the reached lines. They disable the distribution of tests."""
        return [*(f"--cov={each}" for each in self._modules), "--cov-context=test", "--cov-report=", "--dist=no"]

    def in_order(self, module: str, line: int) -> tuple[list[str], list[str]]:
        """Return a few tests of each file that reaches a line, and all files, starting with those that reach it."""
        if module not in self._contexts:
            self._contexts[module] = self._lines.contexts_by_lineno(str(self._copy / module))
        contexts = self._contexts[module]
        by_file: defaultdict[str, list[str]] = defaultdict(list)
        for test in sorted({name.partition("|")[0] for name in contexts.get(line, ()) if name}):
            by_file[test.partition("::")[0]].append(test)
        reaching = sorted(by_file, key=lambda file: (len(by_file[file]), file))
        few = [test for file in reaching for test in by_file[file][:A_FEW]]
        return few, [*reaching, *sorted(set(self._files) - set(reaching))]

    @cached_property
    def _lines(self) -> Any:
        from coverage import CoverageData  # noqa: PLC0415 - it is installed in a campaign only

        data = CoverageData(str(self._data))
        data.read()
        assert len(data.measured_contexts()) > 1, "coverage.py noted no test"
        return data

    @cached_property
    def _files(self) -> list[str]:
        found = [file for folder in self.folders for file in (self._copy / folder).rglob("test_*.py")]
        return [str(file.relative_to(self._copy)) for file in found]
