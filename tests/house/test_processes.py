"""Process starts in the source: only in a few known modules, and Python never with the current folder on its path."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[2]
MODULES = sorted([*ROOT.glob("framework/**/*.py"), *ROOT.glob("plugins/**/*.py")])
STARTERS = {"subprocess", "multiprocessing", "pty", "ProcessPoolExecutor"}
CALLS = ("exec", "spawn", "posix_spawn", "fork", "system", "popen")
"""Beginnings of the functions of ``os`` that start a program or a process."""

KNOWN = {
    "framework/sandtable/journal/versions.py",
    "framework/sandtable/lab/search/worker_pool.py",  # forks only
    "framework/sandtable/players/processes/channel.py",
    "framework/sandtable/players/processes/limits.py",  # no Python
    "framework/sandtable/players/processes/supervisor.py",  # the bot
    "framework/sandtable/testing/checks/logs.py",
    "framework/sandtable/workers/executors.py",
}
"""The modules that start processes. Their commands are in ``tests/framework/cli/test_planted_modules.py``."""


def starts_of(tree: ast.AST) -> Iterator[str]:
    """Yield the names by which a module starts processes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.partition(".")[0] in STARTERS)
        elif isinstance(node, ast.ImportFrom):
            names = {(node.module or "").partition(".")[0], *(each.name for each in node.names)}
            yield from names & STARTERS
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            if node.attr.startswith(CALLS):
                yield f"os.{node.attr}"
        elif isinstance(node, ast.Attribute) and node.attr.startswith("create_subprocess"):
            yield node.attr


def commands_of(tree: ast.AST) -> Iterator[list[str]]:
    """Yield the words of each command that starts this Python: constants by value, others as source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple):
            words = [each.value if isinstance(each, ast.Constant) else ast.unparse(each) for each in node.elts]
            if "sys.executable" in words:
                yield [str(word) for word in words[words.index("sys.executable") :]]


def trees() -> dict[str, ast.Module]:
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def test_only_known_modules_start_processes() -> None:
    assert {name for name, tree in trees().items() if any(starts_of(tree))} == KNOWN


def test_every_child_python_excludes_the_current_folder() -> None:
    found = {name: words for name, tree in trees().items() for words in commands_of(tree)}
    assert len(found) == 3, found
    assert all(words[1] in {"-P", "-I"} for words in found.values()), found


def test_every_child_python_has_a_controlled_module_path() -> None:
    bare = [
        name
        for name in KNOWN
        if "sys.executable" in (text := (ROOT / name).read_text()) or "forkserver" in text
        if "child_variables()" not in text and '"-I"' not in text
    ]
    assert not bare


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import subprocess", ["subprocess"]),
        ("from multiprocessing.pool import Pool", ["multiprocessing"]),
        ("from concurrent.futures import ProcessPoolExecutor", ["ProcessPoolExecutor"]),
        ("import os\nos.posix_spawnp('x', [], {})", ["os.posix_spawnp"]),
        ("import os\nos.path.join('a')", []),
    ],
)
def test_call_that_starts_a_process_is_found(source: str, found: list[str]) -> None:
    assert list(starts_of(ast.parse(source))) == found
    child = ast.parse("run([*walls, sys.executable, '-m', name])")
    assert list(commands_of(child)) == [["sys.executable", "-m", "name"]]
