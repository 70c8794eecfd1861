"""No rule stands in the code for the tests alone: every function of the rules' rooms is called by the game."""

import ast
from collections import Counter
from pathlib import Path

import damos

HOME = Path(damos.__file__).parent
ROOMS = ("map", "movement", "combat", "turn")


def test_no_rule_is_called_by_tests_alone() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(HOME.rglob("*.py"))}
    used: Counter[str] = Counter()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                used[node.id] += 1
            elif isinstance(node, ast.Attribute):
                used[node.attr] += 1
    idle = [
        f"{path.relative_to(HOME)}: {node.name}"
        for path, tree in trees.items()
        if path.parent.name in ROOMS
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and not used[node.name]
    ]
    assert idle == []
