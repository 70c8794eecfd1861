"""The rulesets that ship."""

import ast
from pathlib import Path

PLUGINS = Path(__file__).parents[2] / "plugins"


def stages() -> dict[str, str]:
    """Return by ruleset in ``plugins/`` the stage that its manifest gives, read from the text of its module."""
    found = {}
    for path in sorted(PLUGINS.glob("*/__init__.py")):
        words = [
            node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.keyword)
        ]
        stage = next(node.value for node in words if node.arg == "stage")
        assert isinstance(stage, ast.Constant)
        found[path.parent.name] = str(stage.value)
    return found


def complete_games() -> list[str]:
    """Return the rulesets that are complete: of those everything is demanded."""
    return [name for name, stage in stages().items() if stage == "complete"]
