"""The built documentation in Chromium: every page fits each window, makes no requests and is accessible."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SIZES = ((1360, 900), (390, 800))
SCHEMES = ("light", "dark")
SHOWN = ("index", "tutorial/hill_4", "tutorial/hill_6", "howto/supply", "reference/spaces", "disputes")
SPHINXS_OWN = {"definition-list"}
"""A long signature is a list without terms: that is how Sphinx writes it."""

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, once."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "docs", str(folder)], cwd=ROOT, check=True)
    return folder


def tab(chromium: Any, size: tuple[int, int], scheme: str) -> Any:
    """Return an empty page of that size; its network requests are recorded."""
    context = chromium.new_context(viewport=dict(zip(("width", "height"), size, strict=True)), color_scheme=scheme)
    page = context.new_page()
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    return page


@pytest.mark.parametrize("size", SIZES)
def test_every_page_fits_its_window_and_makes_no_requests(site: Path, chromium: Any, size: tuple[int, int]) -> None:
    page = tab(chromium, size, "light")
    wide = []
    for file in sorted(site.rglob("*.html")):
        page.goto(file.as_uri())
        if page.evaluate(WIDER):
            wide.append(file.relative_to(site).as_posix())
    assert not wide
    assert not [url for url in page.asked if not url.startswith(("file:", "data:"))]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", SHOWN)
def test_page_has_no_serious_accessibility_violation(site: Path, chromium: Any, name: str, scheme: str) -> None:
    page = tab(chromium, SIZES[0], scheme)
    page.goto((site / f"{name}.html").as_uri())
    found = import_module("axe_playwright_python.sync_playwright").Axe().run(page).response["violations"]
    worst = {
        each["id"]: [node["html"][:160] for node in each["nodes"][:3]]
        for each in found
        if each["impact"] in {"critical", "serious"} and each["id"] not in SPHINXS_OWN
    }
    assert not worst


def test_the_search_finds_a_public_name(site: Path, chromium: Any) -> None:
    page = tab(chromium, SIZES[0], "light")
    page.goto((site / "search.html").as_uri() + "?q=SupplyLines")
    page.locator("#search-results li a", has_text="SupplyLines").first.wait_for()
