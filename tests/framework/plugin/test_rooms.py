"""The hooks of a package that are handed on to its rooms: none is imported before its hook is called."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable as st
from sandtable.kernel.decisions import Decision
from sandtable.plugin import hookspecs
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.plugin.package import RulesetPackage

NAME = "roomy"
FORWARDED = ("index", "scenarios", "players", "narrate", "draw", "read_order")
INIT = """
from pathlib import Path
import sandtable as st
from sandtable.testing import toy

ROOMS = st.RulesetPackage(__name__, Path(__file__).parent, ("dawn", "dusk"))
ruleset_index = ROOMS.index
ruleset_scenarios = ROOMS.scenarios
ruleset_players = ROOMS.players
ruleset_draw = ROOMS.draw
ruleset_read_order = ROOMS.read_order
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


@st.hookimpl
def ruleset_narrate(record):
    return "a function of its own"
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


def test_every_hook_of_the_rooms_has_the_shape_of_its_specification() -> None:
    for name in FORWARDED:
        method, spec = getattr(RulesetPackage, name), getattr(hookspecs, f"ruleset_{name}")
        wanted = spec.__code__.co_varnames[: spec.__code__.co_argcount]
        taken = method.__code__.co_varnames[1 : method.__code__.co_argcount]
        assert set(taken) <= set(wanted)
        assert hasattr(method, f"{hookspecs.PROJECT}_impl")


def test_no_room_is_imported_before_it_is_asked(roomy: Installed) -> None:
    assert roomy.manifest.title == "Roomy"
    assert rooms_imported() == []
    assert roomy.scenario_ids() == ("dawn", "dusk")
    assert rooms_imported() == []
    assert roomy.hook.ruleset_players() == {"bold": str}
    assert rooms_imported() == ["roomy.bots"]


def test_hooks_are_handed_on(roomy: Installed, folder: Path) -> None:
    assert roomy.scenarios() == {name: folder / NAME / "scenarios" / f"{name}.toml" for name in ("dawn", "dusk")}
    assert [row.id for row in roomy.hook.ruleset_index()] == ["R-1"]
    assert roomy.draw(1, 2, "text") == "1 2 text"
    assert roomy.draw(1, 2, "svg") is None
    decision = Decision("north", "what now", st.OneOf(()))
    assert roomy.hook.ruleset_read_order(decision=decision, text="go", board="moor") == "go on moor"


def test_functions_stand_beside_them(roomy: Installed) -> None:
    assert roomy.hook.ruleset_narrate(record=None, board=None) == "a function of its own"
    assert rooms_imported() == []


def test_a_room_that_lacks_its_function_is_told_by_name(folder: Path) -> None:
    (folder / NAME / "draw.py").write_text("")
    with pytest.raises(AttributeError, match=r"module 'roomy\.draw' has no attribute 'draw'"):
        Rulesets(folder).load(NAME).draw(1, 2, "text")


LISTED = """
import sys
from sandtable.plugin.manager import Rulesets
games = Rulesets().load_all()
assert all(game.scenario_ids() for game in games.values())
print(*sorted(each for each in sys.modules if each.partition(".")[0] in games and "." in each))
"""


@pytest.mark.full
def test_listing_the_games_imports_none_of_their_rooms() -> None:
    done = subprocess.run([sys.executable, "-c", LISTED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
