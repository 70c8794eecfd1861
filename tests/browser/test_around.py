"""Features beside the board, in Chromium: links to records, verifiable dice, films, and the review of a game."""

import os
from pathlib import Path

import pytest
from browser_guest import Guest, Join, wait_asked
from web_robot import Site

pytestmark = [pytest.mark.browser, pytest.mark.full]

NOW = "() => window.sandtable.board.now"
LAST = "() => window.sandtable.board.last"


def shoot(guest: Guest, name: str) -> None:
    """Store a picture of the page in the folder that SANDTABLE_SHOTS names, if any."""
    if folder := os.environ.get("SANDTABLE_SHOTS"):
        guest.tab.screenshot(path=str(Path(folder) / f"{name}.png"))


def play_until(guest: Guest, condition: str) -> None:
    """Take first choices until a condition holds in the page."""
    while not guest.tab.evaluate(condition):
        guest.until("() => window.sandtable.question.ask")
        guest.go_on()


def test_story_leads_to_records_dice_and_a_film(site: Site, join: Join) -> None:
    guest = join(site, site.make("desert_aa", scenario="frontier", players={"axis": "human"})["axis"])
    tab = guest.tab
    play_until(guest, "() => document.querySelector('#story .dice') && !film.hidden")
    assert tab.locator("#link-state").inner_text().endswith("connected")
    assert "dice" in tab.locator("#dice-mode").inner_text()

    tab.locator("#story .dice").first.click()
    dialog = tab.locator("#dice-check")
    dialog.locator(".cube").first.wait_for()
    assert "DAA-" in dialog.inner_text()
    assert "Fingerprint" in dialog.inner_text()
    shoot(guest, "dice-host")
    dialog.get_by_role("button", name="Close").click()

    link = tab.locator("#story a.record").first
    number = int(link.inner_text().removeprefix("#r"))
    link.click()
    tab.wait_for_function(f"({NOW})() === {number}")
    assert tab.url.endswith(f"#r{number}")
    tab.locator("#point").click()
    tab.locator("#chat-form button").click()
    tab.locator("#chat a.record").wait_for()
    tab.locator("#live").click()
    tab.wait_for_function(f"({NOW})() === ({LAST})()")
    tab.locator("#chat a.record").click()
    tab.wait_for_function(f"({NOW})() === {number}")
    shoot(guest, "record")
    other = guest.open(f"{tab.url.partition('#')[0]}#r{number}")
    other.wait_for_function(f"({NOW})() === {number}")
    other.close()
    tab.locator("#live").click()

    tab.locator("#film button").first.click()
    guest.until("() => document.querySelector('#film .caption').textContent")
    tab.locator("#film select").select_option("fast")
    tab.locator("#film >> text=Stop").click()
    shoot(guest, "film")
    assert tab.evaluate(NOW) < tab.evaluate(LAST)
    tab.locator("#film >> text=Skip to now").click()
    assert tab.evaluate(NOW) == tab.evaluate(LAST)

    tab.locator("[data-tab=game-panel]").click()
    tab.on("dialog", lambda each: each.accept())
    tab.locator("#resign").click()
    guest.until("() => !over.hidden")
    tab.locator("[data-tab=story-panel]").click()
    tab.locator("#story .dice").first.click()
    dialog.locator(".verdict.good").first.wait_for()
    assert not dialog.locator(".verdict.bad").count()
    shoot(guest, "dice-verified")


@pytest.mark.slow
def test_silent_connection_is_shown_as_lost(site: Site, join: Join) -> None:
    guest = join(site, site.make("desert_aa", players={"axis": "human"})["axis"])
    guest.was_cut_off = True
    guest.context.set_offline(True)
    guest.tab.locator("#link-state.off").wait_for(timeout=5000)
    shoot(guest, "offline")
    guest.context.set_offline(False)
    guest.tab.locator("#link-state:not(.off)").wait_for()


@pytest.mark.slow
def test_review_leads_to_points_a_branch_and_one_board(site: Site, join: Join) -> None:
    people = {"axis": "human", "allies": "human"}
    links = site.make("desert_aa", scenario="frontier", players=people)
    axis, allies = (join(site, links[side]) for side in people)
    for _ in range(110):
        wait_asked(axis, allies).go_on()
    axis.tab.locator("[data-tab=game-panel]").click()
    axis.tab.on("dialog", lambda each: each.accept())
    axis.tab.locator("#resign").click()
    for guest in (axis, allies):
        guest.until("() => !over.hidden")
        guest.tab.locator("#review").click()
        guest.tab.locator("#review-panel .points li").first.wait_for()
        assert guest.tab.locator("#review-panel .graph").count() == 2
        guest.tab.locator("#together").check()
    shoot(axis, "review")
    axis.tab.locator("#review-panel .points a.record").first.click()
    number = axis.tab.evaluate(NOW)
    allies.until(f"() => window.sandtable.board.now === {number}")
    with axis.tab.expect_download() as download:
        axis.tab.locator("[data-tab=game-panel]").click()
        axis.tab.locator("#downloads >> text=Replay page").click()
    assert download.value.suggested_filename.endswith(".html")
    axis.tab.locator("[data-tab=review-panel]").click()
    axis.tab.locator("#review-panel >> text=Try another order").first.click()
    link = axis.tab.locator("#next a")
    link.wait_for()
    branch = axis.open(f"http://{site.address}{link.get_attribute('href')}")
    branch.wait_for_function("() => window.sandtable.question.ask || !curtain.hidden")
    branch.close()
    for guest in (axis, allies):
        guest.tab.locator("#rematch").click()
    allies.tab.locator("#next >> text=Open the new game").wait_for()


def test_plan_looks_different_and_sends_nothing(site: Site, join: Join) -> None:
    guest = join(site, site.make("desert_aa", scenario="frontier", players={"axis": "human"})["axis"])
    for _ in range(4):
        guest.until("() => window.sandtable.question.ask")
        guest.go_on()
    guest.until("() => window.sandtable.question.ask")
    before = guest.tab.evaluate(LAST)
    with guest.context.expect_page() as opened:
        guest.tab.locator("#plan-open").click()
    plan = guest.on(opened.value)
    plan.tab.locator("html.planning").wait_for()
    plan.until("() => window.sandtable.question.ask")
    assert "PLAN" in plan.tab.title()
    assert "not the game" in plan.tab.locator(".plan-band").inner_text()
    play_until(plan, "() => Boolean(window.sandtable.page.facts.plan.steps)")
    shoot(plan, "plan")
    plan.tab.locator("#undo").click()
    plan.until("() => !window.sandtable.page.facts.plan.steps")
    assert guest.tab.evaluate(LAST) == before


HIDDEN = """
window.told = [];
window.Notification = class { constructor(title, { body }) { window.told.push(`${title}: ${body}`); } };
Notification.permission = "default";
Notification.requestPermission = async () => (Notification.permission = "granted");
Object.defineProperty(document, "hidden", { get: () => Boolean(window.isAway) });
"""


@pytest.mark.slow
def test_browser_notifies_once_when_the_turn_comes(site: Site, join: Join) -> None:
    people = {"axis": "human", "allies": "human"}
    links = site.make("desert_aa", scenario="frontier", players=people, pace="bank 600+5")
    guests = [join(site, links[side]) for side in people]
    first = wait_asked(*guests)
    away = next(each for each in guests if each is not first)
    away.tab.add_init_script(HIDDEN)
    away.tab.reload()
    away.tab.locator("html[data-ready]").wait_for()
    away.tab.locator("[data-tab=game-panel]").click()
    away.tab.locator("#notify").click()
    away.until("() => notify.getAttribute('aria-pressed') === 'true'")
    away.tab.evaluate("() => { window.isAway = true; }")
    while wait_asked(*guests) is first:
        first.go_on()
    away.until("() => window.told.length")
    assert len(away.tab.evaluate("() => window.told")) == 1
    assert away.tab.title().startswith("●")
    assert first.tab.locator("#clock .seat-clock").count() == 3
    shoot(away, "notices")
