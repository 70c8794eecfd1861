"""Writing order sheets at the terminal: refused lines come back one by one, accepted ones stay."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from transcripts import Transcript
from typist import Typist

from sandtable.errors import IllegalOrder
from sandtable.kernel.options import OneOf, Range, Refusal, Sheet
from sandtable.kernel.options import Path as Way
from sandtable.terminal.form_filling import fill
from sandtable.terminal.prompt import rule_lines
from sandtable.terminal.prose import help_on
from sandtable.terminal.sheets import HELP


def clashes(sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
    """Refuse a second battery that fires at the same place."""
    if sheet.get("b1") is not None and sheet.get("b1") == sheet.get("b2"):
        yield "b2", Refusal("S-3", "b1 fires there already")


def read(key: str, text: str) -> Any:
    if not text.isdigit():
        raise IllegalOrder("S-2", f"character 1 of {text!r}: expected a number")
    return int(text)


def sheet(**more: Any) -> Sheet:
    fields: dict[str, Any] = {"titles": {"b1": "battery at the mill"}, "read": read, "rule": "S-0"} | more
    return Sheet({"b1": Range(1, 6, "S-1"), "b2": Range(1, 6, "S-1")}, clashes, **fields)


def plots() -> Sheet:
    near = {"0804": ["0805"], "0805": ["0804"]}
    path = Way("0804", lambda each: near[each[-1]], lambda _: None, lambda _: None, 3, "X-1")
    return Sheet({"r1": path, "r2": path})


PLAIN = Sheet({"b1": Range(1, 6, "S-1"), "b2": Range(1, 6, "S-1")}, rule="S-0")
KEYS = [f"b{number}" for number in range(1, 13)]
TWELVE = Sheet({key: Range(1, 6, "S-1") for key in KEYS}, required=KEYS, rule="S-0")
HOLDING = sheet(read=lambda key, text: None if text == "hold" else read(key, text))
SESSIONS: dict[str, tuple[Sheet, list[str]]] = {
    "colon_or_none": (sheet(), ["b1: 3", "b2 4", "done"]),
    "several_lines_at_once": (sheet(), ["b1: 3; b2: 4", "done"]),
    "several_keys": (PLAIN, ["b1, b2: 4", "done"]),
    "a_key_that_is_none": (PLAIN, ["b1, b9: 4", "done"]),
    "rewritten_and_blanked": (sheet(), ["b1: 3", "b2: 1", "b2: 2", "b1: -", "done"]),
    "blanked_by_its_key": (sheet(), ["b1: 3", "b1", "done"]),
    "refused_lines": (sheet(), ["b1: 3", "b2: 9", "b3: 1", "b2: x", ": 4", "done"]),
    "lines_that_clash": (sheet(), ["b1: 3", "b2: 3", "done", "show", "b2: 4", "done"]),
    "a_required_line": (sheet(required=("b2",)), ["done", "b2: 1", "done"]),
    "values_of_any_kind": (Sheet({"x": Range(1, 6), "y": OneOf(["north", "south"])}), ["x 3", "y: north", "done"]),
    "paths_of_hexes": (plots(), ["r1 0805", "0705", "r2: 0999", "done"]),
    "a_word_for_blank": (HOLDING, ["b1: 3", "b1: hold", "b2: 4", "done"]),
    "one_reason_for_many_keys": (TWELVE, ["b3 1", "done", "rest", "done"]),
    "done_after_a_refused_batch": (sheet(), ["b1: 3", "b1: 4; b2: 9", "done", "b1: 4; b2: 5", "done"]),
    "done_twice_after_a_refused_batch": (sheet(), ["b1: 3", "b1: 4; b2: 9", "done", "done"]),
    "back_and_undo": (sheet(), ["b1: 3; b2: 4", "back", "undo", "done"]),
    "back": (sheet(), ["b1: 3; b2: 4", "back", "done"]),
    "an_at_sign_without_a_file": (sheet(), ["@", "done"]),
    "no_staff": (sheet(), ["draft", "done"]),
}


def written(space: Sheet, *lines: str, draft: dict[str, Any] | None = None) -> tuple[Any, Typist]:
    typist = Typist(*lines)
    typist.is_new(HELP)  # the briefest help fits a transcript
    typist.drafted = draft
    value = fill(space, "orders", typist)
    assert space.is_legal(value)
    assert not typist.lines
    return value, typist


@pytest.mark.parametrize("name", SESSIONS)
def test_sheet_session_matches_its_transcript(name: str, transcript: Transcript) -> None:
    space, lines = SESSIONS[name]
    value, typist = written(space, *lines)
    transcript(typist.session(value))


@pytest.mark.parametrize(
    ("draft", "lines"),
    [({"b1": 1, "b2": 2}, "b2: 5"), ({"b1": 1, "b2": 2}, "b2: 5, undo"), ({"b1": 1, "b2": 5}, "b1: 5")],
    ids=["fills_blanks", "undone", "clashes"],
)
def test_draft_command_matches_its_transcript(draft: dict[str, Any], lines: str, transcript: Transcript) -> None:
    line, *more = lines.split(", ")
    value, typist = written(sheet(), line, "draft", *more, "done", draft=draft)
    transcript(typist.session(value))


def refused_second(sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
    """Refuse the later line of two batteries that fire at the same place."""
    places = list(sheet.values())
    yield from ((key, Refusal("S-3", "taken")) for at, key in enumerate(sheet) if places[at] in places[:at])


def refused_first(sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
    """Refuse b1, whichever battery fires on the same place."""
    if list(sheet.values()).count(sheet.get("b1")) > 1:
        yield "b1", Refusal("S-3", "taken")


@pytest.mark.parametrize("together", [refused_second, refused_first])
@pytest.mark.parametrize("required", [(), KEYS], ids=["lines may be blank", "no line may be blank"])
def test_draft_that_conflicts_with_own_lines_can_be_submitted(together: Any, required: list[str]) -> None:
    space = Sheet({key: Range(1, 20) for key in KEYS}, together, required)
    draft = {key: place + 1 for place, key in enumerate(KEYS)}
    value, typist = written(space, "b1: 5", "draft", "done", draft=draft)
    assert value["b1"] == 5
    assert {key: value[key] for key in value if key not in {"b1", "b5"}} == {
        key: draft[key] for key in KEYS if key not in {"b1", "b5"}
    }
    assert ("b5" in value) == bool(required)
    assert any("for b5 conflict" in line for line in typist.shown)


def test_draft_that_adds_no_line_is_reported() -> None:
    for lines, draft in ((["draft"], {}), (["b1: 3", "draft"], {"b1": 2})):
        _, typist = written(sheet(), *lines, "done", draft=draft)
        assert any("adds no line" in line for line in typist.shown)


def test_lines_are_read_from_a_file(tmp_path: Path, transcript: Transcript) -> None:
    path, left = tmp_path / "turn.txt", tmp_path / "left.txt"
    path.write_text("# my plan\nb1: 3  # the mill\n\nb2: 9\n")
    left.write_text("# turn 0\n[orders]\nb2: 4\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "long").write_bytes(b"#" * ((1 << 20) + 1))
    typist = Typist(f"@{path}", *(f"@{tmp_path / name}" for name in ("gone", "bytes", "long", "", "\0")), "@", "done")
    typist.left = [str(left)]
    value = fill(sheet(), "orders", typist)
    shown = re.sub(r"is not a path: [^;]*", "is not a path", typist.session(value).replace(f"{tmp_path}", "FOLDER"))
    transcript(shown.replace("\0", "NUL"))


def test_rest_fills_blank_lines_at_random() -> None:
    for first in range(1, 7):
        value, typist = written(sheet(), f"b1 {first}", "rest", "done")
        assert value["b1"] == first
        assert value["b2"] in set(range(1, 7)) - {first}
        assert f"b1: {first}   (battery at the mill)" in typist.shown
    assert len(written(sheet(required=("b1", "b2")), "rest", "done")[0]) == 2


def test_help_of_sheets_is_shown_in_full_once() -> None:
    typist = Typist("done", "done")
    for _ in range(2):
        fill(sheet(), "orders", typist)
    assert sum("fill blank lines at random" in line for line in typist.shown) == 1
    assert typist.words_of_sheets == ""


def test_help_of_one_word_shows_the_lines_of_that_word() -> None:
    questions = {"reach": "reach 94   the hexes"}
    assert help_on("save", questions, HELP).startswith("      save FILE       write such a file")
    assert help_on("Reach", questions, HELP) == "  reach 94   the hexes"
    assert help_on("goal", questions, HELP) == "  no help for 'goal': type help for a list"
    hint = "buy 1 armor, or: buy nothing  (20 IPC)\nend"
    told = help_on("Buy", questions, "", hint)
    assert "no help for" not in told
    assert "buy 1 armor, or: buy nothing" in told
    assert "IPC" not in told
    assert help_on("end", {}, "", hint).endswith(": end")
    assert "no help for" in help_on("armor", {}, "", hint)


def test_rules_behind_an_answer_are_shown_in_full_once() -> None:
    typist, texts = Typist(), {"S-1": "One.", "S-2": "Two."}
    assert rule_lines(("S-1",), texts, typist.is_new) == ["  S-1: One."]
    assert rule_lines(("S-1", "S-2"), texts, typist.is_new) == ["  S-2: Two.", "  by S-1"]
    assert rule_lines(("S-1", "S-2"), texts, typist.is_new) == ["  by S-1, S-2"]
