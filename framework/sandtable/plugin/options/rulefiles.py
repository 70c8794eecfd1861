"""The rule index and the rulings of a ruleset as TOML files: ``[[rule]]`` rows, and ``[[ruling]]`` rows with values.

    [[rule]]
    id = "KP-7.1a"
    text = "One infantry and one friendly artillery unit may share a hex."
    state = "rule"                      # or "ruling", or "info"

    [[ruling]]
    id = "R-KP-59"
    option = "recovery"
    question = "Does a unit recover in steps?"
    values = [{ token = "full", text = "..." }, { token = "one_level", text = "..." }]   # the default first
    kind = "number_or_token"            # optional: a whole number is a value as well
    keeper = { one_level = "needed" }   # optional: values that need a keeper, or claims (``Manifest.keeper``)
    endless = ["none"]                  # optional: values with which a game need not end by itself
    bid = "axis"                        # optional: the side, "first" or "second", that gets a number as a handicap
    fixed = true                        # optional: the option belongs to the set-up, no ruling sets it in play

Other keys (a reason, the rules concerned) are for readers.
"""

from pathlib import Path

from sandtable.files.document import Problems, TomlTable, decode_toml, read_toml
from sandtable.files.fields import choice_of, text_of
from sandtable.plugin.manifest import KEEPERS, Keeper, Option, RuleRow

NUMBER = "number_or_token"
STATES = ("rule", "ruling", "info")


def read_options(path: Path) -> tuple[Option, ...]:
    """Return the options defined by the rulings of a file; raises DataError, with file and key, for all problems."""
    problems = Problems(str(path))
    options = tuple(_option(row) for row in _rows(_document(path, problems), "ruling"))
    problems.stop()
    return options


def read_index(path: Path) -> tuple[RuleRow, ...]:
    """Return the rule index of a file; raises DataError, with file and key, for all problems."""
    problems = Problems(str(path))
    rows = _rows(_document(path, problems), "rule")
    index = tuple(RuleRow(row.text("id"), row.text("text"), choice_of(row, "state", STATES)) for row in rows)
    problems.stop()
    return index


def _option(row: TomlTable) -> Option:
    values = tuple(value.text("token") for value in _rows(row, "values"))
    return Option(
        name=row.text("option"),
        values=values,
        text=row.text("question"),
        ruling=row.text("id"),
        number=text_of(row, "kind") == NUMBER,
        endless=tuple(row.get(list, "endless")) if "endless" in row.values else (),
        bid=text_of(row, "bid"),
        fixed="fixed" in row.values and row.get(bool, "fixed"),
        keeper=_keeper(row, values),
    )


def _keeper(row: TomlTable, values: tuple[str, ...]) -> dict[str, Keeper]:
    """Return the keeper that each value of the option needs, for those that name one."""
    table = row.get(dict, "keeper") if "keeper" in row.values else {}
    for value, kind in table.items():
        if value not in values or kind not in KEEPERS:
            wanted = f"expected VALUE = KEEPER, a value of this option and {' or '.join(KEEPERS)}"
            row.refuse("keeper", f"{wanted}, not {value} = {kind!r}")
    return table


def _document(path: Path, problems: Problems) -> TomlTable:
    return TomlTable(problems, "", decode_toml(read_toml(path), str(path)))


def _rows(table: TomlTable, name: str) -> list[TomlTable]:
    """Return the tables of the list ``name``, which may have additional keys."""
    rows = [
        TomlTable(table.problems, f"{table.key_of(name)}[{place}]", row)
        for place, row in enumerate(table.get(list, name))
    ]
    return [row for row in rows if table.problems.is_a(dict, row.key, row.values)]
