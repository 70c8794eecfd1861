"""The table without eyes or mouse: names and roles, a turn by keys with the map hidden, places in words, dark mode."""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser_guest import FIT, IDLE, STAMP, Guest, Join, one_now, opening, people_of, wait_asked
from tests.browser.test_replay_pages import AXE
from web_robot import Site, running

from sandtable.plugin.manager import Rulesets

pytestmark = [pytest.mark.browser, pytest.mark.full]

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
HIDE_MAP = "() => { document.querySelector('.boards').style.display = 'none'; }"
IN_QUESTION = "() => document.getElementById('ask').contains(document.activeElement)"
MOST_KEYS = 400
STYLE = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"


# --- names, roles and contrast ---


@pytest.mark.parametrize("scheme", one_now(["light", "dark"], "light"))
@pytest.mark.parametrize("ruleset", one_now(Rulesets().ids(), "desert_aa"))
def test_table_has_no_accessibility_violation(ruleset: str, scheme: str, site: Site, join: Join) -> None:
    axe = import_module("axe_playwright_python.sync_playwright").Axe()
    guest = opening(join, site, ruleset, color_scheme=scheme)
    found = []
    for tab in guest.tab.locator("[role=tab]:not([hidden])").all():
        tab.click()
        answer = axe.run(guest.tab, options=AXE).response
        found += [(each["id"], each["nodes"][0]["html"][:160], len(each["nodes"])) for each in answer["violations"]]
    guest.tab.keyboard.press("?")
    answer = axe.run(guest.tab, options=AXE).response
    found += [(each["id"], each["nodes"][0]["html"][:160], len(each["nodes"])) for each in answer["violations"]]
    assert found == []


# --- a turn by keys ---


@pytest.fixture
def examples(tmp_path: Path) -> Iterator[Site]:
    """Run a server of the installed rulesets and the hill of the tutorial."""
    with running(tmp_path, Rulesets(EXAMPLES / "hill" / "src")) as site:
        yield site


class Typist:
    """Plays by keys alone, with the map hidden, and listens to the announcements."""

    def __init__(self, guest: Guest, seed: str) -> None:
        self.guest, self.tab = guest, guest.tab
        self._random = Random(seed)  # noqa: S311 - a player is no secret
        self.keys = self.orders = 0
        self.tab.evaluate(HIDE_MAP)

    @property
    def turn(self) -> int:
        """The turn of the game."""
        return int(self.tab.evaluate("() => window.sandtable.page.facts.turn"))

    def press(self, key: str) -> None:
        """Press a key."""
        self.keys += 1
        self.tab.keyboard.press(key)

    def changes(self, key: str) -> None:
        """Press a key, and wait until the page has taken it in."""
        self.guest.after(lambda: self.press(key))

    def play_turn(self) -> None:
        """Play until the turn number changes."""
        first = self.turn
        while self.turn == first and not self.tab.evaluate("() => window.sandtable.page.facts.outcome"):
            assert self.keys < MOST_KEYS, self.tab.locator("#ask").inner_text()
            wait_asked(self.guest)
            self._answer()

    def _answer(self) -> None:
        said = self.tab.locator("#spoken").text_content()
        prompt = self.tab.locator("#prompt").text_content()
        assert prompt in said, "a question is spoken"
        step = self.guest.step
        if step.get("ready"):
            self.orders += 1
            self.changes("Shift+Enter")
        elif step.get("table"):
            self._sheet(step["table"]["rows"])
        elif step.get("members"):
            self._members(step["members"])
        else:
            self._option(len(step["options"]))
        if self.guest.is_asked:
            assert self.tab.evaluate(IN_QUESTION), "the focus stays in the question"

    def _option(self, count: int) -> None:
        number = self._random.randint(1, min(9, count))
        shown = self.tab.locator("#options button[data-pick]").count()
        self.changes(str(min(number, shown)))

    def _members(self, members: dict[str, Any]) -> None:
        for number in range(1, max(1, members["least"]) + 1):
            self.changes(str(number))
        self.changes("Shift+Enter")

    def _sheet(self, rows: list[dict[str, Any]]) -> None:
        """Write the first blank line, which has the focus, by keys; the staff fills the others, and whole set-ups."""
        if self.turn and not any(row.get("written") for row in rows):
            self.press("n")
            while not self.tab.evaluate("() => Boolean(document.activeElement.closest('[data-line]'))"):
                self.press("n")
            self.changes("Enter")
            while self.tab.evaluate("() => window.sandtable.question.line") and self.guest.step.get("options"):
                self.changes("1")
        self.changes("s")
        self.orders += 1
        self.changes("Shift+Enter")


@pytest.mark.parametrize(
    ("ruleset", "scenario", "side"),
    [
        ("hill", "", "blue"),
        pytest.param("kampfpanzer", "hannut", "french", marks=pytest.mark.slow),
        pytest.param("desert_aa", "frontier", "axis", marks=pytest.mark.slow),
        pytest.param("damos", "", "soviet", marks=pytest.mark.slow),
    ],
)
def test_a_turn_is_played_by_keys_with_the_map_hidden(
    ruleset: str,
    scenario: str,
    side: str,
    examples: Site,
    join: Join,
) -> None:
    links = examples.make(ruleset, scenario=scenario, players={side: "human"})
    typist = Typist(wait_asked(join(examples, links[side])), ruleset)
    if typist.turn == 0:
        typist.play_turn()
    typist.play_turn()
    assert typist.orders >= 1


def test_place_and_unit_are_described_by_typed_name(site: Site, join: Join) -> None:
    guest = join(site, site.make("damos", players={"german": "human"})["german"])
    wait_asked(guest)
    guest.tab.evaluate(HIDE_MAP)
    guest.tab.keyboard.press("f")
    guest.tab.keyboard.type("minsk")
    guest.tab.keyboard.press("Enter")
    found = guest.tab.locator("#found")
    found.get_by_text("Next to it: ").wait_for()
    assert re.search(r"Minsk \(\d{4}\): .*held by Soviet", found.inner_text())
    found.get_by_text("Germans in 2819 (Minsk)").wait_for()
    guest.tab.keyboard.press("Control+A")
    guest.tab.keyboard.type("zzz")
    guest.tab.keyboard.press("Enter")
    assert 'Nothing on the map is called "zzz"' in found.inner_text()


def test_help_lists_the_keys_and_they_can_be_turned_off(site: Site, join: Join) -> None:
    guest = opening(join, site, "desert_aa")
    guest.tab.keyboard.press("?")
    listed = guest.tab.locator("#help").inner_text()
    for words in ("take back the last order", "find and describe", "the whole map", "odds of the order"):
        assert words in listed
    guest.tab.keyboard.press("Escape")
    guest.tab.locator("[data-tab=game-panel]").click()
    guest.tab.locator("#keys-on").uncheck()
    guest.tab.locator("#prompt").focus()
    before = guest.tab.evaluate(STAMP)
    for key in ("1", "s", "Enter"):
        guest.tab.keyboard.press(key)
    assert guest.tab.evaluate(f"() => {IDLE}")
    assert guest.tab.evaluate(STAMP) == before


# --- confirm levels ---


@pytest.mark.slow
def test_confirm_level_is_remembered_for_each_seat(site: Site, join: Join) -> None:
    links = site.make("desert_aa", scenario="frontier", players=people_of("desert_aa"), hot_seat=False)
    guest = wait_asked(*(join(site, links[side]) for side in people_of("desert_aa")))
    level = guest.tab.locator("#confirm")
    assert level.input_value() == "final"
    level.select_option("never")
    guest.tab.reload()
    wait_asked(guest)
    assert level.input_value() == "never"
    seat = guest.tab.evaluate("() => window.sandtable.question.ask.seat")
    stored = guest.tab.evaluate("() => JSON.stringify(localStorage)")
    assert any(name.endswith(f":{seat}") for name in json.loads(stored))


@pytest.mark.slow
def test_orders_with_dice_or_hand_over_need_a_confirmation(site: Site, join: Join) -> None:
    """The last choice of a purchase leads to no dice, so it is given at once, but its end needs a confirmation."""
    guest = join(site, site.make("desert_aa", scenario="frontier", players={"axis": "human"})["axis"])
    wait_asked(guest)
    done = guest.tab.locator("#options button", has_text="no more").first
    guest.after(done.click)
    assert guest.step["leads_to"] == "passes"
    assert guest.tab.locator("#go").is_visible()


# --- one screen ---


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("ruleset", one_now(Rulesets().ids(), "desert_aa"))
def test_page_does_not_scroll_while_a_question_is_open(
    ruleset: str,
    size: dict[str, int],
    site: Site,
    join: Join,
) -> None:
    guest = opening(join, site, ruleset, viewport=size)
    assert guest.tab.evaluate(FIT)
    for tab in guest.tab.locator("[role=tab]:not([hidden])").all():
        tab.click()
        assert guest.tab.evaluate(FIT)
    if guest.shows("[data-line] button"):
        guest.click("[data-line] button")
    elif guest.shows("#options button[data-pick]"):
        guest.click("#options button[data-pick] >> nth=0")
    assert guest.tab.evaluate(FIT)


@pytest.mark.slow
def test_dark_mode_follows_the_system_and_the_switch(site: Site, join: Join) -> None:
    guest = opening(join, site, "desert_aa", color_scheme="dark")

    def look() -> list[str]:
        return [guest.tab.evaluate(STYLE, each) for each in (["body", "backgroundColor"], [".ground > rect", "fill"])]

    dark = look()
    assert guest.tab.locator("#theme").text_content() == "Colors: as the system"
    guest.tab.keyboard.press("d")
    light = look()
    assert all(one != other for one, other in zip(dark, light, strict=True))
    guest.tab.keyboard.press("d")
    assert look() == dark
    guest.tab.reload()
    guest.tab.locator("html[data-theme=dark]").wait_for()


@pytest.mark.slow
def test_nothing_moves_with_reduced_motion(site: Site, join: Join) -> None:
    guest = opening(join, site, "kampfpanzer", reduced_motion="reduce", viewport=PHONE)
    assert guest.tab.evaluate(STYLE, ["main", "transitionDuration"]) == "0s"
    guest.tab.evaluate("() => { window.moved = 0; Element.prototype.animate = () => { window.moved += 1; }; }")
    guest.click("#staff")
    guest.click("#handin")
    assert guest.tab.evaluate("() => window.moved") == 0
