"""The command ``sandtable new``."""

from pathlib import Path

import click

from sandtable import __version__
from sandtable.cli import arguments
from sandtable.cli.output import say, show
from sandtable.files.folders import make_folder
from sandtable.files.writing import write_new
from sandtable.quoting import count
from sandtable.scaffold.writing import check_name, files_of


@click.command()
@click.argument("name")
@click.option("--areas", is_flag=True, help="Use a map of areas.")
@click.option("--hexes", is_flag=True, help="Use a map of hexes.")
@click.option("--cards", is_flag=True, help="Make a card game with hidden hands.")
@click.option("--secrets", is_flag=True, help="Add information that each side keeps secret.")
@click.option("--title", default="", metavar="TEXT", help="Title of the game.")
@arguments.out("Folder of the package (default: NAME).", metavar="FOLDER")
def new(name: str, *, areas: bool, hexes: bool, cards: bool, secrets: bool, title: str, out: str | None) -> int:
    """Write a package for a new ruleset NAME, with tests.

    The package is a complete small game that passes its tests. Without --areas, --hexes or --cards, it is played on a
    track. Next: `pip install -e NAME`, then `sandtable play NAME`.
    """
    if areas + hexes + cards > 1:
        raise click.UsageError("--areas, --hexes and --cards: choose one")
    check_name(name)
    folder = Path(out or name)
    board = "areas" if areas else "hexes" if hexes else "none"
    files = files_of(name, title, board, __version__, cards=cards, secrets=secrets and not cards)
    for path, text in files.items():
        file = folder / path
        make_folder(file.parent)
        write_new(file, text.encode())
        show(str(file))
    say(f"{count(len(files), 'file')}. Next: pip install -e '{folder}[test]', sandtable check {name}, ")
    say(f"sandtable play {name}; pytest in {folder} runs its tests")
    return 0
