"""Which files of tests reach a line, by a run of them all under coverage.py with a context for each test."""

from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any


class Reaching:
    """The tests of some folders in a copy of the project, and the lines of some modules that they reach.

    Run them once with the switches of ``measured``, then ask. What a test does in another process is not seen.
    """

    def __init__(self, copy: Path, folders: list[str], modules: tuple[str, ...]) -> None:
        self.folders = [each for each in folders if (copy / each).exists()]
        self._copy, self._modules = copy, modules
        self._data = copy / ".coverage"

    def measured(self) -> list[str]:
        """Return the switches by which a run of tests notes what it reaches."""
        return [*(f"--cov={each}" for each in self._modules), "--cov-context=test", "--cov-report="]

    def in_order(self, module: str, line: int) -> tuple[list[str], list[str]]:
        """Return the files of tests that reach a line, those with the fewest tests first, and all other files."""
        contexts = self._lines.contexts_by_lineno(str(self._copy / module))
        reaching = {file for name in contexts.get(line, ()) if (file := name.partition("::")[0])}
        count = Counter(file for file in self._tests if file in reaching)
        first = sorted(count, key=lambda file: (count[file], file))
        return first, sorted(set(self._files) - set(first))

    @cached_property
    def _lines(self) -> Any:
        from coverage import CoverageData  # noqa: PLC0415 - it is there in a campaign only

        data = CoverageData(str(self._data))
        data.read()
        return data

    @cached_property
    def _tests(self) -> list[str]:
        """Return the file of each test that reaches anything."""
        names = {name.partition("|")[0] for name in self._lines.measured_contexts()}
        return [name.partition("::")[0] for name in names if name]

    @cached_property
    def _files(self) -> list[str]:
        found = [file for folder in self.folders for file in (self._copy / folder).rglob("test_*.py")]
        return [str(file.relative_to(self._copy)) for file in found]
