"""The table of commands, and the groups that load a command when it is called.

click is the only third-party package imported here, so that ``sandtable --help`` and shell completion stay quick.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandtable.cli.context import CliContext
from sandtable.cli.output import show_drawing

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class Entry(NamedTuple):
    """A command: its module in ``sandtable.cli``, its line of help, and its function if the name differs."""

    module: str
    line: str
    function: str = ""


class GroupEntry(NamedTuple):
    """A group of commands: its help, and the commands in it."""

    line: str
    commands: Mapping[str, Entry]


COMMANDS: Mapping[str, Entry] = {
    "demo": Entry("game.demo", "Play one bot game of every ruleset, and verify the logs."),
    "play": Entry("game.play", "Play a game with bots, people, or both."),
    "serve": Entry("game.serve", "Serve games to browsers."),
    "resume": Entry("game.resume", "Resume an interrupted game."),
    "resign": Entry("game.ending", "Resign a game."),
    "draw": Entry("game.ending", "End a game as a draw that all sides agree on."),
    "replay": Entry("game.replay", "Narrate a recorded game, or walk through it."),
    "verify": Entry("log.verify", "Rerun logs and compare every record."),
    "explain": Entry("log.explain", "Explain why a record of a log happened."),
    "ask": Entry("log.ask", "Ask the rules about a position of a log."),
    "board": Entry("game.board", "Draw the board of a log or of a ruleset."),
    "match": Entry("lab.match", "Play paired games of two players."),
    "check": Entry("author.check", "Run the contract suite on a ruleset."),
    "new": Entry("author.new", "Write a package for a new ruleset, with tests."),
}
"""The commands at the top, in the order of the help."""

GROUPS: Mapping[str, GroupEntry] = {
    "log": GroupEntry(
        "Work on log files.",
        {
            "redact": Entry("log.files", "Write the part of a log that one side may see."),
            "join": Entry("log.files", "Join the files that the sides of one game hold."),
            "battle": Entry("log.battle", "List or write the battles fought by another ruleset."),
            "repair": Entry("log.files", "Cut off what the last write left unfinished."),
            "anchor": Entry("log.anchors", "Print the head of a log, also as a code to read out."),
            "rule": Entry("log.ruling", "Rule on a game as its umpire."),
            "luck": Entry("log.luck", "Compare each side's rolls with their expectation."),
            "diff": Entry("log.diff", "Find the first record in which logs differ."),
            "page": Entry("page.page", "Write a game as one page, or check such a page."),
            "gallery": Entry("page.gallery", "Write a page of every log in a folder, and an index."),
        },
    ),
    "dispute": GroupEntry(
        "Settle disputes about a game; keep them as files.",
        {
            "open": Entry("dispute.cases", "Open a dispute about a record.", "open_one"),
            "try": Entry("dispute.cases", "Try a branch for a dispute, and note its result.", "try_one"),
            "rule": Entry("dispute.cases", "Write the ruling into the file of a dispute.", "rule_one"),
            "show": Entry("dispute.cases", "Show a dispute.", "show_one"),
            "test": Entry("dispute.cases", "Try disputes again under the installed rules.", "test_all"),
            "whatif": Entry("dispute.whatif", "Play a game again with one die, order or ruling changed."),
            "rulings": Entry("dispute.rulings", "Report which rulings mattered in a game."),
            "adjudicate": Entry("dispute.adjudicate", "Estimate the result of an unfinished game, or end it."),
        },
    ),
    "mail": GroupEntry(
        "Play by mail, without a server and without trust.",
        {
            "invite": Entry("mail.mailing", "Invite others to a game."),
            "join": Entry("mail.mailing", "Join a game to which you are invited."),
            "pack": Entry("mail.mailing", "Answer, and write a packet to send."),
            "take": Entry("mail.mailing", "Take a message from another player."),
            "status": Entry("mail.mailing", "Show for whom a game waits."),
        },
    ),
    "ruleset": GroupEntry(
        "Inspect and measure rulesets.",
        {
            "list": Entry("ruleset.rulesets", "List the installed rulesets.", "list_all"),
            "show": Entry("ruleset.rulesets", "Show the facts of one ruleset.", "show_one"),
            "archive": Entry("ruleset.rulesets", "Keep scenarios before they are changed."),
            "rules": Entry("ruleset.rules", "Show the rule index with the tests of each rule."),
            "odds": Entry("ruleset.odds", "Compute the odds of a battle, a roll or an order."),
            "perft": Entry("ruleset.perft", "Count the lines of play to a depth."),
            "regress": Entry("ruleset.regress", "Rerun old games under other rules."),
            "bisect": Entry("ruleset.bisect", "Find the version of a ruleset that changed a game."),
            "bench": Entry("author.bench", "Measure the speed of play, fold and verify."),
        },
    ),
    "bot": GroupEntry(
        "Check and tune bots.",
        {
            "check": Entry("lab.bot", "Check a bot in another language (docs/bots.md)."),
            "tune": Entry("lab.tune", "Find better settings of a bot by play."),
        },
    ),
    "tournament": GroupEntry(
        "Play, repeat and check tournaments of bots, each from one file.\n\n"
        "A game depends only on the manifest and its number, not on workers, order or clock.",
        {
            "run": Entry("lab.tournament", "Play a tournament from its manifest."),
            "resume": Entry("lab.tournament", "Resume a tournament."),
            "report": Entry("lab.tournament", "Show the results of a tournament."),
            "rerun": Entry("lab.tournament", "Play one game again."),
            "verify": Entry("lab.tournament", "Check the games of a tournament."),
            "export": Entry("lab.tournament", "Print every game as JSON; write logs or decisions."),
        },
    ),
    "key": GroupEntry(
        "Make, show and change signing keys; split and restore dice keys.",
        {
            "new": Entry("game.signing", "Make a private key.", "new_one"),
            "show": Entry("game.signing", "Print the public key of a private key.", "show_one"),
            "change": Entry("game.signing", "Give a seat a new key.", "change"),
            "split": Entry("log.escrow", "Split the dice key of a game into shares.", "split_one"),
            "restore": Entry("log.escrow", "Restore a dice key from shares.", "restore_one"),
        },
    ),
}
"""The groups, in the order of the help."""


def all_commands() -> list[tuple[str, ...]]:
    """Return the words of every command of Sandtable, without third-party commands."""
    inside = [(group, name) for group, entry in GROUPS.items() for name in entry.commands]
    return [*((name,) for name in COMMANDS), *inside]


class LazyGroup(click.Group):
    """A group that loads a command from its table when the command is called."""

    def __init__(self, *args: Any, table: Mapping[str, Entry], **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.table = table

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """Yield the heading, name and line of help of every command."""
        yield from (("Commands", name, entry.line) for name, entry in self.table.items())

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands in the order of the table."""
        return [name for _, name, _ in self.lines()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load the command ``cmd_name``, which accepts ``--plugins-dir`` too; return None if it does not exist."""
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        module = import_module(f"sandtable.cli.{entry.module}")
        command: click.Command = getattr(module, entry.function or cmd_name)
        if not any(parameter.name == "plugins_dir" for parameter in command.params):
            command.params.append(plugins_dir_option(hidden=True))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that ``args`` name; the refusal of an unknown one suggests known ones."""
        name = args[0]
        if not (name.startswith("-") or ctx.resilient_parsing) and self.get_command(ctx, name) is None:
            near = [f"`{ctx.find_root().info_name} {each}`" for each in self.suggestions(name, ctx)]
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"No such command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def suggestions(self, name: str, ctx: click.Context) -> list[str]:
        """Return the command lines that a mistyped ``name`` may mean, the most likely first."""
        path = ctx.command_path.split()[1:]
        return [" ".join([*path, each]) for each in get_close_matches(name, self.list_commands(ctx), cutoff=0.6)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse ``args``; without any, print the help and exit 0."""
        if not args and not ctx.resilient_parsing:
            show_drawing(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without loading them."""
        rows = list(self.lines())
        for heading in dict.fromkeys(heading for heading, _, _ in rows):
            with formatter.section(heading):
                formatter.write_dl([(name, line) for own, name, line in rows if own == heading])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return the completions of ``incomplete`` without loading the commands."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=line) for _, name, line in self.lines() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


class RootGroup(LazyGroup):
    """The command ``sandtable``: commands, groups, and the commands of other packages."""

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """Yield the heading, name and line of help of every command and group."""
        yield from super().lines()
        yield from (("Groups of commands", name, group.line.split("\n")[0]) for name, group in GROUPS.items())
        others = (point for name, point in _third_party().items() if name not in {*self.table, *GROUPS})
        yield from (("Commands of other packages", point.name, point.value) for point in others)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, a group, or a command of another package, or None if none has that name."""
        if cmd_name in GROUPS:
            group = GROUPS[cmd_name]
            return LazyGroup(cmd_name, table=group.commands, help=group.line, params=[plugins_dir_option(hidden=True)])
        return super().get_command(ctx, cmd_name) or _third_party_command(cmd_name)

    def suggestions(self, name: str, ctx: click.Context) -> list[str]:
        """Return the command lines that ``name`` may mean; the name of a command in a group means that command."""
        inside = [" ".join(words) for words in all_commands() if words[1:] == (name,)]
        return inside or super().suggestions(name, ctx)


def _third_party() -> "dict[str, EntryPoint]":
    """Return the entry points of third-party commands by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="sandtable.commands")}


def _third_party_command(name: str) -> click.Command | None:
    point = _third_party().get(name)
    if point is None:
        return None
    try:
        command = point.load()
    except Exception as error:
        raise click.ClickException(f"the command {name} ({point.value}) cannot be loaded: {error}") from error
    if not isinstance(command, click.Command):
        raise click.ClickException(f"the command {name} ({point.value}) is not a click command")
    return command


def _note_plugins_dir(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.ensure_object(CliContext).plugins_dir = value


def plugins_dir_option(*, variable: str | None = None, hidden: bool = False) -> click.Option:
    """Return the option ``--plugins-dir``, which may come before or after the name of a command.

    Only the option before the name has an environment ``variable``; either option overrides it.
    """
    return click.Option(
        ["--plugins-dir"],
        metavar="FOLDER",
        envvar=variable,
        hidden=hidden,
        expose_value=False,
        callback=_note_plugins_dir,
        help="Folder with more rulesets; may also follow the command.",
    )
