"""Writing an order sheet at the terminal: refused lines come back one by one, accepted ones stay."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typist import Typist

from sandtable.errors import IllegalOrder
from sandtable.kernel.options import OneOf, Range, Refusal, Sheet
from sandtable.kernel.options import Path as Way
from sandtable.terminal.form_filling import fill
from sandtable.terminal.prompt import rule_lines
from sandtable.terminal.prose import help_on
from sandtable.terminal.sheets import HELP


def clashes(sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
    """Two batteries may not fire on one place."""
    if sheet.get("b1") is not None and sheet.get("b1") == sheet.get("b2"):
        yield "b2", Refusal("S-3", "b1 fires there already")


def read(key: str, text: str) -> Any:
    if not text.isdigit():
        raise IllegalOrder("S-2", f"character 1 of {text!r}: a number is wanted")
    return int(text)


def sheet(**more: Any) -> Sheet:
    fields: dict[str, Any] = {"titles": {"b1": "battery at the mill"}, "read": read, "rule": "S-0"} | more
    return Sheet({"b1": Range(1, 6, "S-1"), "b2": Range(1, 6, "S-1")}, clashes, **fields)


def written(space: Sheet, *lines: str) -> tuple[Any, Typist]:
    typist = Typist(*lines)
    value = fill(space, "orders", typist)
    assert space.is_legal(value)
    return value, typist


def test_lines_are_written_with_a_colon_or_without() -> None:
    assert written(sheet(), "b1: 3", "b2 4", "done")[0] == {"b1": 3, "b2": 4}


def test_several_lines_may_be_typed_at_once() -> None:
    assert written(sheet(), "b1: 3; b2: 4", "done")[0] == {"b1": 3, "b2": 4}


def test_one_line_may_stand_for_several_keys() -> None:
    space = Sheet({"b1": Range(1, 6, "S-1"), "b2": Range(1, 6, "S-1")}, rule="S-0")
    assert written(space, "b1, b2: 4", "done")[0] == {"b1": 4, "b2": 4}
    _, typist = written(space, "b1, b9: 4", "done")
    assert typist.refused, "a key that is none makes it no line at all"


def test_a_line_may_be_written_anew_and_blanked() -> None:
    assert written(sheet(), "b1: 3", "b2: 1", "b2: 2", "b1: -", "done")[0] == {"b2": 2}
    assert written(sheet(), "b1: 3", "b1", "done")[0] == {}


def test_a_refused_line_is_told_with_its_rule_and_the_others_stay() -> None:
    value, typist = written(sheet(), "b1: 3", "b2: 9", "b3: 1", "b2: x", ": 4", "done")
    assert value == {"b1": 3}
    rules = [rule for rule, _ in typist.refused]
    assert rules == ["S-1", "S-0", "S-2", ""]
    assert typist.refused[0][1].startswith("b2: 9 is not")
    assert typist.refused[2][1] == "b2: character 1 of 'x': a number is wanted"


def test_lines_that_do_not_go_together_are_told_and_stay_when_the_sheet_is_handed_in() -> None:
    value, typist = written(sheet(), "b1: 3", "b2: 3", "done", "show", "b2: 4", "done")
    assert value == {"b1": 3, "b2": 4}
    assert typist.refused == [("S-3", "b2: b1 fires there already")]
    assert "b2: 3" in typist.shown


def test_a_sheet_that_lacks_a_required_line_is_not_handed_in() -> None:
    value, typist = written(sheet(required=("b2",)), "done", "b2: 1", "done")
    assert value == {"b2": 1}
    assert typist.refused == [("S-0", "b2: nothing is written for it")]


def test_show_lists_the_sheet_with_what_each_key_stands_for() -> None:
    _, typist = written(sheet(), "b1: 3", "show", "done")
    assert "b1: 3   (battery at the mill)" in typist.shown
    assert "b2: -" in typist.shown


def test_a_file_of_lines_is_taken_and_what_it_has_wrong_is_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "turn.txt"
    path.write_text("# my plan\nb1: 3  # the mill\n\nb2: 9\n")
    value, typist = written(sheet(), f"@{path}", "done")
    assert value == {"b1": 3}
    assert len(typist.refused) == 1
    assert typist.refused[0][1].startswith(f"{path}, line 4: b2: 9 is not")


def test_a_file_that_cannot_be_read_leaves_the_sheet_alone(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "long").write_bytes(b"#" * ((1 << 20) + 1))
    names = ["gone", "bytes", "long", "", "\0"]
    value, typist = written(sheet(), "b1: 3", *(f"@{tmp_path / name}" for name in names), "done")
    assert value == {"b1": 3}
    assert len(typist.refused) == len(names)
    assert all("\n" not in reason for _, reason in typist.refused)


def test_values_of_any_kind_are_read_as_they_are_typed() -> None:
    space = Sheet({"x": Range(1, 6), "y": OneOf(["north", "south"])})
    assert written(space, "x 3", "y: north", "done")[0] == {"x": 3, "y": "north"}


def test_a_path_is_typed_space_by_space_and_a_number_of_four_digits_is_a_hex() -> None:
    near = {"0804": ["0805"], "0805": ["0804"]}
    path = Way("0804", lambda each: near[each[-1]], lambda _: None, lambda _: None, 3, "X-1")
    typist = Typist("r1 0805", "0705", "r2: 0999", "done")
    assert fill(Sheet({"r1": path, "r2": path}), "plot", typist) == {"r1": ["0804", "0805"]}
    assert typist.refused == [
        ("", "0705: 0705 has no line here: choose r1 or r2"),
        ("X-1", "r2: 0999 is not next to 0804: that touches 0805"),
    ]


def test_a_reader_may_mean_by_a_word_that_a_line_is_left_blank() -> None:
    space = sheet(read=lambda key, text: None if text == "hold" else read(key, text))
    value, typist = written(space, "b1: 3", "b1: hold", "b2: 4", "done")
    assert value == {"b2": 4}
    assert not typist.refused


def test_chance_writes_what_is_blank() -> None:
    for first in range(1, 7):
        value, typist = written(sheet(), f"b1 {first}", "rest", "done")
        assert value["b1"] == first
        assert value["b2"] in set(range(1, 7)) - {first}
        assert f"b1: {first}   (battery at the mill)" in typist.shown
    assert len(written(sheet(required=("b1", "b2")), "rest", "done")[0]) == 2


def test_lines_refused_for_one_reason_are_told_together() -> None:
    keys = [f"b{number}" for number in range(1, 13)]
    space = Sheet({key: Range(1, 6, "S-1") for key in keys}, required=keys, rule="S-0")
    _, typist = written(space, "b3 1", "done", "rest", "done")
    told = "b1, b2, b4, b5, b6, b7, b8, b9 and 3 more: nothing is written for it"
    assert typist.refused == [("S-0", told)]


# --- drafts of the staff ---


def drafted(draft: dict[str, Any] | None, *lines: str) -> tuple[Any, Typist]:
    typist = Typist(*lines)
    typist.drafted = draft
    return fill(sheet(), "orders", typist), typist


def test_the_staff_drafts_what_is_blank_and_undo_takes_the_draft_back() -> None:
    assert drafted({"b1": 1, "b2": 2}, "b2: 5", "draft", "done")[0] == {"b1": 1, "b2": 5}
    assert drafted({"b1": 1, "b2": 2}, "b2: 5", "draft", "undo", "done")[0] == {"b2": 5}


def test_a_draft_leaves_blank_what_does_not_go_with_the_lines_that_stand() -> None:
    value, typist = drafted({"b1": 1, "b2": 5}, "b1: 5", "draft", "done")
    assert value == {"b1": 5}
    assert "what the draft has for b2 does not go with your lines: still blank, write them or type rest" in typist.shown


def test_where_nobody_can_draft_it_is_told() -> None:
    assert drafted(None, "draft", "done")[1].refused == [("", "nobody can draft this here: rest lets chance write it")]


def test_what_can_be_typed_is_told_in_full_once() -> None:
    typist = Typist("done", "done")
    for _ in range(2):
        fill(sheet(), "orders", typist)
    assert sum("let chance write the lines" in line for line in typist.shown) == 1
    assert typist.words_of_sheets == ""


def test_done_behind_several_lines_that_were_refused_asks_once_more() -> None:
    """Lines that are pasted with the word done behind them are not handed in without those that were lost."""
    value, typist = written(sheet(), "b1: 3", "b1: 4; b2: 9", "done", "b1: 4; b2: 5", "done")
    assert value == {"b1": 4, "b2": 5}
    assert any("refused and is not on the sheet: done again" in line for line in typist.shown)
    assert written(sheet(), "b1: 3", "b1: 4; b2: 9", "done", "done")[0] == {"b1": 3}


def test_back_blanks_a_sheet_and_undo_brings_it_back() -> None:
    assert written(sheet(), "b1: 3; b2: 4", "back", "undo", "done")[0] == {"b1": 3, "b2": 4}
    value, typist = written(sheet(), "b1: 3; b2: 4", "back", "done")
    assert value == {}
    assert any("undo brings its lines back" in line for line in typist.shown)


def test_an_at_sign_alone_takes_what_was_left_unfinished(tmp_path: Path) -> None:
    left = tmp_path / "left.txt"
    left.write_text("# turn 0\n[orders]\nb1: 3\n")
    typist = Typist("@", "done")
    typist.left = [str(left)]
    assert fill(sheet(), "orders", typist) == {"b1": 3}
    assert written(sheet(), "@", "done")[1].refused == [("", "name the file, such as @orders.txt")]


def test_help_of_one_word_tells_the_lines_of_that_word() -> None:
    questions = {"reach": "reach 94   the hexes"}
    assert help_on("save", questions, HELP).startswith("      save FILE       write such a file")
    assert help_on("Reach", questions, HELP) == "  reach 94   the hexes"
    assert help_on("goal", questions, HELP) == "  goal is no word of its own here; help tells all there are"


def test_the_rules_behind_an_answer_are_told_in_full_once() -> None:
    typist, texts = Typist(), {"S-1": "One.", "S-2": "Two."}
    assert rule_lines(("S-1",), texts, typist.is_new) == ["  S-1: One."]
    assert rule_lines(("S-1", "S-2"), texts, typist.is_new) == ["  S-2: Two.", "  by S-1"]
    assert rule_lines(("S-1", "S-2"), texts, typist.is_new) == ["  by S-1, S-2"]
