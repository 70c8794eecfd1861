"""The command ``sandtable demo``."""

import shlex
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.inputs import seed_or_fresh
from sandtable.cli.output import duration, picked, say, show, show_json, table
from sandtable.errors import SandtableError
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_into_file
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import best_for, name_seats, seat_players
from sandtable.plugin.manager import Installed
from sandtable.quoting import count


@click.command()
@arguments.seed("demo")
@click.option("--out", default="sandtable-demo", show_default=True, metavar="DIR", help="Folder for the logs.")
@arguments.as_json
@pass_context
def demo(context: CliContext, seed: str, out: str, as_json: bool) -> int:
    """Play one bot game of every installed ruleset, and verify the logs."""
    seed = seed_or_fresh(seed)
    Path(out).mkdir(parents=True, exist_ok=True)
    rows = []
    for ident in context.rulesets.ids():
        try:
            rows.append(_one_game(context, context.rulesets.load(ident), seed, out))
        except SandtableError as error:
            rows.append({"ruleset": ident, "error": str(error)})
    if as_json:
        show_json(rows)
    else:
        _show(rows, context.plugins_words)
    if not rows:
        say("no ruleset is installed: pip install one, or name a folder with --plugins-dir")
    return 0 if rows and all(row.get("verified") == "verified" for row in rows) else 1


def _one_game(context: CliContext, installed: Installed, seed: str, out: str) -> dict[str, Any]:
    """Play, write and verify one game. The log of an earlier demo is overwritten, because it is of the same game."""
    prepared = installed.prepare()
    seats = [seat for seat, side in prepared.ruleset.seats.items() if side != UMPIRE]
    best = {seat: best_for(installed, seat) for seat in seats}
    names = name_seats(prepared, best)
    key = key_from_seed(seed)
    dice = make_dice("open", key)
    header = make_header(prepared, names, dice)
    path = Path(out) / f"{installed.manifest.id}-{prepared.scenario.id}-{header.game[:8]}.jsonl"
    say(f"playing {installed.manifest.id}: {installed.manifest.title}, {' against '.join(best.values())} ...")
    began = perf_counter()
    game = play_into_file(prepared, seat_players(prepared, names, key), dice, header, path, force=True)
    seconds = perf_counter() - began
    verdict = verify_log(path, context.rulesets)
    return {
        "ruleset": installed.manifest.id,
        "log": str(path),
        "newcomer": installed.manifest.newcomer,
        **picked(game.state, "outcome ending"),
        "turns": game.state.turn,
        "records": game.number,
        "seconds": round(seconds, 3),
        "verified": verdict.verdict,
    }


def _show(rows: list[dict[str, Any]], plugins: str) -> None:
    good = [row for row in rows if "error" not in row]
    if good:
        headings = ("ruleset", "outcome", "ending", "turns", "records", "time", "verified")
        cells = [
            [
                {"ending": str(row["ending"]).replace("_", " "), "time": duration(row["seconds"])}.get(
                    name, row.get(name)
                )
                for name in headings
            ]
            for row in good
        ]
        verified = sum(row["verified"] == "verified" for row in good)
        records = sum(row["records"] for row in good)
        total = ("all", count(len(good), "game"), "", "", records, "", f"{verified} of {len(good)}")
        show(table(headings, cells, right=(3, 4, 5), total=total))
    for row in rows:
        if "error" in row:
            say(f"broken: {row['error']}")
    if good:
        first = next((row for row in good if row["newcomer"]), good[0])
        say(f"replay one: sandtable replay {shlex.quote(first['log'])} --board{plugins}")
        player = f" --player {first['newcomer']}=human" if first["newcomer"] else ""
        say(f"play one:   sandtable play {first['ruleset']}{player}{plugins}")
