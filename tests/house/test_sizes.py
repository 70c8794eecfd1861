"""Rules for the source: small modules, short functions, correct names, and no randomness or clock in rules."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[2]
MODULES = sorted([*ROOT.glob("framework/**/*.py"), *ROOT.glob("plugins/**/*.py")])
LONGEST_FILE, LONGEST_FUNCTION, SHORTEST_FILE = 400, 70, 30
MAX_MODULES, MAX_PACKAGES = 10, 12
STILL_CROWDED = {"framework/sandtable": 12}
"""Folders with more than ten modules, with their number: the root holds the public faces."""

STILL_LOADING = [
    "framework/sandtable/kernel/options",
    "framework/sandtable/tabletop",
    "framework/sandtable/testing",
]
"""Folders whose ``__init__`` hands on what its modules hold."""

GAMES = sorted(path.name for path in ROOT.glob("plugins/*/") if (path / "__init__.py").exists())
DRAWERS = {"utils", "helpers", "common", "misc", "core", "base", "models", "types"}
PURE = ("framework/sandtable/kernel/", "framework/sandtable/board/", "framework/sandtable/rules/", "plugins/")
IMPURE_IMPORTS = {"random", "secrets", "time", "datetime", "pluggy", "socket", "subprocess", "threading", "uuid"}
FORBIDDEN_WORDS = re.compile(r"\b(los|zoc|hp|tile|node_id|get_los|users?_list)\b")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def nodes(name: str) -> list[ast.AST]:
    """Return all nodes of a module, cached for all checks."""
    return list(ast.walk(trees()[name]))


@cache
def trees() -> dict[str, ast.Module]:
    return {named(path): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def imports(name: str) -> Iterator[str]:
    for node in nodes(name):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_too_long() -> None:
    assert not [f"{named(path)}: {lines_of(path)}" for path in MODULES if lines_of(path) > LONGEST_FILE]


SHORT_FOR_A_REASON = {
    "framework/sandtable/__main__.py": "python -m sandtable",
    "framework/sandtable/questions.py": "a public face",
    "framework/sandtable/web/around/answers.py": "the table of answers to messages",
    **{f"framework/sandtable/testing/leagues/{name}.py": "the sides of a toy" for name in ("three", "seven")},
    **{f"plugins/{game}/ui/asking/sums.py": "the module of a hook" for game in ("axis_attack", "desert_aa")},
    **{f"plugins/{game}/turn/sequence.py": "the sequence of play is data" for game in GAMES},
}


def test_no_module_is_too_short() -> None:
    short = {named(path) for path in MODULES if path.name != "__init__.py" and lines_of(path) < SHORTEST_FILE}
    assert not short - set(SHORT_FOR_A_REASON)


def test_every_function_fits_on_a_screen() -> None:
    long = [
        f"{name}:{node.lineno} {node.name}"
        for name in trees()
        for node in nodes(name)
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert not long


def folders() -> dict[Path, list[Path]]:
    """Return the modules of each folder, ``__init__`` aside."""
    found: dict[Path, list[Path]] = {}
    for path in MODULES:
        modules = found.setdefault(path.parent, [])
        if path.name != "__init__.py":
            modules.append(path)
    return found


def test_no_folder_has_too_many_modules() -> None:
    crowded = {named(folder): len(modules) for folder, modules in folders().items() if len(modules) > MAX_MODULES}
    assert crowded == STILL_CROWDED


def test_every_folder_with_modules_is_a_documented_package() -> None:
    for folder in folders():
        init = folder / "__init__.py"
        assert init.is_file(), f"{named(folder)}: import-linter does not see a folder without __init__.py"
        assert ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))), named(folder)


def test_package_init_files_have_only_a_docstring() -> None:
    found = [
        named(folder)
        for folder in folders()
        if folder.parents[1] != ROOT and len(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body) > 1
    ]
    assert found == STILL_LOADING


def test_all_games_have_the_same_packages() -> None:
    for game in sorted(path.parent for path in ROOT.glob("plugins/*/__init__.py")):
        packages = {path.parent.name for path in game.glob("*/__init__.py")}
        assert {"model", "setup", "turn", "fog", "bots", "ui"} <= packages, game.name
        assert len(packages) <= MAX_PACKAGES, game.name


def test_no_module_has_a_catch_all_name() -> None:
    assert not [named(path) for path in MODULES if path.stem in DRAWERS or path.parent.name in DRAWERS]


def test_kernel_board_rules_and_games_use_no_clock_or_global_random() -> None:
    found = [(name, each) for name in trees() if name.startswith(PURE) for each in imports(name)]
    assert not [(name, each) for name, each in found if each in IMPURE_IMPORTS]


def test_one_module_reads_toml_and_none_imports_random() -> None:
    assert [name for name in trees() if "tomllib" in imports(name)] == ["framework/sandtable/files/document.py"]
    assert not [name for name in trees() if "random" in imports(name)]


PRINTERS = {
    "framework/sandtable/cli/output.py": "all that commands print",
    "framework/sandtable/terminal/prompt.py": "the prompts of a person at the terminal",
    "framework/sandtable/journal/versions.py": "a process of its own that prints what came of a version",
    "framework/sandtable/plugin/importing.py": "what a plugin printed when it was imported, escaped",
    "framework/sandtable/tabletop/resolver/response.py": "a drawing of our own, by hand",
    "framework/sandtable/testing/checks/logs.py": "what a process of the contract suite tells the other",
}
"""The modules that write to a terminal, with their output. All others use them, so that escaping is in few places."""


def prints(node: ast.AST) -> bool:
    """Return whether ``node`` calls click.echo, or writes to sys.stdout or sys.stderr."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    called = ast.unparse(node.func)
    return called in {"click.echo", "click.secho"} or bool(re.fullmatch(r"sys\.std(out|err)\.write(lines)?", called))


def test_only_reviewed_modules_write_to_a_terminal() -> None:
    found = {name for name in trees() if any(map(prints, nodes(name)))}
    assert found == set(PRINTERS)


def test_only_the_output_module_prints_formatted_text() -> None:
    module = "framework/sandtable/cli/output.py"
    calls = [
        name
        for name in trees()
        for node in nodes(name)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Laid"
    ]
    assert set(calls) == {module}


def test_identifiers_use_wargame_terms() -> None:
    found = []
    for name in trees():
        for node in nodes(name):
            word = getattr(node, "id", None) or getattr(node, "name", None) or getattr(node, "attr", None)
            if isinstance(word, str) and FORBIDDEN_WORDS.fullmatch(word):
                found.append(f"{name}:{getattr(node, 'lineno', 0)} {word}")
    assert not found


def test_test_folders_do_not_shadow_game_packages() -> None:
    assert not list(ROOT.glob("tests/**/__init__.py"))


def test_public_class_names_are_unique() -> None:
    homes: dict[str, list[str]] = {}
    for name, tree in trees().items():
        if name.startswith("framework/"):
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(name)
    assert not {each: places for each, places in homes.items() if len(places) > 1}
