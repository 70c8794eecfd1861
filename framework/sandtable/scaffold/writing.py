"""Fill in the templates of a new package; the result is its files by path."""

import keyword
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from string import Template

from sandtable.errors import DataError
from sandtable.scaffold.secrets import SECRETS

TEMPLATES = Path(__file__).parent / "templates"
BOARDS = ("none", "areas", "hexes")
_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}", re.ASCII)
MODULES = """The modules: `model` (state, events, orders), `board`, `setup` (scenarios), `turn` (rules), `fog` (views
of the sides), `bots`, `ui` (drawings, sentences, notation). `rules.toml` has every rule, `scenarios/` the data."""
PLACES = {
    "none": {"r1": "1", "r2": "2", "b1": "7", "b2": "6", "beside": "3", "target": "4"},
    "areas": {"r1": "north", "r2": "wood", "b1": "south", "b2": "ford", "beside": "wood", "target": "west"},
    "hexes": {"r1": "0101", "r2": "0301", "b1": "0505", "b2": "0305", "beside": "0302", "target": "0303"},
}
TITLES = {"none": "track", "areas": "areas", "hexes": "hexes"}


def check_name(name: str) -> None:
    """Raise DataError if ``name`` is not valid for a package, or is the name of another module."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise DataError(
            "name",
            name,
            "a ruleset's name has 2 to 31 characters a-z, 0-9 and _, begins with a letter, and is not a Python keyword",
        )
    if name in sys.stdlib_module_names or name == "tests" or find_spec(name) is not None:
        raise DataError("name", name, "another module has this name: choose a different one")


def files_of(name: str, title: str, board: str, version: str, *, cards: bool, secrets: bool) -> dict[str, str]:
    """Return the files of a new ruleset by path ("/" between folders): a package that passes its own tests."""
    words = {
        "name": name,
        "title": title or name.replace("_", " ").capitalize(),
        "prefix": "".join(part[0] for part in name.split("_"))[:3].upper() + ("X" if len(name) < 2 else ""),
        "version": version,
        "first": "first" if cards else "red",
        "rooms": "All rules are in one module." if cards else MODULES,
        "board": TITLES[board],
        **PLACES[board],
        **(SECRETS if secrets else dict.fromkeys(SECRETS, "") | PLAIN),
    }
    found = {path: Template(text).safe_substitute(words) for path, text in _templates(name, board, cards=cards)}
    return {path: _tidy(Template(text).safe_substitute(words)) for path, text in found.items()}


PLAIN = {
    "bonus": "    bonus = 0",
    "turn_imports": "from $name.model import BattleFought, Halt, March, Table, UnitMarched",
    "test_imports": "from $name.model import Halt, March",
    "fog_unit": "",
}


def _tidy(text: str) -> str:
    """Return ``text`` with at most two empty lines in a row and a single newline at its end."""
    return re.sub(r"\n{4,}", "\n\n\n", text).strip("\n") + "\n"


def _templates(name: str, board: str, *, cards: bool) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each template."""
    common, kind = TEMPLATES / "common", TEMPLATES / ("cards" if cards else "march")
    places = {
        "pyproject.toml": common / "pyproject.toml.txt",
        "README.md": common / "README.md.txt",
        ".gitignore": common / "gitignore.txt",
        ".github/workflows/tests.yml": common / "ci.yml.txt",
        "tests/test_contract.py": common / "test_contract.py.txt",
        "tests/test_rules.py": kind / "test_rules.py.txt",
    }
    package = f"src/{name}"
    for file in sorted((kind / "package").glob("*.txt")):
        places[f"{package}/{file.name.removesuffix('.txt')}"] = file
    if not cards:
        places[f"{package}/board.py"] = kind / f"board_{board}.py.txt"
        places[f"{package}/rules.toml"] = kind / "rules.toml.txt"
        places[f"{package}/scenarios/standard.toml"] = kind / "standard.toml.txt"
    for path, file in places.items():
        yield path, file.read_text(encoding="utf-8")
