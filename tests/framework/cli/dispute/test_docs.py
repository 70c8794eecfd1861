"""`docs/disputes.md`: every command on the page runs, and prints what the page shows."""

import re
import shutil
from pathlib import Path

import pytest
from pages import run_console

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "disputes.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(<!-- slow -->\n\n)?```console\n(.*?)```", re.DOTALL)


def cases() -> list[object]:
    """Return the blocks of the page with the heading above them; slow ones are marked."""
    found: list[object] = []
    for chapter in re.split(r"^#+ ", PAGE, flags=re.MULTILINE)[1:]:
        heading = chapter.split("\n")[0]
        for slow, block in BLOCK.findall(chapter):
            marks = [pytest.mark.slow] if slow else []
            found.append(pytest.param(block, id=heading + f" {len(found)}", marks=marks))
    return found


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
def test_commands_of_the_page_print_the_shown_output(block: str) -> None:
    run_console(block)


def test_page_has_fourteen_cases_each_with_a_dispute() -> None:
    chapters = re.findall(r"^## (\d+)\. ", PAGE, flags=re.MULTILINE)
    assert chapters == [str(number) for number in range(1, 15)]
    files = sorted(path.name for path in (ROOT / "replays" / "disputes").glob("*.toml"))
    assert [name.split("-")[0] for name in files] == [f"{number:02}" for number in range(1, 15)]
    for chapter in re.split(r"^## \d+\. ", PAGE, flags=re.MULTILINE)[1:]:
        assert re.search(r"record(s| of the log)? \**\d+", chapter, flags=re.IGNORECASE), chapter[:40]
        assert re.search(r"\bdi(e|ce)\b", chapter), chapter[:40]
