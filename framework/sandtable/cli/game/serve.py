"""The command ``sandtable serve``."""

import webbrowser
from pathlib import Path
from typing import Any

import click

from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show
from sandtable.errors import PlayError


@click.command()
@click.option(
    "--folder",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("games"),
    show_default=True,
    metavar="DIR",
    help="Folder with the logs, created if it is missing.",
)
@click.option("--port", type=click.IntRange(0, 65_535), default=8_000, show_default=True, help="Port; 0: a free one.")
@click.option("--listen", default="127.0.0.1", show_default=True, metavar="HOST", help="Address to listen on.")
@click.option(
    "--address", default="", metavar="URL", help="Address of the proxy that people use, e.g. https://games.example."
)
@click.option("--notices", multiple=True, metavar="HOST", help="Server that may get notices of turns (repeatable).")
@pass_context
def serve(context: CliContext, *, folder: Path, port: int, listen: str, address: str, notices: tuple[str, ...]) -> None:
    """Serve games to browsers.

    The first line printed is a link to the lobby, where you make games and get a link for every side. A link gives its
    holder the seat, so send it in private. A game is a log in the folder; `verify`, `replay` and `resume` read it.

    The server listens on this machine only. To let others in, put it behind a proxy with TLS and name the proxy's
    address: see docs/howto/play_in_browser.md.
    """
    serving = needs_web()
    if listen != serving.LOOPBACK and not address:
        raise click.UsageError(
            "--listen: the links would be sent without encryption: name the proxy with --address URL"
        )

    def ready(link: str) -> None:
        show(link)
        say(f"serving the games in {folder}; press Ctrl-C to stop")

    hosts = [each.lower() for each in notices]
    serving.serve(
        folder, context.rulesets, host=listen, port=port, address=address, notices=hosts, ready=ready, report=say
    )


def needs_web() -> Any:
    """Return the server's module. Raises PlayError if the extra is not installed."""
    try:
        from sandtable.web import serving
    except ImportError as error:
        raise PlayError(
            f"the browser table needs the extra web: pip install 'sandtable[web]' ({error.name} is missing)"
        ) from error
    return serving


def open_table(context: CliContext, log: Path, game: Any) -> None:
    """Play one game in the browser: ``game`` is a NewGame, or None to resume ``log``. Return when it is over."""
    serving = needs_web()

    def ready(link: str) -> None:
        show(link)
        say("opened in your browser; press Ctrl-C to leave (the log is kept)")
        webbrowser.open(link)

    serving.serve(log.parent, context.rulesets, only=game or log.name, ready=ready, report=say)
    say(f"log: {log}")
