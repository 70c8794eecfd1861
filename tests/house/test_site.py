"""The documentation builds as a site without warnings; the site makes no requests, and lists all public names."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable import areas, data, graphs, hexes, notation, pictures, questions, tabletop, testing
from sandtable.cli.commands import GROUPS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILD = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]


def build(*words: str) -> None:
    done = subprocess.run([*BUILD, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.full
def test_pages_are_parsed_and_their_links_have_targets(tmp_path: Path) -> None:
    build("-b", "dummy", "-D", "games_rules=0", "docs", str(tmp_path))


@pytest.mark.slow
def test_site_is_built_and_makes_no_requests(tmp_path: Path) -> None:
    build("-b", "html", "docs", str(tmp_path))
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 50
    fetched = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)\s*=\s*["']((?:https?:)?//[^"']*)""")
    fetched_by_style = re.compile(r"""(?:@import\s+|url\()\s*["']?((?:https?:)?//[^"')]*)""")
    asked = {found for page in pages for found in fetched.findall(page.read_text(encoding="utf-8"))}
    asked |= {
        found for sheet in tmp_path.rglob("*.css") for found in fetched_by_style.findall(sheet.read_text("utf-8"))
    }
    assert not asked
    for game in (DOCS / "reference" / "games").glob("*_*.md"):
        assert "rules docutils" in (tmp_path / "reference" / "games" / f"{game.stem}.html").read_text(encoding="utf-8")


@pytest.mark.full
def test_every_public_name_is_in_the_reference() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("reference/*.md"))
    listed = re.findall(r"```\{public\} sandtable\n(.*?)```", text, flags=re.DOTALL)
    faces = (areas, data, graphs, hexes, notation, pictures, questions, tabletop, testing)
    modules = {module.__name__.partition(".")[2] for module in faces}
    names = " ".join(listed).split()
    assert sorted(names) == sorted(set(sandtable.__all__) - modules)
    assert all(f"```{{public}} sandtable.{name}\n```" in text for name in modules)


@pytest.mark.full
def test_every_group_of_commands_is_in_the_reference() -> None:
    text = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"```\{commands\} ?(\w*)", text) == ["", *GROUPS]


@pytest.mark.full
def test_each_page_names_the_steps_of_its_example_in_their_order() -> None:
    for example in ("kuhn", "hill"):
        steps = len(list((DOCS / "examples" / example / "steps").iterdir())) + 1
        for number in range(1, steps + 1):
            page = DOCS / "tutorial" / f"{example}_{number}.md"
            assert f"```{{step}} {example} {number}\n```" in page.read_text(encoding="utf-8")
        assert not (DOCS / "tutorial" / f"{example}_{steps + 1}.md").exists()
