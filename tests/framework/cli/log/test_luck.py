"""``sandtable log luck``: what the dice did for whom."""

from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson
from cutting import within

from sandtable.kernel.dice import key_from_seed


@pytest.fixture(params=["open", "host"])
def played(request: pytest.FixtureRequest, run: Run) -> list[str]:
    """Return the names of two logs."""
    for name in ("a", "b"):
        dice: str = request.param
        Path(f"{name}.key").write_text(f"{key_from_seed(name).hex()}\n")
        words = ("play", "skirmish", "--key", f"{name}.key", "--dice", dice, "--out", f"{name}.jsonl")
        run(*words, code=0)
    return ["a.jsonl", "b.jsonl"]


def test_luck_of_several_logs_is_summed(played: list[str], run_json: RunJson) -> None:
    told = run_json("log", "luck", "--rolls", *played)
    (sums,) = told["luck"].values()
    assert [each["log"] for each in told["logs"]] == played
    for side, own in sums.items():
        each = [log["luck"].get(side, {"luck": 0, "rolls": 0}) for log in told["logs"]]
        assert own["luck"] == pytest.approx(sum(one["luck"] for one in each))
        assert own["rolls"] == sum(one["rolls"] for one in each)
        rolls = [roll for log in told["logs"] for roll in log["rolls"] if roll["side"] == side]
        assert own["luck"] == pytest.approx(sum(roll["luck"] for roll in rolls))
        assert own["rolls"] == len(rolls)
    assert sum(each["rolls"] for each in sums.values()) > 0


def test_table_shows_sides_and_every_roll_on_request(played: list[str], run: Run) -> None:
    result = run("log", "luck", *played, code=0)
    assert result.stdout.split()[0] == "side"
    assert "2 games" in result.stderr
    listed = run("log", "luck", "--rolls", "a.jsonl")
    assert listed.stdout.count("\n") > result.stdout.count("\n") + 2
    assert "a.jsonl:" in listed.stderr


def test_unfinished_game_has_the_luck_of_its_recorded_rolls(run_json: RunJson, played: list[str]) -> None:
    lines = Path("a.jsonl").read_bytes().splitlines(keepends=True)
    Path("half.jsonl").write_bytes(within(b"".join(lines), len(lines) // 2))
    half, whole = (run_json("log", "luck", "--rolls", name)["logs"][0]["rolls"] for name in ("half.jsonl", "a.jsonl"))
    assert half == whole[: len(half)]
    assert len(half) < len(whole)


def test_unreadable_or_altered_log_is_refused_in_one_line(played: list[str], refused: Refused) -> None:
    assert "cannot be read" in refused(3, "log", "luck", "nowhere.jsonl")
    text = Path("a.jsonl").read_bytes()
    place = text.index(b'"dice":[', text.index(b'"kind":"roll"')) + len(b'"dice":[')
    other = b"1" if text[place : place + 1] != b"1" else b"2"
    Path("bad.jsonl").write_bytes(text[:place] + other + text[place + 1 :])
    assert "bad.jsonl" in refused(3, "log", "luck", "bad.jsonl")


def test_faces_are_counted_and_tested_for_fairness(played: list[str], run: Run, run_json: RunJson) -> None:
    told = run_json("log", "luck", "--faces", *played)["faces"]
    assert all(sum(each["counts"]) > 0 and each["maker"] == "key" for each in told)
    assert "verdict" in run("log", "luck", "--faces", *played).stdout
    assert "faces" not in run_json("log", "luck", *played)
