"""Every sample in the tutorial, how-tos and explanations runs, and prints what the page shows."""

import sys
from pathlib import Path

import pytest
from pages import run_page, samples

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [page for folder in ("tutorial", "howto", "explanation") for page in sorted(DOCS.glob(f"{folder}/*.md"))]
WITHOUT = {"index", "by_hooks", "architecture", "why", "play_in_browser", "host_a_club", "hill_in_browser"}
"""Pages without samples, or with a server that does not end. Those of ``plugins/README.md`` run elsewhere."""


def pages() -> list[object]:
    """Return every page, and once more as slow those with a sample that is."""
    found: list[object] = []
    for page in PAGES:
        if page.stem not in WITHOUT:
            found.append(pytest.param(page, False, id=page.stem))
            if any(sample.slow for sample in samples(page)):
                found.append(pytest.param(page, True, id=f"{page.stem} whole", marks=pytest.mark.slow))
    return found


@pytest.fixture
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide the repository's documentation and games in a separate folder."""
    for name in ("docs", "plugins", "replays"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(("page", "slow"), pages())
def test_the_samples_of_a_page_run(page: Path, slow: bool) -> None:
    assert run_page(page, slow=slow)
