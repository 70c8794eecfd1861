"""Orders are judged by the kernel: the framework asks a decision, never its options."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable

ROOT = Path(sandtable.__file__).parent
JUDGES = {"check", "why_not", "all_wrong", "is_legal"}
EXCEPTIONS = {
    "testing/checks/orders.py": "checks that an option space accepts its own samples and values",
}


def judged_by_options(source: str) -> Iterator[int]:
    """Yield each line that judges by option spaces: ``decision.options.check(order)``, also through a variable."""
    tree = ast.parse(source)
    names = {"options", "_options"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr == "options":
            names |= {ast.unparse(target).rpartition(".")[2] for target in node.targets}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in JUDGES:
            continue
        if ast.unparse(node.value).rpartition(".")[2] in names:
            yield node.lineno


@pytest.mark.full
def test_framework_judges_orders_by_the_decision() -> None:
    found = {
        str(file.relative_to(ROOT)): lines
        for file in sorted(ROOT.rglob("*.py"))
        if "kernel" not in file.relative_to(ROOT).parts and (lines := list(judged_by_options(file.read_text("utf-8"))))
    }
    assert found.keys() == EXCEPTIONS.keys(), found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("decision.options.check(order)", [1]),
        ("refusal = self._decision.options.why_not(order)", [1]),
        ("space = decision.options\nspace.is_legal(order)", [2]),
        ("self._options = decision.options\nlegal = filter(self._options.is_legal, orders)", [2]),
        ("decision.check(order)\nspace.why_not(value)\ndecision.options.sample(stream)", []),
    ],
)
def test_judgments_by_options_are_found(source: str, lines: list[int]) -> None:
    assert list(judged_by_options(source)) == lines
