"""The HTML report in a real Chromium, if one is installed: at phone and desktop widths, and printed.

A test page holds the report in frames, measures it there, and writes down the results.
"""

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sandtable.lab.ratings.findings import Findings
from sandtable.lab.reports.page import as_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
WIDTHS = (320, 375, 1200)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

GAUGE = """<!doctype html><meta charset="utf-8"><body><pre id="out"></pre><script>
const found = {};
async function measure(width) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.src = "report.html";
  await new Promise(done => { frame.onload = done; document.body.append(frame); });
  const page = frame.contentDocument, seen = (e) => e.getBoundingClientRect();
  const links = [...page.querySelectorAll("section#games a")];
  const status = await Promise.all(links.slice(0, 3).map(async a => (await fetch(a.href)).status));
  const room = [...page.querySelectorAll(".room svg")];
  const points = [...page.querySelectorAll("circle")].map(e => [seen(e), seen(e.closest("svg"))]);
  found[width] = {
    overflow: page.documentElement.scrollWidth - width,
    sections: [...page.querySelectorAll("section")].filter(e => seen(e).height > 20).length,
    links: links.length, status,
    narrowest: Math.min(...room.map(e => seen(e).width)),
    astray: points.filter(([p, s]) => p.left < s.left - 6 || p.right > s.right + 6).length, points: points.length,
    smallest: Math.min(...[...page.querySelectorAll("td, th, p, dd, text, small")]
      .map(e => parseFloat(frame.contentWindow.getComputedStyle(e).fontSize))),
    background: frame.contentWindow.getComputedStyle(page.body).backgroundColor,
    anchors: [...page.querySelectorAll("nav a")].every(a => page.getElementById(a.hash.slice(1))),
    scripts: page.scripts.length,
  };
}
(async () => {
  for (const width of [320, 375, 1200]) await measure(width);
  document.getElementById("out").textContent = JSON.stringify(found);
  document.title = "measured";
})();
</script>"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, found: Findings) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    (folder / "logs").mkdir()
    for each in found.examples:
        (folder / "logs" / f"{each.game}.jsonl").write_text("{}\n")
    (folder / "report.html").write_text(as_html(found, lambda game: f"logs/{game}.jsonl"), encoding="utf-8")
    (folder / "gauge.html").write_text(GAUGE, encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def chromium(profile: Path, *arguments: str) -> str:
    command = [str(CHROMIUM), *OPTIONS, f"--user-data-dir={profile}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


@pytest.fixture(scope="module")
def measured(address: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    dom = chromium(
        tmp_path_factory.mktemp("profile"),
        "--virtual-time-budget=20000",
        "--dump-dom",
        f"http:{'//'}{address}/gauge.html",
    )
    text = re.search(r'<pre id="out">(.*?)</pre>', dom, re.DOTALL)
    assert text
    result: dict[str, Any] = json.loads(unescape(text[1]))
    return result


@pytest.mark.full
@pytest.mark.parametrize("width", WIDTHS)
def test_report_page_fits_the_screen(measured: dict[str, Any], width: int) -> None:
    seen = measured[str(width)]
    assert seen["overflow"] <= 0
    assert seen["sections"] == 8
    assert seen["smallest"] >= 11
    assert seen["anchors"]
    assert seen["scripts"] == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_plot_points_are_inside_the_plots(measured: dict[str, Any], width: int) -> None:
    seen = measured[str(width)]
    assert seen["points"] == 12
    assert seen["astray"] == 0
    assert seen["narrowest"] >= 80


def test_style_is_applied_and_links_lead_to_logs(measured: dict[str, Any], found: Findings) -> None:
    seen = measured["375"]
    assert seen["background"] == "rgb(251, 246, 230)"
    assert seen["links"] == len(found.examples)
    assert seen["status"] == [200, 200, 200]


@pytest.mark.full
def test_report_prints_to_a_few_pages(tmp_path: Path, address: str) -> None:
    paper = tmp_path / "report.pdf"
    chromium(tmp_path / "profile", f"--print-to-pdf={paper}", f"http:{'//'}{address}/report.html")
    data = paper.read_bytes()
    assert data.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type\s*/Page\b", data))
    assert 3 <= pages <= 10
