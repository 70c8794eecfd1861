"""Standing orders in games played at a terminal: in the log, in every reader, signed, resumed and sliced."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Node, Run

SPECIMENS = Path(__file__).parents[3] / "specimens"
BOTS = ("--player", "green=first", "--player", "blue=first")
GAME = ("play", "convoy", "--player", "red=human", *BOTS, "--out", "c.jsonl")
TYPED = "0\nnorth\nstanding for sail until 2 answer sail 3\n1\nstanding for press_on by careful\n"
"""Red sails as far as it can, gets a question without fuel, and lets a bot press on."""
REST = "3\n" + "1\n" * 30
"""Red loses three crew to the storm, and then takes the first line of every menu."""


@pytest.fixture(autouse=True)
def _convoy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands use a folder of rulesets with the convoy alone."""
    Path("rulesets").mkdir()
    shutil.copy(SPECIMENS / "convoy.py", "rulesets")
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(Path("rulesets").absolute()))


def records(kind: str) -> list[dict[str, Any]]:
    lines = [msgspec.json.decode(line, type=dict[str, Any]) for line in Path("c.jsonl").read_bytes().splitlines()]
    return [line for line in lines if line["kind"] == kind]


def test_whole_game_is_verified_narrated_and_explained(run: Run, node: Node) -> None:
    run(*GAME, "--seed", "a", "--dice", "open", typed=TYPED + REST)
    given = records("standing")
    assert [(each["by"], each["purposes"]) for each in given] == [("red", ["sail"]), ("red", ["press_on"])]
    fired = [each for each in records("order") if each.get("standing") and "refused" not in each]
    assert {each["standing"] for each in fired} == {each["n"] for each in given}
    assert [each["refused"] for each in records("order") if each.get("refused")]
    assert records("close")
    assert "verified" in run("verify", "c.jsonl", "--deep", code=0).stdout
    assert node("c.jsonl").returncode == 0
    told = run("replay", "c.jsonl", code=0).stdout
    assert f"Red gives standing order {given[0]['n']} until turn 2" in told
    assert "does not answer: its answer is not legal here." in told
    run("explain", "c.jsonl", "--at", str(fired[0]["n"]), code=0)
    run("log", "page", "c.jsonl", "--out", "c.html", code=0)
    for side in ("red", "blue", "public"):
        run("log", "redact", "c.jsonl", "--side", side, "--out", f"{side}.jsonl", code=0)
        run("verify", f"{side}.jsonl", "--as", side, code=0)


def test_standing_order_is_on_the_disk_before_the_next_question(run: Run) -> None:
    run(*GAME, "--seed", "a", "--dice", "open", typed="0\nnorth\nstanding for losses by careful\n")
    assert [each["purposes"] for each in records("standing")] == [["losses"]]
    assert run("verify", "c.jsonl", code=0).stdout.count("verified so far")


def test_resumed_game_is_answered_by_the_standing_orders_in_its_log(run: Run) -> None:
    run(*GAME, "--seed", "a", "--dice", "open", typed=TYPED)
    before = len(records("order"))
    shown = run("resume", "c.jsonl", typed=REST).stderr
    assert len(records("order")) > before
    assert any(each.get("standing") and each["by"] == "red" for each in records("order")[before:])
    assert "Standing order" in shown
    run("verify", "c.jsonl", "--deep", code=0)


def test_bot_of_a_taken_seat_gets_no_question_with_a_standing_order(run: Run) -> None:
    run(*GAME, "--seed", "a", "--dice", "open", typed="0\nnorth\nstanding for press_on by careful\n")
    run("resume", "c.jsonl", "--player", "red=first", code=0)
    pressed = [each for each in records("order") if each["by"] == "red" and "press_on" in each.get("asked", "")]
    assert pressed
    assert all(each.get("standing") for each in pressed)
    run("verify", "c.jsonl", "--deep", code=0)


@pytest.mark.full
def test_game_with_keys_signs_its_standing_orders(run: Run, node: Node) -> None:
    pytest.importorskip("cryptography", reason="signatures require the extra keys")
    signs = []
    for seat in ("red", "green", "blue"):
        run("key", "new", seat, code=0)
        signs += ["--sign", f"{seat}={seat}"]
    run(*GAME, *signs, "--dice", "open", typed=TYPED + REST)
    hands = records("hand")
    for each in records("standing"):
        assert any(hand["n"] == each["n"] + 1 and hand["by"] == "red" for hand in hands)
    assert "unsigned" not in run("verify", "c.jsonl", "--deep", code=0).stdout
    assert node("c.jsonl").returncode == 0
