"""The command ``sandtable log battle``."""

import hashlib
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.inputs import write_or_show
from sandtable.cli.output import say, show, show_json, table
from sandtable.errors import LogDamaged
from sandtable.journal.battles import PackedBattle, Unpacker, packed_battles, read_battles
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.quoting import count


@click.command()
@arguments.log
@click.option(
    "--battle", "chosen_name", metavar="N|BRIEF", help="The battle: its number in the list, or the id of its brief."
)
@arguments.out("The file to write (default: stdout).")
@arguments.force
@arguments.as_json
def battle(log: str, chosen_name: str | None, out: str | None, force: bool, as_json: bool) -> None:
    """List the battles that another ruleset fought for LOG; with --battle, write one as a separate log."""
    of = read_log(log)
    if chosen_name is None:
        if out is not None:
            raise click.UsageError("--out requires --battle: name the battle to write")
        _list(of, as_json=as_json)
        return
    chosen = _chosen(list(packed_battles(of)), chosen_name, log)
    data = Unpacker(log).unpack(chosen)
    if hashlib.sha256(data).hexdigest() != chosen.battle:
        raise LogDamaged(f"{log}: the battle {chosen.brief} was altered: its log does not match its SHA-256")
    done = f"the battle {chosen.brief}; view it: sandtable replay {out} --board"
    write_or_show(data, out, done, force=force, sources=(log,))


def _list(log: Log, *, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {"number": number, "brief": each.brief, "ruleset": each.ruleset, "bytes": len(each.data), "sha256": each.digest}
        for number, each in enumerate(read_battles(log), start=1)
    ]
    if as_json:
        show_json(rows)
        return
    show(
        table(
            ("", "brief", "ruleset", "KiB", "sha256"),
            [
                (each["number"], each["brief"], each["ruleset"], each["bytes"] >> 10, each["sha256"][:12])
                for each in rows
            ],
            right=(0, 3),
        )
    )
    say(count(len(rows), "battle"))


def _chosen(found: list[PackedBattle], chosen_name: str, log: str) -> PackedBattle:
    """Return the battle with this number or brief. If a brief occurs more than once, its last battle is returned."""
    if chosen_name.isascii() and chosen_name.isdigit() and 1 <= int(chosen_name[:9]) <= len(found):
        return found[int(chosen_name[:9]) - 1]
    named = [each for each in found if each.brief == chosen_name]
    if not named:
        raise click.BadParameter(
            f"{log} has {count(len(found), 'battle')}, but not {chosen_name!r}", param_hint="--battle"
        )
    return named[-1]
