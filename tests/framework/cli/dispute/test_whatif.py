"""`sandtable dispute whatif` and `rulings`: a disputed turn replayed with one change."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import Refusals, Refused, Run, RunJson

from sandtable.cli.dispute import adjudicate

FRONTIER = str(Path(__file__).parents[4] / "replays" / "desert_aa" / "draw-round_limit.jsonl")
ATTACK = 33
"""The record of the first roll: 2 6 6 for an attack on the oasis, needing 1 2 2."""
PURCHASE = 16
"""The record of Italy's first purchase: two infantry and one armor."""


CHANGED = ("dispute", "whatif", FRONTIER, "--die", f"{ATTACK}:1=1", "--then")


def test_changed_die_is_shown_with_its_consequences(run: Run) -> None:
    told = run(*CHANGED, "bots", code=0).stdout
    assert told.startswith("set: 1/italy.combat/attack.OAS/1: 1 6 6\n")
    assert "the orders diverge before record 36, turn 1, italy.combat, england: choose 1 of 2 units to lose" in told
    assert "infantry 1 (needs 1), armor 6 and 6 (need 2 or less): one hit" in " ".join(told.split())
    assert "recorded: draw: round limit" in told


def test_die_without_influence_changes_no_other_record(run_json: RunJson) -> None:
    told = run_json("dispute", "whatif", FRONTIER, "--die", f"{ATTACK}:1=3")
    assert told["open_questions"] == []
    assert told["state"] == []
    assert len(told["sections"]) == 1
    assert told["outcome"] == "draw"


@pytest.mark.full
def test_branch_is_written_as_a_marked_log(run: Run, refused: Refused) -> None:
    words = *CHANGED, "bots", "--out", "branch.jsonl"
    run(*words, code=0)
    assert "not a game that was played" in run("verify", "branch.jsonl", code=0).stderr
    assert "the file exists" in refused(2, *words)
    run(*words, "--force", code=0)
    run("replay", "branch.jsonl", "--turn", "1", code=0)


def test_replacement_order_is_typed_as_at_the_prompt(run: Run) -> None:
    told = run("dispute", "whatif", FRONTIER, "--order", f"{PURCHASE}=buy 3 infantry", "--then", "bots", code=0)
    assert "italy.purchase" in told.stdout
    assert "buy units: infantry 3" in " ".join(told.stdout.split())


def test_replacement_order_must_be_legal_at_its_record(refused: Refused) -> None:
    assert "IPC" in refused(1, "dispute", "whatif", FRONTIER, "--order", f"{PURCHASE}=buy 30 infantry")


@pytest.mark.full
def test_playouts_are_counted_with_an_interval(run: Run) -> None:
    assert "won, of 3 games of bots" in run(*CHANGED, "stop", "--playouts", "3", code=0).stdout


@pytest.mark.parametrize("words", [("--then", "stop"), ("--playouts", "2"), ("--then", "stop", "--out", "copy.jsonl")])
def test_branch_options_without_a_change_are_refused(refused: Refused, words: tuple[str, ...]) -> None:
    told = refused(2, "dispute", "whatif", FRONTIER, *words)
    assert words[0] in told
    assert "--die" in told
    assert not Path("copy.jsonl").exists()


def test_branch_without_changes_equals_the_game(run: Run, run_json: RunJson) -> None:
    told = run_json("dispute", "whatif", FRONTIER)
    assert (told["open_questions"], told["sections"], told["outcome"]) == ([], [], "draw")
    assert "no record differs" in run("dispute", "whatif", FRONTIER).stdout


def test_branch_with_another_interpretation_may_stop(run: Run) -> None:
    run("dispute", "whatif", FRONTIER, "--option", "retreat_rule=own_origin", "--then", "stop", code=0)


@pytest.mark.full
def test_interpretations_are_listed_by_ruling_and_record(run: Run, run_json: RunJson) -> None:
    told = run("dispute", "rulings", FRONTIER, "--rule", "DAA-R16")
    assert "retreat_rule = own_origin" in told.stdout
    assert "1 alternative interpretation: 0 never mattered in this game, 1 did" in told.stderr
    (row,) = run_json("dispute", "rulings", FRONTIER, "--rule", "DAA-R16")
    assert row["record"] == 38


WRONG = """
dispute whatif frontier.jsonl --die x
dispute whatif frontier.jsonl --die 99999:1=1
dispute whatif frontier.jsonl --die 33:1=7
dispute whatif frontier.jsonl --order 33=save
dispute whatif frontier.jsonl --order 16=?
dispute whatif frontier.jsonl --ruling 3={}
dispute whatif frontier.jsonl --option weather=fine
dispute whatif frontier.jsonl --die 33:1=1 --then caesar
dispute rulings frontier.jsonl --rule DAA-R999
"""


@pytest.mark.full
def test_impossible_changes_are_refused(refusals: Refusals) -> None:
    shutil.copy(FRONTIER, "frontier.jsonl")
    refusals(WRONG)


def test_phases_missing_from_the_branch_share_one_line(run: Run) -> None:
    told = run(*CHANGED, "stop").stdout
    rows = told[told.index("turn  phase") : told.index("only in the recorded game: ")].splitlines()
    assert [row.split()[:2] for row in rows[2:] if row.strip().startswith("1 ")] == [["1", "italy.combat"]]
    assert "the state" not in told, "a seal is of the phase that ended"


def test_ruling_in_a_branch_is_narrated(run: Run) -> None:
    event = '{"type":"IncomeCollected","power":"italy","purse":"axis","amount":2,"rule":"DAA-14.04"}'
    told = run("dispute", "whatif", FRONTIER, "--ruling", f"{PURCHASE}={event}", "--then", "stop", code=0)
    assert "Umpire rules (what if): Italy collects 2 IPC." in " ".join(told.stdout.split())


@pytest.mark.full
def test_an_unfinished_game_is_adjudicated_with_an_interval(run: Run, run_json: RunJson) -> None:
    words = "dispute", "adjudicate", FRONTIER, "--at", "400", "--playouts", "4"
    told = run_json(*words)
    assert sum(row["won"] for row in told["rows"]) == 4
    assert {row["side"] for row in told["rows"]} == {"axis", "allies", "draw"}
    assert run_json(*words) == told
    assert "won of 4" in run(*words).stdout


@pytest.mark.full
def test_draws_among_survivors_count_when_many_sides_are_adjudicated(run: Run, run_json: RunJson) -> None:
    run("play", "league3", "--seed", "3", "--out", "league.jsonl")
    told = run_json("dispute", "adjudicate", "league.jsonl", "--at", "3", "--playouts", "9")
    sides = [row for row in told["rows"] if row["side"] != "draw"]
    assert sum(row["share"] for row in sides) == pytest.approx(1)
    assert all(row["won"] / 9 <= row["share"] and row["low"] <= row["share"] <= row["high"] for row in sides)
    assert any(row["won"] / 9 < row["share"] for row in sides)


def row(side: str, won: int, games: int, evaluation: int | None) -> dict[str, Any]:
    return adjudicate._row(side, won, games, {} if evaluation is None else {side: evaluation})


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row("red", 19, 20, 210), row("blue", 1, 20, 790)], ("favor red", "favors blue", "trust the playouts")),
        ([row("red", 19, 20, 700), row("blue", 1, 20, 300)], ("favor red", "favors red")),
        ([row("red", 11, 20, 210), row("blue", 9, 20, 790)], ("favor no side", "favors blue")),
        ([row("red", 19, 20, None), row("blue", 1, 20, None)], ("favor red", "no evaluation")),
        ([row("red", 30, 60, 1), row("blue", 28, 60, 1), row("gray", 2, 60, 998)], ("favor no side", "favors gray")),
    ],
)
def test_playouts_are_trusted_before_the_evaluation(rows: list[dict[str, Any]], told: tuple[str, ...]) -> None:
    judged = adjudicate._judgment([each["side"] for each in rows], rows)
    assert [part for part in told if part not in judged] == []
    assert ("trust" in judged) == ("trust the playouts" in told)


@pytest.mark.full
def test_adjudicated_position_is_the_next_decision_with_its_reason(run: Run, run_json: RunJson) -> None:
    words = "dispute", "adjudicate", FRONTIER, "--playouts", "2", "--player", "random"
    found = run_json(*words, "--at", str(ATTACK))
    assert (found["asked"], found["record"] > ATTACK) == (ATTACK, True)
    told = run(*words, "--at", str(ATTACK)).stderr
    assert f"after record {found['record']}," in told
    assert f"no decision is pending after record {ATTACK}" in told
    assert "2 playouts" in told
    assert "italy: random" in told
    told = run(*words, "--at", str(found["record"])).stderr
    assert "no decision is pending" not in told


def test_adjudicating_a_finished_game_prints_its_result(run: Run) -> None:
    assert run("dispute", "adjudicate", FRONTIER).stdout == "draw: round limit, in turn 6\n"
