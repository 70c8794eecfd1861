"""Check the source of the rules before anything is played: find procedures that are called and never run."""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from sandtable.plugin.manager import Installed


def never_run(installed: Installed) -> Iterator[str]:
    """Yield each call of a procedure whose generator is discarded, so that without ``yield from`` nothing happens."""
    base = installed.module.__name__
    for name, module in sorted(sys.modules.items()):
        if (name == base or name.startswith(f"{base}.")) and getattr(module, "__file__", None):
            yield from _in_module(module)


def _in_module(module: ModuleType) -> Iterator[str]:
    file = Path(str(module.__file__))
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = _resolved(node.value.func, module)
            if inspect.isgeneratorfunction(function):
                called = ast.unparse(node.value.func)
                yield f"{file.name}:{node.lineno}: {called} is called and never run: write yield from {called}(...)"


def _resolved(called: ast.expr, module: ModuleType) -> Any:
    """Return the object that the name of a called function refers to in ``module``, or None if unknown."""
    if isinstance(called, ast.Name):
        return getattr(module, called.id, None)
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        home = getattr(module, called.value.id, None)
        return getattr(home, called.attr, None) if isinstance(home, ModuleType) else None
    return None
