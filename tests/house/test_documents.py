"""The documentation describes the current code: its commands, files and samples exist and run."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from pages import run_command

from sandtable.cli.commands import all_commands

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
PAPERS = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "replays/README.md",
    "tests/README.md",
    "docs/bots.md",
    "docs/data.md",
    "docs/rl.md",
    *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/*/*.md"))),
]


@pytest.mark.parametrize("document", ["README.md", "plugins/README.md", "docs/rl.md"])
def test_samples_in_the_documentation_run(document: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0
    assert tried or document != "README.md"


def test_readme_has_two_setup_commands_and_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    ((?:python3 -m venv|\.venv/bin/pip) .*)$", text, re.MULTILINE)
    assert len(commands) == 2
    assert commands[0].endswith("sandtable demo")
    assert "pytest" in commands[1]
    assert not [words for words in all_commands() if f"sandtable {' '.join(words)}" not in text]


def test_first_commands_of_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.partition("## Play a game in thirty seconds")[2].partition("(On Windows")[0]
    told = {}
    for line in re.findall(r"^    sandtable (.*)$", block, re.MULTILINE):
        words = shlex.split(line, comments=True)
        result = run_command(*words, typed="quit\n")
        assert result.exit_code == 0, (line, result.stderr)
        told[words[0], "--numbers" in words] = result.stdout
    assert "verified" in told["verify", False]
    explained = told["explain", False]
    number = re.match(r"record +(\d+), roll\n", explained)
    assert number, "the record that the README explains is a roll"
    assert f"  {number[1]}  Attack on Tobruk: " in told["replay", True], "it is in the turn that the README shows"
    assert "Tobruk" in explained


@pytest.mark.parametrize("document", PAPERS)
def test_files_named_in_a_document_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    places = (ROOT, ROOT / "framework" / "sandtable", (ROOT / document).parent)
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|md|toml|js|svg))`", text)
    assert not [name for name in named if not any((place / name).exists() for place in places)]


@pytest.mark.parametrize(
    "house", ["framework/sandtable", *sorted(f"plugins/{each.name}" for each in ROOT.glob("plugins/*/"))]
)
def test_modules_named_in_a_docstring_exist(house: str) -> None:
    modules = [f"/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / house).rglob("*.py")]
    others = [f"/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "framework").rglob("*.py")]
    gone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / house).rglob("*.py"))
        for name in re.findall(r"``((?:[a-z_]+/)*[a-z_0-9]+\.py)``", path.read_text(encoding="utf-8"))
        if not any(module.endswith(f"/{name}") for module in [*modules, *others])
    ]
    assert not gone


KNOWN_ADDRESSES = (
    *("https://keepachangelog.com", "http://www.w3.org/"),
    *(
        "http://127.0.0.1:8000",
        "http://{",
        "https://{",
        "https://${",
        "https://127.0.0.1/",
        "https://10.0.0.1/",
        "https://[::1",
    ),
)
EXAMPLE = re.compile(r"https?://(\w+@)?[\w.-]+\.example\b")
"""Addresses that stay: those under ``.example`` are reserved for documentation, 127.0.0.1 and [::1] are any machine's
own, 10.0.0.1 is in any private network, and ``http://{`` begins a computed one.
"""


def test_no_document_names_a_machine_or_temporary_address() -> None:
    words = re.compile(r"https?://[^\s\"')>]+|(?<![\w.])/(?:home|root|Users|mnt)/\w+")
    ours = [each for each in ROOT.iterdir() if not each.name.startswith(".") and each.name != "build"]
    found = [
        f"{path.relative_to(ROOT)}: {address}"
        for each in ours
        for path in ([each] if each.is_file() else each.rglob("*"))
        if path.suffix in {".md", ".py", ".toml", ".js"}
        if not any(part.startswith(".") or part == "build" for part in path.relative_to(ROOT).parts)
        for address in words.findall(path.read_text(encoding="utf-8"))
        if not address.startswith(KNOWN_ADDRESSES) and not EXAMPLE.match(address)
    ]
    assert not found
