"""The commands of ``sandtable mail``."""

import shlex
import sys
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.game.play import ended
from sandtable.cli.inputs import prepare
from sandtable.cli.output import say, show
from sandtable.errors import PlayError
from sandtable.files.reading import read_file
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.game import Player
from sandtable.mail.armor import MAX_TEXT
from sandtable.mail.folder import MailFolder
from sandtable.mail.game import Choose, MailGame
from sandtable.mail.packets import Invitation, Message, read_message
from sandtable.players.players import HUMAN, admit, best_for, seat_bot
from sandtable.quoting import count
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, last_known_record
from sandtable.terminal.prompt import PlayerLeft, UndoRequested

_folder = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
_file = click.argument("message", metavar="FILE", type=click.Path(allow_dash=True))
_new = click.option(
    "--folder",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="New folder for your copy of the game.",
)
_side = click.option("--side", required=True, metavar="SIDE", help="The side that you play.")


@click.command()
@arguments.ruleset
@_new
@_side
@arguments.scenario
@arguments.options
@pass_context
def invite(
    context: CliContext, *, ruleset: str, folder: Path, side: str, scenario: str, options: tuple[str, ...]
) -> None:
    """Invite others to a game of RULESET by mail.

    Send the file that is written to the players of all other sides, and `take` their answers. No player or server keeps
    the game: each player's program has a copy of the log, the dice come from secrets of all sides, and every order is
    signed. Games with secrets that need a neutral keeper cannot be played by mail.
    """
    prepared = prepare(context.rulesets.load(ruleset), scenario, options)
    file = MailFolder.invite(folder, prepared, ruleset, side, scenario if scenario.endswith(".toml") else "")
    say("send this file to the other players, then take their answers with `sandtable mail take`:")
    show(str(file))


@click.command()
@_file
@_new
@_side
@click.option("--scenario", default="", metavar="S", help="The .toml file of a scenario that is not shipped.")
@pass_context
def join(context: CliContext, *, message: str, folder: Path, side: str, scenario: str) -> None:
    """Join the game to which the file invites.

    Send the answer that is written to the player who invited you.
    """
    invitation = _read(message)
    if not isinstance(invitation, Invitation):
        raise PlayError(f"{message}: is not an invitation: use `sandtable mail take`")
    installed = context.rulesets.load(invitation.ruleset)
    with usage_errors():
        prepared = installed.prepare(scenario or invitation.scenario, invitation.options)
    file = MailFolder.join(folder, prepared, invitation, side, scenario)
    say(f"{prepared.installed.manifest.title}, {prepared.scenario.title}. Send this file to {invitation.party.side}:")
    show(str(file))


@click.command()
@_folder
@_file
@pass_context
def take(context: CliContext, *, folder: Path, message: str) -> None:
    """Take a message from another player: an answer to your invitation, or a packet (`-` reads standard input).

    Everything in it is checked: signatures, links, legality of every order, and the running hash of the log. If
    something does not fit, nothing is changed and the reason is stated.
    """
    taken = _read(message)
    with MailFolder.opened(folder, context.rulesets) as mail:
        say(f"taken: {mail.take(taken, message)}")
        _status(mail)


@click.command()
@_folder
@click.option(
    "--player", default=HUMAN, show_default=True, metavar="NAME", help="Player of your side: human or a bot's name."
)
@click.option("--since", type=click.IntRange(1), metavar="N", help="Write your packets from number N on again.")
@pass_context
def pack(context: CliContext, *, folder: Path, player: str, since: int | None) -> None:
    """Answer the questions to your side, and write a packet for the other players.

    The questions continue until another side must answer. If you quit before that, your orders are kept, and the next
    `pack` continues. An order can be undone until the packet is written, unless a roll followed.
    """
    with MailFolder.opened(folder, context.rulesets) as mail:
        if since is not None:
            for each in mail.repeated(since):
                show(str(each))
            return
        try:
            file = _packed(mail, player)
        except PlayerLeft:
            say()
            say(f"your orders are kept and not sent; continue with `sandtable mail pack {shlex.quote(str(folder))}`")
            return
        if file is not None:
            say("send this file to every other player:")
            show(str(file))
        _status(mail)


@click.command()
@_folder
@pass_context
def status(context: CliContext, *, folder: Path) -> None:
    """Show the state of a game by mail, and the players whose messages are awaited."""
    with MailFolder.opened(folder, context.rulesets) as mail:
        _status(mail)


def _read(file: str) -> Message:
    """Return the message in ``file``; ``-`` is standard input. Raises DataError."""
    data = sys.stdin.buffer.read(MAX_TEXT + 1) if file == "-" else read_file(file, MAX_TEXT)
    return read_message(data.decode("utf-8", "replace"), file)


def _packed(mail: MailFolder, player: str) -> Path | None:
    """Pack with the answers of a person or bot; raises PlayerLeft."""
    admit(mail.prepared.installed, [player])
    if player != HUMAN:
        return mail.pack(_bot(mail, player))
    console = Console(mail.prepared, unfinished=mail.path / "unfinished.txt", staff=lambda seat: _staff(mail, seat))
    people: dict[str, ConsolePlayer] = {}

    def choose(decision: Decision, game: MailGame) -> Order:
        console.game = game
        if decision.seat not in people:
            people[decision.seat] = ConsolePlayer(console, decision.seat)
            people[decision.seat].catch_up(last_known_record(game, game.ruleset.side_of, decision.seat, 0))
        return people[decision.seat].choose(decision, game.seat_view(game.side))

    while True:
        try:
            return mail.pack(choose)
        except UndoRequested:
            for each in people.values():
                each.forget()
            if not mail.take_back():
                say("no order can be undone: the last one is already in a packet, or a roll followed it")


def _bot(mail: MailFolder, player: str) -> Choose:
    """Return a function that answers as the bot ``player``."""
    bots: dict[str, Player] = {}

    def choose(decision: Decision, game: MailGame) -> Order:
        if decision.seat not in bots:
            bots[decision.seat] = seat_bot(mail.prepared, decision.seat, player, game.header.game.encode())
        return bots[decision.seat].choose(decision, game.seat_view(game.side))

    return choose


def _staff(mail: MailFolder, seat: str) -> Player:
    return seat_bot(mail.prepared, seat, best_for(mail.prepared.installed, seat), b"draft")


def _status(mail: MailFolder) -> None:
    """Print the messages that the game waits for."""
    folder = shlex.quote(str(mail.path))
    if mail.game is None:
        missing = " and ".join(mail.missing)
        inviting = mail.kept.invitation.party.side
        say(f"waiting for {missing} to join" if missing else f"waiting for the first packet of {inviting}")
        return
    game = mail.game
    if game.is_over:
        say(f"{ended(game.state)}  ({count(game.number, 'record')}); check it: sandtable verify {mail.log}")
        return
    if mail.is_due:
        say(f"turn {game.state.turn}: it is your turn: sandtable mail pack {folder}")
    else:
        say(f"turn {game.state.turn}: waiting for a packet of {' and '.join(game.awaited())}")
