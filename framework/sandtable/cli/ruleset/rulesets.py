"""``sandtable ruleset list``, ``show`` and ``archive``."""

from pathlib import Path
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import facts, picked, say, show, show_json, table
from sandtable.errors import DataError, LogExists, SandtableError
from sandtable.kernel.decisions import UMPIRE
from sandtable.players.players import holders, makers
from sandtable.players.umpires import fighters
from sandtable.plugin.manager import Installed
from sandtable.plugin.manifest import seats_of
from sandtable.plugin.scenarios import keep_edition

ANY = "every side, umpire"


@click.command()
@arguments.as_json
@pass_context
def list_all(context: CliContext, as_json: bool) -> None:
    """List the installed rulesets; `sandtable ruleset show ID` describes one."""
    rows = [_row(ident, found) for ident, found in context.rulesets.load_all().items()]
    if as_json:
        show_json(rows)
        return
    if not rows:
        say("no ruleset is installed: pip install one, or name a folder with --plugins-dir")
        return
    good = [row for row in rows if row["error"] is None]
    cells = [
        (row["id"], row["version"], row["stage"], ", ".join(row["scenarios"]), ", ".join(row["sides"])) for row in good
    ]
    if good:
        show(table(("id", "version", "stage", "scenarios", "sides"), cells))
        variants = context.rulesets.variants()
        if variants:
            show(
                table(
                    ("variant", "version", "title"),
                    [(name, each.version, each.title) for name, each in variants.items()],
                )
            )
        if beside := context.rulesets.versions():
            say(f"versions beside these, for the logs that were played with them: {', '.join(beside)}")
        say(f"all about one: sandtable ruleset show {good[0]['id']}")
    for row in rows:
        if row["error"] is not None:
            say(f"broken: {row['error']}")


def _row(ident: str, found: Installed | SandtableError) -> dict[str, Any]:
    """Return one entry of the list; a ruleset that cannot be loaded has an error and nothing else."""
    row: dict[str, Any] = {"id": ident, "version": "", "stage": "", "scenarios": [], "sides": [], "error": None}
    if isinstance(found, SandtableError):
        return row | {"error": str(found)}
    try:
        scenarios = list(found.scenario_ids())
    except Exception as error:  # noqa: BLE001 - a stranger's hook; the others must still be listed
        return row | {"error": f"{ident}: ruleset_scenarios failed: {type(error).__name__}: {error}"}
    manifest = found.manifest
    return row | {
        "version": manifest.version,
        "stage": manifest.stage,
        "scenarios": scenarios,
        "sides": list(manifest.sides),
    }


@click.command()
@click.argument("ident", metavar="ID")
@arguments.as_json
@pass_context
def show_one(context: CliContext, ident: str, as_json: bool) -> None:
    """Tell all about the ruleset ID: facts, scenarios, players, options, sequence of play."""
    installed = context.rulesets.load(ident)
    manifest = installed.manifest
    prepared, bots = installed.prepare(), list(makers(installed))
    steps = prepared.ruleset.sequence
    told = {
        **picked(manifest, "id title version edition designer stage description sides powers board hidden"),
        "scenarios": list(installed.scenario_ids()),
        "options": [picked(option, "name default values number ruling text") for option in manifest.options],
        "sequence": [
            picked(step, "name side power rule repeats") | {"setup": place < steps.first}
            for place, step in enumerate(steps.steps)
        ],
        "players": bots,
        "seats": {
            **{bot: [seat for seat in seats_of(manifest) if bot in holders(installed, seat)] for bot in bots},
            **{name: [UMPIRE] for name in fighters(prepared)},
        },
    }
    if as_json:
        show_json(told)
    else:
        _tell(told, installed)


def _tell(told: dict[str, Any], installed: Installed) -> None:
    powers = ", ".join(f"{power} ({side})" for power, side in told["powers"].items())
    lines = [
        ("id", f"{told['id']} {told['version']}, {told['stage']}"),
        ("title", told["title"]),
        ("edition", told["edition"]),
        ("designer", told["designer"]),
        ("about", told["description"]),
        ("sides", ", ".join(told["sides"])),
        ("powers", powers),
        ("board", f"{told['board']}{', with hidden information' if told['hidden'] else ''}"),
        ("from", installed.source),
    ]
    show(facts([(name, value) for name, value in lines if value]))
    if told["scenarios"]:
        show()
        show("Scenarios")
        show(table(("id", "title"), [(ident, _title(installed, ident)) for ident in told["scenarios"]]))
    show()
    show("Players")
    show(table(("name", "may sit for"), [*_players(told["seats"], installed), ("human", ANY)]))
    show()
    show("Sequence of play")
    rows = [
        (step["name"], step["power"] or step["side"], step["rule"], "set-up" if step["setup"] else "every turn")
        for step in told["sequence"]
    ]
    show(table(("phase", "on move", "rule", "when"), rows))
    if told["options"]:
        show()
        show("Options (the default first)")
        choices = [
            (each["name"], ", ".join(each["values"]) + (", a number" if each["number"] else ""), each["text"])
            for each in told["options"]
        ]
        show(table(("name", "values", "what is asked"), choices))
    say()
    say(f"play it: sandtable play {told['id']} --player {told['sides'][0]}=human")
    say(f"its rules: sandtable ruleset rules {told['id']}")


def _players(seats: dict[str, list[str]], installed: Installed) -> list[tuple[str, str]]:
    """Return each bot with the seats that it may hold, in few words."""
    every = list(seats_of(installed.manifest))
    words = {tuple(every): ANY, tuple(every[:-1]): "every side"}
    return [(name, words.get(tuple(held), ", ".join(held) or "nobody")) for name, held in seats.items()]


def _title(installed: Installed, ident: str) -> str:
    try:
        return installed.scenario(ident).title
    except SandtableError as error:
        return f"cannot be read: {error}"


@click.command()
@click.argument("ident", metavar="ID")
@click.argument("scenarios", metavar="[SCENARIO ...]", nargs=-1)
@arguments.out("The folder former/ beside the scenario files.", metavar="FOLDER", required=True, path=True)
@pass_context
def archive(context: CliContext, ident: str, scenarios: tuple[str, ...], out: Path) -> None:
    """Keep shipped scenarios of the ruleset ID as they are, before they are changed.

    What a scenario is today goes into a file of FOLDER. In the folder former/ beside the scenario files it lets logs of
    today verify later, too. Without a SCENARIO all are kept; one that is kept already stays.
    """
    installed = context.rulesets.load(ident)
    shipped = installed.scenarios()
    for name in scenarios or shipped:
        if name not in shipped:
            raise DataError(name, "", f"no scenario of {ident}: choose {', '.join(shipped) or 'none, it has no files'}")
        try:
            say(f"kept: {keep_edition(installed.scenario(name), out)}")
        except LogExists as error:
            say(f"kept already: {error.args[0].partition(': ')[0]}")
