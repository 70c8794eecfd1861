"""The page of a game: one file, the same bytes each time, no request, no markup from a log, no secret of a side."""

import base64
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from msgspec import json
from tests.framework.viewer.page.side_pages import assert_alike

from sandtable.errors import LogDamaged, LogError
from sandtable.viewer.page import assets
from sandtable.viewer.page.comparing import compared, lean, lean_log, restored, whole_log
from sandtable.viewer.page.document import islands_of, page_of
from sandtable.viewer.page.page_data import GameData

Page = Callable[..., str]
Play = Callable[..., bytes]
Told = Callable[..., GameData]


def data_of(page: str) -> Any:
    return json.decode(islands_of(page.encode(), "page")["data"])


def test_same_log_gives_the_same_page_which_contains_the_log(play: Play, page: Page) -> None:
    log = play()
    made = page(log)
    assert made == page(log)
    assert islands_of(made.encode(), "page")["log-0"] == log
    assert base64.b64encode(log).decode() in made
    assert "<h1>" in made
    assert 'data-n="' in made
    assert "The game is over" in made


def test_page_of_a_torn_log_contains_its_complete_records(play: Play, page: Page) -> None:
    log = play()
    end = log.index(b"\n", log.index(b',"hash":"', len(log) // 2)) + 1
    made = page(log[: end + 9])
    assert islands_of(made.encode(), "page")["log-0"] == log[:end]
    assert made == page(log[:end])


def test_page_makes_no_requests(play: Play, page: Page) -> None:
    made = page(play())
    policy = re.search('Content-Security-Policy" content="([^"]*)"', made)
    assert policy
    styles = re.search("<style>(.*?)</style>", made, re.DOTALL)
    assert styles
    assert policy[1] == assets.policy(styles[1])
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]
    bare = re.sub('<script type="text/plain".*?</script>', "", made, flags=re.DOTALL)
    addresses = set(re.findall(r"https?://[^\s\"'<>`]+", bare))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe|object|embed|audio|video)\b", bare)
    assert not re.search(r'\sstyle="', bare)


@pytest.mark.parametrize(
    "name", ["</script><script>alert(1)</script>", "<!--", '"><img src=x>', "{{script}}", "a\u2028b", "\x1b[31mred"]
)
def test_log_text_is_escaped_on_the_page(name: str, play: Play, page: Page) -> None:
    made = page(play(name=name))
    assert made.count("<script") == page(play()).count("<script")
    assert made.count("<!--") == 0
    assert "\x1b" not in made
    assert "<img" not in made
    assert data_of(made)["games"][0]["rules"].startswith("when this page was made")


def test_explanations_have_decisions_alternatives_and_rules(play: Play, page: Page) -> None:
    (view,) = [each for each in data_of(page(play()))["games"][0]["views"] if each["viewer"] == "umpire"]
    why = view["why"]
    prompts = {question[0] for question in why["questions"].values()}
    assert prompts == {"hide your ambush", "commit troops"}
    first = next(question for question in why["questions"].values() if question[0] == "hide your ambush")
    assert "LayAmbush: space 2" in first[2]
    assert why["rules"]["TOY-3"].startswith("Each troop")
    assert "battle" in why["summaries"]


def test_page_of_an_altered_log_is_refused(play: Play, page: Page) -> None:
    with pytest.raises(LogDamaged, match="was altered: no page can be made"):
        page(play().replace(b'"front":', b'"front": ', 1))


def test_invalid_page_is_refused() -> None:
    with pytest.raises(LogError, match="is not a page"):
        islands_of(b"<html></html>", "other.html")
    broken = b'<script type="text/plain" id="data" data-sha256="' + b"0" * 64 + b'">AAAA</script>'
    with pytest.raises(LogError, match="its data are damaged"):
        islands_of(broken, "other.html")


# --- a side's page ---


@pytest.mark.parametrize(("side", "hider"), [("north", "south"), ("south", "north")])
def test_games_that_differ_in_secrets_give_a_side_the_same_page(side: str, hider: str, play: Play, page: Page) -> None:
    """An ambush that is never sprung is in space 1 or in space 2; the log differs only in its commitments."""
    first, second = play(**{hider: 1}), play(**{hider: 2})
    assert_alike(page(first, side).encode(), page(second, side).encode())
    whole = page(first), page(second)
    assert data_of(whole[0]) != data_of(whole[1])


def test_page_of_a_side_has_no_evaluation_luck_or_other_view(play: Play, page: Page) -> None:
    (game,) = data_of(page(play(), "north"))["games"]
    (view,) = game["views"]
    assert view["viewer"] == "north"
    assert game["luck"] == []
    assert view["why"]["live"] == {}
    assert not any("evaluation" in counts for _, _, counts in view["samples"])
    assert {question[0] for question in view["why"]["questions"].values()} == {"hide your ambush", "commit troops"}


# --- two games ---


def beside(one: bytes, other: bytes, told: Told) -> tuple[GameData, GameData]:
    first = told(one)
    return first, told(other, beside=first)


def test_two_games_are_compared_side_by_side(play: Play, told: Told) -> None:
    one, other = beside(play(), play(north=2), told)
    found = compared(one, other)
    assert found["first"] == one.records[found["first"] - 1].n
    (set_up, *_) = found["turns"]
    assert set_up["phases"][0]["phase"] == one.records[0].event.phase
    assert set_up["phases"][0]["firsts"][0] == (found["first"], "North orders lay ambush: space 1")
    made = page_of([one, other], found)
    assert islands_of(made, "page")["log-1"] == play(north=2)
    assert b'id="tab-compare"' in made


def test_shared_data_of_two_games_is_stored_once(play: Play, told: Told) -> None:
    one, other = beside(play(), play(), told)
    found = compared(one, other)
    assert (found["first"], [each for each in found["turns"] if each["phases"]]) == (0, [])
    assert one.stock is other.stock
    assert json.decode(islands_of(page_of([one, other], found), "page")["data"])["games"][1] == {"~": "same"}


@pytest.mark.parametrize(
    ("mine", "first", "stored"),
    [
        ([1, 2, 4], [1, 2, 3], {"~": "list", "same": 2, "more": [4]}),
        ([4], [1], [4]),
        ({"a": 1, "b": 2}, {"a": 1, "c": 3}, {"~": "table", "gone": ["c"], "set": {"b": 2}}),
        (
            [{"a": [1], "b": 1}],
            [{"a": [1], "b": 2}],
            {"~": "each", "of": [{"~": "table", "gone": [], "set": {"b": 1}}]},
        ),
        ("x", "y", "x"),
        ([], [], []),
    ],
)
def test_second_game_is_stored_as_differences(mine: Any, first: Any, stored: Any) -> None:
    assert lean(mine, first) == stored
    assert restored(stored, first) == mine


def test_shortened_log_is_restored(play: Play) -> None:
    one, other = play(), play(north=2)
    lean = lean_log(other, one)
    assert lean.count(b"\n=\n") > 10
    assert len(lean) < len(other) // 2
    assert whole_log(lean, one) == other
    same = lean_log(one, one)
    assert all(line.startswith(b"=") for line in same.splitlines())
    assert whole_log(same, one) == one
    for torn in (other[:-1], other[:-2] + b"]", other + b'{"kind"'):
        assert whole_log(lean_log(torn, one), one) == torn
    with pytest.raises(LogDamaged, match="which does not exist"):
        whole_log(lean, one.split(b"\n")[0])


# --- scripts ---


def test_scripts_and_styles_are_joined_without_duplicate_names() -> None:
    folder = files("sandtable.viewer.page")
    scripts = folder.joinpath("scripts")
    named = {f"{room.name}/{each.name[:-3]}" for room in scripts.iterdir() for each in room.iterdir()}
    assert named == set(assets.SCRIPTS)
    assert {each.name[:-4] for each in folder.joinpath("styles").iterdir()} == {*assets.STYLES, *assets.INDEX_STYLES}
    text = assets.script()
    assert not re.search(r"^(?:import|export)\b", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE)
    assert sorted(names) == sorted(set(names))
    for forbidden in ("fetch(", "eval(", "XMLHttpRequest", "new Function", "document.write", "import("):
        assert forbidden not in text


def test_each_script_follows_its_imports() -> None:
    for place, name in enumerate(assets.SCRIPTS):
        text = files("sandtable.viewer.page").joinpath(f"scripts/{name}.js").read_text()
        for room, module in re.findall(r'from "(\.\.?)/([a-z/]+)\.js"', text):
            wanted = module if room == ".." else f"{name.split('/')[0]}/{module}"
            assert wanted in assets.SCRIPTS[:place], f"{name} imports {wanted}"


def test_page_contains_the_log_as_base64(play: Play, page: Page) -> None:
    log = play()
    assert base64.b64encode(log).decode() in page(log)


def test_lines_of_eight_sides_have_different_colors() -> None:
    styles = files("sandtable.viewer.page").joinpath("styles")
    base, graphs = (styles.joinpath(f"{name}.css").read_text(encoding="utf-8") for name in ("base", "graphs"))
    for what, style in (("line", "stroke"), ("swatch", "background")):
        used = re.findall(rf"\.{what}\.s(\d) {{ {style}: var\((--\w+)\)", graphs)
        assert [int(number) for number, _ in used] == list(range(8))
        values = [re.findall(rf"{name}: light-dark\((#\w+), (#\w+)\)", base)[0] for _, name in used]
        assert all(len(set(shown)) == 8 for shown in zip(*values, strict=True))
    graphs = files("sandtable.viewer.page").joinpath("scripts/panels/graphs.js").read_text(encoding="utf-8")
    assert graphs.count("% 8") == 2
