"""The rulesets that ship."""

import ast
from pathlib import Path

PLUGINS = Path(__file__).parents[2] / "plugins"


def stages() -> dict[str, str]:
    """Return the stage in the manifest of each ruleset in ``plugins/``, parsed from the text of its module."""
    found = {}
    for path in sorted(PLUGINS.glob("*/__init__.py")):
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        manifest = next(call for call in calls if ast.unparse(call.func).endswith("Manifest"))
        stage = next(word.value for word in manifest.keywords if word.arg == "stage")
        assert isinstance(stage, ast.Constant)
        found[path.parent.name] = str(stage.value)
    return found


def complete_games() -> list[str]:
    """Return the complete rulesets, to which all requirements apply."""
    return [name for name, stage in stages().items() if stage == "complete"]
