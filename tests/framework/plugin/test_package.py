"""Hooks of a package: no module is imported before a function of it is called."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable as st
from sandtable.errors import PlayError, RulesetError
from sandtable.kernel.decisions import Decision
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Installed, Rulesets

NAME = "roomy"
INIT = """
from pathlib import Path
import sandtable as st
from sandtable.testing import toy

PACKAGE = st.RulesetPackage(__name__, Path(__file__).parent, ("dawn", "dusk"))
ruleset_index = PACKAGE.index
ruleset_scenarios = PACKAGE.scenarios
ruleset_bots = PACKAGE.bots("bots.PLAYERS")
ruleset_ui = PACKAGE.ui(draw="draw.draw", read_order="typed.read_order", narrate=lambda record: "its own")
ruleset_parts = toy.ruleset_parts
ruleset_setup = toy.ruleset_setup


@st.hookimpl
def ruleset_manifest():
    return st.Manifest(
        id="roomy",
        title="Roomy",
        version="1",
        edition="1",
        designer="us",
        stage="draft",
        sides=("north", "south"),
        board="areas",
    )
"""
ROOM = {
    "bots.py": "PLAYERS = {'bold': str}",
    "draw.py": "def draw(view, board, style):\n    return f'{view} {board} {style}' if style == 'text' else None",
    "typed.py": "def read_order(decision, text, board):\n    return f'{text} on {board}'",
    "rules.toml": '[[rule]]\nid = "R-1"\ntext = "There are rooms."\nstate = "rule"\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a package in it; forget the package afterwards."""
    home = tmp_path / NAME
    home.mkdir()
    for name, text in {"__init__.py": INIT, **ROOM}.items():
        (home / name).write_text(text)
    yield tmp_path
    for each in [each for each in sys.modules if each.split(".")[0] == NAME]:
        del sys.modules[each]


def rooms_imported() -> list[str]:
    return sorted(each for each in sys.modules if each.startswith(f"{NAME}."))


@pytest.fixture
def roomy(folder: Path) -> Installed:
    return Rulesets(folder).load(NAME)


def test_modules_are_imported_when_they_are_needed(roomy: Installed) -> None:
    assert roomy.manifest.title == "Roomy"
    assert roomy.scenario_ids() == ("dawn", "dusk")
    assert roomy.ui.members() == ["narrate", "draw", "read_order"]
    assert (roomy.ui.narrate or nothing)(None, None) == "its own"
    assert roomy.bots.players is not None
    assert rooms_imported() == []
    assert [*roomy.bots.players.items(), len(roomy.bots.players)] == [("bold", str), 1]
    assert rooms_imported() == ["roomy.bots"]


def test_functions_are_called_with_their_arguments(roomy: Installed, folder: Path) -> None:
    assert roomy.scenarios() == {name: folder / NAME / "scenarios" / f"{name}.toml" for name in ("dawn", "dusk")}
    assert [row.id for row in roomy.hook.ruleset_index()] == ["R-1"]
    assert roomy.draw(1, 2, "text") == "1 2 text"
    assert roomy.draw(1, 2, "svg") is None
    with pytest.raises(PlayError, match="roomy cannot show 'x' in detail"):
        roomy.draw(1, 2, "text", "x")
    assert (roomy.ui.read_order or nothing)(Decision("north", "what now", st.OneOf(())), "go", "moor") == "go on moor"


def test_function_missing_from_its_module_is_named(folder: Path) -> None:
    (folder / NAME / "draw.py").write_text("")
    with pytest.raises(AttributeError, match=r"module 'roomy\.draw' has no attribute 'draw'"):
        Rulesets(folder).load(NAME).draw(1, 2, "text")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'PACKAGE.ui(drwa="draw.draw")',
            r"roomy: Ui has no function drwa\. Did you mean draw\? It has: narrate",
        ),
        ('PACKAGE.ui(draw="drawn.draw")', "roomy: 'drawn.draw' is not a function: the module drawn does not exist"),
        ('PACKAGE.bots("PLAYERS")', "roomy: 'PLAYERS' is not a function: the module PLAYERS does not exist"),
    ],
)
def test_function_in_a_missing_module_is_refused(folder: Path, line: str, message: str) -> None:
    (folder / NAME / "__init__.py").write_text(f"{INIT}\n{line}\n")
    with pytest.raises(RulesetError, match=message):
        Rulesets(folder).load(NAME)


LISTED = """
import sys
from sandtable.errors import PlayError, RulesetError
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Rulesets
games = Rulesets().load_all()
assert all(game.scenario_ids() for game in games.values())
print(*sorted(each for each in sys.modules if each.partition(".")[0] in games and "." in each))
"""


@pytest.mark.full
def test_listing_games_imports_no_game_module() -> None:
    done = subprocess.run([sys.executable, "-c", LISTED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
