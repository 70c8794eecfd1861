"""No rule code of a game exists only for tests: every function and method is named by code that is played."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in ROOT.glob("plugins/*/__init__.py"))
NOT_RULES = {"ui", "bots"}
"""Packages for people and for bots: their definitions are not checked, but their calls count as use."""

MARKED = {"evolves", "reacts", "hookimpl"}
"""Decorators that let the kernel, or the plugin manager, find a function."""

FOR_TESTS_ALONE: dict[str, str] = {}
"""Functions that may exist although no played code calls them, with the reason."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Named(NamedTuple):
    """A name in the source of ``module``: of a function in ``home``, or of a method if ``home`` is empty."""

    home: str
    name: str
    module: str
    line: int


class Defined(NamedTuple):
    """A public function, or a method of ``owner``, in the lines ``first`` to ``last`` of ``module``."""

    module: str
    owner: str
    name: str
    first: int
    last: int

    def __str__(self) -> str:
        return ".".join(filter(None, (self.module, self.owner, self.name)))

    def holds(self, named: Named) -> bool:
        """Return whether ``named`` is within the definition."""
        return named.module == self.module and self.first <= named.line <= self.last

    def is_meant_by(self, named: Named) -> bool:
        """Return whether ``named``, a name like this one, refers to it."""
        from_the_front = not named.home and named.module == self.module.split(".")[0]  # as PACKAGE["fog.views"].view
        return from_the_front or named.home == ("" if self.owner else self.module)


def modules(package: Path) -> dict[str, ast.Module]:
    """Return the source of all modules of a package by name; the source of a package is its ``__init__.py``."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def definitions(name: str, tree: ast.Module) -> Iterator[Defined]:
    """Yield the public functions and methods of a module that no decorator registers."""
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for each in inner:
            if not isinstance(each, Function) or each.name.startswith("_"):
                continue
            words = {word for mark in each.decorator_list for word in ast.unparse(mark).replace("(", ".").split(".")}
            if not words & MARKED:
                owner = node.name if isinstance(node, ast.ClassDef) else ""
                yield Defined(name, owner, each.name, each.lineno, each.end_lineno or each.lineno)


def imported(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Return by the name that an import gives in a module the home and the name there; "" for a module itself."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.asname or each.name: (each.name, "") for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {each.asname or each.name: (node.module or "", each.name) for each in node.names}
    return found


def names(files: Mapping[str, ast.Module], root: str) -> Iterator[Named]:
    """Yield the names in those of ``files`` below ``root``: imports are looked through, but do not count.

    The front of a game names functions as text too: "module.function", for ``RulesetPackage``.
    """
    imports = {name: imported(tree) for name, tree in files.items()}

    def home_of(module: str, name: str) -> tuple[str, str]:
        while name in imports.get(module, {}):
            module, name = imports[module][name]
        return (f"{module}.{name}", "") if f"{module}.{name}" in files else (module, name)

    for module, tree in files.items():
        for node in ast.walk(tree) if module.split(".")[0] == root else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield Named(*home_of(module, node.id), module, node.lineno)
            elif isinstance(node, ast.Attribute):
                before = dotted(node.value)
                home, inner = home_of(module, before)
                is_module = before and home in files and not inner
                yield Named(*(home_of(home, node.attr) if is_module else ("", node.attr)), module, node.lineno)
            elif module == root and isinstance(node, ast.Constant) and isinstance(node.value, str):
                home, _, name = f"{root}.{node.value}".rpartition(".")
                if home in files and home != root:
                    yield Named(*home_of(home, name), module, node.lineno)


def dotted(node: ast.expr) -> str:
    """Return a dotted name as written, or "" for any other expression."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def unused(game: Mapping[str, ast.Module], framework: Mapping[str, ast.Module], by_it: Iterable[Named]) -> list[str]:
    """Return the definitions of the rules of ``game`` that are unused, or used only by unused ones.

    ``by_it`` are the names that the ``framework`` uses.
    """
    rules = [
        each for name, tree in game.items() if not NOT_RULES & set(name.split(".")) for each in definitions(name, tree)
    ]
    by_name: dict[str, list[Named]] = {}
    for named in [*names({**game, **framework}, min(game)), *by_it]:
        by_name.setdefault(named.name, []).append(named)
    found: list[Defined] = []

    def is_used(rule: Defined) -> bool:
        meant = [named for named in by_name.get(rule.name, []) if rule.is_meant_by(named)]
        return any(not any(each.holds(named) for each in (rule, *found)) for named in meant)

    while more := [each for each in rules if each not in found and not is_used(each)]:
        found += more
    return sorted(map(str, found))


@cache
def framework() -> tuple[dict[str, ast.Module], list[Named]]:
    files = modules(ROOT / "framework" / "sandtable")
    return files, list(names(files, "sandtable"))


@pytest.mark.parametrize("game", GAMES)
def test_no_rules_function_is_used_only_by_tests(game: str) -> None:
    found = unused(modules(ROOT / "plugins" / game), *framework())
    assert found == sorted(name for name in FOR_TESTS_ALONE if name.startswith(f"{game}."))


PLANTED = {
    "game/__init__": """
        @hookimpl
        def ruleset_setup(): return PACKAGE["rules"].begin()
        ruleset_bots = PACKAGE.bots(deal="rules.redeal", wrong="words.missed")
        """,
    "game/rules": """
        from game.words import handed as given
        from game import words
        def begin(): return given() + words.asked_by_module()
        def alone(): return alone() + only_for_alone()
        def only_for_alone(): ...
        def of_a_sheet(): return Board().named
        def _private(): ...
        @evolves(Moved)
        def moved(state, event): return event.board.called()
        @st.reacts(Moved)
        def noticed(state): ...
        def redeal(): ...
        """,
    "game/words": """
        from game.deep import handed
        __all__ = ["handed", "listed"]
        def listed(): ...
        def asked_by_module(): ...
        def forgotten(): ...
        class Board:
            def called(self): ...
            def missed(self): ...
            @property
            def named(self): ...
            def __len__(self): ...
        """,
    "game/deep": """
        from game.words import forgotten
        def handed(): ...
        """,
    "game/ui/draw": """
        from game.rules import of_a_sheet
        def sheet(): return of_a_sheet()
        """,
    "sandtable/plugin/package": """
        def hook(self): return self.alone("rules.alone")
        """,
}


def test_planted_unused_name_is_found(tmp_path: Path) -> None:
    for name, text in PLANTED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    files = modules(tmp_path / "sandtable")
    found = unused(modules(tmp_path / "game"), files, names(files, "sandtable"))
    assert found == [
        "game.rules.alone",
        "game.rules.only_for_alone",
        "game.words.Board.missed",
        "game.words.forgotten",
        "game.words.listed",
    ]
