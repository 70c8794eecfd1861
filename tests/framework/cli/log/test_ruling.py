"""``sandtable log rule``: rulings that are withdrawn, and amended orders that keep later ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import RANDOM, Run
from cutting import cut_after
from rechained import lines_of


@pytest.fixture
def half(run: Run) -> str:
    """Return the first 60 records of a finished game of bots."""
    assert run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "a.jsonl").exit_code == 0
    Path("half.jsonl").write_bytes(cut_after(Path("a.jsonl").read_bytes(), 60))
    return "half.jsonl"


def orders_in(log: str) -> list[dict[str, Any]]:
    """Return the orders of a log with what their openings show."""
    orders = [line for line in lines_of(Path(log)) if line["kind"] == "order"]
    return [each | part for each in orders for part in each.get("opened", {"": {}}).values()]


def rule(run: Run, log: str, *words: str) -> str:
    result = run("log", "rule", log, "--reason", "looked up", *words)
    assert result.exit_code == 0, result.stderr
    assert run("verify", log, "--deep").exit_code == 0
    return result.stderr


def given_after(log: str, number: int) -> list[Any]:
    return [line["order"] for line in orders_in(log) if line["n"] > number]


def test_amendment_to_the_same_order_keeps_every_later_order(run: Run, half: str) -> None:
    number = orders_in(half)[-4]["n"]
    last = lines_of(Path(half))[-1]["n"]
    same = msgspec.json.encode(orders_in(half)[-4]["order"]).decode()
    later = given_after(half, number)
    told = rule(run, half, "--amend", str(number), "--order", same, "--keep-later")
    assert f"{len(later)} of {len(later)} later orders given again" in told
    assert given_after(half, last)[1:] == later


def test_amendment_that_changes_questions_keeps_the_orders_before_them(run: Run, half: str) -> None:
    marches = [line for line in orders_in(half) if line["order"]["type"] == "March"]
    number, last = marches[0]["n"], lines_of(Path(half))[-1]["n"]
    later = given_after(half, number)
    rule(run, half, "--amend", str(number), "--order", '{"type":"Stay"}', "--keep-later")
    kept = given_after(half, last)[1:]
    assert kept == later[: len(kept)]
    assert len(kept) < len(later)
    assert run("resume", half).exit_code == 0
    assert run("verify", half, "--deep").exit_code == 0


def test_withdrawn_amendment_restores_the_order_and_those_after_it(run: Run, half: str) -> None:
    marches = [line for line in orders_in(half) if line["order"]["type"] == "March"]
    number = marches[-1]["n"]
    original = [line["order"] for line in orders_in(half) if line["n"] >= number]
    last = lines_of(Path(half))[-1]["n"]
    rule(run, half, "--amend", str(number), "--order", '{"type":"Stay"}')
    amended = next(line["n"] for line in lines_of(Path(half))[1:] if line["n"] > last and line["kind"] == "ruling")
    before = lines_of(Path(half))[-1]["n"]
    told = rule(run, half, "--withdraw", str(amended))
    assert "given again" in told
    assert given_after(half, before) == original
    assert "is withdrawn" in run("replay", half).stdout
    assert run("resume", half).exit_code == 0
    assert run("verify", half, "--deep").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("--withdraw", "3", "--event", "{}"),
        ("--withdraw", "3", "--amend", "3", "--order", "{}"),
        ("--keep-later",),
        ("--withdraw", "3", "--keep-later"),
        ("--event", "{}", "--keep-later"),
    ],
)
def test_contradictory_options_are_a_usage_error(
    refused: Callable[..., str], half: str, words: tuple[str, ...]
) -> None:
    assert "--withdraw" in refused(2, "log", "rule", half, "--reason", "x", *words)


def test_withdrawal_of_a_record_that_is_not_a_ruling_is_refused(refused: Callable[..., str], half: str) -> None:
    assert "ruling" in refused(1, "log", "rule", half, "--reason", "x", "--withdraw", "3")
    assert not [line for line in lines_of(Path(half)) if line["kind"] == "ruling"]


def test_every_event_of_the_ruleset_has_an_example_that_can_be_used(run: Run, half: str) -> None:
    shown = run("log", "rule", half, "--event", "?")
    assert shown.exit_code == 0, shown.stderr
    examples = [msgspec.json.decode(line) for line in shown.stdout.splitlines()]
    happened = {line["event"]["type"] for line in lines_of(Path(half)) if "event" in line}
    assert len(examples) == len({each["type"] for each in examples})
    assert happened - {"TurnBegan", "PhaseBegan", "PhaseEnded"} <= {each["type"] for each in examples}
    for line in shown.stdout.splitlines():
        result = run("log", "rule", half, "--event", line, "--reason", "x")
        assert "is not in the ruleset" not in result.stderr


def test_event_that_does_not_exist_points_to_the_list(refused: Callable[..., str], half: str) -> None:
    assert "--event ?" in refused(3, "log", "rule", half, "--event", '{"type":"Rained"}', "--reason", "x")
