"""`sandtable dispute`: a dispute is a file that can be shown, signed, and tried again with later rules."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from command_line import Refused, Run
from cutting import within

import sandtable
from desert_aa.combat import rounds
from sandtable.plugin import manager

FRONTIER = Path(__file__).parents[4] / "replays" / "desert_aa" / "draw-round_limit.jsonl"
OPEN = ("--at", "33", "--claim", "the die was cocked", "--by", "england", "--rule", "DAA-17.04")


CLAIM = ("--at", "5", "--claim", "no", "--by", "red")


def status_of(run: Run, *files: str) -> tuple[int, str]:
    told = run("dispute", "test", *files)
    return told.exit_code, " ".join(told.stdout.split())


def keep_lines(path: str, kept: Callable[[list[bytes]], Iterable[bytes]]) -> None:
    """Replace the lines of a file by those that ``kept`` returns."""
    Path(path).write_bytes(b"".join(kept(Path(path).read_bytes().splitlines(keepends=True))))


@pytest.fixture
def file(run: Run) -> str:
    """Return the file of a dispute over an attack's dice, with its log beside it."""
    shutil.copy(FRONTIER, "game.jsonl")
    run("dispute", "open", "game.jsonl", *OPEN, "--out", "cocked.toml", code=0)
    return "cocked.toml"


@pytest.fixture
def signed(run: Run, file: str) -> str:
    """Return the file of the dispute with a signed ruling."""
    run("key", "new", "umpire.key", code=0)
    run("dispute", "rule", file, "--stands", "--text", "it lay flat", "--sign", "umpire.key", code=0)
    return file


@pytest.mark.full
def test_a_dispute_is_opened_tried_ruled_and_shown(run: Run, file: str) -> None:
    tried = run("dispute", "try", file, "--die", "33:1=1", "--then", "bots", code=0)
    assert "one hit" in " ".join(tried.stdout.split())
    assert "record 33 falls" in run("dispute", "rule", file, "--falls", "--text", "roll it again").stdout
    shown = run("dispute", "show", file).stdout
    for part in ("the die was cocked", "DAA-17.04", "33:1=1", "roll it again", "falls"):
        assert part in shown
    run("dispute", "test", ".", code=0)


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


@pytest.mark.full
def test_dispute_with_a_different_result_is_reported(run: Run, file: str) -> None:
    run("dispute", "try", file, "--die", "33:1=1", "--then", "bots")
    text = Path(file).read_text()
    Path(file).write_text(text.replace('outcome = "allies"', 'outcome = "axis"'))
    code, told = status_of(run, file)
    assert (code, "the branch ends with allies; it ended with axis before" in told) == (1, True)


@pytest.mark.full
def test_edit_without_effect_leaves_a_dispute_unchanged(run: Run, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("dispute", "try", file, "--die", "33:1=1", "--then", "bots")
    monkeypatch.setattr(manager, "hash_of", lambda _: 64 * "e")
    monkeypatch.setattr(sandtable, "__version__", "99.0")
    run("dispute", "test", file, code=0)


def test_different_log_is_not_accepted_for_a_dispute(run: Run, file: str) -> None:
    keep_lines("game.jsonl", lambda lines: within(b"".join(lines), len(lines) - 3).splitlines(keepends=True))
    code, told = status_of(run, file)
    assert (code, "had 690 when the dispute was opened" in told) == (1, True)


def test_unsigned_ruling_is_added_and_does_not_replace_a_signed_one(run: Run, signed: str) -> None:
    added = run("dispute", "rule", signed, "--falls", "--text", "it lay askew", "--by", "italy")
    assert "ruling 1 of 2 counts, by umpire: the record stands" in added.stderr
    shown = run("dispute", "show", signed)
    assert "ruling 1 of 2 counts" in shown.stderr
    for part in ("it lay flat", "signed by key", "it lay askew", "italy", "unsigned"):
        assert part in shown.stdout
    assert "2, 1 signed" in status_of(run, signed)[1]


def test_removed_or_altered_signature_is_reported(run: Run, signed: str) -> None:
    assert status_of(run, signed)[0] == 0
    whole = Path(signed).read_text()
    cut = "".join(line for line in whole.splitlines(keepends=True) if not line.startswith("signature"))
    for text, told in ((cut, "was removed"), (whole.replace("flat", "askew"), "altered after it was signed")):
        Path(signed).write_text(text)
        code, tested = status_of(run, signed)
        assert (code, told in tested, "still so" in tested) == (1, True, False)
        assert told in run("dispute", "show", signed).stdout


def test_branch_under_a_signed_ruling_is_not_repeated(signed: str, refused: Refused) -> None:
    before = Path(signed).read_bytes()
    assert "signed ruling covers" in refused(2, "dispute", "try", signed, "--die", "33:1=1")
    assert Path(signed).read_bytes() == before


def test_rulings_signed_by_two_keys_are_not_decided(run: Run, file: str) -> None:
    for name in ("one.key", "two.key"):
        run("key", "new", name, code=0)
        ruled = run("dispute", "rule", file, "--stands", "--text", "so", "--sign", name)
    assert "different keys" in ruled.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [("x = ", "cocked.toml"), ("[dispute]\nlog = 3\n", "is not a dispute: "), ("[other]\n", "is not a dispute: ")],
)
def test_invalid_dispute_file_is_refused(refused: Refused, text: str, reason: str) -> None:
    Path("cocked.toml").write_text(text)
    assert reason in refused(3, "dispute", "show", "cocked.toml")


def test_impossible_dispute_is_refused(refused: Refused, file: str) -> None:
    words = ("dispute", "open", "game.jsonl")
    assert "no such seat" in refused(2, *words, *OPEN[:4], "--by", "us", "--out", "b.toml")
    assert "desert_aa has no rule 'DAA-99.9'" in refused(2, *words, *OPEN[:-1], "DAA-99.9", "--out", "b.toml")
    assert "the file exists" in refused(2, *words, *OPEN, "--out", file)
    assert "name a change" in refused(2, "dispute", "try", file)


def test_opening_a_dispute_prints_the_verdict_on_its_log(run: Run, file: str) -> None:
    words = ("dispute", "open", "game.jsonl", *OPEN, "--out")
    assert "game.jsonl: " not in run(*words, "whole.toml").stderr  # a verified log prints nothing
    keep_lines("game.jsonl", lambda lines: within(b"".join(lines), 100).splitlines(keepends=True))
    assert "game.jsonl: verified so far" in run(*words, "part.toml", code=0).stderr


def without_openings(lines: list[bytes]) -> list[bytes]:
    return [each for each in lines if not each.startswith(b'{"kind":"opening"')]


def test_dispute_over_a_log_that_is_not_proven_exits_with_5(run: Run, file: str) -> None:
    keep_lines("game.jsonl", without_openings)
    code, told = status_of(run, file)
    assert (code, "not proven" in told) == (5, True)


def test_branch_of_a_game_with_an_unpublished_key_exits_with_5(run: Run, of_seed_a: str) -> None:
    """The log of an unfinished game with host dice is verified so far, but nothing can roll the dice of a branch."""
    run("play", "skirmish", "--dice", "host", "--key", of_seed_a, "--out", "host.jsonl")
    keep_lines("host.jsonl", lambda lines: within(b"".join(lines), len(lines) // 2).splitlines(keepends=True))
    run("dispute", "open", "host.jsonl", *CLAIM, "--out", "host.toml", code=0)
    assert status_of(run, "host.toml")[0] == 0
    with Path("host.toml").open("a") as packet:
        packet.write('\n[branch]\norder = ["5=x"]\noutcome = "red"\nhead = "00"\n')
    code, told = status_of(run, "host.toml")
    assert (code, "key is not shown yet" in told) == (5, True)


def test_dispute_whose_ruleset_is_missing_exits_with_4(run: Run, log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("dispute", "open", log, *CLAIM, "--out", "other.toml", code=0)
    Path("none").mkdir()
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", "none")
    assert status_of(run, "other.toml")[0] == 4


def test_dispute_over_a_log_of_edited_rules_exits_with_4(run: Run, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit may be why the rules no longer make the records, so the log is not called false."""
    monkeypatch.setattr(manager, "hash_of", lambda _: 64 * "e")
    monkeypatch.setattr(rounds, "SUPPORTED_INFANTRY", 6)
    code, told = status_of(run, file)
    assert (code, "other ruleset files" in told) == (4, True)


def test_dispute_whose_signatures_cannot_be_checked_exits_with_4(
    run: Run, signed: str, request: pytest.FixtureRequest
) -> None:
    assert status_of(run, signed)[0] == 0
    request.getfixturevalue("_without_keys")
    assert status_of(run, signed)[0] == 4


def test_exit_status_of_several_disputes_is_the_worst(run: Run, file: str) -> None:
    shutil.copytree(Path.cwd(), "whole", ignore=shutil.ignore_patterns("whole"))
    keep_lines("game.jsonl", without_openings)
    assert status_of(run, "whole")[0] == 0
    assert status_of(run, ".")[0] == 5
    Path("torn.toml").write_text("[dispute]\n")
    assert status_of(run, ".")[0] == 3
