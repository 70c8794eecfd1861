"""The replay page in Chromium: it opens from disk without a word or a request, walks, proves, and obeys keys."""

import base64
import json
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import ROOT, made

from sandtable.journal.file.reading import read_log

pytestmark = [pytest.mark.browser, pytest.mark.full]

Open = Callable[..., Any]
LOGS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "replays").glob("*/*.jsonl"))
SHORTEST = {
    game: min((log for log in LOGS if f"/{game}/" in log), key=lambda log: ((ROOT / log).stat().st_size, log))
    for game in sorted({log.split("/")[1] for log in LOGS})
}
SMALL = SHORTEST["khamsin"]
LONGEST = "replays/damos/german-moscow_held-agc.jsonl"


WHOLE = "Verified, unanchored"
BROKEN_OFF = {
    "replays/disputes/crashed.jsonl": "Verified so far: 105 records, the dice key is pending",
    "replays/disputes/smolensk.jsonl": "Verified so far: 365 records",
    "replays/disputes/teaching.jsonl": "Verified so far: 109 records",
}
"""Logs of games that were not played to their end."""


def sound(page: Any, verdict: str = WHOLE) -> None:
    """Walk a page to its end and back, by jumps and by steps, and check that it is intact."""
    assert page.verdict() == verdict
    first = page.picture()
    last = int(page.tab.locator("#slider").get_attribute("max"))
    page.go(last)
    assert page.record() == last
    end = page.picture()
    page.go(0)
    assert page.picture() == first
    page.tab.locator("#unit").select_option("phase")
    for _ in range(10 * last):
        if page.record() == last:
            break
        page.tab.locator("#forward").click()
    assert page.picture() == end
    assert page.faults() == []


@pytest.mark.parametrize("game", ["khamsin", pytest.param("damos", marks=pytest.mark.slow)])
def test_short_page_opens_replays_both_ways_and_is_verified(game: str, opened: Open) -> None:
    sound(opened(SHORTEST[game]))


@pytest.mark.slow
@pytest.mark.parametrize("log", LOGS)
def test_every_golden_page_opens_replays_and_is_verified(log: str, opened: Open) -> None:
    sound(opened(log), BROKEN_OFF.get(log, WHOLE))


def altered(page: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return a page with its log changed."""
    found = re.search(rb'(id="log-0">)([^<]*)', page)
    assert found
    log = change(base64.b64decode(found[2]))
    return page[: found.start(2)] + base64.b64encode(log) + page[found.end(2) :]


def test_flipped_byte_is_reported_with_the_records_of_its_stretch(opened: Open) -> None:
    flipped = []

    def flip(log: bytes) -> bytes:
        lines = log.split(b"\n")
        rules = [at for at, line in enumerate(lines) if line.startswith(b'{"kind":"event"') and b'"rule":"K' in line]
        place = next(at for at in rules if at >= 20)
        lines[place] = lines[place].replace(b'"rule":"K', b'"rule":"L', 1)
        flipped.append(json.loads(lines[place])["n"])
        return b"\n".join(lines)

    page = opened(altered(made(SMALL), flip))
    found = re.fullmatch(r"False: altered in records (\d+) to (\d+)", page.verdict())
    assert found
    first, last = map(int, found.groups())
    assert first <= flipped[0] <= last
    page.tab.locator("#tab-proof").click()
    link = page.tab.locator("#proof a").first
    assert link.inner_text() == f"Records {first} to {last}"
    link.click()
    page.tab.wait_for_function(f"document.getElementById('record').value === '{first}'")


def test_altered_pictures_are_never_drawn(opened: Open) -> None:
    page = opened(
        re.sub(rb'(data-sha256=")(.)', lambda found: found[1] + (b"0" if found[2] != b"0" else b"1"), made(SMALL))
    )
    assert page.tab.locator("html").get_attribute("data-ready") == "failed"
    assert page.tab.locator("#badge").inner_text() == "Page damaged"


def test_links_lead_to_a_moment_and_a_view(opened: Open) -> None:
    page = opened(SMALL, "#record=40&side=axis")
    assert page.record() == 40
    assert page.tab.locator("#view option:checked").inner_text() == "As axis saw it"
    page.tab.locator("#forward").click()
    page.tab.wait_for_url(f"**#record={page.record()}&side=axis")
    far = opened(SMALL, "#record=999999&side=nobody")
    assert far.record() == int(far.tab.locator("#record").get_attribute("max"))
    assert "does not show what nobody saw" in far.tab.locator("#note").inner_text()
    assert page.faults() + far.faults() == []


def test_keyboard_steps_searches_and_queries_the_game(opened: Open) -> None:
    page = opened(SMALL)
    keys = page.tab.keyboard
    keys.press("ArrowRight")
    first = page.record()
    assert first > 0
    keys.press("ArrowLeft")
    assert page.record() == 0
    keys.press("]")
    keys.press("PageDown")
    assert page.record() > first
    keys.press(".")
    keys.press("End")
    assert page.record() == int(page.tab.locator("#record").get_attribute("max"))
    keys.press("Home")
    keys.press("/")
    keys.type("axis")
    keys.press("Enter")
    assert page.record() > 0
    here = page.record()
    assert "sentence" in page.tab.locator("#found").inner_text()
    page.tab.locator("#tab-story").focus()
    keys.press("ArrowRight")
    assert page.tab.locator("#tab-why").get_attribute("aria-selected") == "true"
    assert f"Record {here}" in page.tab.locator("#why").inner_text()
    keys.press("?")
    assert page.tab.locator("#help").is_visible()
    keys.press("Escape")
    assert page.faults() == []


@pytest.mark.slow
@pytest.mark.parametrize("log", [SHORTEST["khamsin"], SHORTEST["kampfpanzer"]])
def test_keyboard_reads_the_board_place_by_place(log: str, opened: Open) -> None:
    page = opened(log, "#record=60")
    about, keys = page.tab.locator("#about"), page.tab.keyboard
    keys.press("x")
    assert page.tab.locator("#explore").get_attribute("aria-pressed") == "true"
    seen = {about.inner_text()}
    for key in ("c", "c", "ArrowRight", "ArrowDown", "q", "e"):
        keys.press(key)
        seen.add(about.inner_text())
    assert len(seen) >= 3
    assert page.tab.locator(".cursor").count() == 1
    for _ in range(6):
        keys.press("c")
        keys.press("u")
    assert page.record() > 60
    keys.press("Escape")
    assert page.tab.locator(".cursor").count() == 0
    keys.press("4")
    assert page.tab.locator("#tab-graphs").get_attribute("aria-selected") == "true"
    assert page.faults() == []


@pytest.mark.slow
def test_parts_of_a_drawing_are_described_under_the_pointer(opened: Open) -> None:
    page = opened("replays/axis_attack/draw-stalemate-armoured_clash.jsonl", "#record=400")
    battle = page.tab.locator(".board [data-turn='2'] text").first
    for _ in range(2):  # the first look takes the title from the browser, the second finds it where it was put
        battle.hover()
        told = page.tab.locator("#tip").inner_text()
        page.tab.mouse.move(1, 1)
        assert told.startswith("Turn 2: The Cauldron, the Soviets attack [AOA-8.07]; Germans 5-2")
    battle.click()
    assert page.tab.locator("#about").inner_text() == told
    page.tab.locator("#tab-forces").click()
    assert told in page.tab.locator("#forces").inner_text()
    assert page.faults() == []


@pytest.mark.slow
def test_hex_description_cites_the_rules_of_its_contents(opened: Open) -> None:
    page = opened("replays/damos/german-gates-smolensk.jsonl", "#record=600")
    page.tab.keyboard.press("x")
    about = page.tab.locator("#about").inner_text()
    assert "[DM-2.9a]" in about
    assert "zone of influence of the" in about
    assert page.faults() == []


@pytest.mark.slow
@pytest.mark.parametrize("game", SHORTEST)
def test_tab_key_reaches_every_control_and_each_has_a_name(game: str, opened: Open) -> None:
    page = opened(SHORTEST[game], "#record=30")
    met = []
    for _ in range(60):
        page.tab.keyboard.press("Tab")
        found = page.tab.evaluate(
            """() => {
              const it = document.activeElement;
              const [label] = it.labels || [], name = it.getAttribute("aria-label") || it.innerText || it.title;
              return [it.id || it.className, (name || (label && label.innerText) || "").trim()];
            }"""
        )
        met.append(tuple(found))
        if found[0] == "story-scroller":
            break
    reached = {ident for ident, _ in met}
    wanted = {"badge", "view", "out", "fit", "in", "follow", "share", "help-open", "play", "forward", "unit", "pace"}
    assert wanted | {"record", "slider", "search", "story-scroller"} <= reached
    assert [ident for ident, name in met if not name] == []


def test_a_roll_is_checked_in_the_browser(opened: Open) -> None:
    page = opened(SMALL)
    page.tab.locator("#tab-why").click()
    for _ in range(200):
        if page.tab.locator("#why button").count():
            break
        page.tab.keyboard.press(".")
    page.tab.locator("#why button").first.click()
    page.tab.locator("#why .proof", has_text="The key gives the same").first.wait_for()
    assert page.faults() == []


@pytest.mark.parametrize("side", ["axis", "public"])
def test_page_of_a_side_is_verified_so_far(side: str, opened: Open) -> None:
    page = opened(SMALL, side=side)
    viewer = "a spectator" if side == "public" else side
    assert page.verdict().startswith(f"Verified so far, as {viewer} saw it: ")
    assert page.tab.locator("#view option").count() == 1
    assert page.faults() == []


def test_kept_hash_of_any_record_anchors_the_page(opened: Open) -> None:
    log = read_log(ROOT / SMALL)
    ends = [log.heads[place].decode() for place in log.places]
    steps = [n for n in range(1, log.records) if ends[n] == ends[n + 1] and ends[n].encode() not in log.lines[n]]
    page = opened(SMALL, f"#record={steps[0]}")
    assert page.record() == steps[0]
    page.tab.locator("#tab-why").click()
    assert "This record is closed" not in page.tab.locator("#why").inner_text()
    page.verdict()
    page.tab.locator("#tab-proof").click()
    page.tab.locator("#hash").fill(ends[steps[0]])
    last = len(ends) - 1 - ends[::-1].index(ends[steps[0]])
    assert page.tab.locator("#badge").inner_text() == f"Verified, anchored up to and including record {last}"
    page.tab.locator("#hash").fill("0" * 64)
    assert "No record of this log has that hash" in page.tab.locator("#hash-answer").inner_text()


def test_two_games_are_shown_side_by_side(opened: Open) -> None:
    one, other = (f"replays/khamsin/{name}-teaching.jsonl" for name in ("axis-position", "draw-even"))
    page = opened(one, other=other)
    assert page.verdict() == "Verified, unanchored"
    assert page.tab.locator(".board").count() == 2
    page.tab.locator("#tab-compare").click()
    assert "They first differ at record" in page.tab.locator("#comparison").inner_text()
    page.tab.keyboard.press("End")
    assert page.tab.locator(".board .differs").count() > 1
    tree = page.tab.locator("details.branch.now")
    assert "differ" in tree.locator("summary").inner_text()
    assert tree.locator("a").first.get_attribute("href").startswith("#record=")
    page.tab.locator("#view").select_option("1")
    assert page.tab.locator(".board .differs").count() > 1
    assert page.faults() == []


AXE = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", SHORTEST)
def test_pages_have_no_accessibility_violation(game: str, scheme: str, opened: Open) -> None:
    axe = import_module("axe_playwright_python.sync_playwright").Axe()
    other = next(log for log in LOGS if f"/{game}/" in log and log != SHORTEST[game])
    page = opened(SHORTEST[game], "#record=30", other=other, color_scheme=scheme)
    page.tab.keyboard.press("x")
    found = []
    for tab in page.tab.locator("[role=tab]").all():
        tab.click()
        answer = axe.run(page.tab, options=AXE).response
        found += [(each["id"], each["nodes"][0]["html"][:120], len(each["nodes"])) for each in answer["violations"]]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390, 768])
def test_narrow_screen_has_no_horizontal_overflow(width: int, opened: Open) -> None:
    page = opened(SHORTEST["damos"], viewport={"width": width, "height": 800})
    for tab in page.tab.locator("[role=tab]").all():
        tab.click()
        wide = page.tab.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width


@pytest.mark.slow
def test_a_page_prints_as_a_report(opened: Open, tmp_path: Path) -> None:
    page = opened(SMALL, "#record=40")
    page.tab.emulate_media(media="print")
    assert page.tab.locator("#story").is_visible()
    assert not page.tab.locator(".tools").is_visible()
    assert page.tab.pdf().startswith(b"%PDF")


@pytest.mark.slow
def test_longest_game_is_stepped_through_quickly(opened: Open) -> None:
    """Script time only: painting time depends on the machine, and is measured by hand."""
    page = opened(LONGEST)
    assert len(made(LONGEST)) <= 3_000_000
    jumps = page.tab.evaluate(
        """async () => {
          const field = document.getElementById("record"), times = [];
          for (let i = 0; i < 60; i++) {
            const start = performance.now();
            field.value = (i * 997) % 3767;
            field.dispatchEvent(new Event("change"));
            times.push(performance.now() - start);
            await new Promise(requestAnimationFrame);
          }
          return times.sort((a, b) => a - b);
        }"""
    )
    assert jumps[len(jumps) // 2] < 100
