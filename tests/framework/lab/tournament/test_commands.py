"""The command line: run, resume, report, rerun, verify, export, with exit codes and output channels."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tournaments import RULESETS, TEXT, base_of, manifest_of, sandtable

from sandtable.cli.main import cli
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.store import FILE, Store


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("event")
    (folder / "spring.toml").write_text(TEXT)
    (folder / "skirmish_dawn.toml").write_bytes((RULESETS / "skirmish_dawn.toml").read_bytes())
    done = sandtable("run", folder / "spring.toml", "--out", folder / "out", "--workers", 1)
    assert "36 games in" in done.stderr
    assert "stubborn" in done.stdout
    return folder


LEAGUE = """
[tournament]
title = "League"
seed = "l"
games = 12
[[contest]]
ruleset = "league3"
options = { score = "strength" }
""" + "".join(f'[[entrant]]\nname = "{name}"\nplayer = "random"\n' for name in "abc")


@pytest.mark.full
def test_shares_of_three_sides_are_stored_exported_and_verified(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    sandtable("run", tmp_path / "league.toml", "--out", tmp_path / "out", "--workers", 1)
    assert "verified: 12 games of 12" in sandtable("verify", tmp_path / "out").stdout
    rows = [json.loads(line) for line in sandtable("export", tmp_path / "out").stdout.splitlines()]
    assert all(list(row["shares"]) == ["red", "green", "blue"] and sum(row["shares"].values()) == 1000 for row in rows)
    assert any(0 < share < 1000 for row in rows for share in row["shares"].values())
    (contest,) = json.loads(sandtable("report", tmp_path / "out", "--json").stdout)["contests"]
    points = dict.fromkeys("abc", 0.0)
    for row in rows:
        for side, name in row["lineup"].items():
            points[name] += row["shares"][side] / 1000
    found = {each["name"]: each["points"] for each in contest["standings"]}
    assert found == pytest.approx(points, abs=0.01)
    table = tmp_path / "decisions.jsonl"
    sandtable("export", tmp_path / "out", "--decisions", table)
    for line in map(json.loads, table.read_text().splitlines()):
        assert json.loads(line["shares"]) == rows[line["game"]]["shares"]
        assert line["result"] == rows[line["game"]]["shares"][line["side"]]
    with base_of(tmp_path / "out") as base:
        changed = json.dumps({"red": 600, "green": 200, "blue": 200})
        base.execute("update games set shares = ? where outcome = 'red' or number = 0", (changed,))
        base.execute("update games set outcome = 'red', winner = 'a', shares = ? where number = 0", (changed,))
    assert "game 0: " in sandtable("verify", tmp_path / "out", code=1).stdout


@pytest.mark.full
def test_repeated_run_and_resume_play_no_games(event: Path) -> None:
    before = sandtable("export", event / "out").stdout
    assert "36 of them from earlier runs" in sandtable("run", event / "spring.toml", "--out", event / "out").stderr
    assert "36 of them from earlier runs" in sandtable("resume", event / "out").stderr
    assert sandtable("export", event / "out").stdout == before


def test_long_tournament_prints_its_size_in_advance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entrants = "".join(f'[[entrant]]\nname = "p{number}"\nplayer = "brave"\n' for number in range(150))
    event = '[tournament]\ntitle = "Long"\nseed = "x"\n[[contest]]\nruleset = "skirmish"\n'
    (tmp_path / "long.toml").write_text(event + entrants)
    monkeypatch.setattr(Runner, "run", lambda runner: None)
    words = ["tournament", "run", str(tmp_path / "long.toml"), "--out", str(tmp_path / "out")]
    message = CliRunner().invoke(cli, [*words, "--plugins-dir", str(RULESETS)]).stderr
    assert message.startswith("150 entrants, 22,350 games at most, 0 of them stored ...\n")


@pytest.mark.full
def test_report_has_four_formats(event: Path) -> None:
    assert "blind" in sandtable("report", event / "out").stdout
    found = json.loads(sandtable("report", event / "out", "--json").stdout)
    assert found["games"] == 36
    assert sandtable("report", event / "out", "--csv").stdout.startswith("played,player,")
    sandtable("report", event / "out", "--html")
    page = (event / "out" / "report.html").read_text()
    logs = sorted((event / "out" / "logs").glob("*.jsonl"))
    assert logs
    assert all(f'href="logs/{log.stem}.html"' in page and log.with_suffix(".html").exists() for log in logs)


@pytest.mark.full
def test_rerun_prints_the_hash_and_writes_the_log(event: Path, tmp_path: Path) -> None:
    done = sandtable("rerun", event / "out", 7, "--out", tmp_path / "7.jsonl")
    head = json.loads(sandtable("export", event / "out").stdout.splitlines()[7])["head"]
    assert done.stdout == f"{head}  game 7: the same\n"
    assert head in (tmp_path / "7.jsonl").read_text().splitlines()[-1]
    assert "already exists" in sandtable("rerun", event / "out", 7, "--out", tmp_path / "7.jsonl", code=2).stderr


@pytest.mark.full
def test_verify_checks_all_games_or_a_sample(event: Path) -> None:
    assert sandtable("verify", event / "out").stdout == "verified: 36 games of 36\n"
    assert sandtable("verify", event / "out", "--sample", 10).stdout == "verified: 4 games of 36\n"


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with rules in which guns hit more often than when the event was played."""
    folder = tmp_path_factory.mktemp("edited") / "rulesets"
    shutil.copytree(RULESETS, folder)
    file = folder / "skirmish.py"
    text = file.read_text()
    assert '"guns": 3' in text
    file.write_text(text.replace('"guns": 3', '"guns": 4'))
    return folder


OTHER = (
    r"rules differ from those it was played with: skirmish: was version 1, files \w{16}, is version 1, files \w{16}:"
)


def with_rules(rulesets: Path, *words: object, code: int = 0) -> Result:
    """Run a command in this process with the rules of a folder."""
    done = CliRunner().invoke(cli, ["tournament", *map(str, words), "--plugins-dir", str(rulesets)])
    assert done.exit_code == code, done.stderr
    return done


@pytest.mark.full
def test_changed_rules_are_reported_before_differences(event: Path, edited: Path, tmp_path: Path) -> None:
    again = with_rules(edited, "rerun", event / "out", 7, code=4)
    assert re.search(OTHER.replace("rules differ", "rules or bots differ"), again.stderr.splitlines()[0])
    assert "game 7: not the same, by other rules or bots" in again.stdout
    assert "records:" in again.stderr or "head:" in again.stderr
    found = with_rules(edited, "verify", event / "out", code=4)
    assert re.search(OTHER, found.stderr)
    assert "under other rules: " in found.stdout
    assert "its stored log ends in the hash" in found.stdout
    assert "this is not a sign of tampering" in found.stderr
    export = with_rules(edited, "export", event / "out", "--logs", tmp_path / "logs", code=4)
    assert re.search(OTHER, export.stderr)


@pytest.mark.full
def test_stored_ruleset_version_is_found_beside_a_newer_one(event: Path, edited: Path, tmp_path: Path) -> None:
    shutil.copytree(edited, tmp_path / "rulesets")
    newer = tmp_path / "rulesets" / "skirmish.py"
    newer.write_text(newer.read_text().replace('version="1"', 'version="2"'))
    found = with_rules(tmp_path / "rulesets", "verify", event / "out", "--sample", 10, code=4)
    assert re.search(r"skirmish: was version 1, files \w{16}, is version 2, files \w{16}:", found.stderr)
    shutil.copy(RULESETS / "skirmish.py", tmp_path / "rulesets" / "skirmish@1.py")
    found = with_rules(tmp_path / "rulesets", "verify", event / "out", "--sample", 10)
    assert found.stdout == "verified: 4 games of 36\n"
    assert "game 7: the same" in with_rules(tmp_path / "rulesets", "rerun", event / "out", 7).stdout


@pytest.mark.full
def test_changed_rules_do_not_excuse_an_altered_plan(event: Path, edited: Path, tmp_path: Path) -> None:
    shutil.copytree(event / "out", tmp_path / "out")
    shutil.copy(event / "skirmish_dawn.toml", tmp_path)
    with base_of(tmp_path / "out") as base:
        base.execute("update games set seed = 'm/9' where number = 0")
    found = with_rules(edited, "verify", tmp_path / "out", code=1)
    assert re.search(OTHER, found.stderr)
    assert "game 0: differs from the game that the manifest defines" in found.stdout


def test_changed_rules_with_equal_games_are_reported(event: Path, tmp_path: Path) -> None:
    shutil.copytree(RULESETS, tmp_path / "rulesets")
    with (tmp_path / "rulesets" / "skirmish.py").open("a") as file:
        file.write("# a remark\n")
    found = with_rules(tmp_path / "rulesets", "verify", event / "out", "--sample", 10)
    assert found.stdout == "verified: 4 games of 36\n"
    assert re.search(OTHER, found.stderr)
    assert with_rules(RULESETS, "verify", event / "out", "--sample", 10).stderr == ""


@pytest.mark.full
def test_export_writes_a_log_per_game(event: Path, tmp_path: Path) -> None:
    done = sandtable("export", event / "out", "--logs", tmp_path / "logs")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["number"] for line in lines] == list(range(36))
    assert len(list((tmp_path / "logs").iterdir())) == 36
    assert "the folder is not empty" in sandtable("export", event / "out", "--logs", tmp_path / "logs", code=2).stderr


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["tournament.sqlite", "tournament.sqlite-wal", "tournament.sqlite-journal", "manifest.toml"]
)
def test_output_over_a_store_file_is_refused(name: str, event: Path) -> None:
    before = {file.name: file.read_bytes() for file in (event / "out").iterdir() if file.is_file()}
    for words in (("rerun", event / "out", 7, "--out"), ("export", event / "out", "--logs")):
        done = sandtable(*words, event / "out" / name, code=2)
        assert len(done.stderr.splitlines()) == 1
        assert done.stdout == ""
    assert {file.name: file.read_bytes() for file in (event / "out").iterdir() if file.is_file()} == before


@pytest.mark.full
def test_report_page_replaces_a_link_to_the_store(event: Path, tmp_path: Path) -> None:
    shutil.copytree(event / "out", tmp_path / "out")
    page = tmp_path / "out" / "report.html"
    page.unlink(missing_ok=True)
    page.symlink_to(FILE)
    sandtable("report", tmp_path / "out", "--html")
    assert page.read_text().startswith("<!doctype html>")
    assert "4 games of 36" in sandtable("verify", tmp_path / "out", "--sample", 10).stdout


@pytest.mark.full
def test_report_without_games_prints_a_notice(event: Path, tmp_path: Path) -> None:
    Store.create(tmp_path, manifest_of(TEXT)).close()
    assert "no game has been played yet" in sandtable("report", tmp_path).stderr
    assert "nothing to verify" in sandtable("verify", tmp_path).stderr
    assert json.loads(sandtable("report", tmp_path, "--json").stdout)["games"] == 0


@pytest.mark.full
def test_command_errors_are_one_line_and_an_exit_code(event: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(TEXT.replace("brave", "genius"))
    bad = sandtable("run", tmp_path / "bad.toml", "--out", tmp_path / "out", code=3)
    assert "entrant[0].player: skirmish has no player 'genius'" in bad.stderr
    assert not (tmp_path / "out").exists()
    (event / "edited.toml").write_text(TEXT.replace("games = 6", "games = 8"))
    edited = sandtable("run", event / "edited.toml", "--out", event / "out", code=2)
    assert "games: 6 there, 8 here" in edited.stderr
    nowhere = [sandtable(word, tmp_path, code=3) for word in ("resume", "report", "verify", "export")]
    assert all("holds no tournament" in each.stderr for each in nowhere)
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    broken = sandtable("report", tmp_path, code=3)
    for each in (bad, edited, broken, *nowhere):
        assert each.stdout == ""
        assert len(each.stderr.splitlines()) == 1, each.stderr
