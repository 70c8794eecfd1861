"""The HTML report, read by a strict parser."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from sandtable.lab.ratings.findings import Findings
from sandtable.lab.reports.manifest_section import manifest_files
from sandtable.lab.reports.markup import VOID, element, text_node
from sandtable.lab.reports.page import as_html


class Reader(HTMLParser):
    """A parser that collects elements, attributes and text, and fails on wrong nesting."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in VOID
        self.open.append(tag)
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> Iterator[dict[str, str]]:
        return (attributes for name, attributes in self.elements if name == tag)


@pytest.fixture(scope="module")
def page(found: Findings) -> Reader:
    return Reader(as_html(found, lambda game: f"logs/{game}.jsonl"))


SECTIONS = ["contest-1", "contest-2", "pooled", "decisions", "forfeits", "games", "origin", "words"]


def test_sections_have_headings_and_menu_entries(page: Reader) -> None:
    idents = [each["id"] for each in page.all("section")]
    assert idents == SECTIONS
    titles = {each.get("id") for each in page.all("h2")}
    assert all(each["aria-labelledby"] in titles for each in page.all("section"))
    assert {f"#{ident}" for ident in idents} <= {each["href"] for each in page.all("a")}


def test_page_loads_no_resource_and_runs_no_script(page: Reader, found: Findings) -> None:
    assert not [tag for tag, _ in page.elements if tag in {"script", "link", "img", "iframe", "object", "form"}]
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    html = as_html(found)
    assert "http://" not in html
    assert "https://" not in html
    assert "url(" not in html
    assert "default-src 'none'" in next(each["content"] for each in page.all("meta") if "http-equiv" in each)


def test_page_escapes_names(page: Reader, found: Findings) -> None:
    assert "<script" not in as_html(found)
    assert any("<script>alert('x')</script> & Söhne" in text for text in page.text)


def test_notable_games_link_to_their_logs(page: Reader, found: Findings) -> None:
    logs = [each["href"] for each in page.all("a") if each["href"].startswith("logs/")]
    assert logs == [f"logs/{each.game}.jsonl" for each in found.examples]
    assert any(each.why.startswith("forfeit of ") for each in found.examples)


def test_notable_games_without_logs_are_named(found: Findings) -> None:
    reader = Reader(as_html(found))
    assert not [each for each in reader.all("a") if not each["href"].startswith("#")]
    assert str(found.examples[-1].game) in reader.text


def test_tables_have_headings_and_drawings_are_hidden(page: Reader) -> None:
    assert all(each.get("scope") in {"col", "row"} for each in page.all("th"))
    assert all(each.get("aria-hidden") == "true" for each in page.all("svg"))
    assert all(each.get("tabindex") == "0" and each["aria-label"] for each in page.all("div"))


def test_plot_points_are_within_their_scale(page: Reader) -> None:
    places = [each["cx"] for each in page.all("circle")]
    assert (
        len(places) == 2 + 3 + 3 + 4
    )  # players with a rating, in each contest and pooled; two sides in each of two contests
    assert all(0 <= float(place.removesuffix("%")) <= 100 for place in places)


def test_unrated_players_are_named(page: Reader) -> None:
    assert any("Not rated: loser." in text for text in page.text)
    assert "n/a" in page.text


def test_tournament_without_games_has_a_page(nothing: Findings) -> None:
    reader = Reader(as_html(nothing))
    assert "No game has been played yet." in reader.text
    assert [each["id"] for each in reader.all("section")] == ["pooled", "words"]


def test_page_is_deterministic(found: Findings) -> None:
    assert as_html(found) == as_html(found)
    assert not re.search(r"20\d\d-\d\d", as_html(found))  # only the tournament's own dates


def test_plots_are_figures_with_axis_and_caption(page: Reader) -> None:
    assert len(list(page.all("figure"))) == len(list(page.all("figcaption"))) == 3 + 2
    assert {"Elo", "share of the points"} <= set(page.text)


def test_page_shows_program_output_and_manifest(page: Reader) -> None:
    assert "Error: <none>" in page.text
    assert any("game 5: steady (north): crash: ended by itself" in text for text in page.text)
    assert 'title = "Desert <cup> 1942"' in page.text


def test_equal_forfeits_show_their_output_once(found: Findings) -> None:
    (fault,) = found.annex.faults
    more = tuple(replace(fault, game=game) for game in (9, 12))
    page = Reader(as_html(replace(found, annex=replace(found.annex, faults=(fault, *more)))))
    assert page.text.count("Error: <none>") == 1
    assert any("game 5: steady (north)" in text and "(also in 9, 12)" in text for text in page.text)


def test_sequential_test_has_its_own_table(page: Reader) -> None:
    assert "Sequential test" in page.text
    assert {"LLR", "elo0 at", "elo1 at"} <= set(page.text)


def test_printable_plots_are_separate_files(found: Findings, nothing: Findings) -> None:
    made = manifest_files(found)
    assert len(made) == 3 + 2 + 2
    for drawn in made.values():
        root = ET.fromstring(drawn)  # noqa: S314 - our own
        box = [float(each) for each in root.attrib["viewBox"].split()]
        texts = [each for each in root if each.tag.endswith("text")]
        assert all(0 <= float(each.attrib["x"]) <= box[2] and 0 <= float(each.attrib["y"]) <= box[3] for each in texts)
        words = " ".join(each.text or "" for each in texts)
        assert "Desert <cup> 1942, seed a seed, manifest 0f0f0f0f0f0f0f0f" in words
        assert "1942-06-21" in words
    assert manifest_files(nothing) == {}
    assert manifest_files(found) == made


def test_unprintable_characters_are_replaced() -> None:
    assert element("p", text_node("a\x00b\u202ec"), title='"') == '<p title="&quot;">a\ufffdb\ufffdc</p>'
