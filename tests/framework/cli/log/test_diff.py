"""`sandtable log diff` of slices, and of several logs: the tree of a game and its branches."""

from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson

DISPUTES = Path(__file__).parents[4] / "replays" / "disputes"
FRONTIER, RIVAL = str(DISPUTES / "frontier.jsonl"), str(DISPUTES / "frontier_rival.jsonl")
GUN = 98


@pytest.fixture
def slices(run: Run) -> None:
    """Cut both games down for a side each."""
    for log, side in ((FRONTIER, "axis"), (FRONTIER, "allies"), (RIVAL, "allies")):
        name = f"{Path(log).stem}_{side}.jsonl"
        run("log", "redact", log, "--side", side, "--out", name, code=0)


@pytest.mark.usefixtures("slices")
def test_two_slices_of_one_game_have_the_same_chain(run: Run) -> None:
    told = run("log", "diff", "frontier_axis.jsonl", "frontier_allies.jsonl", code=0)
    assert told.stdout.startswith("the records are the same")
    assert "frontier_allies.jsonl, the slice of allies, shows 207 of 208 records fully" in told.stdout


@pytest.mark.usefixtures("slices")
def test_slices_of_two_games_diverge_where_the_games_do(run: Run, run_json: RunJson) -> None:
    told = run("log", "diff", "frontier_axis.jsonl", "frontier_rival_allies.jsonl", code=1)
    assert "the logs first differ in record 73, turn 1, england.combat_move" in told.stdout
    assert "order.units" in told.stdout
    found = run_json("log", "diff", FRONTIER, "frontier_rival_allies.jsonl")
    assert (found["record"], found["outcomes"]) == (73, ["axis", "allies"])
    assert found["state"] == [], "no file that is closed in part holds a whole state"


@pytest.mark.full
def test_game_and_its_branches_are_shown_as_a_tree(run: Run, run_json: RunJson) -> None:
    for face in ("4", "5"):
        words = ("dispute", "whatif", FRONTIER, "--die", f"{GUN}:1={face}", "--then", "first", "--out", f"{face}.jsonl")
        run(*words, code=0)
    logs = (FRONTIER, RIVAL, "4.jsonl", "5.jsonl")
    told = run("log", "diff", *logs, code=1)
    assert told.stdout.startswith("records 1 to 72: the same in all")
    assert told.stdout.count(f"records {GUN} to") == 3
    assert "4.jsonl: won by axis: round limit" in " ".join(told.stdout.split())
    assert told.stdout.count(f"a branch from record {GUN} on") == 2
    assert "Anti-tank fire at Bir Tariq: Germany's artillery 5 (needs 3 or less): no hits." in told.stdout
    tree = run_json("log", "diff", *logs)
    assert (tree["record"], len(tree["ways"])) == (73, 2)
    assert [len(way["ways"]) for way in tree["ways"]] == [3, 0]


def test_identical_logs_have_no_forks(run: Run, refused: Refused) -> None:
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        Path(name).write_bytes(Path(RIVAL).read_bytes())
    told = run("log", "diff", "a.jsonl", "b.jsonl", "c.jsonl", code=0)
    assert told.stdout.count("won by allies: capital captured, 326 records") == 3
    assert "a log is named twice" in refused(2, "log", "diff", "a.jsonl", "b.jsonl", "a.jsonl")
