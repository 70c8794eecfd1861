"""The program ``sandtable``: its entry point, and the exit status of errors."""

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from sandtable.cli.commands import COMMANDS, HELP_NAMES, RootGroup, plugins_dir_option
from sandtable.cli.context import CliContext
from sandtable.cli.output import say, show
from sandtable.errors import SandtableError

INTERRUPTED, CLOSED_PIPE, INTERNAL = 130, 141, 70


class Sandtable(RootGroup):
    """The root command; it turns errors into one line and an exit status."""

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run a command line and end the process with its exit status, unless ``standalone_mode`` is False."""
        run: Callable[..., Any] = partial(super().main, *args, standalone_mode=False, **extra)
        if not standalone_mode:
            return run()
        if os.environ.get("SANDTABLE_DEBUG") == "1":
            answer = run()
            sys.exit(answer if isinstance(answer, int) else 0)
        _speak_any_encoding()
        return _ended(run)


def _ended(run: Callable[[], Any]) -> NoReturn:
    """Run, report any error in one line without a traceback, and end the process."""
    try:
        answer = run()
        sys.stdout.flush()
        code = answer if isinstance(answer, int) else 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "sandtable"
        code = _fail(where, f"{error.format_message()} (see `{where} --help`)", error.exit_code)
    except click.ClickException as error:
        code = _fail("sandtable", error.format_message(), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        code = _fail("sandtable", "interrupted", INTERRUPTED)
    except SandtableError as error:
        code = _fail("sandtable", str(error), error.exit_code)
    except BrokenPipeError:
        code = _pipe_closed()
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        code = _fail("sandtable", f"{file}{error.strerror or error}", 1)
    except SystemExit as stop:  # raised by click if the reader of stdout has closed it
        code = _pipe_closed() if stop.code == 1 else int(stop.code or 0)
    except Exception as error:  # noqa: BLE001 - the last line of defense
        problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        from sandtable.kernel.play.error_location import place_of

        place = place_of(error)
        what = f"error in {place}" if place else "internal error"  # of a ruleset or bot, or of Sandtable
        code = _fail("sandtable", f"{what}: {problem} (SANDTABLE_DEBUG=1 shows where)", INTERNAL)
    try:
        sys.stdout.flush()
    except OSError:
        code = _pipe_closed() if code == 0 else code
    sys.exit(code)


def _fail(where: str, problem: str, code: int) -> int:
    say(f"{where}: {' '.join(problem.split())}")
    return code


def _pipe_closed() -> int:
    """Redirect stdout to the null device, so that the interpreter can flush it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return CLOSED_PIPE


def _speak_any_encoding() -> None:
    """Escape letters that the terminal's encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _show_version(ctx: click.Context, _: click.Parameter, requested: bool) -> None:
    if requested:
        from sandtable import __version__

        show(f"sandtable {__version__}")
        ctx.exit()


@click.group(cls=Sandtable, table=COMMANDS, context_settings=HELP_NAMES)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play wargames, keep every game as a log, and replay any turn of it exactly.

    To begin: `sandtable demo`. Every command has --help.
    """
    ctx.ensure_object(CliContext)


cli.params.append(plugins_dir_option(variable="SANDTABLE_PLUGINS_DIR"))


def _leave_script_folder() -> None:
    """Remove the folder of the program ``sandtable`` from the search path, where Python puts it first."""
    folder = str(Path(sys.argv[0]).resolve().parent)
    if not sys.flags.safe_path and sys.path[:1] == [folder]:
        del sys.path[0]


def main() -> None:
    """Run the command line of this process."""
    _leave_script_folder()
    gc.set_threshold(100_000, 50, 100)  # games make few cycles: 5 to 8 % less CPU time
    cli.main(prog_name="sandtable")
