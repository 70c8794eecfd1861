"""The umpire's desk in the terminal: a campaign over several sessions, reports and refusals."""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase, brief_of
from tests.plugins.khamsin.modules import board as board_of
from typist import Typist

from khamsin.ui.parsing import read_order
from sandtable.cli.main import cli
from sandtable.errors import DataError, IllegalOrder
from sandtable.journal.battles import read_battles
from sandtable.journal.file.reading import read_log
from sandtable.plugin import manager
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.report.form import read_result
from sandtable.terminal.reports import write_result


def test_bare_score_is_queried_once_and_then_accepted(new_case: NewCase) -> None:
    results = results_in(brief_of(new_case).options)
    assert results is not None
    once = Typist("axis 4-3; axis 5/4; allies 3/8")
    assert write_result(results, "result", once).winner == AXIS
    assert not once.refused
    for lines in (("axis 4-3", "axis 4-3"), ("axis 4-3; as said",)):
        typist = Typist(*lines)
        assert write_result(results, "result", typist).points == {AXIS: 4, ALLIES: 3}
        assert len(typist.refused) == len(lines) - 1
        assert all("no side takes attrition: add them, as in axis 4-3; axis 5/4" in why for _, why in typist.refused)


PEOPLE = [f"--player={seat}=human" for seat in ("umpire", "axis", "allies")]


def run_desk(*words: str, typed: tuple[str, ...] = ()) -> Result:
    """Run a command line with typed input."""
    return CliRunner().invoke(cli, words, input="\n".join([*typed, ""]), prog_name="sandtable")


@pytest.mark.rule("KH-18.02")
def test_score_that_contradicts_losses_must_be_confirmed(new_case: NewCase) -> None:
    decision = brief_of(new_case)
    results = results_in(decision.options)
    assert results is not None
    lost = [name for name, each in results.brief.platoons("axis").items() if not each.independent][:2]
    text = f"axis 6-1; axis lost {' '.join(lost)}"
    with pytest.raises(IllegalOrder, match=r"axis lost 2 platoons .* which gives 4-3, not 6-1: correct it"):
        read_order(decision, text, board_of("fixture"))
    kept = read_order(decision, f"{text}; as said", board_of("fixture"))
    assert decision.options.why_not(kept) is None
    form = f'winner = "axis"\npoints = "6-1"\n[axis]\nlost = {lost}\n'.replace("'", '"')
    with pytest.raises(DataError, match="write as_said = true to confirm it"):
        read_result(form, "it.toml", results.brief, results)
    assert read_result(f"as_said = true\n{form}", "it.toml", results.brief, results).points["axis"] == 6
    assert read_order(decision, f"axis 4-3; axis lost {' '.join(lost)}", board_of("fixture"))


@pytest.mark.rule("KH-3.06")
def test_line_with_one_refused_name_is_refused_completely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = "panzer_rgt: ford; motor_rgt: ridge; brandt: ford; plan: x"
    right = "panzer_rgt: The Ford; brandt: ford; air: East Well; plan: x"
    typed = ("1", "1", line, "show", right, "show", "quit")
    played = run_desk(
        "play", "khamsin", "--scenario", "teaching", *PEOPLE, "--seed", "6", "--out", "c.jsonl", typed=typed
    )
    printed = " ".join(played.stderr.split())
    assert "motor_rgt" in printed
    assert "none of these lines was written" in printed
    first, _, second = printed.partition("none of these lines was written")
    assert "panzer_rgt: -" in second.split("panzer_rgt: ford")[0], first
    shown = second.rpartition("panzer_rgt: ")[2]
    assert "leaders: brandt" in shown  # one "show" prints the complete order
    assert "interdict: east_well" in shown
    assert "plan: x" in shown


def test_interdiction_menu_accepts_names_and_done_for_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ("1", "1", "done", "done", "Atlantis", "East Well", "x", "done", "done", "done", "-", "quit")
    played = run_desk(
        "play", "khamsin", "--scenario", "teaching", *PEOPLE, "--seed", "6", "--out", "c.jsonl", typed=typed
    )
    printed = " ".join(played.stderr.split())
    assert "interdict (0 to 1 of them: names or numbers separated by spaces; all; - or done for none)" in printed
    assert "'Atlantis' is not in the list: type a name or a number" in printed
    assert "plan (in your own words" in printed


@pytest.mark.full
@pytest.mark.rule("KH-6.02", "KH-3.14")
def test_one_command_writes_the_reports_of_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = run_desk("play", "khamsin", "--scenario", "teaching", "--seed", "p", "--out", "c.jsonl")
    assert played.exit_code == 0, played.stderr
    written = run_desk("board", "c.jsonl", "--turn", "1", "--each-side", "--out", "mail")
    assert written.exit_code == 0, written.stderr
    for side, own, other in (("axis", "panzer_rgt", "armd_bde"), ("allies", "armd_bde", "panzer_rgt")):
        text = Path("mail", f"turn-1-{side}.txt").read_text(encoding="utf-8")
        assert "Turn 1 of" in text
        assert own in text
        assert other not in text
    assert run_desk("board", "c.jsonl", "--turn", "40", "--each-side").exit_code == 2


@pytest.mark.full
def test_play_warns_of_higher_attrition_with_kampfpanzer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seats = ("--player=umpire=kampfpanzer", "--player=axis=human", "--player=allies=human")
    printed = run_desk("play", "khamsin", "--scenario", "teaching", *seats, "--out", "c.jsonl", typed=("quit",)).stderr
    assert "about twice the general attrition of the resolver's" in " ".join(printed.split())
    plain = run_desk(
        "play", "khamsin", "--scenario", "teaching", *seats[1:], "--out", "d.jsonl", typed=("quit",)
    ).stderr
    assert "attrition" not in plain


HOME = Path(__file__).parents[3] / "plugins" / "khamsin"
Desk = Callable[..., Result]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return ``run_desk`` in an empty folder, with khamsin installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    found = [*entry_points(group=manager.GROUP)]
    if all(each.name != "khamsin" for each in found):  # not installed in this environment
        found.append(EntryPoint("khamsin", "khamsin", manager.GROUP))
        monkeypatch.setattr(manager, "entry_points", lambda group: found if group == manager.GROUP else [])

    return run_desk


def write_orders() -> None:
    """Write the orders that the players sent: the Axis moves to the ford, the Allies hold."""
    text = "# turn 1\n[moves]\npanzer_rgt: ford\nrecon_unit: ford\n[leaders]\nbrandt: ford\n"
    Path("axis.txt").write_text(text, encoding="utf-8")
    Path("allies.txt").write_text("# turn 1\n", encoding="utf-8")
    Path("late.txt").write_text("# turn 9\npanzer_rgt: west_well\n", encoding="utf-8")


DEPLOYED = ("1", "1")
AXIS_TYPES = ("@late.txt", "@axis.txt", "done", "@axis.txt", "done", "-", "take the ford; then hold")
ALLIES_TYPE = ("@allies.txt", "done", "done", "-", "-")
MEET = ("1", "1", "panzer_rgt panzer command; recon_unit panzerspaeh", "inf_bde rifle; inf_bde rifle")


@pytest.mark.full
@pytest.mark.rule("KH-3.06", "KH-3.11", "KH-18.02")
def test_campaign_resumes_in_the_middle_of_a_battle(desk: Desk) -> None:
    write_orders()
    briefs = ("brief", "brief save first.html", "brief save first.html each", "brief save first.toml")
    typed = (*DEPLOYED, *AXIS_TYPES, *ALLIES_TYPE, *MEET, *briefs, "quit")
    first = desk("play", "khamsin", "--scenario", "teaching", *PEOPLE, "--seed", "6", "--out", "c.jsonl", typed=typed)
    assert first.exit_code == 0, first.stderr
    printed = " ".join(first.stderr.split())
    assert "late.txt: line 1: is for turn 9, but this is turn 1: no line was used" in printed
    assert "Plan: take the ford; then hold" in printed
    assert "The Big Push at The Ford" in first.stderr
    assert "report the battle at The Ford, action 1 of 2" in printed
    assert Path("first.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    axis, allies = (Path(f"first-{side}.html").read_text(encoding="utf-8") for side in ("axis", "allies"))
    assert "Panzer Regiment" in axis
    assert "Panzer Regiment" not in allies

    for side, own in (("axis", "panzer_rgt"), ("allies", "armd_bde")):
        report = desk("board", "c.jsonl", "--side", side)
        assert report.exit_code == 0
        assert own in report.stdout

    form = Path("first.toml").read_text(encoding="utf-8")
    filled = form.replace('winner = ""', 'winner = "axis"').replace('points = ""', 'points = "5-2"')
    filled = filled.replace(
        "\nt1   = { destroyed = 0, routed = 0, bailed = 0, lost = false }", "\nt1   = { lost = true }"
    )
    filled = filled.replace(
        "\np1   = { destroyed = 0, routed = 0, lost = false }", "\np1   = { destroyed = 9, lost = true }"
    )
    Path("first.toml").write_text(filled, encoding="utf-8")
    Path("wrong.toml").write_text(filled.replace('"5-2"', '"5-1"'), encoding="utf-8")
    before = Path("c.jsonl").read_bytes()
    wrong = desk("resume", "c.jsonl", typed=("@wrong.toml", "quit"))
    assert "wrong.toml" in wrong.stderr
    assert "KH-18.02" in wrong.stderr
    kept = [line for line in Path("c.jsonl").read_bytes().split(b"\n") if b'"kind":"annex"' not in line]
    assert kept == [line for line in before.split(b"\n") if b'"kind":"annex"' not in line]

    second = desk("resume", "c.jsonl", typed=("@first.toml", "allies 4-3; axis 3/2; allies 2/2", "quit"))
    assert second.exit_code == 0, second.stderr
    assert "report the battle at The Ford, action 2 of 2" in " ".join(second.stderr.split())
    log = read_log("c.jsonl")
    assert sum(b'"type":"BattleFought"' in line for (_, to), line in log.openings.items() if to == "umpire") == 2
    verdict = msgspec.json.decode(desk("verify", "c.jsonl", "--json").stdout)[0]
    assert verdict["verdict"] == "verified so far"  # every record so far is correct


@pytest.mark.full
@pytest.mark.rule("KH-18.02")
def test_kampfpanzer_battles_are_verified_with_the_campaign(desk: Desk) -> None:
    players = ("--player", "umpire=kampfpanzer", "--seed", "1")
    played = desk("play", "khamsin", "--scenario", "teaching", *players, "--out", "c.jsonl")
    assert played.exit_code == 0, played.stderr
    assert desk("verify", "--deep", "c.jsonl").exit_code == 0
    battles = list(read_battles(read_log("c.jsonl")))
    assert battles
    assert {each.ruleset for each in battles} == {"kampfpanzer"}
    lines = Path("c.jsonl").read_bytes().split(b"\n")
    Path("c.jsonl").write_bytes(
        b"\n".join(line for line in lines if battles[0].digest.encode() + b'","brief"' not in line)
    )
    missed = desk("verify", "c.jsonl")
    assert missed.exit_code == 5  # the log of a battle is missing
    printed = " ".join(missed.stderr.split())
    assert f"missing: the log of the battle {battles[0].digest[:12]} of {battles[0].brief} in record " in printed


@pytest.mark.rule("KH-18.02")
def test_invalid_module_is_reported_by_file_and_key(desk: Desk) -> None:
    text = (HOME / "scenarios" / "teaching.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(
        text.replace('between = ["ridge", "west_well"]', 'between = ["ridge", "nowhere"]'), encoding="utf-8"
    )
    result = desk("check", "khamsin", "--scenario", "mine.toml", "--games", "1")
    assert result.exit_code == 3
    assert "mine.toml" in result.stderr
    assert "nowhere" in result.stderr
