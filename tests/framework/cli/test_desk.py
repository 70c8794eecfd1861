"""The umpire's desk: a club campaign through its evenings, with order files, briefs, results; the log goes on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]

CAMPAIGNS = Path(__file__).parents[1] / "arena" / "campaigns"
PEOPLE = [f"--player={seat}=human" for seat in ("umpire", "axis", "allies")]


@pytest.fixture(autouse=True)
def _campaigns(monkeypatch: pytest.MonkeyPatch, _in_a_folder_of_its_own: None) -> None:
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(CAMPAIGNS))


def lines(*typed: str) -> str:
    return "\n".join([*typed, ""])


def begin(run: Run, *typed: str) -> Result:
    result = run("play", "sortie", *PEOPLE, "--seed", "club", "--out", "club.jsonl", typed=lines(*typed))
    assert result.exit_code == 0, result.stderr
    return result


def go_on(run: Run, *typed: str) -> Result:
    result = run("resume", "club.jsonl", typed=lines(*typed))
    assert result.exit_code == 0, result.stderr
    return result


def test_a_campaign_goes_through_its_evenings(run: Run) -> None:
    Path("axis.txt").write_text("# turn 1\nmill: sortie   # at dawn\nwell: sortie\n", encoding="utf-8")
    Path("allies.txt").write_text("turn = 1\nmill: hold\n", encoding="utf-8")

    first = begin(run, "@axis.txt", "done", "@allies.txt", "done", "brief", "brief save mill.html", "quit")
    assert "Hasty Assault at Mill" in first.stderr
    assert "you left; the log stays. Go on with: sandtable resume club.jsonl" in first.stderr
    assert Path("mill.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run("verify", "club.jsonl").exit_code == 1  # not finished
    report = run("board", "club.jsonl", "--side", "axis")
    assert report.stdout == "points: {'axis': 0, 'allies': 0}\n"

    second = go_on(run, "brief save mill.toml", "axis 5-2; axis lost t1; axis dice 1 2 3 4; allies lost p1", "quit")
    assert "turn 1, battles, umpire: report the battle at the well" in second.stderr
    filled = Path("mill.toml").read_text(encoding="utf-8")
    assert 'brief = "1:mill"' in filled

    well = 'brief = "1:well"\nwinner = "allies"\npoints = "6-1"\n\n[platoons.axis]\nt2 = { lost = true }\n'
    Path("well.toml").write_text(well, encoding="utf-8")
    Path("axis2.txt").write_text("# turn 2\nmill: hold\n", encoding="utf-8")
    third = go_on(run, "@well.toml", "@axis2.txt", "done", "done")
    assert "allies wins: points, in turn 2" in third.stdout
    assert run("verify", "--deep", "club.jsonl").exit_code == 0
    assert run("board", "club.jsonl").stdout == "points: {'axis': 6, 'allies': 8}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# turn 2\nmill: sortie\n", "orders.txt: line 1: is for turn 2, and this is turn 1: nothing is taken"),
        ("mill: sortie\nmill: hold\n", "orders.txt, line 2: mill: has an order in line 1 already"),
        ("fort: hold\n", "orders.txt, line 1: fort: fort is no post of yours: take its line out (SO-1)"),
        ("mill: retreat\n", "orders.txt, line 1: mill: 'retreat': hold or sortie (SO-1)"),
        ("mill\n: hold\n", "orders.txt, line 2: a line is KEY: ORDER"),
    ],
)
def test_what_is_wrong_in_a_file_of_orders_is_told_by_line(run: Run, text: str, said: str) -> None:
    Path("orders.txt").write_text(text, encoding="utf-8")
    begin(run, "quit")
    before = Path("club.jsonl").read_bytes().split(b'{"kind":"annex"')[0]
    told = go_on(run, "@orders.txt", "quit").stderr
    assert said in " ".join(told.split())
    after = b"\n".join(line for line in Path("club.jsonl").read_bytes().split(b"\n") if b'"annex"' not in line)
    assert after.startswith(before.rstrip(b"\n"))
    assert b'"kind":"order"' not in after


def test_orders_for_what_is_lost_are_refused_with_the_reason(run: Run) -> None:
    Path("late.txt").write_text("well: sortie\n", encoding="utf-8")
    told = begin(run, "done", "done", "@late.txt", "done", "done").stderr
    assert "refused: late.txt, line 1: well: well fell last turn: take its line out (SO-1)" in told


def test_a_form_of_orders_is_written_to_be_filled_in(run: Run) -> None:
    told = begin(run, "well: hold", "save form.txt", "save form.txt", "@form.txt", "done", "quit").stderr
    text = Path("form.txt").read_text(encoding="utf-8")
    assert text.splitlines()[0] == "# turn 1"
    assert text.splitlines()[2:] == ["# mill:   # the old mill", "well: hold"]
    assert "form.txt: is there already: name another file" in told
    assert "club.jsonl" in told


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("axis 5-1", "points: axis 5, allies 1: axis won: points are 6-1, 5-2"),
        ("axis 6-1; allies destroyed p1 10", "platoons.allies.p1.destroyed: 10 of 9 fielded"),
        ("draw 3-3", "cannot be drawn"),
        ("nonsense", "'nonsense' is no result: begin with the winner and the points, or type how"),
        ("@none.toml", "none.toml: cannot be read: No such file or directory"),
        ("@bad.toml", "bad.toml: points"),
        ("brief save x.pdf", "a file that ends in .html, .txt, .toml"),
        ("brief burn", "write brief, or brief save FILE"),
    ],
)
def test_a_result_that_does_not_fit_is_refused_field_by_field(run: Run, typed: str, said: str) -> None:
    Path("bad.toml").write_text('winner = "axis"\npoints = "9-9"\n', encoding="utf-8")
    begin(run, "mill: sortie", "done", "done", "quit")
    before = Path("club.jsonl").read_bytes().count(b'"kind":"order"')
    told: Any = " ".join(go_on(run, typed, "how", "quit").stderr.split())
    assert said in told
    assert "axis 4-3; axis 5/4; allies 3/8" in told
    assert Path("club.jsonl").read_bytes().count(b'"kind":"order"') == before


# ---------------------------------------------------------------- battles of another ruleset


def test_another_ruleset_fights_the_battles_and_they_can_be_taken_out(run: Run, run_json: Callable[..., Any]) -> None:
    result = run("play", "sortie", "--player", "umpire=kampfpanzer", "--seed", "a", "--out", "a.jsonl")
    assert result.exit_code == 0, result.stderr
    assert run("verify", "--deep", "a.jsonl").exit_code == 0
    listed = run_json("extract", "a.jsonl")
    assert [each["brief"] for each in listed] == ["1:mill", "1:well"]
    assert "2 battles" in run("extract", "a.jsonl").stderr
    assert run("extract", "a.jsonl", "--battle", "1:well", "--out", "well.jsonl").exit_code == 0
    assert run("extract", "a.jsonl", "--battle", "2").stdout.encode() == Path("well.jsonl").read_bytes()
    assert run("verify", "well.jsonl").exit_code == 0
    assert "Well: Free for All" in run("board", "well.jsonl").stdout
    assert run("replay", "well.jsonl").exit_code == 0
    assert run("replay", "a.jsonl").exit_code == 0
    assert run("explain", "a.jsonl", "8").exit_code == 0
    assert run("slice", "a.jsonl", "--side", "axis", "--out", "axis.jsonl").exit_code == 0
    assert run("verify", "axis.jsonl").exit_code == 0
    annexes = [line for line in Path("axis.jsonl").read_bytes().splitlines() if line.startswith(b'{"kind":"annex"')]
    assert [b'"slice":"axis"' in line for line in annexes] == [True]


def test_what_cannot_be_taken_out_is_told(run: Run) -> None:
    run("play", "sortie", "--player", "umpire=kampfpanzer", "--seed", "a", "--out", "a.jsonl")
    assert "none is '9:mill'" in run("extract", "a.jsonl", "--battle", "9:mill").stderr
    assert "--out wants --battle" in run("extract", "a.jsonl", "--out", "b.jsonl").stderr
    Path("b.jsonl").write_text("x", encoding="utf-8")
    assert "the file exists" in run("extract", "a.jsonl", "--battle", "1", "--out", "b.jsonl").stderr


def test_a_battle_cut_out_of_the_log_is_missed(run: Run) -> None:
    run("play", "sortie", "--player", "umpire=kampfpanzer", "--seed", "a", "--out", "a.jsonl")
    kept = [line for line in Path("a.jsonl").read_bytes().split(b"\n") if b'"brief":"1:well","ruleset"' not in line]
    Path("a.jsonl").write_bytes(b"\n".join(kept))
    result = run("verify", "a.jsonl")
    assert result.exit_code == 1
    assert "battle missing: record" in result.stderr
    assert "of 1:well: the log has no annex with it" in " ".join(result.stderr.split())


def test_people_play_while_another_ruleset_fights(run: Run) -> None:
    sides = ["--player=axis=human", "--player=allies=human", "--player=umpire=kampfpanzer"]
    typed = lines("mill: sortie; well: sortie", "done", "done", "done", "done")
    result = run("play", "sortie", *sides, "--seed", "club", "--out", "club.jsonl", typed=typed)
    assert result.exit_code == 0, result.stderr
    assert "in turn 2" in result.stdout
    assert run("verify", "--deep", "club.jsonl").exit_code == 0
    assert Path("club.jsonl").read_bytes().count(b'"ruleset":"kampfpanzer","log"') == 2


def test_a_ruleset_takes_over_where_the_umpire_stayed_away(run: Run, run_json: Callable[..., Any]) -> None:
    begin(run, "mill: sortie; well: sortie", "done", "done", "axis 6-1; allies lost p1", "quit")
    taken = run("resume", "club.jsonl", "--player", "umpire=kampfpanzer", typed=lines("done", "done"))
    assert taken.exit_code == 0, taken.stderr
    assert [each["brief"] for each in run_json("extract", "club.jsonl")] == ["1:well"]
    assert run("verify", "--deep", "club.jsonl").exit_code == 0
