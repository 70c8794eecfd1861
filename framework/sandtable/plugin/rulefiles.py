"""The rule index and the rulings of a ruleset as TOML files: ``[[rule]]`` rows, and ``[[ruling]]`` rows with values.

    [[rule]]
    id = "KP-7.1a"
    text = "One infantry and one friendly artillery unit may share a hex."
    state = "rule"                      # or "ruling", or "info"

    [[ruling]]
    id = "R-KP-59"
    option = "recovery"
    question = "Does a unit recover in steps?"
    values = [{ token = "full", text = "..." }, { token = "one_level", text = "..." }]   # the usual one first
    kind = "number_or_token"            # optional: a whole number is a value as well
    endless = ["none"]                  # optional: values with which a game need not end by itself

Other keys (a reason, the rules concerned) are for readers.
"""

import tomllib
from pathlib import Path
from typing import Any

from sandtable.plugin.manifest import Option, RuleRow


def read_options(path: Path) -> tuple[Option, ...]:
    """Return the options that the rulings of a file are; for a ruleset's own, sound file."""
    return tuple(
        Option(
            name=row["option"],
            values=tuple(value["token"] for value in row["values"]),
            text=row["question"],
            ruling=row["id"],
            number=row.get("kind") == "number_or_token",
            endless=tuple(row.get("endless", ())),
        )
        for row in _rows(path, "ruling")
    )


def read_index(path: Path) -> tuple[RuleRow, ...]:
    """Return the rule index of a file; for a ruleset's own, sound file."""
    return tuple(RuleRow(row["id"], row["text"], row["state"]) for row in _rows(path, "rule"))


def _rows(path: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))[name]
    return rows
