"""The umpire in Chromium: two people play, one files a dispute, and the umpire explains, rules and answers."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from browser_guest import Guest, Join, people_of, wait_asked
from tests.browser.test_replay_pages import AXE
from tests.framework.web.umpire.test_desk import TOY, play, until_asked
from web_robot import Robot, Site

import sandtable as st

pytestmark = [pytest.mark.browser, pytest.mark.full]

TAB = "[data-tab=umpire-panel]"
PANEL = "#umpire-panel"


def test_umpire_rules_and_answers_a_dispute(site: Site, join: Join, tmp_path: Path) -> None:
    links = site.make("desert_aa", scenario="frontier", players=people_of("desert_aa"), umpire="link")
    guests = [join(site, links[side]) for side in people_of("desert_aa")]
    umpire = join(site, links["umpire"])
    assert "you see everything" in umpire.tab.locator("#umpire-badge").inner_text()
    for _ in range(12):
        wait_asked(*guests).go_on()
    player = guests[0]
    assert "An umpire sees everything" in player.tab.locator("#umpire-badge").inner_text()
    player.until("() => document.querySelectorAll('#story p button').length > 3")
    player.tab.locator("#story p button").nth(1).click()
    player.tab.locator(TAB).click()
    player.tab.locator(f"{PANEL} textarea").fill("the grant is too small")
    player.tab.locator(f"{PANEL} button.go").click()

    umpire.tab.locator(TAB).click()
    umpire.tab.locator(".dispute.open button.link").click()
    umpire.tab.locator("text=Why?").click()
    umpire.tab.locator(".umpire-answer .rule code").first.wait_for()
    umpire.tab.locator("text=Uphold and rule").click()
    form = umpire.tab.locator(".umpire-rule form")
    form.locator("[name=event]").select_option("GrantReceived")
    form.locator("[name=amount]").fill("3")
    form.locator("[name=reason]").fill("3 more, as agreed")
    ruled = "() => document.querySelector('.umpire-answer').innerText.includes('Ruled in record')"
    for _ in range(30):  # a ruling waits for the end of a sealed group
        form.locator("button.go").click()
        umpire.until(f"() => ({ruled})() || document.querySelector('.umpire-answer .bad')")
        if umpire.tab.evaluate(ruled):
            break
        wait_asked(*guests).go_on()
    for each in guests:
        each.until(
            "() => note.innerText.includes('3 more, as agreed') || chat.textContent.includes('3 more, as agreed')"
        )
        each.until("() => story.innerText.includes('Umpire rules (3 more, as agreed)')")
    player.tab.locator(TAB).click()
    player.until("() => document.querySelector('.dispute .upheld')")
    with player.tab.expect_download() as download:
        player.tab.locator("text=Download the file").click()
    text = Path(download.value.path()).read_text()
    assert 'verdict = "falls"' in text
    (log,) = tmp_path.glob("*.jsonl")
    assert json.dumps(log.name) in text
    site.close()
    assert "1 ruling" in st.verify(log).text


@pytest.mark.slow
def test_what_if_is_framed_and_leaves_the_game(site: Site, join: Join) -> None:
    links = site.make("desert_aa", scenario="frontier", players=people_of("desert_aa"), umpire="me")
    guests = [join(site, links[side]) for side in people_of("desert_aa")]
    umpire = join(site, links["umpire"])
    for _ in range(4):
        wait_asked(*guests).go_on()
    umpire.until("() => document.querySelectorAll('#story p button').length > 1")
    umpire.tab.locator("#story p button").last.click()
    before = umpire.tab.evaluate("() => window.sandtable.board.last")
    umpire.tab.locator(TAB).click()
    umpire.until("() => window.sandtable.umpire.desk")
    umpire.tab.locator("text=What if …").click()
    umpire.tab.locator(".umpire-answer select").first.select_option("option")
    umpire.tab.locator(".umpire-answer button.go").click()
    dialog = umpire.tab.locator("#branch[open]")
    dialog.wait_for()
    assert "this is not the game" in dialog.inner_text()
    assert dialog.locator("img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    dialog.locator("text=Back to the game").click()
    dialog.wait_for(state="hidden")
    assert umpire.tab.evaluate("() => window.sandtable.board.last") == before


@pytest.mark.slow
def test_ruling_waits_for_sealed_orders_and_is_then_made(site: Site, join: Join) -> None:
    links = site.make("toy", players=TOY, umpire="link")
    umpire, players = join(site, links["umpire"]), [site.open(links[side]) for side in TOY]
    play(players, 1)
    robot = Robot(until_asked(*players), "sealed")
    robot.answer()
    umpire.tab.locator(TAB).click()
    form = umpire.tab.locator(".umpire-rule form")
    form.locator("[name=event]").select_option("FrontMoved")
    form.locator("[name=front]").fill("2")
    form.locator("[name=reason]").fill("agreed")
    form.locator("button.go").click()
    umpire.tab.locator("text=Make it as soon as all are in").click()
    umpire.until("() => document.querySelector('.umpire-answer').innerText.includes('waits for the sealed orders')")
    Robot(until_asked(*players), "sealed").answer()
    umpire.until("() => document.querySelector('.umpire-answer').innerText.includes('Ruled in record')")
    umpire.until("() => story.innerText.includes('Umpire rules (agreed): The front moves to space 2')")


@pytest.mark.slow
def test_umpire_types_dice_gives_a_seat_away_and_ends_the_game(site: Site, join: Join) -> None:
    links = site.make("toy", players=TOY, umpire="me", dice="manual")
    umpire, players = join(site, links["umpire"]), [site.open(links[side]) for side in TOY]
    play(players, 1)
    for page in players:
        assert until_asked(page).say({"t": "typed", "text": '{"type":"Commit","troops":3}'})["t"] == "taken"
    for faces in ("3 6-sided dice for battle at north", "3 6-sided dice for battle at south"):
        umpire.until(f"() => document.getElementById('prompt').innerText.includes({json.dumps(faces)})")
        assert not umpire.tab.locator("#staff").is_visible()
        for _ in range(3):
            umpire.click("#options button[data-pick]")
        umpire.tab.locator("#go").click()
    assert until_asked(*players)
    umpire.tab.on("dialog", lambda dialog: dialog.accept())
    umpire.tab.locator(TAB).click()
    umpire.tab.locator("summary:text('Players')").click()
    row = umpire.tab.locator("[data-seat=south]")
    row.locator("select").select_option("human")
    row.locator("button").click()
    link = umpire.tab.locator(".umpire-answer code").inner_text()
    taken = join(site, link.removeprefix(f"http://{site.address}"))
    assert taken.tab.evaluate("() => window.sandtable.page.seats") == ["south"]
    umpire.tab.locator("summary:text('End the game')").click()
    end = umpire.tab.locator(".umpire-end form")
    end.locator("input").fill("it is late")
    end.locator("button.go").click()
    taken.until("() => document.getElementById('state').innerText.includes('a draw (adjudication)')")
    taken.until("() => story.innerText.includes('it is late')")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_umpires_page_has_no_accessibility_violation(scheme: str, site: Site, join: Join) -> None:
    axe = import_module("axe_playwright_python.sync_playwright").Axe()
    links = site.make("toy", players=TOY, umpire="link")
    players = [site.open(links[side]) for side in TOY]
    play(players, 2)
    umpire, north = (join(site, links[name], color_scheme=scheme) for name in ("umpire", "north"))
    for guest in (north, umpire):
        guest.tab.locator("#story p button").last.click()
        guest.tab.locator(TAB).click()
    north.tab.locator(f"{PANEL} textarea").fill("too far")
    north.tab.locator(f"{PANEL} button.go").click()
    umpire.tab.locator(".dispute.open").wait_for()
    umpire.until("() => window.sandtable.umpire.desk")
    for summary in ("Players", "End the game"):
        umpire.tab.locator(f"summary:text('{summary}')").click()
    found = violations(axe, north) + violations(axe, umpire)
    umpire.tab.locator("text=Why?").click()
    umpire.tab.locator(".umpire-answer .rule").first.wait_for()
    found += violations(axe, umpire)
    umpire.tab.locator("text=What if …").click()
    umpire.tab.locator(".umpire-answer select").first.select_option("option")
    found += violations(axe, umpire)
    umpire.tab.locator(".umpire-answer button.go").click()
    umpire.tab.locator("#branch[open]").wait_for()
    found += violations(axe, umpire)
    assert found == []


def violations(axe: Any, guest: Guest) -> list[tuple[str, str]]:
    """Return the faults that axe finds on a page: the rule and the first element."""
    found = axe.run(guest.tab, options=AXE).response["violations"]
    return [(each["id"], each["nodes"][0]["html"][:160]) for each in found]
