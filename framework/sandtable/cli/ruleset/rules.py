"""``sandtable rules``."""

from pathlib import Path
from typing import Any

import click

from sandtable.cli.output import count, facts, say, show, show_json, table
from sandtable.cli.setting import Setting, pass_setting

STATES = {"rule": "implemented", "ruling": "ruled", "info": "info"}
"""What the index calls a row, and what it means for play."""


@click.command()
@click.argument("ruleset")
@click.argument("ident", required=False, metavar="[ID]")
@click.option(
    "--tests",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Look for tests in this folder; without it, in the checkout that the ruleset is part of.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def rules(setting: Setting, ruleset: str, ident: str | None, folder: Path | None, as_json: bool) -> None:
    """Show the rule index of RULESET, or its rule ID.

    For each rule its state, the tests that show it, and how many records of the recorded games cite it. A test shows a
    rule whose id it is marked with: @pytest.mark.rule("ID").

    States: implemented; ruled (our reading of an unclear rule); info (no effect on play).
    """
    from sandtable.cli.ruleset.rule_tests import find_rule_tests, times_recorded  # noqa: PLC0415 - so that --help stays quick

    installed = setting.rulesets.load(ruleset)
    home = Path(installed.module.__file__ or ".").parent
    tests, recorded = find_rule_tests(home, folder), times_recorded(home, ruleset)
    rows: list[dict[str, Any]] = [
        {
            "id": row.id,
            "text": row.text,
            "state": STATES.get(row.state, row.state),
            "tests": tests.get(row.id, []),
            "recorded": recorded.get(row.id, 0),
        }
        for row in installed.hook.ruleset_index() or ()
    ]
    if ident is not None:
        rows = _wanted(rows, ident, ruleset)
    acting = [row for row in rows if row["state"] != "info"]
    totals = {
        "total": len(rows),
        "info": len(rows) - len(acting),
        "tested": sum(bool(row["tests"]) for row in acting),
    }
    if as_json:
        fixed = ("id", "text", "state", "tests")  # what scripts depend on, no more
        show_json({**totals, "rows": [{key: row[key] for key in fixed} for row in rows]})
    elif ident is not None and len(rows) == 1:
        row = rows[0]
        pairs = [("rule", row["id"]), ("text", row["text"]), ("state", row["state"])]
        pairs.append(("recorded", f"cited by {count(row['recorded'], 'record')} of the recorded games"))
        show(facts([*pairs, *(("test", test) for test in row["tests"] or ["none"])]))
    else:
        _show_all(ruleset, rows, totals, folder)


def _wanted(rows: list[dict[str, Any]], ident: str, ruleset: str) -> list[dict[str, Any]]:
    """Return the row ``ident``, or the rows that begin so (DAA-4)."""
    exact = [row for row in rows if row["id"].lower() == ident.lower()]
    begun = [row for row in rows if row["id"].lower().startswith(ident.lower())]
    if not exact and not begun:
        families = ", ".join(dict.fromkeys(row["id"].partition(".")[0] for row in rows)) or "nothing"
        raise click.BadParameter(f"{ruleset} has no rule {ident!r}; its index has {families}", param_hint="ID")
    return exact or begun


def _show_all(ruleset: str, rows: list[dict[str, Any]], totals: dict[str, int], folder: Path | None) -> None:
    if not rows:
        say(f"{ruleset} has no rule index")
        return
    acting = totals["total"] - totals["info"]
    cells = [(row["id"], row["state"], _number(row), row["recorded"] or "", row["text"]) for row in rows]
    total = (f"{totals['total']}", "", "", "", f"{acting} have effect on play; {totals['tested']} of these have tests")
    show(table(("rule", "state", "tests", "recorded", "in our words"), cells, right=(2, 3), total=total))
    untested = [row["id"] for row in rows if row["state"] != "info" and not row["tests"]]
    if untested and len(untested) == acting:
        said = f'no test in {folder} shows a rule of {ruleset}: mark one @pytest.mark.rule("{untested[0]}")'
        say(
            "no tests were found: run this in a checkout, or say where they are: --tests DIR"
            if folder is None
            else said
        )
    elif untested:
        more = f" and {len(untested) - 10} more" if len(untested) > 10 else ""
        say(f"{count(len(untested), 'rule')} without a test: {', '.join(untested[:10])}{more}")
    say(f"one of them: sandtable rules {ruleset} {rows[0]['id']}")


def _number(row: dict[str, Any]) -> str:
    return str(len(row["tests"])) if row["tests"] or row["state"] != "info" else ""
