"""``sandtable new``."""

from pathlib import Path

import click

from sandtable import __version__
from sandtable.cli import arguments
from sandtable.cli.output import count, say, show
from sandtable.files.folders import make_folder
from sandtable.files.writing import write_new
from sandtable.scaffold.writing import check_name, files_of


@click.command()
@click.argument("name")
@click.option("--areas", is_flag=True, help="On a map of areas.")
@click.option("--hexes", is_flag=True, help="On a map of hexes.")
@click.option("--cards", is_flag=True, help="A card game, with hidden hands.")
@click.option("--secrets", is_flag=True, help="With something that each side keeps to itself.")
@click.option("--title", default="", metavar="TEXT", help="What the game is called.")
@arguments.out("Folder of the package (default: NAME).", metavar="FOLDER")
def new(name: str, *, areas: bool, hexes: bool, cards: bool, secrets: bool, title: str, out: str | None) -> int:
    """Write a package for a new ruleset NAME: a whole small game, with tests, that passes as it comes.

    Without --areas, --hexes or --cards it is played on a track. Then: `pip install -e NAME`, `sandtable play NAME`.
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
    say(f"{count(len(files), 'file')}. Go on with: pip install -e '{folder}[test]', sandtable check {name}, ")
    say(f"sandtable play {name}; pytest in {folder} runs its tests")
    return 0
