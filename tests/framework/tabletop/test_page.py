"""Briefs for people: text of 80 columns, and a page with a form."""

from html.parser import HTMLParser

import battles
from msgspec.structs import replace
from transcripts import Transcript

from sandtable.tabletop.brief import Platoon
from sandtable.tabletop.report.page import WIDTH, as_text
from sandtable.tabletop.report.sheet import as_html

RICH = battles.rich_brief()
TOTAL = battles.brief(
    battles.party("axis", companies=tuple(battles.company(kind, 1000) for kind in ("armor", "infantry"))),
    mission="Total Victory",
    mode="total_war",
)
NASTY = battles.brief(
    battles.party("axis", player="<script>alert(1)</script>", company={"parent": '"><img src=x onerror=y>'}),
    place_title="\x1b[2J</title><script>",
    effects=("a\u202eb",),
    notes=("x" * 500,),
)
VOID = {"meta", "br"}


class Page(HTMLParser):
    """The tags and the text of a page; fails if tags do not match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not {name for name, _ in attrs} - {"class", "lang", "charset", "name", "content"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


def test_text_fits_eighty_columns_and_a_terminal() -> None:
    for brief in (RICH, TOTAL, NASTY):
        lines = as_text(brief).splitlines()
        assert max(map(len, lines)) <= WIDTH
        assert all(line.isprintable() for line in lines)


def test_platoon_text_is_printed_completely() -> None:
    carried = Platoon("pg1", "Panzergrenadier platoon (armored)", "infantry", 7, 7, 225, transports=4, level="full")
    company = replace(battles.company("infantry"), platoons=(carried,))
    text = as_text(battles.brief(battles.party("axis", companies=(company,))))
    for word in ("Panzergrenadier platoon", "(armored)", "full", "4 transports"):
        assert word in text


def test_form_has_attrition_only_if_counted() -> None:
    assert "recovery dice" in as_html(RICH)
    bare = as_html(RICH, attrition=False)
    assert "recovery dice" not in bare
    assert "Heroic" not in bare


def test_brief_is_printed_as_text(transcript: Transcript) -> None:
    transcript(as_text(RICH))


def test_page_has_a_form_to_fill_in(transcript: Transcript) -> None:
    page = Page(as_html(RICH))
    assert "script" not in page.seen
    armor = sum(each.fielded for each in RICH.platoons("axis").values() if "afv" in each.kind)
    dice = as_html(RICH).split("Axis, recovery dice")[1].split("</p>")[0]
    assert dice.count('class="box"') == armor == 5
    transcript("\n".join(line.strip() for line in page.text.splitlines() if line.strip()))


def test_page_escapes_all_text() -> None:
    page = Page(as_html(NASTY))
    assert "script" not in page.seen
    assert "img" not in page.seen
    assert "<script>alert(1)</script>" in page.text
    assert "\x1b" not in as_html(NASTY)
    assert "\u202e" not in as_html(NASTY)


def test_several_companies_and_bare_briefs_can_be_printed() -> None:
    assert as_text(TOTAL).count("company of") == 3
    bare = replace(battles.brief(), parties={side: replace(battles.party(side), companies=()) for side in ("a", "b")})
    assert "Points:        1500" in as_text(bare)
    Page(as_html(bare))
