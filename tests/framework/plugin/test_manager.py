"""Finding and loading rulesets: a broken one is named and does not affect the others."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import structs

from sandtable.errors import DataError, RulesetError, RulesetMissing, SandtableError
from sandtable.kernel.dice import KeyedDice
from sandtable.plugin import manager
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import toy as module

GOOD = "from sandtable.testing.toy import *\n"


def with_manifest(body: str, base: str = GOOD) -> str:
    """Return the source of a ruleset with another manifest."""
    return (
        f"{base}from msgspec.structs import replace\nimport sandtable as st\nfrom sandtable.testing import toy as old\n"
        f"@st.hookimpl\ndef ruleset_manifest():\n    {body}\n"
    )


BROKEN: dict[str, tuple[str, str]] = {
    "import error": ("import there_is_no_such_thing\n", "cannot be loaded: ModuleNotFoundError"),
    "syntax error": ("def broken(:\n", "cannot be loaded: SyntaxError"),
    "leaves at import": ("raise SystemExit(3)\n", "cannot be loaded: SystemExit: 3"),
    "fails at import": ("1 / 0\n", "cannot be loaded: ZeroDivisionError: division by zero"),
    "another id": (
        with_manifest("return replace(old.ruleset_manifest(), id='ford')"),
        "its manifest has the id 'ford': use the same id",
    ),
    "no manifest": (with_manifest("return {'id': 'bad'}"), "ruleset_manifest must return a Manifest, not dict"),
    "a hook is missing": (
        GOOD + "del ruleset_setup\n",
        "the hook ruleset_setup is missing: a ruleset must implement it",
    ),
    "a manifest that fails": (with_manifest("raise KeyError('sides')"), "its manifest fails: KeyError: 'sides'"),
    "a manifest that leaves": (with_manifest("raise SystemExit(1)"), "its manifest fails: SystemExit: 1"),
    "several lines": ("raise ValueError('first line\\nsecond line')\n", "ValueError: first line second line"),
    "no hooks at all": ("x = 1\n", "the hook ruleset_manifest is missing"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(GOOD)
    return tmp_path


@pytest.fixture
def no_entry_points(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def register(*points: EntryPoint) -> None:
        monkeypatch.setattr(manager, "entry_points", lambda group: list(points) if group == manager.GROUP else [])

    register()
    return register


@pytest.mark.parametrize("name", BROKEN)
def test_broken_ruleset_is_listed_and_the_others_load(name: str, folder: Path) -> None:
    source, expected = BROKEN[name]
    (folder / "bad.py").write_text(source)
    rulesets = Rulesets(folder)
    assert {"bad", "toy"} <= set(rulesets.ids())
    found = rulesets.load_all()
    assert isinstance(found["toy"], Installed)
    error = found["bad"]
    assert isinstance(error, RulesetError)
    assert str(error).startswith("bad")
    assert expected in str(error)
    assert "\n" not in str(error)
    with pytest.raises(RulesetError):
        rulesets.load("bad")


def test_import_output_of_a_ruleset_is_printed_to_stderr(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "toy.py").write_text("print('hello')\n" + GOOD)
    assert Rulesets(folder).load("toy").manifest.id == "toy"
    expected = capsys.readouterr()
    assert (expected.out, expected.err) == ("", "hello\n")


def test_two_rulesets_with_one_id_are_refused_with_locations(
    folder: Path, no_entry_points: Callable[..., None]
) -> None:
    no_entry_points(EntryPoint("toy", "sandtable.testing.toy", manager.GROUP))
    rulesets = Rulesets(folder)
    with pytest.raises(RulesetError, match=r"two rulesets are called 'toy': .* and .*toy\.py; remove one of them"):
        rulesets.load("toy")
    assert Rulesets().load("toy").manifest.title == "The ford"


def test_version_may_be_an_entry_point(folder: Path, no_entry_points: Callable[..., None]) -> None:
    no_entry_points(EntryPoint("toy@1", "sandtable.testing.toy", manager.GROUP))
    (folder / "toy.py").write_text(with_manifest("return replace(old.ruleset_manifest(), version='2')"))
    rulesets = Rulesets(folder)
    assert rulesets.load("toy").manifest.version == "2"
    assert rulesets.load_version("toy", "1", "").name == "toy@1"
    assert rulesets.load_version("toy", "2", "").name == rulesets.load_version("toy", "3", "").name == "toy"
    assert list(rulesets.load_all()) == ["toy"]


def test_an_entry_point_must_name_a_module(no_entry_points: Callable[..., None]) -> None:
    no_entry_points(EntryPoint("toy", "sandtable.testing.toy:ruleset_manifest", manager.GROUP))
    with pytest.raises(RulesetError, match="toy: its entry point must name a module, not function"):
        Rulesets().load("toy")


def test_an_entry_point_may_be_of_another_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an import of ``importlib_metadata``, as by dask, ``importlib.metadata`` gives entry points of its class."""

    class Backport:
        name, value, dist = "toy", "sandtable.testing.toy", None

        def load(self) -> ModuleType:
            return module

    monkeypatch.setattr(manager, "entry_points", lambda group: [Backport()] if group == manager.GROUP else [])
    assert Rulesets().load("toy").source == "sandtable.testing.toy of an unknown distribution"


def test_missing_ruleset_error_lists_the_installed_ones(folder: Path, no_entry_points: Callable[..., None]) -> None:
    with pytest.raises(RulesetMissing, match="the ruleset 'chess' is not installed; installed: toy"):
        Rulesets(folder).load("chess")
    with pytest.raises(RulesetMissing, match="installed: none"):
        Rulesets().load("chess")


def test_only_packages_and_modules_of_a_folder_are_found(folder: Path, no_entry_points: Callable[..., None]) -> None:
    (folder / "duel").mkdir()
    (folder / "duel" / "__init__.py").write_text(GOOD)
    (folder / "empty").mkdir()
    (folder / "notes.txt").write_text("x")
    (folder / "not-a-name.py").write_text(GOOD)
    assert Rulesets(folder).ids() == ["duel", "toy"]


def test_invalid_plugins_dir_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is not a folder"):
        Rulesets(tmp_path / "nowhere")


def test_a_ruleset_is_loaded_once_and_leaves_no_failed_module(folder: Path) -> None:
    rulesets = Rulesets(folder)
    assert rulesets.load("toy") is rulesets.load("toy")
    (folder / "bad.py").write_text("x = 1\nraise ValueError\n")
    with pytest.raises(RulesetError):
        Rulesets(folder).load("bad")
    assert "bad" not in sys.modules


def test_ruleset_named_like_a_module_does_not_replace_it(folder: Path) -> None:
    (folder / "json.py").write_text(GOOD)
    with pytest.raises(SandtableError):
        Rulesets(folder).load("json")
    assert sys.modules["json"] is json


# ---------------------------------------------------------------- preparing


def test_prepared_games_are_independent(toy: Installed) -> None:
    assert (toy.module, toy.source) == (module, "the toy")
    prepared = toy.prepare()
    one, other = (prepared.new_game(KeyedDice(bytes(32))) for _ in range(2))
    assert one.state == other.state
    assert one.state is not other.state
    assert one.state.board is other.state.board is prepared.board


@pytest.mark.parametrize(
    ("sides", "played"),
    [(("north",), ("north",)), ((), ("north", "south")), (("north", "east"), None)],
)
def test_scenario_may_have_some_of_the_sides(
    toy: Installed, sides: tuple[str, ...], played: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = module.ruleset_parts({"tie": "stay"})
    monkeypatch.setattr(toy.hook, "ruleset_parts", lambda **_: structs.replace(parts, sides=sides))
    if played:
        assert toy.prepare().ruleset.sides == played
        return
    with pytest.raises(RulesetError, match="a scenario has the side 'east', which the manifest does not name"):
        toy.prepare()


def test_options_have_the_defaults_of_the_manifest(toy: Installed) -> None:
    assert toy.full_options({}) == {"tie": "stay"}
    assert toy.prepare(options={"tie": "fall_back"}).options == {"tie": "fall_back"}
    state = toy.prepare(options={"tie": "fall_back"}).new_game(KeyedDice(bytes(32))).state
    assert state.options == {"tie": "fall_back"}


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("weather", "rain", "option: weather: toy has no such option; it has: tie"),
        *(("tie", value, "is not one of stay, fall_back") for value in ("", "STAY", "sideways", "1")),
    ],
)
def test_unknown_options_are_refused(toy: Installed, option: str, value: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        toy.prepare(options={option: value})


def test_content_hash_changes_with_the_files(folder: Path) -> None:
    first = Rulesets(folder).load("toy").content_hash
    (folder / "toy.py").write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert Rulesets(folder).load("toy").content_hash == first
    (folder / "toy.py").write_text(GOOD + "# changed\n")
    assert Rulesets(folder).load("toy").content_hash != first


def test_the_content_hash_of_a_package_covers_its_data(tmp_path: Path) -> None:
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").write_text(GOOD)
    (package / "map.toml").write_text("x = 1\n")
    (package / "notes.txt").write_text("draft")
    hashes = [Rulesets(tmp_path).load("toy").content_hash]
    for name, text in (("notes.txt", "final"), ("map.toml", "x = 2\n"), ("tables.py", "")):
        (package / name).write_text(text)
        hashes.append(Rulesets(tmp_path).load("toy").content_hash)
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


@pytest.mark.parametrize("place", ["edited.py", "edited/__init__.py", "edited/deep/rules.py"])
def test_rules_edited_within_a_second_are_reloaded(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    package = "from edited.deep.rules import EDITION\n" if "deep" in place else ""
    for folder in {(tmp_path / place).parent, tmp_path / Path(place).parts[0]} - {tmp_path / "edited.py", tmp_path}:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text("")
    text = with_manifest("return replace(old.ruleset_manifest(), id='edited', edition=EDITION)", package + GOOD)
    rules = tmp_path / place
    home = tmp_path / "edited" / "__init__.py" if "/" in place else rules
    for edition in ("first", "other"):
        home.write_text(f"EDITION = {edition!r}\n{text}" if home == rules else text)
        if home != rules:
            rules.write_text(f"EDITION = {edition!r}\n")
        for each in (home, rules):
            os.utime(each, (1, 1))
        for name in [name for name in sys.modules if name.startswith("edited.")]:
            del sys.modules[name]
        assert Rulesets(tmp_path).load("edited").manifest.edition == edition


def test_installed_and_removed_packages_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    before = Rulesets().ids()
    facts = tmp_path / "late-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[{manager.GROUP}]\nlate = sandtable.testing.toy\n")
    assert set(Rulesets().ids()) - set(before) == {"late"}
    shutil.rmtree(facts)
    assert Rulesets().ids() == before
