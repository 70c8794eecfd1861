"""Pages in a real browser: Debian's Chromium, driven by Playwright. Without one tests are skipped, but not in CI."""

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser_guest import PATIENCE, READY, WATCH, Guest, Join
from web_robot import Site, running

from sandtable.cli.context import CliContext
from sandtable.cli.page.making import page_bytes
from sandtable.journal.file.reading import parse_log
from sandtable.plugin.manager import Rulesets

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHECKED = "html[data-verdict]"
PICTURE = """() => {
  const parts = [...document.querySelectorAll(".board .live [data-part]")]
    .filter((each) => !each.classList.contains("away") && each.childNodes.length)
    .map((each) => [each.dataset.part, each.getAttribute("transform"), each.innerHTML]);
  const layers = [...document.querySelectorAll(".board .ground > [data-layer]")];
  return [...parts, ...layers.map((each) => [each.dataset.layer, "", each.innerHTML])].sort();
}"""


def missing() -> str:
    """Return the missing requirement for opening a page, or ""."""
    if find_spec("playwright") is None:
        return "playwright is not installed"
    return "" if any(map(shutil.which, BROWSERS)) else "no Chromium is installed"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Start the browser, once for all."""
    lacking = missing()
    if lacking:
        if os.environ.get("SANDTABLE_BROWSER") == "required":
            pytest.fail(f"{lacking}, and here it must be")
        pytest.skip(lacking)
    path = next(found for name in BROWSERS if (found := shutil.which(name)))
    with import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def join(chromium: Any) -> Iterator[Join]:
    """Return a function that opens a link, and check at the end that no page complained."""
    found: list[Guest] = []

    def joining(site: Site, link: str, **options: Any) -> Guest:
        found.append(Guest(chromium, f"http://{site.address}{link}", **options))
        return found[-1]

    yield joining
    faults = [each.faults() for each in found]
    for each in found:
        each.context.close()
    assert not any(faults), faults


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Run a server of the installed rulesets."""
    with running(tmp_path, Rulesets()) as site:
        yield site


class Opened:
    """A page that is open, and all that it complained of or asked for."""

    def __init__(self, browser: Any, file: Path, fragment: str = "", **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.context.set_default_timeout(PATIENCE)
        self.tab = self.context.new_page()
        self.tab.add_init_script(WATCH)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.tab.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.url = file.as_uri()
        self.tab.goto(self.url + fragment)
        self.tab.locator(READY).wait_for()

    def verdict(self) -> str:
        """Return the text of the badge after everything was checked."""
        self.tab.locator(CHECKED).wait_for()
        return str(self.tab.locator("#badge").inner_text())

    def picture(self) -> list[Any]:
        """Return the content of the board: parts, their positions, and their drawings."""
        shown: list[Any] = self.tab.evaluate(PICTURE)
        return shown

    def record(self) -> int:
        """Return the record that is shown."""
        return int(self.tab.locator("#record").input_value())

    def go(self, number: int) -> None:
        """Go to a record by the field."""
        self.tab.locator("#record").fill(str(number))
        self.tab.locator("#record").press("Enter")

    def faults(self) -> list[str]:
        """Return the page's errors, its requests to other addresses, and policy violations."""
        asked = [url for url in self.asked if url.split("#")[0] != self.url]
        forbidden: list[str] = self.tab.evaluate("() => window.violations")
        state = self.tab.locator("html").get_attribute("data-ready")
        return [*self.said, *asked, *forbidden, *([] if state == "yes" else [f"the page is {state}"])]


@cache
def made(log: str, side: str = "", other: str = "") -> bytes:
    """Return the page of a log of ``replays/``, made once for all tests of a process."""
    whole, beside = (parse_log((ROOT / each).read_bytes(), each) if each else None for each in (log, other))
    assert whole is not None
    return page_bytes(CliContext(), whole, side, beside)


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return a function that opens the page of a log, or the bytes of one."""
    found: list[Opened] = []

    def opening(page: str | bytes, fragment: str = "", side: str = "", other: str = "", **options: Any) -> Opened:
        file = tmp_path / f"page-{len(found)}.html"
        file.write_bytes(page if isinstance(page, bytes) else made(page, side, other))
        found.append(Opened(chromium, file, fragment, **options))
        return found[-1]

    yield opening
    for each in found:
        each.context.close()
