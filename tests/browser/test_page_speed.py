"""The speed of the page of the longest game: made, opened, stepped, panned, jumped through. ``-s`` prints it.

    python -m pytest -s -n 0 -m "slow and browser" tests/browser/test_page_speed.py

Times depend on the machine; the limits here suit a busy one. The figures of a quiet one are in docs/benchmarks.md.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import pytest
from tests.browser.conftest import ROOT, made

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Any]
LONGEST = "replays/damos/german-moscow_isolated-agc.jsonl"
"""3,803 records, three views."""
SLACK = 30
"""Factor by which the promised times may be exceeded on a busy machine without a graphics card."""

FRAMES = """async ([count, kind]) => {
  const next = () => new Promise(requestAnimationFrame), board = document.querySelector(".board"), times = [];
  const at = board.getBoundingClientRect(), x = at.left + at.width / 2, y = at.top + at.height / 2;
  const pointer = (name, dx) => board.dispatchEvent(new PointerEvent(name,
    { pointerId: 1, pointerType: "mouse", button: 0, clientX: x + dx, clientY: y + dx / 3, bubbles: true }));
  if (kind === "pan") pointer("pointerdown", 0);
  let last = await next();
  for (let i = 0; i < count; i++) {
    if (kind === "step") document.getElementById("forward").click();
    else pointer("pointermove", 80 * Math.sin(i / 20));
    const now = await next();
    times.push(now - last);
    last = now;
  }
  if (kind === "pan") pointer("pointerup", 0);
  return times;
}"""
JUMPS = """async (count) => {
  const field = document.getElementById("record"), last = Number(field.max), script = [], painted = [];
  for (let i = 1; i <= count; i++) {
    const start = performance.now();
    field.value = (i * 997) % last;
    field.dispatchEvent(new Event("change"));
    script.push(performance.now() - start);
    await new Promise((done) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(0);
    }));
    painted.push(performance.now() - start);
  }
  return [script, painted];
}"""


@pytest.fixture(scope="module")
def told() -> Iterator[list[str]]:
    """Print the measurements at the end."""
    rows: list[str] = []
    yield rows
    print("", *rows, sep="\n")  # noqa: T201 - it is what the command is for


def share(times: list[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def row(what: str, times: list[float]) -> str:
    told = " ".join(f"{percent}%: {share(times, percent):.1f}" for percent in (10, 50, 95))
    return f"{what}, ms: {told} worst: {max(times):.1f}"


def test_longest_page_is_built_quickly_and_is_small(told: list[str]) -> None:
    start = time.process_time()
    page = made(LONGEST)
    taken = time.process_time() - start
    told.append(f"made in {taken:.1f} s of processor, {len(page) / 1_000_000:.2f} MB")
    assert len(page) <= 3_000_000
    assert taken < 5 * SLACK


def test_longest_page_is_ready_quickly(opened: Open, told: list[str]) -> None:
    times = []
    for _ in range(3):
        page = opened(LONGEST)
        times.append(page.tab.evaluate("() => performance.getEntriesByName('ready')[0].startTime"))
        page.context.close()
    told.append(row("ready after", times))
    assert median(times) < 1000 * SLACK


@pytest.mark.parametrize(("kind", "count"), [("step", 300), ("pan", 300)])
def test_step_and_pan_are_drawn_within_a_frame(kind: str, count: int, opened: Open, told: list[str]) -> None:
    page = opened(LONGEST, "#record=1200")
    page.verdict()
    if kind == "pan":
        page.tab.locator("#in").click()
        page.tab.locator("#in").click()
    times = page.tab.evaluate(FRAMES, [count, kind])
    told.append(row(f"a frame, {kind}", times))
    assert median(times) < 17 * SLACK
    assert page.faults() == []


def test_any_record_is_reached_quickly(opened: Open, told: list[str]) -> None:
    page = opened(LONGEST)
    page.verdict()
    script, painted = page.tab.evaluate(JUMPS, 60)
    told.extend([row("a jump, script", script), row("a jump, painted", painted)])
    assert median(painted) < 100 * SLACK
    assert median(script) < 100


def test_measured_log_exists(told: list[str]) -> None:
    told.append(f"log: {LONGEST}, {(ROOT / LONGEST).read_bytes().count(bytes([10])) - 1} records")
