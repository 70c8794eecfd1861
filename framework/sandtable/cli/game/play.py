"""The command ``sandtable play``."""

import platform
import secrets
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
from sandtable.cli.game.keying import check_signers, public_keys, save_key, seat_keys, typed_key
from sandtable.cli.game.serve import needs_web, open_table
from sandtable.cli.inputs import pairs, prepare
from sandtable.cli.main import INTERRUPTED
from sandtable.cli.output import duration, say, show, show_json, won_by
from sandtable.hosting.ending import end_game
from sandtable.hosting.keying import usual_dice
from sandtable.hosting.opening import open_game, with_opponents
from sandtable.journal.epochs.links_file import drop_secrets
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import MODES
from sandtable.journal.hands.writing import Hands
from sandtable.journal.record import play_on, store_records
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import shares_in
from sandtable.kernel.play.endings import shares_of
from sandtable.kernel.play.game import Game, Player
from sandtable.players.players import HUMAN, admit, best_for, seat_bot, seat_players
from sandtable.players.umpires import umpire_notice
from sandtable.plugin.manager import Prepared
from sandtable.quoting import count
from sandtable.terminal.console import Console
from sandtable.terminal.drafts import left_unfinished
from sandtable.terminal.hotseat import ConsolePlayer, last_known_record, play_with_people
from sandtable.terminal.prompt import EndRequested, PlayerLeft


@click.command()
@arguments.ruleset
@arguments.scenario
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SIDE=NAME",
    help="Player of a side or seat: human, a bot's name or module:Class (repeatable; default: the best bot).",
)
@click.option(
    "--seed", metavar="TEXT", help="Seed of open dice and random bots (default: a fresh one, which is shown)."
)
@click.option(
    "--key", type=click.Path(), metavar="FILE", help="File with the dice key (64 hex digits), instead of a seed."
)
@arguments.options
@click.option(
    "--dice",
    type=click.Choice(MODES),
    help="Dice mode (default: open; host for two people without a seed).",
)
@click.option(
    "--public-key",
    "keys",
    multiple=True,
    metavar="SIDE=HEX",
    help="Public key that a side or seat signs with (repeatable).",
)
@click.option(
    "--sign",
    "signs",
    multiple=True,
    metavar="SIDE=FILE",
    help="File with the private key or seed that signs the orders of a side or seat (repeatable).",
)
@arguments.out("Log to write (default: a name made from the game).")
@click.option(
    "--max-records",
    type=click.IntRange(1),
    default=500_000,
    show_default=True,
    metavar="N",
    help="Stop a bot game that exceeds N records.",
)
@arguments.search_workers
@click.option("--browser", is_flag=True, help="Play in the browser (default side: the ruleset's for newcomers).")
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
    signs: tuple[str, ...],
    out: str | None,
    max_records: int,
    workers: int,
    browser: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Play a game of RULESET and write its log.

    Dice: `open` publishes the dice key in the log from the start, `host` when the game is over. `manual` asks the
    umpire for every roll (with --player umpire=human, you type the results of physical dice). `shared` makes the dice
    from secrets of all sides. If all sides play at one terminal, they prove nothing against its owner.

    With a seed, the same arguments give the same dice, and between bots the same log. A seed can be guessed. So `host`
    and `manual` use a random key, which is kept in LOG.key until the game is over; `shared` uses random secrets in
    LOG.links, too, unless bots play with a seed. With `open`, players' secrets use separate random bytes. With --key
    FILE, everything is reproducible.
    """
    prepared = prepare(context.rulesets.load(ruleset), scenario, options)
    with usage_errors():
        named = pairs(players, "--player")
        admit(prepared.installed, named.values())
        if browser and HUMAN not in named.values():
            named[prepared.installed.manifest.newcomer or prepared.ruleset.viewers[0]] = HUMAN
        names = with_opponents(prepared, named)
    if browser:
        if key or keys or force or as_json:
            raise click.UsageError("--browser cannot be combined with --key, --public-key, --force or --json")
        _in_browser(context, prepared, scenario, named, seed or "", dice or "", out)
        return
    dice = dice or usual_dice(prepared, names, seed)
    keying = typed_key(prepared, names, dice, seed, key)
    signers = seat_keys(prepared, signs)
    keys_by_seat, keep = public_keys(prepared, keys), partial(save_key, replace=force)
    check_signers(prepared, keys_by_seat, signers)
    game, writer, _, hands = open_game(
        prepared,
        names,
        keying,
        dice=dice,
        path=out or "",
        keys=keys_by_seat,
        signers=signers,
        keep=keep,
        force=force,
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
        say("the umpire's dice are random; --player umpire=human lets you type them")
    finish(table, game, writer, hands, as_json=as_json)


def _in_browser(
    context: CliContext,
    prepared: Prepared,
    scenario: str,
    named: Mapping[str, str],
    seed: str,
    dice: str,
    out: str | None,
) -> None:
    """Play a new game in the browser; all people share the page."""
    needs_web()
    from sandtable.web.live.games import NewGame

    stem = f"{prepared.ruleset.id}-{prepared.scenario.id}"
    log = Path(out or f"{stem}-{secrets.token_hex(4)}.jsonl")
    ruleset = prepared.installed.manifest.id
    game = NewGame(ruleset, scenario, prepared.options, named, dice, hot_seat=True, seed=seed, log=log.name)
    open_table(context, log, game)


@dataclass
class Session:
    """The seats of a game, and what is needed to resume it after an interruption.

    ``key_words`` is the option that names the key, if the key is neither in the log nor next to it. A bot game is
    stopped at ``max_records``, unless that is 0. ``workers`` is the number of processes for search bots.
    """

    prepared: Prepared
    names: Mapping[str, str]
    key: bytes = field(repr=False)
    salts: bytes = field(default=b"", repr=False)
    key_words: str = ""
    plugins_words: str = ""
    max_records: int = 0
    workers: int = 1

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return HUMAN in self.names.values()

    def resume_words(self, log: str) -> str:
        """Return the command that resumes the game in ``log``."""
        return f"sandtable resume {shlex.quote(log)}{self.key_words}{self.plugins_words}"


def finish(
    table: Session,
    game: Game,
    writer: LogWriter,
    hands: Hands,
    *,
    as_json: bool,
    seated: Mapping[str, Any] | None = None,
) -> None:
    """Play ``game`` to its end into ``writer`` and report the result. An interrupted game leaves a log to resume."""
    log = str(writer.path)
    began = perf_counter()
    with writer:
        try:
            _annex(writer)
            _play(table, game, writer, hands, seated)
        except EndRequested as end:
            end_game(game, writer, hands, table.key, end.record)
        except PlayerLeft:
            hands.end(game)
            say()
            say(f"you left; the log is kept. Resume with: {table.resume_words(log)}")
        except KeyboardInterrupt:
            say()
            say(f"interrupted; the log is complete up to the last order. Resume with: {table.resume_words(log)}")
            raise click.exceptions.Exit(INTERRUPTED) from None
        seconds = perf_counter() - began
        writer.annex(seconds=round(seconds, 3))
    if game.is_over and game.dice.shown_key():
        drop_secrets(log, table.key)
    _report(game, log, seconds, as_json=as_json)


def _annex(writer: LogWriter) -> None:
    """Write the clock and the machine into the annex, which is not part of the game."""
    python = platform.python_version()
    writer.annex(began=datetime.now(UTC).isoformat(timespec="seconds"), python=python, system=platform.system())


def _play(table: Session, game: Game, writer: LogWriter, hands: Hands, seated: Mapping[str, Any] | None) -> None:

    if not table.has_people:
        players = seated or seat_players(table.prepared, table.names, table.key, salts=table.salts)
        _give_workers(players, table.workers)
        play_on(game, players, writer, table.max_records, hands)
        return

    unfinished = Path(f"{writer.path}.unfinished.txt")

    def staff(seat: str) -> Player:
        return seat_bot(table.prepared, seat, best_for(table.prepared.installed, seat), b"draft")

    console = Console(table.prepared, unfinished=unfinished, staff=staff)
    console.hotseat.ends = True
    known = game.number

    def sit_down(seat: str) -> ConsolePlayer:
        person = ConsolePlayer(console, seat)
        person.catch_up(last_known_record(game, table.prepared.ruleset.side_of, seat, known))
        return person

    people = seat_players(table.prepared, table.names, table.key, sit_down, salts=table.salts)
    console.hotseat.hide_on_resume(game)
    bots = {seat: player for seat, player in (seated or {}).items() if table.names[seat] != "human"}
    players = {**people, **bots}
    _give_workers(players, table.workers)
    for file in left_unfinished(unfinished, game.state.turn):
        console.left.append(str(file))
        say(f"an unfinished order was kept in {file}: type @ at its sheet to restore it")
    say("type help for a list of commands, view to see the board, quit to leave (the log is kept)")
    play_with_people(game, players, console, lambda: store_records(game, players, writer, hands))


def _give_workers(players: Mapping[str, Player], workers: int) -> None:
    """Set the number of worker processes of every player that can use them."""
    for player in players.values():
        if hasattr(player, "workers"):
            player.workers = workers


def _report(game: Game, log: str, seconds: float, *, as_json: bool) -> None:
    state, sides = game.state, game.ruleset.viewers
    if as_json:
        shares = shares_of(state.outcome, shares_in(game.records), sides) if state.outcome else {}
        show_json(
            {
                "log": log,
                "outcome": state.outcome,
                "ending": state.ending,
                "shares": shares,
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
        say(f"replay it: sandtable replay {quoted} --board    check it: sandtable verify {quoted}")


def ended(state: Any) -> str:
    """Return the result of a game in words, or how far it has come."""
    if not state.outcome:
        return f"not finished: turn {state.turn}"
    how = state.ending.replace("_", " ")
    return f"{won_by(state.outcome)}: {how}, in turn {state.turn}"
