"""A person at the browser table: a page in a real browser, what was sent to it, and what went wrong in it."""

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

import pytest
from web_robot import Site

from sandtable.plugin.manager import Rulesets

READY = "html[data-ready]"
PATIENCE = 120_000
"""Milliseconds, generous because the machine may be busy. No test depends on its speed."""

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
STAMP = """() => {
  const { ask, step, picks, line, within, chosen, lines } = window.sandtable.question;
  const { facts } = window.sandtable.page;
  const texts = ["refused", "options"].map((name) => document.getElementById(name).innerText);
  return JSON.stringify([ask && ask.q, step, picks, line, within, chosen, lines, facts.last, texts]);
}"""
"""The parts of the page that a click can change."""
IDLE = "!document.documentElement.classList.contains('busy')"
POINT = """(ident) => {
  const { board } = window.sandtable, [x, y] = board.pointOf(ident), { scale, left, top } = board.zoom.scale();
  const frame = board.frame.getBoundingClientRect();
  return [frame.left + (x - left) * scale, frame.top + (y - top) * scale];
}"""
ASKED = """() => { const { ask, step } = window.sandtable.question; return { ask, step }; }"""
INERT = "() => document.querySelector('main').inert"
PARTS = "() => document.querySelectorAll('.board .live [data-part]').length"
PLACES = "() => Object.keys(window.sandtable.board.scene.facts.places).length"
FIT = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth <= innerWidth && scrollHeight <= innerHeight;
}"""
LOST = "WebSocket connection to"
"""The browser reports a lost connection as an error."""


class Guest:
    """A person at the table: a context of the browser, its page, and all that was sent to it or went wrong in it."""

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": WIDE, **options})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(WATCH)
        self.has_touch = bool(options.get("has_touch"))
        self.said: list[str] = []
        self.got: list[str] = []
        self.was_cut_off = False
        self.tab = self.open(url)

    def open(self, url: str) -> Any:
        """Open a page in this context."""
        tab = self.context.new_page()
        tab.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        tab.goto(url)
        tab.locator(READY).wait_for()
        return tab

    def on(self, tab: Any) -> "Guest":
        """Return the same person at another page that they opened."""
        found = copy(self)
        found.tab = tab
        tab.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.locator(READY).wait_for()
        return found

    def _hear(self, data: bytes | str) -> None:
        self.got.append(data if isinstance(data, str) else data.decode())

    def faults(self) -> list[str]:
        """Return errors of the page and violations of its policy."""
        violations: list[str] = self.tab.evaluate("() => window.violations")
        return [*(each for each in self.said if not (self.was_cut_off and LOST in each)), *violations]

    @property
    def is_asked(self) -> bool:
        """Whether a question to this person is shown."""
        return bool(self.tab.locator("#ask").is_visible())

    @property
    def step(self) -> dict[str, Any]:
        """The step that is shown."""
        found: dict[str, Any] = self.tab.evaluate(ASKED)["step"]
        return found

    def until(self, condition: str) -> None:
        """Wait for a condition in the page."""
        self.tab.wait_for_function(condition)

    def after(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the page has taken it in."""
        before = self.tab.evaluate(STAMP)
        act()
        self.tab.wait_for_function(f"(before) => {IDLE} && ({STAMP})() !== before", arg=before)

    def click(self, selector: str) -> None:
        """Click something beside the map."""
        self.after(self.tab.locator(selector).first.click)

    def click_map(self, ident: str) -> None:
        """Click a place or counter of the map."""
        press = self.tab.touchscreen.tap if self.has_touch else self.tab.mouse.click
        self.after(lambda: press(*self.tab.evaluate(POINT, ident)))

    def shows(self, selector: str) -> bool:
        """Return whether something can be clicked."""
        found = self.tab.locator(selector)
        return bool(found.count() and found.first.is_visible() and found.first.is_enabled())

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the sheet that is shown."""
        rows: list[dict[str, Any]] = self.step["table"]["rows"]
        return rows

    def lit(self) -> int:
        """Return the number of marks on the map."""
        return int(self.tab.locator(".marks > *").count())

    def go_on(self) -> None:
        """Do the next click of a person who takes the first choice: on the map if it is lit there, else a button."""
        for selector in ("#go", "#take"):
            if self.shows(selector):
                self.click(selector)
                return
        if self.shows("#handin"):
            self.click("#staff")
            self.click("#handin")
            return
        lit = [at[-1] for _, _, at, *_ in self.step.get("options", []) if at]
        alone = [each for each in lit if lit.count(each) == 1]
        if alone:
            self.click_map(alone[0])
        else:
            self.click("#options button[data-pick] >> nth=-1")


Join = Callable[..., Guest]
"""A function that opens a link of a site, with options of the page."""


def one_now(names: Iterable[str], now: str) -> list[Any]:
    """Return ``names`` as parameters: ``now`` is in the full set, and all others are in the campaign."""
    return [pytest.param(each, marks=() if each == now else pytest.mark.slow) for each in names]


def people_of(ruleset: str) -> dict[str, str]:
    """Return people for all sides of a ruleset's first scenario."""
    return dict.fromkeys(Rulesets().load(ruleset).prepare().ruleset.viewers, "human")


def wait_asked(*guests: Guest) -> Guest:
    """Return a guest with an open question, and wait for one if necessary."""
    for _ in range(PATIENCE // 50):
        for each in guests:
            if each.is_asked:
                return each
        guests[0].tab.wait_for_timeout(50)
    raise AssertionError("no page has a question")


def opening(join: Join, site: Site, ruleset: str, **options: Any) -> Guest:
    """Open the page of the side that must decide first; people play all sides."""
    links = site.make(ruleset, players=people_of(ruleset))
    return wait_asked(*(join(site, links[side], **options) for side in people_of(ruleset)))
