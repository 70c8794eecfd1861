"""``sandtable log battle``."""

import hashlib

import click

from sandtable.cli import arguments
from sandtable.cli.inputs import write_or_show
from sandtable.cli.output import count, say, show, show_json, table
from sandtable.errors import LogDamaged
from sandtable.journal.battles import BattleRecord, read_battles
from sandtable.journal.file.log import read_log


@click.command()
@arguments.log
@click.option("--battle", "wanted", metavar="N|BRIEF", help="Which: its number in the list, or the id of its brief.")
@arguments.out("The file to write (default: stdout).")
@arguments.force
@arguments.as_json
def battle(log: str, wanted: str | None, out: str | None, force: bool, as_json: bool) -> None:
    """Write out a battle that another ruleset fought for LOG, as a log of its own; without --battle, list them."""
    found = read_battles(read_log(log))
    if wanted is None:
        if out is not None:
            raise click.UsageError("--out wants --battle: which battle is to be written?")
        _list(found, as_json=as_json)
        return
    chosen = _chosen(found, wanted, log)
    if hashlib.sha256(chosen.data).hexdigest() != chosen.digest:
        raise LogDamaged(f"{log}: the battle {chosen.brief} was altered: its log does not fit its SHA-256")
    done = f"the battle {chosen.brief}; look: sandtable replay {out} --board"
    write_or_show(chosen.data, out, done, force=force, sources=(log,))


def _list(found: list[BattleRecord], *, as_json: bool) -> None:
    rows = [
        {"number": number, "brief": each.brief, "ruleset": each.ruleset, "bytes": len(each.data), "sha256": each.digest}
        for number, each in enumerate(found, start=1)
    ]
    if as_json:
        show_json(rows)
        return
    show(
        table(
            ("", "brief", "ruleset", "KiB", "sha256"),
            [
                (number, each.brief, each.ruleset, len(each.data) >> 10, each.digest[:12])
                for number, each in enumerate(found, start=1)
            ],
            right=(0, 3),
        )
    )
    say(count(len(found), "battle"))


def _chosen(found: list[BattleRecord], wanted: str, log: str) -> BattleRecord:
    """Return the battle of this number, or of this brief (the last one, where an undone one is kept too)."""
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(found):
        return found[int(wanted[:9]) - 1]
    named = [each for each in found if each.brief == wanted]
    if not named:
        raise click.BadParameter(f"{log} has {count(len(found), 'battle')}, none is {wanted!r}", param_hint="--battle")
    return named[-1]
