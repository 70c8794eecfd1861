"""`docs/disputes.md`: every command on the page runs, and tells what stands there."""

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "disputes.md").read_text(encoding="utf-8")
GAP = "…"
BLOCK = re.compile(r"(<!-- slow -->\n\n)?```console\n(.*?)```", re.DOTALL)


def cases() -> list[object]:
    """Return the blocks of the page by the heading above them, those that take long marked so."""
    found: list[object] = []
    for chapter in re.split(r"^#+ ", PAGE, flags=re.MULTILINE)[1:]:
        heading = chapter.split("\n")[0]
        for slow, block in BLOCK.findall(chapter):
            marks = [pytest.mark.slow] if slow else []
            found.append(pytest.param(block, id=heading + f" {len(found)}", marks=marks))
    return found


def fits(shown: str, told: str) -> bool:
    """Tell whether a line of the page is one that was told, with anything where the page has a gap."""
    pattern = ".*".join(re.escape(part.strip()) for part in " ".join(shown.split()).split(GAP))
    return re.fullmatch(pattern, " ".join(told.split())) is not None


@pytest.fixture
def _there() -> None:
    """Lay out the games of the page, and two versions of a ruleset."""
    shutil.copytree(ROOT / "replays" / "disputes", "replays/disputes")
    if "versions/" in PAGE:
        for name in ("1", "2"):
            folder = Path("versions") / name / "desert_aa"
            shutil.copytree(ROOT / "plugins" / "desert_aa", folder, ignore=shutil.ignore_patterns("__pycache__"))
        tables = Path("versions/2/desert_aa/model/tables.py")
        text = tables.read_text(encoding="utf-8")
        assert "GUN_HITS = 3" in text
        tables.write_text(text.replace("GUN_HITS = 3", "GUN_HITS = 2"), encoding="utf-8")


@pytest.mark.full
@pytest.mark.usefixtures("_there")
@pytest.mark.parametrize("block", cases())
def test_a_command_of_the_page_tells_what_stands_there(run: Run, block: str) -> None:
    for command in block.split("$ ")[1:]:
        first, *shown = command.rstrip("\n").split("\n")
        name, *words = shlex.split(first)
        assert name == "sandtable"
        result = run(*words)
        told = [line for line in (result.stdout.rstrip("\n") + "\n" + result.stderr).split("\n") if line.strip()]
        for line in shown:
            while line != GAP and told and not fits(line, told[0]):
                told.pop(0)
            assert line == GAP or told, f"{first}\ndoes not tell (any more, or not here)\n{line}"


def test_there_are_fourteen_cases_each_with_its_dispute() -> None:
    chapters = re.findall(r"^## (\d+)\. ", PAGE, flags=re.MULTILINE)
    assert chapters == [str(number) for number in range(1, 15)]
    files = sorted(path.name for path in (ROOT / "replays" / "disputes").glob("*.toml"))
    assert [name.split("-")[0] for name in files] == [f"{number:02}" for number in range(1, 15)]
    for chapter in re.split(r"^## \d+\. ", PAGE, flags=re.MULTILINE)[1:]:
        assert re.search(r"record(s| of the log)? \**\d+", chapter, flags=re.IGNORECASE), chapter[:40]
        assert re.search(r"\bdi(e|ce)\b", chapter), chapter[:40]
