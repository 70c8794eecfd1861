"""The command ``sandtable log gallery``."""

from collections.abc import Iterator
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say
from sandtable.cli.page.making import game_data
from sandtable.errors import SandtableError
from sandtable.files.folders import make_folder
from sandtable.files.writing import write_new
from sandtable.journal.file.reading import parse_log, read_bytes
from sandtable.quoting import count
from sandtable.viewer.page.document import page_of
from sandtable.viewer.page.index import GalleryGame, index_of

INDEX = "index.html"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@arguments.out("The folder to write into.", metavar="SITE", required=True, path=True)
@click.option("--title", default="", metavar="TEXT", help="Title of the index (default: the name of DIR).")
@arguments.force
@pass_context
def gallery(context: CliContext, *, folder: Path, out: Path, title: str, force: bool) -> int:
    """Write a page of every log in DIR and its folders, and an index of them.

    Exit status: 0 every log has a page, 1 for at least one log no page could be made (the index lists them).
    """
    games: list[GalleryGame] = []
    problems: list[str] = []
    make_folder(out)
    for log in _logs(folder):
        named = log.relative_to(folder)
        page = Path(*named.parts[:-1]) / f"{named.stem}.html"
        try:
            data, shown = _page_of(context, log, page)
        except (SandtableError, click.UsageError) as error:
            text = error.format_message() if isinstance(error, click.UsageError) else str(error)
            problems.append(f"{named.as_posix()}: {text}")
            say(f"no page: {problems[-1]}")
            continue
        (out / page).parent.mkdir(parents=True, exist_ok=True)
        write_new(out / page, data, force=force, sources=(log,))
        say(f"{out / page}: written")
        games.append(shown)
    write_new(out / INDEX, index_of(games, title or folder.resolve().name, problems), force=force)
    say(f"{out / INDEX}: {count(len(games), 'game')}; open it in any browser")
    return 1 if problems else 0


def _logs(folder: Path) -> Iterator[Path]:
    """Yield the logs in a folder and its subfolders, ordered by path."""
    yield from sorted(folder.rglob("*.jsonl"), key=lambda path: path.as_posix())


def _page_of(context: CliContext, log: Path, page: Path) -> "tuple[bytes, GalleryGame]":
    """Return the page of ``log`` and its entry in the index. Private files next to the log are not read."""
    told = game_data(context, parse_log(read_bytes(log), str(log)), "")
    ruleset, _, players = told.subtitle.partition(" · ")
    turns = max((each.turn for each in told.film.moments), default=0)
    shown = GalleryGame(page.as_posix(), ruleset, told.title, players, told.result, told.last, turns)
    return page_of([told]), shown
