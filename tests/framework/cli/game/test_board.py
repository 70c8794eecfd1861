"""``sandtable board``: the board of a log at any record, or of a ruleset, as text or as SVG."""

from pathlib import Path

import pytest
from command_line import Refusals, Refused, Run

from sandtable.cli.game.board import STYLES

FRONTIER = ("desert_aa", "--scenario", "frontier")


@pytest.fixture
def log(run: Run) -> str:
    """Return the log of a game on a map of areas."""
    players = ("--player", "axis=random", "--player", "allies=random")
    run("play", *FRONTIER, *players, "--seed", "board", "--out", "game.jsonl", code=0)
    return "game.jsonl"


def test_board_of_a_ruleset_is_drawn_with_its_variants(run: Run) -> None:
    Path("variants").mkdir()
    Path("variants/plain.py").write_text(
        "import sandtable as st\n@st.hookimpl\ndef variant_manifest():\n"
        "    return st.Variant('plain', 'desert_aa', 'As it is')\n"
    )
    drawn = run("board", *FRONTIER, code=0).stdout
    assert drawn.splitlines()[0].endswith("Set-up (seen by the umpire)")
    words = ("board", "desert_aa+plain", "--scenario", "frontier", "--plugins-dir", "variants")
    assert run(*words).stdout == drawn
    run("board", "desert_aa+gone", code=4)


@pytest.mark.full
def test_board_of_a_log_is_drawn_at_its_end_or_any_record(run: Run, log: str) -> None:
    end, start = run("board", log), run("board", log, "--at", "0")
    assert "the game is over" in end.stdout.splitlines()[0]
    assert start.stdout == run("board", "desert_aa", "--scenario", "frontier").stdout
    at_turn_1 = run("board", log, "--at", "40").stdout
    assert "Turn 1" in at_turn_1
    told = run("replay", log, "--at", "40", "--board").stdout
    assert told.rstrip("\n").endswith(at_turn_1.rstrip("\n"))


@pytest.mark.full
def test_board_of_a_side_is_its_view(run: Run, log: str) -> None:
    for side, name in (("axis", "the Axis"), ("umpire", "the umpire")):
        assert f"(seen by {name})" in run("board", log, "--side", side).stdout.splitlines()[0]
    assert run("board", log).stdout == run("board", log, "--side", "umpire").stdout


@pytest.mark.full
def test_board_written_to_a_file_is_svg(run: Run, log: str) -> None:
    result = run("board", log, "--at", "40", "--out", "board.svg", code=0)
    assert result.stdout == ""
    assert result.stderr.splitlines() == ["board.svg: written; open it in any browser"]
    drawing = Path("board.svg").read_bytes()
    assert drawing.startswith(b"<svg ")
    run("board", log, "--at", "40", "--out", "again.svg")
    assert Path("again.svg").read_bytes() == drawing


@pytest.mark.full
def test_file_is_overwritten_only_with_force(run: Run, refused: Refused) -> None:
    Path("board.svg").write_text("mine", encoding="utf-8")
    told = refused(2, "board", "desert_aa", "--out", "board.svg")
    assert told == "sandtable: board.svg: the file exists: choose another name with --out, or --force to overwrite it"
    assert Path("board.svg").read_text(encoding="utf-8") == "mine"
    run("board", "desert_aa", "--out", "board.svg", "--force", code=0)
    assert Path("board.svg").read_text(encoding="utf-8").startswith("<svg ")


WRONG = """
board nowhere.jsonl
board game.jsonl --at 99999
board game.jsonl --side france
board game.jsonl --scenario frontier
board game.jsonl --option a=b
board desert_aa --at 3
board desert_aa --focus moon
board desert_aa --scenario nowhere
board desert_aa --option mines=none
board desert_aa --out no/such/folder.svg
board skirmish --out board.svg
board noise.jsonl
"""


@pytest.mark.full
@pytest.mark.usefixtures("log")
def test_boards_that_cannot_be_drawn_are_refused(refusals: Refusals) -> None:
    Path("noise.jsonl").write_bytes(b"\x00\xff" * 40)
    refusals(WRONG)
    assert not Path("board.svg").exists()


def test_a_slice_is_drawn_for_its_side_alone(run: Run, refused: Refused, log: str) -> None:
    run("log", "redact", log, "--side", "axis", "--out", "axis.jsonl", code=0)
    for words in ((), ("--at", "40"), ("--turn", "1"), ("--at", "9", "--whole")):
        due = run("board", log, "--side", "axis", *words, code=0).stdout
        assert run("board", "axis.jsonl", *words, code=0).stdout == due
        assert run("board", "axis.jsonl", "--side", "axis", *words, code=0).stdout == due
    for other in ("allies", "public", "umpire"):
        assert f"it does not show what {other} saw" in refused(2, "board", "axis.jsonl", "--side", other)
    assert "it does not show what each side saw" in refused(2, "board", "axis.jsonl", "--each-side")


def test_an_altered_log_is_drawn_with_a_warning(run: Run, log: str) -> None:
    lines = Path(log).read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"kind":"roll"' in line)
    lines[place] = lines[place].replace(b'"sides":6', b'"sides":8')
    Path("altered.jsonl").write_bytes(b"".join(lines))
    result = run("board", "altered.jsonl", "--at", "3", code=0)
    assert f"line {place + 1}: record " in result.stderr
    assert "altered.jsonl: false: altered record" in result.stderr
    assert "the output below may be wrong" in result.stderr


def test_ruleset_has_priority_over_a_file_only_with_its_options(run: Run) -> None:
    Path("desert_aa").write_text("not a log", encoding="utf-8")
    run("board", "desert_aa", code=3)
    run("board", "desert_aa", "--scenario", "frontier", code=0)


def test_each_drawing_format_falls_back_to_a_common_style() -> None:
    assert {(wanted, styles[-1]) for (wanted, _), styles in STYLES.items()} == {("svg", "svg"), ("text", "text")}


def test_ruleset_may_ignore_whole_and_part(run: Run) -> None:
    whole, part = run("board", "desert_aa", "--whole"), run("board", "desert_aa", "--part")
    assert whole.stdout == part.stdout == run("board", "desert_aa").stdout
