"""`sandtable ruleset regress`: old games under other rules."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Refused, Run
from racing import BOTS, UPCAST, write

from sandtable.front import new_game
from sandtable.plugin.manager import Rulesets

ROOT = Path(__file__).parents[4]
HOME = Path("rulesets")

CHANGES: dict[str, tuple[dict[str, str], str, str]] = {
    "a remark more": ({"more": "# a remark\n"}, "same", ""),
    "another number": ({"times": "2"}, "differs", "the event Ran: event.by was 3; the rules give 5"),
    "a choice more": ({"old": "(1, 2)", "new": "(1, 2, 3)"}, "different options", "a had different options: walk"),
    "a choice less": ({"old": "(1, 2)", "new": "(1,)"}, "order illegal", "the order of b is no longer legal: walk 2"),
    "another winner": ({"old": 'GameEnded("a"', "new": 'GameEnded("b"'}, "different winner", 'outcome was "a"'),
    "another question": (
        {"old": "purpose=side", "new": 'purpose="x"'},
        "different decision",
        "a is asked walk, a question that did not occur in the recorded game",
    ),
    "a longer way": (
        {"old": "> 12", "new": "> 200"},
        "different decision",
        "a question that did not occur in the recorded game",
    ),
    "a crash": ({"old": "(die,) =", "new": "1 / 0; (die,) ="}, "different decision", "ZeroDivisionError"),
    "another state": (
        {"old": "place: int = 0", "new": "place: int = 0\n    laps: int = 0"},
        "differs",
        "the same records, but a different state",
    ),
    "another field": ({"field": "steps"}, "cannot be run", "give the ruleset an upcast"),
    "another field with an upcast": ({"field": "steps", "more": UPCAST}, "same", ""),
}


@pytest.fixture
def log() -> str:
    """Return a finished game of version 1, which is no longer installed."""
    write(HOME, "1")
    Path("old.jsonl").write_bytes(new_game(Rulesets(HOME, alone=True).load("race"), seed="a", players=BOTS).log())
    return "old.jsonl"


@pytest.fixture
def tell(run: Run) -> Callable[..., Any]:
    """Return a function that runs the command in this process and decodes what it prints."""

    def telling(*words: str) -> Any:
        told = run("--plugins-dir", str(HOME), "ruleset", "regress", *words, "--json", "--workers", "1")
        assert told.exit_code in {0, 1, 4}, told.stderr
        return json.loads(told.stdout)

    return telling


@pytest.mark.parametrize("change", CHANGES)
def test_old_game_under_another_version_gets_its_verdict(change: str, log: str, tell: Callable[..., Any]) -> None:
    edits, verdict, text = CHANGES[change]
    write(HOME, "1" if change == "another state" else "2", **edits)
    (game,) = tell(log)["games"]
    assert game["verdict"] == verdict, game
    told = f"{game['text']} {game['problem']} {(game['stop'] or {}).get('text')}"
    assert text in told
    if verdict in {"differs", "order illegal", "different options", "different winner"}:
        assert game["record"]
        assert game["rule"] == ("" if change == "another state" else "R-1")


def test_totals_are_listed_by_rule_with_an_example(log: str, run: Run) -> None:
    write(HOME, "2", times="2")
    shutil.copy(log, "again.jsonl")
    told = run("--plugins-dir", str(HOME), "ruleset", "regress", log, "again.jsonl", "--workers", "1", code=1)
    assert "old.jsonl: differs: record 5: the event Ran: event.by was" in told.stdout
    assert "race     R-1       2               0                  0  old.jsonl 5" in told.stdout
    assert "2 games: 2 differs" in told.stderr
    brief = run("--plugins-dir", str(HOME), "ruleset", "regress", log, "--sums", "--workers", "1")
    assert "old.jsonl: differs" not in brief.stdout


def test_rules_come_from_a_folder_or_an_installed_version(log: str, tell: Callable[..., Any]) -> None:
    write(HOME, "2", times="2")
    write(Path("elsewhere"), "3")
    write(HOME, "3", "race@3")
    assert tell(log, "--with", "elsewhere")["verdicts"] == {"same": 1}
    assert tell(log, "--against", "3")["verdicts"] == {"same": 1}
    assert tell(log, "--against", "2")["verdicts"] == {"differs": 1}
    assert "race@4 is not installed; choose from race 2, race@3" in tell(log, "--against", "4")["games"][0]["problem"]


def test_bots_continue_after_recorded_orders_become_illegal(log: str, tell: Callable[..., Any]) -> None:
    write(HOME, "2", old="> 12", new="> 200")
    assert tell(log)["games"][0]["now"] == ""
    (game,) = tell(log, "--bots")["games"]
    assert (game["verdict"], game["now"]) == ("different decision", "a")


def test_altered_log_is_not_run(log: str, tell: Callable[..., Any]) -> None:
    data = Path(log).read_bytes()
    Path(log).write_bytes(data.replace(b'"pace":1', b'"pace":2', 1))
    assert "was altered" in tell(log)["games"][0]["problem"]


def test_regress_with_both_with_and_against_is_refused(refused: Refused, log: str) -> None:
    assert "use only one" in refused(2, "ruleset", "regress", log, "--with", ".", "--against", "2")
    assert "is not a folder" in refused(3, "ruleset", "regress", log, "--with", "nowhere")


@pytest.mark.full
def test_stored_games_with_undo_and_ruling_stay_the_same(tell: Callable[..., Any]) -> None:
    HOME.mkdir()
    logs = [str(each) for each in sorted((ROOT / "replays" / "desert_aa").glob("axis-capital*.jsonl"))]
    assert tell(*logs)["verdicts"] == {"same": len(logs)}


STEP = """

@hookimpl
def ruleset_upcasts():
    from sandtable.kernel.ruleset import Upcast

    def renamed(record):
        event = record.get("event", {})
        return record | {"event": event | {"type": "IncomePaid"}} if event.get("type") == "IncomeCollected" else record

    return {"1": Upcast("2", renamed)}
"""


@pytest.mark.full
def test_stored_games_run_under_a_version_with_a_renamed_event(tell: Callable[..., Any]) -> None:
    """Version 2 of desert_aa calls the income by another name, and pays by the same rules."""
    HOME.mkdir()
    shutil.copytree(ROOT / "plugins" / "desert_aa", "other/desert_aa")
    for file in Path("other").rglob("*.py"):
        file.write_text(file.read_text().replace("IncomeCollected", "IncomePaid").replace('version="1"', 'version="2"'))
    logs = [str(each) for each in sorted((ROOT / "replays" / "desert_aa").glob("draw*.jsonl"))]
    assert tell(*logs, "--with", "other")["verdicts"] == {"cannot be run": len(logs)}
    front = Path("other/desert_aa/__init__.py")
    front.write_text(front.read_text() + STEP)
    shutil.move("other", "again")
    assert tell(*logs, "--with", "again")["verdicts"] == {"same": len(logs)}


@pytest.mark.full
def test_changed_income_rule_of_desert_aa_is_reported(tell: Callable[..., Any]) -> None:
    HOME.mkdir()
    shutil.copytree(ROOT / "plugins" / "desert_aa", "other/desert_aa")
    pays = Path("other/desert_aa/economy/calculations.py")
    pays.write_text(pays.read_text().replace("(space, value[space], ", "(space, value[space] + 1, "))
    told = tell(str(ROOT / "replays/desert_aa/draw-round_limit.jsonl"), "--with", "other")
    assert [each["rule"] for each in told["rules"]] == ["DAA-14.04"]
    assert told["games"][0]["text"].startswith("the event IncomeCollected: event.amount was")
