"""The command ``sandtable ruleset rules``."""

from pathlib import Path
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.inputs import seed_or_fresh
from sandtable.cli.output import facts, progress, say, show, show_json, table
from sandtable.cli.ruleset.rule_citations import find_citations
from sandtable.cli.ruleset.rule_tests import find_rule_tests, times_recorded
from sandtable.plugin.manager import Installed
from sandtable.quoting import count

STATES = {"rule": "implemented", "ruling": "ruled", "info": "info"}
"""The displayed state of a rule, by the state of its row in the index."""


@click.command()
@arguments.ruleset
@click.argument("ident", required=False, metavar="[ID]")
@click.option(
    "--tests",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder with tests (default: those of the checkout that contains the ruleset).",
)
@click.option("--uncited", is_flag=True, help="Show only rules that affect play and that no source cites.")
@click.option(
    "--coverage", type=click.IntRange(1, 100_000), metavar="N", help="Play N bot games and report which rules they use."
)
@click.option(
    "--player", default="", metavar="NAME", help="Player for --coverage (default: the best bot for each seat)."
)
@arguments.seed()
@arguments.workers
@arguments.as_json
@pass_context
def rules(
    context: CliContext,
    *,
    ruleset: str,
    ident: str | None,
    folder: Path | None,
    uncited: bool,
    coverage: int | None,
    player: str,
    seed: str | None,
    workers: int,
    as_json: bool,
) -> None:
    """Show the rule index of RULESET, or its rule ID.

    For each rule: its state, its tests, the places in the ruleset's sources that cite it, and the number of records of
    the recorded games that do. A test belongs to a rule if it is marked with its id: @pytest.mark.rule("ID").

    The state is implemented, ruled (an interpretation of an unclear rule) or info (no effect on play).

    With --coverage N, bots play N games on all scenarios in turn. The output lists the rules that no record of these
    games cites, although recorded games, or as many random games, do.
    """
    if coverage is not None:
        _show_coverage(context, ruleset, coverage, player=player, seed=seed, workers=workers, as_json=as_json)
        return
    rows = _rows(context.rulesets.load(ruleset), folder)
    if ident is not None:
        rows = _selected(rows, ident, ruleset)
    if uncited:
        rows = [row for row in rows if _is_uncited(row)]
    acting = [row for row in rows if row["state"] != "info"]
    totals = {"total": len(rows), "info": len(rows) - len(acting), "tested": sum(bool(row["tests"]) for row in acting)}
    if as_json:
        fixed = ("id", "text", "state", "tests")  # what scripts depend on, no more
        show_json({**totals, "rows": [{key: row[key] for key in fixed} for row in rows]})
    elif uncited and not rows:
        say(f"each rule of {ruleset}{f' named {ident}' if ident else ''} that affects play is cited by a source")
    elif ident is not None and len(rows) == 1:
        show(facts(_facts(rows[0])))
    else:
        _show_all(ruleset, rows, totals, folder)


def _rows(installed: Installed, folder: Path | None) -> list[dict[str, Any]]:
    """Return the rows of the index, each with its tests, citing sources and recorded citations."""
    home = Path(installed.module.__file__ or ".").parent
    index = installed.hook.ruleset_index() or ()
    tests, recorded = find_rule_tests(home, folder), times_recorded(home, installed.manifest.id)
    sources = find_citations([row.id for row in index], installed.files(), home)
    return [
        {
            "id": row.id,
            "text": row.text,
            "state": STATES.get(row.state, row.state),
            "tests": tests.get(row.id, []),
            "sources": sources[row.id],
            "recorded": recorded.get(row.id, 0),
        }
        for row in index
    ]


def _is_uncited(row: dict[str, Any]) -> bool:
    return row["state"] != "info" and not row["sources"]


def _facts(row: dict[str, Any]) -> list[tuple[str, object]]:
    return [
        ("rule", row["id"]),
        ("text", row["text"]),
        ("state", row["state"]),
        ("recorded", f"cited by {count(row['recorded'], 'record')} of the recorded games"),
        *(("source", place) for place in row["sources"] or ["none"]),
        *(("test", test) for test in row["tests"] or ["none"]),
    ]


def _selected(rows: list[dict[str, Any]], ident: str, ruleset: str) -> list[dict[str, Any]]:
    """Return the row ``ident``, or the rows whose id begins with it (DAA-4)."""
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
    acting = [row for row in rows if row["state"] != "info"]
    untested = [row["id"] for row in acting if not row["tests"]]
    uncited = [row["id"] for row in acting if not row["sources"]]
    cells = [
        (row["id"], row["state"], _number(row, "tests"), _number(row, "sources"), row["recorded"] or "", row["text"])
        for row in rows
    ]
    cited = f"{len(acting) - len(uncited)} are cited by the sources"
    summary = f"{len(acting)} affect play; {totals['tested']} of these have tests, {cited}"
    heads = ("rule", "state", "tests", "sources", "recorded", "in our words")
    show(table(heads, cells, right=(2, 3, 4), total=(f"{totals['total']}", "", "", "", "", summary)))
    if untested and len(untested) == len(acting):
        problem = f'no test in {folder} is marked with a rule of {ruleset}: mark one @pytest.mark.rule("{untested[0]}")'
        say(problem if folder else "no tests were found: run this in a checkout, or name their folder: --tests DIR")
    elif untested:
        say(f"{count(len(untested), 'rule')} without a test: {_first(untested)}")
    if uncited:
        say(f"{count(len(uncited), 'rule')} that no source cites (--uncited lists them): {_first(uncited)}")
    say(f"show one: sandtable ruleset rules {ruleset} {rows[0]['id']}")


def _first(idents: list[str]) -> str:
    return ", ".join(idents[:10]) + (f" and {len(idents) - 10} more" if len(idents) > 10 else "")


def _number(row: dict[str, Any], what: str) -> str:
    return str(len(row[what])) if row[what] or row["state"] != "info" else ""


def _show_coverage(
    context: CliContext, ruleset: str, games: int, *, player: str, seed: str | None, workers: int, as_json: bool
) -> None:
    """Play games and show which rules were used. Raises PlayError for a player that the ruleset does not have."""
    from sandtable.testing.games.rule_coverage import TouchPlan, by_chance, touched

    installed = context.rulesets.load(ruleset)
    seed = seed_or_fresh(seed)
    plan = TouchPlan(ruleset, games, seed, player, context.plugins_dir)
    found = []
    for each in (plan, by_chance(plan)):
        with progress(games) as seen:
            found.append(touched(each, context.rulesets, workers=workers, seen=seen))
    own, chance = found
    recorded = times_recorded(Path(installed.module.__file__ or ".").parent, installed.manifest.id)
    acting = {row.id: row.text for row in installed.hook.ruleset_index() or () if row.state != "info"}
    possible = [ident for ident in acting if ident in own or ident in chance or ident in recorded]
    missed = [ident for ident in possible if ident not in own]
    if as_json:
        show_json(
            {
                "games": games,
                "seed": seed,
                "can_be_touched": len(possible),
                "touched": len(possible) - len(missed),
                "rows": [
                    {"id": each, "games": own.get(each, 0), "by_chance": chance.get(each, 0)} for each in possible
                ],
            }
        )
        return
    if missed:
        cells = [(each, chance.get(each, 0) or "", recorded.get(each, 0) or "", acting[each]) for each in missed]
        show(table(("not used", "random games", "recorded", "in our words"), cells, right=(1, 2)))
    share = f" ({(len(possible) - len(missed)) / len(possible):.1%})" if possible else ""
    player_words = player or "the best bots"
    say(
        f"{count(games, 'game')} of {player_words} use {len(possible) - len(missed)} of "
        f"{count(len(possible), 'rule')}{share} that can be used; the other {len(acting) - len(possible)} of "
        f"{len(acting)} are cited in no record of these games, of recorded games or of as many random games"
    )
