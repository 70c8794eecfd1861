"""Aids of the table: readable counters, looks under the pointer, and the phone's sheet, fans and edge marks."""

import re
from importlib.resources import files
from typing import Any

import pytest
from browser_guest import PHONE, POINT, Guest, Join, one_now, opening, wait_asked
from color_vision import distance
from web_robot import Site

from sandtable.plugin.manager import Rulesets

pytestmark = [pytest.mark.browser, pytest.mark.full]

READABLE = 28
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
SIZES = {"laptop": {"viewport": {"width": 1280, "height": 720}}, "phone": TOUCH}
SHOWN = """() => [...document.querySelectorAll(".board .live use")].map((each) => each.getBoundingClientRect())
  .filter(({ left, right, top, bottom }) => right > 0 && left < innerWidth && bottom > 0 && top < innerHeight)
  .map(({ width }) => width)"""
WIDTH = """() => {
  const { scene, zoom } = window.sandtable.board;
  return zoom.scale().scale * ({ hexes: 52, areas: 43 })[scene.facts.kind];
}"""
WHOLE = "() => window.sandtable.board.zoom.isWhole"
COUNTER = (
    """(owner) => window.sandtable.board.scene.counters().find((each) => each.place && each.owner === owner).ident"""
)
STACK = """(owner) => {
  const { board } = window.sandtable, held = {};
  for (const { ident, owner: side, place } of board.scene.counters())
    if (place && side === owner) (held[place] ||= []).push(ident);
  const [place, idents] = Object.entries(held).sort(([, one], [, other]) => other.length - one.length)[0];
  return [place, idents.length];
}"""
CENTER = """(ident) => {
  const { board } = window.sandtable, [x, y] = board.pointOf(ident), [, , width, height] = board.zoom.now;
  board.zoom.set([x - width / 2, y - height / 2, width, height]);
}"""
LIT_IN_VIEW = """() => {
  const { board } = window.sandtable, [x, y, width, height] = board.zoom.now;
  return board.lit.map((each) => board.pointOf(each)).filter(Boolean)
    .filter(([px, py]) => px >= x && px <= x + width && py >= y && py <= y + height).length;
}"""


def german(site: Site, join: Join, **options: Any) -> Guest:
    """Open the page of the Germans at the first question after the set-up of both sides."""
    guest = join(site, site.make("damos", players={"german": "human"})["german"], **options)
    wait_asked(guest)
    guest.click("#staff")
    guest.click("#handin")
    wait_asked(guest)
    return guest


# --- counters and marks can be seen ---


@pytest.mark.parametrize("size", one_now(SIZES, "phone"))
@pytest.mark.parametrize("ruleset", one_now(["damos", "desert_aa", "kampfpanzer", "khamsin"], "desert_aa"))
def test_game_opens_with_readable_counters(ruleset: str, size: str, site: Site, join: Join) -> None:
    guest = opening(join, site, ruleset, **SIZES[size])
    assert guest.tab.evaluate(WIDTH) >= READABLE - 0.5
    shown = guest.tab.evaluate(SHOWN)
    assert not shown or max(shown) >= READABLE - 0.5


def test_marks_are_conspicuous_and_differ_by_more_than_color() -> None:
    """Each mark has a white halo and a line that is dark on it; no two kinds have the same color and dashes."""
    style = files("sandtable.web.page").joinpath("styles/table.css").read_text(encoding="utf-8")
    assert ".mark .halo, .looks .halo { fill: none; stroke: #fff;" in style
    found = {}
    for kind in (".may", ".about-this", ".taken", ".looks .reach", ".looks .zone", ".looks .sight"):
        rules = "".join(re.findall(rf"(?<![\w-]){re.escape(kind)}(?:\.place)? \{{([^}}]*)\}}", style))
        color = re.findall(r"stroke: (#\w{6})", rules)[0]
        dashes = (re.findall(r"stroke-dasharray: ([\d ]+)", rules) or ["none"])[0]
        line = tuple(int(color[at : at + 2], 16) for at in (1, 3, 5))
        assert distance((line[0], line[1], line[2]), (255, 255, 255), "grey") >= 50, kind
        found[kind] = dashes, "fill-opacity" in rules
    assert len(set(found.values())) == len(found), found


# --- looks ---


def test_reach_and_zone_of_any_visible_counter_are_shown_under_the_pointer(site: Site, join: Join) -> None:
    guest = german(site, join)
    looked = guest.tab.locator("#looked")
    for owner in ("german", "soviet"):
        ident = guest.tab.evaluate(COUNTER, owner)
        guest.tab.evaluate(CENTER, ident)
        guest.tab.mouse.move(*guest.tab.evaluate(POINT, ident))
        looked.get_by_text("can reach").wait_for()
        assert "Supply:" in looked.inner_text()
        assert guest.tab.locator(".looks path.reach").count() > 0
        assert guest.tab.locator(".looks .cost").count() > 0
        guest.tab.mouse.move(2, 2)
        guest.until("() => !document.getElementById('looked').textContent")
        assert guest.tab.locator(".looks > *").count() == 0


@pytest.mark.slow
def test_looks_can_be_turned_off_by_a_key(site: Site, join: Join) -> None:
    guest = german(site, join)
    guest.tab.keyboard.press("r")
    ident = guest.tab.evaluate(COUNTER, "german")
    guest.tab.mouse.move(*guest.tab.evaluate(POINT, ident))
    guest.tab.wait_for_timeout(800)
    assert not guest.tab.locator("#looked").inner_text()
    guest.tab.reload()
    wait_asked(guest)
    assert not guest.tab.evaluate("() => window.sandtable.aids.looks.isOn")


# --- the phone ---


def test_tap_on_a_stack_opens_a_fan_and_one_counter_is_chosen(site: Site, join: Join) -> None:
    guest = german(site, join, **TOUCH)
    place, count = guest.tab.evaluate(STACK, "soviet")
    place, count = (place, count) if count > 1 else guest.tab.evaluate(STACK, "german")
    assert count > 1
    guest.tab.evaluate("() => window.sandtable.board.mark({})")
    guest.tab.evaluate(CENTER, place)
    guest.tab.evaluate("() => window.sandtable.board.mark({})")
    guest.tab.touchscreen.tap(*guest.tab.evaluate(POINT, place))
    fan = guest.tab.locator(".fan button")
    assert fan.count() == count
    box = fan.first.bounding_box()
    assert min(box["width"], box["height"]) >= 40
    fan.first.tap()
    assert guest.tab.locator(".fan").is_hidden()
    guest.tab.locator("#looked").get_by_text("Reach").or_(guest.tab.locator("#looked .look")).first.wait_for()


@pytest.mark.slow
def test_sheet_of_the_question_has_three_heights(site: Site, join: Join) -> None:
    guest = opening(join, site, "desert_aa", **TOUCH)
    heights = []
    for _ in range(3):
        heights.append(guest.tab.locator(".side").bounding_box()["height"])
        guest.tab.locator("#sheet-handle").tap()
        guest.tab.wait_for_timeout(300)
    half, full, peek = heights
    assert peek < half < full
    assert guest.tab.locator("html").get_attribute("data-sheet") == "half"
    assert guest.tab.locator(".board").bounding_box()["height"] > 200
    guest.tab.evaluate("() => window.sandtable.aids.sheet.set('peek')")
    guest.go_on()
    assert guest.tab.locator("#prompt").bounding_box()["y"] < PHONE["height"] - 40


@pytest.mark.slow
def test_edge_marks_bring_lit_places_into_view(site: Site, join: Join) -> None:
    guest = opening(join, site, "khamsin", **TOUCH)
    guest.tab.evaluate(
        "() => { const { zoom } = window.sandtable.board; zoom.set([0, zoom.whole[3] - 300, 500, 500]); }"
    )
    assert guest.tab.evaluate(LIT_IN_VIEW) == 0
    edge = guest.tab.locator(".edge").first
    assert int(re.findall(r"\d+", edge.inner_text())[0]) > 0
    assert edge.bounding_box()["height"] >= 40
    edge.tap()
    assert guest.tab.evaluate(LIT_IN_VIEW) > 0


@pytest.mark.slow
def test_two_fingers_zoom_and_one_pans(site: Site, join: Join) -> None:
    guest = opening(join, site, "desert_aa", **TOUCH)
    session = guest.context.new_cdp_session(guest.tab)

    def view() -> Any:
        return guest.tab.evaluate("() => window.sandtable.board.zoom.now")

    def touch(kind: str, *points: tuple[int, int]) -> None:
        spots = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    before = view()
    touch("touchStart", (150, 200), (230, 200))
    for step in range(1, 6):
        touch("touchMove", (150 - 12 * step, 200), (230 + 12 * step, 200))
    touch("touchEnd")
    near = view()
    assert near[2] < before[2] * 0.7
    touch("touchStart", (200, 250))
    for step in range(1, 6):
        touch("touchMove", (200 - 15 * step, 250))
    touch("touchEnd")
    panned = view()
    assert panned[0] > near[0]
    assert panned[2] == pytest.approx(near[2])


SMALL = """() => [
  ".side button:not(.handle)", ".side select", ".side input:not([type=checkbox])", ".zooms button",
].flatMap((each) => [...document.querySelectorAll(each)])
  .filter((each) => each.offsetParent && each.getBoundingClientRect().height < 40)
  .map((each) => each.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("ruleset", one_now(Rulesets().ids(), "desert_aa"))
def test_controls_are_large_enough_for_a_finger(ruleset: str, site: Site, join: Join) -> None:
    guest = opening(join, site, ruleset, **TOUCH)
    small = guest.tab.evaluate(SMALL)
    assert small == []
