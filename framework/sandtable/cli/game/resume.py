"""The command ``sandtable resume``."""

import shlex
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.game.keying import key_of_seed
from sandtable.cli.game.play import Session, finish
from sandtable.cli.game.serve import open_table
from sandtable.cli.inputs import pairs
from sandtable.cli.output import say
from sandtable.hosting.taking_up import Seating
from sandtable.journal.epochs.links_file import LinksFile
from sandtable.journal.file.keys import check_key, read_key
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import Header
from sandtable.journal.hands.seeds import read_seat_key
from sandtable.journal.repair import cut_tail
from sandtable.journal.resume import rerun_to_end
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import Dice
from sandtable.kernel.shared.epochs import SharedDice
from sandtable.quoting import count


@click.command()
@arguments.log
@click.option("--player", "players", multiple=True, metavar="SIDE=NAME", help="Let another player take over a seat.")
@arguments.dice_key
@click.option("--seed", metavar="TEXT", help="Seed of the dice key, for logs of tournaments.")
@click.option(
    "--sign", "signs", multiple=True, type=click.Path(), metavar="FILE", help="File that signs orders (repeatable)."
)
@arguments.search_workers
@click.option("--browser", is_flag=True, help="Continue in the browser.")
@arguments.as_json
@pass_context
def resume(
    context: CliContext,
    *,
    log: str,
    players: tuple[str, ...],
    key: str | None,
    seed: str | None,
    signs: tuple[str, ...],
    workers: int,
    browser: bool,
    as_json: bool,
) -> None:
    """Resume the interrupted game in LOG, with the players it names.

    Bots repeat the decisions they have already made, so the game continues as if it had not been interrupted. An
    incomplete last line is cut off first; a copy of the original file is kept. The key of `host` and `manual` dice is
    in LOG.key, where `sandtable play` stored it.
    """
    others = pairs(players, "--player")
    if browser:
        if others or key or seed or as_json:
            raise click.UsageError("--browser cannot be combined with --player, --key, --seed or --json")
        open_table(context, Path(log), None)
        return
    signers = [read_seat_key(each) for each in signs]
    writer, found = LogWriter.reopen(log, durable=True)
    with writer:
        if found.torn and found.broken is None:
            lost, kept = cut_tail(writer, found)
            say(f"{log}: {count(lost, 'byte')} of an unfinished line cut off; copy of the original: {kept}")
        header = found.header
        known, words = _key_named(log, header, key, seed)
        salts = header.known_salts(log)
        bots = Seating(header.players, others, salts, usage_errors)
        resumed = rerun_to_end(writer, found, context.rulesets, key=known, before=bots.seat, signers=signers)
        seats = resumed.prepared.ruleset.seats
        resumed.hands.check_keys(seat for seat, side in seats.items() if side != UMPIRE)
        bots.follow(resumed.game)
        _check_links(resumed.game.dice)
        table = Session(resumed.prepared, bots.names, resumed.key, salts, words, context.plugins_words, workers=workers)
        say(f"{log}: resumed after record {count(resumed.game.number, 'record').split()[0]}")
        if bots.names != header.players:
            writer.annex(players=bots.names)
        finish(table, resumed.game, writer, resumed.hands, as_json=as_json, seated=bots.seated)


def _key_named(log: str, header: Header, file: str | None, seed: str | None) -> tuple[bytes | None, str]:
    """Return the named key, checked, and the option that names it again, or None and "" if no key was named."""
    if file is not None and seed is not None:
        raise click.UsageError("--seed and --key both determine the dice: use only one")
    if file is not None:
        key, where, words = read_key(file), file, f" --key {shlex.quote(file)}"
    elif seed is not None:
        key, where, words = key_of_seed(seed), "--seed", f" --seed {shlex.quote(seed)}"
    else:
        return None, ""
    check_key(key, header, where, log)
    return key, words if header.dice != "open" else ""


def _check_links(dice: Dice) -> None:
    """Raise PlayError if the links of shared ``dice`` are not next to the log."""
    source = dice.epochs.source if isinstance(dice, SharedDice) else None
    if isinstance(source, LinksFile):
        source.check()
