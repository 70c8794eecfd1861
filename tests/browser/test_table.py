"""The table in Chromium: people play by clicks, see no secrets of others, and come back after the server is killed."""

import json
from pathlib import Path

import pytest
from browser_guest import ASKED, FIT, IDLE, INERT, PARTS, PHONE, PLACES, STAMP, Guest, Join, people_of, wait_asked
from web_robot import Site
from web_server import ServerProcess

import sandtable as st
from sandtable.plugin.manager import Rulesets

pytestmark = [pytest.mark.browser, pytest.mark.full]


@pytest.fixture
def duel(site: Site, join: Join) -> tuple[Guest, Guest]:
    """Open the pages of both sides of a game with sealed plots."""
    links = site.make("kampfpanzer", players=people_of("kampfpanzer"))
    return join(site, links["nationalists"]), join(site, links["republicans"])


# --- turns by clicks ---


def test_two_people_play_desert_aa_by_clicks(site: Site, join: Join, tmp_path: Path) -> None:
    links = site.make("desert_aa", scenario="frontier", players=people_of("desert_aa"))
    guests = [join(site, links["axis"]), join(site, links["allies"])]
    gave: list[str] = []
    while len(set(gave)) < 2 or len(gave) < 25:
        guest = wait_asked(*guests)
        gave.append(guest.tab.evaluate("() => window.sandtable.question.ask.seat"))
        guest.go_on()
    shown = [each.tab.locator("#story").inner_text() for each in guests]
    assert all(len(each) > 100 for each in shown)
    (log,) = tmp_path.glob("*.jsonl")
    site.close()
    assert st.verify(log).exit_code == 0


def test_sealed_plots_are_shown_only_after_both_are_submitted(duel: tuple[Guest, Guest]) -> None:
    first, second = duel
    while not (first.is_asked and second.is_asked):  # the set-up, one side after the other
        wait_asked(first, second).go_on()
    place_at(first, first.rows()[0]["at"][0])
    first.click("#staff")
    plots = {each["written"] for each in first.rows() if len(each.get("written", "")) > 4}
    assert plots
    second.got.clear()
    first.click("#handin")
    assert not first.is_asked
    assert second.is_asked
    assert not [each for each in plots if each in "".join(second.got)]
    second.click("#staff")
    second.click("#handin")
    second.until(f"() => {json.dumps(sorted(plots))}.every((each) => story.innerText.includes(each))")


def place_at(guest: Guest, counter: str) -> None:
    """Write the line of a counter by clicks: the counter on the map, then the first choice of each step."""
    guest.click_map(counter)
    line = guest.tab.evaluate("() => window.sandtable.question.line")
    assert line
    while guest.tab.evaluate("() => window.sandtable.question.line"):
        guest.click("#options button[data-pick]")
    assert next(each["written"] for each in guest.rows() if each["key"] == line)


def set_up(guest: Guest, key: str) -> None:
    """Write the line of a unit by clicks: the line, a hex of the map, and the first of the two ways to set up there."""
    guest.click(f'[data-line="{key}"] button')
    guest.click_map("1435")
    guest.click("#options button[data-pick]")
    assert next(each["written"] for each in guest.rows() if each["key"] == key) == "1435"


# --- refusals ---


def test_refused_line_shows_its_rule_and_cannot_be_handed_in(duel: tuple[Guest, Guest]) -> None:
    guest = duel[0]
    for key in [each["key"] for each in guest.rows()[:2]]:
        set_up(guest, key)
    (wrong,) = guest.tab.locator("#sheet td > span").all_inner_texts()
    assert "needs another hex (KP-7.0a)" in wrong
    assert "at most one unit" in wrong
    assert guest.tab.locator("#handin").is_disabled()


def test_refused_typed_order_shows_the_text_of_its_rule(site: Site, join: Join) -> None:
    guest = join(site, site.make("desert_aa", scenario="frontier", players={"axis": "human"})["axis"])
    guest.tab.locator("#typed").fill("buy 99 armour")
    guest.click("#typed-form button")
    refused = guest.tab.locator("#refused").inner_text()
    assert "DAA-" in refused
    assert guest.tab.locator("#refused small").first.inner_text()
    assert guest.is_asked


# --- coming back ---


def test_every_tab_recovers_draft_chat_and_question_after_a_kill(tmp_path: Path, join: Join) -> None:
    with ServerProcess(tmp_path) as server:
        links = server.site.make("kampfpanzer", players=people_of("kampfpanzer"))
        guests = [join(server.site, links[name]) for name in ("nationalists", "republicans", "spectator")]
        first, second, _ = guests
        key = first.rows()[0]["key"]
        set_up(first, key)
        second.tab.locator("[data-tab=talk-panel]").click()
        second.tab.locator("#chat-text").fill("back soon")
        second.tab.locator("#chat-form button").click()
        for each in guests:
            each.until("() => chat.innerText.includes('back soon')")
        before = first.tab.evaluate(ASKED)
        server.kill()
        for each in guests:
            each.was_cut_off = True
            each.tab.locator("html.offline").wait_for()
        server.start()
        for each in guests:
            each.tab.locator("html:not(.offline)").wait_for()
            each.until("() => chat.innerText.includes('back soon')")
        for tab in (first.tab, first.open(first.tab.url)):
            tab.wait_for_function("(key) => window.sandtable.question.lines[key]", arg=key)
            tab.wait_for_function(f"() => {IDLE}")
            assert tab.evaluate(ASKED) == before
        assert first.tab.locator("#note").is_hidden()


# --- any ruleset, any screen ---


@pytest.mark.parametrize("ruleset", Rulesets().ids())
def test_ruleset_opens_with_a_lit_board(ruleset: str, site: Site, join: Join) -> None:
    links = site.make(ruleset, players=people_of(ruleset))
    guests = [join(site, links[side]) for side in people_of(ruleset)]
    assert all(each.tab.evaluate(PARTS) for each in guests)
    guest = wait_asked(*guests)
    if not guest.tab.evaluate(PLACES):  # a sheet of figures: nothing there can be lit
        assert guest.shows("#options button[data-pick]")
        return
    for _ in range(12):
        if guest.step.get("table"):
            guest.click("[data-line] button")
        if guest.lit():
            break
        guest.go_on()
        guest = wait_asked(*guests)
    assert guest.lit()


def test_curtain_hides_a_shared_screen_between_sides(site: Site, join: Join) -> None:
    guest = join(site, site.make("damos", players=people_of("damos"), hot_seat=True)["all seats"])
    for side in ("Soviet", "German"):
        curtain = guest.tab.locator("#curtain")
        curtain.wait_for()
        assert f"only for {side}" in curtain.inner_text()
        before = guest.tab.evaluate(STAMP)
        guest.tab.keyboard.press("s")
        guest.tab.keyboard.press("1")
        assert guest.tab.evaluate(INERT)
        assert guest.tab.evaluate(f"() => {IDLE}")
        assert guest.tab.evaluate(STAMP) == before
        guest.tab.keyboard.press("Enter")
        curtain.wait_for(state="hidden")
        assert side in guest.tab.locator("#prompt").inner_text()
        if side == "Soviet":
            guest.go_on()


@pytest.mark.parametrize("ruleset", ["desert_aa", "kampfpanzer"])
def test_phone_shows_the_question_without_scrolling_the_page(ruleset: str, site: Site, join: Join) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    links = site.make(ruleset, players=people_of(ruleset))
    guests = [join(site, links[side], **phone) for side in people_of(ruleset)]
    for _ in range(6):
        guest = wait_asked(*guests)
        assert guest.tab.evaluate(FIT)
        assert guest.tab.locator("#prompt").bounding_box()["y"] < PHONE["height"] - 100
        if guest.shows("#go"):
            box = guest.tab.locator("#go").bounding_box()
            assert box["y"] + 40 <= PHONE["height"]
            assert box["height"] >= 40
        guest.go_on()
