"""``sandtable play``."""

import platform
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.game.keying import keep_and_tell, public_keys, typed_key
from sandtable.cli.inputs import pairs, prepare
from sandtable.cli.main import INTERRUPTED
from sandtable.cli.output import count, duration, say, show, show_json, won_by
from sandtable.hosting.keying import usual_dice
from sandtable.hosting.opening import open_game, with_opponents
from sandtable.journal.file.keys import drop_key
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import play_on, put_away
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.game import Game, Player
from sandtable.players.players import HUMAN, admit, best_for, seat_bot, seat_players
from sandtable.players.umpires import umpire_notice
from sandtable.plugin.manager import Prepared
from sandtable.terminal.console import Console
from sandtable.terminal.drafts import left_unfinished
from sandtable.terminal.hotseat import ConsolePlayer, heard, play_with_people
from sandtable.terminal.prompt import LeftTheTable


@click.command()
@arguments.ruleset
@arguments.scenario
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SIDE=NAME",
    help="A bot (by name, or module:Class), or human (default: the ruleset's best bot; repeatable).",
)
@click.option("--seed", metavar="TEXT", help="Where open dice and bots' chance come from; a fresh one is shown.")
@click.option("--key", type=click.Path(), metavar="FILE", help="The dice key, 64 hex digits, in place of a seed.")
@arguments.options
@click.option(
    "--dice",
    type=click.Choice(["open", "host", "manual"]),
    help="Else: open; host where two people play without a seed.",
)
@click.option("--public-key", "keys", multiple=True, metavar="SIDE=HEX", help="Who signs with which key; repeat.")
@arguments.out("The log (default: named after the game).")
@click.option(
    "--max-records",
    type=click.IntRange(1),
    default=500_000,
    show_default=True,
    metavar="N",
    help="Stop a game between bots that has more and no end.",
)
@arguments.search_workers
@arguments.force
@arguments.as_json
@pass_context
def play(
    context: CliContext,
    *,
    ruleset: str,
    scenario: str,
    players: tuple[str, ...],
    seed: str | None,
    key: str | None,
    options: tuple[str, ...],
    dice: str | None,
    keys: tuple[str, ...],
    out: str | None,
    max_records: int,
    workers: int,
    force: bool,
    as_json: bool,
) -> None:
    """Play a game of RULESET and write its log.

    Dice: `open` shows the key in the log from the start, `host` when the game is over, `manual` asks the umpire for
    every roll (--player umpire=human to type physical dice).

    The same arguments, with a seed, give the same dice, and between bots the same log. A seed can be guessed: with
    `host` and `manual` the key is random, and kept in LOG.key until the game is over; with `open`, what people are not
    to see of each other hangs on random bytes of its own. With a key from FILE all comes out the same again.
    """
    prepared = prepare(context.rulesets.load(ruleset), scenario, options)
    with usage_errors():
        named = pairs(players, "--player")
        admit(prepared.installed, named.values())
        names = with_opponents(prepared, named)
    dice = dice or usual_dice(prepared, names, seed)
    keying = typed_key(prepared, names, dice, seed, key)
    keys_by_seat, keep = public_keys(prepared, keys), partial(keep_and_tell, replace=force)
    game, writer, _ = open_game(
        prepared, names, keying, dice=dice, path=out or "", keys=keys_by_seat, keep=keep, force=force
    )
    key_words = f" --key {shlex.quote(keying.file)}" if dice != "open" and keying.file else ""
    table = Session(prepared, names, keying.key, keying.salts, key_words, context.plugins_words, max_records, workers)
    if keying.seed:
        say(f"seed: {keying.seed}")
    if table.has_people:
        say("players: " + ", ".join(f"{seat}={name}" for seat, name in names.items()))
    if word := umpire_notice(prepared, names.get(UMPIRE, "")):
        say(word)
    if dice == "manual" and not table.has_people:
        say("the umpire rolls at random; --player umpire=human lets you type the dice")
    finish(table, game, writer, as_json=as_json)


@dataclass
class Session:
    """Who sits where, and what must be known to go on with an interrupted game.

    ``key_words`` say where the key is to be found, if neither in the log nor beside it. A game between bots is stopped
    at ``most_records``, unless that is 0. ``workers`` processes think for those who search.
    """

    prepared: Prepared
    names: Mapping[str, str]
    key: bytes = field(repr=False)
    salts: bytes = field(default=b"", repr=False)
    key_words: str = ""
    plugins_words: str = ""
    most_records: int = 0
    workers: int = 1

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return HUMAN in self.names.values()

    def resume_words(self, log: str) -> str:
        """Return the command that goes on with the game in ``log``."""
        return f"sandtable resume {shlex.quote(log)}{self.key_words}{self.plugins_words}"


def finish(
    table: Session, game: Game, writer: LogWriter, *, as_json: bool, seated: Mapping[str, Any] | None = None
) -> None:
    """Play ``game`` to its end into ``writer`` and tell how it went; leaves a log that can be gone on with."""
    log = str(writer.path)
    began = perf_counter()
    with writer:
        try:
            _annex(writer)
            _play(table, game, writer, seated)
        except LeftTheTable:
            say()
            say(f"you left; the log stays. Go on with: {table.resume_words(log)}")
        except KeyboardInterrupt:
            say()
            say(f"interrupted; the log is whole up to the last order. Go on with: {table.resume_words(log)}")
            raise click.exceptions.Exit(INTERRUPTED) from None
        seconds = perf_counter() - began
        writer.annex(seconds=round(seconds, 3))
    if game.is_over and game.dice.shown_key():
        drop_key(log, table.key)
    _report(game, log, seconds, as_json=as_json)


def _annex(writer: LogWriter) -> None:
    """Note the clock and the machine: facts that are no part of the game."""
    python = platform.python_version()
    writer.annex(began=datetime.now(UTC).isoformat(timespec="seconds"), python=python, system=platform.system())


def _play(table: Session, game: Game, writer: LogWriter, seated: Mapping[str, Any] | None) -> None:

    if not table.has_people:
        players = seated or seat_players(table.prepared, table.names, table.key, salts=table.salts)
        _give_workers(players, table.workers)
        play_on(game, players, writer, table.most_records)
        return

    unfinished = Path(f"{writer.path}.unfinished.txt")

    def staff(seat: str) -> Player:
        return seat_bot(table.prepared, seat, best_for(table.prepared.installed, seat), b"draft")

    console = Console(table.prepared, unfinished=unfinished, staff=staff)
    known = game.number

    def sit_down(seat: str) -> ConsolePlayer:
        person = ConsolePlayer(console, seat)
        person.catch_up(heard(game, table.prepared.ruleset.side_of, seat, known))
        return person

    people = seat_players(table.prepared, table.names, table.key, sit_down, salts=table.salts)
    console.hotseat.sit_again(game)
    bots = {seat: player for seat, player in (seated or {}).items() if table.names[seat] != "human"}
    players = {**people, **bots}
    _give_workers(players, table.workers)
    for file in left_unfinished(unfinished, game.state.turn):
        console.left.append(str(file))
        say(f"an order was left unfinished in {file}: @ at its sheet takes it back")
    say("help shows what you can type, view the board; quit leaves, and the log stays")
    play_with_people(game, players, console, lambda: put_away(game, players, writer))


def _give_workers(players: Mapping[str, Player], workers: int) -> None:
    """Let those who search do so with so many processes."""
    for player in players.values():
        if hasattr(player, "workers"):
            player.workers = workers


def _report(game: Game, log: str, seconds: float, *, as_json: bool) -> None:
    state = game.state
    if as_json:
        show_json(
            {
                "log": log,
                "outcome": state.outcome,
                "ending": state.ending,
                "turns": state.turn,
                "records": game.number,
                "seconds": round(seconds, 3),
            }
        )
    else:
        show(f"{ended(state)}  ({count(game.number, 'record')}, {duration(seconds)})")
        show(f"log: {log}")
    if state.outcome:
        quoted = shlex.quote(log)
        say(f"watch it: sandtable replay {quoted} --board    check it: sandtable verify {quoted}")


def ended(state: Any) -> str:
    """Return how a game stands, in words."""
    if not state.outcome:
        return f"not finished: turn {state.turn}"
    how = state.ending.replace("_", " ")
    return f"{won_by(state.outcome)}: {how}, in turn {state.turn}"
