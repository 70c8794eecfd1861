"""``sandtable``: the table of commands, and what becomes of errors.

Only click is imported here: a command's module, and the rulesets, are loaded when the command is called for.
"""

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

import click

from sandtable.cli.context import CliContext
from sandtable.cli.output import say, show
from sandtable.errors import SandtableError

COMMANDS = {
    "demo": "Play one bot game of every ruleset, and verify the logs.",
    "rulesets": "List what is installed; `show ID` tells all about one.",
    "play": "Play a game: bots, people, or both.",
    "resume": "Go on with a game that was interrupted.",
    "match": "Play many paired games of two players.",
    "tune": "Find better settings of a bot by play.",
    "bot": "Try a bot in another language: `check COMMAND`.",
    "tournament": "Run a tournament from one file; resume, report, rerun, verify.",
    "odds": "Compute the odds of one battle by the live rules.",
    "replay": "Tell a recorded game in sentences, and draw its board.",
    "gallery": "Make a page of every log in a folder, and an index.",
    "board": "Draw the board of a log at any record, or of a ruleset.",
    "verify": "Run logs again and compare every record.",
    "diff": "Find where two logs part.",
    "explain": "Show why a record of a log happened.",
    "ask": "Ask the rules about a position of a log.",
    "whatif": "Play a game on with one die, order or reading changed.",
    "adjudicate": "Tell how an unfinished game stands.",
    "dispute": "Keep disputes as files: open, try, rule, test.",
    "bisect": "Find the version of a ruleset that changed a game.",
    "impact": "Try old games under the rules of today.",
    "readings": "Tell which readings of the rules mattered in a game.",
    "luck": "Show the luck of each side: rolls against expectation.",
    "repair": "Cut off what the last write of a log left unfinished.",
    "upcast": "Write a log of an older format as one of today's.",
    "slice": "Write out what one side may see of a log.",
    "merge": "Put the files together that the sides of one game hold.",
    "seal": "Print the head of a log, also as words to read out.",
    "rule": "Rule on a game as its umpire: an event, or a better order.",
    "key": "Make or show the key of somebody who signs.",
    "extract": "Write out a battle that another ruleset fought for a log.",
    "rules": "Show a ruleset's rule index with the tests of each rule.",
    "new": "Write a package for a new ruleset, with tests.",
    "perft": "Count the lines of play of a ruleset to a depth.",
    "check": "Run the contract suite on a ruleset.",
    "bench": "Measure the speed of play, fold and verify.",
}
"""Every command with one line about it; its function, and its module in a folder of ``FOLDERS``, have its name."""

FOLDERS = {
    "game": ("demo", "play", "resume", "replay", "gallery", "board"),
    "lab": ("match", "tune", "bot", "tournament"),
    "log": ("verify", "diff", "explain", "ask", "luck", "repair", "upcast", "slice", "extract"),
    "desk": ("whatif", "readings", "adjudicate", "dispute", "bisect"),
    "record": ("merge", "seal", "rule", "key"),
    "author": ("new", "perft", "impact"),
    "ruleset": ("rulesets", "odds", "rules", "check", "bench"),
}
"""Where the commands stand, by folder."""

INTERRUPTED, CLOSED_PIPE, INTERNAL = 130, 141, 70


class LazyGroup(click.Group):
    """The group of all commands: loads one when it is called for, and turns errors into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's shape
        """Return the names, in the order of the table, then those of third packages."""
        return [*COMMANDS, *(name for name in _guests() if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's shape
        """Load the command ``cmd_name``; it takes ``--plugins-dir`` too."""
        if cmd_name not in COMMANDS:
            return _guest_command(cmd_name)
        folder = next(name for name, commands in FOLDERS.items() if cmd_name in commands)
        command: click.Command = getattr(import_module(f"sandtable.cli.{folder}.{cmd_name}"), cmd_name)
        below = command.commands.values() if isinstance(command, click.Group) else ()
        for each in (command, *below):
            if not any(parameter.name == "plugins_dir" for parameter in each.params):
                each.params.append(plugins_dir_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        others = [(name, point.value) for name, point in _guests().items() if name not in COMMANDS]
        if others:
            with formatter.section("Commands of other packages"):
                formatter.write_dl(others)

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run a command line; ends the process with its exit code, unless ``standalone_mode`` is False."""
        run: Callable[..., Any] = partial(super().main, *args, standalone_mode=False, **extra)
        if not standalone_mode:
            return run()
        if os.environ.get("SANDTABLE_DEBUG") == "1":
            answer = run()
            sys.exit(answer if isinstance(answer, int) else 0)
        _speak_any_encoding()
        return _ended(run)


def _guests() -> dict[str, Any]:
    """Return the entry points of commands of third packages, by name; a name of the house is the house's."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - only where a name is none of the table

    return {point.name: point for point in entry_points(group="sandtable.commands")}


def _guest_command(name: str) -> click.Command | None:
    point = _guests().get(name)
    if point is None:
        return None
    try:
        command = point.load()
    except Exception as error:
        raise click.ClickException(f"the command {name} ({point.value}) cannot be loaded: {error}") from error
    if not isinstance(command, click.Command):
        raise click.ClickException(f"the command {name} ({point.value}) is no command of click")
    return command


def _ended(run: Callable[[], Any]) -> NoReturn:
    """Run, and end the process: nobody should ever see a traceback."""
    try:
        answer = run()
        sys.stdout.flush()
        code = answer if isinstance(answer, int) else 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "sandtable"
        code = _told(where, f"{error.format_message()} (see `{where} --help`)", error.exit_code)
    except click.ClickException as error:
        code = _told("sandtable", error.format_message(), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        code = _told("sandtable", "interrupted", INTERRUPTED)
    except SandtableError as error:
        code = _told("sandtable", str(error), error.exit_code)
    except BrokenPipeError:
        code = _pipe_closed()
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        code = _told("sandtable", f"{file}{error.strerror or error}", 1)
    except SystemExit as stop:  # click, where the reader of stdout went away
        code = _pipe_closed() if stop.code == 1 else int(stop.code or 0)
    except Exception as error:  # noqa: BLE001 - the last line of defence
        problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        code = _told("sandtable", f"internal error: {problem} (SANDTABLE_DEBUG=1 shows where)", INTERNAL)
    try:
        sys.stdout.flush()
    except OSError:
        code = _pipe_closed() if code == 0 else code
    sys.exit(code)


def _told(where: str, problem: str, code: int) -> int:
    say(f"{where}: {' '.join(problem.split())}")
    return code


def _pipe_closed() -> int:
    """Point stdout nowhere, so that the interpreter can flush it in peace at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return CLOSED_PIPE


def _speak_any_encoding() -> None:
    """Let a terminal that does not know a letter show its number, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _note_plugins_dir(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.ensure_object(CliContext).plugins_dir = value


def plugins_dir_option(variable: str | None = None) -> click.Option:
    """Return the option ``--plugins-dir``, which stands before or after the name of a command.

    Only the one before has an environment ``variable``: it counts for less than either option.
    """
    return click.Option(
        ["--plugins-dir"],
        metavar="FOLDER",
        envvar=variable,
        expose_value=False,
        callback=_note_plugins_dir,
        help="A folder with rulesets besides the installed ones.",
    )


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from sandtable import __version__  # noqa: PLC0415 - only when asked for

        show(f"sandtable {__version__}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show it.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play wargames, keep every game as a log, and re-fight any turn of it exactly.

    A first game: `sandtable demo`. Every command has --help.
    """
    ctx.ensure_object(CliContext)


cli.params.append(plugins_dir_option("SANDTABLE_PLUGINS_DIR"))


def main() -> None:
    """Run the command line of this process."""
    gc.set_threshold(100_000, 50, 100)  # games make few cycles: 5 to 8 % less CPU time
    cli.main(prog_name="sandtable")
