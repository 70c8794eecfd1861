"""`sandtable dispute`: a dispute is a file that can be shown, signed, and tried again with later rules."""

import shutil
import sys
from pathlib import Path

import pytest
from command_line import Refused, Run

import sandtable
from desert_aa.combat import rounds
from sandtable.plugin import manager

FRONTIER = Path(__file__).parents[4] / "replays" / "desert_aa" / "draw-round_limit.jsonl"
OPEN = ("--at", "33", "--claim", "the die was cocked", "--by", "england", "--rule", "DAA-17.04")


@pytest.fixture
def file(run: Run) -> str:
    """Return the file of a dispute over an attack's dice, with its log beside it."""
    shutil.copy(FRONTIER, "game.jsonl")
    told = run("dispute", "open", "game.jsonl", *OPEN, "--out", "cocked.toml")
    assert told.exit_code == 0, told.stderr
    return "cocked.toml"


@pytest.mark.full
def test_a_dispute_is_opened_tried_ruled_and_shown(run: Run, file: str) -> None:
    tried = run("dispute", "try", file, "--die", "33:1=1", "--then", "bots")
    assert tried.exit_code == 0, tried.stderr
    assert "one hit" in " ".join(tried.stdout.split())
    assert "record 33 falls" in run("dispute", "rule", file, "--falls", "--text", "roll it again").stdout
    shown = run("dispute", "show", file).stdout
    for part in ("the die was cocked", "DAA-17.04", "33:1=1", "roll it again", "falls"):
        assert part in shown
    assert run("dispute", "test", ".").exit_code == 0


@pytest.mark.full
def test_dispute_over_a_roll_shows_odds_and_labeled_lines(run: Run, file: str) -> None:
    run("dispute", "try", file, "--die", "33:1=1")
    run("dispute", "rule", file, "--falls", "--text", "roll it again")
    again = run("dispute", "rule", file, "--stands", "--text", "on second thoughts").stderr
    assert "ruling 2 of 2 counts" in again
    lines = run("dispute", "show", file).stdout.splitlines()
    assert any(line.startswith("odds ") and "%" in line for line in lines)
    assert "method: exact" in "".join(lines)
    assert [line.split()[0] for line in lines if line.startswith("by ") or ": by" in line] == ["by", "ruling", "ruling"]
    assert "by desert_aa version" in run("dispute", "test", file).stderr


def test_a_dispute_is_about_a_rule_that_there_is_and_tries_something(run: Run, file: str, refused: Refused) -> None:
    words = ("dispute", "open", "game.jsonl", *OPEN[:-1], "DAA-99.9", "--out", "other.toml")
    assert "desert_aa has no rule 'DAA-99.9'" in refused(2, *words)
    assert "name a change" in refused(2, "dispute", "try", file)


@pytest.mark.full
def test_dispute_with_a_different_result_is_named(run: Run, file: str) -> None:
    run("dispute", "try", file, "--die", "33:1=1", "--then", "bots")
    text = Path(file).read_text()
    Path(file).write_text(text.replace('outcome = "allies"', 'outcome = "axis"'))
    told = run("dispute", "test", file)
    assert told.exit_code == 1
    assert "the branch ends with allies; it ended with axis before" in " ".join(told.stdout.split())


@pytest.mark.full
def test_edit_without_effect_leaves_a_dispute_unchanged(run: Run, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("dispute", "try", file, "--die", "33:1=1", "--then", "bots")
    monkeypatch.setattr(manager, "hash_of", lambda _: 64 * "e")
    monkeypatch.setattr(sandtable, "__version__", "99.0")
    told = run("dispute", "test", file)
    assert told.exit_code == 0, told.stdout


def test_another_log_cannot_pass_for_that_of_the_dispute(run: Run, file: str) -> None:
    lines = Path("game.jsonl").read_bytes().splitlines(keepends=True)
    Path("game.jsonl").write_bytes(b"".join(lines[:-3]))
    told = run("dispute", "test", file)
    assert told.exit_code == 1
    assert "had 690 when the dispute was opened" in " ".join(told.stdout.split())


def test_a_signed_ruling_is_not_edited(run: Run, file: str) -> None:
    assert run("key", "new", "umpire.key").exit_code == 0
    run("dispute", "rule", file, "--stands", "--text", "it lay flat", "--sign", "umpire.key")
    assert run("dispute", "test", file).exit_code == 0
    Path(file).write_text(Path(file).read_text().replace("it lay flat", "it lay askew"))
    told = run("dispute", "test", file)
    assert told.exit_code == 1
    assert "altered after it was signed" in " ".join(told.stdout.split())


def test_unsigned_ruling_is_added_and_does_not_replace_a_signed_one(run: Run, file: str) -> None:
    assert run("key", "new", "umpire.key").exit_code == 0
    run("dispute", "rule", file, "--stands", "--text", "it lay flat", "--sign", "umpire.key")
    added = run("dispute", "rule", file, "--falls", "--text", "it lay askew", "--by", "italy")
    assert "ruling 1 of 2 counts, by umpire: the record stands" in added.stderr
    shown = run("dispute", "show", file)
    assert "ruling 1 of 2 counts" in shown.stderr
    for part in ("it lay flat", "signed by key", "it lay askew", "italy", "unsigned"):
        assert part in shown.stdout
    assert "2, 1 signed" in run("dispute", "test", file).stdout


def test_signature_that_was_cut_out_or_altered_is_shown(run: Run, file: str) -> None:
    assert run("key", "new", "umpire.key").exit_code == 0
    run("dispute", "rule", file, "--stands", "--text", "it lay flat", "--sign", "umpire.key")
    whole = Path(file).read_text()
    cut = "".join(line for line in whole.splitlines(keepends=True) if not line.startswith("signature"))
    for text, told in ((cut, "was removed"), (whole.replace("flat", "askew"), "altered after it was signed")):
        Path(file).write_text(text)
        tested = run("dispute", "test", file)
        assert (tested.exit_code, told in tested.stdout, "still so" in tested.stdout) == (1, True, False)
        assert told in run("dispute", "show", file).stdout


def test_branch_under_a_signed_ruling_is_not_tried_again(run: Run, file: str, refused: Refused) -> None:
    assert run("key", "new", "umpire.key").exit_code == 0
    run("dispute", "rule", file, "--stands", "--text", "it lay flat", "--sign", "umpire.key")
    before = Path(file).read_bytes()
    assert "signed ruling covers" in refused(2, "dispute", "try", file, "--die", "33:1=1")
    assert Path(file).read_bytes() == before


def test_rulings_signed_by_two_keys_are_not_decided(run: Run, file: str) -> None:
    for name in ("one.key", "two.key"):
        assert run("key", "new", name).exit_code == 0
        ruled = run("dispute", "rule", file, "--stands", "--text", "so", "--sign", name)
    assert "different keys" in ruled.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [("x = ", "cocked.toml"), ("[dispute]\nlog = 3\n", "is not a dispute: "), ("[other]\n", "is not a dispute: ")],
)
def test_invalid_dispute_file_is_refused(refused: Refused, text: str, reason: str) -> None:
    Path("cocked.toml").write_text(text)
    assert reason in refused(3, "dispute", "show", "cocked.toml")


def test_dispute_needs_a_seat_and_overwrites_no_file(refused: Refused, file: str) -> None:
    assert "no such seat" in refused(2, "dispute", "open", "game.jsonl", *OPEN[:4], "--by", "us", "--out", "b.toml")
    assert "the file exists" in refused(2, "dispute", "open", "game.jsonl", *OPEN, "--out", file)


def test_opening_a_dispute_prints_the_verdict_on_its_log(run: Run, file: str) -> None:
    words = ("dispute", "open", "game.jsonl", *OPEN, "--out")
    assert "game.jsonl: " not in run(*words, "whole.toml").stderr  # a verified log prints nothing
    lines = Path("game.jsonl").read_bytes().splitlines(keepends=True)
    Path("game.jsonl").write_bytes(b"".join(lines[:100]))
    told = run(*words, "part.toml")
    assert told.exit_code == 0
    assert "game.jsonl: verified so far" in told.stderr


def status_of(run: Run, *files: str) -> tuple[int, str]:
    told = run("dispute", "test", *files)
    return told.exit_code, " ".join(told.stdout.split())


def without_openings(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(each for each in lines if not each.startswith(b'{"kind":"opening"')))


def test_dispute_over_a_log_that_is_not_proven_exits_with_5(run: Run, file: str) -> None:
    without_openings(Path("game.jsonl"))
    code, told = status_of(run, file)
    assert (code, "not proven" in told) == (5, True)


def test_branch_of_a_game_whose_key_is_not_shown_yet_exits_with_5(run: Run, file: str, of_seed_a: str) -> None:
    """The log of an unfinished game with host dice is verified so far, but nothing can roll the dice of a branch."""
    run("play", "skirmish", "--dice", "host", "--key", of_seed_a, "--out", "host.jsonl")
    lines = Path("host.jsonl").read_bytes().splitlines(keepends=True)
    Path("host.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    words = ("--at", "5", "--claim", "no", "--by", "red", "--out", "host.toml")
    assert run("dispute", "open", "host.jsonl", *words).exit_code == 0
    assert status_of(run, "host.toml")[0] == 0
    with Path("host.toml").open("a") as packet:
        packet.write('\n[branch]\norder = ["5=x"]\noutcome = "red"\nhead = "00"\n')
    code, told = status_of(run, "host.toml")
    assert (code, "key is not shown yet" in told) == (5, True)


def test_dispute_whose_ruleset_is_missing_exits_with_4(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run("play", "skirmish", "--seed", "a", "--out", "other.jsonl")
    words = ("--at", "5", "--claim", "no", "--by", "red", "--out", "other.toml")
    assert run("dispute", "open", "other.jsonl", *words).exit_code == 0
    (tmp_path / "none").mkdir()
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(tmp_path / "none"))
    assert status_of(run, "other.toml")[0] == 4


def test_dispute_over_a_log_of_edited_rules_exits_with_4(run: Run, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit may be why the rules no longer make the records, so the log is not called false."""
    monkeypatch.setattr(manager, "hash_of", lambda _: 64 * "e")
    monkeypatch.setattr(rounds, "SUPPORTED_INFANTRY", 6)
    code, told = status_of(run, file)
    assert (code, "other ruleset files" in told) == (4, True)


def test_dispute_whose_signatures_cannot_be_checked_exits_with_4(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("key", "new", "umpire.key")
    assert run("dispute", "rule", file, "--falls", "--text", "again", "--sign", "umpire.key").exit_code == 0
    assert status_of(run, file)[0] == 0
    for name in [each for each in sys.modules if each.partition(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    assert status_of(run, file)[0] == 4


def test_statuses_of_several_disputes_are_those_of_the_worst(run: Run, file: str) -> None:
    shutil.copytree(Path.cwd(), "whole", ignore=shutil.ignore_patterns("whole"))
    without_openings(Path("game.jsonl"))
    assert status_of(run, "whole")[0] == 0
    assert status_of(run, ".")[0] == 5
    Path("torn.toml").write_text("[dispute]\n")
    assert status_of(run, ".")[0] == 3
