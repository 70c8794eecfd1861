"""Each module can be imported alone, whichever is first: no import leads back to a module that is not done yet."""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = (ROOT / "framework", ROOT / "plugins")


def modules(*roots: Path) -> dict[str, Path]:
    """Return the files of all modules by name; a package's is its ``__init__.py``."""
    found = {}
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def run_at_import(body: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements that are run when a module is imported."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield from run_at_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody"):
                yield from run_at_import(getattr(node, part, ()))
            for handler in getattr(node, "handlers", ()):
                yield from run_at_import(handler.body)


def above(name: str) -> set[str]:
    """Return the packages that a module is in."""
    parts = name.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts))}


def needs(name: str, files: Mapping[str, Path]) -> set[str]:
    """Return the modules that are run, or read from, when a module is.

    They are the modules that it names, and the packages that contain these. A package that contains the module itself
    has started before it, and counts only if the import is written.
    """
    found = set()
    for node in run_at_import(ast.parse(files[name].read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            named = {each.name for each in node.names}
        else:
            assert not node.level, f"{name}: imports are written out"
            inner = {f"{node.module}.{each.name}": str(node.module) for each in node.names}
            named = {whole if whole in files else module for whole, module in inner.items()}
        for each in named & set(files):
            found |= {each} | (above(each) - above(name) - {name})
    return found


def circle(files: Mapping[str, Path]) -> list[str]:
    """Return modules of which each needs the one before it, the first the last; [] when there are none.

    Without any, no module is ever read from that has not been run to its end, whichever is imported first.
    """
    try:
        TopologicalSorter({name: needs(name, files) for name in files}).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


@pytest.mark.full
def test_each_module_can_be_imported_alone() -> None:
    assert circle(modules(*ROOTS)) == []


@pytest.mark.full
@pytest.mark.parametrize("order", ["sorted", "reversed"])
def test_all_modules_are_imported_without_warnings_or_output(order: str) -> None:
    names = sorted(name for name in modules(*ROOTS) if not name.endswith("__main__"))
    listed = names if order == "sorted" else names[::-1]
    assert len(listed) > 500
    script = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    command = [sys.executable, "-W", "error", "-c", script, *listed]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-800:]
    assert done.stdout == ""


PLANTED = {
    "none": {"one": "import two", "two": "X = 1"},
    "two modules": {"one": "from two import X", "two": "from one import Y\nX = 1"},
    "by way of a package": {"one": "from pack.part import X", "pack/__init__": "import one", "pack/part": "X = 1"},
    "back to its own package": {"pack/__init__": "from pack.part import X\nY = 1", "pack/part": "from pack import Y"},
    "a package and its parts": {
        "pack/__init__": "from pack.a import X",
        "pack/a": "from pack.b import X",
        "pack/b": "X = 1",
    },
    "a module of its own package": {
        "pack/__init__": "from pack.a import X",
        "pack/a": "from pack import b\nX = b.X",
        "pack/b": "X = 1",
    },
    "in a function": {"one": "def f():\n    import two", "two": "from one import f"},
    "for types only": {
        "one": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from two import X",
        "two": "import one\nX = 1",
    },
    "where another is missing": {
        "one": "try:\n    from two import X\nexcept ImportError:\n    X = 2",
        "two": "import one",
    },
}
SOUND = {"none", "a package and its parts", "a module of its own package", "in a function", "for types only"}


@pytest.mark.parametrize("plant", PLANTED)
def test_planted_import_cycle_is_found(plant: str, tmp_path: Path) -> None:
    for name, text in PLANTED[plant].items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert (circle(modules(tmp_path)) == []) == (plant in SOUND)
