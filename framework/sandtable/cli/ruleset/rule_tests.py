"""Find the tests of each rule, by reading the tests or a list that was shipped with the ruleset.

A test names its rules by ``@pytest.mark.rule("DAA-4.03")``: on the test, its class, its module (``pytestmark``), or one
of its cases (``pytest.param(..., marks=...)``, also in a named list). A text may hold several ids, separated by spaces.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from sandtable.errors import DataError
from sandtable.files.reading import read_file
from sandtable.journal.format.limits import MAX_FILE

SHIPPED = "rule_tests.json"
MAX_SOURCE = 4 << 20
"""Maximum number of bytes that are read of a source file."""

_CITED = re.compile(r'"rule":"([^"]+)"')


def find_rule_tests(home: Path, folder: Path | None = None) -> dict[str, list[str]]:
    """Return the tests by rule id, for the ruleset whose files are in ``home``.

    The tests in ``folder`` are read and named as pytest names them; without a folder, those of the checkout. If there
    is no checkout, the list shipped with the ruleset is used, if it exists. Raises DataError if that list is damaged.
    """
    if folder is not None:
        return _sorted(_marks_below(folder, None))
    root = find_checkout(home)
    if root is not None:
        return _sorted(_marks_below(root / "tests", root))
    shipped = home / SHIPPED
    if not shipped.is_file():
        return {}
    try:
        return msgspec.json.decode(read_file(shipped, MAX_SOURCE), type=dict[str, list[str]])
    except (msgspec.MsgspecError, ValueError) as error:
        raise DataError(str(shipped), "", f"cannot be read: {error}") from error


def times_recorded(home: Path, ruleset: str) -> dict[str, int]:
    """Return how many records of the checkout's recorded games of ``ruleset`` cite each rule id."""
    root = find_checkout(home)
    counts: dict[str, int] = {}
    for log in sorted((root / "replays" / ruleset).glob("*.jsonl")) if root is not None else ():
        for ident in _CITED.findall(read_file(log, MAX_FILE).decode(errors="replace")):
            counts[ident] = counts.get(ident, 0) + 1
    return counts


def find_checkout(home: Path) -> Path | None:
    """Return the folder above ``home`` that holds the source with its tests, or None."""
    for folder in home.resolve().parents:
        if (folder / "pyproject.toml").is_file() and (folder / "tests").is_dir():
            return folder
    return None


def _sorted(marks: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for ident, test in marks:
        if test not in found.setdefault(ident, []):
            found[ident].append(test)
    return dict(sorted(found.items()))


def _marks_below(folder: Path, root: Path | None) -> Iterator[tuple[str, str]]:
    """Yield (rule id, test) for the tests in ``folder``, named relative to ``root`` if given; skips hidden folders."""
    for path in sorted(folder.rglob("*.py")):
        if not path.is_file() or any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        text = read_file(path, MAX_SOURCE).decode(errors="replace")
        if "mark.rule(" in text:
            yield from marks_in(text, (path.relative_to(root) if root else path).as_posix())


def marks_in(source: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield (rule id, test) for every rule mark in the source of a test file, if it can be parsed."""
    try:
        with warnings.catch_warnings(action="ignore"):  # warnings about the author's tests are not ours to show
            module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    named = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    everywhere = _ids(named["pytestmark"], named) if "pytestmark" in named else []
    yield from _marks_of(module.body, f"{name}::", everywhere, named)


def _marks_of(
    body: list[ast.stmt], where: str, outer: list[str], named: dict[str, ast.expr]
) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            inner = outer + [ident for each in node.decorator_list for ident in _ids(each, named)]
            yield from _marks_of(node.body, f"{where}{node.name}::", inner, named)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            own = [ident for each in node.decorator_list for ident in _ids(each, named)]
            for ident in outer + own:
                yield ident, f"{where}{node.name}"


def _ids(expression: ast.expr, named: dict[str, ast.expr]) -> list[str]:
    """Return the rule ids of the marks in ``expression``; names of the module are resolved, each once."""
    found: list[str] = []
    for node in ast.walk(expression):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
            for argument in node.args:
                found += _texts(argument, named)
        elif isinstance(node, ast.Name) and node.id in named and named[node.id] is not expression:
            others = {name: value for name, value in named.items() if name != node.id}
            found += _ids(named[node.id], others)
    return found


def _texts(node: ast.expr, named: dict[str, ast.expr]) -> list[str]:
    value = node.value if isinstance(node, ast.Starred) else node
    if isinstance(value, ast.Name):
        value = named.get(value.id, value)
    texts = (each.value for each in ast.walk(value) if isinstance(each, ast.Constant))
    return [ident for text in texts if isinstance(text, str) for ident in text.split()]
