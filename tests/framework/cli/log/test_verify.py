"""``sandtable verify`` of several logs: messages for each log, and common ones."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from command_line import RANDOM, Refused, Run, RunJson
from cutting import first_writes, within
from rechained import lines_of, rechained
from tests.framework.cli.conftest import RULESETS

EDITED = "played before the ruleset's files were edited, with the same result"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a ruleset that a test may edit."""
    folder = tmp_path / "mine"
    shutil.copytree(RULESETS, folder)
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(folder))
    return folder / "skirmish.py"


def played(run: Run, seed: str = "b") -> None:
    run("play", "skirmish", *RANDOM, "--seed", seed, "--out", f"{seed}.jsonl", code=0)


def test_edit_without_effect_is_reported_once_for_all_logs(run: Run, run_json: RunJson, source: Path) -> None:
    for seed in "ab":
        played(run, seed)
    assert run("verify", "a.jsonl", "b.jsonl").stderr == "2 of 2 logs verified\n"
    with source.open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    played(run, "c")
    told = run("verify", "a.jsonl", "b.jsonl", "c.jsonl", code=0).stderr
    assert told == f"3 of 3 logs verified; 2 {EDITED}\n"
    assert [each["other_files"] for each in run_json("verify", "a.jsonl", "b.jsonl", "c.jsonl")] == [True, True, False]
    Path("a.jsonl").write_text(Path("a.jsonl").read_text(encoding="utf-8").rsplit("\n", 3)[0] + "\n", encoding="utf-8")
    told = run("verify", "a.jsonl", code=0).stderr
    assert told.startswith("a.jsonl: verified so far: ")
    assert told.endswith(f"\n0 of 1 log verified, 1 so far; 1 {EDITED}\n")


EDITS = {
    "rules diverge": ('HITS = {"infantry": 1, "guns": 3}', 'HITS = {"infantry": 2, "guns": 4}', "the roll .*: needs"),
    "another label": ('f"fire.{side}"', 'f"shot.{side}"', "the roll .*: label is stored as"),
    "illegal order": (
        '"speed": OneOf([1, 2], "SK-3.1")',
        '"speed": OneOf([3], "SK-3.1")',
        "legal or not, the order does not answer",
    ),
    "no such record": ("MadeUp", "MadeUp", "is not a record of skirmish"),
    "written otherwise": (
        "    red_hits: int\n    blue_hits: int\n",
        "    blue_hits: int\n    red_hits: int\n",
        "not in canonical form",
    ),
}
"""The edits of the rules, and the verdict on a log that was played before."""


def edited(source: Path, name: str) -> str:
    """Edit the ruleset, and return the expected verdict on a log."""
    old, new, told = EDITS[name]
    text = source.read_text(encoding="utf-8")
    if name == "no such record":
        text = re.sub(r"\bRoundFought\b", "RoundOver", text)
    else:
        assert old in text
        text = text.replace(old, new)
    source.write_text(text, encoding="utf-8")
    return told


def changed(path: str, change: Callable[[bytes], bytes]) -> None:
    """Change the lines of a log, each before its hash, and rebuild the chain."""
    lines = lines_of(Path(path))
    texts = [msgspec.json.encode(line) for line in lines]
    Path(path).write_bytes(rechained([msgspec.json.decode(change(text)) for text in texts]))


def altered(body: bytes) -> bytes:
    """Return the body with a different first die if it is the body of a roll."""
    if not body.startswith(b'{"kind":"roll"'):
        return body
    return re.sub(rb'"dice":\[(\d)', lambda found: b'"dice":[%d' % (int(found[1]) % 6 + 1), body)


@pytest.mark.full
@pytest.mark.parametrize(("name", "dice"), [*((name, "open") for name in EDITS), ("another label", "host")])
def test_edited_rules_are_reported_first(
    run: Run, run_json: RunJson, source: Path, of_seed_a: str, name: str, dice: str
) -> None:
    run("play", "skirmish", *RANDOM, "--key", of_seed_a, "--dice", dice, "--out", "a.jsonl")
    run("verify", "a.jsonl", code=0)
    told = edited(source, name)
    result = run("verify", "a.jsonl", code=4)
    line, _ = result.stderr.splitlines()
    assert re.match(
        r"a\.jsonl: other ruleset files: [a-z ]+: skirmish was played with files \w{12}, the files here are \w{12}: "
        r"the rules were edited since, and that may be the cause: ",
        line,
    )
    assert re.search(told, line)
    (found,) = run_json("verify", "a.jsonl", code=4)
    assert (found["verdict"], found["other_files"]) == ("other ruleset files", True)
    assert found["files"]["played_with"][:12] in line
    assert found["files"]["here"][:12] in line
    assert found["first_difference"]["text"] in line
    assert found["first_difference"]["edited"] in line


@pytest.mark.parametrize(
    "words", [("log", "luck", "b.jsonl"), ("explain", "b.jsonl", "--at", "40"), ("resume", "b.jsonl")]
)
def test_other_commands_report_edited_rulesets(
    run: Run, refused: Refused, source: Path, words: tuple[str, ...]
) -> None:
    played(run)
    lines = Path("b.jsonl").read_bytes().splitlines(keepends=True)
    Path("b.jsonl").write_bytes(within(b"".join(lines), len(lines) - 2))
    told = edited(source, "another label")
    cause = f"b.jsonl: .*skirmish was played with files .* the files here are .* may be the cause: .*{told}"
    assert re.search(cause, refused(4, *words))


@pytest.mark.parametrize("name", ["rules diverge", "written otherwise", "no such record"])
def test_faults_outside_the_rules_are_not_attributed_to_edits(run: Run, source: Path, name: str) -> None:
    """For the chain of hashes and the dice of the key, a log that contradicts them was altered, whatever the rules."""
    played(run)
    whole = Path("b.jsonl").read_bytes()
    edited(source, name)
    Path("b.jsonl").write_bytes(whole.replace(b'"speed":2', b'"speed":1', 1))
    told = run("verify", "b.jsonl", code=1).stderr
    assert re.match(
        r"b\.jsonl: false: altered record: b\.jsonl: line \d+: (record|one of the records) \d+ .*was altered", told
    )
    Path("b.jsonl").write_bytes(whole)
    changed("b.jsonl", altered)
    assert "false: altered dice: record" in run("verify", "b.jsonl", code=1).stderr


def test_unfinished_log_stays_unfinished_under_edited_rules(
    run: Run, run_json: RunJson, source: Path, of_seed_a: str
) -> None:
    run("play", "skirmish", *RANDOM, "--key", of_seed_a, "--dice", "host", "--out", "a.jsonl")
    Path("a.jsonl").write_bytes(first_writes(Path("a.jsonl").read_bytes(), 3))
    edited(source, "rules diverge")
    (found,) = run_json("verify", "a.jsonl")
    assert (found["verdict"], found["other_files"]) == ("verified so far", True)
    assert (found["missing"], len(found["pending"])) == ([], 1)


def test_difference_under_the_same_files_is_false(run: Run, run_json: RunJson, source: Path) -> None:
    played(run)
    changed("b.jsonl", lambda body: body.replace(b'"speed":2', b'"speed":9'))
    (found,) = run_json("verify", "b.jsonl")
    assert (found["verdict"], found["first_difference"]["kind"]) == ("false", "illegal order")
    assert not found["other_files"]
    assert found["files"]["played_with"] == found["files"]["here"] != ""


@pytest.fixture
def unproven(run: Run, of_seed_a: str) -> str:
    """Return a finished game with `host` dice whose close does not show the key."""
    run("play", "skirmish", "--key", of_seed_a, "--dice", "host", "--out", "a.jsonl")
    lines = lines_of(Path("a.jsonl"))
    del lines[-1]["key"]
    Path("a.jsonl").write_bytes(rechained(lines))
    return "a.jsonl"


def test_missing_proof_is_reported_with_a_separate_exit_status(run: Run, run_json: RunJson, unproven: str) -> None:
    result = run("verify", unproven, code=5)
    assert "not proven, unanchored" in result.stdout
    assert result.stderr.startswith("a.jsonl: not proven: ")
    assert "missing: the dice key (record " in result.stderr
    (found,) = run_json("verify", unproven, code=5)
    assert (found["verdict"], len(found["missing"]), found["pending"], found["rulings"]) == ("not proven", 1, [], [])
    played(run)
    run("verify", "b.jsonl", unproven, code=5)
    forged = Path("b.jsonl").read_bytes().replace(b'"speed":2', b'"speed":1', 1)
    assert forged != Path("b.jsonl").read_bytes()
    Path("c.jsonl").write_bytes(forged)
    run("verify", unproven, "c.jsonl", code=1)


def test_unknown_side_is_a_usage_error(refused: Refused, unproven: str) -> None:
    assert "no side 'green'" in refused(2, "verify", unproven, "--as", "green")


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "a.jsonl"),
        ("board", "a.jsonl"),
        ("explain", "a.jsonl", "--at", "5"),
        ("log", "luck", "a.jsonl"),
        ("log", "diff", "a.jsonl", "a.jsonl"),
        ("log", "page", "a.jsonl"),
        ("ruleset", "odds", "a.jsonl", "--at", "5"),
    ],
    ids=lambda words: words[1] if words[0] == "log" else words[0],
)
def test_commands_that_show_a_game_print_an_unverified_verdict(run: Run, unproven: str, words: tuple[str, ...]) -> None:
    told = run(*words).stderr
    assert re.search(r"^a\.jsonl: not proven: .*: the output below may be wrong$", told, re.MULTILINE)


def test_a_ruling_by_an_unknown_rule_is_refused(run: Run, refused: Refused, of_seed_a: str) -> None:
    run("play", "skirmish", "--key", of_seed_a, "--dice", "host", "--out", "a.jsonl")
    Path("a.jsonl").write_bytes(first_writes(Path("a.jsonl").read_bytes(), 3))
    event = '{"type":"GameEnded","outcome":"red","ending":"late"}'
    words = ("log", "rule", "a.jsonl", "--key", of_seed_a, "--reason", "x", "--event", event)
    assert "no rule 'NO-1'" in refused(1, *words, "--rule", "NO-1")
