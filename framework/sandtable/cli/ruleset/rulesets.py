"""The commands ``sandtable ruleset list``, ``show`` and ``archive``."""

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
from sandtable.plugin.manifest import Manifest, seats_of
from sandtable.plugin.options.keepers import keeper_for
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
            say(f"other versions, for logs that were played with them: {', '.join(beside)}")
        say(f"details of one: sandtable ruleset show {good[0]['id']}")
    for row in rows:
        if row["error"] is not None:
            say(f"broken: {row['error']}")


def _row(ident: str, found: Installed | SandtableError) -> dict[str, Any]:
    """Return one entry of the list; a ruleset that cannot be loaded has only an error."""
    row: dict[str, Any] = {"id": ident, "version": "", "stage": "", "scenarios": [], "sides": [], "error": None}
    if isinstance(found, SandtableError):
        return row | {"error": str(found)}
    try:
        scenarios = list(found.scenario_ids())
    except Exception as error:  # noqa: BLE001 - third-party code; the others must still be listed
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
    """Show the facts of the ruleset ID: scenarios, players, options and sequence of play."""
    installed = context.rulesets.load(ident)
    manifest = installed.manifest
    prepared, bots = installed.prepare(), list(makers(installed))
    steps = prepared.ruleset.sequence
    described = {
        **picked(manifest, "id title version edition designer stage description sides powers board hidden secrets"),
        "keeper": keeper_for(manifest, prepared.options).keeper,
        "scenarios": list(installed.scenario_ids()),
        "options": [picked(option, "name default values number ruling text keeper") for option in manifest.options],
        "sequence": [
            picked(step, "name side power rule repeats") | {"setup": index < steps.first}
            for index, step in enumerate(steps.steps)
        ],
        "players": bots,
        "seats": {
            **{bot: [seat for seat in seats_of(manifest) if bot in holders(installed, seat)] for bot in bots},
            **{name: [UMPIRE] for name in fighters(prepared)},
        },
    }
    if as_json:
        show_json(described)
    else:
        _show(described, installed)


def _show(described: dict[str, Any], installed: Installed) -> None:
    powers = ", ".join(f"{power} ({side})" for power, side in described["powers"].items())
    lines = [
        ("id", f"{described['id']} {described['version']}, {described['stage']}"),
        ("title", described["title"]),
        ("edition", described["edition"]),
        ("designer", described["designer"]),
        ("about", described["description"]),
        ("sides", ", ".join(described["sides"])),
        ("powers", powers),
        ("board", f"{described['board']}{', with hidden information' if described['hidden'] else ''}"),
        ("keeper", _keeper(installed.manifest)),
        ("from", installed.source),
    ]
    show(facts([(name, value) for name, value in lines if value]))
    if described["scenarios"]:
        show()
        show("Scenarios")
        show(table(("id", "title"), [(ident, _title(installed, ident)) for ident in described["scenarios"]]))
    show()
    show("Players")
    show(table(("name", "seats"), [*_players(described["seats"], installed), ("human", ANY)]))
    show()
    show("Sequence of play")
    rows = [
        (step["name"], step["power"] or step["side"], step["rule"], "set-up" if step["setup"] else "every turn")
        for step in described["sequence"]
    ]
    show(table(("phase", "active", "rule", "when"), rows))
    if described["options"]:
        show()
        show("Options (the default first)")
        choices = [
            (each["name"], ", ".join(each["values"]) + (", a number" if each["number"] else ""), each["text"])
            for each in described["options"]
        ]
        show(table(("name", "values", "meaning"), choices))
    say()
    say(f"play it: sandtable play {described['id']} --player {described['sides'][0]}=human")
    say(f"its rules: sandtable ruleset rules {described['id']}")


def _keeper(manifest: Manifest) -> str:
    """Return whether a game needs a neutral keeper, by default and with another value of an option."""
    usual = keeper_for(manifest, {})
    words = f"{usual.keeper}: {', '.join(usual.because)}" if usual.because else usual.keeper
    others = [
        f"{kind} with {option.name}={value}"
        for option in manifest.options
        for value in option.values[1:]
        if (kind := keeper_for(manifest, {option.name: value}).keeper) != usual.keeper
    ]
    return "; ".join([words, *others])


def _players(seats: dict[str, list[str]], installed: Installed) -> list[tuple[str, str]]:
    """Return each bot with the seats that it may hold, in a few words."""
    every = list(seats_of(installed.manifest))
    words = {tuple(every): ANY, tuple(every[:-1]): "every side"}
    return [(name, words.get(tuple(held), ", ".join(held) or "none")) for name, held in seats.items()]


def _title(installed: Installed, ident: str) -> str:
    try:
        return installed.scenario(ident).title
    except SandtableError as error:
        return f"cannot be read: {error}"


@click.command()
@click.argument("ident", metavar="ID")
@click.argument("scenarios", metavar="[SCENARIO ...]", nargs=-1)
@arguments.out("The folder former/ next to the scenario files.", metavar="FOLDER", required=True, path=True)
@pass_context
def archive(context: CliContext, ident: str, scenarios: tuple[str, ...], out: Path) -> None:
    """Save a copy of shipped scenarios of the ruleset ID, before they are changed.

    The current version of each scenario is written to a file in FOLDER. If FOLDER is the folder former/ next to the
    scenario files, today's logs still verify after the scenarios have changed. Without a SCENARIO, all are saved. A
    saved scenario is not overwritten.
    """
    installed = context.rulesets.load(ident)
    shipped = installed.scenarios()
    for name in scenarios or shipped:
        if name not in shipped:
            raise DataError(
                name, "", f"not a scenario of {ident}; choose from {', '.join(shipped) or 'none: it has no files'}"
            )
        try:
            say(f"kept: {keep_edition(installed.scenario(name), out)}")
        except LogExists as error:
            say(f"kept already: {error.args[0].partition(': ')[0]}")
