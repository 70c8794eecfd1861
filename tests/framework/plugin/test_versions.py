"""Versions of a ruleset: two next to each other, and an earlier version's log shown by a later one."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from msgspec import structs
from racing import BOTS, UPCAST, write

from sandtable.cli.main import cli
from sandtable.errors import RulesetError, RulesetMissing
from sandtable.front import new_game
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import fold_log, prepare_for, read_records
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify_log
from sandtable.plugin.manager import Rulesets

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "rulesets"


@pytest.fixture
def log(home: Path, tmp_path: Path) -> str:
    """Return a finished game of version 1, the only version in its folder at that time."""
    write(home, "1")
    path = tmp_path / "old.jsonl"
    path.write_bytes(new_game(Rulesets(home, alone=True).load("race"), seed="a", players=BOTS).log())
    return str(path)


@pytest.fixture
def run(home: Path) -> Run:
    return lambda *words: CliRunner().invoke(cli, ["--plugins-dir", str(home), *words], prog_name="sandtable")


def test_verify_finds_the_played_version_next_to_the_current_one(home: Path, log: str) -> None:
    write(home, "1", "race@1")
    write(home, "2", times="2")
    assert verify_log(log, Rulesets(home)).verdict == VERIFIED
    today = new_game(Rulesets(home).load("race"), seed="a", players=BOTS)
    assert today.header.ruleset_version == "2"
    assert b'"by":' in today.log()


def test_two_versions_have_separate_modules(home: Path, log: str) -> None:
    write(home, "1", "race@1")
    write(home, "2", times="2")
    rulesets = Rulesets(home)
    one, two = rulesets.load("race@1"), rulesets.load("race")
    assert (one.name, two.name) == ("race@1", "race")
    assert [vars(each.module)["own"].TIMES for each in (one, two)] == [1, 2]
    assert vars(one.module)["race"] is one.module, "`import race.rules` binds the package by the name that it knows"
    assert one.content_hash == read_log(log).header.ruleset_hash, "its files are what was played"
    assert rulesets.ids().count("race") == 1
    assert rulesets.versions("race") == ["race@1"]


def test_a_header_names_a_ruleset_by_its_id_alone(home: Path, log: str) -> None:
    write(home, "1", "race@1")
    old = read_log(log)
    forged = dataclasses.replace(old, header=structs.replace(old.header, ruleset="race@1"))
    with pytest.raises(RulesetMissing, match="no ruleset has the id 'race@1'"):
        prepare_for(forged, Rulesets(home))


def test_version_must_match_its_name(home: Path) -> None:
    write(home, "2", "race@1")
    with pytest.raises(RulesetError, match="race@1: its manifest has version '2'"):
        Rulesets(home).load("race@1")


def test_missing_version_error_explains_how_to_install_it(home: Path, log: str) -> None:
    write(home, "2")
    with pytest.raises(RulesetMissing, match="install version 1 to rerun it, or add it next to the other as race@1"):
        prepare_for(read_log(log), Rulesets(home))


@pytest.mark.parametrize(
    ("words", "code", "more"),
    [
        ("replay LOG", 0, ""),
        ("replay LOG --side b", 0, ""),
        ("replay LOG --watch", 0, ""),
        ("board LOG", 1, "race draws no board"),
        ("log redact LOG --side a", 0, ""),
        ("log luck LOG", 0, ""),
        ("log diff LOG OTHER", 1, "in that record"),
    ],
)
def test_log_of_another_version_is_shown_with_a_warning(
    home: Path, log: str, run: Run, words: str, code: int, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click, "getchar", lambda: "q")
    other = Path(log).with_name("other.jsonl")
    other.write_bytes(new_game(Rulesets(home, alone=True).load("race"), seed="b", players=BOTS).log())
    write(home, "2", times="2")
    told = run(*words.replace("LOG", log).replace("OTHER", str(other)).split())
    assert told.exit_code == code, told.output
    assert f"{log}: was played with race 1; version 2 reads it here" in told.output
    assert told.stderr.count("was played with") == (0 if words.startswith("log diff") else 1)
    assert more in told.output
    assert "cannot be compared" not in told.output


@pytest.mark.full
@pytest.mark.parametrize("side", ["", " --side a"], ids=["everything", "as a saw it"])
def test_a_page_of_a_log_of_another_version_is_made_with_a_warning(home: Path, log: str, run: Run, side: str) -> None:
    write(home, "2", times="2")
    page = home / "page.html"
    made = run(*f"log page {log} --out {page}{side}".split())
    assert made.exit_code == 0, made.stderr
    assert f"{log}: was played with race 1; version 2 reads it here" in made.stderr
    assert "from its records only: it was played with race 1, and no rules were run" in page.read_text()
    assert run("log", "page", "--check", str(page), log).exit_code == 0


def test_luck_is_attributed_until_the_rules_diverge(home: Path, log: str, run: Run) -> None:
    write(home, "2", times="2")
    told = run("log", "luck", log).stderr
    assert "from record 5 on, the sides that its rolls favor are unknown" in told
    rolls = sum(line.startswith(b'{"kind":"roll"') for line in Path(log).read_bytes().splitlines())
    assert f"{rolls} rolls, {rolls - 1} of them favor no side" in told


def test_undecodable_records_are_attributed_to_another_version(home: Path, log: str, run: Run) -> None:
    write(home, "2", field="steps")
    told = run("replay", log)
    why = "is not a record of race 2, but the log was played with 1: install that, or give the ruleset an upcast"
    assert (told.exit_code, why in told.stderr) == (4, True)


def test_upcast_lets_a_later_version_read_records(home: Path, log: str, run: Run) -> None:
    before = fold_log(read_log(log), prepare_for(read_log(log), Rulesets(home, alone=True)))
    write(home, "2", field="steps", more=UPCAST)
    old = read_log(log)
    prepared = prepare_for(old, Rulesets(home), any_version=True)
    assert fold_log(old, prepared).place == before.place  # type: ignore[attr-defined]  # a State of this game
    ran = [
        each.event for each in read_records(old, prepared.ruleset) if type(getattr(each, "event", 0)).__name__ == "Ran"
    ]
    assert ran
    assert all(each.steps >= 2 for each in ran)
    expected = run("replay", log, "--side", "b")
    assert expected.exit_code == 0, expected.stderr
    assert run("log", "redact", log, "--side", "b").stdout.encode().startswith(Path(log).read_bytes()[:200])


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("record[1]", "the upcast to version 2 fails: KeyError"),
        ("{**record, 'n': 7}", "the upcast to version 2 changes its kind or number"),
    ],
)
def test_failing_upcast_is_named(home: Path, log: str, run: Run, made: str, expected: str) -> None:
    write(
        home,
        "2",
        field="steps",
        more=UPCAST.replace("    event = record.get", f"    return {made}\n    event = record.get"),
    )
    assert expected in run("replay", log).stderr


def test_upcasts_are_chained_and_cycles_are_refused(home: Path, log: str) -> None:
    chained = UPCAST.replace(
        'return {"1": st.Upcast("2", renamed)}', 'return {"1": st.Upcast("2", renamed), "2": st.Upcast("3", dict)}'
    )
    write(home, "3", field="steps", more=chained)
    prepared = prepare_for(read_log(log), Rulesets(home), any_version=True)
    assert read_records(read_log(log), prepared.ruleset)
    write(home, "4", field="steps", more=chained.replace('"3"', '"1"'))
    prepared = prepare_for(read_log(log), Rulesets(home), any_version=True)
    with pytest.raises(RulesetMissing, match="give the ruleset an upcast"):
        read_records(read_log(log), prepared.ruleset)


def test_list_of_rulesets_shows_other_versions(home: Path, run: Run) -> None:
    write(home, "1", "race@1")
    write(home, "2")
    assert "race@1" in run("ruleset", "list").stderr
    assert [row["id"] for row in json.loads(run("ruleset", "list", "--json").stdout)].count("race") == 1
